//! Integers and reals: mostly one instruction of CLIF each.

use super::clif::clif_type;
use super::state::Lower;
use cleave_ir::opcode::{Comparison, Integer, Real, RealComparison};
use cleave_ir::{Inst, Type, Value};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Ieee64;
use cranelift_codegen::ir::{self, InstBuilder, TrapCode, types};

impl Lower<'_, '_, '_, '_> {
    /// Integer arithmetic and conversions.
    pub(super) fn integer(&mut self, op: Integer, inst: Inst) {
        use Integer::*;
        let args = self.func.args(inst);
        let result = self.func.result(inst);
        macro_rules! unary {
            ($name:ident) => {{
                let x = self.word(args[0]);
                self.clif.builder.ins().$name(x)
            }};
        }
        macro_rules! binary {
            ($name:ident) => {{
                let (x, y) = (self.word(args[0]), self.word(args[1]));
                self.clif.builder.ins().$name(x, y)
            }};
        }
        let word = match op {
            Iadd => binary!(iadd),
            Isub => binary!(isub),
            Imul => binary!(imul),
            Sdiv => binary!(sdiv),
            Srem => {
                let (x, y) = (self.word(args[0]), self.word(args[1]));
                self.remainder(x, y, args[1])
            }
            Udiv => binary!(udiv),
            Urem => binary!(urem),
            And => binary!(band),
            Or => binary!(bor),
            Xor => binary!(bxor),
            Shl => binary!(ishl),
            Sshr => binary!(sshr),
            Ushr => binary!(ushr),
            Rotl => binary!(rotl),
            Rotr => binary!(rotr),
            Clz => unary!(clz),
            Popcnt => unary!(popcnt),
            Umulhi => binary!(umulhi),
            Eqz => {
                let operand = self.condition(args[0]);
                let flag = self.clif.builder.ins().icmp_imm_s(IntCC::Equal, operand, 0);
                return self.set_flag(result, flag);
            }
            ExtendU => match self.form(args[0]).flag.expand() {
                Some(flag) => self.clif.builder.ins().uextend(types::I64, flag),
                None => self.wide(args[0]),
            },
            ExtendS => {
                let word = self.word(args[0]);
                self.clif.builder.ins().sextend(types::I64, word)
            }
            Wrap => {
                let word = self.word(args[0]);
                self.clif.builder.ins().ireduce(types::I32, word)
            }
        };
        self.set(result, word);
    }

    pub(super) fn comparison(&mut self, comparison: Comparison, inst: Inst) {
        let args = self.func.args(inst);
        let (x, y) = (self.word(args[0]), self.word(args[1]));
        let condition = match comparison {
            Comparison::Eq => IntCC::Equal,
            Comparison::Ne => IntCC::NotEqual,
            Comparison::Slt => IntCC::SignedLessThan,
            Comparison::Sgt => IntCC::SignedGreaterThan,
            Comparison::Sle => IntCC::SignedLessThanOrEqual,
            Comparison::Sge => IntCC::SignedGreaterThanOrEqual,
            Comparison::Ult => IntCC::UnsignedLessThan,
            Comparison::Ugt => IntCC::UnsignedGreaterThan,
            Comparison::Ule => IntCC::UnsignedLessThanOrEqual,
            Comparison::Uge => IntCC::UnsignedGreaterThanOrEqual,
        };
        let flag = self.clif.builder.ins().icmp(condition, x, y);
        self.set_flag(self.func.result(inst), flag);
    }

    /// The code generator tests for the divisor -1 only: the test for 0 is ours, so that this fault has the same form
    /// as that of a division.
    fn remainder(&mut self, x: ir::Value, y: ir::Value, divisor: Value) -> ir::Value {
        let is_zero =
            |constant| if self.func.values[divisor] == Type::I32 { constant as i32 == 0 } else { constant == 0 };
        if self.constant(divisor).is_none_or(is_zero) {
            self.clif.builder.ins().trapz(y, TrapCode::INTEGER_DIVISION_BY_ZERO);
        }
        self.clif.builder.ins().srem(x, y)
    }

    /// Real arithmetic and conversions.
    pub(super) fn real(&mut self, op: Real, inst: Inst) {
        use Real::*;
        let args = self.func.args(inst);
        let result = self.func.result(inst);
        let x = self.word(args[0]);
        let y = args.get(1).map(|&y| self.word(y));
        let second = || y.expect("two operands");
        let ty = clif_type(self.func.values[result]);
        let ins = self.clif.builder.ins();
        let word = match op {
            Fadd => ins.fadd(x, second()),
            Fsub => ins.fsub(x, second()),
            Fmul => ins.fmul(x, second()),
            Fdiv => ins.fdiv(x, second()),
            Fneg => ins.fneg(x),
            Fabs => ins.fabs(x),
            Fsqrt => ins.sqrt(x),
            Ffloor => ins.floor(x),
            Fceil => ins.ceil(x),
            Ftrunc => ins.trunc(x),
            Fnearest => ins.nearest(x),
            IntToReal => ins.fcvt_from_sint(ty, x),
            RealToInt => self.real_to_int(x),
            RealBits | BitsReal => ins.bitcast(ty, ir::MemFlagsData::new(), x),
        };
        self.set(result, word);
    }

    pub(super) fn real_comparison(&mut self, comparison: RealComparison, inst: Inst) {
        let args = self.func.args(inst);
        let (x, y) = (self.word(args[0]), self.word(args[1]));
        let condition = match comparison {
            RealComparison::Feq => FloatCC::Equal,
            RealComparison::Fne => FloatCC::NotEqual,
            RealComparison::Flt => FloatCC::LessThan,
            RealComparison::Fgt => FloatCC::GreaterThan,
            RealComparison::Fle => FloatCC::LessThanOrEqual,
            RealComparison::Fge => FloatCC::GreaterThanOrEqual,
        };
        let flag = self.clif.builder.ins().fcmp(condition, x, y);
        self.set_flag(self.func.result(inst), flag);
    }

    /// The saturating conversion is right except where it gives 0 for NaN and the greatest integer from 2^63 on; both
    /// fail the comparison.
    fn real_to_int(&mut self, x: ir::Value) -> ir::Value {
        let converted = self.clif.builder.ins().fcvt_to_sint_sat(types::I64, x);
        let bound = self.clif.builder.ins().f64const(Ieee64::with_float(9_223_372_036_854_775_808.0));
        let fits = self.clif.builder.ins().fcmp(FloatCC::LessThan, x, bound);
        let least = self.clif.builder.ins().iconst(types::I64, i64::MIN);
        self.clif.builder.ins().select(fits, converted, least)
    }
}
