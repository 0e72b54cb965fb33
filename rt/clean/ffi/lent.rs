//! Strings and arrays passed to C functions by address: C sees them where they lie, with their sizes where Clean has
//! them.
//!
//! `Clean.h` has macros that read and write the number of characters or elements, a word of C before them:
//!
//! ```text
//!                 machine code, words of 8 bytes         WebAssembly, words of 4 bytes
//! s               -8 number │ characters                 -4 number │ characters
//! S               number │ characters                    number │ characters
//! A               -16 number │ -8 │ elements             -8 number │ -4 │ elements
//! ```
//! Objects in WebAssembly are like that by themselves. Those of machine code are narrower: there the number is written
//! over what lies before the elements, for the time of the call. For a string that is its own header and length. For an
//! array it is its header, and the last four bytes of whatever lies before it in memory, which C does not see, unless
//! C has got that, too: then the smaller one of the two is copied for the call, and back. Strings of Clean end at a
//! multiple of eight bytes, so that C has room for a NUL after most of them: what lies there here is restored.
//!
//! What C writes as the number is what the object has afterwards. It may become smaller. Larger, it would reach into
//! other objects: that stops the program. Arrays with references are refused before the call, because references have
//! no meaning in C.
//!
//! Invariants: nothing is collected from the first argument to `give_back`, so that addresses of objects stay right.
//! What C returns may lie in what it was lent: `keep` copies it, before the objects are as they were and may move.

use super::memory;
use crate::base::{console, error};
use crate::clean::Context;
use crate::clean::state::{Call, Kept, Lent, Problem};
use crate::gc::object::{array_bytes, record_sizes};
use crate::layout::*;
use crate::platform::Outcome;

/// Bytes of a word of C in WebAssembly.
pub const NARROW: u32 = 4;
/// What a copy of an object has before its characters or elements: two words of C.
const BEFORE: u32 = 16;

fn state<C: Context>(c: &mut C) -> &mut Call {
    &mut c.clean_mut().call
}

fn count<C: Context>(c: &C) -> usize {
    c.clean().call.lent_count
}

fn lent<C: Context>(c: &C, at: usize) -> Lent {
    c.clean().call.lent.get(at).copied().unwrap_or(Lent::EMPTY)
}

fn set_lent<C: Context>(c: &mut C, at: usize, lent: Lent) {
    if let Some(place) = state(c).lent.get_mut(at) {
        *place = lent;
    }
}

impl Lent {
    /// Address of the characters or elements.
    fn data(&self) -> u32 {
        self.object + if self.is_string { STRING_DATA } else { ARRAY_DATA }
    }
    /// Where the object has its size.
    fn size_place(&self) -> u32 {
        self.object + if self.is_string { STRING_LENGTH } else { ARRAY_SIZE }
    }
    /// Where C has the size of an object of machine code: so many bytes before the data.
    fn number_before(&self) -> u32 {
        if self.is_string { 8 } else { 16 }
    }
    fn number_place(&self) -> u32 {
        self.data() - self.number_before()
    }
    /// Where C has it in a copy.
    fn number_in_copy(&self) -> i64 {
        self.copy + i64::from(BEFORE - self.number_before())
    }
    /// The end of what C may write to: in machine code strings have room up to a multiple of eight characters.
    fn end(&self) -> u32 {
        if self.is_string { self.data() + (self.size.saturating_add(7) & !7) } else { self.data() + self.bytes }
    }
    /// Where four bytes of that room belong to whatever follows, or 0.
    fn slack_place(&self) -> u32 {
        let place = self.object + string_bytes(self.size);
        if self.is_string && place < self.end() { place } else { 0 }
    }
    fn is_in_place(&self) -> bool {
        !self.is_again && self.copy == 0
    }
    /// Does an address belong to what C sees of it?
    fn holds(&self, address: i64) -> bool {
        let start = if self.copy == 0 { i64::from(self.data()) } else { self.copy + i64::from(BEFORE) };
        (start - i64::from(BEFORE)..=start + i64::from(self.bytes)).contains(&address)
    }
}

/// The libcall `c_data`.
pub fn data<C: Context>(c: &mut C, object: u32) -> Outcome<(), C> {
    lend(c, object, false);
    Ok(())
}

/// The libcall `c_lend`.
pub fn with_length<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    lend(c, string, true);
    Ok(())
}

/// An argument that is an object: its address is known once all arguments are there.
fn lend<C: Context>(c: &mut C, object: u32, with_length: bool) {
    let header = c.load_u32(object);
    let mut new = Lent { object, with_length, ..Lent::EMPTY };
    if header == c.program(PROGRAM_STRING_HEADER) {
        new.is_string = true;
        new.size = c.load_u32(object + STRING_LENGTH);
        new.bytes = new.size;
    } else if header != c.program(PROGRAM_ARRAY_HEADER) {
        new.problem = Problem::NoArray;
    } else {
        let kind = c.load_u32(object + ARRAY_ELEMENT);
        new.size = c.load_u32(object + ARRAY_SIZE);
        new.bytes = array_bytes(c, object) - ARRAY_DATA;
        if kind == element::REF || kind > element::CHAR && record_sizes(c, kind).0 > 0 {
            new.problem = Problem::References;
        } else if with_length {
            new.problem = Problem::NoString;
        }
    }
    let call = state(c);
    new.place = call.word(0);
    new.is_again = call.lent.iter().take(call.lent_count).any(|known| known.object == object);
    if let Some(place) = call.lent.get_mut(call.lent_count) {
        *place = new;
        call.lent_count += 1;
    }
}

/// Stops the program: C would see something wrong, or has done what it must not.
fn refuse<T, C: Context>(c: &mut C, what: &[u8]) -> Outcome<T, C> {
    console::flush(c);
    let text = c.clean().call.function;
    let length = c.load_u32(text);
    console::message_memory(c, text + 4, length);
    error::fail_with(c, what)
}

/// All arguments are there: gives the objects to C. The text block begins messages about the function.
pub fn hand_over<C: Context>(c: &mut C, function: u32) -> Outcome<(), C> {
    state(c).function = function;
    for at in 0..count(c) {
        match lent(c, at).problem {
            Problem::None => {}
            Problem::NoArray => return refuse(c, b"is given something that is neither a string nor an array\n"),
            Problem::NoString => return refuse(c, b"is given an array where its types have S, a string\n"),
            Problem::References => {
                return refuse(c, b"is given an array with references, which mean nothing to C\n");
            }
        }
    }
    if c.c_word() != NARROW {
        for at in 0..count(c) {
            make_room(c, at)?;
        }
        for at in 0..count(c) {
            let mut object = lent(c, at);
            if object.is_in_place() {
                object.saved = c.load_u64(object.number_place());
                object.slack = load_slack(c, object.slack_place());
                set_lent(c, at, object);
                c.store_u64(object.number_place(), u64::from(object.size));
            }
        }
    }
    let word = i64::from(c.c_word());
    for at in 0..count(c) {
        let object = lent(c, at);
        let copy = (0..count(c)).map(|first| lent(c, first)).find(|first| first.object == object.object);
        let data = match copy.map_or(0, |first| first.copy) {
            0 => i64::from(object.data()),
            copy => copy + i64::from(BEFORE),
        };
        state(c).set_word(object.place, if object.with_length { data - word } else { data });
    }
    Ok(())
}

fn load_slack<C: Context>(c: &C, place: u32) -> u32 {
    if place == 0 { 0 } else { c.load_u32(place) }
}

/// If the size of an object would be written over another one that C gets, or over its room, copies one of the two. A
/// string whose room is beyond the memory is copied, too.
fn make_room<C: Context>(c: &mut C, at: usize) -> Outcome<(), C> {
    let object = lent(c, at);
    if !object.is_in_place() {
        return Ok(());
    }
    if u64::from(object.end()) > c.size() {
        return copy(c, at);
    }
    let number = object.number_place();
    let is_over = |other: &Lent| other.is_in_place() && other.object < number + 8 && number < other.end();
    match (0..count(c)).find(|&other| other != at && is_over(&lent(c, other))) {
        None => Ok(()),
        Some(other) if lent(c, other).bytes < object.bytes => copy(c, other),
        Some(_) => copy(c, at),
    }
}

/// Copies an object for the time of the call.
fn copy<C: Context>(c: &mut C, at: usize) -> Outcome<(), C> {
    let mut object = lent(c, at);
    object.copy = c.allocate_for_c(u64::from(BEFORE) + u64::from(object.bytes) + 8);
    if object.copy == 0 {
        return error::heap_full(c);
    }
    set_lent(c, at, object);
    c.store_to_c(object.number_in_copy(), u64::from(object.size));
    c.copy_in_c(i64::from(object.data()), object.copy + i64::from(BEFORE), u64::from(object.bytes));
    Ok(())
}

/// The size of an object as C has left it.
fn size_after<C: Context>(c: &C, object: &Lent) -> u64 {
    if c.c_word() == NARROW {
        u64::from(c.load_u32(object.size_place()))
    } else if object.copy == 0 {
        c.load_u64(object.number_place())
    } else {
        c.load_from_c(object.number_in_copy())
    }
}

/// The libcall `c_give_back`: C has returned, and what it returned is safe. The objects are those of Clean again, as C
/// has left them.
pub fn give_back<C: Context>(c: &mut C) -> Outcome<(), C> {
    let is_narrow = c.c_word() == NARROW;
    let mut has_grown = false;
    for at in 0..count(c) {
        let mut object = lent(c, at);
        if object.is_again {
            continue;
        }
        let size = size_after(c, &object);
        if object.is_in_place() && !is_narrow {
            c.store_u64(object.number_place(), object.saved);
            if object.slack_place() != 0 {
                c.store_u32(object.slack_place(), object.slack);
            }
        }
        has_grown |= size > u64::from(object.size);
        object.size = object.size.min(size as u32);
        set_lent(c, at, object);
    }
    // Whatever was written over is as it was: copies come back into whole objects.
    for at in 0..count(c) {
        let object = lent(c, at);
        if object.is_again {
            continue;
        }
        if object.copy != 0 {
            c.copy_in_c(object.copy + i64::from(BEFORE), i64::from(object.data()), u64::from(object.bytes));
            c.release_for_c(object.copy);
        }
        c.store_u32(object.size_place(), object.size);
    }
    state(c).lent_count = 0;
    if has_grown { refuse(c, b"has made a string or an array larger than it was\n") } else { Ok(()) }
}

/// The libcall `c_keep`: the address of a string that C returns, or that of the elements of an array. If it lies in
/// what C has been lent, that of a copy.
pub fn keep<C: Context>(c: &mut C, address: i64, is_array: u32) -> Outcome<i64, C> {
    if !(0..count(c)).any(|at| lent(c, at).holds(address)) {
        return Ok(address);
    }
    let word = i64::from(c.c_word());
    let (before, bytes) = if is_array == 0 {
        (0, word + c_size(c, address))
    } else {
        let size = c_size(c, address - 2 * word);
        (2 * word, size.saturating_mul(8).saturating_add(2 * word))
    };
    let Some(small) = u32::try_from(bytes).ok() else { return error::heap_full(c) };
    let block = match word {
        8 => c.allocate_for_c(u64::from(small)),
        _ => i64::from(memory::allocate(c, small)),
    };
    if block == 0 {
        return error::heap_full(c);
    }
    c.copy_in_c(address - before, block, u64::from(small));
    let call = state(c);
    if let Some(place) = call.kept.get_mut(call.kept_count) {
        *place = Kept { address: block + before, block };
        call.kept_count += 1;
    }
    Ok(block + before)
}

/// A size that C has written, a word of C.
pub fn c_size<C: Context>(c: &C, address: i64) -> i64 {
    let size = c.load_from_c(address);
    if c.c_word() == NARROW { i64::from(size as u32) } else { size as i64 }
}

/// Clean has made an object of what C has returned at an address: a copy of it is needed no longer.
pub fn forget<C: Context>(c: &mut C, address: i64) {
    let call = state(c);
    let Some(kept) = call.kept.iter_mut().take(call.kept_count).find(|kept| kept.address == address) else { return };
    let block = kept.block;
    *kept = Kept::EMPTY;
    if call.kept.iter().take(call.kept_count).all(|kept| kept.block == 0) {
        call.kept_count = 0;
    }
    match c.c_word() {
        NARROW => memory::release(c, block as u32),
        _ => c.release_for_c(block),
    }
}
