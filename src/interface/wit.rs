//! Interfaces in WIT, the language of the Component Model.

use crate::import_groups as imports;
use crate::names::WitNames;
use crate::resources::{Owner, Resources, used_by};
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Case, Interface, InterfaceKind, InterfaceType, InterfaceTypeData};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Words of the language, which are written with a `%` before them.
const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "bool",
    "borrow",
    "char",
    "constructor",
    "enum",
    "error-context",
    "export",
    "f32",
    "f64",
    "flags",
    "from",
    "func",
    "future",
    "import",
    "include",
    "interface",
    "list",
    "map",
    "option",
    "own",
    "package",
    "record",
    "resource",
    "result",
    "s16",
    "s32",
    "s64",
    "s8",
    "static",
    "stream",
    "string",
    "tuple",
    "type",
    "u16",
    "u32",
    "u64",
    "u8",
    "use",
    "variant",
    "with",
    "world",
];

/// The world of a module: a package with what it exports and imports. With functions as values what it exports is an
/// interface (`resources`); what it imports are interfaces, always.
pub fn world(name: &str, interface: &Interface) -> String {
    let mut names = WitNames::of(name, interface);
    let resources = Resources::of(interface, &mut names);
    let out = BTreeMap::new();
    let mut writer = Writer { types: PrimaryMap::new(), named: PrimaryMap::new(), names, resources, out };
    for (id, data) in &interface.types {
        let (text, is_named) = writer.define(id, data);
        writer.types.push(text);
        writer.named.push(is_named);
    }
    let mut functions = String::new();
    let is_api = writer.resources.as_ref().is_some_and(|resources| resources.is_api);
    for (at, export) in interface.exports.iter().enumerate() {
        let params: Vec<(String, InterfaceType)> =
            writer.names.params[at].iter().cloned().zip(export.params.iter().map(|param| param.1)).collect();
        let func = writer.func(export.waits, &params, &export.results);
        let keyword = if is_api { "" } else { "export " };
        let _ = writeln!(functions, "  {keyword}{}: {func};", word(&writer.names.functions[at]));
    }
    let own = writer.out.get(&Owner::Program).cloned().unwrap_or_default();
    let Some(resources) = &writer.resources else {
        let world = word(&writer.names.world);
        return format!("package local:{world};\n\nworld {world} {{\n{own}{functions}}}\n");
    };
    let (mut out, mut imports) = (format!("package local:{};\n\n", word(&writer.names.world)), String::new());
    for (owner, name) in resources.interfaces() {
        let (mut used, mut functions) = (String::new(), String::new());
        if let Owner::Imports(number) = owner {
            let group = &resources.imports[number];
            used = writer.uses(owner, &used_by(interface, group));
            for (number, name) in &group.functions {
                let import = &interface.imports[*number];
                let params = imports::params(import);
                let func = match import.results[..] {
                    [only] if resources.functions.contains_key(&only) => {
                        let given = resources.of_host(only).unwrap_or_default();
                        format!("{} -> {}", writer.func(import.effect().is_some(), &params, &[]), word(given))
                    }
                    _ => writer.func(import.effect().is_some(), &params, &import.results),
                };
                let _ = writeln!(functions, "  {}: {func};", word(name));
            }
        }
        let own = writer.out.get(&owner).map_or("", String::as_str);
        let _ = write!(out, "interface {} {{\n{used}{own}{functions}}}\n\n", word(name));
        let _ = writeln!(imports, "  import {};", word(name));
    }
    let exported: Vec<InterfaceType> = interface.types.keys().filter(|&id| resources.is_exported[id]).collect();
    let used = writer.uses(Owner::Program, &exported);
    let world = word(&resources.world);
    if !resources.is_api {
        let _ = write!(out, "world {world} {{\n{imports}{used}{own}{functions}}}\n");
        return out;
    }
    let api = &resources.api;
    let _ = write!(out, "interface {api} {{\n{used}{own}{functions}}}\n\n");
    let _ = write!(out, "world {world} {{\n{imports}  export {api};\n}}\n");
    out
}

fn word(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("%{name}") } else { name.to_string() }
}

struct Writer {
    /// How types are written.
    types: PrimaryMap<InterfaceType, String>,
    /// Those that have a name.
    named: PrimaryMap<InterfaceType, bool>,
    names: WitNames,
    resources: Option<Resources>,
    /// Definitions, by who has them.
    out: BTreeMap<Owner, String>,
}

impl Writer {
    fn owner(&self, id: InterfaceType) -> Owner {
        self.resources.as_ref().map_or(Owner::Program, |resources| resources.owner[id])
    }

    /// Where a type is defined.
    fn place(&mut self, owner: Owner) -> &mut String {
        self.out.entry(owner).or_default()
    }

    /// Takes those of the types that others define from there.
    fn uses(&self, owner: Owner, types: &[InterfaceType]) -> String {
        let mut all: BTreeMap<Owner, Vec<&str>> = BTreeMap::new();
        let Some(resources) = &self.resources else { return String::new() };
        for &id in types.iter().filter(|&&id| self.named[id]) {
            all.entry(self.owner(id)).or_default().push(&self.types[id]);
        }
        // Of functions of the host the interface of the program makes its own.
        let functions = resources.functions.iter().filter(|(id, _)| owner == Owner::Program || types.contains(id));
        let callbacks = functions.filter_map(|(_, (_, callback))| callback.as_deref());
        callbacks.for_each(|callback| all.entry(Owner::Host).or_default().push(callback));
        let mut out = String::new();
        for (other, name) in resources.interfaces().filter(|other| other.0 != owner) {
            if let Some(types) = all.get(&other) {
                let _ = writeln!(out, "  use {}.{{{}}};", word(name), types.join(", "));
            }
        }
        out
    }

    /// The type of a function.
    fn func(&self, is_async: bool, params: &[(String, InterfaceType)], results: &[InterfaceType]) -> String {
        let params = params.iter().map(|(name, ty)| format!("{}: {}", word(name), self.argument(*ty)));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = if results.is_empty() { String::new() } else { format!(" -> {}", self.several(results)) };
        format!("{}func({params}){result}", if is_async { "async " } else { "" })
    }

    fn list(&self, parts: &[InterfaceType]) -> String {
        parts.iter().map(|&part| &*self.types[part]).collect::<Vec<_>>().join(", ")
    }

    /// The type of an argument: a function is lent.
    fn argument(&self, ty: InterfaceType) -> String {
        let text = &self.types[ty];
        let is_function = self.resources.as_ref().is_some_and(|resources| resources.functions.contains_key(&ty));
        if is_function { format!("borrow<{text}>") } else { text.clone() }
    }

    /// The resource of functions of the program, and of those of the host.
    fn function(&mut self, id: InterfaceType, params: &[InterfaceType], results: &[InterfaceType]) -> String {
        let names = self.resources.as_ref().and_then(|resources| resources.functions.get(&id)).cloned();
        let (own, callback) = names.expect("functions are resources");
        let params = params.iter().enumerate();
        let params: Vec<(String, InterfaceType)> = params.map(|(at, &ty)| (format!("arg{}", at + 1), ty)).collect();
        let call = format!("    call: {};\n", self.func(false, &params, results));
        let mut constructor = String::new();
        if let Some(callback) = callback {
            let _ = writeln!(self.place(Owner::Host), "  resource {callback} {{\n{call}  }}");
            constructor = format!("    constructor(callback: {callback});\n");
        }
        let _ = writeln!(self.place(Owner::Program), "  resource {own} {{\n{constructor}{call}  }}");
        own
    }

    /// The resource of objects of the host.
    fn foreign(&mut self, id: InterfaceType) -> String {
        let name = self.resources.as_ref().and_then(|resources| resources.foreign.get(&id)).cloned();
        let name = name.expect("objects of the host are resources");
        let _ = writeln!(self.place(Owner::Host), "  resource {0} {{\n    clone: func() -> {0};\n  }}", word(&name));
        name
    }

    fn several(&self, parts: &[InterfaceType]) -> String {
        if let [only] = parts { self.types[*only].clone() } else { format!("tuple<{}>", self.list(parts)) }
    }

    /// How a type is written, once it is defined, and if that is a name.
    fn define(&mut self, id: InterfaceType, data: &InterfaceTypeData) -> (String, bool) {
        let text = match &data.kind {
            InterfaceKind::Primitive(primitive) => primitive.name().to_string(),
            InterfaceKind::String => "string".to_string(),
            InterfaceKind::List(element) => format!("list<{}>", self.types[*element]),
            InterfaceKind::Tuple(parts) => format!("tuple<{}>", self.list(parts)),
            InterfaceKind::Option(some) => format!("option<{}>", self.types[*some]),
            InterfaceKind::Result(None, None) => "result".to_string(),
            InterfaceKind::Result(Some(good), None) => format!("result<{}>", self.types[*good]),
            InterfaceKind::Result(None, Some(bad)) => format!("result<_, {}>", self.types[*bad]),
            InterfaceKind::Result(Some(good), Some(bad)) => {
                format!("result<{}, {}>", self.types[*good], self.types[*bad])
            }
            InterfaceKind::Foreign(_) => return (self.foreign(id), true),
            InterfaceKind::Function(params, results) => return (self.function(id, params, results), true),
            InterfaceKind::Record(_, fields) => {
                let fields = fields.iter().map(|(_, ty)| format!(": {}", self.types[*ty]));
                return (self.named("record", id, &fields.collect::<Vec<_>>()), true);
            }
            InterfaceKind::Variant(_, cases) => {
                let keyword = if cases.iter().all(|case| case.payload.is_empty()) { "enum" } else { "variant" };
                let case = |case: &Case| match &case.payload[..] {
                    [] => String::new(),
                    parts => format!("({})", self.several(parts)),
                };
                return (self.named(keyword, id, &cases.iter().map(case).collect::<Vec<_>>()), true);
            }
        };
        let Some(name) = self.names.taken.for_long(&text, &self.names.spelled[id]) else { return (text, false) };
        let _ = writeln!(self.place(self.owner(id)), "  type {name} = {text};");
        (name, true)
    }

    fn named(&mut self, keyword: &str, id: InterfaceType, types: &[String]) -> String {
        let (name, parts) = &self.names.types[id];
        let name = word(name.as_deref().unwrap_or_default());
        let mut text = format!("  {keyword} {name} {{\n");
        for (part, ty) in parts.iter().zip(types) {
            let _ = writeln!(text, "    {}{ty},", word(part));
        }
        self.place(self.owner(id)).push_str(&(text + "  }\n"));
        name
    }
}
