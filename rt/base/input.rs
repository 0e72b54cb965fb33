//! Reading numbers, lines and strings from a source of characters.
//!
//! The console and text files differ slightly: the console has its own number scanner, files use that of
//! the C library (more kinds of white space; Ints saturate). Hexadecimal reals are not read.

use super::parse::RealParser;
use super::stream::{CONSOLE_INPUT, get, get_many, give_back, more, take_until};
use super::value::new_string;
use crate::base::Context;
use crate::gc::allocate::shorten_last;
use crate::layout::*;
use crate::system::Outcome;

fn skip_white_space<C: Context>(c: &mut C, source: usize) -> Option<u8> {
    loop {
        match get(c, source) {
            Some(b' ' | b'\t' | b'\n') => {}
            Some(11..=13) if source != CONSOLE_INPUT => {}
            other => return other,
        }
    }
}

/// Skips a sign: is it negative, and the character after it.
fn sign<C: Context>(c: &mut C, source: usize, first: Option<u8>) -> (bool, Option<u8>) {
    match first {
        Some(b'+') => (false, get(c, source)),
        Some(b'-') => (true, get(c, source)),
        other => (false, other),
    }
}

/// A decimal Int, or nothing.
pub fn read_int<C: Context>(c: &mut C, source: usize) -> Option<i64> {
    let first = skip_white_space(c, source);
    let (negative, mut next) = sign(c, source, first);
    let mut value: i64 = 0;
    let mut any = false;
    while let Some(digit @ b'0'..=b'9') = next {
        any = true;
        let digit = i64::from(digit - b'0');
        value = match (source, negative) {
            (CONSOLE_INPUT, false) => value.wrapping_mul(10).wrapping_add(digit),
            (CONSOLE_INPUT, true) => value.wrapping_mul(10).wrapping_sub(digit),
            (_, false) => value.saturating_mul(10).saturating_add(digit),
            (_, true) => value.saturating_mul(10).saturating_sub(digit),
        };
        next = get(c, source);
    }
    if next.is_some() {
        give_back(c, source);
    }
    any.then_some(value)
}

/// Longest number that the console scanner takes.
const CONSOLE_LIMIT: u32 = 256;

/// A decimal Real, or nothing.
pub fn read_real<C: Context>(c: &mut C, source: usize) -> Option<f64> {
    let console = source == CONSOLE_INPUT;
    let mut parser = RealParser::new();
    let first = skip_white_space(c, source);
    let (negative, mut next) = sign(c, source, first);
    parser.negative = negative;
    if !console && let Some(letter @ (b'i' | b'I' | b'n' | b'N')) = next {
        let value = read_word(c, source, letter.eq_ignore_ascii_case(&b'n'))?;
        return Some(if negative { -value } else { value });
    }
    let mut length = u32::from(negative);
    let mut second_point = false;
    loop {
        match next {
            Some(digit @ b'0'..=b'9') => parser.digit(digit),
            Some(b'.') if !parser.seen_point() => parser.point(),
            Some(b'.') => {
                second_point = true;
                break;
            }
            _ => break,
        }
        length += 1;
        next = get(c, source);
    }
    let mut complete = parser.seen_digits();
    if complete && !second_point && matches!(next, Some(b'e' | b'E')) {
        let after = get(c, source);
        let (negative, digit) = sign(c, source, after);
        next = digit;
        if negative {
            parser.negative_exponent();
        }
        complete = false;
        length += 1 + u32::from(negative);
        while let Some(digit @ b'0'..=b'9') = next {
            complete = true;
            length += 1;
            parser.exponent_digit(digit);
            next = get(c, source);
        }
    }
    if next.is_some() {
        give_back(c, source);
    }
    (complete && !(console && length >= CONSOLE_LIMIT)).then(|| parser.finish())
}

/// The rest of `inf`, `infinity` or `nan`. As in the C library the first wrong letter is used up.
fn read_word<C: Context>(c: &mut C, source: usize, nan: bool) -> Option<f64> {
    let mut matches = |letters: &[u8]| {
        letters.iter().all(|letter| get(c, source).is_some_and(|byte| byte.eq_ignore_ascii_case(letter)))
    };
    if nan {
        return matches(b"an").then_some(f64::NAN);
    }
    if !matches(b"nf") {
        return None;
    }
    match get(c, source) {
        Some(b'i' | b'I') => {
            let whole = b"nity".iter().all(|l| get(c, source).is_some_and(|byte| byte.eq_ignore_ascii_case(l)));
            return whole.then_some(f64::INFINITY);
        }
        Some(_) => give_back(c, source),
        None => {}
    }
    Some(f64::INFINITY)
}

/// An Int of a file as its mode has it: was there one, and its value.
pub fn read_int_of<C: Context>(c: &mut C, source: usize, data: bool) -> (bool, i64) {
    if !data {
        let value = read_int(c, source);
        return (value.is_some(), value.unwrap_or(0));
    }
    // Four bytes, sign extended. When the file ends before, what is there is the value.
    let (bits, count) = read_data(c, source, 4);
    if count == 4 { (true, i64::from(bits as u32 as i32)) } else { (false, bits as i64) }
}

/// The same for a Real; eight bytes of a data file.
pub fn read_real_of<C: Context>(c: &mut C, source: usize, data: bool) -> (bool, f64) {
    if !data {
        let value = read_real(c, source);
        return (value.is_some(), value.unwrap_or(0.0));
    }
    let (bits, count) = read_data(c, source, 8);
    (count == 8, f64::from_bits(bits))
}

fn read_data<C: Context>(c: &mut C, source: usize, size: u32) -> (u64, u32) {
    let mut bits = 0;
    for count in 0..size {
        match get(c, source) {
            Some(byte) => bits |= u64::from(byte) << (8 * count),
            None => return (bits, count),
        }
    }
    (bits, size)
}

/// At most `count` characters.
pub fn read_string<C: Context>(c: &mut C, sp: u32, source: usize, count: i64) -> Outcome<u32, C> {
    if count as u64 >= u64::from(super::string::MAX_LENGTH) {
        return super::error::heap_full(c);
    }
    let string = new_string(c, sp, count as u32)?;
    let length = get_many(c, source, string + STRING_DATA, count as u32);
    shrink(c, string, length);
    Ok(string)
}

/// Shortens a string that is the last object of the heap.
fn shrink<C: Context>(c: &mut C, string: u32, length: u32) {
    c.store_u32(string + STRING_LENGTH, length);
    shorten_last(c, string, string + string_bytes(length));
}

/// Room for a line at first; doubled as often as needed.
const LINE: u32 = 120;

/// A line with its newline. In a data file a carriage return, with or without a newline after it, also ends a line.
pub fn read_line<C: Context>(c: &mut C, sp: u32, source: usize, data: bool) -> Outcome<u32, C> {
    let mut string = new_string(c, sp, LINE)?;
    let mut room = LINE;
    let mut length = 0;
    while more(c, source) {
        let place = string + STRING_DATA + length;
        let (count, ended) = if data {
            take_until(c, source, place, room - length, |byte| byte == b'\n' || byte == b'\r')
        } else {
            take_until(c, source, place, room - length, |byte| byte == b'\n')
        };
        length += count;
        let returned = ended && c.load_u8(string + STRING_DATA + length - 1) == u32::from(b'\r');
        if ended && !returned {
            break;
        }
        if length == room {
            let sp = c.push(sp, string);
            let Some(double) = room.checked_mul(2).filter(|size| *size < super::string::MAX_LENGTH) else {
                return super::error::heap_full(c);
            };
            let larger = new_string(c, sp, double)?;
            string = c.load_u32(sp);
            c.copy_within(string + STRING_DATA, larger + STRING_DATA, length);
            string = larger;
            room = double;
        }
        if returned {
            match get(c, source) {
                Some(b'\n') => {
                    c.store_u8(string + STRING_DATA + length, u32::from(b'\n'));
                    length += 1;
                }
                Some(_) => give_back(c, source),
                None => {}
            }
            break;
        }
    }
    shrink(c, string, length);
    Ok(string)
}
