//! Borrow inference: which parameters a function owns, over the whole program. All start as borrowed; a parameter is
//! owned when
//!
//! - it is stored or returned, or passed on to where it is owned,
//! - something read from it is stored: then it is rebuilt, and its cell is free for that as a rule. (What is read from
//!   an array, or from a cell whose field is overwritten, says nothing: that is where it stays,)
//! - its cell, or one read from it, can be reused (`reuse.rs`),
//! - in a tail call of its own recursion, the caller's own reference is passed to it: somebody must release that, and
//!   nobody is left who could. So loops with accumulators stay loops, also those that go through a table; likewise
//!   where the function is a part of the caller alone, as loops are that were cut out: they take apart what they read,
//!   as they did before,
//! - its function stands in a table, in which another one owns the parameter of that number, or through which a tail
//!   call passes the caller's own reference: who calls through a table does not know what it calls.
//!
//! A closure lives on where it is called as a rule, so storing what it has taken along is no reason to own it.
//!
//! Works on high IR of strict programs. The least solution: a parameter becomes owned for a reason and stays so.

use super::ownership::{Class, consumed};
use super::tables::Tables;
use crate::analysis;
use cleave_ir::{
    CallTarget, EntityRef, EntitySet, Func, FuncId, InstData, Module, Opcode, Table, Type, Value, WrittenFields,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What is known so far.
#[derive(Default)]
pub struct Owners {
    /// Of each function, for each parameter.
    owned: Vec<Vec<bool>>,
    /// Parameters of blocks and functions that are owned whatever is passed to them.
    forced: Vec<EntitySet<Value>>,
    /// The same for the functions of each table, and these. Without functions everything is owned.
    through: Vec<Vec<bool>>,
    members: Vec<Vec<FuncId>>,
    /// The tables in which a function stands.
    tables: FxHashMap<FuncId, SmallVec<[Table; 1]>>,
    /// Number of the component of the call graph, of calls of known functions.
    component: Vec<u32>,
    /// The same for tail calls alone, with those through tables: a loop is all in one.
    tail_component: Vec<u32>,
    /// Functions that are parts of another one.
    is_rest: Vec<bool>,
    /// Fields that something overwrites.
    pub written: WrittenFields,
}

/// What is called: a function, or one of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Known(FuncId),
    Through(Table),
}

impl Callee {
    /// Of a call, with the number of its first argument.
    pub fn of(data: &InstData) -> Option<(Callee, usize)> {
        match data.call_target()? {
            CallTarget::Func(func) => Some((Callee::Known(func), 0)),
            CallTarget::Table(table) => Some((Callee::Through(table), 1)),
            CallTarget::Extern(..) | CallTarget::Method(_) => None,
            CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry => None,
        }
    }
}

impl Owners {
    /// Does the function own its parameter of that number?
    pub fn owns(&self, func: FuncId, param: usize) -> bool {
        self.takes(Callee::Known(func), param)
    }
    /// Does what is called own its parameter of that number?
    pub fn takes(&self, callee: Callee, param: usize) -> bool {
        let owned = match callee {
            Callee::Known(func) => &self.owned[func.index()],
            Callee::Through(table) => &self.through[table.index()],
        };
        owned.get(param).copied().unwrap_or(true)
    }
    pub fn forced(&self, func: FuncId) -> &EntitySet<Value> {
        &self.forced[func.index()]
    }

    /// All functions own all that they are given, or nothing; those in tables own everything, and so do those that a
    /// tail call of their own recursion leads to.
    pub fn none(module: &Module) -> Owners {
        let mut owners = Owners::of_tables(module);
        for owned in &mut owners.through {
            owned.fill(true);
        }
        for func in owners.tables.keys() {
            owners.owned[func.index()].fill(true);
        }
        let tail_calls = Calls::of(module, Opcode::is_terminator);
        let component = tail_components(&tail_calls, &owners.members);
        for caller in 0..module.funcs.len() {
            for callee in tail_calls.of_func(caller) {
                let Callee::Known(callee) = callee else { continue };
                if component[callee.index()] == component[caller] {
                    owners.owned[callee.index()].fill(true);
                }
            }
        }
        owners
    }

    /// Nothing is owned, but by the code of closures that no table lists: nobody calls it.
    fn of_tables(module: &Module) -> Owners {
        let mut members: Vec<Vec<FuncId>> = module.tables.values().map(|table| table.funcs.clone()).collect();
        let mut tables: FxHashMap<FuncId, SmallVec<[Table; 1]>> = FxHashMap::default();
        for (table, members) in module.tables.keys().zip(&mut members) {
            members.sort_unstable();
            members.dedup();
            members.iter().for_each(|&func| tables.entry(func).or_default().push(table));
        }
        let through = module.tables.values().zip(&members);
        let mut owners = Owners {
            owned: module.funcs.values().map(|func| vec![false; func.signature.params.len()]).collect(),
            forced: module.funcs.values().map(|_| EntitySet::new()).collect(),
            through: through.map(|(data, all)| vec![all.is_empty(); data.signature.params.len()]).collect(),
            members,
            tables,
            component: Vec::new(),
            tail_component: Vec::new(),
            is_rest: Vec::new(),
            written: WrittenFields::default(),
        };
        for (table, func) in module.descs.values().filter_map(|desc| desc.method) {
            if owners.members[table.index()].binary_search(&func).is_err() {
                let params = module.funcs[func].signature.params.len();
                (0..params).for_each(|param| _ = owners.take(Callee::Known(func), param, &mut Vec::new()));
            }
        }
        owners
    }

    /// Finds the owned parameters. `written` is what something overwrites; `reuses` says of which functions cells are
    /// reused.
    pub fn infer(module: &Module, written: WrittenFields, reuses: impl Fn(&Func) -> bool) -> Owners {
        let count = module.funcs.len();
        let calls = Calls::of(module, |_| true);
        let mut owners = Owners { written, ..Owners::of_tables(module) };
        (owners.component, owners.is_rest) = (components(&calls), rests(module, &owners.tables));
        owners.tail_component = tail_components(&Calls::of(module, Opcode::is_terminator), &owners.members);
        let callers = Callers::of(&calls, count, &owners.members);
        let tables = &mut Tables::default();
        let mut waiting: Vec<FuncId> = module.funcs.keys().rev().collect();
        let mut waits = vec![true; count];
        let mut is_new = vec![true; count];
        while let Some(id) = waiting.pop() {
            waits[id.index()] = false;
            let func = &module.funcs[id];
            if func.entry.is_none() {
                continue;
            }
            let wanted = std::mem::take(&mut is_new[id.index()]) && reuses(func);
            for changed in owners.visit(module, id, wanted, tables) {
                for next in callers.of_func(changed).chain([changed]) {
                    if !std::mem::replace(&mut waits[next.index()], true) {
                        waiting.push(next);
                    }
                }
            }
        }
        owners
    }

    /// Looks at one function until it says nothing new; returns the functions of which more parameters are owned.
    fn visit(&mut self, module: &Module, id: FuncId, reuses: bool, tables: &mut Tables) -> Vec<FuncId> {
        let func = &module.funcs[id];
        tables.cfg.recompute(func);
        let mut changed = Vec::new();
        let mut first = reuses;
        // The closure whose code this is.
        let closure = func.params(func.entry_block()).first().filter(|_| self.tables.contains_key(&id)).copied();
        loop {
            tables.classes.compute(func, id, &tables.cfg, self, &self.forced[id.index()]);
            let Tables { cfg, classes, .. } = &*tables;
            let mut found: Vec<Value> = Vec::new();
            let mut others: Vec<(Callee, usize)> = Vec::new();
            let want = |value: Value, found: &mut Vec<Value>| {
                if classes.of(value) == Class::Borrowed {
                    found.push(value);
                }
            };
            for &block in &cfg.order {
                for &inst in &func.blocks[block].insts {
                    let op = func.insts[inst].op;
                    for arg in consumed(func, inst, self) {
                        let is_stored = matches!(op, Opcode::BuildNode | Opcode::Reuse | Opcode::FillHole);
                        let (root, is_read) = (classes.root(arg), classes.parent(arg).is_some());
                        if !is_read || is_stored && Some(root) != closure && !classes.is_peek(arg) {
                            want(root, &mut found);
                        }
                    }
                    if let Some((callee, first)) = Callee::of(&func.insts[inst]).filter(|_| op.is_terminator()) {
                        let recurs = match callee {
                            Callee::Known(callee) => {
                                let are_one = |of: &[u32]| of[callee.index()] == of[id.index()];
                                self.is_rest[callee.index()]
                                    || are_one(&self.component)
                                    || are_one(&self.tail_component)
                            }
                            Callee::Through(_) => true,
                        };
                        for (i, &arg) in func.args(inst)[first..].iter().enumerate() {
                            let is_ours = func.values[arg] == Type::Ref && classes.of(arg) == Class::Owned;
                            if recurs && is_ours && !self.takes(callee, i) {
                                others.push((callee, i));
                            }
                        }
                    }
                }
                for edge in &func.blocks[block].edges {
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        if classes.of(param) == Class::Owned && classes.parent(arg).is_none() {
                            want(arg, &mut found);
                        }
                    }
                }
            }
            if std::mem::take(&mut first) {
                reusable(module, func, tables, &mut found);
                found.retain(|&value| Some(value) != closure);
            }
            let mut again = false;
            for value in found {
                if self.forced[id.index()].insert(value) {
                    again = true;
                    if let Some(i) = func.params(func.entry_block()).iter().position(|&param| param == value) {
                        others.push((Callee::Known(id), i));
                    }
                }
            }
            for (callee, i) in others {
                again |= self.take(callee, i, &mut changed);
            }
            if !again {
                return changed;
            }
        }
    }
}

impl Owners {
    /// A parameter is owned, and with it that of all functions that stand in a table together. False if it was known.
    fn take(&mut self, callee: Callee, param: usize, changed: &mut Vec<FuncId>) -> bool {
        let mut is_new = false;
        let mut open = vec![callee];
        while let Some(callee) = open.pop() {
            let owned = match callee {
                Callee::Known(func) => &mut self.owned[func.index()],
                Callee::Through(table) => &mut self.through[table.index()],
            };
            let Some(owned) = owned.get_mut(param).filter(|owned| !**owned) else { continue };
            (*owned, is_new) = (true, true);
            match callee {
                Callee::Known(func) => {
                    if !changed.contains(&func) {
                        changed.push(func);
                    }
                    open.extend(self.tables.get(&func).into_iter().flatten().map(|&table| Callee::Through(table)));
                }
                Callee::Through(table) => {
                    open.extend(self.members[table.index()].iter().map(|&func| Callee::Known(func)));
                }
            }
        }
        is_new
    }
}

/// Which functions are parts of another one: it calls them, or its parts do, and all of them last.
fn rests(module: &Module, tables: &FxHashMap<FuncId, SmallVec<[Table; 1]>>) -> Vec<bool> {
    let mut callers: Vec<SmallVec<[FuncId; 2]>> = vec![SmallVec::new(); module.funcs.len()];
    let mut is_alone: Vec<bool> = module.funcs.keys().map(|id| tables.contains_key(&id)).collect();
    module.start.into_iter().chain(module.entries.iter().map(|entry| entry.func)).for_each(|id| {
        is_alone[id.index()] = true;
    });
    for (id, func) in &module.funcs {
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            if let Some((Callee::Known(callee), _)) = Callee::of(&func.insts[inst]) {
                is_alone[callee.index()] |= func.insts[inst].op != Opcode::TailCall;
                if callee != id && !callers[callee.index()].contains(&id) {
                    callers[callee.index()].push(id);
                }
            }
        }
    }
    // The function of which each is a part; itself if there is none, nothing as long as nobody knows.
    let mut wholes: Vec<Option<FuncId>> = vec![None; module.funcs.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for id in module.funcs.keys() {
            let known = callers[id.index()].iter().filter_map(|caller| wholes[caller.index()]);
            let whole = match is_alone[id.index()] || callers[id.index()].is_empty() {
                true => Some(id),
                false => known.map(Some).reduce(|one, other| if one == other { one } else { Some(id) }).flatten(),
            };
            changed |= std::mem::replace(&mut wholes[id.index()], whole) != whole;
        }
    }
    module.funcs.keys().map(|id| wholes[id.index()].is_some_and(|whole| whole != id)).collect()
}

/// A node is looked for in so many dominators of where it could be reused.
const REACH: usize = 64;

/// Roots of borrowed nodes that are dead where a node is built that can take their memory.
fn reusable(module: &Module, func: &Func, tables: &mut Tables, found: &mut Vec<Value>) {
    let Tables { cfg, dom, classes, live, evidence, .. } = tables;
    let builds = |&inst: &cleave_ir::Inst| func.insts[inst].op == Opcode::BuildNode;
    if !cfg.order.iter().any(|&block| func.blocks[block].insts.iter().any(builds)) {
        return;
    }
    live.recompute(func, cfg, |value| func.values[value] == Type::Ref);
    evidence.collect(module, func, cfg);
    dom.recompute(cfg);
    for &block in &cfg.order {
        let mut set = live.live_out(block).to_vec();
        for &inst in func.blocks[block].insts.iter().rev() {
            let data = &func.insts[inst];
            if data.op == Opcode::BuildNode {
                let (ptrs, nptrs) = module.payload(data.desc(), data.aux);
                let sizes = &module.cell_sizes;
                let class = sizes.class(ptrs, nptrs);
                let mut at = Some(block);
                for _ in 0..REACH {
                    let Some(here) = at else { break };
                    for (value, shape) in evidence.in_block(here) {
                        let theirs = sizes.class(shape.0, shape.1);
                        let fits = theirs == class || func.fip && sizes.can_take(class, theirs);
                        let fits = fits && shape != (0, 0);
                        let is_theirs = classes.of(value) == Class::Borrowed && !classes.is_peek(value);
                        if fits && is_theirs && !live.contains(&set, value) {
                            found.push(classes.root(value));
                        }
                    }
                    at = dom.idom(here);
                }
            }
            live.step_back(func, inst, &mut set);
        }
    }
}

/// What each function calls, those of one after those of the one before.
struct Calls {
    /// Where those of each function begin, and where the last ones end.
    starts: Vec<u32>,
    list: Vec<Callee>,
}

impl Calls {
    /// Those whose instructions are wanted.
    fn of(module: &Module, is_wanted: impl Fn(Opcode) -> bool) -> Calls {
        let mut calls = Calls { starts: Vec::with_capacity(module.funcs.len() + 1), list: Vec::new() };
        calls.starts.push(0);
        for func in module.funcs.values() {
            let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts).map(|&inst| &func.insts[inst]);
            calls.list.extend(insts.filter(|data| is_wanted(data.op)).filter_map(|data| Some(Callee::of(data)?.0)));
            calls.starts.push(calls.list.len() as u32);
        }
        calls
    }

    fn of_func(&self, number: usize) -> &[Callee] {
        &self.list[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Who calls each function, or through the table whose first one it is: that one changes with the others.
struct Callers {
    /// The first and the last element of the list of each function; `u32::MAX` if there is none.
    ends: Vec<(u32, u32)>,
    /// A caller, and the next element.
    list: Vec<(FuncId, u32)>,
}

impl Callers {
    fn of(calls: &Calls, count: usize, members: &[Vec<FuncId>]) -> Callers {
        const NONE: u32 = u32::MAX;
        let mut callers = Callers { ends: vec![(NONE, NONE); count], list: Vec::new() };
        for id in (0..count).map(FuncId::new) {
            for &callee in calls.of_func(id.index()) {
                let callee = match callee {
                    Callee::Known(callee) => callee,
                    Callee::Through(table) => match members[table.index()].first() {
                        Some(&first) => first,
                        None => continue,
                    },
                };
                let number = callers.list.len() as u32;
                let (first, last) = &mut callers.ends[callee.index()];
                match callers.list.get_mut(*last as usize) {
                    Some(before) if before.0 == id => continue,
                    Some(before) => before.1 = number,
                    None => *first = number,
                }
                *last = number;
                callers.list.push((id, NONE));
            }
        }
        callers
    }

    fn of_func(&self, func: FuncId) -> impl Iterator<Item = FuncId> {
        let first = self.list.get(self.ends[func.index()].0 as usize);
        std::iter::successors(first, |element| self.list.get(element.1 as usize)).map(|element| element.0)
    }
}

/// The strongly connected components of the calls of known functions.
fn components(calls: &Calls) -> Vec<u32> {
    let edge = |at: usize, number: usize| match calls.of_func(at).get(number)? {
        Callee::Known(callee) => Some(callee.index()),
        Callee::Through(_) => Some(at),
    };
    analysis::components::components(calls.starts.len() - 1, edge).0
}

/// Those of tail calls, of known functions and through tables, of which each one leads to its members.
fn tail_components(calls: &Calls, members: &[Vec<FuncId>]) -> Vec<u32> {
    let count = calls.starts.len() - 1;
    let edge = |at: usize, number: usize| match at.checked_sub(count) {
        Some(table) => members[table].get(number).map(|func| func.index()),
        None => calls.of_func(at).get(number).map(|callee| match callee {
            Callee::Known(func) => func.index(),
            Callee::Through(table) => count + table.index(),
        }),
    };
    analysis::components::components(count + members.len(), edge).0
}
