//! Fields that a program overwrites. An instruction names the shape of a node and the number of a field, not the
//! descriptor: so a field is written over if some instruction of the module does that for nodes of this shape.

use crate::func::InstData;
use crate::layout::Shape;
use crate::module::Module;
use crate::opcode::Opcode;
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
                match data.op {
                    Opcode::SetRef | Opcode::ExchangeRef => _ = found.references.insert(field(data)),
                    Opcode::SetI64 | Opcode::SetF64 => _ = found.words.insert(field(data)),
                    _ => {}
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
        match data.op {
            Opcode::GetRef => self.references.contains(&field(data)),
            Opcode::GetI64 | Opcode::GetF64 => self.words.contains(&field(data)),
            _ => false,
        }
    }
}
