//! Patterns.

use super::foreign::LIST_PATTERNS;
use super::{Parsed, Parser};
use crate::dialect::OldForm;
use crate::lex::TokenKind;
use crate::syntax::{Ident, Pattern, PatternId, join};
use cleave_diag::Span;

impl Parser<'_> {
    fn add_pattern(&mut self, pattern: Pattern, span: Span) -> PatternId {
        let id = PatternId(self.body.patterns.len() as u32);
        self.body.patterns.push((pattern, span));
        id
    }

    /// A pattern, perhaps of several with `|` between them.
    pub(super) fn pattern(&mut self) -> Parsed<PatternId> {
        let start = self.span();
        let first = self.single_pattern()?;
        if self.word() != TokenKind::Bar {
            return Ok(first);
        }
        let mut choices = vec![first];
        while self.accept(TokenKind::Bar) {
            choices.push(self.single_pattern()?);
        }
        Ok(self.add_pattern(Pattern::Or(choices), join(start, self.last())))
    }

    fn single_pattern(&mut self) -> Parsed<PatternId> {
        self.nested(Self::pattern_inside)
    }

    fn pattern_inside(&mut self) -> Parsed<PatternId> {
        let start = self.span();
        if matches!(
            self.word(),
            TokenKind::True | TokenKind::False | TokenKind::Text(_) | TokenKind::Int(_) | TokenKind::Minus
        ) {
            self.old(OldForm::LiteralPattern, start);
        }
        let pattern = match self.word() {
            TokenKind::Wildcard => self.one_word(Pattern::Any),
            TokenKind::Lower(name) => self.one_word(Pattern::Variable(name)),
            TokenKind::True => self.one_word(Pattern::Bool(true)),
            TokenKind::False => self.one_word(Pattern::Bool(false)),
            TokenKind::Text(text) => self.one_word(Pattern::Text(text)),
            TokenKind::Int(_) | TokenKind::Minus => Pattern::Int(self.signed()?),
            TokenKind::Upper(name) => {
                let mut variant = Ident { name, span: self.advance() };
                let mut class = None;
                if self.accept(TokenKind::Dot) {
                    class = Some(variant);
                    variant = self.upper("a variant")?;
                    self.old(OldForm::QualifiedPattern, start);
                }
                let fields = match self.word() {
                    TokenKind::Open => {
                        let open = self.advance();
                        if self.word() == TokenKind::Close {
                            self.old(OldForm::EmptyPattern, open);
                        }
                        Some(self.list(TokenKind::Close, "behind a pattern", Self::pattern)?)
                    }
                    // As in `Some x`: one pattern without parentheses.
                    TokenKind::Wildcard | TokenKind::Lower(_) | TokenKind::OpenBracket | TokenKind::OpenBrace => {
                        self.old(OldForm::BarePattern, self.span());
                        Some(vec![self.single_pattern()?])
                    }
                    _ => None,
                };
                Pattern::Variant { class, variant, fields }
            }
            TokenKind::OpenBracket => {
                self.advance();
                let parts = self.list(TokenKind::CloseBracket, "behind a pattern", Self::pattern)?;
                if parts.len() < 2 {
                    let span = join(start, self.last());
                    return Err(self.error(span, "patterns have no brackets", LIST_PATTERNS));
                }
                self.old(OldForm::Brackets, start);
                Pattern::Tuple(parts)
            }
            TokenKind::Open => {
                self.advance();
                let parts = self.list(TokenKind::Close, "behind a pattern", Self::pattern)?;
                if parts.is_empty() {
                    return Err(self.unexpected("a pattern between the parentheses", None));
                }
                // A single one is that of an object with one field, or only stands in parentheses.
                Pattern::Tuple(parts)
            }
            TokenKind::OpenBrace => {
                self.advance();
                Pattern::Object(self.list(TokenKind::CloseBrace, "behind a field", |parser| {
                    let field = parser.lower("the name of a field")?;
                    let pattern = match parser.accept(TokenKind::As)
                        || parser.accept_old(TokenKind::Colon, OldForm::FieldColon)
                    {
                        true => parser.pattern()?,
                        false => parser.add_pattern(Pattern::Variable(field.name), field.span),
                    };
                    Ok((field, pattern))
                })?)
            }
            _ => return Err(self.unexpected("a pattern", None)),
        };
        Ok(self.add_pattern(pattern, join(start, self.last())))
    }

    fn one_word(&mut self, pattern: Pattern) -> Pattern {
        self.advance();
        pattern
    }

    /// A number, perhaps with a sign.
    pub(super) fn signed(&mut self) -> Parsed<i32> {
        let is_negative = self.accept(TokenKind::Minus);
        let TokenKind::Int(number) = self.word() else { return Err(self.unexpected("a number", None)) };
        let span = self.advance();
        match i32::try_from(number) {
            Ok(number) => Ok(if is_negative { -number } else { number }),
            Err(_) if is_negative => Ok(i32::MIN),
            Err(_) => Err(self.error(span, "this number is too large", "an `int` is at most 2147483647")),
        }
    }
}
