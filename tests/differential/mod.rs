//! Differential testing: random programs (`generate`) must do the same in every phase and in every engine (`oracle`),
//! at every level, for every strategy, without each pass and with either collector (`ways`). `link` puts many programs
//! into one module, so that engines compile the runtime once. `counted` does it with programs on the reference-counted
//! heap, `census` counts what of the IR the programs have. The test `differential` runs some programs each time, and as
//! many as one wants as a campaign.

pub mod census;
pub mod counted;
pub mod generate;
pub mod link;
pub mod oracle;
pub mod ways;

use cleave_ir::Heap;
use cleave_ir::verify::verify_module;

/// Checks the program of a number in the interpreter, compiled in one way: what a fuzzer calls.
pub fn check(seed: u64) -> Result<(), String> {
    let module = generate::program(seed);
    verify_module(&module).map_err(|errors| errors[0].to_string())?;
    let coverage = &mut oracle::Coverage::default();
    let found = match module.heap {
        Heap::Gc => {
            let turns = ways::Turn::of_program(&ways::all(), seed, 1);
            oracle::check(&module, &turns, oracle::STEPS, coverage).map(drop)
        }
        Heap::Rc => {
            let ways = counted::of_program(&counted::all(), seed, 1);
            counted::check(&module, &ways, oracle::STEPS, coverage).map(drop)
        }
    };
    found.map_err(|disagreement| disagreement.to_string())
}

/// Each family has programs that a fuzzer can check.
#[test]
fn programs_of_all_families_are_checked() {
    for seed in 0..8 {
        assert_eq!(check(seed), Ok(()), "program {seed}");
    }
}
