//! Values of pure instructions with constant operands, for `instcombine` and `jump_threading`. Integers are
//! sign-extended 64-bit numbers whatever their width. Nothing that traps and nothing that gives a NaN is folded (the
//! payload of a NaN differs between machines).

use cleave_ir::opcode::{Comparison, Integer, Real};
use cleave_ir::{Opcode, Type};

/// Result of an integer instruction whose first operand has type `ty`; for comparisons 0 or 1. Unary ones ignore `y`.
pub fn integer(op: Opcode, ty: Type, x: i64, y: i64) -> Option<i64> {
    match Integer::of(op) {
        Some(op) => op.evaluate(ty == Type::I32, x, y).ok(),
        None => Comparison::of(op).map(|op| op.evaluate(x, y).into()),
    }
}

/// Result of a real instruction with a real result.
pub fn real(op: Real, x: f64, y: f64) -> Option<f64> {
    let result = f64::from_bits(op.evaluate(x.to_bits(), y.to_bits()));
    (!result.is_nan()).then_some(result)
}
