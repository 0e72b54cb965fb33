//! Completions for shells, made from the definitions in `args`.

use crate::cli::args::Cli;
use clap::CommandFactory;

/// The script for a shell.
pub fn script(shell: clap_complete::Shell) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cleave", &mut out);
    out
}
