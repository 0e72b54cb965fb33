//! The reference-counted heap: allocation by size classes, and freeing with the last reference.
//!
//! Compiled code takes cells from the free list of their size class, and puts them back, by itself. It comes here when
//! a list is empty, and to free a cell that refers to others.
//!
//! Memory is handed to size classes in blocks, from the base of the heap upwards, and stays with its class: a cell that
//! is freed is used again for the next one of its size. So a program needs at most the sum of what each size class
//! needed at its peak, plus a block for each class. The heap has no other state than the table of free lists and a few
//! words, which lie after the program record: a program on the garbage-collected heap has nothing of this.
//!
//! What is too large for a class, which only strings and arrays are, lies in blocks of its own (`large.rs`).
//!
//! Freeing walks a chain of objects that have lost their last reference. Their counts are of no use any more and hold
//! the chain: no stack, no recursion, no memory, however deep the data are.
//!
//! A program does not stop until a large structure is free: `PORTION` objects are freed at a time, and the rest of the
//! chain waits for the next object that dies, or for a cell that is wanted (lazy reference counting: J. Weizenbaum,
//! *Symmetric list processor*, CACM 6(9), 1963; bounded as by H.-J. Boehm, *The space cost of lazy reference counting*,
//! POPL 2004). Memory is reported as full only when nothing waits any more.

mod cells;
pub mod cycles;
mod large;
mod release;
mod roots;
mod trial;

pub use cells::{BLOCK, PORTION, free, object_bytes, references};
pub use cycles::release_cyclic;
pub use large::free_object;
pub use release::{free_dead, release_last};

use crate::gc::Context;
use crate::gc::state::CycleWork;
use crate::layout::{
    PROGRAM_ARRAY_HEADER, PROGRAM_FLAG_CYCLIC_ARRAYS, PROGRAM_FLAGS, PROGRAM_HEAP_BASE, PROGRAM_STRING_HEADER, SLOT,
};
use crate::platform::Outcome;
use cells::{fresh, is_used, reserve, set_word, start, word};
use cleave_abi::rc::*;

/// The libcall `alloc_object`: a cell of a class whose free list is empty.
pub fn alloc_object<C: Context>(c: &mut C, class: u32) -> Outcome<u32, C> {
    let list = FREE_LISTS + class * SLOT;
    if word(c, DEAD) != 0 {
        free_dead(c, PORTION);
        if word(c, list) != 0 {
            return take(c, class);
        }
    }
    if c.gc().options.cycles {
        c.cycles(CycleWork::CollectIfDue);
        if word(c, list) != 0 {
            return take(c, class);
        }
    }
    if let Some(cell) = fresh_cells(c, class) {
        return Ok(cell);
    }
    free_all(c);
    match word(c, list) {
        0 => c.heap_full(),
        _ => take(c, class),
    }
}

/// Frees all that can be freed.
pub fn free_all<C: Context>(c: &mut C) {
    free_dead(c, u32::MAX);
    if c.gc().options.cycles {
        c.cycles(CycleWork::Collect);
        free_dead(c, u32::MAX);
    }
}

/// A cell from memory that was never used, with more of its class behind it.
fn fresh_cells<C: Context>(c: &mut C, class: u32) -> Option<u32> {
    let bytes = class_bytes(class);
    let start = fresh(c);
    let left = c.gc().heap.limit_end.saturating_sub(u64::from(start));
    let wanted = u64::from((BLOCK / bytes).max(1)).min(left / u64::from(bytes));
    let count = reserve(c, start, bytes, wanted)?;
    let size = count * bytes;
    // Memory of zeros is a list of adjacent cells; only the last one must know that it is the last.
    c.fill(start, 0, size);
    let last = start + size - bytes;
    c.store_u32(last, 0u32.wrapping_sub(last + bytes));
    set_word(c, FREE_LISTS + class * SLOT, if count > 1 { start + bytes } else { 0 });
    set_word(c, FRESH, start + size);
    let end = u64::from(start + size);
    c.gc_mut().note_peak(end);
    Some(start)
}

/// The libcall `count_cells`.
pub fn count_cells<C: Context>(c: &mut C, event: u32, bytes: u32) -> Outcome<(), C> {
    c.gc_mut().rc_stats.note(event, bytes);
    Ok(())
}

/// A large block of so many bytes.
fn take_large<C: Context>(c: &mut C, bytes: u32) -> Outcome<u32, C> {
    free_dead(c, PORTION);
    if c.gc().options.cycles {
        c.cycles(CycleWork::CollectIfDue);
    }
    if let Some(block) = large::find(c, bytes) {
        return Ok(block);
    }
    free_all(c);
    match large::find(c, bytes) {
        Some(block) => Ok(block),
        None => c.heap_full(),
    }
}

/// A string of this length; its characters are not defined.
pub fn new_string<C: Context>(c: &mut C, length: u32) -> Outcome<u32, C> {
    new_row(c, PROGRAM_STRING_HEADER, length, length)
}

/// An array of so many references, which are not defined.
pub fn new_references<C: Context>(c: &mut C, size: u32) -> Outcome<u32, C> {
    let array = new_row(c, PROGRAM_ARRAY_HEADER, size, size * SLOT)?;
    if c.program(PROGRAM_FLAGS) & PROGRAM_FLAG_CYCLIC_ARRAYS != 0 {
        c.store_u32(array + COUNT, FIRST_CYCLIC);
    }
    Ok(array)
}

/// An object with a length after its count, and so many bytes after that; its header is in the program record.
fn new_row<C: Context>(c: &mut C, header: u32, length: u32, data: u32) -> Outcome<u32, C> {
    if data > MAX_STRING {
        return c.heap_full();
    }
    let bytes = string_bytes(data);
    let string = match bytes > LARGEST_OBJECT {
        true => take_large(c, bytes)?,
        false => take(c, class_of(bytes))?,
    };
    if c.gc().options.count_cells {
        c.gc_mut().rc_stats.note(EVENT_NEW, bytes);
    }
    let header = c.program(header);
    c.store_u32(string, header);
    c.store_u32(string + COUNT, 1);
    c.store_u32(string + STRING_LENGTH, length);
    Ok(string)
}

/// A string of this length, not less than that of another one, which it begins with. The reference of the other one
/// is taken over: nothing has to be copied if it is the last one and the memory is large enough.
pub fn extend_string<C: Context>(c: &mut C, string: u32, length: u32) -> Outcome<u32, C> {
    let (old, count) = (c.load_u32(string + STRING_LENGTH), c.load_u32(string + COUNT));
    // Counts of static objects only go down.
    let is_ours = count == 1 && string >= c.program(PROGRAM_HEAP_BASE);
    if is_ours && length <= MAX_STRING && string_bytes(old) == string_bytes(length) {
        c.store_u32(string + STRING_LENGTH, length);
        return Ok(string);
    }
    let result = new_string(c, length)?;
    c.copy_within(string + STRING_DATA, result + STRING_DATA, old);
    if c.gc().options.count_cells {
        c.gc_mut().rc_stats.note(EVENT_RELEASE, 0);
    }
    match count {
        1 => release_last(c, string)?,
        count => c.store_u32(string + COUNT, count - 1),
    }
    Ok(result)
}

/// A cell of a class, from its free list if that has one.
pub fn take<C: Context>(c: &mut C, class: u32) -> Outcome<u32, C> {
    let list = FREE_LISTS + class * SLOT;
    let first = word(c, list);
    if first == 0 {
        return alloc_object(c, class);
    }
    let next = first.wrapping_add(class_bytes(class)).wrapping_add(c.load_u32(first));
    set_word(c, list, next);
    Ok(first)
}

/// Bytes of all that is in use. Frees what can be freed, and walks the free lists.
pub fn alive<C: Context>(c: &mut C) -> u64 {
    free_all(c);
    let fresh = word(c, FRESH);
    let mut bytes = if fresh == 0 { 0 } else { u64::from(fresh - start(c)) };
    each_free(c, |_, free| {
        bytes -= u64::from(free);
        true
    });
    bytes
}

/// Visits each free cell and each free large block with its bytes, list by list. The visitor returns false to leave a
/// list; one that leads out of the heap is left, too, so that a damaged heap can be looked at.
pub fn each_free<C: Context>(c: &C, mut visit: impl FnMut(u32, u32) -> bool) {
    large::each_free(c, &mut visit);
    for class in 0..CLASSES {
        let bytes = class_bytes(class);
        let mut cell = word(c, FREE_LISTS + class * SLOT);
        while is_used(c, cell) && visit(cell, bytes) {
            cell = cell.wrapping_add(bytes).wrapping_add(c.load_u32(cell));
        }
    }
}
