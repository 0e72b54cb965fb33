//! The beginning of a program: options, shadow stack, heap.

use crate::layout::*;
use crate::system::{Context, Outcome};
use crate::{heap, options};

/// Prepares everything for the program whose record is at `program` and returns the first shadow-stack pointer.
pub fn prepare<C: Context>(c: &mut C, program: u32) -> Outcome<u32, C> {
    c.state_mut().program = program;
    let scratch = (c.program(PROGRAM_HEAP_BASE) + 7) & !7;
    options::read(c, scratch)?;
    prepare_with_options(c, program)
}

/// The same with the options that the state already holds.
pub fn prepare_with_options<C: Context>(c: &mut C, program: u32) -> Outcome<u32, C> {
    let state = c.state_mut();
    state.program = program;
    let wanted = match state.options.stack_size {
        0 => SHADOW_STACK_TOP,
        bytes => bytes.min(u64::from(SHADOW_STACK_TOP)) as u32 & !7,
    };
    // An embedder without the usual image sets the base itself.
    if state.stack_base == 0 {
        state.stack_base = wanted;
    }
    let sp = state.stack_base;
    if state.options.show_times {
        let now = c.clock_ns();
        c.state_mut().start_ns = now;
    }
    heap::initialize(c)?;
    Ok(sp)
}
