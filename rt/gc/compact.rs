//! Compaction: moves the survivors of a collection down: to the bottom of the heap, when the limit is so tight that
//! their place matters, or to the end of the nursery, so that a small heap does not spread over more pages than it
//! needs.
//!
//! All references into the block are lowered by the distance, then the block is moved. That needs no second copying
//! and no free memory. The block can be walked object by object because a collection has just written it.

use crate::gc::Context;
use crate::gc::foreign;
use crate::gc::object::each_reference;
use crate::gc::roots;
use crate::layout::is_immediate;
use crate::platform::Memory;

/// Moves them to `target`, which is below them and not below the heap.
pub fn down<C: Context>(c: &mut C, sp: u32, target: u32) {
    let heap = c.gc().heap;
    let distance = heap.live_start - target;
    if distance == 0 {
        return;
    }
    let lower = |c: &mut C, slot: u32| {
        let reference = c.load_u32(slot);
        if reference >= heap.base && !is_immediate(reference) {
            c.store_u32(slot, reference - distance);
        }
    };
    for (start, end) in roots::ranges(c, sp) {
        let mut slot = start;
        while slot < end {
            lower(c, slot);
            slot += 4;
        }
    }
    let mut object = heap.live_start;
    while object < heap.live_end {
        // Sizes are read before the pointer to the overflow block is changed.
        let bytes = each_reference(c, object, |c, slot| lower(c, slot));
        lower_rest(c, object, distance, heap.base);
        object += bytes;
    }
    foreign::moved_down(c, distance);
    c.copy_within(heap.live_start, target, heap.live_end - heap.live_start);
    let state = c.gc_mut();
    state.heap.live_start = target;
    state.heap.live_end = heap.live_end - distance;
}

fn lower_rest<M: Memory>(m: &mut M, object: u32, distance: u32, base: u32) {
    use crate::layout::*;
    let info = crate::gc::object::info_of(m, m.load_u32(object));
    if info_kind(info) == KIND_SPLIT {
        let rest = m.load_u32(object + 8);
        if rest >= base {
            m.store_u32(object + 8, rest - distance);
        }
    }
}
