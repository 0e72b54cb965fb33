//! Boxed values and strings: making them, and their names.

use super::console;
use super::decimal::{format_int, format_real};
use crate::base::Context;
use crate::gc::allocate::allocate_object;
use crate::gc::object::*;
use crate::layout::*;
use crate::system::Outcome;

/// A new string object with undefined characters.
pub fn new_string<C: Context>(c: &mut C, sp: u32, length: u32) -> Outcome<u32, C> {
    let string = allocate_object(c, sp, string_bytes(length))?;
    let header = c.program(PROGRAM_STRING_HEADER);
    c.store_u32(string, header);
    c.store_u32(string + STRING_LENGTH, length);
    Ok(string)
}

/// A new string object with these characters.
pub fn string_of_bytes<C: Context>(c: &mut C, sp: u32, bytes: &[u8]) -> Outcome<u32, C> {
    let string = new_string(c, sp, bytes.len() as u32)?;
    c.write_bytes(string + STRING_DATA, bytes);
    Ok(string)
}

pub fn char_to_string<C: Context>(c: &mut C, sp: u32, character: i64) -> Outcome<u32, C> {
    string_of_bytes(c, sp, &[character as u8])
}
pub fn int_to_string<C: Context>(c: &mut C, sp: u32, value: i64) -> Outcome<u32, C> {
    string_of_bytes(c, sp, format_int(value).bytes())
}
pub fn real_to_string<C: Context>(c: &mut C, sp: u32, value: f64) -> Outcome<u32, C> {
    string_of_bytes(c, sp, format_real(value).bytes())
}
pub fn bool_to_string<C: Context>(c: &mut C, sp: u32, value: i64) -> Outcome<u32, C> {
    string_of_bytes(c, sp, bool_text(value))
}
pub fn name_to_string<C: Context>(c: &mut C, sp: u32, word: i64) -> Outcome<u32, C> {
    let name = name_of(c, word as u32);
    let length = c.load_u32(name);
    let string = new_string(c, sp, length)?;
    c.copy_within(name + 4, string + STRING_DATA, length);
    Ok(string)
}

pub fn bool_text(value: i64) -> &'static [u8] {
    if value != 0 { b"True" } else { b"False" }
}

/// Text block of what a word names: the descriptor of a header word, or a text block itself.
fn name_of<C: Context>(c: &C, word: u32) -> u32 {
    if word & TAG_HNF != 0 { c.load_u32(descriptor_of(c, word) + DESCRIPTOR_NAME) } else { word }
}

// -- printing of single values (instructions `print`, `printD`, `print_symbol_sc`, …) --------------------------------

pub fn print_text<C: Context>(c: &mut C, block: u32) -> Outcome<(), C> {
    console::put_text(c, block);
    Ok(())
}
pub fn print_text_sc<C: Context>(c: &mut C, block: u32) -> Outcome<(), C> {
    if !c.base().options.basic_values {
        console::put_text(c, block);
    }
    Ok(())
}
pub fn print_name<C: Context>(c: &mut C, word: i64) -> Outcome<(), C> {
    let name = name_of(c, word as u32);
    console::put_text(c, name);
    Ok(())
}
pub fn print_int<C: Context>(c: &mut C, value: i64) -> Outcome<(), C> {
    console::put(c, format_int(value).bytes());
    Ok(())
}
pub fn print_char<C: Context>(c: &mut C, value: i64) -> Outcome<(), C> {
    console::put_byte(c, value as u8);
    Ok(())
}
pub fn print_real<C: Context>(c: &mut C, value: f64) -> Outcome<(), C> {
    console::put(c, format_real(value).bytes());
    Ok(())
}
pub fn print_string<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    let length = c.load_u32(string + STRING_LENGTH);
    console::put_memory(c, string + STRING_DATA, length);
    Ok(())
}
pub fn print_chars_sc<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    if c.base().options.basic_values { Ok(()) } else { print_string(c, string) }
}

/// `print_symbol_sc`: a basic value, or the name of a symbol unless only basic values are shown.
pub fn print_symbol<C: Context>(c: &mut C, node: u32) -> Outcome<(), C> {
    let basic = c.base().options.basic_values;
    put_symbol(c, node, !basic);
    Ok(())
}

/// Writes a basic value, or the name of any other node when `names` says so. Chars get quotes together with names.
pub fn put_symbol<C: Context>(c: &mut C, node: u32, names: bool) {
    let header = c.load_u32(node);
    let descriptor = descriptor_of(c, header);
    match descriptor_kind(c, descriptor) {
        descriptor::INT => {
            let value = c.load_u64(node + 4) as i64;
            console::put(c, format_int(value).bytes());
        }
        descriptor::REAL => {
            let value = f64::from_bits(c.load_u64(node + 4));
            console::put(c, format_real(value).bytes());
        }
        descriptor::CHAR => {
            let value = c.load_u8(node + 4) as u8;
            put_char(c, value, names);
        }
        descriptor::BOOL => {
            let value = c.load_u8(node + 4);
            console::put(c, bool_text(i64::from(value)));
        }
        _ if names => {
            let name = c.load_u32(descriptor + DESCRIPTOR_NAME);
            console::put_text(c, name);
        }
        _ => {}
    }
}

pub fn put_char<C: Context>(c: &mut C, value: u8, quotes: bool) {
    if quotes {
        console::put(c, &[b'\'', value, b'\'']);
    } else {
        console::put_byte(c, value);
    }
}
