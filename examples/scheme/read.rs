//! Text to data.

use cleave_diag::{Diagnostic, FileId, Span, code};
use std::rc::Rc;

pub type Name = Rc<str>;
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

#[derive(Clone, Debug)]
pub struct Datum {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    Int(i64),
    Bool(bool),
    Char(u8),
    Text(Vec<u8>),
    Symbol(Name),
    List(Vec<Datum>),
    /// `(a b . c)`: the last one is behind the dot.
    Dotted(Vec<Datum>),
}

impl PartialEq for Datum {
    fn eq(&self, other: &Datum) -> bool {
        self.kind == other.kind
    }
}

pub fn error<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(span, "")))
}

/// How deep data, and what becomes of them, may be nested.
pub const DEEPEST: usize = 5000;

/// Says that it is deeper.
pub fn too_deep<T>(span: Span) -> Result<T> {
    let wrong = Diagnostic::error(code::TOO_MUCH, "this is nested too deeply").at(span, "");
    Err(Box::new(wrong.help(format!("at most {DEEPEST} can be within one another, operands of `and` or `+` too"))))
}

/// What the shorthands of quotation stand for.
const QUOTES: [(u8, &str); 3] = [(b'\'', "quote"), (b'`', "quasiquote"), (b',', "unquote")];

/// The data of a text. A list that is not closed is an error at the end of the text.
pub fn read(file: FileId, source: &str) -> Result<Vec<Datum>> {
    let bytes = source.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let is_end = |at: usize| at >= bytes.len() || byte(at).is_ascii_whitespace() || b"()\";'".contains(&byte(at));
    // The lists that are open, innermost last: where each began, its data, how it is quoted, where its dot is.
    let mut open: Vec<(usize, Vec<Datum>, usize, Option<usize>)> = vec![(0, Vec::new(), 0, None)];
    let (mut at, mut quotes) = (0, Vec::new());
    while at < bytes.len() {
        let start = at;
        let span = |end: usize| Span::new(file, start as u32, end as u32);
        at += 1;
        if open.len() + quotes.len() > DEEPEST {
            return too_deep(span(at));
        }
        let kind = match byte(start) {
            white if white.is_ascii_whitespace() => continue,
            b';' => {
                at = source[start..].find('\n').map_or(bytes.len(), |line| start + line);
                continue;
            }
            mark if QUOTES.iter().any(|quote| quote.0 == mark) => {
                quotes.push(QUOTES.iter().find(|quote| quote.0 == mark).map_or("", |quote| quote.1));
                continue;
            }
            b'(' => {
                open.push((start, Vec::new(), quotes.len(), None));
                continue;
            }
            b')' => {
                let Some((begin, data, depth, dot)) = open.pop().filter(|_| !open.is_empty()) else {
                    return error(span(at), "this parenthesis closes nothing");
                };
                if quotes.len() != depth || dot.is_some_and(|dot| dot == 0 || dot + 1 != data.len()) {
                    return error(span(at), "something is missing before this parenthesis");
                }
                let kind = if dot.is_some() { Kind::Dotted(data) } else { Kind::List(data) };
                let datum = Datum { kind, span: Span::new(file, begin as u32, at as u32) };
                add(&mut open, &mut quotes, datum);
                continue;
            }
            b'"' => {
                let mut text = Vec::new();
                while at < bytes.len() && byte(at) != b'"' {
                    let is_escape = byte(at) == b'\\';
                    at += usize::from(is_escape);
                    text.push(if is_escape && byte(at) == b'n' { b'\n' } else { byte(at) });
                    at += 1;
                }
                at += 1;
                if at > bytes.len() {
                    return error(span(start + 1), "this string has no end");
                }
                Kind::Text(text)
            }
            _ => {
                at += usize::from(source[start..].starts_with("#\\"));
                at += usize::from(source[start..].starts_with("#\\"));
                while !is_end(at) {
                    at += 1;
                }
                let word = &source[start..at];
                match (word, word.parse()) {
                    (_, Ok(number)) => Kind::Int(number),
                    ("#t" | "#true", _) => Kind::Bool(true),
                    ("#f" | "#false", _) => Kind::Bool(false),
                    ("#\\space", _) => Kind::Char(b' '),
                    ("#\\newline", _) => Kind::Char(b'\n'),
                    (".", _) => {
                        let count = open.last().map_or(0, |list| list.1.len());
                        open.iter_mut().skip(1).next_back().iter_mut().for_each(|list| list.3 = Some(count));
                        continue;
                    }
                    _ if word.len() == 3 && word.starts_with("#\\") => Kind::Char(bytes[start + 2]),
                    _ if word.starts_with('#') => return error(span(at), format!("there is no `{word}`")),
                    _ => Kind::Symbol(word.into()),
                }
            }
        };
        add(&mut open, &mut quotes, Datum { kind, span: span(at) });
    }
    let end = Span::new(file, bytes.len() as u32, bytes.len() as u32);
    match open.pop() {
        Some((_, data, ..)) if open.is_empty() && quotes.is_empty() => Ok(data),
        Some((begin, ..)) => {
            let wrong = Diagnostic::error(code::SYNTAX, "the text ends within a list").at(end, "");
            Err(Box::new(wrong.and(Span::new(file, begin as u32, begin as u32 + 1), "it begins here")))
        }
        None => error(end, "the text ends here"),
    }
}

fn add(open: &mut [(usize, Vec<Datum>, usize, Option<usize>)], quotes: &mut Vec<&str>, mut datum: Datum) {
    let Some((_, data, depth, _)) = open.last_mut() else { return };
    for quote in quotes.drain(*depth..).rev() {
        let symbol = Datum { kind: Kind::Symbol(quote.into()), span: datum.span };
        datum = Datum { span: datum.span, kind: Kind::List(vec![symbol, datum]) };
    }
    data.push(datum);
}
