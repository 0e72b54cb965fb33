//! Instruction helpers that the lowerings of both heaps share: instructions at the end of a block.

use cleave_ir::{ArrayKind, Block, Func, Opcode, Type, Value, ValueList};

/// Writes instructions after those that are there.
pub trait Emit {
    /// The function, and the block whose end is written at.
    fn end(&mut self) -> (&mut Func, Block);

    /// An instruction with a result of this type.
    fn op(&mut self, op: Opcode, imm: u64, args: &[Value], ty: Type) -> Value {
        let (func, block) = self.end();
        let inst = func.append(block, op, imm, 0, args, &[ty]);
        func.result(inst)
    }

    /// An instruction without a result.
    fn effect(&mut self, op: Opcode, imm: u64, args: &[Value]) {
        let (func, block) = self.end();
        func.append(block, op, imm, 0, args, &[]);
    }

    /// An instruction that defines an existing value.
    fn define(&mut self, result: Value, op: Opcode, imm: u64, args: &[Value]) {
        let (func, block) = self.end();
        let inst = func.append(block, op, imm, 0, args, &[]);
        func.insts[inst].results = ValueList::from_slice(&[result], &mut func.pool);
    }

    fn iconst32(&mut self, n: u32) -> Value {
        self.op(Opcode::Iconst32, n as i32 as i64 as u64, &[], Type::I32)
    }

    /// A load of the type of the result.
    fn load(&mut self, result: Value, base: Value, offset: u32) {
        let op = match self.end().0.values[result] {
            Type::I32 => Opcode::LoadI32,
            Type::I64 => Opcode::LoadI64,
            Type::F64 => Opcode::LoadF64,
            Type::Ref => Opcode::LoadRef,
        };
        self.define(result, op, offset.into(), &[base]);
    }

    /// The address of an element of an array without its constant offset. An index that is 0 adds nothing.
    fn element_address(&mut self, array: Value, index: Option<Value>, stride: u32) -> Value {
        let base = self.op(Opcode::RefAddr, 0, &[array], Type::I32);
        let Some(index) = index else { return base };
        let mut offset = self.op(Opcode::Wrap, 0, &[index], Type::I32);
        if stride != 1 {
            let is_shift = stride.is_power_of_two();
            let (op, by) = if is_shift { (Opcode::Shl, stride.trailing_zeros()) } else { (Opcode::Imul, stride) };
            let by = self.iconst32(by);
            offset = self.op(op, 0, &[offset, by], Type::I32);
        }
        self.op(Opcode::Iadd, 0, &[base, offset], Type::I32)
    }

    /// Reads an element of this kind.
    fn load_element(&mut self, kind: ArrayKind, result: Value, address: Value, offset: u32) {
        match kind {
            ArrayKind::U8 => {
                let byte = self.op(Opcode::LoadU8, offset.into(), &[address], Type::I32);
                self.define(result, Opcode::ExtendU, 0, &[byte]);
            }
            ArrayKind::I32 => {
                let word = self.op(Opcode::LoadI32, offset.into(), &[address], Type::I32);
                self.define(result, Opcode::ExtendS, 0, &[word]);
            }
            ArrayKind::F32 => self.define(result, Opcode::LoadF32, offset.into(), &[address]),
            ArrayKind::Ref | ArrayKind::I64 | ArrayKind::F64 => self.load(result, address, offset),
        }
    }

    /// Overwrites an element of this kind.
    fn store_element(&mut self, kind: ArrayKind, address: Value, offset: u32, value: Value) {
        match kind {
            ArrayKind::U8 | ArrayKind::I32 => {
                let word = self.op(Opcode::Wrap, 0, &[value], Type::I32);
                let store = if kind == ArrayKind::U8 { Opcode::StoreU8 } else { Opcode::StoreI32 };
                self.effect(store, offset.into(), &[address, word]);
            }
            ArrayKind::F32 => self.effect(Opcode::StoreF32, offset.into(), &[address, value]),
            ArrayKind::Ref | ArrayKind::I64 | ArrayKind::F64 => self.store(address, offset, value),
        }
    }

    /// A store of the value's type.
    fn store(&mut self, base: Value, offset: u32, value: Value) {
        let op = match self.end().0.values[value] {
            Type::I32 => Opcode::StoreI32,
            Type::I64 => Opcode::StoreI64,
            Type::F64 => Opcode::StoreF64,
            Type::Ref => Opcode::StoreRef,
        };
        self.effect(op, offset as u64, &[base, value]);
    }
}
