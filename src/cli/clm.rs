//! Flags as `clm`, Clean's make tool, spells them.
//!
//! `clm` has flags of several letters after one dash (`-IL Platform`), which our parser of arguments does not know:
//! they are rewritten to long ones before it sees them (`words`), by the table below and nowhere else. Flags of one
//! letter (`-I`, `-P`) need no rewriting. To accept another flag of `clm`, add its row and define the long flag in
//! `args.rs`.

use std::ffi::OsStr;

/// The spelling of `clm`, and ours.
const FLAGS: &[(&str, &str)] = &[("-IL", "--library"), ("-ci", "--check-indices")];

/// Our spelling of a flag of the table.
pub fn ours(word: &OsStr) -> Option<&'static str> {
    FLAGS.iter().find(|row| word == row.0).map(|row| row.1)
}
