//! Instruction helpers that the lowerings of both heaps share: instructions at the end of a block.

use cleave_ir::{Block, Func, Opcode, Type, Value, ValueList};

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
