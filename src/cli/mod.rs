//! The command line: from arguments to an exit code.
//!
//! `args` defines every flag once, `search` and `passes` some of them · `clm` accepts the spelling of Clean's make tool ·
//! `emit` is the table of `--emit` · `javascript` says where a loader goes · `report` writes messages · `complete` writes
//! shell completions · `reduce` and `commands` do what was asked for. Exit codes: 0 success, 1 wrong input, 2 wrong usage, 101 our
//! bug; `run` passes on the status of the program.

pub mod args;
mod clm;
pub mod commands;
pub mod complete;
pub mod emit;
mod javascript;
pub mod passes;
pub mod reduce;
pub mod report;
mod sandbox;
pub mod search;

use crate::driver::crash;
use args::Cli;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::panic::AssertUnwindSafe;

/// The input is wrong.
pub const FAILURE: i32 = 1;
/// The command line is wrong.
pub const USAGE: i32 = 2;

/// Runs the command that the arguments ask for, and returns the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    crash::install_hook();
    std::panic::catch_unwind(AssertUnwindSafe(|| main_or_panic(args))).unwrap_or(crash::BUG)
}

fn main_or_panic(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args = args::with_default_command(clm::rewrite(args.into_iter().collect()));
    let command = Cli::command().bin_name("cleave");
    let parsed = command.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => commands::run(cli),
        Err(error) => {
            // Help and version go to stdout; a closed pipe is no error.
            let _ = error.print();
            if error.use_stderr() { USAGE } else { 0 }
        }
    }
}
