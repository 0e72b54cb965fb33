//! Direct calls: which functions a function calls by name, and the components of that graph.

use super::components;
use cleave_ir::{Block, EntityRef, Func, FuncId, Module, Opcode};

/// Functions called directly in some blocks, and whether by a tail call.
pub(crate) fn calls<'a>(func: &'a Func, blocks: &'a [Block]) -> impl Iterator<Item = (FuncId, bool)> + 'a {
    blocks.iter().flat_map(|&b| &func.blocks[b].insts).filter_map(|&inst| {
        let data = &func.insts[inst];
        data.called_func().map(|callee| (callee, data.op == Opcode::TailCall))
    })
}

/// The components of the functions of a module, by direct calls: callees have no larger numbers than their callers.
pub(crate) fn components(module: &Module) -> (Vec<u32>, usize) {
    let (mut callees, mut starts) = (Vec::new(), vec![0]);
    for func in module.funcs.values() {
        callees.extend(calls(func, &func.layout).map(|(callee, _)| callee.index()));
        starts.push(callees.len());
    }
    components::components(module.funcs.len(), |from, number| {
        callees[starts[from]..starts[from + 1]].get(number).copied()
    })
}
