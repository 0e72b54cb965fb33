//! Words of the language. Comments and white space are gone; where a word cannot be read there is a message and the
//! word `Bad`, which fits nowhere.

use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use rustc_hash::FxHashMap;

/// A name: the same number for the same letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Name(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
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

impl Word {
    /// For messages.
    pub fn describe(self, names: &Names) -> String {
        let sign = match self {
            Word::Fip => "fip",
            Word::Match => "match",
            Word::Enum => "enum",
            Word::Let => "let",
            Word::In => "in",
            Word::Open => "(",
            Word::Close => ")",
            Word::OpenBrace => "{",
            Word::CloseBrace => "}",
            Word::Colon => ":",
            Word::Semicolon => ";",
            Word::Comma => ",",
            Word::Equals => "=",
            Word::Wildcard => "_",
            Word::Plus => "+",
            Word::Minus => "-",
            Word::Times => "*",
            Word::Divide => "/",
            Word::Modulo => "%",
            Word::Less => "<",
            Word::LessEqual => "<=",
            Word::Greater => ">",
            Word::GreaterEqual => ">=",
            Word::EqualTo => "==",
            Word::Unequal => "!=",
            Word::Int(number) => return format!("`{number}`"),
            Word::Upper(name) | Word::Lower(name) => return format!("`{}`", names.text(name)),
            Word::Bad => return "this".into(),
            Word::End => return "the end of the file".into(),
        };
        format!("`{sign}`")
    }
}

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub word: Word,
    pub span: Span,
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
    let mut lexer = Lexer { file, bytes: &bytes[..to], at: from, names, sink };
    while let Some(token) = lexer.token() {
        tokens.push(token);
    }
}

struct Lexer<'l> {
    file: FileId,
    bytes: &'l [u8],
    at: usize,
    names: &'l mut Names,
    sink: &'l mut Sink,
}

impl Lexer<'_> {
    fn token(&mut self) -> Option<Token> {
        self.skip();
        let start = self.at;
        let byte = *self.bytes.get(start)?;
        let word = match byte {
            b'0'..=b'9' => self.number(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            _ => self.symbol(byte),
        };
        Some(Token { word, span: self.span(start) })
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

    fn number(&mut self) -> Word {
        let start = self.at;
        let text = self.take(start, |byte| byte.is_ascii_digit());
        match text.parse::<u64>().ok().filter(|&number| number <= i64::MAX as u64) {
            Some(number) => Word::Int(number),
            None => {
                let help = format!("the largest is {}; what is above {} wraps around", i64::MAX, i64::MAX >> 1);
                self.bad(start, "this number is too large", &help)
            }
        }
    }

    fn name(&mut self) -> Word {
        let start = self.at;
        let text = self.take(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match text {
            "fip" => return Word::Fip,
            "match" => return Word::Match,
            "enum" => return Word::Enum,
            "let" => return Word::Let,
            "in" => return Word::In,
            "_" => return Word::Wildcard,
            _ => {}
        }
        let first = text.bytes().find(|&byte| byte != b'_');
        match first {
            Some(b'A'..=b'Z') => Word::Upper(intern(self.names, self.bytes, start, self.at)),
            Some(b'a'..=b'z') => Word::Lower(intern(self.names, self.bytes, start, self.at)),
            _ => self.bad(start, "this is no name", "behind underlines a name has a letter; `_` alone takes any value"),
        }
    }

    fn symbol(&mut self, byte: u8) -> Word {
        let start = self.at;
        let followed = self.bytes.get(start + 1) == Some(&b'=');
        let (word, length) = match byte {
            b'(' => (Word::Open, 1),
            b')' => (Word::Close, 1),
            b'{' => (Word::OpenBrace, 1),
            b'}' => (Word::CloseBrace, 1),
            b':' => (Word::Colon, 1),
            b';' => (Word::Semicolon, 1),
            b',' => (Word::Comma, 1),
            b'+' => (Word::Plus, 1),
            b'-' => (Word::Minus, 1),
            b'*' => (Word::Times, 1),
            b'/' => (Word::Divide, 1),
            b'%' => (Word::Modulo, 1),
            b'<' if followed => (Word::LessEqual, 2),
            b'<' => (Word::Less, 1),
            b'>' if followed => (Word::GreaterEqual, 2),
            b'>' => (Word::Greater, 1),
            b'=' if followed => (Word::EqualTo, 2),
            b'=' => (Word::Equals, 1),
            b'!' if followed => (Word::Unequal, 2),
            _ => (Word::Bad, 1),
        };
        self.at += length;
        if word != Word::Bad {
            return word;
        }
        let help = match byte {
            b'"' | b'\'' => "there are no strings and no characters",
            b'|' if self.bytes.get(self.at) != Some(&b'|') => {
                "constructors have commas between them, and there are no operators for truth values"
            }
            b'.' => "there are no fractions: numbers are integers",
            b'&' | b'|' | b'!' => "there are no operators for truth values: use `match`",
            b'#' => "a line for the preprocessor begins with this sign and has nothing before it",
            _ => "names have letters of ASCII, digits and `_`; `//` begins a comment",
        };
        // One message for what stands between quotes, for `&&`, and for a letter that is not of ASCII.
        let rest = self.bytes[self.at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        match byte {
            b'"' | b'\'' => self.at += rest.iter().position(|&other| other == byte).map_or(0, |end| end + 1),
            b'&' | b'|' => _ = self.take(start, |other| other == byte),
            0x80.. => _ = self.take(start, |byte| byte >= 0x80),
            _ => {}
        }
        self.bad(start, "this character is no part of the language", help)
    }

    fn bad(&mut self, start: usize, message: &str, help: &str) -> Word {
        let span = self.span(start);
        self.sink.report_in(self.file, || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help));
        Word::Bad
    }
}

fn intern(names: &mut Names, bytes: &[u8], start: usize, end: usize) -> Name {
    names.name(std::str::from_utf8(&bytes[start..end]).unwrap_or_default())
}
