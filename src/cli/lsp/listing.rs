//! What the language server does alike for files that are lists of lines with names, IR and ABC (`ir`, `abc`). They are
//! read from the text alone, line by line, since a file that one types is full of errors: what cannot be read has no
//! names.

use std::ops::Range;

/// The numbers of the protocol, for what is suggested.
pub mod kind {
    pub const FUNCTION: u32 = 3;
    pub const CONSTRUCTOR: u32 = 4;
    pub const VARIABLE: u32 = 6;
    pub const KEYWORD: u32 = 14;
    pub const REFERENCE: u32 = 18;
    pub const CONSTANT: u32 = 21;
    pub const OPERATOR: u32 = 24;
    pub const TYPE: u32 = 25;
}

/// The numbers of the protocol, for what a file defines: functions, and all the rest.
pub mod symbol {
    pub const FUNCTION: u32 = 12;
    pub const CONSTANT: u32 = 14;
}

/// What a word is.
pub struct Told {
    pub range: Range<usize>,
    /// As the language writes it.
    pub text: String,
    pub comment: String,
}

/// What may stand where one types, the likeliest first.
pub struct Suggestion {
    pub name: String,
    pub kind: u32,
    /// In a few words: the operands of an instruction, what a name stands for.
    pub detail: String,
    /// What the table of instructions says.
    pub comment: String,
}

/// Something that a file defines.
pub struct Defined {
    pub name: String,
    pub kind: u32,
    pub detail: String,
    /// Of the name.
    pub range: Range<usize>,
    /// Of all that belongs to it.
    pub extent: Range<usize>,
}

/// A text that was read. Offsets are bytes.
pub trait Listing {
    /// The word at a place.
    fn hover(&self, offset: usize) -> Option<Told>;
    /// Where the name at a place is defined.
    fn definition(&self, offset: usize) -> Option<Range<usize>>;
    /// The word that is typed, and what may stand instead.
    fn completion(&self, offset: usize) -> (Range<usize>, Vec<Suggestion>);
    /// What the file defines.
    fn outline(&self) -> Vec<Defined>;
}

/// The lines of a text, without their ends.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        range
    })
}

/// The line of a place.
pub fn line_at(text: &str, offset: usize) -> Range<usize> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    start..start + text[start..end].trim_end_matches('\r').len()
}

/// The comment on the lines above a line, if they begin with this sign.
pub fn comment_above(text: &str, line: usize, sign: char) -> String {
    let above = text[..line].rsplit('\n').skip(1);
    let mut found: Vec<&str> = above.map_while(|line| line.trim().strip_prefix(sign)).map(str::trim).collect();
    found.reverse();
    found.join("\n")
}
