//! The interfaces that a component imports, each as an instance: that of the host, with a resource for functions that
//! it gives and for its objects, and those of the functions that the program imports.
//!
//! A type is in one of them, and the others, as the component itself, take it from there: so it is the same for all.

use crate::component::Component;
use crate::component_api::{FUNC, INSTANCE_SORT, TYPE_SORT};
use crate::component_types::{ALIAS, IMPORT, Known, Naming, Scope, TYPE, reference};
use crate::import_groups as imports;
use crate::names::WitNames;
use crate::resources::{Owner, Resources, used_by};
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};
use std::collections::BTreeMap;
use wasm_encoder::Encode;

/// Interfaces that are imported, with the types that the component has taken from them.
pub(crate) struct Instances {
    owners: Vec<Owner>,
    types: BTreeMap<String, u32>,
}

/// An interface of this package.
pub(crate) fn package(names: &WitNames, interface: &str) -> String {
    format!("local:{}/{interface}", names.world)
}

impl Instances {
    /// Imports all of them.
    pub(crate) fn import(
        component: &mut Component,
        interface: &Interface,
        names: &WitNames,
        resources: &Resources,
    ) -> Instances {
        let mut instances = Instances { owners: Vec::new(), types: BTreeMap::new() };
        for (owner, name) in resources.interfaces() {
            let wanted: Vec<InterfaceType> = match owner {
                Owner::Imports(number) => used_by(interface, &resources.imports[number]),
                _ => interface.types.keys().filter(|&id| resources.owner[id] == owner).collect(),
            };
            let mut outer = BTreeMap::new();
            for &id in wanted.iter().filter(|&&id| resources.owner[id] != owner) {
                let resource = resources.of_host(id).map(|name| (Owner::Host, name.to_string()));
                let own = || Some((resources.owner[id], names.types[id].0.clone()?));
                if let Some((other, name)) = resource.or_else(own) {
                    let number = instances.ty(&mut component.scope, other, &name);
                    outer.insert(name, number);
                }
            }
            let mut scope = Scope { bytes: Vec::new(), declarations: Some(0), types: 0 };
            let mut declared = Declared { resources, owner, outer };
            let known = scope.value_types(interface, names, &mut declared, |id| wanted.contains(&id));
            match owner {
                Owner::Imports(number) => {
                    for (number, name) in &resources.imports[number].functions {
                        let import = &interface.imports[*number];
                        let ty = scope.function_type(None, &imports::params(import), &import.results, &known);
                        declare_function(&mut scope, name, ty);
                    }
                }
                _ => host(&mut scope, interface, resources, &known),
            }
            let mut ty = vec![1, 0x42];
            scope.declarations.unwrap_or_default().encode(&mut ty);
            ty.extend(scope.bytes);
            component.scope.section(TYPE, &ty);
            let ty = component.scope.next_type();
            let mut body = vec![1, 0];
            package(names, name).encode(&mut body);
            body.push(INSTANCE_SORT);
            ty.encode(&mut body);
            component.scope.section(IMPORT, &body);
            instances.owners.push(owner);
        }
        instances
    }

    /// How many they are.
    pub(crate) fn count(&self) -> u32 {
        self.owners.len() as u32
    }

    /// The number of an instance.
    pub(crate) fn number(&self, owner: Owner) -> u32 {
        let at = self.owners.iter().position(|&known| known == owner);
        at.expect("it is imported before it is used") as u32
    }

    /// A type of an instance, as one of the component.
    pub(crate) fn ty(&mut self, scope: &mut Scope, owner: Owner, name: &str) -> u32 {
        if let Some(&known) = self.types.get(name) {
            return known;
        }
        let mut body = vec![1, TYPE_SORT, 0];
        self.number(owner).encode(&mut body);
        name.encode(&mut body);
        scope.section(ALIAS, &body);
        let number = scope.next_type();
        self.types.insert(name.to_string(), number);
        number
    }
}

impl Resources {
    /// The interface and the name of a function that modules import by a name.
    pub(crate) fn imported(&self, name: &str) -> Option<(Owner, String)> {
        self.imports.iter().enumerate().find_map(|(at, group)| {
            let (_, function) = group.functions.iter().find(|(number, _)| imports::name(*number) == name)?;
            Some((Owner::Imports(at), function.clone()))
        })
    }
}

/// Resources of the host.
fn host(scope: &mut Scope, interface: &Interface, resources: &Resources, known: &Known) {
    for (id, (_, callback)) in &resources.functions {
        let (InterfaceKind::Function(params, results), Some(callback)) = (&interface.types[*id].kind, callback) else {
            continue;
        };
        let resource = declare_resource(scope, callback);
        let own = lent(scope, resource);
        let ty = scope.function_type(Some(("self", own)), &arguments(params), results, known);
        declare_function(scope, &format!("[method]{callback}.call"), ty);
    }
    for (id, name) in &resources.foreign {
        let own = lent(scope, known.resources[*id]);
        let ty = scope.function_of(&[("self", own)], Some(known.types[*id].clone()));
        declare_function(scope, &format!("[method]{name}.clone"), ty);
    }
}

/// A resource that the type of the host's interface has.
fn declare_resource(scope: &mut Scope, name: &str) -> u32 {
    let mut body = vec![4, 0];
    name.encode(&mut body);
    body.extend([TYPE_SORT, 1]);
    scope.declare(&body);
    scope.next_type()
}

/// A type there that equals another one.
fn declare_equal(scope: &mut Scope, name: &str, number: u32) -> u32 {
    let mut body = vec![4, 0];
    name.encode(&mut body);
    body.extend([TYPE_SORT, 0]);
    number.encode(&mut body);
    scope.declare(&body);
    scope.next_type()
}

/// Handles of a resource that are lent.
fn lent(scope: &mut Scope, resource: u32) -> Vec<u8> {
    let mut handle = vec![0x68];
    resource.encode(&mut handle);
    reference(scope.define(&handle))
}

/// A function of a type there.
fn declare_function(scope: &mut Scope, name: &str, ty: u32) {
    let mut body = vec![4, 0];
    name.encode(&mut body);
    body.push(FUNC);
    ty.encode(&mut body);
    scope.declare(&body);
}

/// Arguments of functions as values have no names of their own.
fn arguments(params: &[InterfaceType]) -> Vec<(String, InterfaceType)> {
    params.iter().enumerate().map(|(at, &ty)| (format!("arg{}", at + 1), ty)).collect()
}

/// A type of the world that equals another one, which gives it a name.
pub(crate) fn import_equal(scope: &mut Scope, name: &str, number: u32) -> u32 {
    let mut body = vec![1, 0];
    name.encode(&mut body);
    body.extend([TYPE_SORT, 0]);
    number.encode(&mut body);
    scope.section(IMPORT, &body);
    scope.next_type()
}

/// Types in the type of an interface.
struct Declared<'r> {
    resources: &'r Resources,
    owner: Owner,
    /// Types of the component that other interfaces have.
    outer: BTreeMap<String, u32>,
}

impl Declared<'_> {
    /// A type of another interface.
    fn used(&self, scope: &mut Scope, name: &str) -> Option<u32> {
        let mut body = vec![2, TYPE_SORT, 2, 1];
        self.outer.get(name)?.encode(&mut body);
        scope.declare(&body);
        let number = scope.next_type();
        Some(declare_equal(scope, name, number))
    }
}

impl Naming for Declared<'_> {
    fn named(&mut self, scope: &mut Scope, _: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        match defined {
            None => self.used(scope, name),
            Some(number) => Some(declare_equal(scope, name, number)),
        }
    }

    /// The host gives its own functions.
    fn resource(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        self.used(scope, self.resources.of_host(ty)?)
    }

    fn callback(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let name = &self.resources.foreign[&ty];
        match self.owner {
            Owner::Host => Some(declare_resource(scope, name)),
            _ => self.used(scope, name),
        }
    }
}
