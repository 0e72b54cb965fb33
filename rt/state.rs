//! Everything the runtime remembers between two calls, in one structure, and the contexts that own it.
//!
//! Each room has its own part and its own trait; who implements `Context` below gets these traits. Here, and nowhere
//! else, a lower room reaches a higher one: the collector the console, the end of a program the status that C code has
//! set.
//!
//! All of the state starts as zero bytes: on Wasm the one static `State` then costs nothing in the file.

use crate::base::decimal::Line;
use crate::base::{self, console, error, options, report, stream};
use crate::clean::ffi::variables;
use crate::gc::state::CycleWork;
use crate::platform::{Host, Io, Memory, Outcome, PIECE};
use crate::{clean, gc, rc};

pub struct State {
    pub gc: gc::state::State,
    pub base: base::state::State,
    pub clean: clean::state::State,
}

impl State {
    pub const fn new() -> State {
        State { gc: gc::state::State::EMPTY, base: base::state::State::EMPTY, clean: clean::state::State::EMPTY }
    }
}

impl Default for State {
    fn default() -> State {
        State::new()
    }
}

/// Memory, host and the runtime's state together: what a target provides.
#[allow(clippy::result_unit_err)]
pub trait Context: Memory + Host {
    fn state(&self) -> &State;
    fn state_mut(&mut self) -> &mut State;

    // References in frames of the machine, for a host that has such. During a collection they are on the shadow stack.

    /// Pushes all of them below `sp`; the new shadow-stack pointer.
    #[inline(always)]
    fn copy_in_machine_roots(&mut self, sp: u32) -> u32 {
        sp
    }
    /// Takes back what `copy_in_machine_roots` has pushed, wherever the objects are now; `lifted` is what it returned.
    #[inline(always)]
    fn copy_out_machine_roots(&mut self, _lifted: u32, _sp: u32) {}

    // What a target can leave out of programs that do not need it: see the traits of the rooms.

    #[inline(always)]
    fn make_eden(&mut self) -> Outcome<(), Self>
    where
        Self: Sized,
    {
        gc::heap::make_eden(self)
    }
    #[inline(always)]
    fn incremental(&mut self)
    where
        Self: Sized,
    {
        gc::incremental::perform(self);
    }
    #[inline(always)]
    fn cycles(&mut self, work: CycleWork)
    where
        Self: Sized,
    {
        rc::cycles::perform(self, work);
    }
    #[inline(always)]
    fn read_options(&mut self) -> Outcome<(), Self>
    where
        Self: Sized,
    {
        options::read(self)
    }
    #[inline(always)]
    fn show_reports(&mut self)
    where
        Self: Sized,
    {
        report::show(self);
    }
    #[inline(always)]
    fn flush_files(&mut self)
    where
        Self: Sized,
    {
        stream::flush_all(self);
    }
    #[inline(always)]
    fn show_rc_stats(&mut self)
    where
        Self: Sized,
    {
        report::show_rc_stats(self);
    }

    // Bytes between buffers of the state, the program's memory and files. A target whose state lies in that memory
    // needs no copy on the way.

    fn memory_to_state(&mut self, address: u32, place: impl Fn(&mut State) -> Option<&mut [u8]>) {
        let mut piece = [0; PIECE];
        let length = place(self.state_mut()).map_or(0, |place| place.len());
        let mut done = 0;
        while done < length {
            let now = (length - done).min(PIECE);
            let bytes = piece.get_mut(..now).unwrap_or_default();
            self.read_bytes(address + done as u32, bytes);
            if let Some(to) = place(self.state_mut()).and_then(|place| place.get_mut(done..done + now)) {
                to.copy_from_slice(bytes);
            }
            done += now;
        }
    }
    fn state_to_memory(&mut self, address: u32, place: impl Fn(&State) -> Option<&[u8]>) {
        let mut piece = [0; PIECE];
        let length = place(self.state()).map_or(0, <[u8]>::len);
        let mut done = 0;
        while done < length {
            let now = (length - done).min(PIECE);
            let bytes = piece.get_mut(..now).unwrap_or_default();
            if let Some(from) = place(self.state()).and_then(|place| place.get(done..done + now)) {
                bytes.copy_from_slice(from);
            }
            self.write_bytes(address + done as u32, bytes);
            done += now;
        }
    }
    fn read_to_state(&mut self, file: u32, place: impl Fn(&mut State) -> &mut [u8]) -> Io<usize> {
        let mut piece = [0; PIECE];
        let room = place(self.state_mut()).len().min(PIECE);
        let count = self.read(file, piece.get_mut(..room).unwrap_or_default())?;
        if let (Some(to), Some(from)) = (place(self.state_mut()).get_mut(..count), piece.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
    /// Writes some bytes of a place, from `from` on.
    fn write_from_state(&mut self, file: u32, from: usize, place: impl Fn(&State) -> Option<&[u8]>) -> Io<usize> {
        let mut piece = [0; PIECE];
        let rest = place(self.state()).and_then(|place| place.get(from..)).unwrap_or_default();
        let count = rest.len().min(PIECE);
        let (Some(to), Some(bytes)) = (piece.get_mut(..count), rest.get(..count)) else { return Err(()) };
        to.copy_from_slice(bytes);
        self.write(file, to)
    }
}

impl<C: Context> gc::Context for C {
    #[inline(always)]
    fn gc(&self) -> &gc::state::State {
        &self.state().gc
    }
    #[inline(always)]
    fn gc_mut(&mut self) -> &mut gc::state::State {
        &mut self.state_mut().gc
    }
    #[inline(always)]
    fn copy_in_machine_roots(&mut self, sp: u32) -> u32 {
        Context::copy_in_machine_roots(self, sp)
    }
    #[inline(always)]
    fn copy_out_machine_roots(&mut self, lifted: u32, sp: u32) {
        Context::copy_out_machine_roots(self, lifted, sp);
    }
    #[inline(always)]
    fn make_eden(&mut self) -> Outcome<(), C> {
        Context::make_eden(self)
    }
    #[inline(always)]
    fn incremental(&mut self) {
        Context::incremental(self);
    }
    #[inline(always)]
    fn cycles(&mut self, work: CycleWork) {
        Context::cycles(self, work);
    }
    fn show_collection(&mut self, sp: u32) {
        console::show_collection(self, sp);
    }
    #[inline(always)]
    fn after_collection(&mut self) {
        console::after_collection(self);
    }
    #[inline(always)]
    fn heap_full<T>(&mut self) -> Outcome<T, C> {
        error::heap_full(self)
    }
    #[cold]
    fn heap_defect<T>(&mut self, what: &[u8], at: u32, value: u32) -> Outcome<T, C> {
        let mut line = Line::new();
        line.push_all(b"cleave: heap check failed: ");
        line.push_all(what);
        for (text, number) in [(&b" at "[..], at), (b": ", value)] {
            line.push_all(text);
            line.push_unsigned(u64::from(number));
        }
        line.push(b'\n');
        console::message(self, line.bytes());
        error::halt(self)
    }
}

impl<C: Context> base::Context for C {
    #[inline(always)]
    fn base(&self) -> &base::state::State {
        &self.state().base
    }
    #[inline(always)]
    fn base_mut(&mut self) -> &mut base::state::State {
        &mut self.state_mut().base
    }
    #[inline(always)]
    fn options_mut(&mut self) -> (&mut gc::state::Options, &mut base::state::Options) {
        let state = self.state_mut();
        (&mut state.gc.options, &mut state.base.options)
    }
    #[inline(always)]
    fn chosen_status(&mut self) -> u32 {
        variables::return_code(self)
    }
    #[inline(always)]
    fn read_options(&mut self) -> Outcome<(), C> {
        Context::read_options(self)
    }
    #[inline(always)]
    fn show_reports(&mut self) {
        Context::show_reports(self);
    }
    #[inline(always)]
    fn flush_files(&mut self) {
        Context::flush_files(self);
    }
    #[inline(always)]
    fn show_rc_stats(&mut self) {
        Context::show_rc_stats(self);
    }
    #[inline(always)]
    fn memory_to_state(&mut self, address: u32, place: impl Fn(&mut base::state::State) -> Option<&mut [u8]>) {
        Context::memory_to_state(self, address, |state| place(&mut state.base));
    }
    #[inline(always)]
    fn state_to_memory(&mut self, address: u32, place: impl Fn(&base::state::State) -> Option<&[u8]>) {
        Context::state_to_memory(self, address, |state| place(&state.base));
    }
    #[inline(always)]
    fn read_to_state(&mut self, file: u32, place: impl Fn(&mut base::state::State) -> &mut [u8]) -> Io<usize> {
        Context::read_to_state(self, file, |state| place(&mut state.base))
    }
    #[inline(always)]
    fn write_from_state(
        &mut self,
        file: u32,
        from: usize,
        place: impl Fn(&base::state::State) -> Option<&[u8]>,
    ) -> Io<usize> {
        Context::write_from_state(self, file, from, |state| place(&state.base))
    }
}

impl<C: Context> clean::Context for C {
    #[inline(always)]
    fn clean(&self) -> &clean::state::State {
        &self.state().clean
    }
    #[inline(always)]
    fn clean_mut(&mut self) -> &mut clean::state::State {
        &mut self.state_mut().clean
    }
}
