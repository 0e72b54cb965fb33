//! Calls of a library by its host. When an outermost one begins, hardly anything is alive: what the calls before it
//! have allocated is garbage, and a collection of the nursery costs next to nothing. In the middle of a call it would
//! copy what the call is building. So it is done at the beginning, as soon as there is much to collect, and eden is
//! larger then, until it is full for the first time: most calls are over before that. So a page that calls a function
//! at each key waits neither for what is copied, nor for the engine to compile and optimise what copies it. If there
//! were collections in the middle of a call nevertheless, what has survived them is collected as well.

use crate::gc::Context;
use crate::gc::heap::{Part, collect_now};
use crate::gc::nursery;
use crate::gc::state::Cost;
use crate::layout::*;
use crate::platform::Outcome;

/// With less in eden there is no collection: what calls use again and again stays in the cache. If more has survived in
/// the middle of the last call, such calls build much, and eden has become large for that.
const MUCH: u32 = 512 * 1024;
/// If no more than this was alive when a call began, nearly all that has survived since then, in the middle of calls,
/// is garbage, too. It goes at once, so that the host hears of its objects.
const FEW: u32 = 128 * 1024;
/// Eden may have this part of its space. (`size::SPARE` leaves four times as much as it needs as a rule.)
const SPACE_PART: u32 = 2;

/// The libcall `begin_call`. Calls from inside of others do nothing.
pub fn begin_call<C: Context>(c: &mut C, sp: u32) -> Outcome<(), C> {
    let state = c.gc();
    let (heap, options) = (&state.heap, &state.options);
    if sp != state.stack_base || heap.nursery == 0 || options.incremental || options.gc_stress != 0 {
        return Ok(());
    }
    let is_much = c.heap_pointer() - heap.eden_start > MUCH;
    let grown = (heap.live_end - heap.live_start).saturating_sub(heap.kept);
    let left = grown + (heap.survivor_end - heap.survivor_start);
    let was_collected = state.statistics.collections as u32 != heap.before_call;
    if left > MUCH && was_collected {
        // Calls build much: the collector has found out how, and goes on so.
    } else if left > 0 && heap.kept <= FEW {
        // What the nursery has cost in the middle of calls says nothing against it.
        c.gc_mut().heap.cost = Cost::NOTHING;
        collect_now(c, sp, Part::All(0))?;
        let heap = &mut c.gc_mut().heap;
        heap.kept = heap.live_end - heap.live_start;
        widen(c);
    } else {
        if is_much {
            let part = if nursery::is_enough(c, sp, 0) { Part::Nursery(0) } else { Part::All(0) };
            collect_now(c, sp, part)?;
        }
        widen(c);
    }
    let state = c.gc_mut();
    state.heap.before_call = state.statistics.collections as u32;
    Ok(())
}

/// Lets eden grow within its space, if what survives the next collection still has room.
fn widen<C: Context>(c: &mut C) {
    let mut heap = c.gc().heap;
    let end = heap.eden_start + heap.nursery / SPACE_PART;
    if heap.nursery == 0 || end <= heap.eden_end {
        return;
    }
    heap.eden_end = end;
    if nursery::has_room(&heap, 0) {
        let state = c.gc_mut();
        state.heap.eden_end = end;
        let record = state.program;
        c.store_u32(record + PROGRAM_HEAP_LIMIT, end);
        c.gc_mut().note_peak(end.into());
    }
}
