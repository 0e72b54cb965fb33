//! Programs on the reference-counted heap in all ways that references are counted: at each level, with and without
//! reuse, and at the end of scopes. The certifier agrees with each, the interpreter prints the same, and nothing is
//! left at the end.

use cleave_interp::{Options, Program, RcStats, Session, data_section_options};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::layout::RUNTIME_STACK_TOP;
use cleave_ir::verify::verify_module;
use cleave_ir::{Heap, Module};
use cleave_passes::context::Context;
use cleave_passes::rc_insertion::{RcInsertion, Reuse};
use cleave_passes::{manager, memory, table};

fn change(module: &mut Module, names: &[&'static str], rc_insertion: RcInsertion, reuse: Reuse) {
    let passes = table::list(names.iter().copied()).expect("names of the table");
    let lay_out = |module: &Module| StaticDataSection::build(module, RUNTIME_STACK_TOP, DataSectionOptions::default());
    let mut context = Context { rc_insertion, reuse, ..Context::new(&lay_out) };
    manager::run(module, &passes, &mut context, &mut ());
}

/// What a program prints, and what it counted.
pub fn interpret(module: &Module) -> Result<(Vec<u8>, RcStats), String> {
    let options = Options { heap_limit: 256 << 20, ..Options::default() };
    let program = Program::new(module, data_section_options(&options));
    let session = Session::new(&program, options).map_err(|trap| trap.to_string())?;
    let outcome = session.run_program();
    outcome.trap.map_or(Ok((outcome.stdout, outcome.counters)), |trap| Err(trap.to_string()))
}

/// A program with its references counted in all ways, with these kinds of reuse; how many cells were taken and used
/// again in all of them.
pub fn in_all_ways(module: &Module, reuse: &[Reuse], expected: &[u8]) -> Result<(u64, u64), String> {
    let (mut allocations, mut reuses) = (0, 0);
    for level in [table::NONE, table::BASIC, table::FULL] {
        let mut optimised = module.clone();
        let suits = |name: &&&'static str| memory::of(module.heap).suits(name);
        let passes: Vec<&'static str> = level.iter().filter(suits).copied().collect();
        change(&mut optimised, &passes, RcInsertion::Precise, Reuse::None);
        let precise = reuse.iter().map(|&reuse| (RcInsertion::Precise, reuse));
        for (rc_insertion, reuse) in precise.chain([(RcInsertion::Scoped, Reuse::None)]) {
            let way =
                format!("{} passes, --rc-insertion={} --reuse={}", level.len(), rc_insertion.word(), reuse.word());
            let mut rooted = optimised.clone();
            change(&mut rooted, memory::of(Heap::Rc).rooting(), rc_insertion, reuse);
            verify_module(&rooted).map_err(|errors| format!("{way}: {}", errors[0]))?;
            let (found, rc_stats) = interpret(&rooted).map_err(|error| format!("{way}: {error}"))?;
            if found != expected {
                return Err(format!("{way}: {}", String::from_utf8_lossy(&found)));
            }
            if rc_stats.alive() != 0 {
                return Err(format!("{way}: {} objects are alive at the end", rc_stats.alive()));
            }
            allocations += rc_stats.allocations;
            reuses += rc_stats.reuses;
        }
    }
    Ok((allocations, reuses))
}
