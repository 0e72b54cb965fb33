//! Buffered characters: standard input, and the files in the table of the state.
//!
//! Both are entries of one table; standard input is the entry `CONSOLE_INPUT`. A buffer holds either input
//! (`bytes[next .. end]` not yet consumed) or output (`bytes[.. next]` not yet written); modes of opening never mix the
//! two on one open file. Invariants for the fast paths: `next < end` only where characters may be read, `writing` only
//! where they may be written.

use super::console::{self, LARGE, write_memory};
use crate::base::Context;
use crate::base::state::{FILE_BUFFER, File, MAX_FILES, State};
use crate::platform::Whence;

/// The entry of standard input in the table of files: the number of the console.
pub const CONSOLE_INPUT: usize = 1;
/// The first entry of a file that the program has opened.
pub const FIRST_FILE: usize = 2;

#[inline(always)]
fn entry(state: &mut State, index: usize) -> &mut File {
    let files = &mut state.files;
    // Callers have checked the index; the first entry is never used for a file.
    let index = if index < files.len() { index } else { 0 };
    &mut files[index]
}

#[inline(always)]
pub fn file<C: Context>(c: &mut C, index: usize) -> &mut File {
    entry(c.base_mut(), index)
}

/// The next character if the buffer of file `number` holds one. The number need not be that of an open file.
#[inline(always)]
pub fn get_buffered<C: Context>(c: &mut C, number: i64) -> Option<u8> {
    let file = c.base_mut().files.get_mut(usize::try_from(number).ok()?)?;
    if file.next >= file.end {
        return None;
    }
    let byte = *file.bytes.get(file.next)?;
    file.next += 1;
    Some(byte)
}

/// The next character, or nothing at the end.
#[inline]
pub fn get<C: Context>(c: &mut C, index: usize) -> Option<u8> {
    match get_buffered(c, index as i64) {
        None if fill(c, index) => get_buffered(c, index as i64),
        found => found,
    }
}

/// Gives back the character that was read last.
pub fn give_back<C: Context>(c: &mut C, index: usize) {
    let next = &mut file(c, index).next;
    *next = next.saturating_sub(1);
}

/// The characters that the buffer holds.
pub fn held<C: Context>(c: &mut C, index: usize) -> &[u8] {
    let file = file(c, index);
    file.bytes.get(file.next..file.end).unwrap_or_default()
}

/// Skips so many of them.
pub fn skip<C: Context>(c: &mut C, index: usize, count: usize) {
    let file = file(c, index);
    file.next = (file.next + count).min(file.end);
}

/// Reads the next piece into an empty buffer; false at the end.
#[inline(never)]
fn fill<C: Context>(c: &mut C, index: usize) -> bool {
    if index == CONSOLE_INPUT {
        console::flush(c);
    }
    let descriptor = file(c, index).descriptor;
    let count = c.read_to_state(descriptor, |state| &mut entry(state, index).bytes);
    let file = file(c, index);
    file.failed |= count.is_err();
    file.buffer_offset += file.end as u64;
    file.next = 0;
    file.end = count.unwrap_or(0).min(FILE_BUFFER);
    file.end > 0
}

/// Reads up to `count` characters into the program's memory and returns how many there were.
pub fn get_many<C: Context>(c: &mut C, index: usize, address: u32, count: u32) -> u32 {
    let mut done = take(c, index, address, count);
    while done < count {
        let wanted = count - done;
        if wanted as usize >= FILE_BUFFER {
            // The buffer is empty: what is larger goes where it belongs.
            let read = read_past_buffer(c, index, address + done, wanted.min(LARGE));
            if read == 0 {
                break;
            }
            done += read;
        } else {
            if !fill(c, index) {
                break;
            }
            done += take(c, index, address + done, wanted);
        }
    }
    done
}

fn read_past_buffer<C: Context>(c: &mut C, index: usize, address: u32, count: u32) -> u32 {
    if index == CONSOLE_INPUT {
        console::flush(c);
    }
    let descriptor = file(c, index).descriptor;
    let read = c.read_to_memory(descriptor, address, count);
    let file = file(c, index);
    file.failed |= read.is_err();
    let read = read.unwrap_or(0).min(count);
    file.buffer_offset += file.end as u64 + u64::from(read);
    file.next = 0;
    file.end = 0;
    read
}

/// Moves what the buffer holds to the program's memory, without reading more.
fn take<C: Context>(c: &mut C, index: usize, address: u32, count: u32) -> u32 {
    let File { next, end, .. } = *file(c, index);
    let length = (end.saturating_sub(next)).min(count as usize);
    c.state_to_memory(address, |state| state.files.get(index).and_then(|f| f.bytes.get(next..next + length)));
    file(c, index).next += length;
    length as u32
}

/// Moves characters up to the first that `ends` accepts, that one included, as far as the buffer holds them and there
/// is room. Returns how many there were, and whether the last one was accepted.
pub fn take_until<C: Context>(
    c: &mut C,
    index: usize,
    address: u32,
    room: u32,
    ends: impl Fn(u8) -> bool,
) -> (u32, bool) {
    let held = held(c, index);
    let held = held.get(..room as usize).unwrap_or(held);
    let (length, found) = match held.iter().position(|byte| ends(*byte)) {
        Some(at) => (at as u32 + 1, true),
        None => (held.len() as u32, false),
    };
    (take(c, index, address, length), found)
}

/// Makes sure that the buffer holds something; false at the end.
#[inline]
pub fn more<C: Context>(c: &mut C, index: usize) -> bool {
    let file = file(c, index);
    file.next < file.end || fill(c, index)
}

/// Appends a character to the buffer of an output file that is being written; false if that needs more work.
#[inline(always)]
pub fn put_buffered<C: Context>(c: &mut C, number: i64, byte: u8) -> bool {
    let Ok(index) = usize::try_from(number) else { return false };
    let Some(file) = c.base_mut().files.get_mut(index) else { return false };
    match file.bytes.get_mut(file.next) {
        Some(place) if file.writing => {
            *place = byte;
            file.next += 1;
            true
        }
        _ => false,
    }
}

/// Appends output to a file's buffer.
pub fn put<C: Context>(c: &mut C, index: usize, text: &[u8]) {
    let mut text = text;
    while !text.is_empty() {
        let room = room(c, index);
        let (now, later) = text.split_at(text.len().min(room));
        let file = file(c, index);
        if let Some(place) = file.bytes.get_mut(file.next..file.next + now.len()) {
            place.copy_from_slice(now);
            file.next += now.len();
        }
        text = later;
    }
}

/// Room in the buffer of an output file, at least one byte.
fn room<C: Context>(c: &mut C, index: usize) -> usize {
    if file(c, index).next >= FILE_BUFFER {
        flush(c, index);
    }
    let file = file(c, index);
    file.writing = true;
    FILE_BUFFER - file.next
}

/// The same for bytes of the program's memory.
pub fn put_memory<C: Context>(c: &mut C, index: usize, address: u32, length: u32) {
    let mut done = 0;
    if length as usize >= FILE_BUFFER {
        flush(c, index);
        let descriptor = file(c, index).descriptor;
        let written = write_memory(c, descriptor, address, length);
        let file = file(c, index);
        file.failed |= !written;
        file.buffer_offset += u64::from(length);
        done = length;
    }
    while done < length {
        let now = (length - done).min(room(c, index) as u32);
        let next = file(c, index).next;
        c.memory_to_state(address + done, |state| {
            state.files.get_mut(index).and_then(|f| f.bytes.get_mut(next..next + now as usize))
        });
        file(c, index).next += now as usize;
        done += now;
    }
}

/// Writes the buffered output of a file; false on failure.
pub fn flush<C: Context>(c: &mut C, index: usize) -> bool {
    let file = file(c, index);
    if !file.writing {
        return true;
    }
    let (descriptor, count) = (file.descriptor, file.next);
    file.writing = false;
    file.next = 0;
    file.end = 0;
    file.buffer_offset += count as u64;
    let written = console::write_state(c, descriptor, |state| state.files.get(index)?.bytes.get(..count));
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

/// Writes what all open files have buffered, at the end of the program.
pub fn flush_all<C: Context>(c: &mut C) {
    for index in FIRST_FILE..c.base().files_used.min(MAX_FILES) {
        if file(c, index).open {
            flush(c, index);
        }
    }
}
