//! Text to trees. A tree is an expression with its place; a pattern is an expression, too, of few kinds.

use cleave_diag::{Diagnostic, FileId, Span, code};

pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

pub fn error<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(span, "")))
}

pub struct Function {
    pub name: String,
    pub span: Span,
    pub params: Vec<String>,
    pub body: Expr,
}

#[derive(Clone)]
pub struct Expr {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone)]
pub enum Kind {
    Int(i64),
    Text(Vec<u8>),
    Name(String),
    /// `[first, second | rest]`.
    List(Vec<Expr>, Option<Box<Expr>>),
    /// Of a function of the program, or of an operation: `+`, `!`, `receive`, `print` and their like.
    Call(String, Vec<Expr>),
    /// `spawn` and a call.
    Spawn(String, Vec<Expr>),
    /// Condition, then, else.
    If(Box<[Expr; 3]>),
    /// Patterns and what they lead to.
    Match(Box<Expr>, Vec<(Expr, Expr)>),
    /// What is evaluated one after the other, with the name that a `let` gives.
    Block(Vec<(Option<String>, Expr)>),
}

#[derive(Clone, PartialEq)]
enum Token {
    Int(i64),
    Text(Vec<u8>),
    Name(String),
    /// A keyword or a sign.
    Sign(&'static str),
    End,
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 23] = [
    "=>", "==", "!=", "<=", ">=", "(", ")", "{", "}", "[", "]", ",", ";", "|", "=", "<", ">", "+", "-", "*", "/", "%",
    "!",
];
const WORDS: [&str; 13] =
    ["fun", "let", "if", "else", "match", "receive", "spawn", "self", "yield", "and", "or", "not", "_"];

/// Operators of two operands, from those that bind least. All associate to the left.
const LEVELS: [&[&str]; 6] =
    [&["!"], &["or"], &["and"], &["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["*", "/", "%"]];
const MAX_DEPTH: usize = 1000;

/// Says that something is deeper.
fn too_deep<T>(place: Span) -> Result<T> {
    let wrong = Diagnostic::error(code::TOO_MUCH, "this is nested too deeply").at(place, "");
    Err(Box::new(
        wrong.help(format!("at most {MAX_DEPTH} can be within one another, operands too; give a part a name")),
    ))
}

fn tokens(file: FileId, source: &str) -> Result<Vec<(Token, Span)>> {
    let (mut found, mut rest) = (Vec::new(), source);
    let at = |rest: &str| (source.len() - rest.len()) as u32;
    loop {
        rest = rest.trim_start();
        let start = at(rest);
        let span = |rest: &str| Span::new(file, start, at(rest));
        let Some(first) = rest.chars().next() else {
            found.push((Token::End, span(rest)));
            return Ok(found);
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let token = if first == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if first == '"' {
            let Some(end) = rest[1..].find(['"', '\n']).filter(|end| rest[1 + end..].starts_with('"')) else {
                return error(span(&rest[1..]), "this text has no end in its line");
            };
            let text = rest[1..=end].into();
            rest = &rest[end + 2..];
            Token::Text(text)
        } else if !word.is_empty() {
            rest = &rest[word.len()..];
            match WORDS.iter().find(|known| **known == word) {
                Some(known) => Token::Sign(known),
                None if !first.is_ascii_digit() => Token::Name(word.into()),
                None => match word.parse() {
                    Ok(number) => Token::Int(number),
                    Err(_) => return error(span(rest), "this is neither a name nor an integer of 64 bits"),
                },
            }
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            rest = &rest[sign.len()..];
            Token::Sign(sign)
        } else {
            return error(span(&rest[first.len_utf8()..]), format!("`{first}` means nothing here"));
        };
        found.push((token, span(rest)));
    }
}

/// Functions, and what is outside of all functions.
pub fn parse(file: FileId, source: &str) -> Result<(Vec<Function>, Vec<(Option<String>, Expr)>)> {
    let mut parser = Parser { tokens: tokens(file, source)?, at: 0, depth: 0 };
    let (mut functions, mut statements) = (Vec::new(), Vec::new());
    while parser.tokens[parser.at].0 != Token::End {
        if !parser.take("fun") {
            statements.push(parser.statement(&Token::End)?);
            continue;
        }
        let span = parser.span();
        let name = parser.name()?;
        parser.expect("(")?;
        let params = parser.separated(")", Parser::name)?;
        functions.push(Function { name, span, params, body: parser.block()? });
    }
    Ok((functions, statements))
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn span(&self) -> Span {
        self.tokens[self.at].1
    }
    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens[self.at].0, Token::Sign(found) if found == sign)
    }
    fn take(&mut self, sign: &str) -> bool {
        let is_there = self.is(sign);
        self.at += usize::from(is_there);
        is_there
    }
    fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign) { Ok(()) } else { error(self.span(), format!("`{sign}` is missing here")) }
    }
    fn name(&mut self) -> Result<String> {
        let (Token::Name(name), _) = self.tokens[self.at].clone() else {
            return error(self.span(), "a name is missing here");
        };
        self.at += 1;
        Ok(name)
    }
    /// What is between commas, up to a sign that ends it.
    fn separated<T>(&mut self, end: &str, part: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut found = Vec::new();
        while !self.take(end) {
            found.push(part(self)?);
            if !self.take(",") && !self.is(end) {
                return error(self.span(), format!("`,` or `{end}` is missing here"));
            }
        }
        Ok(found)
    }
    /// An expression that began with this token.
    fn made(&self, start: Span, kind: Kind) -> Expr {
        Expr { kind, span: Span::new(start.file, start.start, self.tokens[self.at - 1].1.end.max(start.end)) }
    }

    fn block(&mut self) -> Result<Expr> {
        let start = self.span();
        self.expect("{")?;
        let mut parts = Vec::new();
        while !self.take("}") {
            parts.push(self.statement(&Token::Sign("}"))?);
        }
        Ok(self.made(start, Kind::Block(parts)))
    }
    /// A statement, and the `;` behind it. It may be missing after a `}` and before the end.
    fn statement(&mut self, end: &Token) -> Result<(Option<String>, Expr)> {
        let mut name = None;
        if self.take("let") {
            name = Some(self.name()?);
            self.expect("=")?;
        }
        let value = self.expression(0)?;
        self.separator(end)?;
        Ok((name, value))
    }
    fn separator(&mut self, end: &Token) -> Result<()> {
        let may_be_missing = self.tokens[self.at].0 == *end || self.tokens[self.at - 1].0 == Token::Sign("}");
        if self.take(";") || may_be_missing { Ok(()) } else { error(self.span(), "`;` is missing here") }
    }
    fn arms(&mut self) -> Result<Vec<(Expr, Expr)>> {
        let mut found = Vec::new();
        self.expect("{")?;
        while !self.take("}") {
            let pattern = self.primary()?;
            self.expect("=>")?;
            found.push((pattern, self.expression(0)?));
            self.separator(&Token::Sign("}"))?;
        }
        Ok(found)
    }

    fn expression(&mut self, level: usize) -> Result<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.primary() };
        let start = self.span();
        let mut left = self.expression(level + 1)?;
        let mut operators = 0;
        while let Some(&sign) = signs.iter().find(|sign| self.is(sign)) {
            let place = self.span();
            operators += 1;
            if self.depth + operators > MAX_DEPTH {
                return too_deep(place);
            }
            self.at += 1;
            let right = self.expression(level + 1)?;
            let constant = |number| Expr { kind: Kind::Int(number), span: place };
            left = match sign {
                "and" => self.made(start, Kind::If(Box::new([left, right, constant(0)]))),
                "or" => self.made(start, Kind::If(Box::new([left, constant(1), right]))),
                // Messages about operations show the sign.
                _ => Expr { kind: Kind::Call(sign.into(), vec![left, right]), span: place },
            };
        }
        Ok(left)
    }

    fn primary(&mut self) -> Result<Expr> {
        if self.depth >= MAX_DEPTH {
            return too_deep(self.span());
        }
        self.depth += 1;
        let found = self.primary_here();
        self.depth -= 1;
        found
    }
    fn primary_here(&mut self) -> Result<Expr> {
        let (token, start) = self.tokens[self.at].clone();
        if token == Token::Sign("{") {
            return self.block();
        }
        self.at += 1;
        let constant = |number| Expr { kind: Kind::Int(number), span: start };
        let kind = match token {
            Token::Int(number) => Kind::Int(number),
            Token::Text(text) => Kind::Text(text),
            Token::Name(name) if self.take("(") => {
                Kind::Call(name, self.separated(")", |parser| parser.expression(0))?)
            }
            Token::Name(name) => Kind::Name(name),
            Token::Sign("_") => Kind::Name("_".into()),
            Token::Sign("(") => {
                let inner = self.expression(0)?;
                self.expect(")")?;
                inner.kind
            }
            Token::Sign("[") => {
                let (mut parts, mut rest) = (Vec::new(), None);
                while !self.take("]") {
                    parts.push(self.expression(0)?);
                    if self.take("|") {
                        rest = Some(Box::new(self.expression(0)?));
                    }
                    if !self.is("]") {
                        self.expect(if rest.is_some() { "]" } else { "," })?;
                    }
                }
                Kind::List(parts, rest)
            }
            Token::Sign("-") => match self.primary()? {
                Expr { kind: Kind::Int(number), .. } => Kind::Int(-number),
                value => Kind::Call("-".into(), vec![constant(0), value]),
            },
            Token::Sign("not") => Kind::If(Box::new([self.primary()?, constant(0), constant(1)])),
            Token::Sign("if") => {
                let (condition, yes) = (self.expression(0)?, self.block()?);
                let no = match self.take("else") {
                    true if self.is("if") => self.primary()?,
                    true => self.block()?,
                    false => constant(0),
                };
                Kind::If(Box::new([condition, yes, no]))
            }
            Token::Sign("match") => Kind::Match(Box::new(self.expression(0)?), self.arms()?),
            Token::Sign("receive") if self.is("{") => {
                let message = self.made(start, Kind::Call("receive".into(), Vec::new()));
                Kind::Match(Box::new(message), self.arms()?)
            }
            Token::Sign(word @ ("receive" | "self" | "yield")) => Kind::Call(word.into(), Vec::new()),
            Token::Sign("spawn") => {
                let name = self.name()?;
                self.expect("(")?;
                Kind::Spawn(name, self.separated(")", |parser| parser.expression(0))?)
            }
            _ => return error(start, "an expression is missing here"),
        };
        Ok(self.made(start, kind))
    }
}
