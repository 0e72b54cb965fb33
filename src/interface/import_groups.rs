//! What a program imports, by where it is from: all hosts name it by the same rules.

use crate::names::{Taken, kebab};
use cleave_ir::interface::{Import, Interface, InterfaceType};

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
pub(crate) fn last_part(from: &str) -> String {
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
