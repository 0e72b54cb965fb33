//! Services of Clean alone: how results are printed, files as two words, closures, the C functions of its libraries.

pub mod closure;
pub mod error;
pub mod fields;
pub mod file;
pub mod foreign;
pub mod print;
pub mod shared;
pub mod state;

use crate::base;

/// What these services ask of a context, beside what those of any language do.
pub trait Context: base::Context {
    fn clean(&self) -> &state::State;
    fn clean_mut(&mut self) -> &mut state::State;
}
