//! Words of other languages, and what is written here instead: for messages.

use super::Parser;
use crate::lex::Word;

const CONSTANT: &str = "variables are made by `val`, and never change";

pub const NEW: &str = "objects are made without `new`, by a function of the class: `Class.of(1, 2)`";

/// Words of other languages with something behind them, and what is written instead.
const FOREIGN: &[(&str, &str)] = &[
    ("new", NEW),
    ("while", "there are no loops: a function calls itself, lists have `forEach` and `fold`"),
    ("for", "there are no loops: a function calls itself, lists have `forEach` and `fold`"),
    ("switch", "a choice by patterns is written `match value { pattern -> result, _ -> other }`"),
    ("case", "cases are written `pattern -> result`"),
    ("default", "the case for all that is left is `_ -> result`"),
];

/// The same at the place of the error, where a member begins or an expression goes on.
const FOREIGN_HERE: &[(&str, &str)] = &[
    ("fun", "members begin with `function` or `method`"),
    ("func", "members begin with `function` or `method`"),
    ("fn", "members begin with `function` or `method`"),
    ("def", "members begin with `function` or `method`"),
    ("static", "members begin with `function` or `method`; a `function` belongs to its class"),
    ("and", "conditions are joined by `&&`"),
    ("or", "conditions are joined by `||`"),
];

/// What to say of a word that is taken without having a meaning.
fn reserved(word: &str) -> &'static str {
    match word {
        "self" => "the object of a method is `this`",
        "return" => "there is no `return`: the value of a function is that of its body, which ends with it",
        "var" | "const" => CONSTANT,
        "extends" | "implements" => "interfaces stand behind a colon, `class A : B`; classes do not inherit",
        _ => "this word is reserved: take another name",
    }
}

impl Parser<'_> {
    /// What stands for a word of other languages, before the place of an error or at it.
    pub(super) fn foreign(&self) -> Option<&'static str> {
        let find = |word, table: &[(&str, &'static str)]| match word {
            Word::Lower(name) => table.iter().find(|known| known.0 == self.names.text(name)).map(|known| known.1),
            _ => None,
        };
        let before = if self.at > 0 && !self.begins_line() { self.tokens[self.at - 1].word } else { Word::Bad };
        find(before, FOREIGN).or_else(|| find(self.word(), FOREIGN_HERE))
    }

    /// What to say where something else is wanted than the word at hand.
    pub(super) fn usual_help(&self, wanted: &str) -> Option<&'static str> {
        match self.word() {
            Word::Reserved(name) => Some(reserved(self.names.text(name))),
            word if wanted.starts_with("the name")
                && word.letters().is_some_and(|text| text.as_bytes()[0].is_ascii_alphabetic()) =>
            {
                Some("this word belongs to the language: take another name")
            }
            Word::Equals if self.at > 0 && is_arithmetic(self.tokens[self.at - 1].word) => Some(CONSTANT),
            Word::Plus if self.at > 0 && self.tokens[self.at - 1].word == Word::Plus => Some(CONSTANT),
            Word::Arrow if self.at > 0 && matches!(self.tokens[self.at - 1].word, Word::Lower(_)) => {
                Some("the parameters of a lambda stand in parentheses: `(x) -> x + 1`")
            }
            Word::Equals => Some("the operator for equality is `==`; variables never change"),
            Word::OpenBracket if !self.begins_line() => Some("there are no numbered parts: lists have `get`"),
            Word::IntType | Word::BoolType | Word::TextType | Word::UnitType
                if self.at > 0 && self.tokens[self.at - 1].word == Word::Less =>
            {
                Some("type arguments stand behind the name of a function: `Class.make<int>()`")
            }
            Word::Int(_) if self.at > 1 && self.tokens[self.at - 1].word == Word::Dot => {
                Some(match self.tokens[self.at - 2].word {
                    Word::Int(_) => "there are no fractions: numbers are integers",
                    _ => "a tuple is taken apart by a pattern: `val [a, b] = pair`",
                })
            }
            _ => None,
        }
    }
}

fn is_arithmetic(word: Word) -> bool {
    matches!(word, Word::Plus | Word::Minus | Word::Times | Word::Divide | Word::Modulo)
}
