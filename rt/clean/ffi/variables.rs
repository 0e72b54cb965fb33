//! Variables of Clean's run-time system that programs reach by their addresses (`pushLc`): the status at the end, and
//! the arguments without the options of the run-time system.
//!
//! In machine code they are variables of C, which objects of C see, too. Elsewhere they lie in the C memory, made when
//! they are first asked for; as to programs of 64 bits, each address in the list of arguments has a word.

use super::{environment, memory};
use crate::clean::Context;
use crate::clean::state::{ARGUMENT_COUNT, ARGUMENTS, RETURN_CODE};
use crate::platform::Outcome;

/// Bytes of a variable, and of an entry of the list.
const WORD: u32 = 8;

/// The address of a variable; 0 when there is no memory for it.
fn place<C: Context>(c: &mut C, which: usize) -> i64 {
    let own = c.c_variable(which);
    if own != 0 {
        return own;
    }
    let Some(&known) = c.clean().variables.get(which) else { return 0 };
    if known != 0 {
        return i64::from(known);
    }
    let cell = memory::allocate(c, WORD);
    let value = match which {
        ARGUMENT_COUNT => environment::argument_count(c),
        ARGUMENTS => list_of_arguments(c),
        _ => 0,
    };
    if cell == 0 {
        return 0;
    }
    c.store_u64(cell, u64::from(value));
    if let Some(place) = c.clean_mut().variables.get_mut(which) {
        *place = cell;
    }
    i64::from(cell)
}

/// Addresses of the arguments, and a null pointer; 0 when there is no memory for it.
fn list_of_arguments<C: Context>(c: &mut C) -> u32 {
    let count = environment::argument_count(c);
    let list = memory::allocate(c, (count + 1) * WORD);
    for index in (0..count).filter(|_| list != 0) {
        let argument = environment::argument(c, i64::from(index));
        c.store_u64(list + index * WORD, u64::from(argument));
    }
    list
}

/// The libcall `c_variable`.
pub fn address<C: Context>(c: &mut C, which: u32) -> Outcome<i64, C> {
    Ok(place(c, which as usize))
}

/// The status that the program has set, 0 if none.
pub fn return_code<C: Context>(c: &mut C) -> u32 {
    let own = c.c_variable(RETURN_CODE);
    let known = c.clean().variables.first().copied().unwrap_or(0);
    match if own == 0 { i64::from(known) } else { own } {
        0 => 0,
        place => c.load_from_c(place) as u32 & 255,
    }
}

/// `set_return_code_c`: the status with which the program will end.
pub fn set_return_code<C: Context>(c: &mut C, status: i64) -> Outcome<(), C> {
    let place = place(c, RETURN_CODE);
    if place != 0 {
        c.store_to_c(place, status as u64);
    }
    Ok(())
}
