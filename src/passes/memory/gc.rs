//! The garbage-collected heap: references are spilled around safepoints (`roots`).

use super::Management;
use crate::rc_insertion::Unsupported;
use cleave_ir::Module;

pub struct Traced;

impl Management for Traced {
    fn check(&self, _: &Module) -> Result<(), Unsupported> {
        Ok(())
    }
    fn check_all(&self, _: &Module) -> Vec<Unsupported> {
        Vec::new()
    }
    fn rooting(&self) -> &'static [&'static str] {
        &[
            "expand-exceptions",
            "expand-arrays",
            "lower-apply",
            "osr-loops",
            "outline",
            "gc-leaf",
            "forward-returned-args",
            "lower-eval",
            "roots",
        ]
    }
    fn suits(&self, _: &str) -> bool {
        true
    }
    fn inlines_for_targets(&self) -> bool {
        true
    }
    fn shares_cells_with_holes(&self) -> bool {
        true
    }
}
