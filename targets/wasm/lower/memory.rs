//! Instruction selection for constants, loads, stores and the heap.
//!
//! Heap pointer and limit are globals (`Env::pointer`, `Env::limit`); this is the one place that says so, besides the
//! crossings to the runtime in `trampolines.rs`. Alignments are hints: raw words lie at multiples of 4.

use super::Lower;
use super::code::memory;
use crate::isel::Node;
use cleave_ir::layout::TAG_HNF;
use cleave_ir::{Caf, Desc, Opcode, Static, ThunkInfo, Type};
use wasm_encoder::{Ieee64, ValType};

impl Lower<'_> {
    /// Numbers and addresses that are known now.
    pub(super) fn constant(&mut self, node: &Node) {
        use Opcode::*;
        let data_section = self.env.data_section;
        let n = node.imm as u32;
        let address = match node.op {
            Iconst32 => n,
            Iconst64 => {
                self.code.sink().i64_const(node.imm as i64);
                return;
            }
            Fconst => {
                self.code.sink().f64_const(Ieee64::new(node.imm));
                return;
            }
            NodeInfoAddr => data_section.node_info(Desc::from_u32(n), node.aux),
            ThunkInfoAddr => data_section.thunk_info(ThunkInfo::from_u32(n)),
            StaticRef | StaticNode | TextAddr => data_section.static_object(Static::from_u32(n)),
            NodeRef => data_section.node(Desc::from_u32(n)),
            NameAddr => data_section.name(Desc::from_u32(n)),
            DescInfoAddr => data_section.descriptor_info(Desc::from_u32(n)),
            CafAddr => data_section.caf(Caf::from_u32(n)),
            CafRefAddr => data_section.caf_ref(Caf::from_u32(n), node.aux),
            op => unreachable!("{} is no constant", op.name()),
        };
        self.code.sink().i32_const(address as i32);
    }

    pub(super) fn load(&mut self, node: &Node) {
        use Opcode::*;
        let offset = node.imm;
        if node.op == IsHnf {
            self.code.sink().i32_load(memory(0, 2));
            self.code.sink().i32_const(TAG_HNF as i32);
            self.code.sink().i32_and();
            return;
        }
        if node.ty == Type::I64 {
            self.code.wrap();
        }
        let mut sink = self.code.sink();
        match node.op {
            LoadI32 | LoadRef | Header => sink.i32_load(memory(offset, 2)),
            LoadI64 => sink.i64_load(memory(offset, 2)),
            LoadF64 => sink.f64_load(memory(offset, 2)),
            LoadU8 => sink.i32_load8_u(memory(offset, 0)),
            LoadU16 => sink.i32_load16_u(memory(offset, 1)),
            LoadF32 => sink.f32_load(memory(offset, 2)).f64_promote_f32(),
            op => unreachable!("{} is no load", op.name()),
        };
    }

    pub(super) fn store(&mut self, node: &Node) {
        use Opcode::*;
        let offset = node.imm;
        // A word that was cut to fit is stored by the instruction that cuts.
        let cut = matches!(node.op, StoreI32 | StoreU8) && self.code.take_wrap();
        if node.ty == Type::I64 {
            // The address lies under the value.
            let ty = match node.op {
                StoreF64 | StoreF32 => ValType::F64,
                StoreI64 => ValType::I64,
                _ if cut => ValType::I64,
                _ => ValType::I32,
            };
            let value = self.scratch(ty, 0);
            self.code.local_set(value);
            self.code.wrap();
            self.code.sink().local_get(value);
        }
        if node.op == StoreF32 {
            self.code.demote();
        }
        let mut sink = self.code.sink();
        match node.op {
            StoreI32 if cut => sink.i64_store32(memory(offset, 2)),
            StoreI32 | StoreRef => sink.i32_store(memory(offset, 2)),
            StoreI64 => sink.i64_store(memory(offset, 2)),
            StoreF64 => sink.f64_store(memory(offset, 2)),
            StoreU8 if cut => sink.i64_store8(memory(offset, 0)),
            StoreU8 => sink.i32_store8(memory(offset, 0)),
            StoreF32 => sink.f32_store(memory(offset, 2)),
            op => unreachable!("{} is no store", op.name()),
        };
    }

    pub(super) fn heap(&mut self, node: &Node) {
        let (pointer, limit) = (self.env.pointer, self.env.limit);
        let bytes = node.imm as i32;
        let mut sink = self.code.sink();
        match node.op {
            // The old heap pointer stays on the stack.
            Opcode::Alloc => {
                sink.global_get(pointer).global_get(pointer).i32_const(bytes).i32_add().global_set(pointer);
            }
            Opcode::HeapFull => {
                sink.global_get(pointer).i32_const(bytes).i32_add().global_get(limit);
                self.code.sink().i32_gt_u();
            }
            // An address inside an object: operand and distance.
            Opcode::RefAddr => {
                sink.i32_const(bytes).i32_add();
            }
            op => unreachable!("{} is no heap operation", op.name()),
        }
    }
}
