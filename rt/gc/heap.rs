//! The heap: reserving memory, and when to collect what.
//!
//! ```text
//! with a nursery      | eden: allocation → | list | …  | old objects | grows → |  …       (memory grows →)  |
//! without             | eden: allocation →        | …  | survivors |  …                   (memory grows →)  |
//!                    base                                                                            limit_end
//! ```
//! Between collections the heap consists of a block of objects that survived and an *eden* in which the program
//! allocates. As a rule eden is a small nursery that is collected alone (`nursery.rs`), and what survives becomes old.
//! When the old objects have become too many, or something does not fit, everything is collected: both are copied into
//! any gap that is large enough for the worst case, everything alive. Where things then come to lie, and whether there
//! is room for a nursery, is decided in `place.rs`; without one, as in small heaps, with `--gc=copying` and while
//! nearly everything survives, each collection is one of everything. When the gaps are in the wrong places, the
//! survivors slide to the bottom (`compact.rs`). When that leaves too little as well, eden takes all that is left: live
//! data can be collected as long as they fill nearly half of the limit, and may grow to all of it once. `Heap full.` is
//! printed when a request does not fit, or what is to be collected could not be copied.
//!
//! The heap pointer lives in the program record, never here. Under stress the limit published there is 0, so that
//! every reservation comes to `collect`; the real end of eden is known to the runtime alone.

use crate::gc::Context;
use crate::gc::copy::Copier;
use crate::gc::incremental;
use crate::gc::place::{self, FromSpace, choose_to_space, place_eden};
use crate::gc::state::{Heap, Incremental, Remembered};
use crate::gc::{check, compact, nursery, requests, roots};
use crate::layout::*;
use crate::platform::Outcome;

pub use crate::gc::place::{DEFAULT_LIMIT_END, DISCARD, GROWTH, HOPELESS_PART, LAST_LIMIT_END, MIN_EDEN};

/// Prepares an empty heap according to the options and publishes it.
pub fn initialize<C: Context>(c: &mut C) -> Outcome<(), C> {
    let base = (c.program(PROGRAM_HEAP_BASE) + 7) & !7;
    let options = c.gc().options;
    let limit_end = match options.heap_limit {
        0 => DEFAULT_LIMIT_END,
        bytes => (u64::from(base) + bytes).min(LAST_LIMIT_END),
    };
    let heap = &mut c.gc_mut().heap;
    *heap = Heap { base, limit_end, live_start: base, live_end: base, eden_start: base, eden_end: base, ..*heap };
    // Cells of the reference-counted heap are not taken from an eden.
    if c.program(PROGRAM_FLAGS) & PROGRAM_FLAG_RC == 0 { c.make_eden() } else { Ok(()) }
}

/// Makes the first eden.
pub fn make_eden<C: Context>(c: &mut C) -> Outcome<(), C> {
    requests::begin(c);
    let (options, sp) = (c.gc().options, c.gc().stack_base);
    let desired = if options.initial_heap == 0 { MIN_EDEN } else { options.initial_heap };
    if !nursery::place(c, sp, 0) && !place_eden(c, 0, desired) {
        return c.heap_full();
    }
    Ok(())
}

/// The libcall `collect`: makes `need` bytes available, or ends the program.
pub fn collect<C: Context>(c: &mut C, sp: u32, need: u32) -> Outcome<(), C> {
    let pointer = c.heap_pointer();
    let state = c.gc_mut();
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
    requests::make_room(c, 0);
    let part = if nursery::is_enough(c, sp, need) { Part::Nursery(need) } else { Part::All(need) };
    collect_now(c, sp, part)
}

/// Statistics with what has been allocated since the last collection.
#[inline(never)]
pub fn update_statistics<C: Context>(c: &mut C) {
    let pointer = c.heap_pointer();
    let state = c.gc_mut();
    let recent = pointer.saturating_sub(state.heap.eden_start);
    state.statistics.allocated_bytes = state.heap.allocated_before + u64::from(recent);
    state.statistics.percentile_99_ns = state.pauses.percentile_99(state.statistics.longest_ns);
}

/// What is collected.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The nursery; then this many bytes must be available.
    Nursery(u32),
    /// Everything; then this many bytes must be available.
    All(u32),
    /// Everything; then this many bytes must be available for one object, old or in eden.
    AllForObject(u32),
}

#[inline(never)]
pub(crate) fn collect_now<C: Context>(c: &mut C, above: u32, part: Part) -> Outcome<(), C> {
    let sp = c.copy_in_machine_roots(above);
    let options = c.gc().options;
    let timed = options.measure;
    let start = if timed { (c.clock_ns(), c.processor_ns()) } else { (0, 0) };
    if check::is_due(c) {
        check::before(c, sp)?;
    }
    let allocated = u64::from(c.heap_pointer() - c.gc().heap.eden_start);
    c.gc_mut().heap.allocated_before += allocated;
    match part {
        Part::Nursery(need) => nursery::collect(c, sp, need)?,
        Part::All(need) => collect_all(c, sp, need, 0)?,
        Part::AllForObject(bytes) => collect_all(c, sp, 0, bytes)?,
    }
    let end = if timed { (c.clock_ns(), c.processor_ns()) } else { (0, 0) };
    let pause = end.1.wrapping_sub(start.1);
    let state = c.gc_mut();
    let statistics = &mut state.statistics;
    statistics.collections += 1;
    statistics.gc_ns += end.0.wrapping_sub(start.0);
    statistics.longest_ns = statistics.longest_ns.max(pause);
    if timed {
        state.pauses.note(pause);
    }
    if statistics.collections == 1 || pause < statistics.shortest_ns {
        statistics.shortest_ns = pause;
    }
    statistics.live_after_last = u64::from(state.heap.live_end - state.heap.live_start);
    if options.show_gc {
        c.show_collection(sp);
    }
    c.copy_out_machine_roots(sp, above);
    c.after_collection();
    Ok(())
}

fn collect_all<C: Context>(c: &mut C, sp: u32, need: u32, object: u32) -> Outcome<(), C> {
    let options = c.gc().options;
    let checked = options.gc_stress != 0;
    let heap = c.gc().heap;
    let from = FromSpace {
        live_start: heap.live_start,
        live_end: heap.live_end,
        eden_start: heap.eden_start,
        eden_end: c.heap_pointer(),
        survivor_start: heap.survivor_start,
        survivor_end: heap.survivor_end,
    };
    let Some(to_start) = choose_to_space(c, sp, &from) else { return c.heap_full() };
    let roots = roots::ranges(c, sp);
    c.gc_mut().heap.remembered = Remembered::NOTHING;
    let cycles = c.gc().heap.incremental.cycles;
    c.gc_mut().heap.incremental = Incremental { cycles, ..Incremental::NOTHING };
    let to_end = Copier::<false>::new(c, from, to_start).run(c, roots, (0, 0));
    let live = to_end - to_start;
    let state = c.gc_mut();
    state.heap.live_start = to_start;
    state.heap.live_end = to_end;
    state.heap.kept = state.heap.kept.min(live);
    state.heap.nursery = 0;
    (state.heap.survivor_start, state.heap.survivor_end) = (0, 0);
    state.statistics.copied_bytes += u64::from(live);
    c.gc_mut().note_peak(u64::from(to_end));
    if options.poison || checked {
        check::poison(c, from.live_start, from.live_end);
        check::poison(c, from.eden_start, from.eden_end);
        check::poison(c, from.survivor_start, from.survivor_end);
    }
    if check::is_due(c) {
        check::after(c, sp, to_start)?;
    }
    // Without a nursery nearly everything may have survived once more.
    let before = heap.live_end - heap.live_start;
    let dense = heap.nursery == 0
        && !options.copying
        && incremental::may_copy_all(c)
        && nursery::is_dense(live.saturating_sub(before), from.eden_end - from.eden_start)
        && (!checked || c.gc().statistics.collections.is_multiple_of(2));
    nursery::settle_account(c, sp, from.used(), live);
    let few = incremental::may_copy_all(c);
    let state = c.gc_mut();
    let waits = few && (state.heap.waits != 0 || state.heap.copy_debt != 0);
    state.heap.waits = state.heap.waits.saturating_sub(1);
    if !dense && !waits {
        place::relocate_down(c, sp);
    }
    if dense || waits || !nursery::place(c, sp, object) || (c.gc().heap.eden_end - c.gc().heap.eden_start) / 2 < need {
        let need = u64::from(need.max(object));
        let desired = place::desired_eden(c, sp, if dense { place::DENSE_GROWTH } else { GROWTH });
        if !place_eden(c, need, desired) {
            compact::down(c, sp, heap.base);
            if !place_eden(c, need, desired) && !place::place_last_eden(c, need) {
                return c.heap_full();
            }
        }
    }
    if !checked && !options.poison {
        place::discard(c, sp, &from);
    }
    Ok(())
}
