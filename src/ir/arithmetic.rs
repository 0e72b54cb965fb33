//! What instructions on numbers give: the one definition, for the interpreter and for constant folding. Targets are
//! compared with it.
//!
//! Integers are 64 bits here, 32-bit ones sign extended, so that one line serves both widths wherever that gives the
//! same answer: additions cut the result to its width again, and comparisons need nothing, because sign extension keeps
//! the order of unsigned numbers, too. Reals are passed as their bits.

use crate::opcode::{Comparison, Integer, Opcode, Real, RealComparison};

/// Why a division has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoQuotient {
    /// The divisor is 0.
    DivideByZero,
    /// The least integer by -1.
    Overflow,
}

/// Sign bit of a real.
const SIGN: u64 = 1 << 63;

impl Integer {
    /// The result; `is_narrow` says that the first operand has 32 bits. Unary operations ignore `y`.
    #[inline]
    pub fn evaluate(self, is_narrow: bool, x: i64, y: i64) -> Result<i64, NoQuotient> {
        use Integer::*;
        let cut = |n: i64| if is_narrow { i64::from(n as i32) } else { n };
        // Without the sign extension.
        let unsigned = |n: i64| if is_narrow { u64::from(n as u32) } else { n as u64 };
        let nonzero = |n: i64| if n == 0 { Err(NoQuotient::DivideByZero) } else { Ok(n) };
        let count = (y & if is_narrow { 31 } else { 63 }) as u32;
        Ok(match self {
            Iadd => cut(x.wrapping_add(y)),
            Isub => cut(x.wrapping_sub(y)),
            Imul => cut(x.wrapping_mul(y)),
            Sdiv if y == -1 && x == if is_narrow { i64::from(i32::MIN) } else { i64::MIN } => {
                return Err(NoQuotient::Overflow);
            }
            Sdiv => x / nonzero(y)?,
            // The least integer by -1 leaves nothing, though their quotient does not fit.
            Srem => x.wrapping_rem(nonzero(y)?),
            Udiv => cut((unsigned(x) / unsigned(nonzero(y)?)) as i64),
            Urem => cut((unsigned(x) % unsigned(nonzero(y)?)) as i64),
            And => x & y,
            Or => x | y,
            Xor => x ^ y,
            Shl => cut(x << count),
            Sshr => x >> count,
            Ushr => cut((unsigned(x) >> count) as i64),
            Rotl if is_narrow => i64::from((x as i32).rotate_left(count)),
            Rotl => x.rotate_left(count),
            Rotr if is_narrow => i64::from((x as i32).rotate_right(count)),
            Rotr => x.rotate_right(count),
            Clz if is_narrow => i64::from((x as u32).leading_zeros()),
            Clz => i64::from(x.leading_zeros()),
            Popcnt if is_narrow => i64::from((x as u32).count_ones()),
            Popcnt => i64::from(x.count_ones()),
            Umulhi => ((u128::from(x as u64) * u128::from(y as u64)) >> 64) as i64,
            Eqz => i64::from(x == 0),
            ExtendU => i64::from(x as u32),
            ExtendS => x,
            Wrap => i64::from(x as i32),
        })
    }
}

impl Comparison {
    /// Its truth.
    #[inline]
    pub fn evaluate(self, x: i64, y: i64) -> bool {
        match self {
            Comparison::Eq => x == y,
            Comparison::Ne => x != y,
            Comparison::Slt => x < y,
            Comparison::Sgt => x > y,
            Comparison::Sle => x <= y,
            Comparison::Sge => x >= y,
            Comparison::Ult => (x as u64) < y as u64,
            Comparison::Ugt => x as u64 > y as u64,
            Comparison::Ule => x as u64 <= y as u64,
            Comparison::Uge => x as u64 >= y as u64,
        }
    }

    /// The comparison that is true exactly when this one is false.
    pub const fn inverse(self) -> Comparison {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Slt => Comparison::Sge,
            Comparison::Sge => Comparison::Slt,
            Comparison::Sgt => Comparison::Sle,
            Comparison::Sle => Comparison::Sgt,
            Comparison::Ult => Comparison::Uge,
            Comparison::Uge => Comparison::Ult,
            Comparison::Ugt => Comparison::Ule,
            Comparison::Ule => Comparison::Ugt,
        }
    }

    /// The comparison with its operands exchanged.
    pub const fn swapped(self) -> Comparison {
        match self {
            Comparison::Eq | Comparison::Ne => self,
            Comparison::Slt => Comparison::Sgt,
            Comparison::Sgt => Comparison::Slt,
            Comparison::Sle => Comparison::Sge,
            Comparison::Sge => Comparison::Sle,
            Comparison::Ult => Comparison::Ugt,
            Comparison::Ugt => Comparison::Ult,
            Comparison::Ule => Comparison::Uge,
            Comparison::Uge => Comparison::Ule,
        }
    }
}

impl Real {
    /// The bits of the result. Unary operations ignore `y`.
    #[inline]
    pub fn evaluate(self, x: u64, y: u64) -> u64 {
        use Real::*;
        let (a, b) = (f64::from_bits(x), f64::from_bits(y));
        let number = match self {
            Fadd => a + b,
            Fsub => a - b,
            Fmul => a * b,
            Fdiv => a / b,
            Fneg => return x ^ SIGN,
            Fabs => return x & !SIGN,
            Fsqrt => a.sqrt(),
            Ffloor => a.floor(),
            Fceil => a.ceil(),
            Ftrunc => a.trunc(),
            Fnearest => a.round_ties_even(),
            IntToReal => x as i64 as f64,
            // Truncation; what does not fit becomes the least integer, as the x86 instruction does it. Both bounds are
            // exact reals, and NaN is in no range.
            RealToInt if (-9223372036854775808.0..9223372036854775808.0).contains(&a) => return a as i64 as u64,
            RealToInt => return i64::MIN as u64,
            RealBits | BitsReal => return x,
        };
        number.to_bits()
    }
}

impl RealComparison {
    /// Its truth: all but `fne` are false for a NaN.
    #[inline]
    pub fn evaluate(self, x: u64, y: u64) -> bool {
        let (a, b) = (f64::from_bits(x), f64::from_bits(y));
        match self {
            RealComparison::Feq => a == b,
            RealComparison::Fne => a != b,
            RealComparison::Flt => a < b,
            RealComparison::Fgt => a > b,
            RealComparison::Fle => a <= b,
            RealComparison::Fge => a >= b,
        }
    }
}

impl Opcode {
    /// The comparison that is true exactly when this one is false; of reals there is one only for equality (NaN).
    pub const fn inverse(self) -> Option<Opcode> {
        match (self, Comparison::of(self)) {
            (_, Some(comparison)) => Some(comparison.inverse().opcode()),
            (Opcode::Feq, None) => Some(Opcode::Fne),
            (Opcode::Fne, None) => Some(Opcode::Feq),
            (_, None) => None,
        }
    }
}
