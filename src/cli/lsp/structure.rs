//! What belongs together in a text: parts that fold, what is selected next, and the call in whose arguments one types.
//!
//! It is read from words and brackets alone, so that half a program has it, too.

use super::answers::{Files, Lines};
use super::documents::{Document, range};
use super::listing::lines;
use super::looks::Looked;
use crate::driver::json::{Value, object};
use crate::driver::snippet::BEHIND;
use cleave_diag::{SourceFile, SourceMap};
use cleave_strict::ide::TYPED;
use cleave_strict::lexemes::{Lexeme, Lexemes};
use std::ops::Range;

/// Brackets with what is between them.
struct Brackets {
    /// From the one that opens to after the one that closes.
    range: Range<usize>,
}

/// The brackets of a text, in the order of their ends. Those in comments and strings are none.
fn brackets(text: &str, lexemes: &Lexemes) -> Vec<Brackets> {
    let mut quiet =
        lexemes.iter().filter(|(_, lexeme)| matches!(lexeme, Lexeme::Comment | Lexeme::Str | Lexeme::Directive));
    let mut next = quiet.next();
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if let Some((range, _)) = next.filter(|(range, _)| range.start <= at) {
            at = range.end.max(at + usize::from(range.is_empty()));
            next = quiet.next();
            continue;
        }
        match bytes[at] {
            bracket @ (b'(' | b'[' | b'{') => open.push((bracket, at)),
            bracket @ (b')' | b']' | b'}') => {
                let partner = match bracket {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // What is open inside and never ends is left out.
                if let Some(number) = open.iter().rposition(|(other, _)| *other == partner) {
                    found.push(Brackets { range: open[number].1..at + 1 });
                    open.truncate(number);
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

impl Files {
    fn lexemes(document: &Document) -> Lexemes {
        let language = Files::language(document);
        language.and_then(|language| language.lexemes(document.text.as_bytes())).unwrap_or_default()
    }

    /// Parts of several lines.
    pub fn folds(&self, document: &Document) -> Value {
        let text = &document.text;
        let starts: Vec<usize> = lines(text).map(|line| line.start).collect();
        let line_of = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
        let mut folds: Vec<(usize, usize, &str)> = Vec::new();
        if let Some(read) = Lines::of(document) {
            let extents = read.listing.outline().into_iter().map(|defined| defined.extent);
            folds
                .extend(extents.map(|extent| (line_of(extent.start), line_of(extent.end.saturating_sub(1)), "region")));
        }
        let lexemes = Files::lexemes(document);
        for Brackets { range } in brackets(text, &lexemes) {
            // The line that closes stays visible.
            let (first, last) = (line_of(range.start), line_of(range.end - 1));
            folds.push((first, last.saturating_sub(1), "region"));
        }
        let mut comment: Option<(usize, usize)> = None;
        for (range, _) in lexemes.iter().filter(|(_, lexeme)| *lexeme == Lexeme::Comment) {
            let (first, last) = (line_of(range.start), line_of(range.end.saturating_sub(1)));
            let is_alone = text[starts[first]..range.start].trim().is_empty();
            match &mut comment {
                Some((_, end)) if is_alone && first == *end + 1 => *end = last,
                _ => {
                    folds.extend(comment.map(|(start, end)| (start, end, "comment")));
                    comment = is_alone.then_some((first, last));
                }
            }
        }
        folds.extend(comment.map(|(start, end)| (start, end, "comment")));
        folds.retain(|(start, end, _)| start < end);
        folds.sort_unstable();
        // Of several that begin in a line, the longest.
        folds.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 = first.1.max(later.1);
            }
            is_same
        });
        let shown = folds.into_iter().map(|(start, end, kind)| {
            object([("startLine", (start as u32).into()), ("endLine", (end as u32).into()), ("kind", kind.into())])
        });
        Value::List(shown.collect())
    }

    /// For each place the ranges around it, each in the next.
    pub fn selections(&self, document: &Document, positions: &[Value]) -> Value {
        let text = &document.text;
        let mut sources = SourceMap::new();
        let file = sources.add(String::new(), text.clone().into_bytes());
        let lexemes = Files::lexemes(document);
        let pairs = brackets(text, &lexemes);
        let mut all: Vec<Range<usize>> = Vec::new();
        all.push(0..text.len());
        all.extend(pairs.iter().flat_map(|pair| [pair.range.clone(), pair.range.start + 1..pair.range.end - 1]));
        all.extend(lexemes.into_iter().map(|(range, _)| range));
        all.extend(lines(text).map(|line| line.start + indentation(&text[line.clone()])..line.end));
        if let Some(read) = Lines::of(document) {
            all.extend(read.listing.outline().into_iter().flat_map(|defined| [defined.range, defined.extent]));
        } else if let Some(looked) = self.looked(document) {
            let symbols = looked.places.symbols.iter();
            all.extend(symbols.map(|symbol| symbol.extent.start as usize..symbol.extent.end as usize));
        }
        let one = |position: &Value| {
            let offset = document.offset(position).unwrap_or_default();
            let mut around: Vec<&Range<usize>> =
                all.iter().filter(|range| range.start <= offset && offset <= range.end && !range.is_empty()).collect();
            around.sort_by_key(|range| range.len());
            let mut nested: Vec<&Range<usize>> = Vec::new();
            for range in around {
                // What only overlaps is left out.
                let fits =
                    |last: &&Range<usize>| range.start <= last.start && last.end <= range.end && **last != *range;
                if nested.last().is_none_or(fits) {
                    nested.push(range);
                }
            }
            nested.iter().rev().fold(Value::Null, |parent, bytes| selection(sources.file(file), bytes, parent))
        };
        Value::List(positions.iter().map(one).collect())
    }

    /// The function whose arguments one types, with its type.
    pub fn signature(&self, document: &Document, offset: usize) -> Option<Value> {
        let text = &document.text;
        let lexemes = Files::lexemes(document);
        let (open, number) = call_around(&text[..offset], &lexemes)?;
        let name_end = text[..open].trim_end().len();
        let is_name = |(range, lexeme): &&(Range<usize>, Lexeme)| {
            range.end == name_end && matches!(lexeme, Lexeme::Name | Lexeme::Type)
        };
        let (name, _) = lexemes.iter().find(is_name)?.clone();
        let told = |looked: &Looked| {
            let found = looked.places.occurrences.iter().find(|found| found.span.start as usize == name.start)?;
            Some(found.text.to_string())
        };
        // The rest of the arguments may be missing.
        let typed = |behind: &str| format!("{}{}{behind}{}", &text[..offset], TYPED[0], &text[offset..]);
        let shown = self.looked(document).and_then(|looked| told(&looked)).or_else(|| {
            let closed = [")", ");", ") -> 0"].into_iter();
            let near = |text: String| self.look_near(document, text, None, name.start);
            BEHIND.into_iter().chain(closed).find_map(|behind| told(&near(typed(behind))?))
        })?;
        let parameters = parameters(&shown);
        let labels = parameters.iter().map(|range| {
            let units = |end: usize| Value::from(shown[..end].encode_utf16().count() as u32);
            object([("label", Value::List(vec![units(range.start), units(range.end)]))])
        });
        let labels: Vec<Value> = labels.collect();
        let signature = object([("label", Value::Text(shown.clone())), ("parameters", Value::List(labels))]);
        Some(object([
            ("signatures", Value::List(vec![signature])),
            ("activeSignature", 0.into()),
            ("activeParameter", number.into()),
        ]))
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn selection(file: &SourceFile, bytes: &Range<usize>, parent: Value) -> Value {
    let place = range(file, bytes.start as u32, bytes.end as u32);
    match parent {
        Value::Null => object([("range", place)]),
        parent => object([("range", place), ("parent", parent)]),
    }
}

/// The parenthesis that is open at the end of a text, and how many commas stand after it.
fn call_around(text: &str, lexemes: &Lexemes) -> Option<(usize, u32)> {
    let is_quiet = |at: usize| {
        let quiet = |(range, lexeme): &(Range<usize>, Lexeme)| {
            matches!(lexeme, Lexeme::Comment | Lexeme::Str) && range.contains(&at)
        };
        lexemes.iter().any(quiet)
    };
    let (mut depth, mut commas) = (0, 0);
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' if is_quiet(at) => {}
            b')' | b']' | b'}' => depth += 1,
            b'(' if depth == 0 => return Some((at, commas)),
            b'[' | b'{' if depth == 0 => return None,
            b'(' | b'[' | b'{' => depth -= 1,
            b',' if depth == 0 => commas += 1,
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The types between the first parentheses, each without the blanks around it.
pub fn parameters(text: &str) -> Vec<Range<usize>> {
    let Some(open) = text.find('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0, open + 1, Vec::new());
    let mut end = |start: usize, end: usize| {
        let part = &text[start..end];
        let from = start + indentation(part);
        if !part.trim().is_empty() {
            found.push(from..from + part.trim().len());
        }
    };
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at <= open) {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' if depth == 0 => {
                end(start, at);
                return found;
            }
            // The arrow of a function type closes nothing.
            '>' if text[..at].ends_with('-') => {}
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                end(start, at);
                start = at + 1;
            }
            _ => {}
        }
    }
    Vec::new()
}
