//! Addresses: the base and constant offset of an access, and which numbers are addresses.
//!
//! Arithmetic of the IR on addresses is that of 32-bit numbers. Inside an object, and below the shadow-stack pointer,
//! nothing wraps around, so it may be done with 64 bits and becomes part of the address of a load or store.
//! An index of an array element is taken as it is: checks, if there are any, are code of their own before it.

use super::state::Lower;
use cleave_ir::{Func, Inst, Opcode, Type, Value};
use cranelift_codegen::ir::{self, InstBuilder, types};

/// Offsets stay below this, so that they fit an instruction.
const MAX_OFFSET: i64 = 1 << 30;

/// Operands that an instruction uses as addresses.
pub fn operands(func: &Func, inst: Inst) -> &[Value] {
    let (op, args) = (func.insts[inst].op, func.args(inst));
    if [Opcode::AddrRef, Opcode::ExtendU, Opcode::EnterCode, Opcode::TailEnterCode].contains(&op) {
        return args;
    }
    // What C gives is an address as it is.
    &args[..usize::from(op.is_access() && func.values[args[0]] != Type::I64)]
}

impl Lower<'_, '_, '_, '_> {
    /// The value and the number that an addition or subtraction of a constant combines.
    fn constant_sum(&self, value: Value) -> Option<(Value, i64)> {
        let (op, inst) = self.def(value).filter(|&(op, _)| op == Opcode::Iadd || op == Opcode::Isub)?;
        let args = self.func.args(inst);
        let constant = |value| self.constant(value).map(|n| i64::from(n as i32));
        match (constant(args[0]), constant(args[1])) {
            (_, Some(n)) => Some((args[0], if op == Opcode::Iadd { n } else { -n })),
            (Some(n), None) => (op == Opcode::Iadd).then_some((args[1], n)),
            (None, None) => None,
        }
    }

    /// How far an address is from the shadow-stack pointer, if that is a constant.
    pub(super) fn shadow_distance(&self, value: Value) -> Option<i64> {
        let (base, offset) = self.anchor(value)?;
        matches!(self.def(base), Some((Opcode::ShadowPointer, _))).then_some(offset)
    }

    /// The reference, or the shadow-stack pointer, that a number is a constant distance from.
    fn anchor(&self, mut value: Value) -> Option<(Value, i64)> {
        let mut offset = 0;
        for _ in 0..8 {
            if let Some((Opcode::RefAddr | Opcode::ShadowPointer, _)) = self.def(value) {
                return Some((value, offset));
            }
            let (inner, add) = self.constant_sum(value)?;
            offset += add;
            value = inner;
        }
        None
    }

    /// True for addresses in the frame of this function on the shadow stack.
    pub(super) fn is_shadow(&self, value: Value) -> bool {
        self.shadow_distance(value).is_some()
    }

    /// Base and offset of an access.
    pub(super) fn place(&mut self, base: Value, offset: u64) -> (ir::Value, i32) {
        if matches!(self.func.values[base], Type::Ref | Type::I64) {
            return (self.word(base), offset as i32);
        }
        if let Some((anchor, add)) = self.anchor(base)
            && (offset as i64 + add).abs() < MAX_OFFSET
        {
            return (self.wide(anchor), (offset as i64 + add) as i32);
        }
        if let Some(element) = self.element(base) {
            return (element, offset as i32);
        }
        (self.wide(base), offset as i32)
    }

    /// The address `reference + scaled index`, with 64 bits.
    fn element(&mut self, base: Value) -> Option<ir::Value> {
        let (Opcode::Iadd, inst) = self.def(base)? else { return None };
        let args = self.func.args(inst);
        let address = |arg: Value| self.def(arg).filter(|&(op, _)| op == Opcode::RefAddr).map(|(_, inst)| inst);
        let (reference, index) =
            address(args[0]).map(|inst| (inst, args[1])).or_else(|| Some((address(args[1])?, args[0])))?;
        let reference = self.word(self.func.args(reference)[0]);
        let index = self.scaled(index);
        Some(self.clif.builder.ins().iadd(reference, index))
    }

    /// An index times its stride, with 64 bits.
    fn scaled(&mut self, value: Value) -> ir::Value {
        if let Some((op, inst)) = self.def(value) {
            let args = self.func.args(inst);
            if op == Opcode::Wrap {
                return self.word(args[0]);
            }
            if (op == Opcode::Shl || op == Opcode::Imul)
                && let Some(by) = self.constant(args[1])
            {
                let inner = self.scaled(args[0]);
                let ins = self.clif.builder.ins();
                return if op == Opcode::Shl { ins.ishl_imm_s(inner, by) } else { ins.imul_imm_s(inner, by) };
            }
        }
        self.wide(value)
    }

    /// `sp - n` as an operand: wide, as callees take it.
    pub(super) fn frame(&mut self, value: Value) -> ir::Value {
        match self.anchor(value) {
            Some((base, offset)) => {
                let base = self.wide(base);
                if offset == 0 { base } else { self.clif.builder.ins().iadd_imm_s(base, offset) }
            }
            None => {
                let word = self.word(value);
                self.clif.builder.ins().uextend(types::I64, word)
            }
        }
    }
}
