//! Standard output, buffered, and standard error, not buffered.
//!
//! Standard output is flushed at the end of the program, before a message on standard error and before standard input
//! is read. A failed write is remembered for `errorF` and otherwise ignored, as C does.

use crate::prim::decimal::Line;
use crate::state::{STDOUT_BUFFER, State};
use crate::system::{Context, Host};

pub const STDIN: u32 = 0;
pub const STDOUT: u32 = 1;
pub const STDERR: u32 = 2;

/// Bytes moved at a time between the program's memory and a buffer.
pub const CHUNK: usize = 256;

pub fn put_byte<C: Context>(c: &mut C, byte: u8) {
    if c.state().stdout.used >= STDOUT_BUFFER {
        flush(c);
    }
    let buffer = &mut c.state_mut().stdout;
    if let Some(place) = buffer.bytes.get_mut(buffer.used) {
        *place = byte;
        buffer.used += 1;
    }
}

pub fn put<C: Context>(c: &mut C, text: &[u8]) {
    let mut text = text;
    loop {
        let buffer = &mut c.state_mut().stdout;
        let count = text.len().min(STDOUT_BUFFER.saturating_sub(buffer.used));
        let (now, later) = text.split_at(count);
        if let Some(place) = buffer.bytes.get_mut(buffer.used..buffer.used + count) {
            place.copy_from_slice(now);
            buffer.used += count;
        }
        if later.is_empty() {
            return;
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
        let written = super::stream::write_memory(c, STDOUT, address, length);
        c.state_mut().stdout.failed |= !written;
        done = length;
    }
    while done < length {
        if c.state().stdout.used >= STDOUT_BUFFER {
            flush(c);
        }
        let used = c.state().stdout.used;
        let now = ((length - done) as usize).min(STDOUT_BUFFER - used);
        c.memory_to_state(address + done, |state| state.stdout.bytes.get_mut(used..used + now));
        c.state_mut().stdout.used = used + now;
        done += now as u32;
    }
}

/// Writes a text block: a length and bytes.
pub fn put_text<C: Context>(c: &mut C, block: u32) {
    let length = c.load_u32(block);
    put_memory(c, block + 4, length);
}

pub fn flush<C: Context>(c: &mut C) {
    let buffer = &mut c.state_mut().stdout;
    let used = buffer.used;
    if used == 0 {
        return;
    }
    buffer.used = 0;
    let written = write_state(c, STDOUT, |state| state.stdout.bytes.get(..used));
    c.state_mut().stdout.failed |= !written;
}

/// Writes a part of the state; false on failure.
pub fn write_state<C: Context>(c: &mut C, file: u32, place: impl Fn(&State) -> Option<&[u8]>) -> bool {
    let length = place(c.state()).map_or(0, <[u8]>::len);
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
pub fn report_collection<C: Context>(c: &mut C, sp: u32) {
    let mut line = Line::new();
    line.push_all(b"Heap use after garbage collection: ");
    line.push_unsigned(c.state().statistics.live_after_last);
    line.push_all(b" Bytes.\n");
    if c.state().options.show_stacks {
        line.push_all(b"A stack: ");
        line.push_unsigned(u64::from(c.state().stack_base.saturating_sub(sp)));
        line.push_all(b" bytes.\n");
    }
    message(c, line.bytes());
}
