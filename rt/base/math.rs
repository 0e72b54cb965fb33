//! Functions on reals (`kernels`), and the one long division that is too rare to be inline.

use super::transcendental;
use crate::base::Context;
use crate::platform::Outcome;

macro_rules! functions {
    ($($name:ident = $function:path;)*) => {$(
        pub fn $name<C: Context>(_: &mut C, x: f64) -> Outcome<f64, C> {
            Ok($function(x))
        }
    )*};
}

functions! {
    sin = transcendental::sin;
    cos = transcendental::cos;
    tan = transcendental::tan;
    asin = transcendental::asin;
    acos = transcendental::acos;
    atan = transcendental::atan;
    exp = transcendental::exp;
    ln = transcendental::ln;
    log10 = transcendental::log10;
}

pub fn pow<C: Context>(_: &mut C, base: f64, exponent: f64) -> Outcome<f64, C> {
    Ok(transcendental::pow(base, exponent))
}

/// `divLU`: the unsigned 128-bit number `high:low` divided by `divisor` gives remainder and quotient. A quotient that
/// does not fit is what the processor traps on; here the program ends as with any division error.
pub fn divide_long<C: Context>(c: &mut C, high: i64, low: i64, divisor: i64) -> Outcome<(i64, i64), C> {
    let (high, low, divisor) = (high as u64, low as u64, divisor as u64);
    if divisor == 0 {
        return super::error::fail_with(c, b"Integer division by zero.\n");
    }
    if high >= divisor {
        return super::error::fail_with(c, b"Integer overflow in division.\n");
    }
    // Bit by bit: the dividend is shifted into the remainder, whose lost top bit counts too.
    let (mut remainder, mut quotient) = (high, low);
    for _ in 0..64 {
        let carry = remainder >> 63;
        remainder = remainder << 1 | quotient >> 63;
        quotient <<= 1;
        if carry != 0 || remainder >= divisor {
            remainder = remainder.wrapping_sub(divisor);
            quotient |= 1;
        }
    }
    Ok((remainder as i64, quotient as i64))
}
