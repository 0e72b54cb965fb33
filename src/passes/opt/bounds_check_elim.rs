//! Tests of indices that an earlier test proves: `array.get` and `array.set` become `unchecked`.
//!
//! ```text
//! block1(v1: i64):                          block1(v1: i64):
//!   v2 = array.len i64 v0                     v2 = array.len i64 v0
//!   v3 = slt v1, v2                           v3 = slt v1, v2
//!   br_if v3, block2, block3          ─▶      br_if v3, block2, block3
//! block2:                                   block2:
//!   v4 = array.get i64 v0, v1                 v4 = array.get i64 unchecked v0, v1
//!   v5 = iadd v1, v6      ; v6 = 1            v5 = iadd v1, v6
//!   jump block1(v5)                           jump block1(v5)
//! ```
//! An index is in range if the same one was used for this array before, or if it is not negative and some branch on
//! the way says that it is below the length. A value is not negative if it is a constant, a length, a byte, a sum of
//! such; or the parameter of a block that only gets such values, which may be taken for granted of the parameter
//! itself: what holds in the first round and goes from each round to the next always holds. Sums must not overflow:
//! their parts are below some length or constant.
//!
//! The length of an array that is made here is the number that it was made with. Nothing is known of products, so the
//! rows of a matrix are tested.
//!
//! Needs: high IR with the instructions that `expand-arrays` expands. A proof has a limited number of steps.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::opcode::{Array, Comparison};
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{ArrayKind, Block, Func, Inst, Opcode, SecondaryMap, Value};

/// Blocks above one, and steps of a proof, that are looked at.
const MOST: u32 = 200;
/// No sum of a few numbers below this overflows.
const SMALL: i64 = 1 << 40;
/// Depth to which instructions are compared.
const DEEP: u32 = 4;

/// Proves what it can; true if there was something.
pub fn run(func: &mut Func) -> bool {
    let is_tested = |func: &Func, inst: Inst| {
        let data = &func.insts[inst];
        matches!(data.op, Opcode::ArrayGet | Opcode::ArraySet) && data.aux == 0
    };
    if !func.layout.iter().any(|&block| func.blocks[block].insts.iter().any(|&inst| is_tested(func, inst))) {
        return false;
    }
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let mut prover = Prover {
        func,
        cfg: &cfg,
        dom: &dom,
        defs: SecondaryMap::new(),
        params: SecondaryMap::new(),
        accesses: SecondaryMap::new(),
        made: SecondaryMap::new(),
        kind: ArrayKind::U8,
        assumed: Vec::new(),
        left: 0,
    };
    for &block in &cfg.order {
        func.params(block).iter().for_each(|&param| prover.params[param] = block.into());
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            func.results(inst).iter().for_each(|&result| prover.defs[result] = inst.into());
            let args = func.args(inst);
            match Array::of(func.insts[inst].op) {
                Some(Array::ArrayGet | Array::ArraySet) => {
                    prover.accesses[block].push((at, args[1], args[0], func.insts[inst].array_kind()));
                }
                Some(Array::ArrayNew) => prover.made[block].push((at, args[0])),
                Some(Array::ArrayLen | Array::ArraySlice | Array::ArrayCopy) | None => {}
            }
        }
    }
    let mut proven = Vec::new();
    for &block in &cfg.order {
        for (at, &inst) in func.blocks[block].insts.iter().enumerate() {
            if is_tested(func, inst) {
                let args = func.args(inst);
                (prover.left, prover.assumed, prover.kind) = (MOST, Vec::new(), func.insts[inst].array_kind());
                if prover.is_inside(args[0], args[1], (block, at)) {
                    proven.push(inst);
                }
            }
        }
    }
    for &inst in &proven {
        func.insts[inst].aux = 1;
    }
    !proven.is_empty()
}

/// A place: a block, and the number of an instruction there.
type Place = (Block, usize);

struct Prover<'f> {
    func: &'f Func,
    cfg: &'f Cfg,
    dom: &'f DomTree,
    defs: SecondaryMap<Value, PackedOption<Inst>>,
    /// The blocks of parameters.
    params: SecondaryMap<Value, PackedOption<Block>>,
    /// In each block the accesses: place, index, array, kind; and the arrays that are made: place, size.
    accesses: SecondaryMap<Block, Vec<(usize, Value, Value, ArrayKind)>>,
    made: SecondaryMap<Block, Vec<(usize, Value)>>,
    /// The kind of elements that is asked for: an array taken for one of another kind has another length.
    kind: ArrayKind,
    /// Parameters that are taken not to be negative.
    assumed: Vec<Value>,
    left: u32,
}

/// What is known of two values.
#[derive(Clone, Copy)]
enum Fact {
    /// The first is less than the second, with signs.
    Less(Value, Value),
    /// The first is not more than the second.
    AtMost(Value, Value),
    /// The first is an index of the array that is the second, taken for one of this kind.
    IndexOf(Value, Value, ArrayKind),
}

impl Prover<'_> {
    fn def(&self, value: Value) -> Option<(Opcode, &[Value], Inst)> {
        let inst = self.defs[value].expand()?;
        Some((self.func.insts[inst].op, self.func.args(inst), inst))
    }

    fn constant(&self, value: Value) -> Option<i64> {
        let (op, _, inst) = self.def(value)?;
        (op == Opcode::Iconst64).then(|| self.func.insts[inst].imm as i64)
    }

    /// Are two values equal for sure?
    fn is_same(&self, left: Value, right: Value, depth: u32) -> bool {
        if left == right {
            return true;
        }
        let (Some((op, args, inst)), Some((other_op, other_args, other))) = (self.def(left), self.def(right)) else {
            return false;
        };
        let (data, other) = (&self.func.insts[inst], &self.func.insts[other]);
        let is_pure = op.is_pure() || op == Opcode::ArrayLen;
        is_pure
            && depth < DEEP
            && (op, data.imm, data.aux) == (other_op, other.imm, other.aux)
            && args.len() == other_args.len()
            && args.iter().zip(other_args).all(|(&a, &b)| self.is_same(a, b, depth + 1))
    }

    /// The number that an array has been made with.
    fn size(&self, array: Value) -> Option<Value> {
        let (op, args, inst) = self.def(array)?;
        (op == Opcode::ArrayNew && self.func.insts[inst].array_kind() == self.kind).then(|| args[0])
    }

    /// Is this the length of the array?
    fn is_length(&self, length: Value, array: Value) -> bool {
        let is_read = self.def(length).is_some_and(|(op, args, inst)| {
            op == Opcode::ArrayLen && self.func.insts[inst].array_kind() == self.kind && self.is_same(args[0], array, 0)
        });
        is_read || self.size(array).is_some_and(|size| self.is_same(size, length, 0))
    }

    /// Is this a constant that so many can be added to without exceeding a constant length?
    fn is_fewer(&self, bound: Value, array: Value, more: i64) -> bool {
        let size = self.size(array).and_then(|size| self.constant(size));
        let sum = self.constant(bound).and_then(|bound| bound.checked_add(more));
        sum.zip(size).is_some_and(|(sum, size)| sum <= size)
    }

    /// Is the length one more than this?
    fn is_last(&self, last: Value, array: Value) -> bool {
        let is_last = |length: Value| {
            let Some((Opcode::Iadd, &[left, right], _)) = self.def(length) else { return false };
            let is_one = |value: Value| self.constant(value) == Some(1);
            is_one(right) && self.is_same(left, last, 0) || is_one(left) && self.is_same(right, last, 0)
        };
        // `n - 1` where the length is `n`.
        let is_before = self.def(last).is_some_and(|(op, args, _)| {
            let step = if op == Opcode::Iadd { -1 } else { 1 };
            (op == Opcode::Iadd || op == Opcode::Isub)
                && self.constant(args[1]) == Some(step)
                && self.is_length(args[0], array)
        });
        is_before || self.size(array).is_some_and(is_last)
    }

    /// Finds a fact that holds at a place.
    fn find(&mut self, place: Place, mut is_wanted: impl FnMut(&mut Self, Fact) -> bool) -> bool {
        let (mut block, mut before) = (place.0, place.1);
        loop {
            for number in (0..self.accesses[block].len()).rev() {
                let (at, index, array, kind) = self.accesses[block][number];
                if at < before && (!self.may_go_on() || is_wanted(self, Fact::IndexOf(index, array, kind))) {
                    return self.left > 0;
                }
            }
            if !self.may_go_on() {
                return false;
            }
            if let [from] = self.cfg.preds[block][..]
                && let Some(fact) = self.branch(from, block)
                && is_wanted(self, fact)
            {
                return true;
            }
            let Some(above) = self.dom.idom(block) else { return false };
            (block, before) = (above, usize::MAX);
        }
    }

    /// One more step of a proof: there is a limit.
    fn may_go_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// What the branch at the end of a block says on the way to another one.
    fn branch(&self, from: Block, to: Block) -> Option<Fact> {
        let edges = &self.func.blocks[from].edges;
        let last = self.func.terminator(from).filter(|&inst| self.func.insts[inst].op == Opcode::BrIf)?;
        let is_true = edges[0].block == to;
        if edges[0].block == edges[1].block {
            return None;
        }
        let (op, &[left, right], _) = self.def(self.func.args(last)[0])? else { return None };
        let comparison = Comparison::of(op)?;
        match if is_true { comparison } else { comparison.inverse() } {
            Comparison::Slt => Some(Fact::Less(left, right)),
            Comparison::Sgt => Some(Fact::Less(right, left)),
            Comparison::Sle => Some(Fact::AtMost(left, right)),
            Comparison::Sge => Some(Fact::AtMost(right, left)),
            Comparison::Eq | Comparison::Ne => None,
            Comparison::Ult | Comparison::Ugt | Comparison::Ule | Comparison::Uge => None,
        }
    }

    /// Is there an element of this index?
    fn is_inside(&mut self, array: Value, index: Value, place: Place) -> bool {
        if let (Some(index), Some(size)) = (self.constant(index), self.size(array).and_then(|size| self.constant(size)))
            && (0..size).contains(&index)
        {
            return true;
        }
        let mut was_used = false;
        let is_below = self.find(place, |this, fact| match fact {
            Fact::IndexOf(used, of, kind)
                if kind == this.kind && this.is_same(of, array, 0) && this.is_same(used, index, 0) =>
            {
                was_used = true;
                true
            }
            Fact::Less(less, length) => {
                this.is_same(less, index, 0) && (this.is_length(length, array) || this.is_fewer(length, array, 0))
            }
            Fact::AtMost(less, last) => {
                this.is_same(less, index, 0) && (this.is_last(last, array) || this.is_fewer(last, array, 1))
            }
            Fact::IndexOf(..) => false,
        });
        was_used || is_below && self.is_natural(index, place)
    }

    /// Is the value not negative?
    fn is_natural(&mut self, value: Value, place: Place) -> bool {
        if !self.may_go_on() {
            return false;
        }
        if self.assumed.contains(&value) || self.constant(value).is_some_and(|n| n >= 0) {
            return true;
        }
        if let Some((op, args, inst)) = self.def(value) {
            let args: [Option<Value>; 2] = [args.first().copied(), args.get(1).copied()];
            let is_natural = match (op, args) {
                (Opcode::ArrayLen | Opcode::StringSize | Opcode::ArraySize | Opcode::ExtendU | Opcode::ElemU8, _) => {
                    true
                }
                (Opcode::ArrayGet, _) => self.func.insts[inst].array_kind() == ArrayKind::U8,
                (Opcode::And, [Some(left), Some(right)]) => {
                    self.constant(left).is_some_and(|n| n >= 0) || self.constant(right).is_some_and(|n| n >= 0)
                }
                (Opcode::Ushr, [_, Some(by)]) => self.constant(by).is_some_and(|by| by & 63 > 0),
                (Opcode::Sshr | Opcode::Srem, [Some(left), _]) => self.is_natural(left, place),
                (Opcode::Sdiv, [Some(left), Some(right)]) => {
                    self.constant(right).is_some_and(|n| n > 0) && self.is_natural(left, place)
                }
                (Opcode::Iadd, [Some(left), Some(right)]) => {
                    let all = [left, right];
                    all.iter().all(|&part| self.is_natural(part, place))
                        && all.iter().all(|&part| self.is_small(part, place))
                }
                _ => false,
            };
            if is_natural {
                return true;
            }
        } else if let Some(block) = self.params[value].expand()
            && self.is_natural_param(block, value)
        {
            return true;
        }
        self.find(place, |this, fact| match fact {
            Fact::IndexOf(used, ..) => this.is_same(used, value, 0),
            Fact::Less(less, more) => this.is_same(more, value, 0) && this.constant(less).is_some_and(|n| n >= -1),
            Fact::AtMost(less, more) => this.is_same(more, value, 0) && this.constant(less).is_some_and(|n| n >= 0),
        })
    }

    /// A parameter of a block that only gets what is not negative, if it is not negative itself.
    fn is_natural_param(&mut self, block: Block, param: Value) -> bool {
        if block == self.func.entry_block() {
            return false;
        }
        let number = self.func.params(block).iter().position(|&other| other == param);
        let Some(number) = number else { return false };
        self.assumed.push(param);
        let before = self.cfg.preds[block].to_vec();
        let all = before.into_iter().all(|from| {
            let edges = self.func.blocks[from].edges.iter().filter(|edge| edge.block == block);
            let args: Vec<Value> = edges.map(|edge| self.func.edge_args(edge)[number]).collect();
            args.into_iter().all(|arg| self.is_natural(arg, (from, usize::MAX)))
        });
        self.assumed.pop();
        all
    }

    /// Is the value below `SMALL`?
    fn is_small(&mut self, value: Value, place: Place) -> bool {
        if let Some(n) = self.constant(value) {
            return n < SMALL;
        }
        if let Some((Opcode::ArrayLen | Opcode::StringSize | Opcode::ArraySize | Opcode::ExtendU, ..)) = self.def(value)
        {
            return true;
        }
        self.find(place, |this, fact| match fact {
            Fact::IndexOf(used, ..) => this.is_same(used, value, 0),
            Fact::Less(less, more) | Fact::AtMost(less, more) => {
                this.is_same(less, value, 0) && this.is_limit(more, place)
            }
        })
    }

    /// A number that no memory has so many elements of: a constant, a length, or that with which an array was made on
    /// the way here, or one less.
    fn is_limit(&self, value: Value, place: Place) -> bool {
        if self.constant(value).is_some_and(|n| n < SMALL) || matches!(self.def(value), Some((Opcode::ArrayLen, ..))) {
            return true;
        }
        let mut block = place.0;
        for _ in 0..MOST {
            // In its own block only what is made before it counts.
            let is_before = |at: usize| block != place.0 || at < place.1;
            for &(_, size) in self.made[block].iter().filter(|made| is_before(made.0)) {
                let is_less = |size| {
                    let Some((Opcode::Iadd, &[left, right], _)) = self.def(size) else { return false };
                    self.constant(right).is_some_and(|n| (0..SMALL).contains(&n)) && self.is_same(left, value, 0)
                };
                if is_less(size) || self.is_same(size, value, 0) {
                    return true;
                }
            }
            let Some(above) = self.dom.idom(block) else { return false };
            block = above;
        }
        false
    }
}
