//! Libcalls of Clean alone: how results are printed, files as two words, objects of the host,
//! the C functions of its libraries.

pub mod error;
pub mod ffi;
pub mod fields;
pub mod file;
pub mod host;
pub mod libcalls;
pub mod print;
pub mod shared;
pub mod state;
pub mod symbol;

use crate::base;

/// What these libcalls ask of a context, beside what those of any language do.
pub trait Context: base::Context {
    fn clean(&self) -> &state::State;
    fn clean_mut(&mut self) -> &mut state::State;
}
