//! Driver and command line of the Cleave compiler.
//!
//! `cli` knows arguments, messages and exit codes; `driver` loads the modules of a program, runs the pipeline over
//! them and runs the result; `languages` are the source languages that there are; `allocator` gives the program its
//! memory; `reduce` makes programs small that show a mistake; `web` is how pages call the compiler.
//! Everything else is in the crates below (`src/*`, `targets/*`).

#[cfg(all(feature = "mimalloc", not(target_family = "wasm")))]
pub mod allocator;
pub mod cli;
pub mod driver;
pub mod languages;
pub mod reduce;
pub mod web;
