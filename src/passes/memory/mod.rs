//! Management of memory, as far as passes go: what a module may hold, which passes make memory explicit, how operations
//! are lowered. What objects look like is in `src/ir/memory`.
//!
//! This file is the only one of the crate that knows which ways there are.

mod gc;
mod rc;

use crate::counting::Unsupported;
use crate::whole::holes::Site;
use crate::whole::inline;
use cleave_ir::image::Image;
use cleave_ir::{FuncId, Heap, Module};

/// What passes do for a way to manage memory.
pub trait Management: Sync {
    /// What a program may not do, beyond the rules of the verifier.
    fn check(&self, module: &Module) -> Result<(), Unsupported>;
    /// The passes from high to rooted IR.
    fn rooting(&self) -> &'static [&'static str];
    /// Is a pass of a level any good?
    fn suits(&self, pass: &str) -> bool;
    /// How much may be inlined, if a target wants that much.
    fn inline_limits(&self, wanted: inline::Limits) -> inline::Limits;
    /// True if cells between a call and the return may be made early although something else refers to them.
    fn has_shared_holes(&self) -> bool;
    /// Makes the calls of some sites the last thing that their function does (pass `holes`).
    fn fill_holes(&self, module: &mut Module, id: FuncId, sites: &[Site]);
    /// From rooted to low IR.
    fn lower(&self, module: &mut Module, image: &Image);
}

/// What passes do for a heap.
pub fn of(heap: Heap) -> &'static dyn Management {
    match heap {
        Heap::Traced => &gc::Traced,
        Heap::Counted => &rc::Counted,
    }
}
