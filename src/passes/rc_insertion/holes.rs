//! Which parameters of functions are holes (`open_hole`): they are filled there, or passed on to where they are.
//!
//! Holes are numbers to everybody but the certifier, who wants to know where each is filled.

use cleave_ir::{EntityRef, Func, FuncId, Module, Opcode, SecondaryMap, Value};
use smallvec::SmallVec;

type Numbers = SmallVec<[u32; 2]>;

/// The parameters of each function that are holes, by number.
pub fn params(module: &Module) -> Vec<Numbers> {
    let mut found = vec![Numbers::new(); module.funcs.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (id, func) in module.funcs.iter().filter(|(_, func)| func.entry.is_some()) {
            if !is_concerned(func, &found) {
                continue;
            }
            let holes = in_function(func, &found);
            let params = func.params(func.entry_block()).iter().enumerate();
            let numbers: Numbers = params.filter(|&(_, &param)| holes[param]).map(|(i, _)| i as u32).collect();
            if numbers != found[id.index()] {
                (found[id.index()], changed) = (numbers, true);
            }
        }
    }
    found
}

/// Does the function fill a hole, or call one that is known to?
fn is_concerned(func: &Func, others: &[Numbers]) -> bool {
    let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.any(|&inst| match func.insts[inst].op {
        Opcode::MoveHole | Opcode::FillHole => true,
        Opcode::Call | Opcode::TailCall => !others[func.insts[inst].imm as usize].is_empty(),
        _ => false,
    })
}

/// The holes of one function, as far as those of others are known.
fn in_function(func: &Func, others: &[Numbers]) -> SecondaryMap<Value, bool> {
    let mut holes = SecondaryMap::new();
    for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
        let (op, args) = (func.insts[inst].op, func.args(inst));
        match op {
            Opcode::MoveHole | Opcode::FillHole => holes[args[0]] = true,
            Opcode::Call | Opcode::TailCall => {
                let callee = FuncId::from_u32(func.insts[inst].imm as u32);
                others[callee.index()].iter().for_each(|&number| holes[args[number as usize]] = true);
            }
            _ => {}
        }
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for edge in func.layout.iter().flat_map(|&block| &func.blocks[block].edges) {
            for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                if holes[param] && !holes[arg] {
                    (holes[arg], changed) = (true, true);
                }
            }
        }
    }
    holes
}
