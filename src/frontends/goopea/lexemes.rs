//! What the words of a text are, for who colours it: also those of parts that the preprocessor leaves out.

use crate::lex::{Names, Token, TokenKind, beginning, lex};
use cleave_diag::{FileId, Sink};
use cleave_strict::lexemes::{Lexeme, Lexemes};

/// The words of a text.
pub fn lexemes(text: &[u8]) -> Lexemes {
    let mut found = Lexemes::new();
    let mut at = beginning(text);
    // Where the lines begin that are not yet read.
    let mut start = at;
    while at < text.len() {
        let length = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len() - at, |end| end + 1);
        let line = &text[at..at + length];
        if line.trim_ascii_start().starts_with(b"#") {
            part(text, start, at, &mut found);
            let hash = at + line.len() - line.trim_ascii_start().len();
            found.push((hash..hash + line.trim_ascii().len(), Lexeme::Directive));
            start = at + length;
        }
        at += length;
    }
    part(text, start, text.len(), &mut found);
    found
}

/// The words of a part, and the comments between them.
fn part(text: &[u8], start: usize, end: usize, found: &mut Lexemes) {
    let (mut names, mut tokens, mut sink) = (Names::default(), Vec::new(), Sink::new());
    lex(FileId(0), text, start, end, &mut names, &mut tokens, &mut sink);
    let mut last = start;
    for Token { kind: word, span, .. } in tokens {
        let range = span.start as usize..span.end as usize;
        comments(text, last, range.start, found);
        last = range.end;
        found.extend(lexeme(word).map(|lexeme| (range, lexeme)));
    }
    comments(text, last, end, found);
}

/// The comments in what stands between words.
fn comments(text: &[u8], mut at: usize, end: usize, found: &mut Lexemes) {
    while let Some(start) = text[at..end].iter().position(|&byte| byte == b'/').map(|start| at + start) {
        let line = &text[start..end];
        let length = line.iter().position(|&byte| byte == b'\n').unwrap_or(line.len());
        found.push((start..start + line[..length].trim_ascii_end().len(), Lexeme::Comment));
        at = start + length;
    }
}

fn lexeme(word: TokenKind) -> Option<Lexeme> {
    Some(match word {
        TokenKind::Fip | TokenKind::Match | TokenKind::Enum | TokenKind::Let | TokenKind::In => Lexeme::Keyword,
        TokenKind::Int(_) => Lexeme::Number,
        TokenKind::Upper(_) => Lexeme::Type,
        TokenKind::Lower(_) | TokenKind::Wildcard => Lexeme::Name,
        TokenKind::Open | TokenKind::Close | TokenKind::OpenBrace | TokenKind::CloseBrace => return None,
        TokenKind::Colon | TokenKind::Semicolon | TokenKind::Comma | TokenKind::Bad | TokenKind::End => return None,
        TokenKind::Equals | TokenKind::EqualTo | TokenKind::Unequal => Lexeme::Operator,
        TokenKind::Plus | TokenKind::Minus | TokenKind::Times | TokenKind::Divide | TokenKind::Modulo => {
            Lexeme::Operator
        }
        TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => Lexeme::Operator,
    })
}
