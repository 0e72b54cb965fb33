//! Words that stand where a name should be, or before it: those of other languages, and `private` in the wrong place.

use super::{Parser, basic};
use crate::lex::TokenKind;
use crate::syntax::join;
use cleave_diag::{Diagnostic, Span, code};
use std::borrow::Cow;

/// Words that other languages put before members, and what to do with them.
pub(super) const MODIFIERS: &[(&str, &str)] = &[
    ("public", "leave out `public`: all is public that is not `private`"),
    ("protected", "leave out `protected`: all is public that is not `private`"),
    ("internal", "leave out `internal`: all is public that is not `private`"),
    ("static", "leave out `static`: a `function` belongs to its class, a `method` to an object"),
    ("async", "leave out `async`: nothing is asynchronous"),
    ("export", "leave out `export`: all is public that is not `private`"),
    ("override", "leave out `override`"),
];

pub(super) const PUBLIC: &str = "leave it out: all is public that is not `private`";

/// Words that other languages put before classes.
pub(super) fn is_modifier(word: &str) -> bool {
    matches!(word, "public" | "protected" | "internal" | "export" | "exports")
}

/// What to say of a word of other languages where a class should begin.
pub(super) fn at_the_top(word: &str) -> Option<&'static str> {
    Some(match word {
        "export" | "pub" | "abstract" | "final" | "sealed" | "static" | "default" => PUBLIC,
        "impl" | "instance" => "functions and methods stand between the braces of their class",
        "case" => "leave out `case`: a class is written `class Point(val x: int) { }`",
        "trait" | "protocol" => "write `interface Name { method name(): int }`",
        "use" | "open" | "require" | "include" => {
            "classes are imported by their names: `import { List } from std.list`"
        }
        "module" | "package" | "namespace" => "a module is a file, and has no head: leave it out",
        "fn" | "fun" | "func" | "def" | "let" | "async" => "functions and methods stand in a class: `class Main { … }`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// `private` stands behind this word, and a name behind it: it is read after its message.
    pub(super) fn private_behind(&mut self, word: &str) -> bool {
        use TokenKind::{Less, Lower, Private, Upper};
        let is_it = self.word() == Private && matches!(self.ahead(1), Less | Lower(_) | Upper(_));
        if is_it {
            let (before, place) = (self.last(), self.advance());
            let rest = Span { start: place.start, end: self.span().start, ..place };
            let edits = vec![(Span { end: before.start, ..before }, "private ".to_string()), (rest, String::new())];
            self.sink.report_in(place.file, || {
                let message = format!("`private` stands before `{word}`");
                let diagnostic = Diagnostic::error(code::SYNTAX, message).at(place, "");
                diagnostic.help(format!("write `private {word} …`")).fix(format!("write `private {word}`"), edits)
            });
        }
        is_it
    }

    /// Says which words of other languages stand before a member, or before its name, and leaves them out.
    pub(super) fn modifiers(&mut self) {
        let text = |parser: &Self, at: usize| match parser.ahead(at) {
            TokenKind::Reserved(name) | TokenKind::Lower(name) => parser.names.text(name),
            _ => "",
        };
        let is_modifier = |text: &str| MODIFIERS.iter().any(|known| known.0 == text);
        let mut count = 0;
        while is_modifier(text(self, count)) {
            count += 1;
        }
        use TokenKind::{Function, Less, Lower, Method, Private};
        let is_behind = self.at > 0 && matches!(self.tokens[self.at - 1].kind, Function | Method);
        let is_member = match self.ahead(count) {
            Lower(_) | Less => is_behind,
            word => matches!(word, Function | Method | Private),
        };
        if count == 0 || !is_member {
            return;
        }
        let span = join(self.span(), self.tokens[self.at + count - 1].span);
        let words: Vec<&str> = (0..count).map(|at| text(self, at)).collect();
        let helps = MODIFIERS.iter().filter(|known| words.contains(&known.0)).map(|known| known.1);
        let helps: Vec<&str> = helps.collect();
        let place = if is_behind { "the name of a member" } else { "a member" };
        let message = format!("no `{}` stands before {place}", words.join(" "));
        self.error(span, &message, &helps.join("; "));
        self.at += count;
    }

    /// A name stands behind the word of the language at hand, where a name should be.
    pub(super) fn is_word_too_many(&self) -> bool {
        matches!(self.ahead(1), TokenKind::Lower(_) | TokenKind::Upper(_)) && self.word().keyword().is_some()
    }

    /// What to say of a word of the language where a name should be.
    pub(super) fn word_as_name(&self) -> &'static str {
        match self.is_word_too_many() {
            true => "the name stands behind it: leave this word out",
            false => "this word belongs to the language: take another name",
        }
    }

    /// What to say of a type with a name behind it, where a parameter should be.
    pub(super) fn type_before_parameter(&self) -> Option<String> {
        let end = match (self.word(), self.ahead(1)) {
            (TokenKind::Upper(_), TokenKind::Less) => {
                let rest = &self.tokens[self.at..];
                let is_part = |kind| basic(kind).is_some() || matches!(kind, TokenKind::Upper(_) | TokenKind::Comma);
                let is_inside = |kind| is_part(kind) || matches!(kind, TokenKind::Less | TokenKind::Greater);
                rest.iter().position(|token| !is_inside(token.kind))?
            }
            (word, _) if basic(word).is_some() || matches!(word, TokenKind::Upper(_)) => 1,
            _ => return None,
        };
        let TokenKind::Lower(name) = self.ahead(end) else { return None };
        let ty = self.text_at(join(self.span(), self.tokens[self.at + end - 1].span));
        Some(format!("the type stands behind the name: `{}: {ty}`", self.names.text(name)))
    }

    /// What to say of a type with an arrow behind it, where the name of a parameter should be: `f: int, int -> bool`.
    pub(super) fn function_type_of_others(&self) -> Option<String> {
        use TokenKind::{Arrow, Colon, Comma, Lower, Upper};
        let is_type = |kind| basic(kind).is_some() || matches!(kind, Upper(_));
        let text = |at: usize| self.text_at(self.tokens[at].span);
        let at = self.at;
        if !is_type(self.word()) || self.ahead(1) != Arrow {
            return None;
        }
        let before = at.checked_sub(4).map(|from| self.tokens[from..at].iter().map(|it| it.kind).collect::<Vec<_>>());
        let all = match before.as_deref() {
            Some([Lower(_), Colon, first, Comma]) if is_type(*first) => {
                format!("{}: ({}, {})", text(at - 4), text(at - 2), text(at))
            }
            _ => format!("name: ({})", text(at)),
        };
        let result = if is_type(self.ahead(2)) { text(at + 2) } else { Cow::from("…") };
        Some(format!("the parameters of a function type stand in parentheses: `{all} -> {result}`"))
    }
}
