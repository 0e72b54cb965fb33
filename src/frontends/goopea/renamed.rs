//! Functions of one name. Often one of them has lost its own name, which is then called and defined nowhere: that is
//! one mistake, and has one message.

use crate::collect_items::{Definitions, twice};
use crate::lex::Name;
use crate::syntax::{Syntax, Tree};
use cleave_diag::{Diagnostic, Sink, Span, nearest};
use cleave_ir::EntityRef;
use std::collections::{BTreeMap, BTreeSet};

/// A name that is used like a function, and defined nowhere: with so many arguments.
type Missing = (Name, usize);

/// More names that are missing are not looked at: each is compared with those of all functions.
const MOST: usize = 32;

impl Definitions<'_> {
    /// Says which functions are defined twice, and what may be meant instead. `main` is missing, too, if it is wanted.
    pub fn find_renamed(&mut self, tree: &Tree, main: Option<Name>, sink: &mut Sink) {
        let second = (0..self.functions.len()).filter_map(|number| {
            let first = self.function(self.function_names[number])?.index();
            (first != number).then_some((first, number))
        });
        let pairs: Vec<(usize, usize)> = second.collect();
        if pairs.is_empty() {
            return;
        }
        let missing = self.missing(tree);
        for (first, second) in pairs {
            let (one, other) = (&self.functions[first], &self.functions[second]);
            let is_other = one.params != other.params || one.results != other.results;
            let counts = [one.params.len(), other.params.len()];
            let place = other.span;
            let fits = |count: usize| counts.contains(&count);
            let is_free = |name: &Name| !self.renamed.contains(name);
            // What has so many parameters alone is what has lost its name.
            let owner = |count: usize| match counts {
                [a, b] if a == b => None,
                [a, _] => Some(if a == count { one.span } else { other.span }),
            };
            let lost = missing.iter().find(|((name, count), _)| fits(*count) && is_free(name));
            let lost = lost.map(|&((name, count), place)| (name, Some(place), owner(count)));
            let main = main.filter(|&name| fits(0) && self.function(name).is_none() && is_free(&name));
            let lost = lost.or(main.map(|name| (name, None, owner(0))));
            let text = self.names.text(self.function_names[second]);
            sink.report_in(place.file, || {
                let diagnostic = twice("function", text, place, Some(one.span));
                let Some((name, called, owner)) = lost else { return diagnostic };
                let meant = self.names.text(name);
                let diagnostic = diagnostic.help(format!("is `{meant}` meant?"));
                let edit = |it: Diagnostic, owner| it.fix(format!("write `{meant}`"), vec![(owner, meant.to_string())]);
                let diagnostic = owner.into_iter().fold(diagnostic, edit);
                called.into_iter().fold(diagnostic, |it, span| it.and(span, "called here, and defined nowhere"))
            });
            self.functions[first].is_twice |= is_other;
            self.renamed.extend(lost.map(|lost| lost.0));
        }
    }

    /// What is called and defined nowhere, with the first place, in the order of the places. A name that is near
    /// another one is misspelt.
    fn missing(&self, tree: &Tree) -> Vec<(Missing, Span)> {
        let params = tree.functions.iter().flat_map(|function| &function.params);
        let mut bound: BTreeSet<Name> = params.chain(&tree.binders).flatten().map(|&(name, _)| name).collect();
        bound.extend(tree.cases.iter().filter_map(|case| case.pattern.variable()));
        let mut found: BTreeMap<Name, (usize, Span)> = BTreeMap::new();
        for (syntax, span) in &tree.exprs {
            let (name, count) = match *syntax {
                Syntax::Call(name, args) => (name, args.length as usize),
                Syntax::Variable(name) if !bound.contains(&name) => (name, 0),
                _ => continue,
            };
            if self.function(name).is_none() && !self.is_unread_function(name) {
                let place = Span { end: span.start + self.names.text(name).len() as u32, ..*span };
                found.entry(name).or_insert((count, place));
            }
        }
        let known: Vec<&[u8]> = self.functions_anywhere().collect();
        let is_misspelt = |name: Name| nearest(self.names.text(name).as_bytes(), known.iter().copied()).is_some();
        let found = found.into_iter().map(|(name, (count, span))| ((name, count), span));
        let mut found: Vec<(Missing, Span)> = found.collect();
        found.sort_by_key(|(_, span)| (span.file.0, span.start));
        found.truncate(MOST);
        found.retain(|&((name, _), _)| !is_misspelt(name));
        found
    }
}
