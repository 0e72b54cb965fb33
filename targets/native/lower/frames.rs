//! What compiled code says of its frames, for a runtime that walks them: `frames.rs` describes it.

use super::clif::Clif;
use crate::{Options, address_space};
use cleave_ir::{Func, Module, RootStrategy};
use cranelift_codegen::ir::{self, InstBuilder, types};

/// An thunk info: what the cells `LAST_FRAME`, `LAST_STACK` and `ENTRY` held outside, the frame pointer of the entry.
const ENTRY_RECORD: u32 = 32;
const ENTRY_FRAME: i32 = 24;
const CELLS: [(i32, u32); 3] =
    [(0, address_space::LAST_FRAME), (8, address_space::LAST_STACK), (16, address_space::ENTRY)];

/// When the runtime may walk the frames of compiled code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Walks {
    Never,
    /// In libcalls that may collect.
    Collecting,
    Always,
}

impl Walks {
    pub(super) fn of(module: &Module, options: &Options) -> Walks {
        if !options.trace.is_empty() {
            Walks::Always
        } else if module.funcs.values().any(keeps_references) {
            Walks::Collecting
        } else {
            Walks::Never
        }
    }
}

/// True for functions whose references stay where they are during calls: their frames say where.
pub(super) fn keeps_references(func: &Func) -> bool {
    func.roots == Some(RootStrategy::Stackmap)
}

impl Clif<'_, '_, '_> {
    /// Says that this function waits for a libcall, which may collect or not, if anybody wants to know.
    pub fn announce_frame(&mut self, collects: bool) {
        if self.env.walks >= if collects { Walks::Collecting } else { Walks::Always } {
            let cell = self.address(address_space::LAST_FRAME);
            let frame = self.builder.ins().get_frame_pointer(types::I64);
            self.builder.ins().store(Self::flags(self.program), frame, cell, 0);
            let stack = self.builder.ins().get_stack_pointer(types::I64);
            let offset = (address_space::LAST_STACK - address_space::LAST_FRAME) as i32;
            self.builder.ins().store(Self::flags(self.program), stack, cell, offset);
        }
    }

    /// Links a record for a call of compiled code by the runtime; `leave_entry` takes what comes back.
    pub fn link_entry(&mut self) -> Option<ir::StackSlot> {
        if self.env.walks == Walks::Never {
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
