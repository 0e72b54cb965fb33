//! Makes cells for objects of the host, and gives them back by hand (`foreign.rs`).

use crate::gc::Context;
use crate::gc::allocate::{allocate, reserve};
use crate::gc::foreign::{close_cell, fill, number, put, put_dead};
use crate::gc::foreign_lists::Foreign;
use crate::gc::object::info_of;
use crate::layout::*;
use crate::platform::Outcome;

/// A new cell.
pub fn new<C: Context>(c: &mut C, sp: u32, header: u32, number: i64) -> Outcome<u32, C> {
    let bytes = thunk_bytes(FOREIGN_SLOTS);
    reserve(c, sp, bytes)?;
    let cell = allocate(c, bytes);
    c.store_u32(cell, header);
    fill(c, cell, 0, number);
    put(c, cell, |Foreign { alive: [young, _], .. }| young);
    Ok(cell)
}

/// The program gives an object back by hand: another cell is dead in the place of this one, which is closed. Gives 0
/// if it was closed already. Nothing happens to other objects.
pub fn close<C: Context>(c: &mut C, sp: u32, cell: u32) -> Outcome<i64, C> {
    if is_immediate(cell) || info_kind(info_of(c, c.load_u32(cell))) != KIND_FOREIGN {
        return Ok(1);
    }
    let (header, number) = (c.load_u32(cell), number(c, cell)?);
    if number < 0 {
        return Ok(0);
    }
    let sp = c.push(sp, cell);
    let bytes = thunk_bytes(FOREIGN_SLOTS);
    reserve(c, sp, bytes)?;
    let (cell, dead) = (c.load_u32(sp), allocate(c, bytes));
    close_cell(c, cell);
    c.store_u32(dead, header);
    fill(c, dead, 0, number);
    put_dead(c, dead, false);
    Ok(1)
}
