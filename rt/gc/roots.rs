//! The roots: the shadow stack and the reference slots of constant applicative forms.
//!
//! Slots may also hold small numbers (printing keeps its marks and counters there); everything below the heap is
//! skipped by the collector, so nobody has to tell them apart.

use crate::gc::Context;
use crate::layout::{PROGRAM_CAF_END, PROGRAM_CAF_START};

/// The ranges of root slots when the stack pointer is `sp`.
pub fn ranges<C: Context>(c: &C, sp: u32) -> [(u32, u32); 3] {
    let [inner, outer] = c.gc().stack(sp);
    [inner, outer, (c.program(PROGRAM_CAF_START), c.program(PROGRAM_CAF_END))]
}
