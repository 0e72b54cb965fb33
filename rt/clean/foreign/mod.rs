//! C functions that libraries of Clean call with `ccall`, without a library of machine code, and the calls of those that have one (`call`).
//!
//! `src/frontends/clean/ccall.rs` holds the table: which name and types lead to which function here. Each function is a service of
//! its own, so that a program contains only those that it calls. Rules that all of them keep:
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
pub mod memory;
pub mod path;
pub mod process;
pub mod time;
pub mod variables;

use crate::base::value::new_string;
use crate::layout::*;
use crate::system::{Context, Outcome};

/// Results that a C function returns through pointers: at most.
pub const RESULTS: usize = 16;

/// Everything these functions remember. Starts as zeros.
pub struct ForeignState {
    pub results: [i64; RESULTS],
    pub errno: u32,
    /// Addresses in the C memory of what C libraries keep in statics; 0 when not made yet.
    pub errno_cell: u32,
    pub message: u32,
    pub broken_down: u32,
    pub time_text: u32,
    pub arguments: u32,
    pub environment: environment::Table,
    pub memory: memory::Arena,
    pub finder: finder::Finder,
    /// The current folder as a path from where the program started: empty at first.
    pub folder: path::Path,
    /// Addresses of the variables in the C memory.
    pub variables: [u32; variables::COUNT],
    pub call: call::Call,
}

impl ForeignState {
    pub const EMPTY: ForeignState = ForeignState {
        results: [0; RESULTS],
        errno: 0,
        errno_cell: 0,
        message: 0,
        broken_down: 0,
        time_text: 0,
        arguments: 0,
        environment: environment::Table::EMPTY,
        memory: memory::Arena::EMPTY,
        finder: finder::Finder::EMPTY,
        folder: path::Path::EMPTY,
        variables: [0; variables::COUNT],
        call: call::Call::EMPTY,
    };
}

/// Address of the characters of a string object or the elements of an array object.
pub fn data_of<C: Context>(c: &C, object: u32) -> u32 {
    let string = c.load_u32(object) == c.program(PROGRAM_STRING_HEADER);
    object + if string { STRING_DATA } else { ARRAY_DATA }
}

/// Leaves results for `c_result`, from the first on.
pub fn give<C: Context>(c: &mut C, results: &[i64]) {
    for (place, result) in c.state_mut().foreign.results.iter_mut().zip(results) {
        *place = *result;
    }
}

/// The service `c_result`: what the last function returned through its `index`-th pointer.
pub fn result<C: Context>(c: &mut C, index: u32) -> Outcome<i64, C> {
    Ok(c.state().foreign.results.get(index as usize).copied().unwrap_or(0))
}

/// The service `c_string`: a Clean string of a C value of type `CleanString`, a 64-bit length and the characters.
pub fn string<C: Context>(c: &mut C, sp: u32, address: i64) -> Outcome<u32, C> {
    string_after(c, sp, address, 8)
}

/// The service `c_symbol_string`: the same of a C function that is called by its symbol, where the length is a word of C.
pub fn symbol_string<C: Context>(c: &mut C, sp: u32, address: i64) -> Outcome<u32, C> {
    let word = c.c_word();
    string_after(c, sp, address, word)
}

/// The string whose characters lie behind a length of so many bytes.
fn string_after<C: Context>(c: &mut C, sp: u32, address: i64, bytes: u32) -> Outcome<u32, C> {
    let length = if address == 0 { 0 } else { c.load_from_c(address) as u32 };
    let string = new_string(c, sp, length)?;
    c.copy_from_c(address.wrapping_add(i64::from(bytes)), string + STRING_DATA, length);
    Ok(string)
}
