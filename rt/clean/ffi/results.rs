//! Results of C functions: words, results through pointers, and strings.

use super::lent::{self, NARROW};
use crate::base::error;
use crate::base::value::new_string;
use crate::clean::Context;
use crate::layout::*;
use crate::platform::Outcome;

/// Leaves results for `c_result`, from the first on.
pub fn give<C: Context>(c: &mut C, results: &[i64]) {
    for (place, result) in c.clean_mut().results.iter_mut().zip(results) {
        *place = *result;
    }
}

/// The libcall `c_result`: what the last function returned through its `index`-th pointer.
pub fn result<C: Context>(c: &mut C, index: u32) -> Outcome<i64, C> {
    Ok(c.clean().results.get(index as usize).copied().unwrap_or(0))
}

/// The libcall `c_string`: a Clean string of a C value of type `CleanString`, a 64-bit length and the characters.
pub fn string<C: Context>(c: &mut C, sp: u32, address: i64) -> Outcome<u32, C> {
    string_after(c, sp, address, 8)
}

/// The libcall `c_symbol_string`: the same of a C function that is called by its symbol, where the length is a word of
/// C.
pub fn symbol_string<C: Context>(c: &mut C, sp: u32, address: i64) -> Outcome<u32, C> {
    let word = c.c_word();
    string_after(c, sp, address, word)
}

/// The string whose characters lie after a length of so many bytes.
fn string_after<C: Context>(c: &mut C, sp: u32, address: i64, bytes: u32) -> Outcome<u32, C> {
    let length = match (address, bytes) {
        (0, _) => 0,
        (_, NARROW) => c.load_from_c(address) as u32 as u64,
        _ => c.load_from_c(address),
    };
    let Some(length) = u32::try_from(length).ok().filter(|&length| length <= i32::MAX as u32) else {
        return error::heap_full(c);
    };
    let string = new_string(c, sp, length)?;
    c.copy_from_c(address.wrapping_add(i64::from(bytes)), string + STRING_DATA, length);
    lent::forget(c, address);
    Ok(string)
}
