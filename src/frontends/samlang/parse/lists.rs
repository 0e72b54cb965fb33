//! Lists with commas between their things, in brackets.

use super::{Parsed, Parser, Skip};
use crate::lex::TokenKind;
use crate::syntax::MAX_PARTS;
use cleave_diag::{Diagnostic, code};

impl Parser<'_> {
    /// Things with commas between them, and perhaps one after the last, up to a closing word.
    /// At most `MAX_PARTS`: they become cells, or are passed to functions.
    pub(super) fn list<T>(
        &mut self,
        close: TokenKind,
        what: &str,
        mut one: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut count = 0;
        self.long_list(close, what, |parser| {
            count += 1;
            if count > MAX_PARTS {
                let span = parser.span();
                parser.sink.report_in(span.file, || {
                    let message = format!("more than {MAX_PARTS} things beside each other");
                    Diagnostic::error(code::TOO_MUCH, message).at(span, "").help("make objects or lists of them")
                });
                return Err(Skip);
            }
            one(parser)
        })
    }

    /// The same without a limit.
    pub(super) fn long_list<T>(
        &mut self,
        close: TokenKind,
        what: &str,
        mut one: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        let open = self.last();
        while self.word() != close {
            // Nothing of the list begins so: the word that closes it is missing.
            if matches!(self.word(), TokenKind::CloseBrace | TokenKind::Semicolon | TokenKind::End) {
                return Err(self.unclosed(&format!("{} {what}", close.describe(self.names)), Some(open), None));
            }
            items.push(one(self)?);
            if self.word() != close && !self.accept(TokenKind::Comma) {
                let wanted = format!("`,` or {} {what}", close.describe(self.names));
                let is_end = matches!(
                    self.word(),
                    TokenKind::End
                        | TokenKind::Close
                        | TokenKind::CloseBrace
                        | TokenKind::CloseBracket
                        | TokenKind::OpenBrace
                        | TokenKind::Semicolon
                ) || self.begins_line();
                return Err(self.unclosed(&wanted, is_end.then_some(open), None));
            }
        }
        self.advance();
        Ok(items)
    }
}
