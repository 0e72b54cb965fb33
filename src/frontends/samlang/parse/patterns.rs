//! Patterns.

use super::{Parsed, Parser};
use crate::lex::Word;
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
        if self.word() != Word::Bar {
            return Ok(first);
        }
        let mut choices = vec![first];
        while self.accept(Word::Bar) {
            choices.push(self.single_pattern()?);
        }
        Ok(self.add_pattern(Pattern::Or(choices), join(start, self.last())))
    }

    fn single_pattern(&mut self) -> Parsed<PatternId> {
        self.nested(Self::pattern_inside)
    }

    fn pattern_inside(&mut self) -> Parsed<PatternId> {
        let start = self.span();
        let pattern = match self.word() {
            Word::Wildcard => self.one_word(Pattern::Any),
            Word::Lower(name) => self.one_word(Pattern::Variable(name)),
            Word::True => self.one_word(Pattern::Bool(true)),
            Word::False => self.one_word(Pattern::Bool(false)),
            Word::Text(text) => self.one_word(Pattern::Text(text)),
            Word::Int(_) | Word::Minus => Pattern::Int(self.signed()?),
            Word::Upper(name) => {
                let mut tag = Ident { name, span: self.advance() };
                let mut class = None;
                if self.accept(Word::Dot) {
                    class = Some(tag);
                    tag = self.upper("a tag")?;
                }
                let fields = match self.word() {
                    Word::Open => {
                        self.advance();
                        Some(self.list(Word::Close, "behind a pattern", Self::pattern)?)
                    }
                    // As in `Some x`: one pattern without parentheses.
                    Word::Wildcard | Word::Lower(_) | Word::OpenBracket | Word::OpenBrace => {
                        Some(vec![self.single_pattern()?])
                    }
                    _ => None,
                };
                Pattern::Tag { class, tag, fields }
            }
            Word::OpenBracket => {
                self.advance();
                let parts = self.list(Word::CloseBracket, "behind a pattern", Self::pattern)?;
                if parts.len() < 2 {
                    let span = join(start, self.last());
                    return Err(self.error(
                        span,
                        "a tuple has at least two parts",
                        "write the pattern without brackets",
                    ));
                }
                Pattern::Tuple(parts)
            }
            Word::Open => {
                self.advance();
                let mut parts = self.list(Word::Close, "behind a pattern", Self::pattern)?;
                match parts.len() {
                    1 => return Ok(parts.remove(0)),
                    0 => return Err(self.unexpected("a pattern between the parentheses", None)),
                    _ => Pattern::Tuple(parts),
                }
            }
            Word::OpenBrace => {
                self.advance();
                Pattern::Object(self.list(Word::CloseBrace, "behind a field", |parser| {
                    let field = parser.lower("the name of a field")?;
                    let pattern = match parser.accept(Word::As) || parser.accept(Word::Colon) {
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
        let is_negative = self.accept(Word::Minus);
        let Word::Int(number) = self.word() else { return Err(self.unexpected("a number", None)) };
        let span = self.advance();
        match i32::try_from(number) {
            Ok(number) => Ok(if is_negative { -number } else { number }),
            Err(_) if is_negative => Ok(i32::MIN),
            Err(_) => Err(self.error(span, "this number is too large", "an `int` is at most 2147483647")),
        }
    }
}
