//! Printing the fields of records, strict constructors, unboxed list cells and unboxed array elements.
//!
//! The types string of the descriptor drives it: a letter per field, `(x,y)` for an unboxed tuple, `{…}` for a nested
//! record, a leading `d` for a strict constructor and `l` for a list cell (`lR` when its head is an unboxed record).
//!
//! ```text
//! FIELDS  mode  types  place  nested  refs left  words used  words  ref …  word as four slots of 16 bits …
//! ```
//! `types` is the address of the text block, `place` the index of the next letter in it, `nested` the address of the
//! next nested descriptor. References are taken from the front, the header of the frame moving over them, so that a
//! printed field can be collected. Raw words are cut in pieces because a slot above the heap base would be a root.

use super::print::{FIELDS, LIST, Next, Style, push_close};
use crate::base::console::put_text;
use crate::base::decimal::{format_int, format_real};
use crate::base::value::bool_text;
use crate::clean::Context;
use crate::clean::symbol::put_char;
use crate::gc::object::*;
use crate::layout::*;

/// `)` follows the last field.
const MODE_RECORD: u32 = 0;
/// The last letter is the tail of a list.
const MODE_CONS: u32 = 1;
/// Nothing follows.
const MODE_ELEMENT: u32 = 2;

// Offsets in a frame.
const MODE: u32 = 4;
const TYPES: u32 = 8;
const PLACE: u32 = 12;
const NESTED: u32 = 16;
const REFS: u32 = 20;
const WORDS_USED: u32 = 24;
const WORDS: u32 = 28;
const HEADER_SIZE: u32 = 32;
/// Slots of a raw word in a frame.
const WORD_SLOTS: u32 = 4;
const WORD_BYTES: u32 = WORD_SLOTS * SLOT;

pub fn start_record<C: Context>(c: &mut C, sp: &mut u32, node: u32, style: Style) -> Next {
    let descriptor = push_node(c, sp, node, MODE_RECORD);
    let types = c.load_u32(descriptor + DESCRIPTOR_TYPES);
    if c.load_u32(types) > 0 && c.load_u8(types + 4) as u8 == b'd' {
        c.store_u32(*sp + PLACE, 1);
    }
    step(c, sp, style, false)
}

/// The element of an unboxed list cell; the frame ends by leaving a LIST frame with the tail.
pub fn start_cons<C: Context>(c: &mut C, sp: &mut u32, node: u32, style: Style) -> Next {
    let descriptor = push_node(c, sp, node, MODE_CONS);
    let types = c.load_u32(descriptor + DESCRIPTOR_TYPES);
    let record = c.load_u32(types) > 1 && c.load_u8(types + 5) as u8 == b'R';
    c.store_u32(*sp + PLACE, 1 + u32::from(record));
    if record && style.symbols {
        // The cell of a record R is called `[#R]`, or another bracket of two characters before and one after.
        let name = c.load_u32(descriptor + DESCRIPTOR_NAME);
        let length = c.load_u32(name);
        crate::base::console::put_memory(c, name + 6, length.saturating_sub(3));
        style.symbol(c, b" ");
    }
    step(c, sp, style, true)
}

pub fn start_array_element<C: Context>(
    c: &mut C,
    sp: &mut u32,
    array: u32,
    index: u32,
    descriptor: u32,
    style: Style,
) -> Next {
    let (ptrs, words) = record_sizes(c, descriptor);
    let element = array + ARRAY_DATA + index * (ptrs * SLOT + words * 8);
    let name = c.load_u32(descriptor + DESCRIPTOR_NAME);
    if style.values {
        put_text(c, name);
    }
    for word in (0..words).rev() {
        push_word(c, sp, element + ptrs * SLOT + word * 8);
    }
    for index in (0..ptrs).rev() {
        let reference = c.load_u32(element + index * SLOT);
        *sp = c.push(*sp, reference);
    }
    push_header(c, sp, descriptor, MODE_ELEMENT, ptrs, words);
    step(c, sp, style, false)
}

/// Pushes a frame for all fields of a node and returns its descriptor.
fn push_node<C: Context>(c: &mut C, sp: &mut u32, node: u32, mode: u32) -> u32 {
    let header = c.load_u32(node);
    let (info, descriptor) = (info_of(c, header), descriptor_of(c, header));
    let ptrs = info_ptrs(info);
    let words = (info_slots(info) - ptrs) / 2;
    for word in (0..words).rev() {
        let address = word_address(c, node, info, word);
        push_word(c, sp, address);
    }
    super::print::push_references(c, sp, node, info);
    push_header(c, sp, descriptor, mode, ptrs, words);
    descriptor
}

fn push_word<C: Context>(c: &mut C, sp: &mut u32, address: u32) {
    for piece in (0..WORD_SLOTS).rev() {
        let bits = c.load_u16(address + 2 * piece);
        *sp = c.push(*sp, bits);
    }
}

fn push_header<C: Context>(c: &mut C, sp: &mut u32, descriptor: u32, mode: u32, ptrs: u32, words: u32) {
    let types = c.load_u32(descriptor + DESCRIPTOR_TYPES);
    for slot in [words, 0, ptrs, descriptor + DESCRIPTOR_NESTED + SLOT, 0, types, mode, FIELDS] {
        *sp = c.push(*sp, slot);
    }
}

fn take_word<C: Context>(c: &mut C, sp: u32) -> u64 {
    let used = c.load_u32(sp + WORDS_USED);
    c.store_u32(sp + WORDS_USED, used + 1);
    let start = sp + HEADER_SIZE + c.load_u32(sp + REFS) * SLOT + used * WORD_BYTES;
    (0..WORD_SLOTS).fold(0, |word, piece| word | u64::from(c.load_u32(start + SLOT * piece)) << (16 * piece))
}

fn take_reference<C: Context>(c: &mut C, sp: &mut u32) -> u32 {
    let reference = c.load_u32(*sp + HEADER_SIZE);
    c.copy_within(*sp, *sp + SLOT, HEADER_SIZE);
    *sp += SLOT;
    let left = c.load_u32(*sp + REFS);
    c.store_u32(*sp + REFS, left.saturating_sub(1));
    reference
}

fn pop_frame<C: Context>(c: &C, sp: &mut u32) {
    *sp += HEADER_SIZE + c.load_u32(*sp + REFS) * SLOT + c.load_u32(*sp + WORDS) * WORD_BYTES;
}

/// Prints fields until one must be evaluated or none is left. `joined`: no space before the first.
pub fn step<C: Context>(c: &mut C, sp: &mut u32, style: Style, joined: bool) -> Next {
    let mut joined = joined;
    loop {
        let (mode, types, place) = (c.load_u32(*sp + MODE), c.load_u32(*sp + TYPES), c.load_u32(*sp + PLACE));
        let length = c.load_u32(types);
        if place >= length {
            if mode == MODE_RECORD {
                style.symbol(c, b")");
            }
            pop_frame(c, sp);
            return Next::Frame;
        }
        let letter = c.load_u8(types + 4 + place) as u8;
        let last = place + 1 == length;
        c.store_u32(*sp + PLACE, place + 1);
        match letter {
            b',' => {
                style.symbol(c, b",");
                joined = true;
                continue;
            }
            b')' | b'}' => {
                style.symbol(c, b")");
                joined = false;
                continue;
            }
            b'a' | b'w' if last && mode == MODE_CONS => {
                let tail = take_reference(c, sp);
                pop_frame(c, sp);
                *sp = c.push(*sp, tail);
                *sp = c.push(*sp, LIST);
                return Next::Frame;
            }
            _ => {}
        }
        if !joined {
            style.symbol(c, b" ");
        }
        joined = false;
        match letter {
            b'(' => {
                style.symbol(c, b"(");
                joined = true;
            }
            b'{' => {
                style.symbol(c, b"(");
                let nested = c.load_u32(*sp + NESTED);
                c.store_u32(*sp + NESTED, nested + SLOT);
                let name = c.load_u32(c.load_u32(nested) + DESCRIPTOR_NAME);
                if style.values {
                    put_text(c, name);
                }
            }
            b'a' | b'w' => {
                let value = take_reference(c, sp);
                if last && mode == MODE_RECORD {
                    pop_frame(c, sp);
                    push_close(c, sp);
                }
                return Next::Value(value);
            }
            b'f' => {
                take_word(c, *sp);
                take_word(c, *sp);
                style.value(c, b"File");
            }
            _ => {
                let word = take_word(c, *sp);
                if style.values {
                    put_word(c, letter, word, style);
                }
            }
        }
    }
}

fn put_word<C: Context>(c: &mut C, letter: u8, word: u64, style: Style) {
    match letter {
        b'r' => crate::base::console::put(c, format_real(f64::from_bits(word)).bytes()),
        b'c' => put_char(c, word as u8, style.symbols),
        b'b' => crate::base::console::put(c, bool_text(word as i64)),
        _ => crate::base::console::put(c, format_int(word as i64).bytes()),
    }
}
