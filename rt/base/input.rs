//! Reading numbers, lines and strings from a source of characters.
//!
//! The console and text files differ slightly: the console has its own number scanner, files use that of
//! the C library (more kinds of white space; Ints saturate). Hexadecimal reals are not read.

use super::parse::RealParser;
use super::stream::{CONSOLE_INPUT, get, get_many, give_back, held, more, skip, take_until};
use super::value::new_string;
use crate::base::Context;
use crate::gc::allocate::shorten_last;
use crate::layout::*;
use crate::platform::Outcome;

/// Where a scanner takes characters from.
trait Characters {
    /// The next character, or nothing at the end.
    fn get(&mut self) -> Option<u8>;
    /// Gives back the character that was read last.
    fn give_back(&mut self);
}

/// What a buffer holds. As a rule that is a whole number with what follows, and takes one look at the buffer.
struct Held<'f> {
    bytes: &'f [u8],
    next: usize,
    /// More was asked for than there is, so that what was found is not all.
    ran_out: bool,
}

impl Characters for Held<'_> {
    #[inline(always)]
    fn get(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.next).copied();
        match byte {
            Some(_) => self.next += 1,
            None => self.ran_out = true,
        }
        byte
    }

    #[inline(always)]
    fn give_back(&mut self) {
        self.next = self.next.saturating_sub(1);
    }
}

/// All that there is, read when it is needed.
struct Stream<'c, C> {
    c: &'c mut C,
    source: usize,
}

impl<C: Context> Characters for Stream<'_, C> {
    fn get(&mut self) -> Option<u8> {
        get(self.c, self.source)
    }

    fn give_back(&mut self) {
        give_back(self.c, self.source);
    }
}

#[inline(always)]
fn skip_white_space(characters: &mut impl Characters, console: bool) -> Option<u8> {
    let is_space = |byte| matches!(byte, b' ' | b'\t' | b'\n') || !console && matches!(byte, 11..=13);
    loop {
        let next = characters.get();
        if !next.is_some_and(is_space) {
            return next;
        }
    }
}

/// Skips a sign: is it negative, and the character after it.
#[inline(always)]
fn sign(characters: &mut impl Characters, first: Option<u8>) -> (bool, Option<u8>) {
    match first {
        Some(b'+') => (false, characters.get()),
        Some(b'-') => (true, characters.get()),
        other => (false, other),
    }
}

/// Scans what the buffer holds, and if that is not enough, all that there is. Both scanners are the same one; the flag
/// tells it of the console.
#[inline(always)]
fn scan<C: Context, T>(
    c: &mut C,
    source: usize,
    of_buffer: impl FnOnce(&mut Held<'_>, bool) -> Option<T>,
    of_stream: impl FnOnce(&mut Stream<'_, C>, bool) -> Option<T>,
) -> Option<T> {
    let console = source == CONSOLE_INPUT;
    let mut characters = Held { bytes: held(c, source), next: 0, ran_out: false };
    let found = of_buffer(&mut characters, console);
    if characters.ran_out {
        return of_stream(&mut Stream { c, source }, console);
    }
    let length = characters.next;
    skip(c, source, length);
    found
}

/// A decimal Int, or nothing.
pub fn read_int<C: Context>(c: &mut C, source: usize) -> Option<i64> {
    scan(c, source, |characters, console| int(characters, console), |characters, console| int(characters, console))
}

/// Any number of so many digits is an Int.
const SAFE_DIGITS: u32 = 18;

#[inline]
fn int(characters: &mut impl Characters, console: bool) -> Option<i64> {
    let first = skip_white_space(characters, console);
    let (negative, mut next) = sign(characters, first);
    let mut value: i64 = 0;
    let mut digits = 0;
    while let Some(digit @ b'0'..=b'9') = next {
        let digit = i64::from(digit - b'0');
        let digit = if negative { -digit } else { digit };
        value = if console || digits < SAFE_DIGITS {
            value.wrapping_mul(10).wrapping_add(digit)
        } else {
            value.saturating_mul(10).saturating_add(digit)
        };
        digits += 1;
        next = characters.get();
    }
    if next.is_some() {
        characters.give_back();
    }
    (digits > 0).then_some(value)
}

/// Longest number that the console scanner takes.
const CONSOLE_LIMIT: u32 = 256;

/// A decimal Real, or nothing.
pub fn read_real<C: Context>(c: &mut C, source: usize) -> Option<f64> {
    scan(c, source, |characters, console| real(characters, console), |characters, console| real(characters, console))
}

#[inline]
fn real(characters: &mut impl Characters, console: bool) -> Option<f64> {
    let mut parser = RealParser::new();
    let first = skip_white_space(characters, console);
    let (negative, mut next) = sign(characters, first);
    parser.negative = negative;
    if !console && let Some(letter @ (b'i' | b'I' | b'n' | b'N')) = next {
        let value = word(characters, letter.eq_ignore_ascii_case(&b'n'))?;
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
        next = characters.get();
    }
    let mut complete = parser.seen_digits();
    if complete && !second_point && matches!(next, Some(b'e' | b'E')) {
        let after = characters.get();
        let (negative, digit) = sign(characters, after);
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
            next = characters.get();
        }
    }
    if next.is_some() {
        characters.give_back();
    }
    (complete && !(console && length >= CONSOLE_LIMIT)).then(|| parser.finish())
}

/// The rest of `inf`, `infinity` or `nan`. As in the C library the first wrong letter is used up.
fn word(characters: &mut impl Characters, nan: bool) -> Option<f64> {
    let mut matches = |letters: &[u8]| {
        letters.iter().all(|letter| characters.get().is_some_and(|byte| byte.eq_ignore_ascii_case(letter)))
    };
    if nan {
        return matches(b"an").then_some(f64::NAN);
    }
    if !matches(b"nf") {
        return None;
    }
    match characters.get() {
        Some(b'i' | b'I') => {
            let whole = b"nity".iter().all(|l| characters.get().is_some_and(|byte| byte.eq_ignore_ascii_case(l)));
            return whole.then_some(f64::INFINITY);
        }
        Some(_) => characters.give_back(),
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
