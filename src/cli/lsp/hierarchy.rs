//! Who calls whom, which class implements which interface, and where the type of a name is defined.
//!
//! An item of a hierarchy carries the place of its definition (`data`), so that the library's have one, too.

use super::answers::{Files, LIBRARY, Lines, location, symbol_kind};
use super::documents::{Document, range};
use super::listing::{Defined, symbol};
use super::looks::Looked;
use super::navigate::{Key, Use, key, name_at};
use crate::driver::json::{Value, object};
use crate::languages;
use cleave_diag::{SourceMap, Span};
use cleave_strict::ide::{Symbol, SymbolKind};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// An answer about who calls whom.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Incoming,
    Outgoing,
}

fn is_function(sort: SymbolKind) -> bool {
    matches!(sort, SymbolKind::Function | SymbolKind::Method)
}

/// An item from its parts; `place` is the file and the byte of the definition.
fn item(name: &str, detail: &str, kind: u32, place: (&Value, &Key), [all, own]: [Value; 2]) -> Value {
    let (uri, Key { path, start }) = place;
    let data = object([("path", Value::Text(path.to_string_lossy().into_owned())), ("start", (*start).into())]);
    object([
        ("name", name.into()),
        ("kind", kind.into()),
        ("detail", detail.into()),
        ("uri", uri.clone()),
        ("range", all),
        ("selectionRange", own),
        ("data", data),
    ])
}

/// The item of something that a file defines.
fn symbol_item(symbol: &Symbol, looked: &Looked) -> Option<Value> {
    let place = location(symbol.span, &looked.sources)?;
    let file = looked.sources.file(looked.file);
    let ranges = [symbol.extent, symbol.span].map(|span| range(file, span.start, span.end));
    let key = key(symbol.span, &looked.sources);
    Some(item(&symbol.name, &symbol.text, symbol_kind(symbol.sort), (place.get(&["uri"])?, &key), ranges))
}

/// Calls of one function, or from one: the item, and where they stand.
fn call(item: Value, side: &str, ranges: Vec<Value>) -> Value {
    object([(side, item), ("fromRanges", Value::List(ranges))])
}

impl Files {
    /// The program whose main module is this file, as one has it open or as it is saved, or of the library.
    fn of_path(&self, path: &Path) -> Option<Document> {
        if let Some(open) = self.open.iter().find(|open| open.path == path) {
            return Some(open.copy());
        }
        let uri = path.to_string_lossy();
        let text = match uri.strip_prefix(LIBRARY) {
            Some(name) => {
                let name = Path::new(name).with_extension("");
                let modules = languages::ALL.iter().flat_map(|language| language.library());
                let is_it = |module: &&&(&str, &str)| Path::new(module.0) == name;
                modules.collect::<Vec<_>>().iter().find(is_it)?.1.to_string()
            }
            None => String::from_utf8_lossy(&self.read(path).ok()?).into_owned(),
        };
        Some(Document::of_path(path, text))
    }

    /// The item of what is defined at a place.
    fn item_of(&self, definition: Span, sources: &SourceMap) -> Option<Value> {
        let file = sources.file(definition.file);
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        let looked = self.looked(&Document::of_path(&key(definition, sources).path, text))?;
        let found = looked.places.symbols.iter().find(|symbol| symbol.span.start == definition.start)?;
        symbol_item(found, &looked)
    }

    /// The definition that an item stands for, with the file that it is in, if it can be read.
    fn of_item(&self, item: &Value) -> Option<(Key, Option<Document>)> {
        let path = Path::new(item.get(&["data", "path"])?.as_text()?).to_path_buf();
        let start = u32::try_from(item.get(&["data", "start"])?.as_index()?).ok()?;
        let document = self.of_path(&path);
        Some((Key { path, start }, document))
    }

    /// Where the type of the name at a place is defined.
    pub fn type_definition(&self, document: &Document, offset: usize) -> Option<Value> {
        let looked = self.looked(document)?;
        location(looked.places.at(offset as u32)?.ty?, &looked.sources)
    }

    /// The classes that implement an interface, or the methods that implement one of it; of all else the definition.
    pub fn implementations(&self, document: &Document, offset: usize) -> Option<Value> {
        let (looked, found) = self.named(document, offset)?;
        let definition = found.definition?;
        let (wanted, name) = (key(definition, &looked.sources), name_at(&looked, &found));
        let implementing = self.implementing(document, &wanted, &name).into_iter();
        let places: Vec<Value> = implementing.map(|found| found.0).collect();
        if places.is_empty() { location(definition, &looked.sources) } else { Some(Value::List(places)) }
    }

    /// What implements or extends a definition: its place, and its item.
    fn implementing(&self, document: &Document, wanted: &Key, name: &str) -> Vec<(Value, Option<Value>)> {
        let mut found = Vec::new();
        let files = self.project(document.language, Some(document));
        for file in files.iter().filter(|file| file.text.contains(name)) {
            let Some(looked) = self.looked(file) else { continue };
            let here = looked.places.implementations.iter().filter(|one| key(one.of, &looked.sources) == *wanted);
            for one in here {
                let symbol = looked.places.symbols.iter().find(|symbol| symbol.span == one.by);
                let item = symbol.and_then(|symbol| symbol_item(symbol, &looked));
                found.extend(location(one.by, &looked.sources).map(|place| (place, item)));
            }
        }
        found
    }

    /// The function at a place.
    pub fn function_at(&self, document: &Document, offset: usize) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            let range = lines.listing.definition(offset)?;
            let outline = lines.listing.outline();
            let found = outline.iter().find(|one| one.is_function_at(&range))?;
            return Some(Value::List(vec![lines.item(document, found)]));
        }
        let (looked, found) = self.named(document, offset)?;
        let item = is_function(found.sort).then(|| self.item_of(found.definition?, &looked.sources))??;
        Some(Value::List(vec![item]))
    }

    /// The class or interface at a place.
    pub fn class_at(&self, document: &Document, offset: usize) -> Option<Value> {
        let (looked, found) = self.named(document, offset)?;
        let is_class = matches!(found.sort, SymbolKind::Class | SymbolKind::Interface);
        let item = is_class.then(|| self.item_of(found.definition?, &looked.sources))??;
        Some(Value::List(vec![item]))
    }

    /// Who calls the function of an item, or whom it calls.
    pub fn calls(&self, item: &Value, direction: Direction) -> Option<Value> {
        let (wanted, document) = self.of_item(item)?;
        if let Some(document) = &document
            && let Some(lines) = Lines::of(document)
        {
            return Some(lines.calls(document, wanted.start as usize, direction));
        }
        match direction {
            Direction::Outgoing => self.outgoing(&document?, wanted.start),
            Direction::Incoming => self.incoming(item, &wanted),
        }
    }

    fn outgoing(&self, document: &Document, start: u32) -> Option<Value> {
        let looked = self.looked(document)?;
        let own = looked.places.symbols.iter().find(|symbol| symbol.span.start == start)?;
        let file = looked.sources.file(looked.file);
        let mut calls: BTreeMap<Key, (Span, BTreeMap<(u32, u32), Value>)> = BTreeMap::new();
        for found in looked.places.occurrences.iter().filter(|found| is_function(found.sort)) {
            let Span { start, end, .. } = found.span;
            let is_inside = own.extent.start <= start && end <= own.extent.end && found.span != own.span;
            let Some(definition) = found.definition.filter(|_| is_inside) else { continue };
            let calls = calls.entry(key(definition, &looked.sources)).or_insert((definition, BTreeMap::new()));
            calls.1.insert((start, end), range(file, start, end));
        }
        let shown = calls.into_values().filter_map(|(definition, ranges)| {
            Some(call(self.item_of(definition, &looked.sources)?, "to", ranges.into_values().collect()))
        });
        Some(Value::List(shown.collect()))
    }

    fn incoming(&self, item: &Value, wanted: &Key) -> Option<Value> {
        let name = item.get(&["name"])?.as_text()?;
        let own = wanted.path.extension()?.to_str()?;
        // What is around the library is what is open.
        let around = match wanted.path.starts_with(LIBRARY) {
            true => self.open.iter().find(|open| open.language == own)?.copy(),
            false => self.of_path(&wanted.path)?,
        };
        let mut calls = Vec::new();
        let files = self.project(around.language, Some(&around));
        for file in files.iter().filter(|file| file.text.contains(name)) {
            let uses = self.uses(file, std::slice::from_ref(wanted));
            let Some(looked) = self.looked(file).filter(|_| !uses.is_empty()) else { continue };
            let mut callers: BTreeMap<u32, (&Symbol, Vec<Value>)> = BTreeMap::new();
            for Use { span, range, .. } in uses.into_iter().filter(|found| !found.is_definition) {
                let holds = |symbol: &&Symbol| {
                    is_function(symbol.sort) && symbol.extent.start <= span.start && span.end <= symbol.extent.end
                };
                let Some(caller) = looked.places.symbols.iter().find(holds) else { continue };
                callers.entry(caller.span.start).or_insert((caller, Vec::new())).1.push(range);
            }
            let shown = callers.into_values();
            calls
                .extend(shown.filter_map(|(symbol, ranges)| Some(call(symbol_item(symbol, &looked)?, "from", ranges))));
        }
        Some(Value::List(calls))
    }

    /// The interfaces of a class, or what implements or extends an interface.
    pub fn related_classes(&self, item: &Value, is_above: bool) -> Option<Value> {
        let (wanted, document) = self.of_item(item)?;
        if !is_above {
            let around = document.or_else(|| self.open.first().map(Document::copy))?;
            let found = self.implementing(&around, &wanted, item.get(&["name"])?.as_text()?).into_iter();
            return Some(Value::List(found.filter_map(|(_, item)| item).collect()));
        }
        let looked = self.looked(&document?)?;
        let all = looked.places.implementations.iter().filter(|one| key(one.by, &looked.sources) == wanted);
        Some(Value::List(all.filter_map(|one| self.item_of(one.of, &looked.sources)).collect()))
    }
}

impl Defined {
    fn is_function_at(&self, range: &Range<usize>) -> bool {
        self.kind == symbol::FUNCTION && self.range == *range
    }
}

impl Lines<'_> {
    fn item(&self, document: &Document, Defined { name, kind, detail, range, extent }: &Defined) -> Value {
        let key = Key { path: document.path.clone(), start: range.start as u32 };
        let ranges = [self.range(extent), self.range(range)];
        item(name, detail, *kind, (&document.uri.as_str().into(), &key), ranges)
    }

    /// Who calls the function that is defined at a place, or whom it calls.
    fn calls(&self, document: &Document, start: usize, direction: Direction) -> Value {
        let mut functions = self.listing.outline();
        functions.retain(|one| one.kind == symbol::FUNCTION);
        let Some(own) = functions.iter().find(|one| one.range.start == start) else { return Value::List(Vec::new()) };
        let by_name: BTreeMap<&str, usize> =
            functions.iter().enumerate().map(|(number, one)| (&document.text[one.range.clone()], number)).collect();
        let mut found: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
        for (at, one) in functions.iter().enumerate() {
            let is_here = direction == Direction::Incoming || one.range == own.range;
            for (place, word) in words(&document.text, &one.extent).filter(|_| is_here) {
                let Some(&called) = by_name.get(word).filter(|_| place != one.range.start) else { continue };
                let other = match direction {
                    Direction::Outgoing => called,
                    Direction::Incoming if functions[called].range == own.range => at,
                    Direction::Incoming => continue,
                };
                let is_it = self.listing.definition(place) == Some(functions[called].range.clone());
                if is_it {
                    found.entry(other).or_default().push(self.range(&(place..place + word.len())));
                }
            }
        }
        let side = if direction == Direction::Incoming { "from" } else { "to" };
        let shown = found.into_iter().map(|(at, ranges)| call(self.item(document, &functions[at]), side, ranges));
        Value::List(shown.collect())
    }
}

/// The words of a part of a text, with their places.
fn words<'t>(text: &'t str, part: &Range<usize>) -> impl Iterator<Item = (usize, &'t str)> {
    let start = part.start;
    let is_between = |letter: char| letter.is_whitespace() || "(),[]".contains(letter);
    let mut at = start;
    text[part.clone()].split(is_between).filter_map(move |word| {
        let place = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((place, word))
    })
}
