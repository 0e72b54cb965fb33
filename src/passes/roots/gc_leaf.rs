//! GC leaf analysis: finds the functions that may collect, by propagation from callees to callers, until nothing
//! changes (`docs/roots.md#functions-that-never-collect`).
//!
//! On the reference-counted heap nothing collects, and allocating needs no pointer: there only tables ask for one,
//! since functions of both heaps are called through tables in one way.
//!
//! A function collects if it allocates, evaluates, calls a libcall that collects, calls through a table, or calls a
//! function that does. Node entries, functions in tables and the start function always take a shadow-stack pointer,
//! since they are called by code that does not know them. Sets `Func::may_gc` and `Func::takes_stack_pointer`.

use crate::context::ModuleContext;
use crate::lower::lower_eval::heap_bytes;
use cleave_ir::{CallTarget, Flags, Func, FuncId, Inst, Module, PrimaryMap, SecondaryMap};

/// Sets `collects` on every function.
pub fn run(module: &mut Module) {
    let mut collects: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut callers: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
    let mut worklist = Vec::new();
    let mut taint = |func: FuncId, worklist: &mut Vec<FuncId>| {
        if !std::mem::replace(&mut collects[func], true) {
            worklist.push(func);
        }
    };
    for entry in module.thunk_infos.values() {
        taint(entry.code, &mut worklist);
    }
    for &func in module.tables.values().flat_map(|table| &table.funcs) {
        taint(func, &mut worklist);
    }
    let heap = module.heap;
    let allocating_collects = heap.collects();
    if let Some(start) = module.start.filter(|_| allocating_collects) {
        taint(start, &mut worklist);
    }
    let cx = ModuleContext::of(module);
    for (id, func) in module.funcs.iter() {
        if scan(&cx, func, allocating_collects, |callee| callers[callee].push(id)) {
            taint(id, &mut worklist);
        }
    }
    while let Some(func) = worklist.pop() {
        for caller in std::mem::take(&mut callers[func]) {
            taint(caller, &mut worklist);
        }
    }
    let funcs: &mut PrimaryMap<FuncId, Func> = &mut module.funcs;
    for (id, func) in funcs.iter_mut() {
        (func.may_gc, func.takes_stack_pointer) = (collects[id] && heap.collects(), collects[id]);
    }
}

/// True if the function itself may collect; reports the functions that it calls.
fn scan(cx: &ModuleContext, func: &Func, allocating_collects: bool, mut callee: impl FnMut(FuncId)) -> bool {
    let mut collects = false;
    for inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
        if let Some(called) = func.insts[*inst].called_func() {
            callee(called);
        }
        collects |= collects_by_itself(cx, func, *inst, allocating_collects);
    }
    collects
}

/// True if an instruction may collect, whatever the function does that it calls by its name.
pub fn collects_by_itself(cx: &ModuleContext, func: &Func, inst: Inst, allocating_collects: bool) -> bool {
    let data = &func.insts[inst];
    match data.call_target() {
        Some(CallTarget::Func(_)) => false,
        Some(CallTarget::Extern(_, effects)) => effects.may_gc(),
        Some(CallTarget::Table(_) | CallTarget::Method(_) | CallTarget::Closure) => true,
        Some(CallTarget::Thunk | CallTarget::Entry) => true,
        None => data.op.any(Flags::CALL) || allocating_collects && heap_bytes(cx, func, inst) > 0,
    }
}
