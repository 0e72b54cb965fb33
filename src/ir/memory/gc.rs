//! The garbage-collected heap. Any cell may be overwritten, so that large nodes are split.

use super::{Count, Model};
use crate::layout::{FieldOffset, MIN_OBJECT, OVERFLOW, STRING_DATA, STRING_LENGTH, Shape};
use crate::module::Module;

pub struct Traced;

impl Model for Traced {
    fn count(&self) -> Option<Count> {
        None
    }
    fn string(&self) -> (u32, u32) {
        (STRING_LENGTH, STRING_DATA)
    }
    fn reference(&self, shape: Shape, index: u32) -> FieldOffset {
        shape.reference(index)
    }
    fn word(&self, shape: Shape, index: u32) -> FieldOffset {
        shape.word(index)
    }
    fn bytes(&self, shape: Shape) -> u32 {
        shape.bytes()
    }
    fn rest(&self, shape: Shape) -> Option<(u32, u32)> {
        shape.is_split().then_some((OVERFLOW, MIN_OBJECT))
    }
    fn info(&self, _: &Module, shape: Shape) -> u32 {
        shape.info()
    }
    fn record_bytes(&self, _: &Module) -> u32 {
        0
    }
    fn has_static_nodes(&self) -> bool {
        true
    }
}
