//! What the runtime must know to walk the frames of compiled code: which function an address is in.
//!
//! ```text
//! u32 count | count * { u32 start of the function in the code, u32 place of its name in this table, 0: none }
//!           | names: u32 length, bytes
//! ```
//! Functions are in the order of their addresses, equal names are there once. Only programs with traces have the table.
//! How frames are found is described in the runtime (`rt/sys/native/frames.rs`): compiled code has frame pointers; before
//! it calls the runtime it stores its own in `low::LAST_FRAME`, its stack pointer in `low::LAST_STACK`, and the functions by which the runtime calls compiled
//! code link entry records from `low::ENTRY`.

use crate::Program;
use crate::place::Layout;
use rustc_hash::FxHashMap;

/// Bytes of a row.
const ROW: usize = 8;

/// The table of names, or nothing if the program was compiled without traces.
pub fn names(program: &Program, layout: &Layout) -> Vec<u8> {
    if program.trace.is_empty() {
        return Vec::new();
    }
    let count = program.functions.len();
    let mut table = (count as u32).to_le_bytes().to_vec();
    let mut texts = Vec::new();
    let mut places: FxHashMap<&str, u32> = FxHashMap::default();
    for i in 0..count {
        let start = layout.offset(crate::place::symbol_of(program, i)).expect("a compiled function");
        let place = match program.trace.get(i).map(String::as_str) {
            None | Some("") => 0,
            Some(name) => *places.entry(name).or_insert_with(|| {
                let place = (4 + count * ROW + texts.len()) as u32;
                texts.extend_from_slice(&(name.len() as u32).to_le_bytes());
                texts.extend_from_slice(name.as_bytes());
                place
            }),
        };
        table.extend_from_slice(&start.to_le_bytes());
        table.extend_from_slice(&place.to_le_bytes());
    }
    table.extend(texts);
    table
}
