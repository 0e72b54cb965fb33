//! Splits the text form into tokens. Ends of lines are tokens, because an instruction is a line. A text is read in
//! parts (`parts`): the tokens of a part are there while it is parsed. Those of a whole module would take far more
//! memory than the module.

use super::error::ParseError;
use std::borrow::Cow;

/// Before the name of a value.
pub(super) const VALUE_SIGIL: char = '~';
const VALUE_SIGIL_BYTE: u8 = b'~';

#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind<'a> {
    /// Sigil and name: `@f`.
    Name(char, Cow<'a, str>),
    Ident(&'a str),
    /// Text of a number: sign, digits, `.`, exponent, or `0x`.
    Number(&'a str),
    Str(Vec<u8>),
    /// One of `( ) [ ] { } : , = /`, or `>` for `->`.
    Punct(char),
    Newline,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub line: u32,
    /// Where it begins in its part.
    pub start: u32,
}

impl TokenKind<'_> {
    /// As it is called in messages.
    pub fn describe(&self) -> String {
        match self {
            TokenKind::Name(sigil, name) => format!("`{sigil}{}`", shortened(name)),
            TokenKind::Ident(text) | TokenKind::Number(text) => format!("`{}`", shortened(text)),
            TokenKind::Str(_) => "a string".into(),
            TokenKind::Punct('>') => "`->`".into(),
            TokenKind::Punct(c) => format!("`{c}`"),
            TokenKind::Newline => "the end of the line".into(),
            TokenKind::End => "the end of the text".into(),
        }
    }
}

/// As much of a word as a message quotes.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Bytes of names that need no quotes.
pub(super) fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[usize::from(byte)]
}

static NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
        byte += 1;
    }
    table
};

/// The column of a byte of a text, from 1. It is counted when a message needs it.
pub(super) fn column(text: &str, at: usize) -> u32 {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    before[line..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32 + 1
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

/// A part of a text: a line, or a function with all of its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part<'a> {
    pub text: &'a str,
    /// The number of its first line.
    pub line: u32,
    pub is_function: bool,
    /// A function is: there is such a line.
    pub is_closed: bool,
}

const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// A line without its blanks is the first of a function.
fn begins_function(line: &str) -> bool {
    let after = line.strip_prefix("func").map(|rest| rest.bytes().next());
    after.is_some_and(|next| !next.is_some_and(is_name_byte))
}

/// The same without what stands in braces behind an item that is none, as functions of other languages do.
pub(super) fn known_parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut is_inside = false;
    parts(text).filter(move |part| {
        let line = part.text.trim();
        let is_left_out = is_inside && !part.is_function;
        is_inside = match part.is_function {
            true => false,
            false if is_inside => !line.starts_with('}'),
            false => line.ends_with('{') || line.starts_with("(func") || line.starts_with("(module"),
        };
        !is_left_out
    })
}

/// The parts of a text, without lines that say nothing. A function ends with the first line that begins with `}`.
pub(super) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut lines = text.split_inclusive('\n').peekable();
    let (mut at, mut number) = (0, 0);
    std::iter::from_fn(move || {
        loop {
            let first = lines.next()?;
            let (start, line) = (at, number + 1);
            (at, number) = (at + first.len(), line);
            let said = first.trim_start_matches(BLANKS);
            if said.is_empty() || said.starts_with(['\n', ';']) {
                continue;
            }
            let is_function = begins_function(said);
            let mut is_closed = !is_function;
            if is_function {
                // No instruction is called so: a brace is missing.
                while let Some(line) = lines.next_if(|line| !begins_function(line.trim_start_matches(BLANKS))) {
                    (at, number) = (at + line.len(), number + 1);
                    if line.trim_start_matches(BLANKS).starts_with('}') {
                        is_closed = true;
                        break;
                    }
                }
            }
            return Some(Part { text: &text[start..at], line, is_function, is_closed });
        }
    })
}

/// The first line of a part.
pub(super) fn first_line<'a>(part: &Part<'a>) -> Part<'a> {
    let end = part.text.find('\n').map_or(part.text.len(), |at| at + 1);
    Part { text: &part.text[..end], ..*part }
}

/// Puts the tokens of a part into a vector, in place of what was there; and says what is none. After that the rest of
/// the line is left out.
pub(super) fn lex<'a>(part: &Part<'a>, tokens: &mut Vec<Token<'a>>) -> Vec<ParseError> {
    let mut lexer = Lexer { text: part.text, at: 0, line: part.line };
    tokens.clear();
    let mut errors = Vec::new();
    loop {
        match lexer.next() {
            Ok(token) => {
                let is_end = matches!(token.kind, TokenKind::End);
                tokens.push(token);
                if is_end {
                    return errors;
                }
            }
            Err(error) => {
                errors.push(error);
                lexer.take_while(|byte| byte != b'\n');
            }
        }
    }
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !accept(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn error<T>(&mut self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError {
            line: self.line,
            column: column(self.text, self.at),
            message: message.into(),
            is_of_name: false,
            is_unclosed: false,
        })
    }

    fn next(&mut self) -> Result<Token<'a>, ParseError> {
        self.take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
        if self.peek(0) == b';' {
            self.take_while(|b| b != b'\n');
        }
        let (line, start) = (self.line, self.at as u32);
        Ok(Token { kind: self.kind()?, line, start })
    }

    fn kind(&mut self) -> Result<TokenKind<'a>, ParseError> {
        if self.at == self.text.len() {
            return Ok(TokenKind::End);
        }
        let byte = self.peek(0);
        match byte {
            b'\n' => {
                self.at += 1;
                self.line += 1;
                Ok(TokenKind::Newline)
            }
            b'-' if self.peek(1) == b'>' => {
                self.at += 2;
                Ok(TokenKind::Punct('>'))
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b':' | b',' | b'=' | b'/' => {
                self.at += 1;
                Ok(TokenKind::Punct(byte as char))
            }
            b'@' | b'$' | b'&' | b'^' | b'%' | VALUE_SIGIL_BYTE => {
                self.at += 1;
                let sigil = byte as char;
                if self.peek(0) == b'"' {
                    return match String::from_utf8(self.string()?) {
                        Ok(name) => Ok(TokenKind::Name(sigil, name.into())),
                        Err(_) => self.error("a name must be UTF-8"),
                    };
                }
                let name = self.take_while(is_name_byte);
                if name.is_empty() {
                    return self.error(format!("a name must follow `{sigil}`"));
                }
                Ok(TokenKind::Name(sigil, name.into()))
            }
            b'"' => Ok(TokenKind::Str(self.string()?)),
            b'0'..=b'9' | b'-' | b'+' => {
                let start = self.at;
                self.at += 1;
                let hex = byte == b'0' && self.peek(0) == b'x';
                while is_name_byte(self.peek(0))
                    || (!hex && matches!(self.peek(0), b'-' | b'+') && self.text.as_bytes()[self.at - 1] == b'e')
                {
                    self.at += 1;
                }
                Ok(TokenKind::Number(&self.text[start..self.at]))
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(TokenKind::Ident(self.take_while(is_name_byte))),
            _ => {
                // In a comment as others write it, which the parser would not come to.
                let line = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
                if let Some(comment) = self.text[line..self.at].find("//") {
                    self.at = line + comment;
                    let error = self.error("`//` begins no comment: a comment begins with `;`");
                    self.at += 2;
                    return error;
                }
                let c = self.text[self.at..].chars().next().unwrap_or('?');
                let help = match c {
                    '#' => ": a comment begins with `;`",
                    '\'' => ": a string stands in `\"`",
                    _ => "",
                };
                let shown = if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
                self.error(format!("unexpected character `{shown}`{help}"))
            }
        }
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let byte = self.peek(0);
            if self.at == self.text.len() || byte == b'\n' {
                return self.error("the string is not closed");
            }
            self.at += 1;
            match byte {
                b'"' => return Ok(bytes),
                b'\\' => {
                    let next = self.peek(0);
                    if matches!(next, b'"' | b'\\') {
                        self.at += 1;
                        bytes.push(next);
                        continue;
                    }
                    let code = self.text.get(self.at..self.at + 2).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                    let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    let Some(code) = code else { return self.error("an escape is `\\\"`, `\\\\` or two hex digits") };
                    self.at += 2;
                    bytes.push(code);
                }
                _ => bytes.push(byte),
            }
        }
    }
}
