//! The table of codes.

use cleave_diag::Code;
use cleave_diag::code::*;

#[test]
fn numbers_rise_and_lie_in_a_range() {
    assert!(TABLE.windows(2).all(|pair| pair[0].code < pair[1].code));
    assert!(TABLE.iter().all(|row| matches!(row.code.0 / 100, 1..=6 | 9)));
}

#[test]
fn every_code_is_explained() {
    for row in TABLE {
        assert!(!row.title.is_empty() && !row.title.ends_with('.'), "{}", row.code);
        assert!(row.text.ends_with('.') && !row.text.contains("  "), "{}", row.code);
        assert_eq!(Code::parse(&row.code.to_string()), Some(row.code));
    }
}

#[test]
fn codes_as_users_write_them() {
    assert_eq!(UNKNOWN_INSTRUCTION.to_string(), "E0203");
    for text in ["E0203", "e203", "203", "0203"] {
        assert_eq!(Code::parse(text), Some(UNKNOWN_INSTRUCTION), "{text}");
    }
    for text in ["", "E", "E+203", "X0203", "E99999999"] {
        assert_eq!(Code::parse(text), None, "{text}");
    }
    assert!(Code(999).explanation().is_none());
}
