//! Rules of `instcombine` for immediates. What is not an immediate where it has to be, or does not fit, has no meaning:
//! so an integer goes into a reference and comes out of it unchanged.

use crate::opt::instcombine::Simplify;
use cleave_ir::layout::{IMMEDIATE_MAX, IMMEDIATE_MIN};
use cleave_ir::{Flags, Inst, Opcode, Phase};

impl Simplify<'_> {
    /// Simplifies one of their instructions; true if it is to be dropped because its result was renamed.
    pub(super) fn immediate(&mut self, inst: Inst, op: Opcode) -> bool {
        let x = self.func.args(inst)[0];
        let source = self.defs.op(self.func, x);
        match (op, source) {
            (Opcode::RefInt, Some(Opcode::IntRef)) => match self.operand_of(x, Opcode::IntRef, 0) {
                Some(integer) => self.replace(inst, integer),
                None => false,
            },
            // Once references are in frames, this one may be stale where the other is not.
            (Opcode::IntRef, Some(Opcode::RefInt)) if self.func.phase == Phase::High => {
                match self.operand_of(x, Opcode::RefInt, 0) {
                    Some(immediate) => self.replace(inst, immediate),
                    None => false,
                }
            }
            (Opcode::IsInt, Some(Opcode::IntRef)) => self.become_int(inst, 1),
            (Opcode::IsInt, Some(made)) if made.any(Flags::FRESH.union(Flags::STATIC)) && made != Opcode::AddrRef => {
                self.become_int(inst, 0)
            }
            (Opcode::IsInt, Some(Opcode::BoxInt)) => self.become_int(inst, 0),
            (Opcode::FitsInt, Some(Opcode::RefInt)) => self.become_int(inst, 1),
            (Opcode::FitsInt, _) => match self.constant(x) {
                Some(n) => self.become_int(inst, (IMMEDIATE_MIN..=IMMEDIATE_MAX).contains(&n).into()),
                None if self.has_no_bits_above(x, 0xff) => self.become_int(inst, 1),
                None => false,
            },
            _ => false,
        }
    }
}
