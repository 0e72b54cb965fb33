//! Lexer: source text to tokens. Comments and white space are gone; where a word cannot be read there is a message and
//! the word `Bad`, which fits nowhere.

use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use rustc_hash::FxHashMap;

/// A name: the same number for the same letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Name(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    Fip,
    Match,
    Enum,
    Let,
    In,
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    Colon,
    Semicolon,
    Comma,
    Equals,
    Wildcard,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    EqualTo,
    Unequal,
    /// At most `i64::MAX`.
    Int(u64),
    /// Begins with a capital letter: a type or a constructor.
    Upper(Name),
    Lower(Name),
    Bad,
    End,
}

impl TokenKind {
    /// For messages.
    pub fn describe(self, names: &Names) -> String {
        let sign = match self {
            TokenKind::Fip => "fip",
            TokenKind::Match => "match",
            TokenKind::Enum => "enum",
            TokenKind::Let => "let",
            TokenKind::In => "in",
            TokenKind::Open => "(",
            TokenKind::Close => ")",
            TokenKind::OpenBrace => "{",
            TokenKind::CloseBrace => "}",
            TokenKind::Colon => ":",
            TokenKind::Semicolon => ";",
            TokenKind::Comma => ",",
            TokenKind::Equals => "=",
            TokenKind::Wildcard => "_",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Times => "*",
            TokenKind::Divide => "/",
            TokenKind::Modulo => "%",
            TokenKind::Less => "<",
            TokenKind::LessEqual => "<=",
            TokenKind::Greater => ">",
            TokenKind::GreaterEqual => ">=",
            TokenKind::EqualTo => "==",
            TokenKind::Unequal => "!=",
            TokenKind::Int(number) => return format!("`{number}`"),
            TokenKind::Upper(name) | TokenKind::Lower(name) => return format!("`{}`", names.text(name)),
            TokenKind::Bad => return "this".into(),
            TokenKind::End => return "the end of the file".into(),
        };
        format!("`{sign}`")
    }
}

const NO_PART: &str = "this character is no part of the language";
const WITH: &str = "expected `{` before the cases, found `with`";
const OF: &str = "expected `{` before the cases, found `of`";
const ONE_PATTERN: &str = "each case has one pattern: `0: x, 1: x`";
const BARS_IN_BRACES: &str = "cases are written `pattern: value`, with commas between them";
const NO_BARS: &str = "cases stand in braces: `match list { End: …, Link(x, rest): … }`";
pub const NO_WITH: &str = "cases are written `match value { pattern: value }`";
pub const CHOICE: &str = "a choice is written `match condition { True: one, False: other }`";

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// It is the first of its line.
    pub starts_line: bool,
    /// So many bytes stand before it in its line.
    pub indent: u32,
}

/// All names of a program.
#[derive(Default)]
pub struct Names {
    numbers: FxHashMap<Box<str>, Name>,
    texts: Vec<Box<str>>,
}

impl Names {
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), name);
        name
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    pub fn count(&self) -> usize {
        self.texts.len()
    }
}

/// Where the text of a file begins: some editors write a mark before it.
pub fn beginning(bytes: &[u8]) -> usize {
    let mark = b"\xef\xbb\xbf";
    if bytes.starts_with(mark) { mark.len() } else { 0 }
}

/// Reads the words of `bytes[from..to]`, a part of a file.
pub fn lex(
    file: FileId,
    bytes: &[u8],
    from: usize,
    to: usize,
    names: &mut Names,
    tokens: &mut Vec<Token>,
    sink: &mut Sink,
) {
    let mut lexer = Lexer { file, bytes: &bytes[..to], at: from, names, sink, bar: 0, semicolon: 0 };
    while let Some(token) = lexer.token(tokens.last()) {
        tokens.push(token);
    }
}

struct Lexer<'l> {
    file: FileId,
    bytes: &'l [u8],
    at: usize,
    names: &'l mut Names,
    sink: &'l mut Sink,
    /// Where the next bar and the next semicolon stand, if that is not before `at`.
    bar: usize,
    semicolon: usize,
}

impl Lexer<'_> {
    fn token(&mut self, before: Option<&Token>) -> Option<Token> {
        let begin = self.at;
        self.skip();
        let start = self.at;
        let byte = *self.bytes.get(start)?;
        let starts_line = before.is_none() || self.bytes[begin..start].contains(&b'\n');
        let is_outside = before.is_none_or(|before| before.kind == TokenKind::Semicolon);
        let is_behind_bad = before.is_some_and(|before| before.kind == TokenKind::Bad);
        let word = match byte {
            b'-' if is_outside && self.bytes.get(start + 1) == Some(&b'-') => self.foreign_comment(),
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' if starts_line && (is_outside || is_behind_bad) && self.is_import() => {
                let help = "another file is included by a line `#include list.goo`";
                self.foreign_line("a definition does not begin so", help)
            }
            b'a'..=b'z' if starts_line && is_outside && self.is_foreign_type() => self.foreign_type(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            _ => self.symbol(byte, starts_line, before.map(|before| before.kind)),
        };
        let line =
            self.bytes[begin..start].iter().rposition(|&byte| byte == b'\n').map_or(begin, |end| begin + end + 1);
        Some(Token { kind: word, span: self.span(start), starts_line, indent: (start - line) as u32 })
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn skip(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => self.at += 1,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Goes on while bytes are of a kind, and gives them all.
    fn take(&mut self, start: usize, is_part: impl Fn(u8) -> bool) -> &str {
        while self.bytes.get(self.at).is_some_and(|&byte| is_part(byte)) {
            self.at += 1;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default()
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        _ = self.take(start, |byte| byte.is_ascii_digit());
        if self.bytes.get(self.at).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_') {
            self.take(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            return self.bad(start, "this is no number", "numbers have decimal digits alone; `2 * n` multiplies");
        }
        match self.take(start, |_| false).parse::<u64>().ok().filter(|&number| number <= i64::MAX as u64) {
            Some(number) => TokenKind::Int(number),
            None => {
                let help = format!("the largest is {}; what is above {} wraps around", i64::MAX, i64::MAX >> 1);
                self.bad(start, "this number is too large", &help)
            }
        }
    }

    fn name(&mut self) -> TokenKind {
        let start = self.at;
        let text = self.take(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = [("with", WITH), ("of", OF)].into_iter().find(|word| word.0 == text);
        if let Some((_, message)) = word.filter(|_| self.has_bars()) {
            let bad = self.bad(start, message, NO_WITH);
            // They have no messages of their own.
            self.at = self.semicolon;
            return bad;
        }
        let text = self.take(start, |_| false);
        match text {
            "fip" => return TokenKind::Fip,
            "match" => return TokenKind::Match,
            "enum" => return TokenKind::Enum,
            "let" => return TokenKind::Let,
            "in" => return TokenKind::In,
            "_" => return TokenKind::Wildcard,
            _ => {}
        }
        let first = text.bytes().find(|&byte| byte != b'_');
        match first {
            Some(b'A'..=b'Z') => TokenKind::Upper(intern(self.names, self.bytes, start, self.at)),
            Some(b'a'..=b'z') => TokenKind::Lower(intern(self.names, self.bytes, start, self.at)),
            _ => self.bad(start, "this is no name", "behind underlines a name has a letter; `_` alone takes any value"),
        }
    }

    /// Cases with bars follow in the definition, as in other languages.
    fn has_bars(&mut self) -> bool {
        let bytes = self.bytes;
        // What was found before is asked for again at the next such word.
        if self.bar < self.at {
            let mut at = self.at;
            while at < bytes.len() && bytes[at] != b'|' {
                let is_comment = bytes[at..].starts_with(b"//");
                let line = || bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                at += if is_comment { line() } else { 1 };
            }
            self.bar = at;
        }
        if self.semicolon < self.at {
            let rest = bytes[self.at..].iter().position(|&byte| byte == b';');
            self.semicolon = rest.map_or(bytes.len(), |rest| self.at + rest);
        }
        self.bar < self.semicolon
    }

    /// This line names another file or module, as other languages do it.
    fn is_import(&self) -> bool {
        let line = self.bytes[self.at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let word = line.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
        const WORDS: [&[u8]; 6] = [b"import", b"include", b"open", b"require", b"use", b"using"];
        WORDS.contains(&word) && matches!(line.get(word.len()), Some(b' ' | b'(')) && !line.contains(&b'=')
    }

    /// A type is defined here, as other languages do it.
    fn is_foreign_type(&self) -> bool {
        const WORDS: [&[u8]; 5] = [b"data", b"type", b"newtype", b"struct", b"class"];
        let rest = &self.bytes[self.at..];
        WORDS.iter().any(|word| {
            rest.starts_with(word)
                && rest.get(word.len()) == Some(&b' ')
                && rest.get(word.len() + 1).is_some_and(u8::is_ascii_alphabetic)
        })
    }

    /// Such a definition, up to the line that begins the next one.
    fn foreign_type(&mut self) -> TokenKind {
        let bad = self
            .foreign_line("a definition does not begin so", "a type is written `enum List = End, Link(Int, List);`");
        while let Some(b' ' | b'\t' | b'|' | b'}') = self.bytes.get(self.at + 1) {
            self.at += 1;
            self.rest_of_line();
        }
        bad
    }

    fn rest_of_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// A line that is a comment in other languages, where a definition should begin.
    fn foreign_comment(&mut self) -> TokenKind {
        self.foreign_line("a definition does not begin so", "a comment begins with `//`")
    }

    /// A line of another language, of which the first word is shown.
    fn foreign_line(&mut self, message: &str, help: &str) -> TokenKind {
        let start = self.at;
        let is_sign = self.bytes[start] == b'-';
        self.take(start, |byte| if is_sign { byte == b'-' } else { byte.is_ascii_alphanumeric() });
        let bad = self.bad(start, message, help);
        self.rest_of_line();
        bad
    }

    fn symbol(&mut self, byte: u8, starts_line: bool, before: Option<TokenKind>) -> TokenKind {
        let start = self.at;
        let followed = self.bytes.get(start + 1) == Some(&b'=');
        let (word, length) = match byte {
            b'(' => (TokenKind::Open, 1),
            b')' => (TokenKind::Close, 1),
            b'{' => (TokenKind::OpenBrace, 1),
            b'}' => (TokenKind::CloseBrace, 1),
            b':' => (TokenKind::Colon, 1),
            b';' => (TokenKind::Semicolon, 1),
            b',' => (TokenKind::Comma, 1),
            b'+' => (TokenKind::Plus, 1),
            b'-' => (TokenKind::Minus, 1),
            b'*' => (TokenKind::Times, 1),
            b'/' => (TokenKind::Divide, 1),
            b'%' => (TokenKind::Modulo, 1),
            b'<' if followed => (TokenKind::LessEqual, 2),
            b'<' => (TokenKind::Less, 1),
            b'>' if followed => (TokenKind::GreaterEqual, 2),
            b'>' => (TokenKind::Greater, 1),
            b'=' if followed => (TokenKind::EqualTo, 2),
            b'=' => (TokenKind::Equals, 1),
            b'!' if followed => (TokenKind::Unequal, 2),
            _ => (TokenKind::Bad, 1),
        };
        self.at += length;
        if word != TokenKind::Bad {
            return word;
        }
        let bytes = self.bytes;
        let line = bytes[self.at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_behind_name =
            start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || matches!(bytes[start - 1], b'_' | b'\''));
        let dot;
        let help = match byte {
            b'\'' if is_behind_name => "names have letters of ASCII, digits and `_`",
            b'|' if before == Some(TokenKind::OpenBrace) => BARS_IN_BRACES,
            b'|' if matches!(before, Some(TokenKind::Int(_))) && is_number_of_case(line) => ONE_PATTERN,
            b'|' if line.first() != Some(&b'|') && is_guard(line) => CHOICE,
            b'"' | b'\'' => "there are no strings and no characters",
            b'|' if starts_line && line.windows(2).any(|two| two == b"->") => NO_BARS,
            b'|' if line.first() == Some(&b'>') => "there is no `|>`: write `g(f(x))`",
            b'|' if line.windows(2).any(|two| two == b"->") => NO_BARS,
            b'|' if self.bytes.get(self.at) != Some(&b'|') => {
                "there is no `|`: constructors and cases have commas between them"
            }
            b'$' => "a function stands before its argument: `f x`, `f(g x)`",
            b'.' => {
                dot = self.dot(start);
                &dot
            }
            b'?' => CHOICE,
            b'&' | b'|' | b'!' => "there are no operators for truth values: use `match`",
            b'\\' => "functions have names: `Int: Int` and then `name x = x + 1;`, outside of other functions",
            b'^' => "there are no operators for powers and for bits: a function multiplies",
            b'[' if line.starts_with(b"]") && line[1..].trim_ascii_start().starts_with(b"->") => {
                "a list is taken apart by its constructors: `match list { End: …, Link(x, rest): … }`"
            }
            b'[' | b']' => "there are no lists in brackets: a list is a type, as `enum List = End, Link(Int, List);`",
            b'#' => "a line for the preprocessor begins with this sign and has nothing before it",
            _ => "names have letters of ASCII, digits and `_`; `//` begins a comment",
        };
        // One message for what stands between quotes, for `&&`, for what one case gives, and for a letter not of ASCII.
        match byte {
            b'\'' if is_behind_name => {}
            b'"' | b'\'' => self.at += line.iter().position(|&other| other == byte).map_or(0, |end| end + 1),
            b'|' if starts_line && help.starts_with("cases") => {
                let bad = self.bad(start, NO_PART, help);
                // The next word begins a line, so what stands before that is left.
                let end = loop {
                    self.rest_of_line();
                    let end = self.at;
                    self.skip();
                    if self.bytes.get(self.at) != Some(&b'|') {
                        break end;
                    }
                };
                self.at = end;
                return bad;
            }
            b'[' if line.starts_with(b"]") => {
                self.at += 1;
                let bad = self.bad(start, NO_PART, help);
                self.rest_of_line();
                return bad;
            }
            b'[' => self.at += line.iter().rposition(|&other| other == b']').map_or(0, |end| end + 1),
            b'&' | b'|' | b'.' => _ = self.take(start, |other| other == byte),
            0x80.. => _ = self.take(start, |byte| byte >= 0x80),
            _ => {}
        }
        self.bad(start, NO_PART, help)
    }

    /// What to say of a dot, which in other languages stands in many places.
    fn dot(&self, start: usize) -> String {
        let is_name = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let before = &self.bytes[..start];
        let before = &before[before.iter().rposition(|byte| !is_name(byte)).map_or(0, |at| at + 1)..];
        let after = &self.bytes[start + 1..];
        let after = &after[..after.iter().position(|byte| !is_name(byte)).unwrap_or(after.len())];
        let text = String::from_utf8_lossy(after);
        match (before.first(), after.first()) {
            _ if self.bytes.get(start + 1) == Some(&b'.') => {
                "there are no ranges: a pattern is one number, and a function counts".into()
            }
            (None, None) => "functions are not joined: write `f(g x)`".into(),
            (Some(b'0'..=b'9'), _) => "there are no fractions: numbers are integers".into(),
            (Some(b'A'..=b'Z'), Some(b'A'..=b'Z')) => format!("constructors stand alone: `{text}`"),
            (_, Some(b'a'..=b'z')) => format!("there are no methods: `{text}(value)`"),
            (Some(_), Some(b'0'..=b'9')) => "`let (a, b) = … in …` takes a tuple apart".into(),
            _ => "there are no fractions: numbers are integers".into(),
        }
    }

    fn bad(&mut self, start: usize, message: &str, help: &str) -> TokenKind {
        let span = self.span(start);
        let diagnostic = || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help).mistake(help);
        self.sink.report_in(self.file, diagnostic);
        TokenKind::Bad
    }
}

/// Behind a `|` stands the number of a case, or the next `|`.
fn is_number_of_case(line: &[u8]) -> bool {
    let rest = line.trim_ascii_start();
    let number = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    number > 0 && matches!(rest[number..].trim_ascii_start().first(), Some(b':' | b'|' | b'-' | b'='))
}

/// Behind a `|` stands `condition = value`, or `otherwise`.
fn is_guard(line: &[u8]) -> bool {
    let is_equals = |three: &[u8]| three[1] == b'=' && !b"=<>!".contains(&three[0]) && three[2] != b'=';
    line.windows(3).any(is_equals)
}

fn intern(names: &mut Names, bytes: &[u8], start: usize, end: usize) -> Name {
    names.name(std::str::from_utf8(&bytes[start..end]).unwrap_or_default())
}
