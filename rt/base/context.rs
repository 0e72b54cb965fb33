//! The trait `Context` of the base library: what libcalls need besides the heap.

use super::state::{Options, State};
use crate::gc;
use crate::platform::{Io, Outcome};

#[allow(clippy::result_unit_err)]
pub trait Context: gc::Context {
    fn base(&self) -> &State;
    fn base_mut(&mut self) -> &mut State;
    /// The options of the heap, and the others.
    fn options_mut(&mut self) -> (&mut gc::state::Options, &mut Options);
    /// The status with which the program wants to end; 0 if it has not said so.
    fn chosen_status(&mut self) -> u32;

    // What a target can leave out of programs that do not need it.

    /// Reads the options of this run, which environment and arguments have.
    fn read_options(&mut self) -> Outcome<(), Self>;
    /// Shows the numbers that options ask for.
    fn show_reports(&mut self);
    /// Writes what open files have buffered.
    fn flush_files(&mut self);
    /// Shows what a program on the reference-counted heap has counted.
    fn show_rc_stats(&mut self);

    // Bytes between buffers of the state, the program's memory and files.

    fn memory_to_state(&mut self, address: u32, place: impl Fn(&mut State) -> Option<&mut [u8]>);
    fn state_to_memory(&mut self, address: u32, place: impl Fn(&State) -> Option<&[u8]>);
    fn read_to_state(&mut self, file: u32, place: impl Fn(&mut State) -> &mut [u8]) -> Io<usize>;
    /// Writes some bytes of a place, from `from` on.
    fn write_from_state(&mut self, file: u32, from: usize, place: impl Fn(&State) -> Option<&[u8]>) -> Io<usize>;
}
