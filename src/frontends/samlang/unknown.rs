//! What is said of a class that nobody knows: where it could be imported from, or what was perhaps meant.

use crate::declare::{Declarer, Scope};
use crate::lex::Name;
use crate::modules::HIDDEN;
use crate::world::{report, suggest};
use cleave_diag::{Diagnostic, Span};
use cleave_samlang_library::MODULES;

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
fn library_module(class: &str) -> Option<&'static str> {
    let is_head = |line: &str| {
        let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("interface "));
        let rest = rest.and_then(|rest| rest.strip_prefix(class));
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'))
    };
    MODULES.iter().find(|module| module.1.lines().any(is_head)).map(|module| module.0)
}

impl Declarer<'_> {
    /// Once for each name and file.
    pub fn unknown_class(&mut self, name: Name, span: Span, scope: &Scope, code: cleave_diag::Code) {
        if !self.world.said.insert((span.file, name)) {
            return;
        }
        let text = self.names.text(name);
        let world = &*self.world;
        let params = scope.params.iter().map(|param| param.0);
        let known: Vec<Name> = world.scopes[scope.module].keys().copied().chain(params).collect();
        let mut known: Vec<&str> = known.into_iter().map(|name| self.names.text(name)).collect();
        known.sort_unstable();
        let elsewhere = world
            .modules
            .iter()
            .enumerate()
            .filter(|(_, module)| module.name != HIDDEN)
            .find(|(at, _)| world.scopes[*at].get(&name).is_some_and(|&id| world.class(id).source.0 == *at));
        let module = elsewhere.map(|(_, module)| &module.name[..]).or_else(|| library_module(text));
        // Parameters of classes that do not count here.
        let is_param = world.classes.iter().any(|class| {
            class.source.0 == scope.module && class.params.iter().any(|&param| world.param(param).name == name)
        });
        let basic = BASIC.iter().find(|basic| basic.1.contains(&text)).map(|basic| basic.0);
        report(self.sink, span, || {
            let message = format!("there is no class `{text}`");
            let diagnostic = Diagnostic::error(code, message).at(span, "");
            match (module, basic) {
                (Some(module), _) => diagnostic.help(format!("import it: `import {{ {text} }} from {module}`")),
                (_, Some(basic)) => diagnostic.help(format!("the type is `{basic}`")),
                _ if PRINTERS.contains(&text) => {
                    diagnostic.help("`Builtins.println` prints a string, `Builtins.panic` ends with one")
                }
                _ if is_param => {
                    diagnostic.help(format!("a `function` declares type parameters of its own: `function <{text}> …`"))
                }
                _ => suggest(diagnostic, text, known.into_iter()),
            }
        });
    }
}
