//! One sign or word too few or too many: what is certain enough for a message of its own, or for an edit.

use crate::expressions::begins_argument;
use crate::lex::{NO_WITH, Name, Token, TokenKind};
use crate::parse::{Parsed, Parser, Skip};
use crate::syntax::{Id, Syntax, join};
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

    /// The word before the one at hand is a type that is not built in.
    pub fn is_of_enum(&self) -> bool {
        let before = self.before().last().map(|token| token.kind);
        matches!(before, Some(TokenKind::Upper(name)) if !matches!(self.names.text(name), "Int" | "Bool"))
    }

    /// Says that the type before the `<` at hand has no parameters.
    pub fn type_arguments(&mut self) -> Skip {
        let (start, before) = (self.span(), self.before().last().map(|token| token.kind));
        let name = if let Some(TokenKind::Upper(name)) = before { self.names.text(name) } else { "List" };
        let is_inside =
            |kind| matches!(kind, TokenKind::Upper(_) | TokenKind::Lower(_) | TokenKind::Comma | TokenKind::Less);
        let count = (0..).take_while(|&count| is_inside(self.ahead(count))).count();
        for _ in 0..count {
            self.advance();
        }
        while self.word() == TokenKind::Greater && self.second() == TokenKind::Greater {
            self.advance();
        }
        let place = if self.word() == TokenKind::Greater { join(start, self.span()) } else { start };
        self.sink.report_in(place.file, || {
            let diagnostic = Diagnostic::error(code::SYNTAX, "types have no parameters").at(place, "");
            let diagnostic = diagnostic.mistake("parameters of types");
            diagnostic.help(format!("`{name}` is written alone; for other elements there is an `enum` of its own"))
        });
        Skip
    }

    /// What was read as the last item of a list may be the pattern of the next case.
    pub fn is_pattern(&self, id: Id, place: Span) -> bool {
        let starts_line =
            || self.before().iter().rev().find(|it| it.span.start <= place.start).is_some_and(|it| it.starts_line);
        matches!(self.tree.syntax(id), Syntax::Construct(..)) || starts_line()
    }

    /// So many words ahead stands the `with` of another language, and a case.
    pub fn is_with(&mut self, count: usize) -> bool {
        let TokenKind::Lower(name) = self.ahead(count) else { return false };
        let next = self.ahead(count + 1);
        matches!(self.names.text(name), "with" | "of")
            && (begins_argument(next) || next == TokenKind::Wildcard)
            && !self.is_function(name)
    }

    /// Says of the `with` at hand how cases are written.
    pub fn cases_of_others(&mut self) -> Skip {
        let is_rest = |&count: &usize| !matches!(self.ahead(count), TokenKind::Semicolon | TokenKind::End);
        // A bar between the cases has its message, which says the same.
        if (1..).take_while(is_rest).any(|count| self.ahead(count) == TokenKind::Bad) {
            return Skip;
        }
        self.unexpected("`{` before the cases", Some(NO_WITH))
    }

    /// How many arguments or fields a name has, by the first definition of it: `Int: Int f(a, b) =`, `Link(Int, List)`.
    fn places_of(&self, name: TokenKind) -> Option<usize> {
        use TokenKind::{Close, Comma, Equals, Lower, Open, Upper};
        let kind = |at: usize| self.all().get(at).map(|token| token.kind);
        let of = |at: usize| {
            let inside = (at + 2..).map_while(|at| kind(at).filter(|&word| word != Close));
            let inside: Vec<TokenKind> =
                inside.take_while(|word| matches!(word, Comma | Lower(_) | Upper(_))).collect();
            let end = at + 2 + inside.len();
            let is_definition = match name {
                Lower(_) => kind(end + 1) == Some(Equals) && !inside.iter().any(|word| matches!(word, Upper(_))),
                _ => !inside.iter().any(|word| matches!(word, Lower(_))),
            };
            let count = inside.iter().filter(|&&word| word != Comma).count();
            (kind(end) == Some(Close) && is_definition).then_some(count)
        };
        let is_behind = |at: usize| match (name, at.checked_sub(1).and_then(kind)) {
            (Lower(_), before) => matches!(before, Some(Upper(_) | Close)),
            (_, before) => matches!(before, Some(Equals | Comma)),
        };
        let mut places = (0..self.all().len()).filter(|&at| kind(at) == Some(name) && kind(at + 1) == Some(Open));
        places.find_map(|at| of(at).filter(|_| is_behind(at)))
    }

    /// The comma at hand stands behind the first of several arguments, before which stands the name that takes them,
    /// and there are no parentheses around them: says so.
    pub fn arguments_at_comma(&mut self) -> Option<Skip> {
        if self.word() != TokenKind::Comma { None } else { self.loose_arguments(self.before().len().saturating_sub(1)) }
    }

    /// The same where the word of this number is the first argument.
    pub fn loose_arguments(&mut self, first: usize) -> Option<Skip> {
        use TokenKind::{Comma, Int, Lower, Upper};
        // Nobody looks for the definition if the message is not shown.
        if self.sink.is_full(self.span().file) {
            return None;
        }
        let all = self.all();
        let is_simple = |at: usize| all.get(at).is_some_and(|token| matches!(token.kind, Int(_) | Lower(_) | Upper(_)));
        let callee = all[first.checked_sub(1)?];
        let (Lower(name) | Upper(name)) = callee.kind else { return None };
        let wanted = self.places_of(callee.kind).filter(|&wanted| wanted > 1 && is_simple(first))?;
        let is_comma = |at: usize| all.get(at).is_some_and(|token| token.kind == Comma);
        // What stands before a colon is the pattern of the next case.
        let is_pattern = |at: usize| all.get(at + 1).is_some_and(|token| token.kind == TokenKind::Colon);
        let is_next = |&number: &usize| {
            let at = first + 2 * number;
            is_comma(at - 1) && is_simple(at) && !is_pattern(at)
        };
        let found = 1 + (1..wanted).take_while(is_next).count();
        if found < 2 {
            return None;
        }
        let text = |number: usize| all[first + 2 * number].kind.describe(self.names).trim_matches('`').to_string();
        let last = all[first + 2 * (found - 1)].span;
        // An argument may go on behind what was found.
        let is_whole = found == wanted
            && all.get(first + 2 * found - 1).is_none_or(|next| crate::expressions::operator(next.kind).is_none())
            && !is_simple(first + 2 * found - 1);
        let mut args: Vec<String> = (0..found).map(text).collect();
        if !is_whole {
            args.truncate(found - 1);
            args.push("…".into());
        }
        let (what, name) = (if let Upper(_) = callee.kind { "fields" } else { "arguments" }, self.names.text(name));
        let message = format!("the {what} of `{name}` have no parentheses around them");
        let diagnostic = Diagnostic::error(code::SYNTAX, message).at(join(callee.span, last), "");
        let help = format!("several {what} stand in parentheses: `{name}({})`", args.join(", "));
        let edits = vec![
            (Span { start: callee.span.end, end: all[first].span.start, ..callee.span }, "(".to_string()),
            (Span { start: last.end, ..last }, ")".to_string()),
        ];
        let diagnostic = diagnostic.help(help);
        Some(self.report(if is_whole { diagnostic.fix("write the parentheses", edits) } else { diagnostic }))
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

    /// What to say of a sign or a word that stands twice in a line. Of a name or a number other help comes first.
    pub fn stands_twice(&self, has_help: bool) -> Option<String> {
        use TokenKind::{Close, CloseBrace, Int, Lower, Open, OpenBrace, Upper};
        let (word, is_touching) = (self.word(), self.last().end == self.span().start);
        let is_same = self.before().last().is_some_and(|token| token.kind == word) && !self.starts_line(0);
        // Two signs that touch may be one of another language, and of brackets there may be several.
        let is_certain = match word {
            Int(_) | Lower(_) | Upper(_) => !has_help,
            Close | CloseBrace | Open | OpenBrace | TokenKind::Bad | TokenKind::End => false,
            _ => !is_touching || !has_help,
        };
        (is_same && is_certain).then(|| format!("{} stands here twice: leave one out", word.describe(self.names)))
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
            TokenKind::Semicolon
                if wanted.starts_with("`in`")
                    && !matches!(self.second(), TokenKind::End | TokenKind::Enum | TokenKind::Fip)
                    && !self.is_definition(1) =>
            {
                edit(here, " in")
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
