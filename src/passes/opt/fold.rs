//! Values of pure instructions with constant operands: the arithmetic behind `instcombine`. Integers are passed as
//! sign-extended 64-bit numbers whatever their width. Nothing that traps and nothing that gives a NaN is folded (the
//! payload of a NaN differs between machines).

use cleave_ir::{Opcode, Type};

fn narrow(ty: Type, n: i64) -> i64 {
    if ty == Type::I32 { n as i32 as i64 } else { n }
}

/// Result of a binary integer instruction; for comparisons 0 or 1.
pub fn binary_int(op: Opcode, ty: Type, a: i64, b: i64) -> Option<i64> {
    if let Some(truth) = compare_int(op, ty, a, b) {
        return Some(truth as i64);
    }
    let wide = ty == Type::I64;
    let (ua, ub) = if wide { (a as u64, b as u64) } else { (a as u32 as u64, b as u32 as u64) };
    let count = (b & if wide { 63 } else { 31 }) as u32;
    let least = if wide { i64::MIN } else { i32::MIN as i64 };
    let n = match op {
        Opcode::Iadd => a.wrapping_add(b),
        Opcode::Isub => a.wrapping_sub(b),
        Opcode::Imul => a.wrapping_mul(b),
        Opcode::Sdiv if a == least && b == -1 => return None,
        Opcode::Sdiv => a.checked_div(b)?,
        Opcode::Srem if b == 0 => return None,
        Opcode::Srem => a.wrapping_rem(b),
        Opcode::Udiv | Opcode::Urem if ub == 0 => return None,
        Opcode::Udiv => (ua / ub) as i64,
        Opcode::Urem => (ua % ub) as i64,
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl => a << count,
        Opcode::Sshr => a >> count,
        Opcode::Ushr => (ua >> count) as i64,
        Opcode::Rotl if wide => a.rotate_left(count),
        Opcode::Rotr if wide => a.rotate_right(count),
        Opcode::Rotl => (a as i32).rotate_left(count) as i64,
        Opcode::Rotr => (a as i32).rotate_right(count) as i64,
        Opcode::Umulhi => ((ua as u128 * ub as u128) >> 64) as i64,
        _ => return None,
    };
    Some(narrow(ty, n))
}

/// Truth of an integer comparison.
pub fn compare_int(op: Opcode, ty: Type, a: i64, b: i64) -> Option<bool> {
    // Sign extension keeps the unsigned order of 32-bit numbers.
    let _ = ty;
    let (ua, ub) = (a as u64, b as u64);
    Some(match op {
        Opcode::Eq => a == b,
        Opcode::Ne => a != b,
        Opcode::Slt => a < b,
        Opcode::Sgt => a > b,
        Opcode::Sle => a <= b,
        Opcode::Sge => a >= b,
        Opcode::Ult => ua < ub,
        Opcode::Ugt => ua > ub,
        Opcode::Ule => ua <= ub,
        Opcode::Uge => ua >= ub,
        _ => return None,
    })
}

/// Result of a unary integer instruction with an operand of type `ty`.
pub fn unary_int(op: Opcode, ty: Type, a: i64) -> Option<i64> {
    Some(match op {
        Opcode::Eqz => (a == 0) as i64,
        Opcode::ExtendU => a as u32 as i64,
        Opcode::ExtendS => a as i32 as i64,
        Opcode::Wrap => a as i32 as i64,
        Opcode::Clz if ty == Type::I32 => (a as i32).leading_zeros() as i64,
        Opcode::Clz => a.leading_zeros() as i64,
        _ => return None,
    })
}

/// Result of a real instruction with a real result.
pub fn real(op: Opcode, a: f64, b: f64) -> Option<f64> {
    let result = match op {
        Opcode::Fadd => a + b,
        Opcode::Fsub => a - b,
        Opcode::Fmul => a * b,
        Opcode::Fdiv => a / b,
        Opcode::Fneg => -a,
        Opcode::Fabs => a.abs(),
        Opcode::Fsqrt => a.sqrt(),
        Opcode::Ffloor => a.floor(),
        Opcode::Fceil => a.ceil(),
        Opcode::Ftrunc => a.trunc(),
        Opcode::Fnearest => a.round_ties_even(),
        _ => return None,
    };
    (!result.is_nan()).then_some(result)
}

/// Truth of a comparison of reals.
pub fn compare_real(op: Opcode, a: f64, b: f64) -> Option<bool> {
    Some(match op {
        Opcode::Feq => a == b,
        Opcode::Fne => a != b,
        Opcode::Flt => a < b,
        Opcode::Fgt => a > b,
        Opcode::Fle => a <= b,
        Opcode::Fge => a >= b,
        _ => return None,
    })
}

/// `real_to_int`: NaN and numbers out of range give the least integer.
pub fn real_to_int(a: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&a) { a as i64 } else { i64::MIN }
}

/// The comparison that is true exactly when `op` is false; reals have one only for equality (NaN).
pub fn inverse(op: Opcode) -> Option<Opcode> {
    Some(match op {
        Opcode::Eq => Opcode::Ne,
        Opcode::Ne => Opcode::Eq,
        Opcode::Slt => Opcode::Sge,
        Opcode::Sge => Opcode::Slt,
        Opcode::Sgt => Opcode::Sle,
        Opcode::Sle => Opcode::Sgt,
        Opcode::Ult => Opcode::Uge,
        Opcode::Uge => Opcode::Ult,
        Opcode::Ugt => Opcode::Ule,
        Opcode::Ule => Opcode::Ugt,
        Opcode::Feq => Opcode::Fne,
        Opcode::Fne => Opcode::Feq,
        _ => return None,
    })
}

/// The comparison with its operands exchanged.
pub fn swapped(op: Opcode) -> Option<Opcode> {
    Some(match op {
        Opcode::Eq | Opcode::Ne => op,
        Opcode::Slt => Opcode::Sgt,
        Opcode::Sgt => Opcode::Slt,
        Opcode::Sle => Opcode::Sge,
        Opcode::Sge => Opcode::Sle,
        Opcode::Ult => Opcode::Ugt,
        Opcode::Ugt => Opcode::Ult,
        Opcode::Ule => Opcode::Uge,
        Opcode::Uge => Opcode::Ule,
        _ => return None,
    })
}
