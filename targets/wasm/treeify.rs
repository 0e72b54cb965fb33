//! Expression trees: which values are consumed from the operand stack right where they are computed.
//!
//! The result is, for every block, the sequence of `Item`s in the order of execution: instructions, and reads and
//! writes of the values that need a local. A value with one use sits directly in the operands of its user; one with
//! several uses is moved to the first of them and kept by a *tee* there. Constants have no local at all. Several
//! results of one call stay on the stack if they are the operands of one instruction, in their order.
//!
//! Method, after LLVM's register stackifier, in one backward walk per block: instructions are *placed* from the last
//! to the first; when an instruction is placed its operands are placed before it, from the last to the first,
//! wherever nothing that is still unplaced stands in the way. What may pass what follows from four classes of effects
//! (`classes`); writes of a class are never reordered among each other, nor with reads of it, so that one stack per
//! class tells the latest unplaced read and write, and the whole is linear.
//!
//! Arguments of edges count as the last operands of a block. With several edges only what has no effect may sink into
//! one of them.
//!
//! Invariant established: reading the items of a block in order, every `Get` comes after the `Set` or `Tee` of its
//! value, in this block or in a dominating one. Weakness: nothing moves between blocks.

use crate::isel::{Def, Folded, Node};
use cleave_ir::cfg::Cfg;
use cleave_ir::runtime::unpack_extern;
use cleave_ir::{Block, Effects, EntityRef, Flags, Func, Inst, Memory, Opcode, Value};

/// A step of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// The operands are on the stack, the results will be.
    Inst(Inst),
    Get(Value),
    /// The last read of a value in its block.
    GetLast(Value),
    Set(Value),
    Tee(Value),
    Drop,
}

/// An argument of an edge: items `start..end` compute it for `param`.
#[derive(Clone, Copy, Debug)]
pub struct EdgeArg {
    pub param: Value,
    pub start: u32,
    pub end: u32,
}

/// Bits of effect classes: objects, shadow stack, heap pointer and limit, everything else (control, the world).
mod class {
    pub const HEAP: u8 = 1;
    pub const SHADOW: u8 = 2;
    pub const POINTER: u8 = 4;
    pub const WORLD: u8 = 8;
    pub const ALL: u8 = 15;
    pub const COUNT: usize = 4;
}

/// More pending operands than this and values go through locals: keeps operand stacks shallow.
const MAX_PENDING: usize = 48;

/// Items and uses of one function, and the scratch memory to compute them.
#[derive(Default)]
pub struct Trees {
    /// Each range of items is stored back to front.
    items: Vec<Item>,
    body: Vec<(u32, u32)>,
    /// For each block its first edge in `edge_args`.
    edge_base: Vec<u32>,
    edge_ranges: Vec<(u32, u32)>,
    edge_args: Vec<EdgeArg>,
    /// Uses in needed instructions and edges.
    uses: Vec<u32>,
    /// Uses in the defining block that are not placed yet.
    remaining: Vec<u32>,
    needed: Vec<bool>,
    placed: Vec<bool>,
    position: Vec<u32>,
    /// Block in which the backward walk met a read of the value last.
    seen: Vec<u32>,
    /// Values that are read in blocks other than their own: (value, block).
    pub crossing: Vec<(Value, Block)>,
    reads: [Vec<Inst>; class::COUNT],
    writes: [Vec<Inst>; class::COUNT],
    pending: Vec<Value>,
    marks: Vec<Value>,
    stamp: Vec<u32>,
}

/// Effect classes that a node reads and writes.
fn classes(folded: &Folded, inst: Inst, node: &Node) -> (u8, u8) {
    let op = node.op;
    if op == Opcode::CallRt {
        let effects = unpack_extern(node.imm).1;
        return match effects {
            Effects::PURE => (0, 0),
            Effects::READS => (class::HEAP, 0),
            _ => (class::ALL, class::ALL),
        };
    }
    if op.is_pure() {
        return (0, 0);
    }
    if op.any(Flags::CALL.union(Flags::TERMINATOR)) {
        return (class::ALL, class::ALL);
    }
    // An access to the frame is recognised by its address.
    let area = if op.is_access() { area(folded, inst) } else { class::HEAP };
    let of = |memory: Memory| {
        let objects = if memory.any(Memory::OBJECTS) { area } else { 0 };
        objects | if memory.any(Memory::LIMIT) { class::POINTER } else { 0 }
    };
    let traps = if op.any(Flags::TRAPS) { class::WORLD } else { 0 };
    let allocates = if op.any(Flags::ALLOCATES) { class::POINTER } else { 0 };
    (of(op.reads()) | traps, of(op.writes()) | allocates)
}

fn area(folded: &Folded, inst: Inst) -> u8 {
    if folded.is_shadow(folded.args(inst)[0]) { class::SHADOW } else { class::HEAP }
}

/// Constants and the shadow-stack pointer are produced at each use.
fn is_rematerialised(op: Opcode) -> bool {
    op.is_constant() || op == Opcode::ShadowPointer
}

fn reset<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    vec.clear();
    vec.resize(len, value);
}

impl Trees {
    /// Items of a block up to and including the operands of its terminator (and the terminator, if it is a call).
    pub fn body(&self, block: Block) -> impl DoubleEndedIterator<Item = Item> + '_ {
        let (start, end) = self.body[block.index()];
        self.slice(start, end)
    }
    pub fn slice(&self, start: u32, end: u32) -> impl DoubleEndedIterator<Item = Item> + '_ {
        self.items[start as usize..end as usize].iter().rev().copied()
    }
    /// Arguments of edge `edge` of `block` for the parameters that are needed.
    pub fn edge(&self, block: Block, edge: usize) -> &[EdgeArg] {
        let (start, end) = self.edge_ranges[self.edge_base[block.index()] as usize + edge];
        &self.edge_args[start as usize..end as usize]
    }
    /// The only item of an argument, if it is just a read.
    pub fn plain_read(&self, arg: &EdgeArg) -> Option<Value> {
        match self.items[arg.start as usize..arg.end as usize] {
            [Item::Get(value) | Item::GetLast(value)] => Some(value),
            _ => None,
        }
    }
    pub fn uses(&self, value: Value) -> u32 {
        self.uses[value.index()]
    }

    /// Builds the items of all reachable blocks.
    pub fn run(&mut self, func: &Func, cfg: &Cfg, folded: &Folded) {
        self.mark(func, cfg, folded);
        let (blocks, values, insts) = (func.blocks.len(), func.values.len(), func.insts.len());
        self.items.clear();
        self.edge_ranges.clear();
        self.edge_args.clear();
        self.crossing.clear();
        reset(&mut self.body, blocks, (0, 0));
        reset(&mut self.edge_base, blocks, 0);
        reset(&mut self.placed, insts, false);
        reset(&mut self.position, insts, 0);
        reset(&mut self.seen, values, u32::MAX);
        for &block in &cfg.order {
            self.block(func, folded, block);
        }
    }

    /// Finds the needed instructions and counts uses.
    fn mark(&mut self, func: &Func, cfg: &Cfg, folded: &Folded) {
        let values = func.values.len();
        reset(&mut self.uses, values, 0);
        reset(&mut self.remaining, values, 0);
        reset(&mut self.needed, func.insts.len(), false);
        reset(&mut self.stamp, func.blocks.len(), u32::MAX);
        self.marks.clear();
        for &block in &cfg.order {
            for &inst in &func.blocks[block].insts {
                let node = folded.node(inst);
                let is_call_rt = node.op == Opcode::CallRt;
                if if is_call_rt { classes(folded, inst, node).1 != 0 } else { !node.op.is_removable() } {
                    self.need(folded, inst);
                }
            }
        }
        while let Some(value) = self.marks.pop() {
            match folded.def(value) {
                Def::None => {}
                Def::Inst(inst) => self.need(folded, inst),
                Def::Param(block) => {
                    let index = func.params(block).iter().position(|&p| p == value).expect("parameter of its block");
                    for &pred in &cfg.preds[block] {
                        if std::mem::replace(&mut self.stamp[pred.index()], value.as_u32()) == value.as_u32() {
                            continue;
                        }
                        for edge in func.blocks[pred].edges.iter().filter(|e| e.block == block) {
                            self.count(folded, folded.resolve(func.edge_args(edge)[index]), pred);
                        }
                    }
                }
            }
        }
    }

    fn need(&mut self, folded: &Folded, inst: Inst) {
        if !std::mem::replace(&mut self.needed[inst.index()], true) {
            let block = folded.node(inst).block;
            for &arg in folded.args(inst) {
                self.count(folded, arg, block);
            }
        }
    }

    fn count(&mut self, folded: &Folded, value: Value, block: Block) {
        let uses = &mut self.uses[value.index()];
        *uses += 1;
        if *uses == 1 {
            self.marks.push(value);
        }
        let own = match folded.def(value) {
            Def::Inst(inst) => folded.node(inst).block,
            Def::Param(block) => block,
            Def::None => return,
        };
        if own == block {
            self.remaining[value.index()] += 1;
        }
    }

    fn block(&mut self, func: &Func, folded: &Folded, block: Block) {
        let data = &func.blocks[block];
        for list in self.reads.iter_mut().chain(&mut self.writes) {
            list.clear();
        }
        for (position, &inst) in data.insts.iter().enumerate() {
            self.position[inst.index()] = position as u32;
            if self.needed[inst.index()] {
                let (reads, writes) = classes(folded, inst, folded.node(inst));
                if reads | writes == 0 {
                    continue;
                }
                for c in 0..class::COUNT {
                    if reads >> c & 1 != 0 {
                        self.reads[c].push(inst);
                    }
                    if writes >> c & 1 != 0 {
                        self.writes[c].push(inst);
                    }
                }
            }
        }
        // Terminators come last whatever happens: they take no part in the ordering.
        let Some((&terminator, insts)) = data.insts.split_last() else { return };
        self.place_mark(terminator);
        self.edges(func, folded, block);
        let start = self.items.len() as u32;
        let op = folded.node(terminator).op;
        if !op.any(Flags::BRANCH) && !matches!(op, Opcode::Return | Opcode::Unreachable) {
            self.items.push(Item::Inst(terminator));
        }
        self.pending.extend_from_slice(folded.args(terminator));
        self.operands(func, folded, block, false);
        for &inst in insts.iter().rev() {
            if self.needed[inst.index()] && !self.placed[inst.index()] && !is_rematerialised(folded.node(inst).op) {
                self.place_mark(inst);
                for &result in func.results(inst) {
                    let item = if self.uses[result.index()] > 0 { Item::Set(result) } else { Item::Drop };
                    self.items.push(item);
                }
                self.items.push(Item::Inst(inst));
                self.pending.extend_from_slice(folded.args(inst));
                self.operands(func, folded, block, false);
            }
        }
        self.body[block.index()] = (start, self.items.len() as u32);
    }

    fn edges(&mut self, func: &Func, folded: &Folded, block: Block) {
        let edges = &func.blocks[block].edges;
        let base = self.edge_ranges.len();
        self.edge_base[block.index()] = base as u32;
        self.edge_ranges.resize(base + edges.len(), (0, 0));
        let conditional = edges.len() > 1;
        for (k, edge) in edges.iter().enumerate().rev() {
            let first = self.edge_args.len();
            for (&param, &arg) in func.params(edge.block).iter().zip(func.edge_args(edge)).rev() {
                if self.uses[param.index()] == 0 {
                    continue;
                }
                let start = self.items.len() as u32;
                self.pending.push(folded.resolve(arg));
                self.operands(func, folded, block, conditional);
                self.edge_args.push(EdgeArg { param, start, end: self.items.len() as u32 });
            }
            self.edge_args[first..].reverse();
            self.edge_ranges[base + k] = (first as u32, self.edge_args.len() as u32);
        }
    }

    /// Places all pending operands, the last one first.
    fn operands(&mut self, func: &Func, folded: &Folded, block: Block, conditional: bool) {
        while let Some(value) = self.pending.pop() {
            let def = folded.def(value);
            if let Def::Inst(inst) = def {
                let node = folded.node(inst);
                if is_rematerialised(node.op) {
                    self.items.push(Item::Inst(inst));
                    continue;
                }
                if node.block == block {
                    self.remaining[value.index()] -= 1;
                    if self.remaining[value.index()] == 0
                        && self.are_operands(func.results(inst))
                        && self.pending.len() < MAX_PENDING
                        && self.may_move(folded, inst, conditional.then_some(self.uses[value.index()]))
                    {
                        self.place_mark(inst);
                        if self.uses[value.index()] > 1 {
                            self.items.push(Item::Tee(value));
                        }
                        self.items.push(Item::Inst(inst));
                        self.pending.truncate(self.pending.len() + 1 - func.results(inst).len());
                        self.pending.extend_from_slice(folded.args(inst));
                        continue;
                    }
                }
            }
            let first = std::mem::replace(&mut self.seen[value.index()], block.as_u32()) != block.as_u32();
            self.items.push(if first { Item::GetLast(value) } else { Item::Get(value) });
            let own = match def {
                Def::Inst(inst) => folded.node(inst).block,
                Def::Param(own) => own,
                Def::None => block,
            };
            if first && own != block {
                self.crossing.push((value, block));
            }
        }
    }

    /// True if all results of an instruction are used where they lie on the stack; that of the last one is at hand.
    /// More than one are, if they are operands in their order and nothing else.
    fn are_operands(&self, results: &[Value]) -> bool {
        let others = results.len() - 1;
        let is_used_once = |value: &Value| self.uses[value.index()] == 1;
        others == 0 || self.pending.ends_with(&results[..others]) && results.iter().all(is_used_once)
    }

    /// True if an instruction that is not placed may be executed after all others that are not placed. For an argument
    /// of an edge of several, `edge_uses` is the number of uses in that edge.
    fn may_move(&mut self, folded: &Folded, inst: Inst, edge_uses: Option<u32>) -> bool {
        if self.placed[inst.index()] {
            return false;
        }
        let (reads, writes) = classes(folded, inst, folded.node(inst));
        if edge_uses.is_some_and(|uses| uses > 1 || writes != 0 || reads & class::WORLD != 0) {
            return false;
        }
        if reads | writes == 0 {
            return true;
        }
        let position = self.position[inst.index()];
        for c in 0..class::COUNT {
            let (read, write) = (reads >> c & 1 != 0, writes >> c & 1 != 0);
            if (read || write) && Self::latest(&mut self.writes[c], &self.placed, &self.position) > position {
                return false;
            }
            if write && Self::latest(&mut self.reads[c], &self.placed, &self.position) > position {
                return false;
            }
        }
        true
    }

    /// Position of the latest unplaced instruction of a list, 0 if there is none.
    fn latest(list: &mut Vec<Inst>, placed: &[bool], position: &[u32]) -> u32 {
        while list.last().is_some_and(|inst| placed[inst.index()]) {
            list.pop();
        }
        list.last().map_or(0, |inst| position[inst.index()])
    }

    fn place_mark(&mut self, inst: Inst) {
        self.placed[inst.index()] = true;
    }
}
