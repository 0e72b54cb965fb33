//! Objects of the host on the reference-counted heap: cells as on the other one (`gc/foreign.rs`), with a count. One
//! that dies is not freed, but waits in the list of the dead until the program asks for its number.

use super::release::waits;
use super::{free_object, take as take_cell};
use crate::gc::Context;
use crate::gc::foreign as traced;
use crate::gc::object::info_of;
use crate::layout::{FOREIGN_SLOTS, INFO_KIND, KIND_FOREIGN, SLOT, is_immediate};
use crate::platform::Outcome;
use cleave_abi::rc::*;

/// What comes after the header lies so many bytes further on than in cells of the other heap.
const SHIFT: u32 = FIELDS - SLOT;
const BYTES: u32 = FIELDS + FOREIGN_SLOTS * SLOT;

/// A new cell.
pub fn new<C: Context>(c: &mut C, header: u32, number: i64) -> Outcome<u32, C> {
    let cell = take_cell(c, class_of(BYTES))?;
    if c.gc().options.count_cells {
        c.gc_mut().rc_stats.note(EVENT_NEW, BYTES);
    }
    c.store_u32(cell, header);
    c.store_u32(cell + COUNT, 1);
    traced::fill(c, cell + SHIFT, 0, number);
    Ok(cell)
}

/// The number in a cell, or -1 if it is closed.
pub fn number<C: Context>(c: &mut C, cell: u32) -> Outcome<i64, C> {
    traced::number(c, cell + SHIFT)
}

/// The program gives an object back by hand: another cell is dead in the place of this one, which is closed. Gives 0
/// if it was closed already. Nothing happens to other objects.
pub fn close<C: Context>(c: &mut C, cell: u32) -> Outcome<i64, C> {
    if is_immediate(cell) || info_of(c, c.load_u32(cell)) & INFO_KIND != KIND_FOREIGN {
        return Ok(1);
    }
    let (header, number) = (c.load_u32(cell), number(c, cell)?);
    if number < 0 {
        return Ok(0);
    }
    let dead = new(c, header, number)?;
    waits(c, dead);
    traced::close_cell(c, cell + SHIFT);
    Ok(1)
}

/// Frees a dead cell: its number, or -1 if there is none.
pub fn take<C: Context>(c: &mut C) -> Outcome<i64, C> {
    let [_, dead] = c.gc().foreign.dead;
    let number = traced::take(c);
    if dead != 0 {
        let cell = dead - SHIFT;
        if c.gc().options.count_cells {
            c.gc_mut().rc_stats.note(EVENT_FREE, BYTES);
        }
        let info = info_of(c, c.load_u32(cell));
        free_object(c, cell, info);
    }
    number
}
