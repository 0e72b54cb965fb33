//! Interfaces in WIT, the language of the Component Model.

use crate::names::{WitNames, kebab};
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

/// The world of a module: a package with what it exports.
pub fn world(name: &str, interface: &Interface) -> String {
    let mut writer = Writer { types: PrimaryMap::new(), names: WitNames::of(name, interface), out: String::new() };
    for (id, data) in &interface.types {
        let text = writer.define(id, data);
        writer.types.push(text);
    }
    let mut functions = String::new();
    for (at, export) in interface.exports.iter().enumerate() {
        let params = writer.names.params[at].iter().zip(&export.params);
        let params = params.map(|(name, (_, ty))| format!("{}: {}", word(name), writer.types[*ty]));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = match &export.results[..] {
            [] => String::new(),
            results => format!(" -> {}", writer.several(results)),
        };
        let func = if export.waits { "async func" } else { "func" };
        let _ = writeln!(functions, "  export {}: {func}({params}){result};", word(&writer.names.functions[at]));
    }
    for import in &interface.imports {
        let params = import.params.iter().map(|(name, ty)| format!("{}: {}", word(&kebab(name)), writer.types[*ty]));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = import.results.first().map_or(String::new(), |&ty| format!(" -> {}", writer.types[ty]));
        let _ = writeln!(functions, "  import {}: async func({params}){result};", word(&kebab(&import.name)));
    }
    let world = word(&writer.names.world);
    format!("package local:{world};\n\nworld {world} {{\n{}{functions}}}\n", writer.out)
}

fn word(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("%{name}") } else { name.to_string() }
}

struct Writer {
    /// How types are written.
    types: PrimaryMap<InterfaceType, String>,
    names: WitNames,
    /// Definitions.
    out: String,
}

impl Writer {
    fn list(&self, parts: &[InterfaceType]) -> String {
        parts.iter().map(|&part| &*self.types[part]).collect::<Vec<_>>().join(", ")
    }

    fn several(&self, parts: &[InterfaceType]) -> String {
        if let [only] = parts { self.types[*only].clone() } else { format!("tuple<{}>", self.list(parts)) }
    }

    /// How a type is written, once it is defined.
    fn define(&mut self, id: InterfaceType, data: &InterfaceTypeData) -> String {
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
            InterfaceKind::Function(params, results) => {
                let params = params.iter().enumerate();
                let params: Vec<String> =
                    params.map(|(at, &ty)| format!("arg{}: {}", at + 1, self.types[ty])).collect();
                let result = if results.is_empty() { String::new() } else { format!(" -> {}", self.several(results)) };
                let name = self.names.taken.unique(format!("function{}", id.as_u32()));
                let _ =
                    writeln!(self.out, "  resource {name} {{\n    call: func({}){result};\n  }}", params.join(", "));
                return name;
            }
            InterfaceKind::Record(_, fields) => {
                let fields = fields.iter().map(|(_, ty)| format!(": {}", self.types[*ty]));
                return self.named("record", id, &fields.collect::<Vec<_>>());
            }
            InterfaceKind::Variant(_, cases) => {
                let keyword = if cases.iter().all(|case| case.payload.is_empty()) { "enum" } else { "variant" };
                let case = |case: &Case| match &case.payload[..] {
                    [] => String::new(),
                    parts => format!("({})", self.several(parts)),
                };
                return self.named(keyword, id, &cases.iter().map(case).collect::<Vec<_>>());
            }
        };
        let Some(name) = self.names.taken.for_long(&text, "type", id) else { return text };
        let _ = writeln!(self.out, "  type {name} = {text};");
        name
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
