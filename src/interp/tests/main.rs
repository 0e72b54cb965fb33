//! Tests of the interpreter: every opcode with values computed by hand, then the machine as a whole.
//!
//! A *case* names its subjects, builds a module in a `Harness` and compares results. `every_opcode_has_a_case` fails
//! when an opcode of the table is the subject of no case; each case fails when a subject does not occur in its module.

mod arithmetic;
mod arrays;
mod control;
mod debug;
mod deep;
mod effects;
mod exceptions;
mod harness;
mod libcalls;
mod lowered;
mod objects;
mod rc;
mod rooted;

use cleave_ir::Opcode;
use harness::{Case, Harness};

fn all_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for family in [
        objects::CASES,
        arrays::CASES,
        control::CASES,
        exceptions::CASES,
        effects::CASES,
        rc::CASES,
        rooted::CASES,
        lowered::CASES,
        libcalls::CASES,
    ] {
        cases.extend(family.iter().map(|case| Case { subjects: case.subjects, run: case.run }));
    }
    cases
}

#[test]
fn cases_pass() {
    for case in all_cases() {
        let mut harness = Harness::new();
        (case.run)(&mut harness);
        for subject in case.subjects {
            let occurs = harness.module.funcs.values().any(|f| f.insts.values().any(|i| i.op == *subject));
            assert!(occurs, "{} is not used by its own case", subject.name());
        }
    }
}

#[test]
fn every_opcode_has_a_case() {
    let cases = all_cases();
    let rows = arithmetic::rows();
    let missing: Vec<&str> = Opcode::ALL
        .iter()
        .filter(|op| !cases.iter().any(|c| c.subjects.contains(op)) && !rows.iter().any(|r| r.op == **op))
        .map(|op| op.name())
        .collect();
    assert!(missing.is_empty(), "opcodes without test: {missing:?}");
}
