//! The names of other files in a file: modules that it imports, and files that it includes.

use super::answers::{Files, location};
use super::documents::{Document, range, uri_of};
use super::listing::{line_at, lines};
use super::navigate::plain;
use crate::driver::json::{Value, object};
use cleave_diag::SourceMap;
use cleave_strict::ide::SymbolKind;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// A name of another file.
pub struct Link {
    pub range: Range<usize>,
    /// The file; what is part of the compiler is in none, but is shown as one.
    pub path: PathBuf,
    uri: Value,
    is_module: bool,
}

impl Link {
    /// What would stand there if the file were another one.
    pub fn renamed(&self, document: &Document, new: &Path) -> Option<String> {
        let name = &document.text[self.range.clone()];
        if !self.is_module {
            return Some(relative(document.path.parent()?, new));
        }
        // The folder from which the module was found.
        let parts = name.split('.').count();
        let root = self.path.ancestors().nth(parts)?;
        let inside = new.strip_prefix(root).ok()?.with_extension("");
        let words: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        Some(words.join("."))
    }
}

/// A path as files in a folder name it.
fn relative(folder: &Path, path: &Path) -> String {
    let common = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let down = path.components().skip(common);
    up.chain(down).collect::<PathBuf>().to_string_lossy().into_owned()
}

impl Files {
    /// The names of other files, in their order.
    pub fn links(&self, document: &Document) -> Vec<Link> {
        let Some(language) = Files::language(document) else { return Vec::new() };
        let mut found = Vec::new();
        if let Some(looked) = self.looked(document) {
            let modules = looked.places.occurrences.iter().filter(|found| found.sort == SymbolKind::Module);
            for module in modules {
                let Some(definition) = module.definition else { continue };
                let Some(uri) = location(definition, &looked.sources).and_then(|place| place.get(&["uri"]).cloned())
                else {
                    continue;
                };
                let path = plain(&looked.sources.file(definition.file).name);
                let range = module.span.start as usize..module.span.end as usize;
                found.push(Link { range, path, uri, is_module: true });
            }
        }
        let text = &document.text;
        let named_lines = if found.is_empty() { text.as_str() } else { "" };
        for line in lines(named_lines) {
            let Some(name) = language.named_by(&text[line.clone()]).filter(|name| !name.is_empty()) else { continue };
            let Some(path) = document.path.parent().map(|folder| plain(&folder.join(name).to_string_lossy())) else {
                continue;
            };
            let Some(at) = text[line.clone()].rfind(name).filter(|_| path.is_file()) else { continue };
            let range = line.start + at..line.start + at + name.len();
            found.push(Link { range, uri: Value::Text(uri_of(&path)), path, is_module: false });
        }
        found.sort_by_key(|link| link.range.start);
        found
    }

    /// The same for the editor.
    pub fn document_links(&self, document: &Document) -> Value {
        let mut sources = SourceMap::new();
        let file = sources.add(String::new(), document.text.clone().into_bytes());
        let shown = |link: Link| {
            let place = range(sources.file(file), link.range.start as u32, link.range.end as u32);
            object([("range", place), ("target", link.uri)])
        };
        Value::List(self.links(document).into_iter().map(shown).collect())
    }

    /// The file that is named at a place.
    pub fn linked(&self, document: &Document, offset: usize) -> Option<Value> {
        let line = line_at(&document.text, offset);
        let is_it = |link: &Link| match link.is_module {
            true => link.range.start <= offset && offset <= link.range.end,
            false => line.start <= link.range.start && link.range.end <= line.end,
        };
        let link = self.links(document).into_iter().find(is_it)?;
        let start = object([("line", 0.into()), ("character", 0.into())]);
        let place = object([("start", start.clone()), ("end", start)]);
        Some(object([("uri", link.uri), ("range", place)]))
    }
}
