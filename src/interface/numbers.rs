//! Numbers of the host and of the module: the one form into the other. What does not fit ends the program.

use crate::adapters::Adapter;
use crate::layout::{Flat, Layout};
use cleave_ir::interface::{InterfaceKind, InterfaceType, InterfaceTypeData, Primitive, Representation};
use cleave_ir::{Builder, Opcode, Type, Value, WellKnownDesc};

impl Adapter<'_> {
    /// A number of the host as the module has it.
    pub fn number_in(&mut self, b: &mut Builder, ty: InterfaceType, value: Value) -> Value {
        let data = self.data(ty);
        let (mut value, mut is_signed) = (value, false);
        match &data.kind {
            InterfaceKind::Primitive(Primitive::Bool) => {
                let zero = b.iconst32(0);
                value = b.op(Opcode::Ne, &[value, zero]);
            }
            InterfaceKind::Primitive(primitive @ (Primitive::S8 | Primitive::S16)) => {
                let bits = b.iconst32(32 - 8 * primitive.bytes() as i32);
                value = b.op(Opcode::Shl, &[value, bits]);
                value = b.op(Opcode::Sshr, &[value, bits]);
                is_signed = true;
            }
            InterfaceKind::Primitive(primitive @ (Primitive::U8 | Primitive::U16)) => {
                let mask = b.iconst32((1 << (8 * primitive.bytes())) - 1);
                value = b.op(Opcode::And, &[value, mask]);
            }
            InterfaceKind::Primitive(Primitive::S32) => is_signed = true,
            InterfaceKind::Primitive(Primitive::Char) => {
                let good = self.is_character(b, value);
                self.require(b, good, "The host passed a number that is no character.");
                if self.has_byte_characters(data) {
                    let count = b.iconst32(256);
                    let exists = b.op(Opcode::Ult, &[value, count]);
                    self.require(b, exists, "The host passed a character that the program cannot have.");
                }
            }
            InterfaceKind::Variant(_, cases) => {
                let count = b.iconst32(cases.len() as i32);
                let known = b.op(Opcode::Ult, &[value, count]);
                self.require(b, known, "The host passed a case that does not exist.");
            }
            _ => {}
        }
        let ty = match &data.representation {
            Representation::Scalar(ty, _) => *ty,
            _ if b.func.values[value] == Type::F64 => Type::F64,
            _ => Type::I64,
        };
        if ty == Type::I64 && b.func.values[value] == Type::I32 {
            value = b.op(if is_signed { Opcode::ExtendS } else { Opcode::ExtendU }, &[value]);
        }
        match &data.representation {
            Representation::Scalar(_, shift) if *shift > 0 => {
                let bits = b.iconst64(i64::from(*shift));
                let shifted = b.op(Opcode::Shl, &[value, bits]);
                let back = b.op(Opcode::Sshr, &[shifted, bits]);
                let fits = b.op(Opcode::Eq, &[back, value]);
                self.require(b, fits, "The host passed a number that is too large.");
                shifted
            }
            Representation::Nodes(nodes) => b.build_node(nodes[0].desc, nodes[0].applied_args, &[value]),
            _ => value,
        }
    }

    /// It is the number of a character, and of no half of one.
    pub fn is_character(&self, b: &mut Builder, value: Value) -> Value {
        let (first, count) = (b.iconst32(0xd800), b.iconst32(0x800));
        let from = b.op(Opcode::Isub, &[value, first]);
        let is_half = b.op(Opcode::Ult, &[from, count]);
        let most = b.iconst32(0x11_0000);
        let is_small = b.op(Opcode::Ult, &[value, most]);
        b.op(Opcode::Ugt, &[is_small, is_half])
    }

    /// Characters of the module are bytes.
    pub fn has_byte_characters(&self, data: &InterfaceTypeData) -> bool {
        match &data.representation {
            Representation::Nodes(nodes) => nodes[0].desc == WellKnownDesc::Char.desc(),
            _ => self.types.claimed,
        }
    }

    /// A flat value of one case, from the type that serves all cases.
    pub fn unjoin(&mut self, b: &mut Builder, value: Value, from: Flat, to: Flat) -> Value {
        match (from, to) {
            (Flat::I64, Flat::I32) => b.op(Opcode::Wrap, &[value]),
            (Flat::I64, Flat::F64) => b.op(Opcode::BitsReal, &[value]),
            (Flat::I64, Flat::F32) => {
                let value = b.op(Opcode::Wrap, &[value]);
                self.real_of_bits(b, value)
            }
            (Flat::I32, Flat::F32) => self.real_of_bits(b, value),
            _ => value,
        }
    }

    /// The real of 32 bits with these bits, by way of the buffer.
    fn real_of_bits(&mut self, b: &mut Builder, bits: Value) -> Value {
        let size = b.iconst64(4);
        let place = self.with_buffer(|buffer, _| buffer.allocate(b, size));
        b.effect(Opcode::StoreI32, &[place, bits]);
        b.value(Opcode::LoadF32, 0, 0, &[place])
    }

    /// A number of the module as the host gets it.
    pub fn number_out(&mut self, b: &mut Builder, ty: InterfaceType, value: Value) -> Value {
        let data = self.data(ty);
        let primitive = match &data.kind {
            InterfaceKind::Primitive(primitive) => *primitive,
            _ => return value,
        };
        let mut value = value;
        match &data.representation {
            Representation::Nodes(nodes) => {
                let node = self.evaluated(b, value);
                self.expect(b, node, &nodes[0]);
                let op = if primitive.is_real() { Opcode::GetF64 } else { Opcode::GetI64 };
                value = b.get_of(op, self.module.shape(nodes[0].desc, nodes[0].applied_args), 0, node);
            }
            Representation::Scalar(_, shift) if *shift > 0 => {
                let bits = b.iconst64(i64::from(*shift));
                value = b.op(Opcode::Sshr, &[value, bits]);
            }
            _ => {}
        }
        if primitive.bytes() == 8 || primitive.is_real() || b.func.values[value] == Type::I32 {
            return value;
        }
        let short = b.op(Opcode::Wrap, &[value]);
        let is_signed = matches!(primitive, Primitive::S8 | Primitive::S16 | Primitive::S32);
        let back = b.op(if is_signed { Opcode::ExtendS } else { Opcode::ExtendU }, &[short]);
        let fits = b.op(Opcode::Eq, &[back, value]);
        self.require(b, fits, "A number is too large for its type in the interface.");
        short
    }
}

/// How a number in memory is read and written.
pub fn access(data: &InterfaceTypeData, layout: &Layout) -> (Opcode, Opcode) {
    match (&data.kind, layout.size) {
        (InterfaceKind::Primitive(Primitive::F32), _) => (Opcode::LoadF32, Opcode::StoreF32),
        (InterfaceKind::Primitive(Primitive::F64), _) => (Opcode::LoadF64, Opcode::StoreF64),
        (_, 1) => (Opcode::LoadU8, Opcode::StoreU8),
        (_, 2) => (Opcode::LoadU16, Opcode::StoreU8),
        (_, 4) => (Opcode::LoadI32, Opcode::StoreI32),
        _ => (Opcode::LoadI64, Opcode::StoreI64),
    }
}
