//! Strategies `lazy`, `late` and `chain`: spills and restores are placed for each value by itself, then slots are
//! assigned.
//!
//! Only values that cross a safepoint are looked at closely; the work is the size of their ranges. `lazy` is the same
//! machinery without knowledge of costs: values are spilled in the block of the first safepoint and restored at the
//! first use. Frames cost nothing by themselves: a safepoint passes the shadow-stack pointer less its slots, so paths
//! without safepoints build no frame, and at a tail call it is gone. `chain` places as `lazy` does, but all safepoints
//! of a function have the same frame, with a link to the caller's and a description; `lower` makes these at the entry.

use super::cfg_info::Flow;
use super::late_options::{LateOption, LateOptions};
use super::long_live_ranges;
use super::place::Placer;
use super::ranges::Values;
use super::settings::{Limits, Statistics};
use crate::context::ModuleContext;
use cleave_ir::{EntityRef, EntitySet, Func, FuncId, Phase, RootStrategy, Value};

/// Steps that only `late` takes.
const BY_COST: [LateOption; 3] = [LateOption::Hoist, LateOption::Sink, LateOption::Order];

/// Roots one function by strategy `lazy`.
pub fn lazy(func: &mut Func, cx: &ModuleContext, limits: Limits, statistics: &mut Statistics) {
    let steps = BY_COST.into_iter().fold(LateOptions::default(), LateOptions::without);
    place(func, cx, steps, Frames::Exact(limits), statistics);
}

/// Roots one function by strategy `chain`.
pub fn chain(func: &mut Func, cx: &ModuleContext, statistics: &mut Statistics) {
    func.roots = Some(RootStrategy::Chain);
    let steps = BY_COST.into_iter().fold(LateOptions::default(), LateOptions::without);
    place(func, cx, steps, Frames::Fixed, statistics);
}

/// Roots one function by strategy `late`, with the steps that are not left out.
pub fn late(func: &mut Func, cx: &ModuleContext, steps: LateOptions, limits: Limits, statistics: &mut Statistics) {
    place(func, cx, steps, Frames::Exact(limits), statistics);
}

/// The frames of the safepoints of a function.
enum Frames {
    /// As large as each needs; values that reach far are placed by a simpler rule.
    Exact(Limits),
    /// All of the same size.
    Fixed,
}

fn place(func: &mut Func, cx: &ModuleContext, steps: LateOptions, frames: Frames, statistics: &mut Statistics) {
    func.phase = Phase::Rooted;
    let may_gc = |id: FuncId| cx.may_gc(id);
    let Some(flow) = Flow::compute(func, may_gc, steps.has(LateOption::Sink)) else { return };
    func.layout.retain(|&block| flow.cfg.is_reachable(block));
    statistics.safepoints += flow.safepoints.values().map(|list| list.len() as u64).sum::<u64>();
    let values = Values::collect(func, &flow, !steps.has(LateOption::Static));
    let count = func.values.len();
    let mut placer = Placer::new(func, &flow, &values, steps);
    let far = match frames {
        Frames::Exact(limits) => long_live_ranges::find(&values, &mut placer.ranges, &flow, count, limits),
        Frames::Fixed => Vec::new(),
    };
    let mut is_far: EntitySet<Value> = EntitySet::new();
    if !far.is_empty() {
        long_live_ranges::place(placer.func, &flow, &values, &far, &mut placer.edits);
        far.iter().for_each(|&value| _ = is_far.insert(value));
    }
    for value in (0..count).map(Value::new).filter(|&value| !is_far.contains(value)) {
        placer.place(value);
    }
    let edits = placer.edits;
    edits.apply(func, &flow, steps, matches!(frames, Frames::Fixed), statistics);
}
