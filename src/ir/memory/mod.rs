//! Objects and static data, as far as they differ between the heaps: everybody who lays out an object, or looks at one,
//! asks the [`Model`] of the heap.

mod gc;
mod rc;

use crate::heap::{Heap, PerHeap};
use crate::layout::{FieldOffset, PROGRAM_FLAG_IMMEDIATES, PROGRAM_FLAG_NO_OPTIONS, Shape};
use crate::module::Module;
use cleave_abi::libcalls;

/// What objects of a heap look like.
pub trait Model: Sync {
    /// Where an object has the number of references to it, and what stands there in static ones, which nobody frees.
    fn count(&self) -> Option<Count>;
    /// Byte offset of the length of a string object, and of its first byte.
    fn string(&self) -> (u32, u32);
    /// Place of reference `index` of a node.
    fn reference(&self, shape: Shape, index: u32) -> FieldOffset;
    /// Place of raw word `index` of a node.
    fn word(&self, shape: Shape, index: u32) -> FieldOffset;
    /// Bytes of a node, with its overflow block if it is split.
    fn bytes(&self, shape: Shape) -> u32;
    /// Of a split node: where the cell has the address of its overflow block, and how far after the start of the cell
    /// that block lies in the static data section.
    fn rest(&self, shape: Shape) -> Option<(u32, u32)>;
    /// The info word of rows with this shape.
    fn info(&self, module: &Module, shape: Shape) -> u32;
    /// Bytes after the program record.
    fn record_bytes(&self, module: &Module) -> u32;
    /// Flags of the program record.
    fn program_flags(&self, module: &Module) -> u32 {
        if module.immediates { PROGRAM_FLAG_IMMEDIATES } else { 0 }
    }
    /// True if a node with fields may lie in the static data section.
    fn has_static_nodes(&self) -> bool;
}

/// The number of references that an object holds of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Byte offset.
    pub offset: u32,
    /// The count of static objects.
    pub of_static: u32,
}

/// Flags of a program record, besides those that depend on how the program is built.
pub fn program_flags(module: &Module) -> u32 {
    // Who reads arguments has all of them: none is an option of the runtime.
    let rows = [&libcalls::ARGUMENT, &libcalls::ARGUMENT_COUNT, &libcalls::RC_ARGUMENT];
    let mut declared = module.externs.values().filter(|data| data.from.is_none());
    let reads_arguments = declared.any(|data| rows.iter().any(|row| *data.name == *row.name));
    of(module.heap).program_flags(module) | if reads_arguments { PROGRAM_FLAG_NO_OPTIONS } else { 0 }
}

/// What objects of this heap look like.
pub fn of(heap: Heap) -> &'static dyn Model {
    const MODELS: PerHeap<&dyn Model> = [&gc::Traced, &rc::Counted];
    MODELS[heap as usize]
}
