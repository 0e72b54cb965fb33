//! Functions that return no reference say by one more result that they have been done: 1, or 0 if they were captured.
//! Engines keep it in a register, where the limit would be loaded after each call. References are 0 for that, and need
//! no such result.
//!
//! A function and what it calls last have the same results. So functions that do so get it together, or not at all: not
//! those that something else than a direct call may reach, nor those with so many results that they are in memory.

use super::graph::{Callee, Graph, callee};
use cleave_ir::{EntityRef, Func, FuncId, Inst, Module, Opcode, SecondaryMap, Type, Value, ValueList};

/// Adds the result to all functions that can have it. Tells which.
pub fn add(module: &mut Module, graph: &Graph) -> SecondaryMap<FuncId, bool> {
    let has_flag = find(module, graph);
    let module_funcs: Vec<FuncId> = module.funcs.keys().collect();
    for id in module_funcs {
        let func = &mut module.funcs[id];
        let is_direct = |func: &Func, inst: Inst| func.insts[inst].called_func().is_some_and(|callee| has_flag[callee]);
        for block in func.layout.clone() {
            for inst in func.blocks[block].insts.clone() {
                let (op, is_direct_call) = (func.insts[inst].op, is_direct(func, inst));
                if op == Opcode::Call && is_direct_call {
                    add_result(func, inst, Type::I32);
                }
                // Of two functions that can be captured both have a flag or none. So one of these cannot be.
                if op.without_tail().is_some() && is_direct_call != has_flag[id] {
                    make_plain(func, block, inst, is_direct);
                }
            }
            let last = *func.blocks[block].insts.last().expect("a block has a terminator");
            if has_flag[id] && func.insts[last].op == Opcode::Return {
                func.blocks[block].insts.pop();
                let done = func.append(block, Opcode::Iconst32, 1, 0, &[], &[Type::I32]);
                let mut args = func.args(last).to_vec();
                args.push(func.result(done));
                func.set_args(last, &args);
                func.blocks[block].insts.push(last);
            }
        }
        if has_flag[id] {
            func.signature.results = func.signature.results.iter().copied().chain([Type::I32]).collect();
        }
    }
    has_flag
}

fn add_result(func: &mut Func, call: Inst, ty: Type) {
    let mut results: Vec<Value> = func.results(call).to_vec();
    results.push(func.new_value(ty));
    func.insts[call].results = ValueList::from_slice(&results, &mut func.pool);
}

/// Makes a call that is the last thing a function does an ordinary one, and returns what it gives but for the flag.
fn make_plain(func: &mut Func, block: cleave_ir::Block, call: Inst, is_direct: impl Fn(&Func, Inst) -> bool) {
    let has_flag = func.insts[call].op == Opcode::TailCall && is_direct(func, call);
    func.insts[call].op = func.insts[call].op.without_tail().expect("a tail call");
    let types: Vec<Type> = func.signature.results.to_vec();
    let results: Vec<Value> = types.iter().map(|&ty| func.new_value(ty)).collect();
    func.insts[call].results = ValueList::from_slice(&results, &mut func.pool);
    if has_flag {
        add_result(func, call, Type::I32);
    }
    func.append(block, Opcode::Return, 0, 0, &results, &[]);
}

fn find(module: &Module, graph: &Graph) -> SecondaryMap<FuncId, bool> {
    let mut can: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let is_deep = |func: FuncId| graph.is_deep(Callee::Func(func));
    for (id, func) in &module.funcs {
        let results = &func.signature.results;
        can[id] = is_deep(id) && results.len() <= 1 && !results.contains(&Type::Ref);
    }
    module.dispatched_funcs().chain(module.start).for_each(|func| can[func] = false);
    // Functions that must agree, as a union of sets.
    let mut set: Vec<u32> = (0..module.funcs.len() as u32).collect();
    for (id, func) in &module.funcs {
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            match callee(&func.insts[inst]) {
                Some((Callee::Func(other), false)) if is_deep(id) && is_deep(other) => {
                    let (a, b) = (root(&mut set, id.index() as u32), root(&mut set, other.index() as u32));
                    set[a as usize] = b;
                }
                Some((callee, false)) if is_deep(id) && graph.is_deep(callee) => can[id] = false,
                _ => {}
            }
        }
    }
    let mut all_can = vec![true; set.len()];
    for id in module.funcs.keys() {
        all_can[root(&mut set, id.index() as u32) as usize] &= can[id];
    }
    for id in module.funcs.keys() {
        can[id] = all_can[root(&mut set, id.index() as u32) as usize];
    }
    can
}

fn root(set: &mut [u32], mut at: u32) -> u32 {
    while set[at as usize] != at {
        set[at as usize] = set[set[at as usize] as usize];
        at = set[at as usize];
    }
    at
}
