//! Decimal text to a double, correctly rounded, digit by digit.
//!
//! Up to `KEPT` significant digits are kept exactly in a big number; more cannot change the result except by being not
//! all zero, which is remembered. With 770 digits and a decimal exponent between -1100 and 310 the largest number
//! built has under 4000 bits, which `Natural` holds.

use super::bignum::Natural;

const KEPT: u32 = 770;

pub struct RealParser {
    pub negative: bool,
    digits: Natural,
    /// Significant digits taken, and those that were dropped after them.
    kept: u32,
    dropped: u32,
    dropped_nonzero: bool,
    /// Digits after the point.
    fraction: u32,
    after_point: bool,
    any: bool,
    exponent: i32,
    exponent_negative: bool,
}

impl Default for RealParser {
    fn default() -> RealParser {
        RealParser::new()
    }
}

impl RealParser {
    pub fn new() -> RealParser {
        RealParser {
            negative: false,
            digits: Natural::new(0),
            kept: 0,
            dropped: 0,
            dropped_nonzero: false,
            fraction: 0,
            after_point: false,
            any: false,
            exponent: 0,
            exponent_negative: false,
        }
    }

    pub fn digit(&mut self, digit: u8) {
        let value = u32::from(digit.wrapping_sub(b'0'));
        self.any = true;
        if self.after_point {
            self.fraction = self.fraction.saturating_add(1);
        }
        if self.kept < KEPT {
            self.kept += u32::from(value != 0 || self.kept > 0);
            self.digits.multiply_add(10, value);
        } else {
            self.dropped = self.dropped.saturating_add(1);
            self.dropped_nonzero |= value != 0;
        }
    }

    pub fn point(&mut self) {
        self.after_point = true;
    }

    pub fn seen_point(&self) -> bool {
        self.after_point
    }

    pub fn seen_digits(&self) -> bool {
        self.any
    }

    pub fn negative_exponent(&mut self) {
        self.exponent_negative = true;
    }

    pub fn exponent_digit(&mut self, digit: u8) {
        let value = i32::from(digit.wrapping_sub(b'0'));
        self.exponent = self.exponent.saturating_mul(10).saturating_add(value);
    }

    pub fn finish(self) -> f64 {
        let negative = self.negative;
        let magnitude = self.magnitude();
        if negative { -magnitude } else { magnitude }
    }

    fn magnitude(mut self) -> f64 {
        if self.digits.is_zero() {
            return 0.0;
        }
        let written = i64::from(self.exponent) * if self.exponent_negative { -1 } else { 1 };
        let scale = written - i64::from(self.fraction) + i64::from(self.dropped);
        // The value lies in 10^(size - 1) .. 10^size.
        let size = scale + i64::from(self.kept);
        if size > 310 {
            return f64::INFINITY;
        }
        if size < -330 {
            return 0.0;
        }
        let mut inexact = self.dropped_nonzero;
        let mut shift = 0;
        if scale >= 0 {
            self.digits.multiply_power_of_ten(scale as u32);
        } else {
            let power = scale.unsigned_abs() as u32;
            // log2(10) < 3.322; two words of quotient bits are enough for any rounding.
            shift = (power * 3322 / 1000 + 68).saturating_sub(self.digits.bits());
            self.digits.shift_left(shift);
            inexact |= self.digits.divide_power_of_ten(power);
        }
        round(&self.digits, shift, inexact)
    }
}

/// `number / 2^shift` (a little more if `inexact`) as the nearest double, ties to even.
fn round(number: &Natural, shift: u32, inexact: bool) -> f64 {
    let bits = number.bits() as i32;
    let top = bits - 1 - shift as i32;
    if top > 1023 {
        return f64::INFINITY;
    }
    let precision = (top + 1075).min(53);
    if precision < 0 {
        return 0.0;
    }
    let drop = bits - precision;
    let mantissa = if drop <= 0 {
        number.word_from(0) << drop.unsigned_abs()
    } else {
        let drop = drop as u32;
        let mantissa = if precision == 0 { 0 } else { number.word_from(drop) };
        let half = number.bit(drop - 1);
        let lower = inexact || number.any_bit_below(drop - 1);
        mantissa + u64::from(half && (lower || mantissa & 1 == 1))
    };
    if top < -1022 {
        return f64::from_bits(mantissa);
    }
    // The leading one of the mantissa and a carry out of it both end up in the exponent.
    f64::from_bits((((top + 1022) as u64) << 52) + mantissa)
}
