//! Integers and reals: mostly one instruction of CLIF each.

use super::clif::clif_type;
use super::state::Lower;
use cleave_ir::{Inst, Opcode, Type, Value};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Ieee64;
use cranelift_codegen::ir::{self, InstBuilder, TrapCode, types};

impl Lower<'_, '_, '_, '_> {
    /// Integer arithmetic, comparisons and conversions.
    pub(super) fn integer(&mut self, inst: Inst) {
        use Opcode::*;
        let data = &self.func.insts[inst];
        let args = self.func.args(inst);
        let result = self.func.result(inst);
        match data.op {
            Select => {
                let condition = self.condition(args[0]);
                let (yes, no) = (self.word(args[1]), self.word(args[2]));
                let word = self.clif.builder.ins().select(condition, yes, no);
                return self.set(result, word);
            }
            Eqz => {
                let operand = self.condition(args[0]);
                let flag = self.clif.builder.ins().icmp_imm_s(IntCC::Equal, operand, 0);
                return self.set_flag(result, flag);
            }
            ExtendU => {
                let wide = match self.form(args[0]).flag.expand() {
                    Some(flag) => self.clif.builder.ins().uextend(types::I64, flag),
                    None => self.wide(args[0]),
                };
                return self.set(result, wide);
            }
            ExtendS => {
                let word = self.word(args[0]);
                let wide = self.clif.builder.ins().sextend(types::I64, word);
                return self.set(result, wide);
            }
            Wrap => {
                let word = self.word(args[0]);
                let low = self.clif.builder.ins().ireduce(types::I32, word);
                return self.set(result, low);
            }
            Clz => {
                let word = self.word(args[0]);
                let count = self.clif.builder.ins().clz(word);
                return self.set(result, count);
            }
            _ => {}
        }
        let (x, y) = (self.word(args[0]), self.word(args[1]));
        if let Some(condition) = comparison(data.op) {
            let flag = self.clif.builder.ins().icmp(condition, x, y);
            return self.set_flag(result, flag);
        }
        let ins = self.clif.builder.ins();
        let word = match data.op {
            Iadd => ins.iadd(x, y),
            Isub => ins.isub(x, y),
            Imul => ins.imul(x, y),
            Sdiv => ins.sdiv(x, y),
            Srem => self.remainder(x, y, args[1]),
            Udiv => ins.udiv(x, y),
            Urem => ins.urem(x, y),
            And => ins.band(x, y),
            Or => ins.bor(x, y),
            Xor => ins.bxor(x, y),
            Shl => ins.ishl(x, y),
            Sshr => ins.sshr(x, y),
            Ushr => ins.ushr(x, y),
            Rotl => ins.rotl(x, y),
            Rotr => ins.rotr(x, y),
            Umulhi => ins.umulhi(x, y),
            op => unreachable!("{} is no integer operator", op.name()),
        };
        self.set(result, word);
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

    /// Real arithmetic, comparisons and conversions.
    pub(super) fn real(&mut self, inst: Inst) {
        use Opcode::*;
        let data = &self.func.insts[inst];
        let args = self.func.args(inst);
        let result = self.func.result(inst);
        let x = self.word(args[0]);
        let y = args.get(1).map(|&y| self.word(y));
        let second = || y.expect("two operands");
        let ins = self.clif.builder.ins();
        let comparison = match data.op {
            Feq => Some(FloatCC::Equal),
            Fne => Some(FloatCC::NotEqual),
            Flt => Some(FloatCC::LessThan),
            Fgt => Some(FloatCC::GreaterThan),
            Fle => Some(FloatCC::LessThanOrEqual),
            Fge => Some(FloatCC::GreaterThanOrEqual),
            _ => None,
        };
        if let Some(condition) = comparison {
            let flag = ins.fcmp(condition, x, second());
            return self.set_flag(result, flag);
        }
        let ty = clif_type(self.func.values[result]);
        let word = match data.op {
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
            op => unreachable!("{} is no real operator", op.name()),
        };
        self.set(result, word);
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

fn comparison(op: Opcode) -> Option<IntCC> {
    Some(match op {
        Opcode::Eq => IntCC::Equal,
        Opcode::Ne => IntCC::NotEqual,
        Opcode::Slt => IntCC::SignedLessThan,
        Opcode::Sgt => IntCC::SignedGreaterThan,
        Opcode::Sle => IntCC::SignedLessThanOrEqual,
        Opcode::Sge => IntCC::SignedGreaterThanOrEqual,
        Opcode::Ult => IntCC::UnsignedLessThan,
        Opcode::Ugt => IntCC::UnsignedGreaterThan,
        Opcode::Ule => IntCC::UnsignedLessThanOrEqual,
        Opcode::Uge => IntCC::UnsignedGreaterThanOrEqual,
        _ => return None,
    })
}
