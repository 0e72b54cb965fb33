//! What functions of the runtime take for granted of their operands, beside their types and the kinds of objects
//! (`libcalls::operand_kinds`). The interpreter asks it at each call, `--checked` puts the questions before the calls.

use crate::libcalls::*;
use cleave_abi::LibcallSignature;

fn is_among(name: &str, rows: &[LibcallSignature]) -> bool {
    rows.iter().any(|row| row.name == name)
}

/// Functions that only passes call, after checks of what they take for granted: memory of cells, stacks, write barriers.
pub fn is_for_passes(name: &str) -> bool {
    is_among(name, &[REMEMBER, REMEMBER_SLOT, ALLOC_OBJECT, RELEASE_LAST, COUNT_CELLS])
        || is_among(name, &[STACK_LIMIT, STACKLESS_ENTER, STACKLESS_LEAVE])
}

/// The operand that must be the address of a text block.
pub fn text_operand(name: &str) -> Option<usize> {
    is_among(name, &[PRINT_TEXT, UNAVAILABLE]).then_some(0)
}

/// The operand that must be a closure which lacks an argument.
pub fn closure_operand(name: &str) -> Option<usize> {
    is_among(name, &[ADD_ARGUMENT]).then_some(0)
}

/// A string, an index, and another string, which must lie within the first one from that index on.
pub fn overwrites_string(name: &str) -> bool {
    is_among(name, &[PUT_STRING, RC_PUT_STRING])
}
