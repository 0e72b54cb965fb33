//! Run-time errors: a message, and exit status 255.

use crate::base::Context;
use crate::base::console;
use crate::base::report;
use crate::layout::{STRING_DATA, STRING_LENGTH};
use crate::platform::Outcome;

pub const FAILURE: u32 = 255;

/// The libcall `halt`.
pub fn stop<C: Context>(c: &mut C) -> Outcome<(), C> {
    halt(c)
}

/// The last step of every error. A status that the program has set is kept.
#[cold]
pub fn halt<T, C: Context>(c: &mut C) -> Outcome<T, C> {
    report::finish(c);
    let chosen = c.chosen_status();
    Err(c.exit(if chosen != 0 { chosen } else { FAILURE }))
}

/// The normal end of a program.
pub fn end<C: Context>(c: &mut C) -> Outcome<(), C> {
    report::finish(c);
    match c.chosen_status() {
        0 => Ok(()),
        status => Err(c.exit(status)),
    }
}

/// A message on standard output, then the end.
#[cold]
pub fn stop_with<T, C: Context>(c: &mut C, text: &[u8]) -> Outcome<T, C> {
    console::put(c, text);
    halt(c)
}

/// A message on standard error, then the end.
#[cold]
pub fn fail_with<T, C: Context>(c: &mut C, text: &[u8]) -> Outcome<T, C> {
    console::message(c, text);
    halt(c)
}

pub fn heap_full<T, C: Context>(c: &mut C) -> Outcome<T, C> {
    fail_with(c, b"Heap full.\n")
}

/// The libcall `stack_overflow`. The words are those of executables.
#[cold]
pub fn stack_overflow<C: Context>(c: &mut C) -> Outcome<(), C> {
    fail_with(c, b"Stack overflow.\n")
}

/// The words are those of executables (`sys/native/faults.rs`), where the processor finds it.
pub fn check_division<C: Context>(c: &mut C, dividend: i64, divisor: i64) -> Outcome<(), C> {
    match (dividend, divisor) {
        (_, 0) => fail_with(c, b"Integer division by zero.\n"),
        (i64::MIN, -1) => fail_with(c, b"Integer overflow in division.\n"),
        _ => Ok(()),
    }
}

/// Code that has no meaning here is reached; the text block says which.
pub fn unavailable<C: Context>(c: &mut C, text: u32) -> Outcome<(), C> {
    console::flush(c);
    let length = c.load_u32(text);
    console::message_memory(c, text + 4, length);
    halt(c)
}

/// An error that the program has found itself.
pub fn panic<C: Context>(c: &mut C, message: u32) -> Outcome<(), C> {
    console::flush(c);
    let length = c.load_u32(message + STRING_LENGTH);
    console::message_memory(c, message + STRING_DATA, length);
    fail_with(c, b"\n")
}

/// Nobody handles an exception; the text block is the name of its constructor.
pub fn uncaught<C: Context>(c: &mut C, text: u32) -> Outcome<(), C> {
    nobody(c, b"Uncaught exception: ", text)
}

/// Nobody handles an effect; the text block is the name of its constructor.
pub fn unhandled<C: Context>(c: &mut C, text: u32) -> Outcome<(), C> {
    nobody(c, b"Unhandled effect: ", text)
}

fn nobody<C: Context>(c: &mut C, what: &[u8], text: u32) -> Outcome<(), C> {
    console::flush(c);
    console::message(c, what);
    let length = c.load_u32(text);
    console::message_memory(c, text + 4, length);
    fail_with(c, b"\n")
}

pub fn index_error<C: Context>(c: &mut C) -> Outcome<(), C> {
    stop_with(c, b"Run Time Error: index out of range\n")
}
