//! Diagnostics for programs: one JSON object per line.
//!
//! The interface is stable: fields are added, never changed or removed, else [`JSON_VERSION`] grows. Columns count
//! characters from 1 and `end_column` is the first one after the span; `start` and `end` are byte offsets.

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Fix, Label};
use crate::human::{human, human_remark, remark};
use crate::sink::Hidden;
use crate::span::SourceMap;

/// The field `version` of each object.
pub const JSON_VERSION: u32 = 1;

/// The object that says how many errors of a file have none: its level is `note`, its code empty, and only it has the
/// fields `file` and `left_out`.
pub fn json_remark(hidden: Hidden, map: &SourceMap) -> String {
    let mut out = String::new();
    let _ = write!(out, "{{\"version\":{JSON_VERSION},\"code\":\"\",\"level\":\"note\",\"message\":");
    string(&mut out, &remark(hidden));
    out.push_str(",\"spans\":[],\"help\":[],\"file\":");
    string(&mut out, &map.file(hidden.file).name);
    let _ = write!(out, ",\"left_out\":{},\"rendered\":", hidden.count);
    string(&mut out, &human_remark(hidden, map));
    out.push('}');
    out
}

/// The object of one diagnostic, without a line break.
pub fn json(diagnostic: &Diagnostic, map: &SourceMap) -> String {
    let mut out = String::new();
    let _ = write!(out, "{{\"version\":{JSON_VERSION},\"code\":\"{}\"", diagnostic.code);
    let _ = write!(out, ",\"level\":\"{}\",\"message\":", diagnostic.severity.name());
    string(&mut out, &diagnostic.message);
    out.push_str(",\"spans\":[");
    for (index, label) in diagnostic.primary.iter().chain(&diagnostic.secondary).enumerate() {
        if index > 0 {
            out.push(',');
        }
        span(&mut out, label, diagnostic.primary.is_some() && index == 0, map);
    }
    out.push_str("],\"help\":[");
    for (index, help) in diagnostic.help.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        string(&mut out, help);
    }
    out.push(']');
    let known = crate::fixes(diagnostic, map);
    if !known.is_empty() {
        fixes(&mut out, &known, map);
    }
    out.push_str(",\"rendered\":");
    string(&mut out, &human(diagnostic, map, false));
    out.push('}');
    out
}

/// Edits: each has a title, and places with what stands there instead.
fn fixes(out: &mut String, fixes: &[Fix], map: &SourceMap) {
    out.push_str(",\"fixes\":[");
    for (index, fix) in fixes.iter().enumerate() {
        out.push_str(if index > 0 { ",{\"title\":" } else { "{\"title\":" });
        string(out, &fix.title);
        let _ = write!(out, ",\"draft\":{}", fix.is_draft);
        out.push_str(",\"edits\":[");
        for (index, (span, text)) in fix.edits.iter().enumerate() {
            out.push_str(if index > 0 { ",{\"file\":" } else { "{\"file\":" });
            string(out, &map.file(span.file).name);
            let _ = write!(out, ",\"start\":{},\"end\":{},\"text\":", span.start, span.end);
            string(out, text);
            out.push('}');
        }
        out.push_str("]}");
    }
    out.push(']');
}

fn span(out: &mut String, label: &Label, is_primary: bool, map: &SourceMap) {
    let file = map.file(label.span.file);
    let start = file.position(label.span.start);
    let end = file.position(label.span.end.max(label.span.start));
    out.push_str("{\"file\":");
    string(out, &file.name);
    let _ = write!(out, ",\"start\":{},\"end\":{}", label.span.start, label.span.end);
    let _ = write!(out, ",\"line\":{},\"column\":{}", start.line, start.column);
    let _ = write!(out, ",\"end_line\":{},\"end_column\":{}", end.line, end.column);
    let _ = write!(out, ",\"primary\":{is_primary},\"label\":");
    string(out, &label.text);
    out.push('}');
}

/// Appends a JSON string literal.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
