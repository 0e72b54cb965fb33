//! Types of an interface in the binary form of components (`component`). They are written where they are needed: in a
//! component, or in the type of an instance that it imports. There each named type gets its name in its own way.

use crate::names::WitNames;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType, Primitive};
use cleave_ir::{PrimaryMap, SecondaryMap};
use wasm_encoder::Encode;

/// Numbers of sections of a component.
pub(crate) const ALIAS: u8 = 6;
pub(crate) const TYPE: u8 = 7;
pub(crate) const IMPORT: u8 = 10;
pub(crate) const EXPORT: u8 = 11;

/// Where types are written.
pub(crate) struct Scope {
    /// The sections of a component, or the declarations of the type of an instance.
    pub(crate) bytes: Vec<u8>,
    /// Of an instance: how many declarations.
    pub(crate) declarations: Option<u32>,
    /// Types that are there.
    pub(crate) types: u32,
}

/// How types are referred to.
pub(crate) type Types = PrimaryMap<InterfaceType, Vec<u8>>;

/// The types of values in a scope.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) types: Types,
    /// Of functions: those that are lent, and the resource.
    pub(crate) borrowed: SecondaryMap<InterfaceType, Vec<u8>>,
    pub(crate) resources: SecondaryMap<InterfaceType, u32>,
    /// Functions of the host of such types.
    pub(crate) callbacks: SecondaryMap<InterfaceType, Vec<u8>>,
    /// Their resources.
    pub(crate) of_host: SecondaryMap<InterfaceType, u32>,
}

/// What a scope does with a type that has a name: gives the number by which others refer to it.
pub(crate) trait Naming {
    /// A record or variant, which was defined with this number; or is there already, if it is not.
    fn named(&mut self, scope: &mut Scope, ty: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32>;
    /// The resource of a type of functions.
    fn resource(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32>;
    /// That of functions of the host of this type, if it may give any.
    fn callback(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32>;
    /// That of objects of the host.
    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32>;
}

impl Scope {
    pub(crate) fn section(&mut self, number: u8, body: &[u8]) {
        self.bytes.push(number);
        body.encode(&mut self.bytes);
    }

    pub(crate) fn declare(&mut self, declaration: &[u8]) {
        self.bytes.extend(declaration);
        *self.declarations.as_mut().expect("it is an instance's") += 1;
    }

    pub(crate) fn define(&mut self, ty: &[u8]) -> u32 {
        match self.declarations {
            Some(_) => self.declare(&[&[1], ty].concat()),
            None => self.section(TYPE, &[&[1], ty].concat()),
        }
        self.types += 1;
        self.types - 1
    }

    /// Another type has come, by an import, an export or an alias.
    pub(crate) fn next_type(&mut self) -> u32 {
        self.types += 1;
        self.types - 1
    }

    /// Defines the types of values, those that are wanted.
    pub(crate) fn value_types(
        &mut self,
        interface: &Interface,
        names: &WitNames,
        naming: &mut impl Naming,
        wanted: impl Fn(InterfaceType) -> bool,
    ) -> Known {
        let mut known = Known::default();
        for (id, data) in &interface.types {
            let (name, parts) = &names.types[id];
            if !wanted(id) {
                known.types.push(Vec::new());
                continue;
            }
            match &data.kind {
                InterfaceKind::Primitive(primitive) => {
                    known.types.push(vec![code(*primitive)]);
                    continue;
                }
                InterfaceKind::String => {
                    known.types.push(vec![0x73]);
                    continue;
                }
                InterfaceKind::Foreign(_) => {
                    let resource = naming.foreign(self, id).expect("only interfaces have objects of the host");
                    known.types.push(self.handle(0x69, resource));
                    known.resources[id] = resource;
                    continue;
                }
                InterfaceKind::Function(..) => {
                    let resource = naming.resource(self, id).expect("only interfaces have functions as values");
                    known.types.push(self.handle(0x69, resource));
                    known.borrowed[id] = self.handle(0x68, resource);
                    known.resources[id] = resource;
                    if let Some(callback) = naming.callback(self, id) {
                        known.callbacks[id] = self.handle(0x69, callback);
                        known.of_host[id] = callback;
                    }
                    continue;
                }
                _ => {}
            }
            if let Some(known_already) = name.as_ref().and_then(|name| naming.named(self, id, name, None)) {
                known.types.push(reference(known_already));
                continue;
            }
            let body = self.value_type(&data.kind, parts, &known.types);
            let number = self.define(&body);
            let named = name.as_ref().and_then(|name| naming.named(self, id, name, Some(number)));
            known.types.push(reference(named.unwrap_or(number)));
        }
        known
    }

    /// Handles of a resource: its owners', or lent ones.
    fn handle(&mut self, kind: u8, resource: u32) -> Vec<u8> {
        let mut body = vec![kind];
        resource.encode(&mut body);
        reference(self.define(&body))
    }

    fn value_type(&mut self, kind: &InterfaceKind, parts: &[String], known: &Types) -> Vec<u8> {
        let mut body = Vec::new();
        match kind {
            InterfaceKind::Primitive(_)
            | InterfaceKind::String
            | InterfaceKind::Function(..)
            | InterfaceKind::Foreign(_) => {
                unreachable!("they have no definition")
            }
            InterfaceKind::List(element) => body.extend([&[0x70], &known[*element][..]].concat()),
            InterfaceKind::Option(some) => body.extend([&[0x6b], &known[*some][..]].concat()),
            InterfaceKind::Result(good, bad) => {
                body.push(0x6a);
                optional(good.map(|ty| &known[ty]), &mut body);
                optional(bad.map(|ty| &known[ty]), &mut body);
            }
            InterfaceKind::Tuple(all) => body = tuple(all, known),
            InterfaceKind::Record(_, fields) => {
                body.push(0x72);
                fields.len().encode(&mut body);
                for (name, (_, ty)) in parts.iter().zip(fields) {
                    name.encode(&mut body);
                    body.extend(&known[*ty]);
                }
            }
            InterfaceKind::Variant(_, cases) if cases.iter().all(|case| case.payload.is_empty()) => {
                body.push(0x6d);
                parts.len().encode(&mut body);
                parts.iter().for_each(|name| name.encode(&mut body));
            }
            InterfaceKind::Variant(_, cases) => {
                let payloads: Vec<Option<Vec<u8>>> =
                    cases.iter().map(|case| self.several(&case.payload, known)).collect();
                body.push(0x71);
                parts.len().encode(&mut body);
                for (name, payload) in parts.iter().zip(&payloads) {
                    name.encode(&mut body);
                    optional(payload.as_ref(), &mut body);
                    body.push(0);
                }
            }
        }
        body
    }

    /// Nothing, one value, or a tuple.
    fn several(&mut self, parts: &[InterfaceType], known: &Types) -> Option<Vec<u8>> {
        match parts {
            [] => None,
            [only] => Some(known[*only].clone()),
            several => Some(reference(self.define(&tuple(several, known)))),
        }
    }

    /// The type of a function, whose arguments are what functions are lent to.
    pub(crate) fn function_type(
        &mut self,
        before: Option<(&str, Vec<u8>)>,
        params: &[(String, InterfaceType)],
        results: &[InterfaceType],
        known: &Known,
    ) -> u32 {
        let result = self.several(results, &known.types);
        let own = params.iter().map(|(name, ty)| {
            let borrowed = &known.borrowed[*ty];
            (&**name, if borrowed.is_empty() { known.types[*ty].clone() } else { borrowed.clone() })
        });
        let all: Vec<(&str, Vec<u8>)> = before.into_iter().chain(own).collect();
        self.function_of(&all, result)
    }

    pub(crate) fn function_of(&mut self, params: &[(&str, Vec<u8>)], result: Option<Vec<u8>>) -> u32 {
        let mut body = vec![0x40];
        params.len().encode(&mut body);
        for (name, ty) in params {
            name.encode(&mut body);
            body.extend(ty);
        }
        match result {
            Some(result) => {
                body.push(0);
                body.extend(result);
            }
            None => body.extend([1, 0]),
        }
        self.define(&body)
    }
}

/// How others refer to a type.
pub(crate) fn reference(number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Signed, for negative numbers are primitive types.
    i64::from(number).encode(&mut bytes);
    bytes
}

fn optional(ty: Option<&Vec<u8>>, out: &mut Vec<u8>) {
    out.push(u8::from(ty.is_some()));
    ty.into_iter().for_each(|ty| out.extend(ty));
}

fn tuple(parts: &[InterfaceType], known: &Types) -> Vec<u8> {
    let mut body = vec![0x6f];
    parts.len().encode(&mut body);
    parts.iter().for_each(|&part| body.extend(&known[part]));
    body
}

fn code(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Bool => 0x7f,
        Primitive::S8 => 0x7e,
        Primitive::U8 => 0x7d,
        Primitive::S16 => 0x7c,
        Primitive::U16 => 0x7b,
        Primitive::S32 => 0x7a,
        Primitive::U32 => 0x79,
        Primitive::S64 => 0x78,
        Primitive::U64 => 0x77,
        Primitive::F32 => 0x76,
        Primitive::F64 => 0x75,
        Primitive::Char => 0x74,
    }
}
