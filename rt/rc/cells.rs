//! Memory of the reference-counted heap: words of the program record, memory that was never used, cells, and what
//! objects say of themselves. All else of the heap stands on this.

use crate::gc::Context;
use crate::layout::{INFO_KIND, KIND_ARRAY, KIND_STRING, SLOT, info_ptrs, info_slots};
use cleave_abi::rc::*;

/// Bytes that a size class gets at once, at least one cell.
pub const BLOCK: u32 = 32 << 10;
/// The memory grows by this much or by a part of what there is, whatever is more.
pub const GROWTH: u64 = 1 << 20;
pub const GROWTH_PART: u64 = 4;
/// So many dead objects are freed at a time: some hundredths of a millisecond, if they are not in a cache.
pub const PORTION: u32 = 4096;
/// What freed cells are filled with where that is asked for. As a reference it is no immediate.
pub const POISON: u8 = 0xDA;

pub fn word<C: Context>(c: &C, offset: u32) -> u32 {
    c.program(offset)
}
pub fn set_word<C: Context>(c: &mut C, offset: u32, value: u32) {
    let record = c.gc().program;
    c.store_u32(record + offset, value);
}

/// Where memory begins that was never used.
pub fn fresh<C: Context>(c: &mut C) -> u32 {
    if word(c, FRESH) == 0 {
        let base = start(c);
        set_word(c, FRESH, base);
        let size = c.size().min(c.gc().heap.limit_end);
        set_word(c, FRESH_END, (size as u32).max(base));
    }
    word(c, FRESH)
}

/// Where cells begin.
pub fn start<C: Context>(c: &C) -> u32 {
    (c.gc().heap.base + 7) & !7
}

/// Makes memory for so many cells, or for one if there is no more; how many there is memory for.
pub fn reserve<C: Context>(c: &mut C, start: u32, bytes: u32, count: u64) -> Option<u32> {
    let (end, limit) = (u64::from(word(c, FRESH_END)), c.gc().heap.limit_end);
    for count in [count, count.min(1)] {
        let needed = u64::from(start) + count * u64::from(bytes);
        if count == 0 {
            return None;
        }
        if needed <= end {
            return Some(count as u32);
        }
        let used = u64::from(start - c.gc().heap.base);
        let generous = (needed + GROWTH.max(used / GROWTH_PART)).min(limit).max(needed);
        for wanted in [generous, needed] {
            if c.grow_to(wanted) {
                set_word(c, FRESH_END, wanted as u32);
                return Some(count as u32);
            }
        }
    }
    None
}

/// Puts a cell that nothing refers to into the list of its class.
pub fn free<C: Context>(c: &mut C, cell: u32, class: u32) {
    let bytes = class_bytes(class);
    if c.gc().options.poison {
        c.fill(cell + FIELDS, POISON, bytes - FIELDS);
        c.store_u32(cell + COUNT, 0);
    }
    let list = FREE_LISTS + class * SLOT;
    let first = word(c, list);
    c.store_u32(cell, first.wrapping_sub(cell + bytes));
    set_word(c, list, cell);
}

/// Where the references of an object are, and how many.
pub fn references<C: Context>(c: &C, object: u32, info: u32) -> (u32, u32) {
    match info & INFO_KIND == KIND_ARRAY {
        true => (object + STRING_DATA, c.load_u32(object + STRING_LENGTH)),
        false => (object + FIELDS, info_ptrs(info)),
    }
}

/// Bytes of the memory of an object.
pub fn object_bytes<C: Context>(c: &C, object: u32, info: u32) -> u32 {
    match info & INFO_KIND {
        KIND_STRING => string_bytes(c.load_u32(object + STRING_LENGTH)),
        KIND_ARRAY => string_bytes(c.load_u32(object + STRING_LENGTH) * SLOT),
        _ => node_bytes(info_slots(info), 0),
    }
}

/// True for an address in the memory that has been used. 0 is none.
pub fn is_used<C: Context>(c: &C, address: u32) -> bool {
    (start(c)..word(c, FRESH)).contains(&address)
}
