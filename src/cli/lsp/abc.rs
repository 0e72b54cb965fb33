//! Language server for ABC: hover texts of instructions and directives, from the table of the front end, and the labels
//! of a file.

use super::listing::{Defined, Listing, Suggestion, Told, kind, line_at, lines, symbol};
use super::palette::{Colour, Colours};
use cleave_clean::instr::{ALL, Class, Opcode, Operand};
use std::ops::Range;

/// What a label names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SymbolKind {
    Code,
    Descriptor,
    /// A text, or the storage of a CAF.
    Data,
}

struct Label<'t> {
    name: &'t str,
    at: usize,
    line: Range<usize>,
    sort: SymbolKind,
    /// It is of another module.
    is_imported: bool,
}

impl Label<'_> {
    fn range(&self) -> Range<usize> {
        self.at..self.at + self.name.len()
    }
}

pub struct Abc<'t> {
    text: &'t str,
    labels: Vec<Label<'t>>,
}

/// The words of a line with their places; strings are one word, comments none.
fn words(text: &str, line: Range<usize>) -> Vec<(usize, &str)> {
    let bytes = &text.as_bytes()[..line.end];
    let mut found = Vec::new();
    let mut at = line.start;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            b'|' => break,
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
            }
            // A blank between quotes is a character.
            b'\'' if bytes[at..].starts_with(b"' '") => at += 3,
            _ => at += bytes[at..].iter().take_while(|byte| !matches!(byte, b' ' | b'\t')).count(),
        }
        found.push((start, text.get(start..at).unwrap_or_default()));
    }
    found
}

/// An instruction with its operands, and what it does.
fn explained(op: Opcode) -> (String, String) {
    let info = op.info();
    let operands: Vec<&str> = info.operands.iter().map(|operand| operand.word()).collect();
    (format!("{} {}", info.name, operands.join(" ")).trim_end().to_string(), info.doc.to_string())
}

impl<'t> Abc<'t> {
    pub fn read(text: &'t str) -> Abc<'t> {
        let mut labels = Vec::new();
        for line in lines(text) {
            let first = text[line.clone()].bytes().next();
            if matches!(first, None | Some(b' ' | b'\t' | b'|')) {
                continue;
            }
            let words = words(text, line.clone());
            let (sort, is_imported, names) = match words[0].1 {
                ".desc" | ".desc0" | ".descn" | ".descs" | ".descexp" | ".record" => {
                    (SymbolKind::Descriptor, false, 1..2)
                }
                ".impdesc" => (SymbolKind::Descriptor, true, 1..2),
                ".implab" => (SymbolKind::Code, true, 1..3),
                ".caf" | ".string" | ".module" => (SymbolKind::Data, false, 1..2),
                word if word.starts_with('.') => continue,
                _ => (SymbolKind::Code, false, 0..1),
            };
            for &(at, name) in words.iter().skip(names.start).take(names.len()) {
                labels.push(Label { name, at, line: line.clone(), sort, is_imported });
            }
        }
        Abc { text, labels }
    }

    fn label(&self, name: &str) -> Option<&Label<'t>> {
        self.labels.iter().find(|label| label.name == name)
    }

    /// The word at a place, and whether it is the first of its line.
    fn word(&self, offset: usize) -> Option<(Range<usize>, &'t str, bool)> {
        let words = words(self.text, line_at(self.text, offset));
        let number = words.iter().rposition(|(at, word)| *at <= offset && offset <= at + word.len())?;
        let (at, word) = words[number];
        Some((at..at + word.len(), word, number == 0))
    }

    /// A label with the directives above it, which say what is on the stacks.
    fn meaning(&self, label: &Label) -> String {
        let mut start = label.line.start;
        while label.sort == SymbolKind::Code && !label.is_imported && start > 0 {
            let above = line_at(self.text, start - 1);
            if !self.text[above.clone()].starts_with(".") {
                break;
            }
            start = above.start;
        }
        self.text[start..label.line.end].replace('\r', "")
    }

    fn instructions(is_directive: bool) -> Vec<Suggestion> {
        let is_written = |op: &&Opcode| !matches!(op.info().class, Class::Parallel | Class::Obsolete);
        let fits = |op: &&Opcode| **op != Opcode::label && op.name().starts_with('.') == is_directive;
        let suggestion = |&op: &Opcode| {
            let (detail, comment) = explained(op);
            Suggestion { name: op.name().to_string(), kind: kind::OPERATOR, detail, comment }
        };
        ALL.iter().filter(is_written).filter(fits).map(suggestion).collect()
    }
}

impl Listing for Abc<'_> {
    fn hover(&self, offset: usize) -> Option<Told> {
        let (range, word, is_first) = self.word(offset)?;
        let op = Opcode::find(word.as_bytes()).filter(|_| is_first && self.is_instruction(range.start));
        if let Some(op) = op {
            let (text, comment) = explained(op);
            return Some(Told { range, text, comment });
        }
        let label = self.label(word)?;
        Some(Told { range, text: self.meaning(label), comment: String::new() })
    }

    fn definition(&self, offset: usize) -> Option<Range<usize>> {
        Some(self.label(self.word(offset)?.1)?.range())
    }

    fn completion(&self, offset: usize) -> (Range<usize>, Vec<Suggestion>) {
        let line = line_at(self.text, offset);
        let mut before = words(self.text, line.start..offset);
        let start = match before.last() {
            Some(&(at, word)) if at + word.len() == offset => {
                before.pop();
                at
            }
            _ => offset,
        };
        let rest = self.text[offset..line.end].find([' ', '\t']).unwrap_or(line.end - offset);
        let range = start..offset + rest;
        let is_string = self.text[start..offset].starts_with('"');
        let is_comment =
            self.text[before.last().map_or(line.start, |(at, word)| at + word.len())..offset].contains('|');
        if is_string || is_comment {
            return (range, Vec::new());
        }
        let found = match before.first() {
            None => Abc::instructions(start == line.start),
            Some((_, first)) => {
                let operands = Opcode::find(first.as_bytes()).map_or(&[][..], |op| op.info().operands);
                let wanted = match operands.get(before.len() - 1) {
                    Some(Operand::D) => &[SymbolKind::Descriptor][..],
                    Some(Operand::L | Operand::OptL) => &[SymbolKind::Code, SymbolKind::Data],
                    _ => &[],
                };
                let fits = |label: &&Label| wanted.contains(&label.sort);
                let suggestion = |label: &Label| Suggestion {
                    name: label.name.to_string(),
                    kind: if label.sort == SymbolKind::Descriptor { kind::CONSTRUCTOR } else { kind::FUNCTION },
                    detail: self.text[label.line.clone()].trim().to_string(),
                    comment: String::new(),
                };
                self.labels.iter().filter(fits).map(suggestion).collect()
            }
        };
        (range, found)
    }

    fn outline(&self) -> Vec<Defined> {
        let is_entry = |label: &Label| {
            let above = label.line.start.checked_sub(1).map(|end| line_at(self.text, end)).unwrap_or(0..0);
            label.sort != SymbolKind::Code || self.text[above].starts_with('.')
        };
        let shown: Vec<&Label> = self.labels.iter().filter(|label| !label.is_imported && is_entry(label)).collect();
        let ends = shown.iter().skip(1).map(|next| next.line.start).chain([self.text.len()]);
        let defined = |(label, end): (&&Label, usize)| Defined {
            name: label.name.to_string(),
            kind: if label.sort == SymbolKind::Code { symbol::FUNCTION } else { symbol::CONSTANT },
            detail: String::new(),
            range: label.range(),
            extent: label.line.start..if label.sort == SymbolKind::Code { end } else { label.line.end },
        };
        shown.iter().zip(ends).map(defined).collect()
    }
}

impl Abc<'_> {
    /// True if an instruction or a directive may begin here: labels begin in the first column, without a dot.
    fn is_instruction(&self, at: usize) -> bool {
        let is_first = at == 0 || self.text.as_bytes()[at - 1] == b'\n';
        !is_first || self.text[at..].starts_with('.')
    }
}

/// What the words of a text are, by their place in their lines and by their letters.
pub fn colours(text: &str) -> Colours {
    let mut found = Colours::new();
    for line in lines(text) {
        let mut end = line.start;
        for (number, (at, word)) in words(text, line.clone()).into_iter().enumerate() {
            let colour = match word.as_bytes() {
                [b'.', ..] if at == line.start => Colour::Directive,
                _ if at == line.start => Colour::Function,
                _ if number == 0 => Colour::Keyword,
                word if is_text(word, b'"') || is_text(word, b'\'') && is_character(word) => Colour::Text,
                word if is_number(word) => Colour::Number,
                _ => Colour::Variable,
            };
            end = at + word.len();
            found.push((at..end, colour));
        }
        if let Some(start) = text[end..line.end].find('|') {
            found.push((end + start..line.end, Colour::Comment));
        }
    }
    found
}

/// Between such quotes, and with no other before the last.
fn is_text(word: &[u8], quote: u8) -> bool {
    let Some(inside) = word.strip_prefix(&[quote]).and_then(|word| word.strip_suffix(&[quote])) else { return false };
    let mut is_escaped = false;
    for &byte in inside {
        if byte == quote && !is_escaped {
            return false;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    !is_escaped
}

/// One character between quotes: itself, or after a backslash.
fn is_character(word: &[u8]) -> bool {
    match &word[1..word.len() - 1] {
        [b'\\', digits @ ..] if digits.len() > 1 => digits.iter().all(|digit| (b'0'..=b'7').contains(digit)),
        [b'\\', _] => true,
        [first, rest @ ..] => {
            *first != b'\\'
                && (rest.is_empty()
                    || std::str::from_utf8(&word[1..word.len() - 1]).is_ok_and(|text| text.chars().count() == 1))
        }
        [] => false,
    }
}

/// An integer or a real, as the lexer of the front end reads them.
fn is_number(word: &[u8]) -> bool {
    use cleave_clean::lex::Cursor;
    let (mut integer, mut fraction) = (Cursor::new(word), Cursor::new(word));
    integer.big().is_ok() && integer.at == word.len() || fraction.fraction().is_ok() && fraction.at == word.len()
}
