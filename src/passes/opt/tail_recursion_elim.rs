//! Tail recursion elimination: self tail calls become loops; the entry block turns into a loop header after a new,
//! empty entry, and each `tail_call` of the function itself into a jump to it. Parameters that the loop passes on
//! unchanged are removed by `simplify-cfg`. A self tail call is no safepoint, so nothing else changes.

use cleave_ir::{Func, FuncId, Opcode, ValueList};

/// Replaces the self tail calls of `func`, which is function `id`; true if there were any.
pub fn run(func: &mut Func, id: FuncId) -> bool {
    let header = func.entry_block();
    let is_self_call = |func: &Func, inst| {
        let data = &func.insts[inst];
        data.op == Opcode::TailCall && data.imm == id.as_u32() as u64
    };
    let mut found = false;
    for i in 0..func.layout.len() {
        let block = func.layout[i];
        let Some(inst) = func.terminator(block).filter(|&t| is_self_call(func, t)) else { continue };
        let data = &mut func.insts[inst];
        let args = std::mem::take(&mut data.args);
        (data.op, data.imm, data.aux) = (Opcode::Jump, 0, 0);
        func.blocks[block].edges.push(cleave_ir::Edge { block: header, args });
        found = true;
    }
    if found {
        let entry = func.new_entry();
        let mut params = ValueList::new();
        for i in 0..func.params(header).len() {
            let ty = func.values[func.params(header)[i]];
            let param = func.new_value(ty);
            params.push(param, &mut func.pool);
        }
        let args = params.deep_clone(&mut func.pool);
        func.blocks[entry].params = params;
        func.append(entry, Opcode::Jump, 0, 0, &[], &[]);
        func.blocks[entry].edges.push(cleave_ir::Edge { block: header, args });
    }
    found
}
