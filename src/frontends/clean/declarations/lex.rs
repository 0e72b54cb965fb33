//! Words of a source of Clean, as far as declarations need them. Comments and literals are left out; of symbols only
//! those have more than one character that no other symbol begins with in a type.

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'t> {
    pub text: &'t str,
    /// Bytes before it in the text.
    pub start: usize,
    /// It begins a line.
    pub is_first: bool,
}

impl Word<'_> {
    pub fn is_name(self) -> bool {
        self.text.starts_with(is_letter)
    }

    /// A type or a constructor.
    pub fn is_capital(self) -> bool {
        self.text.trim_start_matches('_').starts_with(|letter: char| letter.is_ascii_uppercase())
    }
}

const SYMBOLS: [&str; 4] = [":==", "::", "->", "=:"];

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic() || letter == '_'
}

/// The words of a text.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_first = at == 0 || text.as_bytes()[at - 1] == b'\n';
        let length = if letter.is_whitespace() {
            letter.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if letter == '"' || letter == '\'' {
            literal(rest)
        } else {
            let length = match letter {
                _ if is_letter(letter) || letter.is_ascii_digit() => {
                    let goes_on = |letter: char| is_letter(letter) || letter.is_ascii_digit() || letter == '`';
                    rest.find(|letter| !goes_on(letter)).unwrap_or(rest.len())
                }
                _ => SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)).map_or(letter.len_utf8(), |it| it.len()),
            };
            words.push(Word { text: &rest[..length], start: at, is_first });
            length
        };
        at += length;
    }
    words
}

/// Bytes of a comment, which may hold others.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        match &text.as_bytes()[at..text.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Bytes of a string or character; only the quote if the line does not end it.
fn literal(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut is_escaped = false;
    for (at, &byte) in text.as_bytes().iter().enumerate().skip(1) {
        match byte {
            b'\n' => break,
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    1
}
