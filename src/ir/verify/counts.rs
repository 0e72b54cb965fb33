//! The certifier of the reference-counted heap: proves that rooted code keeps the rules of counting, without the code
//! of the passes that make it.
//!
//! A function owns some references: its parameters but those that it borrows, what it builds, what calls return, what
//! it retains. On every path each of them is consumed exactly once: stored in a new node, returned, passed on, handed
//! to the parameter of a block, or released. So is every token. A reference may be looked at while it is *alive*: the
//! function owns it, or borrows it, or it was read from a node that is alive. (Nodes are never overwritten; what they
//! refer to lives as long as they do.)
//!
//! Runtime functions borrow their operands, but the first one if they have the effect `takes`, and give a reference
//! that is the caller's. What is called through a table borrows what the first function of its list borrows; the
//! verifier sees to it that all others do.
//!
//! A *hole* is owned, too, and is given on or filled exactly once. A node becomes one where it has been built: nobody
//! else refers to it yet, and the field is static, so that nothing is lost when it is overwritten.
//!
//! Static references need no counting, and neither do those that a branch has found to be a node without fields:
//! consuming them is free, and they need not be consumed.
//!
//! The state at a point is the number of references owned by each name. Paths that meet must agree on it.

use super::report::{Location, Sink, VerifyError, callee};
use crate::call_target::CallTarget;
use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Desc, Inst, Value};
use crate::func::{Func, InstData, pack};
use crate::layout::Shape;
use crate::liveness::Liveness;
use crate::module::Module;
use crate::opcode::{Count, Flags, ImmKind, Opcode};
use crate::ownership::{ResultOwner, Taken};
use crate::types::Type;

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use std::collections::BTreeMap;

/// Owned references and tokens by name; those that are not listed are none.
type State = BTreeMap<Value, u32>;
/// A set of parameters.
type Params = SecondaryMap<Value, bool>;

/// References and words of the node that an instruction reads, as `drop` and the like write them.
fn payload_of(data: &InstData) -> u64 {
    let Shape { ptrs, nptrs, .. } = data.field_shape();
    pack(ptrs, nptrs)
}

struct Certifier<'a> {
    module: &'a Module,
    func: &'a Func,
    cfg: &'a Cfg,
    dom: DomTree,
    sink: Sink<'a>,
    defs: SecondaryMap<Value, Option<(Block, Inst)>>,
    borrowed: Params,
    /// Of borrowed parameters of blocks, what keeps alive what they refer to, if the function does that.
    borrow_sources: SecondaryMap<Value, PackedOption<Value>>,
    /// Values that are holes.
    holes: Params,
    /// Block parameters that are always static.
    statics: Params,
    /// Live references.
    live: Liveness,
    /// Rows that are known from a block on, of values.
    rows: SecondaryMap<Value, Vec<(Block, Desc, u32)>>,
    /// Fields that are read of a value: where, and the shape.
    reads: SecondaryMap<Value, Vec<(Block, usize, u64)>>,
}

/// Proves that a rooted function of a program on the reference-counted heap keeps the rules.
pub fn check(module: &Module, func: &Func) -> Result<(), Vec<VerifyError>> {
    check_with(module, func, &Cfg::compute(func))
}

pub(super) fn check_with(module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
    let mut certifier = Certifier {
        module,
        func,
        cfg,
        dom: DomTree::compute(cfg),
        live: Liveness::compute(func, cfg, |value| func.values[value] == Type::Ref),
        sink: Sink::new(module, func),
        defs: SecondaryMap::new(),
        borrowed: Params::new(),
        borrow_sources: SecondaryMap::new(),
        holes: Params::new(),
        statics: Params::new(),
        rows: SecondaryMap::new(),
        reads: SecondaryMap::new(),
    };
    certifier.collect();
    certifier.join_atoms();
    let mut ends: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
    for &block in &cfg.order {
        let mut state = certifier.start(block, &ends);
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            certifier.inst(block, at, inst, &mut state);
        }
        ends[block] = Some(state);
    }
    let mut starts: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
    for &block in &cfg.order {
        certifier.meet(block, &ends, &mut starts);
    }
    certifier.sink.finish()
}

impl Certifier<'_> {
    fn collect(&mut self) {
        let func = self.func;
        let params = func.params(func.entry_block());
        for &number in &func.borrows {
            self.borrowed[params[number as usize]] = true;
        }
        for &number in &func.holes {
            self.holes[params[number as usize]] = true;
        }
        for &block in &self.cfg.order {
            for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
                for &result in func.results(inst) {
                    self.defs[result] = Some((block, inst));
                }
                let data = &func.insts[inst];
                if data.op.info().imm == ImmKind::Field && !matches!(data.op, Opcode::OpenHole | Opcode::MoveHole) {
                    self.reads[func.args(inst)[0]].push((block, at, payload_of(data)));
                }
            }
        }
        self.note_borrow_sources();
        self.follow_holes();
        for &block in &self.cfg.order[1..] {
            if let [before] = self.cfg.preds[block][..]
                && let Some((value, desc, applied_args)) = self.compared(before, block)
            {
                self.rows[value].push((block, desc, applied_args));
            }
        }
        // Parameters of blocks that only get what is static are static.
        self.statics = self.closed(|certifier, (from, to), value, candidates| {
            let is_atom = certifier.is_free(value, from) || certifier.compared_free(from, to, value);
            is_atom || certifier.is_static(value, candidates)
        });
    }

    /// What is lent has been there before the parameter, so that names that are lent make no circle.
    fn note_borrow_sources(&mut self) {
        let func = self.func;
        if func.borrowed.is_empty() {
            return;
        }
        let mut homes: SecondaryMap<Value, PackedOption<Block>> = SecondaryMap::new();
        for &block in &self.cfg.order {
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            func.params(block).iter().chain(results).for_each(|&value| homes[value] = block.into());
        }
        for &(param, borrow_source) in &func.borrowed {
            let Some(home) = homes[param].expand() else { continue };
            let is_before = |borrow_source: Value| {
                let from = homes[borrow_source].expand();
                from.is_some_and(|from| from != home && self.dom.dominates(from, home))
            };
            if func.values[param] != Type::Ref || !borrow_source.is_none_or(is_before) {
                self.sink.push(Location::Block(home), format!("{param} cannot be borrowed"));
                continue;
            }
            self.borrowed[param] = true;
            self.borrow_sources[param] = borrow_source.into();
        }
    }

    /// Borrowed from the callers, or from static storage.
    fn is_theirs(&self, value: Value) -> bool {
        let is_stored = |(_, inst): (Block, Inst)| self.func.insts[inst].op == Opcode::PeekCafRef;
        self.borrowed[value] && self.borrow_sources[value].is_none() || self.defs[value].is_some_and(is_stored)
    }

    /// May an argument be passed to a borrowed parameter?
    fn is_lent(&self, arg: Value, param: Value) -> bool {
        let borrow_source = self.borrow_sources[param].expand();
        self.comes_from(arg, &|value| {
            let is_kept = borrow_source.map_or(self.is_theirs(value), |borrow_source| value == borrow_source);
            is_kept || self.is_static(value, &self.statics)
        })
    }

    /// Parameters of blocks to which a hole is passed are holes.
    fn follow_holes(&mut self) {
        let func = self.func;
        for &block in &self.cfg.order {
            for &inst in &func.blocks[block].insts {
                if matches!(func.insts[inst].op, Opcode::OpenHole | Opcode::MoveHole) {
                    self.holes[func.result(inst)] = true;
                }
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in self.cfg.order.iter().flat_map(|&block| &func.blocks[block].edges) {
                for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                    if self.holes[arg] && !self.holes[param] {
                        (self.holes[param], changed) = (true, true);
                    }
                }
            }
        }
    }

    /// A name that owns what it is given.
    fn takes(&self, param: Value) -> bool {
        self.holes[param] || self.func.values[param] == Type::Ref && !self.borrowed[param]
    }

    /// A node whose field becomes a hole: fresh, and the field refers to something static.
    fn open(&mut self, at: Location, block: Block, inst: Inst, node: Value, state: &State) {
        let func = self.func;
        let data = &func.insts[inst];
        let built = self.defs[node].map(|(home, inst)| (home, &func.insts[inst]));
        let field = built.filter(|&(home, _)| home == block).and_then(|(_, built)| {
            let args = built.args.as_slice(&func.pool);
            if built.op != Opcode::BuildNode && built.op != Opcode::Reuse {
                return None;
            }
            let fields = &args[usize::from(built.op == Opcode::Reuse)..];
            let (ptrs, nptrs) = self.module.payload(built.desc(), built.aux);
            (pack(ptrs, nptrs) == payload_of(data)).then(|| fields.get(data.aux as usize)).flatten()
        });
        match field {
            Some(&field) if self.is_static(field, &self.statics) && state.get(&node) == Some(&1) => {}
            _ => self.sink.push(at, format!("{node} has no such hole: it is not new, or the field not static")),
        }
    }

    /// Where paths meet on all of which a value has no fields, that goes on.
    fn join_atoms(&mut self) {
        let compared: Vec<Value> =
            self.rows.iter().filter(|(_, rows)| !rows.is_empty()).map(|(value, _)| value).collect();
        for &block in &self.cfg.order[1..] {
            let before = &self.cfg.preds[block];
            if before.len() < 2 || before.iter().any(|&before| self.cfg.is_back_edge(before, block)) {
                continue;
            }
            for &value in &compared {
                let is_atom = |&before: &Block| self.is_free(value, before) || self.compared_free(before, block, value);
                if !self.is_free(value, block) && before.iter().all(is_atom) {
                    let atom = self.rows[value]
                        .iter()
                        .copied()
                        .find(|&(_, desc, applied_args)| self.module.payload(desc, applied_args) == (0, 0));
                    self.rows[value].extend(atom.map(|(_, desc, applied_args)| (block, desc, applied_args)));
                }
            }
        }
    }

    /// The largest set of block parameters to which only values are passed that belong to it, as `belongs` says.
    fn closed(&self, belongs: impl Fn(&Self, (Block, Block), Value, &Params) -> bool) -> Params {
        let func = self.func;
        let mut candidates = Params::new();
        for &block in &self.cfg.order[1..] {
            for &param in func.params(block).iter().filter(|&&param| func.values[param] == Type::Ref) {
                candidates[param] = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.cfg.order {
                for edge in &func.blocks[block].edges {
                    for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                        if candidates[param] && !belongs(self, (block, edge.block), arg, &candidates) {
                            (candidates[param], changed) = (false, true);
                        }
                    }
                }
            }
        }
        candidates
    }

    fn is_static(&self, value: Value, candidates: &Params) -> bool {
        self.comes_from(value, &|value| {
            let def = self.defs[value].map(|(_, inst)| self.func.insts[inst].op);
            candidates[value] || def.is_some_and(|op| op.any(Flags::STATIC))
        })
    }

    /// True if `is` holds of a value, or of what it was read or chosen from.
    fn comes_from(&self, mut value: Value, is: &impl Fn(Value) -> bool) -> bool {
        while !is(value) {
            if let Some(borrow_source) = self.borrow_sources[value].expand() {
                value = borrow_source;
                continue;
            }
            let Some((_, inst)) = self.defs[value] else { return false };
            let args = self.func.args(inst);
            value = match self.func.insts[inst].op.result_owner() {
                ResultOwner::Inside => args[0],
                ResultOwner::Choice if self.comes_from(args[1], is) => args[2],
                ResultOwner::Choice | ResultOwner::Own | ResultOwner::Static | ResultOwner::Storage => return false,
            }
        }
        true
    }

    /// The row that the header of a value has where a branch leads to this block.
    fn compared(&self, from: Block, to: Block) -> Option<(Value, Desc, u32)> {
        let func = self.func;
        let branch = func.terminator(from).filter(|&inst| func.insts[inst].op == Opcode::BrIf)?;
        let (_, test) = self.defs[func.args(branch)[0]]?;
        let number = func.insts[test].op.edge_of_equality()?;
        let edges = &func.blocks[from].edges;
        if edges[number].block != to || edges[1 - number].block == to {
            return None;
        }
        let [a, b] = *func.args(test) else { return None };
        let (first, second) = (self.defs[a]?.1, self.defs[b]?.1);
        for (header, row) in [(first, second), (second, first)] {
            if func.insts[header].op == Opcode::Header && func.insts[row].op == Opcode::NodeInfoAddr {
                return Some((func.args(header)[0], func.insts[row].desc(), func.insts[row].aux));
            }
        }
        None
    }

    /// True if nothing counts references to the value here.
    fn is_free(&self, value: Value, block: Block) -> bool {
        let is_atom = |&(from, desc, applied_args): &(Block, Desc, u32)| {
            self.module.payload(desc, applied_args) == (0, 0) && self.dom.dominates(from, block)
        };
        self.is_static(value, &self.statics) || self.rows[value].iter().any(is_atom)
    }

    fn owns(&self, state: &State, value: Value) -> bool {
        state.get(&value).is_some_and(|&count| count > 0)
    }

    /// May the value be looked at?
    fn is_alive(&self, value: Value, block: Block, state: &State) -> bool {
        self.comes_from(value, &|at| self.is_theirs(at) || self.owns(state, at) || self.is_free(at, block))
    }

    fn look(&mut self, at: Location, value: Value, block: Block, state: &State) {
        if !self.is_alive(value, block, state) {
            self.sink.push(at, format!("{value} is used, but may have been freed"));
        }
    }

    fn consume(&mut self, at: Location, value: Value, block: Block, state: &mut State) {
        match state.get_mut(&value) {
            Some(count) if *count > 0 => {
                *count -= 1;
                if *count == 0 {
                    state.remove(&value);
                }
            }
            _ if self.is_free(value, block) => {}
            _ => self.sink.push(at, format!("{value} is consumed, but not owned")),
        }
    }

    /// The state where control enters a block, from what has been seen of the blocks before.
    fn start(&mut self, block: Block, ends: &SecondaryMap<Block, Option<State>>) -> State {
        let mut state = match self.cfg.order[0] == block {
            true => {
                let owned = self.func.params(block).iter().filter(|&&param| self.takes(param));
                owned.map(|&param| (param, 1)).collect()
            }
            false => {
                let mut state = State::new();
                for &before in &self.cfg.preds[block] {
                    let Some(end) = &ends[before] else { continue };
                    for (index, edge) in self.func.blocks[before].edges.iter().enumerate() {
                        if edge.block == block {
                            let arrived = self.along(before, index, end, false);
                            arrived.into_iter().for_each(|(value, count)| {
                                state.entry(value).or_insert(count);
                            });
                        }
                    }
                }
                state
            }
        };
        state.retain(|&value, _| !self.is_free(value, block));
        // Of a node without fields there are as many references as are wanted: where it is not known any more that it
        // is one, and the value lives on, the function owns one.
        let arrives = |value: Value| {
            let before = self.cfg.preds[block].iter().filter(|&&before| ends[before].is_some());
            before.into_iter().all(|&before| self.is_free(value, before) || self.compared_free(before, block, value))
        };
        if self.cfg.order[0] != block {
            let live: Vec<Value> = self.live.values(self.live.live_in(block)).collect();
            for value in live {
                if !self.is_alive(value, block, &state) && arrives(value) {
                    state.insert(value, 1);
                }
            }
        }
        state
    }

    /// What the function owns after an edge.
    fn along(&mut self, block: Block, index: usize, end: &State, reports: bool) -> State {
        let func = self.func;
        let edge = &func.blocks[block].edges[index];
        let at = func.terminator(block).map_or(Location::Block(block), |inst| Location::Inst(block, inst));
        let mut state = end.clone();
        for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
            let takes = self.takes(param);
            if self.compared_free(block, edge.block, arg) {
                continue;
            }
            if reports && self.borrowed[param] && !self.is_lent(arg, param) && !self.is_free(arg, block) {
                self.sink.push(at, format!("{arg} is passed to {param}, but nobody keeps it alive for that"));
            }
            if takes && reports {
                self.consume(at, arg, block, &mut state);
            } else if takes && let Some(count) = state.get_mut(&arg) {
                // Passing more than is owned is reported when the states are known.
                *count = count.saturating_sub(1);
            }
            if func.values[param] == Type::I32 && self.owns(&state, arg) && reports {
                self.sink.push(at, format!("the token {arg} is passed on"));
            }
        }
        state.retain(|&value, count| *count > 0 && !self.compared_free(block, edge.block, value));
        // A name that is defined anew in a loop had better own nothing before.
        for &param in func.params(edge.block) {
            if self.takes(param) {
                if reports && self.owns(&state, param) {
                    self.sink.push(at, format!("{param} is still owned where it gets another value"));
                }
                state.insert(param, 1);
            }
        }
        state
    }

    /// All edges of a block lead to where the same is expected.
    fn meet(
        &mut self,
        block: Block,
        ends: &SecondaryMap<Block, Option<State>>,
        starts: &mut SecondaryMap<Block, Option<State>>,
    ) {
        let func = self.func;
        let Some(end) = &ends[block] else { return };
        for index in 0..func.blocks[block].edges.len() {
            let target = func.blocks[block].edges[index].block;
            let mut arrived = self.along(block, index, end, true);
            arrived.retain(|&value, _| !self.is_free(value, target));
            if starts[target].is_none() {
                starts[target] = Some(self.start(target, ends));
            }
            let Some(expected) = &starts[target] else { continue };
            let at = func.terminator(block).map_or(Location::Block(block), |inst| Location::Inst(block, inst));
            for (&value, &count) in expected {
                let given = arrived.get(&value).copied().unwrap_or(0);
                // Where nobody counts the references there are as many as are wanted.
                let enough = self.is_free(value, block) || self.compared_free(block, target, value);
                if given != count && !(enough && given == 0) {
                    let what = format!("{value} is owned {given} times on the way to {target}, elsewhere {count}");
                    self.sink.push(at, what);
                }
            }
            for (&value, &count) in &arrived {
                let definition = self.defs[value].map(|(home, _)| home);
                let here = definition.is_none_or(|home| self.dom.dominates(home, target));
                if !expected.contains_key(&value) || !here {
                    self.sink.push(at, format!("{value} is owned {count} times on the way to {target}: lost"));
                }
            }
        }
    }

    fn compared_free(&self, from: Block, to: Block, value: Value) -> bool {
        let row = self.compared(from, to).filter(|known| known.0 == value);
        row.is_some_and(|(_, desc, applied_args)| self.module.payload(desc, applied_args) == (0, 0))
    }

    /// True if a node is known to have this shape before an instruction.
    fn has_shape(&self, value: Value, shape: u64, block: Block, before: usize) -> bool {
        let payload = |desc, applied_args| {
            let (ptrs, nptrs) = self.module.payload(desc, applied_args);
            ptrs as u64 | (nptrs as u64) << 32
        };
        let reaches = |from: Block, at: usize| match from == block {
            true => at < before,
            false => self.dom.dominates(from, block),
        };
        let built = self.defs[value].map(|(_, inst)| &self.func.insts[inst]);
        let built = built.filter(|data| matches!(data.op, Opcode::BuildNode | Opcode::Reuse));
        built.is_some_and(|data| payload(data.desc(), data.aux) == shape)
            || self.reads[value].iter().any(|&(from, at, read)| read == shape && reaches(from, at))
            || self.rows[value].iter().any(|&(from, desc, applied_args)| {
                payload(desc, applied_args) == shape && self.dom.dominates(from, block)
            })
    }

    /// At the end of the function nothing is owned.
    fn finish(&mut self, at: Location, state: &mut State) {
        for (value, count) in std::mem::take(state) {
            self.sink.push(at, format!("{value} is still owned {count} times at the end"));
        }
    }

    fn inst(&mut self, block: Block, number: usize, inst: Inst, state: &mut State) {
        let func = self.func;
        let data = &func.insts[inst];
        let at = Location::Inst(block, inst);
        let args = func.args(inst);
        let is_ref = |value: &&Value| func.values[**value] == Type::Ref;
        match Count::of(data.op) {
            Some(Count::Retain) => {
                self.look(at, args[0], block, state);
                *state.entry(args[0]).or_insert(0) += 1;
                state.retain(|&value, _| !(value == args[0] && self.is_free(value, block)));
            }
            Some(Count::Release) => self.consume(at, args[0], block, state),
            Some(Count::UnpackRelease | Count::Reset | Count::ResetOrAlloc) => {
                let (node, kept) = (args[0], &args[1..]);
                if !self.has_shape(node, data.imm, block, number) {
                    self.sink.push(at, format!("{node} is not known to have this shape"));
                }
                self.look(at, node, block, state);
                self.consume(at, node, block, state);
                let mut fields = Vec::new();
                for &value in kept {
                    let read = self.defs[value].map(|(_, inst)| inst).filter(|&read| {
                        let of = &func.insts[read];
                        of.op == Opcode::GetRef && payload_of(of) == data.imm && func.args(read)[0] == node
                    });
                    match read.map(|read| func.insts[read].aux) {
                        Some(field) if !fields.contains(&field) => fields.push(field),
                        _ => self.sink.push(at, format!("{value} is not read from a field of {node} of its own")),
                    }
                    *state.entry(value).or_insert(0) += 1;
                }
            }
            Some(Count::Reuse | Count::FreeToken) => {
                let (ptrs, nptrs) = if data.op == Opcode::Reuse {
                    self.module.payload(data.desc(), data.aux)
                } else {
                    (data.imm as u32, (data.imm >> 32) as u32)
                };
                let class = self.module.cell_sizes.class(ptrs, nptrs);
                let reset = self.defs[args[0]].map(|(_, inst)| &func.insts[inst]);
                match reset.filter(|reset| reset.op.is_reset()) {
                    Some(reset)
                        if self.module.cell_sizes.class(reset.imm as u32, (reset.imm >> 32) as u32) == class => {}
                    Some(_) => self.sink.push(at, format!("{} has another size", args[0])),
                    None => self.sink.push(at, format!("{} is no token", args[0])),
                }
                self.consume(at, args[0], block, state);
                for &arg in args[1..].iter().filter(is_ref) {
                    self.consume(at, arg, block, state);
                }
            }
            Some(Count::OpenHole | Count::MoveHole | Count::FillHole) => {
                if let Some(&hole) = args.first().filter(|_| data.op != Opcode::OpenHole) {
                    self.consume(at, hole, block, state);
                }
                let object = args[args.len() - 1];
                if data.op != Opcode::FillHole {
                    self.open(at, block, inst, object, state);
                }
                self.consume(at, object, block, state);
            }
            Some(Count::ExchangeRef) => {
                self.consume(at, args[1], block, state);
                self.look(at, args[0], block, state);
            }
            Some(Count::GetRetained) => self.look(at, args[0], block, state),
            None => self.uncounted(block, inst, state),
        }
        for &result in func.results(inst) {
            let is_owned = data.op.is_reset()
                || data.op.makes_hole()
                || func.values[result] == Type::Ref && data.op.result_owner() == ResultOwner::Own;
            if self.owns(state, result) {
                self.sink.push(at, format!("{result} is still owned where it gets another value"));
            }
            if is_owned {
                state.insert(result, 1);
            }
        }
    }

    /// The operands of an instruction that does more than to count.
    fn uncounted(&mut self, block: Block, inst: Inst, state: &mut State) {
        let func = self.func;
        let data = &func.insts[inst];
        let at = Location::Inst(block, inst);
        let args = func.args(inst);
        let is_ref = |value: &&Value| func.values[**value] == Type::Ref;
        match data.taken() {
            Taken::All if data.op != Opcode::Return => {
                args.iter().filter(is_ref).for_each(|&arg| self.consume(at, arg, block, state))
            }
            Taken::All | Taken::ByCallee => {
                let (called, args) = match data.call_target() {
                    Some(CallTarget::Func(called)) => (Some(called), args),
                    Some(CallTarget::Table(table)) => {
                        (self.module.tables.get(table).and_then(|table| table.funcs.first().copied()), &args[1..])
                    }
                    Some(CallTarget::Extern(..) | CallTarget::Method(_) | CallTarget::Closure) => (None, args),
                    Some(CallTarget::Thunk | CallTarget::Entry) | None => (None, args),
                };
                let called = called.and_then(|called| callee(self.module, func, called));
                let borrows = called.map_or(&[][..], |called| &called.borrows);
                for (i, &arg) in args.iter().enumerate().filter(|(_, arg)| func.values[**arg] == Type::Ref) {
                    if !borrows.contains(&(i as u32)) {
                        self.consume(at, arg, block, state);
                    }
                }
                let is_known = matches!(data.op, Opcode::Call | Opcode::TailCall);
                let holes = called.filter(|_| is_known).map_or(&[][..], |called| &called.holes);
                for (i, &arg) in args.iter().enumerate() {
                    match (self.holes[arg], holes.contains(&(i as u32))) {
                        (_, true) => self.consume(at, arg, block, state),
                        (true, false) => self.sink.push(at, format!("the hole {arg} is given to nobody who fills it")),
                        _ => {}
                    }
                }
                // What is lent must be there when the rest has been given away, and in a tail call that is all.
                for (i, &arg) in args.iter().enumerate().filter(|(_, arg)| func.values[**arg] == Type::Ref) {
                    if borrows.contains(&(i as u32)) {
                        self.look(at, arg, block, state);
                    }
                }
                if data.op.is_terminator() {
                    self.finish(at, state);
                }
            }
            Taken::First => {
                self.consume(at, args[0], block, state);
                args[1..].iter().filter(is_ref).for_each(|&arg| self.look(at, arg, block, state));
            }
            Taken::Nothing | Taken::ButFirst => {
                if !data.op.writes().is_empty() && matches!(data.op, Opcode::SetRef | Opcode::StoreRef) {
                    self.sink.push(at, "a reference is overwritten".into());
                }
                args.iter().filter(is_ref).for_each(|&arg| self.look(at, arg, block, state));
            }
        }
    }
}
