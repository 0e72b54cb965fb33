//! What the front ends of strict languages share: core IR (a typed tree), and its lowering to IR.
//!
//! ```text
//! text ─ front end: names, types ─▶ core IR (`core_ir`) ─▶ high IR (`lower`, with `data`)
//! ```
//! A front end resolves names and types, reports what is wrong, and makes core IR only if nothing is. From there on no
//! language is known any more. The result is plain strict IR: nodes are built and read, nothing is counted. For every
//! way to manage memory it is the same but for the functions of the runtime that make and read strings.
//!
//! Invariant: no function here recurs over core IR. Expressions may be nested as deep as memory allows.

#![warn(missing_docs)]

mod arrays;
pub mod blame;
mod branch;
mod closed;
pub mod core_ir;
pub mod data;
pub mod ide;
pub mod imports;
pub mod interface;
pub mod lexemes;
pub mod lints;
mod lower;
pub mod pretty;
mod runtime;
mod work_item;

pub use branch::choose;
pub use data::Data;
pub use interface::Exports;
pub use lower::{Translated, translate};

/// The heap of strict programs, unless they are told otherwise.
pub const HEAP: cleave_ir::Heap = cleave_ir::Heap::Rc;
