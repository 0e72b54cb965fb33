//! Functions of the host in place of functions of the program: their code writes the arguments, calls the host, and reads
//! what it gives, as that of closures of the host does (`callbacks`).
//!
//! ```text
//! canonical, component   `host.cabi_import_N(arguments …)`, as the canonical ABI passes them; N counts all imports
//! C                      a function of a structure that the host has given (`rt/sys/native/given.rs`), and its context
//! ```
//! The text of the module says what runs where there is no such host.

use crate::adapters::Adapter;
use crate::buffer::{function, require};
use crate::callbacks::Called;
use crate::layout::Abi;
use crate::names::{Taken, kebab, snake};
use crate::outside::call_outside;
use cleave_ir::interface::{Import, Interface, InterfaceType};
use cleave_ir::{Builder, Effects, Opcode, Type, Value};

/// The function of the library for C that gives one of the host: its address, or 0. Its context becomes the first
/// argument.
const GIVEN_C: &str = "cleave_library_given";

/// The name by which a module imports a function.
pub fn name(number: usize) -> String {
    format!("cabi_import_{number}")
}

/// What a host has by one name: a class of the program, an interface of components, a structure of C.
#[derive(Debug)]
pub(crate) struct Group {
    /// As WIT writes it.
    pub(crate) name: String,
    /// The numbers of its functions among all imports, with their names as WIT writes them.
    pub(crate) functions: Vec<(usize, String)>,
}

/// The last part of where something is imported from, without an ending: `net` of `./net.mjs` and `local:app/net`.
fn last_part(from: &str) -> String {
    let from = from.split('@').next().filter(|part| !part.is_empty()).unwrap_or(from);
    let last = from.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or_default();
    kebab(last.split('.').find(|part| !part.is_empty()).unwrap_or(last))
}

/// All imports by where they are from, in the order of the program.
pub(crate) fn groups(interface: &Interface) -> Vec<Group> {
    let mut groups: Vec<(Group, Taken)> = Vec::new();
    for (number, import) in interface.imports.iter().enumerate() {
        let name = last_part(&import.from);
        let at = groups.iter().position(|(group, _)| group.name == name).unwrap_or_else(|| {
            groups.push((Group { name, functions: Vec::new() }, Taken::default()));
            groups.len() - 1
        });
        let (group, taken) = &mut groups[at];
        group.functions.push((number, taken.unique(kebab(&import.name))));
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// The parameters of a function, as WIT names them.
pub(crate) fn params(import: &Import) -> Vec<(String, InterfaceType)> {
    let mut taken = Taken::default();
    import.params.iter().map(|(name, ty)| (taken.unique(kebab(name)), *ty)).collect()
}

/// The numbers of functions that C gives, in the order of the structures.
pub(crate) fn given(interface: &Interface) -> impl Iterator<Item = usize> {
    groups(interface).into_iter().flat_map(|group| group.functions).map(|function| function.0)
}

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
            self.call_and_return(&mut b, called, (&params, &args), (&import.results, &signature.results));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_have_the_names_of_modules() {
        let names = ["./net.mjs", "net", "local:app/net@1.0.0", "../a/myNet.js", "node:fs", "@scope/net", "./", ""];
        let found = names.map(last_part);
        assert_eq!(found, ["net", "net", "net", "my-net", "fs", "net", "x", "x"]);
    }
}
