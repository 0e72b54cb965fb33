//! Names of symbols, and single values as the instructions `printD`, `print_symbol_sc` and their kind print them.

use crate::base::console;
use crate::base::decimal::{format_int, format_real};
use crate::base::value::{bool_text, new_string, print_string};
use crate::clean::Context;
use crate::gc::object::*;
use crate::layout::*;
use crate::platform::Outcome;

pub fn name_to_string<C: Context>(c: &mut C, sp: u32, word: i64) -> Outcome<u32, C> {
    let name = name_of(c, word as u32);
    let length = c.load_u32(name);
    let string = new_string(c, sp, length)?;
    c.copy_within(name + 4, string + STRING_DATA, length);
    Ok(string)
}

/// Text block of what a word names: the descriptor of a header word, or a text block itself.
fn name_of<C: Context>(c: &C, word: u32) -> u32 {
    if word & TAG_HNF != 0 { c.load_u32(descriptor_of(c, word) + DESCRIPTOR_NAME) } else { word }
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
