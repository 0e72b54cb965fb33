//! Holes between old objects that the last marking has found alive: with the incremental collector, what becomes old
//! is copied into them.
//!
//! ```text
//! old objects   | ■ ■■ | ■■■■ |      |      | ■    |      | …    lines of 128 bytes
//! mark bits     |  ≠ 0 |  ≠ 0 |   0  |   0  |  ≠ 0 |   0  | …    32 bits for a line, one for each slot
//!                               hole ─────▶         hole ─▶
//! ```
//! Lines without a mark are free (S. Blackburn, K. McKinley, *Immix*, 2008; there lines have marks of their own).
//! Nobody sweeps: whoever needs memory looks for the next line without a mark, from the lowest address to the highest
//! one, once after each marking. So what is copied there needs no marks before the next one begins.
//!
//! A collection of the nursery fills several holes. Where it has been is noted in a *log* of pieces, so that the scan
//! finds what has been copied. What is larger than a line and does not fit goes after all old objects, as all does when
//! there are no holes or the log is full.

use crate::gc::Context;
use crate::gc::state::{LINE, Phase};
use crate::layout::SLOT;

/// Lines that are looked at for one hole, at most: a long row of full ones is passed in several collections.
const MOST_LINES: u32 = 1 << 16;
/// Bytes of the log, eight for each piece.
pub const LOG: u32 = 64 << 10;
const PIECE: u32 = 8;

/// Where a collection of the nursery begins to put what becomes old, if that is in a hole.
pub fn begin<C: Context>(c: &mut C) -> Option<(u32, u32)> {
    let state = &mut c.gc_mut().heap.incremental;
    state.pieces = 0;
    if state.phase != Phase::Idle {
        return None;
    }
    let left = (state.hole, state.hole_end);
    let hole = if left.0 < left.1 { Some(left) } else { find(c) }?;
    let log = c.gc().heap.incremental.log;
    c.store_u32(log, hole.0);
    Some(hole)
}

/// Where to go on, because so many bytes do not fit into what is left of a place, `free .. end`.
#[cold]
#[inline(never)]
pub fn next<C: Context>(c: &mut C, (free, end): (u32, u32), bytes: u32) -> (u32, u32) {
    let heap = &mut c.gc_mut().heap;
    let (live_end, state) = (heap.live_end, &mut heap.incremental);
    let entry = state.log + state.pieces * PIECE;
    state.pieces += 1;
    // Small objects may still use what is left.
    (state.hole, state.hole_end) = if bytes > LINE { (free, end) } else { (0, 0) };
    let is_full = state.pieces * PIECE + PIECE >= LOG;
    c.store_u32(entry + SLOT, free);
    let found = if bytes > LINE || is_full { None } else { find(c) };
    let place = found.unwrap_or((live_end, u32::MAX));
    c.store_u32(entry + PIECE, place.0);
    place
}

/// After a collection of the nursery, which has used its last place up to `free`: the bytes that became old.
pub fn end<C: Context>(c: &mut C, in_holes: bool, (free, end): (u32, u32)) -> u32 {
    let heap = &mut c.gc_mut().heap;
    let (before, log) = (heap.live_end, heap.incremental.log);
    let entry = log + heap.incremental.pieces * PIECE;
    if end == u32::MAX {
        heap.live_end = free;
    } else {
        (heap.incremental.hole, heap.incremental.hole_end) = (free, end);
    }
    heap.incremental.pieces += 1;
    if !in_holes {
        c.store_u32(entry, before);
    }
    c.store_u32(entry + SLOT, free);
    (0..c.gc().heap.incremental.pieces).map(|index| piece(c, index)).map(|(start, end)| end - start).sum()
}

/// The places where the last collection of the nursery has put what became old.
pub fn piece<C: Context>(c: &C, index: u32) -> (u32, u32) {
    let entry = c.gc().heap.incremental.log + index * PIECE;
    (c.load_u32(entry), c.load_u32(entry + SLOT))
}

/// Where the scan of what has become old goes on from an address in a piece, and the piece.
#[inline(always)]
pub fn next_scanned<C: Context>(c: &C, mut scan: u32, mut index: u32) -> (u32, u32) {
    while index < c.gc().heap.incremental.pieces && scan == piece(c, index).1 {
        index += 1;
        scan = piece(c, index).0;
    }
    (scan, index)
}

/// The marks of the line at an address.
#[inline(always)]
pub fn line_marks<C: Context>(c: &C, line: u32) -> u32 {
    let state = &c.gc().heap.incremental;
    c.load_u32(state.bits + ((line - state.start) / LINE) * SLOT)
}

/// The next hole.
fn find<C: Context>(c: &mut C) -> Option<(u32, u32)> {
    let state = c.gc().heap.incremental;
    let end = u64::from(state.cursor) + u64::from(MOST_LINES) * u64::from(LINE);
    let end = end.min(state.high.into()) as u32;
    let mut line = state.cursor;
    while line < end && line_marks(c, line) != 0 {
        line += LINE;
    }
    let start = line;
    while line < end && line_marks(c, line) == 0 {
        line += LINE;
    }
    c.gc_mut().heap.incremental.cursor = line.max(state.cursor);
    (start < line).then_some((start, line))
}

/// A hole of so many bytes, from the highest addresses downwards. What is passed is not looked at again.
pub fn find_large<C: Context>(c: &mut C, bytes: u32) -> Option<u32> {
    let state = c.gc().heap.incremental;
    let wanted = bytes.div_ceil(LINE) * LINE;
    let (mut line, mut end) = (state.high, state.high);
    let least = state.cursor.max(line.saturating_sub(MOST_LINES * LINE + wanted));
    while end - line < wanted && line > least {
        line -= LINE;
        if line_marks(c, line) != 0 {
            end = line;
        }
    }
    let found = end - line >= wanted;
    c.gc_mut().heap.incremental.high = if found { line } else { end };
    found.then_some(line)
}

/// Is this line one that will be given away?
pub fn is_free<C: Context>(c: &C, line: u32) -> bool {
    let state = &c.gc().heap.incremental;
    line >= state.first_line() && line + LINE <= state.limit && line_marks(c, line) == 0
}

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
