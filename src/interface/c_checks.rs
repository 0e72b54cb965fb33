//! What C passes is looked at before anything is read, so that what is wrong is an error of the call alone: the program
//! has not been entered then, and goes on. What a function of C gives is looked at by the same functions; there the
//! program waits in the middle of its work, and ends with the message.
//!
//! One function for each type gives what is wrong as a number, or 0. The runtime has the words for it
//! (`cleave_abi::passed`).

use crate::adapters::Adapter;
use crate::buffer::{begin_loop, function, place_at};
use crate::layout::Abi;
use crate::numbers::access;
use crate::resources;
use crate::wrong::{end_if, unless};
use cleave_ir::abi::passed::{Passed, Wrong};
use cleave_ir::interface::{InterfaceKind, InterfaceType, Primitive, Representation};
use cleave_ir::{Builder, FuncId, Opcode, Type, Value};

/// Lengths from here on are more than a heap can have.
const MOST: i64 = 1 << 32;

/// Returns what is wrong, if something is.
fn return_if(b: &mut Builder, reason: Value) {
    let (good, bad) = (b.func.new_block(), b.func.new_block());
    b.br_if(reason, (bad, &[]), (good, &[]));
    b.switch_to(bad);
    b.ret(&[reason]);
    b.switch_to(good);
}

/// Returns what is wrong, unless the condition holds.
fn return_unless(b: &mut Builder, good: Value, wrong: Wrong) {
    let reason = unless(b, good, wrong);
    return_if(b, reason);
}

impl Adapter<'_> {
    /// Ends the call if an address is NULL.
    pub fn refuse_null(&mut self, b: &mut Builder, address: Value, what: &str) {
        let zero = b.iconst64(0);
        let is_somewhere = b.op(Opcode::Ne, &[address, zero]);
        let reason = unless(b, is_somewhere, Wrong::Null);
        end_if(self.module, b, reason, what, Passed::Argument);
    }

    /// What is wrong with what C passes for a value; nothing if all is good whatever it is.
    pub fn look(&mut self, b: &mut Builder, ty: InterfaceType, passed: &[Value]) -> Option<Value> {
        // An enumeration is passed as a number, whatever its values are in the program.
        if self.is_number(ty) || b.func.values[passed[0]] == Type::I32 {
            return self.look_at_number(b, ty, passed[0]);
        }
        match self.data(ty).kind {
            InterfaceKind::Foreign(_) => None,
            InterfaceKind::Function(..) => {
                let index = self.find_handle(b, ty, passed[0]);
                let zero = b.iconst64(0);
                let is_known = b.op(Opcode::Sge, &[index, zero]);
                Some(unless(b, is_known, Wrong::Function))
            }
            _ => {
                let look = self.looker(ty);
                Some(b.call_value(look, passed, Type::I32))
            }
        }
    }

    fn look_at_number(&mut self, b: &mut Builder, ty: InterfaceType, value: Value) -> Option<Value> {
        let data = self.data(ty);
        match &data.kind {
            InterfaceKind::Primitive(Primitive::Char) => {
                let exists = self.is_character(b, value);
                let reason = unless(b, exists, Wrong::Character);
                if !self.has_byte_characters(data) {
                    return Some(reason);
                }
                let count = b.iconst32(256);
                let is_byte = b.op(Opcode::Ult, &[value, count]);
                let other = b.iconst32(Wrong::ByteCharacter as i32);
                let other = b.op(Opcode::Select, &[is_byte, reason, other]);
                Some(b.op(Opcode::Select, &[exists, other, reason]))
            }
            InterfaceKind::Variant(_, cases) => {
                let count = b.iconst32(cases.len() as i32);
                let exists = b.op(Opcode::Ult, &[value, count]);
                Some(unless(b, exists, Wrong::Case))
            }
            _ => match data.representation {
                Representation::Scalar(_, shift) if shift > 0 && b.func.values[value] == Type::I64 => {
                    let bits = b.iconst64(i64::from(shift));
                    let shifted = b.op(Opcode::Shl, &[value, bits]);
                    let back = b.op(Opcode::Sshr, &[shifted, bits]);
                    let fits = b.op(Opcode::Eq, &[back, value]);
                    Some(unless(b, fits, Wrong::Number))
                }
                _ => None,
            },
        }
    }

    /// Something about values of the type, wherever they lie, may be wrong.
    fn may_be_wrong(&self, ty: InterfaceType) -> bool {
        let is_wrong = |part: InterfaceType| {
            let data = self.data(part);
            match data.kind {
                InterfaceKind::Primitive(Primitive::Char) => true,
                InterfaceKind::Primitive(_) => matches!(data.representation, Representation::Scalar(_, 1..)),
                InterfaceKind::Foreign(_) | InterfaceKind::Tuple(_) | InterfaceKind::Record(..) => false,
                _ => true,
            }
        };
        resources::inside(self.types, ty).into_iter().any(is_wrong)
    }

    /// The function that looks at values of a type: a string or list of its address and length, all else of its
    /// address.
    fn looker(&mut self, ty: InterfaceType) -> FuncId {
        if let Some(known) = self.look[ty] {
            return known;
        }
        let (data, layout) = (self.data(ty), self.layouts.get(ty).clone());
        let has_length = matches!(data.kind, InterfaceKind::String | InterfaceKind::List(_));
        let params = vec![Type::I64; if has_length { 2 } else { 1 }];
        let (mut func, entry, params) = function(&format!("interface.look.{}", ty.as_u32()), &params, &[Type::I32]);
        let mut b = Builder::new(&mut func, entry);
        let (zero, none) = (b.iconst64(0), b.iconst32(0));
        if has_length {
            let (some, empty) = (b.func.new_block(), b.func.new_block());
            let is_more = b.op(Opcode::Ne, &[params[1], zero]);
            b.br_if(is_more, (some, &[]), (empty, &[]));
            b.switch_to(empty);
            b.ret(&[none]);
            b.switch_to(some);
            let most = b.iconst64(MOST);
            let is_few = b.op(Opcode::Ult, &[params[1], most]);
            return_unless(&mut b, is_few, Wrong::Length);
        }
        let is_somewhere = b.op(Opcode::Ne, &[params[0], zero]);
        return_unless(&mut b, is_somewhere, Wrong::Null);
        match data.kind {
            InterfaceKind::String => {
                let is_text = self.with_buffer(|buffer, module| buffer.is_text(module, &mut b, params[0], params[1]));
                return_unless(&mut b, is_text, Wrong::Text);
            }
            InterfaceKind::List(element) if self.may_be_wrong(element) => {
                let size = b.iconst64(i64::from(self.layouts.get(element).size));
                let items = begin_loop(&mut b, params[1], &[]);
                let at = b.op(Opcode::Imul, &[items.index, size]);
                let place = place_at(&mut b, params[0], at);
                self.look_inside(&mut b, element, place, 0);
                items.end(&mut b, &[]);
            }
            InterfaceKind::List(_) => {}
            _ if layout.discriminant == 0 => {
                for (&part, &at) in data.cases()[0].iter().zip(&layout.offsets[0]) {
                    self.look_inside(&mut b, part, params[0], at);
                }
            }
            _ => {
                let op = [Opcode::LoadU8, Opcode::LoadU16, Opcode::LoadI32][layout.discriminant as usize / 2];
                let number = b.value(op, 0, 0, &[params[0]]);
                let count = b.iconst32(data.cases().len() as i32);
                let exists = b.op(Opcode::Ult, &[number, count]);
                return_unless(&mut b, exists, Wrong::Case);
                for (case, (parts, offsets)) in data.cases().iter().zip(&layout.offsets).enumerate() {
                    if !parts.iter().any(|&part| self.may_be_wrong(part)) {
                        continue;
                    }
                    let [this, next] = [(); 2].map(|()| b.func.new_block());
                    let tested = b.iconst32(case as i32);
                    let is_it = b.op(Opcode::Eq, &[number, tested]);
                    b.br_if(is_it, (this, &[]), (next, &[]));
                    b.switch_to(this);
                    for (&part, &at) in parts.iter().zip(offsets) {
                        self.look_inside(&mut b, part, params[0], at);
                    }
                    b.jump(next, &[]);
                    b.switch_to(next);
                }
            }
        }
        b.ret(&[none]);
        let func = self.module.funcs.push(func);
        self.look[ty] = Some(func);
        func
    }

    /// Looks at a part of what a function looks at.
    fn look_inside(&mut self, b: &mut Builder, ty: InterfaceType, address: Value, at: u32) {
        if self.may_be_wrong(ty)
            && let Some(reason) = self.look_at(b, ty, address, at)
        {
            return_if(b, reason);
        }
    }

    /// What is wrong with a value in memory of C.
    pub fn look_at(&mut self, b: &mut Builder, ty: InterfaceType, address: Value, at: u32) -> Option<Value> {
        let word = |b: &mut Builder, at: u32| b.value(Opcode::LoadI64, u64::from(at), 0, &[address]);
        let passed = match self.data(ty).kind {
            _ if self.is_number(ty) => {
                vec![b.value(access(self.data(ty), self.layouts.get(ty)).0, u64::from(at), 0, &[address])]
            }
            InterfaceKind::Function(..) => vec![word(b, at)],
            InterfaceKind::String | InterfaceKind::List(_) => vec![word(b, at), word(b, at + Abi::C.address_bytes())],
            _ => {
                let offset = b.iconst64(at.into());
                vec![b.op(Opcode::Iadd, &[address, offset])]
            }
        };
        self.look(b, ty, &passed)
    }
}
