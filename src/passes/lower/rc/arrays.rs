//! Elements of arrays: what the functions of the runtime do is a few instructions.

use super::Lowering;
use crate::lower::emit::Emit;
use cleave_ir::layout::SLOT;
use cleave_ir::opcode::Element;
use cleave_ir::rc::STRING_DATA;
use cleave_ir::{InstData, Opcode, Type, Value, libcalls};

impl Lowering<'_> {
    /// Lowers the call of a function for elements of arrays; false if it calls another one.
    pub(super) fn element(&mut self, data: &InstData, args: &[Value], result: Option<Value>) -> bool {
        let cx = self.cx;
        let is = |libcall: &cleave_ir::LibcallSignature| cx.externs[data.external().0].name == libcall.name;
        let offset = u64::from(STRING_DATA);
        // The array is perhaps the first element of the one that is given.
        let inner =
            |libcall: &cleave_ir::LibcallSignature, within: &cleave_ir::LibcallSignature| is(libcall) || is(within);
        let is_inner = [
            &libcalls::RC_INNER_ELEMENT,
            &libcalls::RC_INNER_EXCHANGE,
            &libcalls::RC_INNER_WORD,
            &libcalls::RC_SET_INNER_WORD,
        ]
        .into_iter()
        .any(is);
        match (args, result) {
            (&[ints, index], Some(result)) if inner(&libcalls::RC_WORD, &libcalls::RC_INNER_WORD) => {
                let place = self.element_place(ints, index, is_inner);
                let word = self.op(Opcode::LoadI32, offset, &[place], Type::I32);
                self.define(result, Opcode::ExtendS, 0, &[word]);
            }
            (&[ints, index, value], _) if inner(&libcalls::RC_SET_WORD, &libcalls::RC_SET_INNER_WORD) => {
                let place = self.element_place(ints, index, is_inner);
                let word = self.op(Opcode::Wrap, 0, &[value], Type::I32);
                self.effect(Opcode::StoreI32, offset, &[place, word]);
            }
            (&[array, index], Some(result)) if inner(&libcalls::RC_ELEMENT, &libcalls::RC_INNER_ELEMENT) => {
                let place = self.element_place(array, index, is_inner);
                self.define(result, Opcode::LoadRef, offset, &[place]);
                self.retain(result);
            }
            (&[value, array, index], Some(result)) if inner(&libcalls::RC_EXCHANGE, &libcalls::RC_INNER_EXCHANGE) => {
                let place = self.element_place(array, index, is_inner);
                self.define(result, Opcode::LoadRef, offset, &[place]);
                self.store(place, STRING_DATA, value);
            }
            (&[first, second], Some(result)) if is(&libcalls::RC_SAME) => {
                let addresses = [first, second].map(|object| self.op(Opcode::RefAddr, 0, &[object], Type::I32));
                let same = self.op(Opcode::Eq, 0, &addresses, Type::I32);
                self.define(result, Opcode::ExtendU, 0, &[same]);
            }
            _ => return false,
        }
        true
    }

    /// Reads or overwrites an element of an array of numbers.
    pub(super) fn number(&mut self, access: Element, data: &InstData, result: Option<Value>, args: &[Value]) {
        let (stride, offset) = data.element();
        match result {
            Some(result) if access == Element::ElemU8 => {
                self.string_byte(result, (stride, offset), args[0], args[1]);
            }
            Some(result) => {
                let place = self.strided_place(args[0], args[1], stride);
                self.load_element(access.kind(), result, place, offset);
            }
            None => {
                let place = self.strided_place(args[0], args[1], stride);
                self.store_element(access.kind(), place, offset, args[2]);
            }
        }
    }

    /// The address of an element without the constant part.
    fn element_place(&mut self, mut array: Value, index: Value, is_inner: bool) -> Value {
        if is_inner {
            array = self.op(Opcode::LoadRef, u64::from(STRING_DATA), &[array], Type::Ref);
        }
        self.strided_place(array, index, SLOT)
    }

    fn strided_place(&mut self, array: Value, index: Value, stride: u32) -> Value {
        let is_zero = self.is_zero(index);
        self.element_address(array, (!is_zero).then_some(index), stride)
    }

    /// The index of what has one element only: the length of a vector, the array in its box.
    fn is_zero(&self, index: Value) -> bool {
        let data = self.tables.defs[index].expand().map(|inst| &self.func.insts[inst]);
        data.is_some_and(|data| (data.op, data.imm) == (Opcode::Iconst64, 0))
    }
}
