//! Frame table: which references a frame holds during a call. The runtime reads it, and so may others, who find it as a
//! section of objects and executables (docs/roots.md, "Stack maps for others").
//!
//! ```text
//! u32 mask | (mask + 1) * { u32 return address in the code, 0: empty, u32 place of a list in this table }
//!          | lists: u32 count, count * u32 distance below rbp, in bytes
//! ```
//! A hash table with linear probing, in which equal lists are there once; only programs with functions of the root
//! strategy `stackmap` have it, and in it only calls that may collect while the frame holds references.
//!
//! How frames are found is described in the runtime (`rt/sys/native/frames.rs`). Where calls go through `announce`, the
//! functions by which the runtime calls compiled code link records from `address_space::ENTRY`.

use crate::address_space::MAP_MULTIPLIER;
use crate::jit_code::Layout;
use crate::{Function, Program};
use rustc_hash::FxHashMap;

/// The section of objects and executables: `u32 version | i32 distance from here to the code | the table`.
pub const SECTION: &str = ".cleave.stackmaps";
/// The version of its form.
pub const VERSION: u32 = 1;
/// Where its distance to the code is, and where the table begins.
pub const CODE: usize = 4;
pub const TABLE: usize = 8;

/// Bytes of a row.
const ROW: usize = 8;

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
