//! The reference-counted heap: references are retained and released, dying cells used again (`rc-insertion`).

use super::Management;
use crate::rc_insertion::{self, Unsupported};
use cleave_ir::Module;

pub struct Counted;

impl Management for Counted {
    fn check(&self, module: &Module) -> Result<(), Unsupported> {
        rc_insertion::check(module)
    }
    fn check_all(&self, module: &Module) -> Vec<Unsupported> {
        rc_insertion::all_unsupported(module).collect()
    }
    fn rooting(&self) -> &'static [&'static str] {
        &["expand-exceptions", "expand-arrays", "lower-apply", "osr-loops", "outline", "rc-insertion"]
    }
    /// A rotated loop takes a cell apart at its end, before it is known what the next round does with it. Then the
    /// paths into the loop meet, and no cell that was taken apart before can give its memory to one that is built
    /// after.
    fn suits(&self, pass: &str) -> bool {
        pass != "loop-rotate"
    }
    /// What is copied decides which cells are used again: the same on all targets.
    fn inlines_for_targets(&self) -> bool {
        false
    }
    /// Nobody may refer to a cell without being counted.
    fn shares_cells_with_holes(&self) -> bool {
        false
    }
}
