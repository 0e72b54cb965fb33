//! The nursery: a small eden that is collected alone, because most objects die young.
//!
//! ```text
//! base                                              PROGRAM_OLD_START       live_start                  live_end      old_end
//!  | aged or free | eden: allocation → | free or aged | remembered places | … | old objects, large ones → | to be filled |
//! ```
//! What survives a collection for the first time is *aged* and stays young; it is copied to the free place beside eden.
//! What is aged already becomes old and is copied after the old objects. Without that delay lazy lists would be
//! collected badly: the cell that is being evaluated would become old each time, and a dead old cell keeps everything
//! alive that the program has put after it since. The roots of such a collection are those of any other, and old
//! objects that refer to young ones. They become known in two ways. The compiled program tells those that it
//! overwrites: after a reference was written to a cell or an element of an array, one comparison of the address with
//! `PROGRAM_OLD_START` says that it is old, and `remember` or `remember_slot` notes it. Nothing need be told of a cell
//! made since the last safepoint (it is young), nor when only static references and raw words were written. CAFs are
//! roots anyway. A libcall of the runtime that overwrites references in an object it has not made does the same. And
//! the collector looks through what it has made old. A place is dropped when it refers to nothing young any more. How
//! places are kept is told in `remembered.rs`.
//!
//! When most of what is young has survived, the program builds something large: the next time everything becomes old at
//! once and is not copied twice. If nearly all has survived then, there is no nursery any more: what the program
//! allocates is copied when the whole heap is, and not before. When most of that has not survived, the nursery comes
//! back.
//!
//! How large eden is within its space is told in `size.rs`.
//!
//! Where objects die old, dead old ones keep young ones alive, and nothing is won. So accounts are kept: a nursery that
//! cost more than copying everything each time would have stays away for a while (`settle_account`).
//!
//! Large strings and arrays are old from the start, so that they are not copied.
//!
//! The old objects are collected, together with the nursery, when they have grown by `OLD_GROWTH` times the live data
//! (`heap.rs`). How far they may grow leaves room for that. Where a limit leaves too little, there is no nursery.
//!
//! Each collection looks at the whole shadow stack, many slots at a time where they hold nothing young (`copy.rs`).
//! What has not changed since the last one cannot be skipped: functions return without telling anybody, and a slot that
//! was written again may hold what it held before. So that recursion of depth n does not take time n², eden is larger
//! than the shadow stack: a stack that has outgrown its space ends in a collection of everything, with a larger one.

use crate::gc::Context;
use crate::gc::check;
use crate::gc::copy::Copier;
use crate::gc::place::{
    DENSE_GROWTH, DISCARD, FromSpace, GROWTH, desired_eden, gap_kept, gap_left, list_bytes, nursery_end, place_eden,
    publish,
};
use crate::gc::remembered::{remember_again, remember_old};
use crate::gc::roots;
use crate::gc::size;
use crate::gc::state::{Cost, Heap, Remembered, SPACES};
use crate::gc::{holes, incremental, requests};
use crate::layout::*;
use crate::platform::Outcome;

/// The old objects may grow to this many times the live data before they are collected …
const OLD_GROWTH: u64 = 4;
/// … and always by this many bytes, if there is room.
const MIN_GROWTH: u64 = 4 * 1024 * 1024;
/// Under stress every collection of this number is one of everything …
const STRESS_ROUND: u64 = 4;
/// (or of this one, where nothing else would have time for a cycle of marking)
const LONG_STRESS_ROUND: u64 = 120;
/// … and in every one of this number of the others everything becomes old.
const STRESS_DENSE: u64 = 5;
/// Within this number of collections the nursery has come back in vain …
const SOON: u32 = 4;
/// … and then it stays away for twice as many collections of everything as before, but at most for these.
const MOST_WAITS: u32 = 127;
/// A nursery that did not pay comes back when copying everything has copied this many times what it has lost.
const DEBT_FACTOR: u64 = 8;
/// Bytes of the smallest overflow block.
const LEAST_BLOCK: u32 = 8;
/// Room for fewer nurseries than this is not worth having one.
const MIN_ROUNDS: u64 = 4;

/// Bytes that objects of this size take at most when they become old, with the bitmap of raw blocks and the second
/// copies of cells.
fn required(size: u32, remembered: u32) -> u64 {
    let size = u64::from(size);
    size + size / 64 + 32 + u64::from(remembered) * u64::from(MIN_OBJECT)
}

/// Bytes of objects that may be young before eden is collected.
fn most_young(heap: &Heap) -> u32 {
    heap.eden_end - heap.eden_start + (heap.survivor_end - heap.survivor_start)
}

/// Remembered objects whose block may be copied with a second copy of the cell. Every such block is a young one.
fn remembered_objects(heap: &Heap) -> u32 {
    let young = most_young(heap);
    heap.remembered.objects().min(young / LEAST_BLOCK)
}

/// Do the survivors of the nursery fit after the old objects, and as many bytes more?
pub(crate) fn has_room(heap: &Heap, bytes: u32) -> bool {
    let more = u64::from(bytes) + required(most_young(heap), remembered_objects(heap));
    u64::from(heap.live_end) + more <= u64::from(heap.old_end)
}

/// Lays the nursery, after a collection of everything, so that `object` bytes fit beside the survivors. False if there
/// is not enough room for it.
pub(crate) fn place<C: Context>(c: &mut C, sp: u32, object: u32) -> bool {
    let (space, eden) = (size::space(c, sp), size::eden(c, sp));
    let end = nursery_end(c, sp);
    let stress = c.gc().options.gc_stress != 0;
    let heap = c.gc().heap;
    let mut live_start = u64::from(heap.live_start);
    let live = u64::from(heap.live_end) - live_start;
    if space == 0 || live == 0 && end >= heap.limit_end {
        return false;
    }
    if live == 0 {
        live_start = end;
    }
    if live_start < end {
        return false;
    }
    // Room for the next collection of everything is left on either side.
    let (below, above) = (live_start - end, heap.limit_end.saturating_sub(live_start + live));
    let room = above.min(gap_left(above, live + space).max(gap_kept(below, live + space)));
    let minimum = (MIN_ROUNDS * eden).max(live / 8).max(u64::from(object) + 2 * required(2 * eden as u32, 0));
    let wanted = (live * (OLD_GROWTH - 1)).max(MIN_GROWTH).max(c.gc().options.initial_heap);
    let mut growth = wanted.max(minimum).min(room);
    while growth >= minimum {
        let old_end = live_start + live + growth;
        if c.grow_to(old_end) {
            let heap = &mut c.gc_mut().heap;
            heap.live_start = live_start as u32;
            heap.live_end = (live_start + live) as u32;
            heap.old_end = old_end.min(u64::from(u32::MAX)) as u32;
            heap.nursery = space as u32;
            (heap.survivor_start, heap.survivor_end) = (heap.base, heap.base);
            let list = heap.base + SPACES * space as u32;
            heap.remembered = Remembered::in_list(list, list + list_bytes(space) as u32, stress);
            (heap.dense, heap.rounds) = (false, 0);
            requests::lay(c);
            let heap = &mut c.gc_mut().heap;
            size::laid(&mut heap.sizing);
            let start = heap.base + heap.nursery;
            publish(c, start, start + eden as u32, list);
            let state = c.gc_mut();
            state.note_peak(live_start + live);
            let (allocated, copied) = (state.heap.allocated_before, state.statistics.copied_bytes);
            state.heap.cost = Cost { counts: true, allocated, copied, places: 0 };
            return true;
        }
        // The engine gives less memory than the limit allows.
        growth /= 2;
    }
    false
}

/// May the nursery be collected alone, and does that make `need` bytes available? Under stress three times out
/// of four.
pub(crate) fn is_enough<C: Context>(c: &C, sp: u32, need: u32) -> bool {
    let state = c.gc();
    let heap = &state.heap;
    let round = if state.options.incremental { LONG_STRESS_ROUND } else { STRESS_ROUND };
    heap.nursery != 0
        && u64::from(need) <= size::eden(c, sp).min(heap.nursery.into())
        && !heap.remembered.forgotten
        && !heap.incremental.failed
        && has_room(heap, 0)
        && !size::wants_more_room(c, sp)
        && (state.options.gc_stress == 0 || !state.statistics.collections.is_multiple_of(round))
}

/// Where young objects are, and where those that stay young go.
fn young<C: Context>(c: &C) -> (FromSpace, u32) {
    let heap = &c.gc().heap;
    let from = FromSpace {
        live_start: 0,
        live_end: 0,
        eden_start: heap.eden_start,
        eden_end: c.heap_pointer(),
        survivor_start: heap.survivor_start,
        survivor_end: heap.survivor_end,
    };
    (from, if heap.survivor_start == heap.base { heap.base + 2 * heap.nursery } else { heap.base })
}

/// Copies the young objects that are alive, if `dense` all of them to the old ones: where those end that stay young,
/// and the bytes that became old.
pub(crate) fn copy<C: Context, const HOLES: bool>(c: &mut C, sp: u32, dense: bool) -> (u32, u32) {
    let heap = c.gc().heap;
    let (from, to_start) = young(c);
    let most = from.used() + remembered_objects(&heap) * MIN_OBJECT;
    let mut copier = Copier::<HOLES>::of_young(c, from, to_start, heap.live_end, most);
    if dense {
        copier.make_old();
    }
    if HOLES && let Some((start, end)) = holes::begin(c) {
        (copier.old_free, copier.old_end, copier.in_holes) = (start, end, true);
    }
    let roots = roots::ranges(c, sp);
    let to_end = copier.run(c, roots, (heap.remembered.start, heap.remembered.top));
    if HOLES {
        return (to_end, holes::end(c, copier.in_holes, (copier.old_free, copier.old_end)));
    }
    c.gc_mut().heap.live_end = copier.old_free;
    (to_end, copier.old_free - heap.live_end)
}

/// Collects the nursery.
pub(crate) fn collect<C: Context>(c: &mut C, sp: u32, need: u32) -> Outcome<(), C> {
    let options = c.gc().options;
    let heap = c.gc().heap;
    let pointer = c.heap_pointer();
    let (from, to_start) = young(c);
    let places = u64::from(heap.remembered.places());
    c.gc_mut().heap.cost.places += places;
    let flood = options.gc_stress == 0 && incremental::may_copy_all(c) && is_flooded(&heap, from.used());
    let dense = heap.dense || flood;
    let incremental = heap.incremental.bits != 0;
    let (to_end, made_old) = if incremental { requests::copy(c, sp, dense) } else { copy::<C, false>(c, sp, dense) };
    let old_end = c.gc().heap.live_end;
    let state = c.gc_mut();
    (state.heap.survivor_start, state.heap.survivor_end) = (to_start, to_end);
    let copied = to_end - to_start + made_old;
    state.heap.dense = if options.gc_stress == 0 {
        is_dense(copied, from.used())
    } else {
        state.statistics.minor_collections.is_multiple_of(STRESS_DENSE)
    };
    state.statistics.copied_bytes += u64::from(copied);
    state.statistics.minor_collections += 1;
    c.gc_mut().note_peak(u64::from(old_end));
    let became_old = u64::from(made_old);
    size::note(c, pointer - heap.eden_start, u64::from(copied) + became_old + places * size::PLACE_COST);
    let eden = size::eden(c, sp).min(heap.nursery.into()) as u32;
    publish(c, heap.eden_start, heap.eden_start + eden, heap.remembered.start);
    if options.poison || options.gc_stress != 0 {
        check::poison(c, from.eden_start, from.eden_end);
        check::poison(c, from.survivor_start, from.survivor_end);
    }
    // Where nothing is young any more, nothing need be remembered.
    if to_end == to_start {
        c.gc_mut().heap.remembered.top = heap.remembered.start;
    } else {
        remember_again(c);
        if incremental {
            for index in 0..c.gc().heap.incremental.pieces {
                let (start, end) = holes::piece(c, index);
                remember_old(c, start, end);
            }
        } else {
            remember_old(c, heap.live_end, old_end);
        }
    }
    let checked = check::is_due(c);
    if checked {
        check::after(c, sp, heap.live_end)?;
    }
    if incremental {
        requests::portion(c, sp, made_old);
    }
    if checked {
        check::before(c, sp)?;
    }
    let nearly_all = copied > from.used() / 4 * 3 || options.gc_stress != 0;
    c.gc_mut().heap.rounds += 1;
    if dense && (nearly_all || flood) && to_end == to_start && incremental::may_copy_all(c) {
        // An eden that is hardly larger than the nursery would be worse, unless all there is will soon be copied for
        // little.
        let need = u64::from(need);
        give_up(c, sp, if flood { need } else { need.max(MIN_ROUNDS * u64::from(eden)) });
    }
    Ok(())
}

/// Is so much of the old data updated that a nursery does not pay? Each marked place keeps at least one object alive,
/// as a rule; and where there are only few old data, looking at all of them costs less than remembering places.
fn is_flooded(heap: &Heap, young: u32) -> bool {
    heap.remembered.is_marked()
        && (is_dense(heap.remembered.marked.saturating_mul(MIN_OBJECT), young)
            || heap.live_end - heap.live_start <= heap.eden_end - heap.eden_start)
}

/// After a collection of everything that has left `live` of `used` bytes: did the nursery cost half more than copying
/// everything each time would have? Then it is not laid again before that has copied `DEBT_FACTOR` times the
/// difference. So a program whose objects die old (a table of structures that are replaced at random, where old ones
/// keep alive what has been built after them; a queue) loses little, whatever it does; and a nursery that has lost
/// little is soon tried again.
pub(crate) fn settle_account<C: Context>(c: &mut C, sp: u32, used: u32, live: u32) {
    let (live, eden) = (u64::from(live), desired_eden(c, sp, GROWTH));
    let state = c.gc_mut();
    let (cost, heap) = (state.heap.cost, &mut state.heap);
    heap.cost = Cost::NOTHING;
    if !cost.counts {
        heap.copy_debt = heap.copy_debt.saturating_sub(live);
        return;
    }
    // Pages that go back to the host come back, and cost what it costs to copy their bytes (`DISCARD`).
    let pages = |bytes: u64| if bytes < DISCARD { 0 } else { bytes };
    let spent = state.statistics.copied_bytes - cost.copied + cost.places * size::PLACE_COST + pages(used.into());
    let allocated = heap.allocated_before - cost.allocated;
    let copying = (allocated as f64 * (live + pages(live + eden)) as f64 / eden as f64) as u64;
    let lost = spent.saturating_sub(copying);
    // While another size is being tried nothing is known yet.
    let judged = heap.sizing.tried == 0 && state.options.gc_stress == 0;
    heap.copy_debt = if judged && lost > copying / 2 { DEBT_FACTOR * lost } else { 0 };
}

/// Goes on without a nursery, if there is room: all survivors are old, and what follows will probably survive, too. It
/// is not even copied once before the next collection of everything. When that happens again and again soon after the
/// nursery has come back, it stays away longer each time.
fn give_up<C: Context>(c: &mut C, sp: u32, need: u64) {
    let desired = desired_eden(c, sp, DENSE_GROWTH);
    let stress = c.gc().options.gc_stress != 0;
    if place_eden(c, need, desired) {
        let heap = &mut c.gc_mut().heap;
        heap.backoff = if heap.rounds > SOON { 0 } else { (2 * heap.backoff + 1).min(MOST_WAITS) };
        heap.waits = if stress { 0 } else { heap.backoff / 2 };
        (heap.survivor_start, heap.survivor_end) = (0, 0);
    }
}

/// Did so much of some bytes survive that the rest was not worth the copying?
pub(crate) fn is_dense(survived: u32, bytes: u32) -> bool {
    survived > bytes / 2
}
