//! Open documents of an editor.

use cleave::cli::lsp::documents::*;
use cleave::driver::json::{Value, object};
use std::path::Path;

fn document(text: &str) -> Document {
    Document::new("", "", text.into(), Value::Null)
}

fn at(line: u32, character: u32) -> Value {
    object([("line", line.into()), ("character", character.into())])
}

#[test]
fn columns_are_units_of_utf_16() {
    let text = document("a𝄞b\r\nü = 1\n");
    assert_eq!(text.offset(&at(0, 3)), Some(5));
    assert_eq!(text.offset(&at(0, 9)), Some(6), "the line break is no part of the line");
    assert_eq!(text.offset(&at(1, 1)), Some(10));
    assert_eq!(text.offset(&at(7, 0)), Some(text.text.len()));
    let mut sources = cleave_diag::SourceMap::new();
    let file = sources.add("x", text.text.clone().into_bytes());
    assert_eq!(position(sources.file(file), 5), at(0, 3));
    assert_eq!(position(sources.file(file), 10), at(1, 1));
}

#[test]
fn changes() {
    let mut text = document("one\ntwo\n");
    let range = |start: Value, end: Value| object([("start", start), ("end", end)]);
    text.change(&object([("range", range(at(0, 3), at(1, 1))), ("text", "𝄞".into())]));
    assert_eq!(text.text, "one𝄞wo\n");
    text.change(&object([("range", range(at(0, 5), at(0, 5))), ("text", "t".into())]));
    assert_eq!(text.text, "one𝄞two\n");
    text.change(&object([("text", "all".into())]));
    assert_eq!(text.text, "all");
}

#[test]
fn languages() {
    assert_eq!(Document::new("untitled:1", "samlang", String::new(), Value::Null).language, "sam");
    assert_eq!(Document::new("file:///a.goo", "samlang", String::new(), Value::Null).language, "goo");
    assert_eq!(Document::new("file:///a.txt", "any", String::new(), Value::Null).language, "");
}

#[test]
fn addresses() {
    let path = Path::new("/a b/ü#%/c.sam");
    assert_eq!(uri_of(path), "file:///a%20b/%C3%BC%23%25/c.sam");
    assert_eq!(path_of(&uri_of(path)), path);
    assert_eq!(path_of("file:///c%3a/x%2"), Path::new("/c:/x%2"));
    assert_eq!(path_of("untitled:One.sam"), Path::new("untitled:One.sam"));
}
