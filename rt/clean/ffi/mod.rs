//! C functions that libraries of Clean call with `ccall`, without a library of machine code, and the calls of those
//! that have one (`call`).
//!
//! `src/frontends/clean/ccall.rs` holds the table: which name and types lead to which function here. Each function is a
//! libcall of its own, so that a program contains only those that it calls. Rules that all of them keep:
//!
//! - A pointer is an address of linear memory in a 64-bit word. What C would return as a pointer to memory of its own
//!   lies in the C memory (`memory.rs`), which the collector never touches.
//! - Strings and arrays come as references to the objects themselves. No function here collects, so they do not move
//!   during the call; none keeps their address. `c_string`, which makes a Clean string of a result, is called when all
//!   words of the result have been fetched.
//! - What C returns through pointers is left in the state for `c_result`.
//! - Failure sets `errno`, with the numbers and messages of Linux.

pub mod call;
pub mod directory;
pub mod environment;
pub mod errno;
pub mod finder;
pub mod lent;
pub mod memory;
pub mod path;
pub mod process;
pub mod results;
pub mod time;
pub mod variables;
