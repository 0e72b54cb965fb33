//! GC leaf analysis: finds the functions that may collect, by propagation from callees to callers, until nothing
//! changes (`docs/roots.md#functions-that-never-collect`).
//!
//! A function collects if it allocates, evaluates, calls a libcall that collects, or calls a function that does. The
//! world is closed: who calls through a table calls one of the functions that it lists. Entries of thunks and the start
//! function always do. Sets `Func::may_gc`.
//!
//! Another question is who takes a shadow-stack pointer (`Func::takes_stack_pointer`): who may collect, who is called
//! by code that does not know it, as functions in tables are, and who calls such a function. On the reference-counted
//! heap nothing collects, and allocating needs no pointer: there only tables ask for one, since functions of both heaps
//! are called through tables in one way.

use crate::context::ModuleContext;
use crate::lower::lower_eval::heap_bytes;
use cleave_ir::{CallTarget, EntitySet, Flags, Func, FuncId, Inst, Module, SecondaryMap, Table};

/// Sets `may_gc` and `takes_stack_pointer` of every function.
pub fn run(module: &mut Module) {
    let calls = Calls::of(module);
    let collects = module.heap.collects();
    let in_tables = || module.tables.values().flat_map(|table| &table.funcs);
    let mut roots: Vec<FuncId> = module.thunk_infos.values().map(|entry| entry.code).collect();
    roots.extend(module.start.filter(|_| collects));
    roots.extend(&calls.collecting);
    let may_gc = if collects { calls.callers_of(module, roots.iter().copied(), true) } else { EntitySet::new() };
    let through_tables = calls.through_tables.values().flatten();
    let takes = roots.iter().chain(in_tables()).chain(through_tables).copied();
    let takes = calls.callers_of(module, takes, false);
    for (id, func) in module.funcs.iter_mut() {
        (func.may_gc, func.takes_stack_pointer) = (may_gc.contains(id), takes.contains(id));
    }
}

/// Who calls whom, and who collects by itself.
#[derive(Default)]
struct Calls {
    callers: SecondaryMap<FuncId, Vec<FuncId>>,
    through_tables: SecondaryMap<Table, Vec<FuncId>>,
    collecting: Vec<FuncId>,
}

impl Calls {
    fn of(module: &Module) -> Calls {
        let cx = ModuleContext::of(module);
        let allocating_collects = module.heap.collects();
        let mut calls = Calls::default();
        for (id, func) in module.funcs.iter() {
            let mut collects = false;
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                match func.insts[inst].call_target() {
                    Some(CallTarget::Func(callee)) => calls.callers[callee].push(id),
                    Some(CallTarget::Table(table)) => calls.through_tables[table].push(id),
                    _ => collects |= collects_by_itself(&cx, func, inst, allocating_collects),
                }
            }
            if collects {
                calls.collecting.push(id);
            }
        }
        calls
    }

    /// These functions and all that call them, if that is asked for also through tables.
    fn callers_of(
        &self,
        module: &Module,
        funcs: impl Iterator<Item = FuncId>,
        through_tables: bool,
    ) -> EntitySet<FuncId> {
        let mut tables_of: SecondaryMap<FuncId, Vec<Table>> = SecondaryMap::new();
        for (table, data) in module.tables.iter().filter(|_| through_tables) {
            data.funcs.iter().for_each(|&func| tables_of[func].push(table));
        }
        let mut found = EntitySet::with_capacity(module.funcs.len());
        let mut seen_tables: EntitySet<Table> = EntitySet::new();
        let mut worklist: Vec<FuncId> = funcs.filter(|&func| found.insert(func)).collect();
        while let Some(func) = worklist.pop() {
            let tables = tables_of[func].iter().filter(|&&table| seen_tables.insert(table));
            let callers = self.callers[func].iter().chain(tables.flat_map(|&table| &self.through_tables[table]));
            worklist.extend(callers.copied().filter(|&caller| found.insert(caller)));
        }
        found
    }
}

/// True if an instruction may collect, whatever the function does that it calls by its name or through a table.
pub fn collects_by_itself(cx: &ModuleContext, func: &Func, inst: Inst, allocating_collects: bool) -> bool {
    let data = &func.insts[inst];
    match data.call_target() {
        Some(CallTarget::Func(_) | CallTarget::Table(_)) => false,
        Some(CallTarget::Extern(_, effects)) => effects.may_gc(),
        Some(CallTarget::Method(_) | CallTarget::Closure) => true,
        Some(CallTarget::Thunk | CallTarget::Entry) => true,
        None => data.op.any(Flags::CALL) || allocating_collects && heap_bytes(cx, func, inst) > 0,
    }
}
