//! What a frame needs: values that are made again rather than kept, and how far below the shadow-stack pointer of a
//! function that of what it calls is.

use cleave_ir::{Func, Inst, Opcode, SecondaryMap, Value};

/// Which operand of a call is the shadow-stack pointer.
pub fn pointer_place(func: &Func, call: Inst) -> usize {
    matches!(func.insts[call].op, Opcode::CallTable | Opcode::TailCallTable) as usize
}

/// What costs less to make again than to keep: constants, the shadow-stack pointer, and addresses relative to it.
pub fn cheap(func: &Func) -> SecondaryMap<Value, Option<Inst>> {
    let mut again: SecondaryMap<Value, Option<Inst>> = SecondaryMap::new();
    again.resize(func.values.len());
    let insts = || func.layout.iter().flat_map(|&block| &func.blocks[block].insts).copied();
    for inst in insts() {
        if func.insts[inst].op.is_constant() || func.insts[inst].op == Opcode::ShadowPointer {
            again[func.result(inst)] = Some(inst);
        }
    }
    for inst in insts() {
        if matches!(func.insts[inst].op, Opcode::Iadd | Opcode::Isub)
            && func.args(inst).iter().all(|&arg| again[arg].is_some())
        {
            again[func.result(inst)] = Some(inst);
        }
    }
    again
}

/// The distance from the shadow-stack pointer of a function down to what it passes on, if that is a constant.
pub fn depth(func: &Func, again: &SecondaryMap<Value, Option<Inst>>, pointer: Value) -> Option<u32> {
    let def = again[pointer]?;
    let is_pointer = |value: Value| again[value].is_some_and(|def| func.insts[def].op == Opcode::ShadowPointer);
    if func.insts[def].op == Opcode::ShadowPointer {
        return Some(0);
    }
    let bytes =
        func.args(def).get(1).filter(|_| func.insts[def].op == Opcode::Isub && is_pointer(func.args(def)[0]))?;
    let constant = &func.insts[again[*bytes]?];
    (constant.op == Opcode::Iconst32).then_some(constant.imm as u32)
}
