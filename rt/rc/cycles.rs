//! Objects that may be parts of cycles: an object that has lost a reference, but not the last one, may be the root of a
//! cycle that nothing else refers to. Such objects are noted, and looked at together now and then (`trial.rs`).
//!
//! A possible root that dies stays where it is until then: only what it refers to is released. Its header says that it
//! is dead.
//!
//! When? With many possible roots, in proportion to what had to be visited in vain the last time. Before memory is used
//! that never was, if that has grown since. And before memory is called full.

use super::cells::{GROWTH, PORTION, fresh, object_bytes, references, set_word, start, word};
use super::release::{free_chain, release_fields};
use super::roots::{DEAD_ROOT, released};
use super::{large, trial};
use crate::gc::Context;
use crate::gc::state::CycleWork;
use crate::layout::{PROGRAM_HEAP_BASE, SLOT, is_immediate};
use crate::platform::Outcome;
use cleave_abi::rc::*;

/// Cycles are not looked for with fewer possible roots, while there is memory. What they hold should lie in the cache
/// of the processor still: with eight times as many, rings of 16 nodes that have vectors took four times as long.
const FEWEST_ROOTS: u32 = 512;

/// Does what is asked for.
pub fn perform<C: Context>(c: &mut C, work: CycleWork) {
    match work {
        CycleWork::Free(most) => {
            free_chain::<C, true>(c, most);
            if has_many_roots(c) {
                collect(c);
            }
        }
        CycleWork::CollectIfDue if word(c, ROOT_COUNT) == 0 || fresh(c) < due(c) => {}
        CycleWork::CollectIfDue | CycleWork::Collect => collect(c),
    }
}

/// The libcall `release_cyclic`.
pub fn release_cyclic<C: Context>(c: &mut C, object: u32) -> Outcome<(), C> {
    let waiting = word(c, DEAD);
    let dead = released(c, object, waiting);
    if dead != waiting {
        set_word(c, DEAD, dead);
        free_chain::<C, true>(c, PORTION);
    }
    if has_many_roots(c) {
        c.cycles(CycleWork::Collect);
    }
    Ok(())
}

fn has_many_roots<C: Context>(c: &C) -> bool {
    let most = match c.gc().options.gc_stress {
        0 => word(c, ROOT_LIMIT).max(FEWEST_ROOTS),
        _ => 1,
    };
    word(c, ROOT_COUNT) >= most
}

/// The address from which on unused memory is not taken before cycles have been looked for.
fn due<C: Context>(c: &mut C) -> u32 {
    match word(c, CYCLES_DUE) {
        0 => start(c).saturating_add(GROWTH as u32),
        due => due,
    }
}

/// Frees what is held by cycles alone.
#[inline(never)]
fn collect<C: Context>(c: &mut C) {
    free_chain::<C, true>(c, u32::MAX);
    if word(c, ROOT_COUNT) == 0 {
        return;
    }
    let (mut kept, first) = (0, word(c, ROOTS));
    trial::each_root(c, |c, root| {
        let header = c.load_u32(root);
        if header & DEAD_ROOT != 0 {
            c.store_u32(root, header & !DEAD_ROOT);
            let info = trial::info_of(c, root);
            free_noted(c, root, info);
            return;
        }
        let count = c.load_u32(root + COUNT);
        c.store_u32(root + COUNT, count & !BUFFERED | CYCLIC);
        c.store_u32(first + kept * SLOT, root);
        kept += 1;
    });
    set_word(c, ROOT_COUNT, kept);
    let (mut visited, mut garbage) = (0, 0);
    trial::each_root(c, |c, root| visited += trial::mark(c, root));
    trial::each_root(c, trial::scan);
    trial::each_root(c, |c, root| garbage = trial::gather(c, root, garbage));
    let bytes = word(c, ROOT_BYTES);
    large::free(c, first, bytes);
    [ROOTS, ROOT_COUNT, ROOT_BYTES].into_iter().for_each(|offset| set_word(c, offset, 0));
    release_others(c, garbage);
    let (mut freed, bytes) = free_garbage(c, garbage);
    // What only garbage referred to dies now. Possible roots among it were taken for alive: what refers to
    // them need not be part of a cycle.
    freed += free_chain::<C, true>(c, PORTION);
    // What lives has been visited in vain: next time when that is paid for.
    let used = fresh(c) - start(c);
    let grows = if bytes >= used / 4 { 0 } else { used / 2 };
    let due = fresh(c).saturating_add(grows.max(GROWTH as u32));
    set_word(c, ROOT_LIMIT, 2 * visited.saturating_sub(freed));
    set_word(c, CYCLES_DUE, due);
}

/// Releases what garbage refers to, but for other garbage. Objects that may be parts of cycles have lost the reference
/// already, when they were marked.
fn release_others<C: Context>(c: &mut C, garbage: u32) {
    let (base, counts) = (c.program(PROGRAM_HEAP_BASE), c.gc().options.count_cells);
    let (mut object, mut dead) = (garbage, word(c, DEAD));
    while object != 0 {
        let (first, count) = references(c, object, trial::info_of(c, object));
        for slot in (0..count).map(|index| first + index * SLOT) {
            let field = c.load_u32(slot);
            if is_immediate(field) {
                continue;
            }
            if counts {
                c.gc_mut().rc_stats.note(EVENT_RELEASE, 0);
            }
            let is_other = field < base || !trial::is_garbage(c, field) && c.load_u32(field + COUNT) & CYCLIC == 0;
            if is_other {
                dead = release_fields::<C, true>(c, base, slot, 1, dead);
            }
        }
        object = c.load_u32(object + COUNT);
    }
    set_word(c, DEAD, dead);
}

/// Frees a chain of garbage; how much of what was visited it is, and its bytes.
fn free_garbage<C: Context>(c: &mut C, garbage: u32) -> (u32, u32) {
    let (mut object, mut freed, mut bytes) = (garbage, 0, 0);
    while object != 0 {
        let next = c.load_u32(object + COUNT);
        let info = trial::info_of(c, object);
        freed += trial::work(c, object);
        bytes += object_bytes(c, object, info);
        free_noted(c, object, info);
        object = next;
    }
    (freed, bytes)
}

fn free_noted<C: Context>(c: &mut C, object: u32, info: u32) {
    if c.gc().options.count_cells {
        let bytes = object_bytes(c, object, info);
        c.gc_mut().rc_stats.note(EVENT_FREE, bytes);
    }
    large::free_object(c, object, info);
}
