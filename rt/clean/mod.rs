//! Services of Clean alone: how results are printed, files as two words, closures, the C functions of its libraries.

pub mod closure;
pub mod fields;
pub mod file;
pub mod foreign;
pub mod print;
pub mod shared;
