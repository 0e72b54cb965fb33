//! Words with what stands between them.

use crate::lex::{self, Names, Token, TokenKind};
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, Span, code};

/// A comment, by what stands on its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentPlace {
    /// A word or a comment before it, and no word after it.
    Behind,
    /// Nothing before it, and no word after it.
    Alone,
    /// A word after it.
    Before,
}

#[derive(Clone, Debug)]
pub struct Comment {
    pub place: CommentPlace,
    pub text: String,
    /// An empty line comes first.
    pub is_apart: bool,
}

/// A word.
#[derive(Clone, Debug)]
pub struct TokenWithTrivia {
    pub kind: TokenKind,
    pub text: String,
    /// What stands before it.
    pub comments: Vec<Comment>,
    /// An empty line stands directly before it.
    pub is_apart: bool,
    /// It begins a line.
    pub begins_line: bool,
    pub start: u32,
}

/// The words of a file, and the same with their comments. The last one is `End`. Nothing if there are characters that
/// belong to no word.
pub fn scan(file: FileId, sources: &SourceMap, sink: &mut Sink) -> Option<(Vec<Token>, Names, Vec<TokenWithTrivia>)> {
    let bytes = &sources.file(file).bytes;
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = "this file is no UTF-8";
        let help = "only text is formatted";
        let span = Span::new(file, 0, 0);
        sink.report_in(file, || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help));
        return None;
    };
    let mut names = Names::default();
    let mut comments = Vec::new();
    let before = sink.error_count();
    let tokens = lex::lex(file, bytes, &mut names, Some(&mut comments), sink);
    if sink.error_count() > before {
        return None;
    }
    Some((tokens.clone(), names, pieces(text, &tokens, &comments)))
}

/// Puts comments before the words that they precede.
fn pieces(text: &str, tokens: &[Token], comments: &[Span]) -> Vec<TokenWithTrivia> {
    let lines = |from: u32, to: u32| text[from as usize..to as usize].bytes().filter(|&byte| byte == b'\n').count();
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut comments = comments.iter().peekable();
    // Where the last word or comment ended; a file begins with an empty line.
    let (mut end, mut is_first) = (0, true);
    for token in tokens {
        let mut piece = TokenWithTrivia {
            kind: token.kind,
            text: text[token.span.start as usize..token.span.end as usize].to_string(),
            comments: Vec::new(),
            is_apart: false,
            begins_line: is_first,
            start: token.span.start,
        };
        while let Some(comment) = comments.next_if(|comment| comment.start < token.span.start) {
            let breaks = lines(end, comment.start);
            let is_before = token.kind != TokenKind::End
                && lines(comment.end, token.span.start) == 0
                && !text[comment.start as usize..].starts_with("//");
            let place = match (is_before, breaks > 0 || is_first) {
                (true, _) => CommentPlace::Before,
                (_, true) => CommentPlace::Alone,
                (_, false) => CommentPlace::Behind,
            };
            piece.begins_line |= breaks > 0;
            let shown = text[comment.start as usize..comment.end as usize].trim_end().replace("\r\n", "\n");
            piece.comments.push(Comment { place, text: shown, is_apart: breaks > 1 && !is_first });
            (end, is_first) = (comment.end, false);
        }
        let breaks = lines(end, token.span.start);
        piece.begins_line |= breaks > 0;
        piece.is_apart = breaks > 1 && !is_first;
        (end, is_first) = (token.span.end, false);
        pieces.push(piece);
    }
    pieces
}

/// Whether two texts say the same.
pub fn same(a: &[TokenWithTrivia], b: &[TokenWithTrivia]) -> bool {
    let comments =
        |piece: &TokenWithTrivia| -> Vec<String> { piece.comments.iter().map(|it| it.text.clone()).collect() };
    let is_same = |(a, b): (&TokenWithTrivia, &TokenWithTrivia)| a.text == b.text && comments(a) == comments(b);
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}
