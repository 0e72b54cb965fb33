//! The program that runs: what it comes as, and where everything about it is kept.

use super::stack::Stacks;
use crate::state::State;
use core::cell::UnsafeCell;

/// A compiled program.
#[repr(C)]
pub struct Program {
    /// What belongs at `START`, and its length.
    pub bytes: *const u8,
    pub length: u64,
    /// Address of the program record.
    pub record: u64,
    /// Runs the start function with this shadow-stack pointer.
    pub main: unsafe extern "C" fn(sp: u32),
    /// Evaluates a node to head normal form: shadow-stack pointer, node.
    pub eval: unsafe extern "C" fn(sp: u32, node: u32) -> u32,
    /// The code, and its length.
    pub code: *const u8,
    pub code_length: u64,
    /// The table of functions and lines (`trace_table.rs`), or null.
    pub traces: *const u8,
    /// The table of references in frames (`stack_maps.rs`), or null.
    pub maps: *const u8,
    /// Address of the three words of the buffer for results of a library (`library.rs`), or 0.
    pub exchange: u64,
}

/// Takes what is written to a file; false if it is to be written.
pub type Keep = fn(u32, &[u8]) -> bool;

/// Arguments and environment in the form of C: lists of strings, each with a NULL at its end. The lists, as those of
/// C, may be written to.
#[derive(Clone, Copy)]
pub struct Words {
    pub arguments: *const *const u8,
    pub environment: *const *const u8,
}

pub struct Run {
    pub state: UnsafeCell<State>,
    pub program: UnsafeCell<Option<Program>>,
    pub words: UnsafeCell<Words>,
    /// End of the memory that is mapped from `START` on.
    pub mapped: UnsafeCell<u64>,
    /// What `stack::enter` keeps for `stack::leave`.
    pub saved: UnsafeCell<usize>,
    /// Once the program runs.
    pub stacks: UnsafeCell<Option<Stacks>>,
    /// Who wants to know what is written: libraries, for the texts of errors.
    pub keep: UnsafeCell<Option<Keep>>,
}
// SAFETY: one thread runs a program at a time (`BUSY`).
unsafe impl Sync for Run {}

pub static RUN: Run = Run {
    state: UnsafeCell::new(State::new()),
    program: UnsafeCell::new(None),
    words: UnsafeCell::new(Words { arguments: core::ptr::null(), environment: core::ptr::null() }),
    mapped: UnsafeCell::new(0),
    saved: UnsafeCell::new(0),
    stacks: UnsafeCell::new(None),
    keep: UnsafeCell::new(None),
};

/// The stacks of the program, once it runs.
pub fn stacks() -> Option<Stacks> {
    // SAFETY: written before the program starts.
    unsafe { *RUN.stacks.get() }
}
