//! What a word is by its letters alone, for who colours a text: front ends tell it of any text, however wrong.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lexeme {
    /// What nobody reads but people.
    Comment,
    /// A string.
    Str,
    /// A number.
    Number,
    /// A word of the language.
    Keyword,
    /// A sign that stands for an operation, or for a definition.
    Operator,
    /// A name that begins as those of types do.
    Type,
    /// Any other name.
    Name,
    /// A line for the preprocessor.
    Directive,
}

/// Words with their bytes, in the order of the text. What is no word, and signs that only separate, are none.
pub type Lexemes = Vec<(Range<usize>, Lexeme)>;
