//! The write barrier of the collector: overwritten references in old objects are told to the runtime.
//!
//! ```text
//! fill $_Cons/2 v0 v1, v2       ─▶   store …             (header and slots)
//!                                    v7 = load.i32 PROGRAM_OLD_START
//!                                    br_if v0 >= v7, old, on
//!                              old:  call_rt remember v0          (out of line)
//!                               on:  …
//! ```
//! It comes after the stores, because the runtime looks at what was stored. It is left out where the object was made by
//! this function: the IR is rooted, no reference lives across a safepoint, so it was made since the last collection and
//! is young. It is left out, too, where all that was stored are raw words and references to static objects.

use super::Lower;
use crate::lower::emit::Emit;
use cleave_ir::layout::PROGRAM_OLD_START;
use cleave_ir::{Flags, Libcall, Opcode, Type, Value};

/// What is known of a reference from the instruction that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Origin {
    #[default]
    Unknown,
    /// Made since the last safepoint.
    Fresh,
    Static,
}

pub(super) fn origin_of(op: Opcode) -> Origin {
    match op {
        op if op.any(Flags::FRESH) => Origin::Fresh,
        op if op.is_static_ref() => Origin::Static,
        _ => Origin::Unknown,
    }
}

impl Lower<'_> {
    /// After an object has been overwritten by `values`, or by a fresh block of them.
    pub(super) fn remember(&mut self, object: Value, values: &[Value], block: bool) {
        let stores_references =
            |value: &Value| self.func.values[*value] == Type::Ref && self.origins[*value] != Origin::Static;
        if self.origins[object] == Origin::Fresh || !block && !values.iter().any(stores_references) {
            return;
        }
        let address = self.op(Opcode::RefAddr, 0, &[object], Type::I32);
        self.if_old(address, Libcall::Remember, object);
    }

    /// After an element of an array has been overwritten by `value`.
    pub(super) fn remember_slot(&mut self, array: Value, address: Value, offset: u32, value: Value) {
        if self.origins[array] == Origin::Fresh || self.origins[value] == Origin::Static {
            return;
        }
        let offset = self.iconst32(offset);
        let slot = self.op(Opcode::Iadd, 0, &[address, offset], Type::I32);
        self.if_old(slot, Libcall::RememberSlot, slot);
    }

    fn if_old(&mut self, address: Value, libcall: Libcall, place: Value) {
        let start = self.iconst32(self.data_section.program + PROGRAM_OLD_START);
        let start = self.op(Opcode::LoadI32, 0, &[start], Type::I32);
        let is_old = self.op(Opcode::Uge, 0, &[address, start], Type::I32);
        let (old, on) = (self.func.new_block(), self.func.new_block());
        self.effect(Opcode::BrIf, 0, &[is_old]);
        self.func.add_edge(self.block, old, &[]);
        self.func.add_edge(self.block, on, &[]);
        self.block = old;
        self.effect(Opcode::CallRt, libcall.callee().imm(), &[place]);
        self.effect(Opcode::Jump, 0, &[]);
        self.func.add_edge(old, on, &[]);
        // What was made in the block before dominates this one: bases and rest pointers stay.
        self.block = on;
    }
}
