//! Words to the syntax tree: modules, classes, members. Types, patterns and expressions have files of their own.
//!
//! After an error the rest of the member is skipped, up to the next `function`, `method`, `class` or `interface`, which
//! occur in no expression. So there is at most one message for each member, and one for what stands before the members.

mod ahead;
mod alone;
mod before;
mod brackets;
mod expressions;
pub mod foreign;
mod foreign_forms;
mod items;
mod lists;
mod misspelt;
mod patterns;
mod slips;
mod types;
mod words;

use crate::dialect::{self, OldForm};
use crate::lex::{BYTE_ORDER_MARK, Name, Names, Token, TokenKind};
use crate::library_variants;
use crate::syntax::{Body, Class, Expr, Field, Form, Ident, MAX_DEPTH, Module, TypeSyntax, TypeSyntaxKind};
use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

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
    /// What today's language does not have.
    old: Vec<(OldForm, Span)>,
    /// Variables with a capital letter, as `let` makes them.
    capitals: Vec<Ident>,
    /// A variable of this body was to change, which has its message.
    has_mutable: bool,
    /// Names in what was skipped.
    unread: FxHashSet<Name>,
    /// Classes in which a member has no name; nothing for a class that has none.
    nameless: FxHashSet<Option<Name>>,
    /// Ends of statements without a semicolon that go on in another line, and where the line before ends.
    goes_on: Vec<(u32, u32)>,
    /// The class at hand, and the number of its opening brace.
    class: Option<Name>,
    brace: usize,
}

/// Reads a module. The last of the words is `End`.
pub fn parse(name: &str, bytes: &[u8], file: FileId, tokens: &[Token], names: &Names, sink: &mut Sink) -> Module {
    let closing = closing(tokens);
    let (body, old, capitals, unread) = (Body::default(), Vec::new(), Vec::new(), FxHashSet::default());
    let (goes_on, class, at, depth, brace, has_mutable) = (Vec::new(), None, 0, 0, 0, false);
    let mut parser = Parser {
        bytes,
        tokens,
        closing,
        at,
        names,
        sink,
        body,
        depth,
        old,
        capitals,
        has_mutable,
        unread,
        nameless: FxHashSet::default(),
        goes_on,
        class,
        brace,
    };
    let (imports, classes, dialect) = (Vec::new(), Vec::new(), Default::default());
    let (old, unread, nameless) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    let begin = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() as u32 } else { 0 };
    let begin = Span::new(file, begin, begin);
    let (name, is_native, is_library) = (name.to_string(), false, false);
    let mut module =
        Module { name, file, dialect, begin, old, imports, classes, unread, nameless, is_native, is_library };
    while parser.word() == TokenKind::Import {
        let start = parser.at;
        match parser.import() {
            Ok(import) => module.imports.push(import),
            Err(Skip) => {
                parser.skip(start, |word| matches!(word, TokenKind::Import | TokenKind::Class | TokenKind::Interface));
                parser.forget_import(start);
            }
        }
    }
    while parser.word() != TokenKind::End {
        let start = parser.at;
        match parser.semicolon_behind_class() {
            Ok(true) => continue,
            Ok(false) => {}
            Err(Skip) => {
                parser.skip(start, |word| matches!(word, TokenKind::Class | TokenKind::Interface));
                continue;
            }
        }
        match parser.class() {
            Ok(class) => module.classes.push(class),
            Err(Skip) => parser.skip(start, |word| matches!(word, TokenKind::Class | TokenKind::Interface)),
        }
    }
    let Parser { unread, nameless, goes_on, old, capitals, sink, .. } = parser;
    (module.unread, module.nameless) = (unread, nameless);
    let mut old = old;
    for name in capitals {
        alone::capital_variable(name, &mut module, &mut old, bytes, names, sink);
    }
    old.extend(module.classes.iter().flat_map(made_here).map(|span| (OldForm::Object, span)));
    let has_init = module.classes.iter().flat_map(|class| &class.members).any(|it| names.text(it.name.name) == "init");
    let imported = module.imports.iter().flat_map(|import| &import.names);
    let imports: Vec<&str> = imported.clone().map(|it| names.text(it.name)).collect();
    let declared: Vec<Name> =
        module.classes.iter().map(|class| &class.name).chain(imported).map(|it| it.name).collect();
    let declared = |text: &str| has_init && text == "init" || declared.iter().any(|&name| names.text(name) == text);
    let own = |text: &str| alone::of_module(&module.classes, text, names);
    let variable = |text: &str| alone::variable(text, tokens, names);
    let advice = |text: &str| {
        let known = own(text).or_else(|| library_variants::alone(text, &imports));
        known.or_else(|| alone::foreign_name(text, &imports)).or_else(|| variable(text))
    };
    module.dialect = dialect::decide(file, tokens, &mut old, &declared, &advice, &goes_on, names, sink);
    module.old = old;
    module
}

/// Objects `{ x }` of a class with the field `x` that a function of this class gives: no blocks, as `x` is no such
/// object itself.
fn made_here(class: &Class) -> impl Iterator<Item = Span> {
    let fields: &[Field] = if let Form::Object(fields) = &class.form { fields } else { &[] };
    let is_own = |ty: &TypeSyntax| matches!(ty.kind, TypeSyntaxKind::Named(name, _) if name == class.name.name);
    class.members.iter().filter_map(move |member| {
        let body = member.body.as_ref()?;
        let root = body.root?;
        let Expr::Object(given) = body.expr(root) else { return None };
        let [(field, None)] = given[..] else { return None };
        let param = member.params.iter().find(|param| param.name.is_some_and(|name| name.name == field.name))?;
        let is_made = is_own(&member.result)
            && fields.iter().any(|known| known.name.name == field.name)
            && !param.ty.as_ref().is_some_and(is_own);
        is_made.then(|| body.span(root))
    })
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

    /// Notes a form that today's language does not have.
    fn old(&mut self, form: OldForm, span: Span) {
        self.old.push((form, span));
    }

    /// Accepts a word that today's language does not have there.
    fn accept_old(&mut self, word: TokenKind, form: OldForm) -> bool {
        let span = self.span();
        let is_it = self.accept(word);
        if is_it {
            self.old(form, span);
        }
        is_it
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
        let word = self.word();
        // That variables do not change was said where one was to.
        let is_change = self.has_mutable && word == TokenKind::Equals && self.ahead(1) != TokenKind::Greater;
        if is_change || self.is_before_open_text() {
            return Skip;
        }
        // What is not finished on its line is to blame, not what stands on the next one.
        let span = match self.is_unfinished(wanted) {
            true => Span { start: self.last().end, ..self.last() },
            false => self.span(),
        };
        if let Some(skip) = self.half_open(wanted) {
            return skip;
        }
        if let (None, Some(stray)) = (open, self.stray(wanted)) {
            if word == TokenKind::Comma && wanted == "`{` before the cases" {
                let help = "several values are matched in parentheses: `match (a, b) { (x, y) -> … }`";
                return self.error(self.span(), "a `match` looks at one value", help);
            }
            if let Some(skip) = self.early(self.at) {
                return skip;
            }
            let text = self.text_at(stray);
            return self.error(
                stray,
                &format!("this `{text}` closes nothing"),
                "leave it out, or write what it should close",
            );
        }
        let slip = self.slip(wanted);
        let foreign = if slip.is_none() { self.foreign(wanted) } else { None };
        let place = foreign.as_ref().and_then(|found| found.1).or_else(|| self.wide(word));
        let there_is_no = place.map(|place| self.text_at(place).into_owned());
        let span = place.unwrap_or(span);
        let help = slip.or(foreign.map(|found| Cow::from(found.0))).or(help.map(Cow::from));
        let help = help.or_else(|| self.usual_help(wanted));
        let of_others = self.sign_of_others(span).filter(|sign| help.as_ref().is_some_and(|help| help.contains(sign)));
        let is_arrow = word == TokenKind::Equals && self.ahead(1) == TokenKind::Greater && wanted.starts_with("`->`");
        let arrow_of_others = is_arrow.then(|| Span { end: self.tokens[self.at + 1].span.end, ..self.span() });
        // What cannot be read has its message.
        if word != TokenKind::Bad {
            let meant = match there_is_no.as_deref() {
                Some("===") => Some("=="),
                Some("!==" | "<>") => Some("!="),
                _ => None,
            };
            let message = match there_is_no {
                Some(text) => format!("there is no `{text}`"),
                None => format!("expected {wanted}, found {}", word.describe(self.names)),
            };
            self.sink.report_in(span.file, || {
                let diagnostic = Diagnostic::error(code::SYNTAX, message).at(span, "");
                let write =
                    |it: Diagnostic, sign: &str| it.fix(format!("write `{sign}`"), vec![(span, sign.to_string())]);
                let diagnostic = meant.or(of_others).into_iter().fold(diagnostic, write);
                let arrow = |it: Diagnostic, span| it.fix("write `->`", vec![(span, "->".to_string())]);
                let diagnostic = arrow_of_others.into_iter().fold(diagnostic, arrow);
                let diagnostic = open.into_iter().fold(diagnostic, |it, open| it.and(open, "this is still open"));
                help.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
        Skip
    }

    fn text_at(&self, span: Span) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[span.start as usize..span.end as usize])
    }

    /// Something is missing at the end of a line: the word at hand begins something else on another one.
    fn is_unfinished(&self, wanted: &str) -> bool {
        use TokenKind::*;
        // A sign is wanted.
        let is_sign = wanted.starts_with('`') && !wanted.starts_with("`val`") && !wanted.starts_with("`method`");
        (is_sign || matches!(self.word(), End | Function | Method | Private | Class | Interface | CloseBrace))
            && self.at > 0
            && self.begins_line()
            && !wanted.ends_with("`interface`")
            && !wanted.starts_with("`function`")
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
        self.seek(start, start + 1, is_it);
    }

    /// Goes to the next word of a kind, which may be the one at hand; not back before `floor`.
    fn seek(&mut self, start: usize, floor: usize, is_it: impl Fn(TokenKind) -> bool) {
        while self.word() != TokenKind::End && (!is_it(self.word()) || self.is_name_inside()) {
            self.advance();
        }
        self.forget(start);
        if self.at > floor && self.tokens[self.at - 1].kind == TokenKind::Private {
            self.at -= 1;
        }
    }

    /// Nobody knows what the names from a word on up to the one at hand define.
    fn forget(&mut self, start: usize) {
        let tokens = &self.tokens;
        self.unread.extend((start..self.at).filter_map(|at| match (tokens[at].kind, tokens.get(at + 1)) {
            // Nothing is defined around a dot.
            _ if at > 0 && tokens[at - 1].kind == TokenKind::Dot => None,
            (TokenKind::Upper(_), Some(next)) if next.kind == TokenKind::Dot => None,
            (TokenKind::Upper(name) | TokenKind::Lower(name), _) => Some(name),
            _ => None,
        }));
    }

    /// A word of the language stands where a name should be: it begins nothing.
    fn is_name_inside(&self) -> bool {
        use TokenKind::{Close, Colon, Comma, Equals, Function, Let, Method, Val};
        let (before, behind) = (self.tokens[self.at.saturating_sub(1)].kind, self.ahead(1));
        let is_name = matches!(before, Val | Let | Function | Method | TokenKind::Dot)
            || matches!(behind, Colon | Comma | Equals | Close);
        // A lambda of other languages has no name, and no member has a sign for one.
        let is_lambda = self.word() == Function && behind == TokenKind::Open;
        let is_sign = matches!(self.word(), Function | Method)
            && matches!(
                behind,
                TokenKind::Dot
                    | TokenKind::Concat
                    | TokenKind::Plus
                    | TokenKind::Minus
                    | TokenKind::Times
                    | TokenKind::EqualTo
                    | TokenKind::Semicolon
                    | Close
                    | Comma
                    | TokenKind::OpenBrace
            );
        is_lambda || is_sign || is_name && !self.begins_line()
    }

    /// One level deeper into an expression, a pattern or a type.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let span = self.span();
            self.sink.report_in(span.file, || {
                let message = format!("more than {MAX_DEPTH} levels inside each other");
                let help = "give a name to a part: a `let`, or a function of its own";
                Diagnostic::error(code::TOO_MUCH, message).at(span, "").help(help)
            });
            return Err(Skip);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn upper(&mut self, what: &str) -> Parsed<Ident> {
        match self.word() {
            TokenKind::Upper(name) => Ok(Ident { name, span: self.advance() }),
            _ if self.is_word_too_many() => Err(self.unexpected(what, None)),
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
            TokenKind::Then => {
                self.old(OldForm::ThenAsName, self.span());
                Ok(Ident { name: Name::THEN, span: self.advance() })
            }
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
}

/// The types that have words of their own.
fn basic(word: TokenKind) -> Option<TypeSyntaxKind> {
    Some(match word {
        TokenKind::UnitType => TypeSyntaxKind::Unit,
        TokenKind::BoolType => TypeSyntaxKind::Bool,
        TokenKind::IntType => TypeSyntaxKind::Int,
        TokenKind::TextType => TypeSyntaxKind::Text,
        _ => return None,
    })
}

/// A type and its place.
fn typed(kind: TypeSyntaxKind, span: Span) -> TypeSyntax {
    TypeSyntax { kind, span }
}
