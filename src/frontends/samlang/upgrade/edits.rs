//! Changes of a text, by places: some replace a part, others make it anew of pieces of the source, which have changes
//! of their own.

use cleave_diag::Span;

/// A piece of what takes the place of a part.
#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    /// From a place of the source up to another, with its changes.
    Source(u32, u32),
}

impl Part {
    pub fn text(text: &str) -> Part {
        Part::Text(text.to_string())
    }
}

#[derive(Debug)]
struct Edit {
    start: u32,
    end: u32,
    parts: Vec<Part>,
}

#[derive(Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    pub fn replace(&mut self, span: Span, text: &str) {
        self.rebuild(span, vec![Part::text(text)]);
    }

    pub fn insert(&mut self, place: u32, text: &str) {
        self.edits.push(Edit { start: place, end: place, parts: vec![Part::text(text)] });
    }

    pub fn rebuild(&mut self, span: Span, parts: Vec<Part>) {
        self.edits.push(Edit { start: span.start, end: span.end, parts });
    }

    pub fn apply(mut self, text: &str) -> String {
        // Of what begins at a place the larger comes first; what is inserted there comes before it, in its order.
        self.edits.sort_by_key(|edit| (edit.start, edit.end > edit.start, std::cmp::Reverse(edit.end)));
        let mut out = String::with_capacity(text.len() + text.len() / 8);
        self.render(text, (0, text.len() as u32), None, &mut out);
        out
    }

    /// Writes a part of the source; `inside` is the edit that it is a piece of.
    fn render(&self, text: &str, (start, end): (u32, u32), inside: Option<usize>, out: &mut String) {
        let mut at = start;
        for (number, edit) in self.edits.iter().enumerate() {
            let is_outside = edit.start < at || edit.end > end || inside == Some(number);
            // What is inserted at the end of a piece belongs to it; what is inserted where it begins, too.
            if is_outside {
                continue;
            }
            out.push_str(&text[at as usize..edit.start as usize]);
            for part in &edit.parts {
                match part {
                    Part::Text(text) => out.push_str(text),
                    Part::Source(start, end) => self.render(text, (*start, *end), Some(number), out),
                }
            }
            at = edit.end;
        }
        out.push_str(&text[at as usize..end as usize]);
    }
}
