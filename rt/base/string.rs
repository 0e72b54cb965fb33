//! String objects: concatenation, slices, update, comparison.

use super::error;
use super::value::new_string;
use crate::base::Context;
use crate::layout::*;
use crate::platform::{Memory, Outcome};

pub fn cat_string<C: Context>(c: &mut C, sp: u32, first: u32, second: u32) -> Outcome<u32, C> {
    let (left, right) = (c.load_u32(first + STRING_LENGTH), c.load_u32(second + STRING_LENGTH));
    let Some(length) = left.checked_add(right).filter(|length| *length < MAX_LENGTH) else {
        return error::heap_full(c);
    };
    let sp = c.push(sp, first);
    let sp = c.push(sp, second);
    let result = new_string(c, sp, length)?;
    let (second, first) = (c.load_u32(sp), c.load_u32(sp + 4));
    c.copy_within(first + STRING_DATA, result + STRING_DATA, left);
    c.copy_within(second + STRING_DATA, result + STRING_DATA + left, right);
    Ok(result)
}

/// Longer objects cannot exist: their end would be outside the address space.
pub const MAX_LENGTH: u32 = 0xf000_0000;

/// Characters `from` to `to`, both included, clipped to the string.
pub fn slice_string<C: Context>(c: &mut C, sp: u32, string: u32, from: i64, to: i64) -> Outcome<u32, C> {
    let length = i64::from(c.load_u32(string + STRING_LENGTH));
    let from = from.max(0);
    let to = to.min(length - 1);
    let count = if from > to { 0 } else { (to - from + 1) as u32 };
    let sp = c.push(sp, string);
    let result = new_string(c, sp, count)?;
    let string = c.load_u32(sp);
    // An empty slice may start anywhere, even beyond 32 bits.
    if count > 0 {
        c.copy_within(string + STRING_DATA + from as u32, result + STRING_DATA, count);
    }
    Ok(result)
}

/// A copy with one character replaced. The message is the same for a negative index.
pub fn update_string<C: Context>(c: &mut C, sp: u32, string: u32, index: i64, character: i64) -> Outcome<u32, C> {
    let length = c.load_u32(string + STRING_LENGTH);
    if index as u64 >= u64::from(length) {
        return error::fail_with(c, b"Index too high in UPDATE string.\n");
    }
    let sp = c.push(sp, string);
    let result = new_string(c, sp, length)?;
    let string = c.load_u32(sp);
    c.copy_within(string + STRING_DATA, result + STRING_DATA, length);
    c.store_u8(result + STRING_DATA + index as u32, character as u8 as u32);
    Ok(result)
}

/// The characters of a string become those of another, from an index on.
pub fn put_string<C: Context>(c: &mut C, string: u32, at: i64, part: u32) -> Outcome<(), C> {
    let length = c.load_u32(part + STRING_LENGTH);
    c.copy_within(part + STRING_DATA, string + STRING_DATA + at as u32, length);
    Ok(())
}

pub fn eq_string<C: Context>(c: &mut C, first: u32, second: u32) -> Outcome<i64, C> {
    let length = c.load_u32(first + STRING_LENGTH);
    let equal = length == c.load_u32(second + STRING_LENGTH)
        && common_prefix(c, first + STRING_DATA, second + STRING_DATA, length) == length;
    Ok(i64::from(equal))
}

/// -1, 0 or 1: unsigned bytes, a prefix is smaller.
pub fn cmp_string<C: Context>(c: &mut C, first: u32, second: u32) -> Outcome<i64, C> {
    let (left, right) = (c.load_u32(first + STRING_LENGTH), c.load_u32(second + STRING_LENGTH));
    let shorter = left.min(right);
    let same = common_prefix(c, first + STRING_DATA, second + STRING_DATA, shorter);
    let (a, b) = if same == shorter {
        (left, right)
    } else {
        (c.load_u8(first + STRING_DATA + same), c.load_u8(second + STRING_DATA + same))
    };
    Ok(i64::from(a > b) - i64::from(a < b))
}

/// Number of equal bytes at the start of two ranges.
fn common_prefix<M: Memory>(m: &M, first: u32, second: u32, length: u32) -> u32 {
    let mut same = 0;
    while same + 8 <= length {
        let difference = m.load_u64(first + same) ^ m.load_u64(second + same);
        if difference != 0 {
            return same + difference.trailing_zeros() / 8;
        }
        same += 8;
    }
    while same < length && m.load_u8(first + same) == m.load_u8(second + same) {
        same += 1;
    }
    same
}
