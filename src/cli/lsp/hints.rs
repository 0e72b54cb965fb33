//! What nobody has written, shown between what is: types where variables are bound, and, if the editor wants it, where
//! the memory of constructors is from, behind their lines.

use super::answers::Files;
use super::documents::{Document, position};
use crate::driver::json::{Value, object};
use crate::driver::pipeline::Stop;
use crate::driver::rc_report;
use crate::driver::session::{Options, Session};
use crate::driver::snippet;
use cleave_strict::ide::SymbolKind;
use std::collections::BTreeMap;
use std::ops::Range;

impl Files {
    /// The types of the variables that are bound in a part of a file, and what is said of its constructors.
    pub fn hints(&self, document: &Document, part: Option<Range<usize>>) -> Value {
        const TYPE: u32 = 1;
        let Some(looked) = self.looked(document) else { return Value::List(Vec::new()) };
        let file = looked.sources.file(looked.file);
        let is_here = |at: usize| part.as_ref().is_none_or(|part| part.start <= at && at <= part.end);
        let bound = looked.places.occurrences.iter().filter(|found| {
            found.sort == SymbolKind::Variable
                && found.definition == Some(found.span)
                && is_here(found.span.end as usize)
        });
        // A place is noted once for each time that it is checked.
        let mut types: BTreeMap<u32, &str> = BTreeMap::new();
        for found in bound {
            let name = file.bytes.get(found.span.start as usize..found.span.end as usize).unwrap_or_default();
            let ty = std::str::from_utf8(name).ok().and_then(|name| found.text.type_of(name));
            let is_written = file.bytes[found.span.end as usize..].trim_ascii_start().starts_with(b":");
            // After a variable that takes all other cases stands a colon in any case.
            let is_case = document.language == "goo";
            if let Some(ty) = ty.filter(|ty| !ty.contains('?') && (is_case || !is_written)) {
                types.insert(found.span.end, ty);
            }
        }
        let hint = |(at, ty): (u32, &str)| {
            object([("position", position(file, at)), ("label", Value::Text(format!(": {ty}"))), ("kind", TYPE.into())])
        };
        let mut hints: Vec<Value> = types.into_iter().map(hint).collect();
        if self.shows_memory {
            let lines = memory(document);
            let here = lines.into_iter().filter(|line| is_here(line.0 as usize));
            hints.extend(here.map(|(at, text)| {
                let padding = ("paddingLeft", Value::Bool(true));
                object([("position", position(file, at)), ("label", text.as_str().into()), padding])
            }));
        }
        Value::List(hints)
    }
}

/// Of each line with constructors its end, and where their memory is from. Nothing while something is wrong: what the
/// program becomes is not known then. Other files count as they are saved.
fn memory(document: &Document) -> BTreeMap<u32, String> {
    let mut lines = BTreeMap::new();
    let mut session = Session::new(Options { locations: true, keep_all: true, library: true, ..Options::default() });
    let compiled = snippet::compile(&mut session, &document.path, &document.text, Stop::Built, &[]);
    let Some(module) = compiled.ok().and_then(|compiled| compiled.ir) else { return lines };
    let name = document.path.display().to_string();
    let Ok(found) = rc_report::constructors(&mut session, &module, &name) else { return lines };
    let mut ends = Vec::new();
    let mut end = 0;
    for line in document.text.split_inclusive('\n') {
        ends.push((end + line.trim_end().len()) as u32);
        end += line.len();
    }
    for (place, text) in found {
        let Some(&end) = ends.get(place.line as usize - 1) else { continue };
        let line: &mut String = lines.entry(end).or_default();
        if !line.is_empty() {
            line.push_str("; ");
        }
        line.push_str(&text);
    }
    lines
}
