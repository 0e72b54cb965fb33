//! Natural numbers of a fixed capacity, for exact conversion between binary and decimal.
//!
//! Only operations with a small operand are needed: decimal exponents are applied 9 digits at a time, and dividing by
//! one small number after another gives the same quotient as dividing by their product.

use core::num::NonZeroU64;

/// Limbs of 32 bits, least significant first. 160 limbs hold the largest numbers that `parse` builds (see there).
const CAPACITY: usize = 160;

pub struct Natural {
    limbs: [u32; CAPACITY],
    /// Limbs in use; the highest is not zero.
    length: usize,
}

/// Powers of ten that are one factor.
const BILLION: u32 = 1_000_000_000;

impl Natural {
    pub fn new(value: u64) -> Natural {
        let mut limbs = [0; CAPACITY];
        limbs[0] = value as u32;
        limbs[1] = (value >> 32) as u32;
        let mut natural = Natural { limbs, length: 2 };
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.length > 0 && self.limbs.get(self.length - 1) == Some(&0) {
            self.length -= 1;
        }
    }

    fn digits(&mut self) -> &mut [u32] {
        self.limbs.get_mut(..self.length).unwrap_or_default()
    }

    pub fn is_zero(&self) -> bool {
        self.length == 0
    }

    /// Number of bits.
    pub fn bits(&self) -> u32 {
        match self.length.checked_sub(1).and_then(|last| self.limbs.get(last)) {
            Some(top) => self.length as u32 * 32 - top.leading_zeros(),
            None => 0,
        }
    }

    /// `self * factor + addend`.
    pub fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in self.digits() {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry != 0
            && let Some(limb) = self.limbs.get_mut(self.length)
        {
            *limb = carry as u32;
            self.length += 1;
        }
    }

    /// Divides by a number below 2^32 and returns the remainder.
    pub fn divide(&mut self, divisor: NonZeroU64) -> u32 {
        let mut remainder = 0;
        for limb in self.digits().iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*limb);
            *limb = (dividend / divisor) as u32;
            remainder = dividend % divisor;
        }
        self.trim();
        remainder as u32
    }

    /// `self * 10^exponent`.
    pub fn multiply_power_of_ten(&mut self, exponent: u32) {
        let mut left = exponent;
        while left >= 9 {
            self.multiply_add(BILLION, 0);
            left -= 9;
        }
        self.multiply_add(small_power_of_ten(left), 0);
    }

    /// The integral part of `self / 10^exponent`; true if something was cut off.
    pub fn divide_power_of_ten(&mut self, exponent: u32) -> bool {
        let mut left = exponent;
        let mut inexact = false;
        while left > 0 {
            let now = left.min(9);
            let divisor = NonZeroU64::MIN.saturating_add(u64::from(small_power_of_ten(now)) - 1);
            inexact |= self.divide(divisor) != 0;
            left -= now;
        }
        inexact
    }

    pub fn shift_left(&mut self, bits: u32) {
        let (limbs, bits) = ((bits / 32) as usize, bits % 32);
        self.multiply_add(1 << bits, 0);
        if limbs > 0 && self.length > 0 && self.length + limbs <= CAPACITY {
            self.length += limbs;
            for index in (0..self.length).rev() {
                let limb = index.checked_sub(limbs).and_then(|from| self.limbs.get(from)).copied().unwrap_or(0);
                if let Some(place) = self.limbs.get_mut(index) {
                    *place = limb;
                }
            }
        }
    }

    /// Bit `index`.
    pub fn bit(&self, index: u32) -> bool {
        self.limbs.get((index / 32) as usize).is_some_and(|limb| limb >> (index % 32) & 1 != 0)
    }

    /// Is any bit below `index` set?
    pub fn any_bit_below(&self, index: u32) -> bool {
        let whole = (index / 32) as usize;
        let low = self.limbs.get(..whole).unwrap_or(&self.limbs);
        low.iter().any(|limb| *limb != 0) || (0..index % 32).any(|bit| self.bit(index - index % 32 + bit))
    }

    /// Bits `from ..` as a word; what does not fit is lost.
    pub fn word_from(&self, from: u32) -> u64 {
        let (start, shift) = ((from / 32) as usize, from % 32);
        let limb = |index: usize| u128::from(self.limbs.get(index).copied().unwrap_or(0));
        ((limb(start) | limb(start + 1) << 32 | limb(start + 2) << 64) >> shift) as u64
    }
}

pub fn small_power_of_ten(exponent: u32) -> u32 {
    let mut power = 1;
    for _ in 0..exponent {
        power *= 10;
    }
    power
}
