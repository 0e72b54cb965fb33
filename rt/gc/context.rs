//! The trait `Context` of the collector: its state, and what the rest of the runtime does for it.

use super::state::{CycleWork, State};
use crate::layout::{PROGRAM_HEAP_POINTER, SLOT};
use crate::platform::{Host, Memory, Outcome};

#[allow(clippy::result_unit_err)]
pub trait Context: Memory + Host {
    fn gc(&self) -> &State;
    fn gc_mut(&mut self) -> &mut State;

    // References in frames of the machine, for a host that has such. During a collection they are on the shadow stack.

    /// Pushes all of them below `sp`; the new shadow-stack pointer.
    fn copy_in_machine_roots(&mut self, sp: u32) -> u32;
    /// Takes back what `copy_in_machine_roots` has pushed, wherever the objects are now; `lifted` is what it returned.
    fn copy_out_machine_roots(&mut self, lifted: u32, sp: u32);

    // What a target can leave out of programs that do not need it.

    /// The heap of a program with a collector gets its first eden.
    fn make_eden(&mut self) -> Outcome<(), Self>
    where
        Self: Sized;
    /// Does what the incremental collector is asked for in the state (`incremental::perform`).
    fn incremental(&mut self)
    where
        Self: Sized;

    /// Does what the reference-counted heap of a program with cycles is asked for (`rc::cycles::perform`).
    fn cycles(&mut self, work: CycleWork)
    where
        Self: Sized;

    /// Shows what a collection has left.
    fn show_collection(&mut self, sp: u32);
    /// A collection has taken place, and the program goes on.
    fn after_collection(&mut self);
    /// Ends the program: a request does not fit.
    fn heap_full<T>(&mut self) -> Outcome<T, Self>
    where
        Self: Sized;
    /// Ends the program: the heap is not as it must be. What is wrong, where, and what was found there.
    fn heap_defect<T>(&mut self, what: &[u8], at: u32, value: u32) -> Outcome<T, Self>
    where
        Self: Sized;

    /// Field of the program record.
    #[inline(always)]
    fn program(&self, offset: u32) -> u32 {
        self.load_u32(self.gc().program + offset)
    }
    #[inline(always)]
    fn heap_pointer(&self) -> u32 {
        self.program(PROGRAM_HEAP_POINTER)
    }
    #[inline(always)]
    fn set_heap_pointer(&mut self, address: u32) {
        let record = self.gc().program;
        self.store_u32(record + PROGRAM_HEAP_POINTER, address);
    }
    /// Pushes a slot on the shadow stack and returns the new stack pointer. Overflow becomes an address beyond the
    /// memory, which traps.
    #[inline(always)]
    fn push(&mut self, sp: u32, value: u32) -> u32 {
        let sp = sp.wrapping_sub(SLOT);
        self.store_u32(sp, value);
        sp
    }
}
