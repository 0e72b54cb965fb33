//! Exit codes of our own.

/// The input is wrong.
pub const FAILURE: i32 = 1;
/// The command line is wrong.
pub const USAGE: i32 = 2;
