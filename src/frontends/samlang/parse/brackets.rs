//! Brackets that do not fit: which one is to blame. One that closes too early sets free what stands behind it; one that
//! is missing is known by how the lines begin.

use super::foreign::{BEHIND_OPERANDS, TYPE_ENDS};
use super::{Parsed, Parser, Skip};
use crate::dialect::OldForm;
use crate::lex::TokenKind;
use cleave_diag::{Diagnostic, Span, code};

impl Parser<'_> {
    /// A bracket that closes nothing: at hand, or further on if a comma is, which something before has set free.
    pub(super) fn stray(&self, wanted: &str) -> Option<Span> {
        use TokenKind::{Close, CloseBracket, Comma};
        if !matches!(self.word(), Close | CloseBracket | Comma) || matches!(wanted, "an expression" | "a pattern") {
            return None;
        }
        self.stray_ahead()
    }

    /// The next bracket of this statement or case that closes nothing.
    fn stray_ahead(&self) -> Option<Span> {
        use TokenKind::{Arrow, Close, CloseBrace, CloseBracket, OpenBrace, Semicolon};
        let is_end = |kind| matches!(kind, Semicolon | OpenBrace | CloseBrace | Arrow);
        let rest = (self.at..self.tokens.len()).take_while(|&at| !is_end(self.tokens[at].kind));
        let is_stray =
            |&at: &usize| matches!(self.tokens[at].kind, Close | CloseBracket) && !self.closing.contains(&(at as u32));
        rest.filter(is_stray).map(|at| self.tokens[at].span).next()
    }

    /// Says that the bracket before a comma closes what goes on behind it, for then another one closes nothing. The
    /// comma is the word at this place.
    pub(super) fn early(&mut self, comma: usize) -> Option<Skip> {
        let last = self.tokens[comma.checked_sub(1)?];
        let is_early = self.tokens[comma].kind == TokenKind::Comma && last.kind == TokenKind::Close;
        if !is_early {
            return None;
        }
        let stray = self.stray_ahead()?;
        self.sink.report_in(last.span.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "this `)` closes too early").at(last.span, "");
            let diagnostic = diagnostic.and(stray, "so that this `)` closes nothing");
            diagnostic.help("leave it out, or write the `(` that is missing")
        });
        Some(Skip)
    }

    /// How far the line of a word is indented.
    fn indent(&self, at: usize) -> usize {
        let start = self.tokens[at].span.start as usize;
        let line = self.bytes[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.bytes[line..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// What closes a brace stands further left than the line that opened it: it was meant for another one.
    pub(super) fn is_misclosed(&self, brace: usize) -> bool {
        match self.closing[brace] as usize {
            0 => true,
            end => {
                let between = &self.bytes[self.tokens[end - 1].span.end as usize..self.tokens[end].span.start as usize];
                between.contains(&b'\n') && self.indent(end) < self.indent(brace)
            }
        }
    }

    /// The first brace behind this one that is closed by what was meant for another one.
    pub(super) fn misclosed_since(&self, brace: usize) -> Option<usize> {
        let mut braces = (brace + 1..self.at).filter(|&at| self.tokens[at].kind == TokenKind::OpenBrace);
        braces.find(|&at| self.is_misclosed(at))
    }

    /// A parenthesis of the statement at hand is not closed.
    pub(super) fn is_in_open(&self) -> bool {
        use TokenKind::{CloseBrace, Open, OpenBrace, Semicolon};
        let before =
            (0..self.at).rev().take_while(|&at| !matches!(self.tokens[at].kind, Semicolon | OpenBrace | CloseBrace));
        before.into_iter().any(|at| self.tokens[at].kind == Open && self.closing[at] == 0)
    }

    /// Says of a `;` behind a class that it is too many, and leaves it out. Where a member stands behind it, so is the
    /// brace.
    pub(super) fn semicolon_behind_class(&mut self) -> Parsed<bool> {
        use TokenKind::{CloseBrace, Function, Method, Private, Semicolon};
        if self.word() != Semicolon || self.at == 0 || self.tokens[self.at - 1].kind != CloseBrace {
            return Ok(false);
        }
        let (brace, place) = (self.last(), self.advance());
        let is_member = match (self.word(), self.ahead(1)) {
            (Private, next) | (next, _) => matches!(next, Function | Method),
        };
        let place = if is_member { Span { start: brace.start, ..place } } else { place };
        self.sink.report_in(place.file, || {
            let message = match is_member {
                true => "a `}` too many, with a `;` behind it: it closes the class",
                false => "no `;` stands behind a class",
            };
            let diagnostic = Diagnostic::error(code::SYNTAX, message).at(place, "");
            diagnostic.help("leave it out").fix("leave it out", vec![(place, String::new())])
        });
        if is_member { Err(Skip) } else { Ok(true) }
    }

    /// Says of the `}` at hand that it closes nothing. Where two stood in one word before, and a `;` behind them, the
    /// second one of these was too many.
    pub(super) fn stray_brace(&mut self) -> Skip {
        match self.glued_brace() {
            Some(skip) => skip,
            None => {
                let help = "nothing is open that this would close: leave it out";
                self.unexpected("`class` or `interface`", Some(help))
            }
        }
    }

    /// Says of the second of two braces in one word in the class before, with a `;` behind them, that it is too many:
    /// so the word at hand stands in no class.
    pub(super) fn glued_brace(&mut self) -> Option<Skip> {
        let class = self.tokens[self.brace].span.start;
        let is_glued = |place: Span| place.start > class && self.bytes[..place.start as usize].ends_with(b"}}");
        let last = self.old.iter().rposition(|&(form, place)| form == OldForm::MemberSemicolon && is_glued(place))?;
        let semicolon = self.old.remove(last).1;
        let place = Span { start: semicolon.start - 1, end: semicolon.start, ..semicolon };
        let stray = self.span();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "a `}` too many, with a `;` behind it").at(place, "");
            let diagnostic = diagnostic.and(stray, "so that this stands in no class");
            let edit = (Span { end: semicolon.end, ..place }, String::new());
            diagnostic.help("leave out `};`").fix("leave it out", vec![edit])
        });
        Some(Skip)
    }

    /// Says which brace of the class at hand, whose own is missing, is not closed.
    pub(super) fn misclosed(&mut self) -> Option<Skip> {
        let brace = self.misclosed_since(self.brace)?;
        let (open, end) = (self.tokens[brace].span, self.closing[brace] as usize);
        let end = if end == 0 { self.last() } else { self.tokens[end].span };
        self.sink.report_in(open.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "a `}` is missing before this one").at(end, "");
            diagnostic.and(open, "this is still open")
        });
        Some(Skip)
    }

    /// Says that the brace of a branch is missing before the `else` at hand.
    pub(super) fn brace_before_else(&mut self, open: Span) -> Skip {
        let place = self.span();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "a `}` is missing before this `else`").at(place, "");
            let diagnostic = diagnostic.and(open, "this is still open");
            diagnostic.fix("write `}`", vec![(Span { end: place.start, ..place }, "} ".to_string())])
        });
        Skip
    }

    /// Says that the `}` at hand is one too many, and leaves it out.
    pub(super) fn brace_too_many(&mut self) {
        let place = self.advance();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "a `}` too many stands before `else`").at(place, "");
            diagnostic.fix("leave it out", vec![(place, String::new())]).help("leave it out")
        });
    }

    /// Says so if parameters of a lambda with types have no `)` behind them, or type arguments no `<` before them.
    pub(super) fn half_open(&mut self, wanted: &str) -> Option<Skip> {
        use TokenKind::{Arrow, Close, Colon, Comma, Dot, Greater, Less, Lower, Open};
        let behind = |count: usize| self.at.checked_sub(count).map(|at| self.tokens[at]);
        if self.word() == Colon && matches!((behind(1)?.kind, behind(2)?.kind), (Lower(_), Open | Comma)) {
            let ends = |kind: TokenKind| {
                matches!(kind, Close | TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace)
            };
            let mut rest = (self.at..self.tokens.len()).take_while(|&at| !ends(self.tokens[at].kind));
            let last = self.tokens[rest.find(|&at| self.tokens[at].kind == Arrow)? - 1].span;
            let place = Span { start: last.end, ..last };
            self.sink.report_in(place.file, || {
                let diagnostic = Diagnostic::error(code::SYNTAX, "a `)` is missing behind the parameters of a lambda");
                let diagnostic = diagnostic.at(place, "").help("they are written `(x: int) -> x + 1`");
                diagnostic.fix("write `)`", vec![(place, ")".to_string())])
            });
            return Some(Skip);
        }
        let is_type = wanted == "a type" || TYPE_ENDS.iter().any(|end| wanted.ends_with(end));
        let is_operand = BEHIND_OPERANDS.iter().any(|end| wanted.ends_with(end));
        if let (Greater, Greater | TokenKind::Upper(_)) = (self.word(), behind(1)?.kind)
            && !is_operand
        {
            let help = "type arguments stand in `<` and `>`: `List<int>`";
            return Some(self.error(self.span(), "this `>` closes nothing", help));
        }
        // `Class.name<int, small>()`
        let is_argument = |count: usize| {
            let is_before = matches!(
                (behind(count)?.kind, behind(count + 1)?.kind, behind(count + 2)?.kind),
                (Less, Lower(_), Dot)
            );
            is_before.then_some(())
        };
        let small = match (self.word(), self.ahead(1), self.ahead(2), self.ahead(3)) {
            (Comma, Lower(_), Greater, Open) if is_argument(2).is_some() => Some(self.at + 1),
            _ if matches!((behind(1)?.kind, behind(2)?.kind, behind(3)?.kind), (Close, Open, Greater))
                && is_argument(5).is_some()
                && matches!(behind(4)?.kind, Lower(_)) =>
            {
                Some(self.at - 4)
            }
            _ => None,
        };
        if let Some(small) = small.filter(|_| !is_type) {
            let span = self.tokens[small].span;
            // What stands before it is no value.
            let from = self.tokens[small.saturating_sub(2)].span.start;
            self.old.retain(|old| old.1.start < from);
            let message = format!("there is no type `{}`", self.text_at(span));
            return Some(self.error(
                span,
                &message,
                "names of types begin with a capital letter, but for `int`, `bool`, `unit`",
            ));
        }
        // `Class.name>()`
        let is_half = matches!(
            (behind(5)?.kind, behind(4)?.kind, behind(3)?.kind, behind(2)?.kind, behind(1)?.kind),
            (Dot, Lower(_), Greater, Open, Close)
        );
        is_half.then(|| {
            let place = self.tokens[self.at - 3].span;
            self.error(place, "this `>` closes nothing", "type arguments stand in `<` and `>`: `Class.make<int>()`")
        })
    }
}
