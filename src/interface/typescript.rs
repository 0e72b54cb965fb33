//! Bindings for TypeScript: the declarations of the functions that the module for JavaScript (`javascript`) has.

use crate::javascript::{Library, RESERVED, exported_name, identifier, is_option, quoted};
use crate::javascript_imports as imported;
use crate::names::{Taken, pascal};
use crate::spelled::spelled;
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Case, Interface, InterfaceKind, InterfaceType, Primitive};
use std::fmt::Write;

impl Library<'_> {
    /// Its declarations; if it runs in a Worker, all functions give promises.
    pub fn declarations(&self, in_worker: bool) -> String {
        let spelled = spelled(self.interface);
        let mut types = Declarations { types: PrimaryMap::new(), spelled, taken: Taken::default(), out: String::new() };
        for known in ["Array", "ArrayLike", "Disposed", "Error", "Given", "Held", "ProgramError", "SymbolConstructor"] {
            types.taken.unique(known.into());
        }
        self.interface.exports.iter().for_each(|export| _ = types.taken.unique(exported_name(export)));
        for id in self.interface.types.keys() {
            let text = types.define(id, self.interface);
            types.types.push(text);
        }
        let mut out = format!("// Functions of {}, with their types. Written by Cleave.\n", self.wasm);
        if in_worker {
            out.push_str("\n/** Ends the Worker: who waits gets a ProgramError, and the next call begins anew. */\n");
            let _ = writeln!(out, "export function {}(): void;", self.end_name());
        }
        if !self.is_bare || in_worker {
            out.push_str(
                "\n/** An error of the program, with its message. What was computed is lost; the next call begins anew. */\n\
                 export class ProgramError extends Error {}\n",
            );
        }
        if self.interface.types.values().any(|data| matches!(data.kind, InterfaceKind::Function(..))) {
            out.push_str(
                "\n/** A function of the program, which is there until it is dropped or nobody has it any more. \
                 Where one is\n * asked for, functions of JavaScript are taken, too. */\n\
                 export type Held<F> = F & { drop?(): void };\n\
                 /** One that the program gives: `drop` says that nobody needs it any more, and so does the end of the block \
                 of a\n * variable that is declared with `using`, where TypeScript knows that. */\n\
                 export type Given<F> = F & { drop(): void } & Disposed;\n\
                 type Disposed = SymbolConstructor extends { readonly dispose: infer D extends symbol } ? \
                 { [K in D]: () => void } : {};\n",
            );
        }
        out.push_str(&types.out);
        out.push('\n');
        for import in &self.interface.imports {
            let params = import.params.iter().map(|(name, ty)| format!("{}: {}", identifier(name), types.types[*ty]));
            let params = params.collect::<Vec<_>>().join(", ");
            let result = match imported::good_result(self.interface, import).unwrap_or(import.results.first().copied())
            {
                None => "void",
                Some(ty) => &types.types[ty],
            };
            let (from, name) = (quoted(&import.from), &import.name);
            let promise = if import.func().is_some() { String::new() } else { format!(" | Promise<{result}>") };
            let _ = writeln!(out, "// imported from {from}: {name}({params}): {result}{promise}");
        }
        for export in &self.interface.exports {
            let mut taken = Taken::default();
            let params = export.params.iter().map(|(name, ty)| {
                let name = taken.unique(identifier(name));
                let ty = match &self.interface.types[*ty].kind {
                    // Typed arrays are taken, too.
                    InterfaceKind::List(element) => format!("ArrayLike<{}>", types.types[*element]),
                    _ => types.types[*ty].clone(),
                };
                format!("{name}: {ty}")
            });
            let params = params.collect::<Vec<_>>().join(", ");
            let result = match &export.results[..] {
                [] => "void".to_string(),
                &[only] if matches!(self.interface.types[only].kind, InterfaceKind::Function(..)) => {
                    // What takes either is written down for what is one of both.
                    let text = &types.types[only];
                    format!("Given<{}", text.strip_prefix("Held<").map_or(format!("{text}>"), str::to_string))
                }
                results => types.several(results),
            };
            let result = if export.waits || in_worker { format!("Promise<{result}>") } else { result };
            let name = exported_name(export);
            let _ = match RESERVED.contains(&format!(" {name} ")) {
                true => writeln!(out, "declare function {name}_({params}): {result};\nexport {{ {name}_ as {name} }};"),
                false => writeln!(out, "export function {name}({params}): {result};"),
            };
        }
        out
    }
}

/// Types of TypeScript.
struct Declarations {
    types: PrimaryMap<InterfaceType, String>,
    /// What those are called that have no name.
    spelled: PrimaryMap<InterfaceType, String>,
    taken: Taken,
    out: String,
}

impl Declarations {
    fn several(&self, parts: &[InterfaceType]) -> String {
        match parts {
            [only] => self.types[*only].clone(),
            parts => {
                let parts: Vec<&str> = parts.iter().map(|&part| &*self.types[part]).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }

    /// One case of a variant.
    fn case(&self, name: &str, payload: &[InterfaceType]) -> String {
        match payload {
            [] => format!("{{ tag: {} }}", quoted(name)),
            payload => format!("{{ tag: {}; val: {} }}", quoted(name), self.several(payload)),
        }
    }

    fn define(&mut self, id: InterfaceType, interface: &Interface) -> String {
        let text = match &interface.types[id].kind {
            InterfaceKind::Primitive(Primitive::Bool) => "boolean".to_string(),
            InterfaceKind::Primitive(Primitive::Char) | InterfaceKind::String => "string".to_string(),
            InterfaceKind::Primitive(Primitive::S64 | Primitive::U64) => "bigint".to_string(),
            InterfaceKind::Primitive(_) => "number".to_string(),
            InterfaceKind::Foreign(name) => {
                let name = self.taken.unique(pascal(name));
                let _ = writeln!(self.out, "\n/** Any value: the program keeps it, and gives it back as it is. */");
                let _ = writeln!(self.out, "export type {name} = any;");
                return name;
            }
            InterfaceKind::Function(params, results) => {
                let params: Vec<String> =
                    params.iter().enumerate().map(|(at, &ty)| format!("arg{}: {}", at + 1, self.types[ty])).collect();
                let result = if results.is_empty() { "void".into() } else { self.several(results) };
                format!("Held<({}) => {result}>", params.join(", "))
            }
            InterfaceKind::List(element) => format!("Array<{}>", self.types[*element]),
            InterfaceKind::Tuple(parts) => {
                let parts: Vec<&str> = parts.iter().map(|&part| &*self.types[part]).collect();
                format!("[{}]", parts.join(", "))
            }
            InterfaceKind::Option(some) if is_option(interface, *some) => {
                format!("{} | {}", self.case("none", &[]), self.case("some", &[*some]))
            }
            InterfaceKind::Option(some) => format!("{} | undefined", self.types[*some]),
            InterfaceKind::Result(good, bad) => {
                let (good, bad) = (Vec::from_iter(*good), Vec::from_iter(*bad));
                format!("{} | {}", self.case("ok", &good), self.case("err", &bad))
            }
            InterfaceKind::Record(name, fields) => {
                let name = self.taken.unique(pascal(name));
                let _ = writeln!(self.out, "\nexport interface {name} {{");
                for (field, ty) in fields {
                    let field = if identifier(field) == *field { field.clone() } else { quoted(field) };
                    let _ = writeln!(self.out, "  {field}: {};", self.types[*ty]);
                }
                self.out.push_str("}\n");
                return name;
            }
            InterfaceKind::Variant(name, cases) => {
                let name = self.taken.unique(pascal(name));
                let is_enumeration = cases.iter().all(|case| case.payload.is_empty());
                let case = |case: &Case| match is_enumeration {
                    true => quoted(&case.name),
                    false => self.case(&case.name, &case.payload),
                };
                let cases: Vec<String> = cases.iter().map(case).collect();
                let _ = writeln!(self.out, "\nexport type {name} = {};", cases.join(" | "));
                return name;
            }
        };
        let Some(name) = self.taken.for_long(&text, &pascal(&self.spelled[id])) else { return text };
        let _ = writeln!(self.out, "\nexport type {name} = {text};");
        name
    }
}
