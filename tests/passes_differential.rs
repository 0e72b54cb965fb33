//! Passes do not change what programs do: random programs print the same and stop for the same reason in the IR
//! interpreter before and after each pass alone, and after the whole list. The verifier runs after every pass.
//!
//! `PASSES_PROGRAMS=n` sets the number of programs, `PASSES_SEED=n` the first (and by default only) one.

use cleave_interp::{Options, Outcome, Trap, run_program};
use cleave_ir::Module;
use cleave_ir::text::print_module;
use cleave_ir::verify::verify_module;
use cleave_passes::context::Context;
use cleave_passes::manager::{self, Observer};
use cleave_passes::memory;
use cleave_passes::table::{self, FULL, Group, PASSES, Pass};
use cleave_tests::differential::generate::program;
use cleave_tests::differential::oracle::STDIN;
use cleave_tests::selection::size;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::env;

/// Programs of an ordinary run, and of a thorough one.
const PROGRAMS: u64 = 150;
const MORE_PROGRAMS: u64 = 300;

fn outcome(module: &Module, max_steps: u64) -> Outcome {
    let limits = Options { heap_limit: 16 << 20, max_steps, max_registers: 1 << 20, ..Options::default() };
    run_program(module, Options { stdin: STDIN.to_vec(), ..limits })
}

/// Verifies after each pass.
struct Verify;

impl Observer for Verify {
    fn watches(&self) -> bool {
        true
    }
    fn before(&mut self, _: &[&'static Pass]) {}
    fn after(&mut self, pass: &'static Pass, module: &Module) {
        if let Err(errors) = verify_module(module) {
            panic!("after {}: {}\n{}", pass.name, errors[0], print_module(module));
        }
    }
}

/// Runs passes, verifying after each.
fn optimise(module: &Module, names: &[&str]) -> Module {
    let mut module = module.clone();
    let suitable = names.iter().copied().filter(|name| memory::of(module.heap).suits(name));
    let passes = table::list(suitable).expect("known passes");
    let lay_out = |_: &Module| panic!("optimisations need no addresses");
    manager::run(&mut module, &passes, &mut Context::new(&lay_out), &mut Verify);
    module
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[test]
fn passes_keep_behaviour() {
    let first = number("PASSES_SEED").unwrap_or(0);
    let count = number("PASSES_PROGRAMS").unwrap_or(if first == 0 { size(PROGRAMS, MORE_PROGRAMS) } else { 1 });
    // All threads: no other test of this binary would use them meanwhile.
    let ends: Vec<Option<bool>> = (first..first + count).into_par_iter().map(passes_keep).collect();
    let of = |trapped: bool| ends.iter().filter(|end| **end == Some(trapped)).count() as u64;
    let (ended, trapped) = (of(false), of(true));
    // The generator must not have become trivial.
    assert!(count < 100 || (ended > count / 2 && trapped > 0), "{ended} ended, {trapped} trapped of {count}");
}

/// One program; whether it traps, or nothing if it takes too long.
fn passes_keep(seed: u64) -> Option<bool> {
    let module = program(seed);
    if let Err(errors) = verify_module(&module) {
        panic!("program {seed}: {}\n{}", errors[0], print_module(&module));
    }
    let before = outcome(&module, 200_000);
    match before.trap {
        Some(Trap::StepLimit | Trap::StackOverflow) => return None,
        Some(Trap::Wrong(what)) => panic!("program {seed}: {what:?}\n{}", print_module(&module)),
        _ => {}
    }
    let single = PASSES.iter().filter(|pass| pass.group == Group::Optimisation).map(|pass| vec![pass.name]);
    for names in single.chain([FULL.to_vec(), [FULL, FULL].concat()]) {
        let optimised = optimise(&module, &names);
        let after = outcome(&optimised, 4_000_000);
        let same = before.trap == after.trap && before.stdout == after.stdout && before.status == after.status;
        assert!(
            same,
            "program {seed} after {names:?}: {:?} {:?}, before {:?} {:?}\n{}\nafter:\n{}",
            after.trap,
            String::from_utf8_lossy(&after.stdout),
            before.trap,
            String::from_utf8_lossy(&before.stdout),
            print_module(&module),
            print_module(&optimised),
        );
    }
    Some(before.trap.is_some())
}
