//! Divisions.
//!
//! A division of Wasm traps if there is no quotient. Then the engine prints words of its own, and what the program has
//! printed but not written is lost. So the divisor is tested first. If it is 0, or -1 where the quotient may not fit,
//! the runtime gets both operands and stops the program in order, if it must. Constant divisors need no test. A loop of
//! divisions took no longer with the test than without.

use super::Lower;
use crate::isel::Def;
use cleave_ir::{Inst, Libcall, Opcode, Type, Value};
use wasm_encoder::{BlockType, InstructionSink, ValType};

impl Lower<'_> {
    /// Before a division; dividend and divisor are on the stack.
    pub(super) fn prepare_division(&mut self, inst: Inst) {
        let node = self.folded.node(inst);
        let (op, wide) = (node.op, node.ty == Type::I64);
        if !self.is_safe(op, self.folded.args(inst)[1]) {
            self.check(op, wide);
        }
    }

    /// Is the divisor a constant with which every division succeeds?
    fn is_safe(&self, op: Opcode, divisor: Value) -> bool {
        let Def::Inst(def) = self.folded.def(divisor) else { return false };
        let node = self.folded.node(def);
        node.op.integer(node.imm).is_some_and(|value| value != 0 && (value != -1 || op != Opcode::Sdiv))
    }

    fn check(&mut self, op: Opcode, wide: bool) {
        let libcall = self.env.external(Libcall::CheckDivision.id());
        let ty = if wide { ValType::I64 } else { ValType::I32 };
        let divisor = self.scratch(ty, 1);
        // Only this one has a quotient that does not fit.
        let dividend = (op == Opcode::Sdiv).then(|| self.scratch(ty, 0));
        let mut sink = self.code.sink();
        match dividend {
            Some(dividend) => {
                // 0 and -1 at once.
                sink.local_set(divisor).local_tee(dividend).local_get(divisor);
                match wide {
                    true => sink.i64_const(1).i64_add().i64_const(2).i64_lt_u(),
                    false => sink.i32_const(1).i32_add().i32_const(2).i32_lt_u(),
                };
            }
            None => {
                sink.local_tee(divisor);
                match wide {
                    true => sink.i64_eqz(),
                    false => sink.i32_eqz(),
                };
            }
        }
        let mut sink = self.code.sink();
        sink.if_(BlockType::Empty);
        match dividend {
            Some(dividend) => operand(&mut sink, dividend, wide, true),
            None => {
                sink.i64_const(0);
            }
        }
        operand(&mut sink, divisor, wide, false);
        sink.call(libcall).end().local_get(divisor);
    }
}

/// An operand as 64 bits; of a narrow dividend they are the upper half, so that the least is the least.
fn operand(sink: &mut InstructionSink, local: u32, wide: bool, is_dividend: bool) {
    sink.local_get(local);
    if !wide {
        sink.i64_extend_i32_s();
        if is_dividend {
            sink.i64_const(32).i64_shl();
        }
    }
}
