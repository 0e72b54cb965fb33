//! Bindings for JavaScript of exports that wait, and of the functions of JavaScript that they wait for.

use crate::javascript::{arguments, quoted, result_type, shown_arguments, type_name};
use crate::javascript_imports::{fails_by_result, host};
use crate::layout::Layouts;
use cleave_ir::interface::{Export, Interface};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("js/waiting.mjs");

/// Something of a program waits.
pub fn waits(interface: &Interface) -> bool {
    interface.exports.iter().any(|export| export.waits)
}

/// What lets exports wait: the functions of JavaScript that they wait for, with their types, and how a turn is taken.
pub fn prelude(interface: &Interface, layouts: &Layouts) -> String {
    let mut out = String::new();
    out.push_str("const hosts = [\n");
    for (number, import) in interface.imports.iter().enumerate() {
        if import.effect().is_none() {
            out.push_str("  undefined,\n");
            continue;
        }
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
        let _ = writeln!(out, "  {{ call: {}, params: [{parts}], result: {result}{fails} }},", host(number));
    }
    out.push_str("];\n");
    let code = TEMPLATE.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.for_each(|line| out.extend([line, "\n"]));
    out
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
