//! What editors are told of IR in text form: what instructions do, by the table of opcodes, and what its names stand
//! for (`read`). Values are those that reach a place: of its block, and of the blocks that dominate it.

mod colours;
mod read;

use super::listing::{Defined, Listing, Suggestion, Told, comment_above, kind, line_at, symbol};
use cleave_ir::opcode::{Flags, ImmKind, Opcode, OperandRule, ResultRule};
use cleave_ir::types::Type;
use cleave_ir::{LibcallSignature, libcalls};
use read::{
    Body, Item, Local, SymbolKind, Token, dominators, is_numbered, is_sigil, is_word, opcode, split, tokens, types,
};
use std::ops::Range;

pub use colours::colours;
pub use read::Ir;

/// Words that begin an item, with what they are.
const ITEMS: [(&str, &str); 13] = [
    ("func", "a function: `func @NAME(v0: TYPE) -> TYPE {`"),
    ("module", "the name of the module, in quotes"),
    ("extern", "a function outside of the module: `extern NAME(TYPE) -> (TYPE) [EFFECT]`"),
    ("desc", "a descriptor: `desc $NAME = constructor arity N tag N \"NAME\"`"),
    ("thunk_info", "a kind of thunk: `thunk_info &NAME = plain ptrs N nptrs N code @NAME`"),
    ("caf", "storage of a constant that is computed once: `caf ^NAME ptrs N nptrs N`"),
    ("table", "functions that are called by number: `table %NAME = (TYPE) -> (TYPE) [@NAME]`"),
    ("start", "the function with which the program begins"),
    ("blackhole", "the info of thunks that are being evaluated"),
    ("observes_identity", "the program can see which nodes are one and which are thunks"),
    ("immediates", "references may be integers in the place of an address (`int_ref`)"),
    ("heap", "`heap rc` or `heap gc`"),
    ("cells", "cells of the reference-counted heap that are larger than need be: `cells BYTES in BYTES`"),
];

fn listed(types: &[Type]) -> String {
    types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ")
}

fn signature_of(row: &LibcallSignature) -> String {
    format!("{}({}) -> ({})", row.name, listed(row.params), listed(row.results))
}

/// How an instruction is written, and what it does.
fn explained(op: Opcode) -> (String, String) {
    let info = op.info();
    let mut comment = info.doc.to_string();
    if !info.flags.is_empty() {
        comment += &format!(" ({})", info.flags);
    }
    (info.syntax(), comment)
}

impl<'t> Ir<'t> {
    /// The words of the line before a place, without the one that is typed, which begins at the second result.
    fn typed(&self, offset: usize) -> Option<(Vec<Token<'t>>, usize)> {
        let line = line_at(self.text, offset);
        if offset > split(self.text, line.clone()).1 {
            return None;
        }
        let words = tokens(self.text, line.start..offset);
        match words.last().filter(|word| word.range().end == offset) {
            // In a string nothing is suggested.
            Some(word) if word.text.starts_with('"') => None,
            Some(word) if word.sort != SymbolKind::Other => Some((words[..words.len() - 1].to_vec(), word.at)),
            _ => Some((words, offset)),
        }
    }

    fn line_of(&self, line: &Range<usize>) -> String {
        let mut text = self.text[line.clone()].trim();
        if let Some(last) = tokens(self.text, line.clone()).last() {
            text = self.text[line.start..last.range().end].trim();
        }
        text.trim_end_matches('{').trim_end().to_string()
    }

    fn named(&self, sigil: &str) -> impl Iterator<Item = Suggestion> {
        let kind = match sigil {
            "@" => kind::FUNCTION,
            "$" => kind::CONSTRUCTOR,
            _ => kind::CONSTANT,
        };
        self.items.iter().filter(move |item| item.name.text.starts_with(sigil)).map(move |item| Suggestion {
            name: item.name.text.to_string(),
            kind,
            detail: self.line_of(&item.line),
            comment: comment_above(self.text, item.line.start, ';'),
        })
    }

    fn externs(&self) -> impl Iterator<Item = Suggestion> {
        let declared = self.items.iter().filter(|item| self.text[item.line.clone()].starts_with("extern"));
        let declared = declared.map(|item| (item.name.text.to_string(), self.line_of(&item.line), String::new()));
        let rows = libcalls::ALL.iter().map(|row| (row.name.to_string(), signature_of(row), row.doc.to_string()));
        declared.chain(rows).map(|(name, detail, comment)| Suggestion { name, kind: kind::FUNCTION, detail, comment })
    }

    /// The opcodes that can stand where a result is wanted, or none.
    fn opcodes(has_result: bool) -> impl Iterator<Item = Suggestion> {
        let fits = move |op: &&Opcode| match op.info().result {
            ResultRule::Callee | ResultRule::Handled => true,
            rule => (rule != ResultRule::None) == has_result,
        };
        Opcode::ALL.iter().filter(fits).map(|&op| {
            let (detail, comment) = explained(op);
            Suggestion { name: op.name().to_string(), kind: kind::OPERATOR, detail, comment }
        })
    }

    fn types() -> impl Iterator<Item = Suggestion> {
        [Type::I32, Type::I64, Type::F64, Type::Ref].into_iter().map(|ty| Suggestion {
            name: ty.name().to_string(),
            kind: kind::TYPE,
            detail: String::new(),
            comment: String::new(),
        })
    }

    /// Names, by the operand that an opcode takes before its values.
    fn immediates(&self, op: Opcode) -> Vec<Suggestion> {
        match op.info().imm {
            ImmKind::Func => self.named("@").collect(),
            ImmKind::Extern => self.externs().collect(),
            ImmKind::Table => self.named("%").collect(),
            ImmKind::NodeInfo | ImmKind::Desc => self.named("$").collect(),
            ImmKind::ThunkInfo => self.named("&").collect(),
            ImmKind::Static => self.named("static").collect(),
            ImmKind::Caf => self.named("^").collect(),
            _ => Vec::new(),
        }
    }

    /// What may stand inside of a function, after these words.
    fn inside(&self, function: &Item<'t>, words: &[Token<'t>], offset: usize) -> Vec<Suggestion> {
        let body = self.body(function);
        let line = line_at(self.text, offset).start;
        let Some(last) = words.last() else { return self.beginning(&body) };
        match last.text {
            "=" => return Ir::opcodes(true).collect(),
            ":" => return Ir::types().collect(),
            _ => {}
        }
        let begin = words.iter().position(|word| word.text == "=").map_or(0, |at| at + 1);
        let Some(op) = words.get(begin).and_then(|word| opcode(word.text)) else { return Vec::new() };
        let operands = &words[begin + 1..];
        if operands.is_empty() && !self.immediates(op).is_empty() {
            return self.immediates(op);
        }
        // Between parentheses the callee, or the block, says what is wanted.
        let open = operands.iter().rposition(|word| word.text == "(");
        let open = open.filter(|&open| !operands[open..].iter().any(|word| word.text == ")"));
        let values = |words: &[Token]| words.iter().filter(|word| is_numbered(word.text, "v")).count();
        let wanted: Vec<Type> = match open.and_then(|open| Some((open, operands.get(open.checked_sub(1)?)?))) {
            Some((open, word)) => {
                let block = body.blocks.iter().find(|block| block.name.text == word.text);
                let all = match block {
                    Some(block) => types(&tokens(self.text, block.line.clone())),
                    None => self.called(word.text).0,
                };
                all.get(values(&operands[open..])).copied().into_iter().collect()
            }
            None => {
                let number = values(operands);
                let first = operands.iter().find(|word| is_numbered(word.text, "v"));
                match op.info().operands().nth(number).map(|operand| operand.rule) {
                    Some(OperandRule::Is(ty)) => vec![ty],
                    Some(OperandRule::Int) => vec![Type::I32, Type::I64],
                    Some(OperandRule::Same) => {
                        let first = first.and_then(|word| body.values.iter().find(|v| v.name.text == word.text));
                        first.and_then(|value| value.ty).into_iter().collect()
                    }
                    Some(OperandRule::Addr) => vec![Type::I32, Type::Ref, Type::I64],
                    Some(OperandRule::Any | OperandRule::Rest) => Vec::new(),
                    // Targets stand after the operands; nothing goes to the first block.
                    None if op.any(Flags::BRANCH) => {
                        return body.blocks.iter().skip(1).map(|b| self.block(b)).collect();
                    }
                    None => return Vec::new(),
                }
            }
        };
        self.values(&body, line, &wanted)
    }

    /// What a line of a function begins with: instructions without results, the next value, the next block.
    fn beginning(&self, body: &Body) -> Vec<Suggestion> {
        let next = |letters: &str, locals: &[Local]| {
            let numbers = locals.iter().filter_map(|local| local.name.text.strip_prefix(letters)?.parse::<u64>().ok());
            format!("{letters}{}", numbers.max().map_or(0, |number| number.saturating_add(1)))
        };
        let fresh = |name: String, kind: u32, detail: &str| Suggestion {
            name,
            kind,
            detail: detail.into(),
            comment: String::new(),
        };
        let mut all = vec![
            fresh(next("v", &body.values) + " = ", kind::VARIABLE, "the next value"),
            fresh(next("block", &body.blocks) + ":", kind::REFERENCE, "the next block"),
        ];
        all.extend(Ir::opcodes(false));
        all
    }

    fn block(&self, block: &Local) -> Suggestion {
        let (name, detail) = (block.name.text.to_string(), self.line_of(&block.line));
        Suggestion { name, kind: kind::REFERENCE, detail, comment: String::new() }
    }

    /// The values that reach a line, the latest first; of these types, if there are such.
    fn values(&self, body: &Body, line: usize, wanted: &[Type]) -> Vec<Suggestion> {
        let here = body.blocks.iter().rposition(|block| block.line.start < line);
        let Some(here) = here else { return Vec::new() };
        let dominates = dominators(body, here);
        let reaches = |value: &&Local| {
            if value.block == here { value.line.start < line } else { dominates[value.block] }
        };
        let all: Vec<&Local> = body.values.iter().rev().filter(reaches).collect();
        let fits = |value: &Local| wanted.is_empty() || value.ty.is_none_or(|ty| wanted.contains(&ty));
        let is_any = all.iter().any(|value| fits(value));
        let shown = all.into_iter().filter(|value| !is_any || fits(value));
        shown
            .map(|value| Suggestion {
                name: value.name.text.to_string(),
                kind: kind::VARIABLE,
                detail: self.meaning(value),
                comment: String::new(),
            })
            .collect()
    }

    /// A value with its type and where it comes from.
    fn meaning(&self, value: &Local) -> String {
        let ty = value.ty.map_or(String::new(), |ty| format!(": {}", ty.name()));
        let line = self.line_of(&value.line);
        match line.split_once(" = ").filter(|_| !line.starts_with("block")) {
            Some((_, made)) => format!("{}{ty} = {made}", value.name.text),
            None => format!("{}{ty}, of {}", value.name.text, line.split(['(', ':']).next().unwrap_or_default()),
        }
    }
}

impl Listing for Ir<'_> {
    fn hover(&self, offset: usize) -> Option<Told> {
        let word = self.word(offset)?;
        let told = |text: String, comment: String| Some(Told { range: word.range(), text, comment });
        if let Some(item) = self.items.iter().find(|item| item.name.text == word.text) {
            return told(self.line_of(&item.line), comment_above(self.text, item.line.start, ';'));
        }
        if let Some(function) = self.function(offset) {
            let body = self.body(function);
            if let Some(value) = body.values.iter().find(|value| value.name.text == word.text) {
                return told(self.meaning(value), String::new());
            }
            if let Some(block) = body.blocks.iter().find(|block| block.name.text == word.text) {
                return told(self.line_of(&block.line), comment_above(self.text, block.line.start, ';'));
            }
            let line = tokens(self.text, line_at(self.text, offset));
            if line.iter().any(|other| other.text == "call_rt")
                && let Some(row) = libcalls::find(word.text)
            {
                return told(signature_of(row), row.doc.to_string());
            }
            let (text, comment) = explained(opcode(word.text)?);
            return told(text, comment);
        }
        let (name, comment) = ITEMS.iter().find(|(name, _)| *name == word.text)?;
        told(name.to_string(), comment.to_string())
    }

    fn definition(&self, offset: usize) -> Option<Range<usize>> {
        let word = self.word(offset)?;
        if let Some(item) = self.items.iter().find(|item| item.name.text == word.text) {
            return Some(item.name.range());
        }
        let body = self.body(self.function(offset)?);
        let locals = body.values.iter().chain(&body.blocks);
        locals.into_iter().find(|local| local.name.text == word.text).map(|local| local.name.range())
    }

    fn completion(&self, offset: usize) -> (Range<usize>, Vec<Suggestion>) {
        let Some((words, start)) = self.typed(offset) else { return (offset..offset, Vec::new()) };
        let rest = self.text.as_bytes()[offset..].iter().take_while(|byte| is_word(**byte)).count();
        let range = start..offset + rest;
        let sigil = self.text.get(start..start + 1).filter(|sigil| is_sigil(sigil.as_bytes()[0]));
        let found = match (sigil, self.function(offset)) {
            (Some(sigil), _) => self.named(sigil).collect(),
            (None, Some(function)) => self.inside(function, &words, start),
            (None, None) if words.is_empty() => {
                let item = |&(name, detail): &(&str, &str)| Suggestion {
                    name: name.to_string(),
                    kind: kind::KEYWORD,
                    detail: detail.to_string(),
                    comment: String::new(),
                };
                ITEMS.iter().map(item).collect()
            }
            (None, None) => match words.last().map(|word| word.text) {
                Some(":" | ">" | "(" | ",") => Ir::types().collect(),
                _ => Vec::new(),
            },
        };
        (range, found)
    }

    fn outline(&self) -> Vec<Defined> {
        let defined = |item: &Item| Defined {
            name: item.name.text.to_string(),
            kind: if item.name.text.starts_with('@') { symbol::FUNCTION } else { symbol::CONSTANT },
            detail: self.line_of(&item.line),
            range: item.name.range(),
            extent: item.extent.clone(),
        };
        self.items.iter().map(defined).collect()
    }
}
