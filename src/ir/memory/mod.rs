//! Management of memory: what differs between the ways in which the objects of a program live and die, as far as objects,
//! static data and the verifier go. What passes do for them is in `src/passes/memory`.
//!
//! `Heap` is a name. This file is the only one of the crate that knows which there are: everybody else asks the
//! [`Model`], and a third way would be a third file beside `gc.rs` and `rc.rs`.

mod gc;
mod rc;

use crate::cfg::Cfg;
use crate::entity::FuncId;
use crate::func::Func;
use crate::layout::{FieldOffset, Shape};
use crate::module::Module;
use crate::verify::VerifyError;

/// How the objects of a program live and die (`Module::heap`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Heap {
    /// A copying collector finds what is alive: references are spilled around safepoints.
    #[default]
    Traced,
    /// Every object counts the references to it and is freed with the last one. For strict programs: a cycle of
    /// references would never be freed.
    Counted,
}

/// What a way to manage memory says of objects, static data and correct IR.
pub trait Model: Sync {
    /// The word of the text form and of the command line.
    fn word(&self) -> &'static str;
    /// True if a collector finds and moves objects: references are spilled around whatever may collect.
    fn collects(&self) -> bool;
    /// Where an object has the number of references to it, and what stands there in static ones, which nobody frees.
    fn count(&self) -> Option<Count>;
    /// Byte offset of the length of a string object, and of its first byte.
    fn string(&self) -> (u32, u32);
    /// Place of reference `index` of a node.
    fn reference(&self, shape: Shape, index: u32) -> FieldOffset;
    /// Place of raw word `index` of a node.
    fn word_field(&self, shape: Shape, index: u32) -> FieldOffset;
    /// Bytes of a node, with its rest block if it is split.
    fn bytes(&self, shape: Shape) -> u32;
    /// Where the cell of a node has the address of its rest block, and how far behind the cell's start that block may
    /// lie, if it is split.
    fn rest(&self, shape: Shape) -> Option<(u32, u32)>;
    /// The info word of rows with this shape.
    fn info(&self, shape: Shape) -> u32;
    /// Bytes behind the program record.
    fn record_bytes(&self) -> u32;
    /// Flags of the program record, for a program that counts its objects or not.
    fn program_flags(&self, counts_objects: bool) -> u32;
    /// True if a node with fields may lie in the static image.
    fn has_static_nodes(&self) -> bool;
    /// Checks the references of a function that is structurally correct and well typed.
    fn verify_func(&self, module: &Module, func: &Func, cfg: &Cfg) -> Result<(), Vec<VerifyError>>;
    /// What is wrong between functions.
    fn verify_module(&self, module: &Module) -> Vec<(FuncId, &'static str)>;
}

/// The number of references that an object holds of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Byte offset.
    pub offset: u32,
    /// The count of static objects.
    pub of_static: u32,
}

/// All of them, the usual one first.
pub const HEAPS: [Heap; 2] = [Heap::Traced, Heap::Counted];

/// The heap of that word.
pub fn heap_of(word: &str) -> Option<Heap> {
    HEAPS.into_iter().find(|heap| heap.word() == word)
}

impl Heap {
    /// What it does.
    pub const fn model(self) -> &'static dyn Model {
        match self {
            Heap::Traced => &gc::Traced,
            Heap::Counted => &rc::Counted,
        }
    }
    /// The word of the text form and of the command line.
    pub fn word(self) -> &'static str {
        self.model().word()
    }
    /// True if a collector finds and moves objects.
    pub fn collects(self) -> bool {
        self.model().collects()
    }
    /// True if objects count the references to them.
    pub fn counts(self) -> bool {
        self.model().count().is_some()
    }
}
