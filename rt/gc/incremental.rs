//! The incremental collector: old objects are marked a few at a time, and stay where they are.
//!
//! ```text
//! base                                                              start                        limit        live_end
//!  | nursery | remembered places | log | mark bits | room for bits | old objects, with holes      | what became old since |
//! ```
//! A collection of everything that copies takes as long as everything is large. With `--gc=incremental` it is left to
//! emergencies. Each collection of the nursery does a portion of the work on the old objects instead, in proportion to
//! what has become old. The phases:
//! - *idle*: what becomes old goes into holes (`holes.rs`), or after all old objects. When enough has become old,
//!   a cycle begins.
//! - *clearing*: the marks of the last cycle are erased.
//! - *marking*: what is alive is marked (`mark.rs`). Objects that become old are put after `limit` and count as
//!   alive. When nothing is left to be looked through, the stack and the young objects are looked at; when that has
//!   led to nothing new, what has no mark is dead: places in dead objects are forgotten, and lines without marks are
//!   holes. All of that happens at the end of a collection of the nursery, where no young object is in eden. Otherwise
//!   marking goes on.
//!
//! No portion waits for the last one of a cycle: what is reachable from the stack alone, because references to it were
//! overwritten, is found when marking ends, and is work like other work.
//!
//! Copying everything is what remains when memory is short, the nursery must be laid anew, or marking had to be given
//! up. It drops all that is said here, and the nursery is laid as for the first time. So nothing but pauses depends on
//! this file.

use crate::gc::Context;
use crate::gc::check;
use crate::gc::foreign;
use crate::gc::holes::{self, LOG, is_free, piece};
use crate::gc::mark::{Marker, with_marker};
use crate::gc::nursery;
use crate::gc::place::gap_left;
use crate::gc::remembered::{REMEMBERED_SLOT, forget};
use crate::gc::state::{Incremental, LINE, Phase, Request};
use crate::layout::SLOT;

/// A cycle begins when this many times what was alive has become old …
const PACE: u64 = 3;
/// … or so many bytes, if that is more.
const LEAST_PACE: u64 = 2 << 20;
/// Old objects of so many bytes are copied quickly.
const FEW: u32 = 512 << 10;
/// So many bytes of large objects call for a collection of the nursery, and with it a portion.
const LARGE_PACE: u64 = 2 << 20;
/// Units of work (`Marker::work`) for each byte that becomes old …
const WORK_PER_BYTE: u64 = 1;
/// … and the bounds for a portion.
const LEAST_WORK: u64 = 16 << 10;
const MOST_WORK: u64 = 64 << 10;
/// Bytes of bits that are erased in a portion.
const CLEARED: u32 = 1 << 20;
/// Under stress portions are as small as this number of collections of the nursery makes them.
const STRESS_PORTIONS: u64 = 13;
/// Old objects may grow by at least so many bytes at a time.
const STEP: u64 = 4 << 20;

/// Does what was asked for (`requests.rs`).
pub fn perform<C: Context>(c: &mut C) {
    let (request, [first, second]) = c.gc().request;
    let answer = match request {
        Request::Begin => {
            c.gc_mut().options.incremental = true;
            return;
        }
        Request::Lay => return lay_tables(c),
        Request::MakeRoom => return grow(c, first),
        Request::TakeLarge => (find_large(c, first).unwrap_or(0), 0),
        Request::Large => return note_large(c, first),
        Request::Portion => return work(c, first, second),
        Request::ObjectWritten => return with_marker(c, |c, marker| marker.object_written(c, first)),
        Request::SlotsWritten => {
            return with_marker(c, |c, marker| (0..second).for_each(|index| marker.mark_slot(c, first + index * SLOT)));
        }
        Request::Copy => nursery::copy::<C, true>(c, first, second != 0),
    };
    c.gc_mut().request.1 = answer.into();
}

fn lay_tables<C: Context>(c: &mut C) {
    let heap = &mut c.gc_mut().heap;
    let log = (heap.remembered.end.max(heap.base) + 7) & !7;
    let bits = log + LOG;
    let live = heap.live_end - heap.live_start;
    let size = ((heap.limit_end - u64::from(heap.base)) / 32 + 8) as u32 & !7;
    heap.incremental = Incremental {
        log,
        bits,
        start: heap.live_start & !(LINE - 1),
        tables_end: bits + size,
        first: heap.live_start,
        limit: heap.live_start,
        cursor: heap.live_start,
        high: heap.live_start,
        pace: pace(live.into()),
        cycles: heap.incremental.cycles,
        ..Incremental::NOTHING
    };
}

fn pace(live: u64) -> u64 {
    (live * PACE).max(LEAST_PACE)
}

fn grow<C: Context>(c: &mut C, bytes: u32) {
    let heap = c.gc().heap;
    if heap.nursery == 0 || nursery::has_room(&heap, bytes) {
        return;
    }
    let used = u64::from(heap.live_end - heap.live_start);
    let above = heap.limit_end.saturating_sub(heap.live_end.into());
    let room = gap_left(above, used + u64::from(heap.nursery));
    let growth = (used / 4).max(STEP).max(2 * u64::from(bytes)).min(room);
    let end = u64::from(heap.live_end) + growth;
    if end > heap.old_end.into() && c.grow_to(end) {
        c.gc_mut().heap.old_end = end.min(u32::MAX.into()) as u32;
    }
}

/// May everything be copied each time, because that does not take long? With the incremental collector few data may.
pub fn may_copy_all<C: Context>(c: &C) -> bool {
    let (heap, options) = (&c.gc().heap, c.gc().options);
    !options.incremental || options.gc_stress == 0 && heap.live_end - heap.live_start <= FEW
}

/// Must everything be copied, because marking was given up?
pub fn has_failed<C: Context>(c: &C) -> bool {
    c.gc().heap.incremental.failed
}

/// Is it time for a collection of the nursery, because many large objects have been made since the last one?
pub fn is_due<C: Context>(c: &C, sp: u32) -> bool {
    let heap = &c.gc().heap;
    heap.incremental.bits != 0 && heap.incremental.large >= LARGE_PACE && nursery::is_enough(c, sp, 0)
}

fn find_large<C: Context>(c: &mut C, bytes: u32) -> Option<u32> {
    let hole = holes::find_large(c, bytes)?;
    c.gc_mut().heap.incremental.large += u64::from(bytes);
    Some(hole)
}

fn note_large<C: Context>(c: &mut C, bytes: u32) {
    c.gc_mut().heap.incremental.large += u64::from(bytes);
    if c.gc().heap.incremental.phase == Phase::Marking {
        with_marker(c, |c, marker| marker.push_large(c));
    }
}

fn work<C: Context>(c: &mut C, sp: u32, promoted: u32) {
    let stress = c.gc().options.gc_stress != 0;
    let state = &mut c.gc_mut().heap.incremental;
    let promoted = u64::from(promoted) + state.large;
    state.promoted += promoted;
    state.large = 0;
    if state.failed {
        return;
    }
    match state.phase {
        Phase::Idle if state.promoted >= state.pace || stress => begin_cycle(c),
        Phase::Idle => {}
        Phase::Clearing => clear(c),
        Phase::Marking => {
            let work = (promoted * WORK_PER_BYTE).clamp(LEAST_WORK, MOST_WORK);
            let work = if stress { 1 << (c.gc().statistics.collections % STRESS_PORTIONS) } else { work };
            mark(c, sp, work as u32);
        }
    }
}

fn begin_cycle<C: Context>(c: &mut C) {
    let state = &mut c.gc_mut().heap.incremental;
    state.phase = Phase::Clearing;
    state.cleared = state.start;
    clear(c);
}

/// Erases some of the marks; then marking can begin.
fn clear<C: Context>(c: &mut C) {
    let heap = c.gc().heap;
    let state = heap.incremental;
    // Bits of whole words, for what has become old until now.
    let end = heap.live_end.saturating_add(LINE) & !(LINE - 1);
    let bytes = ((end - state.cleared) / 32).min(CLEARED);
    c.fill(state.bits + (state.cleared - state.start) / 32, 0, bytes);
    let state = &mut c.gc_mut().heap.incremental;
    state.cleared += bytes * 32;
    if state.cleared >= end {
        state.phase = Phase::Marking;
        state.limit = heap.live_end;
        state.marked = 0;
        (state.stack_top, state.stack_end, state.spare_segment) = (0, 0, 0);
    }
}

/// Marks what has just become old refers to, and so much more.
fn mark<C: Context>(c: &mut C, sp: u32, work: u32) {
    let mut marker = Marker::new(c);
    for index in 0..c.gc().heap.incremental.pieces {
        let (start, end) = piece(c, index);
        marker.mark_from(c, start, end);
    }
    marker.work = 0;
    let mut ended = marker.drain(c, work);
    if ended && !has_failed(c) {
        marker.mark_roots(c, sp);
        marker.work = marker.work.min(work / 2);
        ended = marker.drain(c, work);
    }
    if ended && !has_failed(c) {
        foreign::marked(c, &mut marker);
    }
    marker.store(c);
    if ended && !has_failed(c) {
        finish(c, &marker);
    }
}

/// Everything that is alive has a mark.
fn finish<C: Context>(c: &mut C, marker: &Marker) {
    forget(c, |c, place| {
        let slot = place & !REMEMBERED_SLOT;
        if place & REMEMBERED_SLOT != 0 { is_free(c, slot & !(LINE - 1)) } else { !marker.is_kept(c, slot) }
    });
    let heap = &mut c.gc_mut().heap;
    let live = heap.incremental.marked + u64::from(heap.live_end - heap.incremental.limit);
    let state = &mut heap.incremental;
    state.phase = Phase::Idle;
    (state.cursor, state.high) = (state.first_line(), state.limit & !(LINE - 1));
    (state.hole, state.hole_end) = (0, 0);
    (state.promoted, state.pace) = (0, pace(live));
    state.cycles += 1;
    if c.gc().options.gc_stress != 0 || c.gc().options.poison {
        poison(c);
    }
}

/// Overwrites all holes.
fn poison<C: Context>(c: &mut C) {
    let state = c.gc().heap.incremental;
    let mut line = state.first_line();
    while line + LINE <= state.limit {
        if is_free(c, line) {
            check::poison(c, line, line + LINE);
        }
        line += LINE;
    }
}
