//! What stands before the word at hand: messages about words of other languages ask.

use super::Parser;
use super::foreign::{FOREIGN_FIRST, LAMBDA_WORDS, is_arithmetic};
use crate::lex::TokenKind;
use cleave_diag::Span;

impl Parser<'_> {
    /// The word that begins a lambda in other languages, and the value of this statement.
    pub(super) fn first_lambda_word(&self) -> Option<Span> {
        let is_end = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Equals | TokenKind::Semicolon);
        let first = self.tokens[(0..self.at).rev().find(is_end)? + 1];
        let is_word = |kind| matches!(kind, TokenKind::Lower(name) if LAMBDA_WORDS.contains(&self.names.text(name)));
        is_word(first.kind).then_some(first.span)
    }

    /// `--` stands before the word at hand.
    pub(super) fn is_behind_step(&self) -> bool {
        let before = &self.tokens[self.at.saturating_sub(2)..self.at];
        before.len() == 2 && before.iter().all(|token| token.kind == TokenKind::Minus)
    }

    /// The condition of an `if` is at hand.
    pub(super) fn is_in_condition(&self) -> bool {
        use TokenKind::{CloseBrace, Equals, If, OpenBrace, Semicolon};
        let before = self.tokens[..self.at.saturating_sub(2)].iter().rev();
        let mut kinds = before.map(|token| token.kind);
        kinds.find(|kind| matches!(kind, If | Semicolon | OpenBrace | CloseBrace | Equals)) == Some(If)
    }

    /// The word before the one at this place ends an operand.
    pub(super) fn is_operand_before(&self, at: usize) -> bool {
        use TokenKind::{Close, CloseBracket, False, Int, Lower, Text, This, True, Upper};
        let before = at.checked_sub(1).map_or(TokenKind::Bad, |before| self.tokens[before].kind);
        matches!(before, Close | CloseBracket | False | Int(_) | Lower(_) | Text(_) | This | True | Upper(_))
    }

    /// A string without an end begins later in this line, which has its message: what stands around it means nothing.
    pub(super) fn is_before_open_text(&self) -> bool {
        let starts = self.tokens[self.at..].iter().map(|token| (token.kind, token.span.start as usize));
        let from = self.last().end as usize;
        let line = self.bytes[from.min(self.span().start as usize)..].iter().position(|&byte| byte == b'\n');
        let end = line.map_or(self.bytes.len(), |line| from + line);
        let mut line = starts.take_while(|token| token.1 < end);
        line.any(|(kind, start)| kind == TokenKind::Bad && self.bytes[start] == b'"')
    }

    /// The word before the one at hand is the first of an argument.
    pub(super) fn is_first_of_argument(&self) -> bool {
        self.at > 1 && matches!(self.tokens[self.at - 2].kind, TokenKind::Open | TokenKind::Comma)
    }

    /// The place of an operator of other languages that is several words here, of which this is the second.
    pub(super) fn wide(&self, word: TokenKind) -> Option<Span> {
        let before = self.tokens[self.at.saturating_sub(1)];
        use TokenKind::{EqualTo, Equals, Greater, Less, Minus, Plus, Times, Unequal};
        let is_wide = match (before.kind, word) {
            (EqualTo | Unequal, Equals) | (Plus, Plus) | (Minus, Minus) | (Times, Times) | (Less, Greater) => true,
            (Less, Less) | (Greater, Greater) => true,
            (kind, Equals) => is_arithmetic(kind),
            _ => false,
        };
        let is_near = self.at > 0 && before.span.end == self.span().start;
        (is_wide && is_near).then(|| Span { start: before.span.start, ..self.span() })
    }

    /// `fun x`, `not x`, `f"x"`: a word of another language stands before the one at hand.
    pub(super) fn is_behind_foreign_word(&self) -> bool {
        use TokenKind::{False, Int, Lower, Open, Text, True, Upper};
        let before = self.tokens[self.at.saturating_sub(1)].kind;
        let Lower(name) = before else { return false };
        let text = self.names.text(name);
        let is_word = LAMBDA_WORDS.contains(&text) || FOREIGN_FIRST.iter().any(|known| known.0 == text);
        let is_operand = matches!(self.word(), Lower(_) | Upper(_) | Int(_) | Text(_) | True | False | Open);
        let is_near = matches!(self.word(), Text(_)) && self.last().end == self.span().start;
        !self.begins_line() && (is_word && is_operand || is_near)
    }

    /// `value[`
    pub(super) fn is_numbered(&self) -> bool {
        self.word() == TokenKind::OpenBracket && self.last().end == self.span().start
    }

    /// `new Name`
    pub(super) fn is_behind_new(&self) -> bool {
        let is_new = |kind| matches!(kind, TokenKind::Lower(name) if self.names.text(name) == "new");
        matches!(self.word(), TokenKind::Upper(_)) && is_new(self.tokens[self.at - 1].kind) && !self.begins_line()
    }

    /// The line of the word that was read last.
    pub(super) fn line_of_last(&self) -> usize {
        self.bytes[..self.last().start as usize].iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}
