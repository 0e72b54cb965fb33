//! Transcendental functions: nearest reals for known arguments, and beside the C library of this machine.

use cleave_rt::base::double_double::{exact_product, product};
use cleave_rt::base::transcendental;

type Function = fn(f64) -> f64;

/// Name, ours, the C library's, and the range of arguments.
const FUNCTIONS: [(&str, Function, Function, f64, f64); 16] = [
    ("sin", transcendental::sin, f64::sin, -3.0, 3.0),
    ("sin", transcendental::sin, f64::sin, -1e6, 1e6),
    ("sin", transcendental::sin, f64::sin, -1e15, 1e15),
    ("cos", transcendental::cos, f64::cos, -3.0, 3.0),
    ("cos", transcendental::cos, f64::cos, -1e6, 1e6),
    ("tan", transcendental::tan, f64::tan, -1.5, 1.5),
    ("tan", transcendental::tan, f64::tan, -1e6, 1e6),
    ("asin", transcendental::asin, f64::asin, -1.0, 1.0),
    ("acos", transcendental::acos, f64::acos, -1.0, 1.0),
    ("atan", transcendental::atan, f64::atan, -1.0, 1.0),
    ("atan", transcendental::atan, f64::atan, -100.0, 100.0),
    ("exp", transcendental::exp, f64::exp, -1.0, 1.0),
    ("exp", transcendental::exp, f64::exp, -700.0, 700.0),
    ("ln", transcendental::ln, f64::ln, 0.0, 2.0),
    ("ln", transcendental::ln, f64::ln, 0.0, 1e6),
    ("pow", |x| transcendental::pow(x, 2.7), |x| x.powf(2.7), 0.0, 100.0),
];

#[test]
fn nearest_reals() {
    let mut wrong = Vec::new();
    let text = include_str!("transcendental.txt");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let real = |at: usize| f64::from_bits(u64::from_str_radix(words[at], 16).expect("bits"));
        let (x, y, expected) = (real(1), real(2), real(3));
        let found = match words[0] {
            "pow" => transcendental::pow(x, y),
            "log10" => transcendental::log10(x),
            name => FUNCTIONS.iter().find(|row| row.0 == name).expect("a function").1(x),
        };
        if found.to_bits() != expected.to_bits() {
            wrong.push(format!("{line}: {found:e}, not {expected:e}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(text.lines().count(), 121);
}

/// Good C libraries differ from the nearest real for one argument in a thousand, the best ones less; ours at most for
/// one in ten thousand.
#[test]
fn beside_the_c_library() {
    const COUNT: u32 = 20_000;
    let mut state = 7u64;
    for (name, ours, theirs, from, to) in FUNCTIONS {
        let mut unequal = 0;
        for _ in 0..COUNT {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = from + (to - from) * ((state >> 11) as f64 / (1u64 << 53) as f64);
            let (a, b) = (ours(x), theirs(x));
            unequal += u32::from(a.to_bits() != b.to_bits());
            assert!((a - b).abs() <= 2.0 * f64::EPSILON * b.abs(), "{name}({x:e}): {a:e} and {b:e}");
        }
        assert!(unequal < COUNT / 200, "{name} between {from} and {to}: {unequal} of {COUNT} differ");
    }
}

/// What a machine that multiplies and adds at once computes is what others compute.
#[test]
fn products_are_exact_on_every_machine() {
    let mut state = 1u64;
    let mut real = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Of both signs, from 2^-63 to 2^64.
        f64::from_bits((state & 0x800f_ffff_ffff_ffff) | ((0x3c0 + (state >> 57)) << 52))
    };
    for _ in 0..100_000 {
        let (a, b) = (real(), real());
        let (here, everywhere) = (exact_product(a, b), product(a, b));
        assert_eq!([here.0, here.1], [everywhere.0, everywhere.1], "{a:e} · {b:e}");
    }
}

#[test]
fn limits() {
    let (infinite, nan) = (f64::INFINITY, f64::NAN);
    assert_eq!(
        [transcendental::exp(1000.0), transcendental::exp(-1000.0), transcendental::exp(0.0)],
        [infinite, 0.0, 1.0]
    );
    // Numbers below the smallest normal one are rounded once.
    assert_eq!(transcendental::exp(-745.0), f64::from_bits(1));
    assert_eq!(transcendental::exp(-744.0).to_bits(), f64::exp(-744.0).to_bits());
    assert_eq!(
        [transcendental::ln(0.0), transcendental::ln(1.0), transcendental::ln(infinite)],
        [-infinite, 0.0, infinite]
    );
    assert_eq!(
        [transcendental::log10(1000.0), transcendental::log10(1e-300), transcendental::log10(1.0)],
        [3.0, -300.0, 0.0]
    );
    assert_eq!([transcendental::pow(2.0, -1074.0), transcendental::pow(-2.0, 3.0)], [f64::from_bits(1), -8.0]);
    assert_eq!(
        [transcendental::pow(0.0, 0.0), transcendental::pow(10.0, 400.0), transcendental::pow(10.0, -400.0)],
        [1.0, infinite, 0.0]
    );
    assert_eq!(
        [transcendental::sin(0.0), transcendental::cos(0.0), transcendental::atan(infinite)],
        [0.0, 1.0, std::f64::consts::FRAC_PI_2]
    );
    assert_eq!(
        [transcendental::asin(1.0), transcendental::acos(-1.0)],
        [std::f64::consts::FRAC_PI_2, std::f64::consts::PI]
    );
    assert!(transcendental::sin(-0.0).is_sign_negative() && transcendental::sin(5e-324) == 5e-324);
    for x in [
        transcendental::ln(-1.0),
        transcendental::asin(1.5),
        transcendental::acos(nan),
        transcendental::sin(infinite),
        transcendental::pow(-8.0, 0.3),
    ] {
        assert!(x.is_nan());
    }
}
