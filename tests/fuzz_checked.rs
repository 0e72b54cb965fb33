//! The promise of `docs/trust.md`: mutants of valid modules that `check` accepts do the same under `--checked` before
//! the passes and after them, or stop with an error of the program and its place.
//!
//! ```text
//! IR_MUTANTS=30000 [IR_SEED=7] [IR_FIRST=0] cargo test -p cleave-tests --test fuzz_smoke -- checked --nocapture
//! ```

use crate::fuzz_ir::variable;
use cleave_compile::{Level, Options, Quiet, Source, Verify, Wasm};
use cleave_interp::{Outcome, Program, Session, Trap, data_section_options, missing_externs};
use cleave_ir::text::parse_module;
use cleave_ir::{Module, Opcode, Phase, verify};
use cleave_tests::mutate::campaign;
use cleave_tests::mutate::ir::Seeds;
use std::panic::{self, AssertUnwindSafe};

/// What became of the mutants.
#[derive(Debug, Default)]
struct Counts {
    /// No program, or not one that can be judged.
    other: u64,
    endless: u64,
    same: u64,
    wrong: u64,
}

/// Steps before the passes, which make none slower by more than `SLACK`.
const STEPS: u64 = 1_000_000;
const SLACK: u64 = 50;

/// Programs whose meaning is said by the documents: no machine-like instructions, and nothing that tells addresses.
fn is_judged(module: &Module) -> bool {
    use Opcode::*;
    let machine_like = |op| matches!(op, RefAddr | AddrRef | Alloc | HeapFull | Collect) || op.is_access();
    let ops = |func: &cleave_ir::Func| {
        let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        insts.map(|&inst| func.insts[inst].op).collect::<Vec<_>>()
    };
    module.start.is_some()
        && module.phase() == Phase::High
        && missing_externs(module).next().is_none()
        && module.funcs.values().all(|func| func.phase == Phase::High && !ops(func).into_iter().any(machine_like))
}

fn limited(max_steps: u64) -> cleave_interp::Options {
    cleave_interp::Options { max_steps, heap_limit: 32 << 20, max_registers: 1 << 20, ..Default::default() }
}

fn checked(module: Module, level: Level) -> Option<Outcome> {
    let options = Options { level, checked: true, verify: Verify::Input, ..Options::default() };
    let target = Wasm::default();
    let optimised = Source::new(module, &options, &mut Quiet).ok()?.optimise(&options, &mut Quiet);
    let lowered = optimised.root(&target, &options, &mut Quiet).ok()?.lower(&options, &mut Quiet);
    let (module, data_section) = lowered.take(&target);
    let program = Program::with_data_section(&module, data_section);
    Some(match Session::new(&program, limited(STEPS * SLACK)) {
        Ok(session) => session.run_program(),
        Err(trap) => Outcome::not_started(trap),
    })
}

fn attempt(text: &str, number: u64, counts: &mut Counts) {
    let Ok(module) = parse_module(text) else { return counts.other += 1 };
    if verify::verify_module(&module).is_err() || !is_judged(&module) {
        return counts.other += 1;
    }
    let options = limited(STEPS);
    let program = Program::new(&module, data_section_options(&options));
    let Ok(session) = Session::new(&program, options) else { return counts.other += 1 };
    let reference = session.run_program();
    if matches!(reference.trap, Some(Trap::StepLimit | Trap::StackOverflow)) || reference.stderr.ends_with(b"full.\n") {
        return counts.endless += 1;
    }
    let level = [Level::O0, Level::O1, Level::O2][(number % 3) as usize];
    let Some(found) = checked(module.clone(), level) else { return counts.other += 1 };
    let words = |outcome: &Outcome| String::from_utf8_lossy(&outcome.stderr).into_owned();
    if let Some(Trap::Wrong(mistake)) = &reference.trap {
        counts.wrong += 1;
        assert!(mistake.place.is_some(), "an error without its place: {}", mistake.message);
        let said = words(&found);
        assert!(
            found.status == 255 && said.contains("Run Time Error: ") && said.contains(" in @"),
            "`{}` is not found under --checked: {:?}, {said}",
            mistake.message,
            found.trap
        );
        return;
    }
    counts.same += 1;
    assert_eq!(
        (String::from_utf8_lossy(&reference.stdout), reference.status, words(&reference)),
        (String::from_utf8_lossy(&found.stdout), found.status, words(&found)),
        "{:?}, then {:?}",
        reference.trap,
        found.trap
    );
}

#[test]
fn checked_mutants() {
    const USUAL: u64 = 2_000;
    let (seed, first) = (variable("IR_SEED").unwrap_or(1), variable("IR_FIRST").unwrap_or(0));
    let count = variable("IR_MUTANTS").unwrap_or(USUAL);
    let seeds = Seeds::programs();
    let (mut counts, mut findings) = (Counts::default(), 0);
    campaign::catch_panics();
    for number in first..first + count {
        let text = seeds.mutant(seed, number);
        if panic::catch_unwind(AssertUnwindSafe(|| attempt(&text, number, &mut counts))).is_err() {
            let (place, message) = campaign::last_panic();
            eprintln!("mutant {number} of seed {seed}: {place}\n{message}\n{text}");
            findings += 1;
        }
    }
    eprintln!("{counts:?}, {findings} findings");
    assert!(findings == 0);
    assert!(count < USUAL || counts.wrong > count / 200 && counts.same > count / 100, "nothing is tested: {counts:?}");
}
