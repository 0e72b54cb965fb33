//! What can be done about an error with one key: edits that its help describes; and all of them at once.

use super::answers::{Files, shown_diagnostic};
use super::documents::{Document, range};
use super::looks::Looked;
use crate::cli::fix;
use crate::driver::json::{Value, object};
use cleave_diag::{Diagnostic, FileId, Fix, SourceMap, Span, code};

impl Files {
    /// The edits for errors in a part of a file, or for all errors of the file, if the editor wants only such kinds.
    pub fn actions(&self, document: &Document, part: Option<&Value>, only: Option<&Value>) -> Value {
        let Some(part) = document.range(part) else { return Value::List(Vec::new()) };
        let checked = self.checked(document);
        if let Some(only) = only.map(Value::as_list) {
            let is_wanted = |kind: &str| {
                let mut wanted = only.iter().filter_map(Value::as_text);
                wanted.any(|wanted| {
                    kind.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            };
            if !is_wanted(QUICK_FIX) {
                let kinds = SOURCE.iter().filter(|kind| is_wanted(kind.0));
                return Value::List(kinds.filter_map(|kind| whole(document, &checked, *kind)).collect());
            }
        }
        let (file, sources) = (checked.file, &checked.sources);
        let touches = |diagnostic: &&Diagnostic| {
            diagnostic.primary.as_ref().is_some_and(|label| {
                let span = label.span;
                span.file == file && span.start as usize <= part.end && part.start <= span.end as usize
            })
        };
        let found = checked.sink.diagnostics().iter().filter(touches);
        let mut shown = Vec::new();
        for diagnostic in found {
            let fixes = cleave_diag::fixes(diagnostic, sources);
            shown.extend(fixes.iter().filter_map(|fix| self.action(document, file, sources, (diagnostic, fix))));
            if diagnostic.fixes.is_empty()
                && let Some(name) = unknown_class(diagnostic)
            {
                let found = self.classes_elsewhere(document, |other| other == name);
                let is_one = found.len() == 1;
                shown.extend(found.into_iter().map(|found| {
                    let title = format!("import it from `{}`", found.module);
                    let edits = Value::List(vec![found.edit]);
                    action(document, &title, is_one, edits, (file, sources, diagnostic))
                }));
            }
        }
        Value::List(shown)
    }

    fn action(
        &self,
        document: &Document,
        file: FileId,
        sources: &SourceMap,
        (diagnostic, fix): (&Diagnostic, &Fix),
    ) -> Option<Value> {
        if fix.edits.iter().any(|edit| edit.0.file != file) {
            return None;
        }
        let source = sources.file(file);
        let edits = fix.edits.iter().map(|(span, text)| {
            object([("range", range(source, span.start, span.end)), ("newText", text.as_str().into())])
        });
        let edits = Value::List(edits.collect());
        let is_only = diagnostic.fixes.len() <= 1;
        Some(action(document, &fix.title, is_only, edits, (file, sources, diagnostic)))
    }
}

/// Kinds of what can be done with an error.
pub const QUICK_FIX: &str = "quickfix";
/// Kinds of what can be done with a whole file, with their titles; for imports alone, or for all.
pub const SOURCE: [(&str, &str); 2] = [
    ("source.fixAll", "make all edits that are certain"),
    ("source.organizeImports", "remove imports that are not used"),
];

/// What is certain of a whole file as one action, unless it is nothing.
fn whole(document: &Document, checked: &Looked, (kind, title): (&str, &str)) -> Option<Value> {
    let is_import = |one: &Diagnostic| matches!(one.code, code::UNUSED_IMPORT | code::DUPLICATE_IMPORT);
    let is_wanted = |one: &Diagnostic| kind == SOURCE[0].0 || is_import(one);
    let edits = fix::edits(&checked.sink, &checked.sources, is_wanted).remove(&checked.file)?;
    let source = checked.sources.file(checked.file);
    let edit = |(span, text): (Span, String)| {
        object([("range", range(source, span.start, span.end)), ("newText", Value::Text(text))])
    };
    let changes = vec![(document.uri.clone(), Value::List(edits.into_iter().map(edit).collect()))];
    let edit = object([("changes", Value::Object(changes))]);
    Some(object([("title", title.into()), ("kind", kind.into()), ("edit", edit)]))
}

/// Edits of a document that mend what is wrong.
fn action(
    document: &Document,
    title: &str,
    is_preferred: bool,
    edits: Value,
    (file, sources, diagnostic): (FileId, &SourceMap, &Diagnostic),
) -> Value {
    let changes = Value::Object(vec![(document.uri.clone(), edits)]);
    object([
        ("title", title.into()),
        ("kind", QUICK_FIX.into()),
        ("diagnostics", Value::List(vec![shown_diagnostic(file, sources, diagnostic)])),
        ("isPreferred", Value::Bool(is_preferred)),
        ("edit", object([("changes", changes)])),
    ])
}

/// The class that nobody knows, and of which nothing else is known either: another file may define it.
fn unknown_class(diagnostic: &Diagnostic) -> Option<&str> {
    let is_it = matches!(diagnostic.code, code::UNKNOWN_CLASS | code::UNKNOWN_TYPE);
    diagnostic.message.strip_prefix("there is no class `")?.strip_suffix('`').filter(|_| is_it)
}
