//! Calls of C functions in machine code, and of those that are merged with the program in WebAssembly: arguments are
//! collected one by one, then the function is called.
//!
//! The classes are those of the System V convention for x86-64: integers and addresses, then reals, each in registers
//! as long as there are some, the rest in order on the stack. What makes the call from them is `Host::call_c`.
//!
//! Words of C have 64 bits in machine code and 32 in WebAssembly (`Host::c_word`). There results through pointers may
//! be written as 32 bits or as 64: the upper half is marked before the call, and what still bears the mark has 32.
//! Strings and arrays are the matter of `lent`.
//!
//! Invariants: C code does not call back into Clean, so that one set of arguments is enough.
//! `src/frontends/clean/ccall.rs` keeps to the bounds below.

use super::lent::{self, NARROW};
use crate::base::console;
use crate::clean::Context;
use crate::clean::state::{Call, WORDS};
use crate::layout::*;
use crate::platform::{Arguments, Outcome};

/// What results have in their upper half until C writes it: no integer or real that occurs.
const MARK: i64 = 0x7ff4_c1ea;

impl Call {
    fn on_stack(&mut self, bits: i64) {
        if let Some(place) = self.arguments.stack.get_mut(self.stack) {
            *place = bits;
            self.stack += 1;
        }
    }
    /// Adds a word: its place, for `set_word`.
    pub fn word(&mut self, value: i64) -> usize {
        match self.arguments.words.get_mut(self.words) {
            Some(place) => {
                *place = value;
                self.words += 1;
                self.words - 1
            }
            None => {
                self.on_stack(value);
                WORDS + self.stack - 1
            }
        }
    }
    /// Overwrites a word.
    pub fn set_word(&mut self, place: usize, value: i64) {
        let Arguments { words, stack, .. } = &mut self.arguments;
        if let Some(place) = words.get_mut(place).or_else(|| stack.get_mut(place.wrapping_sub(WORDS))) {
            *place = value;
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

/// The libcall `c_word`.
pub fn word<C: Context>(c: &mut C, value: i64) -> Outcome<(), C> {
    state(c).word(value);
    Ok(())
}

/// The libcall `c_real`.
pub fn real<C: Context>(c: &mut C, value: f64) -> Outcome<(), C> {
    state(c).real(value);
    Ok(())
}

/// The libcall `c_float`: the lower half of a register holds the float.
pub fn float<C: Context>(c: &mut C, value: f64) -> Outcome<(), C> {
    state(c).real(f64::from_bits(u64::from((value as f32).to_bits())));
    Ok(())
}

/// The libcall `c_pointer`.
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

/// The libcall `c_address`.
pub fn address<C: Context>(c: &mut C, symbol: u32) -> Outcome<i64, C> {
    let address = c.load_u64(symbol);
    if address == 0 {
        super::process::missing(c, symbol + 8)?;
    }
    Ok(address as i64)
}

fn both<C: Context>(c: &mut C, symbol: u32, function: u32) -> Outcome<(i64, f64), C> {
    let address = address(c, symbol)? as u64;
    // What was printed before comes first.
    console::flush(c);
    lent::hand_over(c, function)?;
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

/// The libcall `c_call`.
pub fn call<C: Context>(c: &mut C, symbol: u32, function: u32) -> Outcome<i64, C> {
    Ok(both(c, symbol, function)?.0)
}

/// The libcall `c_call_real`.
pub fn call_real<C: Context>(c: &mut C, symbol: u32, function: u32) -> Outcome<f64, C> {
    Ok(both(c, symbol, function)?.1)
}

/// The libcall `c_array_size`: before the elements lie the size and what describes an element, a word of C each.
pub fn array_size<C: Context>(c: &mut C, address: i64) -> Outcome<i64, C> {
    if address == 0 {
        return Ok(0);
    }
    let word = i64::from(c.c_word());
    Ok(lent::c_size(c, address.wrapping_sub(2 * word)))
}

/// The libcall `c_array_fill`.
pub fn array_fill<C: Context>(c: &mut C, array: u32, address: i64) -> Outcome<(), C> {
    let size = c.load_u32(array + ARRAY_SIZE);
    c.copy_from_c(address, array + ARRAY_DATA, size.wrapping_mul(8));
    lent::forget(c, address);
    Ok(())
}
