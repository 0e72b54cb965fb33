//! Placement of the heap spaces in a full collection.
//!
//! Survivors and eden may lie anywhere. A collection copies both into any gap that is large enough for the worst case,
//! everything alive; it leaves the bottom to the nursery if it can. Without a nursery the next eden is laid below the
//! survivors if there is room, else directly above. So a program with little live data allocates in the same half
//! megabyte for ever, which stays in the cache.
//!
//! The size of such an eden grows with the live data (`GROWTH`), but never so far that the next collection would find
//! no gap below the hard limit.
//!
//! Pages of spaces that a collection has left go back to the host when they are many (`DISCARD`) and the next one will
//! not use them either. So what is resident does not grow where spaces move, and pages are not cleared again and again.

use crate::gc::Context;
use crate::gc::holes::table_bytes;
use crate::gc::state::{Remembered, SPACES};
use crate::gc::{compact, size};
use crate::layout::*;

/// Smallest eden that is chosen freely, without a nursery. Measured: with 512 KiB a program whose live data is a few
/// hundred KiB spends a third of its time collecting; from 2 MiB on the second-level cache is left and nothing is
/// gained any more.
pub const MIN_EDEN: u64 = 2 * 1024 * 1024;
/// Such an eden is this many times the live data and the shadow stack, unless that is less than `MIN_EDEN`.
pub const GROWTH: u64 = 2;
/// While it is not larger than this, it is this many times the live data: few are copied often otherwise.
const SMALL_EDEN: u64 = 8 * 1024 * 1024;
const SMALL_GROWTH: u64 = 8;
/// The same while nearly everything survives.
pub const DENSE_GROWTH: u64 = 2 * GROWTH;
/// Bytes left by a collection and outside the next eden from which on their pages go back to the host. Fewer are used
/// again before it pays: a page that comes back costs as much as copying its bytes.
pub const DISCARD: u64 = 16 * 1024 * 1024;
/// Spaces of a nursery that are not larger keep their pages: eden may grow in them, or take all of them.
const SMALL_NURSERY: u64 = 32 * 1024 * 1024;
/// Survivors of at most this many bytes …
const SETTLED: u32 = 16 * 1024 * 1024;
/// … that lie at least this far above the nursery are moved down to it. Otherwise they move upwards a few times
/// before there is room below them again. Measured: a program with 5 MB alive had 28 MB resident.
const SPREAD: u32 = 1024 * 1024;
/// The list of remembered places takes this part of a space of the nursery, in addition to them, but at most so much.
const LIST_PART: u64 = 4;
const LONGEST_LIST: u64 = 512 * 1024;
/// Give up when a collection frees less than this part of the live data: the program would only collect.
pub const HOPELESS_PART: u64 = 256;
/// The heap ends here at the latest: two GiB.
pub const DEFAULT_LIMIT_END: u64 = 1 << 31;
/// No option can move the end beyond this, so that addresses never wrap.
pub const LAST_LIMIT_END: u64 = 0xffff_0000;

/// The part of from-space that holds objects: survivors of the last collection, and what was allocated since.
#[derive(Clone, Copy, Debug)]
pub struct FromSpace {
    pub live_start: u32,
    pub live_end: u32,
    pub eden_start: u32,
    pub eden_end: u32,
    /// What has survived one collection of the nursery.
    pub survivor_start: u32,
    pub survivor_end: u32,
}

impl FromSpace {
    pub fn used(&self) -> u32 {
        self.live_end - self.live_start + (self.eden_end - self.eden_start) + (self.survivor_end - self.survivor_start)
    }
    /// Bytes that to-space must offer.
    pub fn required_bytes(&self) -> u64 {
        worst_case(self.used().into())
    }
}

/// Bytes for the copies of so many, if all of them are alive.
fn worst_case(used: u64) -> u64 {
    used + used / 64 + 32
}

/// Bytes of the list of remembered places beside spaces of this size.
pub fn list_bytes(space: u64) -> u64 {
    (space / LIST_PART).min(LONGEST_LIST)
}

/// Where the old objects may begin.
pub(crate) fn nursery_end<C: Context>(c: &C, sp: u32) -> u64 {
    let space = size::space(c, sp);
    u64::from(c.gc().heap.base) + u64::from(SPACES) * space + list_bytes(space) + table_bytes(c)
}

/// Gives pages back that held objects before a collection, if they are many. What the next collection and the program
/// until then will use stays, for it would come back at once: eden, the place where old objects grow, and to-space.
pub(crate) fn discard<C: Context>(c: &mut C, sp: u32, from: &FromSpace) {
    let heap = c.gc().heap;
    let live = u64::from(heap.live_end - heap.live_start);
    let spaces = u64::from(SPACES * heap.nursery);
    let young_end = u64::from(heap.eden_end.max(heap.remembered.end));
    let young = if heap.nursery != 0 && spaces <= SMALL_NURSERY {
        (heap.base.into(), young_end)
    } else {
        (heap.eden_start.into(), young_end)
    };
    let grown = if heap.nursery == 0 { 0 } else { u64::from(heap.old_end - heap.live_end).min(live) };
    let old = (u64::from(heap.live_start), u64::from(heap.live_end) + grown);
    let all_young = if heap.nursery == 0 { (heap.eden_start, heap.eden_end) } else { (heap.base, young_end as u32) };
    let used = u64::from(heap.eden_end - heap.eden_start) + live + grown;
    let to = find_gap(c, sp, worst_case(used), (heap.live_start, old.1 as u32), all_young, |_, _| true);
    let to = to.map_or((0, 0), |to| (u64::from(to), u64::from(to) + live));
    let mut kept = [young, old, to];
    kept.sort_unstable();
    let outside = |start: u32, end: u32| {
        let (start, end) = (u64::from(start), u64::from(end));
        let inside = |&(from, to): &(u64, u64)| end.min(to).saturating_sub(start.max(from));
        (end - start).saturating_sub(kept.iter().map(inside).sum())
    };
    if outside(from.live_start, from.live_end) + outside(from.eden_start, from.eden_end) < DISCARD {
        return;
    }
    let mut start = u64::from(heap.base);
    for (from, to) in kept.into_iter().chain([(c.size().min(heap.limit_end), u64::MAX)]) {
        if start < from {
            c.discard(start, from);
        }
        start = start.max(to);
    }
}

/// Moves few survivors of a collection of everything down to the place of the nursery.
pub(crate) fn relocate_down<C: Context>(c: &mut C, sp: u32) {
    let end = nursery_end(c, sp);
    let state = c.gc();
    let heap = &state.heap;
    let spread = if state.options.gc_stress == 0 { SPREAD } else { 1 };
    let is_above = u64::from(heap.live_start) >= end + u64::from(spread);
    if !state.options.copying && is_above && heap.live_end - heap.live_start <= SETTLED {
        compact::down(c, sp, end as u32);
    }
}

/// Finds the lowest gap that can take everything, above the place of a nursery if possible, and makes sure the memory
/// is there.
pub(crate) fn choose_to_space<C: Context>(c: &mut C, sp: u32, from: &FromSpace) -> Option<u32> {
    let young = if from.survivor_end > from.survivor_start {
        (from.eden_start.min(from.survivor_start), from.eden_end.max(from.survivor_end))
    } else {
        (from.eden_start, from.eden_end)
    };
    find_gap(c, sp, from.required_bytes(), (from.live_start, from.live_end), young, |c, end| c.grow_to(end))
}

/// The lowest gap of so many bytes outside of two ranges, of which the memory can be had up to its end.
fn find_gap<C: Context>(
    c: &mut C,
    sp: u32,
    required: u64,
    old: (u32, u32),
    young: (u32, u32),
    mut reserve: impl FnMut(&mut C, u64) -> bool,
) -> Option<u32> {
    let heap = c.gc().heap;
    let (mut low, mut high) = (old, young);
    if low.0 > high.0 {
        (low, high) = (high, low);
    }
    // An empty piece must not split a gap.
    if low.0 == low.1 {
        low = (heap.base, heap.base);
    }
    let gaps =
        [(heap.base, u64::from(low.0)), (low.1.max(heap.base), u64::from(high.0)), (high.1.max(low.1), heap.limit_end)];
    for floor in [nursery_end(c, sp), heap.base.into()] {
        for (start, end) in gaps {
            let start = (u64::from(start).max(floor) + 7) & !7;
            if end >= start + required && reserve(c, start + required) {
                return Some(start as u32);
            }
        }
    }
    None
}

/// Bytes for an eden without nursery, as a multiple of the live data.
pub(crate) fn desired_eden<C: Context>(c: &C, sp: u32, growth: u64) -> u64 {
    let state = c.gc();
    let live = u64::from(state.heap.live_end - state.heap.live_start);
    // Each collection looks at the whole stack.
    let stack = u64::from(state.stack_bytes(sp));
    if state.options.incremental && state.options.nursery == 0 {
        return MIN_EDEN.max(2 * stack);
    }
    ((live + stack) * growth).max(((live + stack) * SMALL_GROWTH).clamp(MIN_EDEN, SMALL_EDEN))
}

/// Lays an eden without nursery so that `need` bytes fit and, if possible, `desired`; publishes heap pointer and limit.
/// False if there is no place for `need` that leaves room for the next collection.
pub fn place_eden<C: Context>(c: &mut C, need: u64, desired: u64) -> bool {
    let heap = c.gc().heap;
    let live = u64::from(heap.live_end - heap.live_start);
    let below = u64::from(heap.live_start - heap.base);
    let above = heap.limit_end.saturating_sub(u64::from(heap.live_end));
    let minimum = need.max(live / HOPELESS_PART).max(64);
    // A program with one large array should not collect at each smaller one that follows.
    let desired = desired.max(need + need / 8).max(minimum);
    let room_below = below.min(gap_left(below, live).max(gap_kept(above, live)));
    let room_above = above.min(gap_left(above, live).max(gap_kept(below, live)));
    let (mut start, mut size) = (heap.base, desired.min(room_below));
    // Below, memory has been in use already: what suffices there is better than more that is new.
    let suffices = size >= minimum.max(live * GROWTH);
    if size < desired && room_above > room_below && !suffices {
        (start, size) = (heap.live_end, desired.min(room_above));
    }
    size &= !7;
    while size >= minimum {
        if c.grow_to(u64::from(start) + size) {
            let end = start + size as u32;
            let heap = &mut c.gc_mut().heap;
            (heap.nursery, heap.remembered) = (0, Remembered::NOTHING);
            publish(c, start, end, u32::MAX);
            return true;
        }
        // The engine gives less memory than the limit allows.
        size = (size / 2) & !7;
    }
    false
}

/// Lays an eden into all that is left after the survivors. What it holds might not fit anywhere else: unless much of
/// it dies at once, the program will end with the next collection. It has ended already if there is no place for
/// `need`.
pub(crate) fn place_last_eden<C: Context>(c: &mut C, need: u64) -> bool {
    let heap = c.gc().heap;
    let minimum = need.max(u64::from(heap.live_end - heap.live_start) / HOPELESS_PART).max(64);
    let mut size = heap.limit_end.saturating_sub(u64::from(heap.live_end)) & !7;
    while size >= minimum {
        if c.grow_to(u64::from(heap.live_end) + size) {
            (c.gc_mut().heap.nursery, c.gc_mut().heap.remembered) = (0, Remembered::NOTHING);
            publish(c, heap.live_end, heap.live_end + size as u32, u32::MAX);
            return true;
        }
        if size == minimum {
            break;
        }
        size = (size / 2).max((minimum + 7) & !7);
    }
    false
}

/// Makes an empty eden known to the program, and where old objects begin.
pub(crate) fn publish<C: Context>(c: &mut C, start: u32, end: u32, old_start: u32) {
    let state = c.gc_mut();
    state.heap.eden_start = start;
    state.heap.eden_end = end;
    let published = if state.options.gc_stress == 0 { end } else { 0 };
    let record = state.program;
    c.store_u32(record + PROGRAM_HEAP_POINTER, start);
    c.store_u32(record + PROGRAM_HEAP_LIMIT, published);
    c.store_u32(record + PROGRAM_OLD_START, old_start);
    c.gc_mut().note_peak(u64::from(end));
}

/// Largest eden that may be cut out of a gap so that the rest of the gap still takes eden and live data:
/// `gap - e >= (live + e) * 65 / 64 + slack`.
pub(crate) fn gap_left(gap: u64, live: u64) -> u64 {
    (gap * 64).saturating_sub(live * 65 + SLACK) / 129
}

/// Largest eden such that an untouched gap takes eden and live data: `gap >= (live + e) * 65 / 64 + slack`.
pub(crate) fn gap_kept(gap: u64, live: u64) -> u64 {
    ((gap * 64).saturating_sub(SLACK) / 65).saturating_sub(live)
}

/// Rounding and the constant part of `FromSpace::required_bytes`, times 64.
const SLACK: u64 = 64 * 64;
