//! Lowering of boxes of basic values and of array elements.

use super::Lower;
use crate::lower::emit::Emit;
use cleave_ir::layout::{MIN_OBJECT, SLOT, SMALL_INT_MAX, SMALL_INT_MIN, STATIC_NODE_SIZE};
use cleave_ir::opcode::Element;
use cleave_ir::{ArrayKind, InstData, Opcode, Type, Value, libcalls};

impl Lower<'_> {
    /// A static node of a table indexed by a small number.
    pub(super) fn static_node(&mut self, result: Value, index: Value, table: u32, mask: u32) {
        if let Some(n) = self.constants[index] {
            let address = self.iconst32(table + (n as u32 & mask) * STATIC_NODE_SIZE);
            self.define(result, Opcode::AddrRef, 0, &[address]);
            return;
        }
        let index = self.op(Opcode::Wrap, 0, &[index], Type::I32);
        let mask = self.iconst32(mask);
        let index = self.op(Opcode::And, 0, &[index, mask], Type::I32);
        let size = self.iconst32(STATIC_NODE_SIZE);
        let offset = self.op(Opcode::Imul, 0, &[index, size], Type::I32);
        let table = self.iconst32(table);
        let address = self.op(Opcode::Iadd, 0, &[offset, table], Type::I32);
        self.define(result, Opcode::AddrRef, 0, &[address]);
    }

    /// The static node if the integer is small, else a new node.
    pub(super) fn box_int(&mut self, result: Value, word: Value) {
        let least = self.op(Opcode::Iconst64, SMALL_INT_MIN as u64, &[], Type::I64);
        let index = self.op(Opcode::Isub, 0, &[word, least], Type::I64);
        let count = self.op(Opcode::Iconst64, (SMALL_INT_MAX - SMALL_INT_MIN + 1) as u64, &[], Type::I64);
        let small = self.op(Opcode::Ult, 0, &[index, count], Type::I32);
        let (fixed, fresh, done) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        self.effect(Opcode::BrIf, 0, &[small]);
        self.func.add_edge(self.block, fixed, &[]);
        self.func.add_edge(self.block, fresh, &[]);

        self.block = fixed;
        let index = self.op(Opcode::Wrap, 0, &[index], Type::I32);
        let size = self.iconst32(STATIC_NODE_SIZE);
        let offset = self.op(Opcode::Imul, 0, &[index, size], Type::I32);
        let table = self.iconst32(self.data_section.small_ints);
        let address = self.op(Opcode::Iadd, 0, &[offset, table], Type::I32);
        let node = self.op(Opcode::AddrRef, 0, &[address], Type::Ref);
        self.effect(Opcode::Jump, 0, &[]);
        self.func.add_edge(fixed, done, &[node]);

        self.block = fresh;
        let node = self.op(Opcode::Alloc, MIN_OBJECT as u64, &[], Type::Ref);
        let desc = cleave_ir::WellKnownDesc::Int.desc().as_u32() as u64;
        let node_info = self.op(Opcode::NodeInfoAddr, desc, &[], Type::I32);
        self.store_header(node, node_info);
        self.store(node, SLOT, word);
        self.effect(Opcode::Jump, 0, &[]);
        self.func.add_edge(fresh, done, &[node]);

        let mut params = std::mem::take(&mut self.func.blocks[done].params);
        params.push(result, &mut self.func.pool);
        self.func.blocks[done].params = params;
        self.block = done;
        // What was made in the block before dominates this one: bases and rest pointers stay.
    }

    /// Is it the function that compares references?
    pub(super) fn is_same(&self, data: &InstData) -> bool {
        let called = &self.cx.externs[data.external().0];
        called.from.is_none() && called.name == libcalls::SAME.name
    }

    /// Whether two references are one.
    pub(super) fn same(&mut self, result: Value, args: &[Value]) {
        let addresses = [args[0], args[1]].map(|object| self.op(Opcode::RefAddr, 0, &[object], Type::I32));
        let same = self.op(Opcode::Eq, 0, &addresses, Type::I32);
        self.define(result, Opcode::ExtendU, 0, &[same]);
    }

    /// Reads or overwrites an element of an array.
    pub(super) fn element(&mut self, access: Element, data: &InstData, result: Option<Value>, args: &[Value]) {
        let (stride, offset) = data.element();
        let index = (self.constants[args[1]] != Some(0)).then_some(args[1]);
        let address = self.element_address(args[0], index, stride);
        match result {
            Some(result) => self.load_element(access.kind(), result, address, offset),
            None => {
                self.store_element(access.kind(), address, offset, args[2]);
                if access.kind() == ArrayKind::Ref {
                    self.remember_slot(args[0], address, offset, args[2]);
                }
            }
        }
    }
}
