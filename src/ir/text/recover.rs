//! After an error in a function: where to go on, and what is known of the line that cannot be read.

use super::cursor::Parser;
use super::error::ParseError;
use super::lex::{TokenKind, VALUE_SIGIL};
use super::opcodes;
use super::parse_func::{FuncParser, KnownValue};
use crate::entity::Value;
use crate::types::Type;
use cranelift_entity::EntityRef;

impl FuncParser<'_, '_> {
    /// Goes on after a line with an error, which may have begun here. What it defines is known, but not its type.
    pub(super) fn skip(&mut self, start: usize, error: ParseError) {
        let line = error.line;
        self.p.report(error);
        self.p.skip_line();
        let tokens = start..self.p.position();
        let of_line = tokens.filter(|&token| self.p.tokens[token].line == line);
        // Behind a `=` stands what is used.
        let is_equals = |token: &usize| self.p.tokens[*token].kind == TokenKind::Punct('=');
        let end = of_line.clone().find(is_equals).unwrap_or(usize::MAX);
        let of_line = of_line.filter(|&token| token < end);
        let nptrs: Vec<(usize, &str)> = of_line
            .filter_map(|token| match self.p.tokens[token].kind {
                TokenKind::Ident(word) => Some((token, word)),
                _ => None,
            })
            .collect();
        self.define_names(start, line);
        self.has_unread |= !self.shows_definitions(start);
        // The results of an instruction, or the parameters of a block.
        let is_block = nptrs.first().is_some_and(|(_, word)| Parser::numbered(word, "block").is_some());
        for (number, &(position, word)) in nptrs.iter().enumerate() {
            let value = Parser::numbered(word, "v").filter(|value| *value < self.most);
            // It stands where the name of a block should.
            let behind = self.p.tokens.get(position + 1).map(|token| &token.kind);
            let ends_line = self.p.tokens.get(position + 2).is_some_and(|token| token.kind == TokenKind::Newline);
            if number == 0 && behind == Some(&TokenKind::Punct(':')) && ends_line {
                break;
            }
            // Neither does it define anything in the place of an instruction.
            let is_operand = matches!(behind, Some(TokenKind::Ident(word)) if Self::is_operand(word));
            if number == 0 && is_operand && !is_block {
                break;
            }
            // In the place of a type it is no parameter of the block.
            let is_type = |position: usize| self.p.tokens[position - 1].kind == TokenKind::Punct(':');
            if is_block && number > 0 && is_type(position) {
                continue;
            }
            let Some(value) = value else {
                if is_block || number > 0 && Type::from_name(word).is_some() {
                    continue;
                }
                break;
            };
            let index = value as usize;
            if index >= self.values.len() {
                self.values.resize(index + 1, None);
            }
            let known = KnownValue { ty: None, defined: true, position };
            self.values[index].get_or_insert(known).defined = true;
        }
        self.p.skip_newlines();
    }

    /// Values that nothing defines may be results without names, of instructions before their uses: says so of the
    /// instructions.
    pub(super) fn unnamed_results(&mut self) {
        let mut unnamed = std::mem::take(&mut self.unnamed);
        for n in 0..self.values.len() {
            let Some(known @ KnownValue { defined: false, position, .. }) = self.values[n] else { continue };
            let before = unnamed.partition_point(|&(place, _)| place < position);
            if self.has_unread || self.p.is_full() || before == 0 {
                continue;
            }
            let (place, op) = unnamed.remove(before - 1);
            let (shown, line) = (self.shown(Value::new(n)), self.p.tokens[position].line);
            let message = format!(
                "`{}` gives a result, which has no name here: is it `{shown}`, which line {line} uses?",
                op.name()
            );
            if let Err(error) = self.p.error_at::<()>(place, message) {
                self.p.report(error);
            }
            self.values[n] = Some(KnownValue { defined: true, ..known });
        }
    }

    /// The line from here on ends with a colon, as the head of a block does.
    pub(super) fn ends_with_colon(&self, start: usize) -> bool {
        let rest = self.p.tokens[start..].iter().map(|token| &token.kind);
        let line = rest.take_while(|kind| !matches!(kind, TokenKind::Newline | TokenKind::End));
        line.last() == Some(&TokenKind::Punct(':'))
    }

    /// This word is the name of a value, or of a block.
    pub(super) fn is_operand(word: &str) -> bool {
        ["v", "block"].iter().any(|prefix| Parser::numbered(word, prefix).is_some())
    }

    /// A block stands alone on its line, perhaps with values, as only a jump to it would have it.
    pub(super) fn jump_without_word(&self) -> Option<ParseError> {
        let TokenKind::Ident(block) = *self.p.peek() else { return None };
        Parser::numbered(block, "block")?;
        let rest = || self.p.tokens[self.p.position() + 1..].iter().map(|token| &token.kind);
        let line: Vec<&TokenKind> =
            rest().take_while(|kind| !matches!(kind, TokenKind::Newline | TokenKind::End)).collect();
        let is_argument = |kind: &&TokenKind| match kind {
            TokenKind::Ident(word) => Parser::numbered(word, "v").is_some(),
            TokenKind::Name(sigil, _) => *sigil == VALUE_SIGIL,
            kind => **kind == TokenKind::Punct(','),
        };
        let is_jump = match line[..] {
            [] => true,
            [TokenKind::Punct('('), ref args @ .., TokenKind::Punct(')')] => args.iter().all(is_argument),
            _ => false,
        };
        // Behind the end of a block it is the head of the next one.
        if self.is_behind_end() {
            return None;
        }
        let help = if line.is_empty() { "" } else { "(…)" };
        let message = format!("a block stands here like a target: a jump is written `jump {block}{help}`");
        if is_jump { self.p.error::<()>(message).err() } else { None }
    }

    /// The line before begins with an instruction that ends a block.
    fn is_behind_end(&self) -> bool {
        // Backwards: this is asked at each block, and what is before it may be long.
        let before = self.p.tokens[..self.p.position()].iter().rev();
        let mut written = before.skip_while(|token| token.kind == TokenKind::Newline).peekable();
        let line = written.peek().map(|last| last.line);
        match written.take_while(|token| Some(token.line) == line).last().map(|first| &first.kind) {
            Some(TokenKind::Ident(word)) => opcodes::named(word).is_some_and(|op| op.is_terminator()),
            _ => false,
        }
    }

    /// The line that begins here says what it defines, though it is wrong.
    fn shows_definitions(&self, start: usize) -> bool {
        let rest = self.p.tokens[start..].iter().map(|token| &token.kind);
        match self.p.tokens[start].kind {
            TokenKind::Name(sigil, _) => sigil == VALUE_SIGIL,
            TokenKind::Ident(word) if Parser::numbered(word, "block").is_some() => {
                let line: Vec<&TokenKind> = rest.take_while(|&kind| *kind != TokenKind::Newline).collect();
                let is_value = |kind: &TokenKind| match kind {
                    TokenKind::Ident(word) => Parser::numbered(word, "v").is_some(),
                    kind => matches!(kind, TokenKind::Name(VALUE_SIGIL, _)),
                };
                // A parameter has no name there, or one that is none of a value.
                let is_nameless = |three: &[&TokenKind]| match three {
                    [TokenKind::Punct('(' | ','), TokenKind::Punct(':'), _] => true,
                    [TokenKind::Punct('(' | ','), name, TokenKind::Punct(':')] => !is_value(name),
                    _ => false,
                };
                // Signs are missing: the name of the block, or those of its values, may be others.
                let is_unsigned = |two: &[&TokenKind]| match two {
                    [value, TokenKind::Ident(word)] => is_value(value) && Type::from_name(word).is_some(),
                    _ => false,
                };
                let is_head = matches!(line.get(1), Some(TokenKind::Punct('(' | ':')))
                    && line.last() == Some(&&TokenKind::Punct(':'));
                is_head && !line.windows(3).any(is_nameless) && !line.windows(2).any(is_unsigned)
            }
            TokenKind::Ident(word) => {
                // What has the name of an instruction before a `=` should be a value.
                let is_defined = self.p.tokens.get(start + 1).is_some_and(|token| token.kind == TokenKind::Punct('='));
                Parser::numbered(word, "v").is_some() || !is_defined && opcodes::named(word).is_some()
            }
            _ => false,
        }
    }
}
