//! Numbers as text: Ints in decimal, Reals exactly as C's `%.15g`.
//!
//! A finite double is `m * 2^e`. To get 15 significant digits it is scaled by a power of ten so that the integral part
//! has 15 digits, in exact arithmetic: 128 bits when the exponents are moderate, else `bignum`. The digits are rounded
//! half to even on the exact value, as the C library does.

use super::bignum::Natural;

/// Text of limited length, put together from the left. What does not fit is cut off.
pub struct Buffer<const SIZE: usize> {
    length: usize,
    bytes: [u8; SIZE],
}

/// Room for one number.
pub type Number = Buffer<32>;
/// Room for one line of a report.
pub type Line = Buffer<256>;

impl<const SIZE: usize> Default for Buffer<SIZE> {
    fn default() -> Self {
        Buffer::new()
    }
}

impl<const SIZE: usize> Buffer<SIZE> {
    pub fn new() -> Self {
        Buffer { length: 0, bytes: [0; SIZE] }
    }
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
    pub fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }
    pub fn push_all(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push(*byte);
        }
    }
    pub fn push_unsigned(&mut self, value: u64) {
        let mut digits = [0; 20];
        let mut rest = value;
        let mut count = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
            count += 1;
            if rest == 0 {
                break;
            }
        }
        self.push_all(digits.get(20 - count..).unwrap_or_default());
    }
    fn pop_zeros(&mut self) {
        while self.bytes().last() == Some(&b'0') {
            self.length -= 1;
        }
    }
}

pub fn format_int(value: i64) -> Number {
    let mut text = Number::new();
    if value < 0 {
        text.push(b'-');
    }
    text.push_unsigned(value.unsigned_abs());
    text
}

const DIGITS: i32 = 15;
/// 10^15 and 10^14: the digits as a number lie between them.
const UPPER: u64 = 1_000_000_000_000_000;
const LOWER: u64 = UPPER / 10;

pub fn format_real(value: f64) -> Number {
    let mut text = Number::new();
    let bits = value.to_bits();
    if bits >> 63 != 0 {
        text.push(b'-');
    }
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52 & 0x7ff) as i32;
    if biased == 0x7ff {
        text.push_all(if fraction == 0 { b"inf" } else { b"nan" });
        return text;
    }
    let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if mantissa == 0 {
        text.push(b'0');
        return text;
    }
    let (digits, decimal) = significant_digits(mantissa, exponent);
    lay_out(&mut text, digits, decimal);
    text
}

/// The 15 digits of `mantissa * 2^exponent` as a number in `LOWER .. UPPER`, and the exponent of the first of them.
fn significant_digits(mantissa: u64, exponent: i32) -> (u64, i32) {
    // The value is in [2^(top), 2^(top + 1)); log10(2) is a little less than 78913 / 2^18.
    let top = exponent + 63 - mantissa.leading_zeros() as i32;
    let mut decimal = (top * 78913) >> 18;
    loop {
        let scale = DIGITS - 1 - decimal;
        let (digits, above_half, exactly_half) = scaled(mantissa, exponent, scale);
        if digits >= UPPER {
            decimal += 1;
            continue;
        }
        if digits < LOWER {
            decimal -= 1;
            continue;
        }
        let rounded = digits + u64::from(above_half || exactly_half && digits & 1 == 1);
        return if rounded == UPPER { (LOWER, decimal + 1) } else { (rounded, decimal) };
    }
}

/// `mantissa * 2^exponent * 10^scale`: its integral part, is the fraction above a half, is it exactly a half.
fn scaled(mantissa: u64, exponent: i32, scale: i32) -> (u64, bool, bool) {
    if (0..=22).contains(&scale) && (-120..=0).contains(&exponent) {
        // 2^53 * 10^22 < 2^127
        let mut product = u128::from(mantissa);
        for _ in 0..scale {
            product *= 10;
        }
        let shift = exponent.unsigned_abs();
        let fraction = product & ((1 << shift) - 1);
        let half = (1 << shift) >> 1;
        let inexact = shift > 0;
        return ((product >> shift) as u64, inexact && fraction > half, inexact && fraction == half);
    }
    let mut value = Natural::new(mantissa);
    if scale >= 0 {
        value.multiply_power_of_ten(scale as u32);
        if exponent >= 0 {
            value.shift_left(exponent as u32);
            return (value.word_from(0), false, false);
        }
        let point = exponent.unsigned_abs();
        let half = value.bit(point - 1);
        let lower = value.any_bit_below(point - 1);
        return (value.word_from(point), half && lower, half && !lower);
    }
    // One bit below the point is kept by doubling first.
    let doublings = 1 + exponent.max(0) as u32;
    value.shift_left(doublings);
    let mut lower = value.divide_power_of_ten(scale.unsigned_abs());
    let point = 1 + exponent.min(0).unsigned_abs();
    lower |= value.any_bit_below(point - 1);
    let half = value.bit(point - 1);
    (value.word_from(point), half && lower, half && !lower)
}

/// Writes the digits as `%g` does: no trailing zeros, scientific below 1e-4 and from 1e15.
fn lay_out(text: &mut Number, digits: u64, decimal: i32) {
    let mut ascii = [0; DIGITS as usize];
    let mut rest = digits;
    for digit in ascii.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    if (-4..DIGITS).contains(&decimal) {
        let whole = (decimal + 1).max(0) as usize;
        let (before, after) = ascii.split_at(whole.min(DIGITS as usize));
        if before.is_empty() {
            text.push(b'0');
        }
        text.push_all(before);
        if after.iter().any(|digit| *digit != b'0') {
            text.push(b'.');
            for _ in decimal + 1..0 {
                text.push(b'0');
            }
            text.push_all(after);
            text.pop_zeros();
        }
        return;
    }
    let (first, after) = ascii.split_at(1);
    text.push_all(first);
    if after.iter().any(|digit| *digit != b'0') {
        text.push(b'.');
        text.push_all(after);
        text.pop_zeros();
    }
    text.push(b'e');
    text.push(if decimal < 0 { b'-' } else { b'+' });
    let magnitude = decimal.unsigned_abs();
    if magnitude < 10 {
        text.push(b'0');
    }
    text.push_unsigned(u64::from(magnitude));
}
