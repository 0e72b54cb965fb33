//! Emits one continuation function of a stackless clone: it gets the pointers of both stacks, and returns by a call of
//! what the top of the stack of words names.
//!
//! ```text
//! frame of a call, on the stack of words       | words that live on … | number of the return point |
//!                                      words of the caller ▲         words of what is called ▲
//! ```
//! For traces there are the function's own number and the bytes of the frame before the return point.

use super::code::{self, StacklessClones, TRACE_BYTES, Values, is_long, pointer_place};
use super::graph::{Callee, callee};
use super::plan::{Head, Origin, Plan, depth};
use cleave_ir::layout::{SLOT, STACKLESS_RESERVE};
use cleave_ir::packed_option::ReservedValue;
use cleave_ir::source::FuncSource;
use cleave_ir::{
    Block, Builder, Edge, EntityRef, Func, FuncId, Inst, Libcall, Location, Opcode, Phase, SecondaryMap, Signature,
    Type, Value,
};
use smallvec::SmallVec;

/// What lives at the beginning of a piece that others jump to is passed in variables up to this number, and else in
/// memory.
const MAX_VARIABLES: usize = 100;

/// Where values are kept: those of 8 bytes first.
struct Frame {
    slots: Vec<(Value, u32)>,
    bytes: u32,
}

impl Frame {
    fn of(func: &Func, values: &[Value]) -> Frame {
        let mut frame = Frame { slots: Vec::with_capacity(values.len()), bytes: 0 };
        for long in [true, false] {
            for &value in values.iter().filter(|&&value| is_long(func.values[value]) == long) {
                frame.slots.push((value, frame.bytes));
                frame.bytes += if long { 2 * SLOT } else { SLOT };
            }
        }
        frame
    }
}

/// Types of the values that a piece takes in variables, after the stack of words; and what it takes in memory.
fn split_live(head: &Head) -> (&[Value], &[Value]) {
    head.live.split_at(head.live.len().min(MAX_VARIABLES))
}

/// What stands for what in the piece at hand. Nothing is cleared between pieces: each has a round of its own.
struct Copies<K: EntityRef> {
    round: u32,
    of: SecondaryMap<K, (u32, K)>,
}

impl<K: EntityRef + ReservedValue> Default for Copies<K> {
    fn default() -> Copies<K> {
        Copies { round: 0, of: SecondaryMap::with_default((0, K::reserved_value())) }
    }
}

impl<K: EntityRef> Copies<K> {
    /// Forgets all; keys are below `count`.
    fn start(&mut self, count: usize) {
        self.round += 1;
        if self.of.values().len() < count {
            self.of.resize(count);
        }
    }
    fn set(&mut self, old: K, new: K) {
        self.of[old] = (self.round, new);
    }
    fn set_all(&mut self, old: &[K], new: &[K]) {
        old.iter().zip(new).for_each(|(&old, &new)| self.set(old, new));
    }
    fn get(&self, old: K) -> Option<K> {
        let (round, new) = self.of[old];
        (round == self.round).then_some(new)
    }
}

/// Memory that the pieces use one after the other.
#[derive(Default)]
pub struct Scratch {
    values: Copies<Value>,
    blocks: Copies<Block>,
}

pub struct Piece<'a> {
    stackless_clones: &'a StacklessClones,
    plan: &'a Plan,
    number: usize,
    /// Functions of the pieces of this plan.
    ids: &'a [FuncId],
    func: Func,
    block: Block,
    copies: &'a mut Scratch,
    /// Both stack pointers.
    references: Value,
    words: Value,
    /// After a call: what the callee got of the shadow stack, and how far that is below.
    lower: Option<(u32, Value)>,
}

impl<'a> Piece<'a> {
    /// Makes the function of a piece.
    pub fn make(
        stackless_clones: &'a StacklessClones,
        plan: &'a Plan,
        number: usize,
        ids: &'a [FuncId],
        name: String,
        copies: &'a mut Scratch,
    ) -> Func {
        let head = &plan.heads[number];
        let params = plan.func.params(head.block).iter().map(|&param| plan.func.values[param]);
        let types: Vec<Type> = match head.origin {
            Origin::Entry => plan.func.signature.params.to_vec(),
            Origin::Return(_) => params.collect(),
            Origin::Jump => split_live(head).0.iter().map(|&value| plan.func.values[value]).chain(params).collect(),
        };
        let all: Vec<Type> = std::iter::once(Type::I32).chain(types.iter().copied()).collect();
        let mut func = Func::new(name, Signature::new(&all, &[]));
        func.phase = Phase::Low;
        func.is_outlined = true;
        func.source = plan.func.source.as_ref().map(|source| Box::new(FuncSource::new(source.start)));
        let block = func.new_block();
        let words = func.add_param(block, Type::I32);
        let given: Vec<Value> = types.iter().map(|&ty| func.add_param(block, ty)).collect();
        let count = plan.blocks[number].iter().map(|&block| plan.func.blocks[block].insts.len()).sum();
        func.insts.reserve(count);
        func.values.reserve(count);
        func.blocks.reserve(plan.blocks[number].len());
        func.layout.reserve(plan.blocks[number].len());
        copies.values.start(plan.func.values.len());
        copies.blocks.start(plan.func.blocks.len());
        let mut piece =
            Piece { stackless_clones, plan, number, ids, func, block, copies, references: words, words, lower: None };
        piece.enter(head, &given);
        piece.body();
        piece.func
    }

    // -- instructions -------------------------------------------------------------------------------------------------

    fn builder(&mut self) -> Builder<'_> {
        Builder::new(&mut self.func, self.block)
    }
    fn number(&mut self, n: u32) -> Value {
        self.builder().iconst32(n as i32)
    }
    fn sum(&mut self, value: Value, n: u32) -> Value {
        if n == 0 {
            return value;
        }
        let n = self.number(n);
        self.builder().op(Opcode::Iadd, &[value, n])
    }
    fn difference(&mut self, value: Value, n: u32) -> Value {
        if n == 0 {
            return value;
        }
        let n = self.number(n);
        self.builder().op(Opcode::Isub, &[value, n])
    }
    fn load(&mut self, ty: Type, base: Value, offset: u32) -> Value {
        self.builder().value(code::load(ty), u64::from(offset), 0, &[base])
    }
    fn store(&mut self, base: Value, offset: u32, value: Value) {
        let op = code::store(self.func.values[value]);
        self.builder().inst(op, u64::from(offset), 0, &[base, value]);
    }
    fn terminate(&mut self, op: Opcode, imm: u32, args: &[Value]) {
        self.builder().inst(op, u64::from(imm), 0, args);
    }
    fn value(&self, old: Value) -> Value {
        self.copies.values.get(old).unwrap_or_else(|| panic!("{old} has no copy"))
    }

    fn args(&self, inst: Inst) -> Values {
        self.plan.func.args(inst).iter().map(|&arg| self.value(arg)).collect()
    }
    fn copy_of(&self, old: Block) -> Block {
        self.copies.blocks.get(old).unwrap_or_else(|| panic!("{old} has no copy"))
    }

    // -- beginning ----------------------------------------------------------------------------------------------------

    fn enter(&mut self, head: &Head, given: &[Value]) {
        let pointer = self.builder().value(Opcode::ShadowPointer, 0, 0, &[]);
        self.references = pointer;
        let mut params = given;
        let (old, live) = (&self.plan.func, &head.live);
        match head.origin {
            Origin::Entry => {}
            Origin::Jump => {
                let (kept, in_memory) = split_live(head);
                let variables;
                (variables, params) = given.split_at(kept.len());
                self.restore(&Frame::of(old, in_memory), self.words);
                self.copies.values.set_all(kept, variables);
            }
            Origin::Return(call) => {
                let frame = Frame::of(old, live);
                let pointer = old.args(call)[pointer_place(old, call)];
                match depth(old, &self.plan.again, pointer) {
                    Some(depth) => {
                        self.words = self.difference(self.words, frame.bytes + self.stackless_clones.trace_bytes());
                        self.lower = Some((depth, self.references));
                        self.references = self.sum(self.references, depth);
                    }
                    // The caller has kept its pointer.
                    None => {
                        self.words =
                            self.difference(self.words, frame.bytes + SLOT + self.stackless_clones.trace_bytes());
                        self.references = self.load(Type::I32, self.words, frame.bytes);
                    }
                }
                self.restore(&frame, self.words);
            }
        }
        let (stackless_clones, words) = (self.stackless_clones, self.words);
        stackless_clones.tell(&mut self.builder(), words);
        if head.origin == Origin::Entry && self.plan.looks {
            self.look();
        }
        head.again.iter().for_each(|&value| _ = self.repeat(value));
        let old_params = old.params(head.block);
        if self.plan.blocks[self.number].iter().any(|&block| self.is_pred(block, head.block)) {
            let first = self.add_block(head.block);
            self.builder().jump(first, params);
        } else {
            self.copies.blocks.set(head.block, self.block);
            self.copies.values.set_all(old_params, params);
        }
    }

    /// Ends the program if the stacks come too close to each other.
    fn look(&mut self) {
        let least = self.sum(self.words, STACKLESS_RESERVE);
        let pointer = self.references;
        let is_full = self.builder().op(Opcode::Ult, &[pointer, least]);
        let (full, go_on) = (self.func.new_block(), self.func.new_block());
        self.builder().br_if(is_full, (full, &[]), (go_on, &[]));
        self.block = full;
        self.builder().call_rt(Libcall::StackOverflow, &[]);
        self.builder().unreachable();
        self.block = go_on;
    }

    fn is_pred(&self, block: Block, of: Block) -> bool {
        self.plan.cuts[block].is_none() && self.plan.func.successors(block).any(|next| next == of)
    }

    fn restore(&mut self, frame: &Frame, base: Value) {
        for &(value, offset) in &frame.slots {
            let ty = self.plan.func.values[value];
            let loaded = self.load(ty, base, offset);
            self.copies.values.set(value, loaded);
        }
    }

    /// Makes a cheap value again.
    fn repeat(&mut self, value: Value) -> Value {
        if let Some(made) = self.copies.values.get(value) {
            return made;
        }
        let plan = self.plan;
        let inst = plan.again[value].expect("a cheap value");
        let data = &plan.func.insts[inst];
        let made = if data.op == Opcode::ShadowPointer {
            self.references
        } else if let Some((below, lower)) = self.lower
            && depth(&plan.func, &plan.again, value) == Some(below)
        {
            lower
        } else {
            let args: Values = plan.func.args(inst).iter().map(|&arg| self.repeat(arg)).collect();
            let new = self.func.append(self.block, data.op, data.imm, data.aux, &args, &[plan.func.values[value]]);
            self.func.result(new)
        };
        self.copies.values.set(value, made);
        made
    }

    /// The copy of a block, with its parameters.
    fn add_block(&mut self, old: Block) -> Block {
        let new = self.func.new_block();
        self.copies.blocks.set(old, new);
        for &param in self.plan.func.params(old) {
            let copy = self.func.add_param(new, self.plan.func.values[param]);
            self.copies.values.set(param, copy);
        }
        new
    }

    // -- the rest -----------------------------------------------------------------------------------------------------

    fn body(&mut self) {
        let plan = self.plan;
        let blocks = &plan.blocks[self.number];
        for &block in &blocks[1..] {
            self.add_block(block);
        }
        for &block in blocks {
            self.block = self.copy_of(block);
            let (&last, insts) = plan.func.blocks[block].insts.split_last().expect("a block has a terminator");
            for &inst in insts {
                self.func.set_location(plan.func.location(inst));
                self.copy(inst);
            }
            self.func.set_location(plan.func.location(last));
            match plan.cuts[block] {
                Some(call) => self.leave(call, plan.func.blocks[block].edges[0].block),
                None => self.end(block, last),
            }
            self.func.set_location(Location::NONE);
        }
    }

    fn copy(&mut self, inst: Inst) {
        let plan = self.plan;
        let data = &plan.func.insts[inst];
        if data.op == Opcode::ShadowPointer {
            self.copies.values.set(plan.func.result(inst), self.references);
            return;
        }
        let args = self.args(inst);
        let results = plan.func.results(inst);
        let types: SmallVec<[Type; 8]> = results.iter().map(|&result| plan.func.values[result]).collect();
        let new = self.func.append(self.block, data.op, data.imm, data.aux, &args, &types);
        self.copies.values.set_all(results, self.func.results(new));
    }

    /// A call that leaves a frame: what is called gets control for good, and the return point has the rest.
    fn leave(&mut self, call: Inst, behind: Block) {
        let plan = self.plan;
        let head = &plan.heads[plan.piece[behind] as usize];
        let frame = Frame::of(&plan.func, &head.live);
        for &(value, offset) in &frame.slots {
            let value = self.value(value);
            self.store(self.words, offset, value);
        }
        let old = plan.func.args(call)[pointer_place(&plan.func, call)];
        let mut bytes = frame.bytes;
        if depth(&plan.func, &plan.again, old).is_none() {
            self.store(self.words, bytes, self.references);
            bytes += SLOT;
        }
        let piece = self.ids[plan.piece[behind] as usize];
        if self.stackless_clones.traced {
            let function = self.number(piece.as_u32());
            self.store(self.words, bytes, function);
            bytes += TRACE_BYTES;
            let all = self.number(bytes + SLOT);
            self.store(self.words, bytes - SLOT, all);
        }
        let point = self.stackless_clones.return_point(piece);
        let point = self.number(point);
        self.store(self.words, bytes, point);
        let words = self.sum(self.words, bytes + SLOT);
        self.tail_call(call, words);
    }

    /// The stackless clone of what an instruction calls, in place of this function.
    fn tail_call(&mut self, call: Inst, words: Value) {
        let plan = self.plan;
        let (to, _) = callee(&plan.func.insts[call]).expect("a call");
        let mut args = self.args(call);
        match to {
            Callee::Func(func) => {
                let stackless = self.stackless_clones.func(func).expect("a deep function has a stackless clone");
                args.insert(1, words);
                self.terminate(Opcode::TailCall, stackless.as_u32(), &args);
            }
            Callee::Table(table) => {
                let stackless = self.stackless_clones.table(table).expect("a deep table has a stackless clone");
                args.insert(2, words);
                self.terminate(Opcode::TailCallTable, stackless.as_u32(), &args);
            }
            Callee::Thunk => {
                let &[pointer, thunk, _] = &args[..] else { panic!("thunks are entered with three operands") };
                let eval =
                    self.stackless_clones.eval.expect("what enters thunks has a stackless clone if they are deep");
                self.terminate(Opcode::TailCall, eval.as_u32(), &[pointer, words, thunk]);
            }
        }
    }

    fn end(&mut self, block: Block, last: Inst) {
        let plan = self.plan;
        let data = &plan.func.insts[last];
        match data.op {
            Opcode::Jump => {
                let edge = &plan.func.blocks[block].edges[0];
                match self.inside(edge.block) {
                    Some(to) => {
                        let args = self.edge_args(edge);
                        self.builder().jump(to, &args);
                    }
                    None => self.go_to_piece(edge),
                }
            }
            Opcode::BrIf | Opcode::BrTable => {
                let args = self.args(last);
                let from = self.block;
                self.builder().inst(data.op, data.imm, data.aux, &args);
                for edge in &plan.func.blocks[block].edges {
                    if let Some(to) = self.inside(edge.block) {
                        let args = self.edge_args(edge);
                        self.func.add_edge(from, to, &args);
                    } else {
                        self.block = self.func.new_block();
                        self.func.add_edge(from, self.block, &[]);
                        self.go_to_piece(edge);
                    }
                }
            }
            Opcode::Return => {
                let results = self.args(last);
                self.give_back(&results);
            }
            Opcode::Unreachable => self.builder().unreachable(),
            _ => {
                let (to, _) = callee(data).unwrap_or_else(|| panic!("{} ends a block of low IR", data.op.name()));
                if self.stackless_clones.has(to) {
                    return self.tail_call(last, self.words);
                }
                // It returns soon, on the stack of the engine.
                let op = match data.op {
                    Opcode::TailCall => Opcode::Call,
                    Opcode::TailCallTable => Opcode::CallTable,
                    _ => Opcode::EnterCode,
                };
                let args = self.args(last);
                let types = plan.func.signature.results.clone();
                let call = self.func.append(self.block, op, data.imm, 0, &args, &types);
                let results = self.func.results(call).to_vec();
                self.give_back(&results);
            }
        }
    }

    /// Calls the return point on top of the stack.
    fn give_back(&mut self, results: &[Value]) {
        code::give_back(&mut self.func, self.block, self.stackless_clones, self.references, self.words, results);
    }

    /// The copy of a block that can be jumped to: one of this piece.
    fn inside(&self, old: Block) -> Option<Block> {
        (self.plan.piece[old] as usize == self.number).then(|| self.copy_of(old))
    }

    fn edge_args(&self, edge: &Edge) -> Values {
        self.plan.func.edge_args(edge).iter().map(|&arg| self.value(arg)).collect()
    }

    fn go_to_piece(&mut self, edge: &Edge) {
        let plan = self.plan;
        let number = plan.piece[edge.block] as usize;
        let (variables, in_memory) = split_live(&plan.heads[number]);
        for (value, offset) in Frame::of(&plan.func, in_memory).slots {
            let value = self.value(value);
            self.store(self.words, offset, value);
        }
        let mut args = Values::from_slice(&[self.references, self.words]);
        args.extend(variables.iter().map(|&value| self.value(value)));
        args.extend(self.edge_args(edge));
        self.terminate(Opcode::TailCall, self.ids[number].as_u32(), &args);
    }
}
