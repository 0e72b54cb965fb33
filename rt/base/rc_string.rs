//! Libcalls for strings and arrays of the reference-counted heap.
//!
//! Such a string has a word more before its length: four bytes further on it looks like one of the garbage-collected
//! heap, but for the header. So what only reads strings, or writes characters, is the same for both (`string.rs`).

use super::decimal::format_int;
use super::{error, string, value};
use crate::base::Context;
use crate::layout::{self, PROGRAM_EMPTY, SLOT};
use crate::platform::Outcome;
use crate::rc::{extend_string, new_references, new_string};
use cleave_abi::rc::{COUNT, MAX_STRING, STRING_DATA, STRING_LENGTH};

/// Between a string and what looks like one of the garbage-collected heap.
const SHIFT: u32 = STRING_LENGTH - layout::STRING_LENGTH;
const _: () = assert!(SHIFT == STRING_DATA - layout::STRING_DATA);

/// A string that begins as another one, whose reference is taken over: in the same memory if nothing else refers to
/// that. The characters after are undefined.
pub fn extend<C: Context>(c: &mut C, string: u32, length: i64) -> Outcome<u32, C> {
    match u32::try_from(length) {
        Ok(length) => extend_string(c, string, length),
        Err(_) => error::heap_full(c),
    }
}

pub fn cat<C: Context>(c: &mut C, first: u32, second: u32) -> Outcome<u32, C> {
    let (left, right) = (c.load_u32(first + STRING_LENGTH), c.load_u32(second + STRING_LENGTH));
    let result = extend(c, first, i64::from(left) + i64::from(right))?;
    c.copy_within(second + STRING_DATA, result + STRING_DATA + left, right);
    Ok(result)
}

/// Characters `from` to `to`, both included, clipped to the string.
pub fn slice<C: Context>(c: &mut C, string: u32, from: i64, to: i64) -> Outcome<u32, C> {
    let length = i64::from(c.load_u32(string + STRING_LENGTH));
    let (from, to) = (from.max(0), to.min(length - 1));
    let count = if from > to { 0 } else { (to - from + 1) as u32 };
    let result = new_string(c, count)?;
    // An empty slice may start anywhere, even beyond 32 bits.
    if count > 0 {
        c.copy_within(string + STRING_DATA + from as u32, result + STRING_DATA, count);
    }
    Ok(result)
}

pub fn put<C: Context>(c: &mut C, string: u32, at: i64, part: u32) -> Outcome<(), C> {
    string::put_string(c, string + SHIFT, at, part + SHIFT)
}

/// Bytes of an array of numbers become those of another, or of another part of it.
pub fn copy<C: Context>(c: &mut C, to: u32, at: i64, from: u32, start: i64, bytes: i64) -> Outcome<(), C> {
    c.copy_within(from + STRING_DATA + start as u32, to + STRING_DATA + at as u32, bytes as u32);
    Ok(())
}

/// All elements of an array of numbers become the first, which has so many bytes.
pub fn repeat<C: Context>(c: &mut C, string: u32, bytes: u32) -> Outcome<(), C> {
    let (start, total) = (string + STRING_DATA, c.load_u32(string + STRING_LENGTH));
    match bytes {
        1 => {
            let byte = c.load_u8(start) as u8;
            super::array::fill(c, start, byte, total);
        }
        _ => super::array::repeat(c, start, bytes, total),
    }
    Ok(())
}

pub fn equal<C: Context>(c: &mut C, first: u32, second: u32) -> Outcome<i64, C> {
    string::eq_string(c, first + SHIFT, second + SHIFT)
}

pub fn compare<C: Context>(c: &mut C, first: u32, second: u32) -> Outcome<i64, C> {
    string::cmp_string(c, first + SHIFT, second + SHIFT)
}

fn of_bytes<C: Context>(c: &mut C, bytes: &[u8]) -> Outcome<u32, C> {
    let string = new_string(c, bytes.len() as u32)?;
    c.write_bytes(string + STRING_DATA, bytes);
    Ok(string)
}

pub fn of_char<C: Context>(c: &mut C, character: i64) -> Outcome<u32, C> {
    of_bytes(c, &[character as u8])
}

pub fn of_int<C: Context>(c: &mut C, number: i64) -> Outcome<u32, C> {
    of_bytes(c, format_int(number).bytes())
}

pub fn print<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    value::print_string(c, string + SHIFT)
}

pub fn panic<C: Context>(c: &mut C, message: u32) -> Outcome<(), C> {
    error::panic(c, message + SHIFT)
}

/// The bytes of so many elements.
fn elements<C: Context>(c: &mut C, size: i64) -> Outcome<u32, C> {
    match u32::try_from(size) {
        Ok(size) if size <= MAX_STRING / SLOT => Ok(size * SLOT),
        _ => error::heap_full(c),
    }
}

/// An array of references, which all lead to the end of a list.
pub fn new_array<C: Context>(c: &mut C, size: i64) -> Outcome<u32, C> {
    let bytes = elements(c, size)?;
    let array = new_references(c, bytes / SLOT)?;
    let empty = c.program(PROGRAM_EMPTY);
    for at in (0..bytes).step_by(SLOT as usize) {
        c.store_u32(array + STRING_DATA + at, empty);
    }
    Ok(array)
}

/// A reference of an array, which is counted: it belongs to the caller.
pub fn element<C: Context>(c: &mut C, array: u32, index: i64) -> Outcome<u32, C> {
    let object = c.load_u32(array + STRING_DATA + index as u32 * SLOT);
    if layout::is_immediate(object) {
        return Ok(object);
    }
    let count = c.load_u32(object + COUNT);
    c.store_u32(object + COUNT, count + 1);
    Ok(object)
}

/// Puts a reference into an array: the array has it from now on, the caller has what was there before.
pub fn exchange<C: Context>(c: &mut C, value: u32, array: u32, index: i64) -> Outcome<u32, C> {
    let place = array + STRING_DATA + index as u32 * SLOT;
    let old = c.load_u32(place);
    c.store_u32(place, value);
    Ok(old)
}

pub fn new_words<C: Context>(c: &mut C, size: i64) -> Outcome<u32, C> {
    let bytes = elements(c, size)?;
    let words = new_string(c, bytes)?;
    c.fill(words + STRING_DATA, 0, bytes);
    Ok(words)
}

pub fn word<C: Context>(c: &mut C, words: u32, index: i64) -> Outcome<i64, C> {
    Ok(i64::from(c.load_u32(words + STRING_DATA + index as u32 * SLOT) as i32))
}

pub fn set_word<C: Context>(c: &mut C, words: u32, index: i64, value: i64) -> Outcome<(), C> {
    c.store_u32(words + STRING_DATA + index as u32 * SLOT, value as u32);
    Ok(())
}

/// The array that is the first element of another one.
fn inner<C: Context>(c: &C, array: u32) -> u32 {
    c.load_u32(array + STRING_DATA)
}

pub fn inner_element<C: Context>(c: &mut C, array: u32, index: i64) -> Outcome<u32, C> {
    let array = inner(c, array);
    element(c, array, index)
}

pub fn inner_exchange<C: Context>(c: &mut C, value: u32, array: u32, index: i64) -> Outcome<u32, C> {
    let array = inner(c, array);
    exchange(c, value, array, index)
}

pub fn inner_word<C: Context>(c: &mut C, array: u32, index: i64) -> Outcome<i64, C> {
    let words = inner(c, array);
    word(c, words, index)
}

pub fn set_inner_word<C: Context>(c: &mut C, array: u32, index: i64, value: i64) -> Outcome<(), C> {
    let words = inner(c, array);
    set_word(c, words, index, value)
}

/// Whether two references lead to the same object, on either heap.
pub fn same<C: Context>(_: &mut C, first: u32, second: u32) -> Outcome<i64, C> {
    Ok(i64::from(first == second))
}
