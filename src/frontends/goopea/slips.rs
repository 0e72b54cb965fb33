//! One sign or word too few or too many: what is certain enough for a message of its own, or for an edit.

use crate::lex::{Name, Token, TokenKind};
use crate::parse::{Parsed, Parser, Skip};
use cleave_diag::{Diagnostic, Span, code};

impl Parser<'_> {
    /// `Name = …` begins these words, perhaps behind another one.
    pub fn is_type_without_word(words: &[Token]) -> bool {
        use TokenKind::{Equals, Lower, Upper};
        let kinds: Vec<TokenKind> = words.iter().take(3).map(|token| token.kind).collect();
        matches!(kinds[..], [Upper(_), Equals, ..] | [Lower(_), Upper(_), Equals])
    }

    /// A type whose `enum` is missing; it is read all the same.
    pub fn enum_without_word(&mut self, name: Name) -> Parsed<()> {
        let (place, messages) = (self.span(), self.sink.diagnostics().len());
        let is_read = self.enumeration();
        // What it has besides is perhaps of another language, too.
        self.sink.withdraw(messages);
        // What cannot be read has its message.
        if is_read.is_err() && self.word() == TokenKind::Bad {
            return is_read;
        }
        let text = self.names.text(name);
        self.sink.report_in(place.file, || {
            let message = format!("`enum` is missing before the type `{text}`");
            let diagnostic = Diagnostic::error(code::SYNTAX, message).at(place, "");
            let diagnostic = diagnostic.help(format!("a type is written `enum {text} = One, Other(Int, {text});`"));
            match is_read {
                Ok(()) => {
                    diagnostic.fix("write `enum`", vec![(Span { end: place.start, ..place }, "enum ".to_string())])
                }
                Err(Skip) => diagnostic,
            }
        });
        is_read
    }

    /// A semicolon is at hand, and behind it on the same line what no definition begins with, but a constructor does.
    pub fn is_constructor_behind(&self) -> bool {
        self.word() == TokenKind::Semicolon
            && matches!(self.second(), TokenKind::Upper(_))
            && !self.starts_line(1)
            && matches!(self.ahead(2), TokenKind::Open | TokenKind::Comma | TokenKind::Semicolon | TokenKind::Upper(_))
    }

    /// Says that a comma should stand in place of the semicolon at hand, and goes on.
    pub fn semicolon_for_comma(&mut self) {
        let place = self.advance();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "a `;` stands between constructors").at(place, "");
            let diagnostic = diagnostic.help("constructors have commas between them");
            diagnostic.fix("write `,`", vec![(place, ",".to_string())]).mistake("semicolons between constructors")
        });
    }

    /// Says that the bracket at hand closes nothing.
    pub fn closes_nothing(&mut self) -> Skip {
        let (place, word) = (self.span(), self.word().describe(self.names));
        let is_last = self.second() == TokenKind::Semicolon && !self.before().is_empty();
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, format!("this {word} closes nothing")).at(place, "");
            let diagnostic = diagnostic.help("leave it out, or write what it should close");
            match is_last {
                true => diagnostic.fix("leave it out", vec![(place, String::new())]),
                false => diagnostic,
            }
        });
        Skip
    }

    /// The edit that mends what is certainly one sign too few, or another sign than is meant.
    pub fn fix(&self, wanted: &str, is_unfinished: bool) -> Option<(String, (Span, String))> {
        let (last, here) = (self.last(), self.span());
        let edit = |place: Span, text: &str| Some((format!("write `{text}`"), (place, text.to_string())));
        match self.word() {
            _ if is_unfinished && wanted.starts_with("`;`") => edit(Span { start: last.end, ..last }, ";"),
            _ if is_unfinished && wanted.starts_with("`,` or `}`") && self.is_case_at(0) => {
                edit(Span { start: last.end, ..last }, ",")
            }
            TokenKind::Semicolon
                if wanted.starts_with("`,` or `}`") && self.is_case_at(1) && !self.is_definition(1) =>
            {
                edit(here, ",")
            }
            TokenKind::Match | TokenKind::Let if wanted.starts_with("`=` before the body") => {
                Some(("write `=`".to_string(), (Span { end: here.start, ..here }, "= ".to_string())))
            }
            TokenKind::Wildcard if wanted == "a pattern" && self.second() == TokenKind::Colon => edit(here, "_other"),
            TokenKind::Equals if self.second() == TokenKind::Greater => None,
            TokenKind::Equals if wanted.starts_with("`{` before") => edit(here, "=="),
            _ => None,
        }
    }
}
