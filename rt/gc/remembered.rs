//! The remembered set, old slots that may refer to young objects: a short list first, a bit for each slot of the old
//! objects when it is full.
//!
//! ```text
//! list      | place | place | …            4 bytes each; bit 0 says that it is a slot, not an object
//! bits      | one bit per slot, 64 in a word: a block of 256 bytes | …
//! summary   | one bit per block that has any |       only where it is set does the word of the block mean anything
//! ```
//! Most programs never fill the list between two collections, and for them it is quickest. A program that updates large
//! arrays does: then the list is emptied into the bits, and from there on each place is marked at once, until
//! everything is collected. Marking a place twice costs nothing, places are visited in the order of their addresses,
//! and the bits of 16 KiB without any cost one comparison. A marked word that is a header marks its object, every other
//! a slot of an array (references and headers can be told apart). Arrays themselves are never marked, only their slots
//! that refer to young objects, so that a large array is not looked through each time because of some of its elements.
//! A program with immediates may have any odd number in a slot, so there all marks are of slots: those of values, whose
//! slots stay what they are. Thunks, and nodes that continue in a block, stay in the list.
//!
//! The bits lie in memory that nothing uses before everything is collected, and are given up then: below the old
//! objects or above them there is room for the copies of all (`place.rs`), and the bits take a thirtieth of it. Should
//! the engine refuse that memory, the next collection is one of everything.

use crate::gc::Context;
use crate::gc::object::{each_reference, info_of, references};
use crate::gc::requests;
use crate::gc::state::{BLOCK_SLOTS, WORD};
use crate::layout::*;
use crate::platform::Outcome;

/// Bit of an entry in the list: it is a slot, not an object.
pub const REMEMBERED_SLOT: u32 = 1;
/// Bytes of a block.
const BLOCK: u32 = BLOCK_SLOTS * SLOT;

fn is_young<C: Context>(c: &C, reference: u32) -> bool {
    c.gc().heap.is_young(reference)
}

/// The libcall `remember`: an old object has been overwritten.
pub fn remember<C: Context>(c: &mut C, object: u32) -> Outcome<(), C> {
    let info = info_of(c, c.load_u32(object));
    let small =
        matches!(info_kind(info), KIND_INLINE | KIND_THUNK | KIND_INDIRECTION) && info_ptrs(info) <= INLINE_SLOTS;
    let leads_nowhere =
        small && !(0..info_ptrs(info)).any(|index| is_young(c, c.load_u32(object + SLOT + SLOT * index)));
    if !leads_nowhere {
        note(c, object);
    }
    requests::object_written(c, object);
    Ok(())
}

/// The libcall `remember_slot`: an element of an old array has been overwritten.
pub fn remember_slot<C: Context>(c: &mut C, slot: u32) -> Outcome<(), C> {
    if is_young(c, c.load_u32(slot)) {
        note(c, slot | REMEMBERED_SLOT);
    } else {
        requests::slots_written(c, slot, 1);
    }
    Ok(())
}

/// Tells that all elements of an array, which have this many references each, have been overwritten by the first.
pub fn replicated<C: Context>(c: &mut C, array: u32, ptrs: u32) {
    let first = array + ARRAY_DATA;
    let young = (0..ptrs).any(|index| is_young(c, c.load_u32(first + SLOT * index)));
    if array < c.program(PROGRAM_OLD_START) {
        return;
    }
    if young {
        note(c, array);
    }
    requests::slots_written(c, first, ptrs);
}

fn note<C: Context>(c: &mut C, place: u32) {
    let list = &c.gc().heap.remembered;
    let (start, top, end, bits) = (list.start, list.top, list.end, list.bits);
    if bits != 0 && place & REMEMBERED_SLOT != 0 {
        return mark(c, place);
    }
    if top > start && c.load_u32(top - SLOT) == place {
        return;
    }
    if top == end {
        spill(c);
        return note_again(c, place);
    }
    c.store_u32(top, place);
    c.gc_mut().heap.remembered.top = top + SLOT;
}

/// After the list has been emptied.
#[cold]
fn note_again<C: Context>(c: &mut C, place: u32) {
    let list = c.gc().heap.remembered;
    if list.top < list.end {
        c.store_u32(list.top, place);
        c.gc_mut().heap.remembered.top = list.top + SLOT;
    }
}

/// Empties the list into the bits.
#[cold]
fn spill<C: Context>(c: &mut C) {
    let heap = c.gc().heap;
    let list = heap.remembered;
    if list.bits == 0 && !make_bits(c) {
        c.gc_mut().heap.remembered.forgotten = true;
        return;
    }
    let immediates = c.program(PROGRAM_FLAGS) & PROGRAM_FLAG_IMMEDIATES != 0;
    let (mut entry, mut kept) = (list.start, list.start);
    while entry < list.top {
        let place = c.load_u32(entry);
        let is_object = place & REMEMBERED_SLOT == 0;
        if is_object && is_array(c, place) || is_object && immediates && is_value(c, place) {
            mark_slots(c, place);
        } else if is_object && immediates {
            c.store_u32(kept, place);
            kept += SLOT;
        } else {
            mark(c, place);
        }
        entry += SLOT;
    }
    let remembered = &mut c.gc_mut().heap.remembered;
    remembered.top = kept;
    remembered.forgotten |= kept == remembered.end;
}

/// Is it a node whose slots stay what they are: references, or words?
fn is_value<C: Context>(c: &C, object: u32) -> bool {
    let header = c.load_u32(object);
    header & TAG_HNF != 0 && info_kind(info_of(c, header)) != KIND_SPLIT
}

fn is_array<C: Context>(c: &C, object: u32) -> bool {
    info_kind(info_of(c, c.load_u32(object))) == KIND_ARRAY
}

/// Makes bits for all places that old objects may have before the next collection of everything.
fn make_bits<C: Context>(c: &mut C) -> bool {
    let heap = c.gc().heap;
    let covered = heap.live_start & !(BLOCK - 1);
    // The incremental collector lets old objects grow as far as the heap reaches, and has room for these bits.
    let incremental = heap.incremental.bits != 0;
    let old_end = if incremental { heap.limit_end.min(u32::MAX.into()) as u32 } else { heap.old_end };
    let blocks = (old_end - covered).div_ceil(BLOCK);
    let (bits, summary) = (u64::from(blocks * WORD), u64::from(blocks.div_ceil(BLOCK_SLOTS) * WORD));
    let align = |address: u32| (u64::from(address) + 7) & !7;
    let (below, above) = (align(heap.remembered.end.max(heap.incremental.tables_end)), align(old_end));
    let place = if below + bits + summary <= u64::from(heap.live_start) {
        below
    } else if above + bits + summary <= heap.limit_end && c.grow_to(above + bits + summary) {
        above
    } else {
        return false;
    };
    if !incremental {
        c.gc_mut().note_peak(place + bits + summary);
    }
    // The bits of a block are cleared when it gets its first mark.
    c.fill((place + bits) as u32, 0, summary as u32);
    let remembered = &mut c.gc_mut().heap.remembered;
    (remembered.bits, remembered.summary, remembered.covered) = (place as u32, (place + bits) as u32, covered);
    (remembered.first_block, remembered.last_block) = (u32::MAX, 0);
    true
}

/// Marks a place of the list.
fn mark<C: Context>(c: &mut C, place: u32) {
    let remembered = &mut c.gc_mut().heap.remembered;
    let index = ((place & !REMEMBERED_SLOT) - remembered.covered) / SLOT;
    let (block, bit) = (index / BLOCK_SLOTS, 1u64 << (index % BLOCK_SLOTS));
    let word = remembered.bits + block * WORD;
    let summary = remembered.summary + block / BLOCK_SLOTS * WORD;
    remembered.first_block = remembered.first_block.min(block);
    remembered.last_block = remembered.last_block.max(block);
    let (blocks, block) = (c.load_u64(summary), 1u64 << (block % BLOCK_SLOTS));
    let marks = if blocks & block == 0 {
        c.store_u64(summary, blocks | block);
        0
    } else {
        c.load_u64(word)
    };
    if marks & bit == 0 {
        c.store_u64(word, marks | bit);
        let remembered = &mut c.gc_mut().heap.remembered;
        remembered.marked += 1;
        remembered.marked_objects += 1 - (place & REMEMBERED_SLOT);
    }
}

/// Marks the slots of an object that refer to young ones.
fn mark_slots<C: Context>(c: &mut C, object: u32) {
    each_reference(c, object, |c, slot| {
        if is_young(c, c.load_u32(slot)) {
            mark(c, slot | REMEMBERED_SLOT);
        }
    });
}

/// Visits all marked places, each as the list would have it, in the order of their addresses; those for which
/// `visit` says no are marked no longer.
pub fn each_marked<C: Context>(c: &mut C, mut visit: impl FnMut(&mut C, u32) -> bool) {
    let remembered = c.gc().heap.remembered;
    if remembered.bits == 0 || remembered.first_block > remembered.last_block {
        return;
    }
    let entries = (c.program(PROGRAM_THUNK_INFOS_START), c.program(PROGRAM_THUNK_INFOS_END));
    let slots_alone = c.program(PROGRAM_FLAGS) & PROGRAM_FLAG_IMMEDIATES != 0;
    let (mut marked, mut objects) = (0, 0);
    let (mut first, mut last) = (u32::MAX, 0);
    for group in remembered.first_block / BLOCK_SLOTS..=remembered.last_block / BLOCK_SLOTS {
        let summary = remembered.summary + group * WORD;
        let blocks = c.load_u64(summary);
        let (mut rest, mut kept_blocks) = (blocks, 0);
        while rest != 0 {
            let block = group * BLOCK_SLOTS + rest.trailing_zeros();
            let word = remembered.bits + block * WORD;
            let mut marks = c.load_u64(word);
            let mut kept = 0;
            while marks != 0 {
                let bit = marks & marks.wrapping_neg();
                let place = remembered.covered + (block * BLOCK_SLOTS + bit.trailing_zeros()) * SLOT;
                // The header of an object, or a reference?
                let header = c.load_u32(place);
                let is_header = header & TAG_HNF != 0 || header >= entries.0 && header < entries.1;
                let is_object = is_header && !slots_alone;
                let slot = if is_object { 0 } else { REMEMBERED_SLOT };
                if visit(c, place | slot) {
                    kept |= bit;
                    marked += 1;
                    objects += 1 - slot;
                }
                marks ^= bit;
            }
            c.store_u64(word, kept);
            if kept != 0 {
                kept_blocks |= rest & rest.wrapping_neg();
                (first, last) = (first.min(block), block);
            }
            rest &= rest - 1;
        }
        c.store_u64(summary, kept_blocks);
    }
    let remembered = &mut c.gc_mut().heap.remembered;
    (remembered.marked, remembered.marked_objects) = (marked, objects);
    (remembered.first_block, remembered.last_block) = (first, last);
}

/// After a collection: keeps those places of the list in mind that still refer to young objects. The marks have been
/// sorted out while they were visited.
pub fn remember_again<C: Context>(c: &mut C) {
    let list = c.gc().heap.remembered;
    c.gc_mut().heap.remembered.top = list.start;
    let mut entry = list.start;
    while entry < list.top {
        let place = c.load_u32(entry);
        entry += SLOT;
        if place & REMEMBERED_SLOT == 0 && is_array(c, place) {
            remember_elements(c, place, entry);
        } else if refers_to_young(c, place) {
            note(c, place);
        }
    }
}

/// Remembers those of the objects between two addresses, which have just become old, that refer to young ones.
pub fn remember_old<C: Context>(c: &mut C, start: u32, end: u32) {
    let mut object = start;
    while object < end {
        let bytes = references(c, object).bytes;
        if is_array(c, object) {
            remember_elements(c, object, u32::MAX);
        } else if refers_to_young(c, object) {
            note(c, object);
        }
        object += bytes;
    }
}

/// Does a place of the list refer to young objects?
#[inline(always)]
pub fn refers_to_young<C: Context>(c: &mut C, place: u32) -> bool {
    if place & REMEMBERED_SLOT != 0 {
        return is_young(c, c.load_u32(place & !REMEMBERED_SLOT));
    }
    object_refers_to_young(c, place)
}

fn object_refers_to_young<C: Context>(c: &mut C, place: u32) -> bool {
    let mut young = false;
    each_reference(c, place, |c, slot| young |= is_young(c, c.load_u32(slot)));
    let info = info_of(c, c.load_u32(place));
    if info_kind(info) == KIND_SPLIT {
        let rest = c.load_u32(place + 8);
        young |= is_young(c, rest);
        if rest != place + MIN_OBJECT {
            young |= (1..info_ptrs(info)).any(|index| is_young(c, c.load_u32(rest + SLOT * (index - 1))));
        }
    }
    young
}

/// Remembers the slots of an array that refer to young objects; the list is free up to an address.
fn remember_elements<C: Context>(c: &mut C, array: u32, list_end: u32) {
    each_reference(c, array, |c, slot| {
        if !is_young(c, c.load_u32(slot)) {
            return;
        }
        let list = c.gc().heap.remembered;
        let place = slot | REMEMBERED_SLOT;
        if list.bits == 0 && list.top < list.end.min(list_end) {
            c.store_u32(list.top, place);
            c.gc_mut().heap.remembered.top = list.top + SLOT;
        } else if list.bits != 0 || make_bits(c) {
            mark(c, place);
        } else {
            c.gc_mut().heap.remembered.forgotten = true;
        }
    });
}

/// Forgets places, each as the list would have it.
pub fn forget<C: Context>(c: &mut C, is_dead: impl Fn(&C, u32) -> bool) {
    let list = c.gc().heap.remembered;
    let mut kept = list.start;
    for entry in (list.start..list.top).step_by(SLOT as usize) {
        let place = c.load_u32(entry);
        if !is_dead(c, place) {
            c.store_u32(kept, place);
            kept += SLOT;
        }
    }
    c.gc_mut().heap.remembered.top = kept;
    each_marked(c, |c, place| !is_dead(c, place));
}

/// Has a place, as it stands in the list, been remembered? For checks.
pub fn is_remembered<C: Context>(c: &mut C, is_it: impl Fn(&C, u32) -> bool) -> bool {
    let list = c.gc().heap.remembered;
    let mut found = (list.start..list.top).step_by(SLOT as usize).any(|entry| is_it(c, c.load_u32(entry)));
    each_marked(c, |c, place| {
        found |= is_it(c, place);
        true
    });
    found
}
