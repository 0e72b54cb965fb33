//! What components have besides functions that they export: functions as values, which are resources with a method
//! `call`, and functions of the host.
//!
//! ```text
//! interface api     exported: all functions, and a resource for each type of functions: one of the program
//! interface host    imported, if the host may give functions: a resource for each type of which it may. The
//!                   constructor of the resource in `api` makes one of it
//! ```
//! An object of the host is a resource of `host` with a method `clone`, of which the component has handles of its own.
//! A function that is an argument itself is borrowed; in data it is the receiver's. A library without functions as
//! values exports its functions as they are, without an interface. Functions that the program imports are in interfaces
//! of their own (`import_groups`). Each type is in the first interface that needs it, and the others use it from there.

use crate::import_groups::{self as imports, Group};
use crate::names::{Taken, WitNames, kebab};
use cleave_ir::SecondaryMap;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};
use std::collections::BTreeMap;

/// Whose interface has a type: nobody's of the host, the host's, or that of the imports of this number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Owner {
    #[default]
    Program,
    Host,
    Imports(usize),
}

/// What a component has for functions as values.
pub(crate) struct Resources {
    /// What is exported is an interface.
    pub(crate) is_api: bool,
    /// The name of the world.
    pub(crate) world: String,
    /// The interface of what is exported, and of what the host has.
    pub(crate) api: String,
    pub(crate) host: String,
    /// The resources of types of functions: of the program, and of the host if it may give some.
    pub(crate) functions: BTreeMap<InterfaceType, (String, Option<String>)>,
    /// Those of objects of the host.
    pub(crate) foreign: BTreeMap<InterfaceType, String>,
    /// The interfaces of functions that the program imports.
    pub(crate) imports: Vec<Group>,
    /// Where types are defined.
    pub(crate) owner: SecondaryMap<InterfaceType, Owner>,
    /// Types that what is exported refers to, and all of the program and of the host.
    pub(crate) is_exported: SecondaryMap<InterfaceType, bool>,
}

impl Resources {
    /// Nothing, if no function is a value, and none comes from the host.
    pub(crate) fn of(interface: &Interface, names: &mut WitNames) -> Option<Resources> {
        let given = given(interface);
        let is_function = |id: &InterfaceType| is_function(interface, *id);
        let functions: BTreeMap<InterfaceType, (String, Option<String>)> = interface
            .types
            .keys()
            .filter(is_function)
            .map(|id| {
                let own = names.taken.functions("function", &names.spelled[id]);
                (id, (own, given[id].then(|| names.taken.functions("callback", &names.spelled[id]))))
            })
            .collect();
        let foreign: BTreeMap<InterfaceType, String> = interface
            .types
            .iter()
            .filter_map(|(id, data)| match &data.kind {
                InterfaceKind::Foreign(name) => Some((id, names.taken.unique(kebab(name)))),
                _ => None,
            })
            .collect();
        let mut imports = imports::groups(interface);
        let is_api = !functions.is_empty() || !foreign.is_empty();
        if !is_api && imports.is_empty() {
            return None;
        }
        let mut of_host: SecondaryMap<InterfaceType, bool> = SecondaryMap::new();
        foreign.keys().for_each(|&id| of_host[id] = true);
        for id in interface.types.keys().filter(|&id| given[id]) {
            let InterfaceKind::Function(params, results) = &interface.types[id].kind else { continue };
            params.iter().chain(results).for_each(|&part| mark(interface, part, &mut of_host));
        }
        let mut owner: SecondaryMap<InterfaceType, Owner> = SecondaryMap::new();
        interface.types.keys().filter(|&id| of_host[id]).for_each(|id| owner[id] = Owner::Host);
        for (number, group) in imports.iter().enumerate() {
            for id in used_by(interface, group) {
                if owner[id] == Owner::Program && !functions.contains_key(&id) {
                    owner[id] = Owner::Imports(number);
                }
            }
        }
        let mut is_exported = SecondaryMap::new();
        let exports = interface.exports.iter();
        let of_exports = exports.flat_map(|it| it.params.iter().map(|param| param.1).chain(it.results.iter().copied()));
        let own = interface.types.keys().filter(|&id| owner[id] <= Owner::Host);
        of_exports.chain(own).for_each(|id| mark(interface, id, &mut is_exported));
        let mut taken = Taken::default();
        imports.iter_mut().for_each(|group| group.name = taken.unique(group.name.clone()));
        let world = taken.unique(names.world.clone());
        let [api, host] = ["api", "host"].map(|name| taken.unique(name.into()));
        Some(Resources { is_api, world, api, host, functions, foreign, imports, owner, is_exported })
    }

    /// The name of a resource that the host has: of its functions of a type, or of its objects.
    pub(crate) fn of_host(&self, id: InterfaceType) -> Option<&str> {
        let callback = || self.functions.get(&id)?.1.as_deref();
        self.foreign.get(&id).map(String::as_str).or_else(callback)
    }

    /// All interfaces of the host.
    pub(crate) fn interfaces(&self) -> impl Iterator<Item = (Owner, &str)> {
        let host = self.has_host().then_some((Owner::Host, self.host.as_str()));
        let imports = self.imports.iter().enumerate();
        host.into_iter().chain(imports.map(|(number, group)| (Owner::Imports(number), group.name.as_str())))
    }

    /// The host has an interface.
    pub(crate) fn has_host(&self) -> bool {
        !self.foreign.is_empty() || self.functions.values().any(|(_, callback)| callback.is_some())
    }
}

/// The types of the functions of an interface.
pub(crate) fn used_by(interface: &Interface, group: &Group) -> Vec<InterfaceType> {
    let mut marks = SecondaryMap::new();
    for (number, _) in &group.functions {
        let import = &interface.imports[*number];
        let types = import.params.iter().map(|param| param.1).chain(import.results.iter().copied());
        types.for_each(|id| mark(interface, id, &mut marks));
    }
    interface.types.keys().filter(|&id| marks[id]).collect()
}

pub(crate) fn is_function(interface: &Interface, id: InterfaceType) -> bool {
    matches!(interface.types[id].kind, InterfaceKind::Function(..))
}

/// Nothing of that is a value without an interface.
pub(crate) fn is_resource(interface: &Interface, id: InterfaceType) -> bool {
    matches!(interface.types[id].kind, InterfaceKind::Function(..) | InterfaceKind::Foreign(_))
}

/// The types that a type is made of.
pub(crate) fn parts(kind: &InterfaceKind) -> Vec<InterfaceType> {
    kind.clone().parts_mut().map(|part| *part).collect()
}

/// A type and all that it is made of.
pub(crate) fn inside(interface: &Interface, id: InterfaceType) -> Vec<InterfaceType> {
    let mut marks = SecondaryMap::new();
    mark(interface, id, &mut marks);
    interface.types.keys().filter(|&id| marks[id]).collect()
}

/// A type and all that it is made of. Types refer to those before them, so the way is as long as the type is deep.
fn mark(interface: &Interface, id: InterfaceType, marks: &mut SecondaryMap<InterfaceType, bool>) {
    let mut rest = vec![id];
    while let Some(id) = rest.pop() {
        if !std::mem::replace(&mut marks[id], true) {
            rest.extend(parts(&interface.types[id].kind));
        }
    }
}

/// Types of functions that the host may give: those of them that the program takes somewhere. One whose arguments or
/// result have functions in them is never given: what the host imports cannot refer to what the program exports.
pub(crate) fn given(interface: &Interface) -> SecondaryMap<InterfaceType, bool> {
    // What goes to the program, and to the host.
    let mut seen = [SecondaryMap::<InterfaceType, bool>::new(), SecondaryMap::new()];
    let mut rest: Vec<(InterfaceType, usize)> = Vec::new();
    for export in &interface.exports {
        rest.extend(export.params.iter().map(|param| (param.1, 0)));
        rest.extend(export.results.iter().map(|&ty| (ty, 1)));
    }
    for import in &interface.imports {
        rest.extend(import.params.iter().map(|param| (param.1, 1)));
        rest.extend(import.results.iter().map(|&ty| (ty, 0)));
    }
    while let Some((id, way)) = rest.pop() {
        if std::mem::replace(&mut seen[way][id], true) {
            continue;
        }
        match &interface.types[id].kind {
            // The host calls those that it gets, and the program those of the host.
            InterfaceKind::Function(params, results) => {
                rest.extend(params.iter().map(|&ty| (ty, 1 - way)));
                rest.extend(results.iter().map(|&ty| (ty, way)));
            }
            kind => rest.extend(parts(kind).into_iter().map(|part| (part, way))),
        }
    }
    let mut given = SecondaryMap::new();
    for (id, data) in &interface.types {
        let InterfaceKind::Function(params, results) = &data.kind else { continue };
        let mut inside = SecondaryMap::new();
        params.iter().chain(results).for_each(|&part| mark(interface, part, &mut inside));
        let has_functions = interface.types.keys().any(|id| inside[id] && is_function(interface, id));
        given[id] = seen[0][id] && !has_functions;
    }
    given
}
