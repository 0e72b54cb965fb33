//! Interfaces in WIT, the language of the Component Model.

use crate::names::{WitNames, kebab};
use crate::resources::Resources;
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Case, Interface, InterfaceKind, InterfaceType, InterfaceTypeData};
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

/// The world of a module: a package with what it exports. With functions as values that is an interface (`resources`).
pub fn world(name: &str, interface: &Interface) -> String {
    let mut names = WitNames::of(name, interface);
    let resources = Resources::of(interface, &mut names);
    let mut writer = Writer { types: PrimaryMap::new(), names, resources, host: String::new(), out: String::new() };
    let mut used: Vec<String> = Vec::new();
    for (id, data) in &interface.types {
        let before = writer.out.len();
        let (text, is_named) = writer.define(id, data);
        if writer.resources.as_ref().is_some_and(|resources| resources.of_host[id]) {
            writer.host.extend(writer.out.drain(before..));
            used.extend(is_named.then(|| text.clone()));
        }
        writer.types.push(text);
    }
    let mut functions = String::new();
    for (at, export) in interface.exports.iter().enumerate() {
        let params = writer.names.params[at].iter().zip(&export.params);
        let params = params.map(|(name, (_, ty))| format!("{}: {}", word(name), writer.argument(*ty)));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = match &export.results[..] {
            [] => String::new(),
            results => format!(" -> {}", writer.several(results)),
        };
        let func = if export.waits { "async func" } else { "func" };
        let keyword = if writer.resources.is_some() { "" } else { "export " };
        let _ = writeln!(functions, "  {keyword}{}: {func}({params}){result};", word(&writer.names.functions[at]));
    }
    let mut imports = String::new();
    for import in &interface.imports {
        let params = import.params.iter().map(|(name, ty)| format!("{}: {}", word(&kebab(name)), writer.types[*ty]));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = import.results.first().map_or(String::new(), |&ty| format!(" -> {}", writer.types[ty]));
        let keyword = if writer.resources.is_some() { "" } else { "import " };
        let _ = writeln!(imports, "  {keyword}{}: async func({params}){result};", word(&kebab(&import.name)));
    }
    let world = word(&writer.names.world);
    let Some(resources) = &writer.resources else {
        return format!("package local:{world};\n\nworld {world} {{\n{}{functions}{imports}}}\n", writer.out);
    };
    let (api, host) = (&resources.api, &resources.host);
    used.extend(resources.functions.values().filter_map(|(_, callback)| callback.clone()));
    let mut out = format!("package local:{world};\n\n");
    let (mut before, mut import) = (String::new(), String::new());
    if resources.has_host() || !imports.is_empty() {
        let _ = write!(out, "interface {host} {{\n{}{imports}}}\n\n", writer.host);
        import = format!("  import {host};\n");
    }
    if !used.is_empty() {
        before = format!("  use {host}.{{{}}};\n", used.join(", "));
    }
    let _ = write!(out, "interface {api} {{\n{before}{}{functions}}}\n\n", writer.out);
    let _ = write!(out, "world {world} {{\n{import}  export {api};\n}}\n");
    out
}

fn word(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("%{name}") } else { name.to_string() }
}

struct Writer {
    /// How types are written.
    types: PrimaryMap<InterfaceType, String>,
    names: WitNames,
    resources: Option<Resources>,
    /// Definitions of what the host has, and of all else.
    host: String,
    out: String,
}

impl Writer {
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
        let params: Vec<String> = params.map(|(at, &ty)| format!("arg{}: {}", at + 1, self.argument(ty))).collect();
        let result = if results.is_empty() { String::new() } else { format!(" -> {}", self.several(results)) };
        let call = format!("    call: func({}){result};\n", params.join(", "));
        let mut constructor = String::new();
        if let Some(callback) = callback {
            let _ = writeln!(self.host, "  resource {callback} {{\n{call}  }}");
            constructor = format!("    constructor(callback: {callback});\n");
        }
        let _ = writeln!(self.out, "  resource {own} {{\n{constructor}{call}  }}");
        own
    }

    /// The resource of objects of the host.
    fn foreign(&mut self, id: InterfaceType) -> String {
        let name = self.resources.as_ref().and_then(|resources| resources.foreign.get(&id)).cloned();
        let name = name.expect("objects of the host are resources");
        let _ = writeln!(self.out, "  resource {0} {{\n    clone: func() -> {0};\n  }}", word(&name));
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
        let Some(name) = self.names.taken.for_long(&text, "type", id) else { return (text, false) };
        let _ = writeln!(self.out, "  type {name} = {text};");
        (name, true)
    }

    fn named(&mut self, keyword: &str, id: InterfaceType, types: &[String]) -> String {
        let (name, parts) = &self.names.types[id];
        let name = word(name.as_deref().unwrap_or_default());
        let _ = writeln!(self.out, "  {keyword} {name} {{");
        for (part, ty) in parts.iter().zip(types) {
            let _ = writeln!(self.out, "    {}{ty},", word(part));
        }
        self.out.push_str("  }\n");
        name
    }
}
