//! Libcalls for what surrounds a program: input, arguments, environment, whole files, the status at its end. Each that
//! takes or gives strings is there for both heaps; what differs is how a string is made.

use super::stream::{CONSOLE_INPUT, more, take_until};
use super::{console, error, input, report, value};
use crate::base::Context;
use crate::layout::{self, PROGRAM_HEAP_BASE};
use crate::platform::path::MAX_PATH;
use crate::platform::{OpenMode, Outcome, Whence};
use crate::rc;
use cleave_abi::rc as counted;

/// The strings of a heap.
#[derive(Clone, Copy)]
enum Strings {
    /// Of the garbage-collected heap, with the shadow-stack pointer: what is to survive is pushed.
    Traced(u32),
    Counted,
}
use Strings::{Counted, Traced};

impl Strings {
    /// Byte offsets of the length and of the first byte.
    fn offsets(self) -> (u32, u32) {
        match self {
            Traced(_) => (layout::STRING_LENGTH, layout::STRING_DATA),
            Counted => (counted::STRING_LENGTH, counted::STRING_DATA),
        }
    }

    /// Address and length of the bytes of a string.
    fn bytes<C: Context>(self, c: &C, string: u32) -> (u32, u32) {
        let (length, data) = self.offsets();
        (string + data, c.load_u32(string + length))
    }

    /// A new string whose bytes are not defined; another one survives that, and is given back where it is then.
    fn make<C: Context>(self, c: &mut C, length: u32, other: u32) -> Outcome<(u32, u32), C> {
        match self {
            Traced(sp) => {
                let sp = c.push(sp, other);
                let string = value::new_string(c, sp, length)?;
                Ok((string, c.load_u32(sp)))
            }
            Counted => Ok((rc::new_string(c, length)?, other)),
        }
    }

    /// A string of nothing.
    fn empty<C: Context>(self, c: &mut C) -> Outcome<u32, C> {
        match self {
            Traced(sp) => value::new_string(c, sp, 0),
            Counted => rc::new_string(c, 0),
        }
    }

    /// A part of a string that is not needed any more, as a string of its own.
    fn part<C: Context>(self, c: &mut C, of: u32, from: u32, length: u32) -> Outcome<u32, C> {
        let (part, of) = self.make(c, length, of)?;
        let data = self.offsets().1;
        c.copy_within(of + data + from, part + data, length);
        self.drop(c, of)?;
        Ok(part)
    }

    /// A string that was made here is not needed any more.
    fn drop<C: Context>(self, c: &mut C, string: u32) -> Outcome<(), C> {
        match self {
            Counted if string >= c.program(PROGRAM_HEAP_BASE) => {
                if c.gc().options.count_cells {
                    c.gc_mut().rc_stats.note(counted::EVENT_RELEASE, 0);
                }
                rc::release_last(c, string)
            }
            _ => Ok(()),
        }
    }
}

/// `exit`: as the end of the program, with a status.
pub fn exit<C: Context>(c: &mut C, status: i64) -> Outcome<(), C> {
    report::finish(c);
    Err(c.exit(status as u32 & 255))
}

/// `read_line`: with its new line; nothing at the end.
pub fn read_line<C: Context>(c: &mut C, sp: u32) -> Outcome<u32, C> {
    input::read_line(c, sp, CONSOLE_INPUT, false)
}

/// Bytes of a line at first; then as many again.
const LINE: u32 = 120;

/// `rc_read_line`
pub fn rc_read_line<C: Context>(c: &mut C) -> Outcome<u32, C> {
    let mut line = rc::new_string(c, LINE)?;
    let (mut room, mut length) = (LINE, 0);
    while more(c, CONSOLE_INPUT) {
        let (data, _) = Counted.bytes(c, line);
        let (count, ended) = take_until(c, CONSOLE_INPUT, data + length, room - length, |byte| byte == b'\n');
        length += count;
        if ended {
            break;
        }
        if length == room {
            let Some(double) = room.checked_mul(2) else { return error::heap_full(c) };
            line = rc::extend_string(c, line, double)?;
            room = double;
        }
    }
    Counted.part(c, line, 0, length)
}

/// The arguments of the program, after its name and the options of the runtime.
fn own_arguments<C: Context>(c: &mut C) -> (u32, u32) {
    let skipped = c.base().own_arguments.saturating_add(1);
    let count = c.arguments_size().0;
    (skipped, count.saturating_sub(skipped))
}

/// `argument_count`
pub fn argument_count<C: Context>(c: &mut C) -> Outcome<i64, C> {
    Ok(i64::from(own_arguments(c).1))
}

/// A string that holds a table of addresses, and the texts there, which end with 0; nothing if the host has none.
fn table<C: Context>(
    c: &mut C,
    strings: Strings,
    (count, bytes): (u32, u32),
    other: u32,
    load: impl FnOnce(&mut C, u32, u32) -> bool,
) -> Outcome<(Option<u32>, u32), C> {
    let Some(size) = count.checked_mul(4).and_then(|size| size.checked_add(bytes)) else {
        return error::heap_full(c);
    };
    let (table, other) = strings.make(c, size, other)?;
    let data = strings.bytes(c, table).0;
    if !load(c, data, data + 4 * count) {
        strings.drop(c, table)?;
        return Ok((None, other));
    }
    Ok((Some(table), other))
}

/// Where a text of a table begins, from the start of the string, and its length.
fn text<C: Context>(c: &C, strings: Strings, table: u32, index: u32) -> (u32, u32) {
    let (data, size) = strings.bytes(c, table);
    let from = c.load_u32(data + 4 * index).wrapping_sub(data).min(size);
    let length = (from..size).take_while(|&at| c.load_u8(data + at) != 0).count();
    (from, length as u32)
}

fn argument_of<C: Context>(c: &mut C, strings: Strings, index: i64) -> Outcome<u32, C> {
    let (skipped, count) = own_arguments(c);
    if index as u64 >= u64::from(count) {
        error::index_error(c)?;
    }
    let size = c.arguments_size();
    // An object that never moves: there is nothing else to keep.
    let empty = c.program(layout::PROGRAM_EMPTY);
    match table(c, strings, size, empty, |c, table, texts| c.load_arguments(table, texts))?.0 {
        Some(table) => {
            let (from, length) = text(c, strings, table, skipped + index as u32);
            strings.part(c, table, from, length)
        }
        None => strings.empty(c),
    }
}

/// `argument`: from 0 on.
pub fn argument<C: Context>(c: &mut C, sp: u32, index: i64) -> Outcome<u32, C> {
    argument_of(c, Traced(sp), index)
}

/// `rc_argument`
pub fn rc_argument<C: Context>(c: &mut C, index: i64) -> Outcome<u32, C> {
    argument_of(c, Counted, index)
}

/// Is a text of a table `NAME=…`?
fn has_name<C: Context>(c: &C, text: u32, (name, length): (u32, u32)) -> bool {
    (0..length).all(|at| c.load_u8(text + at) == c.load_u8(name + at)) && c.load_u8(text + length) == u32::from(b'=')
}

fn variable_of<C: Context>(c: &mut C, strings: Strings, name: u32) -> Outcome<u32, C> {
    let size = c.environment_size();
    let (found, name) = table(c, strings, size, name, |c, table, texts| c.load_environment(table, texts))?;
    let Some(table) = found else { return strings.empty(c) };
    let name = strings.bytes(c, name);
    for index in 0..size.0 {
        let (from, length) = text(c, strings, table, index);
        let data = strings.bytes(c, table).0;
        if length > name.1 && has_name(c, data + from, name) {
            return strings.part(c, table, from + name.1 + 1, length - name.1 - 1);
        }
    }
    strings.drop(c, table)?;
    strings.empty(c)
}

/// `environment`: the value of a variable; nothing if there is none.
pub fn environment<C: Context>(c: &mut C, sp: u32, name: u32) -> Outcome<u32, C> {
    variable_of(c, Traced(sp), name)
}

/// `rc_environment`
pub fn rc_environment<C: Context>(c: &mut C, name: u32) -> Outcome<u32, C> {
    variable_of(c, Counted, name)
}

/// Opens the file of a name.
fn open<C: Context>(c: &mut C, strings: Strings, name: u32, mode: OpenMode) -> Option<u32> {
    let (data, length) = strings.bytes(c, name);
    let mut path = [0; MAX_PATH];
    let path = path.get_mut(..length as usize)?;
    c.read_bytes(data, path);
    Some(c.open(path, mode).ok()?.0)
}

fn contents<C: Context>(c: &mut C, strings: Strings, name: u32) -> Outcome<(u32, i64), C> {
    let Some(file) = open(c, strings, name, OpenMode::Read) else { return Ok((strings.empty(c)?, 0)) };
    let size = c.seek(file, 0, Whence::End).and_then(|size| c.seek(file, 0, Whence::Start).map(|_| size));
    let Some(size) = size.ok().and_then(|size| u32::try_from(size).ok()) else {
        _ = c.close(file);
        return Ok((strings.empty(c)?, 0));
    };
    let empty = c.program(layout::PROGRAM_EMPTY);
    let (string, _) = strings.make(c, size, empty)?;
    let data = strings.bytes(c, string).0;
    let mut done = 0;
    while done < size {
        match c.read_to_memory(file, data + done, (size - done).min(console::LARGE)) {
            Ok(count) if count > 0 => done += count,
            _ => break,
        }
    }
    _ = c.close(file);
    if done < size {
        strings.drop(c, string)?;
        return Ok((strings.empty(c)?, 0));
    }
    Ok((string, 1))
}

/// `read_file`
pub fn read_file<C: Context>(c: &mut C, sp: u32, name: u32) -> Outcome<(u32, i64), C> {
    contents(c, Traced(sp), name)
}

/// `rc_read_file`
pub fn rc_read_file<C: Context>(c: &mut C, name: u32) -> Outcome<(u32, i64), C> {
    contents(c, Counted, name)
}

fn write<C: Context>(c: &mut C, strings: Strings, name: u32, contents: u32) -> Outcome<i64, C> {
    let Some(file) = open(c, strings, name, OpenMode::Write) else { return Ok(0) };
    let (data, length) = strings.bytes(c, contents);
    let is_written = console::write_memory(c, file, data, length);
    Ok(i64::from(c.close(file).is_ok() && is_written))
}

/// `write_file`
pub fn write_file<C: Context>(c: &mut C, name: u32, contents: u32) -> Outcome<i64, C> {
    write(c, Traced(0), name, contents)
}

/// `rc_write_file`
pub fn rc_write_file<C: Context>(c: &mut C, name: u32, contents: u32) -> Outcome<i64, C> {
    write(c, Counted, name, contents)
}
