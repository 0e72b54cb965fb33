//! Words and signs of other languages where a program cannot be read: what to say of them.

use crate::expressions::begins_argument;
use crate::lex::{CHOICE, NO_WITH, Name, TokenKind};
use crate::parse::{NO_CHANGE, Parsed, Parser, Skip};
use cleave_diag::{Diagnostic, Span, code};

pub const NO_LAMBDA: &str = "functions have names: `Int: Int` and then `name x = x + 1;`, outside of other functions";
pub const NO_INFIX: &str = "a constructor stands before its fields: `Link(x, rest)`";
const NO_MATCH: &str = "cases stand behind a `match`: `match value { pattern: value }`";
pub const NO_BLOCKS: &str = "there are no blocks: `let name = value in …`, and parentheses around a part";
pub const NO_FUNCTIONS: &str = "functions are no values: a type is `Int`, or the name of an `enum`";
pub const ONE_VALUE: &str =
    "a `match` looks at one value, `match a { 0: match b { … }, … }`; `let (a, b) = … in …` takes a tuple apart";
pub const TYPES_BEFORE: &str = "the types of a function stand before it: `(Int, Int): Int` and then its name";
const NO_WHERE: &str = "names are given before they are used: `let y = 1 in x + y`";
const NO_LOOPS: &str = "there are no loops: a function calls itself";

impl Parser<'_> {
    /// An equals sign where something else is wanted.
    pub fn equals(&self) -> Option<&'static str> {
        match (self.word(), self.second()) {
            (TokenKind::Equals, TokenKind::Greater) if self.follows_parameters() => Some(NO_LAMBDA),
            (TokenKind::Equals, TokenKind::Greater) => Some("the operator is `>=`"),
            (TokenKind::Equals, _) if self.follows(&[TokenKind::Divide]) => Some("the operator is `!=`"),
            (TokenKind::Equals, _) if self.follows(&[TokenKind::Plus, TokenKind::Minus, TokenKind::Times]) => {
                Some(NO_CHANGE)
            }
            // Of a `let`, whose variables end before it.
            (TokenKind::Equals, _) if matches!(self.before_word(), TokenKind::Comma | TokenKind::Open) => {
                Some("a `)` ends the variables before the `=`")
            }
            (TokenKind::Equals, _) if self.lacks_let() => Some("`let` is missing: `let name = value in body`"),
            (TokenKind::Equals, _) => Some("the operator for equality is `==`"),
            _ => None,
        }
    }

    /// Before the sign at hand stand names, alone or in parentheses, and nothing before them whose arguments they are.
    fn follows_parameters(&self) -> bool {
        use TokenKind::{Close, Comma, Equals, Lower, Open};
        let mut before = self.before().iter().rev().map(|token| token.kind);
        match before.next() {
            Some(Lower(_)) => {}
            Some(Close) => {
                let mut rest = before.by_ref().skip_while(|word| matches!(word, Lower(_) | Comma));
                if rest.next() != Some(Open) {
                    return false;
                }
            }
            _ => return false,
        }
        matches!(before.next(), Some(Equals | Comma | Open))
    }

    /// A name stands before the sign at hand, which begins its line, and `in` behind it.
    fn lacks_let(&self) -> bool {
        use TokenKind::{Close, Colon, Comma, End, In, Let, Lower, Open, OpenBrace, Semicolon};
        let is_name =
            matches!(self.before().last(), Some(token) if matches!(token.kind, Lower(_)) && token.starts_line);
        let rest = (1..).map(|count| self.ahead(count));
        // Commas may stand in parentheses of the value.
        let mut depth = 0u32;
        let mut rest = rest.take_while(|word| {
            match word {
                Open => depth += 1,
                Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            !(matches!(word, Colon | End | Let | OpenBrace | Semicolon) || *word == Comma && depth == 0)
        });
        is_name && rest.any(|word| word == In)
    }

    /// Says so if a `let` has another word in its place: its variables stand before the `=` at hand, and `in` behind.
    pub fn misspelt_let(&mut self) -> Option<Skip> {
        use TokenKind::{
            Close, Colon, Comma, End, Equals, In, Let, Lower, Open, OpenBrace, Semicolon, Upper, Wildcard,
        };
        const OTHERS: [&str; 5] = ["var", "val", "const", "def", "auto"];
        if self.word() != Equals || self.second() == TokenKind::Greater {
            return None;
        }
        let before = self.before();
        let is_binder = |kind| matches!(kind, Lower(_) | Wildcard | Comma);
        let word = match before.last()?.kind {
            Lower(_) | Wildcard => before.len().checked_sub(2)?,
            Close => {
                let inside = before.iter().rev().skip(1).take_while(|token| is_binder(token.kind)).count();
                let open = before.len().checked_sub(inside + 2).filter(|&at| before[at].kind == Open)?;
                open.checked_sub(1)?
            }
            _ => return None,
        };
        let (Lower(name) | Upper(name)) = before[word].kind else { return None };
        let text = self.names.text(name);
        let is_near = cleave_diag::nearest(text.as_bytes(), [&b"let"[..]]).is_some() && !self.is_function(name);
        let text = self.names.text(name);
        let rest = (1..).map(|count| self.ahead(count));
        let mut rest = rest.take_while(|word| !matches!(word, Colon | End | Let | OpenBrace | Semicolon));
        let is_binding = rest.any(|word| word == In);
        let place = self.before()[word].span;
        // What begins a line may be a statement of another language, which has no `in`.
        if OTHERS.contains(&text) && !is_binding && self.before()[word].starts_line {
            let help = "a name is given by `let name = value in body`";
            let diagnostic = Diagnostic::error(code::SYNTAX, format!("there is no `{text}`")).at(place, "");
            return Some(self.report(diagnostic.help(help)));
        }
        if !is_near && !OTHERS.contains(&text) || !is_binding {
            return None;
        }
        let diagnostic = Diagnostic::error(code::SYNTAX, format!("there is no `{text}`")).at(place, "");
        let diagnostic = diagnostic.help("did you mean `let`? it is written `let name = value in body`");
        Some(self.report(diagnostic.fix("write `let`", vec![(place, "let".to_string())])))
    }

    /// Says that a `match` is not closed.
    pub fn missing_brace(&mut self, place: Span, subject: Span) -> Skip {
        let diagnostic = Diagnostic::error(code::SYNTAX, "`}` is missing behind the last case");
        let diagnostic = diagnostic.at(Span { end: place.start, ..place }, "something is missing here");
        self.report(diagnostic.and(subject, "this `match` is still open"))
    }

    /// `enum` or `fip` at the beginning of a definition, which is read.
    pub fn first_word(&mut self) -> Option<TokenKind> {
        let (word, second) = (self.word(), self.second());
        let found = match word {
            TokenKind::Enum | TokenKind::Fip => word,
            TokenKind::Upper(name) => match (self.names.text(name), second) {
                (text, TokenKind::Upper(_)) if text.eq_ignore_ascii_case("enum") => TokenKind::Enum,
                (text, TokenKind::Upper(_) | TokenKind::Open) if text.eq_ignore_ascii_case("fip") => TokenKind::Fip,
                _ => return None,
            },
            // Whatever stands before the name and the `=` of a type.
            TokenKind::Lower(_) if matches!((second, self.ahead(2)), (TokenKind::Upper(_), TokenKind::Equals)) => {
                TokenKind::Enum
            }
            _ => return None,
        };
        if found != word {
            // It is clear what is meant, so that the rest can be read.
            let (place, word) = (self.span(), self.word().describe(self.names));
            let meant = if found == TokenKind::Enum { "enum" } else { "fip" };
            let message = format!("expected a definition: `enum`, or a function, found {word}");
            let diagnostic = Diagnostic::error(code::SYNTAX, message).at(place, "");
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            let Skip = self.report(diagnostic.fix(format!("write `{meant}`"), vec![(place, meant.to_string())]));
        }
        self.advance();
        Some(found)
    }

    /// A word of the language where a name is wanted.
    pub fn reserved(&self, wanted: &str) -> Option<String> {
        const NAMES: [&str; 5] =
            ["a parameter", "a pattern", "a variable or `_`", "the name of the function", "`=` before the body"];
        let word = self.word();
        let is_reserved =
            matches!(word, TokenKind::Enum | TokenKind::Fip | TokenKind::Let | TokenKind::In | TokenKind::Match);
        // Behind the body of a definition that lacks its end, the word begins the next one.
        // What stands there may as well be the body, whose `=` is missing.
        let is_body = wanted.starts_with("`=` before the body") && self.second() != TokenKind::Equals;
        let is_name = NAMES.iter().any(|name| wanted.starts_with(name)) && !self.is_unfinished() && !is_body;
        let help = || format!("{} belongs to the language: take another name", word.describe(self.names));
        (is_reserved && is_name).then(help)
    }

    /// A word with which a choice or a loop begins in other languages, before its condition. `then` and the like behind
    /// it have no messages of their own.
    pub fn foreign_head(&mut self) -> Parsed<()> {
        let TokenKind::Lower(name) = self.word() else { return Ok(()) };
        let help = match self.names.text(name) {
            "if" | "unless" => CHOICE,
            "case" | "switch" | "when" => NO_WITH,
            "for" | "while" | "loop" => NO_LOOPS,
            "do" => NO_BLOCKS,
            "fun" | "fn" | "lambda" | "function" => NO_LAMBDA,
            _ => return Ok(()),
        };
        match self.is_function(name) {
            true => Ok(()),
            false => Err(self.foreign(name, help)),
        }
    }

    fn foreign(&mut self, name: Name, help: &str) -> Skip {
        let message = format!("there is no `{}`", self.names.text(name));
        let diagnostic = Diagnostic::error(code::SYNTAX, message).at(self.span(), "").help(help);
        self.report(diagnostic)
    }

    /// What to say where an expression stands directly after another, which is no pattern.
    pub fn several(&self) -> Option<&'static str> {
        match self.word() {
            // What is missing stands in the line before.
            _ if self.starts_line(0) => None,
            TokenKind::Lower(name) if matches!(self.names.text(name), "then" | "else") => Some(CHOICE),
            TokenKind::Lower(name) if matches!(self.names.text(name), "with" | "of") => Some(NO_WITH),
            TokenKind::Open if self.before().iter().any(|it| it.kind == TokenKind::Match) && self.is_case_at(1) => {
                Some("cases stand in braces: `match value { pattern: value }`")
            }
            TokenKind::OpenBrace => self.behind_word().or(self.is_case_at(1).then_some(NO_MATCH)),
            TokenKind::Colon if self.second() == TokenKind::Colon => Some(NO_INFIX),
            TokenKind::Lower(name) if matches!(self.names.text(name), "and" | "or" | "xor") => {
                Some("there are no operators for truth values: use `match`")
            }
            TokenKind::Lower(name) if matches!(self.names.text(name), "mod" | "rem") => Some("the operator is `%`"),
            TokenKind::Lower(name) if self.names.text(name) == "div" => Some("the operator is `/`"),
            TokenKind::Lower(name) if self.names.text(name) == "where" => Some(NO_WHERE),
            TokenKind::Lower(name) if self.names.text(name) == "end" => Some(NO_BLOCKS),
            word if begins_argument(word) && self.follows_operand() => {
                Some("an operator or a comma is missing before this")
            }
            word if begins_argument(word) && self.second() != TokenKind::Colon => {
                Some("several arguments stand in parentheses, with commas: `f(a, b)`")
            }
            _ => None,
        }
    }

    /// What to say where the next name is an operator in other languages, and no function of this program.
    pub fn operator_of_words(&mut self) -> Option<&'static str> {
        let (TokenKind::Lower(name), true) = (self.second(), begins_argument(self.ahead(2))) else { return None };
        let begins_equation = matches!(self.ahead(2), TokenKind::Lower(_))
            && matches!(self.ahead(3), TokenKind::Equals | TokenKind::Lower(_) | TokenKind::Open);
        let help = match self.names.text(name) {
            "and" | "or" | "xor" => "there are no operators for truth values: use `match`",
            "mod" | "rem" => "the operator is `%`",
            "div" => "the operator is `/`",
            "where" if begins_equation => NO_WHERE,
            _ => return None,
        };
        (!self.is_function(name)).then_some(help)
    }

    /// `let mut` stands before the word at hand.
    pub fn is_behind_mut(&self) -> bool {
        matches!(self.before().last().map(|token| token.kind), Some(TokenKind::Lower(name)) if self.names.text(name) == "mut")
    }

    /// What to say of the word of another language that stands before the brace at hand, in the same expression.
    fn behind_word(&self) -> Option<&'static str> {
        let before = self.before().iter().rev();
        let mut inside = before.take_while(|token| !matches!(token.kind, TokenKind::Semicolon | TokenKind::OpenBrace));
        inside.find_map(|token| {
            let TokenKind::Lower(name) = token.kind else { return None };
            match self.names.text(name) {
                "if" | "unless" => Some(CHOICE),
                "case" | "switch" | "when" | "of" | "with" => Some(NO_WITH),
                "for" | "while" | "loop" => Some(NO_LOOPS),
                "do" => Some(NO_BLOCKS),
                _ => None,
            }
        })
    }

    /// What to say of a name with which no definition begins.
    pub fn no_definition(&self, text: &str) -> &'static str {
        const WORDS: [&[u8]; 2] = [b"enum", b"fip"];
        match (cleave_diag::nearest(text.as_bytes(), WORDS.to_vec()), self.second()) {
            (_, TokenKind::Colon) if self.is_small_type(text) => {
                "names of types begin with a capital letter: `Int`, `Bool`; the types stand alone before the name"
            }
            (_, TokenKind::Colon)
                if matches!(self.ahead(2), TokenKind::Upper(_) | TokenKind::Open | TokenKind::Colon) =>
            {
                "the types stand alone before the name: `(Int, List): List` and then `name(number, list) = …`"
            }
            (_, TokenKind::Colon) => "names of types begin with a capital letter: `Int`, `Bool`",
            (Some(b"enum"), TokenKind::Upper(_)) => "did you mean `enum`?",
            (Some(b"fip"), TokenKind::Upper(_) | TokenKind::Open) => "did you mean `fip`?",
            // What begins a line without being indented is meant to begin a definition.
            _ if matches!(self.before().last(), Some(token) if token.kind == TokenKind::Semicolon)
                && !self.begins_definition()
                && !(self.starts_line(0) && self.indent() == 0) =>
            {
                "the `;` before it ended the definition: there are no statements, `let x = … in …` gives names"
            }
            (_, TokenKind::Upper(_) | TokenKind::Open) => {
                "a function begins with its types alone, `(Int, Int): Int`; its name follows, with the parameters"
            }
            _ => TYPES_BEFORE,
        }
    }

    /// This is the name of a type but for its capital letter: one that is built in, or of an `enum`.
    fn is_small_type(&self, text: &str) -> bool {
        let is_same = |name| self.names.text(name).eq_ignore_ascii_case(text) && self.names.text(name) != text;
        let is_enum = |two: &[TokenKind]| matches!(two, [TokenKind::Enum, TokenKind::Upper(name)] if is_same(*name));
        let is_defined = || self.all().windows(2).any(|two| is_enum(&[two[0].kind, two[1].kind]));
        matches!(text, "int" | "bool") || is_defined()
    }

    /// A number stands before the word at hand that is no argument of a name before it.
    fn follows_operand(&self) -> bool {
        use TokenKind::{Int, Lower, Upper};
        let before: Vec<TokenKind> = self.before().iter().rev().take(2).map(|token| token.kind).collect();
        matches!(before[..], [Int(_), other] if !matches!(other, Lower(_) | Upper(_)))
    }

    fn before_word(&self) -> TokenKind {
        self.before().last().map_or(TokenKind::End, |token| token.kind)
    }

    /// Types with an arrow before the word at hand's own: those of a function of several parameters.
    pub fn several_arrows(&self) -> bool {
        let arrow = [TokenKind::Minus, TokenKind::Greater];
        [3, 4].iter().all(|&count| self.ahead(count) == arrow[count - 3])
    }

    /// Behind the `:` at hand, between types in parentheses, there are more types, and then another `:`.
    pub fn is_function_type(&self) -> bool {
        let is_type = |kind| matches!(kind, TokenKind::Upper(_) | TokenKind::Comma | TokenKind::Colon);
        let count = (0..).take_while(|&count| is_type(self.ahead(count))).count();
        self.ahead(count) == TokenKind::Close && self.ahead(count + 1) == TokenKind::Colon
    }

    /// One of these signs stands directly before the word at hand: in other languages they may be one sign.
    pub fn follows(&self, signs: &[TokenKind]) -> bool {
        let is_sign = self.before().last().is_some_and(|token| signs.contains(&token.kind));
        is_sign && self.last().end == self.span().start
    }

    /// `++` or `--` stands before the word at hand.
    pub fn follows_step(&self) -> bool {
        let before = self.before();
        let before = &before[before.len().saturating_sub(2)..];
        matches!(before, [a, b] if a.kind == b.kind && a.span.end == b.span.start
            && matches!(a.kind, TokenKind::Plus | TokenKind::Minus))
    }

    /// Says that there is no `++`, which stands before the word at hand.
    pub fn steps(&mut self) -> Skip {
        let last = self.last();
        let sign = if self.before_word() == TokenKind::Plus { "++" } else { "--" };
        let diagnostic = Diagnostic::error(code::SYNTAX, format!("there is no `{sign}`"));
        self.report(diagnostic.at(Span { start: last.start - 1, ..last }, "").help(NO_CHANGE))
    }

    /// The word before the one at hand ends a list in parentheses.
    pub fn follows_list(&self) -> bool {
        self.before().last().is_some_and(|token| token.kind == TokenKind::Close)
    }

    /// A sign is wanted, and the word at hand begins a line: the sign is missing in the line before.
    pub fn is_missing_before(&self, wanted: &str) -> bool {
        let is_sign = ["`in`", "`,` or", "`;` at"].iter().any(|sign| wanted.starts_with(sign));
        is_sign
            && !self.before().is_empty()
            && self.starts_line(0)
            && !matches!(self.word(), TokenKind::Semicolon | TokenKind::Colon)
    }
}
