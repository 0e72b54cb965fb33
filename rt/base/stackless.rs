//! Captured frames: what functions leave in memory when the stack of the engine may soon be used up, and who goes on
//! next (`src/passes/stackless`).
//!
//! A capture empties the stack of the engine: the innermost function and all that wait for it leave a *record* each and
//! return. Then the innermost one goes on alone; when it is done, the one that has called it, and so on. A function
//! that goes on may be captured again. So captures are a stack, and each of them is a queue, innermost record first.
//!
//! ```text
//! heap …  limit_end | start:  header, record, record, … header, record, …  →        ← references :end |  … 4 GiB
//! ```
//! References stay in slots on the shadow stack. The first capture moves those slots after the heap, where there is
//! room for more of them. Records name no address there, only how much each frame is above the one before. The memory
//! is there from the first use on. Engines provide its pages when they are touched.

use crate::base::Context;
use crate::base::error;
use crate::gc::state::Stackless;
use crate::layout::*;
use crate::platform::Outcome;

/// Bytes of the engine's stack that one byte of the shadow stack stands for: the compiler makes frames on the shadow
/// stack at least this part of what engines need for their own.
const ENGINE_BYTES: u64 = STACKLESS_ENGINE_BYTES as u64;
/// The engine's stack as far as functions may use it, in an engine that nobody knows: the smallest one, 500 KiB, has
/// Chromium's Worker. The rest is for the runtime, and for functions that do not recurse.
const SMALLEST_ENGINE: u64 = 400 << 10;
/// Bytes of the shadow stack that remain below the limit, at least.
const RESERVE: u32 = 1 << 20;
/// The stacks end here at the latest: addresses after are those of accesses below zero.
const LAST_END: u64 = (1 << 32) - (64 << 20);
/// Less is only taken from an engine that gives no more; and so much is left to a heap that has to end earlier.
const MINIMUM: u64 = 256 << 20;
/// They are not tried with less.
const LEAST: u64 = 2 * STACKLESS_RESERVE as u64;
/// Bytes of the shadow stack after which functions that have been captured are captured again, at most: the memory of
/// records and references stays in the caches, and who is captured thousands of frames at a time gains no more.
const MOST_BUDGET: u32 = 16 << 10;
/// The least of it, if the stack of the engine is nearly used up although nobody waits on it.
const LEAST_BUDGET: u32 = 64;
/// With it whoever goes on is captured at its next call, though that passes its own pointer.
const FORCED_BUDGET: u32 = SLOT.wrapping_neg();

/// The libcall `stack_limit`.
pub fn stack_limit<C: Context>(c: &mut C) -> Outcome<u32, C> {
    let options = c.base().options;
    if options.force_stackless {
        return Ok(u32::MAX);
    }
    let engine = if options.engine_stack == 0 { SMALLEST_ENGINE } else { options.engine_stack };
    let base = c.gc().stack_base;
    let bytes = (engine / ENGINE_BYTES).min(u64::from(base)) as u32;
    Ok((base - bytes).max(RESERVE.min(base / 2)))
}

/// The libcall `capture_begin`: makes room for records. Of those before, what has been used up is given back.
pub fn begin<C: Context>(c: &mut C, sp: u32) -> Outcome<(), C> {
    if c.gc().stackless.end == 0 && !reserve(c) {
        return error::stack_overflow(c);
    }
    let stackless = c.gc().stackless;
    let (start, mut end, mut next) = (c.load_u32(CAPTURE_START), c.load_u32(CAPTURE_END), c.load_u32(CAPTURE_READ));
    if start == 0 {
        end = stackless.start;
    } else if next - start > end - next {
        c.copy_within(next, start, end - next);
        (end, next) = (start + (end - next), start);
    }
    let new = end + CAPTURE_HEADER;
    for (place, word) in (0..).zip([start, end, next]) {
        c.store_u32(end + SLOT * place, word);
    }
    c.store_u32(CAPTURE_START, new);
    c.store_u32(CAPTURE_TOP, new);
    c.gc_mut().stackless.innermost = sp;
    let lowest = if stackless.outer == 0 { stackless.end } else { sp };
    if lowest < new + STACKLESS_RESERVE { error::stack_overflow(c) } else { Ok(()) }
}

/// The libcall `capture_end`: all records are there. The first capture since somebody was called who goes on with the
/// functions remembers what has to be as before when they are done.
pub fn end<C: Context>(c: &mut C, sp: u32, is_first: u32) -> Outcome<(), C> {
    let (start, top) = (c.load_u32(CAPTURE_START), c.load_u32(CAPTURE_TOP));
    let Stackless { innermost, outer, end, .. } = c.gc().stackless;
    let header = start - CAPTURE_HEADER;
    let mut pointer = innermost;
    c.store_u32(header + 12, is_first);
    if is_first != 0 {
        let limit = if outer == 0 { stack_limit(c)? } else { c.load_u32(CAPTURE_LIMIT) };
        for (place, word) in (4..).zip([c.load_u32(CAPTURE_POINTER), limit, c.load_u32(CAPTURE_BUDGET)]) {
            c.store_u32(header + SLOT * place, word);
        }
        let budget = sp.saturating_sub(limit).clamp(LEAST_BUDGET, MOST_BUDGET);
        let budget = if c.base().options.force_stackless { FORCED_BUDGET } else { budget };
        c.store_u32(CAPTURE_BUDGET, budget);
        if outer == 0 {
            let bytes = sp - innermost;
            if end - top < bytes + STACKLESS_RESERVE {
                return error::stack_overflow(c);
            }
            pointer = end - bytes;
            c.copy_within(innermost, pointer, bytes);
            c.gc_mut().stackless.outer = sp;
        }
    }
    c.store_u32(CAPTURE_POINTER, pointer);
    c.store_u32(CAPTURE_READ, start);
    c.store_u32(CAPTURE_END, top);
    Ok(())
}

/// The libcall `capture_next`. A function that has just been called is not captured again at once.
pub fn next<C: Context>(c: &mut C, points: u32) -> Outcome<u32, C> {
    let mut record = c.load_u32(CAPTURE_READ);
    while record == c.load_u32(CAPTURE_END) {
        let header = c.load_u32(CAPTURE_START) - CAPTURE_HEADER;
        let word = |place: u32| c.load_u32(header + SLOT * place);
        let [start, end, next, is_first, pointer, limit, budget] = [0, 1, 2, 3, 4, 5, 6].map(word);
        record = next;
        for (address, word) in [(CAPTURE_START, start), (CAPTURE_END, end), (CAPTURE_READ, next)] {
            c.store_u32(address, word);
        }
        if is_first != 0 {
            for (address, word) in [(CAPTURE_POINTER, pointer), (CAPTURE_LIMIT, limit), (CAPTURE_BUDGET, budget)] {
                c.store_u32(address, word);
            }
            if start == 0 {
                c.gc_mut().stackless.outer = 0;
            }
            return Ok(u32::MAX);
        }
    }
    let pointer = c.load_u32(CAPTURE_POINTER) + c.load_u32(record + SLOT);
    let id = c.load_u32(record);
    let is_called = c.base().options.force_stackless && id & points == 0;
    let limit = if is_called { pointer } else { pointer.wrapping_sub(c.load_u32(CAPTURE_BUDGET)) };
    for (address, word) in
        [(CAPTURE_ID, id), (CAPTURE_POINTER, pointer), (CAPTURE_READ, record + 2 * SLOT), (CAPTURE_LIMIT, limit)]
    {
        c.store_u32(address, word);
    }
    Ok(id)
}

/// Finds memory, as much as the option says, or as there is.
fn reserve<C: Context>(c: &mut C) -> bool {
    let (size, limit_end) = (c.size(), c.gc().heap.limit_end);
    // After the largest heap; or, where that is nearly everything or the engine gives less, after a smaller one.
    reserve_after(c, limit_end)
        || reserve_after(c, LAST_END - MINIMUM)
        || reserve_after(c, size + MINIMUM)
        || reserve_after(c, size)
}

/// The same where the heap is to end.
#[inline(never)]
fn reserve_after<C: Context>(c: &mut C, end: u64) -> bool {
    let size = c.size();
    if end < size || end > c.gc().heap.limit_end {
        return false;
    }
    let wanted = match c.base().options.stack_size {
        0 => LAST_END,
        bytes => bytes.max(LEAST).next_multiple_of(8),
    };
    let start = end.next_multiple_of(u64::from(PAGE));
    let least = if end == size { LEAST } else { MINIMUM.min(wanted) };
    let mut bytes = wanted.min(LAST_END.saturating_sub(start));
    while bytes >= least {
        if c.grow_to(start + bytes) {
            let state = c.gc_mut();
            state.heap.limit_end = end;
            (state.stackless.start, state.stackless.end) = (start as u32, (start + bytes) as u32 & !7);
            return true;
        }
        bytes /= 2;
    }
    false
}
