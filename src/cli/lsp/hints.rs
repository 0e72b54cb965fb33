//! Types that nobody has written, shown where variables are bound.

use super::answers::Files;
use super::documents::{Document, position};
use crate::driver::json::{Value, object};
use cleave_strict::ide::SymbolKind;
use std::collections::BTreeMap;
use std::ops::Range;

impl Files {
    /// The types of the variables that are bound in a part of a file.
    pub fn hints(&self, document: &Document, part: Option<Range<usize>>) -> Value {
        const TYPE: u32 = 1;
        let Some(looked) = self.look(document, document.text.clone(), None) else { return Value::List(Vec::new()) };
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
            let ty = found.text.as_bytes().strip_prefix(name).and_then(|rest| std::str::from_utf8(rest).ok());
            let is_written = file.bytes[found.span.end as usize..].trim_ascii_start().starts_with(b":");
            // After a variable that takes all other cases stands a colon in any case.
            let is_case = document.language == "goo";
            if let Some(ty) = ty.filter(|ty| ty.starts_with(": ") && !ty.contains('?') && (is_case || !is_written)) {
                types.insert(found.span.end, ty);
            }
        }
        let hint = |(at, ty): (u32, &str)| {
            object([("position", position(file, at)), ("label", ty.into()), ("kind", TYPE.into())])
        };
        Value::List(types.into_iter().map(hint).collect())
    }
}
