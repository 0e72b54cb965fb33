//! Words of other languages, and what is written here instead: for messages. And what is said of words at wrong places.

use super::Parser;
use crate::lex::TokenKind;

const CONSTANT: &str = "variables are made by `val`, and never change";

pub const NEW: &str = "objects are made without `new`, by a function of the class: `Class.of(1, 2)`";

/// Words of other languages with something after them, and what is written instead.
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
            TokenKind::Lower(name) => table.iter().find(|known| known.0 == self.names.text(name)).map(|known| known.1),
            _ => None,
        };
        let before = if self.at > 0 && !self.begins_line() { self.tokens[self.at - 1].kind } else { TokenKind::Bad };
        find(before, FOREIGN).or_else(|| find(self.word(), FOREIGN_HERE))
    }

    /// What to say where something else is wanted than the word at hand.
    pub(super) fn usual_help(&self, wanted: &str) -> Option<&'static str> {
        let before = if self.at > 0 { self.tokens[self.at - 1].kind } else { TokenKind::Bad };
        match self.word() {
            TokenKind::Reserved(name) => Some(reserved(self.names.text(name))),
            word if (wanted.starts_with("the name") || matches!(before, TokenKind::Val | TokenKind::Let))
                && word.letters().is_some_and(|text| text.as_bytes()[0].is_ascii_alphabetic()) =>
            {
                Some("this word belongs to the language: take another name")
            }
            TokenKind::Equals => self.equals(wanted, before),
            // `a ++ b`, unless nothing stands after it, as in `a++`.
            TokenKind::Plus if before == TokenKind::Plus => {
                let next = self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
                let is_line = self.bytes[self.span().end as usize..next.span.start as usize].contains(&b'\n');
                let is_operand = matches!(
                    next.kind,
                    TokenKind::Lower(_) | TokenKind::Upper(_) | TokenKind::Text(_) | TokenKind::Open
                );
                Some(if is_operand && !is_line { "strings are joined by `::`" } else { CONSTANT })
            }
            TokenKind::Arrow if matches!(before, TokenKind::Lower(_)) => Some(LAMBDA),
            TokenKind::Colon if wanted.ends_with("behind an expression") && matches!(before, TokenKind::Lower(_)) => {
                Some(LAMBDA)
            }
            TokenKind::OpenBracket if !self.begins_line() => Some("there are no numbered parts: lists have `get`"),
            TokenKind::IntType | TokenKind::BoolType | TokenKind::TextType | TokenKind::UnitType
                if before == TokenKind::Less =>
            {
                Some("type arguments stand behind the name of a function: `Class.make<int>()`")
            }
            TokenKind::Int(_) if self.at > 1 && before == TokenKind::Dot => Some(match self.tokens[self.at - 2].kind {
                TokenKind::Int(_) => "there are no fractions: numbers are integers",
                _ => "a tuple is taken apart by a pattern: `val [a, b] = pair`",
            }),
            _ => None,
        }
    }
}

/// What to say of a `=`, by what is wanted there.
const EQUALS: &[(&str, &str)] = &[
    ("before the parameters", "a function is written `function name(): int = …`"),
    ("before the type of the result", "the type of the result stands behind a colon: `function name(): int = …`"),
    ("`->` behind the pattern", "cases are written `pattern -> result`"),
    ("behind a parameter", "parameters have no values of their own: each call gives all arguments"),
    ("the type of the parameter", "a parameter is written `name: type`, and each call gives its value"),
    (
        "`,` or `)` behind a field",
        "fields have no values of their own: a function of the class makes objects, `{ x: 3 }`",
    ),
    ("`,` or `}` behind a field", "the fields of an object are given by `:`"),
    ("before the type of the field", "a field is written `val name: type`"),
    (
        "before the members of the class",
        "data is a class: `class Color(Red, Green) { }`, `class Point(val x: int) { }`",
    ),
];

/// What is wanted after an operand.
const BEHIND_OPERANDS: &[&str] = &[
    "behind the expression",
    "behind an expression",
    "behind an argument",
    "behind the condition",
    "before the cases",
    "`else`",
    "`function`, `method` or `}`",
];

const EQUALITY: &str = "the operator for equality is `==`; variables never change";
const LAMBDA: &str = "the parameters of a lambda stand in parentheses, and an arrow behind them: `(x) -> x + 1`";
pub const VAL: &str = "a `val` is written `val name = value` or `val name: type = value`";

impl Parser<'_> {
    /// What to say where a `=` stands after a word.
    fn equals(&self, wanted: &str, before: TokenKind) -> Option<&'static str> {
        let known = EQUALS.iter().find(|known| wanted.ends_with(known.0)).map(|known| known.1);
        let is_choice = wanted.ends_with("behind the condition");
        known.or(match (before, self.ahead(1)) {
            (_, TokenKind::Greater) => Some(if is_choice { "the operator is `>=`" } else { LAMBDA }),
            (TokenKind::Val | TokenKind::Let, _) if wanted == "a pattern" => Some(VAL),
            (before, _) if is_arithmetic(before) => Some(CONSTANT),
            (TokenKind::EqualTo | TokenKind::Unequal, _) => Some("the operators are `==` and `!=`"),
            _ => BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end)).then_some(EQUALITY),
        })
    }
}

fn is_arithmetic(word: TokenKind) -> bool {
    matches!(word, TokenKind::Plus | TokenKind::Minus | TokenKind::Times | TokenKind::Divide | TokenKind::Modulo)
}
