//! Management of memory, as far as the choice of passes goes. What objects look like is in `src/ir/memory`; passes that
//! do something else on each heap (`trmc`, `lower`) have a row for each themselves.

mod gc;
mod rc;

use crate::rc_insertion::Unsupported;
use cleave_ir::heap::PerHeap;
use cleave_ir::{Heap, Module};

/// Which passes a way to manage memory wants.
pub trait Management: Sync {
    /// What a program may not do, beyond the rules of the verifier.
    fn check(&self, module: &Module) -> Result<(), Unsupported>;
    /// All of that, in the order of the program.
    fn check_all(&self, module: &Module) -> Vec<Unsupported>;
    /// Names of the passes from high to rooted IR.
    fn rooting(&self) -> &'static [&'static str];
    /// Is a pass of a level any good?
    fn suits(&self, pass: &str) -> bool;
    /// True if targets may say how much is inlined.
    fn inlines_for_targets(&self) -> bool;
    /// True if a cell may be made before its fields are known although something else refers to it (pass `trmc`).
    fn shares_cells_with_holes(&self) -> bool;
}

/// What passes do for a heap.
pub fn of(heap: Heap) -> &'static dyn Management {
    const ALL: PerHeap<&dyn Management> = [&gc::Traced, &rc::Counted];
    ALL[heap as usize]
}
