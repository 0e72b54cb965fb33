//! The counted heap: objects hold the number of references to them, behind the header.

use super::{Count, Model};
use crate::cfg::Cfg;
use crate::counted::{self, COUNT, RECORD_SIZE, STATIC_COUNT};
use crate::entity::FuncId;
use crate::func::{Func, Phase};
use crate::layout::{FieldOffset, KIND_COUNTED, PROGRAM_FLAG_COUNT_CELLS, PROGRAM_FLAG_COUNTED, Shape, info_word};
use crate::module::Module;
use crate::verify::{VerifyError, conventions, counts};

pub struct Counted;

impl Model for Counted {
    fn word(&self) -> &'static str {
        "counted"
    }
    fn collects(&self) -> bool {
        false
    }
    fn count(&self) -> Option<Count> {
        Some(Count { offset: COUNT, of_static: STATIC_COUNT })
    }
    fn string(&self) -> (u32, u32) {
        (counted::STRING_LENGTH, counted::STRING_DATA)
    }
    fn reference(&self, _: Shape, index: u32) -> FieldOffset {
        FieldOffset::Cell(counted::reference(index))
    }
    fn word_field(&self, shape: Shape, index: u32) -> FieldOffset {
        FieldOffset::Cell(counted::word(shape.refs, index))
    }
    fn bytes(&self, shape: Shape) -> u32 {
        counted::payload_end(shape.refs, shape.words)
    }
    fn rest(&self, _: Shape) -> Option<(u32, u32)> {
        None
    }
    fn info(&self, shape: Shape) -> u32 {
        info_word(KIND_COUNTED, shape.refs, shape.slots())
    }
    fn record_bytes(&self) -> u32 {
        RECORD_SIZE
    }
    fn program_flags(&self, counts_objects: bool) -> u32 {
        PROGRAM_FLAG_COUNTED | if counts_objects { PROGRAM_FLAG_COUNT_CELLS } else { 0 }
    }
    /// A node that is released may be written over: only nodes without fields are static.
    fn has_static_nodes(&self) -> bool {
        false
    }
    /// Each owned reference is consumed exactly once on every path.
    fn verify_func(&self, module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
        if func.phase == Phase::Rooted { counts::check_with(module, func, cfg) } else { Ok(()) }
    }
    fn verify_module(&self, module: &Module) -> Vec<(FuncId, &'static str)> {
        conventions(module)
    }
}
