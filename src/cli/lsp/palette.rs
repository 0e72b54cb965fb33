//! What a word can be, for who colours it.

use std::ops::Range;

/// What words are, as the protocol names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Comment,
    Text,
    Number,
    Keyword,
    Operator,
    Type,
    Class,
    Interface,
    Constructor,
    TypeParameter,
    Function,
    Method,
    Property,
    Variable,
    Label,
    Directive,
}

/// In the order of `Colour`.
pub const NAMES: [&str; 16] = [
    "comment",
    "string",
    "number",
    "keyword",
    "operator",
    "type",
    "class",
    "interface",
    "enumMember",
    "typeParameter",
    "function",
    "method",
    "property",
    "variable",
    "label",
    "macro",
];

pub type Colours = Vec<(Range<usize>, Colour)>;
