//! Return type inference: what each function label returns, worked out once for a whole program, before any code is
//! built.
//!
//! ABC text declares what a label takes (`.o` before it), but what it returns only where somebody says so: before a
//! `rtn`, after a call. Many labels say nothing themselves: they end in a tail call, run into the next label, or call
//! a class member through a closure (`jmp_i`). What they return follows from others, on either side of them:
//!
//! ```text
//!   nperf   … .d 5 0 / jsr ea2 / .o 1 0      says that ea2 returns one node
//!   ea2     … runs into s2                   so s2 returns the same
//!   s2      … .d 4 0 / jmp_i 3               says nothing
//!   iperf   … .d 6 0 / jmp s2                so iperf returns one node, too
//! ```
//!
//! Labels that leave to each other return the same, hence belong to one class; all evidence about any of its members
//! decides (`infer`). A label that never returns (it ends in an error) is in no class with those that leave to it: it
//! may be left to by anybody. What nobody says anything about has results that are open: such a label is translated
//! once for each kind of results that somebody expects of it.

mod infer;

use crate::ast::Layout;
use crate::link::{ModuleId, Program};
use crate::types::layout_types;
use cleave_ir::Type;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Types of the results of a function: nodes, then words, each top first.
pub type Results = SmallVec<[Type; 4]>;

/// A list of result types; equal numbers mean equal lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape(u32);

/// What says how a function returns, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A `rtn`, or an instruction that ends in one, of the label itself or of what it leaves to.
    Code,
    /// It is the entry of nodes or closures.
    Entry,
    /// The `.o` after a call of it.
    Call,
    /// A `rtn` that is not reached.
    Unreached,
}

/// Something that says how a label returns, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    pub shape: Shape,
    pub reason: Reason,
    pub module: ModuleId,
    pub item: u32,
}

/// What is known of a label.
#[derive(Clone, Copy, Debug)]
struct Label {
    evidence: Option<Evidence>,
    may_return: bool,
}

/// The results of all labels of a program.
pub struct LabelResults {
    /// Number of the first label of each module.
    first: Vec<u32>,
    labels: Vec<Label>,
    shapes: Shapes,
}

impl LabelResults {
    /// Works them out.
    pub fn infer(program: &mut Program) -> LabelResults {
        infer::infer(program)
    }

    fn label(&self, module: ModuleId, index: u32) -> &Label {
        &self.labels[(self.first[module as usize] + index) as usize]
    }

    /// What the label returns, and what says so; `None`: nothing does, its results are open.
    pub fn evidence(&self, module: ModuleId, index: u32) -> Option<Evidence> {
        self.label(module, index).evidence
    }

    /// The types that the label returns, if they are not open.
    pub fn types(&self, module: ModuleId, index: u32) -> Option<&[Type]> {
        self.evidence(module, index).map(|evidence| self.shape(evidence.shape))
    }

    /// False if the label always ends in an error.
    pub fn may_return(&self, module: ModuleId, index: u32) -> bool {
        self.label(module, index).may_return
    }

    pub fn shape(&self, shape: Shape) -> &[Type] {
        self.shapes.lists.get_index(shape.0 as usize).expect("shapes are only added")
    }

    /// The number of a list of types.
    pub fn intern(&mut self, types: &[Type]) -> Shape {
        self.shapes.intern(types)
    }
}

#[derive(Default)]
struct Shapes {
    lists: IndexSet<Results, FxBuildHasher>,
}

impl Shapes {
    fn intern(&mut self, types: &[Type]) -> Shape {
        let at = self.lists.get_index_of(types).unwrap_or_else(|| self.lists.insert_full(types.into()).0);
        Shape(at as u32)
    }

    fn of_layout(&mut self, layout: Layout<'_>) -> Shape {
        self.intern(&layout_types(layout))
    }
}
