//! The C memory: `malloc` and what is built on it. A fixed part of linear memory between the data section and the heap,
//! which exists only in programs that call a C function that needs it (`PROGRAM_C_START`).
//!
//! Blocks have sizes of powers of two, with a header of eight bytes that holds the class. Free blocks of a class form a
//! list. Nothing is ever joined again: the memory is for structures and buffers, not for data.

use crate::clean::Context;
use crate::gc::object::data_of;
use crate::layout::*;
use crate::platform::{Memory, Outcome};

const SMALLEST: u32 = 16;
const HEADER: u32 = 8;

/// Takes a block of at least `bytes` bytes, filled with zeros; 0 when there is no room.
pub fn allocate<C: Context>(c: &mut C, bytes: u32) -> u32 {
    let Some(size) = bytes.checked_add(HEADER).and_then(u32::checked_next_power_of_two) else { return 0 };
    let size = size.max(SMALLEST);
    let class = (size / SMALLEST).trailing_zeros();
    let Some(&first) = c.clean().memory.free.get(class as usize) else { return 0 };
    let mut block = first;
    if block != 0 {
        let after = c.load_u32(block + HEADER);
        if let Some(place) = c.clean_mut().memory.free.get_mut(class as usize) {
            *place = after;
        }
    } else {
        let start = c.program(PROGRAM_C_START);
        let next = c.clean().memory.next;
        block = if next == 0 { start } else { next };
        let end = u64::from(block) + u64::from(size);
        if start == 0 || end > u64::from(start + C_MEMORY) || !c.grow_to(end) {
            return 0;
        }
        c.clean_mut().memory.next = end as u32;
    }
    c.store_u32(block, class);
    c.fill(block + HEADER, 0, size - HEADER);
    block + HEADER
}

/// Gives back a block.
pub fn release<C: Context>(c: &mut C, address: u32) {
    if address == 0 {
        return;
    }
    let block = address - HEADER;
    let class = c.load_u32(block) as usize;
    let first = c.clean().memory.free.get(class).copied().unwrap_or(0);
    c.store_u32(address, first);
    if let Some(place) = c.clean_mut().memory.free.get_mut(class) {
        *place = block;
    }
}

/// A block that is kept for ever: made when the address is still 0.
pub fn permanent<C: Context>(c: &mut C, known: u32, bytes: u32) -> u32 {
    if known == 0 { allocate(c, bytes) } else { known }
}

/// Length of a C string; 0 for a null pointer.
pub fn length_of<M: Memory + ?Sized>(c: &M, address: u32) -> u32 {
    let mut length = 0;
    while address != 0 && c.load_u8(address + length) != 0 {
        length += 1;
    }
    length
}

/// The beginning of a C string, as far as it fits, without its NUL.
pub fn read_text<'b, C: Context>(c: &C, address: u32, buffer: &'b mut [u8]) -> &'b [u8] {
    let length = (length_of(c, address) as usize).min(buffer.len());
    let text = buffer.get_mut(..length).unwrap_or_default();
    c.read_bytes(address, text);
    text
}

/// Writes a C string.
pub fn write_text<C: Context>(c: &mut C, address: u32, text: &[u8]) {
    c.write_bytes(address, text);
    c.store_u8(address + text.len() as u32, 0);
}

/// `malloc`
pub fn malloc<C: Context>(c: &mut C, bytes: i64) -> Outcome<i64, C> {
    let block = u32::try_from(bytes).map_or(0, |bytes| allocate(c, bytes));
    if block == 0 {
        super::errno::set(c, super::errno::ENOMEM);
    }
    Ok(i64::from(block))
}

/// `calloc`
pub fn calloc<C: Context>(c: &mut C, count: i64, bytes: i64) -> Outcome<i64, C> {
    malloc(c, count.checked_mul(bytes).unwrap_or(-1))
}

/// `realloc`
pub fn realloc<C: Context>(c: &mut C, old: i64, bytes: i64) -> Outcome<i64, C> {
    let new = malloc(c, bytes)?;
    if new != 0 && old != 0 {
        let room = (SMALLEST << (c.load_u32(old as u32 - HEADER) & 31)) - HEADER;
        c.copy_within(old as u32, new as u32, room.min(bytes as u32));
        release(c, old as u32);
    }
    Ok(new)
}

/// `free`
pub fn free<C: Context>(c: &mut C, address: i64) -> Outcome<(), C> {
    release(c, address as u32);
    Ok(())
}

fn copy<C: Context>(c: &mut C, to: u32, from: u32, count: i64) {
    c.copy_within(from, to, count as u32);
}

/// `memcpy (pointer, pointer, count)`
pub fn memcpy<C: Context>(c: &mut C, to: i64, from: i64, count: i64) -> Outcome<i64, C> {
    copy(c, to as u32, from as u32, count);
    Ok(to)
}

/// `memcpy (pointer, string or array, count)`
pub fn memcpy_from_object<C: Context>(c: &mut C, from: u32, to: i64, count: i64) -> Outcome<i64, C> {
    let from = data_of(c, from);
    copy(c, to as u32, from, count);
    Ok(to)
}

/// `memcpy (string or array, pointer, count)`
pub fn memcpy_to_object<C: Context>(c: &mut C, to: u32, from: i64, count: i64) -> Outcome<i64, C> {
    let to = data_of(c, to);
    copy(c, to, from as u32, count);
    Ok(i64::from(to))
}

/// `strlen (pointer)`
pub fn strlen<C: Context>(c: &mut C, text: i64) -> Outcome<i64, C> {
    Ok(i64::from(length_of(c, text as u32)))
}
