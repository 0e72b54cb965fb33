//! The heap: reserving memory, when to collect, and where the spaces lie.
//!
//! ```text
//! base                                                                     limit_end
//!  |  eden: allocation →        | …  | survivors |  …            (memory grows →)  |
//! ```
//! Between collections the heap consists of the block of survivors and an *eden* in which the program allocates. Both
//! may lie anywhere. A collection copies both into any gap that is large enough for the worst case, everything alive.
//! The next eden is then laid below the survivors if there is room, else directly above. So a program with little
//! live data allocates in the same half megabyte for ever, which stays in the cache.
//!
//! The size of eden grows with the live data (`GROWTH`), but never so far that the next collection would find no gap
//! below the hard limit. When the gaps are in the wrong places, the survivors slide to the bottom (`slide.rs`).
//! `Heap full.` is printed when even then a request does not fit; live data may fill nearly half of the limit.
//!
//! Pages of spaces that a collection has left go back to the host when they are many (`DISCARD`), so that a program with
//! much live data is resident with these and its eden, except while it collects.
//!
//! The heap pointer lives in the program record, never here. Under stress the limit published there is 0, so that
//! every reservation comes to `collect`; the real end of eden is known to the runtime alone.

use crate::copy::{Copier, FromSpace};
use crate::layout::*;
use crate::prim::{console, error};
use crate::state::Heap;
use crate::system::{Context, Outcome};
use crate::{check, roots, slide};

/// Smallest eden that is chosen freely. Measured: with 512 KiB a program whose live data is a few hundred KiB spends a
/// third of its time collecting; from 2 MiB on the second-level cache is left and nothing is gained any more.
pub const MIN_EDEN: u64 = 2 * 1024 * 1024;
/// Eden is this many times the live data, unless that is less than `MIN_EDEN`.
pub const GROWTH: u64 = 2;
/// Bytes left by a collection and outside the next eden from which on their pages go back to the host. Fewer are used
/// again before it pays: a page that comes back costs as much as copying its bytes.
pub const DISCARD: u64 = 16 * 1024 * 1024;
/// Give up when a collection frees less than this part of the live data: the program would only collect.
pub const HOPELESS_PART: u64 = 256;
/// The heap ends here at the latest: two GiB.
pub const DEFAULT_LIMIT_END: u64 = 1 << 31;
/// No option can move the end beyond this, so that addresses never wrap.
pub const LAST_LIMIT_END: u64 = 0xffff_0000;

/// Prepares an empty heap according to the options and publishes it.
pub fn initialize<C: Context>(c: &mut C) -> Outcome<(), C> {
    let base = (c.program(PROGRAM_HEAP_BASE) + 7) & !7;
    let options = c.state().options;
    let limit_end = match options.heap_limit {
        0 => DEFAULT_LIMIT_END,
        bytes => (u64::from(base) + bytes).min(LAST_LIMIT_END),
    };
    let heap = &mut c.state_mut().heap;
    *heap = Heap { base, limit_end, live_start: base, live_end: base, eden_start: base, eden_end: base, ..*heap };
    let desired = if options.initial_heap == 0 { MIN_EDEN } else { options.initial_heap };
    if !place_eden(c, 0, desired) {
        return error::heap_full(c);
    }
    Ok(())
}

/// Makes `bytes` available between heap pointer and limit for a service. Its references must be on the shadow stack.
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

/// The service `collect`: makes `need` bytes available, or ends the program.
pub fn collect<C: Context>(c: &mut C, sp: u32, need: u32) -> Outcome<(), C> {
    let pointer = c.heap_pointer();
    let state = c.state_mut();
    state.statistics.reservations += 1;
    let fits = state.heap.eden_end.wrapping_sub(pointer) >= need && state.heap.eden_end >= pointer;
    if fits {
        let stress = state.options.gc_stress;
        state.heap.stress_count += 1;
        if stress == 0 || state.heap.stress_count < stress {
            return Ok(());
        }
    }
    state.heap.stress_count = 0;
    let lifted = c.lift_machine_roots(sp);
    collect_now(c, lifted, need)?;
    c.lower_machine_roots(lifted, sp);
    Ok(())
}

/// Statistics with what has been allocated since the last collection.
pub fn update_statistics<C: Context>(c: &mut C) {
    let pointer = c.heap_pointer();
    let state = c.state_mut();
    let recent = pointer.saturating_sub(state.heap.eden_start);
    state.statistics.allocated_bytes = state.heap.allocated_before + u64::from(recent);
}

#[inline(never)]
fn collect_now<C: Context>(c: &mut C, sp: u32, need: u32) -> Outcome<(), C> {
    let options = c.state().options;
    let timed = options.measure || options.show_times || options.statistics;
    let start = if timed { c.clock_ns() } else { 0 };
    let checked = options.gc_stress != 0;
    if checked {
        check::before(c, sp)?;
    }
    let heap = c.state().heap;
    let from = FromSpace {
        live_start: heap.live_start,
        live_end: heap.live_end,
        eden_start: heap.eden_start,
        eden_end: c.heap_pointer(),
    };
    let Some(to_start) = choose_to_space(c, &from) else { return error::heap_full(c) };
    let roots = roots::ranges(c, sp);
    let to_end = Copier::new(c, from, to_start).run(c, roots);
    let live = to_end - to_start;
    let state = c.state_mut();
    state.heap.live_start = to_start;
    state.heap.live_end = to_end;
    state.heap.allocated_before += u64::from(from.eden_end - from.eden_start);
    let statistics = &mut state.statistics;
    statistics.collections += 1;
    statistics.copied_bytes += u64::from(live);
    statistics.live_after_last = u64::from(live);
    if options.poison || checked {
        check::poison(c, from.live_start, from.live_end);
        check::poison(c, from.eden_start, from.eden_end);
    }
    if checked {
        check::after(c, sp)?;
    }
    let desired = u64::from(live) * GROWTH;
    if !place_eden(c, u64::from(need), desired.max(MIN_EDEN)) {
        slide::to_bottom(c, sp);
        if !place_eden(c, u64::from(need), desired.max(MIN_EDEN)) {
            return error::heap_full(c);
        }
    }
    if !checked && !options.poison {
        discard(c, &from);
    }
    if timed {
        let elapsed = c.clock_ns().wrapping_sub(start);
        c.state_mut().statistics.gc_ns += elapsed;
    }
    if options.show_gc {
        console::report_collection(c, sp);
    }
    Ok(())
}

/// Gives the pages back that held objects before a collection and will not soon again.
fn discard<C: Context>(c: &mut C, from: &FromSpace) {
    let heap = c.state().heap;
    let eden = (u64::from(heap.eden_start), u64::from(heap.eden_end));
    let outside = |start: u32, end: u32| {
        let (start, end) = (u64::from(start), u64::from(end));
        (end - start) - end.min(eden.1).saturating_sub(start.max(eden.0))
    };
    if outside(from.live_start, from.live_end) + outside(from.eden_start, from.eden_end) < DISCARD {
        return;
    }
    let live = (u64::from(heap.live_start), u64::from(heap.live_end));
    let (low, high) = if live.0 < eden.0 { (live, eden) } else { (eden, live) };
    for (start, end) in [(heap.base.into(), low.0), (low.1, high.0), (high.1, c.size())] {
        if start < end {
            c.discard(start, end);
        }
    }
}

/// Finds the lowest gap that can take everything, and makes sure the memory is there.
fn choose_to_space<C: Context>(c: &mut C, from: &FromSpace) -> Option<u32> {
    let heap = c.state().heap;
    let required = from.required_bytes();
    let (mut low, mut high) = ((from.live_start, from.live_end), (from.eden_start, from.eden_end));
    if low.0 > high.0 {
        (low, high) = (high, low);
    }
    // An empty piece must not split a gap.
    if low.0 == low.1 {
        low = (heap.base, heap.base);
    }
    let gaps =
        [(heap.base, u64::from(low.0)), (low.1.max(heap.base), u64::from(high.0)), (high.1.max(low.1), heap.limit_end)];
    for (start, end) in gaps {
        let start = (u64::from(start) + 7) & !7;
        if end >= start + required && c.grow_to(start + required) {
            note_peak(c, start + required);
            return Some(start as u32);
        }
    }
    None
}

/// Lays eden so that `need` bytes fit and, if possible, `desired`; publishes heap pointer and limit. False if there
/// is no place for `need` that leaves room for the next collection.
pub(crate) fn place_eden<C: Context>(c: &mut C, need: u64, desired: u64) -> bool {
    let heap = c.state().heap;
    let live = u64::from(heap.live_end - heap.live_start);
    let below = u64::from(heap.live_start - heap.base);
    let above = heap.limit_end.saturating_sub(u64::from(heap.live_end));
    let minimum = need.max(live / HOPELESS_PART).max(64);
    // A program with one large array should not collect at each smaller one that follows.
    let desired = desired.max(need + need / 8).max(minimum);
    let room_below = below.min(gap_left(below, live).max(gap_kept(above, live)));
    let room_above = above.min(gap_left(above, live).max(gap_kept(below, live)));
    let (mut start, mut size) = (heap.base, desired.min(room_below));
    if size < desired && room_above > room_below {
        (start, size) = (heap.live_end, desired.min(room_above));
    }
    size &= !7;
    while size >= minimum {
        if c.grow_to(u64::from(start) + size) {
            let end = start + size as u32;
            let state = c.state_mut();
            state.heap.eden_start = start;
            state.heap.eden_end = end;
            let published = if state.options.gc_stress == 0 { end } else { 0 };
            let record = state.program;
            c.store_u32(record + PROGRAM_HEAP_POINTER, start);
            c.store_u32(record + PROGRAM_HEAP_LIMIT, published);
            note_peak(c, u64::from(end));
            return true;
        }
        // The engine gives less memory than the limit allows.
        size = (size / 2) & !7;
    }
    false
}

/// Largest eden that may be cut out of a gap so that the rest of the gap still takes eden and live data:
/// `gap - e >= (live + e) * 65 / 64 + slack`.
fn gap_left(gap: u64, live: u64) -> u64 {
    (gap * 64).saturating_sub(live * 65 + SLACK) / 129
}

/// Largest eden such that an untouched gap takes eden and live data: `gap >= (live + e) * 65 / 64 + slack`.
fn gap_kept(gap: u64, live: u64) -> u64 {
    ((gap * 64).saturating_sub(SLACK) / 65).saturating_sub(live)
}

/// Rounding and the constant part of `FromSpace::required_bytes`, times 64.
const SLACK: u64 = 64 * 64;

fn note_peak<C: Context>(c: &mut C, end: u64) {
    let state = c.state_mut();
    let bytes = end - u64::from(state.heap.base);
    if bytes > state.statistics.heap_peak {
        state.statistics.heap_peak = bytes;
    }
}
