//! Reals that wait for the end of a call (`cleave_ir::waits`): they are stored in the frame before it and loaded
//! after it.
//!
//! A value that is stored has several definitions then, and becomes a variable of `cranelift-frontend`, which makes SSA
//! form again.

use super::state::Lower;
use cleave_ir::cfg::Cfg;
use cleave_ir::waits::Waits;
use cleave_ir::{Block, Inst, Opcode, Service, Value};
use cranelift_codegen::ir::{self, InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_frontend::Variable;

/// Bytes of a slot, as a power of two.
const SLOT_SHIFT: u8 = 3;

/// What waits where.
#[derive(Default)]
pub struct Plan {
    waits: Waits,
    slots: Vec<ir::StackSlot>,
}

impl Lower<'_, '_, '_, '_> {
    /// Finds what has to wait for calls, and declares variables for it.
    pub(super) fn plan(&mut self, cfg: &Cfg) {
        let func = self.func;
        // The glue before it saves all registers.
        let collects = |inst: Inst| {
            func.insts[inst].op == Opcode::CallRt && func.insts[inst].external().0 == Service::Collect.id()
        };
        let waits = Waits::compute(func, cfg, collects);
        for value in waits.values() {
            if self.variable(value).is_none() {
                let variable = self.clif.builder.declare_var(types::F64);
                self.form(value).variable = variable.into();
            }
        }
        self.plan.waits = waits;
    }

    /// The variable that holds a value that waits somewhere.
    pub(super) fn variable(&self, value: Value) -> Option<Variable> {
        self.forms[value.as_u32() as usize].variable.expand()
    }

    /// At the start of a block: its parameters that wait somewhere later.
    pub(super) fn keep_params(&mut self, block: Block) {
        for &param in self.func.params(block) {
            if let Some(variable) = self.variable(param)
                && let Some(word) = self.form(param).word.take()
            {
                self.clif.builder.def_var(variable, word);
            }
        }
    }

    /// Stores what outlives a call.
    pub(super) fn park(&mut self, call: Inst) {
        let count = self.plan.waits.at(call).len();
        while self.plan.slots.len() < count {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 1 << SLOT_SHIFT, SLOT_SHIFT);
            self.plan.slots.push(self.clif.builder.create_sized_stack_slot(slot));
        }
        for at in 0..count {
            let value = self.plan.waits.at(call)[at];
            let real = self.word(value);
            self.clif.builder.ins().stack_store(types::I64, real, self.plan.slots[at], 0);
        }
    }

    /// Loads it again.
    pub(super) fn fetch(&mut self, call: Inst) {
        for at in 0..self.plan.waits.at(call).len() {
            let value = self.plan.waits.at(call)[at];
            let real = self.clif.builder.ins().stack_load(types::I64, types::F64, self.plan.slots[at], 0);
            self.set(value, real);
        }
    }
}
