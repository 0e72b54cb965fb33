//! Collects diagnostics, and limits how many are shown for each file.
//!
//! A file shows at most twenty errors, and as many warnings; the rest is counted. A stage that works on several files
//! at once gives each its own sink and merges them in the order of the files, so that messages do not depend on the
//! number of threads.

use crate::{Diagnostic, FileId, Severity};

/// Errors shown per file, and warnings.
pub const LIMIT_PER_FILE: u32 = 20;

/// How many errors or warnings of one file are not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// The file with too many of them.
    pub file: FileId,
    /// What they are.
    pub severity: Severity,
    /// How many of them nobody sees.
    pub count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    shown: u32,
    hidden: u32,
}

/// The diagnostics of one compilation, or of one part of it.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    /// By file number: files are few and numbered from 0.
    counts: Vec<Count>,
    has_errors: bool,
}

impl Sink {
    /// A sink that has collected nothing.
    pub fn new() -> Sink {
        Sink::default()
    }

    /// Collects a message. An error beyond the limit of its file is only counted; a mistake that is met again in its
    /// file has one message.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if let (Some(mistake), Some(label)) = (&diagnostic.mistake, &diagnostic.primary) {
            let is_same = |other: &&mut Diagnostic| {
                let is_here = other.primary.as_ref().is_some_and(|other| other.span.file == label.span.file);
                is_here && other.mistake.as_ref() == Some(mistake)
            };
            if let Some(first) = self.diagnostics.iter_mut().rev().find(is_same) {
                return first.met_again(diagnostic);
            }
        }
        let is_error = diagnostic.severity == Severity::Error;
        self.has_errors |= is_error;
        if let (true, Some(label)) = (is_error, &diagnostic.primary) {
            let count = self.count_mut(label.span.file);
            if count.shown == LIMIT_PER_FILE {
                count.hidden = count.hidden.saturating_add(1);
                return;
            }
            count.shown += 1;
        }
        self.diagnostics.push(diagnostic);
    }

    /// Takes back all messages but the first ones, so many: a better one stands for them.
    pub fn withdraw(&mut self, kept: usize) {
        for diagnostic in self.diagnostics.split_off(kept.min(self.diagnostics.len())) {
            if let (Severity::Error, Some(label)) = (diagnostic.severity, &diagnostic.primary) {
                self.count_mut(label.span.file).shown -= 1;
            }
        }
    }

    /// Counts an error that would not be shown: for stages that ask [`Sink::is_full`] before they make a message.
    pub fn count_hidden(&mut self, file: FileId) {
        self.has_errors = true;
        let count = self.count_mut(file);
        count.hidden = count.hidden.saturating_add(1);
    }

    /// As [`Sink::report`] for an error in a file, but the message is not even made when it would not be shown.
    pub fn report_in(&mut self, file: FileId, make: impl FnOnce() -> Diagnostic) {
        if self.is_full(file) { self.count_hidden(file) } else { self.report(make()) }
    }

    /// True if further errors of a file would only be counted.
    pub fn is_full(&self, file: FileId) -> bool {
        self.counts.get(file.0 as usize).is_some_and(|count| count.shown == LIMIT_PER_FILE)
    }

    /// Adds what another sink collected.
    pub fn merge(&mut self, other: Sink) {
        for diagnostic in other.diagnostics {
            self.report(diagnostic);
        }
        for (index, count) in other.counts.into_iter().enumerate() {
            if count.hidden > 0 {
                let own = self.count_mut(FileId(index as u32));
                own.hidden = own.hidden.saturating_add(count.hidden);
            }
        }
        self.has_errors |= other.has_errors;
    }

    /// What a function makes of the messages, each of which may go.
    pub fn mapped(mut self, map: impl Fn(Diagnostic) -> Option<Diagnostic>) -> Sink {
        let all = std::mem::take(&mut self.diagnostics);
        for diagnostic in all {
            let was_error = diagnostic.severity == Severity::Error;
            match map(diagnostic) {
                Some(mapped) if mapped.severity == Severity::Error && !was_error => self.report(mapped),
                mapped => self.diagnostics.extend(mapped),
            }
        }
        self
    }

    /// True if an error was reported, shown or not.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Number of errors, shown or not.
    pub fn error_count(&self) -> usize {
        let shown = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        shown + self.counts.iter().map(|count| count.hidden as usize).sum::<usize>()
    }

    /// What is to be shown, in the order of the reports.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Puts the messages into the order of their places, those without one first.
    pub fn sort(&mut self) {
        self.diagnostics.sort_by_key(|diagnostic| {
            let span = diagnostic.primary.as_ref().map(|label| label.span);
            span.map(|span| (span.file.0, span.start))
        });
    }

    /// Files with more errors than are shown.
    pub fn hidden(&self) -> impl Iterator<Item = Hidden> + '_ {
        let files = self.counts.iter().enumerate().filter(|(_, count)| count.hidden > 0);
        files.map(|(index, count)| Hidden {
            file: FileId(index as u32),
            severity: Severity::Error,
            count: count.hidden,
        })
    }

    /// What people are shown, and what is left out: all warnings are kept, for editors and edits, but only the first
    /// [`LIMIT_PER_FILE`] of a file are shown.
    pub fn shown(&self) -> (Vec<&Diagnostic>, Vec<Hidden>) {
        let mut warnings: Vec<Count> = Vec::new();
        let mut shown = Vec::new();
        for diagnostic in &self.diagnostics {
            if let (Severity::Warning, Some(label)) = (diagnostic.severity, &diagnostic.primary) {
                let index = label.span.file.0 as usize;
                if index >= warnings.len() {
                    warnings.resize(index + 1, Count::default());
                }
                let count = &mut warnings[index];
                if count.shown == LIMIT_PER_FILE {
                    count.hidden += 1;
                    continue;
                }
                count.shown += 1;
            }
            shown.push(diagnostic);
        }
        let left_out = warnings.iter().enumerate().filter(|(_, count)| count.hidden > 0).map(|(index, count)| Hidden {
            file: FileId(index as u32),
            severity: Severity::Warning,
            count: count.hidden,
        });
        (shown, self.hidden().chain(left_out).collect())
    }

    fn count_mut(&mut self, file: FileId) -> &mut Count {
        let index = file.0 as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 1, Count::default());
        }
        &mut self.counts[index]
    }
}
