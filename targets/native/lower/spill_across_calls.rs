//! Spills integers and floats across calls (`cleave_ir::spill_around_calls`): they are stored in the frame before it
//! and loaded after it.
//!
//! A value that is stored has several definitions then, and becomes a variable of `cranelift-frontend`, which makes SSA
//! form again.

use super::clif::clif_type;
use super::state::Lower;
use crate::Trampoline;
use cleave_ir::cfg::Cfg;
use cleave_ir::spill_around_calls::Waits;
use cleave_ir::{Block, Extern, Inst, Libcall, Opcode, Type, Value};
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
        let may_wait = |value: Value| match func.values[value] {
            Type::F64 => true,
            Type::I64 => self.constant(value).is_none(),
            Type::I32 => {
                !self.forms[value.as_u32() as usize].is_address
                    && self.constant(value).is_none()
                    && self.shadow_distance(value).is_none()
            }
            _ => false,
        };
        let waits = Waits::compute(func, cfg, may_wait, |inst| self.keeps_registers(inst));
        for value in waits.values() {
            if self.variable(value).is_none() {
                let variable = self.clif.builder.declare_var(clif_type(func.values[value]));
                self.form(value).variable = variable.into();
            }
        }
        self.plan.waits = waits;
    }

    /// True for calls of trampolines that saves registers.
    fn keeps_registers(&self, inst: Inst) -> bool {
        self.func.insts[inst].op == Opcode::CallRt
            && self.preserve_regs_trampoline(self.func.insts[inst].external().0).is_some()
    }

    /// The trampolines that saves the registers that the caller uses, and calls a libcall.
    pub(super) fn preserve_regs_trampoline(&self, id: Extern) -> Option<Trampoline> {
        match Libcall::from_extern(id) {
            Some(Libcall::Collect) => Some(Trampoline::Collect),
            Some(Libcall::Remember) if !self.has_reals => Some(Trampoline::Remember),
            Some(Libcall::RememberSlot) if !self.has_reals => Some(Trampoline::RememberSlot),
            _ => None,
        }
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
    pub(super) fn spill(&mut self, call: Inst) {
        let count = self.plan.waits.at(call).len();
        while self.plan.slots.len() < count {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 1 << SLOT_SHIFT, SLOT_SHIFT);
            self.plan.slots.push(self.clif.builder.create_sized_stack_slot(slot));
        }
        for at in 0..count {
            let value = self.plan.waits.at(call)[at];
            let word = self.word(value);
            self.clif.builder.ins().stack_store(types::I64, word, self.plan.slots[at], 0);
        }
    }

    /// Loads it again.
    pub(super) fn reload(&mut self, call: Inst) {
        for at in 0..self.plan.waits.at(call).len() {
            let value = self.plan.waits.at(call)[at];
            let ty = clif_type(self.func.values[value]);
            let word = self.clif.builder.ins().stack_load(types::I64, ty, self.plan.slots[at], 0);
            self.set(value, word);
        }
    }
}
