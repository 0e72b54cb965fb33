//! What is said of a class that nobody knows: where it could be imported from, or what was perhaps meant.

use crate::collect_items::{ItemCollector, Scope};
use crate::dialect::Dialect;
use crate::lex::Name;
use crate::modules::{HIDDEN, library, shown};
use crate::program::{ImportHead, ModuleHead, report, suggest};
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

/// Classes of the library, and what others call them.
const CLASSES: [(&str, &[&str]); 6] = [
    ("Vec", &["Array", "ArrayList", "Vector", "MutableList"]),
    ("List", &["LinkedList", "Seq"]),
    ("Map", &["HashMap", "TreeMap", "Dict", "Dictionary"]),
    ("Set", &["HashSet", "TreeSet"]),
    ("Option", &["Maybe", "Optional"]),
    ("Result", &["Either"]),
];

/// The class of the library that others call so.
pub fn foreign_class(text: &str) -> Option<&'static str> {
    CLASSES.iter().find(|class| class.1.contains(&text)).map(|class| class.0)
}

/// Classes by which other libraries print.
const PRINTERS: [&str; 4] = ["Process", "Console", "System", "IO"];

/// The modules of the library that have a class.
pub fn library_modules(class: &str, dialect: Dialect) -> Vec<&'static str> {
    let is_head = |line: &str| {
        let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("interface "));
        let rest = rest.and_then(|rest| rest.strip_prefix(class));
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'))
    };
    library(dialect).iter().filter(|module| module.1.lines().any(is_head)).map(|module| module.0).collect()
}

/// The edit that imports a class: into the braces of an import that is there, or behind all of them.
fn import_edit(module: &ModuleHead, class: &str, from: &str) -> (Span, String) {
    let before = module.imports.iter().find(|import| import.module == from);
    if let Some(last) = before.and_then(|import| import.last) {
        return (Span { start: last.end, ..last }, format!(", {class}"));
    }
    match module.imports.last() {
        Some(ImportHead { extent, has_semicolon, .. }) => {
            let end = if *has_semicolon { ";" } else { "" };
            (Span { start: extent.end, ..*extent }, format!("\nimport {{ {class} }} from {from}{end}"))
        }
        None => (module.begin, format!("import {{ {class} }} from {from};\n\n")),
    }
}

/// Where a class is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePlace {
    Type,
    /// Between `<` and `>`.
    Argument,
    /// The same for a parameter with a bound, which no basic type has.
    Bounded,
    /// Before a dot.
    Value,
}

impl ItemCollector<'_> {
    /// A type between `<` and `>`.
    pub fn argument(&mut self, ty: &TypeSyntax, scope: &Scope, has_bound: bool) -> Ty {
        if let TypeSyntaxKind::Named(name, _) = &ty.kind
            && scope.params.iter().all(|param| param.0 != *name)
            && !self.program.scopes[scope.module].contains_key(name)
        {
            let place = if has_bound { NamePlace::Bounded } else { NamePlace::Argument };
            self.unknown_class(*name, ty.span, scope, place);
            return Ty::ERROR;
        }
        self.resolve(ty, scope)
    }

    /// Once for each name and file.
    pub fn unknown_class(&mut self, name: Name, span: Span, scope: &Scope, place: NamePlace) {
        if self.program.unread.contains(&name) || self.program.reported.contains(&(span.file, name)) {
            return;
        }
        let text = self.names.text(name);
        let program = &*self.program;
        let params = scope.params.iter().map(|param| param.0);
        let known: Vec<Name> = program.scopes[scope.module].keys().copied().chain(params).collect();
        let mut known: Vec<&str> = known.into_iter().map(|name| self.names.text(name)).collect();
        known.sort_unstable();
        let defines = |at: usize| {
            program.scopes[at].get(&name).filter(|id| program.class(**id).source.0 == at).map(|&id| program.class(id))
        };
        let others = program.heads.iter().enumerate().filter(|(_, module)| !HIDDEN.contains(&&module.name[..]));
        let mut elsewhere = others.filter_map(|(at, module)| Some((shown(&module.name), defines(at)?.is_private)));
        let here = &program.heads[scope.module];
        let dialect = program.dialects[scope.module];
        let in_library = library_modules(text, dialect);
        let mut importable: Vec<&str> = elsewhere.clone().filter(|found| !found.1).map(|found| found.0).collect();
        importable.extend(&in_library);
        importable.sort_unstable();
        importable.dedup();
        let elsewhere = elsewhere.next().map(|found| found.0);
        let module = elsewhere.or(in_library.first().copied());
        // Parameters of classes that do not count here.
        let of_module = program.classes.iter().filter(|class| class.source.0 == scope.module);
        let params = of_module.flat_map(|class| &class.params).map(|&param| program.param(param));
        let mut bounds = params.filter(|param| param.name == name).map(|param| param.bound);
        let is_param = bounds.next();
        // All classes ask the same of it.
        let bound = is_param.filter(|first| bounds.all(|bound| bound == *first)).flatten();
        let bound = bound.filter(|&bound| bound != Ty::ERROR).map(|bound| program.show(bound, self.names));
        let bound = bound.map_or(String::new(), |bound| format!(": {bound}"));
        let is_today = dialect == Dialect::Today;
        let basic = BASIC.iter().find(|basic| basic.1.contains(&text)).map(|basic| basic.0);
        let basic = basic.map(|basic| if is_today && basic == "string" { "Str" } else { basic });
        let is_known = module.is_some() || basic.is_some() || foreign_class(text).is_some();
        let is_near = || cleave_diag::nearest(text.as_bytes(), known.iter().map(|known| known.as_bytes())).is_some();
        // It is perhaps the one whose name cannot be read.
        if program.nameless.contains(&None) && !is_known && !is_near() {
            return;
        }
        report(self.sink, span, || {
            let message = format!("there is no class `{text}`");
            let is_type = place != NamePlace::Value;
            let why = if is_type { code::UNKNOWN_TYPE } else { code::UNKNOWN_CLASS };
            let diagnostic = Diagnostic::error(why, message).at(span, "").mistake(format!("class {text}"));
            let imported = |diagnostic: Diagnostic, module: &str| {
                let diagnostic = diagnostic.help(format!("import it: `import {{ {text} }} from {module}`"));
                importable.iter().fold(diagnostic, |it, from| {
                    it.fix(format!("import it from `{from}`"), vec![import_edit(here, text, from)])
                })
            };
            match (module, basic) {
                // Only objects are type arguments that have interfaces.
                (Some(module), Some(_)) if place == NamePlace::Bounded => imported(diagnostic, module),
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
                _ if let Some(own) = foreign_class(text).filter(|_| is_today) => {
                    // What is imported is what is meant.
                    let has = |class: &str| program.scopes[scope.module].keys().any(|&it| self.names.text(it) == class);
                    let own = if own == "Vec" && has("List") { "List" } else { own };
                    let diagnostic = diagnostic.help(format!("did you mean `{own}`?"));
                    let from = library_modules(own, dialect);
                    let from = from
                        .first()
                        .filter(|_| !has(own));
                    from.into_iter()
                        .fold(diagnostic, |it, from| it.help(format!("import it: `import {{ {own} }} from {from}`")))
                }
                _ if text == "Self" => diagnostic.help("the class is written with its name, the object is `this`"),
                _ if is_param.is_some() => diagnostic
                    .help(format!("a `function` declares type parameters of its own: `function <{text}{bound}> …`")),
                _ if text.len() == 1 && is_type => diagnostic.help(format!(
                    "a type parameter is declared: behind the name of a class, `class Name<{text}>`, or before that of a \
                     function or method, `<{text}> name(…)`"
                )),
                _ => suggest(diagnostic, text, known.into_iter()),
            }
        });
    }
}
