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

/// Makes the edits of a session, and tells how many.
pub fn apply(session: &mut Session) -> Outcome<usize> {
    let mut count = 0;
    for (file, edits) in edits(&session.sink, &session.sources, |_| true) {
        let source = session.sources.file(file);
        let mut bytes = Vec::with_capacity(source.bytes.len());
        let mut at = 0;
        for (span, text) in edits {
            bytes.extend(&source.bytes[at..span.start as usize]);
            bytes.extend(text.into_bytes());
            at = span.end as usize;
            count += 1;
        }
        bytes.extend(&source.bytes[at..]);
        let name = source.name.clone();
        std::fs::write(&name, bytes).map_err(|error| {
            let message = format!("`{name}` cannot be written: {}", reason(&error));
            session.fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message))
        })?;
    }
    Ok(count)
}
