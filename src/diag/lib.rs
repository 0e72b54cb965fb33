//! Source files, spans and diagnostics: how every stage says what is wrong with its input.
//!
//! Place in the pipeline: under everything. A stage builds [`Diagnostic`]s with a code of `code` and gives them to a
//! [`Sink`]; the driver renders what the sink collected with [`human`], [`short`] or [`json`].
//!
//! Invariant: rendering never fails and never trusts the input: files are bytes, messages may quote them.

pub mod code;
mod diagnostic;
mod human;
mod json;
mod sink;
mod span;
mod suggest;

pub use code::Code;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use human::{human, human_remark, short, short_remark};
pub use json::{JSON_VERSION, json, json_remark};
pub use sink::{Hidden, LIMIT_PER_FILE, Sink};
pub use span::{FileId, MAX_FILE_BYTES, Position, SourceFile, SourceMap, Span};
pub use suggest::nearest;

#[cfg(test)]
mod tests;
