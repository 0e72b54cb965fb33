//! Loads, stores, and the heap.

use super::clif::clif_type;
use super::state::Lower;
use cleave_ir::layout::TAG_HNF;
use cleave_ir::opcode::{Load, Store};
use cleave_ir::{Flags, Inst, Opcode};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

impl Lower<'_, '_, '_, '_> {
    pub(super) fn load(&mut self, op: Load, inst: Inst) {
        use Load::*;
        let data = &self.func.insts[inst];
        let result = self.func.result(inst);
        let base = self.func.args(inst)[0];
        let offset = if matches!(op, Header | IsHnf) { 0 } else { data.imm };
        let flags = if self.is_shadow(base) { self.clif.shadow_flags() } else { self.clif.heap_flags() };
        let (base, offset) = self.place(base, offset);
        let is_address = self.form(result).is_address;
        let ins = self.clif.builder.ins();
        let word = match op {
            LoadRef => ins.uload32(flags, base, offset),
            LoadI32 | Header if is_address => {
                let wide = ins.uload32(flags, base, offset);
                self.set_wide(result, wide);
                return;
            }
            LoadI32 | Header => ins.load(types::I32, flags, base, offset),
            IsHnf => {
                let header = ins.load(types::I32, flags, base, offset);
                self.clif.builder.ins().band_imm_s(header, i64::from(TAG_HNF))
            }
            LoadI64 => ins.load(types::I64, flags, base, offset),
            LoadF64 => ins.load(types::F64, flags, base, offset),
            LoadU8 => ins.uload8(types::I32, flags, base, offset),
            LoadU16 => ins.uload16(types::I32, flags, base, offset),
            LoadF32 => {
                let narrow = ins.load(types::F32, flags, base, offset);
                self.clif.builder.ins().fpromote(types::F64, narrow)
            }
        };
        self.set(result, word);
    }

    pub(super) fn store(&mut self, op: Store, inst: Inst) {
        use Store::*;
        let data = &self.func.insts[inst];
        let args = self.func.args(inst);
        let flags = if self.is_shadow(args[0]) { self.clif.shadow_flags() } else { self.clif.heap_flags() };
        let (base, offset) = self.place(args[0], data.imm);
        match op {
            StoreI32 | StoreRef => {
                // The low half of whatever is at hand.
                let forms = *self.form(args[1]);
                let value = match (forms.word.expand(), forms.wide.expand()) {
                    (None, Some(wide)) => wide,
                    _ => self.word(args[1]),
                };
                if self.clif.builder.func.dfg.value_type(value) == types::I64 {
                    self.clif.builder.ins().istore32(flags, value, base, offset);
                } else {
                    self.clif.builder.ins().store(flags, value, base, offset);
                }
            }
            StoreI64 | StoreF64 => {
                let value = self.word(args[1]);
                debug_assert_eq!(self.clif.builder.func.dfg.value_type(value), clif_type(self.func.values[args[1]]));
                self.clif.builder.ins().store(flags, value, base, offset);
            }
            StoreU8 => {
                let value = self.word(args[1]);
                self.clif.builder.ins().istore8(flags, value, base, offset);
            }
            StoreF32 => {
                let value = self.word(args[1]);
                let narrow = self.clif.builder.ins().fdemote(types::F32, value);
                self.clif.builder.ins().store(flags, narrow, base, offset);
            }
        }
    }

    /// The heap pointer is in the pinned register; the allocations of a stretch move it once.
    pub(super) fn heap(&mut self, inst: Inst) {
        let data = &self.func.insts[inst];
        let result = self.func.result(inst);
        if data.op == Opcode::HeapFull {
            self.open = None;
            let pointer = self.clif.builder.ins().get_pinned_reg(types::I64);
            let end = self.clif.builder.ins().iadd_imm_s(pointer, data.imm as i64);
            let end = self.clif.builder.ins().ireduce(types::I32, end);
            let limit = self.clif.load_heap_limit();
            let full = self.clif.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, limit);
            self.set_flag(result, full);
            return;
        }
        let object = match self.open {
            Some((base, bytes)) => {
                self.open = Some((base, bytes + data.imm));
                self.clif.builder.ins().iadd_imm_s(base, bytes as i64)
            }
            None => {
                let base = self.clif.builder.ins().get_pinned_reg(types::I64);
                let bytes = self.stretch(data.imm) as i64;
                let end = self.clif.builder.ins().iadd_imm_s(base, bytes);
                self.clif.builder.ins().set_pinned_reg(end);
                self.open = Some((base, data.imm));
                base
            }
        };
        self.set(result, object);
    }

    /// Bytes of all allocations from an instruction that takes `first` bytes on, up to the next call or heap check.
    fn stretch(&self, first: u64) -> u64 {
        let ends = |op: Opcode| op == Opcode::HeapFull || op.any(Flags::CALL);
        let insts = self.rest.iter().map(|&inst| &self.func.insts[inst]).take_while(|data| !ends(data.op));
        first + insts.filter(|data| data.op == Opcode::Alloc).map(|data| data.imm).sum::<u64>()
    }
}
