//! What was meant by a word that nobody knows.

use cleave_diag::suggest::{edit_distance, nearest};

fn near(name: &str, candidates: &[&'static str]) -> Option<String> {
    let found = nearest(name.as_bytes(), candidates.iter().map(|c| c.as_bytes()));
    found.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

#[test]
fn distances() {
    let cases = [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("ab", "abc", 1)];
    for (a, b, expected) in cases.into_iter().chain([("kitten", "sitting", 3), ("abc", "", 3), ("", "abc", 3)]) {
        assert_eq!(edit_distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
    }
}

#[test]
fn finds_what_was_meant() {
    let names = ["push_a", "push_b", "pop_a", "jmp_eval", "jsr_eval"];
    assert_eq!(near("psuh_a", &names).as_deref(), Some("push_a"));
    assert_eq!(near("pushb", &names).as_deref(), Some("push_b"));
    assert_eq!(near("jmpeval", &names).as_deref(), Some("jmp_eval"));
    assert_eq!(near("completely_else", &names), None);
    assert_eq!(near("", &names), None);
    assert_eq!(near(&"x".repeat(10_000), &names), None);
}

#[test]
fn another_way_of_writing_is_nearest() {
    let names = [&b"pushB"[..], b"push_a", b"fromInteger", b"from_int"];
    assert_eq!(nearest(b"pusha", names), Some(&b"push_a"[..]));
    assert_eq!(nearest(b"FromInt", names), Some(&b"from_int"[..]));
    assert_eq!(nearest(b"push_b", names), Some(&b"pushB"[..]));
}
