//! Where mutations take their decisions from: the bytes of a fuzzer, which learns what they do, and then from a
//! generator of random numbers.

use crate::roots::Rng;

#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
    rng: Rng,
}

impl<'b> Choices<'b> {
    pub fn of_seed(seed: u64) -> Choices<'b> {
        Choices { bytes: &[], rng: Rng::new(seed) }
    }

    pub fn of_bytes(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes, rng: Rng::new(bytes.len() as u64) }
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        let taken = if n <= 256 { 1 } else { 2 };
        if self.bytes.len() < taken {
            return self.rng.below(n);
        }
        let (head, rest) = self.bytes.split_at(taken);
        self.bytes = rest;
        head.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)) % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
