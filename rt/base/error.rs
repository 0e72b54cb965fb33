//! How a program ends early: messages in Clean's words, status 255.

use crate::base::console;
use crate::base::report;
use crate::clean::foreign::variables::return_code;
use crate::system::{Context, Outcome};

pub const FAILURE: u32 = 255;

/// The service `halt`.
pub fn stop<C: Context>(c: &mut C) -> Outcome<(), C> {
    halt(c)
}

/// The last step of every error. A status that the program has set is kept.
#[cold]
pub fn halt<T, C: Context>(c: &mut C) -> Outcome<T, C> {
    report::finish(c);
    let statuses = [return_code(c), c.state().options.failure_status, FAILURE];
    let status = statuses.into_iter().find(|status| *status != 0);
    Err(c.exit(status.unwrap_or(FAILURE)))
}

/// The normal end of a program.
pub fn end<C: Context>(c: &mut C) -> Outcome<(), C> {
    report::finish(c);
    match return_code(c) {
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

/// Clean's native program is killed; the words are those of our executables (`sys/native/faults.rs`).
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

/// Misuse of a file.
#[cold]
pub fn io_error<T, C: Context>(c: &mut C, function: &[u8], text: &[u8]) -> Outcome<T, C> {
    console::message(c, b"IO error: ");
    console::write_all(c, console::STDERR, function);
    console::write_all(c, console::STDERR, b": ");
    console::write_all(c, console::STDERR, text);
    fail_with(c, b"\n")
}

pub fn cycle_in_spine<C: Context>(c: &mut C) -> Outcome<(), C> {
    stop_with(c, b"Run Time Warning: cycle in spine detected\n")
}

/// No alternative of a function matched. The operands are addresses of text blocks.
pub fn match_error<C: Context>(c: &mut C, function: i64, module: i64) -> Outcome<(), C> {
    console::put(c, b"Run time error, rule '");
    console::put_text(c, function as u32);
    console::put(c, b"' in module '");
    console::put_text(c, module as u32);
    stop_with(c, b"' does not match\n")
}

pub fn selector_error<C: Context>(c: &mut C) -> Outcome<(), C> {
    stop_with(c, b"Run time error, selector does not match")
}

pub fn type_error<C: Context>(c: &mut C) -> Outcome<(), C> {
    stop_with(c, b"Run Time Error: type error\n")
}

pub fn index_error<C: Context>(c: &mut C) -> Outcome<(), C> {
    stop_with(c, b"Run Time Error: index out of range\n")
}
