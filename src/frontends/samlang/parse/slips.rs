//! Signs that are missing or too many, known by what stands around the word at hand: help that goes before the usual
//! one.

use super::Parser;
use super::foreign::{BEHIND_OPERANDS, TYPE_ENDS};
use crate::lex::TokenKind;
use cleave_diag::Span;
use std::borrow::Cow;

/// Words of other languages for which there is exactly one here.
const SIGNS: [(&str, &str); 8] = [
    ("self", "this"),
    ("and", "&&"),
    ("or", "||"),
    ("mod", "%"),
    ("rem", "%"),
    ("div", "/"),
    ("var", "let"),
    ("const", "let"),
];

impl Parser<'_> {
    /// What is written for the word of another language at this place.
    pub(super) fn sign_of_others(&self, place: Span) -> Option<&'static str> {
        let text = self.text_at(place);
        SIGNS.iter().find(|sign| sign.0 == text).map(|sign| sign.1)
    }

    /// Something stands behind a function without parentheses, as in Haskell.
    pub(super) fn application(&self, wanted: &str) -> Option<String> {
        use TokenKind::{Dot, Int, Lower, Text, Upper};
        let is_behind = wanted.ends_with("behind an argument")
            || wanted.ends_with("behind the value")
            || wanted.ends_with("`function`, `method` or `}`");
        let is_near = self.last().end == self.span().start;
        if let (true, true, Text(_), Lower(_)) =
            (is_behind, is_near, self.word(), self.tokens[self.at.saturating_sub(1)].kind)
        {
            return Some("strings hold no values: `\"x = \" :: Str.fromInt(x)` joins them".to_string());
        }
        let is_argument = matches!(self.word(), Int(_) | Lower(_) | Text(_)) && !self.begins_line();
        if !is_behind || !is_argument || self.at < 1 || !matches!(self.tokens[self.at - 1].kind, Lower(_)) {
            return None;
        }
        let is_part = |&at: &usize| matches!(self.tokens[at].kind, Lower(_) | Upper(_) | Dot);
        let first = (0..self.at).rev().take_while(is_part).last()?;
        let names = self.tokens[self.at..].iter().take_while(|it| matches!(it.kind, Lower(_)));
        if first == self.at - 1 && self.ahead(names.clone().count()) == TokenKind::Arrow {
            let names = self.tokens[first..=first].iter().chain(names).map(|it| self.text_at(it.span));
            let names: Vec<_> = names.collect();
            return Some(format!("the parameters of a lambda stand in parentheses: `({}) -> …`", names.join(", ")));
        }
        let text = &self.bytes[self.tokens[first].span.start as usize..self.last().end as usize];
        Some(format!("arguments stand in parentheses: `{}(…)`", String::from_utf8_lossy(text)))
    }

    /// The `let` at hand stands in parentheses behind `if`.
    pub(super) fn is_condition_in_parentheses(&self) -> bool {
        let before = |back: usize| self.at.checked_sub(back).map(|at| self.tokens[at].kind);
        before(1) == Some(TokenKind::Open) && before(2) == Some(TokenKind::If)
    }

    /// Behind the word `switch` or `case` at this place stands a `case` with a number or a string.
    pub(super) fn chooses_by_values(&self, at: usize) -> bool {
        const FAR: usize = 24;
        let kinds: Vec<_> = self.tokens[at..].iter().take(FAR).map(|token| token.kind).collect();
        kinds.windows(2).any(|pair| {
            matches!(*pair, [TokenKind::Lower(name), TokenKind::Int(_) | TokenKind::Text(_) | TokenKind::Minus]
                if self.names.text(name) == "case")
        })
    }

    /// Behind a pattern stands what joins patterns in other languages, and another one.
    pub(super) fn is_second_pattern(&self) -> bool {
        use TokenKind::{Comma, Lower, Open, Or, Upper, Wildcard};
        let joins = match self.word() {
            Comma | Or => true,
            Lower(name) => self.names.text(name) == "or",
            _ => false,
        };
        joins && matches!(self.ahead(1), Upper(_) | Open | Wildcard)
    }

    /// Behind the arrow at hand stands this, and what is the type of a result.
    fn is_type_before_body(&self, next: TokenKind) -> bool {
        use TokenKind::{Arrow, Close, Equals, Less, Open, OpenBrace, Upper};
        let is_type = super::basic(next).is_some() || matches!(next, Upper(_) | Open);
        is_type && matches!(self.ahead(2), Equals | Less | Arrow | OpenBrace | Close | Upper(_))
            || super::basic(next).is_some()
    }

    /// Names in parentheses that are no arguments, and an operand behind them on the same line.
    fn params_without_arrow(&self, word: TokenKind) -> Option<String> {
        use TokenKind::{Comma, Equals, Int, Lower, Open, OpenBrace, Text, This, Upper};
        let end = self.at.checked_sub(1)?;
        let is_inside = |at: &usize| matches!(self.tokens[*at].kind, Lower(_) | Comma);
        let inside = (0..end).rev().take_while(is_inside).count();
        let open = end.checked_sub(inside + 1).filter(|&open| self.tokens[open].kind == Open)?;
        let before = self.tokens[open.checked_sub(1)?].kind;
        let is_lambda = inside > 0
            && matches!(before, Open | Comma | Equals)
            && matches!(word, Int(_) | Lower(_) | OpenBrace | Text(_) | This | Upper(_))
            && !self.begins_line();
        is_lambda.then(|| self.text_at(Span { end: self.last().end, ..self.tokens[open].span }).into_owned())
    }

    /// What to say where something else is wanted.
    pub(super) fn slip(&self, wanted: &str) -> Option<Cow<'static, str>> {
        use TokenKind::{Arrow, Close, CloseBrace, Colon, Dot, Import, Less, Lower, OpenBrace, Text, Upper};
        let kind = |back: usize| self.at.checked_sub(back).map_or(TokenKind::Bad, |at| self.tokens[at].kind);
        let text = |kind| if let Upper(name) | Lower(name) = kind { self.names.text(name) } else { "" };
        Some(match (kind(1), self.word(), self.ahead(1)) {
            (_, OpenBrace, Import) => "an import is written `import { List } from std.list;`".into(),
            (_, Arrow, _) if wanted == "`(` before the parameters" => {
                "a member is written `method name(a: int): int = …`".into()
            }
            (Close, Arrow, _)
                if matches!((kind(3), kind(2)), (TokenKind::Comma, Lower(_)))
                    && BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end)) =>
            {
                let name = text(kind(2));
                format!("a `(` is missing before the parameters of a lambda: `({name}) -> …`").into()
            }
            (Close, word, _)
                if let Some(params) = self.params_without_arrow(word)
                    && BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end)) =>
            {
                format!("`->` is missing behind the parameters of a lambda: `{params} -> …`").into()
            }
            (CloseBrace, Colon, _) if wanted.ends_with("behind an expression") => {
                "parameters of a lambda are names; `let { x } = value;` takes an object apart".into()
            }
            (_, Arrow, next) if wanted == "`=` before the body" && !self.is_type_before_body(next) => {
                "a `=` stands before the body; an arrow stands in lambdas and cases".into()
            }
            (_, TokenKind::Semicolon, _) if wanted == "`,` or `]` behind an expression" => {
                "lists are not written with brackets: `List.of(3).cons(2).cons(1)` of `std.list` makes one".into()
            }
            (Lower(name), Text(_), _) if kind(2) == Dot => {
                format!("arguments stand in parentheses: `{}(…)`", self.names.text(name)).into()
            }
            (_, word, Dot) if wanted == "an expression" && super::basic(word).is_some() => {
                format!("`{}` is a type, which has no functions", self.text_at(self.span())).into()
            }
            (Close, _, _) if wanted == "`->` behind the parameters of a function type" => {
                format!("`(A) -> {}` is the type of a function", self.text_at(self.span())).into()
            }
            (Upper(first), Upper(second), _)
                if first == second && TYPE_ENDS.iter().any(|end| wanted.ends_with(end)) =>
            {
                format!("`{}` stands here twice: leave one out", text(self.word())).into()
            }
            (Less, Less, _) if wanted == "a type" => "leave it out: one `<` begins type arguments".into(),
            _ => return None,
        })
    }
}
