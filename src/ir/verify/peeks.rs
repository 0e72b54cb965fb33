//! The reference-counted heap: what is read from a field that the program overwrites somewhere, without being counted,
//! is kept alive by that field alone. So it is gone when anything may have been written since.

use crate::entity::Value;
use crate::func::Func;
use crate::module::Module;
use crate::opcode::{Flags, Opcode};
use crate::written_fields::WrittenFields;
use cranelift_entity::EntitySet;

/// True if a rooted function uses such a value in another block, or after a write.
pub fn is_stale(module: &Module, func: &Func, written: &WrittenFields) -> bool {
    let read = read(func, written);
    func.layout.iter().any(|&block| {
        // What may have been overwritten since it was read here, or was read elsewhere.
        let mut fresh: EntitySet<Value> = EntitySet::new();
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let args = func.args(inst);
            let is_call = data.op.any(Flags::CALL) && data.op != Opcode::CallRt;
            // What is passed on may be looked at after a write.
            if args.iter().any(|&arg| read.contains(arg) && (is_call || !fresh.contains(arg))) {
                return true;
            }
            if data.op == Opcode::GetRef && read.contains(func.result(inst)) {
                fresh.insert(func.result(inst));
            }
            let is_outside = data.op == Opcode::CallRt && module.externs[data.external().0].from.is_some();
            if is_call || is_outside || data.op == Opcode::ExchangeRef {
                fresh = EntitySet::new();
            }
        }
        func.blocks[block].edges.iter().any(|edge| func.edge_args(edge).iter().any(|&arg| read.contains(arg)))
    })
}

/// What is read from such fields, and what is read from that.
fn read(func: &Func, written: &WrittenFields) -> EntitySet<Value> {
    let mut read: EntitySet<Value> = EntitySet::new();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            let data = &func.insts[inst];
            if data.op == Opcode::GetRef && (written.may_change(data) || read.contains(func.args(inst)[0])) {
                changed |= read.insert(func.result(inst));
            }
        }
    }
    read
}
