//! Strings: making them of values, and printing values.

use super::console;
use super::decimal::{format_int, format_real};
use crate::base::Context;
use crate::gc::allocate::allocate_object;
use crate::layout::*;
use crate::platform::Outcome;

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

/// 1 for an object of the program text.
pub fn is_static<C: Context>(c: &mut C, object: u32) -> Outcome<u32, C> {
    Ok(u32::from(object < c.program(PROGRAM_HEAP_BASE)))
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
pub fn bool_text(value: i64) -> &'static [u8] {
    if value != 0 { b"True" } else { b"False" }
}

// -- printing of single values --------------------------------------------------------------------------------------

pub fn print_text<C: Context>(c: &mut C, block: u32) -> Outcome<(), C> {
    console::put_text(c, block);
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
