//! Answers of the language server about a file: diagnostics, hover, definitions, completion, symbols.

use super::abc::Abc;
use super::comments::comment_of;
use super::documents::{Document, path_of, range, uri_of};
use super::edits::{Edit, edits};
use super::imports;
use super::ir::Ir;
use super::listing::{Defined, Listing, Suggestion, Told};
use super::looks::{Looked, Looks, changed};
use crate::cli::format;
use crate::driver::json::{Value, object};
use crate::driver::snippet::BEHIND;
use crate::driver::{cache, input};
use crate::languages;
use crate::languages::frontend::Frontend;
use cleave_diag::{Diagnostic, FileId, Label, Severity, Sink, SourceFile, SourceMap, Span, code};
use cleave_strict::ide::{Candidate, Symbol, SymbolKind, TYPED};
use cleave_strict::lexemes::{Lexeme, Lexemes};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What the names of modules begin with that are part of the compiler.
pub const LIBRARY: &str = "<library>/";

/// The files that are open, and where others are.
#[derive(Default)]
pub struct Files {
    pub open: Vec<Document>,
    pub root: Option<PathBuf>,
    /// The editor wants to see where the memory of constructors is from.
    pub shows_memory: bool,
    /// Other files that were read for what the editor shows, and when they were changed last.
    seen: RefCell<BTreeMap<PathBuf, Option<SystemTime>>>,
    pub looks: Looks,
}

/// A file that is a list of lines with names.
pub struct Lines<'d> {
    pub listing: Box<dyn Listing + 'd>,
    sources: SourceMap,
    file: FileId,
}

impl Lines<'_> {
    pub fn of(document: &Document) -> Option<Lines<'_>> {
        let listing: Box<dyn Listing> = match document.language {
            "ir" => Box::new(Ir::read(&document.text)),
            "abc" => Box::new(Abc::read(&document.text)),
            _ => return None,
        };
        let mut sources = SourceMap::new();
        let file = sources.add(document.path.display().to_string(), document.text.clone().into_bytes());
        Some(Lines { listing, sources, file })
    }

    fn source(&self) -> &SourceFile {
        self.sources.file(self.file)
    }

    pub fn range(&self, bytes: &Range<usize>) -> Value {
        range(self.source(), bytes.start as u32, bytes.end as u32)
    }
}

impl Files {
    pub fn language(document: &Document) -> Option<&'static dyn Frontend> {
        languages::by_extension(document.language)
    }

    pub fn with(open: Vec<Document>) -> Files {
        Files { open, ..Files::default() }
    }

    /// Forgets which files were read.
    pub fn forget(&self) {
        self.seen.borrow_mut().clear();
    }

    /// True if a file that was read is another one now.
    pub fn have_changed(&self) -> bool {
        self.seen.borrow().iter().any(|(path, time)| changed(path) != *time)
    }

    /// The text of a file as the editor has it, or else as it is saved.
    pub fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        if let Some(open) = self.open.iter().find(|open| open.path == path) {
            return Ok(open.text.clone().into_bytes());
        }
        self.notice(path, changed(path));
        input::read(path)
    }

    /// A file that was not open was read, as it was saved then.
    pub fn notice(&self, path: &Path, time: Option<SystemTime>) {
        self.seen.borrow_mut().insert(path.to_path_buf(), time);
    }

    /// The errors of a file, as the editor shows them.
    pub fn diagnostics(&self, document: &Document) -> Value {
        let checked = self.checked(document);
        let found = diagnostics(&checked);
        checked.put_together();
        found
    }

    pub fn hover(&self, document: &Document, offset: usize) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            let Told { range, text, comment } = lines.listing.hover(offset)?;
            return Some(shown_hover(document.language, &text, &comment, lines.range(&range)));
        }
        let looked = self.looked(document)?;
        let found = looked.places.at(offset as u32)?;
        let comment = comment_of(found.sort, found.definition, &looked.sources);
        let place = range(looked.sources.file(looked.file), found.span.start, found.span.end);
        Some(shown_hover(document.language, &found.text.to_string(), &comment, place))
    }

    pub fn definition(&self, document: &Document, offset: usize) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            let place = lines.range(&lines.listing.definition(offset)?);
            return Some(object([("uri", document.uri.as_str().into()), ("range", place)]));
        }
        if let Some(place) = self.linked(document, offset) {
            return Some(place);
        }
        let looked = self.looked(document)?;
        location(looked.places.at(offset as u32)?.definition?, &looked.sources)
    }

    pub fn completion(&self, document: &Document, offset: usize) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            let (typed, found) = lines.listing.completion(offset);
            let place = lines.range(&typed);
            let items = found.into_iter().enumerate().map(|(order, found)| suggested(order, found, place.clone()));
            return Some(Value::List(items.collect()));
        }
        let text = &document.text;
        let lexemes = Files::language(document)?.lexemes(text.as_bytes()).unwrap_or_default();
        if is_quiet(text, &lexemes, offset) {
            return Some(Value::List(Vec::new()));
        }
        if document.language == "sam"
            && let Some(found) = self.import_at(document, &lexemes, offset)
        {
            return Some(found);
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let start = text.as_bytes()[..offset].iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
        let rest = &text.as_bytes()[offset..];
        let end = offset + rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let is_capital = text[start..].starts_with(|first: char| first.is_ascii_uppercase());
        let is_member = text[..start].ends_with('.');
        let typed = TYPED[usize::from(is_capital)];
        let mut found = None;
        for behind in BEHIND {
            let text = format!("{}{typed}{behind}{}", &text[..start], &text[end..]);
            let looked = self.look_near(document, text, Some(typed), start)?;
            if looked.places.is_exact {
                found = Some(looked);
                break;
            }
            // What can be read already, more signs do not make readable.
            let is_readable = !looked.sink.diagnostics().iter().any(|one| one.code == code::SYNTAX);
            found = found.or(Some(looked).filter(|_| !is_member));
            if is_readable {
                break;
            }
        }
        let found = found?;
        let known: BTreeSet<&str> = found.places.candidates.iter().map(|one| one.name.as_str()).collect();
        let others = match document.language == "sam" && is_capital && !is_member {
            true => self.importable(document, &text[start..offset], &known),
            false => Vec::new(),
        };
        let items: Vec<Value> = found
            .places
            .candidates
            .iter()
            .map(|Candidate { name, sort, text, definition }| {
                let (label, detail) = (Value::from(name.as_str()), Value::from(text.as_str()));
                let comment = comment_of(*sort, *definition, &found.sources);
                object([
                    ("label", label),
                    ("kind", item_kind(*sort).into()),
                    ("detail", detail),
                    ("documentation", Value::Text(comment)),
                ])
            })
            .chain(others)
            .collect();
        Some(Value::List(items))
    }

    /// The edits that give a file its form, or a part of it.
    pub fn formatting(&self, document: &Document, part: Option<Range<usize>>) -> Option<Value> {
        let format = Files::language(document)?.formatter()?;
        let (mut sources, mut sink) = (SourceMap::new(), Sink::new());
        let file = sources.add(document.path.display().to_string(), document.text.clone().into_bytes());
        let text = format(file, &sources, &mut sink)?;
        let text = if format::has_crlf(document.text.as_bytes()) { format::with_crlf(&text) } else { text };
        let edit = |edit: Edit<'_>| {
            let place = range(sources.file(file), edit.old.start as u32, edit.old.end as u32);
            object([("range", place), ("newText", edit.new.into())])
        };
        Some(Value::List(edits(&document.text, &text, part).into_iter().map(edit).collect()))
    }

    pub fn symbols(&self, document: &Document) -> Option<Value> {
        if let Some(lines) = Lines::of(document) {
            let value = |Defined { name, kind, detail, range, extent }: &Defined| {
                object([
                    ("name", name.as_str().into()),
                    ("detail", detail.as_str().into()),
                    ("kind", (*kind).into()),
                    ("range", lines.range(extent)),
                    ("selectionRange", lines.range(range)),
                    ("children", Value::List(Vec::new())),
                ])
            };
            return Some(Value::List(lines.listing.outline().iter().map(value).collect()));
        }
        let looked = self.looked(document)?;
        let file = looked.sources.file(looked.file);
        let symbols = &looked.places.symbols;
        let value = |symbol: &Symbol, children: Vec<Value>| {
            object([
                ("name", symbol.name.as_str().into()),
                ("detail", symbol.text.as_str().into()),
                ("kind", symbol_kind(symbol.sort).into()),
                ("range", range(file, symbol.extent.start, symbol.extent.end)),
                ("selectionRange", range(file, symbol.span.start, symbol.span.end)),
                ("children", Value::List(children)),
            ])
        };
        let mut parts: Vec<Vec<Value>> = vec![Vec::new(); symbols.len()];
        for symbol in symbols {
            if let Some(outer) = symbol.within {
                parts[outer].push(value(symbol, Vec::new()));
            }
        }
        let outer = symbols.iter().zip(parts).filter(|(symbol, _)| symbol.within.is_none());
        let all = outer.map(|(symbol, parts)| value(symbol, parts)).collect();
        Some(Value::List(all))
    }
}

/// True in comments and strings: nobody wants to be told there what to write.
fn is_quiet(text: &str, lexemes: &Lexemes, offset: usize) -> bool {
    lexemes.iter().any(|(range, lexeme)| match lexeme {
        // What ends with its line goes on where one types.
        Lexeme::Comment if text[range.clone()].starts_with("/*") => range.start < offset && offset < range.end,
        Lexeme::Comment | Lexeme::Directive => range.start < offset && offset <= range.end,
        Lexeme::Str => range.start < offset && (offset < range.end || !text[range.clone()].ends_with('"')),
        _ => false,
    })
}

/// A text of the language, and a comment.
fn shown_hover(ending: &str, text: &str, comment: &str, range: Value) -> Value {
    let mut value = format!("```{ending}\n{text}\n```");
    if !comment.is_empty() {
        value += &format!("\n\n{comment}");
    }
    let contents = object([("kind", "markdown".into()), ("value", Value::Text(value))]);
    object([("contents", contents), ("range", range)])
}

/// What may be typed in a range; editors keep the order.
fn suggested(order: usize, found: Suggestion, range: Value) -> Value {
    object([
        ("label", found.name.as_str().into()),
        ("kind", found.kind.into()),
        ("detail", Value::Text(found.detail)),
        ("documentation", Value::Text(found.comment)),
        ("sortText", Value::Text(format!("{order:06}"))),
        ("textEdit", object([("range", range), ("newText", found.name.as_str().into())])),
    ])
}

pub fn diagnostics(Looked { file, sources, sink, .. }: &Looked) -> Value {
    // A file that is open need not be the main module of a program.
    let shown = sink.diagnostics().iter().filter(|diagnostic| diagnostic.code != code::MISSING_MAIN);
    Value::List(shown.map(|diagnostic| shown_diagnostic(*file, sources, diagnostic)).collect())
}

pub fn shown_diagnostic(file: FileId, sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let span = match &diagnostic.primary {
        Some(label) if label.span.file == file => label.span,
        // What is wrong with another file is told where this one names it.
        Some(label) => {
            let named = imports::naming(&sources.file(file).bytes, &sources.file(label.span.file).name);
            Span::new(file, named.start as u32, named.end as u32)
        }
        None => Span::new(file, 0, 0),
    };
    let mut message = diagnostic.message.clone();
    for help in &diagnostic.help {
        message += &format!("\nhelp: {help}");
    }
    let elsewhere = diagnostic.primary.iter().filter(|label| label.span.file != file);
    let related = elsewhere.chain(&diagnostic.secondary).filter_map(|Label { span, text }| {
        let text = if text.is_empty() { "here" } else { text.as_str() };
        Some(object([("location", location(*span, sources)?), ("message", text.into())]))
    });
    let related: Vec<Value> = related.collect();
    let severity: u32 = if diagnostic.severity == Severity::Error { 1 } else { 2 };
    // What nobody uses is shown pale.
    const UNNECESSARY: u32 = 1;
    let unused = [
        code::UNUSED_VARIABLE,
        code::UNUSED_PARAMETER,
        code::UNUSED_FUNCTION,
        code::UNUSED_IMPORT,
        code::UNREACHABLE_CODE,
    ];
    let mut shown = [
        ("range", range(sources.file(file), span.start, span.end)),
        ("severity", severity.into()),
        ("source", "cleave".into()),
        ("code", Value::Text(diagnostic.code.to_string())),
        ("message", Value::Text(message)),
        ("relatedInformation", Value::List(related)),
    ]
    .map(|(name, value): (&str, Value)| (name.to_string(), value))
    .to_vec();
    if unused.contains(&diagnostic.code) {
        shown.push(("tags".to_string(), Value::List(vec![UNNECESSARY.into()])));
    }
    Value::Object(shown)
}

/// A place for the editor. What is in no file, as the library, gets one.
pub fn location(span: Span, sources: &SourceMap) -> Option<Value> {
    let file = sources.file(span.file);
    if let Some(name) = file.name.strip_prefix(LIBRARY) {
        let path = copied(name, &file.bytes)?;
        return Some(object([("uri", Value::Text(uri_of(&path))), ("range", range(file, span.start, span.end))]));
    }
    let is_address = file.name.contains(':') && !file.name.starts_with('/');
    let uri = if is_address { file.name.clone() } else { uri_of(Path::new(&file.name)) };
    debug_assert!(is_address || path_of(&uri) == Path::new(&file.name));
    Some(object([("uri", Value::Text(uri)), ("range", range(file, span.start, span.end))]))
}

/// A copy of a module that is part of the compiler, for reading: in the folder of the cache, if there is one.
fn copied(name: &str, text: &[u8]) -> Option<PathBuf> {
    let path = cache::folder()?.join("library").join(name);
    if std::fs::read(&path).is_ok_and(|old| old == text) {
        return Some(path);
    }
    cache::write(&path, text).ok()?;
    let mut permissions = std::fs::metadata(&path).ok()?.permissions();
    permissions.set_readonly(true);
    // Who can write it only changes the copy.
    let _ = std::fs::set_permissions(&path, permissions);
    Some(path)
}

/// The numbers of the protocol.
pub fn item_kind(sort: SymbolKind) -> u32 {
    match sort {
        SymbolKind::Method => 2,
        SymbolKind::Function => 3,
        SymbolKind::Field => 5,
        SymbolKind::Variable => 6,
        SymbolKind::Class => 7,
        SymbolKind::Interface => 8,
        SymbolKind::Module => 9,
        SymbolKind::Keyword => 14,
        SymbolKind::Constructor => 20,
        SymbolKind::TypeParameter => 25,
    }
}

pub fn symbol_kind(sort: SymbolKind) -> u32 {
    match sort {
        SymbolKind::Module => 2,
        SymbolKind::Class => 5,
        SymbolKind::Method => 6,
        SymbolKind::Field => 8,
        SymbolKind::Interface => 11,
        SymbolKind::Function => 12,
        SymbolKind::Variable | SymbolKind::Keyword => 13,
        SymbolKind::Constructor => 22,
        SymbolKind::TypeParameter => 26,
    }
}
