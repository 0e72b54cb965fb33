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
use crate::gc::holes::{LINE, LOG, is_free, piece};
use crate::gc::mark::Marker;
use crate::gc::nursery;
use crate::gc::place::gap_left;
use crate::gc::remembered::{REMEMBERED_SLOT, forget};
use crate::layout::*;

/// What the collector is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Idle,
    Clearing,
    Marking,
}

/// What is known of the old objects; nothing while `bits` is 0.
#[derive(Clone, Copy, Debug)]
pub struct Incremental {
    pub phase: Phase,
    /// Where the log of `holes.rs` is, and the pieces in it.
    pub log: u32,
    pub pieces: u32,
    /// Where the bits are. The first one is that of the slot at `start`.
    pub bits: u32,
    pub start: u32,
    /// End of all tables.
    pub tables_end: u32,
    /// First address of an old object.
    pub first: u32,
    /// What lies from here on is alive.
    pub limit: u32,
    /// Bits up to this address have been erased.
    pub cleared: u32,
    /// Where the search for holes goes on, and what is left of the last one.
    pub cursor: u32,
    pub hole: u32,
    pub hole_end: u32,
    /// The stack of `mark.rs`, and segments that are not used.
    pub stack_top: u32,
    pub stack_end: u32,
    pub spare_segment: u32,
    /// There was no memory for the stack.
    pub failed: bool,
    /// Bytes of the objects that were marked in this cycle.
    pub marked: u64,
    /// Bytes that have become old since the last cycle, and how many there may be before the next one.
    pub promoted: u64,
    pub pace: u64,
    /// Cycles that have ended.
    pub cycles: u32,
}

impl Incremental {
    pub const NOTHING: Incremental = Incremental {
        phase: Phase::Idle,
        log: 0,
        pieces: 0,
        bits: 0,
        start: 0,
        tables_end: 0,
        first: 0,
        limit: 0,
        cleared: 0,
        cursor: 0,
        hole: 0,
        hole_end: 0,
        stack_top: 0,
        stack_end: 0,
        spare_segment: 0,
        failed: false,
        marked: 0,
        promoted: 0,
        pace: 0,
        cycles: 0,
    };

    /// The first whole line of old objects.
    pub fn first_line(&self) -> u32 {
        (self.first + LINE - 1) & !(LINE - 1)
    }
}

/// A cycle begins when this many times what was alive has become old …
const PACE: u64 = 3;
/// … or so many bytes, if that is more.
const LEAST_PACE: u64 = 2 << 20;
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

/// Bytes of the tables between the list of remembered places and the old objects: the log, the marks, and as many bits
/// for remembered places.
pub fn table_bytes<C: Context>(c: &C) -> u64 {
    let heap = &c.gc().heap;
    if !c.gc().options.incremental {
        return 0;
    }
    let bits = (heap.limit_end - u64::from(heap.base)) / 32 + 16;
    (u64::from(LOG) + 2 * bits + bits / 64 + 64 + u64::from(LINE)) & !7
}

/// Begins anew after the nursery has been laid.
pub fn lay<C: Context>(c: &mut C) {
    if !c.gc().options.incremental {
        return;
    }
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
        pace: pace(live.into()),
        cycles: heap.incremental.cycles,
        ..Incremental::NOTHING
    };
}

fn pace(live: u64) -> u64 {
    (live * PACE).max(LEAST_PACE)
}

/// Lets old objects grow further, if that leaves room for copying everything.
pub fn make_room<C: Context>(c: &mut C, bytes: u32) {
    let heap = c.gc().heap;
    if heap.incremental.bits == 0 || heap.nursery == 0 || nursery::has_room(&heap, bytes) {
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

/// Must everything be copied, because marking was given up?
pub fn has_failed<C: Context>(c: &C) -> bool {
    c.gc().heap.incremental.failed
}

/// The barrier: references have been written into an old object.
#[inline]
pub fn object_written<C: Context>(c: &mut C, object: u32) {
    if c.gc().heap.incremental.phase == Phase::Marking {
        with_marker(c, |c, marker| marker.object_written(c, object));
    }
}

/// The same for slots that follow each other.
#[inline]
pub fn slots_written<C: Context>(c: &mut C, first: u32, count: u32) {
    if c.gc().heap.incremental.phase == Phase::Marking {
        with_marker(c, |c, marker| {
            for index in 0..count {
                marker.mark_slot(c, first + index * SLOT);
            }
        });
    }
}

/// So many bytes are going to be taken for an object after all others: what it will refer to must be marked some day.
pub fn large<C: Context>(c: &mut C, bytes: u32) {
    c.gc_mut().heap.incremental.promoted += u64::from(bytes);
    if c.gc().heap.incremental.phase == Phase::Marking {
        with_marker(c, |c, marker| marker.push_large(c));
    }
}

#[cold]
#[inline(never)]
fn with_marker<C: Context>(c: &mut C, with: impl FnOnce(&mut C, &mut Marker)) {
    let mut marker = Marker::new(c);
    with(c, &mut marker);
    marker.store(c);
}

/// After a collection of the nursery that has made so many bytes old.
pub fn portion<C: Context>(c: &mut C, sp: u32, promoted: u32) {
    let stress = c.gc().options.gc_stress != 0;
    let state = &mut c.gc_mut().heap.incremental;
    state.promoted += u64::from(promoted);
    if state.failed {
        return;
    }
    match state.phase {
        Phase::Idle if state.promoted >= state.pace || stress => begin(c),
        Phase::Idle => {}
        Phase::Clearing => clear(c),
        Phase::Marking => {
            let work = (u64::from(promoted) * WORK_PER_BYTE).clamp(LEAST_WORK, MOST_WORK);
            let work = if stress { 1 << (c.gc().statistics.collections % STRESS_PORTIONS) } else { work };
            mark(c, sp, work as u32);
        }
    }
}

fn begin<C: Context>(c: &mut C) {
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
    state.cursor = state.first_line();
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
