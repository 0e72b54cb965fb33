//! Local rewriting: constant folding, algebraic identities, and the booleans of the front end, which are 64-bit words
//! (`extend_u` of a comparison) tested by `ne 0`, `eqz` or `wrap`, folded back to the comparison itself.
//!
//! One sweep in layout order; a value is looked through to its definition and no further than needed, so the cost is
//! linear. Effective (not only correct) if definitions come before uses in the layout, which `flow` establishes.
//! Removed results are renamed; instructions that became unused are left to `dce`, blocks and edges that became
//! unreachable to `flow`. Divisions that may trap stay, and so do NaNs.
//!
//! Only facts that memory cannot change are used: headers of static nodes, contents of boxed characters and booleans.
//! What is known about nodes that can be updated is the business of `gvn`.

use crate::fold;
use crate::values::{Defs, Rename, Scratch, is_constant, same_constant};
use cleave_ir::{Func, Inst, Known, Opcode, Type, Value, ValueList};

/// Rewrites the instructions of `func`; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    let mut defs = std::mem::take(&mut scratch.defs);
    let mut rename = std::mem::take(&mut scratch.rename);
    let mut out = std::mem::take(&mut scratch.insts);
    defs.compute(func);
    rename.start(func);
    let mut pass = Simplify { func, defs: &mut defs, rename: &mut rename, out: &mut out, changed: false };
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

struct Simplify<'a> {
    func: &'a mut Func,
    defs: &'a mut Defs,
    rename: &'a mut Rename,
    /// The instructions of the current block so far.
    out: &'a mut Vec<Inst>,
    changed: bool,
}

impl Simplify<'_> {
    fn constant(&self, value: Value) -> Option<i64> {
        self.defs.constant(self.func, value)
    }
    fn real(&self, value: Value) -> Option<f64> {
        self.defs.with_op(self.func, value, Opcode::Fconst).map(|i| f64::from_bits(self.func.insts[i].imm))
    }
    /// Operand `n` of the definition of `value`, if that has the opcode `op`.
    fn operand_of(&mut self, value: Value, op: Opcode, n: usize) -> Option<Value> {
        let inst = self.defs.with_op(self.func, value, op)?;
        let operand = self.func.args(inst)[n];
        Some(self.rename.resolve(operand))
    }
    fn ty(&self, value: Value) -> Type {
        self.func.values[value]
    }

    /// True if `value` is certainly 0 or 1.
    fn is_bool(&mut self, value: Value, depth: u32) -> bool {
        let Some(inst) = self.defs.get(value) else { return false };
        let op = self.func.insts[inst].op;
        match op {
            Opcode::Iconst32 | Opcode::Iconst64 => self.func.insts[inst].imm <= 1,
            _ if fold::is_comparison(op) => true,
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

    fn pair(&self, inst: Inst) -> [Value; 2] {
        let args = self.func.args(inst);
        [args[0], args[1]]
    }

    // -- ways to change an instruction -----------------------------------------------------------------------------
    // Each returns what `inst` returns: true if the instruction is to be dropped.

    fn replace(&mut self, inst: Inst, by: Value) -> bool {
        let result = self.func.result(inst);
        self.rename.set(result, by);
        self.changed = true;
        true
    }
    fn become_op(&mut self, inst: Inst, op: Opcode, args: &[Value]) -> bool {
        let mut list = std::mem::take(&mut self.func.insts[inst].args);
        if list.len(&self.func.pool) == args.len() {
            list.as_mut_slice(&mut self.func.pool).copy_from_slice(args);
        } else {
            list.clear(&mut self.func.pool);
            list = ValueList::from_slice(args, &mut self.func.pool);
        }
        let data = &mut self.func.insts[inst];
        data.op = op;
        data.args = list;
        self.changed = true;
        false
    }
    fn become_int(&mut self, inst: Inst, n: i64) -> bool {
        let ty = self.ty(self.func.result(inst));
        self.become_op(inst, if ty == Type::I32 { Opcode::Iconst32 } else { Opcode::Iconst64 }, &[]);
        let data = &mut self.func.insts[inst];
        data.imm = n as u64;
        data.aux = 0;
        false
    }
    fn become_real(&mut self, inst: Inst, n: f64) -> bool {
        self.become_op(inst, Opcode::Fconst, &[]);
        self.func.insts[inst].imm = n.to_bits();
        false
    }
    fn become_row(&mut self, inst: Inst, desc: u64) -> bool {
        self.become_op(inst, Opcode::RowAddr, &[]);
        let data = &mut self.func.insts[inst];
        data.imm = desc;
        data.aux = 0;
        false
    }
    /// A new instruction before the current one.
    fn insert(&mut self, op: Opcode, imm: u64, args: &[Value], ty: Type) -> Value {
        let inst = self.func.make_inst(op, imm, 0, args, &[ty]);
        self.defs.record(self.func, inst);
        self.out.push(inst);
        self.func.result(inst)
    }
    fn int(&mut self, ty: Type, n: i64) -> Value {
        self.insert(if ty == Type::I32 { Opcode::Iconst32 } else { Opcode::Iconst64 }, n as u64, &[], ty)
    }

    // -- rules -------------------------------------------------------------------------------------------------------

    /// Simplifies one instruction; true if it is to be dropped because its result was renamed.
    fn inst(&mut self, inst: Inst) -> bool {
        let op = self.func.insts[inst].op;
        match op {
            Opcode::Iadd
            | Opcode::Isub
            | Opcode::Imul
            | Opcode::Sdiv
            | Opcode::Srem
            | Opcode::Udiv
            | Opcode::Urem
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::Sshr
            | Opcode::Ushr
            | Opcode::Rotl
            | Opcode::Rotr
            | Opcode::Umulhi => self.arithmetic(inst, op),
            Opcode::Eq
            | Opcode::Ne
            | Opcode::Slt
            | Opcode::Sgt
            | Opcode::Sle
            | Opcode::Sge
            | Opcode::Ult
            | Opcode::Ugt
            | Opcode::Ule
            | Opcode::Uge => self.comparison(inst, op),
            Opcode::Eqz | Opcode::ExtendU | Opcode::ExtendS | Opcode::Wrap | Opcode::Clz => self.unary(inst, op),
            Opcode::Select => self.select(inst),
            Opcode::Fadd
            | Opcode::Fsub
            | Opcode::Fmul
            | Opcode::Fdiv
            | Opcode::Fneg
            | Opcode::Fabs
            | Opcode::Fsqrt
            | Opcode::Ffloor
            | Opcode::Fceil
            | Opcode::Ftrunc
            | Opcode::Fnearest
            | Opcode::Feq
            | Opcode::Fne
            | Opcode::Flt
            | Opcode::Fgt
            | Opcode::Fle
            | Opcode::Fge
            | Opcode::IntToReal
            | Opcode::RealToInt
            | Opcode::RealBits
            | Opcode::BitsReal => self.reals(inst, op),
            Opcode::Header | Opcode::IsHnf | Opcode::GetI64 | Opcode::RefAddr => self.static_node(inst, op),
            _ => false,
        }
    }

    fn arithmetic(&mut self, inst: Inst, op: Opcode) -> bool {
        let [mut x, mut y] = self.pair(inst);
        let ty = self.ty(x);
        let (mut cx, mut cy) = (self.constant(x), self.constant(y));
        if let (Some(a), Some(b)) = (cx, cy) {
            return match fold::binary_int(op, ty, a, b) {
                Some(n) => self.become_int(inst, n),
                None => false,
            };
        }
        if cx.is_some() && fold::is_commutative(op) {
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut cx, &mut cy);
            self.become_op(inst, op, &[x, y]);
        }
        let Some(c) = cy else { return self.arithmetic_on_values(inst, op, x, y) };
        let mask = if ty == Type::I32 { 31 } else { 63 };
        let unsigned = if ty == Type::I32 { c as u32 as u64 } else { c as u64 };
        let shift = unsigned.is_power_of_two().then(|| unsigned.trailing_zeros() as i64);
        match op {
            Opcode::Iadd | Opcode::Isub | Opcode::Or | Opcode::Xor if c == 0 => self.replace(inst, x),
            Opcode::Shl | Opcode::Sshr | Opcode::Ushr | Opcode::Rotl | Opcode::Rotr if c & mask == 0 => {
                self.replace(inst, x)
            }
            Opcode::Imul | Opcode::Sdiv | Opcode::Udiv if c == 1 => self.replace(inst, x),
            Opcode::Imul | Opcode::And | Opcode::Umulhi if c == 0 => self.become_int(inst, 0),
            Opcode::Srem | Opcode::Urem if c == 1 => self.become_int(inst, 0),
            Opcode::And if c == -1 => self.replace(inst, x),
            Opcode::Or if c == -1 => self.become_int(inst, -1),
            Opcode::Isub => {
                let minus = fold::binary_int(Opcode::Isub, ty, 0, c).unwrap_or(0);
                let minus = self.int(ty, minus);
                self.become_op(inst, Opcode::Iadd, &[x, minus]);
                self.reassociate(inst, Opcode::Iadd)
            }
            Opcode::Imul if c == -1 => {
                let zero = self.int(ty, 0);
                self.become_op(inst, Opcode::Isub, &[zero, x])
            }
            Opcode::Imul | Opcode::Udiv | Opcode::Urem if shift.is_some() => {
                let shift = shift.unwrap_or(0);
                let (op, n) = match op {
                    Opcode::Imul => (Opcode::Shl, shift),
                    Opcode::Udiv => (Opcode::Ushr, shift),
                    _ => (Opcode::And, fold::binary_int(Opcode::Isub, ty, c, 1).unwrap_or(0)),
                };
                let n = self.int(ty, n);
                self.become_op(inst, op, &[x, n])
            }
            Opcode::Xor if c == 1 => match self.operand_of(x, Opcode::ExtendU, 0) {
                Some(inner) if self.is_bool(inner, 2) => {
                    let not = self.negation(inner);
                    self.become_op(inst, Opcode::ExtendU, &[not])
                }
                _ => false,
            },
            Opcode::And if c == 1 && self.is_bool(x, 2) => self.replace(inst, x),
            Opcode::Iadd | Opcode::And | Opcode::Or | Opcode::Xor => self.reassociate(inst, op),
            _ => false,
        }
    }

    /// `(z op c1) op c2` → `z op (c1 op c2)`.
    fn reassociate(&mut self, inst: Inst, op: Opcode) -> bool {
        let [x, y] = self.pair(inst);
        let Some(c2) = self.constant(y) else { return false };
        let (Some(z), Some(c)) = (self.operand_of(x, op, 0), self.operand_of(x, op, 1)) else { return false };
        let Some(c1) = self.constant(c) else { return false };
        let ty = self.ty(x);
        let n = fold::binary_int(op, ty, c1, c2).unwrap_or(0);
        if n == 0 && op != Opcode::And {
            return self.replace(inst, z);
        }
        let n = self.int(ty, n);
        self.become_op(inst, op, &[z, n])
    }

    fn arithmetic_on_values(&mut self, inst: Inst, op: Opcode, x: Value, y: Value) -> bool {
        match op {
            Opcode::Isub | Opcode::Xor if x == y => return self.become_int(inst, 0),
            Opcode::And | Opcode::Or if x == y => return self.replace(inst, x),
            Opcode::And | Opcode::Or | Opcode::Xor => {}
            _ => return false,
        }
        // Conjunctions and disjunctions of booleans stay 32 bits wide.
        match (self.operand_of(x, Opcode::ExtendU, 0), self.operand_of(y, Opcode::ExtendU, 0)) {
            (Some(a), Some(b)) => {
                let narrow = self.insert(op, 0, &[a, b], Type::I32);
                self.become_op(inst, Opcode::ExtendU, &[narrow])
            }
            _ => false,
        }
    }

    fn comparison(&mut self, inst: Inst, mut op: Opcode) -> bool {
        let [mut x, mut y] = self.pair(inst);
        let ty = self.ty(x);
        let (mut cx, mut cy) = (self.constant(x), self.constant(y));
        if let (Some(a), Some(b)) = (cx, cy) {
            let truth = fold::compare_int(op, ty, a, b).unwrap_or(false);
            return self.become_int(inst, truth as i64);
        }
        if x == y {
            let truth = matches!(op, Opcode::Eq | Opcode::Sle | Opcode::Sge | Opcode::Ule | Opcode::Uge);
            return self.become_int(inst, truth as i64);
        }
        if cx.is_some() {
            op = fold::swapped(op).unwrap_or(op);
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut cx, &mut cy);
            self.become_op(inst, op, &[x, y]);
        }
        let Some(c) = cy else {
            // Rows and entry records have addresses of their own.
            if let (Opcode::Eq | Opcode::Ne, Some(a), Some(b)) = (op, self.defs.get(x), self.defs.get(y))
                && is_header_constant(self.func.insts[a].op)
                && is_header_constant(self.func.insts[b].op)
            {
                let equal = same_constant(self.func, a, b);
                return self.become_int(inst, (equal == (op == Opcode::Eq)) as i64);
            }
            return false;
        };
        match op {
            Opcode::Ult if c == 0 => self.become_int(inst, 0),
            Opcode::Uge if c == 0 => self.become_int(inst, 1),
            Opcode::Ult if c == 1 => self.test_zero(inst, x),
            Opcode::Eq | Opcode::Ne => self.equality(inst, op, x, c),
            _ => false,
        }
    }

    /// `x == c` and `x != c`.
    fn equality(&mut self, inst: Inst, op: Opcode, x: Value, c: i64) -> bool {
        let ty = self.ty(x);
        if let (Some(z), Some(n)) = (self.operand_of(x, Opcode::Iadd, 0), self.operand_of(x, Opcode::Iadd, 1))
            && let Some(n) = self.constant(n)
        {
            let c = fold::binary_int(Opcode::Isub, ty, c, n).unwrap_or(0);
            let c = self.int(ty, c);
            return self.become_op(inst, op, &[z, c]);
        }
        for extend in [Opcode::ExtendU, Opcode::ExtendS] {
            if let Some(inner) = self.operand_of(x, extend, 0) {
                let narrow = c as i32 as i64;
                if fold::unary_int(extend, Type::I32, narrow) != Some(c) {
                    return self.become_int(inst, (op == Opcode::Ne) as i64);
                }
                let c = self.int(Type::I32, narrow);
                self.become_op(inst, op, &[inner, c]);
                return self.equality(inst, op, inner, narrow);
            }
        }
        let boolean = ty == Type::I32 && (c == 0 || c == 1) && self.is_bool(x, 2);
        match (op, c) {
            (Opcode::Ne, 0) | (Opcode::Eq, 1) if boolean => self.replace(inst, x),
            (Opcode::Eq, 0) => self.test_zero(inst, x),
            (Opcode::Ne, 1) if boolean => self.test_zero(inst, x),
            _ => false,
        }
    }

    /// Makes `inst` true if `x` is zero.
    fn test_zero(&mut self, inst: Inst, x: Value) -> bool {
        self.become_op(inst, Opcode::Eqz, &[x]);
        self.unary(inst, Opcode::Eqz)
    }

    /// The negation of a boolean, as a value.
    fn negation(&mut self, x: Value) -> Value {
        let inst = self.func.make_inst(Opcode::Eqz, 0, 0, &[x], &[Type::I32]);
        self.defs.record(self.func, inst);
        let result = self.func.result(inst);
        if self.unary(inst, Opcode::Eqz) {
            return self.rename.resolve(result);
        }
        self.out.push(inst);
        result
    }

    fn unary(&mut self, inst: Inst, op: Opcode) -> bool {
        let x = self.func.args(inst)[0];
        if let Some(c) = self.constant(x) {
            return match fold::unary_int(op, self.ty(x), c) {
                Some(n) => self.become_int(inst, n),
                None => false,
            };
        }
        match op {
            Opcode::Wrap => {
                match self.operand_of(x, Opcode::ExtendU, 0).or_else(|| self.operand_of(x, Opcode::ExtendS, 0)) {
                    Some(inner) => self.replace(inst, inner),
                    None => false,
                }
            }
            Opcode::Eqz => {
                let Some(def) = self.defs.get(x) else { return false };
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
                    op => match fold::inverse(op) {
                        Some(inverse) => {
                            let [a, b] = self.pair(def).map(|v| self.rename.resolve(v));
                            self.become_op(inst, inverse, &[a, b])
                        }
                        None => false,
                    },
                }
            }
            _ => false,
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
        let (plain, negated) = self.condition(condition);
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
        if self.ty(a) == Type::I32 { self.replace(inst, truth) } else { self.become_op(inst, Opcode::ExtendU, &[truth]) }
    }

    fn reals(&mut self, inst: Inst, op: Opcode) -> bool {
        let x = self.func.args(inst)[0];
        match op {
            Opcode::IntToReal => match self.constant(x) {
                Some(n) => self.become_real(inst, n as f64),
                None => false,
            },
            Opcode::RealToInt => match self.real(x) {
                Some(n) if n == n.trunc() => self.become_int(inst, fold::real_to_int(n)),
                _ => false,
            },
            Opcode::RealBits => match self.operand_of(x, Opcode::BitsReal, 0) {
                Some(bits) => self.replace(inst, bits),
                None => match self.defs.with_op(self.func, x, Opcode::Fconst) {
                    Some(def) => {
                        let bits = self.func.insts[def].imm;
                        self.become_int(inst, bits as i64)
                    }
                    None => false,
                },
            },
            Opcode::BitsReal => match self.operand_of(x, Opcode::RealBits, 0) {
                Some(real) => self.replace(inst, real),
                None => match self.constant(x) {
                    Some(bits) => self.become_real(inst, f64::from_bits(bits as u64)),
                    None => false,
                },
            },
            Opcode::Fneg => match self.operand_of(x, Opcode::Fneg, 0) {
                Some(inner) => self.replace(inst, inner),
                None => self.fold_reals(inst, op),
            },
            _ => self.fold_reals(inst, op),
        }
    }

    fn fold_reals(&mut self, inst: Inst, op: Opcode) -> bool {
        let args = self.func.args(inst);
        let (x, y) = (args[0], args.get(1).copied());
        let Some(a) = self.real(x) else { return false };
        let b = match y {
            None => 0.0,
            Some(y) => match self.real(y) {
                Some(b) => b,
                None => return false,
            },
        };
        if let Some(truth) = fold::compare_real(op, a, b) {
            return self.become_int(inst, truth as i64);
        }
        match fold::real(op, a, b) {
            Some(n) => self.become_real(inst, n),
            None => false,
        }
    }

    /// Reads of nodes that never change.
    fn static_node(&mut self, inst: Inst, op: Opcode) -> bool {
        let x = self.func.args(inst)[0];
        let Some(def) = self.defs.get(x) else { return false };
        let data = &self.func.insts[def];
        let (imm, source) = (data.imm, data.op);
        match (op, source) {
            (Opcode::IsHnf, Opcode::NodeRef | Opcode::StaticRef | Opcode::BoxChar | Opcode::BoxBool) => {
                self.become_int(inst, 1)
            }
            (Opcode::Header, Opcode::NodeRef) => self.become_row(inst, imm),
            (Opcode::Header, Opcode::StaticRef) => self.become_row(inst, Known::String as u64),
            (Opcode::Header, Opcode::BoxChar) => self.become_row(inst, Known::Char as u64),
            (Opcode::Header, Opcode::BoxBool) => self.become_row(inst, Known::Bool as u64),
            (Opcode::GetI64, Opcode::BoxChar | Opcode::BoxBool) => {
                let inner = self.func.args(def)[0];
                let inner = self.rename.resolve(inner);
                self.replace(inst, inner)
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

    fn branch(&mut self, block: cleave_ir::Block, inst: Inst) {
        let condition = self.func.args(inst)[0];
        let (plain, negated) = self.condition(condition);
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

fn is_header_constant(op: Opcode) -> bool {
    is_constant(op) && matches!(op, Opcode::RowAddr | Opcode::EntryAddr)
}
