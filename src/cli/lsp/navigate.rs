//! Where a name is used, in all files of a project: references, marks, symbols.
//!
//! A name is known by the place of its definition. Each file that has the letters of the name is looked at as a program
//! of its own.

use super::answers::{Files, Lines, location, symbol_kind};
use super::documents::{Document, range};
use super::looks::Looked;
use crate::driver::input;
use crate::driver::json::{Value, object};
use crate::languages;
use cleave_diag::{SourceMap, Span};
use cleave_strict::ide::{Occurrence, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// As many files a project may have; more are not looked at.
const FILES: usize = 4_000;
/// As many symbols are shown at once.
const SYMBOLS: usize = 500;
/// Folders in which nobody writes programs.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

/// The place of a definition, in whichever program it was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    pub path: PathBuf,
    pub start: u32,
}

/// A path without `.` and `..` in it.
pub fn plain(path: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

pub fn key(span: Span, sources: &SourceMap) -> Key {
    Key { path: plain(&sources.file(span.file).name), start: span.start }
}

/// A use of a name.
pub struct Use {
    pub uri: String,
    pub span: Span,
    pub range: Value,
    pub is_definition: bool,
    /// Another name stands at the same place: it is a field and a variable at once.
    pub is_shared: bool,
    pub is_variable: bool,
}

impl Files {
    /// The files of the project in the language of a file, the open ones first.
    pub fn project(&self, ending: &str, around: Option<&Document>) -> Vec<Document> {
        let mut found: Vec<Document> = Vec::new();
        let mut known = BTreeSet::new();
        for open in self.open.iter().filter(|open| open.language == ending) {
            known.insert(open.path.clone());
            found.push(open.copy());
        }
        let root = self.root.clone().filter(|root| around.is_none_or(|document| document.path.starts_with(root)));
        let beside = || around.and_then(|document| document.path.parent()).filter(|folder| folder.is_absolute());
        let Some(root) = root.or_else(|| beside().map(project_around)) else { return found };
        let mut folders = vec![root];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if path.is_dir() {
                    if !name.starts_with('.') && !SKIPPED.contains(&name.as_ref()) && !path.is_symlink() {
                        folders.push(path);
                    }
                } else if path.extension().is_some_and(|found| found == ending) && known.insert(path.clone()) {
                    if known.len() > FILES {
                        return found;
                    }
                    let Ok(bytes) = input::read(&path) else { continue };
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    found.push(Document::of_path(&path, text));
                }
            }
        }
        found
    }

    /// The name at a place, and where it is defined.
    pub fn named(&self, document: &Document, offset: usize) -> Option<(Rc<Looked>, Occurrence)> {
        let looked = self.looked(document)?;
        let found = looked.places.at(offset as u32)?.clone();
        found.definition?;
        Some((looked, found))
    }

    /// What uses names of these definitions in a file.
    pub fn uses(&self, document: &Document, wanted: &[Key]) -> Vec<Use> {
        let Some(looked) = self.looked(document) else { return Vec::new() };
        let files = looked.sources.files();
        let starts_in = |path: PathBuf| wanted.iter().filter(move |key| key.path == path).map(|key| key.start);
        let starts: Vec<Vec<u32>> = files.map(|(_, file)| starts_in(plain(&file.name)).collect()).collect();
        let is_it = |span: Span| starts[span.file.0 as usize].contains(&span.start);
        let place = |found: &Occurrence| (found.span.start, found.span.end);
        // At each place, whether a variable stands there, and whether another name does, too.
        let mut all: BTreeMap<(u32, u32), (bool, bool)> = BTreeMap::new();
        let named = || looked.places.occurrences.iter().filter_map(|found| Some((found, found.definition?)));
        for (found, _) in named().filter(|found| is_it(found.1)) {
            all.entry(place(found)).or_default().0 |= found.sort == SymbolKind::Variable;
        }
        for (found, _) in named().filter(|found| !is_it(found.1)) {
            if let Some(shared) = all.get_mut(&place(found)) {
                shared.1 = true;
            }
        }
        let file = looked.sources.file(looked.file);
        let uses = all.into_iter().map(|((start, end), (is_variable, is_shared))| Use {
            uri: document.uri.clone(),
            span: Span { file: looked.file, start, end },
            range: range(file, start, end),
            is_definition: starts[looked.file.0 as usize].contains(&start),
            is_shared,
            is_variable,
        });
        uses.collect()
    }

    /// What uses a name, in all files where anybody can.
    pub fn all_uses(&self, document: &Document, name: &str, wanted: &[Key], is_local: bool) -> Vec<Use> {
        if is_local {
            return self.uses(document, wanted);
        }
        let files = self.project(document.language, Some(document));
        files.iter().filter(|file| file.text.contains(name)).flat_map(|file| self.uses(file, wanted)).collect()
    }

    pub fn highlight(&self, document: &Document, offset: usize) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            return Some(Value::List(marks(lines.same(document, offset).into_iter())));
        }
        let (looked, found) = self.named(document, offset)?;
        let wanted = key(found.definition?, &looked.sources);
        Some(Value::List(marks(self.uses(document, &[wanted]).into_iter().map(|found| found.range))))
    }

    pub fn references(&self, document: &Document, offset: usize, with_definition: bool) -> Option<Value> {
        let place = |uri: &str, range: Value| object([("uri", uri.into()), ("range", range)]);
        if let Some(lines) = Lines::of(document) {
            let defined = lines.listing.definition(offset).map(|range| lines.range(&range));
            let found = lines.same(document, offset).into_iter();
            let found = found.filter(|range| with_definition || Some(range) != defined.as_ref());
            return Some(Value::List(found.map(|range| place(&document.uri, range)).collect()));
        }
        let (looked, found) = self.named(document, offset)?;
        let definition = found.definition?;
        let wanted = key(definition, &looked.sources);
        let name = name_at(&looked, &found);
        let uses = self.all_uses(document, &name, &[wanted], found.sort == SymbolKind::Variable);
        let mut places: Vec<Value> = Vec::new();
        // A definition in the library is in no file of the project.
        if with_definition && !uses.iter().any(|found| found.is_definition) {
            places.extend(location(definition, &looked.sources));
        }
        let shown = uses.iter().filter(|found| with_definition || !found.is_definition);
        places.extend(shown.map(|found| place(&found.uri, found.range.clone())));
        Some(Value::List(places))
    }

    /// What the files of the project define, and has these letters in this order.
    pub fn all_symbols(&self, query: &str) -> Value {
        let mut found = Vec::new();
        for ending in languages::formatted() {
            for document in self.project(ending, self.open.iter().find(|open| open.language == ending)) {
                let Some(looked) = self.looked(&document) else { continue };
                let file = looked.sources.file(looked.file);
                for symbol in looked.places.symbols.iter().filter(|symbol| has_letters(&symbol.name, query)) {
                    let within = symbol.within.map(|outer| looked.places.symbols[outer].name.as_str());
                    let place = range(file, symbol.span.start, symbol.span.end);
                    found.push(object([
                        ("name", symbol.name.as_str().into()),
                        ("kind", symbol_kind(symbol.sort).into()),
                        ("containerName", within.unwrap_or_default().into()),
                        ("location", object([("uri", document.uri.as_str().into()), ("range", place)])),
                    ]));
                    if found.len() == SYMBOLS {
                        return Value::List(found);
                    }
                }
            }
        }
        Value::List(found)
    }
}

/// The folder of a project that a folder belongs to: where it is kept, or the folder itself.
pub fn project_around(folder: &Path) -> PathBuf {
    let is_root = |folder: &&Path| [".git", "sconfig.json"].iter().any(|mark| folder.join(mark).exists());
    folder.ancestors().find(is_root).unwrap_or(folder).to_path_buf()
}

pub fn name_at(looked: &Looked, found: &Occurrence) -> String {
    let bytes = &looked.sources.file(found.span.file).bytes;
    let bytes = bytes.get(found.span.start as usize..found.span.end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

/// The letters of the query stand in the name in their order.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

fn marks(ranges: impl Iterator<Item = Value>) -> Vec<Value> {
    const TEXT: u32 = 1;
    ranges.map(|range| object([("range", range), ("kind", TEXT.into())])).collect()
}

impl Lines<'_> {
    /// Where the word at a place stands, if it is a name that the file defines: of the same definition.
    fn same(&self, document: &Document, offset: usize) -> Vec<Value> {
        self.same_places(document, offset).iter().map(|place| self.range(place)).collect()
    }

    /// The same as bytes.
    pub fn same_places(&self, document: &Document, offset: usize) -> Vec<Range<usize>> {
        let text = &document.text;
        let Some(defined) = self.listing.definition(offset) else { return Vec::new() };
        let name = &text[defined.clone()];
        let is_it = |(at, _): &(usize, &str)| {
            self.listing.definition(*at) == Some(defined.clone())
                && self.listing.hover(*at).is_some_and(|told| told.range == (*at..*at + name.len()))
        };
        text.match_indices(name).filter(is_it).map(|(at, _)| at..at + name.len()).collect()
    }
}
