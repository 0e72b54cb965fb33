//! How libcalls take memory: reserve and then allocate, or allocate an object that may be large.

use crate::gc::Context;
use crate::gc::heap::{Part, collect, collect_now};
use crate::gc::nursery::has_room;
use crate::gc::{incremental, requests};
use crate::layout::*;
use crate::platform::Outcome;

/// An object larger than this part of eden is old from the start.
const LARGE_PART: u32 = 8;

/// Makes `bytes` available between heap pointer and limit for a libcall. Its references must be on the shadow stack.
#[inline]
pub fn reserve<C: Context>(c: &mut C, sp: u32, bytes: u32) -> Outcome<(), C> {
    let (pointer, limit) = (c.heap_pointer(), c.program(PROGRAM_HEAP_LIMIT));
    if u64::from(pointer) + u64::from(bytes) <= u64::from(limit) { Ok(()) } else { collect(c, sp, bytes) }
}

/// Takes bytes that have been reserved.
#[inline]
pub fn allocate<C: Context>(c: &mut C, bytes: u32) -> u32 {
    let address = c.heap_pointer();
    c.set_heap_pointer(address + bytes);
    address
}

/// Takes bytes for a string or an array, which may be large: it is old then.
pub fn allocate_object<C: Context>(c: &mut C, sp: u32, bytes: u32) -> Outcome<u32, C> {
    let is_large = |c: &C| {
        let heap = &c.gc().heap;
        heap.nursery != 0 && bytes > (heap.eden_end - heap.eden_start) / LARGE_PART
    };
    if is_large(c) && c.gc().options.gc_stress != 0 {
        collect(c, sp, 0)?;
    }
    if is_large(c) {
        if incremental::is_due(c, sp) {
            collect_now(c, sp, Part::Nursery(0))?;
        }
        if let Some(object) = requests::take_large(c, bytes) {
            c.gc_mut().heap.allocated_before += u64::from(bytes);
            return Ok(object);
        }
        requests::make_room(c, bytes);
    }
    if is_large(c) && !has_room(&c.gc().heap, bytes) {
        collect_now(c, sp, Part::AllForObject(bytes))?;
    }
    if is_large(c) {
        requests::large(c, bytes);
        let state = c.gc_mut();
        let object = state.heap.live_end;
        state.heap.live_end = object + bytes;
        state.heap.allocated_before += u64::from(bytes);
        c.gc_mut().note_peak(u64::from(object + bytes));
        return Ok(object);
    }
    reserve(c, sp, bytes)?;
    Ok(allocate(c, bytes))
}

/// Gives back the end of the object that was allocated last.
pub fn shorten_last<C: Context>(c: &mut C, object: u32, end: u32) {
    if object >= c.program(PROGRAM_OLD_START) {
        // One in a hole is not the last.
        if object >= c.gc().heap.incremental.limit {
            c.gc_mut().heap.live_end = end;
        }
    } else {
        c.set_heap_pointer(end);
    }
}
