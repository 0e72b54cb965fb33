//! Reads what a function and a block begin with: names, parameters, results.

use super::ParseError;
use super::cursor::{Parse, Parser};
use super::lex::{TokenKind, VALUE_SIGIL, shortened};
use super::parse_func::FuncParser;
use crate::entity::Block;
use crate::func::Phase;
use crate::strategy::RootStrategy;
use crate::types::{Signature, Type};

/// Name and signature of a function.
pub(super) struct Header {
    pub name: String,
    pub signature: Signature,
}

/// What is said of a word that stands for a value.
fn no_value(word: &str) -> String {
    format!("`{}` is no name of a value: values are written `v0`, or `~name`", shortened(word))
}

impl Parser<'_> {
    /// A word before a colon that is no name of a value.
    fn wordy_value(&self) -> Option<ParseError> {
        if matches!(self.peek(), TokenKind::Name('%', _)) {
            return self.expected::<()>("a value").err();
        }
        let TokenKind::Ident(word) = *self.peek() else { return None };
        let is_before_colon = matches!(self.tokens[self.position() + 1].kind, TokenKind::Punct(':'));
        let is_word = is_before_colon && !self.is_name_of_value() && Type::from_name(word).is_none();
        if is_word { self.unknown_at::<()>(self.position(), no_value(word)).err() } else { None }
    }

    /// The same where such a word stood before a colon earlier.
    pub(super) fn is_wordy_value(&self, word: &str) -> Option<String> {
        let message = no_value(word);
        self.errors.iter().any(|error| error.message == message).then_some(message)
    }

    pub fn header(&mut self) -> Parse<Header> {
        self.word("func")?;
        let name = self.raw_name('@')?;
        let params = self.list('(', ')', |p| {
            if p.is_name_of_value() {
                p.advance();
                if !p.eat(':') {
                    let found = p.peek().describe();
                    return p.error(format!("expected `:`, found {found}: a parameter is written `v0: i64`"));
                }
            }
            if let Some(error) = p.wordy_value() {
                // It is clear what is meant, so that the body can be read.
                p.report(error);
                p.advance();
                p.eat(':');
            }
            let ty = p.ty()?;
            match p.parameter_hint() {
                "" => Ok(ty),
                hint => p.error(format!("expected `,` or `)`, found {}{hint}", p.peek().describe())),
            }
        })?;
        let mut results = Vec::new();
        if self.eat('>') {
            if *self.peek() == TokenKind::Punct('(') {
                return self.error("expected a type, found `(`: results of functions stand without parentheses");
            }
            results.push(self.ty()?);
            while self.eat(',') {
                results.push(self.ty()?);
            }
        }
        Ok(Header { name, signature: Signature::new(&params, &results) })
    }
}

impl FuncParser<'_, '_> {
    /// What stands between the results and the `{`.
    pub(super) fn flags(&mut self) -> Parse<()> {
        if self.p.eat_word("phase") {
            self.p.punct('=')?;
            let position = self.p.position();
            self.func.phase = match self.p.ident("a phase")? {
                "high" => Phase::High,
                "rooted" => Phase::Rooted,
                "low" => Phase::Low,
                other => return self.p.error_at(position, format!("`{other}` is not a phase")),
            };
        }
        self.func.may_gc = !self.p.eat_word("gc_leaf");
        self.func.takes_stack_pointer = self.func.may_gc || self.p.eat_word("stack_pointer");
        if self.p.eat_word("roots") {
            self.p.punct('=')?;
            let position = self.p.position();
            let word = self.p.ident("a root strategy")?;
            let Some(strategy) = RootStrategy::from_word(word) else {
                return self.p.error_at(position, format!("`{word}` is not a root strategy"));
            };
            self.func.roots = Some(strategy);
        }
        self.func.fip = self.p.eat_word("fip");
        if self.p.eat_word("borrows") {
            self.func.borrows = self.p.list('[', ']', |p| p.u32())?.into();
        }
        if self.p.eat_word("holes") {
            self.func.holes = self.p.list('[', ']', |p| p.u32())?.into();
        }
        if !self.p.eat('{') {
            return self.p.error(format!("expected `{{`, found {}{}", self.p.peek().describe(), self.p.results_hint()));
        }
        self.p.end_of_line()?;
        self.p.skip_newlines();
        Ok(())
    }

    /// The parameters of a block, and the end of its line.
    pub(super) fn block_header(&mut self, block: Block) -> Parse<()> {
        if matches!(self.p.peek(), TokenKind::Punct('(')) {
            self.p.advance();
            loop {
                if let TokenKind::Ident(word) = *self.p.peek()
                    && Type::from_name(word).is_some()
                {
                    let message = format!("expected a value, found `{word}`: a parameter is written `v0: i64`");
                    return self.p.error(message);
                }
                if let Some(error) = self.p.wordy_value() {
                    return Err(error);
                }
                let param = self.definition()?;
                if !self.p.eat(':') {
                    let found = self.p.peek().describe();
                    return self.p.error(format!("expected `:`, found {found}: a parameter is written `v0: i64`"));
                }
                let ty = self.p.ty()?;
                self.known(param).ty = Some(ty);
                if self.p.eat_word("borrowed") {
                    let is_name = matches!(self.p.peek(), TokenKind::Ident(_) | TokenKind::Name(VALUE_SIGIL, _));
                    let borrow_source = if is_name { Some(self.value()?) } else { None };
                    self.func.borrowed.push((param, borrow_source));
                }
                self.func.blocks[block].params.push(param, &mut self.func.pool);
                if !self.p.eat(',') {
                    break;
                }
            }
            self.p.punct(')')?;
        }
        self.p.punct(':')?;
        self.p.end_of_line()
    }
}
