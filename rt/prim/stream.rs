//! Buffered characters: standard input, and the files in the table of the state.
//!
//! A file's buffer holds either input (`bytes[next .. end]` not yet consumed) or output (`bytes[.. next]` not yet
//! written); Clean's modes never mix the two on one open file.

use super::console;
use crate::state::{FILE_BUFFER, File, INPUT_BUFFER};
use crate::system::{Context, Whence};

/// Where characters come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Console,
    /// Index in the table of files.
    File(usize),
}

pub fn file<C: Context>(c: &mut C, index: usize) -> &mut File {
    let files = &mut c.state_mut().files;
    // Callers have checked the index; the first entry is never used for a file.
    let index = if index < files.len() { index } else { 0 };
    &mut files[index]
}

/// The next character, or nothing at the end.
#[inline]
pub fn get<C: Context>(c: &mut C, source: Source) -> Option<u8> {
    loop {
        let (next, end, bytes) = match source {
            Source::Console => {
                let input = &mut c.state_mut().stdin;
                (&mut input.next, input.end, &input.bytes[..])
            }
            Source::File(index) => {
                let file = file(c, index);
                (&mut file.next, file.end, &file.bytes[..])
            }
        };
        if *next < end
            && let Some(byte) = bytes.get(*next)
        {
            *next += 1;
            return Some(*byte);
        }
        if !fill(c, source) {
            return None;
        }
    }
}

/// Gives back the character that was read last.
pub fn give_back<C: Context>(c: &mut C, source: Source) {
    let next = match source {
        Source::Console => &mut c.state_mut().stdin.next,
        Source::File(index) => &mut file(c, index).next,
    };
    *next = next.saturating_sub(1);
}

/// Reads the next piece into an empty buffer; false at the end.
#[inline(never)]
fn fill<C: Context>(c: &mut C, source: Source) -> bool {
    match source {
        Source::Console => {
            console::flush(c);
            let mut bytes = [0; INPUT_BUFFER];
            let count = c.read(console::STDIN, &mut bytes);
            let input = &mut c.state_mut().stdin;
            input.failed |= count.is_err();
            input.bytes = bytes;
            input.next = 0;
            input.end = count.unwrap_or(0).min(INPUT_BUFFER);
            input.end > 0
        }
        Source::File(index) => {
            let descriptor = file(c, index).descriptor;
            let mut bytes = [0; FILE_BUFFER];
            let count = c.read(descriptor, &mut bytes);
            let file = file(c, index);
            file.failed |= count.is_err();
            file.buffer_offset += file.end as u64;
            file.bytes = bytes;
            file.next = 0;
            file.end = count.unwrap_or(0).min(FILE_BUFFER);
            file.end > 0
        }
    }
}

/// Reads up to `count` characters into the program's memory and returns how many there were.
pub fn get_many<C: Context>(c: &mut C, source: Source, address: u32, count: u32) -> u32 {
    let mut done = 0;
    while done < count {
        // One character makes sure that the buffer holds something; the rest of it is moved in pieces.
        let Some(byte) = get(c, source) else { break };
        c.store_u8(address + done, u32::from(byte));
        done += 1;
        let mut piece = [0; console::CHUNK];
        loop {
            let wanted = ((count - done) as usize).min(piece.len());
            let taken = take(c, source, piece.get_mut(..wanted).unwrap_or_default());
            if taken == 0 {
                break;
            }
            c.write_bytes(address + done, piece.get(..taken).unwrap_or_default());
            done += taken as u32;
        }
    }
    done
}

/// Takes what the buffer holds, without reading more.
fn take<C: Context>(c: &mut C, source: Source, to: &mut [u8]) -> usize {
    let (next, end, bytes) = match source {
        Source::Console => {
            let input = &mut c.state_mut().stdin;
            (&mut input.next, input.end, &input.bytes[..])
        }
        Source::File(index) => {
            let file = file(c, index);
            (&mut file.next, file.end, &file.bytes[..])
        }
    };
    let from = bytes.get(*next..end).unwrap_or_default();
    let count = from.len().min(to.len());
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    *next += count;
    count
}

/// Appends output to a file's buffer.
pub fn put<C: Context>(c: &mut C, index: usize, text: &[u8]) {
    for byte in text {
        if file(c, index).next >= FILE_BUFFER {
            flush(c, index);
        }
        let file = file(c, index);
        file.writing = true;
        if let Some(place) = file.bytes.get_mut(file.next) {
            *place = *byte;
            file.next += 1;
        }
    }
}

/// Writes the buffered output of a file; false on failure.
pub fn flush<C: Context>(c: &mut C, index: usize) -> bool {
    let file = file(c, index);
    if !file.writing {
        return true;
    }
    let (descriptor, count, bytes) = (file.descriptor, file.next, file.bytes);
    file.writing = false;
    file.next = 0;
    file.end = 0;
    file.buffer_offset += count as u64;
    let written = console::write_all(c, descriptor, bytes.get(..count).unwrap_or_default());
    self::file(c, index).failed |= !written;
    written
}

/// Where the next character is read or written.
pub fn position<C: Context>(c: &mut C, index: usize) -> i64 {
    let file = file(c, index);
    file.buffer_offset as i64 + file.next as i64
}

/// Moves to a position; false if that is impossible. Within the buffer nothing is read again.
pub fn seek<C: Context>(c: &mut C, index: usize, offset: i64, whence: Whence) -> bool {
    flush(c, index);
    let here = position(c, index);
    let file = file(c, index);
    let offset = if whence == Whence::Current { here.wrapping_add(offset) } else { offset };
    if whence != Whence::End {
        let inside = offset.wrapping_sub(file.buffer_offset as i64);
        if inside >= 0 && inside <= file.end as i64 {
            file.next = inside as usize;
            return true;
        }
    }
    let whence = if whence == Whence::End { whence } else { Whence::Start };
    let descriptor = file.descriptor;
    let Ok(position) = c.seek(descriptor, offset, whence) else { return false };
    let file = self::file(c, index);
    file.buffer_offset = position;
    file.next = 0;
    file.end = 0;
    true
}
