//! Where a name is used, in all files of a project: references, marks, renaming, symbols.
//!
//! A name is known by the place of its definition. Each file that has the letters of the name is looked at as a program
//! of its own.

use super::answers::{Files, LIBRARY, Lines, location, symbol_kind};
use super::documents::{Document, range, uri_of};
use super::looks::Looked;
use crate::driver::input;
use crate::driver::json::{Value, object};
use cleave_diag::{SourceMap, Span};
use cleave_strict::ide::{Occurrence, SymbolKind};
use cleave_strict::lexemes::Lexeme;
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
struct Key {
    path: PathBuf,
    start: u32,
}

/// A path without `.` and `..` in it.
fn plain(path: &str) -> PathBuf {
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

fn key(span: Span, sources: &SourceMap) -> Key {
    Key { path: plain(&sources.file(span.file).name), start: span.start }
}

/// A name that may get another one.
pub struct Renamed {
    /// Where it stands, for the editor.
    pub place: Value,
    name: String,
    key: Key,
    is_local: bool,
}

/// A use of a name.
struct Use {
    uri: String,
    range: Value,
    is_definition: bool,
    /// Another name stands at the same place: it is a field and a variable at once.
    is_shared: bool,
    is_variable: bool,
}

impl Files {
    /// The files of the project in the language of a file, the open ones first.
    pub fn project(&self, ending: &str, around: Option<&Document>) -> Vec<Document> {
        let mut found: Vec<Document> = Vec::new();
        let mut known = BTreeSet::new();
        let copy = |open: &Document| Document::new(&open.uri, "", open.text.clone(), Value::Null);
        for open in self.open.iter().filter(|open| open.language == ending) {
            known.insert(open.path.clone());
            let mut document = copy(open);
            document.language = open.language;
            found.push(document);
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
                    found.push(Document::new(&uri_of(&path), "", text, Value::Null));
                }
            }
        }
        found
    }

    /// The name at a place, and where it is defined.
    fn named(&self, document: &Document, offset: usize) -> Option<(Rc<Looked>, Occurrence)> {
        let looked = self.looked(document)?;
        let found = looked.places.at(offset as u32)?.clone();
        found.definition?;
        Some((looked, found))
    }

    /// What uses a name in a file.
    fn uses(&self, document: &Document, wanted: &Key) -> Vec<Use> {
        let Some(looked) = self.looked(document) else { return Vec::new() };
        let files = looked.sources.files();
        let is_there: Vec<bool> = files.map(|(_, file)| plain(&file.name) == wanted.path).collect();
        let is_it = |span: Span| span.start == wanted.start && is_there[span.file.0 as usize];
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
        let here = plain(&file.name);
        let uses = all.into_iter().map(|((start, end), (is_variable, is_shared))| Use {
            uri: document.uri.clone(),
            range: range(file, start, end),
            is_definition: here == wanted.path && start == wanted.start,
            is_shared,
            is_variable,
        });
        uses.collect()
    }

    /// What uses a name, in all files where anybody can.
    fn all_uses(&self, document: &Document, name: &str, wanted: &Key, is_local: bool) -> Vec<Use> {
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
        Some(Value::List(marks(self.uses(document, &wanted).into_iter().map(|found| found.range))))
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
        let uses = self.all_uses(document, &name, &wanted, found.sort == SymbolKind::Variable);
        let mut places: Vec<Value> = Vec::new();
        // A definition in the library is in no file of the project.
        if with_definition && !uses.iter().any(|found| found.is_definition) {
            places.extend(location(definition, &looked.sources));
        }
        let shown = uses.iter().filter(|found| with_definition || !found.is_definition);
        places.extend(shown.map(|found| place(&found.uri, found.range.clone())));
        Some(Value::List(places))
    }

    /// What would get another name, or why nothing can.
    pub fn renamed(&self, document: &Document, offset: usize) -> Result<Renamed, String> {
        let (looked, found) = self.named(document, offset).ok_or("no name that can be changed stands here")?;
        let definition = found.definition.ok_or("what is built in keeps its name")?;
        if looked.sources.file(definition.file).name.starts_with(LIBRARY) {
            return Err("it is defined in the library".into());
        }
        let place = range(looked.sources.file(looked.file), found.span.start, found.span.end);
        let (is_local, name) = (found.sort == SymbolKind::Variable, name_at(&looked, &found));
        let place = object([("range", place), ("placeholder", name.as_str().into())]);
        Ok(Renamed { place, name, key: key(definition, &looked.sources), is_local })
    }

    pub fn rename(&self, document: &Document, offset: usize, name: &str) -> Result<Value, String> {
        let renamed = self.renamed(document, offset)?;
        let language = Files::language(document).ok_or("nothing is known of this file")?;
        let kind = |name: &str| match language.lexemes(name.as_bytes()).as_deref() {
            Some([(range, lexeme)]) if *range == (0..name.len()) => Some(*lexeme),
            _ => None,
        };
        let fits = |lexeme: &Lexeme| matches!(lexeme, Lexeme::Name | Lexeme::Type) && name != "_";
        if kind(name).filter(fits) != kind(&renamed.name) {
            let first = if kind(&renamed.name) == Some(Lexeme::Type) { "capital" } else { "small" };
            return Err(format!("`{name}` is no name that begins with a {first} letter"));
        }
        let uses = self.all_uses(document, &renamed.name, &renamed.key, renamed.is_local);
        if uses.iter().all(|found| found.uri == document.uri && !found.is_shared) {
            self.check_renamed(document, &uses, name)?;
        }
        let mut edits: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for found in uses {
            let old = &renamed.name;
            let text = match (found.is_shared, found.is_variable) {
                (true, true) => format!("{old} as {name}"),
                (true, false) => format!("{name} as {old}"),
                (false, _) => name.to_string(),
            };
            let edit = object([("range", found.range), ("newText", Value::Text(text))]);
            edits.entry(found.uri).or_default().push(edit);
        }
        let changes = edits.into_iter().map(|(uri, edits)| (uri, Value::List(edits))).collect();
        Ok(object([("changes", Value::Object(changes))]))
    }

    /// Says so if names would mean something else: where all uses are in one file, it is looked at as it would be.
    fn check_renamed(&self, document: &Document, uses: &[Use], name: &str) -> Result<(), String> {
        let mut places: Vec<(Range<usize>, bool)> =
            uses.iter().filter_map(|found| Some((document.range(Some(&found.range))?, found.is_definition))).collect();
        places.sort_by_key(|(range, _)| range.start);
        let (mut text, mut at, mut definition) = (String::new(), 0, None);
        for (range, is_definition) in &places {
            text += &document.text[at..range.start];
            if *is_definition {
                definition = Some(text.len() as u32);
            }
            text += name;
            at = range.end;
        }
        text += &document.text[at..];
        let Some(start) = definition else { return Ok(()) };
        let mut changed = Document::new(&document.uri, "", text, Value::Null);
        changed.language = document.language;
        let errors = |document: &Document| self.checked(document).sink.error_count();
        let path = plain(&document.path.display().to_string());
        let is_same = self.uses(&changed, &Key { path, start }).len() == uses.len();
        match is_same && errors(&changed) <= errors(document) {
            true => Ok(()),
            false => Err(format!("`{name}` stands for something else there")),
        }
    }

    /// What the files of the project define, and has these letters in this order.
    pub fn all_symbols(&self, query: &str) -> Value {
        let mut found = Vec::new();
        for ending in ["goo", "sam"] {
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

fn name_at(looked: &Looked, found: &Occurrence) -> String {
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
        let text = &document.text;
        let Some(defined) = self.listing.definition(offset) else { return Vec::new() };
        let name = &text[defined.clone()];
        let is_it = |(at, _): &(usize, &str)| {
            self.listing.definition(*at) == Some(defined.clone())
                && self.listing.hover(*at).is_some_and(|told| told.range == (*at..*at + name.len()))
        };
        text.match_indices(name).filter(is_it).map(|(at, _)| self.range(&(at..at + name.len()))).collect()
    }
}
