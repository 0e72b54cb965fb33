//! Line breaking of the formatter: each `match` and `let` is on one line, or broken; outer ones are broken first.

use super::scan::{TokenWithTrivia, Trivia};
use crate::lex::TokenKind;
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};

const WIDTH: usize = 120;
const INDENT: usize = 4;
/// No line begins further to the right: a text grows with its nesting, not with the square of that.
const MOST_INDENT: usize = 80;

/// A `match` or `let`, by the number of its word.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// `{`, or `in`.
    middle: usize,
    /// `}`, or the word after the body.
    end: usize,
    /// It cannot be on one line.
    is_broken: bool,
}

/// What belongs together.
pub struct Groups {
    of: Vec<Option<Group>>,
    /// Width of all words before each, on one line.
    width: Vec<usize>,
    /// Parentheses and braces that are open before each word.
    depth: Vec<u32>,
}

impl Groups {
    /// Nothing if parentheses do not match.
    pub fn find(file: FileId, pieces: &[TokenWithTrivia], sink: &mut Sink) -> Option<Groups> {
        let mut of = vec![None; pieces.len()];
        // Open words, with the middle of those that have one.
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let word =
                |open: &[(usize, Option<usize>)]| open.last().map(|&(start, middle)| (pieces[start].kind, middle));
            let ends = matches!(
                piece.kind,
                TokenKind::In
                    | TokenKind::Comma
                    | TokenKind::Close
                    | TokenKind::CloseBrace
                    | TokenKind::OpenBrace
                    | TokenKind::Semicolon
                    | TokenKind::End
            );
            while ends && let Some((TokenKind::Let, Some(middle))) = word(&open) {
                let (start, _) = open.pop().expect("there is one");
                of[start] = Some(Group { middle, end: at, is_broken: false });
            }
            let fits = match piece.kind {
                TokenKind::Match | TokenKind::Let | TokenKind::Open => {
                    open.push((at, None));
                    true
                }
                TokenKind::OpenBrace | TokenKind::In => {
                    let wanted = if piece.kind == TokenKind::In { TokenKind::Let } else { TokenKind::Match };
                    let fits = word(&open) == Some((wanted, None));
                    if let Some(last) = open.last_mut() {
                        last.1 = Some(at);
                    }
                    fits
                }
                TokenKind::Close => word(&open) == Some((TokenKind::Open, None)) && open.pop().is_some(),
                TokenKind::CloseBrace => match (word(&open), open.pop()) {
                    (Some((TokenKind::Match, Some(middle))), Some((start, _))) => {
                        of[start] = Some(Group { middle, end: at, is_broken: false });
                        true
                    }
                    _ => false,
                },
                TokenKind::Semicolon | TokenKind::End => open.is_empty(),
                _ => true,
            };
            if !fits {
                let span = Span::new(file, piece.start, piece.start + piece.text.len() as u32);
                let name = if piece.kind == TokenKind::End {
                    "the end of the file".into()
                } else {
                    format!("`{}`", piece.text)
                };
                let message = format!("{name} does not fit what is open before it");
                let help = "`cleave check` says more";
                sink.report_in(file, || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help));
                return None;
            }
        }
        let mut groups = Groups { of, width: vec![0], depth: Vec::with_capacity(pieces.len()) };
        let mut depth = 0;
        for at in 0..pieces.len() {
            groups.depth.push(depth);
            match pieces[at].kind {
                TokenKind::Open | TokenKind::OpenBrace => depth += 1,
                TokenKind::Close | TokenKind::CloseBrace => depth -= 1,
                _ => {}
            }
            let gap = usize::from(at > 0 && has_space(pieces, at));
            groups.width.push(groups.width[at] + gap + pieces[at].text.chars().count());
        }
        groups.break_lines(pieces);
        Some(groups)
    }

    /// What the source breaks, what holds a comment, and what holds one of these.
    fn break_lines(&mut self, pieces: &[TokenWithTrivia]) {
        let (mut nearest, mut comment) = (usize::MAX, usize::MAX);
        for at in (0..pieces.len()).rev() {
            if let Some(group) = &mut self.of[at] {
                let last = if pieces[at].kind == TokenKind::Let { group.end - 1 } else { group.end };
                group.is_broken = pieces[group.middle + 1].begins_line || nearest <= last || comment <= last;
                if group.is_broken {
                    nearest = at;
                }
            }
            if !pieces[at].trivia.is_empty() {
                comment = at;
            }
        }
    }

    /// Width of the words from `from` up to, without, `to` on one line.
    fn between(&self, from: usize, to: usize) -> usize {
        self.width[to] - self.width[from]
    }
}

/// Whether a word is an operator that has an operand before it.
fn is_binary(pieces: &[TokenWithTrivia], at: usize) -> bool {
    use TokenKind::*;
    let is_operator = matches!(
        pieces[at].kind,
        Plus | Minus | Times | Divide | Modulo | Less | LessEqual | Greater | GreaterEqual | EqualTo | Unequal
    );
    is_operator && at > 0 && matches!(pieces[at - 1].kind, Close | CloseBrace | Int(_) | Upper(_) | Lower(_))
}

/// Whether a space stands before a word.
fn has_space(pieces: &[TokenWithTrivia], at: usize) -> bool {
    use TokenKind::*;
    let (before, word) = (pieces[at - 1].kind, pieces[at].kind);
    let is_sign = |at: usize| matches!(pieces[at].kind, Plus | Minus) && !is_binary(pieces, at);
    match (before, word) {
        (_, Comma | Semicolon | Colon | Close) | (Open, _) => false,
        (Lower(_) | Upper(_), Open) => false,
        _ => !is_sign(at - 1),
    }
}

/// A broken group that has begun.
#[derive(Clone, Copy)]
struct Open {
    /// `{`, or `in`.
    middle: usize,
    /// The word that ends it.
    end: usize,
    /// Indentation of the line that it begins on, and inside; of a `let` they are the same.
    outer: usize,
    inner: usize,
}

/// Where words go.
struct Writer<'w> {
    pieces: &'w [TokenWithTrivia],
    groups: &'w Groups,
    out: String,
    column: usize,
    /// Of the line at hand.
    indent: usize,
    /// Broken groups.
    open: Vec<Open>,
    /// Everything before this word is on one line.
    flat: usize,
}

/// The text.
pub fn write(pieces: &[TokenWithTrivia], groups: &Groups) -> String {
    let open = Vec::new();
    let mut writer = Writer { pieces, groups, out: String::new(), column: 0, indent: 0, open, flat: 0 };
    let mut start = 0;
    let mut was_function = false;
    while start < pieces.len() {
        let length =
            pieces[start..].iter().position(|piece| matches!(piece.kind, TokenKind::Semicolon | TokenKind::End));
        let end = start + length.unwrap_or(pieces.len() - 1 - start);
        was_function = writer.definition(start, end, was_function);
        start = end + 1;
    }
    let text = writer.out.trim_end();
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

impl Writer<'_> {
    /// Writes a definition; true if it is a function.
    fn definition(&mut self, start: usize, end: usize, was_function: bool) -> bool {
        let pieces = self.pieces;
        let is_enum = pieces[start].kind == TokenKind::Enum;
        let is_function = !is_enum && pieces[start].kind != TokenKind::End;
        let equals = (start..end).find(|&at| pieces[at].kind == TokenKind::Equals);
        // The name of a function is the last word before its parameters.
        let name = (start..equals.unwrap_or(start)).find(|&at| matches!(pieces[at].kind, TokenKind::Lower(_)));
        let has_comments = (start + 1..=end).any(|at| !pieces[at].trivia.is_empty());
        let is_list = is_enum && equals.is_some_and(|at| pieces[at + 1].begins_line || has_comments);
        let is_apart = (is_function || was_function) && pieces[start].trivia.is_empty() && start > 0;
        let mut depth = 0_usize;
        for at in start..=end {
            let mut line = match at {
                _ if at == start => Some(0),
                _ if Some(at) == name && is_function => Some(0),
                _ if is_list
                    && depth == 0
                    && (at == equals.unwrap_or(at) + 1 || pieces[at - 1].kind == TokenKind::Comma) =>
                {
                    Some(INDENT)
                }
                _ => None,
            };
            match pieces[at].kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            line = line.or_else(|| self.line_for(at));
            self.piece(
                at,
                line,
                is_apart && at == start && is_function | was_function && pieces[at].kind != TokenKind::End,
            );
        }
        is_function
    }

    /// The indentation of a word that a broken group puts on a line of its own.
    fn line_for(&mut self, at: usize) -> Option<usize> {
        let pieces = self.pieces;
        let mut line = None;
        while let Some(&Open { middle, end, outer, inner }) = self.open.last()
            && at <= end
        {
            let before = pieces[at - 1].kind;
            if at == end {
                self.open.pop();
                if pieces[at].kind == TokenKind::CloseBrace && inner > outer {
                    return Some(outer);
                }
                continue;
            }
            let is_first = matches!(before, TokenKind::OpenBrace | TokenKind::Comma)
                && at > middle
                && self.is_directly_in(at, end);
            if is_first && inner > outer {
                line = Some(inner);
            }
            break;
        }
        if at < self.flat {
            return line;
        }
        // The body of a broken `let`.
        let body = self.open.last().filter(|open| open.outer == open.inner && open.middle + 1 == at);
        let body = body.map(|open| open.outer);
        line = line.or(body);
        if let Some(group) = self.groups.of[at] {
            let is_let = pieces[at].kind == TokenKind::Let;
            let to = if is_let { group.end } else { group.end + 1 };
            let column = line.unwrap_or(self.column + 1);
            // One after the other: all are broken, or none.
            let is_next = is_let && body.is_some();
            // A closing parenthesis, a comma or the like may follow.
            if !group.is_broken && !is_next && column + self.groups.between(at, to) + 2 <= WIDTH {
                self.flat = to;
            } else if is_let {
                let own = body.unwrap_or(line.unwrap_or(self.indent) + INDENT);
                self.open.push(Open { middle: group.middle, end: group.end, outer: own, inner: own });
                return Some(own);
            } else {
                let outer = line.unwrap_or(self.indent);
                self.open.push(Open { middle: group.middle, end: group.end, outer, inner: outer + INDENT });
            }
        }
        line
    }

    /// Whether no parenthesis is open between a word and the group around it.
    fn is_directly_in(&self, at: usize, end: usize) -> bool {
        self.groups.depth[at] == self.groups.depth[end]
    }

    /// Writes a word, with what stands before it.
    fn piece(&mut self, at: usize, line: Option<usize>, is_apart: bool) {
        let piece = &self.pieces[at];
        let further = self.indent + INDENT;
        let is_close = piece.kind == TokenKind::CloseBrace && line.is_some();
        let comments = if is_close { line.unwrap_or(0) + INDENT } else { line.unwrap_or(further) };
        let mut is_new = false;
        for (is_apart, item) in &piece.trivia {
            let (text, indent) = match item {
                Trivia::Behind(text) => {
                    if !self.out.is_empty() {
                        self.out.push(' ');
                    }
                    self.out.push_str(text);
                    is_new = true;
                    continue;
                }
                Trivia::Comment(text) => (text, comments),
                Trivia::Line(text) => (text, 0),
            };
            self.line(indent, *is_apart);
            self.out.push_str(text);
            is_new = true;
        }
        if piece.kind == TokenKind::End {
            return;
        }
        let space = usize::from(at > 0 && has_space(self.pieces, at));
        // A word and the comma or parenthesis after it stay together, and so do an operator and the word after it.
        let is_operator = is_binary(self.pieces, at);
        let operand = if is_operator { 1 + self.pieces[at + 1].text.chars().count() } else { 0 };
        let width = piece.text.chars().count() + operand + 2;
        let may_break = at > 0 && (self.pieces[at - 1].kind == TokenKind::Comma || is_operator);
        let is_long = at >= self.flat && may_break && self.column + space + width > WIDTH;
        match line {
            Some(indent) => {
                let is_first = at > 0 && self.pieces[at - 1].kind == TokenKind::OpenBrace;
                self.line(indent, is_apart || piece.is_apart && !is_close && !is_first);
                self.indent = indent;
            }
            None if is_new || is_long => self.line(further, false),
            None => {
                if space > 0 {
                    self.out.push(' ');
                }
                self.column += space;
            }
        }
        self.out.push_str(&piece.text);
        self.column += piece.text.chars().count();
    }

    /// Begins a line, perhaps after an empty one.
    fn line(&mut self, indent: usize, is_apart: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if is_apart {
                self.out.push('\n');
            }
        }
        let indent = indent.min(MOST_INDENT);
        self.out.push_str(&" ".repeat(indent));
        self.column = indent;
    }
}
