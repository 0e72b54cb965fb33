//! Ownership of the references of a function, as far as it is the same at every point: static, borrowed from the
//! callers, or the function's own. The rest is a matter of liveness (`insert.rs`).

use super::borrow_inference::{Callee, Owners};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, EntitySet, Func, FuncId, Inst, Opcode, ResultOwner, SecondaryMap, Taken, Type, Value};
use smallvec::SmallVec;

/// Whose a reference is. In the order of the lattice: a block parameter is the largest of what is passed to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Class {
    /// Nothing counts references to static nodes. (Also: no reference at all.)
    #[default]
    Static,
    /// The callers keep the node alive while this function runs, or static storage does.
    Borrowed,
    /// Of this function: itself, or by a node that it was read from.
    Owned,
}

/// The classes of all values, and which values were read from which.
#[derive(Default)]
pub struct Classes {
    of: SecondaryMap<Value, Class>,
    parents: SecondaryMap<Value, PackedOption<Value>>,
    /// What was read from a place that may be overwritten later.
    peeks: EntitySet<Value>,
}

/// Operands that an instruction consumes: it takes over a reference that the function owns.
pub fn consumed(func: &Func, inst: Inst, owners: &Owners) -> SmallVec<[Value; 8]> {
    let data = &func.insts[inst];
    let args = func.args(inst).iter().copied();
    let ptrs = |value: &Value| func.values[*value] == Type::Ref;
    match data.taken() {
        Taken::Nothing => SmallVec::new(),
        Taken::All => args.filter(ptrs).collect(),
        Taken::First => args.take(1).collect(),
        Taken::ButFirst => args.skip(1).collect(),
        Taken::ByCallee => match Callee::of(data) {
            Some((callee, first)) => {
                let taken = |&(i, arg): &(usize, Value)| ptrs(&arg) && owners.takes(callee, i);
                args.skip(first).enumerate().filter(taken).map(|(_, arg)| arg).collect()
            }
            None => SmallVec::new(),
        },
    }
}

/// Operands that an instruction looks at while they stay whose they are.
pub fn borrowed(func: &Func, inst: Inst, owners: &Owners) -> SmallVec<[Value; 8]> {
    let data = &func.insts[inst];
    let args = func.args(inst).iter().copied();
    let ptrs = |value: &Value| func.values[*value] == Type::Ref;
    match data.taken() {
        Taken::Nothing => args.filter(ptrs).collect(),
        Taken::All => SmallVec::new(),
        Taken::First => args.skip(1).filter(ptrs).collect(),
        Taken::ButFirst => args.take(1).collect(),
        Taken::ByCallee => match Callee::of(data) {
            Some((callee, first)) => {
                let lent = |&(i, arg): &(usize, Value)| ptrs(&arg) && !owners.takes(callee, i);
                args.skip(first).enumerate().filter(lent).map(|(_, arg)| arg).collect()
            }
            None => args.filter(ptrs).collect(),
        },
    }
}

impl Classes {
    /// Classes in a function some of whose parameters, of the function or of blocks, are its own by force.
    /// What was known before is forgotten.
    pub fn compute(&mut self, func: &Func, id: FuncId, cfg: &Cfg, owners: &Owners, forced: &EntitySet<Value>) {
        let classes = self;
        classes.of.clear();
        classes.of.resize(func.values.len());
        classes.parents.clear();
        classes.parents.resize(func.values.len());
        classes.peeks.clear();
        for (i, &param) in func.params(func.entry_block()).iter().enumerate() {
            if func.values[param] == Type::Ref {
                classes.of[param] = if owners.owns(id, i) { Class::Owned } else { Class::Borrowed };
            }
        }
        // Definitions come before their uses in this order: only what goes up again is news for a block.
        let mut is_behind = true;
        while std::mem::take(&mut is_behind) {
            for &block in &cfg.order {
                for &param in func.params(block) {
                    if forced.contains(param) {
                        classes.of[param] = Class::Owned;
                    }
                }
                for &inst in &func.blocks[block].insts {
                    classes.define(func, inst, owners);
                }
                for edge in &func.blocks[block].edges {
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        if classes.of[arg] > classes.of[param] {
                            classes.of[param] = classes.of[arg];
                            is_behind |= cfg.is_back_edge(block, edge.block);
                        }
                    }
                }
            }
        }
    }

    /// A parameter of a block that always is something else, or was read from that, is as good as read from it: while
    /// that is live it need not be counted. So a loop that walks through a list which is used after it counts nothing.
    pub fn find_borrow_sources(&mut self, func: &Func, cfg: &Cfg, dom: &DomTree, forced: &EntitySet<Value>) {
        let is_candidate =
            |classes: &Classes, param: Value| classes.of[param] == Class::Owned && !forced.contains(param);
        let later = || cfg.order[1..].iter();
        if !later().any(|&block| func.params(block).iter().any(|&param| is_candidate(self, param))) {
            return;
        }
        let mut homes: SecondaryMap<Value, Block> = SecondaryMap::with_default(func.entry_block());
        let mut passed: SecondaryMap<Value, SmallVec<[Value; 4]>> = SecondaryMap::new();
        for &block in &cfg.order {
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            func.params(block).iter().chain(results).for_each(|&value| homes[value] = block);
            for edge in &func.blocks[block].edges {
                for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                    if self.of[arg] != Class::Static && is_candidate(self, param) && arg != param {
                        passed[param].push(arg);
                    }
                }
            }
        }
        // Parameters inside come first: what lends to one may be lent itself.
        for &block in later() {
            for &param in func.params(block) {
                let Some((&first, others)) = passed[param].split_first() else { continue };
                let mut borrow_source = Some(first);
                while let Some(value) = borrow_source {
                    let is_before = homes[value] != block && dom.dominates(homes[value], block);
                    let holds = |&arg: &Value| self.is_below(arg, value) || self.is_below(arg, param);
                    if is_before && value != param && others.iter().chain([&first]).all(holds) {
                        break;
                    }
                    borrow_source = self.parent(value);
                }
                // The first one may come from the parameter itself; then another says more.
                let borrow_source = borrow_source.or_else(|| {
                    others.iter().copied().find(|&value| {
                        let is_before = homes[value] != block && dom.dominates(homes[value], block);
                        let holds = |&arg: &Value| self.is_below(arg, value) || self.is_below(arg, param);
                        is_before && others.iter().chain([&first]).all(holds)
                    })
                });
                if let Some(borrow_source) =
                    borrow_source.filter(|&borrow_source| self.of[borrow_source] == Class::Owned)
                {
                    self.parents[param] = borrow_source.into();
                }
            }
        }
    }

    /// Is a value another one, or was it read from that?
    pub fn is_below(&self, value: Value, ancestor: Value) -> bool {
        let mut at = Some(value);
        while let Some(value) = at {
            if value == ancestor {
                return true;
            }
            at = self.parent(value);
        }
        false
    }

    fn define(&mut self, func: &Func, inst: Inst, owners: &Owners) {
        let data = &func.insts[inst];
        let args = func.args(inst);
        for &result in func.results(inst) {
            if func.values[result] != Type::Ref {
                continue;
            }
            let class = match data.op.result_owner() {
                ResultOwner::Inside => {
                    self.parents[result] = args[0].into();
                    if data.op == Opcode::ElemRef || owners.written.may_change(data) {
                        self.peeks.insert(result);
                    }
                    self.of[args[0]]
                }
                ResultOwner::Storage => {
                    self.peeks.insert(result);
                    Class::Borrowed
                }
                ResultOwner::Choice => self.of[args[1]].max(self.of[args[2]]),
                ResultOwner::Static => Class::Static,
                ResultOwner::Own => Class::Owned,
            };
            self.of[result] = class;
        }
    }

    pub fn of(&self, value: Value) -> Class {
        self.of[value]
    }

    /// What a value was read from.
    pub fn parent(&self, value: Value) -> Option<Value> {
        self.parents[value].expand()
    }

    /// Was a value, or what it was read from, read from a place that may be overwritten later?
    pub fn is_peek(&self, value: Value) -> bool {
        let mut read = std::iter::successors(Some(value), |&value| self.parent(value));
        !self.peeks.is_empty() && read.any(|value| self.peeks.contains(value))
    }

    /// What a value was read from, directly or not, that was not read itself.
    pub fn root(&self, mut value: Value) -> Value {
        while let Some(parent) = self.parent(value) {
            value = parent;
        }
        value
    }
}
