//! What the words of samlang are, for editors that colour a text.

use cleave_diag::{FileId, Sink};
use cleave_samlang::lex::{Names, TokenKind, lex};
use cleave_strict::lexemes::{Lexeme, Lexemes};

/// Signs that only separate.
const SEPARATORS: &[&str] = &["(", ")", "{", "}", "[", "]", ",", ";", ".", ":"];

/// The words of a text in samlang.
pub fn samlang(text: &[u8]) -> Lexemes {
    let (mut names, mut comments, mut sink) = (Names::default(), Vec::new(), Sink::new());
    let tokens = lex(FileId(0), text, &mut names, Some(&mut comments), &mut sink);
    let mut found: Lexemes = tokens
        .iter()
        .filter_map(|token| {
            let range = token.span.start as usize..token.span.end as usize;
            // A string or comment without its end is one all the same.
            let lexeme = match (token.kind, &text[range.clone()]) {
                (TokenKind::Bad, [b'"', ..]) => Some(Lexeme::Str),
                (TokenKind::Bad, [b'/', b'*', ..]) => Some(Lexeme::Comment),
                (kind, _) => lexeme(kind),
            };
            Some((range, lexeme?))
        })
        .collect();
    found.extend(comments.iter().map(|span| (span.start as usize..span.end as usize, Lexeme::Comment)));
    found.sort_by_key(|(range, _)| range.start);
    found
}

fn lexeme(kind: TokenKind) -> Option<Lexeme> {
    Some(match kind {
        TokenKind::Int(_) => Lexeme::Number,
        TokenKind::Text(_) => Lexeme::Str,
        TokenKind::Upper(_) => Lexeme::Type,
        TokenKind::Lower(_) => Lexeme::Name,
        TokenKind::Reserved(_) => Lexeme::Keyword,
        TokenKind::Bad | TokenKind::End => return None,
        kind => match kind.letters()? {
            "_" => Lexeme::Name,
            letters if letters.as_bytes()[0].is_ascii_alphabetic() => Lexeme::Keyword,
            letters if SEPARATORS.contains(&letters) => return None,
            _ => Lexeme::Operator,
        },
    })
}
