//! What begins at the word at hand, known by what follows.

use super::Parser;
use crate::lex::TokenKind;

impl Parser<'_> {
    /// An arrow stands after these parentheses, and only names, perhaps with types, between them.
    pub(super) fn is_lambda(&self) -> bool {
        let is_foreign = || {
            let end = self.closing[self.at] as usize;
            end > 0
                && self.tokens[end + 1].span.end == self.tokens[end + 2].span.start
                && self.tokens[end + 2].kind == TokenKind::Greater
        };
        // The arrow of other languages is meant in the same way.
        self.holds_params()
            && match self.behind_brackets() {
                TokenKind::Arrow => true,
                TokenKind::Equals => is_foreign(),
                _ => false,
            }
    }

    /// Parentheses with nothing in them, or with what begins as parameters.
    pub(super) fn holds_params(&self) -> bool {
        match (self.ahead(1), self.ahead(2)) {
            (TokenKind::Close, _) => true,
            (TokenKind::Lower(_) | TokenKind::Wildcard, next) => {
                matches!(next, TokenKind::Close | TokenKind::Comma | TokenKind::Colon)
            }
            _ => false,
        }
    }

    /// The same with the type of the result behind them, as other languages have it.
    pub(super) fn is_lambda_with_result(&self) -> bool {
        self.holds_params() && self.behind_brackets() == TokenKind::Colon
    }

    /// Nothing stands behind the word at hand in its line.
    pub(super) fn ends_line(&self) -> bool {
        let next = self.tokens[(self.at + 1).min(self.tokens.len() - 1)].span.start;
        self.bytes[self.span().end as usize..next as usize].contains(&b'\n') || self.ahead(1) == TokenKind::End
    }

    /// `Class::name`, without blanks.
    pub(super) fn is_path(&self) -> bool {
        let next = self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
        self.word() == TokenKind::Concat
            && self.last().end == self.span().start
            && self.span().end == next.span.start
            && matches!(next.kind, TokenKind::Upper(_) | TokenKind::Lower(_))
    }

    /// `Class { name: …` and `Class { name, …`
    pub(super) fn is_object_behind_class(&self) -> bool {
        self.word() == TokenKind::OpenBrace
            && matches!(self.ahead(1), TokenKind::Lower(_))
            && matches!(self.ahead(2), TokenKind::Colon | TokenKind::Comma)
    }

    /// `{ name }`, `{ name, …` and `{ name: …` are objects.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.ahead(1), TokenKind::Lower(_))
            && matches!(self.ahead(2), TokenKind::Colon | TokenKind::Comma | TokenKind::CloseBrace)
            && self.ahead(3) != TokenKind::Equals
    }
}
