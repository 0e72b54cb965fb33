//! Which faults of the processor the entries of a library may have: running out of stack, and division.
//!
//! A call that may have none is made as it is; for others the runtime takes signals from the host, and gives them back
//! afterwards, which takes longer than most functions do.

use cleave_ir::{CallTarget, Flags, FuncId, Module, Opcode};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bits, as the runtime has them (`rt/sys/native/faults.rs`).
const STACK: u8 = 1;
const DIVISION: u8 = 2;
const ALL: u8 = STACK | DIVISION;

/// Functions and instructions whose frames are far less than the smallest stack.
const FEW: usize = 64;
const SHORT: usize = 1 << 12;

/// For each entry.
pub fn entries(module: &Module) -> Vec<u8> {
    // Thunks call what nobody can see here.
    let is_lazy = !module.thunk_infos.is_empty();
    module.entries.iter().map(|entry| if is_lazy { ALL } else { of(module, entry.func) }).collect()
}

fn of(module: &Module, entry: FuncId) -> u8 {
    let (mut faults, mut insts) = (0, 0);
    let mut called: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    let mut work = vec![entry];
    while let Some(id) = work.pop() {
        if called.contains_key(&id) {
            continue;
        }
        let func = &module.funcs[id];
        let mut calls = Vec::new();
        for inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            insts += 1;
            let data = &func.insts[*inst];
            match data.call_target() {
                Some(CallTarget::Func(callee)) => calls.push(callee),
                Some(CallTarget::Table(table)) => calls.extend(&module.tables[table].funcs),
                Some(CallTarget::Entry | CallTarget::Thunk | CallTarget::Closure | CallTarget::Method(_)) => {
                    faults |= STACK;
                }
                // Of low IR nothing but divisions.
                Some(CallTarget::Extern(..)) | None if data.op.any(Flags::TRAPS) => faults |= DIVISION,
                Some(CallTarget::Extern(..)) | None => {}
            }
        }
        // To itself alone it jumps.
        let loops = |callee: &FuncId| *callee == id && !calls_itself(module, id);
        calls.retain(|callee| !loops(callee));
        work.extend(&calls);
        called.insert(id, calls);
    }
    if called.len() > FEW || insts > SHORT || is_cyclic(&called, entry) {
        faults |= STACK;
    }
    faults
}

/// By a call from which it comes back.
fn calls_itself(module: &Module, id: FuncId) -> bool {
    let func = &module.funcs[id];
    let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst]);
    insts.any(|data| data.op == Opcode::Call && data.imm as u32 == id.as_u32())
}

/// True if a function can be reached from itself.
fn is_cyclic(called: &FxHashMap<FuncId, Vec<FuncId>>, entry: FuncId) -> bool {
    let (mut open, mut done) = (FxHashSet::default(), FxHashSet::default());
    let mut work = vec![(entry, false)];
    while let Some((id, is_left)) = work.pop() {
        if is_left {
            open.remove(&id);
            done.insert(id);
            continue;
        }
        if open.contains(&id) {
            return true;
        }
        if done.contains(&id) {
            continue;
        }
        open.insert(id);
        work.push((id, true));
        work.extend(called[&id].iter().map(|&callee| (callee, false)));
    }
    false
}
