//! Functions inside of data that C passes: all of them are looked at before anything is read, so that one that does not
//! exist is an error of the call alone. Addresses of NULL and cases that do not exist are left to what reads the data.

use crate::adapters::Adapter;
use crate::buffer::{begin_loop, function, place_at};
use crate::layout::Abi;
use crate::resources;
use cleave_ir::interface::{InterfaceKind, InterfaceType};
use cleave_ir::{Builder, FuncId, Opcode, Type, Value};

impl Adapter<'_> {
    /// Ends the call if a function in an argument does not exist: in what C passes for it.
    pub fn refuse_unknown_in(&mut self, b: &mut Builder, ty: InterfaceType, passed: &[Value]) {
        match self.data(ty).kind {
            InterfaceKind::Function(..) => self.refuse_unknown(b, ty, passed[0]),
            _ if self.has_functions(ty) => {
                let look = self.looker(ty);
                b.call(look, passed, &[]);
            }
            _ => {}
        }
    }

    fn has_functions(&self, ty: InterfaceType) -> bool {
        resources::inside(self.types, ty).into_iter().any(|part| resources::is_function(self.types, part))
    }

    /// The function that looks at all values of a type: a list of its address and length, all else of its address.
    fn looker(&mut self, ty: InterfaceType) -> FuncId {
        if let Some(known) = self.look[ty] {
            return known;
        }
        let (data, layout) = (self.data(ty), self.layouts.get(ty).clone());
        let list = if let InterfaceKind::List(element) = data.kind { Some(element) } else { None };
        let params = vec![Type::I64; if list.is_some() { 2 } else { 1 }];
        let (mut func, entry, params) = function(&format!("interface.look.{}", ty.as_u32()), &params, &[]);
        let mut b = Builder::new(&mut func, entry);
        let (some, none, zero) = (b.func.new_block(), b.func.new_block(), b.iconst64(0));
        let is_somewhere = b.op(Opcode::Ne, &[params[0], zero]);
        b.br_if(is_somewhere, (some, &[]), (none, &[]));
        b.switch_to(some);
        match list {
            Some(element) => {
                let (length, size) = self.checked(&mut b, element, params[0], params[1]);
                let items = begin_loop(&mut b, length, &[]);
                let at = b.op(Opcode::Imul, &[items.index, size]);
                let place = place_at(&mut b, params[0], at);
                self.look_at(&mut b, element, place, 0);
                items.end(&mut b, &[]);
            }
            None if layout.discriminant == 0 => {
                self.look_at_parts(&mut b, &data.cases()[0], &layout.offsets[0], params[0]);
            }
            None => {
                let op = [Opcode::LoadU8, Opcode::LoadU16, Opcode::LoadI32][layout.discriminant as usize / 2];
                let number = b.value(op, 0, 0, &[params[0]]);
                for (case, (parts, offsets)) in data.cases().iter().zip(&layout.offsets).enumerate() {
                    if !parts.iter().any(|&part| self.has_functions(part)) {
                        continue;
                    }
                    let [this, next] = [(); 2].map(|()| b.func.new_block());
                    let tested = b.iconst32(case as i32);
                    let is_it = b.op(Opcode::Eq, &[number, tested]);
                    b.br_if(is_it, (this, &[]), (next, &[]));
                    b.switch_to(this);
                    self.look_at_parts(&mut b, parts, offsets, params[0]);
                    b.jump(next, &[]);
                    b.switch_to(next);
                }
            }
        }
        b.jump(none, &[]);
        b.switch_to(none);
        b.ret(&[]);
        let func = self.module.funcs.push(func);
        self.look[ty] = Some(func);
        func
    }

    fn look_at_parts(&mut self, b: &mut Builder, parts: &[InterfaceType], offsets: &[u32], address: Value) {
        for (&part, &at) in parts.iter().zip(offsets) {
            if self.has_functions(part) {
                self.look_at(b, part, address, at);
            }
        }
    }

    /// Looks at a value in memory that has functions.
    fn look_at(&mut self, b: &mut Builder, ty: InterfaceType, address: Value, at: u32) {
        let word = |b: &mut Builder, at: u32| b.value(Opcode::LoadI64, u64::from(at), 0, &[address]);
        let passed = match self.data(ty).kind {
            InterfaceKind::Function(..) => vec![word(b, at)],
            InterfaceKind::List(_) => vec![word(b, at), word(b, at + Abi::C.address_bytes())],
            _ => {
                let offset = b.iconst64(at.into());
                vec![b.op(Opcode::Iadd, &[address, offset])]
            }
        };
        self.refuse_unknown_in(b, ty, &passed);
    }
}
