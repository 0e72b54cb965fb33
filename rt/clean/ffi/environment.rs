//! Arguments and environment of the program: `getenv` and its relatives, and the C part of the library ArgEnv.
//!
//! Both are loaded into the C memory when they are first asked for: a table of addresses, then the texts. Variables
//! that the program sets replace entries of the table.

use super::results::give;
use super::{errno, memory};
use crate::clean::Context;
use crate::clean::state::Table;
use crate::gc::object::data_of;
use crate::layout::*;
use crate::platform::Outcome;

/// Longest name of a variable.
const NAME: usize = 256;

/// Entries that can be added before the table must be made larger.
const SPARE: u32 = 16;

fn load<C: Context>(c: &mut C) -> bool {
    if c.clean().environment.address != 0 {
        return true;
    }
    let (count, bytes) = c.environment_size();
    let room = count + SPARE;
    let table = memory::allocate(c, room * 4);
    let texts = memory::allocate(c, bytes);
    if table == 0 || texts == 0 || (count > 0 && !c.load_environment(table, texts)) {
        return false;
    }
    c.clean_mut().environment = Table { address: table, count, room };
    true
}

/// Address of the entry of a variable, and of its value.
fn find<C: Context>(c: &mut C, name: &[u8]) -> Option<(u32, u32)> {
    if !load(c) {
        return None;
    }
    let Table { address, count, .. } = c.clean().environment;
    (0..count).map(|index| address + 4 * index).find_map(|entry| {
        let mut start = [0; NAME];
        let text = c.load_u32(entry);
        let rest = memory::read_text(c, text, &mut start).strip_prefix(name)?;
        (rest.first() == Some(&b'=')).then_some((entry, text + name.len() as u32 + 1))
    })
}

/// The value of a variable as a C string; 0 if it is not set.
fn value_of<C: Context>(c: &mut C, name: u32) -> u32 {
    let mut buffer = [0; NAME];
    let name = memory::read_text(c, name, &mut buffer);
    find(c, name).map_or(0, |(_, value)| value)
}

/// The value of a variable with a known name, into a buffer.
pub fn variable<'b, C: Context>(c: &mut C, name: &[u8], buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    let (_, value) = find(c, name)?;
    Some(memory::read_text(c, value, buffer))
}

/// `getenv (string)`
pub fn getenv<C: Context>(c: &mut C, name: u32) -> Outcome<i64, C> {
    let name = data_of(c, name);
    Ok(i64::from(value_of(c, name)))
}

/// `setenv (string, string, overwrite)`
pub fn setenv<C: Context>(c: &mut C, name: u32, value: u32, overwrite: i64) -> Outcome<i64, C> {
    let (name, value) = (data_of(c, name), data_of(c, value));
    let mut buffer = [0; NAME];
    let name = memory::read_text(c, name, &mut buffer);
    if name.is_empty() || name.contains(&b'=') {
        return errno::value(c, Err(errno::EINVAL));
    }
    let place = match find(c, name) {
        Some(_) if overwrite == 0 => return Ok(0),
        Some((entry, _)) => entry,
        None => match new_entry(c) {
            0 => return errno::value(c, Err(errno::ENOMEM)),
            entry => entry,
        },
    };
    let (head, tail) = (name.len() as u32, memory::length_of(c, value));
    let text = memory::allocate(c, head + tail + 2);
    if text == 0 {
        return errno::value(c, Err(errno::ENOMEM));
    }
    c.write_bytes(text, name);
    c.store_u8(text + head, u32::from(b'='));
    c.copy_within(value, text + head + 1, tail + 1);
    c.store_u32(place, text);
    Ok(0)
}

/// Address of a further entry, which must be filled at once; 0 when there is no memory.
fn new_entry<C: Context>(c: &mut C) -> u32 {
    if !load(c) {
        return 0;
    }
    let Table { address, count, room } = c.clean().environment;
    let mut table = address;
    if count == room {
        table = memory::allocate(c, 8 * room);
        if table == 0 {
            return 0;
        }
        c.copy_within(address, table, 4 * count);
        memory::release(c, address);
        c.clean_mut().environment.room = 2 * room;
    }
    let state = &mut c.clean_mut().environment;
    state.address = table;
    state.count = count + 1;
    table + 4 * count
}

/// `unsetenv (string)`
pub fn unsetenv<C: Context>(c: &mut C, name: u32) -> Outcome<i64, C> {
    let name = data_of(c, name);
    let mut buffer = [0; NAME];
    let name = memory::read_text(c, name, &mut buffer);
    if let Some((entry, _)) = find(c, name) {
        let state = &mut c.clean_mut().environment;
        state.count -= 1;
        let last = state.address + 4 * state.count;
        let text = c.load_u32(last);
        c.store_u32(entry, text);
    }
    Ok(0)
}

// -- ArgEnv -----------------------------------------------------------------------------------------------------------

/// Number of arguments without the options of the run-time system, the program's name included.
pub fn argument_count<C: Context>(c: &mut C) -> u32 {
    let own = c.base().own_arguments;
    c.arguments_size().0.saturating_sub(own)
}

/// `ArgEnvGetCommandLineCountC`
pub fn argenv_count<C: Context>(c: &mut C) -> Outcome<i64, C> {
    Ok(i64::from(argument_count(c)))
}

/// `ArgEnvGetCommandLineArgumentC (index)`: length and address.
pub fn argenv_argument<C: Context>(c: &mut C, index: i64) -> Outcome<(), C> {
    let address = argument(c, index);
    let length = memory::length_of(c, address);
    give(c, &[i64::from(length), i64::from(address)]);
    Ok(())
}

/// Address of the text of an argument; 0 if there is none.
pub fn argument<C: Context>(c: &mut C, index: i64) -> u32 {
    let (count, bytes) = c.arguments_size();
    if c.clean().arguments == 0 {
        let table = memory::allocate(c, count * 4);
        let texts = memory::allocate(c, bytes);
        if table == 0 || texts == 0 || !c.load_arguments(table, texts) {
            return 0;
        }
        c.clean_mut().arguments = table;
    }
    // The name of the program comes first, then what follows the options of the run-time system.
    let own = c.base().own_arguments;
    let Ok(index) = u32::try_from(index) else { return 0 };
    let place = if index == 0 { 0 } else { index.saturating_add(own) };
    if place < count { c.load_u32(c.clean().arguments + 4 * place) } else { 0 }
}

/// `ArgEnvGetEnvironmentVariableC (string)`: length and address of the value; 0, 0 if it is not set.
pub fn argenv_variable<C: Context>(c: &mut C, name: u32) -> Outcome<(), C> {
    let address = value_of(c, name + STRING_DATA);
    let length = memory::length_of(c, address);
    give(c, &[i64::from(length), i64::from(address)]);
    Ok(())
}

/// `ArgEnvCopyCStringToCleanStringC (pointer, string)`: fills the string, which becomes shorter when the text is.
pub fn argenv_copy<C: Context>(c: &mut C, string: u32, text: i64) -> Outcome<i64, C> {
    let room = c.load_u32(string + STRING_LENGTH);
    let length = c.length_of_c(text).min(room);
    c.copy_from_c(text, string + STRING_DATA, length);
    if length < room {
        c.store_u32(string + STRING_LENGTH, length);
    }
    Ok(1)
}
