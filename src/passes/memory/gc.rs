//! The traced heap: references are spilled around safepoints (`roots`).

use super::Management;
use crate::counting::Unsupported;
use crate::table::{EXPAND, REENTER};
use crate::whole::holes::{Site, traced};
use crate::whole::inline;
use crate::{lower, parallel};
use cleave_ir::image::Image;
use cleave_ir::{FuncId, Module};

pub struct Traced;

impl Management for Traced {
    fn check(&self, _: &Module) -> Result<(), Unsupported> {
        Ok(())
    }
    fn rooting(&self) -> &'static [&'static str] {
        &["closures", REENTER, "parts", "leaf", "merge", EXPAND, "roots"]
    }
    fn suits(&self, _: &str) -> bool {
        true
    }
    fn inline_limits(&self, wanted: inline::Limits) -> inline::Limits {
        wanted
    }
    fn has_shared_holes(&self) -> bool {
        true
    }
    fn fill_holes(&self, module: &mut Module, id: FuncId, sites: &[Site]) {
        traced::rewrite(module, id, sites);
    }
    fn lower(&self, module: &mut Module, image: &Image) {
        let indirection = module.indirection_entry();
        parallel::each(module, |func, around| lower::lower(func, around, image, indirection));
    }
}
