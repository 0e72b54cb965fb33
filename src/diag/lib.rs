//! Source files, spans and diagnostics: how every stage says what is wrong with its input.
//!
//! Place in the pipeline: under everything. A stage builds [`Diagnostic`]s with a code of `code` and gives them to a
//! [`Sink`]; the driver renders what the sink collected with [`human`], [`short`] or [`json`].
//!
//! Invariant: rendering never fails and never trusts the input: files are bytes, messages may quote them.
//!
//! ```
//! use cleave_diag::{Diagnostic, Sink, SourceMap, Span, code, short};
//!
//! let mut files = SourceMap::new();
//! let file = files.add("sum.calc", b"1 + x\n".to_vec());
//! let mut sink = Sink::new();
//! sink.report(Diagnostic::error(code::UNKNOWN_VARIABLE, "`x` is not defined").at(Span::new(file, 4, 5), "used here"));
//! assert!(short(&sink.diagnostics()[0], &files).starts_with("sum.calc:1:5: error"));
//! ```

#![warn(missing_docs)]

pub mod code;
mod diagnostic;
mod human;
mod json;
mod lint;
mod meant;
mod sink;
mod span;
#[doc(hidden)]
pub mod suggest;

pub use code::Code;
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use human::{human, human_remark, short, short_remark};
pub use json::{JSON_VERSION, json, json_remark, string as json_string};
pub use lint::{LINTS, LintLevels, lint, lint_name};
pub use meant::fixes;
pub use sink::{Hidden, LIMIT_PER_FILE, Sink};
pub use span::{FileId, MAX_FILE_BYTES, Position, SourceFile, SourceMap, Span};
pub use suggest::nearest;
