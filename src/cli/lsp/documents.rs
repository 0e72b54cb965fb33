//! Open documents of the language server, and positions as the protocol has them: lines from 0, columns in units of
//! UTF-16, URIs for paths.

use crate::driver::json::{Value, object};
use crate::languages;
use crate::languages::frontend::Frontend;
use cleave_diag::SourceFile;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is open in the editor.
pub struct Document {
    /// As the editor names it.
    pub uri: String,
    pub path: PathBuf,
    pub text: String,
    /// The ending of files in its language; empty if nobody knows it.
    pub language: &'static str,
    /// The number that the editor gives to this text.
    pub version: Value,
    /// Of this text: no other text of any file has it.
    pub stamp: u64,
    /// The diagnostics that the editor shows, and for which text, to say nothing twice.
    pub shown: Option<(Value, Value)>,
}

/// What editors call IR, and the ending of its files.
const IR: (&str, &str) = ("cleave-ir", "ir");

/// The language of a file by the ending of its name, or else by what the editor calls it.
fn language(path: &Path, id: &str) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending_of = |language: &'static dyn Frontend| language.extensions().first().copied();
    let by_ending = languages::by_extension(ending).and_then(ending_of).or((ending == IR.1).then_some(IR.1));
    let by_id = || languages::by_editor_name(id).and_then(ending_of).or((id == IR.0).then_some(IR.1));
    by_ending.or_else(by_id).unwrap_or_default()
}

fn next_stamp() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

impl Document {
    pub fn new(uri: &str, id: &str, text: String, version: Value) -> Document {
        let path = path_of(uri);
        let (uri, language, stamp) = (uri.to_string(), language(&path, id), next_stamp());
        Document { uri, language, path, text, version, stamp, shown: None }
    }

    /// A file that is not open.
    pub fn of_path(path: &Path, text: String) -> Document {
        let uri = if path.is_absolute() { uri_of(path) } else { path.to_string_lossy().into_owned() };
        Document::new(&uri, "", text, Value::Null)
    }

    /// The same text, of which nothing is shown.
    pub fn copy(&self) -> Document {
        let (uri, path, text) = (self.uri.clone(), self.path.clone(), self.text.clone());
        let language = self.language;
        Document { uri, language, path, text, version: Value::Null, stamp: next_stamp(), shown: None }
    }

    /// The bytes of a range of the editor.
    pub fn range(&self, range: Option<&Value>) -> Option<std::ops::Range<usize>> {
        let (start, end) = (self.offset(range?.get(&["start"])?)?, self.offset(range?.get(&["end"])?)?);
        (start <= end).then_some(start..end)
    }

    /// The byte at a position of the editor. Beyond the end of a line is the end of the line.
    pub fn offset(&self, position: &Value) -> Option<usize> {
        let (line, character) = (position.get(&["line"])?.as_index()?, position.get(&["character"])?.as_index()?);
        let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
        let rest = self.text[start..].split(['\n', '\r']).next().unwrap_or_default();
        let mut units = 0;
        for (at, letter) in rest.char_indices() {
            if units >= character {
                return Some(start + at);
            }
            units += letter.len_utf16();
        }
        Some(start + rest.len())
    }

    /// Applies a change: of a range, or of everything.
    pub fn change(&mut self, change: &Value) {
        let Some(text) = change.get(&["text"]).and_then(Value::as_text) else { return };
        self.stamp = next_stamp();
        let offset = |end: &str| self.offset(change.get(&["range", end])?);
        match (offset("start"), offset("end")) {
            (Some(start), Some(end)) if start <= end => self.text.replace_range(start..end, text),
            _ => self.text = text.to_string(),
        }
    }
}

/// The place of a byte as an editor counts.
pub fn position(file: &SourceFile, offset: u32) -> Value {
    let offset = (offset as usize).min(file.bytes.len());
    let (line, start) = file.line_of(offset as u32);
    let before = &file.bytes[start.min(offset)..offset];
    // All places of a long line are asked for.
    let units: usize = match before.is_ascii() {
        true => before.len(),
        false => String::from_utf8_lossy(before).chars().map(char::len_utf16).sum(),
    };
    object([("line", line.into()), ("character", (units as u32).into())])
}

/// A range of bytes.
pub fn range(file: &SourceFile, start: u32, end: u32) -> Value {
    object([("start", position(file, start)), ("end", position(file, end.max(start)))])
}

/// The path of an address `file:///…`; other addresses stand for themselves, so that what is not saved has a name.
pub fn path_of(uri: &str) -> PathBuf {
    let Some(rest) = uri.strip_prefix("file://") else { return PathBuf::from(uri) };
    let rest = rest.find('/').map_or(rest, |at| &rest[at..]);
    let mut bytes = Vec::with_capacity(rest.len());
    let mut rest = rest.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let code = more.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| first == b'%');
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// The address of a path.
pub fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
