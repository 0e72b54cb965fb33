//! The list of public programs.

use cleave_tests::students::*;

#[test]
fn hashes() {
    // Values of the algorithm's authors.
    assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn fifty_nine_programs() {
    let all = all();
    assert_eq!(all.len(), 59);
    assert!(all.iter().all(|student| student.name != ENDLESS));
}
