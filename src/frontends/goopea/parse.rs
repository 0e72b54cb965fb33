//! Parser: tokens to the syntax tree, for types and lists in parentheses. The heads of functions are in `heads`,
//! expressions in `expressions`.
//!
//! After an error the rest of the definition is skipped: a semicolon ends it, if another one may begin there; no
//! definition holds a line that begins as one.

use crate::expressions::operator;
use crate::foreign::NO_FUNCTIONS;
use crate::lex::{Name, Names, Token, TokenKind};
use crate::syntax::{Binder, Constructor, Enum, Tree, TypeName};
use cleave_diag::{Diagnostic, Sink, Span, code};
use std::collections::BTreeSet;

pub const NO_CHANGE: &str = "variables never change: `let next = n + 1 in …` gives a new value a name";
pub const NO_PATTERN: &str = "a parameter is a variable: `match` takes it apart";
pub const NO_WILDCARD: &str = "a parameter has a name: `_unused`";
pub const COMMENT: &str = "a comment is from `//` to the end of the line";

/// The definition at hand cannot be read, which has been said.
pub struct Skip;

pub type Parsed<T> = Result<T, Skip>;

pub struct Parser<'p> {
    tokens: &'p [Token],
    at: usize,
    pub names: &'p Names,
    pub sink: &'p mut Sink,
    pub tree: Tree,
    /// Names that stand behind types, once somebody has asked.
    functions: Option<BTreeSet<Name>>,
}

/// Reads a program. The last of the words is `End`.
pub fn parse(tokens: &[Token], names: &Names, sink: &mut Sink) -> Tree {
    let mut parser = Parser { tokens, at: 0, names, sink, tree: Tree::default(), functions: None };
    while parser.word() != TokenKind::End {
        let start = parser.at;
        if parser.definition().is_err() {
            parser.skip();
            let skipped = &tokens[start..parser.at];
            let is_unknown = tokens[start].kind == TokenKind::Bad;
            let is_type = is_unknown
                || skipped.iter().take(2).any(|token| token.kind == TokenKind::Enum)
                || Parser::is_type_without_word(skipped);
            let is_named = |at: usize| {
                let before = at.checked_sub(1).map(|before| skipped[before].kind);
                let is_behind = matches!(before, Some(TokenKind::Upper(_) | TokenKind::Close | TokenKind::Let))
                    || before.is_some_and(|word| parser.is_foreign_word(word));
                is_unknown || is_behind || at == 0 || skipped[at].starts_line
            };
            let names = skipped.iter().enumerate().filter_map(|(at, token)| match token.kind {
                TokenKind::Lower(name) if is_named(at) => Some(name),
                TokenKind::Upper(name) if is_type => Some(name),
                _ => None,
            });
            let names: Vec<Name> = names.collect();
            let unread = &mut parser.tree.unread;
            unread.is_any = true;
            unread.names.extend(names);
            unread.has_type |= is_type;
            unread.has_nameless_type |= is_unknown || is_type && !matches!(tokens[start + 1].kind, TokenKind::Upper(_));
            unread.has_nameless |= is_unknown;
        }
    }
    parser.tree
}

impl Parser<'_> {
    pub fn word(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    pub fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The word after the next.
    pub fn second(&self) -> TokenKind {
        self.ahead(1)
    }

    /// The word so many places ahead.
    pub fn ahead(&self, count: usize) -> TokenKind {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    /// All words before the one at hand.
    pub fn before(&self) -> &[Token] {
        &self.tokens[..self.at]
    }

    /// All words of the program.
    pub fn all(&self) -> &[Token] {
        self.tokens
    }

    /// The word so many places ahead is the first of its line.
    pub fn starts_line(&self, count: usize) -> bool {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)].starts_line
    }

    /// How far the line of the word at hand is indented.
    pub fn indent(&self) -> usize {
        self.tokens[self.at].indent as usize
    }

    /// A function of this name is defined somewhere: the name stands behind types.
    pub fn is_function(&mut self, name: Name) -> bool {
        let tokens = self.tokens;
        let functions = self.functions.get_or_insert_with(|| {
            let named = tokens.windows(2).filter_map(|two| match (two[0].kind, two[1].kind) {
                (TokenKind::Upper(_) | TokenKind::Close, TokenKind::Lower(name)) => Some(name),
                _ => None,
            });
            named.collect()
        });
        functions.contains(&name)
    }

    /// The place of the word that was read last.
    pub fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    pub fn accept(&mut self, word: TokenKind) -> bool {
        let is_it = self.word() == word;
        if is_it {
            self.advance();
        }
        is_it
    }

    /// Says that something else should be here.
    pub fn unexpected(&mut self, wanted: &str, help: Option<&str>) -> Skip {
        self.unfinished(wanted, None, help)
    }

    /// Reports what is wrong with the definition at hand.
    pub fn report(&mut self, diagnostic: Diagnostic) -> Skip {
        self.sink.report(diagnostic);
        Skip
    }

    /// The same with a place that is to blame, and why.
    pub fn unfinished(&mut self, wanted: &str, blame: Option<(Span, &str)>, help: Option<&str>) -> Skip {
        let (word, span) = (self.word(), self.span());
        if let Some(skip) = self.misspelt_let() {
            return skip;
        }
        let reserved = self.reserved(wanted);
        let twice = self.stands_twice(help.is_some());
        let help = twice.as_deref().or(help).or(reserved.as_deref()).or_else(|| self.equals());
        // What cannot be read has its message.
        if word != TokenKind::Bad {
            let message = format!("expected {wanted}, found {}", word.describe(self.names));
            let (last, is_unfinished) = (self.last(), self.is_unfinished() || self.is_missing_before(wanted));
            let fix = match twice {
                Some(_) => Some(("leave it out".to_string(), (Span { start: last.end, ..span }, String::new()))),
                None => self.fix(wanted, is_unfinished),
            };
            self.sink.report_in(span.file, || {
                let diagnostic = Diagnostic::error(code::SYNTAX, message);
                let diagnostic = match is_unfinished {
                    true => diagnostic.at(Span { start: last.end, ..last }, "something is missing here"),
                    false => diagnostic.at(span, ""),
                };
                let diagnostic = fix.into_iter().fold(diagnostic, |it, (title, edit)| it.fix(title, vec![edit]));
                let blame = blame.into_iter().filter(|(place, _)| !is_unfinished || *place != last);
                let diagnostic = blame.fold(diagnostic, |it, (place, why)| it.and(place, why));
                help.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
        Skip
    }

    /// What is wrong is not the word at hand but what should stand before it: another definition begins here, or the
    /// file ends.
    pub fn is_unfinished(&self) -> bool {
        let begins = self.word() == TokenKind::End || self.is_definition(0);
        begins && self.at > 0 && self.tokens[self.at - 1].kind != TokenKind::Semicolon
    }

    /// A definition begins so many words ahead, with a line of its own: its types, and a name.
    pub fn is_definition(&self, count: usize) -> bool {
        self.starts_line(count) && self.has_types(count)
    }

    /// So many words ahead stands what a definition begins with.
    pub fn has_types(&self, count: usize) -> bool {
        let word = |count: usize| self.ahead(count);
        let types = |count: usize| match word(count) {
            TokenKind::Upper(_) => Some(count + 1),
            TokenKind::Open => {
                let is_inside = |&count: &usize| matches!(word(count), TokenKind::Upper(_) | TokenKind::Comma);
                let end = (count + 1..).find(|count| !is_inside(count))?;
                (word(end) == TokenKind::Close).then_some(end + 1)
            }
            _ => None,
        };
        let function = |count: usize| {
            let colon = types(count).filter(|&colon| word(colon) == TokenKind::Colon)?;
            types(colon + 1).filter(|&name| matches!(word(name), TokenKind::Lower(_)))
        };
        match word(count) {
            TokenKind::Enum => true,
            TokenKind::Fip => function(count + 1).is_some(),
            _ => function(count).is_some(),
        }
    }

    fn skip(&mut self) {
        // The definition itself may begin with one of the words that end it.
        let mut is_first = self.at == 0 || self.tokens[self.at - 1].kind == TokenKind::Semicolon;
        loop {
            match self.word() {
                TokenKind::End => return,
                TokenKind::Semicolon => {
                    self.advance();
                    if self.begins_definition() {
                        return;
                    }
                }
                TokenKind::Enum
                    if !is_first
                        && matches!((self.second(), self.ahead(2)), (TokenKind::Upper(_), TokenKind::Equals)) =>
                {
                    return;
                }
                TokenKind::Upper(_) | TokenKind::Open | TokenKind::Enum if !is_first && self.is_definition(0) => return,
                TokenKind::Fip if !is_first && self.has_types(0) => return,
                _ => _ = self.advance(),
            }
            is_first = false;
        }
    }

    /// Whether a definition begins here, perhaps one whose types were forgotten: `name parameters =`.
    pub fn begins_definition(&self) -> bool {
        let word = |count: usize| self.ahead(count);
        let mut count = 1;
        match (word(0), word(1)) {
            (TokenKind::Enum | TokenKind::Fip | TokenKind::End, _) => return true,
            // On the same line it may as well be a case.
            (TokenKind::Upper(_) | TokenKind::Open, _) => {
                return self.has_types(0) || self.tokens[self.at].starts_line && self.is_like_types();
            }
            (TokenKind::Lower(_), TokenKind::Open) => {
                while !matches!(word(count), TokenKind::Close | TokenKind::Semicolon | TokenKind::End) {
                    count += 1;
                }
                count += 1;
            }
            // Indented, it may as well be a statement of another language.
            (TokenKind::Lower(_), TokenKind::Lower(_)) if self.indent() > 0 && self.is_foreign_word(word(0)) => {
                return false;
            }
            (TokenKind::Lower(_), TokenKind::Lower(_)) => count += 1,
            // Types in small letters; indented, it may as well be a case.
            (TokenKind::Lower(_), TokenKind::Colon) if self.starts_line(0) && self.indent() == 0 => {
                return true;
            }
            (TokenKind::Lower(_), _) => {}
            _ => return false,
        }
        word(count) == TokenKind::Equals
    }

    pub fn enumeration(&mut self) -> Parsed<()> {
        let TokenKind::Upper(name) = self.word() else {
            let help = "names of types and constructors begin with a capital letter";
            return Err(self.unexpected("the name of a type", Some(help)));
        };
        let span = self.advance();
        if matches!(self.word(), TokenKind::Less | TokenKind::Lower(_)) {
            return Err(self.unexpected("`=` before the constructors", Some("types have no parameters")));
        }
        // Without constructors its values are objects of the host.
        if self.accept(TokenKind::Semicolon) {
            self.tree.enums.push(Enum { name, span, constructors: Vec::new() });
            return Ok(());
        }
        if !self.accept(TokenKind::Equals) {
            let help = "a type is written `enum List = End, Link(Int, List);`";
            let help = (self.word() == TokenKind::OpenBrace).then_some(help);
            return Err(self.unexpected("`=` before the constructors", help));
        }
        let mut constructors = Vec::new();
        loop {
            let TokenKind::Upper(name) = self.word() else {
                let help = "names of types and constructors begin with a capital letter";
                return Err(self.unexpected("a constructor", Some(help)));
            };
            let span = self.advance();
            let fields = match self.word() {
                TokenKind::Upper(_) | TokenKind::Open if !self.is_definition(0) => self.types()?,
                _ => Vec::new(),
            };
            constructors.push(Constructor { name, span, fields });
            if self.is_constructor_behind() {
                self.semicolon_for_comma();
                continue;
            }
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        if matches!(self.word(), TokenKind::Upper(_)) && !self.starts_line(0) {
            let help = "the types of several fields stand in parentheses: `Link(Int, List)`";
            return Err(self.unexpected("`,` or `;` behind a constructor", Some(help)));
        }
        self.end()?;
        self.tree.enums.push(Enum { name, span, constructors });
        Ok(())
    }

    /// The semicolon of a definition.
    pub fn end(&mut self) -> Parsed<()> {
        if self.accept(TokenKind::Semicolon) {
            return Ok(());
        }
        let last = self.last();
        let help = match self.word() {
            // The next definition may begin with parentheses.
            TokenKind::Open if self.starts_line(0) => None,
            TokenKind::Close | TokenKind::CloseBrace => return Err(self.closes_nothing()),
            TokenKind::Comma => match self.arguments_at_comma() {
                Some(skip) => return Err(skip),
                None => Some("several results stand in parentheses: `(a, b)`"),
            },
            TokenKind::In => Some("each `in` belongs to a `let` before it: `let name = value in body`"),
            word if operator(word).is_some() => Some("put the `match` or `let` before it into parentheses"),
            _ => self.several(),
        };
        Err(self.unfinished("`;` at the end of the definition", Some((last, "behind this")), help))
    }

    /// `Int`, or a list in parentheses.
    pub fn types(&mut self) -> Parsed<Vec<TypeName>> {
        if let TokenKind::Upper(name) = self.word() {
            let span = self.advance();
            return match self.word() {
                TokenKind::Less => Err(self.type_arguments()),
                _ => Ok(vec![TypeName { name, span }]),
            };
        }
        if self.word() == TokenKind::Fip {
            return Err(self.unexpected("a type", Some("`fip` stands before the types of a function")));
        }
        if matches!(self.word(), TokenKind::Lower(_)) && self.starts_line(0) && self.begins_definition() {
            let help = "the types of the results stand behind the `:`, and then the name: `(): Int` and `name = …`";
            return Err(self.unexpected("a type", Some(help)));
        }
        self.in_parentheses("a type", |parser| match parser.word() {
            TokenKind::Upper(name) => Some(TypeName { name, span: parser.advance() }),
            _ => None,
        })
    }

    pub fn parameters(&mut self) -> Parsed<Vec<Binder>> {
        self.in_parentheses("a parameter", |parser| match parser.word() {
            TokenKind::Lower(name) => Some(Some((name, parser.advance()))),
            _ => None,
        })
    }

    /// Items with commas between them, and perhaps one after the last.
    pub fn in_parentheses<T>(&mut self, wanted: &str, item: impl Fn(&mut Self) -> Option<T>) -> Parsed<Vec<T>> {
        let open = self.span();
        let help = |parser: &Self| match (wanted, parser.word()) {
            ("a type", TokenKind::Lower(_)) => Some("names of types begin with a capital letter"),
            ("a type", TokenKind::Open) => Some("no type and no tuple holds a tuple"),
            ("a parameter", TokenKind::Upper(_) | TokenKind::Int(_)) => Some(NO_PATTERN),
            ("a parameter", TokenKind::Wildcard) => Some(NO_WILDCARD),
            ("a variable or `_`", TokenKind::Upper(_)) if parser.second() == TokenKind::Equals => {
                Some("names of variables begin with a small letter")
            }
            ("a variable or `_`", TokenKind::Upper(_) | TokenKind::Int(_) | TokenKind::Open) => {
                Some("patterns are not nested: take a variable, and `match` it behind the colon")
            }
            _ => None,
        };
        if !self.accept(TokenKind::Open) {
            return Err(self.unexpected(wanted, help(self)));
        }
        let mut items = Vec::new();
        while !self.accept(TokenKind::Close) {
            let Some(found) = item(self) else { return Err(self.unexpected(wanted, help(self))) };
            items.push(found);
            if !self.accept(TokenKind::Comma) {
                if (wanted, self.word()) == ("a type", TokenKind::Less) {
                    return Err(self.type_arguments());
                }
                if !self.accept(TokenKind::Close) {
                    let help = match (wanted, self.word()) {
                        ("a parameter", TokenKind::Colon) => Some("the types stand before the name: `(Int, Int): Int`"),
                        ("a parameter", TokenKind::Lower(_)) => Some("parameters have commas between them"),
                        ("a type", TokenKind::Upper(_)) if self.is_of_enum() => {
                            Some("types have commas between them, and no parameters")
                        }
                        ("a type", TokenKind::Upper(_)) => Some("types have commas between them"),
                        ("a type", TokenKind::Lower(_)) => Some("types have no parameters"),
                        ("a type", TokenKind::Colon) if self.is_function_type() => Some(NO_FUNCTIONS),
                        ("a type", TokenKind::Colon) => Some("a `)` ends the types before the `:`"),
                        ("a type", TokenKind::Minus) => Some(NO_FUNCTIONS),
                        _ => None,
                    };
                    return Err(self.unfinished("`,` or `)`", Some((open, "this is still open")), help));
                }
                break;
            }
        }
        Ok(items)
    }
}
