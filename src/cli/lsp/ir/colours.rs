//! What the words of IR are, for who colours it.

use super::read::{SymbolKind, is_numbered, is_sigil, is_word, split};
use crate::cli::lsp::listing::lines;
use crate::cli::lsp::palette::{Colour, Colours};
use cleave_ir::types::Type;

/// The words of a text, and its comments.
pub fn colours(text: &str) -> Colours {
    let mut found = Colours::new();
    let bytes = text.as_bytes();
    for line in lines(text) {
        let (tokens, end) = split(text, line.clone());
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let mut range = token.range();
            // A sign and the digits after it, and an exponent with its sign, are one number.
            let is_sign = matches!(token.text, "-" | "+") && bytes.get(range.end).is_some_and(|byte| is_word(*byte));
            let is_number = is_sign || token.text.starts_with(|first: char| first.is_ascii_digit());
            while is_number
                && let Some(next) = tokens.peek()
                && next.at == range.end
                && (next.sort == SymbolKind::Word || matches!(next.text, "-" | "+") && bytes[range.end - 1] == b'e')
            {
                range.end = next.range().end;
                tokens.next();
            }
            let colour = match token.text.as_bytes() {
                _ if is_number => Colour::Number,
                [b'@', ..] if token.sort == SymbolKind::Name => Colour::Function,
                [b'$', ..] if token.sort == SymbolKind::Name => Colour::Type,
                [first, ..] if token.sort == SymbolKind::Name && is_sigil(*first) => Colour::Variable,
                [b'"', ..] => Colour::Text,
                b"=" => Colour::Operator,
                b"-" if tokens.peek().is_some_and(|next| next.text == ">" && next.at == range.end) => {
                    range.end += 1;
                    tokens.next();
                    Colour::Operator
                }
                _ if token.sort != SymbolKind::Word => continue,
                _ if is_numbered(token.text, "block") => Colour::Label,
                _ if ["v", "s", "static"].iter().any(|letters| is_numbered(token.text, letters)) => Colour::Variable,
                _ if Type::from_name(token.text).is_some() => Colour::Type,
                _ => Colour::Keyword,
            };
            found.push((range, colour));
        }
        if end < line.end {
            found.push((end..line.end, Colour::Comment));
        }
    }
    found
}
