//! Expands superinstructions, which the optimiser of the ABC interpreter makes, to the plain instructions that they
//! stand for.
//!
//! Place in the pipeline: `parse` puts the expansion of such a line into the module, so no later stage sees a fused
//! instruction. All items of an expansion have the offset of the line; `ParsedModule::fused` remembers the word that
//! stands there, for messages.
//!
//! Invariant: every opcode of class `Fused` has an expansion (checked by a test). Offsets of an operand after a push
//! are one larger than the fused instruction says, hence `plus`.
//!
//! Weakness: `buildo1` and `buildo2` name no descriptor, and `jmp_o_geI_arraysize_a` has no sizes of an element; the
//! expansions need neither.

use crate::ast::Symbol;
use crate::instr::Opcode;
use crate::parse::Parser;

/// A plain instruction of an expansion.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    pub op: Opcode,
    pub operands: &'static [Part],
}

/// Where an operand of a plain instruction comes from.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Operand `number` of the fused instruction, plus a constant.
    Operand {
        number: usize,
        plus: u32,
    },
    Constant(u32),
}

impl Part {
    /// Its value, where `operands` are those of the fused instruction.
    pub fn value(self, operands: &[u32]) -> u32 {
        match self {
            Part::Operand { number, plus } => operands[number] + plus,
            Part::Constant(value) => value,
        }
    }
}

impl Parser<'_, '_> {
    /// Puts the plain instructions in the place of a fused one.
    #[cold]
    pub fn expand(&mut self, op: Opcode, start: usize, first: usize) {
        let operands = self.module.operands.split_off(first);
        for plain in expansion(op).unwrap_or_else(|| panic!("`{}` has an expansion", op.name())) {
            let first = self.module.operands.len();
            self.module.operands.extend(plain.operands.iter().map(|part| part.value(&operands)));
            self.module.push_item(plain.op, start as u32, first);
        }
        self.module.fused.push((start as u32, op));
    }
}

/// Stands for the number of parts of an array element where an instruction does not say it.
pub const NOT_SAID: u32 = u32::MAX;

/// Operand `number`.
const fn x(number: usize) -> Part {
    plus(number, 0)
}
/// Operand `number`, an offset, after `by` elements have been pushed (or a slot that many deeper).
const fn plus(number: usize, by: u32) -> Part {
    Part::Operand { number, plus: by }
}
const fn n(value: u32) -> Part {
    Part::Constant(value)
}
const NONE: Part = Part::Constant(Symbol::NONE.0);

macro_rules! expansions {
    ($($fused:ident = $($plain:ident [$($part:expr),*])*;)*) => {
        /// What a fused instruction stands for, `None` for a plain one.
        pub fn expansion(op: Opcode) -> Option<&'static [Plain]> {
            match op {
                $(Opcode::$fused => Some(const { &[$(Plain { op: Opcode::$plain, operands: &[$($part),*] }),*] }),)*
                _ => None,
            }
        }
    };
}

expansions! {
    // Constants as operands.
    addIi = pushI [x(0)] addI [];
    andIi = pushI [x(0)] bit_and [];
    andIio = push_b [x(1)] pushI [x(0)] bit_and [];
    eqCc = pushC [x(0)] eqC [];
    eqIi = pushI [x(0)] eqI [];
    ltIi = pushI [x(0)] push_b [n(1)] ltI [] updatepop_b [n(0), n(1)];
    geC = ltC [] notB [];
    neI = eqI [] notB [];

    // Nodes.
    buildh0_dup_a = buildh [x(0), n(0)] update_a [n(0), x(1)];
    buildh0_dup2_a = buildh [x(0), n(0)] update_a [n(0), plus(1, 1)] update_a [n(0), x(1)];
    buildh0_dup3_a = buildh [x(0), n(0)] update_a [n(0), plus(1, 2)] update_a [n(0), plus(1, 1)] update_a [n(0), x(1)];
    buildh0_put_a = buildh [x(0), n(0)] update_a [n(0), x(1)] pop_a [n(1)];
    buildh0_put_a_jsr = buildh [x(0), n(0)] update_a [n(0), x(1)] pop_a [n(1)] jsr [x(2)];
    buildho2 = push_a [x(2)] push_a [plus(1, 1)] buildh [x(0), n(2)];
    buildo1 = push_a [x(1)] build [NONE, n(1), x(0)];
    buildo2 = push_a [x(2)] push_a [plus(1, 1)] build [NONE, n(2), x(0)];
    push_jsr_eval = push_a [x(0)] jsr_eval [n(0)];
    pushB0_pop_a1 = pushB_a [n(0)] pop_a [n(1)];
    pushC0_pop_a1 = pushC_a [n(0)] pop_a [n(1)];
    pushI0_pop_a1 = pushI_a [n(0)] pop_a [n(1)];

    // Pushes.
    push2_a = push_a [x(0)] push_a [x(0)];
    push3_a = push_a [x(0)] push_a [x(0)] push_a [x(0)];
    push2_b = push_b [x(0)] push_b [x(0)];
    push3_b = push_b [x(0)] push_b [x(0)] push_b [x(0)];
    push_a2 = push_a [x(0)] push_a [plus(1, 1)];
    push_b2 = push_b [x(0)] push_b [plus(1, 1)];
    push_ab = push_a [x(0)] push_b [x(1)];
    push_b_incI = push_b [x(0)] incI [];
    push_b_decI = push_b [x(0)] decI [];
    push_arraysize_a = push_a [x(3)] push_arraysize [x(0), x(1), x(2)];
    selectoo = push_a [x(3)] push_b [x(4)] select [x(0), x(1), x(2)];

    // Copies and exchanges of slots.
    dup_a = update_a [n(0), x(0)];
    dup2_a = update_a [n(0), plus(0, 1)] update_a [n(0), x(0)];
    dup3_a = update_a [n(0), plus(0, 2)] update_a [n(0), plus(0, 1)] update_a [n(0), x(0)];
    put_a = update_a [n(0), x(0)] pop_a [n(1)];
    put_b = update_b [n(0), x(0)] pop_b [n(1)];
    exchange_a = push_a [x(0)] update_a [plus(1, 1), plus(0, 1)] update_a [n(0), plus(1, 1)] pop_a [n(1)];
    swap_a = push_a [x(0)] update_a [n(1), plus(0, 1)] updatepop_a [n(0), n(1)];
    swap_a1 = push_a [n(1)] update_a [n(1), n(2)] updatepop_a [n(0), n(1)];
    swap_b1 = push_b [n(1)] update_b [n(1), n(2)] updatepop_b [n(0), n(1)];
    push_update_a = push_a [x(0)] update_a [plus(1, 1), plus(0, 1)];
    update2_a = update_a [plus(0, 1), plus(1, 1)] update_a [x(0), x(1)];
    update3_a = update_a [plus(0, 2), plus(1, 2)] update_a [plus(0, 1), plus(1, 1)] update_a [x(0), x(1)];
    update4_a = update_a [plus(0, 3), plus(1, 3)] update_a [plus(0, 2), plus(1, 2)] update_a [plus(0, 1), plus(1, 1)]
                update_a [x(0), x(1)];
    update2_b = update_b [plus(0, 1), plus(1, 1)] update_b [x(0), x(1)];
    update3_b = update_b [plus(0, 2), plus(1, 2)] update_b [plus(0, 1), plus(1, 1)] update_b [x(0), x(1)];
    update2pop_a = update_a [plus(0, 1), plus(1, 1)] updatepop_a [x(0), x(1)];
    update3pop_a = update_a [plus(0, 2), plus(1, 2)] update_a [plus(0, 1), plus(1, 1)] updatepop_a [x(0), x(1)];
    update2pop_b = update_b [plus(0, 1), plus(1, 1)] updatepop_b [x(0), x(1)];
    update3pop_b = update_b [plus(0, 2), plus(1, 2)] update_b [plus(0, 1), plus(1, 1)] updatepop_b [x(0), x(1)];
    // Chains: the last operand is the slot that is lost.
    updates2_a = update_a [x(1), x(2)] update_a [x(0), x(1)];
    updates3_a = update_a [x(2), x(3)] update_a [x(1), x(2)] update_a [x(0), x(1)];
    updates4_a = update_a [x(3), x(4)] update_a [x(2), x(3)] update_a [x(1), x(2)] update_a [x(0), x(1)];
    updates2_b = update_b [x(1), x(2)] update_b [x(0), x(1)];
    updates3_b = update_b [x(2), x(3)] update_b [x(1), x(2)] update_b [x(0), x(1)];
    updates2_a_pop_a = update_a [x(1), x(2)] update_a [x(0), x(1)] pop_a [x(3)];
    updates2pop_a = update_a [x(1), x(2)] updatepop_a [x(0), x(1)];
    updates3pop_a = update_a [x(2), x(3)] update_a [x(1), x(2)] updatepop_a [x(0), x(1)];
    updates2pop_b = update_b [x(1), x(2)] updatepop_b [x(0), x(1)];
    updates3pop_b = update_b [x(2), x(3)] update_b [x(1), x(2)] updatepop_b [x(0), x(1)];
    pop_b_pushB = pop_b [x(0)] pushB [x(1)];

    // Calls, jumps and returns; the directive stands before the fused instruction.
    push_a_jsr = push_a [x(0)] jsr [x(1)];
    push_b_jsr = push_b [x(0)] jsr [x(1)];
    pop_a_jsr = pop_a [x(0)] jsr [x(1)];
    pop_b_jsr = pop_b [x(0)] jsr [x(1)];
    pop_a_jmp = pop_a [x(0)] jmp [x(1)];
    pop_b_jmp = pop_b [x(0)] jmp [x(1)];
    put_a_jmp = update_a [n(0), x(0)] pop_a [n(1)] jmp [x(1)];
    put_b_jmp = update_b [n(0), x(0)] pop_b [n(1)] jmp [x(1)];
    pop_a_rtn = pop_a [x(0)] rtn [];
    pop_b_rtn = pop_b [x(0)] rtn [];
    pop_ab_rtn = pop_a [x(0)] pop_b [x(1)] rtn [];
    fill_a01_pop_rtn = fill_a [n(0), n(1)] pop_a [n(1)] rtn [];

    // Branches.
    jmp_b_false = push_b [x(0)] jmp_false [x(1)];
    jmp_eqI = eqI [] jmp_true [x(0)];
    jmp_neI = eqI [] jmp_false [x(0)];
    jmp_ltI = ltI [] jmp_true [x(0)];
    jmp_geI = ltI [] jmp_false [x(0)];
    jmp_o_geI = push_b [x(0)] ltI [] jmp_false [x(1)];
    jmp_o_geI_arraysize_a = push_a [x(2)] push_arraysize [x(0), n(NOT_SAID), n(NOT_SAID)] push_b [plus(1, 1)] ltI []
                            jmp_false [x(3)];
    jmp_eqIi = pushI [x(0)] eqI [] jmp_true [x(1)];
    jmp_neIi = pushI [x(0)] eqI [] jmp_false [x(1)];
    jmp_eqCc = pushC [x(0)] eqC [] jmp_true [x(1)];
    jmp_neCc = pushC [x(0)] eqC [] jmp_false [x(1)];
    jmp_eqI_b = eqI_b [x(0), x(1)] jmp_true [x(2)];
    jmp_neI_b = eqI_b [x(0), x(1)] jmp_false [x(2)];
    jmp_eqC_b = eqC_b [x(0), x(1)] jmp_true [x(2)];
    jmp_neC_b = eqC_b [x(0), x(1)] jmp_false [x(2)];
    jmp_eqI_b2 = eqI_b [x(0), x(2)] jmp_true [x(3)] eqI_b [x(1), x(2)] jmp_true [x(4)];
    jmp_eqC_b2 = eqC_b [x(0), x(2)] jmp_true [x(3)] eqC_b [x(1), x(2)] jmp_true [x(4)];
    jmp_eqACio = push_a [x(1)] eqAC_a [x(0)] jmp_true [x(2)];
    jmp_eq_desc = eq_desc [x(0), x(1), x(2)] jmp_true [x(3)];
    jmp_ne_desc = eq_desc [x(0), x(1), x(2)] jmp_false [x(3)];
    jmp_eqD_b = eqD_b [x(0), x(1)] jmp_true [x(2)];
    jmp_eqD_b2 = eqD_b [x(0), x(1)] jmp_true [x(2)] eqD_b [x(3), x(4)] jmp_true [x(5)];
    pushD_a_jmp_eqD_b2 = pushD_a [x(0)] eqD_b [x(1), x(2)] jmp_true [x(3)] eqD_b [x(4), x(5)] jmp_true [x(6)];
}
