//! Instruction selection, first half: low IR → folded nodes.
//!
//! Every instruction becomes a `Node`, a copy of it in which the patterns that Wasm has a shorter form for are gone:
//! address arithmetic is part of the offset of loads and stores, a condition is compared with zero by the branch
//! itself, conversions there and back cancel, the allocations of a stretch bump the heap pointer once. Operands are
//! resolved through values that are the same on Wasm (a reference is its address). Nothing is removed here: what
//! lost its last use is skipped by `treeify`.
//!
//! Needs: blocks visited so that definitions come before uses (reverse postorder). Weakness: patterns are local, one
//! or two instructions deep; simplification proper belongs to the passes, which every target shares.

use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, Flags, Func, Inst, Opcode, Type, Value};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// In no reachable block.
    None,
    Inst(Inst),
    Param(Block),
}

/// A folded instruction. Differences to the low IR:
/// - `RefAddr` is *operand + imm*, an address inside an object (the others are aliases of their operand);
/// - `BrIf` and `Select` with `negate` test for zero;
/// - `Select` and calls of tables take condition and index last, as their Wasm counterparts do.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub op: Opcode,
    /// Type of the first operand, else of the result: tells i32 from i64 operators.
    pub ty: Type,
    pub negate: bool,
    pub block: Block,
    pub imm: u64,
    pub aux: u32,
    args: (u32, u32),
}

/// The folded form of one function. Tables are indexed by instruction or value; unreachable code has no entry.
#[derive(Default)]
pub struct Folded {
    nodes: Vec<Node>,
    args: Vec<Value>,
    alias: Vec<Value>,
    defs: Vec<Def>,
}

/// A stretch of allocations: the first instruction of it, its result, bytes so far.
type OpenAlloc = Option<(Inst, Value, u64)>;

impl Folded {
    pub fn node(&self, inst: Inst) -> &Node {
        &self.nodes[inst.as_u32() as usize]
    }
    pub fn args(&self, inst: Inst) -> &[Value] {
        let (start, end) = self.node(inst).args;
        &self.args[start as usize..end as usize]
    }
    /// The value that stands for `value` on Wasm.
    #[inline]
    pub fn resolve(&self, value: Value) -> Value {
        self.alias[value.as_u32() as usize]
    }
    #[inline]
    pub fn def(&self, value: Value) -> Def {
        self.defs[value.as_u32() as usize]
    }

    /// Folds all reachable blocks of `func`, reusing the memory of the previous function.
    pub fn run(&mut self, func: &Func, cfg: &Cfg) {
        let blank = Node {
            op: Opcode::Unreachable,
            ty: Type::I32,
            negate: false,
            block: func.entry_block(),
            imm: 0,
            aux: 0,
            args: (0, 0),
        };
        self.nodes.clear();
        self.nodes.resize(func.insts.len(), blank);
        self.args.clear();
        self.alias.clear();
        self.alias.extend(func.values.keys());
        self.defs.clear();
        self.defs.resize(func.values.len(), Def::None);
        for &block in &cfg.order {
            for &param in func.params(block) {
                self.defs[param.as_u32() as usize] = Def::Param(block);
            }
            let mut open: OpenAlloc = None;
            for &inst in &func.blocks[block].insts {
                for &result in func.results(inst) {
                    self.defs[result.as_u32() as usize] = Def::Inst(inst);
                }
                self.fold(func, block, inst, &mut open);
            }
        }
    }

    fn fold(&mut self, func: &Func, block: Block, inst: Inst, open: &mut OpenAlloc) {
        let data = &func.insts[inst];
        let start = self.args.len();
        for &arg in data.args.as_slice(&func.pool) {
            let arg = self.resolve(arg);
            self.args.push(arg);
        }
        let results = func.results(inst);
        let ty = match (self.args.get(start), results.first()) {
            (Some(&arg), _) => func.values[arg],
            (None, Some(&result)) => func.values[result],
            (None, None) => Type::I32,
        };
        let mut node = Node { op: data.op, ty, negate: false, block, imm: data.imm, aux: data.aux, args: (0, 0) };
        match data.op {
            Opcode::RefAddr | Opcode::AddrRef => self.alias_to(results[0], self.args[start]),
            Opcode::Alloc => match open {
                Some((first, base, bytes)) => {
                    node.op = Opcode::RefAddr;
                    node.ty = Type::Ref;
                    node.imm = *bytes;
                    self.args.push(*base);
                    *bytes += data.imm;
                    self.nodes[first.as_u32() as usize].imm = *bytes;
                }
                None => *open = Some((inst, results[0], data.imm)),
            },
            Opcode::HeapFull => *open = None,
            Opcode::Select => {
                self.args[start..].rotate_left(1);
                node.ty = func.values[self.args[start]];
                (self.args[start + 2], node.negate) = self.condition(func, self.args[start + 2]);
            }
            Opcode::BrIf => (self.args[start], node.negate) = self.condition(func, self.args[start]),
            Opcode::CallTable | Opcode::TailCallTable => self.args[start..].rotate_left(1),
            Opcode::Wrap => {
                if let Some((Opcode::ExtendU | Opcode::ExtendS, def)) = self.def_op(self.args[start]) {
                    self.alias_to(results[0], self.args(def)[0]);
                } else if let Some((Opcode::Iconst64, def)) = self.def_op(self.args[start]) {
                    node.op = Opcode::Iconst32;
                    node.imm = self.node(def).imm as i32 as i64 as u64;
                    self.args.truncate(start);
                }
            }
            Opcode::Eq | Opcode::Ne => self.fold_equality(func, &mut node, start, results[0]),
            op if op.is_access() => {
                if let Some((Opcode::ExtendU, def)) = self.def_op(self.args[start]) {
                    self.args[start] = self.args(def)[0];
                    node.ty = Type::I32;
                }
                (self.args[start], node.imm) = self.address(func, self.args[start], node.imm);
            }
            _ => {}
        }
        if data.op.any(Flags::CALL) {
            *open = None;
        }
        node.args = (start as u32, self.args.len() as u32);
        self.nodes[inst.as_u32() as usize] = node;
    }

    fn alias_to(&mut self, value: Value, same: Value) {
        self.alias[value.as_u32() as usize] = same;
    }

    /// The instruction that defines a value.
    pub fn def_op(&self, value: Value) -> Option<(Opcode, Inst)> {
        match self.def(value) {
            Def::Inst(inst) => Some((self.node(inst).op, inst)),
            _ => None,
        }
    }

    /// The constant that a value is known to be.
    pub fn constant(&self, value: Value) -> Option<i64> {
        let (op, inst) = self.def_op(value)?;
        op.integer(self.node(inst).imm)
    }

    /// True if a value is certainly 0 or 1.
    fn is_boolean(&self, value: Value) -> bool {
        self.def_op(value).is_some_and(|(op, _)| op.any(Flags::BOOLEAN))
    }

    /// `eq` and `ne` with a constant: `eqz`, or the compared boolean itself.
    fn fold_equality(&mut self, func: &Func, node: &mut Node, start: usize, result: Value) {
        if self.constant(self.args[start]).is_some() {
            self.args[start..].swap(0, 1);
        }
        let Some(constant) = self.constant(self.args[start + 1]) else { return };
        let mut operand = self.args[start];
        if let Some((Opcode::ExtendU, def)) = self.def_op(operand) {
            // A zero-extended word equals a small constant if the word itself does.
            if constant == 0 || (constant == 1 && self.is_boolean(self.args(def)[0])) {
                operand = self.args(def)[0];
            }
        }
        let boolean = self.is_boolean(operand);
        if constant != 0 && !(constant == 1 && boolean) {
            return;
        }
        if (node.op == Opcode::Eq) == (constant == 0) {
            node.op = Opcode::Eqz;
            node.ty = func.values[operand];
            self.args[start] = operand;
            self.args.truncate(start + 1);
        } else if boolean {
            self.alias_to(result, operand);
        }
    }

    /// Strips tests against zero off a condition; true if the sense is reversed.
    fn condition(&self, func: &Func, mut value: Value) -> (Value, bool) {
        let mut negate = false;
        while let Some((op, inst)) = self.def_op(value) {
            let args = self.args(inst);
            if op != Opcode::Eqz && !(op == Opcode::Ne && self.constant(args[1]) == Some(0)) {
                break;
            }
            let mut inner = args[0];
            if let Some((Opcode::ExtendU | Opcode::ExtendS, def)) = self.def_op(inner) {
                inner = self.args(def)[0];
            }
            if func.values[inner] == Type::I64 {
                break;
            }
            negate ^= op == Opcode::Eqz;
            value = inner;
        }
        (value, negate)
    }

    /// Adds constants of an address to the offset, where base and offset cannot wrap around.
    fn address(&self, func: &Func, mut base: Value, mut offset: u64) -> (Value, u64) {
        while let Some((op, inst)) = self.def_op(base) {
            let args = self.args(inst);
            let (inner, add) = if op == Opcode::RefAddr {
                (args[0], self.node(inst).imm as i64)
            } else if op == Opcode::Iadd
                && let Some(add) = self.constant(args[1])
            {
                (args[0], add)
            } else if op == Opcode::Iadd
                && let Some(add) = self.constant(args[0])
            {
                (args[1], add)
            } else {
                break;
            };
            let in_object = func.values[inner] == Type::Ref || self.is_shadow(inner);
            if !in_object || !(0..1 << 30).contains(&add) || offset + add as u64 >= 1 << 31 {
                break;
            }
            offset += add as u64;
            base = inner;
        }
        (base, offset)
    }

    /// True for addresses in the frame of this function on the shadow stack.
    pub fn is_shadow(&self, mut value: Value) -> bool {
        for _ in 0..4 {
            let Some((op, inst)) = self.def_op(value) else { return false };
            if op != Opcode::Iadd && op != Opcode::Isub {
                return op == Opcode::ShadowPointer;
            }
            value = self.args(inst)[0];
        }
        false
    }
}
