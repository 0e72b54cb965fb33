//! The parser's view of the text: the token at hand, what to say when another was expected, and the names of the
//! module's items.

use super::error::ParseError;
use super::former_words::{current_word, is_word};
use super::lex::{Part, Token, TokenKind, column, lex, shortened};
use super::lines::LineMap;
use crate::entity::{Caf, Desc, Extern, FuncId, Table};
use crate::layout::MAX_SLOTS;
use crate::module::{Bytes, WellKnownDesc};
use crate::runtime::{ExternData, Libcall, pack_extern};
use crate::types::{Signature, Type};
use crate::verify::Item;
use cleave_abi::{Effects, libcalls};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The key of names of externs, which have no sigil.
const EXTERN: char = ' ';

/// What may have been meant, for the end of a message.
pub(super) fn perhaps<'n>(sigil: &str, name: &str, others: impl IntoIterator<Item = &'n [u8]>) -> String {
    // The first of those that are equally near, whatever the order of a table.
    let mut others: Vec<&[u8]> = others.into_iter().collect();
    others.sort_unstable();
    let near = cleave_diag::nearest(name.as_bytes(), others).map(String::from_utf8_lossy);
    near.map_or_else(String::new, |near| format!(": did you mean `{sigil}{near}`?"))
}

fn unknown_effect(word: &str) -> String {
    let nptrs: Vec<&str> = Effects::WORDS.iter().map(|(_, word)| *word).collect();
    format!("`{word}` is not an effect; there are pure, {}", nptrs.join(", "))
}

pub(super) struct Parser<'a> {
    /// The part that is read, and its tokens.
    pub(super) text: &'a str,
    pub tokens: Vec<Token<'a>>,
    pub at: usize,
    /// By sigil.
    names: FxHashMap<char, FxHashMap<String, u32>>,
    /// Number of names per sigil.
    pub counts: FxHashMap<char, u32>,
    pub func_signatures: PrimaryMap<FuncId, Signature>,
    pub table_signatures: PrimaryMap<Table, Signature>,
    /// Declared, or of the runtime contract and called.
    pub externs: PrimaryMap<Extern, ExternData>,
    pub lines: LineMap,
    /// What is wrong so far. Nothing is made of a text with errors; it is read on to find all of them.
    pub errors: Vec<ParseError>,
    /// So many mistakes were met, told or not; and so many of them inside of functions, which are these.
    pub mistakes: usize,
    pub mistakes_inside: usize,
    pub unread: BTreeSet<String>,
    /// Functions whose signatures are not known.
    pub headless: BTreeSet<String>,
    /// The last lines of functions that are not closed.
    pub unclosed: BTreeSet<u32>,
    /// Nothing has been said before this part.
    pub is_first: bool,
    /// An item cannot be read that may define names which are not known.
    pub has_unread: bool,
    /// Static objects, or types, are numbered otherwise than they should be: nobody knows which ones are meant.
    pub is_misnumbered: [bool; 2],
    /// Functions whose heads cannot be read.
    pub unknown_heads: BTreeSet<FuncId>,
}

/// What is said of values as LLVM writes them.
pub(super) const PERCENT: &str = "values are written `v0`, or `~name`, without a `%`";

/// So many errors of a text are collected.
const MOST_ERRORS: usize = 1000;

pub(super) type Parse<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    pub fn new() -> Self {
        let mut parser = Parser {
            text: "",
            tokens: Vec::new(),
            at: 0,
            names: FxHashMap::default(),
            counts: FxHashMap::default(),
            func_signatures: PrimaryMap::new(),
            table_signatures: PrimaryMap::new(),
            externs: PrimaryMap::new(),
            lines: LineMap::default(),
            errors: Vec::new(),
            mistakes: 0,
            mistakes_inside: 0,
            unread: BTreeSet::new(),
            headless: BTreeSet::new(),
            unclosed: BTreeSet::new(),
            is_first: false,
            has_unread: false,
            is_misnumbered: [false; 2],
            unknown_heads: BTreeSet::new(),
        };
        for known in WellKnownDesc::ALL {
            parser.names.entry('$').or_default().insert(known.label().into(), known as u32);
        }
        parser.counts.insert('$', WellKnownDesc::ALL.len() as u32);
        for libcall in Libcall::ALL {
            parser.add_extern(libcall.signature().into());
        }
        parser
    }

    // -- tokens -------------------------------------------------------------------------------------------------------

    /// Begins with a part.
    pub fn begin(&mut self, part: &Part<'a>) {
        for error in lex(part, &mut self.tokens) {
            self.report(error);
        }
        self.text = part.text;
        self.at = 0;
    }
    /// The number of something that has a name.
    pub(super) fn known(&self, sigil: char, name: &str) -> Option<u32> {
        self.names.get(&sigil)?.get(name).copied()
    }
    pub fn peek(&self) -> &TokenKind<'a> {
        &self.tokens[self.at].kind
    }
    pub fn line(&self) -> u32 {
        self.tokens[self.at].line
    }
    /// Position of the next token, for `error_at`.
    pub fn position(&self) -> usize {
        self.at
    }
    pub fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }
    pub fn error_at<T>(&self, position: usize, message: impl Into<String>) -> Parse<T> {
        let token = &self.tokens[position];
        let column = column(self.text, token.start as usize);
        let message = self.stands_twice(position, message.into());
        Err(ParseError { line: token.line, column, message, is_of_name: false, is_unclosed: false })
    }
    /// As `error_at`, where what is wrong is a name.
    pub fn unknown_at<T>(&self, position: usize, message: impl Into<String>) -> Parse<T> {
        self.error_at(position, message).map_err(|error| ParseError { is_of_name: true, ..error })
    }
    /// No more mistakes are told, so that what may have been meant is not worth a search among all names.
    pub fn is_full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }
    /// Notes what is wrong, and goes on. One error for a line: the others only follow from it. So do errors without a
    /// message.
    pub fn report(&mut self, error: ParseError) {
        self.mistakes += 1;
        if error.message.is_empty() {
            return;
        }
        if !self.is_full() && self.errors.iter().rev().all(|other| other.line != error.line) {
            self.errors.push(error);
        }
    }
    /// Goes to the end of the line.
    pub fn skip_line(&mut self) {
        while !matches!(self.peek(), TokenKind::Newline | TokenKind::End) {
            self.advance();
        }
    }
    pub fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        self.error_at(self.at, message)
    }
    pub fn expected<T>(&self, what: &str) -> Parse<T> {
        // One mistake, wherever it is made.
        if matches!(self.peek(), TokenKind::Name('%', _)) && !what.starts_with("a name") {
            return self.unknown_at(self.at, PERCENT);
        }
        self.error(format!("expected {what}, found {}{}", self.peek().describe(), self.foreign()))
    }
    pub fn eat(&mut self, c: char) -> bool {
        let found = matches!(*self.peek(), TokenKind::Punct(found) if found == c);
        if found {
            self.advance();
        }
        found
    }
    pub fn punct(&mut self, c: char) -> Parse<()> {
        if self.eat(c) { Ok(()) } else { self.expected(&TokenKind::Punct(c).describe()) }
    }
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(*self.peek(), TokenKind::Ident(text) if is_word(text, word));
        if found {
            self.advance();
        }
        found
    }
    pub fn word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }
    pub fn ident(&mut self, what: &str) -> Parse<&'a str> {
        let TokenKind::Ident(text) = *self.peek() else { return self.expected(what) };
        self.advance();
        Ok(text)
    }
    pub fn string(&mut self, what: &str) -> Parse<Bytes> {
        let TokenKind::Str(bytes) = self.peek() else { return self.expected(what) };
        let bytes = bytes.as_slice().into();
        self.advance();
        Ok(bytes)
    }
    pub fn end_of_line(&mut self) -> Parse<()> {
        match self.peek() {
            TokenKind::Newline => {
                self.advance();
                Ok(())
            }
            TokenKind::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }
    pub fn skip_newlines(&mut self) {
        while matches!(self.peek(), TokenKind::Newline) {
            self.advance();
        }
    }
    pub fn number_text(&mut self) -> Parse<&'a str> {
        let TokenKind::Number(text) = *self.peek() else { return self.expected("a number") };
        self.advance();
        Ok(text)
    }
    /// Any 64-bit integer, as bits.
    pub fn integer(&mut self) -> Parse<u64> {
        let position = self.at;
        let text = self.number_text()?;
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse::<i64>().ok().map(|n| n as u64).or_else(|| text.parse::<u64>().ok()),
        };
        let hint = if text.contains('.') { ": `fconst` makes a real" } else { "" };
        parsed
            .map_or_else(|| self.error_at(position, format!("`{}` is not a 64-bit integer{hint}", shortened(text))), Ok)
    }
    pub fn u32(&mut self) -> Parse<u32> {
        let position = self.at;
        let n = self.integer()?;
        u32::try_from(n).or_else(|_| self.error_at(position, format!("{} does not fit in 32 bits", n as i64)))
    }

    /// `REFERENCES, WORDS`: what a node, a thunk or a constant of the program holds.
    pub fn payload(&mut self) -> Parse<(u32, u32)> {
        let position = self.position();
        let ptrs = self.u32()?;
        self.punct(',')?;
        let nptrs = self.u32()?;
        self.room(position, ptrs, nptrs)?;
        Ok((ptrs, nptrs))
    }
    /// An info word counts the slots of an object.
    pub fn room(&self, position: usize, ptrs: u32, nptrs: u32) -> Parse<()> {
        if u64::from(ptrs) + 2 * u64::from(nptrs) > u64::from(MAX_SLOTS) {
            return self.error_at(position, format!("an object has {MAX_SLOTS} slots at most (a word takes two)"));
        }
        Ok(())
    }

    // -- names --------------------------------------------------------------------------------------------------------

    pub fn raw_name(&mut self, sigil: char) -> Parse<String> {
        match self.peek() {
            TokenKind::Name(found, name) if *found == sigil => {
                let name = name.to_string();
                self.advance();
                Ok(name)
            }
            TokenKind::Ident(text) => {
                let text = shortened(text);
                // Before a name it is something else that one typed.
                let is_other =
                    matches!(self.tokens.get(self.at + 1), Some(next) if matches!(next.kind, TokenKind::Name(..)));
                let hint = if is_other { String::new() } else { format!(": did you mean `{sigil}{text}`?") };
                self.error(format!("expected a name after `{sigil}`, found `{text}`{hint}"))
            }
            _ => self.expected(&format!("a name after `{sigil}`")),
        }
    }
    /// The number of the item that is named next.
    pub fn name(&mut self, sigil: char) -> Parse<u32> {
        let position = self.at;
        let name = match self.peek() {
            TokenKind::Name(found, name) if *found == sigil => name,
            TokenKind::Ident(word) => {
                let word = shortened(word);
                let hint = match self.undefined_hint(sigil, &word) {
                    Some(hint) => hint,
                    None if Type::from_name(&word).is_some() => ": its type is not written".into(),
                    None if self.known(sigil, &word).is_some() => format!(": did you mean `{sigil}{word}`?"),
                    None => String::new(),
                };
                return self.error(format!("expected a name after `{sigil}`, found `{word}`{hint}"));
            }
            _ => return self.no_name(sigil),
        };
        match self.known(sigil, name) {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => {
                if self.has_unread || self.is_full() {
                    return self.error_at(position, "");
                }
                if let Some(hint) = self.undefined_hint(sigil, name) {
                    let what = self.tokens[position].kind.describe();
                    return self.unknown_at(position, format!("{what} is not defined{hint}"));
                }
                // What is built in is meant by its own name alone.
                let is_own = |other: &&[u8]| !other.starts_with(b"_") || name.starts_with('_');
                let others = self.names.get(&sigil).into_iter().flatten().map(|(name, _)| name.as_bytes());
                let others = others.filter(is_own);
                let message = format!("{} is not defined", self.tokens[position].kind.describe());
                self.unknown_at(position, message + &perhaps(&sigil.to_string(), name, others))
            }
        }
    }
    pub fn desc(&mut self) -> Parse<Desc> {
        self.name('$').map(Desc::from_u32)
    }
    pub fn declare(&mut self, sigil: char) -> Parse<()> {
        let position = self.at;
        let name = self.raw_name(sigil);
        self.has_unread |= name.is_err();
        let name = name?;
        let count = self.counts.entry(sigil).or_insert(0);
        let known = sigil == '$' && WellKnownDesc::ALL.iter().any(|k| k.label() == name);
        let is_twice = !known && self.names.entry(sigil).or_default().insert(name, *count).is_some();
        *count += u32::from(!known);
        if is_twice {
            // Another name was meant for one of them.
            self.has_unread = true;
            let what = self.tokens[position].kind.describe();
            let Err(error) = self.error_at::<()>(position, format!("{what} is defined twice")) else { return Ok(()) };
            self.report(error);
        }
        Ok(())
    }
    fn add_extern(&mut self, data: ExternData) -> Extern {
        let name = data.name.to_string();
        let id = self.externs.push(data);
        self.names.entry(EXTERN).or_default().insert(name, id.as_u32());
        id
    }

    /// `extern name(ref, i64) -> (i64) [reads]`, after the first word.
    pub fn declare_extern(&mut self) -> Parse<()> {
        let position = self.at;
        let declared = self.declared_extern();
        // The name is known, so that only its declaration is wrong.
        if let (Err(_), TokenKind::Ident(name)) = (&declared, self.tokens[position].kind.clone())
            && self.known(EXTERN, name).is_none()
        {
            let (params, results) = (Vec::new().into(), Vec::new().into());
            self.add_extern(ExternData {
                name: name.to_string().into(),
                params,
                results,
                effects: Effects::PURE,
                from: None,
            });
        }
        declared
    }
    fn declared_extern(&mut self) -> Parse<()> {
        let position = self.at;
        let name = self.ident("the name of an extern")?.to_string();
        let signature = self.signature()?;
        if !matches!(self.peek(), TokenKind::Punct('[')) {
            let found = self.peek().describe();
            return self
                .error(format!("expected `[`, found {found}: effects stand behind the types, `[pure]` means none"));
        }
        let nptrs = self.list('[', ']', |p| {
            let position = p.position();
            let word = p.ident("an effect")?;
            Effects::from_word(current_word(word)).map_or_else(|| p.error_at(position, unknown_effect(word)), Ok)
        })?;
        if nptrs.is_empty() {
            return self.error_at(self.at - 1, "an extern names its effects; `pure` means none");
        }
        let effects = nptrs.into_iter().fold(Effects::PURE, Effects::and);
        let (params, results) = (signature.params.to_vec().into(), signature.results.to_vec().into());
        let from = if self.eat_word("from") { Some(self.import_module()?) } else { None };
        let data = ExternData { name: name.clone().into(), params, results, effects, from };
        if let Some(row) = libcalls::find(&name) {
            let ours = ExternData::from(row);
            let message = format!("`{name}` of the runtime is {ours}, not {data}");
            if ours != data {
                return self.error_at(position, message);
            }
        }
        if self.known(EXTERN, &name).is_some() {
            return self.error_at(position, format!("extern `{name}` is declared twice"));
        }
        let line = self.tokens[position].line;
        let id = self.add_extern(data);
        self.lines.items.insert(Item::Extern(id), line);
        Ok(())
    }

    /// The name of an extern, as the immediate of a call. Those of the runtime contract need no declaration.
    pub fn external(&mut self) -> Parse<u64> {
        let position = self.at;
        if let TokenKind::Name('@', name) = self.peek() {
            let hint = if self.known('@', name).is_some() { "`call` calls functions" } else { "it has no `@`" };
            let found = self.peek().describe();
            return self.error(format!("expected the name of an extern, found {found}: {hint}"));
        }
        let name = self.ident("the name of an extern")?;
        let known = self.known(EXTERN, name).map(Extern::from_u32);
        let Some(id) = known.or_else(|| libcalls::find(name).map(|row| self.add_extern(row.into()))) else {
            return self.unknown_at(position, self.unknown_extern(name));
        };
        Ok(pack_extern(id, self.externs[id].effects))
    }

    /// `(ref, i64) -> (ref)`.
    pub fn signature(&mut self) -> Parse<Signature> {
        let params = self.list('(', ')', Self::ty)?;
        self.punct('>')?;
        let results = self.list('(', ')', Self::ty)?;
        Ok(Signature::new(&params, &results))
    }

    /// The number after a prefix: 7 of `v7`.
    pub fn numbered(text: &str, prefix: &str) -> Option<u32> {
        let digits = text.strip_prefix(prefix)?.as_bytes();
        if digits.is_empty() || digits.len() > 1 && digits[0] == b'0' {
            return None;
        }
        digits.iter().try_fold(0_u32, |number, &digit| {
            let digit = digit.wrapping_sub(b'0');
            let shifted = number.checked_mul(10).filter(|_| digit < 10)?;
            shifted.checked_add(u32::from(digit))
        })
    }

    /// Items with commas in between, in brackets.
    pub fn list<T>(&mut self, open: char, close: char, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.punct(open)?;
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(',') {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    pub fn ty(&mut self) -> Parse<Type> {
        let position = self.at;
        let name = self.ident("a type")?;
        let types = ["i32", "i64", "f64", "ref"].map(str::as_bytes);
        let message = || {
            let small = name.to_ascii_lowercase();
            let same = match &small[..] {
                "int" | "long" | "u64" | "integer" | "isize" | "usize" => "i64",
                "bool" | "u32" | "i1" | "i8" | "u8" | "char" | "boolean" => "i32",
                "double" | "float" | "f32" | "real" => "f64",
                "ptr" | "string" | "anyref" | "externref" | "object" => "ref",
                _ => "",
            };
            if !same.is_empty() {
                return format!("`{name}` is not a type: did you mean `{same}`?");
            }
            let meant = match perhaps("", &small, types) {
                _ if Type::from_name(&small).is_some() => format!(": did you mean `{small}`?"),
                meant if meant.is_empty() => ": types are `i32`, `i64`, `f64` and `ref`".into(),
                meant => meant,
            };
            format!("`{name}` is not a type{meant}")
        };
        Type::from_name(name).map_or_else(|| self.unknown_at(position, message()), Ok)
    }

    pub fn caf(&mut self) -> Parse<Caf> {
        self.name('^').map(Caf::from_u32)
    }
    /// Number of static objects.
    pub fn static_count(&self) -> u32 {
        self.counts.get(&'s').copied().unwrap_or(0)
    }
}
