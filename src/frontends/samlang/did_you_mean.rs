//! What is said of a class that nobody knows: where it could be imported from, or what was perhaps meant.

use crate::collect_items::{ItemCollector, Scope};
use crate::dialect::Dialect;
use crate::lex::Name;
use crate::modules::{HIDDEN, library, shown};
use crate::program::{report, suggest};
use crate::syntax::{TypeSyntax, TypeSyntaxKind};
use crate::types::Ty;
use cleave_diag::{Diagnostic, Span, code};

/// Basic types, and what others call them.
const BASIC: [(&str, &[&str]); 4] = [
    ("int", &["Int", "Integer", "Number", "Long"]),
    ("bool", &["Bool", "Boolean"]),
    ("string", &["String", "Str", "Text", "Char"]),
    ("unit", &["Unit", "Void", "Nothing"]),
];

/// Classes by which other libraries print.
const PRINTERS: [&str; 4] = ["Process", "Console", "System", "IO"];

/// The module of the library that has a class.
fn library_module(class: &str, dialect: Dialect) -> Option<&'static str> {
    let is_head = |line: &str| {
        let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("interface "));
        let rest = rest.and_then(|rest| rest.strip_prefix(class));
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'))
    };
    library(dialect).iter().find(|module| module.1.lines().any(is_head)).map(|module| module.0)
}

/// Where a class is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePlace {
    Type,
    /// Between `<` and `>`.
    Argument,
    /// Before a dot.
    Value,
}

impl ItemCollector<'_> {
    /// A type between `<` and `>`.
    pub fn argument(&mut self, ty: &TypeSyntax, scope: &Scope) -> Ty {
        if let TypeSyntaxKind::Named(name, _) = &ty.kind
            && scope.params.iter().all(|param| param.0 != *name)
            && !self.program.scopes[scope.module].contains_key(name)
        {
            self.unknown_class(*name, ty.span, scope, NamePlace::Argument);
            return Ty::ERROR;
        }
        self.resolve(ty, scope)
    }

    /// Once for each name and file.
    pub fn unknown_class(&mut self, name: Name, span: Span, scope: &Scope, place: NamePlace) {
        if self.program.unread.contains(&name) || self.program.reported.contains(&(span.file, name)) {
            return;
        }
        let import = self.program.import_ends[scope.module];
        let text = self.names.text(name);
        let program = &*self.program;
        let params = scope.params.iter().map(|param| param.0);
        let known: Vec<Name> = program.scopes[scope.module].keys().copied().chain(params).collect();
        let mut known: Vec<&str> = known.into_iter().map(|name| self.names.text(name)).collect();
        known.sort_unstable();
        let elsewhere = program
            .module_names
            .iter()
            .enumerate()
            .filter(|(_, module)| !HIDDEN.contains(&&module[..]))
            .find(|(at, _)| program.scopes[*at].get(&name).is_some_and(|&id| program.class(id).source.0 == *at));
        let dialect = program.dialects[scope.module];
        let module = library_module(text, dialect);
        let module = elsewhere.map(|(_, module)| shown(module)).or(module);
        // Parameters of classes that do not count here.
        let is_param = program.classes.iter().any(|class| {
            class.source.0 == scope.module && class.params.iter().any(|&param| program.param(param).name == name)
        });
        let is_today = dialect == Dialect::Today;
        let basic = BASIC.iter().find(|basic| basic.1.contains(&text)).map(|basic| basic.0);
        let basic = basic.map(|basic| if is_today && basic == "string" { "Str" } else { basic });
        report(self.sink, span, || {
            let message = format!("there is no class `{text}`");
            let is_type = place != NamePlace::Value;
            let why = if is_type { code::UNKNOWN_TYPE } else { code::UNKNOWN_CLASS };
            let diagnostic = Diagnostic::error(why, message).at(span, "").mistake(format!("class {text}"));
            let imported = |diagnostic: Diagnostic, module: &str| {
                let line = format!("import {{ {text} }} from {module}");
                let diagnostic = diagnostic.help(format!("import it: `{line}`"));
                let edit = match import {
                    Some(last) => (Span { start: last.end, ..last }, format!("\n{line};")),
                    None => (Span { start: 0, end: 0, ..span }, format!("{line};\n")),
                };
                diagnostic.fix(format!("import `{text}` from `{module}`"), vec![edit])
            };
            match (module, basic) {
                // Only objects are type arguments that have interfaces.
                (Some(module), Some(basic)) if place == NamePlace::Argument && elsewhere.is_none() => {
                    let diagnostic = imported(diagnostic, module);
                    diagnostic.fix(format!("write `{basic}`"), vec![(span, basic.to_string())])
                }
                (Some(module), Some(basic)) if is_type && elsewhere.is_none() => {
                    let diagnostic = diagnostic.help(format!("the type is `{basic}`"));
                    let diagnostic = diagnostic.fix(format!("write `{basic}`"), vec![(span, basic.to_string())]);
                    diagnostic.help(format!("`{text}` of `{module}` is an object with such a value"))
                }
                (Some(module), _) => imported(diagnostic, module),
                (_, Some(basic)) if is_type => {
                    let diagnostic = diagnostic.help(format!("the type is `{basic}`"));
                    diagnostic.fix(format!("write `{basic}`"), vec![(span, basic.to_string())])
                }
                _ if PRINTERS.contains(&text) && is_today => {
                    diagnostic.help("`Process.println` prints a string, `Process.panic` ends with one")
                }
                _ if PRINTERS.contains(&text) => {
                    diagnostic.help("`Builtins.println` prints a string, `Builtins.panic` ends with one")
                }
                _ if is_param => {
                    diagnostic.help(format!("a `function` declares type parameters of its own: `function <{text}> …`"))
                }
                _ if text.len() == 1 && is_type => diagnostic.help(format!(
                    "a type parameter stands before the name of a function or method: `<{text}> name(…)`"
                )),
                _ => suggest(diagnostic, text, known.into_iter()),
            }
        });
    }
}
