//! Possible roots of cycles: objects that have lost a reference, and may be parts of cycles. They are noted in a block
//! of the heap.

use super::cells::{set_word, word};
use super::large;
use crate::gc::Context;
use crate::layout::SLOT;
use cleave_abi::rc::*;

/// In the header of a possible root that has died.
pub const DEAD_ROOT: u32 = 2;

/// An object has one reference less, and `WATCHED` at most. One without references is put before a chain of the dead.
pub fn released<C: Context>(c: &mut C, object: u32, dead: u32) -> u32 {
    match c.load_u32(object + COUNT) {
        CYCLIC => {}
        BUFFERED => {
            let header = c.load_u32(object);
            c.store_u32(object, header | DEAD_ROOT);
        }
        count => {
            if note_root(c, object) {
                c.store_u32(object + COUNT, count | BUFFERED);
            }
            return dead;
        }
    }
    c.store_u32(object + COUNT, dead);
    object
}

/// False if there is no memory to note it.
fn note_root<C: Context>(c: &mut C, object: u32) -> bool {
    let count = word(c, ROOT_COUNT);
    if count * SLOT == word(c, ROOT_BYTES) && !grow(c) {
        return false;
    }
    let place = word(c, ROOTS) + count * SLOT;
    c.store_u32(place, object);
    set_word(c, ROOT_COUNT, count + 1);
    true
}

/// A larger block for possible roots. Nothing dead is freed for it: this happens while dead objects are freed.
fn grow<C: Context>(c: &mut C) -> bool {
    let (block, bytes) = (word(c, ROOTS), word(c, ROOT_BYTES));
    let larger = (2 * bytes).max(BLOCK_UNIT);
    let Some(new) = large::find(c, larger) else { return false };
    if bytes != 0 {
        c.copy_within(block, new, bytes);
        large::free(c, block, bytes);
    }
    set_word(c, ROOTS, new);
    set_word(c, ROOT_BYTES, larger);
    true
}
