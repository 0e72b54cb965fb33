//! Inserts precise counting into one function: a reference is released where it dies, and retained only where it is
//! consumed without dying.
//!
//! A reference is *live* from its definition to its last use. A reference that was read from a field is *protected*
//! while a node that it was read from, directly or not, is live: that node keeps it alive. So is a parameter of a block
//! that always gets one node or what was read from that. At each point the function
//! owns the live references that are neither protected nor borrowed from the callers nor static. So ownership follows
//! from liveness alone, and paths that meet agree about it.
//!
//! What is left is the moment when references die:
//!
//! - the last use consumes the reference: nothing to do;
//! - it consumes a reference that lives on, or that is not owned: `retain` before;
//! - a reference dies in another way, or on an edge: it is released. Its fields that are live and thereby lose their
//!   protection are kept: `drop` hands them over, so that a node with one reference gives its fields away and the
//!   fields need no counting. If a field dies at the same place, it is handed over and dropped itself. Those that
//!   are not its own fields are retained before.
//!
//! With `RcInsertion::Scoped` a reference is live as far as its definition dominates, so it dies with its scope; what
//! is left at the end of the function dies before control leaves it. Nothing else is different.
//!
//! Needs: high IR of a strict program. Establishes: rooted IR that `verify/counts` accepts.

use super::RcInsertion;
use super::borrow_inference::Owners;
use super::edits::EdgeCode;
use super::ownership::{Class, Classes, borrowed, consumed};
use super::shape_facts::{Evidence, Payload};
use super::tables::{Children, Tables};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::layout::Shape;
use cleave_ir::liveness::{BitSet, Liveness};
use cleave_ir::{Block, Flags, Func, FuncId, Inst, Module, Opcode, Phase, SecondaryMap, Type, Value, pack};
use smallvec::SmallVec;

type Values = SmallVec<[Value; 8]>;

/// Turns a function into rooted IR in which references are counted. Of the module it asks what is not in functions.
pub fn insert(
    module: &Module,
    func: &mut Func,
    id: FuncId,
    (rc_insertion, owners): (RcInsertion, &Owners),
    tables: &mut Tables,
) {
    func.phase = Phase::Rooted;
    let params = func.signature.params.iter().enumerate();
    func.borrows = params.filter(|&(i, &ty)| ty == Type::Ref && !owners.owns(id, i)).map(|(i, _)| i as u32).collect();
    let is_ref = |ty: &Type| *ty == Type::Ref;
    if !func.values.values().any(is_ref) {
        return;
    }
    let Tables { mut cfg, mut dom, mut classes, mut live, mut evidence, mut children, mut fields, sets } =
        std::mem::take(tables);
    cfg.recompute(func);
    dom.recompute(&cfg);
    classes.compute(func, id, &cfg, owners, owners.forced(id));
    if rc_insertion == RcInsertion::Precise {
        classes.find_borrow_sources(func, &cfg, &dom, owners.forced(id));
    }
    release_after_tail_calls(func, &cfg, &classes, owners);
    let is_ref = |value: Value| func.values[value] == Type::Ref;
    match rc_insertion {
        RcInsertion::Precise => live.recompute(func, &cfg, is_ref),
        RcInsertion::Scoped => live = Liveness::scopes(func, &cfg, is_ref),
    }
    evidence.collect(module, func, &cfg);
    children.collect(func, &classes);
    fields.clear();
    fields.resize(func.values.len());
    let mut entered_once = SecondaryMap::new();
    for &block in &cfg.order {
        entered_once[block] = cfg.preds[block].len() == 1;
    }
    let mut inserter = Inserter {
        module,
        func,
        rc_insertion,
        owners,
        classes,
        live,
        dom,
        evidence,
        children,
        fields,
        entered_once,
        sets,
    };
    inserter.note_fields(&cfg);
    let params = cfg.order[1..].iter().flat_map(|&block| inserter.borrowed_params(block));
    let borrowed = params.collect();
    inserter.func.borrowed = borrowed;
    let mut edges = EdgeCode::default();
    for &block in &cfg.order {
        inserter.block(block, &mut edges);
    }
    let Inserter { func, classes, live, dom, evidence, children, fields, sets, .. } = inserter;
    edges.apply(func, &cfg);
    *tables = Tables { cfg, dom, classes, live, evidence, children, fields, sets };
}

/// A tail call that is passed an own reference where the callee borrows it becomes a call: the reference is released
/// after it.
fn release_after_tail_calls(func: &mut Func, cfg: &Cfg, classes: &Classes, owners: &Owners) {
    for &block in &cfg.order {
        let Some(last) = func.terminator(block) else { continue };
        let Some(op) = func.insts[last].op.without_tail() else { continue };
        if !borrowed(func, last, owners).iter().any(|&arg| classes.of(arg) == Class::Owned) {
            continue;
        }
        let (callee, args) = (func.insts[last].imm, func.args(last).to_vec());
        let results = func.signature.results.clone();
        func.blocks[block].insts.pop();
        let call = func.append(block, op, callee, 0, &args, &results);
        let results = func.results(call).to_vec();
        func.append(block, Opcode::Return, 0, 0, &results, &[]);
    }
}

struct Inserter<'f> {
    module: &'f Module,
    func: &'f mut Func,
    rc_insertion: RcInsertion,
    owners: &'f Owners,
    classes: Classes,
    live: Liveness,
    dom: DomTree,
    evidence: Evidence,
    /// What was read from a value.
    children: Children,
    /// The field that a value was read from: the shape of the node, and the number.
    fields: SecondaryMap<Value, Option<(Payload, u32)>>,
    /// Blocks that one edge leads to.
    entered_once: SecondaryMap<Block, bool>,
    /// Sets that are not in use.
    sets: Vec<BitSet>,
}

/// A node that dies.
struct Dropped {
    node: Value,
    shape: Option<Payload>,
    /// Fields that live on.
    kept: Values,
}

/// A point of the function: before an instruction of a block, or on one of its edges.
#[derive(Clone, Copy)]
struct Point {
    block: Block,
    at: usize,
    edge: Option<usize>,
}

impl Inserter<'_> {
    fn note_fields(&mut self, cfg: &Cfg) {
        for &block in &cfg.order {
            for &inst in &self.func.blocks[block].insts {
                let data = &self.func.insts[inst];
                if data.op == Opcode::GetRef {
                    let Shape { ptrs, nptrs, .. } = data.field_shape();
                    self.fields[self.func.result(inst)] = Some(((ptrs, nptrs), data.aux));
                }
            }
        }
    }

    // -- what holds at a point ----------------------------------------------------------------------------------------

    /// True if the function does not own the value when these values are live.
    fn is_protected(&self, value: Value, live: &[u64]) -> bool {
        let mut at = value;
        while let Some(parent) = self.classes.parent(at) {
            if self.live.contains(live, parent) {
                return true;
            }
            at = parent;
        }
        self.classes.of(value) != Class::Owned
    }

    fn class(&self, value: Value, point: Point) -> Class {
        let on_edge = point.edge.and_then(|edge| self.evidence.on_edge(self.module, self.func, point.block, edge));
        let is_atom = match on_edge {
            Some((known, _, shape)) if known == value => shape == (0, 0),
            _ => self.evidence.is_atom(&self.dom, value, point.block, point.at),
        };
        if is_atom { Class::Static } else { self.classes.of(value) }
    }

    /// The parameters of a block that own nothing, with what lends to them if that is not the callers.
    fn borrowed_params(&self, block: Block) -> Vec<(Value, Option<Value>)> {
        let live = self.live.live_in(block);
        let params = self.func.params(block).iter().copied();
        let ptrs = params.filter(|&param| self.func.values[param] == Type::Ref);
        let borrowed = ptrs.filter(|&param| self.classes.of(param) != Class::Static && self.is_protected(param, live));
        borrowed.map(|param| (param, self.classes.parent(param))).collect()
    }

    // -- code ---------------------------------------------------------------------------------------------------------

    fn count(&mut self, op: Opcode, value: Value, code: &mut Vec<Inst>) {
        let inst = self.func.make_inst(op, 0, 0, &[value], &[]);
        code.push(inst);
    }

    /// References consumed by `uses`, all at once, while `live` are live and `after` will be. Retains what is not
    /// moved; returns what is. `looks` are used at the same time without being consumed.
    fn consume(
        &mut self,
        uses: &[Value],
        looks: &[Value],
        (live, after): (&[u64], &[u64]),
        point: Point,
        code: &mut Vec<Inst>,
    ) -> Values {
        let mut moved = Values::new();
        for &value in uses {
            match self.class(value, point) {
                Class::Static => continue,
                Class::Owned
                    if !self.live.contains(after, value)
                        && !self.is_protected(value, live)
                        && !moved.contains(&value)
                        && !looks.iter().any(|&look| self.classes.is_below(look, value)) =>
                {
                    moved.push(value);
                }
                _ => self.count(Opcode::Retain, value, code),
            }
        }
        moved
    }

    /// Values that live on, but lose their protection when `dying` die.
    fn exposed(&self, dying: &[Value], live: &[u64], after: &[u64]) -> Values {
        let mut found = Values::new();
        let mut open = Values::from_slice(dying);
        while let Some(value) = open.pop() {
            for child in self.children.of(value) {
                if self.live.contains(after, child) {
                    if self.is_protected(child, live) && !self.is_protected(child, after) && !found.contains(&child) {
                        found.push(child);
                    }
                } else {
                    open.push(child);
                }
            }
        }
        found
    }

    /// Lets `dying` die, of which `moved` are consumed, so that `after` are live. `before` is code that comes before
    /// references are consumed, `code` that after it.
    fn kill(
        &mut self,
        (dying, moved): (&[Value], &[Value]),
        (live, after): (&[u64], &[u64]),
        point: Point,
        before: &mut Vec<Inst>,
        code: &mut Vec<Inst>,
    ) {
        if dying.is_empty() {
            return;
        }
        let mut exposed = self.exposed(dying, live, after);
        // Order does not depend on that of the sets.
        exposed.sort_unstable();
        let mut drops: Vec<Dropped> = Vec::new();
        for &value in dying {
            if moved.contains(&value) || self.is_protected(value, live) || self.class(value, point) != Class::Owned {
                continue;
            }
            drops.push(self.dropped(value, point));
        }
        // A field of such a node that dies with it and leaves fields of its own: it is handed over to be dropped, too.
        let mut inner = Values::from_slice(dying);
        inner.sort_unstable();
        for value in inner {
            let leaves = exposed.iter().any(|&child| self.classes.parent(child) == Some(value));
            let is_new = leaves && drops.iter().all(|drop| drop.node != value);
            if is_new && self.class(value, point) == Class::Owned && self.hand_over(value, &mut drops) {
                drops.push(self.dropped(value, point));
            }
        }
        for value in exposed {
            if self.class(value, point) != Class::Owned {
                continue;
            }
            // A node that is consumed may be gone after that.
            if moved.iter().any(|&node| self.classes.is_below(value, node)) {
                self.count(Opcode::Retain, value, before);
            } else if !self.hand_over(value, &mut drops) {
                self.count(Opcode::Retain, value, code);
            }
        }
        for Dropped { node, shape, kept } in drops {
            match shape {
                Some((ptrs, nptrs)) => {
                    let mut operands = Values::from_slice(&[node]);
                    operands.extend(kept);
                    let inst = self.func.make_inst(Opcode::UnpackRelease, pack(ptrs, nptrs), 0, &operands, &[]);
                    code.push(inst);
                }
                None => self.count(Opcode::Release, node, code),
            }
        }
    }

    fn dropped(&self, node: Value, point: Point) -> Dropped {
        let on_edge = point.edge.and_then(|edge| self.evidence.on_edge(self.module, self.func, point.block, edge));
        let shape = match on_edge {
            Some((known, _, shape)) if known == node => Some(shape),
            _ => self.evidence.shape(&self.dom, node, point.block, point.at),
        };
        Dropped { node, shape, kept: Values::new() }
    }

    /// Lets a node that dies keep one of its fields for us. Not if the field was read as that of a node of another
    /// shape, which happens where control never gets to.
    fn hand_over(&self, field: Value, drops: &mut [Dropped]) -> bool {
        let (Some(parent), Some((shape, number))) = (self.classes.parent(field), self.fields[field]) else {
            return false;
        };
        let Some(drop) = drops.iter_mut().find(|drop| drop.node == parent && drop.shape == Some(shape)) else {
            return false;
        };
        let is_free = drop.kept.iter().all(|&other| self.fields[other] != Some((shape, number)));
        if is_free {
            drop.kept.push(field);
        }
        is_free
    }

    // -- blocks -------------------------------------------------------------------------------------------------------

    /// A copy of a set, in memory that was used before.
    fn copy(&mut self, set: &[u64]) -> BitSet {
        let mut copy = self.sets.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(set);
        copy
    }

    fn live_in(&mut self, block: Block) -> BitSet {
        let mut copy = self.sets.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(self.live.live_in(block));
        copy
    }

    fn block(&mut self, block: Block, edges: &mut EdgeCode) {
        let old = std::mem::take(&mut self.func.blocks[block].insts);
        // What is live after each instruction.
        let mut behind = self.sets.pop().unwrap_or_default();
        behind.clear();
        let mut now = match self.rc_insertion {
            RcInsertion::Precise => self.live_within(block, &old, &mut behind),
            RcInsertion::Scoped => self.scopes_within(block, &old, &mut behind),
        };
        let mut out = Vec::with_capacity(old.len());
        // Parameters that nobody looks at.
        let start = Point { block, at: 0, edge: None };
        let params = self.func.params(block).iter().copied();
        let unused: Values =
            params.filter(|&p| self.func.values[p] == Type::Ref && !self.live.contains(&now, p)).collect();
        if !unused.is_empty() {
            let mut live = now.clone();
            unused.iter().for_each(|&param| self.live.insert(&mut live, param));
            self.kill((&unused, &[]), (&live, &now), start, &mut Vec::new(), &mut out);
        }
        let nptrs = self.live.words();
        for (at, &inst) in old.iter().enumerate() {
            let behind = &behind[at * nptrs..(at + 1) * nptrs];
            self.inst(inst, Point { block, at, edge: None }, &mut now, behind, &mut out);
        }
        self.func.blocks[block].insts = out;
        for index in 0..self.func.blocks[block].edges.len() {
            let point = Point { block, at: old.len(), edge: Some(index) };
            let code = self.edge(point, index, &now);
            edges.add(block, index, code);
        }
        self.sets.extend([behind, now]);
    }

    /// True if a block has no parameters, looks at no reference, and ends the program; and is reached by one edge.
    fn is_dead_end(&self, block: Block) -> bool {
        let insts = &self.func.blocks[block].insts;
        let is_empty = self.func.params(block).is_empty() && self.live.live_in(block).iter().all(|&word| word == 0);
        let is_end = insts.last().is_some_and(|&inst| self.func.insts[inst].op == Opcode::Unreachable);
        let has_ref = |&inst: &Inst| self.func.results(inst).iter().any(|&value| self.func.values[value] == Type::Ref);
        is_empty && is_end && self.entered_once[block] && !insts.iter().any(has_ref)
    }

    /// What is live at the start of a block with these instructions; `after` gets that after each of them.
    fn live_within(&mut self, block: Block, insts: &[Inst], behind: &mut BitSet) -> BitSet {
        let mut set = self.sets.pop().unwrap_or_default();
        set.clear();
        set.extend_from_slice(self.live.live_out(block));
        let nptrs = self.live.words();
        behind.resize(insts.len() * nptrs, 0);
        for (at, &inst) in insts.iter().enumerate().rev() {
            behind[at * nptrs..(at + 1) * nptrs].copy_from_slice(&set);
            self.live.step_back(self.func, inst, &mut set);
        }
        set
    }

    /// The same for scopes, which end with the function.
    fn scopes_within(&mut self, block: Block, insts: &[Inst], behind: &mut BitSet) -> BitSet {
        let mut set = self.live_in(block);
        self.func.params(block).iter().for_each(|&param| self.live.insert(&mut set, param));
        let now = set.clone();
        for (at, &inst) in insts.iter().enumerate() {
            self.live.step_in_scopes(self.func, inst, &mut set);
            if at + 1 == insts.len() && self.func.blocks[block].edges.is_empty() {
                set.fill(0);
            }
            behind.extend_from_slice(&set);
        }
        self.sets.push(set);
        now
    }

    fn inst(&mut self, inst: Inst, point: Point, now: &mut BitSet, behind: &[u64], out: &mut Vec<Inst>) {
        let results = self.func.results(inst).iter().copied();
        let results: Values = results.filter(|&value| self.func.values[value] == Type::Ref).collect();
        let uses = consumed(self.func, inst, self.owners);
        let looks = borrowed(self.func, inst, self.owners);
        let ends = self.func.insts[inst].op.any(Flags::TERMINATOR);
        let has_scopes = self.rc_insertion == RcInsertion::Scoped;
        if results.is_empty() && uses.is_empty() && looks.is_empty() && !has_scopes {
            // Nothing that is counted.
            out.push(inst);
            return;
        }
        // Without the results: they are not there while operands are consumed.
        let mut after = self.copy(behind);
        results.iter().for_each(|&result| self.live.remove(&mut after, result));
        let mut dying = Values::new();
        for &value in uses.iter().chain(&looks) {
            if !self.live.contains(&after, value) && !dying.contains(&value) {
                dying.push(value);
            }
        }
        if has_scopes && ends {
            let others = self.live.values(now).filter(|&value| !self.live.contains(&after, value));
            let others: Values = others.filter(|value| !dying.contains(value)).collect();
            dying.extend(others);
        }
        let moved = self.consume(&uses, &looks, (now, &after), point, out);
        self.sets.push(after);
        let mut code = Vec::new();
        let is_select = self.func.insts[inst].op == Opcode::Select;
        for &result in &results {
            let is_live = self.live.contains(behind, result);
            self.live.insert(now, result);
            // A reference that may be one or another is one more.
            if is_live && is_select && self.class(result, point) == Class::Owned {
                self.count(Opcode::Retain, result, &mut code);
            } else if !is_live && !is_select {
                dying.push(result);
            }
        }
        let here = Point { at: point.at + 1, ..point };
        self.kill((&dying, &moved), (now, behind), here, out, &mut code);
        // What dies at the end of the function: nothing comes after that.
        if ends {
            out.append(&mut code);
        }
        out.push(inst);
        out.extend(code);
        now.copy_from_slice(behind);
    }

    fn edge(&mut self, point: Point, index: usize, now: &[u64]) -> Vec<Inst> {
        let target = self.func.blocks[point.block].edges[index].block;
        // Nobody needs the memory of a program that stops.
        if self.rc_insertion == RcInsertion::Precise && self.is_dead_end(target) {
            return Vec::new();
        }
        let after = self.live_in(target);
        let edge = &self.func.blocks[point.block].edges[index];
        let pairs = self.func.edge_args(edge).iter().zip(self.func.params(target));
        let owns = |param: Value| self.classes.of(param) == Class::Owned && !self.is_protected(param, &after);
        let uses: Values = pairs.filter(|&(_, &param)| owns(param)).map(|(&arg, _)| arg).collect();
        let dying: Values = self.live.values(now).filter(|&value| !self.live.contains(&after, value)).collect();
        let (mut code, mut drops) = (Vec::new(), Vec::new());
        let moved = self.consume(&uses, &[], (now, &after), point, &mut code);
        self.kill((&dying, &moved), (now, &after), point, &mut code, &mut drops);
        code.extend(drops);
        self.sets.push(after);
        code
    }
}
