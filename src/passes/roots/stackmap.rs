//! Strategy `stackmap`: references stay values during calls, in registers and frames of the machine.
//!
//! Nothing is spilled or restored, and safepoints have no frame on the shadow stack: the back end knows where its
//! machine code keeps what is alive, and tells the collector. Only machine code can; the function says so
//! (`Func::roots`), for the checker, which then asks of references only that no number computed from an address is
//! alive during a call, and for the back end.

use super::settings::Statistics;
use crate::analysis::safepoints::is_safepoint;
use crate::context::ModuleContext;
use cleave_ir::cfg::Cfg;
use cleave_ir::{Func, Phase, RootStrategy};

/// Roots one function.
pub fn stackmap(func: &mut Func, cx: &ModuleContext, statistics: &mut Statistics) {
    func.phase = Phase::Rooted;
    func.roots = Some(RootStrategy::Stackmap);
    let cfg = Cfg::compute(func);
    func.layout.retain(|&block| cfg.is_reachable(block));
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let safepoints = insts.filter(|&&inst| is_safepoint(|id| cx.may_gc(id), func, inst));
    statistics.safepoints += safepoints.count() as u64;
}
