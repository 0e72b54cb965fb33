//! How long collections took.

use cleave_rt::gc::pauses::Pauses;

#[test]
fn ninety_nine_of_a_hundred() {
    // Every scale, and both the last time within a step and the first of the next one.
    for unit in [1, 100, 1_000, 31_000, 777_777, 1_000_000_000] {
        let mut pauses = Pauses::NONE;
        assert_eq!(pauses.percentile_99(0), 0);
        for _ in 0..98 {
            pauses.note(unit);
        }
        pauses.note(3 * unit);
        pauses.note(50 * unit);
        let (found, exact) = (pauses.percentile_99(50 * unit), 3 * unit);
        assert!(exact <= found && found <= exact + exact / 8 + 128, "{found} for {exact}");
        pauses.note(40 * unit);
        pauses.note(45 * unit);
        let (found, exact) = (pauses.percentile_99(50 * unit), 45 * unit);
        assert!(exact <= found && found <= 50 * unit, "{found} for {exact}");
    }
    let mut pauses = Pauses::NONE;
    pauses.note(u64::MAX);
    assert_eq!(pauses.percentile_99(u64::MAX), u64::MAX);
}
