//! Where frames of strategy `chain` are linked: on the paths to safepoints (shrink-wrapping).
//!
//! A link stays until the function returns, since what it calls gets lower addresses, and nothing undoes it: the next
//! frame of the caller begins where this one did. So it is made once before the first safepoint of a path, as spills
//! are: in a dominator, where that is executed less often than all the blocks with safepoints below it together.

use super::cfg_info::Flow;
use super::entity::RpoIndex;
use crate::context::ModuleContext;
use cleave_ir::{Func, PrimaryMap};

/// Blocks, and the instruction before which the frame is linked.
pub fn places(func: &Func, cx: &ModuleContext) -> Vec<(RpoIndex, u32)> {
    // Other than for values, of which this strategy knows no costs, slow paths are known to be rare.
    let Some(flow) = Flow::compute(func, cx, true) else { return Vec::new() };
    let mut wanted: PrimaryMap<RpoIndex, bool> = flow.safepoints.values().map(|list| !list.is_empty()).collect();
    let mut below: PrimaryMap<RpoIndex, f32> = flow.ranks().map(|_| 0.0).collect();
    for block in flow.ranks().rev() {
        let own = flow.frequency[block];
        wanted[block] |= below[block] > 0.0 && own <= below[block];
        let cost = if wanted[block] { own } else { below[block] };
        if let Some(dominator) = flow.idom[block].expand() {
            below[dominator] += cost;
        }
    }
    let mut places = Vec::new();
    let mut linked: PrimaryMap<RpoIndex, bool> = PrimaryMap::new();
    for block in flow.ranks() {
        let before = flow.idom[block].expand().is_some_and(|dominator| linked[dominator]);
        if wanted[block] && !before {
            let terminator = func.blocks[flow.block(block)].insts.len() as u32 - 1;
            places.push((block, flow.safepoints[block].first().copied().unwrap_or(terminator)));
        }
        linked.push(before || wanted[block]);
    }
    places
}
