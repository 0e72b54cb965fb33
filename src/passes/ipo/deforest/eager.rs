//! The code of a thunk as a function of its arguments, for where it is evaluated at once: it gets them as parameters,
//! and behind them the cell that it fills.

use super::MAX_INLINED;
use super::demand::Demands;
use crate::analysis::values::Rename;
use crate::ipo::inline::weight;
use cleave_ir::opcode::Field;
use cleave_ir::{Func, Module, Opcode, Signature, ThunkInfo, ThunkKind, Type, Value, pack};
use smallvec::SmallVec;

/// None if the code does more with the thunk than to read its arguments and to fill it, or is too large.
pub fn code_of(module: &Module, demands: &Demands, info: ThunkInfo, types: &[Type]) -> Option<Func> {
    let data = &module.thunk_infos[info];
    let source = &module.funcs[data.code];
    let old = source.entry?;
    let &[thunk] = source.params(old) else { return None };
    if data.kind != ThunkKind::Plain || weight(source) > MAX_INLINED || types.len() != (data.ptrs + data.nptrs) as usize
    {
        return None;
    }
    let mut func = source.clone();
    let entry = func.new_entry();
    let params: SmallVec<[Value; 8]> = types.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let cell = func.add_param(entry, Type::Ref);
    func.signature = Signature {
        params: types.iter().copied().chain([Type::Ref]).collect(),
        results: source.signature.results.clone(),
    };
    let mut renamed = Rename::default();
    renamed.start(&func);
    let mut is_known = true;
    for at in 0..func.layout.len() {
        let block = func.layout[at];
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        insts.retain(|&inst| match Field::of(func.insts[inst].op) {
            Some(Field::ArgRef | Field::ArgI64 | Field::ArgF64) => {
                let (read, result) = (&func.insts[inst], func.result(inst));
                let first = if read.op == Opcode::ArgRef { 0 } else { data.ptrs };
                let param = params.get((first + read.aux) as usize).copied();
                let param = param.filter(|&param| func.values[param] == func.values[result]);
                is_known &= func.args(inst)[0] == thunk && read.imm == pack(data.ptrs, data.nptrs) && param.is_some();
                param.into_iter().for_each(|param| renamed.set(result, param));
                false
            }
            Some(Field::GetRef | Field::GetI64 | Field::GetF64 | Field::SetRef | Field::SetI64 | Field::SetF64)
            | None => func.insts[inst].op != Opcode::Blackhole || func.args(inst)[0] != thunk,
        });
        func.blocks[block].insts = insts;
    }
    if !is_known || demands.is_read(&func, thunk) {
        return None;
    }
    renamed.apply(&mut func);
    func.append(entry, Opcode::Jump, 0, 0, &[], &[]);
    func.add_edge(entry, old, &[cell]);
    Some(func)
}
