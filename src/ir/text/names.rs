//! Values with names: `~count` instead of `v7`. They get the numbers after all others of their function, in the order
//! in which they are mentioned, and are numbers from then on; the names go to the source map.

use super::cursor::{Parse, Parser};
use super::lex::{TokenKind, VALUE_SIGIL};
use super::parse_func::{FuncParser, KnownValue, MAX_NUMBER};
use crate::entity::Value;

/// The first number after those of values in the text of a function.
fn first_free(p: &Parser) -> u32 {
    let numbers = p.tokens.iter().map(|token| &token.kind).filter_map(|kind| match kind {
        TokenKind::Ident(word) => Parser::numbered(word, "v"),
        _ => None,
    });
    numbers.max().map_or(0, |last| last.saturating_add(1))
}

impl FuncParser<'_, '_> {
    /// The number of a value that has a name.
    pub(super) fn named(&mut self, name: &str) -> Parse<u32> {
        if let Some(&number) = self.names.get(name) {
            return Ok(number);
        }
        let number = self.next_name.unwrap_or_else(|| first_free(self.p));
        if number >= MAX_NUMBER {
            return self.p.error("there are too many values");
        }
        self.next_name = Some(number + 1);
        self.names.insert(name.to_string(), number);
        self.lines.names.push((Value::from_u32(number), name.to_string()));
        Ok(number)
    }

    /// As the text has it.
    pub(super) fn shown(&self, value: Value) -> String {
        let name = self.lines.names.iter().find(|named| named.0 == value);
        name.map_or_else(|| value.to_string(), |named| format!("{VALUE_SIGIL}{}", named.1))
    }

    /// The names that a line with an error defines: those before `=`, or with a type.
    pub(super) fn define_names(&mut self, start: usize, line: u32) {
        let tokens = &self.p.tokens[start..self.p.position()];
        let of_line = || tokens.iter().filter(|token| token.line == line);
        let results = of_line().position(|token| token.kind == TokenKind::Punct('=')).unwrap_or(0);
        let mut found: Vec<(usize, String)> = Vec::new();
        for (at, token) in of_line().enumerate() {
            let has_type = of_line().nth(at + 1).is_some_and(|next| next.kind == TokenKind::Punct(':'));
            if let TokenKind::Name(VALUE_SIGIL, name) = &token.kind
                && (at < results || has_type)
            {
                found.push((start + at, name.to_string()));
            }
        }
        for (position, name) in found {
            let Ok(number) = self.named(&name) else { return };
            let index = number as usize;
            if index >= self.values.len() {
                self.values.resize(index + 1, None);
            }
            let known = KnownValue { ty: None, defined: true, position };
            self.values[index].get_or_insert(known).defined = true;
        }
    }

    /// Reads the name of a value that is defined here.
    pub(super) fn definition(&mut self) -> Parse<Value> {
        let position = self.p.position();
        let value = self.value()?;
        let shown = self.shown(value);
        let known = self.known(value);
        if known.defined {
            let first = known.position;
            self.has_unread = true;
            let line = self.p.tokens[first].line;
            return self.p.error_at(position, format!("{shown} is defined twice: first in line {line}"));
        }
        (known.defined, known.position) = (true, position);
        Ok(value)
    }
}
