//! Places the roots of the collector, by one of several strategies that can be compared on the same program.
//!
//! Needs: high IR after `lower-eval`, with `may_gc` set by `gc-leaf`. Establishes: rooted IR, which `verify/gc` checks
//! without this code. All strategies keep the blocks, their order and the numbers of all values; they add `spill`,
//! `restore`, block parameters and edge arguments, and the frame depth of safepoints. A callee roots its parameters
//! itself, because objects move: its caller could not tell it where they are now.
//!
//! - `each_call`: everything that is live is spilled before and restored after each safepoint.
//! - `stackmap`: nothing is; the back end says where its machine code keeps references.
//! - `late`: placed for each value by itself, where it costs least (`place`), in slots that stay valid (`edits`).
//! - `lazy`: the same without costs: spilled before the first safepoint, restored at the first use.
//! - `chain`: frames of fixed size that are linked with each other and described by tables.
//!
//! A function may ask for a strategy of its own (`Func::roots`).

mod cfg_info;
mod each_call;
mod edits;
mod entity;
pub mod forward_returned_args;
pub mod gc_leaf;
mod late;
mod late_options;
mod long_live_ranges;
mod place;
mod ranges;
mod settings;
mod stackmap;
use crate::parallel;
use cleave_ir::Module;

pub use cleave_ir::RootStrategy;
pub use each_call::each_call;
pub use late::{chain, late, lazy};
pub use late_options::{LATE_OPTIONS, LateOption, LateOptions};
pub use settings::{Limits, Options, Statistics};
pub use stackmap::stackmap;

/// Strategies that are there on all targets; `Stackmap` is there for machine code.
pub const AVAILABLE: &[RootStrategy] =
    &[RootStrategy::EachCall, RootStrategy::Lazy, RootStrategy::Late, RootStrategy::Chain];

/// True if the program or one of its functions asks for the strategy that only machine code has.
pub fn needs_machine(module: &Module, options: Options) -> bool {
    options.strategy == RootStrategy::Stackmap
        || module.funcs.values().any(|func| func.roots == Some(RootStrategy::Stackmap))
}

/// Roots all functions of a module, by strategies that are there.
pub fn run(module: &mut Module, options: Options) -> Statistics {
    let placed = parallel::each(module, |func, cx| {
        let mut statistics = Statistics::default();
        match func.roots.unwrap_or(options.strategy) {
            RootStrategy::EachCall => each_call(func, cx, &mut statistics),
            RootStrategy::Lazy => lazy(func, cx, options.limits, &mut statistics),
            RootStrategy::Late => late(func, cx, options.steps, options.limits, &mut statistics),
            RootStrategy::Chain => chain(func, cx, &mut statistics),
            RootStrategy::Stackmap => stackmap(func, cx, &mut statistics),
        }
        statistics
    });
    let sum = |a: Statistics, b: Statistics| Statistics {
        safepoints: a.safepoints + b.safepoints,
        spills: a.spills + b.spills,
        restores: a.restores + b.restores,
        frames: a.frames + b.frames,
        slots: a.slots + b.slots,
        clears: a.clears + b.clears,
    };
    placed.into_iter().fold(Statistics::default(), sum)
}
