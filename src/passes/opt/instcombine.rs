//! Instruction combining, local rewriting: constant folding, algebraic identities, and the booleans of the front end,
//! which are 64-bit words (`extend_u` of a comparison) tested by `ne 0`, `eqz` or `wrap`, folded back to the comparison
//! itself.
//!
//! One sweep in layout order; a value is looked through to its definition and no further than needed, so the cost is
//! linear. Effective (not only correct) if definitions come before uses in the layout, which `simplify-cfg`
//! establishes. Removed results are renamed; instructions that became unused are left to `dce`, blocks and edges that
//! became unreachable to `simplify-cfg`. Divisions that may trap stay, and so do NaNs.
//!
//! Only facts that memory cannot change are used: headers of static nodes, contents of boxed characters and booleans.
//! What is known about nodes that can be updated is the business of `gvn`.

use crate::analysis::lattice;
use crate::analysis::values::{Defs, Rename, Scratch, same_constant};
use crate::context::ModuleContext;
use crate::opt::fold;
use cleave_ir::opcode::{Field, Integer, Load, Machine};
use cleave_ir::{Flags, Func, Group, Inst, Opcode, Static, StaticData, Type, Value, ValueList, WellKnownDesc};

/// Rewrites the instructions of `func`; true if something changed.
pub fn run(func: &mut Func, cx: &ModuleContext, scratch: &mut Scratch) -> bool {
    let mut defs = std::mem::take(&mut scratch.defs);
    let mut rename = std::mem::take(&mut scratch.rename);
    let mut out = std::mem::take(&mut scratch.insts);
    defs.compute(func);
    rename.start(func);
    let has_addresses = func.insts.values().any(|data| data.op == Opcode::RefAddr);
    let mut pass =
        Simplify { func, cx, defs: &mut defs, rename: &mut rename, out: &mut out, has_addresses, changed: false };
    for index in 0..pass.func.layout.len() {
        let block = pass.func.layout[index];
        let insts = std::mem::take(&mut pass.func.blocks[block].insts);
        pass.out.clear();
        for &inst in &insts {
            pass.rename.apply_to_inst(pass.func, inst);
            if pass.func.insts[inst].op == Opcode::BrIf {
                pass.branch(block, inst);
            } else if pass.func.insts[inst].op == Opcode::BrTable {
                pass.switch(block, inst);
            } else if pass.inst(inst) {
                continue;
            }
            pass.out.push(inst);
        }
        // Hand the filled buffer over only if instructions came or went.
        let list = &mut pass.func.blocks[block].insts;
        *list = insts;
        if list[..] != pass.out[..] {
            list.clear();
            list.extend_from_slice(pass.out);
        }
    }
    let changed = pass.changed;
    if !rename.is_empty() {
        rename.apply(func);
    }
    scratch.defs = defs;
    scratch.rename = rename;
    scratch.insts = out;
    changed
}

/// The pass at work; its rules are here and in `algebra.rs`.
pub(crate) struct Simplify<'a> {
    pub(crate) func: &'a mut Func,
    cx: &'a ModuleContext<'a>,
    pub(crate) defs: &'a mut Defs,
    pub(crate) rename: &'a mut Rename,
    /// The instructions of the current block so far.
    out: &'a mut Vec<Inst>,
    /// Somewhere the address of an object is taken.
    has_addresses: bool,
    changed: bool,
}

impl Simplify<'_> {
    pub(crate) fn constant(&self, value: Value) -> Option<i64> {
        self.defs.constant(self.func, value)
    }
    pub(crate) fn real(&self, value: Value) -> Option<f64> {
        self.defs.with_op(self.func, value, Opcode::Fconst).map(|i| f64::from_bits(self.func.insts[i].imm))
    }
    /// Operand `n` of the definition of `value`, if that has the opcode `op`.
    pub(crate) fn operand_of(&mut self, value: Value, op: Opcode, n: usize) -> Option<Value> {
        let inst = self.defs.with_op(self.func, value, op)?;
        if self.takes_address(inst) {
            return None;
        }
        let operand = self.func.args(inst)[n];
        Some(self.rename.resolve(operand))
    }
    /// True if an operand of `inst` is the address of an object. Rules that look through an instruction use its
    /// operands where its result was used; an address has no meaning there if a safepoint lies between.
    fn takes_address(&self, inst: Inst) -> bool {
        self.has_addresses && self.func.args(inst).iter().any(|&arg| self.is_address(arg, 4))
    }
    /// True if `value` is an address, or may be one because it is a sum of many terms.
    fn is_address(&self, value: Value, depth: u32) -> bool {
        let Some(inst) = self.defs.get(value) else { return true };
        let op = self.func.insts[inst].op;
        let of_addresses = [Opcode::Iadd, Opcode::Isub, Opcode::ExtendU, Opcode::ExtendS, Opcode::Wrap];
        let is_any = || depth == 0 || self.func.args(inst).iter().any(|&arg| self.is_address(arg, depth - 1));
        op == Opcode::RefAddr || of_addresses.contains(&op) && is_any()
    }
    pub(crate) fn ty(&self, value: Value) -> Type {
        self.func.values[value]
    }

    /// True if `value` is certainly 0 or 1.
    pub(crate) fn is_bool(&mut self, value: Value, depth: u32) -> bool {
        let Some(inst) = self.defs.get(value) else { return false };
        let op = self.func.insts[inst].op;
        match op {
            Opcode::Iconst32 | Opcode::Iconst64 => self.func.insts[inst].imm <= 1,
            _ if op.any(Flags::BOOLEAN) => true,
            _ if depth == 0 => false,
            Opcode::ExtendU | Opcode::ExtendS => {
                let inner = self.func.args(inst)[0];
                self.is_bool(inner, depth - 1)
            }
            Opcode::And | Opcode::Or | Opcode::Xor => {
                let [a, b] = self.pair(inst);
                self.is_bool(a, depth - 1) && self.is_bool(b, depth - 1)
            }
            Opcode::Select => {
                let args = self.func.args(inst);
                let (a, b) = (args[1], args[2]);
                self.is_bool(a, depth - 1) && self.is_bool(b, depth - 1)
            }
            _ => false,
        }
    }

    /// True if `value` certainly lies between 0 and a mask, which is 1 or 255.
    pub(super) fn has_no_bits_above(&mut self, value: Value, mask: u64) -> bool {
        let Some(inst) = self.defs.get(value) else { return false };
        let (op, imm) = (self.func.insts[inst].op, self.func.insts[inst].imm);
        if op == Opcode::And {
            let b = self.pair(inst)[1];
            return self.constant(b).is_some_and(|bits| bits as u64 <= mask);
        }
        if op == Opcode::Iconst64 {
            return imm <= mask;
        }
        if op == Opcode::ElemU8 { mask == 255 } else { self.is_bool(value, 2) }
    }

    pub(crate) fn pair(&self, inst: Inst) -> [Value; 2] {
        let args = self.func.args(inst);
        [args[0], args[1]]
    }

    // -- ways to change an instruction -----------------------------------------------------------------------------
    // Each returns what `inst` returns: true if the instruction is to be dropped.

    pub(crate) fn replace(&mut self, inst: Inst, by: Value) -> bool {
        let result = self.func.result(inst);
        self.rename.set(result, by);
        self.changed = true;
        true
    }
    pub(crate) fn become_op(&mut self, inst: Inst, op: Opcode, args: &[Value]) -> bool {
        let mut list = std::mem::take(&mut self.func.insts[inst].args);
        if list.len(&self.func.pool) == args.len() {
            list.as_mut_slice(&mut self.func.pool).copy_from_slice(args);
        } else {
            list = ValueList::from_slice(args, &mut self.func.pool);
        }
        let data = &mut self.func.insts[inst];
        data.op = op;
        data.args = list;
        self.changed = true;
        false
    }
    pub(crate) fn become_int(&mut self, inst: Inst, n: i64) -> bool {
        let ty = self.ty(self.func.result(inst));
        self.become_op(inst, if ty == Type::I32 { Opcode::Iconst32 } else { Opcode::Iconst64 }, &[]);
        let data = &mut self.func.insts[inst];
        data.imm = n as u64;
        data.aux = 0;
        false
    }
    pub(crate) fn become_real(&mut self, inst: Inst, n: f64) -> bool {
        self.become_op(inst, Opcode::Fconst, &[]);
        self.func.insts[inst].imm = n.to_bits();
        false
    }
    fn become_node(&mut self, inst: Inst, desc: u64) -> bool {
        self.become_constant(inst, Opcode::NodeInfoAddr, desc, 0)
    }
    fn become_constant(&mut self, inst: Inst, op: Opcode, imm: u64, aux: u32) -> bool {
        self.become_op(inst, op, &[]);
        let data = &mut self.func.insts[inst];
        (data.imm, data.aux) = (imm, aux);
        false
    }
    /// A new instruction before the current one.
    pub(crate) fn insert(&mut self, op: Opcode, imm: u64, args: &[Value], ty: Type) -> Value {
        let inst = self.func.make_inst(op, imm, 0, args, &[ty]);
        self.defs.record(self.func, inst);
        self.out.push(inst);
        self.func.result(inst)
    }
    pub(crate) fn int(&mut self, ty: Type, n: i64) -> Value {
        self.insert(if ty == Type::I32 { Opcode::Iconst32 } else { Opcode::Iconst64 }, n as u64, &[], ty)
    }

    // -- rules -------------------------------------------------------------------------------------------------------

    /// Simplifies one instruction; true if it is to be dropped because its result was renamed.
    fn inst(&mut self, inst: Inst) -> bool {
        let op = self.func.insts[inst].op;
        match op.group() {
            Group::Integer(op) if self.func.args(inst).len() == 1 => self.unary(inst, op),
            Group::Integer(op) => self.arithmetic(inst, op),
            Group::Comparison(comparison) => self.comparison(inst, comparison),
            Group::Real(op) => self.reals(inst, op),
            Group::RealComparison(comparison) => self.real_comparison(inst, comparison),
            Group::Machine(Machine::Select) => self.select(inst),
            Group::Boxed(op) => self.immediate(inst, op),
            Group::Field(Field::GetRef | Field::GetI64 | Field::GetF64)
            | Group::Load(Load::Header | Load::IsHnf)
            | Group::Machine(Machine::RefAddr) => self.static_node(inst, op),
            Group::Field(_) | Group::Load(_) | Group::Machine(_) | Group::Cell(_) | Group::Evaluation(_) => false,
            Group::Handling(_)
            | Group::Size(_)
            | Group::Element(_)
            | Group::Array(_)
            | Group::Storage(_)
            | Group::Root(_) => false,
            Group::Count(_) | Group::Store(_) | Group::Constant(_) | Group::Call(_) | Group::Terminator(_) => false,
        }
    }

    /// Makes `inst` true if `x` is zero.
    pub(crate) fn test_zero(&mut self, inst: Inst, x: Value) -> bool {
        self.become_op(inst, Opcode::Eqz, &[x]);
        self.unary(inst, Integer::Eqz)
    }

    /// The negation of a boolean, as a value.
    pub(crate) fn negation(&mut self, x: Value) -> Value {
        let inst = self.func.make_inst(Opcode::Eqz, 0, 0, &[x], &[Type::I32]);
        self.defs.record(self.func, inst);
        let result = self.func.result(inst);
        if self.unary(inst, Integer::Eqz) {
            return self.rename.resolve(result);
        }
        self.out.push(inst);
        result
    }

    fn unary(&mut self, inst: Inst, op: Integer) -> bool {
        let x = self.func.args(inst)[0];
        if let Some(c) = self.constant(x) {
            return match fold::integer(op.opcode(), self.ty(x), c, 0) {
                Some(n) => self.become_int(inst, n),
                None => false,
            };
        }
        if op == Integer::Wrap {
            let wide = self.operand_of(x, Opcode::ExtendU, 0).or_else(|| self.operand_of(x, Opcode::ExtendS, 0));
            return wide.is_some_and(|inner| self.replace(inst, inner));
        }
        op == Integer::Eqz && self.test_of_zero(inst, x)
    }

    /// `x == 0`
    fn test_of_zero(&mut self, inst: Inst, x: Value) -> bool {
        let Some(def) = self.defs.get(x).filter(|&def| !self.takes_address(def)) else { return false };
        let data = &self.func.insts[def];
        match data.op {
            Opcode::ExtendU | Opcode::ExtendS => {
                let inner = self.func.args(def)[0];
                let inner = self.rename.resolve(inner);
                self.test_zero(inst, inner)
            }
            Opcode::Eqz => {
                let inner = self.func.args(def)[0];
                let inner = self.rename.resolve(inner);
                if self.ty(inner) == Type::I32 && self.is_bool(inner, 2) {
                    return self.replace(inst, inner);
                }
                let zero = self.int(self.ty(inner), 0);
                self.become_op(inst, Opcode::Ne, &[inner, zero])
            }
            Opcode::Isub => {
                let [a, b] = self.pair(def).map(|v| self.rename.resolve(v));
                self.become_op(inst, Opcode::Eq, &[a, b])
            }
            Opcode::Srem => match self.as_test(x) {
                Some(bits) => self.become_op(inst, Opcode::Eqz, &[bits]),
                None => false,
            },
            op => match op.inverse() {
                Some(inverse) => {
                    let [a, b] = self.pair(def).map(|v| self.rename.resolve(v));
                    self.become_op(inst, inverse, &[a, b])
                }
                None => false,
            },
        }
    }

    fn select(&mut self, inst: Inst) -> bool {
        let args = self.func.args(inst);
        let (condition, a, b) = (args[0], args[1], args[2]);
        if a == b {
            return self.replace(inst, a);
        }
        if let Some(c) = self.constant(condition) {
            return self.replace(inst, if c != 0 { a } else { b });
        }
        if let (Some(x), Some(y)) = (self.defs.get(a), self.defs.get(b))
            && same_constant(self.func, x, y)
        {
            return self.replace(inst, a);
        }
        let (plain, negated) = self.tested(condition);
        if negated || plain != condition {
            let [a, b] = if negated { [b, a] } else { [a, b] };
            self.become_op(inst, Opcode::Select, &[plain, a, b]);
            return self.select_constants(inst, plain, a, b);
        }
        self.select_constants(inst, condition, a, b)
    }

    /// Choices between 1 and 0 are the condition itself or its negation.
    fn select_constants(&mut self, inst: Inst, condition: Value, a: Value, b: Value) -> bool {
        let one_zero = match (self.constant(a), self.constant(b)) {
            (Some(1), Some(0)) => true,
            (Some(0), Some(1)) => false,
            _ => return false,
        };
        let truth = match one_zero {
            true if self.is_bool(condition, 2) => condition,
            true => {
                let zero = self.int(Type::I32, 0);
                self.insert(Opcode::Ne, 0, &[condition, zero], Type::I32)
            }
            false => self.negation(condition),
        };
        if self.ty(a) == Type::I32 {
            self.replace(inst, truth)
        } else {
            self.become_op(inst, Opcode::ExtendU, &[truth])
        }
    }

    /// Reads of nodes that never change.
    fn static_node(&mut self, inst: Inst, op: Opcode) -> bool {
        let x = self.func.args(inst)[0];
        let Some(def) = self.defs.get(x) else { return false };
        let data = &self.func.insts[def];
        let (imm, source) = (data.imm, data.op);
        match (op, source) {
            (
                Opcode::IsHnf,
                Opcode::NodeRef | Opcode::StaticRef | Opcode::StaticNode | Opcode::BoxChar | Opcode::BoxBool,
            ) => self.become_int(inst, 1),
            (Opcode::Header, Opcode::NodeRef) => self.become_node(inst, imm),
            (Opcode::Header, Opcode::StaticNode) => {
                let StaticData::Node(node) = &self.cx.statics[Static::from_u32(imm as u32)] else { return false };
                let (desc, applied_args) = (node.desc, node.applied_args);
                self.become_constant(inst, Opcode::NodeInfoAddr, u64::from(desc.as_u32()), applied_args)
            }
            (Opcode::GetRef | Opcode::GetI64 | Opcode::GetF64, Opcode::StaticNode) => {
                let read = &self.func.insts[inst];
                let fact = lattice::field(self.cx.statics, Static::from_u32(imm as u32), read);
                let Some(constant) = fact.constant() else { return false };
                self.become_constant(inst, constant.op, constant.imm, constant.aux)
            }
            (Opcode::Header, Opcode::StaticRef) => self.become_node(inst, WellKnownDesc::String as u64),
            (Opcode::Header, Opcode::BoxChar) => self.become_node(inst, WellKnownDesc::Char as u64),
            (Opcode::Header, Opcode::BoxBool) => self.become_node(inst, WellKnownDesc::Bool as u64),
            (Opcode::GetI64, Opcode::BoxChar | Opcode::BoxBool) => {
                let inner = self.func.args(def)[0];
                let inner = self.rename.resolve(inner);
                // The node holds no other bits.
                let mask = if source == Opcode::BoxBool { 1 } else { 255 };
                if self.has_no_bits_above(inner, mask) {
                    return self.replace(inst, inner);
                }
                let mask = self.int(Type::I64, mask as i64);
                let masked = self.insert(Opcode::And, 0, &[inner, mask], Type::I64);
                self.replace(inst, masked)
            }
            (Opcode::RefAddr, Opcode::AddrRef) => {
                let inner = self.func.args(def)[0];
                let inner = self.rename.resolve(inner);
                self.replace(inst, inner)
            }
            _ => false,
        }
    }

    // -- conditions --------------------------------------------------------------------------------------------------

    /// Strips tests for (non-)zero off a 32-bit condition: the value tested, and whether it is negated.
    fn condition(&mut self, mut condition: Value) -> (Value, bool) {
        let mut negated = false;
        loop {
            let inner = if let Some(inner) = self.operand_of(condition, Opcode::Eqz, 0) {
                if self.ty(inner) != Type::I32 {
                    break;
                }
                negated = !negated;
                inner
            } else if let (Some(inner), Some(zero)) =
                (self.operand_of(condition, Opcode::Ne, 0), self.operand_of(condition, Opcode::Ne, 1))
            {
                if self.ty(inner) != Type::I32 || self.constant(zero) != Some(0) {
                    break;
                }
                inner
            } else {
                break;
            };
            condition = inner;
        }
        (condition, negated)
    }

    /// The same, with a cheaper value that is zero where the condition is.
    fn tested(&mut self, condition: Value) -> (Value, bool) {
        let (plain, negated) = self.condition(condition);
        (self.as_test(plain).unwrap_or(plain), negated)
    }

    fn branch(&mut self, block: cleave_ir::Block, inst: Inst) {
        let condition = self.func.args(inst)[0];
        let (plain, negated) = self.tested(condition);
        if negated {
            self.func.blocks[block].edges.swap(0, 1);
        }
        if plain != condition {
            self.become_op(inst, Opcode::BrIf, &[plain]);
        }
        if let Some(c) = self.constant(plain) {
            let taken = if c != 0 { 0 } else { 1 };
            self.become_jump(block, inst, taken);
        }
    }

    fn switch(&mut self, block: cleave_ir::Block, inst: Inst) {
        let index = self.func.args(inst)[0];
        let edges = self.func.blocks[block].edges.len();
        if let Some(c) = self.constant(index) {
            self.become_jump(block, inst, (c as u32 as usize).min(edges - 1));
        } else if edges == 1 {
            self.become_jump(block, inst, 0);
        } else if edges == 2 {
            self.func.blocks[block].edges.swap(0, 1);
            self.become_op(inst, Opcode::BrIf, &[index]);
            self.branch(block, inst);
        }
    }

    fn become_jump(&mut self, block: cleave_ir::Block, inst: Inst, edge: usize) {
        self.become_op(inst, Opcode::Jump, &[]);
        let edges = &mut self.func.blocks[block].edges;
        edges.swap(0, edge);
        edges.truncate(1);
    }
}
