//! What modules import from each other, and what is said of a class that a module has not.

use crate::collect_items::ItemCollector;
use crate::did_you_mean::{foreign_class, library_modules};
use crate::lex::Name;
use crate::lints::mentioned;
use crate::modules::shown;
use crate::program::{report, those};
use crate::syntax::Ident;
use crate::types::ClassId;
use cleave_diag::{Diagnostic, code, nearest};
use rustc_hash::{FxHashMap, FxHashSet};

impl ItemCollector<'_> {
    /// Puts what modules import into their scopes.
    pub(crate) fn imports(&mut self) {
        let own = self.program.scopes.clone();
        for number in 0..self.program.modules.len() {
            let mut unknown = None;
            for import in self.program.modules[number].imports.clone() {
                let Some(from) = self.program.modules.iter().position(|module| module.name == import.module) else {
                    continue;
                };
                for &Ident { name, span } in &import.names {
                    let text = self.names.text(name);
                    // Not what it imports itself, or knows without that.
                    let found = own[from].get(&name).copied();
                    let found = found.filter(|&id| self.program.class(id).source.0 == from);
                    let Some(id) = found else {
                        if self.program.unread.contains(&name) {
                            continue;
                        }
                        self.no_such_class((number, from), &own, Ident { name, span }, &mut unknown);
                        continue;
                    };
                    let class = &self.program.classes[id.0 as usize];
                    // One word is too many there, however often the class is imported.
                    if class.is_private && self.program.named_private.insert(id) {
                        let there = class.span;
                        report(self.sink, span, || {
                            let message = format!("class `{text}` is private in module `{}`", shown(&import.module));
                            let diagnostic = Diagnostic::error(code::PRIVATE, message).at(span, "");
                            let diagnostic =
                                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is defined here"));
                            diagnostic.help("other modules know it if `private` is left out there")
                        });
                    }
                    match self.program.scopes[number].get(&name) {
                        Some(&other) if other != id => {
                            self.program.twice.insert(other);
                            self.program.nameless.insert(None);
                            let there = self.program.classes[other.0 as usize].span;
                            report(self.sink, span, || {
                                let message = format!("there are two classes `{text}` in this module");
                                let diagnostic = Diagnostic::error(code::DUPLICATE_TYPE, message).at(span, "");
                                there.into_iter().fold(diagnostic, |it, there| it.and(there, "the other one"))
                            });
                        }
                        _ => _ = self.program.scopes[number].insert(name, id),
                    }
                }
            }
        }
    }

    /// A module imports a class from another one, which has none of this name. Perhaps it uses one that it has: then
    /// that is what is meant. What it mentions without having it is `unknown`, once somebody has asked.
    fn no_such_class(
        &mut self,
        (importing, from): (usize, usize),
        own: &[FxHashMap<Name, ClassId>],
        Ident { name, span }: Ident,
        unknown: &mut Option<FxHashSet<Name>>,
    ) {
        self.program.reported.insert((span.file, name));
        if self.sink.is_full(span.file) {
            return report(self.sink, span, || Diagnostic::error(code::UNKNOWN_IMPORT, ""));
        }
        let (names, program) = (self.names, &*self.program);
        let (text, module) = (names.text(name), &program.modules[importing]);
        let unknown = unknown.get_or_insert_with(|| {
            let mentioned = mentioned(module).into_iter();
            mentioned.filter(|name| !own[importing].contains_key(name)).collect()
        });
        let others = own[from].iter().filter(|(_, id)| program.class(**id).source.0 == from);
        let mut others: Vec<Name> = others.map(|(&name, _)| name).collect();
        others.sort_unstable_by_key(|&name| names.text(name));
        let is_imported = |name: Name| module.imports.iter().any(|it| it.names.iter().any(|it| it.name == name));
        let used: Vec<Name> =
            others.iter().copied().filter(|name| unknown.contains(name) && !is_imported(*name)).collect();
        let nearest_of = |candidates: &[Name]| {
            let near = nearest(text.as_bytes(), candidates.iter().map(|&it| names.bytes(it)))?;
            candidates.iter().copied().find(|&it| names.bytes(it) == near)
        };
        // `Integer` for `Int`, and the other way round.
        let begins = |other: &str| other.len() > 2 && (text.starts_with(other) || other.starts_with(text));
        let longer = || others.iter().copied().find(|&other| begins(names.text(other)));
        let foreign = || others.iter().copied().find(|&other| foreign_class(text) == Some(names.text(other)));
        let meant = match nearest_of(&used) {
            Some(near) => vec![near],
            // Nobody uses the name, but others of this module.
            None if !used.is_empty() && !unknown.contains(&name) => used.clone(),
            None => nearest_of(&others).or_else(longer).or_else(foreign).into_iter().collect(),
        };
        let are_used = !meant.is_empty() && meant.iter().all(|name| used.contains(name));
        let elsewhere = library_modules(text, program.dialects[importing]);
        let from = shown(&program.modules[from].name);
        report(self.sink, span, || {
            let message = format!("module `{from}` has no class `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_IMPORT, message).at(span, "");
            let shown: Vec<String> = meant.iter().map(|&it| format!("`{}`", names.text(it))).collect();
            let known: Vec<&str> = others.iter().map(|&it| names.text(it)).collect();
            match (&meant[..], elsewhere.first()) {
                ([], Some(elsewhere)) => diagnostic.help(format!("`{text}` is in `{elsewhere}`")),
                ([], None) => those(diagnostic, "it has", &known),
                _ => {
                    let one = if meant.len() == 1 { "It is" } else { "They are" };
                    let end = if are_used { format!(" {one} used in this module") } else { String::new() };
                    let diagnostic = diagnostic.help(format!("did you mean {}?{end}", shown.join(", ")));
                    let meant: Vec<&str> = meant.iter().map(|&it| names.text(it)).collect();
                    diagnostic.fix(format!("write {}", shown.join(", ")), vec![(span, meant.join(", "))])
                }
            }
        });
        // Nor is the one complained about that was probably meant.
        self.program.reported.extend(meant.into_iter().map(|name| (span.file, name)));
    }
}
