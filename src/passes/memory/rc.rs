//! The counted heap: references are retained and released, dying cells used again (`counting`).

use super::Management;
use crate::counting::{self, Unsupported};
use crate::lower::counted;
use crate::parallel;
use crate::table::{COUNTING, REENTER};
use crate::whole::holes::{self, Site};
use crate::whole::inline;
use cleave_ir::image::Image;
use cleave_ir::{FuncId, Module};

pub struct Counted;

impl Management for Counted {
    fn check(&self, module: &Module) -> Result<(), Unsupported> {
        counting::check(module)
    }
    fn rooting(&self) -> &'static [&'static str] {
        &["closures", REENTER, "parts", COUNTING]
    }
    /// A rotated loop takes a cell apart at its end, before it is known what the next round does with it. Then the paths
    /// into the loop meet, and no cell that was taken apart before can give its memory to one that is built behind.
    fn suits(&self, pass: &str) -> bool {
        pass != "rotate"
    }
    /// What is copied decides which cells are used again: the same on all targets.
    fn inline_limits(&self, _: inline::Limits) -> inline::Limits {
        inline::Limits::default()
    }
    /// Nobody may refer to a cell without being counted.
    fn has_shared_holes(&self) -> bool {
        false
    }
    fn fill_holes(&self, module: &mut Module, id: FuncId, sites: &[Site]) {
        if let Some(desc) = holes::counted::placeholder(module) {
            holes::counted::rewrite(module, id, sites, desc);
        }
    }
    fn lower(&self, module: &mut Module, image: &Image) {
        let counts_objects = module.counts_cells;
        parallel::each_with(module, |tables: &mut counted::Tables, func, around| {
            counted::lower(func, around, image, counts_objects, tables)
        });
    }
}
