//! Strategies `lazy`, `late` and `chain`: spills and restores are placed for each value by itself, then slots are assigned.
//!
//! Only values that cross a safepoint are looked at closely; the work is the size of their ranges. `lazy` is the same
//! machinery without knowledge of costs: values are spilled in the block of the first safepoint and restored at the first
//! use. Frames cost nothing by themselves: a safepoint passes the shadow-stack pointer less its slots, so paths without
//! safepoints build no frame, and at a tail call it is gone. `chain` places as `lazy` does, but all safepoints of a
//! function have the same frame, with a link to the caller's and a description; `lower` makes these at the entry.

use super::Statistics;
use super::edits::Edits;
use super::flow::Flow;
use super::place::Placer;
use super::ranges::Values;
use super::steps::{Step, Steps};
use crate::context::Surroundings;
use cleave_ir::{EntityRef, Func, FuncId, Phase, Strategy, Value};

/// Steps that only `late` takes.
const BY_COST: [Step; 3] = [Step::Hoist, Step::Sink, Step::Order];

/// Roots one function by strategy `lazy`.
pub fn lazy(func: &mut Func, around: &Surroundings, statistics: &mut Statistics) {
    let steps = BY_COST.into_iter().fold(Steps::default(), Steps::without);
    place(func, around, steps, false, statistics);
}

/// Roots one function by strategy `chain`.
pub fn chain(func: &mut Func, around: &Surroundings, statistics: &mut Statistics) {
    func.roots = Some(Strategy::Chain);
    let steps = BY_COST.into_iter().fold(Steps::default(), Steps::without);
    place(func, around, steps, true, statistics);
}

/// Roots one function by strategy `late`, with the steps that are not left out.
pub fn late(func: &mut Func, around: &Surroundings, steps: Steps, statistics: &mut Statistics) {
    place(func, around, steps, false, statistics);
}

fn place(func: &mut Func, around: &Surroundings, steps: Steps, fixed: bool, statistics: &mut Statistics) {
    func.phase = Phase::Rooted;
    let collects = |id: FuncId| around.collects(id);
    let Some(flow) = Flow::compute(func, collects, steps.has(Step::Sink)) else { return };
    func.layout.retain(|&block| flow.cfg.is_reachable(block));
    statistics.safepoints += flow.safepoints.iter().map(|list| list.len() as u64).sum::<u64>();
    let values = Values::collect(func, &flow, !steps.has(Step::Static));
    let count = func.values.len();
    let mut placer = Placer::new(func, &flow, &values, steps);
    for n in 0..count {
        placer.place(Value::new(n));
    }
    let edits: Edits = placer.edits;
    edits.apply(func, &flow, steps, fixed, statistics);
}
