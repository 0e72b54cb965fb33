//! Where lines end.

use super::groups::{BracketKind, Groups};
use super::scan::{CommentPlace, TokenWithTrivia};
use crate::lex::TokenKind;

/// Width of lines of programs of 2021, and of today's.
const WIDTH_OF_2021: usize = 120;
const WIDTH: usize = 100;
const INDENT: usize = 2;
/// No line begins further to the right: a text grows with its nesting, not with the square of that.
const MOST_INDENT: usize = 80;
/// What may stand after a group on its last line: a bracket, a comma.
const SLACK: usize = 2;

/// A group that has begun.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Its last word.
    last: usize,
    /// Indentation of the line that it begins on.
    outer: usize,
    /// Indentation of what is inside; lines that go on are further in.
    base: usize,
    /// Brackets whose contents stand on lines of their own, and an `if` of which each `else` does.
    is_broken: bool,
    is_bracket: bool,
}

struct Writer<'w> {
    pieces: &'w [TokenWithTrivia],
    groups: &'w mut Groups,
    out: String,
    column: usize,
    /// Indentation of the line at hand.
    indent: usize,
    frames: Vec<Frame>,
    /// Everything before this word is on one line.
    flat: usize,
}

/// The text.
pub fn write(pieces: &[TokenWithTrivia], groups: &mut Groups) -> String {
    let mut writer = Writer { pieces, groups, out: String::new(), column: 0, indent: 0, frames: Vec::new(), flat: 0 };
    for at in 0..pieces.len() {
        writer.word(at);
    }
    let text = writer.out.trim_end();
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

impl Writer<'_> {
    fn width(&self) -> usize {
        if self.groups.is_today { WIDTH } else { WIDTH_OF_2021 }
    }

    /// What may stand after a group has its place already where lines end as they did.
    fn slack(&self) -> usize {
        if self.groups.is_today { 0 } else { SLACK }
    }

    /// Indentation of lines that go on.
    fn further(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base) + INDENT
    }

    fn word(&mut self, at: usize) {
        while self.frames.last().is_some_and(|frame| frame.last < at) {
            self.frames.pop();
        }
        let word = self.pieces[at].kind;
        // The closing bracket belongs to the group, but what is inside has ended.
        let frame = self.frames.last().copied();
        let closed = frame.filter(|frame| frame.is_bracket && frame.last == at);
        let mut line = match closed {
            _ if word == TokenKind::End => Some(0),
            Some(frame) => frame.is_broken.then_some(frame.outer),
            None => self.item(at),
        };
        let is_close = closed.is_some();
        if let Some(end) = self.groups.bodies[at].filter(|_| !is_close && at >= self.flat) {
            line = line.or(self.body(at, end));
        }
        if line.is_none() && at >= self.flat && at > 0 && !is_close && self.groups.forced[at] {
            line = Some(self.further());
        }
        if at > 0 && line.is_none() && at >= self.flat && self.may_end_line(at) && self.is_full(at) {
            line = Some(self.further());
        }
        self.put(at, line, is_close);
        self.open(at, line.is_some());
    }

    /// The indentation of a word that begins a line because of what it is.
    fn item(&self, at: usize) -> Option<usize> {
        let Some(frame) = self.frames.last() else {
            return self.groups.begins_item[at].then_some(0);
        };
        if frame.is_bracket && frame.is_broken {
            return (self.groups.begins_item[at] || self.groups.begins_part[at]).then_some(frame.base);
        }
        // An `else` belongs to the innermost `if`.
        let is_else = self.pieces[at].kind == TokenKind::Else;
        (is_else && frame.is_broken && at >= self.flat).then_some(frame.base)
    }

    /// Whether what stands behind `=` or an arrow begins a line.
    fn body(&mut self, at: usize, end: usize) -> Option<usize> {
        let pieces = self.pieces;
        if at == 0 || pieces[at].kind == TokenKind::OpenBrace {
            return None;
        }
        let width = self.column + 1 + self.groups.between(at, end);
        // Where the body has lines of its own, it begins on this one.
        let has_lines = self.groups.is_today && (at + 1..end).any(|at| self.groups.forced[at]);
        let fits = has_lines || width <= self.width() + usize::from(self.groups.is_today);
        let begins_branches = self.groups.branches[at].as_ref().is_some_and(|branches| {
            let is_all = branches.last + 1 >= end
                || matches!(pieces[branches.last + 1].kind, TokenKind::Comma | TokenKind::Semicolon);
            is_all && branches.blocks.is_empty() && (branches.is_broken || width + self.slack() > self.width())
        });
        let is_plain =
            || (at..end).all(|at| self.groups.brackets[at].is_none_or(|bracket| bracket.kind == BracketKind::List));
        if !(self.groups.forced[at] || begins_branches || !fits && is_plain()) {
            return None;
        }
        let base = self.further();
        self.frames.push(Frame { last: end - 1, outer: base, base, is_broken: false, is_bracket: false });
        Some(base)
    }

    /// Whether a line may end before a word.
    fn may_end_line(&self, at: usize) -> bool {
        let pieces = self.pieces;
        let is_link = self.groups.is_link(pieces, at) && !matches!(pieces[at - 1].kind, TokenKind::Lower(_));
        pieces[at - 1].kind == TokenKind::Comma || self.groups.is_binary(pieces, at) || is_link
    }

    /// Whether a line ends before a word at which it may end: what comes up to the next such place that is no deeper in
    /// brackets belongs together, if it fits on a line at all.
    fn is_full(&self, at: usize) -> bool {
        let pieces = self.pieces;
        let column = self.column + usize::from(self.groups.has_space(pieces, at));
        let (mut end, mut first) = (at + 1, None);
        while end + 1 < pieces.len() && self.groups.between(at, end) <= self.width() {
            let begins_lines = self.groups.brackets[end - 1].is_some_and(|bracket| bracket.kind != BracketKind::List);
            let is_out = self.groups.ends_lines[end] && self.groups.depth[end] <= self.groups.depth[at];
            let ends_unit = begins_lines || is_out || self.groups.bodies[end].is_some();
            if self.may_end_line(end) {
                if self.groups.depth[end] <= self.groups.depth[at] {
                    break;
                }
                first.get_or_insert(end);
            } else if self.groups.forced[end] || self.groups.begins_item[end] || ends_unit {
                break;
            }
            end += 1;
        }
        let width = |end: usize| self.groups.between(at, end) - usize::from(self.groups.has_space(pieces, at));
        let end = if self.further() + width(end) <= self.width() { end } else { first.unwrap_or(end) };
        column + width(end) > self.width()
    }

    /// A group begins with this word.
    fn open(&mut self, at: usize, is_first: bool) {
        let start = self.column - self.pieces[at].text.chars().count().min(self.column);
        let (slack, most, is_today) = (self.slack(), self.width(), self.groups.is_today);
        if let Some(branches) = &mut self.groups.branches[at] {
            let width = self.groups.width[branches.last + 1] - self.groups.width[at + 1];
            let is_flat = at < self.flat || !branches.is_broken && self.column + width + slack <= most;
            let last = branches.last;
            if is_flat {
                self.flat = self.flat.max(last + 1);
            } else {
                branches.is_broken = true;
                for &block in &branches.blocks {
                    if let Some(bracket) = &mut self.groups.brackets[block] {
                        bracket.is_broken = is_today || block + 1 < bracket.end;
                    }
                }
                let is_broken = branches.blocks.is_empty();
                // Where lines end for certain, what stands before need not leave room.
                if is_broken {
                    branches.elses.iter().for_each(|&at| self.groups.forced[at] = true);
                }
                let base = if is_first && start == self.indent { self.indent } else { self.indent + INDENT };
                let base = if is_broken { base } else { self.indent };
                self.frames.push(Frame { last, outer: base, base, is_broken, is_bracket: false });
            }
        }
        if let Some(bracket) = self.groups.brackets[at] {
            let width = self.groups.between(at + 1, bracket.end + 1);
            let fits = at < self.flat || self.column + width + self.slack() <= self.width();
            let is_list = bracket.kind == BracketKind::List;
            let is_broken = bracket.is_broken || !fits && !is_list && at + 1 < bracket.end;
            if !is_broken && !is_list {
                self.flat = self.flat.max(bracket.end + 1);
            }
            let outer = if bracket.kind == BracketKind::Class { 0 } else { self.indent };
            let base = if is_broken { outer + INDENT } else { outer };
            self.frames.push(Frame { last: bracket.end, outer, base, is_broken, is_bracket: true });
        }
    }

    /// Writes a word, with what stands before it.
    fn put(&mut self, at: usize, line: Option<usize>, is_close: bool) {
        let piece = &self.pieces[at];
        let is_class = self.frames.is_empty() && self.groups.begins_item[at] && piece.kind != TokenKind::Import;
        let mut is_apart = is_class && !self.out.is_empty();
        let indent = if is_close { line.unwrap_or(0) + INDENT } else { line.unwrap_or(self.further()) };
        let indent = if piece.kind == TokenKind::End { 0 } else { indent };
        // The first thing of a group is not apart.
        let is_first = at > 0
            && matches!(self.pieces[at - 1].kind, TokenKind::OpenBrace | TokenKind::Open | TokenKind::OpenBracket);
        let (mut is_new, mut count) = (false, 0);
        let ahead: Vec<&str> =
            piece.comments.iter().filter(|it| it.place == CommentPlace::Before).map(|it| it.text.as_str()).collect();
        for comment in &piece.comments {
            match comment.place {
                CommentPlace::Behind => {
                    if !self.out.is_empty() {
                        self.out.push(' ');
                    }
                    self.out.push_str(&comment.text);
                }
                CommentPlace::Alone => {
                    self.line(indent, (comment.is_apart && !(is_first && count == 0)) || is_apart);
                    self.out.push_str(&comment.text);
                    is_apart = false;
                }
                CommentPlace::Before => continue,
            }
            (is_new, count) = (true, count + 1);
        }
        if piece.kind == TokenKind::End && ahead.is_empty() {
            return;
        }
        let own = piece.is_apart && !is_close && !(is_first && count == 0);
        match line {
            Some(indent) => {
                self.line(indent, own || is_apart);
                self.indent = indent;
            }
            None if is_new => {
                let indent = self.further();
                self.line(indent, false);
                self.indent = indent;
            }
            None if at > 0 && (self.groups.has_space(self.pieces, at) || !ahead.is_empty() && !is_first) => {
                let gap = self.groups.gap(self.pieces, at).max(1);
                self.out.push_str(&" ".repeat(gap));
                self.column += gap;
            }
            None => {}
        }
        for text in ahead {
            self.out.push_str(text);
            self.out.push(' ');
            self.column += text.chars().count() + 1;
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
