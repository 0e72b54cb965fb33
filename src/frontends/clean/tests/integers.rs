//! Integer arithmetic of ABC as IR.

use cleave_clean::translate::integers::*;

fn small(word: i64) -> Integer {
    Integer { word, limbs: Vec::new() }
}

#[test]
fn integers_that_fit_in_a_word_have_no_limbs() {
    for (text, word) in [("0", 0), ("-0", 0), ("+7", 7), ("0x10", 16), ("-0o10", -8)] {
        assert_eq!(Integer::parse(text.as_bytes()), small(word), "{text}");
    }
    assert_eq!(Integer::parse(b"9223372036854775807"), small(i64::MAX));
    assert_eq!(Integer::parse(b"-9223372036854775808"), small(i64::MIN));
}

#[test]
fn larger_integers_have_sign_and_magnitude() {
    let half = Integer { word: 0, limbs: vec![1 << 63] };
    assert_eq!(Integer::parse(b"9223372036854775808"), half);
    assert_eq!(Integer::parse(b"-9223372036854775809"), Integer { word: -1, limbs: vec![(1 << 63) + 1] });
    assert_eq!(Integer::parse(b"-0x1ffffffffffffffff"), Integer { word: -1, limbs: vec![u64::MAX, 1] });
    assert_eq!(Integer::parse(b"00340282366920938463463374607431768211456").limbs, [0, 0, 1]);
}

#[test]
fn rationals_have_no_common_factor() {
    for (text, numerator, denominator) in
        [("0.0", 0, 1), ("-1.50", -3, 2), ("25E-2", 1, 4), ("1.2e1", 12, 1), ("7e-1", 7, 10), ("125.0E+1", 1250, 1)]
    {
        assert_eq!(rational(text.as_bytes()), Some((small(numerator), small(denominator))), "{text}");
    }
    let tiny = rational(b"1E-30").expect("a small exponent");
    assert_eq!(tiny, (small(1), Integer { word: 0, limbs: vec![5076944270305263616, 54210108624] }));
    assert_eq!(rational(b"1e10000"), None);
}
