//! Files that name others: completion in imports (the classes of a module between braces, and the names of modules
//! behind `from`), and edits that import classes.

use super::answers::{Files, LIBRARY, item_kind};
use super::documents::{Document, range, uri_of};
use super::listing::lines;
use crate::driver::json::{Value, object};
use crate::languages;
use cleave_diag::SourceMap;
use cleave_strict::ide::SymbolKind;
use cleave_strict::lexemes::{Lexeme, Lexemes};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// So many modules are searched for classes that one might import.
const MODULES_LOOKED_AT: usize = 100;

/// Where a text names another file: the line that includes or imports it, or else its beginning.
pub fn naming(text: &[u8], file: &str) -> Range<usize> {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let (name, stem) = (Path::new(file).file_name(), Path::new(file).file_stem());
    let [name, stem] = [name, stem].map(|part| part.unwrap_or_default().to_string_lossy());
    let names = |line: &Range<usize>| {
        let line = &text[line.clone()];
        let paths = languages::ALL.iter().filter_map(|language| language.named_by(line));
        paths
            .map(|path| path.rsplit('/').next().unwrap_or(path))
            .any(|path| path == name || path.rsplit('.').next() == Some(&*stem) || path == stem)
    };
    lines(text).find(names).unwrap_or(0..0)
}

/// Where in an import one types.
enum Part {
    /// Between the braces; the module, if it is written already.
    Names(Option<String>),
    /// Behind `from`: what is typed of the path.
    Module(String),
}

/// What the import around a place asks for; nothing outside of imports.
fn part(text: &str, lexemes: &Lexemes, offset: usize) -> Option<Part> {
    let is_word = |word: &str| {
        let is_it = move |(range, lexeme): &&(Range<usize>, Lexeme)| {
            *lexeme == Lexeme::Keyword && &text[range.clone()] == word && range.end <= offset
        };
        lexemes.iter().rev().find(is_it).map(|(range, _)| range.clone())
    };
    let import = is_word("import")?;
    let before = &text[import.end..offset];
    let is_over = |word: &str| is_word(word).is_some_and(|range| range.start > import.start);
    if before.contains(';') || is_over("class") || is_over("interface") {
        return None;
    }
    if let Some(from) = is_word("from").filter(|range| range.start > import.start) {
        let path = text[from.end..offset].trim_start();
        let is_path = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        // On the next line something else begins, if a path stands here.
        return path.bytes().all(is_path).then(|| Part::Module(path.to_string()));
    }
    if !before.trim_start().starts_with('{') || before.contains('}') {
        return None;
    }
    let (_, behind) = text[offset..].split_once('}')?;
    let path = behind.trim_start().strip_prefix("from").map(str::trim_start).unwrap_or_default();
    let length = path.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte)).count();
    Some(Part::Names(Some(path[..length].to_string()).filter(|path| !path.is_empty())))
}

/// A class that an edit of the file at hand makes known.
pub struct Importable {
    pub name: String,
    pub sort: SymbolKind,
    pub module: String,
    pub edit: Value,
}

/// Where something is to be written so that a class is known: into the braces of an import of the module, behind the
/// last import, or before everything else.
fn import_of(document: &Document, module: &str, name: &str) -> (usize, String) {
    let text = &document.text;
    // Some editors write a mark before everything.
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    let own = |line: Range<usize>| line.start.max(begin)..line.end;
    let imports: Vec<Range<usize>> =
        lines(text).map(own).filter(|line| text[line.clone()].starts_with("import ")).collect();
    let names = |line: &&Range<usize>| {
        let language = languages::by_extension(document.language);
        language.and_then(|language| language.named_by(&text[(*line).clone()])) == Some(module)
    };
    if let Some(line) = imports.iter().find(names)
        && let Some((before, _)) = text[line.clone()].split_once('}')
    {
        let before = before.trim_end();
        let sign = if before.ends_with(['{', ',']) { " " } else { ", " };
        return (line.start + before.len(), format!("{sign}{name}"));
    }
    let last = imports.last();
    // As the other imports end.
    let end = if last.is_some_and(|line| !text[line.clone()].trim_end().ends_with(';')) { "" } else { ";" };
    let at = last.map_or(begin, |line| text[line.end..].find('\n').map_or(text.len(), |end| line.end + end + 1));
    (at, format!("import {{ {name} }} from {module}{end}\n"))
}

/// Modules of the library of a document's language.
fn library(document: &Document) -> &'static [(&'static str, &'static str)] {
    languages::by_extension(document.language).map_or(&[], |language| language.library())
}

impl Files {
    /// What may stand in the import around a place; nothing outside of imports.
    pub fn import_at(&self, document: &Document, lexemes: &Lexemes, offset: usize) -> Option<Value> {
        let item = |name: &str, kind: u32, detail: &str| {
            object([("label", name.into()), ("kind", kind.into()), ("detail", detail.into())])
        };
        match part(&document.text, lexemes, offset)? {
            Part::Module(typed) => {
                const MODULE: u32 = 9;
                // Editors replace a word, and those end at points.
                let begin = typed.rfind('.').map_or(0, |at| at + 1);
                let names = self.modules(document);
                let rest: BTreeSet<&str> = names.iter().filter_map(|name| name.strip_prefix(&typed[..begin])).collect();
                Some(Value::List(rest.into_iter().map(|name| item(name, MODULE, "")).collect()))
            }
            Part::Names(module) => {
                let modules: Vec<String> = module.map_or_else(|| self.modules(document), |module| vec![module]);
                let mut found = Vec::new();
                for module in modules {
                    for (name, sort) in self.classes(document, &module) {
                        found.push(item(&name, item_kind(sort), &format!("from {module}")));
                    }
                }
                Some(Value::List(found))
            }
        }
    }

    /// Classes that begin so and are not known here, each with the import that makes it known.
    pub fn importable(&self, document: &Document, begin: &str, known: &BTreeSet<&str>) -> Vec<Value> {
        let is_wanted = |name: &str| name.starts_with(begin) && !known.contains(name);
        let shown = |Importable { name, sort, module, edit }: Importable| {
            object([
                ("label", name.as_str().into()),
                ("kind", item_kind(sort).into()),
                ("detail", Value::Text(format!("import from {module}"))),
                ("additionalTextEdits", Value::List(vec![edit])),
            ])
        };
        self.classes_elsewhere(document, is_wanted).into_iter().map(shown).collect()
    }

    /// Classes of modules that can be imported.
    pub fn classes_elsewhere(&self, document: &Document, is_wanted: impl Fn(&str) -> bool) -> Vec<Importable> {
        let mut sources = SourceMap::new();
        let file = sources.add(String::new(), document.text.clone().into_bytes());
        let mut found = Vec::new();
        for module in self.modules(document).into_iter().take(MODULES_LOOKED_AT) {
            let classes = self.classes(document, &module).into_iter();
            for (name, sort) in classes.filter(|(name, _)| is_wanted(name)) {
                let (at, text) = import_of(document, &module, &name);
                let place = range(sources.file(file), at as u32, at as u32);
                let edit = object([("range", place), ("newText", Value::Text(text))]);
                found.push(Importable { name, sort, module: module.clone(), edit });
            }
        }
        found
    }

    /// The modules that can be imported, with the points in their names.
    fn modules(&self, document: &Document) -> Vec<String> {
        let library = library(document);
        let mut found: BTreeSet<String> = library.iter().map(|(name, _)| name.to_string()).collect();
        for file in self.project(document.language, Some(document)) {
            // From each folder around the file at hand they have another name: the shortest counts.
            let folders = document.path.parent().into_iter().flat_map(Path::ancestors);
            let Some(name) = folders.filter_map(|folder| file.path.strip_prefix(folder).ok()).next() else { continue };
            if file.path != document.path {
                found.insert(name.with_extension("").to_string_lossy().replace('/', "."));
            }
        }
        found.into_iter().collect()
    }

    /// What a module defines.
    fn classes(&self, document: &Document, module: &str) -> Vec<(String, SymbolKind)> {
        let name = format!("{}.{}", module.replace('.', "/"), document.language);
        let text = document.path.parent().into_iter().flat_map(Path::ancestors).find_map(|folder| {
            let path = folder.join(&name);
            path.is_file().then(|| self.read(&path).ok()).flatten().map(|text| (uri_of(&path), text))
        });
        let in_library = || library(document).iter().find(|(name, _)| *name == module);
        let text = text.or_else(|| in_library().map(|(_, text)| (format!("{LIBRARY}{name}"), text.as_bytes().into())));
        let Some((uri, text)) = text else { return Vec::new() };
        let text = String::from_utf8_lossy(&text).into_owned();
        let file = Document::new(&uri, "", text, Value::Null);
        let Some(looked) = self.looked(&file) else { return Vec::new() };
        let outer = looked.places.symbols.iter().filter(|symbol| symbol.within.is_none());
        let is_open = |at: u32| {
            let bytes = &looked.sources.file(looked.file).bytes[..at as usize];
            let line = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            !line.trim_ascii_start().starts_with(b"private")
        };
        outer.filter(|symbol| is_open(symbol.span.start)).map(|symbol| (symbol.name.clone(), symbol.sort)).collect()
    }
}
