//! Arithmetic instructions that need more than one operation of the host.

use crate::value::Trap;

/// Sign bit of a real.
pub const SIGN: u64 = 1 << 63;

/// Checks the operands of a signed division.
#[inline(always)]
pub fn divisible(x: i64, y: i64, narrow: bool) -> Result<(i64, i64), Trap> {
    let least = if narrow { i32::MIN as i64 } else { i64::MIN };
    match y {
        0 => Err(Trap::DivideByZero),
        -1 if x == least => Err(Trap::IntegerOverflow),
        _ => Ok((x, y)),
    }
}

/// Operands without the sign extension of narrow ones.
#[inline(always)]
pub fn unsigned(x: u64, y: u64, narrow: bool) -> (u64, u64) {
    if narrow { (x as u32 as u64, y as u32 as u64) } else { (x, y) }
}

/// Truncation to an integer; what does not fit becomes the least one, as the x86 instruction does it.
#[inline(always)]
pub fn real_to_int(x: f64) -> i64 {
    // Both bounds are exact reals; NaN fails the comparison.
    if (-9223372036854775808.0..9223372036854775808.0).contains(&x) { x as i64 } else { i64::MIN }
}
