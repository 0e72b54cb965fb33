//! Bindings for JavaScript of exports that wait, and of the functions of JavaScript that they wait for.

use crate::javascript::{arguments, quoted, result_type, shown_arguments, type_name};
use crate::layout::Layouts;
use cleave_ir::interface::{Export, Import, Interface, InterfaceKind};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("js/waiting.mjs");

/// Something of a program waits.
pub fn waits(interface: &Interface) -> bool {
    interface.exports.iter().any(|export| export.waits)
}

/// What lets exports wait: the functions of JavaScript that are imported, with their types, and how a turn is taken.
pub fn prelude(interface: &Interface, layouts: &Layouts) -> String {
    let mut out = String::new();
    for (number, import) in interface.imports.iter().enumerate() {
        let _ = writeln!(
            out,
            "import {{ {} as host{number} }} from {};",
            imported_name(&import.name),
            quoted(&import.from)
        );
    }
    out.push_str("const hosts = [\n");
    for (number, import) in interface.imports.iter().enumerate() {
        let params: Vec<_> = import.params.iter().map(|param| param.1).collect();
        let parts = layouts.sequence(&params);
        let parts = params.iter().zip(&parts.offsets[0]).map(|(&ty, at)| format!("[{}, {at}]", type_name(ty)));
        let parts = parts.collect::<Vec<_>>().join(", ");
        let result = import.results.first().map_or("undefined".into(), |&ty| type_name(ty));
        let fails = match import.raises {
            Some(text) => format!(", fails: \"raise\", text: {}", type_name(text)),
            None if fails_by_result(interface, import) => ", fails: \"result\"".into(),
            None => String::new(),
        };
        let _ = writeln!(out, "  {{ call: host{number}, params: [{parts}], result: {result}{fails} }},");
    }
    out.push_str("];\n");
    let code = TEMPLATE.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.for_each(|line| out.extend([line, "\n"]));
    out
}

/// A module may export something by any name.
fn imported_name(name: &str) -> String {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let is_plain = name.chars().all(is_letter) && !name.starts_with(|letter: char| letter.is_ascii_digit());
    if is_plain && !name.is_empty() { name.to_string() } else { quoted(name) }
}

/// The reason of a failure is the error of its result, which is a text.
fn fails_by_result(interface: &Interface, import: &Import) -> bool {
    let kind = |ty| &interface.types[ty].kind;
    let result = import.results.first().map(|&ty| kind(ty));
    matches!(result, Some(InterfaceKind::Result(_, Some(bad))) if *kind(*bad) == InterfaceKind::String)
}

/// A function that begins work.
pub fn function(export: &Export, interface: &Interface, layouts: &Layouts, name: &str) -> String {
    let (names, passed) = arguments(export, interface, layouts);
    let result = result_type(export, layouts).unwrap_or("undefined".into());
    let call = format!("program[{}]({passed})", quoted(&export.name));
    format!(
        "\nfunction {name}({names}) {{\n  return work({result}, (program) => {call}{});\n}}\n",
        shown_arguments(export)
    )
}

/// What a function of JavaScript gives, as declarations say it, if its errors are those of its result.
pub fn good_result(interface: &Interface, import: &Import) -> Option<Option<cleave_ir::interface::InterfaceType>> {
    match import.results.first().map(|&ty| &interface.types[ty].kind) {
        Some(InterfaceKind::Result(good, _)) if fails_by_result(interface, import) => Some(*good),
        _ => None,
    }
}
