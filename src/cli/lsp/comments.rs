//! What the comment above a definition says.

use crate::languages;
use cleave_diag::{SourceMap, Span};
use cleave_strict::ide::SymbolKind;
use std::path::Path;

/// The comment on the lines before a definition: lines that begin with `//`, or one of `/*` and `*/`.
pub fn comment_of(sort: SymbolKind, definition: Option<Span>, sources: &SourceMap) -> String {
    let Some(span) = definition.filter(|_| sort != SymbolKind::Variable) else { return String::new() };
    let file = sources.file(span.file);
    let before = file.bytes[..span.start as usize].rsplit(|&byte| byte == b'\n').skip(1);
    let mut lines = before.map(|line| String::from_utf8_lossy(line).trim().to_string()).peekable();
    let has_signatures =
        languages::by_path(Path::new(&file.name)).is_some_and(|language| language.has_signature_lines());
    if sort == SymbolKind::Function && has_signatures {
        lines.next_if(|line| !line.starts_with("//") && !line.ends_with("*/"));
    }
    if lines.peek().is_some_and(|line| line.ends_with("*/")) {
        return block(lines);
    }
    let text_of = |line: String| line.strip_prefix("//").map(|text| text.trim().to_string());
    upwards(lines.map_while(text_of).collect())
}

/// The text of a comment whose last line comes first. Behind something else it belongs to that.
fn block(lines: impl Iterator<Item = String>) -> String {
    let mut found = Vec::new();
    for line in lines {
        let is_first = line.starts_with("/*");
        if !is_first && line.contains("/*") {
            return String::new();
        }
        let line = line.strip_suffix("*/").unwrap_or(&line).trim_start_matches('/');
        found.push(line.trim_start_matches('*').trim_end_matches('*').trim().to_string());
        if is_first {
            return upwards(found);
        }
    }
    String::new()
}

/// Lines from the last to the first as a text, without those at its ends where nothing stands.
fn upwards(lines: Vec<String>) -> String {
    let text: Vec<String> = lines.into_iter().rev().collect();
    text.join("\n").trim_matches('\n').to_string()
}
