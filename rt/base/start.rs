//! Program start-up: options, shadow stack, static nodes, heap.

use crate::base::Context;
use crate::base::console;
use crate::base::options;
use crate::gc::heap;
use crate::layout::*;
use crate::platform::Outcome;

/// Prepares everything for the program whose record is at `program` and returns the first shadow-stack pointer.
pub fn prepare<C: Context>(c: &mut C, program: u32) -> Outcome<u32, C> {
    c.gc_mut().program = program;
    let (flags, heap_max) = (c.program(PROGRAM_FLAGS), c.program(PROGRAM_HEAP_MAX));
    options::apply_flags(c.options_mut(), flags, heap_max);
    c.read_options()?;
    let options = c.base().options;
    let wanted = match options.stack_size {
        0 => SHADOW_STACK_TOP,
        bytes => bytes.min(u64::from(SHADOW_STACK_TOP)) as u32 & !7,
    };
    // An embedder without the usual image sets the base itself.
    if c.gc().stack_base == 0 {
        c.gc_mut().stack_base = wanted;
    }
    let sp = c.gc().stack_base;
    console::start(c);
    make_static_nodes(c);
    heap::initialize(c)?;
    Ok(sp)
}

/// Writes the static nodes of small integers, characters and booleans. The data section only reserves their place: they
/// would be a large part of a small program's file.
fn make_static_nodes<C: Context>(c: &mut C) {
    let tables = [
        (PROGRAM_SMALL_INTS, PROGRAM_INT_HEADER, SMALL_INT_MIN, SMALL_INTS as u32),
        (PROGRAM_CHARS, PROGRAM_CHAR_HEADER, 0, 256),
        (PROGRAM_BOOLS, PROGRAM_BOOL_HEADER, 0, 2),
    ];
    for (table, header, first, count) in tables {
        let (start, header) = (c.program(table), c.program(header));
        // Tests of the collector alone have no tables.
        if start == 0 {
            continue;
        }
        for i in 0..count {
            let node = start + i * STATIC_NODE_SIZE;
            c.store_u32(node, header);
            c.store_u64(node + SLOT, (first + i64::from(i)) as u64);
        }
    }
}
