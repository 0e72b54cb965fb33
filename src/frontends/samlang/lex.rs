//! Words of the language. Comments and white space are gone; where a word cannot be read there is a message and the
//! word `Bad`, which fits nowhere. For tools that need them, `comments` lists the comments with their places.

use cleave_diag::{Diagnostic, FileId, Sink, Span, code};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A name: the same number for the same letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Name(pub u32);

impl Name {
    /// The keyword that members may have as their name, too.
    pub const THEN: Name = Name(0);
}

macro_rules! words {
    ([$($keyword:ident $text:literal)*] [$($sign:ident $letters:literal)*]) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum TokenKind {
            $($keyword,)*
            $($sign,)*
            /// At most 2147483648, which only a sign makes an integer.
            Int(u32),
            /// The number of a literal in `Names`.
            Text(Name),
            /// Begins with a capital letter: a class or a variant.
            Upper(Name),
            Lower(Name),
            /// A word that is taken, but has no meaning.
            Reserved(Name),
            Bad,
            End,
        }

        /// The words of the language.
        const KEYWORDS: &[(&str, TokenKind)] = &[$(($text, TokenKind::$keyword),)*];

        impl TokenKind {
            /// Its letters, if they are always the same.
            pub fn letters(self) -> Option<&'static str> {
                Some(match self {
                    $(TokenKind::$keyword => $text,)*
                    $(TokenKind::$sign => $letters,)*
                    _ => return None,
                })
            }

            /// The letters of a word of the language.
            pub fn keyword(self) -> Option<&'static str> {
                self.letters().filter(|text| text.as_bytes()[0].is_ascii_alphabetic())
            }
        }
    };
}

words! {
    [Import "import" From "from" Class "class" Interface "interface" Private "private" Function "function"
     Method "method" Val "val" Let "let" As "as" If "if" Then "then" Else "else" Match "match" True "true"
     False "false" This "this" UnitType "unit" BoolType "bool" IntType "int" TextType "string" Wildcard "_"]
    [Open "(" Close ")" OpenBrace "{" CloseBrace "}" OpenBracket "[" CloseBracket "]" Comma "," Semicolon ";"
     Dot "." Colon ":" Concat "::" Arrow "->" Equals "=" Bar "|" Or "||" And "&&" Not "!" Plus "+" Minus "-"
     Times "*" Divide "/" Modulo "%" Less "<" LessEqual "<=" Greater ">" GreaterEqual ">=" EqualTo "=="
     Unequal "!="]
}

/// Words that are taken without having a meaning.
const RESERVED: &[&str] = &[
    "self",
    "const",
    "var",
    "type",
    "public",
    "protected",
    "internal",
    "return",
    "constructor",
    "destructor",
    "extends",
    "implements",
    "exports",
    "assert",
];

impl TokenKind {
    /// For messages.
    pub fn describe(self, names: &Names) -> String {
        match self {
            TokenKind::Int(number) => format!("`{number}`"),
            TokenKind::Text(_) => "a string".into(),
            TokenKind::Upper(name) | TokenKind::Lower(name) => format!("`{}`", names.text(name)),
            TokenKind::Reserved(name) => format!("the reserved word `{}`", names.text(name)),
            TokenKind::Bad => "this".into(),
            TokenKind::End => "the end of the file".into(),
            word => format!("`{}`", word.letters().unwrap_or_default()),
        }
    }
}

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// All names and literals of a program.
#[derive(Debug)]
pub struct Names {
    texts: IndexSet<Box<[u8]>, FxBuildHasher>,
    /// What the first ones mean, which are the words of the language.
    words: Vec<TokenKind>,
}

impl Default for Names {
    fn default() -> Names {
        let mut names = Names { texts: IndexSet::default(), words: Vec::new() };
        let then = [("then", TokenKind::Then)];
        for &(text, kind) in then.iter().chain(KEYWORDS.iter().filter(|word| word.0 != "then")) {
            names.name(text);
            names.words.push(kind);
        }
        for text in RESERVED {
            let name = names.name(text);
            names.words.push(TokenKind::Reserved(name));
        }
        names
    }
}

impl Names {
    pub fn name(&mut self, text: &str) -> Name {
        self.bytes_of(text.as_bytes())
    }

    /// The name of these letters, if it was read.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.found(text.as_bytes())
    }

    fn found(&self, text: &[u8]) -> Option<Name> {
        self.texts.get_index_of(text).map(|number| Name(number as u32))
    }

    fn bytes_of(&mut self, text: &[u8]) -> Name {
        self.found(text).unwrap_or_else(|| Name(self.texts.insert_full(text.into()).0 as u32))
    }

    /// The letters of a name.
    pub fn text(&self, name: Name) -> &str {
        std::str::from_utf8(self.bytes(name)).unwrap_or_default()
    }

    /// What a literal stands for.
    pub fn bytes(&self, name: Name) -> &[u8] {
        &self.texts[name.0 as usize]
    }
}

/// What some editors write at the beginning of a file.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the words of a file; the last one is `End`.
pub fn lex(
    file: FileId,
    bytes: &[u8],
    names: &mut Names,
    comments: Option<&mut Vec<Span>>,
    sink: &mut Sink,
) -> Vec<Token> {
    let at = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut lexer = Lexer { file, bytes, at, names, comments, sink, has_open_text: false };
    let mut tokens = Vec::with_capacity(bytes.len() / 4);
    loop {
        let token = lexer.token();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
    }
}

const ESCAPES: &str = "there are `\\n`, `\\t`, `\\r`, `\\v`, `\\f`, `\\b`, `\\0`, `\\\\` and `\\\"`";

struct Lexer<'l> {
    file: FileId,
    bytes: &'l [u8],
    at: usize,
    names: &'l mut Names,
    comments: Option<&'l mut Vec<Span>>,
    sink: &'l mut Sink,
    /// A string has no end, which has been said.
    has_open_text: bool,
}

/// A quote of print, in UTF-8.
fn is_quote(bytes: &[u8]) -> bool {
    matches!(bytes, [0xe2, 0x80, 0x98..=0x9f, ..])
}

impl Lexer<'_> {
    fn token(&mut self) -> Token {
        // A comment without an end is a word that cannot be read, so that nothing is missing after it.
        if let Some(span) = self.skip() {
            return Token { kind: TokenKind::Bad, span };
        }
        let start = self.at;
        let word = match self.bytes.get(start) {
            None => TokenKind::End,
            Some(b'0'..=b'9') => self.number(),
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => self.name(),
            Some(b'"') => self.text(),
            Some(&byte) => self.symbol(byte),
        };
        Token { kind: word, span: self.span(start) }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    /// Goes to the next word, unless a comment has no end: then to the end of the file.
    fn skip(&mut self) -> Option<Span> {
        while let Some(byte) = self.bytes.get(self.at) {
            let start = self.at;
            match (byte, self.bytes.get(start + 1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | b'\x0c', _) => {
                    self.at += 1;
                    continue;
                }
                (b'/', Some(b'/')) => {
                    let rest = &self.bytes[start..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                (b'/', Some(b'*')) => {
                    let rest = &self.bytes[start + 2..];
                    match rest.windows(2).position(|pair| pair == b"*/") {
                        Some(end) => self.at += end + 4,
                        None => {
                            self.at += 2;
                            self.bad(start, "this comment has no end", "`*/` ends it");
                            let span = self.span(start);
                            self.at = self.bytes.len();
                            return Some(span);
                        }
                    }
                }
                _ => return None,
            }
            let span = self.span(start);
            if let Some(comments) = &mut self.comments {
                comments.push(span);
            }
        }
        None
    }

    /// Goes on while bytes are of a kind, and gives them all.
    fn take(&mut self, start: usize, is_part: impl Fn(u8) -> bool) -> &[u8] {
        while self.bytes.get(self.at).is_some_and(|&byte| is_part(byte)) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let text = self.take(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !text.iter().all(u8::is_ascii_digit) {
            let is_parted = text.iter().all(|&byte| byte.is_ascii_digit() || byte == b'_');
            let help = if is_parted { "leave out the `_`" } else { "numbers are decimal; names begin with a letter" };
            return self.bad(start, "this is no number and no name", help);
        }
        let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<u32>().ok());
        match number.filter(|&number| number <= 1 << 31) {
            Some(number) => TokenKind::Int(number),
            None => self.bad(start, "this number is too large", "an `int` is at most 2147483647"),
        }
    }

    fn name(&mut self) -> TokenKind {
        let start = self.at;
        let text = self.take(start, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let first = text[0];
        let bytes = self.bytes;
        let name = self.names.bytes_of(&bytes[start..self.at]);
        match first {
            _ if (name.0 as usize) < self.names.words.len() => self.names.words[name.0 as usize],
            b'A'..=b'Z' => TokenKind::Upper(name),
            b'a'..=b'z' => TokenKind::Lower(name),
            _ => self.bad(start, "this is no name", "names begin with a letter; `_` alone takes any value"),
        }
    }

    /// A quote without another one in its line ends a string of an earlier line, about which nothing more is to be
    /// said: something stands before it that stands before no string.
    fn ends_text(&mut self, start: usize) -> bool {
        let before = self.bytes[..start].last().copied().unwrap_or(b'\n');
        let is_end = self.has_open_text && !before.is_ascii_whitespace() && !b"(,:={;>".contains(&before);
        self.has_open_text &= !is_end;
        is_end
    }

    fn text(&mut self) -> TokenKind {
        let start = self.at;
        let mut text = Vec::new();
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n') if self.ends_text(start) => return TokenKind::Bad,
                None | Some(b'\n') => {
                    self.has_open_text = true;
                    // With nothing but signs behind it, it is perhaps the end of one.
                    let is_end = !self.bytes[start..self.at].iter().any(u8::is_ascii_alphanumeric);
                    let help = match is_end {
                        true => "a string begins and ends with `\"` on its line: one is missing, here or before this",
                        false => "`\"` ends it, on the same line; `\\n` is a new line",
                    };
                    return self.bad(start, "this string has no end", help);
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    let escape = self.at;
                    self.at += 2;
                    match self.bytes.get(escape + 1) {
                        Some(b'n') => text.push(b'\n'),
                        Some(b't') => text.push(b'\t'),
                        Some(b'r') => text.push(b'\r'),
                        Some(b'v') => text.push(0x0b),
                        Some(b'f') => text.push(0x0c),
                        Some(b'b') => text.push(0x08),
                        Some(b'0') => text.push(0),
                        Some(&byte @ (b'\\' | b'"')) => text.push(byte),
                        _ => {
                            self.at = self.at.min(self.bytes.len());
                            self.bad(escape, "this escape has no meaning", ESCAPES);
                        }
                    }
                    continue;
                }
                Some(&byte) => text.push(byte),
            }
            self.at += 1;
        }
        self.at += 1;
        TokenKind::Text(self.names.bytes_of(&text))
    }

    fn symbol(&mut self, byte: u8) -> TokenKind {
        let start = self.at;
        let second = self.bytes.get(start + 1).copied();
        let (word, length) = match (byte, second) {
            (b':', Some(b':')) => (TokenKind::Concat, 2),
            (b'-', Some(b'>')) => (TokenKind::Arrow, 2),
            (b'|', Some(b'|')) => (TokenKind::Or, 2),
            (b'&', Some(b'&')) => (TokenKind::And, 2),
            (b'<', Some(b'=')) => (TokenKind::LessEqual, 2),
            (b'>', Some(b'=')) => (TokenKind::GreaterEqual, 2),
            (b'=', Some(b'=')) => (TokenKind::EqualTo, 2),
            (b'!', Some(b'=')) => (TokenKind::Unequal, 2),
            (b'(', _) => (TokenKind::Open, 1),
            (b')', _) => (TokenKind::Close, 1),
            (b'{', _) => (TokenKind::OpenBrace, 1),
            (b'}', _) => (TokenKind::CloseBrace, 1),
            (b'[', _) => (TokenKind::OpenBracket, 1),
            (b']', _) => (TokenKind::CloseBracket, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b'.', _) => (TokenKind::Dot, 1),
            (b':', _) => (TokenKind::Colon, 1),
            (b'=', _) => (TokenKind::Equals, 1),
            (b'|', _) => (TokenKind::Bar, 1),
            (b'!', _) => (TokenKind::Not, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'*', _) => (TokenKind::Times, 1),
            (b'/', _) => (TokenKind::Divide, 1),
            (b'%', _) => (TokenKind::Modulo, 1),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', _) => (TokenKind::Greater, 1),
            _ => (TokenKind::Bad, 1),
        };
        self.at += length;
        if word != TokenKind::Bad {
            return word;
        }
        let help = match byte {
            b'\'' if self.bytes[..start].trim_ascii_end().ends_with(b"from") => {
                "the name of a module stands without quotes: `from std.list`"
            }
            0xe2 if is_quote(&self.bytes[start..]) => "strings stand between `\"`",
            b'\'' => "strings stand between `\"`; there are no characters",
            // Between numbers a part of them is asked for; what is no number has its message.
            b'&' => "there are no operators for bits; the operator of conditions is `&&`",
            b'^' => "there are no operators for powers and for bits; strings are joined by `::`",
            b'~' => "there are no operators for bits; the other truth value is `!condition`",
            b'$' => "a function is called with parentheses: `Class.f(g(x))`",
            b'?' if start > 0 && matches!(self.bytes[start - 1], b'a'..=b'z' | b'A'..=b'Z' | b'>' | b')') => {
                "a value that may be missing has a type like `Option<int>`, from `std.option`"
            }
            b'?' => "a choice is written `if condition { one } else { other }`",
            b'\\' => "the parameters of a lambda stand in parentheses, and an arrow behind them: `(x) -> x + 1`",
            b'`' => "strings stand between `\"`, and are joined by `::`",
            b'#' | b'@' => "`//` begins a comment",
            _ => "names have letters of ASCII, digits and `_`; other letters stand in strings and comments",
        };
        // One message for what stands between quotes.
        let rest = self.bytes[self.at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        if let (b'\'' | b'`', Some(end)) = (byte, rest.iter().position(|&end| end == byte)) {
            self.at += end + 1;
        }
        // One message for what stands between quotes of print.
        if let Some(end) = rest.windows(3).position(|bytes| is_quote(bytes) && is_quote(&self.bytes[start..])) {
            self.at += end + 3;
        }
        // One message for a row of such bytes, as a letter that is not of ASCII has several.
        if byte >= 0x80 {
            self.take(start, |byte| byte >= 0x80);
        }
        self.bad(start, "this character is no part of the language", help)
    }

    fn bad(&mut self, start: usize, message: &str, help: &str) -> TokenKind {
        let span = self.span(start);
        self.sink.report_in(self.file, || Diagnostic::error(code::SYNTAX, message).at(span, "").help(help));
        TokenKind::Bad
    }
}
