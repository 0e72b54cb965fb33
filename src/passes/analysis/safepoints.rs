//! Which instructions may collect.

use crate::context::ModuleContext;
use cleave_ir::{CallTarget, Flags, Func, Inst};

/// True if a collection may happen during an instruction.
pub fn is_safepoint(cx: &ModuleContext, func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    data.op.any(Flags::SAFEPOINT)
        && match data.call_target() {
            Some(CallTarget::Func(callee)) => cx.may_gc(callee),
            Some(CallTarget::Extern(_, effects)) => effects.may_gc(),
            Some(CallTarget::Table(table)) => cx.table_may_gc(table),
            Some(CallTarget::Method(_) | CallTarget::Closure) => true,
            Some(CallTarget::Thunk | CallTarget::Entry) | None => true,
        }
}
