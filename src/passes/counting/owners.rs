//! Which parameters a function owns, over the whole program. All start as borrowed; a parameter is owned when
//!
//! - its function stands in a table: who calls through that knows nothing of it, so all its parameters are owned,
//! - it is stored or returned, or passed on to where it is owned,
//! - something read from it is stored: then it is rebuilt, and its cell is free for that as a rule,
//! - its cell, or one read from it, can be reused (`reuse.rs`),
//! - in a tail call of its own recursion, the caller's own reference is passed to it: somebody must release that, and
//!   nobody is left who could. So loops with accumulators stay loops.
//!
//! Works on high IR of strict programs. The least solution: a parameter becomes owned for a reason and stays so.

use super::classes::{Class, Classes, consumed};
use super::evidence::Evidence;
use cleave_ir::cfg::Cfg;
use cleave_ir::counted;
use cleave_ir::liveness::Liveness;
use cleave_ir::{EntityRef, EntitySet, Func, FuncId, Module, Opcode, Type, Value};

/// What is known so far.
#[derive(Default)]
pub struct Owners {
    /// Of each function, for each parameter.
    owned: Vec<Vec<bool>>,
    /// Parameters of blocks and functions that are owned whatever is passed to them.
    forced: Vec<EntitySet<Value>>,
    /// Number of the component of the call graph.
    component: Vec<u32>,
}

impl Owners {
    /// Does the function own its parameter of that number?
    pub fn owns(&self, func: FuncId, param: usize) -> bool {
        self.owned[func.index()].get(param).copied().unwrap_or(true)
    }
    pub fn forced(&self, func: FuncId) -> &EntitySet<Value> {
        &self.forced[func.index()]
    }

    /// Finds the owned parameters. `reuses` says of which functions cells are reused.
    pub fn infer(module: &Module, reuses: impl Fn(&Func) -> bool) -> Owners {
        let count = module.funcs.len();
        let mut in_table = EntitySet::new();
        let instances = module.descs.values().filter_map(|desc| desc.instance).map(|(_, func)| func);
        let listed = module.tables.values().flat_map(|table| table.funcs.iter().copied());
        listed.chain(instances).for_each(|func| _ = in_table.insert(func));
        let params = |(id, func): (FuncId, &Func)| vec![in_table.contains(id); func.signature.params.len()];
        let mut owners = Owners {
            owned: module.funcs.iter().map(params).collect(),
            forced: (0..count).map(|_| EntitySet::new()).collect(),
            component: components(module),
        };
        let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); count];
        for (id, func) in &module.funcs {
            for callee in callees(func) {
                if callers[callee.index()].last() != Some(&id) {
                    callers[callee.index()].push(id);
                }
            }
        }
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
            for changed in owners.visit(module, id, wanted) {
                for &next in callers[changed.index()].iter().chain([&changed]) {
                    if !std::mem::replace(&mut waits[next.index()], true) {
                        waiting.push(next);
                    }
                }
            }
        }
        owners
    }

    /// Looks at one function until it says nothing new; returns the functions of which more parameters are owned.
    fn visit(&mut self, module: &Module, id: FuncId, reuses: bool) -> Vec<FuncId> {
        let func = &module.funcs[id];
        let cfg = Cfg::compute(func);
        let mut changed = Vec::new();
        let mut first = reuses;
        loop {
            let classes = Classes::compute(func, id, &cfg, self, &self.forced[id.index()]);
            let mut found: Vec<Value> = Vec::new();
            let mut others: Vec<(FuncId, usize)> = Vec::new();
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
                        if is_stored || classes.parent(arg).is_none() {
                            want(classes.root(arg), &mut found);
                        }
                    }
                    if op == Opcode::TailCall {
                        let callee = FuncId::from_u32(func.insts[inst].imm as u32);
                        let same = self.component[callee.index()] == self.component[id.index()];
                        for (i, &arg) in func.args(inst).iter().enumerate() {
                            let is_ours = func.values[arg] == Type::Ref && classes.of(arg) == Class::Owned;
                            if same && is_ours && !self.owns(callee, i) {
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
                reusable(module, func, &cfg, &classes, &mut found);
            }
            let mut again = false;
            for value in found {
                if self.forced[id.index()].insert(value) {
                    again = true;
                    if let Some(i) = func.params(func.entry_block()).iter().position(|&param| param == value) {
                        others.push((id, i));
                    }
                }
            }
            for (callee, i) in others {
                if !std::mem::replace(&mut self.owned[callee.index()][i], true) {
                    again = true;
                    if !changed.contains(&callee) {
                        changed.push(callee);
                    }
                }
            }
            if !again {
                return changed;
            }
        }
    }
}

/// A node is looked for in so many dominators of where it could be reused.
const REACH: usize = 64;

/// Roots of borrowed nodes that are dead where a node of the same size is built.
fn reusable(module: &Module, func: &Func, cfg: &Cfg, classes: &Classes, found: &mut Vec<Value>) {
    let builds = |&inst: &cleave_ir::Inst| func.insts[inst].op == Opcode::BuildNode;
    if !cfg.order.iter().any(|&block| func.blocks[block].insts.iter().any(builds)) {
        return;
    }
    let live = Liveness::compute(func, cfg, |value| func.values[value] == Type::Ref);
    let evidence = Evidence::collect(module, func, cfg);
    for &block in &cfg.order {
        let mut set = live.live_out(block).to_vec();
        for &inst in func.blocks[block].insts.iter().rev() {
            let data = &func.insts[inst];
            if data.op == Opcode::BuildNode {
                let (refs, words) = module.payload(data.desc(), data.aux);
                let class = counted::class(refs, words);
                let mut at = Some(block);
                for _ in 0..REACH {
                    let Some(here) = at else { break };
                    for &(value, shape) in evidence.in_block(here) {
                        let fits = counted::class(shape.0, shape.1) == class && shape != (0, 0);
                        if fits && classes.of(value) == Class::Borrowed && !live.contains(&set, value) {
                            found.push(classes.root(value));
                        }
                    }
                    at = evidence.dom.idom(here);
                }
            }
            live.step_back(func, inst, &mut set);
        }
    }
}

fn callees(func: &Func) -> impl Iterator<Item = FuncId> + '_ {
    let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let calls = insts.filter(|&&inst| matches!(func.insts[inst].op, Opcode::Call | Opcode::TailCall));
    calls.map(|&inst| FuncId::from_u32(func.insts[inst].imm as u32))
}

/// The strongly connected components of the call graph, by Tarjan's algorithm with an explicit stack.
fn components(module: &Module) -> Vec<u32> {
    let calls: Vec<Vec<u32>> = module.funcs.values().map(|func| callees(func).map(FuncId::as_u32).collect()).collect();
    let count = calls.len();
    let (mut number, mut low) = (vec![0u32; count], vec![0u32; count]);
    let (mut component, mut is_open) = (vec![u32::MAX; count], vec![false; count]);
    let (mut open, mut path) = (Vec::new(), Vec::new());
    let (mut next, mut components) = (0, 0);
    for root in 0..count {
        if number[root] != 0 {
            continue;
        }
        path.push((root, 0));
        while let Some(top) = path.last_mut() {
            let at = top.0;
            if top.1 == 0 {
                next += 1;
                (number[at], low[at], is_open[at]) = (next, next, true);
                open.push(at);
            }
            if let Some(&callee) = calls[at].get(top.1) {
                top.1 += 1;
                let callee = callee as usize;
                if number[callee] == 0 {
                    path.push((callee, 0));
                } else if is_open[callee] {
                    low[at] = low[at].min(number[callee]);
                }
                continue;
            }
            path.pop();
            if let Some(above) = path.last() {
                low[above.0] = low[above.0].min(low[at]);
            }
            if low[at] == number[at] {
                while let Some(member) = open.pop() {
                    (component[member], is_open[member]) = (components, false);
                    if member == at {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}
