//! What compiled code says of its frames, for a runtime that walks them (`announce.rs`): records of its entries.

use super::clif::Clif;
use crate::announce::Walkers;
use crate::{Options, address_space};
use cleave_ir::{Func, Module, RootStrategy};
use cranelift_codegen::ir::{self, InstBuilder, types};

/// A record: what the cells `LAST_FRAME`, `LAST_STACK` and `ENTRY` held outside, the frame pointer of the entry.
const ENTRY_RECORD: u32 = 32;
const ENTRY_FRAME: i32 = 24;
const CELLS: [(i32, u32); 3] =
    [(0, address_space::LAST_FRAME), (8, address_space::LAST_STACK), (16, address_space::ENTRY)];

/// Who walks the frames of a program.
pub(super) fn walkers(module: &Module, options: &Options) -> Walkers {
    Walkers { traces: !options.trace.is_empty(), collections: module.funcs.values().any(keeps_references) }
}

/// True for functions whose references stay where they are during calls: their frames say where.
pub(super) fn keeps_references(func: &Func) -> bool {
    func.roots == Some(RootStrategy::Stackmap)
}

impl Clif<'_, '_, '_> {
    /// Links a record for a call of compiled code by the runtime; `leave_entry` takes what comes back.
    pub fn link_entry(&mut self) -> Option<ir::StackSlot> {
        if !self.env.walkers.any() {
            return None;
        }
        let record = ir::StackSlotData::new(ir::StackSlotKind::ExplicitSlot, ENTRY_RECORD, 3);
        let record = self.builder.create_sized_stack_slot(record);
        for (field, cell) in CELLS {
            let cell = self.address(cell);
            let word = self.builder.ins().load(types::I64, Self::flags(self.program), cell, 0);
            self.builder.ins().stack_store(types::I64, word, record, field);
        }
        let pointer = self.builder.ins().get_frame_pointer(types::I64);
        self.builder.ins().stack_store(types::I64, pointer, record, ENTRY_FRAME);
        let address = self.builder.ins().stack_addr(types::I64, record, 0);
        let head = self.address(address_space::ENTRY);
        self.builder.ins().store(Self::flags(self.program), address, head, 0);
        Some(record)
    }

    pub fn leave_entry(&mut self, record: Option<ir::StackSlot>) {
        let Some(record) = record else { return };
        for (field, cell) in CELLS {
            let word = self.builder.ins().stack_load(types::I64, types::I64, record, field);
            let cell = self.address(cell);
            self.builder.ins().store(Self::flags(self.program), word, cell, 0);
        }
    }
}
