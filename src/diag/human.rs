//! Diagnostics for people: the long form with the source line, and one line per message.
//!
//! `annotate-snippets` draws; it wants text, so only the lines that carry a label are decoded and handed over. It cuts
//! long lines itself and counts columns as [`crate::SourceFile::position`] does, which a test compares.

use std::fmt::Write;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::sink::Hidden;
use crate::span::{SourceMap, decode};

/// The long form, without a line break at its end.
pub fn human(diagnostic: &Diagnostic, map: &SourceMap, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(decode(diagnostic.message.as_bytes())).id(diagnostic.code.to_string());
    let mut group = Group::with_title(title);
    for line in lines_with_labels(diagnostic, map) {
        group = line.add_to(group, map);
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(decode(help.as_bytes())));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group]).to_string()
}

/// The last words about a file whose errors or warnings are not all shown.
pub fn human_remark(hidden: Hidden, map: &SourceMap) -> String {
    format!("{}: {}", map.file(hidden.file).name, remark(hidden))
}

/// `file:line:column: error[E0203]: message`
pub fn short(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let mut text = String::new();
    if let Some(Label { span, .. }) = diagnostic.primary {
        let position = map.position(span);
        let _ = write!(text, "{}:{}:{}: ", map.file(span.file).name, position.line, position.column);
    }
    let message = decode(diagnostic.message.as_bytes());
    let _ = write!(text, "{}[{}]: {message}", diagnostic.severity.name(), diagnostic.code);
    text
}

/// The one-line form of [`human_remark`].
pub fn short_remark(hidden: Hidden, map: &SourceMap) -> String {
    human_remark(hidden, map)
}

pub(crate) fn remark(hidden: Hidden) -> String {
    let plural = if hidden.count == 1 { "" } else { "s" };
    format!("… and {} more {}{plural}", hidden.count, hidden.severity.name())
}

/// A source line and the labels on it.
struct LabelledLine<'d> {
    file: crate::FileId,
    index: usize,
    labels: Vec<(AnnotationKind, &'d Label)>,
}

/// The line of the primary label first, then the others in the order of their labels.
fn lines_with_labels<'d>(diagnostic: &'d Diagnostic, map: &SourceMap) -> Vec<LabelledLine<'d>> {
    let primary = diagnostic.primary.iter().map(|label| (AnnotationKind::Primary, label));
    let secondary = diagnostic.secondary.iter().map(|label| (AnnotationKind::Context, label));
    let mut lines: Vec<LabelledLine> = Vec::new();
    for (kind, label) in primary.chain(secondary) {
        let file = label.span.file;
        let index = map.file(file).line_index(label.span.start);
        match lines.iter_mut().find(|line| line.file == file && line.index == index) {
            Some(line) => line.labels.push((kind, label)),
            None => lines.push(LabelledLine { file, index, labels: vec![(kind, label)] }),
        }
    }
    lines
}

impl LabelledLine<'_> {
    fn add_to<'g>(&self, group: Group<'g>, map: &SourceMap) -> Group<'g> {
        let file = map.file(self.file);
        let (from, to) = file.line_range(self.index);
        let source = decode(&file.bytes[from..to]);
        // An offset inside a character means its end; only then does the decoded beginning differ from the line's.
        let at = |offset: u32| {
            let mut ends = ((offset as usize).clamp(from, to)..=to).map(|end| decode(&file.bytes[from..end]));
            ends.find(|begin| source.starts_with(begin.as_str())).map_or(source.len(), |begin| begin.len())
        };
        let annotations: Vec<Annotation<'g>> = (self.labels.iter())
            .map(|&(kind, label)| {
                let start = at(label.span.start);
                let end = at(label.span.end).max(start);
                let text = (!label.text.is_empty()).then(|| decode(label.text.as_bytes()));
                kind.span(start..end).label(text)
            })
            .collect();
        let snippet = Snippet::source(source).path(file.name.clone()).line_start(self.index + 1).fold(false);
        group.element(snippet.annotations(annotations))
    }
}
