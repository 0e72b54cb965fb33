//! Colours: what each word of a file is (semantic tokens). Lexers say it of the letters, and front ends of the names
//! that they know; of IR and ABC the place in the line says it.

use super::abc;
use super::answers::Files;
use super::documents::Document;
use super::ir;
use super::listing::lines;
use super::palette::{Colour, Colours, NAMES};
use crate::driver::json::{Value, object};
use cleave_strict::ide::SymbolKind;
use cleave_strict::lexemes::Lexeme;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the editor is told before it asks.
pub fn abilities() -> Value {
    let legend = object([
        ("tokenTypes", Value::List(NAMES.map(Value::from).into())),
        ("tokenModifiers", Value::List(Vec::new())),
    ]);
    object([("legend", legend), ("full", Value::Bool(true)), ("range", Value::Bool(true))])
}

fn of_lexeme(lexeme: Lexeme) -> Colour {
    match lexeme {
        Lexeme::Comment => Colour::Comment,
        Lexeme::Str => Colour::Text,
        Lexeme::Number => Colour::Number,
        Lexeme::Keyword => Colour::Keyword,
        Lexeme::Operator => Colour::Operator,
        Lexeme::Type => Colour::Type,
        Lexeme::Name => Colour::Variable,
        Lexeme::Directive => Colour::Directive,
    }
}

fn of_sort(sort: SymbolKind) -> Colour {
    match sort {
        SymbolKind::Class => Colour::Class,
        SymbolKind::Interface => Colour::Interface,
        SymbolKind::Function => Colour::Function,
        SymbolKind::Method => Colour::Method,
        SymbolKind::Field => Colour::Property,
        SymbolKind::Constructor => Colour::Constructor,
        // The words of a longer name are no names for the lexer.
        SymbolKind::Variable | SymbolKind::Module => Colour::Variable,
        SymbolKind::TypeParameter => Colour::TypeParameter,
        SymbolKind::Keyword => Colour::Keyword,
    }
}

impl Files {
    /// The colours of a file, or of a part of it.
    pub fn colours(&self, document: &Document, part: Option<Range<usize>>) -> Value {
        let text = &document.text;
        let mut found = match document.language {
            "ir" => ir::colours(text),
            "abc" => abc::colours(text),
            _ => self.of_words(document),
        };
        if let Some(part) = part {
            found.retain(|(range, _)| range.start < part.end && part.start < range.end);
        }
        object([("data", Value::List(encoded(text, &found)))])
    }

    fn of_words(&self, document: &Document) -> Colours {
        let lexemes = Files::language(document).and_then(|language| language.lexemes(document.text.as_bytes()));
        let lexemes = lexemes.unwrap_or_default();
        let looked = self.looked(document);
        let names: BTreeMap<(u32, u32), SymbolKind> = looked
            .iter()
            .flat_map(|looked| &looked.places.occurrences)
            .map(|found| ((found.span.start, found.span.end), found.sort))
            .collect();
        let colour = |range: &Range<usize>, lexeme: Lexeme| match lexeme {
            Lexeme::Type | Lexeme::Name => {
                let sort = names.get(&(range.start as u32, range.end as u32));
                match sort {
                    // What makes objects is written as other functions are.
                    Some(SymbolKind::Class | SymbolKind::Constructor) if lexeme == Lexeme::Name => Colour::Function,
                    Some(sort) => of_sort(*sort),
                    None => of_lexeme(lexeme),
                }
            }
            lexeme => of_lexeme(lexeme),
        };
        lexemes.into_iter().map(|(range, lexeme)| (range.clone(), colour(&range, lexeme))).collect()
    }
}

/// Five numbers for each word: lines and columns after the word before, its length, its kind, and nothing. A word over
/// several lines is one for each.
fn encoded(text: &str, colours: &Colours) -> Vec<Value> {
    let mut data = Vec::new();
    let units = |range: Range<usize>| text.get(range).map_or(0, |text| text.encode_utf16().count() as u32);
    let mut words = colours.iter().peekable();
    let (mut last_line, mut last_column) = (0, 0);
    for (number, line) in lines(text).enumerate() {
        let number = number as u32;
        // Columns are counted on from the word before: lines may be long.
        let (mut at, mut column) = (line.start, 0);
        while let Some((range, colour)) = words.peek().filter(|(range, _)| range.start < line.end) {
            let part = range.start.max(line.start)..range.end.min(line.end);
            if !part.is_empty() {
                column += units(at..part.start);
                let length = units(part.clone());
                at = part.start;
                let before = if number == last_line { last_column } else { 0 };
                let kind = *colour as u32;
                data.extend([number - last_line, column - before, length, kind, 0].map(Value::from));
                (last_line, last_column) = (number, column);
            }
            if range.end > line.end {
                break;
            }
            words.next();
        }
        // What ends with its line, or is empty.
        while words.peek().is_some_and(|(range, _)| range.end <= line.end) {
            words.next();
        }
    }
    data
}
