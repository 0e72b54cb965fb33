//! Functions of the host in place of functions of the program: their code writes the arguments, calls the host, and
//! reads what it gives, as that of closures of the host does (`callbacks`).
//!
//! ```text
//! canonical, component   `host.cabi_import_N(arguments …)`, as the canonical ABI passes them; N counts all imports
//! C                      a function of a structure that the host has given (`rt/sys/native/given.rs`), and its context
//! ```
//! The text of the module says what runs where there is no such host.

use crate::adapters::Adapter;
use crate::buffer::{function, require};
use crate::callbacks::Called;
use crate::import_groups::{given, last_part, name};
use crate::layout::Abi;
use crate::names::snake;
use crate::outside::call_outside;
use cleave_ir::interface::{Import, InterfaceType};
use cleave_ir::{Builder, Effects, Opcode, Type, Value};

/// The function of the library for C that gives one of the host: its address, or 0. Its context becomes the first
/// argument.
const GIVEN_C: &str = "cleave_library_given";

impl Adapter<'_> {
    /// Puts the functions of the host in their places.
    pub fn imports(&mut self) {
        let all = self.types.imports.as_slice();
        let order: Vec<usize> = given(self.types).collect();
        for (number, import) in all.iter().enumerate() {
            let Some(id) = import.func() else { continue };
            let called = match self.abi {
                Abi::Canonical | Abi::Component => Called::Named(name(number), None),
                Abi::C => {
                    let place = order.iter().position(|&at| at == number).unwrap_or_default();
                    Called::Given(place as u32, shown(import))
                }
            };
            let params: Vec<InterfaceType> = import.params.iter().map(|param| param.1).collect();
            let own = &self.module.funcs[id];
            let (label, signature, source) = (own.name.clone(), own.signature.clone(), own.source.clone());
            let (mut func, entry, args) = function(&label, &signature.params, &signature.results);
            func.source = source;
            let mut b = Builder::new(&mut func, entry);
            let results = (&import.results[..], &signature.results[..]);
            let value = self.call_and_close(&mut b, called, (&params, &args), results);
            b.ret(value.as_slice());
            self.module.funcs[id] = func;
        }
    }

    /// The address of a function that C has given, whose context is written to the first register.
    pub fn given(&mut self, b: &mut Builder, number: u32, name: &str, registers: Value) -> Value {
        let number = b.iconst64(number.into());
        let what = (GIVEN_C, Effects::EFFECT);
        let function = call_outside(self.module, b, what, &[number, registers], &[Type::I64])[0];
        let zero = b.iconst64(0);
        let is_there = b.op(Opcode::Ne, &[function, zero]);
        require(self.module, b, is_there, &format!("The host has not given the function {name}."));
        function
    }
}

/// What C calls the function.
fn shown(import: &Import) -> String {
    format!("`{}` of `{}`", snake(&import.name), snake(&last_part(&import.from)))
}
