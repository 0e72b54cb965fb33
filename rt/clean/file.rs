//! Unique files: the console, standard error, and files opened with `openF`.
//!
//! A file is a number and a position word, which is -1 here and used by shared files only (`shared.rs`). Number 0 is
//! standard error, 1 the console, others are entries of the table in the state. Messages are Clean's. Booleans are 0
//! and 1 (Clean's own 64-bit system returns -1 in places, which compiled code misunderstands).

use crate::base::console::{self, STDERR, STDOUT};
use crate::base::decimal::{format_int, format_real};
use crate::base::error::fail_with;
use crate::base::input;
use crate::base::state::MAX_FILES;
use crate::base::stream::{self, CONSOLE_INPUT, file};
use crate::clean::Context;
use crate::clean::error::io_error;
use crate::clean::ffi::path;
use crate::layout::*;
use crate::platform::path::MAX_PATH;
use crate::platform::{FileIdentity, FileKind, OpenMode, Outcome, Whence};

pub const FIRST_FILE: i64 = stream::FIRST_FILE as i64;
const STDERR_FILE: i64 = 0;
const CONSOLE: i64 = 1;
/// The position word of a unique file.
const NO_POSITION: i64 = -1;

// Modes of `openF`.
pub const READ_TEXT: u32 = 0;
pub const WRITE_TEXT: u32 = 1;
pub const APPEND_TEXT: u32 = 2;
pub const READ_DATA: u32 = 3;
pub const WRITE_DATA: u32 = 4;
pub const APPEND_DATA: u32 = 5;

pub fn is_input(mode: u32) -> bool {
    mode == READ_TEXT || mode == READ_DATA
}
pub fn is_data(mode: u32) -> bool {
    mode >= READ_DATA
}

/// Index of an open file in the table, if the number is that of one.
pub fn open_file<C: Context>(c: &C, number: i64) -> Option<usize> {
    let index = usize::try_from(number).ok()?;
    (number >= FIRST_FILE && c.base().files.get(index)?.open).then_some(index)
}

/// A file to read from, as index in the table: the console or an input file.
fn readable<C: Context>(c: &mut C, number: i64, function: &[u8]) -> Outcome<usize, C> {
    match number {
        STDERR_FILE => io_error(c, function, b"can't read from StdErr"),
        CONSOLE => Ok(CONSOLE_INPUT),
        _ => match open_file(c, number) {
            None => io_error(c, function, b"can't open this file"),
            Some(index) if is_input(file(c, index).mode) => Ok(index),
            Some(_) => io_error(c, function, b"read from an output file"),
        },
    }
}

// -- opening and closing ----------------------------------------------------------------------------------------------

pub fn stdio<C: Context>(c: &mut C) -> Outcome<(i64, i64), C> {
    if c.base().stdio_open {
        return io_error(c, b"stdio", b"already open");
    }
    c.base_mut().stdio_open = true;
    Ok((CONSOLE, NO_POSITION))
}

pub fn stderr<C: Context>(_: &mut C) -> Outcome<(i64, i64), C> {
    Ok((STDERR_FILE, NO_POSITION))
}

pub fn open<C: Context>(c: &mut C, name: u32, mode: i64) -> Outcome<(i64, i64, i64), C> {
    if !(0..=5).contains(&mode) {
        return io_error(c, b"FOpen", b"invalid file mode");
    }
    Ok(match open_in_table(c, name, mode as u32, true)? {
        Some(index) => (1, index as i64, NO_POSITION),
        None => (0, -1, NO_POSITION),
    })
}

/// Opens a file, or finds it when it is shared already; nothing if that fails.
pub fn open_in_table<C: Context>(c: &mut C, name: u32, mode: u32, unique: bool) -> Outcome<Option<usize>, C> {
    let function: &[u8] = if unique { b"FOpen" } else { b"SFOpen" };
    let mut buffer = [0; MAX_PATH];
    let length = c.load_u32(name + STRING_LENGTH) as usize;
    let Some(bytes) = buffer.get_mut(..length) else { return Ok(None) };
    c.read_bytes(name + STRING_DATA, bytes);
    // A name ends at the first NUL, as in C.
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let Ok(path) = path::resolve(c, text) else { return Ok(None) };
    // Before it is opened, because opening may empty it.
    if let Ok(status) = c.file_status(path.bytes(), true)
        && status.kind == FileKind::Regular
    {
        let identity = FileIdentity { device: status.device, number: status.number };
        if let Some(other) = already_open(c, identity, mode, unique)? {
            return Ok(Some(other));
        }
    }
    let Some(index) = free_entry(c) else { return io_error(c, function, b"too many files") };
    let Ok((descriptor, identity)) = c.open(path.bytes(), open_mode(mode)) else { return Ok(None) };
    if identity != FileIdentity::default()
        && let Some(other) = already_open(c, identity, mode, unique)?
    {
        let _ = c.close(descriptor);
        return Ok(Some(other));
    }
    let used = &mut c.base_mut().files_used;
    *used = (*used).max(index + 1);
    let entry = file(c, index);
    entry.open = true;
    entry.unique = unique;
    entry.descriptor = descriptor;
    entry.identity = identity;
    entry.path = path;
    start_file(c, index, mode);
    Ok(Some(index))
}

/// Finds a file among those that are open. Only shared files may be opened again, and only in the same mode.
fn already_open<C: Context>(c: &mut C, identity: FileIdentity, mode: u32, unique: bool) -> Outcome<Option<usize>, C> {
    for index in FIRST_FILE as usize..MAX_FILES {
        let entry = file(c, index);
        if entry.open && entry.identity == identity {
            return match (unique, entry.unique) {
                (true, _) => io_error(c, b"FOpen", b"file already open"),
                (false, true) => io_error(c, b"SFOpen", b"file already opened by FOpen"),
                _ if entry.mode != mode => io_error(c, b"SFOpen", b"file already open in another file mode"),
                _ => Ok(Some(index)),
            };
        }
    }
    Ok(None)
}

/// The entry after the last one in use; when that is the end of the table, the first that is free.
fn free_entry<C: Context>(c: &mut C) -> Option<usize> {
    let all = FIRST_FILE as usize..MAX_FILES;
    let after = all.clone().rev().find(|index| file(c, *index).open).map_or(FIRST_FILE as usize, |last| last + 1);
    if after < MAX_FILES { Some(after) } else { all.into_iter().find(|index| !file(c, *index).open) }
}

fn open_mode(mode: u32) -> OpenMode {
    match mode {
        READ_TEXT | READ_DATA => OpenMode::Read,
        WRITE_TEXT | WRITE_DATA => OpenMode::Write,
        _ => OpenMode::Update,
    }
}

/// Prepares the entry of a file that has just been opened: its length, and the end of it for appending.
fn start_file<C: Context>(c: &mut C, index: usize, mode: u32) {
    let descriptor = file(c, index).descriptor;
    let mut offset = 0;
    let mut length = 0;
    if open_mode(mode) != OpenMode::Write {
        // What cannot seek (a pipe, a folder) has no length.
        length = c.seek(descriptor, 0, Whence::End).unwrap_or(0);
        if mode == APPEND_TEXT || mode == APPEND_DATA {
            offset = length;
        } else {
            let _ = c.seek(descriptor, 0, Whence::Start);
        }
    }
    let entry = file(c, index);
    entry.mode = mode;
    entry.length = length;
    entry.failed = false;
    entry.buffer_offset = offset;
    entry.next = 0;
    entry.end = 0;
    entry.writing = false;
    entry.shared_position = -2;
    entry.first_position = -1;
}

pub fn close<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<i64, C> {
    if number == CONSOLE {
        if !c.base().stdio_open {
            return io_error(c, b"fclose", b"file not open (stdio)");
        }
        c.base_mut().stdio_open = false;
        return Ok(i64::from(!console_failed(c)));
    }
    // Standard error, or a file that could not be opened.
    if number < FIRST_FILE {
        return Ok(1);
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"FClose", b"File not open") };
    let written = stream::flush(c, index);
    let entry = file(c, index);
    entry.open = false;
    entry.next = 0;
    entry.end = 0;
    let descriptor = entry.descriptor;
    Ok(i64::from(c.close(descriptor).is_ok() && written))
}

pub fn reopen<C: Context>(c: &mut C, number: i64, _position: i64, mode: i64) -> Outcome<(i64, i64, i64), C> {
    if !(0..=5).contains(&mode) {
        return io_error(c, b"FReOpen", b"Invalid file mode");
    }
    let mode = mode as u32;
    if number < FIRST_FILE {
        if number == STDERR_FILE && is_input(mode) {
            return io_error(c, b"FReOpen", b"StdErr can't be opened for reading");
        }
        return Ok((1, number, NO_POSITION));
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"FReOpen", b"can't open file") };
    let written = stream::flush(c, index);
    let entry = file(c, index);
    let (descriptor, path) = (entry.descriptor, entry.path);
    let closed = c.close(descriptor).is_ok();
    match c.open(path.bytes(), open_mode(mode)) {
        Ok((descriptor, identity)) => {
            let entry = file(c, index);
            entry.descriptor = descriptor;
            entry.identity = identity;
            start_file(c, index, mode);
            Ok((i64::from(closed && written), number, NO_POSITION))
        }
        Err(()) => {
            file(c, index).open = false;
            io_error(c, b"FReOpen", b"can't open file")
        }
    }
}

// -- reading ----------------------------------------------------------------------------------------------------------

/// Bit that tells a character, NUL too, from the end of a file.
pub const CHARACTER: i64 = 256;

/// The next character and `CHARACTER`, or 0 at the end: the file itself stays as it is.
#[inline(always)]
pub fn read_char<C: Context>(c: &mut C, number: i64) -> Outcome<i64, C> {
    match stream::get_buffered(c, number) {
        Some(byte) => Ok(CHARACTER | i64::from(byte)),
        None => read_char_slowly(c, number),
    }
}

#[inline(never)]
fn read_char_slowly<C: Context>(c: &mut C, number: i64) -> Outcome<i64, C> {
    let source = readable(c, number, b"FReadC")?;
    Ok(stream::get(c, source).map_or(0, |byte| CHARACTER | i64::from(byte)))
}

pub fn read_int<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, i64, i64, i64), C> {
    let source = readable(c, number, b"FReadI")?;
    let data = is_data(file(c, source).mode);
    let (found, value) = input::read_int_of(c, source, data);
    Ok((i64::from(found), value, number, NO_POSITION))
}

pub fn read_real<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, f64, i64, i64), C> {
    let source = readable(c, number, b"FReadR")?;
    let data = is_data(file(c, source).mode);
    let (found, value) = input::read_real_of(c, source, data);
    Ok((i64::from(found), value, number, NO_POSITION))
}

pub fn read_string<C: Context>(
    c: &mut C,
    sp: u32,
    number: i64,
    _position: i64,
    count: i64,
) -> Outcome<(u32, i64, i64), C> {
    let source = readable(c, number, b"FReadS")?;
    Ok((input::read_string(c, sp, source, count)?, number, NO_POSITION))
}

/// Reads into a part of an existing string.
pub fn read_substring<C: Context>(
    c: &mut C,
    string: u32,
    index: i64,
    count: i64,
    number: i64,
    _position: i64,
) -> Outcome<(u32, i64, i64, i64), C> {
    if !is_part(c, string, index, count) {
        return fail_with(c, b"Error in freadsubstring parameters.\n");
    }
    let source = readable(c, number, b"FReadS")?;
    let length = stream::get_many(c, source, string + STRING_DATA + index as u32, count as u32);
    Ok((string, i64::from(length), number, NO_POSITION))
}

/// Does a string have an index, and so many characters from there on?
fn is_part<C: Context>(c: &C, string: u32, index: i64, count: i64) -> bool {
    let length = u64::from(c.load_u32(string + STRING_LENGTH));
    (index as u64) < length && count as u64 <= length - index as u64
}

pub fn read_line<C: Context>(c: &mut C, sp: u32, number: i64, _position: i64) -> Outcome<(u32, i64, i64), C> {
    // Clean's own message for this case differs in its first letter from all others.
    if open_file(c, number).is_some_and(|index| !is_input(file(c, index).mode)) {
        return io_error(c, b"freadline", b"read from an output file");
    }
    let source = readable(c, number, b"FReadLine")?;
    let data = is_data(file(c, source).mode);
    Ok((input::read_line(c, sp, source, data)?, number, NO_POSITION))
}

// -- writing ----------------------------------------------------------------------------------------------------------

fn write<C: Context>(c: &mut C, number: i64, function: &[u8], text: &[u8]) -> Outcome<(i64, i64), C> {
    match number {
        STDERR_FILE => {
            console::write_all(c, STDERR, text);
        }
        CONSOLE => console::put(c, text),
        _ => match writable(c, number, function)? {
            Some(index) => stream::put(c, index, text),
            None => return io_error(c, function, b"can't open this file"),
        },
    }
    Ok((number, NO_POSITION))
}

/// A file in the table to write to.
fn writable<C: Context>(c: &mut C, number: i64, function: &[u8]) -> Outcome<Option<usize>, C> {
    match open_file(c, number) {
        Some(index) if is_input(file(c, index).mode) => io_error(c, function, b"write to an input file"),
        other => Ok(other),
    }
}

/// Is it an open data file? Those take numbers in binary.
fn writes_data<C: Context>(c: &mut C, number: i64) -> bool {
    open_file(c, number).is_some_and(|index| is_data(file(c, index).mode))
}

#[inline(always)]
pub fn write_char<C: Context>(c: &mut C, character: i64, number: i64) -> Outcome<(), C> {
    if stream::put_buffered(c, number, character as u8) { Ok(()) } else { write_char_slowly(c, character, number) }
}

#[inline(never)]
fn write_char_slowly<C: Context>(c: &mut C, character: i64, number: i64) -> Outcome<(), C> {
    if number == CONSOLE {
        console::put_byte(c, character as u8);
        return Ok(());
    }
    write(c, number, b"FWriteC", &[character as u8])?;
    Ok(())
}

pub fn write_int<C: Context>(c: &mut C, value: i64, number: i64, _position: i64) -> Outcome<(i64, i64), C> {
    if writes_data(c, number) {
        return write(c, number, b"FWriteI", &(value as i32).to_le_bytes());
    }
    write(c, number, b"FWriteI", format_int(value).bytes())
}

pub fn write_real<C: Context>(c: &mut C, value: f64, number: i64, _position: i64) -> Outcome<(i64, i64), C> {
    if writes_data(c, number) {
        return write(c, number, b"FWriteR", &value.to_le_bytes());
    }
    write(c, number, b"FWriteR", format_real(value).bytes())
}

pub fn write_string<C: Context>(c: &mut C, string: u32, number: i64, _position: i64) -> Outcome<(i64, i64), C> {
    let length = c.load_u32(string + STRING_LENGTH);
    write_memory(c, number, string + STRING_DATA, length)
}

pub fn write_substring<C: Context>(
    c: &mut C,
    string: u32,
    index: i64,
    count: i64,
    number: i64,
    _position: i64,
) -> Outcome<(i64, i64), C> {
    if !is_part(c, string, index, count) {
        return fail_with(c, b"Error in fwritesubstring parameters.\n");
    }
    write_memory(c, number, string + STRING_DATA + index as u32, count as u32)
}

fn write_memory<C: Context>(c: &mut C, number: i64, address: u32, length: u32) -> Outcome<(i64, i64), C> {
    // Checks the file even when there is nothing to write.
    write(c, number, b"FWriteS", b"")?;
    match number {
        STDERR_FILE => console::message_memory(c, address, length),
        CONSOLE => console::put_memory(c, address, length),
        _ => stream::put_memory(c, number as usize, address, length),
    }
    Ok((number, NO_POSITION))
}

// -- state ------------------------------------------------------------------------------------------------------------

/// Has console input or output failed?
fn console_failed<C: Context>(c: &mut C) -> bool {
    file(c, CONSOLE_INPUT).failed || c.base().stdout.failed
}

pub fn end<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, i64, i64), C> {
    if number < FIRST_FILE {
        return io_error(c, b"FEnd", b"not allowed for StdIO and StdErr");
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"FEnd", b"can't open file") };
    if !is_input(file(c, index).mode) {
        return io_error(c, b"FEnd", b"not allowed for output files");
    }
    Ok((i64::from(at_end(c, index)), number, NO_POSITION))
}

pub fn at_end<C: Context>(c: &mut C, index: usize) -> bool {
    !stream::more(c, index)
}

pub fn error<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, i64, i64), C> {
    let failed = match number {
        STDERR_FILE => false,
        CONSOLE => console_failed(c),
        _ => open_file(c, number).is_none_or(|index| file(c, index).failed),
    };
    Ok((i64::from(failed), number, NO_POSITION))
}

pub fn flush<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, i64, i64), C> {
    let done = match number {
        STDERR_FILE => true,
        CONSOLE => {
            console::flush(c);
            !c.base().stdout.failed
        }
        _ => open_file(c, number).is_some_and(|index| stream::flush(c, index)),
    };
    Ok((i64::from(done), number, NO_POSITION))
}

pub fn position<C: Context>(c: &mut C, number: i64, _position: i64) -> Outcome<(i64, i64, i64), C> {
    if number < FIRST_FILE {
        return io_error(c, b"FPosition", b"not allowed for StdIO and StdErr");
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"FPosition", b"can't open file") };
    Ok((stream::position(c, index), number, NO_POSITION))
}

pub fn whence(mode: i64) -> Option<Whence> {
    Some(match mode {
        0 => Whence::Start,
        1 => Whence::Current,
        2 => Whence::End,
        _ => return None,
    })
}

pub fn seek<C: Context>(c: &mut C, number: i64, _position: i64, offset: i64, mode: i64) -> Outcome<(i64, i64, i64), C> {
    let Some(whence) = whence(mode) else { return io_error(c, b"FSeek", b"invalid mode") };
    if number < FIRST_FILE {
        return io_error(c, b"FSeek", b"can't seek on StdIO and StdErr");
    }
    let Some(index) = open_file(c, number) else { return io_error(c, b"FSeek", b"can't open file") };
    Ok((i64::from(stream::seek(c, index, offset, whence)), number, NO_POSITION))
}

/// The number of standard output among the host's files is the console's too.
const _: () = assert!(STDOUT as i64 == CONSOLE && CONSOLE_INPUT as i64 == CONSOLE);
