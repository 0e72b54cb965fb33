//! `errno` and its messages: the numbers and words of Linux, which libraries of Clean know.

use super::memory;
use crate::base::decimal::Line;
use crate::clean::Context;
use crate::platform::Outcome;
pub use crate::platform::errno::*;

/// Numbers with their messages.
const MESSAGES: &[(u32, &[u8])] = &[
    (0, b"Success"),
    (1, b"Operation not permitted"),
    (ENOENT, b"No such file or directory"),
    (4, b"Interrupted system call"),
    (5, b"Input/output error"),
    (EBADF, b"Bad file descriptor"),
    (11, b"Resource temporarily unavailable"),
    (ENOMEM, b"Cannot allocate memory"),
    (EACCES, b"Permission denied"),
    (16, b"Device or resource busy"),
    (EEXIST, b"File exists"),
    (18, b"Invalid cross-device link"),
    (19, b"No such device"),
    (ENOTDIR, b"Not a directory"),
    (21, b"Is a directory"),
    (EINVAL, b"Invalid argument"),
    (23, b"Too many open files in system"),
    (24, b"Too many open files"),
    (26, b"Text file busy"),
    (27, b"File too large"),
    (28, b"No space left on device"),
    (29, b"Illegal seek"),
    (30, b"Read-only file system"),
    (31, b"Too many links"),
    (32, b"Broken pipe"),
    (ERANGE, b"Numerical result out of range"),
    (ENAMETOOLONG, b"File name too long"),
    (ENOSYS, b"Function not implemented"),
    (39, b"Directory not empty"),
    (40, b"Too many levels of symbolic links"),
    (95, b"Operation not supported"),
];

/// Bytes of the longest message.
const LONGEST: u32 = 64;

pub fn set<C: Context>(c: &mut C, number: u32) {
    let state = &mut c.clean_mut();
    state.errno = number;
    let cell = state.errno_cell;
    if cell != 0 {
        c.store_u32(cell, number);
    }
}

/// The C convention: 0, or -1 with `errno` set.
pub fn status<C: Context, T>(c: &mut C, result: Result<T, u32>) -> Outcome<i64, C> {
    value(c, result.map(|_| 0))
}

/// A value, or -1 with `errno` set.
pub fn value<C: Context>(c: &mut C, result: Result<i64, u32>) -> Outcome<i64, C> {
    Ok(result.unwrap_or_else(|number| {
        set(c, number);
        -1
    }))
}

/// A pointer, or the null pointer with `errno` set.
pub fn pointer<C: Context>(c: &mut C, result: Result<u32, u32>) -> Outcome<i64, C> {
    Ok(i64::from(result.unwrap_or_else(|number| {
        set(c, number);
        0
    })))
}

/// `__errno_location`
pub fn location<C: Context>(c: &mut C) -> Outcome<i64, C> {
    let known = c.clean().errno_cell;
    let cell = memory::permanent(c, known, 8);
    if cell != 0 && known == 0 {
        c.clean_mut().errno_cell = cell;
        let number = c.clean().errno;
        c.store_u32(cell, number);
    }
    Ok(i64::from(cell))
}

/// `strerror`: the text is overwritten by the next call.
pub fn strerror<C: Context>(c: &mut C, number: i64) -> Outcome<i64, C> {
    let known = c.clean().message;
    let place = memory::permanent(c, known, LONGEST);
    c.clean_mut().message = place;
    if place != 0 {
        match MESSAGES.iter().find(|message| i64::from(message.0) == number) {
            Some((_, text)) => memory::write_text(c, place, text),
            None => {
                let mut line = Line::new();
                line.push_all(b"Unknown error ");
                line.push_all(crate::base::decimal::format_int(number).bytes());
                memory::write_text(c, place, line.bytes());
            }
        }
    }
    Ok(i64::from(place))
}
