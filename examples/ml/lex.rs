//! Text to words.

use crate::syntax::Name;
use cleave_diag::{Diagnostic, FileId, Span, code};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Int,
    Real,
    Char,
    Text,
    /// `x`, `List.map`
    Lower,
    /// `Some`
    Upper,
    /// `'a`
    TypeVariable,
    /// A keyword or a sign.
    Sign,
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub sort: Sort,
    /// As it is written; of characters and strings what they stand for.
    pub text: Name,
    pub span: Span,
}

const KEYWORDS: &str = " let rec and in fun function match with when try if then else begin end while do done for to \
                        downto type of exception external as mod land lor lxor lsl lsr asr true false ";
/// A longer sign before its beginnings.
const SIGNS: &[&str] = &[
    "~-.", "~-", "[|", "|]", "->", "<-", ":=", "::", ";;", ".(", ".[", "<>", "<=", ">=", "&&", "||", "+.", "-.", "*.",
    "/.", "(", ")", "[", "]", ";", ":", ",", "|", "=", "<", ">", "+", "-", "*", "/", "^", "@", "!", "_",
];

pub fn tokens(file: FileId, source: &str) -> Result<Vec<Token>, Box<Diagnostic>> {
    let (bytes, mut at, mut found) = (source.as_bytes(), 0, Vec::new());
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let is_part = |at: usize| byte(at).is_ascii_alphanumeric() || b"_'".contains(&byte(at));
    let span = |from: usize, to: usize| Span::new(file, from as u32, to as u32);
    loop {
        let start = at;
        let mut text = String::new();
        let sort = match byte(at) {
            _ if at >= bytes.len() => Sort::End,
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            b'(' if byte(at + 1) == b'*' => {
                let mut depth = 0;
                while depth > 0 || at == start {
                    let mark = source.get(at..at + 2).unwrap_or("");
                    depth = depth + i32::from(mark == "(*") - i32::from(mark == "*)");
                    at += 1 + usize::from(["(*", "*)"].contains(&mark));
                    if at >= bytes.len() && depth > 0 {
                        let message = "this comment has no end";
                        return Err(Box::new(Diagnostic::error(code::SYNTAX, message).at(span(start, start + 2), "")));
                    }
                }
                continue;
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && byte(at) != b'"' {
                    text.push(character(bytes, &mut at));
                }
                at += 1;
                Sort::Text
            }
            b'\'' if byte(at + 1) == b'\\' || byte(at + 2) == b'\'' => {
                at += 1;
                text.push(character(bytes, &mut at));
                at += 1;
                Sort::Char
            }
            b'0'..=b'9' => {
                while is_part(at) || byte(at) == b'.' || (b"+-".contains(&byte(at)) && b"eE".contains(&byte(at - 1))) {
                    at += 1;
                }
                let is_real = source[start..at].contains(['.', 'e', 'E']) && byte(start + 1) != b'x';
                if is_real { Sort::Real } else { Sort::Int }
            }
            b'\'' | b'a'..=b'z' | b'A'..=b'Z' | b'_' if is_part(at + 1) || byte(at) != b'_' => {
                while is_part(at) || at == start {
                    at += 1;
                    // `List.map` is one name.
                    let is_path = byte(start).is_ascii_uppercase() && byte(at) == b'.' && is_part(at + 1);
                    at += usize::from(is_path);
                }
                let last = source[start..at].rfind('.').map_or(start, |dot| start + dot + 1);
                match byte(last) {
                    b'\'' => Sort::TypeVariable,
                    b'A'..=b'Z' => Sort::Upper,
                    _ if KEYWORDS.contains(&format!(" {} ", &source[start..at])) => Sort::Sign,
                    _ => Sort::Lower,
                }
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| source[start..].starts_with(**sign));
                let wrong = || Diagnostic::error(code::BAD_CHARACTER, "no word begins like this");
                at += sign.ok_or_else(|| Box::new(wrong().at(span(start, start + 1), "")))?.len();
                Sort::Sign
            }
        };
        let is_literal = matches!(sort, Sort::Char | Sort::Text);
        if at > bytes.len() || (sort == Sort::Char && byte(at - 1) != b'\'') {
            let message = "this string or character has no end";
            return Err(Box::new(Diagnostic::error(code::STRING_UNTERMINATED, message).at(span(start, start + 1), "")));
        }
        let text = if is_literal { text.as_str().into() } else { source[start..at].into() };
        found.push(Token { sort, text, span: span(start, at) });
        if sort == Sort::End {
            return Ok(found);
        }
    }
}

/// One character of a literal, each of which stands for a byte.
fn character(bytes: &[u8], at: &mut usize) -> char {
    let escaped = bytes[*at] == b'\\';
    *at += usize::from(escaped);
    let byte = bytes.get(*at).copied().unwrap_or(0);
    *at += 1;
    match byte {
        b'n' if escaped => '\n',
        b't' if escaped => '\t',
        b'0'..=b'9' if escaped => {
            let code = bytes.get(*at - 1..*at + 2).and_then(|digits| std::str::from_utf8(digits).ok());
            *at += 2;
            code.and_then(|digits| digits.parse::<u8>().ok()).map_or('?', char::from)
        }
        byte => char::from(byte),
    }
}
