//! Which instructions may collect.

use cleave_ir::{CallTarget, Flags, Func, FuncId, Inst};

/// True if a collection may happen during an instruction.
pub fn is_safepoint(may_gc: impl Fn(FuncId) -> bool, func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    data.op.any(Flags::SAFEPOINT)
        && match data.call_target() {
            Some(CallTarget::Func(callee)) => may_gc(callee),
            Some(CallTarget::Extern(_, effects)) => effects.may_gc(),
            Some(CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Closure) => true,
            Some(CallTarget::Thunk | CallTarget::Entry) | None => true,
        }
}
