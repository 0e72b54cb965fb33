//! Algebra of integers and reals, the larger half of `instcombine`: identities, constants moved to the right and
//! together, strength reduction, comparisons. A rule returns true if the instruction is to be dropped since its result
//! was renamed.

use crate::analysis::values::same_constant;
use crate::opt::fold;
use crate::opt::instcombine::Simplify;
use cleave_ir::opcode::{Comparison, Integer, Real, RealComparison};
use cleave_ir::{Flags, Inst, Opcode, Type, Value};

impl Simplify<'_> {
    pub(crate) fn arithmetic(&mut self, inst: Inst, op: Integer) -> bool {
        use Integer::*;
        let [mut x, mut y] = self.pair(inst);
        let ty = self.ty(x);
        let (mut cx, mut cy) = (self.constant(x), self.constant(y));
        if let (Some(a), Some(b)) = (cx, cy) {
            return match fold::integer(op.opcode(), ty, a, b) {
                Some(n) => self.become_int(inst, n),
                None => false,
            };
        }
        if cx.is_some() && op.opcode().any(Flags::COMMUTATIVE) {
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut cx, &mut cy);
            self.become_op(inst, op.opcode(), &[x, y]);
        }
        let Some(c) = cy else { return self.arithmetic_on_values(inst, op, x, y) };
        let mask = if ty == Type::I32 { 31 } else { 63 };
        let unsigned = if ty == Type::I32 { c as u32 as u64 } else { c as u64 };
        let shift = unsigned.is_power_of_two().then(|| unsigned.trailing_zeros() as i64);
        match op {
            Iadd | Isub | Or | Xor if c == 0 => self.replace(inst, x),
            Shl | Sshr | Ushr | Rotl | Rotr if c & mask == 0 => self.replace(inst, x),
            Imul | Sdiv | Udiv if c == 1 => self.replace(inst, x),
            Imul | And | Umulhi if c == 0 => self.become_int(inst, 0),
            Srem if c == -1 => self.become_int(inst, 0),
            Srem | Urem if c == 1 => self.become_int(inst, 0),
            And if c == -1 => self.replace(inst, x),
            Or if c == -1 => self.become_int(inst, -1),
            Isub => {
                let minus = fold::integer(Opcode::Isub, ty, 0, c).unwrap_or(0);
                let minus = self.int(ty, minus);
                self.become_op(inst, Opcode::Iadd, &[x, minus]);
                self.reassociate(inst, Opcode::Iadd)
            }
            Imul if c == -1 => {
                let zero = self.int(ty, 0);
                self.become_op(inst, Opcode::Isub, &[zero, x])
            }
            Imul if let Some(shift) = shift => self.become_with(inst, Opcode::Shl, x, shift),
            Udiv if let Some(shift) = shift => self.become_with(inst, Opcode::Ushr, x, shift),
            Urem if shift.is_some() => {
                self.become_with(inst, Opcode::And, x, fold::integer(Opcode::Isub, ty, c, 1).unwrap_or(0))
            }
            Xor if c == 1 => match self.operand_of(x, Opcode::ExtendU, 0) {
                Some(inner) if self.is_bool(inner, 2) => {
                    let not = self.negation(inner);
                    self.become_op(inst, Opcode::ExtendU, &[not])
                }
                _ => false,
            },
            And if c == 1 && self.is_bool(x, 2) => self.replace(inst, x),
            Iadd | And | Or | Xor => self.reassociate(inst, op.opcode()),
            _ => false,
        }
    }

    /// Makes `inst` an operation of a value and a constant.
    fn become_with(&mut self, inst: Inst, op: Opcode, x: Value, c: i64) -> bool {
        let c = self.int(self.ty(x), c);
        self.become_op(inst, op, &[x, c])
    }

    /// `(z op c1) op c2` → `z op (c1 op c2)`.
    fn reassociate(&mut self, inst: Inst, op: Opcode) -> bool {
        let [x, y] = self.pair(inst);
        let Some(c2) = self.constant(y) else { return false };
        let (Some(z), Some(c)) = (self.operand_of(x, op, 0), self.operand_of(x, op, 1)) else { return false };
        let Some(c1) = self.constant(c) else { return false };
        let ty = self.ty(x);
        let n = fold::integer(op, ty, c1, c2).unwrap_or(0);
        if n == 0 && op != Opcode::And {
            return self.replace(inst, z);
        }
        let n = self.int(ty, n);
        self.become_op(inst, op, &[z, n])
    }

    fn arithmetic_on_values(&mut self, inst: Inst, op: Integer, x: Value, y: Value) -> bool {
        if x == y && (op == Integer::Isub || op == Integer::Xor) {
            return self.become_int(inst, 0);
        }
        if op != Integer::And && op != Integer::Or && op != Integer::Xor {
            return false;
        }
        if x == y {
            return self.replace(inst, x);
        }
        // Conjunctions and disjunctions of booleans stay 32 bits wide.
        match (self.operand_of(x, Opcode::ExtendU, 0), self.operand_of(y, Opcode::ExtendU, 0)) {
            (Some(a), Some(b)) => {
                let narrow = self.insert(op.opcode(), 0, &[a, b], Type::I32);
                self.become_op(inst, Opcode::ExtendU, &[narrow])
            }
            _ => false,
        }
    }

    pub(crate) fn comparison(&mut self, inst: Inst, mut comparison: Comparison) -> bool {
        let [mut x, mut y] = self.pair(inst);
        let (mut cx, mut cy) = (self.constant(x), self.constant(y));
        if let (Some(a), Some(b)) = (cx, cy) {
            return self.become_int(inst, comparison.evaluate(a, b).into());
        }
        if x == y {
            return self.become_int(inst, comparison.evaluate(0, 0).into());
        }
        if cx.is_some() {
            comparison = comparison.swapped();
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut cx, &mut cy);
            self.become_op(inst, comparison.opcode(), &[x, y]);
        }
        let op = comparison.opcode();
        let Some(c) = cy else {
            // Node infos and thunk infos have addresses of their own.
            if let (Opcode::Eq | Opcode::Ne, Some(a), Some(b)) = (op, self.defs.get(x), self.defs.get(y))
                && is_header_constant(self.func.insts[a].op)
                && is_header_constant(self.func.insts[b].op)
            {
                let equal = same_constant(self.func, a, b);
                return self.become_int(inst, (equal == (op == Opcode::Eq)) as i64);
            }
            return false;
        };
        match comparison {
            Comparison::Ult if c == 0 => self.become_int(inst, 0),
            Comparison::Uge if c == 0 => self.become_int(inst, 1),
            Comparison::Ult if c == 1 => self.test_zero(inst, x),
            Comparison::Eq | Comparison::Ne => self.equality(inst, op, x, c),
            Comparison::Ult | Comparison::Uge | Comparison::Ule | Comparison::Ugt => false,
            Comparison::Slt | Comparison::Sgt | Comparison::Sle | Comparison::Sge => false,
        }
    }

    /// `x == c` and `x != c`.
    fn equality(&mut self, inst: Inst, op: Opcode, x: Value, c: i64) -> bool {
        let ty = self.ty(x);
        if let (Some(z), Some(n)) = (self.operand_of(x, Opcode::Iadd, 0), self.operand_of(x, Opcode::Iadd, 1))
            && let Some(n) = self.constant(n)
        {
            let c = fold::integer(Opcode::Isub, ty, c, n).unwrap_or(0);
            let c = self.int(ty, c);
            return self.become_op(inst, op, &[z, c]);
        }
        for extend in [Opcode::ExtendU, Opcode::ExtendS] {
            if let Some(inner) = self.operand_of(x, extend, 0) {
                let narrow = c as i32 as i64;
                if fold::integer(extend, Type::I32, narrow, 0) != Some(c) {
                    return self.become_int(inst, (op == Opcode::Ne) as i64);
                }
                let c = self.int(Type::I32, narrow);
                self.become_op(inst, op, &[inner, c]);
                return self.equality(inst, op, inner, narrow);
            }
        }
        if (op, c) != (Opcode::Eq, 0)
            && let Some((z, low)) = self.remainder_of_power(x)
            && let Some((mask, c)) = masked_remainder(ty, low, c)
        {
            let mask = self.int(ty, mask);
            let bits = self.insert(Opcode::And, 0, &[z, mask], ty);
            let c = self.int(ty, c);
            return self.become_op(inst, op, &[bits, c]);
        }
        let boolean = ty == Type::I32 && (c == 0 || c == 1) && self.is_bool(x, 2);
        // `x != 0`, `x == 1`
        if boolean && (op == Opcode::Ne) == (c == 0) {
            return self.replace(inst, x);
        }
        (boolean || (op, c) == (Opcode::Eq, 0)) && self.test_zero(inst, x)
    }

    /// If `x` is the remainder of a division by a power of two or its negative: the dividend, and the mask of the bits
    /// below that power. The remainder has the dividend's sign.
    fn remainder_of_power(&mut self, x: Value) -> Option<(Value, i64)> {
        let dividend = self.operand_of(x, Opcode::Srem, 0)?;
        let divisor = self.operand_of(x, Opcode::Srem, 1)?;
        let divisor = self.constant(divisor)?.unsigned_abs();
        divisor.is_power_of_two().then(|| (dividend, (divisor - 1) as i64))
    }

    /// What is zero where `x` is, with fewer instructions: a remainder by a power of two is, where the low bits are.
    pub(crate) fn as_test(&mut self, x: Value) -> Option<Value> {
        let (dividend, low) = self.remainder_of_power(x)?;
        let ty = self.ty(x);
        let mask = self.int(ty, low);
        Some(self.insert(Opcode::And, 0, &[dividend, mask], ty))
    }

    pub(crate) fn reals(&mut self, inst: Inst, op: Real) -> bool {
        let x = self.func.args(inst)[0];
        match op {
            Real::IntToReal => match self.constant(x) {
                Some(n) => self.become_real(inst, n as f64),
                None => false,
            },
            Real::RealToInt => match self.real(x) {
                Some(n) if n == n.trunc() => self.become_int(inst, op.evaluate(n.to_bits(), 0) as i64),
                _ => false,
            },
            Real::RealBits => match self.operand_of(x, Opcode::BitsReal, 0) {
                Some(bits) => self.replace(inst, bits),
                None => match self.defs.with_op(self.func, x, Opcode::Fconst) {
                    Some(def) => {
                        let bits = self.func.insts[def].imm;
                        self.become_int(inst, bits as i64)
                    }
                    None => false,
                },
            },
            Real::BitsReal => match self.operand_of(x, Opcode::RealBits, 0) {
                Some(real) => self.replace(inst, real),
                None => match self.constant(x) {
                    Some(bits) => self.become_real(inst, f64::from_bits(bits as u64)),
                    None => false,
                },
            },
            Real::Fneg => match self.operand_of(x, Opcode::Fneg, 0) {
                Some(inner) => self.replace(inst, inner),
                None => self.fold_reals(inst, op, x, x),
            },
            // Doubling: the same number, and no constant in a register.
            Real::Fmul => {
                let [a, b] = self.pair(inst);
                match (self.real(a), self.real(b)) {
                    (None, Some(2.0)) => self.become_op(inst, Opcode::Fadd, &[a, a]),
                    (Some(2.0), None) => self.become_op(inst, Opcode::Fadd, &[b, b]),
                    _ => self.fold_reals(inst, op, a, b),
                }
            }
            Real::Fadd | Real::Fsub | Real::Fdiv => {
                let [a, b] = self.pair(inst);
                self.fold_reals(inst, op, a, b)
            }
            Real::Fabs | Real::Fsqrt | Real::Ffloor | Real::Fceil | Real::Ftrunc | Real::Fnearest => {
                self.fold_reals(inst, op, x, x)
            }
        }
    }

    fn fold_reals(&mut self, inst: Inst, op: Real, x: Value, y: Value) -> bool {
        let (Some(x), Some(y)) = (self.real(x), self.real(y)) else { return false };
        match fold::real(op, x, y) {
            Some(n) => self.become_real(inst, n),
            None => false,
        }
    }

    pub(crate) fn real_comparison(&mut self, inst: Inst, comparison: RealComparison) -> bool {
        let [x, y] = self.pair(inst);
        match (self.real(x), self.real(y)) {
            (Some(x), Some(y)) => self.become_int(inst, comparison.evaluate(x.to_bits(), y.to_bits()).into()),
            _ => false,
        }
    }
}

/// `z srem power == c` as `z & mask == c'`: mask and `c'`, where `low` has the bits below the power. Other numbers
/// than 0 ask for the sign as well, which is a large constant with 64 bits.
fn masked_remainder(ty: Type, low: i64, c: i64) -> Option<(i64, i64)> {
    match (ty, c) {
        (_, 0) => Some((low, 0)),
        (Type::I32, c) if c.unsigned_abs() <= low as u64 => {
            let mask = i64::from(i32::MIN) | low;
            Some((mask, mask & c))
        }
        _ => None,
    }
}

fn is_header_constant(op: Opcode) -> bool {
    op.is_constant() && matches!(op, Opcode::NodeInfoAddr | Opcode::ThunkInfoAddr)
}
