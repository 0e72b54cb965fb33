//! The reference-counted heap: objects hold the number of references to them, after the header.

use super::{Count, Model};
use crate::layout::{
    FieldOffset, KIND_RC, PROGRAM_FLAG_COUNT_CELLS, PROGRAM_FLAG_CYCLES, PROGRAM_FLAG_CYCLIC_ARRAYS,
    PROGRAM_FLAG_IMMEDIATES, PROGRAM_FLAG_RC, Shape, info_word,
};
use crate::module::Module;
use crate::rc::{self, COUNT, CYCLE_RECORD_SIZE, RECORD_SIZE, STATIC_COUNT};

pub struct Counted;

impl Model for Counted {
    fn count(&self) -> Option<Count> {
        Some(Count { offset: COUNT, of_static: STATIC_COUNT })
    }
    fn string(&self) -> (u32, u32) {
        (rc::STRING_LENGTH, rc::STRING_DATA)
    }
    fn reference(&self, _: Shape, index: u32) -> FieldOffset {
        FieldOffset::Cell(rc::reference(index))
    }
    fn word(&self, shape: Shape, index: u32) -> FieldOffset {
        FieldOffset::Cell(rc::word(shape.ptrs, index))
    }
    fn bytes(&self, shape: Shape) -> u32 {
        rc::payload_end(shape.ptrs, shape.nptrs)
    }
    fn rest(&self, _: Shape) -> Option<(u32, u32)> {
        None
    }
    fn info(&self, module: &Module, shape: Shape) -> u32 {
        info_word(KIND_RC, shape.ptrs, shape.slots() + module.cell_sizes.padding(shape.ptrs, shape.nptrs))
    }
    fn record_bytes(&self, module: &Module) -> u32 {
        RECORD_SIZE + if module.cycles.is_empty() { 0 } else { CYCLE_RECORD_SIZE }
    }
    fn program_flags(&self, module: &Module) -> u32 {
        let cells = if module.keeps_rc_stats { PROGRAM_FLAG_COUNT_CELLS } else { 0 };
        let immediates = if module.immediates { PROGRAM_FLAG_IMMEDIATES } else { 0 };
        let cycles = if module.cycles.is_empty() { 0 } else { PROGRAM_FLAG_CYCLES };
        let arrays = if module.cycles.arrays { PROGRAM_FLAG_CYCLIC_ARRAYS } else { 0 };
        PROGRAM_FLAG_RC | cells | immediates | cycles | arrays
    }
    /// A node that is released may be written over: only nodes without fields are static.
    fn has_static_nodes(&self) -> bool {
        false
    }
}
