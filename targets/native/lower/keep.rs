//! Keeps reals in registers on the fast path when only a slow path calls something.
//!
//! A called function may overwrite all registers for reals. Cranelift's register allocator does not take into account
//! that a block is cold: a real that lives across any call, however rare, is kept in the frame for the whole loop. So
//! the slow path stores such a real before its call and loads it behind, as is done with roots. The value does not live
//! across the call any more, and stays in a register on the fast path. For integers this does not pay: callees save
//! some of their registers, and lazy programs take slow paths often.
//!
//! A value that is stored has several definitions then, and becomes a variable of `cranelift-frontend`, which makes SSA
//! form again. Reals that are also alive during a call on the fast path stay as they are.

use super::Lower;
use cleave_ir::cfg::Cfg;
use cleave_ir::liveness::Liveness;
use cleave_ir::{Block, Flags, Inst, Opcode, Type, Value};
use cranelift_codegen::ir::{self, InstBuilder, StackSlotData, StackSlotKind, types};
use cranelift_frontend::Variable;
use rustc_hash::FxHashMap;

/// Bytes of a slot, as a power of two.
const SLOT_SHIFT: u8 = 3;

/// What waits where.
#[derive(Default)]
pub struct Plan {
    /// The reals that outlive a call on a slow path.
    calls: FxHashMap<Inst, Vec<Value>>,
    slots: Vec<ir::StackSlot>,
}

impl Lower<'_, '_, '_, '_> {
    /// Finds what has to wait for evaluations, and declares variables for it.
    pub(super) fn plan(&mut self, cfg: &Cfg) {
        let func = self.func;
        if !func.values.values().any(|&ty| ty == Type::F64) {
            return;
        }
        let is_real = |value: Value| func.values[value] == Type::F64;
        let live = Liveness::compute(func, cfg, is_real);
        let mut fast = vec![0; live.tracked.len().div_ceil(64)];
        let mut slow = Vec::new();
        for &block in &cfg.order {
            let cold = func.is_slow_path(block);
            let mut set = live.live_out(block).to_vec();
            for &inst in func.blocks[block].insts.iter().rev() {
                let results = func.results(inst);
                let values = || live.values(&set).filter(|value| !results.contains(value));
                if func.insts[inst].op == Opcode::EnterCode {
                    slow.push((inst, values().collect::<Vec<Value>>()));
                } else if !cold && func.insts[inst].op.any(Flags::CALL) {
                    values().for_each(|value| live.insert(&mut fast, value));
                }
                live.step_back(func, inst, &mut set);
            }
        }
        for (call, mut values) in slow {
            values.retain(|&value| !live.contains(&fast, value));
            for &value in &values {
                if self.variable(value).is_none() {
                    let variable = self.clif.builder.declare_var(types::F64);
                    self.form(value).variable = variable.into();
                }
            }
            self.plan.calls.insert(call, values);
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
    pub(super) fn park(&mut self, call: Inst) {
        let count = self.plan.calls.get(&call).map_or(0, Vec::len);
        while self.plan.slots.len() < count {
            let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 1 << SLOT_SHIFT, SLOT_SHIFT);
            self.plan.slots.push(self.clif.builder.create_sized_stack_slot(slot));
        }
        for at in 0..count {
            let value = self.plan.calls[&call][at];
            let real = self.word(value);
            self.clif.builder.ins().stack_store(types::I64, real, self.plan.slots[at], 0);
        }
    }

    /// Loads it again.
    pub(super) fn fetch(&mut self, call: Inst) {
        for at in 0..self.plan.calls.get(&call).map_or(0, Vec::len) {
            let value = self.plan.calls[&call][at];
            let real = self.clif.builder.ins().stack_load(types::I64, types::F64, self.plan.slots[at], 0);
            self.set(value, real);
        }
    }
}
