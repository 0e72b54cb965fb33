//! Files, positions in them, and how positions are counted.
//!
//! Every message of the compiler points into a file of one [`SourceMap`]. A [`Span`] is 12 bytes and is kept in large
//! numbers; lines and columns are computed only when a message is rendered. Files are bytes, not text: some
//! carry raw characters of 128 and above in strings, in no particular encoding.
//!
//! Columns count characters from 1, where a byte that is not part of valid UTF-8 is one character.

use std::sync::OnceLock;

/// The number of a file in its [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// Bytes `start..end` of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file that holds the bytes.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of a file.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }
}

/// The largest file whose positions fit a span. Who loads files refuses larger ones.
pub const MAX_FILE_BYTES: usize = u32::MAX as usize - 1;

/// A file: the name as shown in messages, and its bytes.
#[derive(Debug)]
pub struct SourceFile {
    /// As the user wrote it, or would.
    pub name: String,
    /// The contents, in no particular encoding.
    pub bytes: Vec<u8>,
    /// Offset of the first byte of each line, computed at the first question.
    line_starts: OnceLock<Vec<u32>>,
}

/// Line and column of a byte, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// Of the file, from 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl SourceFile {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect()
        })
    }

    /// The line (from 0) that holds a byte. Offsets beyond the end belong to the last line.
    pub(crate) fn line_index(&self, offset: u32) -> usize {
        let offset = offset.min(self.bytes.len() as u32);
        self.line_starts().partition_point(|&start| start <= offset) - 1
    }

    /// Start and end of a line (from 0) without its line break.
    pub(crate) fn line_range(&self, index: usize) -> (usize, usize) {
        let starts = self.line_starts();
        let start = starts[index] as usize;
        let end = starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize - 1);
        let end = if end > start && self.bytes[end - 1] == b'\r' { end - 1 } else { end };
        (start, end)
    }

    /// The number of the line of a byte, from 0 on, and where that line begins.
    pub fn line_of(&self, offset: u32) -> (u32, usize) {
        let index = self.line_index(offset);
        (index as u32, self.line_range(index).0)
    }

    /// Line and column of a byte. The line break itself is one place, just after the line.
    pub fn position(&self, offset: u32) -> Position {
        self.position_up_to(offset, u32::MAX)
    }

    /// The same, but columns beyond the last one are that one: what is left of it in a very long line is not looked at.
    pub fn position_up_to(&self, offset: u32, last: u32) -> Position {
        let index = self.line_index(offset);
        let (start, end) = self.line_range(index);
        let bytes = &self.bytes[start..(offset as usize).min(end)];
        // No character is longer.
        let is_beyond = bytes.len() / 4 >= last as usize;
        let columns = |chunk: std::str::Utf8Chunk| chunk.valid().chars().count() + chunk.invalid().len();
        let column = if is_beyond { last } else { bytes.utf8_chunks().map(columns).sum::<usize>() as u32 + 1 };
        Position { line: index as u32 + 1, column: column.min(last) }
    }
}

/// Bytes as text: each byte outside valid UTF-8 becomes one replacement character, as do control characters (so that
/// a message cannot carry terminal commands). Tabs stay.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.extend(chunk.valid().chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }));
        text.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    text
}

/// All files of one compilation.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file. The name is shown as it is: pass the path as the user would write it.
    pub fn add(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> FileId {
        self.files.push(SourceFile { name: name.into(), bytes, line_starts: OnceLock::new() });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file with this number. Panics if it belongs to another map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their numbers, in the order in which they were added.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> String {
        let bytes = self.file(span.file).bytes.get(span.start as usize..span.end as usize);
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }

    /// The edits that exchange what stands at two places.
    pub fn exchange(&self, first: Span, second: Span) -> Vec<(Span, String)> {
        vec![(first, self.text(second)), (second, self.text(first))]
    }

    /// Line and column of the start of a span.
    pub fn position(&self, span: Span) -> Position {
        self.file(span.file).position(span.start)
    }
}
