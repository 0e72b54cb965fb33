//! Shared files: opened with `openSF`, or made shareable with `shareF`; only for reading.
//!
//! Several values share one open file. Each carries its own position in the position word; the file is moved there
//! before an operation when the last one left it elsewhere. The word -1 stands for the position that the file had when
//! it became shared.

use super::file::{FIRST_FILE, READ_DATA, at_end, is_data, is_input, open_file, open_in_table, whence};
use crate::base::input;
use crate::base::stream::{self, file};
use crate::clean::Context;
use crate::clean::error::io_error;
use crate::platform::{Outcome, Whence};

pub fn share<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<(i64, i64), C> {
    if let Some(index) = open_file(c, number) {
        file(c, index).unique = false;
    }
    Ok((number, position))
}

pub fn open<C: Context>(c: &mut C, name: u32, mode: i64) -> Outcome<(i64, i64, i64), C> {
    if mode != 0 && mode != i64::from(READ_DATA) {
        return io_error(c, b"SFOpen", b"invalid file mode");
    }
    Ok(match open_in_table(c, name, mode as u32, false)? {
        Some(index) => (1, index as i64, 0),
        None => (0, -1, 0),
    })
}

/// Moves a shared file to the position of one of its values, for reading. Returns the index in the table.
fn at_position<C: Context>(
    c: &mut C,
    number: i64,
    position: i64,
    function: &[u8],
    advice: &[u8],
) -> Outcome<(usize, i64), C> {
    match number {
        0 => return io_error(c, function, b"can't read from StdErr"),
        1 => return io_error(c, function, advice),
        _ => {}
    }
    let Some(index) = open_file(c, number) else { return io_error(c, function, b"can't open this file") };
    if file(c, index).unique {
        return io_error(c, function, b"can't read from a unique file");
    }
    if !is_input(file(c, index).mode) {
        return io_error(c, function, b"read from an output file");
    }
    if file(c, index).shared_position == position {
        return Ok((index, position));
    }
    let wanted = resolve(c, index, position);
    if !stream::seek(c, index, wanted, Whence::Start) {
        return io_error(c, function, b"seek failed");
    }
    Ok((index, wanted))
}

/// The position that a position word means.
fn resolve<C: Context>(c: &mut C, index: usize, position: i64) -> i64 {
    if position != -1 {
        return position;
    }
    if file(c, index).first_position == -1 {
        let here = stream::position(c, index);
        file(c, index).first_position = here;
    }
    file(c, index).first_position
}

/// Remembers where the file is after an operation, and returns it as the new position word.
fn leave<C: Context>(c: &mut C, index: usize) -> i64 {
    let position = stream::position(c, index);
    file(c, index).shared_position = position;
    position
}

pub fn read_char<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<(i64, i64, i64, i64), C> {
    let (index, _) = at_position(c, number, position, b"SFReadC", b"can't read from StdIO, use FReadC")?;
    let byte = stream::get(c, index);
    let position = leave(c, index);
    Ok((i64::from(byte.is_some()), i64::from(byte.unwrap_or(0)), number, position))
}

pub fn read_int<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<(i64, i64, i64, i64), C> {
    let (index, _) = at_position(c, number, position, b"SFReadI", b"can't read from StdIO, use FReadI")?;
    let data = is_data(file(c, index).mode);
    let (found, value) = input::read_int_of(c, index, data);
    let position = leave(c, index);
    Ok((i64::from(found), value, number, position))
}

pub fn read_real<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<(i64, f64, i64, i64), C> {
    let (index, _) = at_position(c, number, position, b"SFReadR", b"can't read from StdIO, use FReadR")?;
    let data = is_data(file(c, index).mode);
    let (found, value) = input::read_real_of(c, index, data);
    let position = leave(c, index);
    Ok((i64::from(found), value, number, position))
}

pub fn read_string<C: Context>(
    c: &mut C,
    sp: u32,
    number: i64,
    position: i64,
    count: i64,
) -> Outcome<(u32, i64, i64), C> {
    let (index, _) = at_position(c, number, position, b"SFReadS", b"can't read from StdIO, use FReadS")?;
    let string = input::read_string(c, sp, index, count)?;
    Ok((string, number, leave(c, index)))
}

pub fn read_line<C: Context>(c: &mut C, sp: u32, number: i64, position: i64) -> Outcome<(u32, i64, i64), C> {
    let function = b"SFReadLine";
    let (index, _) = at_position(c, number, position, function, b"can't read from StdIO, use FReadLine")?;
    if is_data(file(c, index).mode) {
        return io_error(c, function, b"read from a data file");
    }
    let line = input::read_line(c, sp, index, false)?;
    Ok((line, number, leave(c, index)))
}

pub fn seek<C: Context>(c: &mut C, number: i64, position: i64, offset: i64, mode: i64) -> Outcome<(i64, i64, i64), C> {
    let function = b"SFSeek";
    match number {
        0 => return io_error(c, function, b"can't seek on StdIO"),
        1 => return io_error(c, function, b"can't seek on StdErr"),
        _ => {}
    }
    let Some(index) = open_file(c, number) else { return io_error(c, function, b"can't open file") };
    if file(c, index).unique {
        return io_error(c, function, b"can't seek on a unique file");
    }
    let Some(whence) = whence(mode) else { return io_error(c, function, b"invalid mode") };
    let here = resolve(c, index, position);
    let wanted = match whence {
        Whence::Start => offset,
        Whence::Current => here.wrapping_add(offset),
        Whence::End => (file(c, index).length as i64).wrapping_add(offset),
    };
    let done = stream::seek(c, index, wanted, Whence::Start);
    let position = if done { wanted } else { here };
    if done {
        file(c, index).shared_position = wanted;
    }
    Ok((i64::from(done), number, position))
}

pub fn end<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<i64, C> {
    if number < FIRST_FILE {
        return io_error(c, b"SFEnd", b"not allowed for StdIO and StdErr");
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"SFEnd", b"can't open file") };
    if !is_input(file(c, index).mode) {
        return io_error(c, b"SFEnd", b"not allowed for output files");
    }
    if file(c, index).unique {
        return Ok(i64::from(at_end(c, index)));
    }
    let here = resolve(c, index, position);
    Ok(i64::from(here == file(c, index).length as i64))
}

pub fn position<C: Context>(c: &mut C, number: i64, position: i64) -> Outcome<i64, C> {
    if number < FIRST_FILE {
        return io_error(c, b"SFPosition", b"not allowed for StdIO and StdErr");
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"SFPosition", b"can't open file") };
    if file(c, index).unique {
        return Ok(stream::position(c, index));
    }
    Ok(resolve(c, index, position))
}
