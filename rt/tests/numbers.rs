//! Numbers to text and back, against the host's exact conversions.

#![allow(clippy::excessive_precision)]

use crate::support::Random;
use cleave_rt::base::decimal::{format_int, format_real};
use cleave_rt::base::parse::RealParser;

fn text(value: f64) -> String {
    String::from_utf8(format_real(value).bytes().to_vec()).expect("ASCII")
}

/// `%.15g` by way of Rust's own exact formatting.
fn expected(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "-nan" } else { "nan" }.into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.into();
    }
    let scientific = format!("{value:.14e}");
    let (mantissa, exponent) = scientific.split_once('e').expect("an exponent");
    let exponent: i32 = exponent.parse().expect("a number");
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    if (-4..15).contains(&exponent) {
        let fixed = format!("{:.*}", (14 - exponent) as usize, value.abs());
        let fixed = if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.') } else { &fixed };
        return format!("{sign}{fixed}");
    }
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    format!("{sign}{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn parse(text: &str) -> f64 {
    let mut parser = RealParser::new();
    let (body, exponent) = text.split_once('e').unwrap_or((text, ""));
    for byte in body.bytes() {
        match byte {
            b'-' => parser.negative = true,
            b'.' => parser.point(),
            digit => parser.digit(digit),
        }
    }
    for byte in exponent.bytes() {
        match byte {
            b'-' => parser.negative_exponent(),
            b'+' => {}
            digit => parser.exponent_digit(digit),
        }
    }
    parser.finish()
}

const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    0.1,
    0.5,
    -2.5,
    1e15,
    1e20,
    99999999999999.95,
    999999999999999.5,
    999999999999999.9,
    1e-4,
    9.9999999999999995e-5,
    1e-5,
    1.23456789012345678e17,
    5e-324,
    2.2250738585072014e-308,
    2.225073858507201e-308,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.30000000000000004,
    123456789012345.6,
    1234567890123456.0,
    9007199254740993.0,
    4503599627370496.5,
    // Ties at the fifteenth digit, exactly representable.
    1000000000000000.5,
    100000000000000.5,
    100000000000001.5,
    1000000000000005.0,
    1000000000000015.0,
    10000000000000025.0,
    0.000244140625,
];

#[test]
fn reals_print_like_c() {
    assert_eq!(text(-f64::NAN), "-nan");
    assert_eq!(text(1e20), "1e+20");
    assert_eq!(text(1.23456789012345678e17), "1.23456789012346e+17");
    assert_eq!(text(100000000000000.0), "100000000000000");
    for value in SPECIAL {
        assert_eq!(text(*value), expected(*value));
    }
    let mut random = Random(12345);
    let rounds: u64 = std::env::var("CLEAVE_RT_NUMBERS").ok().and_then(|n| n.parse().ok()).unwrap_or(200_000);
    for round in 0..rounds {
        let bits = random.next();
        // All bit patterns, numbers of everyday size, short decimals, and halves of integers.
        let value = match round % 4 {
            0 => f64::from_bits(bits),
            1 => (bits as i64 as f64) / 2f64.powi((bits % 128) as i32),
            2 => (bits % 100_000_000) as f64 / 10f64.powi((bits >> 40) as i32 % 30 - 10),
            _ => (bits >> (11 + bits % 50)) as f64 * 0.5,
        };
        assert_eq!(text(value), expected(value), "{:#x}", value.to_bits());
    }
}

#[test]
fn reals_are_read_exactly() {
    for text in [
        "0",
        "1",
        "-1.5",
        "0.1",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e309",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2e-324",
        "1e-400",
        "2.2250738585072011e-308",
        "9007199254740993",
        "9007199254740992.9999999999999999999",
        "9007199254740993.0000000000000000000001",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000001",
        "8.5e-2",
    ] {
        let wanted: f64 = text.parse().expect("a number");
        assert_eq!(parse(text).to_bits(), wanted.to_bits(), "{text}");
    }
    let long = format!("0.{}1", "0".repeat(400));
    assert_eq!(parse(&long), 0.0);
    let long = format!("9007199254740993.{}1", "0".repeat(900));
    assert_eq!(parse(&long), 9007199254740994.0);
    let long = format!("{}e-800", "7".repeat(900));
    assert_eq!(parse(&long), long.parse::<f64>().expect("a number"));
    let mut random = Random(99);
    for round in 0..50_000u64 {
        let value = f64::from_bits(random.next());
        if !value.is_finite() {
            continue;
        }
        let text = match round % 3 {
            0 => format!("{value:e}"),
            1 => format!("{:.*e}", (round % 40) as usize, value),
            _ => format!("{}.{}e{}", random.next(), random.next(), random.below(700) as i64 - 350),
        };
        assert_eq!(parse(&text).to_bits(), text.parse::<f64>().expect("a number").to_bits(), "{text}");
    }
}

#[test]
fn ints_print_in_decimal() {
    for value in [0, 1, -1, 9, 10, -10, 1_000_000_000, 999_999_999, i64::MAX, i64::MIN] {
        assert_eq!(String::from_utf8_lossy(format_int(value).bytes()), value.to_string());
    }
}
