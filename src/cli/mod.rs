//! The command line: from arguments to an exit code.
//!
//! `args` defines every flag once, `search` and `passes` some of them · `words` says which words are ours, `clm` how
//! Clean's make tool spells them · `emit` is the table of `--emit` · `javascript` says where a loader goes, `given`
//! what `run` is given, `below` what lies in folders, `main_module` which of it is meant, `new` makes one · `report`
//! writes messages · `complete` and `man` write completions and the manual, `doctor` what is found, `playground` serves
//! the page, `lsp` serves editors · `status` holds our exit codes, `explain` tells what an error code means · `program`
//! compiles one · `testing` runs tests, `repl` holds conversations, `watch` does it again and again · `check`,
//! `checking`, `fix`, `reduce`, `step`, `format`, `on_ir` and `commands` do what was asked for, `wat` writes
//! WebAssembly as text. Exit codes: 0 success, 1 wrong input, 2 wrong usage, 101 our bug; `run` passes on the status
//! of the program.

pub mod args;
#[doc(hidden)]
pub mod argv_split;
mod below;
mod c_library;
mod cache;
mod check;
mod checking;
mod clm;
pub mod commands;
pub mod complete;
pub mod doctor;
pub mod emit;
mod emit_c;
mod exit_code;
mod explain;
mod fix;
mod format;
mod help;
mod ir_commands;
mod javascript;
mod library;
mod limit;
mod lints;
pub mod lsp;
mod main_module;
mod man;
mod memory;
mod new;
pub mod passes;
pub mod playground;
mod program;
pub mod reduce;
mod refused;
mod repl;
pub mod report;
#[doc(hidden)]
pub mod sandbox;
pub mod search;
pub mod step;
mod testing;
mod wasm_input;
mod wat;
mod watch;
mod wit;

pub use exit_code::{FAILURE, USAGE};

use crate::driver::panic_hook;
use args::Cli;
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::panic::AssertUnwindSafe;

/// Runs the command that the arguments ask for, and returns the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    panic_hook::install_hook();
    std::panic::catch_unwind(AssertUnwindSafe(|| main_or_panic(args))).unwrap_or(panic_hook::BUG)
}

fn main_or_panic(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    let parse = |command: Command| {
        let args = argv_split::rewrite(args.clone(), &command)?;
        Cli::from_arg_matches(&command.try_get_matches_from(args)?)
    };
    // Texts are shortened only where some are shown, which takes as long as all else here.
    let command = || Cli::command().bin_name("cleave");
    match parse(command()).or_else(|_| parse(help::shorten(command()))) {
        Ok(cli) => commands::run(cli),
        Err(error) => {
            let printed = error.print();
            if error.use_stderr() { USAGE } else { exit_code::written(printed) }
        }
    }
}
