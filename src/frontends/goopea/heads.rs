//! The head of a function: its types, its name, its parameters. And what other languages write there.

use crate::foreign::TYPES_BEFORE;
use crate::lex::TokenKind;
use crate::parse::{COMMENT, NO_PATTERN, NO_WILDCARD, Parsed, Parser, Skip};
use crate::syntax::{Function, TypeName, join};
use cleave_diag::{Diagnostic, Span, code};

/// Where in a head something stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Head {
    Types,
    /// Of a function with parameters, by its types.
    Name,
    /// Of one without.
    Value,
}

/// Words before the name of a function in other languages.
const WORDS: [&str; 16] = [
    "fun", "fn", "func", "function", "def", "define", "val", "var", "const", "sub", "proc", "public", "private",
    "static", "rec", "export",
];

/// Types as they are written: one alone, several in parentheses.
fn list(names: &[&str]) -> String {
    match names {
        [one] => one.to_string(),
        names => format!("({})", names.join(", ")),
    }
}

impl Parser<'_> {
    fn shown(&self, types: &[TypeName]) -> String {
        let names: Vec<&str> = types.iter().map(|ty| self.names.text(ty.name)).collect();
        list(&names)
    }

    /// In other languages this word stands before the name of a function.
    pub fn is_foreign_word(&self, word: TokenKind) -> bool {
        matches!(word, TokenKind::Lower(name) if WORDS.contains(&self.names.text(name)))
    }

    /// So many words of other languages that announce a function are at hand.
    fn foreign_words(&self) -> usize {
        let is_foreign =
            |&count: &usize| self.ahead(count) == TokenKind::Let || self.is_foreign_word(self.ahead(count));
        (0..).take_while(is_foreign).count()
    }

    /// The text of the next words, so many.
    fn next_words(&self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|at| self.ahead(at).describe(self.names)).collect();
        words.iter().map(|word| word.trim_matches('`')).collect::<Vec<_>>().join(" ")
    }

    /// Says so of words of other languages that announce a function, and leaves them out.
    fn foreign_word(&mut self, head: Head) {
        let count = self.foreign_words();
        let (next, behind) = (self.ahead(count), self.ahead(count + 1));
        let is_it = match head {
            Head::Types => self.has_types(count) && !matches!(next, TokenKind::Enum | TokenKind::Fip),
            // `fun x = …` defines `fun`, if there is a type for `x`.
            Head::Name => {
                matches!(next, TokenKind::Lower(_)) && (behind != TokenKind::Equals || self.word() == TokenKind::Let)
            }
            Head::Value => matches!(next, TokenKind::Lower(_)),
        };
        if count == 0 || !is_it {
            return;
        }
        let (words, start) = (self.next_words(count), self.span());
        for _ in 0..count {
            self.advance();
        }
        let what = if head == Head::Types { "types" } else { "name" };
        let (place, end) = (join(start, self.last()), self.span().start);
        let diagnostic = Diagnostic::error(code::SYNTAX, format!("a function has no `{words}` before its {what}"));
        let diagnostic = diagnostic.at(place, "").help("leave it out").mistake(format!("{words} before the {what}"));
        let edit = if end > start.start { Span { end, ..start } } else { place };
        let Skip = self.report(diagnostic.fix("leave it out", vec![(edit, String::new())]));
    }

    /// Such words are at hand, and then a name, with no types before it.
    fn is_head_without_types(&self) -> bool {
        let count = self.foreign_words();
        let (name, behind) = (self.ahead(count), self.ahead(count + 1));
        let has_parameters = matches!(behind, TokenKind::Lower(_) | TokenKind::Open);
        count > 0 && matches!(name, TokenKind::Lower(_)) && (has_parameters || self.word() != TokenKind::Let)
    }

    /// What to say of that.
    fn head_without_types(&self) -> String {
        let count = self.foreign_words();
        let words = self.next_words(count);
        let params = match self.ahead(count + 1) {
            TokenKind::Lower(_) => 1,
            TokenKind::Open => {
                let inside = (count + 2..).map(|at| self.ahead(at));
                let inside = inside.take_while(|word| {
                    !matches!(word, TokenKind::Close | TokenKind::Equals | TokenKind::Semicolon | TokenKind::End)
                });
                inside.filter(|word| matches!(word, TokenKind::Lower(_))).count()
            }
            _ => 0,
        };
        let types = list(&vec!["Int"; params]);
        match count {
            0 => format!("the types of a function stand before it: `{types}: Int` and then its name"),
            _ => format!("the types of a function stand before its name: `{types}: Int`; leave out `{words}`"),
        }
    }

    /// Where types end, others follow without parentheses around all: as if there were parentheses.
    fn more_types(&mut self, types: &mut Vec<TypeName>, start: Span, head: Head) {
        let is_sign = |word| matches!(word, TokenKind::Comma | TokenKind::Times);
        let is_more =
            |&count: &usize| is_sign(self.ahead(2 * count)) && matches!(self.ahead(2 * count + 1), TokenKind::Upper(_));
        let count = (0..).take_while(is_more).count();
        let is_it = match (head, self.ahead(2 * count)) {
            (Head::Types, word) => word == TokenKind::Colon,
            (_, word) => matches!(word, TokenKind::Lower(_) | TokenKind::Let),
        };
        if count == 0 || types.len() != 1 || !is_it {
            return;
        }
        let (sign, place) = (self.word().describe(self.names), self.span());
        for _ in 0..count {
            self.advance();
            if let TokenKind::Upper(name) = self.word() {
                types.push(TypeName { name, span: self.advance() });
            }
        }
        let shown = self.shown(types);
        let (wanted, help) = match head {
            Head::Types => {
                let result = if let TokenKind::Upper(name) = self.second() { self.names.text(name) } else { "Int" };
                let help = format!("several types stand in parentheses: `{shown}: {result}`");
                ("`:` between the types of parameters and results", help)
            }
            _ => ("the name of the function", format!("several results stand in parentheses: `{shown}`")),
        };
        let diagnostic = Diagnostic::error(code::SYNTAX, format!("expected {wanted}, found {sign}")).at(place, "");
        let edit = (join(start, self.last()), shown.clone());
        let Skip = self.report(diagnostic.help(help).fix(format!("write `{shown}`"), vec![edit]));
    }

    /// Types, then a name and a `=`: those of the value alone.
    fn is_value_without_types(&self) -> bool {
        matches!((self.word(), self.second()), (TokenKind::Lower(_), TokenKind::Equals))
    }

    /// Says so; what was read are the types of the results.
    fn value_without_types(&mut self, types: Vec<TypeName>, start: Span) -> Vec<TypeName> {
        let (shown, word) = (self.shown(&types), self.word().describe(self.names));
        let message = format!("expected `:` between the types of parameters and results, found {word}");
        let diagnostic = Diagnostic::error(code::SYNTAX, message).at(self.span(), "");
        let help = format!("a function without parameters has `()`: `(): {shown}`");
        let edit = (Span { end: start.start, ..start }, "(): ".to_string());
        let Skip = self.report(diagnostic.help(help).fix("write `():`", vec![edit]));
        types
    }

    /// Behind the `:` stand types with arrows: all but the last are those of parameters.
    fn arrows(&mut self, params: &mut Vec<TypeName>, results: &mut Vec<TypeName>, start: Span) {
        let is_arrow = |&count: &usize| {
            let words = [0, 1, 2].map(|more| self.ahead(3 * count + more));
            matches!(words, [TokenKind::Minus, TokenKind::Greater, TokenKind::Upper(_)])
        };
        let count = (0..).take_while(is_arrow).count();
        if count == 0 || !matches!(self.ahead(3 * count), TokenKind::Lower(_)) {
            return;
        }
        let place = self.span();
        for _ in 0..count {
            params.append(results);
            self.advance();
            self.advance();
            if let TokenKind::Upper(name) = self.word() {
                results.push(TypeName { name, span: self.advance() });
            }
        }
        let written = format!("{}: {}", self.shown(params), self.shown(results));
        let diagnostic = Diagnostic::error(code::SYNTAX, "expected the name of the function, found `-`");
        let diagnostic = diagnostic.at(place, "").help(format!("the types are written `{written}`"));
        let edit = (join(start, self.last()), written.clone());
        let Skip = self.report(diagnostic.fix(format!("write `{written}`"), vec![edit]));
    }

    /// What begins here is like the types of a definition, if not quite so: no value, which stands behind a semicolon
    /// that was to be something else.
    pub fn is_like_types(&self) -> bool {
        use TokenKind::{Close, Colon, Comma, End, Equals, Greater, Less, Lower, Minus, Open, Semicolon, Upper};
        let is_name =
            |count: usize| matches!((self.ahead(count), self.ahead(count + 1)), (Lower(_), Equals | Open | Lower(_)));
        let ends = |count: usize| match (self.ahead(count), self.ahead(count + 1)) {
            (Colon, _) | (Minus, Greater) => true,
            _ => is_name(count),
        };
        match (self.word(), self.second()) {
            (Upper(_), Upper(_) | Less | Equals) => true,
            (Upper(_), Comma) => matches!(self.ahead(2), Upper(_)),
            (Upper(_), _) => ends(1),
            (Open, _) => {
                let mut depth = 0;
                let is_inside = |count: &usize| {
                    match self.ahead(*count) {
                        Open => depth += 1,
                        Close => depth -= 1,
                        Semicolon | End => depth = 0,
                        _ => {}
                    }
                    depth > 0
                };
                ends((0..).take_while(is_inside).count() + 1)
            }
            _ => false,
        }
    }

    /// A definition, which may begin with any word.
    pub fn definition(&mut self) -> Parsed<()> {
        self.foreign_word(Head::Types);
        let first = self.first_word();
        if first == Some(TokenKind::Enum) {
            return self.enumeration();
        }
        if let (TokenKind::Upper(name), TokenKind::Equals) = (self.word(), self.second()) {
            return self.enum_without_word(name);
        }
        let fip = first.is_some();
        if !matches!(self.word(), TokenKind::Upper(_) | TokenKind::Open) {
            let untyped;
            let help = match self.word() {
                TokenKind::Lower(_) | TokenKind::Let if self.is_head_without_types() => {
                    untyped = self.head_without_types();
                    Some(&untyped[..])
                }
                // Its types are in a definition that cannot be read, which has its message.
                TokenKind::Lower(name) if self.tree.unread.names.contains(&name) && self.begins_definition() => {
                    return Err(Skip);
                }
                TokenKind::Lower(name) => match self.no_definition(self.names.text(name)) {
                    TYPES_BEFORE if self.begins_definition() => {
                        untyped = self.head_without_types();
                        Some(&untyped[..])
                    }
                    help => Some(help),
                },
                TokenKind::Let => Some("a value is a function without parameters: `(): Int` and then `name = 5;`"),
                TokenKind::Divide => Some(COMMENT),
                TokenKind::OpenBrace if self.second() == TokenKind::Minus => Some(COMMENT),
                TokenKind::Close | TokenKind::CloseBrace => return Err(self.closes_nothing()),
                _ => None,
            };
            // A name, perhaps behind another word.
            self.tree.unread.has_nameless |=
                matches!((self.word(), self.second()), (TokenKind::Lower(_), TokenKind::Lower(_)));
            let wanted = if fip { "the types of a function" } else { "a definition: `enum`, or a function" };
            return Err(self.unexpected(wanted, help));
        }
        let start = self.span();
        let mut param_types = self.types()?;
        self.more_types(&mut param_types, start, Head::Types);
        let mut value_types = None;
        if self.is_value_without_types() {
            value_types = Some(self.value_without_types(std::mem::take(&mut param_types), start));
        } else if !self.accept(TokenKind::Colon) {
            let help = match self.word() {
                TokenKind::Minus if self.several_arrows() => Some("the types are written `(Int, Int): Int`"),
                TokenKind::Minus => Some("the types are written `Int: Int`"),
                TokenKind::Comma => Some("several types stand in parentheses: `(Int, Int): Int`"),
                TokenKind::Lower(_) => Some("the types are written `Int: Int`; the name stands behind them"),
                TokenKind::Upper(_) | TokenKind::Open if self.follows_list() => {
                    Some("a `:` stands between the types of parameters and results: `(): Int`")
                }
                TokenKind::Upper(_) => Some("several types stand in parentheses: `(Int, Int): Int`"),
                TokenKind::Enum => Some("`enum` stands before the name of the type"),
                TokenKind::Less => Some("types have no parameters"),
                _ => None,
            };
            return Err(self.unexpected("`:` between the types of parameters and results", help));
        }
        let place = self.span();
        let result_types = value_types.map_or_else(|| self.types(), Ok);
        // What stands in place of a type may be the name.
        self.tree.unread.has_nameless |= result_types.is_err();
        let mut result_types = result_types?;
        self.more_types(&mut result_types, place, Head::Name);
        self.arrows(&mut param_types, &mut result_types, start);
        if (self.word(), self.starts_line(1)) == (TokenKind::Semicolon, true)
            && matches!(self.second(), TokenKind::Lower(_))
        {
            // It is clear what is meant, so that the rest can be read.
            let Skip = self.unexpected("the name of the function", Some("no `;` stands behind the types"));
            self.advance();
        }
        self.foreign_word(if param_types.is_empty() { Head::Value } else { Head::Name });
        let TokenKind::Lower(name) = self.word() else {
            if let TokenKind::Upper(name) = self.word() {
                self.tree.unread.names.insert(name);
            }
            let help = match self.word() {
                TokenKind::Upper(_) if !self.starts_line(0) => Some("types have no arguments: leave it out"),
                TokenKind::Upper(_) => Some("it begins with a small letter"),
                TokenKind::Fip => Some("`fip` stands before the types of a function"),
                TokenKind::Open | TokenKind::Equals => Some(
                    "the name stands between the types and the parameters: `(Int, Int): Int` and then `name(a, b) = …`",
                ),
                _ => None,
            };
            self.tree.unread.has_nameless = true;
            return Err(self.unexpected("the name of the function", help));
        };
        let span = self.advance();
        let params = match self.word() {
            TokenKind::Lower(name) => {
                vec![Some((name, self.advance()))]
            }
            TokenKind::Open => {
                let params = self.parameters();
                self.tree.unread.has_nameless |= params.is_err();
                params?
            }
            _ => Vec::new(),
        };
        if !self.accept(TokenKind::Equals) {
            let help = match self.word() {
                TokenKind::Lower(_) if params.len() == 1 => Some("several parameters stand in parentheses: `f(a, b)`"),
                TokenKind::Upper(_) | TokenKind::Int(_) => Some(NO_PATTERN),
                TokenKind::Wildcard => Some(NO_WILDCARD),
                TokenKind::OpenBrace => Some("`=` stands before the body, and there are no braces around it"),
                TokenKind::Minus if self.second() == TokenKind::Greater => Some("`=` stands before the body"),
                _ => None,
            };
            // The name may be another one: a sign is perhaps missing behind it.
            self.tree.unread.has_nameless |= !matches!(self.word(), TokenKind::OpenBrace | TokenKind::Minus);
            return Err(self.unexpected("`=` before the body of the function", help));
        }
        let body = self.expression()?;
        self.end()?;
        self.tree.functions.push(Function { name, span, fip, param_types, result_types, params, body });
        Ok(())
    }
}
