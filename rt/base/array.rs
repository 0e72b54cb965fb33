//! Array objects.

use super::error;
use super::string::MAX_LENGTH;
use super::value::new_string;
use crate::base::Context;
use crate::gc::allocate::allocate_object;
use crate::gc::object::{array_bytes, element_bytes, record_sizes};
use crate::gc::remembered::{remember, replicated};
use crate::layout::*;
use crate::platform::Outcome;

/// Bytes of a new array that are written by single stores: a call that copies or fills costs more, above all in
/// WebAssembly, and so does loading in one piece what has just been stored in several.
const SINGLY: u32 = 128;
/// The same for bytes that are all equal, which the C library writes quickly.
const SHORT: u32 = 32;
/// Bytes that are copied at once while equal elements are made: both ranges stay in the cache of the first level.
const AT_ONCE: u32 = 16 * 1024;

/// Allocates an array object (a string for element kind `CHAR`) whose references are empty and whose other bytes are 0.
/// `refs` and `words` describe a record element and are ignored for the named kinds.
pub fn new_array<C: Context>(c: &mut C, sp: u32, kind: u32, ptrs: u32, words: u32, size: i64) -> Outcome<u32, C> {
    let element = if kind > element::CHAR {
        u64::from(ptrs) * 4 + u64::from(words) * 8
    } else {
        u64::from(element_bytes(c, kind))
    };
    let Some(data) =
        u64::try_from(size).ok().and_then(|size| size.checked_mul(element)).filter(|b| *b < u64::from(MAX_LENGTH))
    else {
        return error::heap_full(c);
    };
    if size > i64::from(MAX_LENGTH) {
        return error::heap_full(c);
    }
    let data = (data as u32).wrapping_add(3) & !3;
    if kind == element::CHAR {
        let string = new_string(c, sp, size as u32)?;
        fill(c, string + STRING_DATA, 0, data);
        return Ok(string);
    }
    let array = allocate_object(c, sp, ARRAY_DATA + data)?;
    let header = c.program(PROGRAM_ARRAY_HEADER);
    c.store_u32(array, header);
    c.store_u32(array + ARRAY_SIZE, size as u32);
    c.store_u32(array + ARRAY_ELEMENT, kind);
    let start = array + ARRAY_DATA;
    let ptrs = match kind {
        element::REF => 1,
        1..=element::CHAR => 0,
        _ => ptrs,
    };
    if ptrs == 0 {
        fill(c, start, 0, data);
        return Ok(array);
    }
    if data > 0 {
        let element = element as u32;
        let empty = c.program(PROGRAM_EMPTY);
        for index in 0..ptrs {
            c.store_u32(start + index * SLOT, empty);
        }
        fill(c, start + ptrs * SLOT, 0, element - ptrs * SLOT);
        repeat(c, start, element, data);
    }
    Ok(array)
}

/// Bytes of the elements of an array become those of another, or of another part of it. What is old remembers that it
/// has got references.
pub fn copy_elements<C: Context>(c: &mut C, to: u32, at: i64, from: u32, start: i64, bytes: i64) -> Outcome<(), C> {
    c.copy_within(from + ARRAY_DATA + start as u32, to + ARRAY_DATA + at as u32, bytes as u32);
    if bytes > 0 && c.load_u32(to + ARRAY_ELEMENT) == element::REF && to >= c.program(PROGRAM_OLD_START) {
        remember(c, to)?;
    }
    Ok(())
}

/// Writes the same byte to a range.
pub fn fill<C: Context>(c: &mut C, start: u32, byte: u8, bytes: u32) {
    if bytes > SHORT {
        return c.fill(start, byte, bytes);
    }
    let word = u64::from(byte) * 0x0101_0101_0101_0101;
    let mut done = 0;
    while done + 8 <= bytes {
        c.store_u64(start + done, word);
        done += 8;
    }
    while done < bytes {
        c.store_u8(start + done, byte.into());
        done += 1;
    }
}

/// Repeats the first element of a range: for a while by single stores, then by copying what is there.
pub fn repeat<C: Context>(c: &mut C, start: u32, period: u32, total: u32) {
    if period == 0 {
        return;
    }
    let singly = if total > SINGLY { (SINGLY / period).max(1) * period } else { total };
    let mut done = period;
    if period == 8 {
        let word = c.load_u64(start);
        while done < singly {
            c.store_u64(start + done, word);
            done += 8;
        }
    } else if period == 4 {
        let word = c.load_u32(start);
        while done < singly {
            c.store_u32(start + done, word);
            done += 4;
        }
    } else if period.is_multiple_of(4) {
        while done < singly {
            let word = c.load_u32(start + done - period);
            c.store_u32(start + done, word);
            done += 4;
        }
    }
    let most = (AT_ONCE / period).max(1) * period;
    while done < total {
        let next = done.min(total - done).min(most);
        c.copy_within(start, start + done, next);
        done += next;
    }
}

/// Copies element 0 of an array or string to all others. The record sizes are known from the kind word.
pub fn replicate<C: Context>(c: &mut C, array: u32, ptrs: u32, words: u32) -> Outcome<(), C> {
    let size = c.load_u32(array + ARRAY_SIZE);
    if size < 2 {
        return Ok(());
    }
    if c.load_u32(array) == c.program(PROGRAM_STRING_HEADER) {
        let byte = c.load_u8(array + STRING_DATA);
        fill(c, array + STRING_DATA, byte as u8, size);
        return Ok(());
    }
    let kind = c.load_u32(array + ARRAY_ELEMENT);
    let element = if kind > element::CHAR { ptrs * 4 + words * 8 } else { element_bytes(c, kind) };
    let data = array + ARRAY_DATA;
    if element == 1 {
        let byte = c.load_u8(data);
        fill(c, data, byte as u8, size);
    } else {
        repeat(c, data, element, size * element);
    }
    let ptrs = match kind {
        element::REF => 1,
        1..=element::CHAR => 0,
        _ => ptrs,
    };
    replicated(c, array, ptrs);
    Ok(())
}

/// An array with the first elements of another one. A copy, because nothing may lie between objects.
pub fn shorten_array<C: Context>(c: &mut C, sp: u32, array: u32, size: i64) -> Outcome<u32, C> {
    let kind = c.load_u32(array + ARRAY_ELEMENT);
    let size = match u32::try_from(size) {
        Ok(size) if size < c.load_u32(array + ARRAY_SIZE) => size,
        _ => return Ok(array),
    };
    let data = size * element_bytes(c, kind);
    let sp = c.push(sp, array);
    let shorter = allocate_object(c, sp, ARRAY_DATA + (data.wrapping_add(3) & !3))?;
    let array = c.load_u32(sp);
    c.copy_within(array, shorter, ARRAY_DATA + data);
    c.store_u32(shorter + ARRAY_SIZE, size);
    debug_assert!(array_bytes(c, shorter) <= array_bytes(c, array));
    let has_references = match kind {
        element::REF => true,
        1..=element::CHAR => false,
        record => record_sizes(c, record).0 > 0,
    };
    if has_references && shorter >= c.program(PROGRAM_OLD_START) {
        remember(c, shorter)?;
    }
    Ok(shorter)
}
