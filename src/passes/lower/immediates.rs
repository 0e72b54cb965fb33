//! Lowering of immediates, on either heap: an integer n is the reference 2n + 1.

use crate::lower::emit::Emit;
use cleave_ir::layout::{IMMEDIATE, IMMEDIATE_MAX, IMMEDIATE_MIN, immediate};
use cleave_ir::{Opcode, Type, Value};

/// Makes an immediate of an integer; `constant` is that, if it is known.
pub(super) fn make(to: &mut impl Emit, integer: Value, constant: Option<i64>, result: Value) {
    let word = match constant {
        Some(n) => to.iconst32(immediate(n)),
        None => {
            let integer = to.op(Opcode::Wrap, 0, &[integer], Type::I32);
            let twice = to.op(Opcode::Iadd, 0, &[integer, integer], Type::I32);
            let bit = to.iconst32(IMMEDIATE);
            to.op(Opcode::Iadd, 0, &[twice, bit], Type::I32)
        }
    };
    to.define(result, Opcode::AddrRef, 0, &[word]);
}

/// The integer of an immediate.
pub(super) fn integer(to: &mut impl Emit, operand: Value, result: Value) {
    let word = to.op(Opcode::RefAddr, 0, &[operand], Type::I32);
    let one = to.iconst32(1);
    let integer = to.op(Opcode::Sshr, 0, &[word, one], Type::I32);
    to.define(result, Opcode::ExtendS, 0, &[integer]);
}

/// Is a reference an immediate?
pub(super) fn is_int(to: &mut impl Emit, operand: Value, result: Value) {
    let word = to.op(Opcode::RefAddr, 0, &[operand], Type::I32);
    let bit = to.iconst32(IMMEDIATE);
    to.define(result, Opcode::And, 0, &[word, bit]);
}

/// Does an integer fit in an immediate?
pub(super) fn fits_int(to: &mut impl Emit, operand: Value, result: Value) {
    let least = to.op(Opcode::Iconst64, IMMEDIATE_MIN as u64, &[], Type::I64);
    let distance = to.op(Opcode::Isub, 0, &[operand, least], Type::I64);
    // A mask with the sign of the number is a constant in an instruction; the count of them is not.
    let mask = to.op(Opcode::Iconst64, (IMMEDIATE_MIN - IMMEDIATE_MAX - 1) as u64, &[], Type::I64);
    let beyond = to.op(Opcode::And, 0, &[distance, mask], Type::I64);
    to.define(result, Opcode::Eqz, 0, &[beyond]);
}
