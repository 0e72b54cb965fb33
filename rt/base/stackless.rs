//! Stackless clones: where functions go on when the stack of the engine may soon be used up (`src/passes/stackless`).
//!
//! A stackless clone keeps what its frames hold in memory, on two stacks that grow towards each other after the heap:
//! words and return points upwards, references downwards.
//!
//! ```text
//! heap …  limit_end | start: words, return points →        ← references :end |  … 4 GiB
//! ```
//! The memory is there from the first use on. Engines provide its pages when they are touched.

use crate::base::Context;
use crate::base::error;
use crate::layout::{PAGE, STACKLESS_ENGINE_BYTES, STACKLESS_RESERVE};
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

/// The libcall `stackless_enter`: remembers where the references of the other functions end.
pub fn enter<C: Context>(c: &mut C, sp: u32) -> Outcome<(u32, u32), C> {
    if c.gc().stackless.end == 0 && !reserve(c) {
        return error::stack_overflow(c).map(|()| (0, 0));
    }
    let stackless = &mut c.gc_mut().stackless;
    stackless.outer = sp;
    Ok((stackless.start, stackless.end))
}

/// The libcall `stackless_leave`.
pub fn leave<C: Context>(c: &mut C) -> Outcome<(), C> {
    c.gc_mut().stackless.outer = 0;
    Ok(())
}

/// Finds memory for the stacks, as much as the option says, or as there is.
fn reserve<C: Context>(c: &mut C) -> bool {
    let (size, limit_end) = (c.size(), c.gc().heap.limit_end);
    let wanted = match c.base().options.stack_size {
        0 => LAST_END,
        bytes => bytes.max(LEAST).next_multiple_of(8),
    };
    // After the largest heap; or, where that is nearly everything or the engine gives less, after a smaller one.
    for end in [limit_end, LAST_END - MINIMUM, size + MINIMUM, size] {
        let start = end.next_multiple_of(u64::from(PAGE));
        if end < size || end > limit_end {
            continue;
        }
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
    }
    false
}
