//! New names: of what programs define, in all files that use it, and of files, in those that import or include them.
//!
//! Before edits are given, the files are looked at as they would be: names must not come to stand for something else.

use super::answers::{Files, LIBRARY, Lines};
use super::documents::{Document, path_of, range};
use super::looks::Looked;
use super::navigate::{Key, Use, key, name_at, plain};
use crate::driver::json::{Value, object};
use crate::languages;
use cleave_diag::{Diagnostic, Severity, SourceMap};
use cleave_strict::ide::SymbolKind;
use cleave_strict::lexemes::Lexeme;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

const NO_NAME: &str = "no name that can be changed stands here";

/// A name that may get another one.
pub struct Renamed {
    /// Where it stands, for the editor.
    pub place: Value,
    name: String,
    key: Key,
    sort: SymbolKind,
}

/// What is written where, in one file.
type Edits = Vec<(Range<usize>, String)>;

/// A text after its edits.
fn edited(text: &str, edits: &Edits) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (range, new) in edits {
        out += &text[at..range.start];
        out += new;
        at = range.end;
    }
    out + &text[at..]
}

/// Where a place of a text is after edits.
fn moved(start: u32, edits: &Edits) -> u32 {
    let before = edits.iter().filter(|(range, _)| range.start < start as usize);
    before.fold(start, |at, (range, new)| at + new.len() as u32 - range.len() as u32)
}

impl Files {
    /// What would get another name, or why nothing can.
    pub fn renamed(&self, document: &Document, offset: usize) -> Result<Renamed, String> {
        let (looked, found) = self.named(document, offset).ok_or(NO_NAME)?;
        let definition = found.definition.ok_or("what is built in keeps its name")?;
        if looked.sources.file(definition.file).name.starts_with(LIBRARY) {
            return Err("it is defined in the library".into());
        }
        if found.sort == SymbolKind::Module {
            return Err("a module has the name of its file: rename the file".into());
        }
        let place = range(looked.sources.file(looked.file), found.span.start, found.span.end);
        let name = name_at(&looked, &found);
        let place = object([("range", place), ("placeholder", name.as_str().into())]);
        Ok(Renamed { place, name, key: key(definition, &looked.sources), sort: found.sort })
    }

    /// What would get another name, as the editor asks for it.
    pub fn prepare_rename(&self, document: &Document, offset: usize) -> Result<Value, String> {
        let Some(lines) = Lines::of(document) else { return Ok(self.renamed(document, offset)?.place) };
        let places = lines.same_places(document, offset);
        let here = places.into_iter().find(|place| place.start <= offset && offset <= place.end).ok_or(NO_NAME)?;
        Ok(object([("range", lines.range(&here)), ("placeholder", document.text[here].into())]))
    }

    /// The same of a file that is a list of lines: a new name may stand without the sign that the old one begins with.
    fn rename_line(&self, lines: &Lines<'_>, document: &Document, offset: usize, name: &str) -> Result<Value, String> {
        let defined = lines.listing.definition(offset).ok_or(NO_NAME)?;
        let sign = document.text[defined.clone()].chars().next().filter(|first| "@$&^%~".contains(*first));
        let name = match sign.filter(|sign| !name.starts_with(*sign)) {
            Some(sign) => format!("{sign}{name}"),
            None => name.to_string(),
        };
        let places = lines.same_places(document, offset);
        let edits: Edits = places.iter().map(|place| (place.clone(), name.clone())).collect();
        let mut changed = document.copy();
        changed.text = edited(&document.text, &edits);
        let edits = BTreeMap::from([(&document.uri[..], edits)]);
        self.check_renamed(&[document], &edits, &[], &name)?;
        let start = moved(defined.start as u32, &edits[&document.uri[..]]) as usize;
        let count = Lines::of(&changed).map_or(0, |lines| lines.same_places(&changed, start).len());
        match count == places.len() {
            true => Ok(workspace_edit(std::slice::from_ref(document), &edits)),
            false => Err(format!("`{name}` stands for something else there")),
        }
    }

    pub fn rename(&self, document: &Document, offset: usize, name: &str) -> Result<Value, String> {
        if let Some(lines) = Lines::of(document) {
            return self.rename_line(&lines, document, offset, name);
        }
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
        let is_local = renamed.sort == SymbolKind::Variable;
        let files = match is_local {
            true => vec![document.copy()],
            false => self.project(document.language, Some(document)),
        };
        let keys = self.family(&files, &renamed)?;
        let mut edits: BTreeMap<&str, Edits> = BTreeMap::new();
        let mut is_shared = false;
        for file in files.iter().filter(|file| file.text.contains(&renamed.name)) {
            for Use { span, is_shared: is_both, is_variable, .. } in self.uses(file, &keys) {
                let (place, old) = (span.start as usize..span.end as usize, &renamed.name);
                // Other words may stand for it, as `init` does for its class.
                if file.text.get(place.clone()) != Some(old) {
                    continue;
                }
                is_shared |= is_both;
                let text = match (is_both, is_variable) {
                    (true, true) => format!("{old} as {name}"),
                    (true, false) => format!("{name} as {old}"),
                    (false, _) => name.to_string(),
                };
                edits.entry(&file.uri).or_default().push((place, text));
            }
        }
        // Who imports a name writes it; who includes a file has all of its names.
        let paths: Vec<PathBuf> = edits.keys().map(|uri| path_of(uri)).collect();
        let includes = |file: &Document| {
            let is_edited =
                |looked: &Looked| looked.sources.files().any(|(_, file)| paths.contains(&plain(&file.name)));
            document.language == "goo"
                && file.text.contains("#include")
                && self.looked(file).is_some_and(|looked| is_edited(&looked))
        };
        let is_concerned = |file: &&Document| edits.contains_key(&file.uri[..]) || includes(file);
        let concerned: Vec<&Document> = files.iter().filter(is_concerned).collect();
        // Where a name stands for two things, places are not those of the edits.
        let counted = if is_shared { &[][..] } else { &keys };
        self.check_renamed(&concerned, &edits, counted, name)?;
        Ok(workspace_edit(&files, &edits))
    }

    /// What has to have the same name: methods of an interface and of the classes that implement it.
    fn family(&self, files: &[Document], renamed: &Renamed) -> Result<Vec<Key>, String> {
        let mut family = vec![renamed.key.clone()];
        if renamed.sort != SymbolKind::Method {
            return Ok(family);
        }
        let mut pairs: Vec<(Key, Key)> = Vec::new();
        for file in files.iter().filter(|file| file.text.contains(&renamed.name)) {
            let Some(looked) = self.looked(file) else { continue };
            let all = looked.places.implementations.iter();
            pairs.extend(all.map(|found| (key(found.by, &looked.sources), key(found.of, &looked.sources))));
        }
        let mut next = 0;
        while next < family.len() {
            let one = family[next].clone();
            for (by, of) in &pairs {
                let other = if *by == one { of } else { by };
                if (*by == one || *of == one) && !family.contains(other) {
                    family.push(other.clone());
                }
            }
            next += 1;
        }
        match family.iter().any(|key| key.path.starts_with(LIBRARY)) {
            true => Err("an interface of the library asks for this name".into()),
            false => Ok(family),
        }
    }

    /// Says so if names would mean something else, in any of the files.
    fn check_renamed(
        &self,
        files: &[&Document],
        edits: &BTreeMap<&str, Edits>,
        keys: &[Key],
        name: &str,
    ) -> Result<(), String> {
        let none = Edits::new();
        let edits_of = |uri: &str| edits.get(uri).unwrap_or(&none);
        let changed = |document: &Document| {
            let mut changed = document.copy();
            changed.text = edited(&document.text, edits_of(&document.uri));
            changed
        };
        let is_open = |uri: &str| self.open.iter().any(|open| open.uri == uri);
        let closed = files.iter().filter(|file| !is_open(&file.uri) && edits.contains_key(&file.uri[..]));
        let open = self.open.iter().chain(closed.copied()).map(changed).collect();
        let mut after = Files::with(open);
        after.root = self.root.clone();
        let path_edits: BTreeMap<PathBuf, &Edits> = edits.iter().map(|(uri, edits)| (path_of(uri), edits)).collect();
        let moved_key = |key: &Key| Key {
            start: path_edits.get(&key.path).map_or(key.start, |edits| moved(key.start, edits)),
            path: key.path.clone(),
        };
        let moved_keys: Vec<Key> = keys.iter().map(moved_key).collect();
        for file in files {
            let changed = changed(file);
            let (was, is) = (self.checked(file), after.checked(&changed));
            let errors = |one: &&Diagnostic| one.severity == Severity::Error;
            let old: Vec<&Diagnostic> = was.sink.diagnostics().iter().filter(errors).collect();
            let mut new = is.sink.diagnostics().iter().filter(errors);
            let is_new = |one: &&Diagnostic| old.iter().all(|old| old.message != one.message);
            if new.clone().count() > old.len() {
                let found = new.clone().find(is_new).or(new.next());
                return Err(found.map_or_else(String::new, |found| refusal(name, found, &is.sources)));
            }
            if !keys.is_empty() && self.uses(file, keys).len() != after.uses(&changed, &moved_keys).len() {
                return Err(format!("`{name}` stands for something else there"));
            }
        }
        Ok(())
    }

    /// The edits that follow when files or folders get other names.
    pub fn files_renamed(&self, renamed: &[(PathBuf, PathBuf)]) -> Value {
        let new_path = |path: &Path| {
            renamed.iter().find_map(|(old, new)| match path.strip_prefix(old).ok()? {
                rest if rest.as_os_str().is_empty() => Some(new.clone()),
                rest => Some(new.join(rest)),
            })
        };
        let (mut all, mut edits) = (Vec::new(), BTreeMap::new());
        for ending in languages::formatted() {
            let around = self.open.iter().find(|open| open.language == ending);
            all.extend(self.project(ending, around));
        }
        for file in &all {
            let mut own = Edits::new();
            for link in self.links(file) {
                let Some(new) = new_path(&link.path) else { continue };
                let Some(text) = link.renamed(file, &new) else { continue };
                own.push((link.range, text));
            }
            if !own.is_empty() {
                edits.insert(&file.uri[..], own);
            }
        }
        workspace_edit(&all, &edits)
    }
}

/// Why a name cannot be given: what would be wrong then.
fn refusal(name: &str, found: &Diagnostic, sources: &SourceMap) -> String {
    let place = found.primary.as_ref().map(|label| {
        let file = sources.file(label.span.file);
        let path = plain(&file.name);
        let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!(" ({shown}:{})", file.line_of(label.span.start).0 + 1)
    });
    format!("it cannot be `{name}`: {}{}", found.message, place.unwrap_or_default())
}

/// Edits in the form of the protocol.
fn workspace_edit(files: &[Document], edits: &BTreeMap<&str, Edits>) -> Value {
    let of_file = |(uri, edits): (&&str, &Edits)| {
        let document = files.iter().find(|file| file.uri == **uri)?;
        let mut sources = SourceMap::new();
        let file = sources.add(String::new(), document.text.clone().into_bytes());
        let edit = |(old, new): &(Range<usize>, String)| {
            let place = range(sources.file(file), old.start as u32, old.end as u32);
            object([("range", place), ("newText", new.as_str().into())])
        };
        Some((uri.to_string(), Value::List(edits.iter().map(edit).collect())))
    };
    object([("changes", Value::Object(edits.iter().filter_map(of_file).collect()))])
}
