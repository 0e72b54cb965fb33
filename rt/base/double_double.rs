//! Double-double arithmetic: sums of two doubles with twice the precision, as far as the transcendental functions need
//! it.
//!
//! What a product loses is computed from halves of its factors (T. J. Dekker, "A floating-point technique for extending
//! the available precision", 1971), or by one fused multiplication where the machine has it. Both are exact, so results
//! do not depend on the machine.

/// A number as a sum; the second part is at most half a unit in the last place of the first.
#[derive(Clone, Copy)]
pub struct Wide(pub f64, pub f64);

/// The sum of two reals, the first of which is not smaller.
pub const fn quick_sum(a: f64, b: f64) -> Wide {
    let sum = a + b;
    Wide(sum, b - (sum - a))
}

pub const fn sum(a: f64, b: f64) -> Wide {
    let sum = a + b;
    let part = sum - a;
    Wide(sum, (a - (sum - part)) + (b - part))
}

/// The product of two reals, exactly.
pub const fn product(a: f64, b: f64) -> Wide {
    const SPLIT: f64 = 134_217_729.0;
    let (c, d) = (SPLIT * a, SPLIT * b);
    let (high, other) = (c - (c - a), d - (d - b));
    let (low, rest) = (a - high, b - other);
    let product = a * b;
    Wide(product, ((high * other - product) + high * rest + low * other) + low * rest)
}

/// The same while the program runs: one instruction where the machine can multiply and add at once.
#[inline(always)]
pub fn exact_product(a: f64, b: f64) -> Wide {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if fused::available() {
        let product = a * b;
        return Wide(product, fused::multiply_subtract(a, b, product));
    }
    product(a, b)
}

impl Wide {
    pub const fn add(self, other: Wide) -> Wide {
        let high = sum(self.0, other.0);
        let low = sum(self.1, other.1);
        let first = quick_sum(high.0, high.1 + low.0);
        quick_sum(first.0, first.1 + low.1)
    }
    pub const fn negated(self) -> Wide {
        Wide(-self.0, -self.1)
    }
    pub const fn times(self, other: Wide) -> Wide {
        let high = product(self.0, other.0);
        quick_sum(high.0, high.1 + (self.0 * other.1 + self.1 * other.0))
    }
    pub const fn scaled(self, factor: f64) -> Wide {
        let high = product(self.0, factor);
        quick_sum(high.0, high.1 + self.1 * factor)
    }
    pub const fn over(self, other: Wide) -> Wide {
        let first = self.0 / other.0;
        let rest = self.add(other.scaled(first).negated());
        let second = rest.0 / other.0;
        let rest = rest.add(other.scaled(second).negated());
        let third = rest.0 / other.0;
        quick_sum(first, second).add(Wide(third, 0.0))
    }
    pub fn rounded(self) -> f64 {
        self.0 + self.1
    }
}

/// One.
pub const ONE: Wide = Wide(1.0, 0.0);

/// Multiplication and subtraction with one rounding.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod fused {
    use core::arch::x86_64::__cpuid;
    use core::sync::atomic::{AtomicU8, Ordering};

    /// 0 until somebody asks, then 1 for no, 2 for yes.
    static AVAILABLE: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub fn available() -> bool {
        match AVAILABLE.load(Ordering::Relaxed) {
            0 => detect(),
            known => known == 2,
        }
    }

    /// The processor has the instruction, and the system keeps its registers.
    #[cold]
    fn detect() -> bool {
        const FMA: u32 = 1 << 12;
        const OSXSAVE: u32 = 1 << 27;
        const AVX: u32 = 1 << 28;
        const STATE: u64 = 6;
        let wanted = FMA | OSXSAVE | AVX;
        let has = __cpuid(1).ecx & wanted == wanted && kept() & STATE == STATE;
        AVAILABLE.store(1 + u8::from(has), Ordering::Relaxed);
        has
    }

    /// Which registers the system keeps. Only for processors with OSXSAVE.
    fn kept() -> u64 {
        let (low, high): (u32, u32);
        // SAFETY: `detect` has seen that the instruction exists; it reads a register.
        unsafe { core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack)) };
        u64::from(high) << 32 | u64::from(low)
    }

    /// a · b - c. Only after `available`.
    #[inline(always)]
    pub fn multiply_subtract(a: f64, b: f64, c: f64) -> f64 {
        let mut result = a;
        // SAFETY: the caller knows that the instruction exists; it works on registers.
        unsafe {
            core::arch::asm!("vfmsub213sd {result}, {b}, {c}", result = inout(xmm_reg) result, b = in(xmm_reg) b,
                c = in(xmm_reg) c, options(pure, nomem, nostack));
        }
        result
    }
}
