//! What functions of the runtime take for granted of their operands, beside their types and the kinds of objects
//! (`libcalls::operand_kinds`); and which functions give values to those who rely on them. The interpreter asks it at
//! each call, `--checked` puts the questions before the calls.

use crate::entity::{FuncId, Table};
use crate::libcalls::*;
use crate::module::Module;
use crate::opcode::Opcode;
use cleave_abi::LibcallSignature;
use cranelift_entity::EntityRef;

fn is_among(name: &str, rows: &[LibcallSignature]) -> bool {
    rows.iter().any(|row| row.name == name)
}

/// Functions that only passes call, after checks of what they take for granted: memory of cells, stacks, write
/// barriers.
pub fn is_for_passes(name: &str) -> bool {
    is_among(name, &[REMEMBER, REMEMBER_SLOT, ALLOC_OBJECT, RELEASE_LAST, COUNT_CELLS])
        || is_among(name, &[STACK_LIMIT, CAPTURE_BEGIN, CAPTURE_END, CAPTURE_NEXT])
}

/// The operand that must be the address of a text block.
pub fn text_operand(name: &str) -> Option<usize> {
    is_among(name, &[PRINT_TEXT, UNAVAILABLE, UNCAUGHT, UNHANDLED]).then_some(0)
}

/// The operand that must be a closure which lacks an argument.
pub fn closure_operand(name: &str) -> Option<usize> {
    is_among(name, &[ADD_ARGUMENT]).then_some(0)
}

/// A string, an index, and another string, which must lie within the first one from that index on.
pub fn overwrites_string(name: &str) -> bool {
    is_among(name, &[PUT_STRING, RC_PUT_STRING])
}

/// By function: its callers rely on an evaluated result. It is the code of thunks or closures, or is called last by
/// such a function.
pub fn evaluating(module: &Module) -> Vec<bool> {
    let mut found = vec![false; module.funcs.len()];
    let rows = module.descs.values().flat_map(|desc| desc.apply.iter().copied().flatten());
    let infos = module.thunk_infos.values().flat_map(|info| [Some(info.code), info.update].into_iter().flatten());
    let mut open: Vec<FuncId> = rows.chain(infos).collect();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut found[id.index()], true) {
            continue;
        }
        let func = &module.funcs[id];
        for &inst in func.layout.iter().filter_map(|&block| func.blocks[block].insts.last()) {
            let data = &func.insts[inst];
            match data.op {
                Opcode::TailCall => open.push(FuncId::from_u32(data.imm as u32)),
                Opcode::TailCallTable => open.extend(&module.tables[Table::from_u32(data.imm as u32)].funcs),
                Opcode::TailCallMethod => {
                    let table = Table::from_u32(data.imm as u32);
                    let methods = module.descs.values().filter_map(|desc| desc.method);
                    open.extend(methods.filter(|method| method.0 == table).map(|method| method.1));
                }
                _ => {}
            }
        }
    }
    found
}
