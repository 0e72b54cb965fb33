//! Rules of `instcombine` for immediates. What is not an immediate where it has to be, or does not fit, has no meaning:
//! so an integer goes into a reference and comes out of it unchanged.

use crate::opt::instcombine::Simplify;
use cleave_ir::layout::{IMMEDIATE_MAX, IMMEDIATE_MIN};
use cleave_ir::opcode::Boxed;
use cleave_ir::{Flags, Inst, Opcode, Phase};

impl Simplify<'_> {
    /// Simplifies one of their instructions; true if it is to be dropped because its result was renamed.
    pub(super) fn immediate(&mut self, inst: Inst, op: Boxed) -> bool {
        let Some(&x) = self.func.args(inst).first() else { return false };
        let source = self.defs.op(self.func, x);
        match op {
            Boxed::RefInt => match self.operand_of(x, Opcode::IntRef, 0) {
                Some(integer) => self.replace(inst, integer),
                None => false,
            },
            // Once references are in frames, this one may be stale where the other is not.
            Boxed::IntRef => match self.operand_of(x, Opcode::RefInt, 0).filter(|_| self.func.phase == Phase::High) {
                Some(immediate) => self.replace(inst, immediate),
                None => false,
            },
            Boxed::IsInt if source == Some(Opcode::IntRef) => self.become_int(inst, 1),
            Boxed::IsInt => {
                // An address may be that of anything.
                let is_object = source.is_some_and(|made| {
                    let is_static = made.any(Flags::STATIC) && made != Opcode::AddrRef;
                    made == Opcode::BoxInt || made.any(Flags::FRESH) || is_static
                });
                is_object && self.become_int(inst, 0)
            }
            Boxed::FitsInt if source == Some(Opcode::RefInt) => self.become_int(inst, 1),
            Boxed::FitsInt => match self.constant(x) {
                Some(n) => self.become_int(inst, (IMMEDIATE_MIN..=IMMEDIATE_MAX).contains(&n).into()),
                None if self.has_no_bits_above(x, 0xff) => self.become_int(inst, 1),
                None => false,
            },
            Boxed::BoxInt | Boxed::SmallInt | Boxed::BoxChar | Boxed::BoxBool => false,
        }
    }
}
