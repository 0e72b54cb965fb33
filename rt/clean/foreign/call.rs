//! Calls of C functions in machine code, and of those that are merged with the program in WebAssembly: arguments are
//! collected one by one, then the function is called.
//!
//! The classes are those of the System V convention for x86-64: integers and addresses, then reals, each in registers
//! as long as there are some, the rest in order on the stack. What makes the call from them is `Host::call_c`.
//!
//! Words of C have 64 bits in machine code and 32 in WebAssembly (`Host::c_word`). There the strings of Clean are what
//! C takes for one, and results through pointers may be written as 32 bits or as 64: the upper half is marked before
//! the call, and what still bears the mark has 32.
//!
//! Invariants: from the first argument to the call nothing is collected, so that addresses of objects stay right; C
//! code does not call back into Clean, so that one set of arguments is enough. `src/frontends/clean/ccall.rs` keeps to
//! the bounds below.

use super::memory;
use crate::base::{console, error};
use crate::clean::Context;
use crate::clean::state::Call;
use crate::gc::object::data_of;
use crate::layout::*;
use crate::system::Outcome;

/// Bytes of a word of C in WebAssembly.
const NARROW: u32 = 4;
/// What results have in their upper half until C writes it: no integer or real that occurs.
const MARK: i64 = 0x7ff4_c1ea;

impl Call {
    fn on_stack(&mut self, bits: i64) {
        if let Some(place) = self.arguments.stack.get_mut(self.stack) {
            *place = bits;
            self.stack += 1;
        }
    }
    fn word(&mut self, value: i64) {
        match self.arguments.words.get_mut(self.words) {
            Some(place) => {
                *place = value;
                self.words += 1;
            }
            None => self.on_stack(value),
        }
    }
    fn real(&mut self, value: f64) {
        match self.arguments.reals.get_mut(self.reals) {
            Some(place) => {
                *place = value;
                self.reals += 1;
            }
            None => self.on_stack(value.to_bits() as i64),
        }
    }
}

fn state<C: Context>(c: &mut C) -> &mut Call {
    &mut c.clean_mut().call
}

/// The service `c_word`.
pub fn word<C: Context>(c: &mut C, value: i64) -> Outcome<(), C> {
    state(c).word(value);
    Ok(())
}

/// The service `c_real`.
pub fn real<C: Context>(c: &mut C, value: f64) -> Outcome<(), C> {
    state(c).real(value);
    Ok(())
}

/// The service `c_float`: the lower half of a register holds the float.
pub fn float<C: Context>(c: &mut C, value: f64) -> Outcome<(), C> {
    state(c).real(f64::from_bits(u64::from((value as f32).to_bits())));
    Ok(())
}

/// The service `c_data`.
pub fn data<C: Context>(c: &mut C, object: u32) -> Outcome<(), C> {
    let address = data_of(c, object);
    word(c, i64::from(address))
}

/// The service `c_lend`: in machine code our strings have a shorter length than those that C knows, so C gets a copy.
pub fn lend<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    if c.c_word() == NARROW {
        return word(c, i64::from(string + STRING_LENGTH));
    }
    let length = c.load_u32(string + STRING_LENGTH);
    // A NUL behind the characters, as behind those of most C strings.
    let copy = memory::allocate(c, length.saturating_add(9));
    if copy == 0 {
        return error::heap_full(c);
    }
    c.store_u64(copy, u64::from(length));
    c.copy_within(string + STRING_DATA, copy + 8, length);
    let call = state(c);
    if let Some(place) = call.lent.get_mut(call.lent_count) {
        *place = copy;
        call.lent_count += 1;
    }
    word(c, i64::from(copy))
}

/// The service `c_take_back`: C may have written to the characters.
pub fn take_back<C: Context>(c: &mut C, string: u32) -> Outcome<(), C> {
    if c.c_word() == NARROW {
        return Ok(());
    }
    let call = state(c);
    let copy = call.lent.get(call.taken_back).copied().unwrap_or(0);
    call.taken_back += 1;
    if call.taken_back >= call.lent_count {
        call.taken_back = 0;
        call.lent_count = 0;
    }
    let length = c.load_u32(string + STRING_LENGTH);
    c.copy_within(copy + 8, string + STRING_DATA, length);
    memory::release(c, copy);
    Ok(())
}

/// The service `c_pointer`.
pub fn pointer<C: Context>(c: &mut C) -> Outcome<(), C> {
    let initial = if c.c_word() == NARROW { MARK << 32 } else { 0 };
    let foreign = &mut c.clean_mut();
    let place = foreign.results.get_mut(foreign.call.pointers);
    foreign.call.pointers += 1;
    let address = place.map_or(0, |place| {
        *place = initial;
        core::ptr::from_mut(place) as usize
    });
    word(c, address as i64)
}

/// The service `c_address`.
pub fn address<C: Context>(c: &mut C, symbol: u32) -> Outcome<i64, C> {
    let address = c.load_u64(symbol);
    if address == 0 {
        super::process::missing(c, symbol + 8)?;
    }
    Ok(address as i64)
}

fn both<C: Context>(c: &mut C, symbol: u32) -> Outcome<(i64, f64), C> {
    let address = address(c, symbol)? as u64;
    // What was printed before comes first.
    console::flush(c);
    let call = state(c);
    let (arguments, pointers) = (call.arguments, call.pointers);
    (call.words, call.reals, call.stack, call.pointers) = (0, 0, 0, 0);
    let returned = c.call_c(address, &arguments);
    if c.c_word() == NARROW {
        for result in c.clean_mut().results.iter_mut().take(pointers) {
            if *result >> 32 == MARK {
                *result = i64::from(*result as i32);
            }
        }
    }
    Ok(returned)
}

/// The service `c_call`.
pub fn call<C: Context>(c: &mut C, symbol: u32) -> Outcome<i64, C> {
    Ok(both(c, symbol)?.0)
}

/// The service `c_call_real`.
pub fn call_real<C: Context>(c: &mut C, symbol: u32) -> Outcome<f64, C> {
    Ok(both(c, symbol)?.1)
}

/// The service `c_array_size`: before the elements lie the size and what describes an element, a word of C each.
pub fn array_size<C: Context>(c: &mut C, address: i64) -> Outcome<i64, C> {
    if address == 0 {
        return Ok(0);
    }
    let word = c.c_word();
    let size = c.load_from_c(address.wrapping_sub(2 * i64::from(word)));
    Ok(if word == NARROW { i64::from(size as u32) } else { size as i64 })
}

/// The service `c_array_fill`.
pub fn array_fill<C: Context>(c: &mut C, array: u32, address: i64) -> Outcome<(), C> {
    let size = c.load_u32(array + ARRAY_SIZE);
    c.copy_from_c(address, array + ARRAY_DATA, size.wrapping_mul(8));
    Ok(())
}
