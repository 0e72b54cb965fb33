//! Edits of messages that say only in words what was meant: the name behind `did you mean`, instead of the one that
//! stands there.

use crate::{Diagnostic, Fix, SourceMap, Span};
use std::borrow::Cow;

/// What a message says before the name.
const QUESTION: &str = "did you mean `";

/// The edits of a diagnostic, or else what its words propose.
pub fn fixes<'d>(diagnostic: &'d Diagnostic, sources: &SourceMap) -> Cow<'d, [Fix]> {
    match diagnostic.fixes.is_empty() {
        true => Cow::Owned(meant(diagnostic, sources).into_iter().collect()),
        false => Cow::Borrowed(&diagnostic.fixes),
    }
}

/// The name that was meant, instead of the first that the message quotes.
fn meant(diagnostic: &Diagnostic, sources: &SourceMap) -> Option<Fix> {
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
    let name = texts.filter_map(|text| text.split_once(QUESTION)?.1.split_once('`')).next()?.0;
    let span = diagnostic.primary.as_ref()?.span;
    let line_end = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    // The mark may be as short as a letter.
    let rest = &sources.file(span.file).bytes[span.start as usize..];
    let rest = std::str::from_utf8(&rest[..line_end(rest)]).ok()?;
    // Of the names that it quotes, or with which it begins, the one that stands there.
    let first = diagnostic.message.split(' ').next().filter(|word| !word.contains('`'));
    let quoted = || diagnostic.message.split('`').skip(1).step_by(2).chain(first).filter(|&word| word != name);
    let wrong = quoted().find(|word| rest.starts_with(word)).or_else(|| quoted().find(|word| rest.contains(word)))?;
    let start = span.start + rest.find(wrong)? as u32;
    let place = Span { start, end: start + wrong.len() as u32, ..span };
    Some(Fix { title: format!("write `{name}`"), edits: vec![(place, name.to_string())], is_draft: false })
}
