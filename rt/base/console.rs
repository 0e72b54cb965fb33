//! Standard output, buffered, and standard error, not buffered.
//!
//! Standard output is flushed at the end of the program, before a message on standard error and before standard input
//! is read. A failed write is remembered for `errorF` and otherwise ignored, as C does.
//!
//! Lines. An engine that stops a program for a fault (its stack is used up) leaves no chance to write what is buffered.
//! So a line is written when its newline is printed: always on a terminal, and elsewhere if the host says that faults
//! lose output (`Host::FAULTS_LOSE_OUTPUT`) as long as the program has credit, which is `LINES` at the beginning. A
//! collection writes what is there, and gives `LINES_PER_COLLECTION` lines of credit back: the filling of a nursery
//! takes a program as long as some hundred writes, so lines cost a program that prints much at most a few percent.
//! No clock is asked, hence the same program writes the same pieces each time.

use crate::base::Context;
use crate::base::decimal::Line;
use crate::base::state::{Flush, STDOUT_BUFFER, State};
use crate::platform::Host;

pub const STDIN: u32 = 0;
pub const STDOUT: u32 = 1;
pub const STDERR: u32 = 2;

/// Bytes moved at a time between the program's memory and a buffer.
pub const CHUNK: usize = 256;

/// Lines that are written one by one at the beginning, and the most that a program has credit for.
pub const LINES: u32 = 1000;
/// Lines that a collection adds to the credit.
pub const LINES_PER_COLLECTION: u32 = 20;
/// Credit that is never used up.
const ALL_LINES: u32 = u32::MAX;

/// Decides when lines are written.
pub fn start<C: Context>(c: &mut C) {
    let wanted = c.base().options.flush;
    let credit = match wanted {
        Flush::Line => ALL_LINES,
        _ if c.is_terminal(STDOUT) => ALL_LINES,
        Flush::Usual if C::FAULTS_LOSE_OUTPUT => LINES,
        _ => 0,
    };
    let buffer = &mut c.base_mut().stdout;
    buffer.keeps_lines = credit != 0;
    buffer.line_credit = credit;
}

/// A collection has taken place.
#[inline(never)]
pub fn after_collection<C: Context>(c: &mut C) {
    if c.base().stdout.keeps_lines {
        flush(c);
        let credit = &mut c.base_mut().stdout.line_credit;
        *credit = (*credit).max(LINES.min(credit.saturating_add(LINES_PER_COLLECTION)));
    }
}

/// A newline has been printed.
#[inline(never)]
fn end_line<C: Context>(c: &mut C) {
    let credit = &mut c.base_mut().stdout.line_credit;
    if *credit != 0 {
        if *credit != ALL_LINES {
            *credit -= 1;
        }
        flush(c);
    }
}

/// Ends a line if one of the last `length` bytes of the buffer is a newline.
#[inline(never)]
#[expect(clippy::manual_contains, reason = "its code is as large as the rest of this file")]
fn end_lines<C: Context>(c: &mut C, length: usize) {
    let buffer = &c.base().stdout;
    if buffer.line_credit != 0 {
        let text = buffer.bytes.get(buffer.used.saturating_sub(length)..buffer.used).unwrap_or_default();
        if text.iter().any(|&byte| byte == b'\n') {
            end_line(c);
        }
    }
}

#[inline(never)]
pub fn put_byte<C: Context>(c: &mut C, byte: u8) {
    if c.base().stdout.used >= STDOUT_BUFFER {
        flush(c);
    }
    let buffer = &mut c.base_mut().stdout;
    if let Some(place) = buffer.bytes.get_mut(buffer.used) {
        *place = byte;
        buffer.used += 1;
    }
    if byte == b'\n' {
        end_line(c);
    }
}

pub fn put<C: Context>(c: &mut C, text: &[u8]) {
    let mut text = text;
    loop {
        let buffer = &mut c.base_mut().stdout;
        let count = text.len().min(STDOUT_BUFFER.saturating_sub(buffer.used));
        let (now, later) = text.split_at(count);
        if let Some(place) = buffer.bytes.get_mut(buffer.used..buffer.used + count) {
            place.copy_from_slice(now);
            buffer.used += count;
        }
        if later.is_empty() {
            return end_lines(c, count);
        }
        text = later;
        flush(c);
    }
}

/// Writes bytes of the program's memory.
pub fn put_memory<C: Context>(c: &mut C, address: u32, length: u32) {
    let mut done = 0;
    if length as usize >= STDOUT_BUFFER {
        flush(c);
        let written = write_memory(c, STDOUT, address, length);
        c.base_mut().stdout.failed |= !written;
        done = length;
    }
    while done < length {
        if c.base().stdout.used >= STDOUT_BUFFER {
            flush(c);
        }
        let used = c.base().stdout.used;
        let now = ((length - done) as usize).min(STDOUT_BUFFER - used);
        c.memory_to_state(address + done, |state| state.stdout.bytes.get_mut(used..used + now));
        c.base_mut().stdout.used = used + now;
        done += now as u32;
        if done == length {
            end_lines(c, now);
        }
    }
}

/// Writes a text block: a length and bytes.
pub fn put_text<C: Context>(c: &mut C, block: u32) {
    let length = c.load_u32(block);
    put_memory(c, block + 4, length);
}

#[inline(never)]
pub fn flush<C: Context>(c: &mut C) {
    let buffer = &mut c.base_mut().stdout;
    let used = buffer.used;
    if used == 0 {
        return;
    }
    buffer.used = 0;
    let written = write_state(c, STDOUT, |state| state.stdout.bytes.get(..used));
    c.base_mut().stdout.failed |= !written;
}

/// Writes a part of the state; false on failure.
pub fn write_state<C: Context>(c: &mut C, file: u32, place: impl Fn(&State) -> Option<&[u8]>) -> bool {
    let length = place(c.base()).map_or(0, <[u8]>::len);
    let mut done = 0;
    while done < length {
        match c.write_from_state(file, done, &place) {
            Ok(count) if count > 0 => done += count,
            _ => return false,
        }
    }
    true
}

/// Writes everything; false on failure.
pub fn write_all<H: Host>(host: &mut H, file: u32, bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        match host.write(file, rest) {
            Ok(count) if count > 0 => rest = rest.get(count..).unwrap_or_default(),
            _ => return false,
        }
    }
    true
}

/// Pieces that are read or written past the buffer.
pub const LARGE: u32 = 1 << 20;

/// Writes bytes of the program's memory; false on failure.
pub fn write_memory<C: Context>(c: &mut C, descriptor: u32, address: u32, length: u32) -> bool {
    let mut done = 0;
    while done < length {
        match c.write_from_memory(descriptor, address + done, (length - done).min(LARGE)) {
            Ok(count) if count > 0 => done += count,
            _ => return false,
        }
    }
    true
}

/// Flushes standard output and writes a message to standard error.
pub fn message<C: Context>(c: &mut C, text: &[u8]) {
    flush(c);
    write_all(c, STDERR, text);
}

/// Writes bytes of the program's memory to standard error.
pub fn message_memory<C: Context>(c: &mut C, address: u32, length: u32) {
    for_each_chunk(c, address, length, |c, bytes| {
        write_all(c, STDERR, bytes);
    });
}

pub fn for_each_chunk<C: Context>(c: &mut C, address: u32, length: u32, mut action: impl FnMut(&mut C, &[u8])) {
    let mut chunk = [0; CHUNK];
    let mut done = 0;
    while done < length {
        let count = (length - done).min(CHUNK as u32);
        let bytes = &mut chunk[..count as usize & (2 * CHUNK - 1)];
        c.read_bytes(address + done, bytes);
        action(c, bytes);
        done += count;
    }
}

/// The line that `-gc` shows after each collection.
pub fn show_collection<C: Context>(c: &mut C, sp: u32) {
    let mut line = Line::new();
    line.push_all(b"Heap use after garbage collection: ");
    line.push_unsigned(c.gc().statistics.live_after_last);
    line.push_all(b" Bytes.\n");
    if c.base().options.show_stacks {
        line.push_all(b"A stack: ");
        line.push_unsigned(u64::from(c.gc().stack_bytes(sp)));
        line.push_all(b" bytes.\n");
    }
    message(c, line.bytes());
}
