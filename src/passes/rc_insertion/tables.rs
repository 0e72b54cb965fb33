//! Reusable tables of reference-count insertion: filled anew for each function, in the same memory.

use super::ownership::Classes;
use super::shape_facts::{Evidence, Payload};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::liveness::{BitSet, Liveness};
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Func, SecondaryMap, Value};

/// The tables of one thread.
#[derive(Default)]
pub struct Tables {
    pub cfg: Cfg,
    pub dom: DomTree,
    pub classes: Classes,
    pub live: Liveness,
    pub evidence: Evidence,
    pub children: Children,
    pub fields: SecondaryMap<Value, Option<(Payload, u32)>>,
    pub sets: Vec<BitSet>,
}

/// The values that were read from each value: lists through all of them.
#[derive(Default)]
pub struct Children {
    first: SecondaryMap<Value, PackedOption<Value>>,
    next: SecondaryMap<Value, PackedOption<Value>>,
}

impl Children {
    /// Finds those of all values of a function.
    pub fn collect(&mut self, func: &Func, classes: &Classes) {
        for list in [&mut self.first, &mut self.next] {
            list.clear();
            list.resize(func.values.len());
        }
        for value in func.values.keys() {
            if let Some(parent) = classes.parent(value) {
                self.next[value] = std::mem::replace(&mut self.first[parent], value.into());
            }
        }
    }

    /// Those of one value.
    pub fn of(&self, value: Value) -> impl Iterator<Item = Value> {
        std::iter::successors(self.first[value].expand(), |&child| self.next[child].expand())
    }
}
