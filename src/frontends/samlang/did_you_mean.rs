//! What is said of a class that nobody knows: where it could be imported from, or what was perhaps meant.

use crate::collect_items::{ItemCollector, Scope};
use crate::dialect::Dialect;
use crate::lex::Name;
use crate::modules::{HIDDEN, library, shown};
use crate::program::{report, suggest};
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

impl ItemCollector<'_> {
    /// Once for each name and file.
    pub fn unknown_class(&mut self, name: Name, span: Span, scope: &Scope, why: cleave_diag::Code) {
        if self.program.unread.contains(&name) || !self.program.reported.insert((span.file, name)) {
            return;
        }
        let text = self.names.text(name);
        let program = &*self.program;
        let params = scope.params.iter().map(|param| param.0);
        let known: Vec<Name> = program.scopes[scope.module].keys().copied().chain(params).collect();
        let mut known: Vec<&str> = known.into_iter().map(|name| self.names.text(name)).collect();
        known.sort_unstable();
        let elsewhere = program
            .modules
            .iter()
            .enumerate()
            .filter(|(_, module)| !HIDDEN.contains(&&module.name[..]))
            .find(|(at, _)| program.scopes[*at].get(&name).is_some_and(|&id| program.class(id).source.0 == *at));
        let dialect = program.dialects[scope.module];
        let module = library_module(text, dialect);
        let module = elsewhere.map(|(_, module)| shown(&module.name)).or(module);
        // Parameters of classes that do not count here.
        let is_param = program.classes.iter().any(|class| {
            class.source.0 == scope.module && class.params.iter().any(|&param| program.param(param).name == name)
        });
        let is_today = dialect == Dialect::Today;
        let basic = BASIC.iter().find(|basic| basic.1.contains(&text)).map(|basic| basic.0);
        let basic = basic.map(|basic| if is_today && basic == "string" { "Str" } else { basic });
        report(self.sink, span, || {
            let message = format!("there is no class `{text}`");
            let diagnostic = Diagnostic::error(why, message).at(span, "");
            let is_type = why == code::UNKNOWN_TYPE;
            match (module, basic) {
                (Some(module), Some(basic)) if is_type && elsewhere.is_none() => {
                    let diagnostic = diagnostic.help(format!("the type is `{basic}`"));
                    let diagnostic = diagnostic.fix(format!("write `{basic}`"), vec![(span, basic.to_string())]);
                    diagnostic.help(format!("`{text}` of `{module}` is an object with such a value"))
                }
                (Some(module), _) => diagnostic.help(format!("import it: `import {{ {text} }} from {module}`")),
                (_, Some(basic)) => {
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
