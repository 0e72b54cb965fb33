//! The traced heap: a copying collector. Any cell may be overwritten, so that large nodes are split.

use super::{Count, Model};
use crate::cfg::Cfg;
use crate::entity::FuncId;
use crate::func::{Func, Phase};
use crate::layout::{FieldOffset, MIN_CELL, REST, STRING_DATA, STRING_LENGTH, Shape};
use crate::module::Module;
use crate::strategy::Strategy;
use crate::verify::{VerifyError, gc};

pub struct Traced;

impl Model for Traced {
    fn word(&self) -> &'static str {
        "traced"
    }
    fn collects(&self) -> bool {
        true
    }
    fn count(&self) -> Option<Count> {
        None
    }
    fn string(&self) -> (u32, u32) {
        (STRING_LENGTH, STRING_DATA)
    }
    fn reference(&self, shape: Shape, index: u32) -> FieldOffset {
        shape.reference(index)
    }
    fn word_field(&self, shape: Shape, index: u32) -> FieldOffset {
        shape.word(index)
    }
    fn bytes(&self, shape: Shape) -> u32 {
        shape.bytes()
    }
    fn rest(&self, shape: Shape) -> Option<(u32, u32)> {
        shape.is_split().then_some((REST, MIN_CELL))
    }
    fn info(&self, shape: Shape) -> u32 {
        shape.info()
    }
    fn record_bytes(&self) -> u32 {
        0
    }
    fn program_flags(&self, _: bool) -> u32 {
        0
    }
    fn has_static_nodes(&self) -> bool {
        true
    }
    /// No reference crosses a safepoint but in a slot of the frame. Lowered, only frames of the machine have values to
    /// look at.
    fn verify_func(&self, module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>> {
        match func.phase != Phase::Low || func.roots == Some(Strategy::Stackmap) {
            true => gc::check_with(module, func, cfg),
            false => Ok(()),
        }
    }
    fn verify_module(&self, _: &Module) -> Vec<(FuncId, &'static str)> {
        Vec::new()
    }
}
