//! Instruction selection for constants, loads and stores.
//!
//! Heap pointer and limit are globals (`Env::pointer`, `Env::limit`); this is the one place that says so, besides the
//! crossings to the runtime in `trampolines.rs`. Alignments are hints: raw words lie at multiples of 4.

use super::Lower;
use super::code::memory;
use crate::isel::Node;
use cleave_ir::layout::TAG_HNF;
use cleave_ir::opcode::{Constant, Load, Store};
use cleave_ir::{ConstantValue, Type};
use wasm_encoder::{Ieee64, ValType};

impl Lower<'_> {
    /// Numbers and addresses that are known now.
    pub(super) fn constant(&mut self, op: Constant, node: &Node) {
        let value = op.value(self.env.data_section, node.imm, node.aux);
        let mut sink = self.code.sink();
        match value {
            ConstantValue::I32(n) => sink.i32_const(n as i32),
            ConstantValue::I64(n) => sink.i64_const(n),
            ConstantValue::F64(bits) => sink.f64_const(Ieee64::new(bits)),
        };
    }

    pub(super) fn load(&mut self, op: Load, node: &Node) {
        use Load::*;
        let offset = node.imm;
        if node.ty == Type::I64 {
            self.code.wrap();
        }
        let mut sink = self.code.sink();
        match op {
            IsHnf => sink.i32_load(memory(0, 2)).i32_const(TAG_HNF as i32).i32_and(),
            LoadI32 | LoadRef | Header => sink.i32_load(memory(offset, 2)),
            LoadI64 => sink.i64_load(memory(offset, 2)),
            LoadF64 => sink.f64_load(memory(offset, 2)),
            LoadU8 => sink.i32_load8_u(memory(offset, 0)),
            LoadU16 => sink.i32_load16_u(memory(offset, 1)),
            LoadF32 => sink.f32_load(memory(offset, 2)).f64_promote_f32(),
        };
    }

    pub(super) fn store(&mut self, op: Store, node: &Node) {
        use Store::*;
        let offset = node.imm;
        // A word that was cut to fit is stored by the instruction that cuts.
        let cut = matches!(op, StoreI32 | StoreU8) && self.code.take_wrap();
        if node.ty == Type::I64 {
            // The address lies under the value.
            let ty = match op {
                StoreF64 | StoreF32 => ValType::F64,
                StoreI64 => ValType::I64,
                StoreI32 | StoreU8 | StoreRef if cut => ValType::I64,
                StoreI32 | StoreU8 | StoreRef => ValType::I32,
            };
            let value = self.scratch(ty, 0);
            self.code.local_set(value);
            self.code.wrap();
            self.code.sink().local_get(value);
        }
        if op == StoreF32 {
            self.code.demote();
        }
        let mut sink = self.code.sink();
        match op {
            StoreI32 if cut => sink.i64_store32(memory(offset, 2)),
            StoreI32 | StoreRef => sink.i32_store(memory(offset, 2)),
            StoreI64 => sink.i64_store(memory(offset, 2)),
            StoreF64 => sink.f64_store(memory(offset, 2)),
            StoreU8 if cut => sink.i64_store8(memory(offset, 0)),
            StoreU8 => sink.i32_store8(memory(offset, 0)),
            StoreF32 => sink.f32_store(memory(offset, 2)),
        };
    }
}
