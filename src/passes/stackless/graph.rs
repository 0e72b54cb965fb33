//! Finds functions that can recurse without bound: the call graph, with nodes for tables and for the evaluation of
//! unknown thunks, and its strongly connected components.
//!
//! A component *grows* if one of its own edges is a call that returns into it: each round leaves a frame. Components
//! whose edges are all tail calls are loops. A function is *deep* if a growing component reaches it and it reaches one:
//! it may have any number of frames above it and below it, so it must be possible to capture it. A call of a table that
//! is outside of all cycles may still reach a function that is deep because others call it.

use crate::analysis::components::components;
use cleave_ir::{CallTarget, EntityRef, Func, FuncId, InstData, Module, SecondaryMap, Table};

/// What a call goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Func(FuncId),
    Table(Table),
    /// The code of some thunk.
    Thunk,
}

/// What an instruction calls in the program, and whether control returns to it.
pub fn callee(data: &InstData) -> Option<(Callee, bool)> {
    let callee = match data.call_target()? {
        CallTarget::Func(func) => Callee::Func(func),
        CallTarget::Table(table) => Callee::Table(table),
        CallTarget::Entry => Callee::Thunk,
        CallTarget::Extern(..) | CallTarget::Method(_) | CallTarget::Closure | CallTarget::Thunk => return None,
    };
    Some((callee, !data.op.is_terminator()))
}

/// The calls of a function, with whether they return.
pub fn calls(func: &Func) -> impl Iterator<Item = (Callee, bool)> + '_ {
    func.layout.iter().flat_map(|&block| &func.blocks[block].insts).filter_map(|&inst| callee(&func.insts[inst]))
}

/// What is known of all nodes.
pub struct Graph {
    funcs: usize,
    tables: usize,
    /// Component of each node; callees have smaller numbers.
    component: Vec<u32>,
    /// By component.
    grows: Vec<bool>,
    reaches: Vec<bool>,
    is_reached: Vec<bool>,
    /// By table, and for thunks: some function there is deep, whoever calls it.
    has_deep: Vec<bool>,
    /// Functions whose last result says whether they have been done (`flags`).
    pub has_flag: SecondaryMap<FuncId, bool>,
    /// Functions that are not captured, though they are in cycles.
    left_out: SecondaryMap<FuncId, bool>,
}

impl Graph {
    pub fn of(module: &Module) -> Graph {
        let (funcs, tables) = (module.funcs.len(), module.tables.len());
        let mut graph = Graph {
            funcs,
            tables,
            component: Vec::new(),
            grows: Vec::new(),
            reaches: Vec::new(),
            is_reached: Vec::new(),
            has_deep: Vec::new(),
            has_flag: SecondaryMap::new(),
            left_out: SecondaryMap::new(),
        };
        let mut edges: Vec<Vec<(u32, bool)>> = Vec::with_capacity(funcs + tables + 1);
        edges.extend(module.funcs.values().map(|func| {
            let mut list: Vec<(u32, bool)> =
                calls(func).map(|(callee, returns)| (graph.node(callee), returns)).collect();
            list.sort_unstable();
            list.dedup();
            list
        }));
        let node = |&func: &FuncId| (graph.node(Callee::Func(func)), false);
        edges.extend(module.tables.values().map(|table| table.funcs.iter().map(node).collect()));
        edges.push(module.thunk_infos.values().map(|entry| node(&entry.code)).collect());
        let edge = |at: usize, number: usize| edges[at].get(number).map(|edge: &(u32, bool)| edge.0 as usize);
        let (component, count) = components(edges.len(), edge);
        graph.component = component;
        let of = |node: u32| graph.component[node as usize] as usize;
        let (mut grows, mut reaches, mut is_reached) = (vec![false; count], vec![false; count], vec![false; count]);
        for (from, list) in (0..).zip(&edges) {
            for &(to, returns) in list {
                grows[of(from)] |= returns && of(from) == of(to);
            }
        }
        let mut order: Vec<u32> = (0..edges.len() as u32).collect();
        order.sort_by_key(|&node| of(node));
        // Callees first; nodes of one component do not depend on each other.
        for &from in &order {
            let found = grows[of(from)] || edges[from as usize].iter().any(|&(to, _)| reaches[of(to)]);
            reaches[of(from)] |= found;
        }
        for &from in order.iter().rev() {
            if grows[of(from)] || is_reached[of(from)] {
                edges[from as usize].iter().for_each(|&(to, _)| is_reached[of(to)] = true);
            }
        }
        let is_deep = |node: u32| reaches[of(node)] && (grows[of(node)] || is_reached[of(node)]);
        let has_deep = edges[funcs..].iter().map(|list| list.iter().any(|&(to, _)| is_deep(to))).collect();
        (graph.grows, graph.reaches, graph.is_reached, graph.has_deep) = (grows, reaches, is_reached, has_deep);
        graph
    }

    fn node(&self, callee: Callee) -> u32 {
        let number = match callee {
            Callee::Func(func) => func.index(),
            Callee::Table(table) => self.funcs + table.index(),
            Callee::Thunk => self.funcs + self.tables,
        };
        number as u32
    }
    fn component(&self, callee: Callee) -> usize {
        self.component[self.node(callee) as usize] as usize
    }

    /// It may have to be captured: a function, or one of those that such a call may reach.
    pub fn is_deep(&self, callee: Callee) -> bool {
        let component = self.component(callee);
        match callee {
            Callee::Func(func) if self.left_out[func] => false,
            Callee::Func(_) => self.reaches[component] && (self.grows[component] || self.is_reached[component]),
            Callee::Table(_) | Callee::Thunk => self.has_deep[self.node(callee) as usize - self.funcs],
        }
    }
    /// The function is not captured: it goes on by itself with what it calls. So what it calls last would be on the
    /// stack above it; nothing changes if that could be any number of frames.
    pub fn leave_out(&mut self, module: &Module, func: FuncId) {
        let component = self.component(Callee::Func(func));
        let stays_in_cycle = |(callee, returns): (Callee, bool)| !returns && self.component(callee) == component;
        self.left_out[func] = !calls(&module.funcs[func]).any(stays_in_cycle);
    }
    /// Does the last result of a call say whether it has been done?
    pub fn gives_flag(&self, call: &InstData) -> bool {
        call.called_func().is_some_and(|callee| self.has_flag[callee])
    }
    /// It was there when the graph was made.
    pub fn knows(&self, func: FuncId) -> bool {
        func.index() < self.funcs
    }
    /// Some growing component is below it.
    pub fn reaches(&self, callee: Callee) -> bool {
        self.reaches[self.component(callee)]
    }
    /// It is in a growing component.
    pub fn is_growing(&self, func: FuncId) -> bool {
        self.grows[self.component(Callee::Func(func))]
    }
    /// A call of `callee` that returns to `func` makes the stack grow, perhaps without bound.
    pub fn is_recursive(&self, func: FuncId, callee: Callee) -> bool {
        let component = self.component(Callee::Func(func));
        self.grows[component] && component == self.component(callee)
    }
}
