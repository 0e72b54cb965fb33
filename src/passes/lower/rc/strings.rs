//! Strings: their length and their bytes. All else about them is in the runtime.

use super::Lowering;
use crate::lower::emit::Emit;
use cleave_ir::rc::STRING_LENGTH;
use cleave_ir::{Opcode, Type, Value};

impl Lowering<'_> {
    pub(super) fn string_size(&mut self, result: Value, string: Value) {
        let size = self.op(Opcode::LoadI32, u64::from(STRING_LENGTH), &[string], Type::I32);
        self.define(result, Opcode::ExtendU, 0, &[size]);
    }

    /// The byte at `offset` + index × stride from the address of the string.
    pub(super) fn string_byte(&mut self, result: Value, (stride, offset): (u32, u32), string: Value, index: Value) {
        let base = self.op(Opcode::RefAddr, 0, &[string], Type::I32);
        let index = self.op(Opcode::Wrap, 0, &[index], Type::I32);
        let stride = self.iconst32(stride);
        let distance = self.op(Opcode::Imul, 0, &[index, stride], Type::I32);
        let address = self.op(Opcode::Iadd, 0, &[base, distance], Type::I32);
        let byte = self.op(Opcode::LoadU8, u64::from(offset), &[address], Type::I32);
        self.define(result, Opcode::ExtendU, 0, &[byte]);
    }
}
