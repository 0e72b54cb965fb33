//! Which instructions may collect.

use cleave_ir::{Flags, Func, FuncId, Inst, Opcode};

/// True if a collection may happen during an instruction.
pub fn is_safepoint(may_gc: impl Fn(FuncId) -> bool, func: &Func, inst: Inst) -> bool {
    let data = &func.insts[inst];
    match data.op {
        Opcode::Call => may_gc(FuncId::from_u32(data.imm as u32)),
        Opcode::CallRt => data.effects().may_gc(),
        op => op.any(Flags::SAFEPOINT),
    }
}
