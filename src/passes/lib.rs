//! Passes over the IR, by what they work on. `table` lists them all, with their order; `manager` runs them.
//!
//! - `opt`: optimisations of one function at a time.
//! - `ipo`: optimisations that look at the whole program.
//! - `lower_apply`: application of closures in terms of calls.
//! - `rc_insertion`: where references are counted, on the counted heap.
//! - `analysis`: what passes ask about code; changes nothing.
//! - `roots`: where references are kept for the collector. High IR becomes rooted IR.
//! - `memory`: what the ways to manage memory have of their own: which of these passes run, how they are lowered.
//! - `lower`: evaluation, allocation and nodes in terms of memory. Rooted IR becomes low IR.
//!
//! ```
//! let source = "
//! func @three() -> i64 {
//! block0:
//!   v0 = iconst.i64 1
//!   v1 = iconst.i64 2
//!   v2 = iadd v0, v1
//!   ret v2
//! }";
//! let mut module = cleave_ir::text::parse_module(source).expect("IR");
//! cleave_passes::manager::optimise(&mut module, &["instcombine", "dce"]);
//! assert!(cleave_ir::text::print_module(&module).contains("iconst.i64 3"));
//! ```

#![warn(missing_docs)]

pub mod analysis;
pub mod context;
pub mod former_names;
pub mod insert_checks;
pub mod ipo;
pub mod lower;
pub mod lower_apply;
pub mod manager;
pub mod memory;
mod module_context;
pub mod opt;
pub mod parallel;
pub mod rc_insertion;
pub mod roots;
pub mod stackless;
pub mod table;
