//! Reads IR text as far as it can be read: items by their first words, functions by their lines. Nothing is refused.

use crate::cli::lsp::listing::{line_at, lines};
use cleave_ir::ArrayKind;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::func::Func;
use cleave_ir::opcode::{Opcode, ResultRule};
use cleave_ir::types::{Signature, Type};
use cleave_ir::{entity::Block as Number, libcalls};
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// With its sigil.
    Name,
    /// An opcode, a word of the language, a value, a block.
    Word,
    Other,
}

/// A word of a line, with its place in the text.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    pub text: &'t str,
    pub at: usize,
    pub sort: SymbolKind,
}

impl Token<'_> {
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

/// Something that the module defines outside of functions, or a function.
pub struct Item<'t> {
    /// With its sigil.
    pub name: Token<'t>,
    pub line: Range<usize>,
    /// To the brace that ends a function, for others as the line.
    pub extent: Range<usize>,
}

/// What a function defines: a value or a block.
pub struct Local<'t> {
    pub name: Token<'t>,
    pub line: Range<usize>,
    /// The number of the block that it is defined in; of a block its own.
    pub block: usize,
    pub ty: Option<Type>,
}

/// The function around a place.
#[derive(Default)]
pub struct Body<'t> {
    pub blocks: Vec<Local<'t>>,
    pub values: Vec<Local<'t>>,
    /// Blocks that a block mentions, by its number.
    pub targets: Vec<Vec<&'t str>>,
}

/// Types of what is called: parameters, results.
pub type Types = (Vec<Type>, Vec<Type>);

pub struct Ir<'t> {
    pub text: &'t str,
    pub items: Vec<Item<'t>>,
}

pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

pub fn is_sigil(byte: u8) -> bool {
    matches!(byte, b'@' | b'$' | b'&' | b'^' | b'%')
}

/// The end of a string that begins here.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The tokens of a line; comments are none.
pub fn tokens(text: &str, line: Range<usize>) -> Vec<Token<'_>> {
    split(text, line).0
}

/// The tokens of a line, and where its comment begins, or it ends.
pub fn split(text: &str, line: Range<usize>) -> (Vec<Token<'_>>, usize) {
    let bytes = &text.as_bytes()[..line.end];
    let mut found = Vec::new();
    let mut at = line.start;
    while at < bytes.len() {
        let start = at;
        let sort = match bytes[at] {
            b';' => return (found, at),
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            b'"' => {
                at = end_of_string(bytes, at);
                SymbolKind::Other
            }
            sigil if is_sigil(sigil) => {
                at += 1;
                if bytes.get(at) == Some(&b'"') {
                    at = end_of_string(bytes, at);
                } else {
                    at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                }
                SymbolKind::Name
            }
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                SymbolKind::Word
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                SymbolKind::Other
            }
        };
        found.push(Token { text: text.get(start..at).unwrap_or_default(), at: start, sort });
    }
    (found, line.end)
}

/// True for `v7` with "v", `block2` with "block".
pub fn is_numbered(word: &str, letters: &str) -> bool {
    word.strip_prefix(letters).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

pub fn opcode(word: &str) -> Option<Opcode> {
    Opcode::ALL.iter().copied().find(|op| op.name() == word)
}

/// The words of types between parentheses, or after an arrow.
pub fn types(words: &[Token]) -> Vec<Type> {
    words.iter().filter_map(|word| Type::from_name(word.text)).collect()
}

impl<'t> Ir<'t> {
    pub fn read(text: &'t str) -> Ir<'t> {
        let mut items: Vec<Item> = Vec::new();
        let mut is_inside = false;
        for line in lines(text) {
            if is_inside {
                let end = &text[line.clone()];
                if let Some(item) = items.last_mut() {
                    item.extent.end = line.end;
                }
                is_inside = !end.starts_with('}');
                continue;
            }
            let words = tokens(text, line.clone());
            let name = match words.as_slice() {
                [first, ..] if is_numbered(first.text, "static") => *first,
                [first, name, ..]
                    if matches!(first.text, "func" | "desc" | "thunk_info" | "caf" | "table" | "extern") =>
                {
                    is_inside = first.text == "func";
                    *name
                }
                _ => continue,
            };
            items.push(Item { name, extent: line.clone(), line });
        }
        Ir { text, items }
    }

    /// The function around a place.
    pub fn function(&self, offset: usize) -> Option<&Item<'t>> {
        let around = |item: &&Item| item.line.end < offset && offset <= item.extent.end;
        self.items.iter().find(around).filter(|item| self.text[item.line.clone()].trim_start().starts_with("func"))
    }

    /// What is called by this name: parameters and results.
    pub fn called(&self, name: &str) -> Types {
        let Some(item) = self.items.iter().find(|item| item.name.text == name) else {
            let row = libcalls::find(name);
            return row.map_or((Vec::new(), Vec::new()), |row| (row.params.to_vec(), row.results.to_vec()));
        };
        let words = tokens(self.text, item.line.clone());
        let close = words.iter().position(|word| word.text == ")").unwrap_or(words.len());
        (types(&words[..close]), types(&words[close..]))
    }

    /// Reads what a function defines.
    pub fn body(&self, function: &Item<'t>) -> Body<'t> {
        let mut body = Body::default();
        let mut known: BTreeMap<&str, Type> = BTreeMap::new();
        let inside = function.line.end..function.extent.end;
        for line in lines(&self.text[inside.clone()]).map(|line| line.start + inside.start..line.end + inside.start) {
            let words = tokens(self.text, line.clone());
            let Some(first) = words.first() else { continue };
            let is_block = is_numbered(first.text, "block");
            if is_block {
                let block = body.blocks.len();
                body.blocks.push(Local { name: *first, line: line.clone(), block, ty: None });
                body.targets.push(Vec::new());
            } else if let Some(targets) = body.targets.last_mut() {
                targets.extend(words.iter().filter(|word| is_numbered(word.text, "block")).map(|word| word.text));
            }
            let Some(block) = body.blocks.len().checked_sub(1) else { continue };
            // Parameters stand after the name of the block, results before the sign.
            let equals = words.iter().position(|word| word.text == "=").unwrap_or(0);
            let defining = if is_block { &words[1..] } else { &words[..equals] };
            let op = words.get(equals + 1).and_then(|word| opcode(word.text));
            let operands = words.get(equals + 2..).unwrap_or_default();
            let value = |number: usize| {
                operands.iter().filter(|word| is_numbered(word.text, "v")).nth(number).map(|word| word.text)
            };
            let called = operands.first().map_or((Vec::new(), Vec::new()), |word| self.called(word.text)).1;
            let mut number = 0;
            for (place, name) in defining.iter().enumerate().filter(|(_, word)| is_numbered(word.text, "v")) {
                // `borrowed v3` mentions a value.
                if place > 0 && defining[place - 1].text == "borrowed" {
                    continue;
                }
                let written = defining.get(place + 2).filter(|_| defining[place + 1].text == ":");
                let ty = written.and_then(|word| Type::from_name(word.text)).or_else(|| match op?.info().result {
                    ResultRule::One(ty) => Some(ty),
                    ResultRule::SameAsFirst => known.get(value(0)?).copied(),
                    ResultRule::SameAsSecond => known.get(value(1)?).copied(),
                    ResultRule::Element => {
                        words.iter().find_map(|word| ArrayKind::from_word(word.text)).map(ArrayKind::ty)
                    }
                    ResultRule::Callee => called.get(number).copied(),
                    ResultRule::Handled => Some(called.get(number).copied().unwrap_or(Type::Ref)),
                    ResultRule::Outcome => ResultRule::OUTCOME.get(number).copied(),
                    ResultRule::None => None,
                });
                number += 1;
                if let Some(ty) = ty {
                    known.insert(name.text, ty);
                }
                body.values.push(Local { name: *name, line: line.clone(), block, ty });
            }
        }
        body
    }

    /// The word at a place.
    pub fn word(&self, offset: usize) -> Option<Token<'t>> {
        let words = tokens(self.text, line_at(self.text, offset));
        let holds = |word: &&Token| word.range().start <= offset && offset <= word.range().end;
        words.iter().rev().filter(|word| word.sort != SymbolKind::Other).find(holds).copied()
    }
}

/// Which blocks dominate a block; all, if nothing leads there yet.
pub fn dominators(body: &Body, here: usize) -> Vec<bool> {
    let mut func = Func::new("", Signature::new(&[], &[]));
    let numbers: Vec<Number> = body.blocks.iter().map(|_| func.new_block()).collect();
    let known: BTreeMap<&str, Number> =
        body.blocks.iter().zip(&numbers).map(|(block, number)| (block.name.text, *number)).collect();
    for (number, targets) in numbers.iter().zip(&body.targets) {
        for target in targets.iter().filter_map(|target| known.get(target)) {
            func.add_edge(*number, *target, &[]);
        }
    }
    let cfg = Cfg::compute(&func);
    let tree = DomTree::compute(&cfg);
    let is_lost = !cfg.is_reachable(numbers[here]);
    numbers.iter().map(|&b| is_lost || cfg.is_reachable(b) && tree.dominates(b, numbers[here])).collect()
}
