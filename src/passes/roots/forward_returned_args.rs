//! Forwards returned arguments: after a call of a function that returns its k-th parameter, the result takes the place
//! of the argument.
//!
//! Both are the same object, but the argument would have to survive the call in a slot, while the result is handed
//! back. A function returns a parameter if all its returns do, and all its tail calls pass it on to functions that
//! return it (greatest fixpoint; functions without a return of their own do not count). Runs before `lower-eval`;
//! renames along the dominator tree.

use crate::analysis::domwalk::{DomWalk, Step};
use cleave_ir::{CallTarget, Func, FuncId, Module, Opcode, SecondaryMap, Type, Value};
use smallvec::SmallVec;

/// For each result the number of the parameter that it is.
type Returned = SmallVec<[Option<u32>; 2]>;

/// Runs on all functions; returns the number of calls whose result took the place of an argument that was used again.
pub fn run(module: &mut Module) -> u64 {
    let returned = find_returned(module);
    if returned.values().all(|list| list.iter().all(Option::is_none)) {
        return 0;
    }
    module.funcs.values_mut().map(|func| rename(func, &returned)).sum()
}

/// Starts with what the first exit of each function says, and takes back what another one contradicts.
fn find_returned(module: &Module) -> SecondaryMap<FuncId, Returned> {
    let mut returned: SecondaryMap<FuncId, Returned> = SecondaryMap::new();
    for (id, func) in module.funcs.iter() {
        // A parameter can be named only by a return, the others have to agree.
        let exits = func.layout.iter().filter_map(|&block| func.terminator(block));
        let first = { exits }.find(|&exit| func.insts[exit].op == Opcode::Return);
        let params = func.params(func.entry_block());
        let number = |value: &Value| params.iter().position(|param| param == value).map(|n| n as u32);
        let is_ref = |value: &Value| func.values[*value] == Type::Ref;
        returned[id] = first.map_or(Returned::new(), |exit| {
            func.args(exit).iter().map(|value| number(value).filter(|_| is_ref(value))).collect()
        });
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (id, func) in module.funcs.iter() {
            let params = func.params(func.entry_block());
            for j in 0..returned[id].len() {
                let Some(k) = returned[id][j] else { continue };
                let agrees = func.layout.iter().filter_map(|&block| func.terminator(block)).all(|exit| {
                    let args = func.args(exit);
                    if func.insts[exit].op == Opcode::Return {
                        return args[j] == params[k as usize];
                    }
                    match func.insts[exit].call_target() {
                        Some(CallTarget::Func(callee)) => {
                            let passed = returned[callee].get(j).copied().flatten();
                            passed.is_some_and(|n| args[n as usize] == params[k as usize])
                        }
                        Some(CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Closure) => false,
                        Some(CallTarget::Thunk | CallTarget::Entry | CallTarget::Extern(..)) => false,
                        // The function does not end here.
                        None => true,
                    }
                });
                if !agrees {
                    returned[id][j] = None;
                    changed = true;
                }
            }
        }
    }
    returned
}

/// Renames uses that a call dominates.
fn rename(func: &mut Func, returned: &SecondaryMap<FuncId, Returned>) -> u64 {
    let concerns = |func: &Func, inst| {
        let data: &cleave_ir::InstData = &func.insts[inst];
        data.op == Opcode::Call && returned[FuncId::from_u32(data.imm as u32)].iter().any(Option::is_some)
    };
    if !func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(|&inst| concerns(func, inst))) {
        return 0;
    }
    let mut walk = DomWalk::new(func);
    let mut name: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
    let mut undo: Vec<(Value, usize)> = Vec::new();
    let mut used: SecondaryMap<Value, bool> = SecondaryMap::new();
    let mut depth = 0;
    while let Some(step) = walk.step() {
        let block = match step {
            Step::Enter(block) => block,
            Step::Leave(_) => {
                depth -= 1;
                while undo.last().is_some_and(|&(_, at)| at > depth) {
                    name[undo.pop().expect("there is one").0] = None;
                }
                continue;
            }
        };
        depth += 1;
        let mut replace = |list: &mut [Value], name: &SecondaryMap<Value, Option<Value>>| {
            for value in list {
                while let Some(newer) = name[*value] {
                    *value = newer;
                    used[newer] = true;
                }
            }
        };
        for at in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[at];
            let Func { insts, pool, .. } = &mut *func;
            replace(insts[inst].args.as_mut_slice(pool), &name);
            if !concerns(func, inst) {
                continue;
            }
            let list = &returned[FuncId::from_u32(func.insts[inst].imm as u32)];
            for (j, k) in list.iter().enumerate() {
                let Some(k) = *k else { continue };
                let (argument, result) = (func.args(inst)[k as usize], func.results(inst)[j]);
                // The first of several results that are the same argument.
                if name[argument].is_none() {
                    name[argument] = Some(result);
                    undo.push((argument, depth));
                }
            }
        }
        let Func { blocks, pool, .. } = &mut *func;
        for edge in &mut blocks[block].edges {
            replace(edge.args.as_mut_slice(pool), &name);
        }
    }
    used.values().filter(|&&used| used).count() as u64
}
