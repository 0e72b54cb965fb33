//! What can be done about an error with one key: edits that its help describes.

use super::answers::{Files, shown_diagnostic};
use super::documents::{Document, range};
use crate::driver::json::{Value, object};
use cleave_diag::{Diagnostic, FileId, Fix, SourceMap, code};

impl Files {
    /// The edits for errors in a part of a file.
    pub fn actions(&self, document: &Document, part: Option<&Value>) -> Value {
        let Some(part) = document.range(part) else { return Value::List(Vec::new()) };
        let checked = self.checked(document);
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
        ("kind", "quickfix".into()),
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
