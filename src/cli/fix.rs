//! `check --fix`: the edits that diagnostics propose, made in the files.

use crate::driver::output::reason;
use crate::driver::session::{Outcome, Session};
use cleave_diag::{Diagnostic, FileId, Span, code};
use std::collections::BTreeMap;

/// Makes the edits of a session, and tells how many. Of two that touch each other only the first is made.
pub fn apply(session: &mut Session) -> Outcome<usize> {
    let mut edits: BTreeMap<FileId, Vec<(Span, String)>> = BTreeMap::new();
    for diagnostic in session.sink.diagnostics() {
        // Where several things can be meant, or something is still to be written, it is for the user.
        if let [fix] = &*cleave_diag::fixes(diagnostic, &session.sources)
            && !fix.is_draft
        {
            for (span, text) in &fix.edits {
                edits.entry(span.file).or_default().push((*span, text.clone()));
            }
        }
    }
    let mut count = 0;
    for (file, mut edits) in edits {
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let source = session.sources.file(file);
        let mut bytes = Vec::with_capacity(source.bytes.len());
        let mut at = 0;
        let places: Vec<Span> = edits.iter().map(|edit| edit.0).collect();
        for (number, (span, mut text)) in edits.into_iter().enumerate() {
            if (span.start as usize) < at {
                continue;
            }
            // Of lines that are written at one place only the last ends what belongs together.
            if places.get(number + 1) == Some(&span) && text.ends_with("\n\n") {
                text.pop();
            }
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
