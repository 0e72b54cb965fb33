//! Flags as `clm`, Clean's make tool, spells them.
//!
//! `clm` has flags of several letters after one dash (`-IL Platform`), which our parser of arguments does not know:
//! they are rewritten to long ones before it sees them, by the table below and nowhere else. Flags of one letter (`-I`,
//! `-P`) need no rewriting. To accept another flag of `clm`, add its row and define the long flag in `args.rs`.
//! Words after `--` belong to the program and stay as they are.

use std::ffi::OsString;

/// The spelling of `clm`, and ours.
const FLAGS: &[(&str, &str)] = &[("-IL", "--library"), ("-ci", "--check-indices")];

/// Replaces the flags of the table.
pub fn rewrite(mut args: Vec<OsString>) -> Vec<OsString> {
    for arg in args.iter_mut().skip(1).take_while(|arg| *arg != "--") {
        if let Some((_, ours)) = FLAGS.iter().find(|row| *arg == row.0) {
            *arg = ours.into();
        }
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_before_the_arguments_of_the_program() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let rewritten = rewrite(words("cleave run -IL Platform -I DIR -ILx main -- -IL x"));
        assert_eq!(rewritten, words("cleave run --library Platform -I DIR -ILx main -- -IL x"));
    }
}
