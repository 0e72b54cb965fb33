//! Holes: fields of new cells that are written later. A hole is one word, the address of the first cell above that of
//! the field; cells of the reference-counted heap do not move.

use super::Lowering;
use crate::lower::emit::Emit;
use cleave_ir::rc;
use cleave_ir::{InstData, Opcode, Type, Value};

impl Lowering<'_> {
    /// The address of a field of a node, in the lower half of a word.
    fn field_address(&mut self, node: Value, field: u32) -> Value {
        let address = self.op(Opcode::RefAddr, 0, &[node], Type::I32);
        let offset = self.iconst32(rc::reference(field));
        let address = self.op(Opcode::Iadd, 0, &[address, offset], Type::I32);
        self.op(Opcode::ExtendU, 0, &[address], Type::I64)
    }

    fn fill(&mut self, hole: Value, object: Value) {
        let address = self.op(Opcode::Wrap, 0, &[hole], Type::I32);
        self.store(address, 0, object);
    }

    /// A hole: the address of the first node above that of the field.
    pub(super) fn hole(&mut self, data: &InstData, args: &[Value], result: Value) {
        if data.op == Opcode::OpenHole {
            let node = self.op(Opcode::RefAddr, 0, &[args[0]], Type::I32);
            let node = self.op(Opcode::ExtendU, 0, &[node], Type::I64);
            let width = self.op(Opcode::Iconst64, 32, &[], Type::I64);
            let first = self.op(Opcode::Shl, 0, &[node, width], Type::I64);
            let field = self.field_address(args[0], data.aux);
            return self.define(result, Opcode::Or, 0, &[first, field]);
        }
        self.fill(args[0], args[1]);
        if data.op == Opcode::MoveHole {
            let upper = self.op(Opcode::Iconst64, !0 << 32, &[], Type::I64);
            let first = self.op(Opcode::And, 0, &[args[0], upper], Type::I64);
            let field = self.field_address(args[1], data.aux);
            return self.define(result, Opcode::Or, 0, &[first, field]);
        }
        let width = self.op(Opcode::Iconst64, 32, &[], Type::I64);
        let first = self.op(Opcode::Ushr, 0, &[args[0], width], Type::I64);
        let first = self.op(Opcode::Wrap, 0, &[first], Type::I32);
        self.define(result, Opcode::AddrRef, 0, &[first]);
    }
}
