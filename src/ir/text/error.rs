//! Errors of the IR parser.

use std::fmt;

/// What is wrong with a text, and where (lines and columns count from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// One line.
    pub message: String,
    /// What is wrong is a name: the same message elsewhere is of the same mistake.
    pub is_of_name: bool,
    /// It stands for what is wrong in the last line of a function, whose `}` is missing.
    pub is_unclosed: bool,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
