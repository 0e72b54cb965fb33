//! Freeing with the last reference: what has died forms a chain, and is freed in portions.

use super::cells::{PORTION, object_bytes, references, set_word, word};
use super::large::free_object;
use super::roots::{DEAD_ROOT, released};
use crate::gc::Context;
use crate::gc::foreign as traced;
use crate::gc::foreign_lists::Foreign;
use crate::gc::object::info_of;
use crate::gc::state::CycleWork;
use crate::layout::{
    INFO_KIND, KIND_ARRAY, KIND_FOREIGN, KIND_STRING, PROGRAM_HEAP_BASE, SLOT, info_ptrs, info_slots, is_immediate,
};
use crate::platform::Outcome;
use cleave_abi::rc::*;
use core::sync::atomic::{Ordering, compiler_fence};

/// The libcall `release_last`: frees an object whose last reference is gone, and what nothing refers to then; what is
/// more than a portion, later.
pub fn release_last<C: Context>(c: &mut C, object: u32) -> Outcome<(), C> {
    // Static nodes are stored without being counted, and released with what holds them: their counts only go down.
    if object < c.program(PROGRAM_HEAP_BASE) {
        c.store_u32(object + COUNT, STATIC_COUNT);
        return Ok(());
    }
    let dead = word(c, DEAD);
    c.store_u32(object + COUNT, dead);
    set_word(c, DEAD, object);
    free_dead(c, PORTION);
    Ok(())
}

/// Frees so many of the dead objects, the last ones first.
pub fn free_dead<C: Context>(c: &mut C, most: u32) {
    match c.gc().options.cycles {
        true => c.cycles(CycleWork::Free(most)),
        false => {
            free_chain::<C, false>(c, most);
        }
    }
}

/// The same in programs with `CYCLES`, or without. Gives how many it was.
pub fn free_chain<C: Context, const CYCLES: bool>(c: &mut C, most: u32) -> u32 {
    let options = &c.gc().options;
    match options.count_cells || options.poison {
        true => free_watched::<C, CYCLES>(c, most),
        false => free_fast::<C, CYCLES>(c, most),
    }
}

/// A possible root of a cycle that has died stays where it is while it is noted.
fn is_noted<const CYCLES: bool>(header: u32) -> bool {
    CYCLES && header & DEAD_ROOT != 0
}

/// The same where statistics are asked for, or freed cells are filled.
fn free_watched<C: Context, const CYCLES: bool>(c: &mut C, most: u32) -> u32 {
    let (base, counts) = (c.program(PROGRAM_HEAP_BASE), c.gc().options.count_cells);
    let (mut dead, mut left) = (word(c, DEAD), most);
    while dead != 0 && left != 0 {
        let object = dead;
        left -= 1;
        let header = c.load_u32(object);
        let info = info_of(c, header & !DEAD_ROOT);
        let (first, count) = references(c, object, info);
        if info & INFO_KIND == KIND_FOREIGN {
            dead = c.load_u32(object + COUNT);
            if waits(c, object) {
                continue;
            }
        }
        if counts {
            let fields = (0..count).filter(|slot| !is_immediate(c.load_u32(first + slot * SLOT))).count();
            (0..fields).for_each(|_| c.gc_mut().rc_stats.note(EVENT_RELEASE, 0));
        }
        dead = c.load_u32(object + COUNT);
        dead = release_fields::<C, CYCLES>(c, base, first, count, dead);
        if is_noted::<CYCLES>(header) {
            continue;
        }
        if counts {
            let bytes = object_bytes(c, object, info);
            c.gc_mut().rc_stats.note(EVENT_FREE, bytes);
        }
        free_object(c, object, info);
    }
    set_word(c, DEAD, dead);
    most - left
}

/// Nodes of small cells, which nearly all are, take the short way. The list of free cells that was changed last is kept
/// in two variables: most objects of a structure are of one size.
fn free_fast<C: Context, const CYCLES: bool>(c: &mut C, most: u32) -> u32 {
    let (base, lists) = (c.program(PROGRAM_HEAP_BASE), c.gc().program + FREE_LISTS);
    let (mut list, mut first_free) = (lists, c.load_u32(lists));
    let (mut dead, mut left) = (word(c, DEAD), most);
    while dead != 0 && left != 0 {
        let object = dead;
        left -= 1;
        let header = c.load_u32(object);
        let info = info_of(c, if CYCLES { header & !DEAD_ROOT } else { header });
        dead = c.load_u32(object + COUNT);
        let bytes = FIELDS + info_slots(info) * SLOT;
        if matches!(info & INFO_KIND, KIND_ARRAY | KIND_STRING | KIND_FOREIGN) || bytes > SMALL_OBJECT {
            if info & INFO_KIND == KIND_FOREIGN && waits(c, object) {
                continue;
            }
            let (first, count) = references(c, object, info);
            dead = release_fields::<C, CYCLES>(c, base, first, count, dead);
            if !is_noted::<CYCLES>(header) {
                c.store_u32(list, first_free);
                free_object(c, object, info);
                first_free = c.load_u32(list);
            }
            continue;
        }
        dead = release_fields::<C, CYCLES>(c, base, object + FIELDS, info_ptrs(info), dead);
        if is_noted::<CYCLES>(header) {
            continue;
        }
        // The list of the class `bytes / SLOT`.
        if list != lists + bytes {
            c.store_u32(list, first_free);
            list = lists + bytes;
            first_free = c.load_u32(list);
        }
        // A free cell holds the distance from its end to the next one.
        c.store_u32(object, first_free.wrapping_sub(object + bytes));
        first_free = object;
    }
    c.store_u32(list, first_free);
    set_word(c, DEAD, dead);
    most - left
}

/// One reference less to each of so many objects; those that die are put before the chain of the dead. Objects below
/// `base` are static.
#[inline(always)]
pub fn release_fields<C: Context, const CYCLES: bool>(
    c: &mut C,
    base: u32,
    first: u32,
    count: u32,
    mut dead: u32,
) -> u32 {
    let (mut slot, end) = (first, first + count * SLOT);
    while slot != end {
        let field = c.load_u32(slot);
        slot += SLOT;
        if is_immediate(field) {
            continue;
        }
        match c.load_u32(field + COUNT) {
            1 if field < base => c.store_u32(field + COUNT, STATIC_COUNT),
            1 => {
                c.store_u32(field + COUNT, dead);
                dead = field;
                // A jump that is foreseen, where a choice without one would wait for the count to come from memory.
                compiler_fence(Ordering::SeqCst);
            }
            count => {
                let less = count - 1;
                c.store_u32(field + COUNT, less);
                if CYCLES && less as i32 <= WATCHED {
                    dead = released(c, field, dead);
                }
            }
        }
    }
    dead
}

/// The last reference to a cell for an object of the host is gone. Must the host be told first?
#[inline(never)]
pub fn waits<C: Context>(c: &mut C, cell: u32) -> bool {
    // What comes after the header lies further on than in cells of the other heap.
    let cell = cell + FIELDS - SLOT;
    let waits = !traced::is_closed(c, cell);
    if waits {
        traced::put(c, cell, |Foreign { dead: [_, dead], .. }| dead);
    }
    waits
}
