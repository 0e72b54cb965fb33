//! Lexer for ABC: splits a line into tokens.
//!
//! A [`Cursor`] walks over the bytes of a file; each method reads one word at the current position and stays inside
//! the line. Words are not stored: the parser gets a slice, a number, or bytes appended to a pool.
//!
//! Two rules of the language shape this file. Labels may contain nearly any printable character, also quotes and the
//! vertical bar that starts comments, so what a word is depends on the operand expected: the parser asks for a word,
//! a number or a string. And a comment can be recognised only where a word could start.

use cleave_diag::{FileId, Span};

use crate::ast::BytePool;

const LABEL: u8 = 1;
const BLANK: u8 = 2;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let letters = b"@#$%^&*-+/=<>\\_~.?'\"|`!:{};";
    let mut at = 0;
    while at < letters.len() {
        table[letters[at] as usize] = LABEL;
        at += 1;
    }
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            table[byte] = LABEL;
        }
        byte += 1;
    }
    table[b' ' as usize] = BLANK;
    table[b'\t' as usize] = BLANK;
    table
}

/// True for the characters that labels and instruction names consist of.
#[inline]
pub fn is_label_byte(byte: u8) -> bool {
    CLASS[byte as usize] == LABEL
}

/// Why a word could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexError {
    /// The line ends here.
    Missing,
    /// The word is something else.
    Kind,
    /// A number with more than 64 bits, or a character code above 255.
    Range,
    /// A quote without its partner.
    Unterminated,
}

type Lexed<T> = Result<T, LexError>;

/// A position in a file.
#[derive(Clone)]
pub struct Cursor<'s> {
    pub bytes: &'s [u8],
    pub at: usize,
}

impl<'s> Cursor<'s> {
    pub fn new(bytes: &'s [u8]) -> Cursor<'s> {
        Cursor { bytes, at: 0 }
    }

    /// The byte here; the end of the file looks like the end of a line.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    #[inline]
    fn peek_at(&self, distance: usize) -> u8 {
        self.bytes.get(self.at + distance).copied().unwrap_or(b'\n')
    }

    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline]
    pub fn skip_blanks(&mut self) {
        while CLASS[self.peek() as usize] == BLANK {
            self.at += 1;
        }
    }

    /// True at a line break (LF, or CR before it) and at the end of the file.
    #[inline]
    pub fn is_at_line_end(&self) -> bool {
        match self.peek() {
            b'\n' => true,
            b'\r' => self.peek_at(1) == b'\n',
            _ => false,
        }
    }

    /// True if no further operand follows: the line ends or a comment starts. Skips blanks.
    #[inline]
    pub fn is_at_last(&mut self) -> bool {
        self.skip_blanks();
        self.is_at_line_end() || self.peek() == b'|'
    }

    /// Goes to the start of the next line.
    pub fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| length + 1);
    }

    /// Ends a line: only blanks and a comment may follow. False, and no move beyond blanks, if there is more.
    #[inline]
    pub fn finish_line(&mut self) -> bool {
        self.skip_blanks();
        match self.peek() {
            b'\n' => self.at += 1,
            b'|' => self.skip_line(),
            _ if self.is_at_line_end() => self.skip_line(),
            _ => return false,
        }
        true
    }

    /// Where the word at `start` ends, for messages: at a blank or the line end, but after at least one byte.
    pub fn word_end(&self, start: usize) -> usize {
        let mut probe = Cursor { bytes: self.bytes, at: start };
        while !probe.is_at_line_end() && CLASS[probe.peek() as usize] != BLANK {
            probe.at += 1;
        }
        probe.at.max(start + 1).min(self.bytes.len()).max(start)
    }

    /// Reads label characters, perhaps none.
    #[inline]
    pub fn word(&mut self) -> &'s [u8] {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let length = rest.iter().position(|&byte| !is_label_byte(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A label. It cannot start with a vertical bar, since a line that defines it would be a comment.
    #[inline]
    pub fn label(&mut self) -> Lexed<&'s [u8]> {
        self.skip_blanks();
        if self.peek() == b'|' {
            return Err(LexError::Missing);
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.nothing());
        }
        Ok(word)
    }

    /// Any characters up to the next blank.
    pub fn dense(&mut self) -> Lexed<&'s [u8]> {
        self.skip_blanks();
        if self.is_at_line_end() {
            return Err(LexError::Missing);
        }
        let start = self.at;
        self.at = self.word_end(start);
        Ok(&self.bytes[start..self.at])
    }

    /// What it means that no word is here.
    fn nothing(&self) -> LexError {
        if self.is_at_line_end() || self.peek() == b'|' { LexError::Missing } else { LexError::Kind }
    }

    /// True where a number or quoted word ends: the next byte cannot continue a word.
    #[inline]
    fn is_delimited(&self) -> bool {
        let byte = self.peek();
        !is_label_byte(byte) || byte == b'|'
    }

    /// An integer with at most nine decimal digits and no sign, the usual case of offsets and counts; else nothing is
    /// read.
    #[inline]
    pub fn small(&mut self) -> Option<u32> {
        self.skip_blanks();
        let start = self.at;
        let mut value = 0u32;
        while self.at - start < 10 {
            let digit = self.peek().wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u32::from(digit));
            self.at += 1;
        }
        if (1..10).contains(&(self.at - start)) && self.is_delimited() {
            return Some(value);
        }
        self.at = start;
        None
    }

    /// An integer: optional sign, then decimal, `0x` or `0o` digits, up to 64 bits without the sign. Wraps.
    pub fn integer(&mut self) -> Lexed<i64> {
        let (is_negative, magnitude) = self.signed_integer()?;
        if is_negative && magnitude > 1 << 63 {
            return Err(LexError::Range);
        }
        Ok(if is_negative { (magnitude as i64).wrapping_neg() } else { magnitude as i64 })
    }

    /// Sign and magnitude.
    pub fn signed_integer(&mut self) -> Lexed<(bool, u64)> {
        self.skip_blanks();
        if self.nothing() == LexError::Missing {
            return Err(LexError::Missing);
        }
        let is_negative = self.sign();
        let base = self.base();
        let start = self.at;
        let mut magnitude = Some(0u64);
        while let Some(digit) = (self.peek() as char).to_digit(base) {
            let shifted = magnitude.and_then(|value| value.checked_mul(u64::from(base)));
            magnitude = shifted.and_then(|value| value.checked_add(u64::from(digit)));
            self.at += 1;
        }
        if self.at == start || !self.is_delimited() {
            return Err(LexError::Kind);
        }
        magnitude.map(|magnitude| (is_negative, magnitude)).ok_or(LexError::Range)
    }

    /// Reads an optional sign; true if it is a minus.
    fn sign(&mut self) -> bool {
        let byte = self.peek();
        if byte == b'-' || byte == b'+' {
            self.at += 1;
        }
        byte == b'-'
    }

    /// Reads an optional prefix `0x` or `0o`: the base of the digits after it.
    fn base(&mut self) -> u32 {
        let base = match (self.peek(), self.peek_at(1)) {
            (b'0', b'x' | b'X') => 16,
            (b'0', b'o' | b'O') => 8,
            _ => return 10,
        };
        self.at += 2;
        base
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at - start
    }

    /// A real: digits with a point or an exponent or both; or the hexadecimal form of an integer value. Values beyond
    /// the largest double are infinite.
    pub fn real(&mut self) -> Lexed<f64> {
        self.skip_blanks();
        let start = self.at;
        if self.nothing() == LexError::Missing {
            return Err(LexError::Missing);
        }
        self.sign();
        if self.peek() == b'0' && matches!(self.peek_at(1), b'x' | b'X') {
            self.at = start;
            let (is_negative, magnitude) = self.signed_integer()?;
            return Ok(if is_negative { -(magnitude as f64) } else { magnitude as f64 });
        }
        let mut is_real = false;
        if self.digits() == 0 {
            return Err(LexError::Kind);
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits();
            is_real = true;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.sign();
            is_real = self.digits() > 0;
        }
        if !is_real || !self.is_delimited() {
            return Err(LexError::Kind);
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).map_err(|_| LexError::Kind)?;
        text.parse().map_err(|_| LexError::Kind)
    }

    /// An integer of any size: its text.
    pub fn big(&mut self) -> Lexed<&'s [u8]> {
        self.skip_blanks();
        let start = self.at;
        if self.nothing() == LexError::Missing {
            return Err(LexError::Missing);
        }
        self.sign();
        let base = self.base();
        let digits = self.at;
        while (self.peek() as char).is_digit(base) {
            self.at += 1;
        }
        if self.at > digits && self.is_delimited() { Ok(&self.bytes[start..self.at]) } else { Err(LexError::Kind) }
    }

    /// A decimal fraction of any size, with a point or an exponent: its text.
    pub fn fraction(&mut self) -> Lexed<&'s [u8]> {
        self.skip_blanks();
        let start = self.at;
        if self.nothing() == LexError::Missing {
            return Err(LexError::Missing);
        }
        self.sign();
        let mut is_fraction = false;
        let mut is_number = self.digits() > 0;
        if self.peek() == b'.' {
            self.at += 1;
            is_fraction = true;
            is_number &= self.digits() > 0;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.sign();
            is_fraction = true;
            is_number &= self.digits() > 0;
        }
        if is_number && is_fraction && self.is_delimited() {
            Ok(&self.bytes[start..self.at])
        } else {
            Err(LexError::Kind)
        }
    }

    /// A character in single quotes.
    pub fn character(&mut self) -> Lexed<u8> {
        self.quote(b'\'')?;
        let value = match self.peek() {
            b'\\' => self.escape()?,
            b'\'' => return Err(LexError::Kind),
            byte => {
                if self.is_at_line_end() {
                    return Err(LexError::Unterminated);
                }
                self.at += 1;
                byte
            }
        };
        if self.peek() != b'\'' {
            return Err(LexError::Unterminated);
        }
        self.at += 1;
        if self.is_delimited() { Ok(value) } else { Err(LexError::Kind) }
    }

    /// A string with escapes, into the pool.
    pub fn string(&mut self, pool: &mut BytePool) -> Lexed<u32> {
        self.quote(b'"')?;
        loop {
            let outcome = match self.peek() {
                b'"' => break,
                b'\\' => self.escape(),
                _ if self.is_at_line_end() => Err(LexError::Unterminated),
                byte => {
                    self.at += 1;
                    Ok(byte)
                }
            };
            match outcome {
                Ok(byte) => pool.push_byte(byte),
                Err(error) => {
                    pool.abandon();
                    return Err(error);
                }
            }
        }
        self.at += 1;
        Ok(pool.close())
    }

    /// A string without escapes: it ends at the next quote.
    pub fn raw_string(&mut self) -> Lexed<&'s [u8]> {
        self.quote(b'"')?;
        let start = self.at;
        while self.peek() != b'"' {
            if self.is_at_line_end() {
                return Err(LexError::Unterminated);
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(&self.bytes[start..self.at - 1])
    }

    fn quote(&mut self, quote: u8) -> Lexed<()> {
        self.skip_blanks();
        if self.peek() != quote {
            return Err(self.nothing());
        }
        self.at += 1;
        Ok(())
    }

    /// The character that a backslash and what follows it stand for.
    fn escape(&mut self) -> Lexed<u8> {
        self.at += 1;
        if self.is_at_line_end() {
            return Err(LexError::Unterminated);
        }
        let byte = self.peek();
        if (b'0'..=b'7').contains(&byte) {
            let mut value = 0u32;
            for _ in 0..3 {
                let digit = self.peek().wrapping_sub(b'0');
                if digit > 7 {
                    break;
                }
                value = value * 8 + u32::from(digit);
                self.at += 1;
            }
            return u8::try_from(value).map_err(|_| LexError::Range);
        }
        self.at += 1;
        Ok(match byte {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            other => other,
        })
    }
}

/// The span of a word of the line at `offset`, for messages about operands: word 0 is the label, directive or
/// instruction itself, word 1 its first operand. Beyond the last word it is the end of the line.
pub fn word_span(bytes: &[u8], file: FileId, offset: u32, number: usize) -> Span {
    let mut cursor = Cursor { bytes, at: (offset as usize).min(bytes.len()) };
    let mut start = cursor.at;
    for index in 0..=number {
        cursor.skip_blanks();
        start = cursor.at;
        if cursor.is_at_line_end() {
            break;
        }
        cursor.skip_word(index > 0);
    }
    Span::new(file, start as u32, cursor.at as u32)
}

/// The span of the line from `offset` on, without a comment.
pub fn line_span(bytes: &[u8], file: FileId, offset: u32) -> Span {
    let mut cursor = Cursor { bytes, at: (offset as usize).min(bytes.len()) };
    let mut end = cursor.at;
    while !cursor.is_at_line_end() {
        let is_operand = end > offset as usize;
        if is_operand && cursor.peek() == b'|' {
            break;
        }
        cursor.skip_word(is_operand);
        end = cursor.at;
        cursor.skip_blanks();
    }
    Span::new(file, offset, end as u32)
}

impl Cursor<'_> {
    /// Skips a word of any kind. Quotes start a string only where an operand may stand.
    fn skip_word(&mut self, is_operand: bool) {
        let start = self.at;
        let is_quoted = match self.peek() {
            b'"' => is_operand && self.string(&mut BytePool::default()).is_ok(),
            b'\'' => is_operand && self.character().is_ok(),
            _ => false,
        };
        if !is_quoted {
            self.at = self.word_end(start);
        }
    }
}
