//! Values and objects as text, for the debugger. An object is named by its address: `#1f40`.

use super::data::{Object, ObjectKind, Shown, name};
use super::debugger::Debugger;
use std::fmt::Write;

/// Longest text of a value.
const MAX_TEXT: usize = 100;

enum Item {
    Value(Shown),
    Text(&'static str),
}

impl Debugger<'_> {
    /// A value with what it refers to, as a program would write it, up to about a line: `Pair(1, Leaf)`. Thunks
    /// are written as `<label>`; nothing is evaluated.
    pub fn text(&self, value: &Shown) -> String {
        let mut out = String::new();
        let mut open = vec![Item::Value(value.clone())];
        while let Some(item) = open.pop() {
            if out.len() > MAX_TEXT {
                out.push('…');
                break;
            }
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Value(Shown::Object(address)) => match self.object(address) {
                    Some(object) => self.open(object, &mut out, &mut open),
                    None => out.push_str("<nothing>"),
                },
                Item::Value(value) => out.push_str(&simple(&value)),
            }
        }
        out
    }

    fn open(&self, object: Object, out: &mut String, open: &mut Vec<Item>) {
        match object.kind {
            ObjectKind::Basic => out.push_str(&object.fields.first().map(simple).unwrap_or_default()),
            ObjectKind::String => {
                let bytes = object.text.unwrap_or_default();
                let _ = write!(out, "{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_TEXT)]));
            }
            ObjectKind::Thunk => {
                let _ = write!(out, "<{}>", object.name);
            }
            ObjectKind::Blackhole => out.push_str("<being evaluated>"),
            ObjectKind::Free => out.push_str("<freed>"),
            ObjectKind::Indirection => open.extend(object.fields.into_iter().next().map(Item::Value)),
            ObjectKind::Node | ObjectKind::Array => {
                let (first, last) = if object.kind == ObjectKind::Array { ("{", "}") } else { ("(", ")") };
                if object.kind == ObjectKind::Node {
                    out.push_str(&object.name);
                }
                if object.fields.is_empty() && object.kind == ObjectKind::Node {
                    return;
                }
                out.push_str(first);
                open.push(Item::Text(last));
                for (index, field) in object.fields.into_iter().take(MAX_TEXT).enumerate().rev() {
                    open.push(Item::Value(field));
                    if index > 0 {
                        open.push(Item::Text(", "));
                    }
                }
            }
        }
    }

    /// A cell alone, with its fields: `Pair(1, #1f4c)`.
    pub fn object_text(&self, object: &Object) -> String {
        let field = |field: &Shown| match field {
            Shown::Object(address) => match self.object(*address) {
                // What has no fields is no box of its own.
                Some(object) if object.is_static && !object.fields.iter().any(|f| matches!(f, Shown::Object(_))) => {
                    self.text(&Shown::Object(*address))
                }
                _ => name(*address),
            },
            other => simple(other),
        };
        let mut fields: Vec<String> = object.fields.iter().map(field).collect();
        if object.more > 0 {
            fields.push(format!("… {} more", object.more));
        }
        match object.kind {
            ObjectKind::Node if fields.is_empty() => object.name.clone(),
            ObjectKind::Node => format!("{}({})", object.name, fields.join(", ")),
            ObjectKind::Thunk if fields.is_empty() => format!("<{}>", object.name),
            ObjectKind::Thunk => format!("<{} {}>", object.name, fields.join(" ")),
            ObjectKind::Indirection => format!("→ {}", fields.join(" ")),
            ObjectKind::Array => format!("{{{}}}", fields.join(", ")),
            ObjectKind::Basic | ObjectKind::String | ObjectKind::Blackhole | ObjectKind::Free => {
                self.text(&Shown::Object(object.address))
            }
        }
    }
}

fn simple(value: &Shown) -> String {
    match value {
        Shown::Int(number) => number.to_string(),
        Shown::Real(number) => format!("{number:?}"),
        Shown::Truth(truth) => if *truth { "True" } else { "False" }.into(),
        Shown::Character(byte) => format!("{:?}", *byte as char),
        Shown::Nullary(name) => name.clone(),
        Shown::Object(address) => name(*address),
        Shown::Gone => "(no longer there)".into(),
    }
}
