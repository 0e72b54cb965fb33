//! The words and signs of a text in WIT (`wit_read`).

use crate::wit_read::{Parser, Read, WitError};

impl<'t> Parser<'t> {
    pub(crate) fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let length = if trimmed.starts_with("//") {
                trimmed.find('\n').unwrap_or(trimmed.len())
            } else if trimmed.starts_with("/*") {
                trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += length;
        }
    }

    /// The next word or sign, without taking it.
    pub(crate) fn peek(&mut self) -> &'t str {
        self.skip();
        let rest = &self.text[self.at..];
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '%');
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        match end {
            0 => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            // `->` is a sign.
            _ if rest.starts_with("->") => &rest[..2],
            end => &rest[..end],
        }
    }

    pub(crate) fn take(&mut self) -> &'t str {
        let word = self.peek();
        self.at += word.len();
        word
    }

    pub(crate) fn takes(&mut self, word: &str) -> bool {
        let is_it = self.peek() == word;
        if is_it {
            self.at += word.len();
        }
        is_it
    }

    pub(crate) fn expect(&mut self, word: &str) -> Read<()> {
        if self.takes(word) { Ok(()) } else { self.wrong(&format!("`{word}`")) }
    }

    pub(crate) fn wrong<T>(&mut self, wanted: &str) -> Read<T> {
        let found = self.peek();
        let found = if found.is_empty() { "the end of the file".to_string() } else { format!("`{found}`") };
        Err(WitError { at: self.at, message: format!("{wanted} is expected here, not {found}") })
    }

    pub(crate) fn name(&mut self) -> Read<String> {
        let word = self.peek();
        if !word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '%') {
            return self.wrong("a name");
        }
        self.at += word.len();
        Ok(word.trim_start_matches('%').to_string())
    }

    /// The path of an interface; of those of this package the name is all that counts.
    pub(crate) fn path(&mut self) -> Read<String> {
        let mut name = self.name()?;
        while self.takes(":") || self.takes("/") {
            name = self.name()?;
        }
        if self.takes("@") {
            self.version();
        }
        Ok(name)
    }

    pub(crate) fn version(&mut self) {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '+');
        let rest = &self.text[self.at..];
        let mut length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        // `use a:b/c@1.0.0.{d}`: the last dot is none of it.
        if rest[..length].ends_with('.') {
            length -= 1;
        }
        self.at += length;
    }

    /// `@since(version = 1.0.0)` and its like.
    pub(crate) fn attributes(&mut self) -> Read<()> {
        while self.takes("@") {
            self.name()?;
            if self.takes("(") {
                while !self.takes(")") {
                    if self.take().is_empty() {
                        return self.wrong("`)`");
                    }
                }
            }
        }
        Ok(())
    }
}
