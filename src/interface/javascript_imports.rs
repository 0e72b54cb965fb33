//! Bindings for JavaScript of functions that a program imports: where they are from, and those that answer at once.
//! Those that it waits for are called elsewhere (`javascript_waiting`).

use crate::import_groups as imports;
use crate::javascript::{Called, quoted, type_name};
use crate::layout::Layouts;
use cleave_ir::interface::{Import, Interface, InterfaceKind, InterfaceType};
use std::fmt::Write;

/// The name of a function in the module.
pub fn host(number: usize) -> String {
    format!("host{number}")
}

/// What imports all of them.
pub fn lines(interface: &Interface) -> String {
    let mut out = String::new();
    for (number, import) in interface.imports.iter().enumerate() {
        let (name, from) = (imported_name(&import.name), quoted(&import.from));
        let _ = writeln!(out, "import {{ {name} as {} }} from {from};", host(number));
    }
    out
}

/// A module may export something by any name.
fn imported_name(name: &str) -> String {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let is_plain = name.chars().all(is_letter) && !name.starts_with(|letter: char| letter.is_ascii_digit());
    if is_plain && !name.is_empty() { name.to_string() } else { quoted(name) }
}

/// The reason of a failure is the error of its result, which is a text.
pub fn fails_by_result(interface: &Interface, import: &Import) -> bool {
    let kind = |ty| &interface.types[ty].kind;
    let result = import.results.first().map(|&ty| kind(ty));
    matches!(result, Some(InterfaceKind::Result(_, Some(bad))) if *kind(*bad) == InterfaceKind::String)
}

/// What a function of JavaScript gives, as declarations say it, if its errors are those of its result.
pub fn good_result(interface: &Interface, import: &Import) -> Option<Option<InterfaceType>> {
    match import.results.first().map(|&ty| &interface.types[ty].kind) {
        Some(InterfaceKind::Result(good, _)) if fails_by_result(interface, import) => Some(*good),
        _ => None,
    }
}

/// The functions that the program calls to call those that answer at once.
pub fn functions(interface: &Interface, layouts: &Layouts) -> String {
    let mut out = String::new();
    for (number, import) in interface.imports.iter().enumerate() {
        if import.func().is_none() {
            continue;
        }
        let called = Called { name: imports::name(number), has_number: false, function: host(number) };
        let params: Vec<InterfaceType> = import.params.iter().map(|param| param.1).collect();
        let (mut names, before, args) = called.arguments(&params, interface, layouts);
        let mut call = format!("{}({args})", called.function);
        let shown = quoted(&format!("{} of {}", import.name, import.from));
        let after = match import.results[..] {
            [] => String::new(),
            [ty, ..] => {
                let ty = type_name(ty);
                let is_single = layouts.sequence(&import.results).flat.len() == 1;
                names.extend((!is_single).then(|| "to".into()));
                if fails_by_result(interface, import) {
                    call = format!("attempt(() => {call})");
                    format!("putAttempt({shown}, {ty}, value, to);")
                } else if is_single {
                    format!("return put({shown}, () => {ty}.one(value));")
                } else {
                    format!("refresh(); put({shown}, () => {ty}.store(value, to));")
                }
            }
        };
        out.push_str(&called.written(&names.join(", "), &before, &call, &after));
    }
    out
}
