//! Parser for the patterns of cases.

use crate::foreign::ONE_VALUE;
use crate::lex::TokenKind;
use crate::parse::{Parsed, Parser};
use crate::syntax::{Binder, List, Pattern, append, join};
use cleave_diag::Span;

impl Parser<'_> {
    /// Variables and `_`: one, or a list in parentheses.
    pub fn binders(&mut self) -> Parsed<List> {
        let binder = |parser: &mut Self| {
            let word = parser.word();
            if !matches!(word, TokenKind::Lower(_) | TokenKind::Wildcard) {
                return None;
            }
            let span = parser.advance();
            Some(if let TokenKind::Lower(name) = word { Some((name, span)) } else { None })
        };
        let binders = match binder(self) {
            Some(one) => vec![one],
            None => self.in_parentheses("a variable or `_`", binder)?,
        };
        Ok(append(&mut self.tree.binders, &binders))
    }

    /// What to write for a constructor whose fields stand after it without parentheses.
    fn fields(&self, pattern: Pattern) -> Option<String> {
        let Pattern::Constructor(name, first) = pattern else { return None };
        let text = |binder: &Binder| binder.map_or("_", |(name, _)| self.names.text(name)).to_string();
        let mut fields: Vec<String> = self.tree.binders[first.range()].iter().map(text).collect();
        for count in 0.. {
            match self.ahead(count) {
                TokenKind::Lower(name) => fields.push(self.names.text(name).to_string()),
                TokenKind::Wildcard => fields.push("_".into()),
                _ => break,
            }
        }
        let name = self.names.text(name);
        Some(format!("several fields stand in parentheses: `{name}({})`", fields.join(", ")))
    }

    /// What to say of a truth value, which has no fields, before what should be the value of the case.
    fn value_of_truth(&self, pattern: Pattern) -> Option<String> {
        let Pattern::Constructor(name, fields) = pattern else { return None };
        let text = self.names.text(name);
        let next = match (self.tree.binders[fields.range()].first(), self.word()) {
            (Some(Some((value, _))), _) if fields.length == 1 => self.names.text(*value).to_string(),
            (None, TokenKind::Upper(value)) if value != name => self.names.text(value).to_string(),
            (None, TokenKind::Int(value)) => value.to_string(),
            _ => return None,
        };
        matches!(text, "True" | "False").then(|| format!("a `:` stands behind the pattern: `{text}: {next}`"))
    }

    /// The pattern of a case and the colon.
    pub fn pattern(&mut self) -> Parsed<(Pattern, Span)> {
        let start = self.span();
        let pattern = match self.word() {
            TokenKind::Int(number) => {
                self.advance();
                Pattern::Int(number)
            }
            TokenKind::Lower(name) => {
                self.advance();
                Pattern::Variable(name)
            }
            TokenKind::Upper(name) => {
                self.advance();
                let binders = match self.word() {
                    TokenKind::Lower(_) | TokenKind::Wildcard | TokenKind::Open => self.binders()?,
                    _ => List::default(),
                };
                Pattern::Constructor(name, binders)
            }
            word => {
                let help = match word {
                    TokenKind::Wildcard => Some("a variable is the pattern for all other cases: `other: …`"),
                    TokenKind::Open => Some(ONE_VALUE),
                    TokenKind::Minus => Some("patterns are not negative: compare with `==`, or take a variable"),
                    TokenKind::CloseBrace
                        if self.before().last().is_some_and(|token| token.kind == TokenKind::OpenBrace) =>
                    {
                        Some("a `match` has at least one case")
                    }
                    TokenKind::CloseBrace => Some("no comma stands behind the last case"),
                    _ => None,
                };
                return Err(self.unexpected("a pattern", help));
            }
        };
        let span = join(start, self.last());
        if self.word() != TokenKind::Colon {
            // What was read as a pattern may be an argument of what stands before the comma.
            let first = self.before().iter().rposition(|token| token.span == start).and_then(|at| at.checked_sub(2));
            if let Some(skip) = first.and_then(|first| self.loose_arguments(first)) {
                return Err(skip);
            }
            let truth = self.value_of_truth(pattern);
            let help = match self.word() {
                _ if truth.is_some() => truth,
                TokenKind::Close => {
                    Some("nothing is open that this would close; a tuple is written `(a, b)`".to_string())
                }
                TokenKind::CloseBrace | TokenKind::Comma => match pattern {
                    Pattern::Int(value) => Some(format!("a case is a pattern and its value: `other: {value}`")),
                    Pattern::Variable(name) => {
                        Some(format!("a case is a pattern and its value: `other: {}`", self.names.text(name)))
                    }
                    Pattern::Constructor(..) => None,
                },
                TokenKind::Equals | TokenKind::Minus => Some("cases are written `pattern: value`".to_string()),
                TokenKind::Lower(name) if matches!(self.names.text(name), "when" | "if" | "where") => {
                    Some("a condition stands behind the colon: `x: match x > 2 { True: 1, False: 0 }`".to_string())
                }
                TokenKind::Lower(_) | TokenKind::Wildcard => self.fields(pattern),
                TokenKind::Less
                | TokenKind::LessEqual
                | TokenKind::Greater
                | TokenKind::GreaterEqual
                | TokenKind::EqualTo
                | TokenKind::Unequal => {
                    Some("a condition stands behind the colon: `x: match x > 2 { True: 1, False: 0 }`".to_string())
                }
                TokenKind::Upper(name) if matches!(pattern, Pattern::Constructor(first, _) if first == name) => {
                    Some(format!("`{}` stands here twice", self.names.text(name)))
                }
                TokenKind::Upper(name) if matches!(pattern, Pattern::Constructor(..)) => {
                    let small = self.names.text(name).to_ascii_lowercase();
                    Some(format!("names of variables begin with a small letter: `{small}`"))
                }
                TokenKind::Upper(_) | TokenKind::Int(_) => match pattern {
                    Pattern::Variable(name) => Some(format!("leave out `{}`", self.names.text(name))),
                    _ => None,
                },
                _ => None,
            };
            return Err(self.unexpected("`:` behind the pattern", help.as_deref()));
        }
        self.advance();
        Ok((pattern, span))
    }
}
