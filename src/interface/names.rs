//! Names as others write them: words with hyphens in WIT, capitals in types of TypeScript. No two are the same.

use crate::spelled::spelled;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};
use cleave_ir::{Module, PrimaryMap};
use std::collections::BTreeSet;

/// The words of a name, in small letters: `parseAll`, `parse_all` and `Parse.all` have two. Each begins with a letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_small = letters.peek().is_some_and(char::is_ascii_lowercase);
        let begins = !before.is_ascii_alphanumeric()
            || letter.is_ascii_uppercase() && (!before.is_ascii_uppercase() || next_is_small);
        if letter.is_ascii_alphanumeric() {
            match words.last_mut() {
                // A digit begins none.
                Some(word) if !begins || letter.is_ascii_digit() => word.push(letter.to_ascii_lowercase()),
                None if letter.is_ascii_digit() => words.push(format!("x{letter}")),
                _ => words.push(letter.to_ascii_lowercase().to_string()),
            }
        }
        before = letter;
    }
    if words.is_empty() { vec!["x".into()] } else { words }
}

/// As WIT writes it: `parse-all`.
pub fn kebab(name: &str) -> String {
    words(name).join("-")
}

/// As C writes it: `parse_all`.
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// As TypeScript writes types: `ParseAll`.
pub(crate) fn pascal(name: &str) -> String {
    words(name).iter().map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// Names that are taken.
#[derive(Default)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    /// Somebody has the name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The name, or with a number behind it.
    pub(crate) fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut number = 1;
        while !self.0.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}{number}");
        }
        unique
    }
}

/// Longer types get a name: a type may be small as it is stored and very large as it is written.
const MOST_INLINE: usize = 100;

impl Taken {
    /// The name of a type that has none (`spelled`), if it is too long to be written wherever it is used.
    pub(crate) fn for_long(&mut self, text: &str, name: &str) -> Option<String> {
        (text.len() > MOST_INLINE).then(|| self.unique(name.to_string()))
    }

    /// Functions of a type (`spelled`), by another word for `function`. If somebody has the name, a number is behind
    /// that.
    pub(crate) fn functions(&mut self, word: &str, spelled: &str) -> String {
        let rest = spelled.strip_prefix("function").unwrap_or(spelled);
        let mut number = 1;
        loop {
            let name = if number == 1 { format!("{word}{rest}") } else { format!("{word}{number}{rest}") };
            if self.0.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }
}

/// The names of an interface in WIT.
pub(crate) struct WitNames {
    /// Of the program.
    pub(crate) world: String,
    /// Of the functions, and of their parameters.
    pub(crate) functions: Vec<String>,
    pub(crate) params: Vec<Vec<String>>,
    /// Of records and variants, with those of their parts.
    pub(crate) types: PrimaryMap<InterfaceType, (Option<String>, Vec<String>)>,
    /// What those are called that have no name.
    pub(crate) spelled: PrimaryMap<InterfaceType, String>,
    pub(crate) taken: Taken,
}

impl WitNames {
    pub(crate) fn of(name: &str, interface: &Interface) -> WitNames {
        let all = |names: &mut dyn Iterator<Item = &String>| {
            let mut taken = Taken::default();
            names.map(|name| taken.unique(kebab(name))).collect::<Vec<_>>()
        };
        let mut taken = Taken::default();
        let world = kebab(name);
        let functions = interface.exports.iter().map(|export| taken.unique(kebab(&export.name))).collect();
        let params = interface.exports.iter().map(|export| all(&mut export.params.iter().map(|param| &param.0)));
        let params = params.collect();
        let types = interface.types.values().map(|data| match &data.kind {
            InterfaceKind::Record(name, fields) => {
                (Some(taken.unique(kebab(name))), all(&mut fields.iter().map(|field| &field.0)))
            }
            InterfaceKind::Variant(name, cases) => {
                (Some(taken.unique(kebab(name))), all(&mut cases.iter().map(|case| &case.name)))
            }
            _ => (None, Vec::new()),
        });
        let types = types.collect();
        WitNames { world, functions, params, types, spelled: spelled(interface), taken }
    }
}

/// Gives functions from this number on names that no other has.
pub(crate) fn rename(module: &mut Module, first: usize) {
    let mut names: BTreeSet<String> = module.funcs.values().take(first).map(|func| func.name.clone()).collect();
    for func in module.funcs.values_mut().skip(first) {
        while !names.insert(func.name.clone()) {
            func.name.push('\'');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        let names = ["parseAll", "parse_all", "Parse.all", "URLOf2", "2d", "List<int>", "é", "point2D"];
        let found = names.map(kebab);
        let wanted = ["parse-all", "parse-all", "parse-all", "url-of2", "x2d", "list-int", "x", "point2-d"];
        assert_eq!(found, wanted);
        assert_eq!(names.map(pascal)[..4], ["ParseAll", "ParseAll", "ParseAll", "UrlOf2"]);
    }

    #[test]
    fn no_two_names_are_the_same() {
        let mut taken = Taken::default();
        assert_eq!(["a", "a", "a2", "a"].map(|name| taken.unique(name.into())), ["a", "a2", "a22", "a3"]);
    }
}
