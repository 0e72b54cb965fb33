//! What compiled programs and the runtime agree on, written once: the functions of the runtime that any program may
//! call (`rows`), with their types and effects (`types`), and what everything in memory looks like (`layout`, and
//! `counted` for the heap that counts references).
//!
//! The compiler (`src/ir`) and the runtime (`rt`) both use this crate; it uses neither, nor `std`. A front end that
//! needs more than what is here writes rows of its own in the same form (macro `rows!`) and implements them beside the
//! runtime.

#![no_std]

pub mod counted;
pub mod layout;
pub mod rows;
pub mod types;

pub use types::{Effects, Row, Type};
