//! Fields that a program overwrites. An instruction names the shape of a node and the number of a field, not the
//! descriptor: so a field is written over if some instruction of the module does that for nodes of this shape.

use crate::func::InstData;
use crate::layout::Shape;
use crate::module::Module;
use crate::opcode::{self, Opcode};
use rustc_hash::FxHashSet;

/// References and words of the node, and the number of the field among those of its type.
type Field = (u32, u32, u32);

/// The fields that something overwrites, by shape.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WrittenFields {
    references: FxHashSet<Field>,
    words: FxHashSet<Field>,
}

fn field(data: &InstData) -> Field {
    let Shape { ptrs, nptrs, .. } = data.field_shape();
    (ptrs, nptrs, data.aux)
}

impl WrittenFields {
    /// Those of a module.
    pub fn of(module: &Module) -> WrittenFields {
        let mut found = WrittenFields::default();
        for func in module.funcs.values() {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                let data = &func.insts[inst];
                if data.op == Opcode::SetRef || data.op == Opcode::ExchangeRef {
                    found.references.insert(field(data));
                } else if opcode::Field::of(data.op).and_then(opcode::Field::read_back).is_some() {
                    found.words.insert(field(data));
                }
            }
        }
        found
    }

    /// True if no reference is overwritten.
    pub fn has_no_references(&self) -> bool {
        self.references.is_empty()
    }

    /// True if what the instruction reads may be overwritten: a `get.*`.
    pub fn may_change(&self, data: &InstData) -> bool {
        let is_word = data.op == Opcode::GetI64 || data.op == Opcode::GetF64;
        data.op == Opcode::GetRef && self.references.contains(&field(data))
            || is_word && self.words.contains(&field(data))
    }
}
