//! Frame tables for the runtime: which function an address is in, and which references a frame holds during a call.
//!
//! ```text
//! names:  u32 count | count * { u32 start in the code, u32 place of a name in this table, 0: none; | BEGINS }
//!                   | names: u32 length, bytes
//! maps:   u32 mask | (mask + 1) * { u32 return address in the code, 0: empty, u32 place of a list in this table }
//!                  | lists: u32 count, count * u32 distance below rbp, in bytes
//! ```
//! Names are those of functions, or what the code of a line is called from there on; the first of a function is
//! marked. They are in the order of their addresses, equal names are there once. Only programs with traces have names.
//! The second is a hash table with linear probing, in which equal lists are there once; only programs with functions of
//! the root strategy `stackmap` have it, and in it only calls that may collect while the frame holds references.
//!
//! How frames are found is described in the runtime (`rt/sys/native/frames.rs`): compiled code has frame pointers.
//! Before it calls the runtime it stores its own in `address_space::LAST_FRAME`, its stack pointer in
//! `address_space::LAST_STACK`, and the functions by which the runtime calls compiled code link thunk infos from
//! `address_space::ENTRY`.

use crate::address_space::MAP_MULTIPLIER;
use crate::jit_code::Layout;
use crate::{Function, Program};
use rustc_hash::FxHashMap;

/// Bytes of a row.
const ROW: usize = 8;
/// Marks the place of a name in the first row of a function.
const BEGINS: u32 = 1 << 31;

/// The table of names, or nothing if the program was compiled without traces.
pub fn names(program: &Program, layout: &Layout) -> Vec<u8> {
    if program.trace.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<(u32, Option<&String>)> = Vec::new();
    let mut starts = Vec::new();
    for (i, function) in program.functions.iter().enumerate() {
        let start = layout.offset(crate::jit_code::symbol_of(program, i)).expect("a compiled function");
        let name = program.trace.get(i).filter(|name| !name.is_empty());
        starts.push(rows.len());
        rows.push((start, name));
        for (offset, line) in &function.lines {
            let name = line.and_then(|line| program.lines.get(&line)).or(name);
            // The function begins with the row that is there.
            match rows.last_mut().filter(|last| last.0 == start + offset) {
                Some(last) => last.1 = name,
                None => rows.push((start + offset, name)),
            }
        }
    }
    let mut table = (rows.len() as u32).to_le_bytes().to_vec();
    let mut texts = Vec::new();
    let mut places: FxHashMap<&str, u32> = FxHashMap::default();
    let mut starts = starts.into_iter().peekable();
    for (i, (start, name)) in rows.iter().enumerate() {
        let place = name.map_or(0, |name| {
            *places.entry(name).or_insert_with(|| {
                let place = (4 + rows.len() * ROW + texts.len()) as u32;
                texts.extend_from_slice(&(name.len() as u32).to_le_bytes());
                texts.extend_from_slice(name.as_bytes());
                place
            })
        });
        let begins = if starts.next_if_eq(&i).is_some() { BEGINS } else { 0 };
        table.extend_from_slice(&start.to_le_bytes());
        table.extend_from_slice(&(place | begins).to_le_bytes());
    }
    table.extend(texts);
    table
}

/// The table of references, or nothing if no frame holds any.
pub fn maps(program: &Program, layout: &Layout) -> Vec<u8> {
    let count: usize = program.functions.iter().map(|function| function.maps.len()).sum();
    if count == 0 {
        return Vec::new();
    }
    // At least a quarter is empty.
    let rows = (count + count / 3 + 1).next_power_of_two();
    let mask = rows as u32 - 1;
    let mut table = vec![0; 4 + rows * ROW];
    table[..4].copy_from_slice(&mask.to_le_bytes());
    let mut lists: FxHashMap<&[u32], u32> = FxHashMap::default();
    for (i, Function { maps, .. }) in program.functions.iter().enumerate() {
        let start = layout.offset(crate::jit_code::symbol_of(program, i)).expect("a compiled function");
        for (address, list) in maps {
            let place = *lists.entry(list).or_insert_with(|| {
                let place = table.len() as u32;
                table.extend_from_slice(&(list.len() as u32).to_le_bytes());
                list.iter().for_each(|distance| table.extend_from_slice(&distance.to_le_bytes()));
                place
            });
            let address = start + address;
            let mut row = address.wrapping_mul(MAP_MULTIPLIER) >> 7 & mask;
            while table[4 + row as usize * ROW..][..4] != [0; 4] {
                row = (row + 1) & mask;
            }
            let at = 4 + row as usize * ROW;
            table[at..at + 4].copy_from_slice(&address.to_le_bytes());
            table[at + 4..at + 8].copy_from_slice(&place.to_le_bytes());
        }
    }
    table
}
