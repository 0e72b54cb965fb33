//! Objects of the host in Clean: a node of the object's type, around the cell that stands for it (`gc/foreign.rs`).

use crate::gc::Context;
use crate::gc::foreign_cells;
use crate::gc::object::info_of;
use crate::layout::*;
use crate::platform::Outcome;

/// The libcall `give_back_object`: gives the host back what a node stands for. 0 if the program has done so before. Any
/// other value stays as it is, and the result is 1.
pub fn give_back<C: Context>(c: &mut C, sp: u32, node: u32) -> Outcome<i64, C> {
    let info = info_of(c, c.load_u32(node));
    if info_kind(info) != KIND_INLINE || info_ptrs(info) != 1 {
        return Ok(1);
    }
    let cell = c.load_u32(node + SLOT);
    foreign_cells::close(c, sp, cell)
}
