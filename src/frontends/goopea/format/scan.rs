//! Tokens with their trivia (comments, blank lines), for the formatter.

use crate::lex::{self, Names, TokenKind};
use cleave_diag::{FileId, Sink};

/// What is no word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trivia {
    /// A comment after a word on the same line.
    Behind(String),
    /// A comment on a line of its own.
    Comment(String),
    /// A line of the preprocessor.
    Line(String),
}

/// A word.
#[derive(Clone, Debug)]
pub struct TokenWithTrivia {
    pub kind: TokenKind,
    pub text: String,
    /// What stands before it, each with whether an empty line comes first.
    pub trivia: Vec<(bool, Trivia)>,
    /// An empty line stands directly before it.
    pub is_apart: bool,
    /// It begins a line.
    pub begins_line: bool,
    pub start: u32,
}

/// The words of a file; the last one is `End`. Nothing if there are characters that belong to no word.
pub fn scan(file: FileId, bytes: &[u8], sink: &mut Sink) -> Option<Vec<TokenWithTrivia>> {
    let mut pieces = Vec::new();
    let mut names = Names::default();
    let (mut trivia, mut line_breaks, mut is_behind) = (Vec::new(), 2, false);
    let mut at = lex::beginning(bytes);
    let before = sink.has_errors();
    while at < bytes.len() {
        let rest = &bytes[at..];
        // Before the line is looked at: there may be many.
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c')).count();
        if blanks > 0 {
            at += blanks;
            continue;
        }
        let line = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
        let line_text = || String::from_utf8_lossy(line).trim().to_string();
        match rest[0] {
            b'\n' => (line_breaks, is_behind, at) = (line_breaks + 1, false, at + 1),
            b'/' if rest.get(1) == Some(&b'/') => {
                let comment = line_text();
                let item = if is_behind { Trivia::Behind(comment) } else { Trivia::Comment(comment) };
                trivia.push((line_breaks > 1, item));
                (line_breaks, at) = (0, at + line.len());
            }
            b'#' if !is_behind => {
                trivia.push((line_breaks > 1, Trivia::Line(line_text())));
                (line_breaks, at) = (0, at + line.len());
            }
            _ => {
                let mut tokens = Vec::new();
                let end = at + line.len();
                let end = at + bytes[at..end].windows(2).position(|pair| pair == b"//").unwrap_or(end - at);
                lex::lex(file, bytes, at, end.max(at + 1), &mut names, &mut tokens, sink);
                for (number, token) in tokens.iter().enumerate() {
                    let text = &bytes[token.span.start as usize..token.span.end as usize];
                    pieces.push(TokenWithTrivia {
                        kind: token.kind,
                        text: String::from_utf8_lossy(text).into_owned(),
                        trivia: std::mem::take(&mut trivia),
                        is_apart: number == 0 && line_breaks > 1,
                        begins_line: number == 0 && line_breaks > 0,
                        start: token.span.start,
                    });
                }
                (line_breaks, is_behind, at) = (0, true, end.max(at + 1));
            }
        }
    }
    pieces.push(TokenWithTrivia {
        kind: TokenKind::End,
        text: String::new(),
        trivia,
        is_apart: false,
        begins_line: true,
        start: bytes.len() as u32,
    });
    (before || !sink.has_errors()).then_some(pieces)
}

/// Whether two texts say the same.
pub fn same(a: &[TokenWithTrivia], b: &[TokenWithTrivia]) -> bool {
    let comments = |piece: &TokenWithTrivia| -> Vec<String> {
        let text = |(_, item): &(bool, Trivia)| match item {
            Trivia::Behind(text) | Trivia::Comment(text) | Trivia::Line(text) => text.clone(),
        };
        piece.trivia.iter().map(text).collect()
    };
    let is_same = |(a, b): (&TokenWithTrivia, &TokenWithTrivia)| a.text == b.text && comments(a) == comments(b);
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

/// Whether what is open at an `#if` or `#ifnot` is open at its `#endif`, and nothing else.
pub fn are_regions_whole(pieces: &[TokenWithTrivia]) -> bool {
    let mut open: Vec<TokenKind> = Vec::new();
    // The name of each condition, and how much was open before it.
    let mut regions: Vec<(&str, usize)> = Vec::new();
    for piece in pieces {
        for (_, item) in &piece.trivia {
            let Trivia::Line(line) = item else { continue };
            let mut words = line.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("#if" | "#ifnot"), Some(name)) => regions.push((name, open.len())),
                (Some("#endif"), Some(name)) => {
                    if let Some(at) = regions.iter().rposition(|region| region.0 == name) {
                        if regions[at].1 != open.len() {
                            return false;
                        }
                        regions.truncate(at);
                    }
                }
                _ => {}
            }
        }
        match piece.kind {
            TokenKind::Open | TokenKind::OpenBrace => open.push(piece.kind),
            TokenKind::Close | TokenKind::CloseBrace => {
                let wanted = if piece.kind == TokenKind::Close { TokenKind::Open } else { TokenKind::OpenBrace };
                if regions.last().is_some_and(|region| region.1 >= open.len()) {
                    return false;
                }
                if open.last() == Some(&wanted) {
                    open.pop();
                }
            }
            _ => {}
        }
    }
    true
}

/// The lines of a file without blanks at their ends.
pub fn without_blanks(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_end())
}
