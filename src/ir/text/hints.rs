//! What may be meant by text that cannot be read: the end of a message.

use super::cursor::{Parse, Parser};
use super::lex::{TokenKind, VALUE_SIGIL, shortened};
use super::opcodes;
use crate::types::Type;
use cleave_abi::libcalls;

const BLOCKS: &str = ": blocks are named `block0`, `block1`, …";

const BEFORE_OPERANDS: &str = ": an instruction stands before its operands, `iadd v0, v1`";

const INSIDE: &str = ": an instruction stands in a block, which begins with a line `block0:`";

impl Parser<'_> {
    fn next(&self) -> Option<&TokenKind<'_>> {
        self.tokens.get(self.at + 1).map(|token| &token.kind)
    }

    fn before(&self) -> Option<&TokenKind<'_>> {
        self.tokens.get(self.at.wrapping_sub(1)).map(|token| &token.kind)
    }

    /// What to say of the token at hand, which should not be here.
    pub(super) fn foreign(&self) -> &'static str {
        match (self.peek(), self.next()) {
            (TokenKind::Newline, _) if self.ends_at_comment() => ": `;` begins a comment, `,` stands between things",
            (TokenKind::Punct('='), _) if self.before() == Some(&TokenKind::Punct(':')) => {
                ": a value is written `v0 = iconst.i64 1`"
            }
            (TokenKind::Punct('/'), Some(TokenKind::Punct('/'))) => ": a comment begins with `;`",
            (TokenKind::Name('@', name), _) if Self::numbered(name, "block").is_some() => ": blocks have no `@`",
            (TokenKind::Str(_), _) if matches!(self.before(), Some(TokenKind::Punct('(' | ','))) => {
                ": a string is static data, `static0 = string \"…\"`, and a value of it `v0 = static static0`"
            }
            (TokenKind::Ident(word), _)
                if Self::numbered(word, "static").is_some()
                    && matches!(self.before(), Some(TokenKind::Punct('(' | ','))) =>
            {
                ": a value of static data is made by `static`, for a string, or `static_node`: `v0 = static static0`"
            }
            _ => "",
        }
    }

    /// A message about a token that is the same as the one before it: one of them is too many.
    pub(super) fn stands_twice(&self, position: usize, message: String) -> String {
        let is_of_token = ["expected ", "extern "].iter().any(|begin| message.starts_with(begin));
        let token = &self.tokens[position].kind;
        let is_same = position.checked_sub(1).is_some_and(|before| self.tokens[before].kind == *token);
        // Between two values, or blocks, a comma may be missing.
        let lacks_comma = message.starts_with("expected `,` or the end");
        let is_bracket = matches!(token, TokenKind::Punct('(' | ')' | '{' | '}' | '[' | ']') | TokenKind::Newline);
        if !is_of_token || !is_same || lacks_comma || is_bracket {
            return message;
        }
        let what = message.split_once(": ").map_or(&message[..], |(what, _)| what);
        format!("{what}: it stands here twice")
    }

    /// A block, or another word, and a value in one word, as `block1v0`: a parenthesis is missing.
    fn lacks_parenthesis(&self, word: &str) -> Option<String> {
        let (first, number) = word.rsplit_once('v')?;
        let is_callee = Self::numbered(first, "block").is_some() || libcalls::find(first).is_some();
        let is_it = is_callee && Self::numbered(&word[first.len()..], "v").is_some();
        is_it.then(|| format!(": did you mean `{first}(v{number}`?"))
    }

    /// The parenthesis before the shape of a node.
    pub(super) fn shape(&mut self) -> Parse<()> {
        if self.eat('(') {
            return Ok(());
        }
        let found = self.peek().describe();
        self.error(format!(
            "expected `(`, found {found}: the shape stands behind the node, its references and words, as `(0, 1)`, and \
             then the index"
        ))
    }

    /// `(v0, …`, and not the shape of a node, `(1, 2)`.
    pub(super) fn is_value_in_parentheses(&self) -> bool {
        match self.next() {
            Some(TokenKind::Ident(text)) => Self::numbered(text, "v").is_some(),
            Some(TokenKind::Name(sigil, _)) => *sigil == VALUE_SIGIL,
            _ => false,
        }
    }

    /// No item begins so.
    pub(super) fn item_hint(&self) -> &'static str {
        match self.peek() {
            TokenKind::Punct('(') => ": a function is written `func @f(v0: i64) -> i64 {`",
            TokenKind::Name('@', _) => match self.next() {
                Some(TokenKind::Punct('(')) => ": a function is written `func @f(v0: i64) -> i64 {`",
                _ => ": `start @f` names the function with which the program begins",
            },
            _ => self.foreign(),
        }
    }

    /// Parentheses begin here, and a `:` ends the line.
    fn is_head_of_block(&self) -> bool {
        let rest = self.tokens[self.at..].iter().map(|token| &token.kind);
        let last = rest.take_while(|kind| !matches!(kind, TokenKind::Newline | TokenKind::End)).last();
        *self.peek() == TokenKind::Punct('(') && last == Some(&TokenKind::Punct(':'))
    }

    /// The name of a value is at hand: behind one that is defined stands `=`, perhaps its type before that, or the next
    /// one.
    pub(super) fn is_defined_here(&self) -> Parse<()> {
        let position = (self.at + 1).min(self.tokens.len() - 1);
        let behind = &self.tokens[position].kind;
        match behind {
            TokenKind::Punct('=' | ':' | ',') => Ok(()),
            _ => self.error_at(position, format!("expected `=`, found {}", behind.describe())),
        }
    }

    /// The token of this number is a target, and a value is at hand, which should be its argument: what to say of that.
    pub(super) fn loose_arguments(&self, target: usize) -> Option<String> {
        let TokenKind::Ident(block) = self.tokens.get(target)?.kind else { return None };
        if !self.is_name_of_value() || Self::numbered(block, "block").is_none() {
            return None;
        }
        let mut args = String::new();
        for token in &self.tokens[self.at..] {
            match &token.kind {
                TokenKind::Ident(text) if Self::numbered(text, "v").is_some() => args += text,
                TokenKind::Name(VALUE_SIGIL, name) => args += &format!("{VALUE_SIGIL}{}", shortened(name)),
                TokenKind::Punct(',') => args += ", ",
                _ => break,
            }
        }
        let args = args.trim_end_matches(", ");
        let comma = if self.tokens[target + 1].kind == TokenKind::Punct(',') { "," } else { "" };
        Some(format!(
            "`{block}{comma} {args}`: arguments of a block stand in parentheses: did you mean `{block}({args})`?"
        ))
    }

    /// The token at hand is the name of a value.
    pub(super) fn is_name_of_value(&self) -> bool {
        match self.peek() {
            TokenKind::Ident(text) => Self::numbered(text, "v").is_some(),
            TokenKind::Name(sigil, _) => *sigil == VALUE_SIGIL,
            _ => false,
        }
    }

    /// In the list of parameters something else was expected.
    pub(super) fn parameter_hint(&self) -> &'static str {
        match self.before() {
            Some(TokenKind::Ident(word)) if Type::from_name(word).is_some() && self.is_name_of_value() => {
                ": a parameter is written `v0: i64`"
            }
            _ => "",
        }
    }

    /// Behind the parameters stands neither `->` nor a brace.
    pub(super) fn results_hint(&self) -> &'static str {
        let is_type =
            |kind: Option<&TokenKind>| matches!(kind, Some(TokenKind::Ident(word)) if Type::from_name(word).is_some());
        match self.peek() {
            TokenKind::Punct(':') if is_type(self.next()) => ": results stand behind `->`",
            kind if is_type(Some(kind)) => ": results stand behind `->`",
            _ => "",
        }
    }

    /// Where an instruction should be stands something else.
    pub(super) fn instruction_hint(&self) -> String {
        match *self.peek() {
            TokenKind::Number(text) if text.contains('.') => format!(": `fconst {text}` is this number"),
            TokenKind::Number(text) => format!(": `iconst.i64 {text}` is this number"),
            TokenKind::Punct(':') => BLOCKS.into(),
            TokenKind::Punct('=') if self.before() == Some(&TokenKind::Newline) => {
                ": a value stands before it, `v0 = iconst.i64 1`".into()
            }
            TokenKind::Name(VALUE_SIGIL, _) => BEFORE_OPERANDS.into(),
            TokenKind::Name('@', ref name) if Self::numbered(name, "block").is_none() => {
                format!(": `call @{name}(…)` calls the function")
            }
            _ => self.foreign().into(),
        }
    }

    /// No name with this sign before it is at hand: perhaps one with another.
    pub(super) fn no_name<T>(&self, sigil: char) -> Parse<T> {
        match self.peek() {
            TokenKind::Name(_, name) if self.known(sigil, name).is_some() => {
                let found = self.peek().describe();
                self.error(format!("expected a name after `{sigil}`, found {found}: did you mean `{sigil}{name}`?"))
            }
            _ => self.expected(&format!("a name after `{sigil}`")),
        }
    }

    /// The line ends at a `;` before which something is not finished: it begins a comment here.
    fn ends_at_comment(&self) -> bool {
        let start = self.tokens.get(self.at.wrapping_sub(1)).map_or(0, |token| token.start as usize);
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let behind = line.split_once(';').map_or("", |(_, behind)| behind).trim();
        behind.ends_with([')', ':', '{', ','])
    }

    /// The message for a word that is no instruction. The token at hand stands behind it.
    pub(super) fn unknown_instruction(&self, name: &str, types: &[Option<Type>]) -> String {
        let rest = self.tokens[self.at..].iter().take_while(|token| token.kind != TokenKind::Newline);
        let has_label = rest.into_iter().any(|token| token.kind == TokenKind::Ident("label"));
        let hint = if has_label && name == "br" {
            ": write `jump block1`, or `br_if v0, block1, block2`, without `label`".into()
        } else if matches!(self.peek(), TokenKind::Str(_)) {
            let next = format!("static{}", self.static_count());
            format!(": a string is an item of its own, `{next} = string \"…\"`, and `static {next}` is its value")
        } else if Self::numbered(name, "v").is_some() {
            BEFORE_OPERANDS.into()
        } else if matches!(self.peek(), TokenKind::Punct('=' | ',')) {
            format!(": a value is written `v0`, or `{VALUE_SIGIL}{name}`")
        } else if *self.peek() == TokenKind::Punct(':') || self.is_head_of_block() {
            BLOCKS.into()
        } else if self.known('@', name).is_some() {
            let meant = opcodes::of_others(name, types).filter(|meant| !meant.is_empty());
            let called = format!("a function is called by `call @{name}`");
            meant.map_or_else(|| format!(": {called}"), |meant| format!("{meant}; {called}"))
        } else if libcalls::find(name).is_some() {
            format!(": a function of the runtime is called by `call_rt {name}`")
        } else {
            opcodes::perhaps_meant(name, types)
        };
        format!("unknown instruction `{name}`{hint}")
    }

    /// Where a block should begin stands something else, perhaps a value.
    pub(super) fn block_hint(&self, is_value: bool) -> String {
        if let TokenKind::Ident(word) = self.peek()
            && let Some(hint) = self.lacks_parenthesis(word)
        {
            return hint;
        }
        let hint = match self.peek() {
            TokenKind::Ident(word) if !is_value && opcodes::named(word).is_none() => BLOCKS,
            TokenKind::Ident(_) if matches!(self.next(), Some(TokenKind::Punct(':' | '('))) => BLOCKS,
            _ if is_value => INSIDE,
            TokenKind::Ident(_) => INSIDE,
            _ => self.foreign(),
        };
        hint.into()
    }

    /// What to say of a word where a value should be, which names a function.
    pub(super) fn names_function(&self, word: &str) -> Option<String> {
        if let Some(hint) = self.lacks_parenthesis(word) {
            return Some(hint);
        }
        if self.known('@', word).is_some() {
            return Some(format!(": the function is `@{word}`"));
        }
        libcalls::find(word).map(|_| format!(": a function of the runtime is called by `call_rt {word}`"))
    }

    /// The end of the message for a name that is not defined.
    pub(super) fn undefined_hint(&self, sigil: char, name: &str) -> Option<String> {
        if sigil == '$' && self.known('@', name).is_some() {
            return Some(format!(": `@{name}` is a function"));
        }
        let is_function = sigil == '@' && libcalls::find(name).is_some();
        is_function.then(|| format!(": a function of the runtime is called by `call_rt {name}`"))
    }

    /// The message for an extern that is not declared.
    pub(super) fn unknown_extern(&self, name: &str) -> String {
        let declared = self.externs.values().map(|data| &*data.name);
        let names: Vec<&[u8]> = declared.chain(libcalls::ALL.iter().map(|row| row.name)).map(str::as_bytes).collect();
        let near = cleave_diag::nearest(name.as_bytes(), names).map(String::from_utf8_lossy);
        if let Some(hint) = self.lacks_parenthesis(name) {
            return format!("extern `{name}` is not declared{hint}");
        }
        if self.known('@', name).is_some() {
            return format!("extern `{name}` is not declared: the function of this module is called by `call @{name}`");
        }
        // As others call them: `print`, `println`, `print_float`, `puts`.
        let first = name.split('_').next().unwrap_or(name);
        let first = first.strip_suffix("ln").unwrap_or(first);
        let begin = if matches!(first, "puts" | "printf" | "echo") { "print_" } else { &*format!("{first}_") };
        let family: Vec<String> = libcalls::ALL
            .iter()
            .filter(|row| row.name.starts_with(begin))
            .map(|row| format!("`{}`", row.name))
            .collect();
        match near {
            Some(near) => format!("extern `{name}` is not declared: did you mean `{near}`?"),
            None if !family.is_empty() => {
                format!("extern `{name}` is not declared: the runtime has {}", family.join(", "))
            }
            None => {
                format!("extern `{name}` is not declared: `extern {name}(types) -> (types) [effects]` declares it")
            }
        }
    }
}
