//! Run-time errors of Clean programs, in the words of Clean's own run-time system.

use crate::base::console;
use crate::base::error::{fail_with, stop_with};
use crate::clean::Context;
use crate::platform::Outcome;

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
