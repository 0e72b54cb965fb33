//! Words to the syntax tree: modules, classes, members. Types, patterns and expressions have files of their own.
//!
//! After an error the rest of the member is skipped, up to the next `function`, `method`, `class` or `interface`, which
//! occur in no expression. So there is at most one message for each member, and one for what stands before the members.

mod expressions;
pub mod foreign;
mod patterns;
mod types;

use self::types::basic;
use crate::lex::{Name, Names, Token, TokenKind};
use crate::syntax::{
    Body, Class, Field, Form, Ident, Import, MAX_DEPTH, MAX_PARTS, Member, Module, Param, Tag, TypeParam, TypeSyntax,
    join,
};
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};

/// The member at hand cannot be read, which has been said.
pub struct Skip;

pub type Parsed<T> = Result<T, Skip>;

pub struct Parser<'p> {
    bytes: &'p [u8],
    tokens: &'p [Token],
    /// For each opening bracket that has one, the number of the word that closes it.
    closing: Vec<u32>,
    at: usize,
    names: &'p Names,
    sink: &'p mut Sink,
    /// Of the member at hand.
    body: Body,
    depth: u32,
}

/// Reads a module. The last of the words is `End`.
pub fn parse(name: &str, bytes: &[u8], file: FileId, tokens: &[Token], names: &Names, sink: &mut Sink) -> Module {
    let closing = closing(tokens);
    let mut parser = Parser { bytes, tokens, closing, at: 0, names, sink, body: Body::default(), depth: 0 };
    let mut module = Module { name: name.to_string(), file, imports: Vec::new(), classes: Vec::new() };
    while parser.word() == TokenKind::Import {
        let start = parser.at;
        match parser.import() {
            Ok(import) => module.imports.push(import),
            Err(Skip) => {
                parser.skip(start, |word| matches!(word, TokenKind::Import | TokenKind::Class | TokenKind::Interface))
            }
        }
    }
    while parser.word() != TokenKind::End {
        let start = parser.at;
        match parser.class() {
            Ok(class) => module.classes.push(class),
            Err(Skip) => parser.skip(start, |word| matches!(word, TokenKind::Class | TokenKind::Interface)),
        }
    }
    module
}

/// Finds the brackets that belong together.
fn closing(tokens: &[Token]) -> Vec<u32> {
    let mut closing = vec![0; tokens.len()];
    let mut open: Vec<(usize, TokenKind)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let opens = match token.kind {
            TokenKind::Open | TokenKind::OpenBrace | TokenKind::OpenBracket => {
                open.push((at, token.kind));
                continue;
            }
            TokenKind::Close => TokenKind::Open,
            TokenKind::CloseBrace => TokenKind::OpenBrace,
            TokenKind::CloseBracket => TokenKind::OpenBracket,
            _ => continue,
        };
        if let Some(&(start, _)) = open.last().filter(|last| last.1 == opens) {
            closing[start] = at as u32;
            open.pop();
        }
    }
    closing
}

impl Parser<'_> {
    fn word(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The word so many places ahead.
    fn ahead(&self, count: usize) -> TokenKind {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    /// The word after the bracket that closes the one at hand.
    fn behind_brackets(&self) -> TokenKind {
        match self.closing[self.at] {
            0 => TokenKind::Bad,
            end => self.tokens[end as usize + 1].kind,
        }
    }

    /// The place of the word that was read last.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The word at hand begins a line.
    fn begins_line(&self) -> bool {
        self.at == 0 || self.bytes[self.last().end as usize..self.span().start as usize].contains(&b'\n')
    }

    fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    fn accept(&mut self, word: TokenKind) -> bool {
        let is_it = self.word() == word;
        if is_it {
            self.advance();
        }
        is_it
    }

    fn expect(&mut self, word: TokenKind, context: &str) -> Parsed<Span> {
        if self.word() == word {
            return Ok(self.advance());
        }
        let wanted = word.describe(self.names);
        Err(self.unexpected(&format!("{wanted} {context}"), None))
    }

    /// Says that something else should be here.
    fn unexpected(&mut self, wanted: &str, help: Option<&str>) -> Skip {
        self.unclosed(wanted, None, help)
    }

    /// The same where a bracket is perhaps not closed.
    fn unclosed(&mut self, wanted: &str, open: Option<Span>, help: Option<&str>) -> Skip {
        let (word, span) = (self.word(), self.span());
        let help = self.foreign().or(help);
        let help = help.or_else(|| self.usual_help(wanted));
        // What cannot be read has its message.
        if word != TokenKind::Bad {
            let message = format!("expected {wanted}, found {}", word.describe(self.names));
            self.sink.report_in(span.file, || {
                let diagnostic = Diagnostic::error(code::SYNTAX, message).at(span, "");
                let diagnostic = open.into_iter().fold(diagnostic, |it, open| it.and(open, "this is still open"));
                help.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
        Skip
    }

    fn error(&mut self, span: Span, message: &str, help: &str) -> Skip {
        self.sink.report_in(span.file, || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help));
        Skip
    }

    /// Goes to the next word of a kind, but further than where the part began that cannot be read.
    fn skip(&mut self, start: usize, is_it: impl Fn(TokenKind) -> bool) {
        if self.at == start {
            self.advance();
        }
        while self.word() != TokenKind::End && (!is_it(self.word()) || self.is_name_inside()) {
            self.advance();
        }
        if self.at > start + 1 && self.tokens[self.at - 1].kind == TokenKind::Private {
            self.at -= 1;
        }
    }

    /// A word of the language stands where a name should be: it begins nothing.
    fn is_name_inside(&self) -> bool {
        use TokenKind::{Close, Colon, Comma, Equals, Function, Let, Method, Val};
        let (before, behind) = (self.tokens[self.at.saturating_sub(1)].kind, self.ahead(1));
        let is_name =
            matches!(before, Val | Let | Function | Method) || matches!(behind, Colon | Comma | Equals | Close);
        is_name && !self.begins_line()
    }

    /// One level deeper into an expression, a pattern or a type.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let span = self.span();
            self.sink.report_in(span.file, || {
                let message = format!("more than {MAX_DEPTH} levels inside each other");
                let help = "give a name to a part: a `val`, or a function of its own";
                Diagnostic::error(code::TOO_MUCH, message).at(span, "").help(help)
            });
            return Err(Skip);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Things with commas between them, and perhaps one after the last, up to a closing word.
    /// At most `MAX_PARTS`: they become cells, or are passed to functions.
    fn list<T>(&mut self, close: TokenKind, what: &str, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut count = 0;
        self.long_list(close, what, |parser| {
            count += 1;
            if count > MAX_PARTS {
                let span = parser.span();
                parser.sink.report_in(span.file, || {
                    let message = format!("more than {MAX_PARTS} things beside each other");
                    Diagnostic::error(code::TOO_MUCH, message).at(span, "").help("make objects or lists of them")
                });
                return Err(Skip);
            }
            one(parser)
        })
    }

    /// The same without a limit.
    fn long_list<T>(
        &mut self,
        close: TokenKind,
        what: &str,
        mut one: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        let open = self.last();
        while self.word() != close {
            items.push(one(self)?);
            if self.word() != close && !self.accept(TokenKind::Comma) {
                let wanted = format!("`,` or {} {what}", close.describe(self.names));
                let is_end = matches!(
                    self.word(),
                    TokenKind::End
                        | TokenKind::Close
                        | TokenKind::CloseBrace
                        | TokenKind::CloseBracket
                        | TokenKind::Semicolon
                ) || self.begins_line();
                return Err(self.unclosed(&wanted, is_end.then_some(open), None));
            }
        }
        self.advance();
        Ok(items)
    }

    fn upper(&mut self, what: &str) -> Parsed<Ident> {
        match self.word() {
            TokenKind::Upper(name) => Ok(Ident { name, span: self.advance() }),
            _ => Err(self.unexpected(what, Some("it begins with a capital letter"))),
        }
    }

    fn lower(&mut self, what: &str) -> Parsed<Ident> {
        match self.word() {
            TokenKind::Lower(name) => Ok(Ident { name, span: self.advance() }),
            TokenKind::Upper(_) => Err(self.unexpected(what, Some("it begins with a small letter"))),
            _ => Err(self.unexpected(what, None)),
        }
    }

    /// The name of a member: `then` is one, too.
    fn member_name(&mut self, what: &str) -> Parsed<Ident> {
        match self.word() {
            TokenKind::Then => Ok(Ident { name: Name::THEN, span: self.advance() }),
            _ => self.lower(what),
        }
    }

    /// A name has to stand after the dot that was read: if its line ends there, the dot is to blame.
    fn behind_dot(&mut self, what: &str) -> Parsed<()> {
        let word = self.word();
        let is_name = matches!(
            word,
            TokenKind::Upper(_) | TokenKind::Lower(_) | TokenKind::Reserved(_) | TokenKind::Then | TokenKind::Bad
        );
        if is_name || basic(word).is_some() || word != TokenKind::End && !self.begins_line() {
            return Ok(());
        }
        let message = format!("{what} is missing behind this dot");
        Err(self.error(self.last(), &message, "a name stands behind the dot, on the same line or on the next"))
    }

    fn import(&mut self) -> Parsed<Import> {
        self.advance();
        self.expect(TokenKind::OpenBrace, "before the imported names")?;
        let names =
            self.list(TokenKind::CloseBrace, "behind an imported name", |parser| parser.upper("the name of a class"))?;
        self.expect(TokenKind::From, "behind the imported names")?;
        let start = self.span();
        let mut module = String::new();
        loop {
            match self.word() {
                TokenKind::Upper(name) | TokenKind::Lower(name) | TokenKind::Reserved(name) => {
                    module += self.names.text(name)
                }
                word => match word.letters().filter(|_| basic(word).is_some()) {
                    Some(text) => module += text,
                    None => return Err(self.unexpected("the name of a module", None)),
                },
            }
            self.advance();
            if !self.accept(TokenKind::Dot) {
                break;
            }
            module.push('.');
            self.behind_dot("the name of a module")?;
        }
        let span = join(start, self.last());
        self.accept(TokenKind::Semicolon);
        Ok(Import { names, module, span })
    }

    fn class(&mut self) -> Parsed<Class> {
        let start = self.span();
        let is_private = self.accept(TokenKind::Private);
        let is_interface = match self.word() {
            TokenKind::Class => false,
            TokenKind::Interface => true,
            TokenKind::Import => return Err(self.unexpected("`class` or `interface`", Some("imports stand first"))),
            TokenKind::Function | TokenKind::Method => {
                let help = "functions and methods stand in a class: `class Main { … }`";
                return Err(self.unexpected("`class` or `interface`", Some(help)));
            }
            TokenKind::CloseBrace => {
                return Err(self.unexpected("`class` or `interface`", Some("nothing is open that this would close")));
            }
            TokenKind::Lower(name) if matches!(self.names.text(name), "enum" | "struct" | "data" | "record") => {
                let help = "data is a class: `class Color(Red, Green) { }`, `class Point(val x: int) { }`";
                return Err(self.unexpected("`class` or `interface`", Some(help)));
            }
            _ => return Err(self.unexpected("`class` or `interface`", None)),
        };
        let first = self.at;
        self.advance();
        let head = self.class_head(is_interface);
        if head.is_err() {
            self.skip(first, |word| {
                use TokenKind::*;
                matches!(word, OpenBrace | Function | Method | Class | Interface)
            });
            self.accept(TokenKind::OpenBrace);
        }
        let mut members = Vec::new();
        loop {
            let first = self.at;
            match self.word() {
                TokenKind::CloseBrace => {
                    self.advance();
                    break;
                }
                // An error in a member may have swallowed the bracket.
                TokenKind::End | TokenKind::Class | TokenKind::Interface if self.sink.has_errors() => break,
                TokenKind::Private
                    if matches!(self.ahead(1), TokenKind::Class | TokenKind::Interface) && self.sink.has_errors() =>
                {
                    break;
                }
                _ => match self.member(is_interface) {
                    Ok(member) => members.push(member),
                    Err(Skip) => self.skip(first, |word| {
                        matches!(
                            word,
                            TokenKind::Function | TokenKind::Method | TokenKind::Class | TokenKind::Interface
                        )
                    }),
                },
            }
        }
        let (name, params, form, interfaces) = head?;
        let span = join(start, self.last());
        Ok(Class { name, is_private, params, form, interfaces, members, span })
    }

    /// What stands before the members of a class, and their bracket.
    fn class_head(&mut self, is_interface: bool) -> Parsed<(Ident, Vec<TypeParam>, Form, Vec<TypeSyntax>)> {
        let name = self.upper("the name of the class")?;
        let params = self.type_params()?;
        let form = match self.word() {
            _ if is_interface => Form::Interface,
            TokenKind::Open => self.form()?,
            _ => Form::Space,
        };
        let mut interfaces = Vec::new();
        if self.accept(TokenKind::Colon) {
            interfaces.push(self.type_syntax()?);
            while self.accept(TokenKind::Comma) {
                interfaces.push(self.type_syntax()?);
            }
        }
        self.expect(TokenKind::OpenBrace, "before the members of the class")?;
        Ok((name, params, form, interfaces))
    }

    /// The fields or tags of a class.
    fn form(&mut self) -> Parsed<Form> {
        let open = self.advance();
        let form = match self.word() {
            TokenKind::Upper(_) => Form::Variant(self.long_list(TokenKind::Close, "behind a tag", |parser| {
                let name = parser.upper("the name of a tag")?;
                let fields = match parser.accept(TokenKind::Open) {
                    true => parser.list(TokenKind::Close, "behind the type of a tag", Self::type_syntax)?,
                    false => Vec::new(),
                };
                Ok(Tag { name, fields })
            })?),
            TokenKind::Close => {
                let help = "a class with parentheses has fields (`val name: type`) or tags (`Tag(type)`); without them it \
                            is a name space";
                return Err(self.error(open, "a class without fields and tags", help));
            }
            _ => Form::Object(self.list(TokenKind::Close, "behind a field", |parser| {
                let is_private = parser.accept(TokenKind::Private);
                if !parser.accept(TokenKind::Val) && !parser.accept(TokenKind::Let) {
                    let help = "a field is written `val name: type`, a tag `Tag(type)`";
                    return Err(parser.unexpected("`val` before a field", Some(help)));
                }
                let name = parser.lower("the name of a field")?;
                parser.expect(TokenKind::Colon, "before the type of the field")?;
                Ok(Field { name, is_private, ty: parser.type_syntax()? })
            })?),
        };
        Ok(form)
    }

    fn member(&mut self, is_interface: bool) -> Parsed<Member> {
        let start = self.span();
        let is_private = self.accept(TokenKind::Private);
        let is_method = match self.word() {
            TokenKind::Function => false,
            TokenKind::Method => true,
            TokenKind::Val | TokenKind::Let => {
                let help = "fields stand behind the name of the class: `class Point(val x: int) { }`";
                return Err(self.unexpected("`function`, `method` or `}`", Some(help)));
            }
            TokenKind::Equals if is_interface => {
                let help = "the methods of an interface have no body";
                return Err(self.unexpected("`method` or `}`", Some(help)));
            }
            _ => return Err(self.unexpected("`function`, `method` or `}`", None)),
        };
        self.advance();
        let type_params = self.type_params()?;
        let name = self.member_name("the name of a function or method")?;
        if self.word() == TokenKind::Less {
            let help = "type parameters stand before the name: `function <T> name(…)`";
            return Err(self.unexpected("`(` before the parameters", Some(help)));
        }
        self.expect(TokenKind::Open, "before the parameters")?;
        let params = self.list(TokenKind::Close, "behind a parameter", |parser| {
            let param = parser.param()?;
            match param.ty {
                Some(_) => Ok(param),
                None => Err(parser.unexpected("`:` and the type of the parameter", None)),
            }
        })?;
        self.expect(TokenKind::Colon, "before the type of the result")?;
        let result = self.type_syntax()?;
        let mut body = None;
        if !is_interface {
            self.expect(TokenKind::Equals, "before the body")?;
            self.depth = 0;
            self.body = Body::default();
            let root = self.expression()?;
            self.body.root = Some(root);
            body = Some(std::mem::take(&mut self.body));
        }
        self.accept(TokenKind::Semicolon);
        let span = join(start, self.last());
        Ok(Member { name, is_private, is_method, type_params, params, result, body, span })
    }

    fn param(&mut self) -> Parsed<Param> {
        let (name, span) = match self.word() {
            TokenKind::Wildcard => (None, self.advance()),
            _ => {
                if basic(self.word()).is_some() {
                    return Err(self.unexpected("the name of a parameter", Some("a parameter is written `name: type`")));
                }
                let name = self.lower("the name of a parameter")?;
                (Some(name), name.span)
            }
        };
        let ty = if self.accept(TokenKind::Colon) { Some(self.type_syntax()?) } else { None };
        Ok(Param { name, span, ty })
    }
}
