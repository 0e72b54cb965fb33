//! `check --fix`: the edits that diagnostics propose, made in the files.

use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, FileId, Sink, SourceMap, Span, code};
use std::collections::BTreeMap;

/// The edits of those messages that are wanted, by their files and in their order. Of two that touch each other only
/// the first is there.
pub fn edits(
    sink: &Sink,
    sources: &SourceMap,
    is_wanted: impl Fn(&Diagnostic) -> bool,
) -> BTreeMap<FileId, Vec<(Span, String)>> {
    let mut all: BTreeMap<FileId, Vec<(Span, String)>> = BTreeMap::new();
    for diagnostic in sink.diagnostics().iter().filter(|one| is_wanted(one)) {
        // Where several things can be meant, or something is still to be written, it is for the user.
        if let [fix] = &*cleave_diag::fixes(diagnostic, sources)
            && !fix.is_draft
        {
            for (span, text) in &fix.edits {
                all.entry(span.file).or_default().push((*span, text.clone()));
            }
        }
    }
    for edits in all.values_mut() {
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut at = 0;
        edits.retain(|(span, _)| {
            let is_free = span.start >= at;
            at = if is_free { span.end } else { at };
            is_free
        });
        // Of lines that are written at one place only the last ends what belongs together.
        for number in 1..edits.len() {
            if edits[number - 1].0 == edits[number].0 && edits[number - 1].1.ends_with("\n\n") {
                edits[number - 1].1.pop();
            }
        }
    }
    all
}

/// Makes the edits of a session, and gives a line for each: where it is, what was there, and what is.
pub fn apply(session: &mut Session) -> Outcome<Vec<String>> {
    let mut changes = Vec::new();
    for (file, edits) in edits(&session.sink, &session.sources, |_| true) {
        let source = session.sources.file(file);
        let mut bytes = Vec::with_capacity(source.bytes.len());
        let mut at = 0;
        for (span, text) in edits {
            changes.push(change(&session.sources, span, &text));
            bytes.extend(&source.bytes[at..span.start as usize]);
            bytes.extend(text.into_bytes());
            at = span.end as usize;
        }
        bytes.extend(&source.bytes[at..]);
        let name = source.name.clone();
        std::fs::write(&name, bytes).map_err(|error| {
            let message = format!("`{name}` cannot be written: {}", reason(&error));
            session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message))
        })?;
    }
    Ok(changes)
}

/// `main.sam:3: ` and what is done there.
fn change(sources: &SourceMap, span: Span, text: &str) -> String {
    let file = sources.file(span.file);
    let (line, before) = (file.position(span.start).line, sources.text(span));
    let (before, text) = (before.trim(), text.trim());
    let done = match (before.is_empty(), text.is_empty()) {
        (true, _) => format!("add `{text}`"),
        (_, true) => format!("leave out `{before}`"),
        _ => format!("`{before}` becomes `{text}`"),
    };
    format!("{}:{line}: {done}", file.name)
}
