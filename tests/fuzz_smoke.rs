//! A small part of the fuzzing on every test run: always the same mutants. `fuzz-campaign` runs more of them.

use cleave_tests::mutate::campaign::{self, Counts, Target};
use cleave_tests::mutate::{Seeds, Verdict};

mod fuzz_ir;

fn run(target: Target, count: u64) -> Counts {
    campaign::catch_panics();
    let seeds = Seeds::corpus();
    let (mut counts, mut findings) = (Counts::default(), Vec::new());
    campaign::run(target, &seeds, 1, 0..count, &mut counts, &mut findings);
    let found: Vec<String> = findings
        .iter()
        .map(|finding| format!("mutant {}: {}\n{}", finding.number, finding.place, finding.message))
        .collect();
    // The hook keeps panics quiet, also that of a failing test.
    if !found.is_empty() {
        eprintln!("{}", found.join("\n"));
    }
    assert!(found.is_empty());
    counts
}

#[test]
fn parser() {
    let counts = run(Target::Parser, 20_000);
    assert!(counts.of(Verdict::Accepted) > 2_000, "the mistakes are too coarse: {counts:?}");
    assert!(counts.of(Verdict::RefusedByParser) > 2_000, "the mistakes are too fine: {counts:?}");
}

#[test]
fn whole_path() {
    let counts = run(Target::WholePath, 3_000);
    assert!(counts.of(Verdict::Accepted) > 300, "the mistakes are too coarse: {counts:?}");
    assert!(counts.of(Verdict::RefusedByBuilder) > 300, "the front end is not reached: {counts:?}");
}
