//! Large blocks: memory for strings that no size class is large enough for.
//!
//! The free ones form one list in the order of their addresses; neighbours become one block, and the last one goes back
//! to the memory that was never used. A block is taken from the first that is large enough.

use super::cells::{self, POISON, fresh, is_used, object_bytes, reserve, set_word, word};
use crate::gc::Context;
use cleave_abi::rc::*;

/// In a free block: the address of the next one, or 0. After it comes the count, which is 0.
const NEXT: u32 = 0;
/// In a free block: its bytes.
const BYTES: u32 = FIELDS;

/// The first free block that is large enough, or one of memory that was never used.
pub fn find<C: Context>(c: &mut C, bytes: u32) -> Option<u32> {
    // The word that holds the address of `block`: the head of the list, or that of the block before.
    let mut link = c.gc().program + LARGE_BLOCKS;
    loop {
        let block = c.load_u32(link);
        if block == 0 {
            break;
        }
        let (size, next) = (c.load_u32(block + BYTES), c.load_u32(block + NEXT));
        if size >= bytes {
            let rest = match size - bytes {
                0 => next,
                left => {
                    write(c, block + bytes, next, left);
                    block + bytes
                }
            };
            c.store_u32(link, rest);
            return Some(block);
        }
        link = block + NEXT;
    }
    let start = fresh(c);
    reserve(c, start, bytes, 1)?;
    let end = start + bytes;
    set_word(c, FRESH, end);
    c.gc_mut().note_peak(u64::from(end));
    Some(start)
}

/// Puts a block back that nothing refers to.
pub fn free<C: Context>(c: &mut C, block: u32, bytes: u32) {
    if c.gc().options.poison {
        c.fill(block, POISON, bytes);
    }
    let (mut link, mut before) = (c.gc().program + LARGE_BLOCKS, 0);
    let mut next = c.load_u32(link);
    while next != 0 && next < block {
        (link, before) = (next + NEXT, next);
        next = c.load_u32(link);
    }
    let (mut start, mut end) = (block, block + bytes);
    if next == end {
        end += c.load_u32(next + BYTES);
        next = c.load_u32(next + NEXT);
    }
    if before != 0 && before + c.load_u32(before + BYTES) == block {
        start = before;
    } else {
        c.store_u32(link, start);
    }
    write(c, start, next, end - start);
    if end == word(c, FRESH) {
        // It is the last one: the list ends before it.
        unlink(c, start);
        set_word(c, FRESH, start);
    }
}

fn write<C: Context>(c: &mut C, block: u32, next: u32, bytes: u32) {
    c.store_u32(block + NEXT, next);
    c.store_u32(block + COUNT, 0);
    c.store_u32(block + BYTES, bytes);
}

/// Ends the list before its last block.
fn unlink<C: Context>(c: &mut C, last: u32) {
    let mut link = c.gc().program + LARGE_BLOCKS;
    while c.load_u32(link) != last {
        link = c.load_u32(link) + NEXT;
    }
    c.store_u32(link, 0);
}

/// Visits the free blocks with their bytes, as `super::each_free` does.
pub fn each_free<C: Context>(c: &C, visit: &mut impl FnMut(u32, u32) -> bool) {
    let mut block = word(c, LARGE_BLOCKS);
    while is_used(c, block) && visit(block, c.load_u32(block + BYTES)) {
        block = c.load_u32(block + NEXT);
    }
}

/// Puts an object that nothing refers to where memory is free; `info` is its info word.
pub fn free_object<C: Context>(c: &mut C, object: u32, info: u32) {
    let bytes = object_bytes(c, object, info);
    match bytes > LARGEST_OBJECT {
        true => free(c, object, bytes),
        false => cells::free(c, object, class_of(bytes)),
    }
}
