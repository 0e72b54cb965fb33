//! Objects of the host: cells that stand for them, by number, and what becomes of the number when a cell dies.
//!
//! ```text
//! cell    | header | next cell of its list | 0: open, 1: closed | number (8 bytes) |
//! ```
//! All cells are in lists that run through them and that the collector does not follow: one of those that were alive
//! after the last collection, one of dead ones that the host has not been told of, each for young and for old cells.
//! A collection of the nursery looks at the lists of young cells alone. A cell that was not reached is copied
//! nevertheless, and waits in the list of the dead until the program asks for its number, at a place where the host may
//! be called: never is anybody called from inside of a collection. So nothing has to be allocated where there may be no
//! memory, and no number is lost or given twice.

use crate::gc::Context;
use crate::gc::context::Keeper;
use crate::gc::foreign_lists::Foreign;
use crate::gc::mark::Marker;
use crate::layout::*;
use crate::platform::{Memory, Outcome};

const NEXT: u32 = SLOT;
const CLOSED: u32 = NEXT + SLOT;
const NUMBER: u32 = CLOSED + SLOT;

/// The contents of an open cell.
pub fn fill<M: Memory>(m: &mut M, cell: u32, next: u32, number: i64) {
    m.store_u32(cell + NEXT, next);
    m.store_u32(cell + CLOSED, 0);
    m.store_u64(cell + NUMBER, number as u64);
}

/// The number in a cell, or -1 if it is closed.
pub fn number<C: Context>(c: &mut C, cell: u32) -> Outcome<i64, C> {
    Ok(if is_closed(c, cell) { -1 } else { c.load_u64(cell + NUMBER) as i64 })
}

/// The number of a dead cell, which is forgotten then; -1 if there is none.
pub fn take<C: Context>(c: &mut C) -> Outcome<i64, C> {
    let [young, old] = c.gc().foreign.dead;
    let cell = if young != 0 { young } else { old };
    if cell == 0 {
        return Ok(-1);
    }
    let next = c.load_u32(cell + NEXT);
    let [first_young, first_old] = &mut c.gc_mut().foreign.dead;
    *(if young != 0 { first_young } else { first_old }) = next;
    Ok(c.load_u64(cell + NUMBER) as i64)
}

pub fn close_cell<M: Memory>(m: &mut M, cell: u32) {
    m.store_u32(cell + CLOSED, 1);
}

pub fn is_closed<M: Memory>(m: &M, cell: u32) -> bool {
    m.load_u32(cell + CLOSED) != 0
}

/// Puts a cell before those of a list.
pub fn put<C: Context>(c: &mut C, cell: u32, list: impl FnOnce(&mut Foreign) -> &mut u32) {
    let next = core::mem::replace(list(&mut c.gc_mut().foreign), cell);
    c.store_u32(cell + NEXT, next);
}

fn put_alive<C: Context>(c: &mut C, cell: u32, is_old: bool) {
    put(c, cell, |Foreign { alive: [young, old], .. }| if is_old { old } else { young });
}

pub fn put_dead<C: Context>(c: &mut C, cell: u32, is_old: bool) {
    put(c, cell, |Foreign { dead: [young, old], .. }| if is_old { old } else { young });
}

/// A collection has copied what is alive: cells that it has not met are dead, and are copied now.
pub fn copied<C: Context>(c: &mut C, copier: &mut impl Keeper) {
    let Foreign { alive, dead, copied: (all, mut free) } = c.gc().foreign;
    // Cells that are not copied stay in their lists.
    let kept = |[_, old]: [u32; 2]| if all { [0; 2] } else { [0, old] };
    c.gc_mut().foreign = Foreign { alive: kept(alive), dead: kept(dead), copied: (all, free) };
    for ([young, old], was_dead) in [(alive, false), (dead, true)] {
        for first in [young, if all { old } else { 0 }] {
            let mut cell = first;
            while cell != 0 {
                let header = c.load_u32(cell);
                let is_met = header & TAG_FORWARDED != 0;
                let mut new = header & !TAG_MASK;
                if !is_met {
                    let next = c.load_u32(cell + NEXT);
                    if is_closed(c, cell) {
                        cell = next;
                        continue;
                    }
                    (new, free) = copier.keep(c, cell, free);
                }
                cell = c.load_u32(new + NEXT);
                let is_old = all || !c.gc().heap.is_young(new);
                if is_met && !was_dead {
                    put_alive(c, new, is_old);
                } else {
                    put_dead(c, new, is_old);
                }
            }
        }
    }
    c.gc_mut().foreign.copied = (all, free);
}

/// All old objects that are alive have marks: cells without one are dead, and get it now.
pub fn marked<C: Context>(c: &mut C, marker: &mut Marker) {
    let Foreign { alive: [_, alive], dead: [_, dead], .. } = c.gc().foreign;
    let Foreign { alive: [_, first_alive], dead: [_, first_dead], .. } = &mut c.gc_mut().foreign;
    (*first_alive, *first_dead) = (0, 0);
    for (first, was_dead) in [(alive, false), (dead, true)] {
        let mut cell = first;
        while cell != 0 {
            let next = c.load_u32(cell + NEXT);
            let is_met = marker.is_kept(c, cell);
            if is_met && !was_dead {
                put_alive(c, cell, true);
            } else if !is_closed(c, cell) {
                put_dead(c, cell, true);
                if !is_met {
                    let header = c.load_u32(cell);
                    marker.mark(c, cell, header);
                }
            }
            cell = next;
        }
    }
}

/// All objects will lie so many bytes lower.
pub fn moved_down<C: Context>(c: &mut C, distance: u32) {
    let lower = |cell: u32| if cell == 0 { 0 } else { cell - distance };
    let Foreign { alive, dead, copied } = c.gc().foreign;
    for first in alive.into_iter().chain(dead) {
        let mut cell = first;
        while cell != 0 {
            let next = c.load_u32(cell + NEXT);
            c.store_u32(cell + NEXT, lower(next));
            cell = next;
        }
    }
    c.gc_mut().foreign = Foreign { alive: alive.map(lower), dead: dead.map(lower), copied };
}
