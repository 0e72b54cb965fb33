//! The call of a C function by the System V convention.
//!
//! Registers for integers and for reals are filled independently of each other, and what does not fit goes to the stack
//! in order. So one form of call serves for all: it fills all registers, and the stack as far as it may be needed. The
//! call is that of a function with a variable number of arguments, which also says how many registers hold reals.

use crate::platform::Arguments;

type Function<R> = unsafe extern "C" fn(i64, ...) -> R;

/// Calls a function: the register of integers and that of reals afterwards.
///
/// # Safety
/// At the address must be a C function that takes these arguments.
#[allow(clippy::many_single_char_names)]
pub unsafe fn call(address: usize, arguments: &Arguments) -> (i64, f64) {
    let Arguments { words: w, reals: r, stack: s } = arguments;
    // SAFETY: the caller knows the function; the result is taken from both registers below.
    unsafe {
        let function = core::mem::transmute::<usize, Function<Both>>(address);
        let both = function(
            w[0], w[1], w[2], w[3], w[4], w[5], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], s[0], s[1], s[2], s[3],
            s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15], s[16], s[17], s[18], s[19],
            s[20], s[21], s[22], s[23], s[24], s[25], s[26], s[27], s[28], s[29], s[30], s[31],
        );
        (both.word, both.real)
    }
}

/// A structure that is returned in both registers.
#[repr(C)]
struct Both {
    word: i64,
    real: f64,
}
