//! Pages of the manual, made from the definitions in `args`: one for cleave, one for each command.

use crate::cli::args::Cli;
use crate::driver::output::Destination;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;

/// The page of cleave itself.
pub fn page() -> std::io::Result<Vec<u8>> {
    render(command())
}

/// The page of the command of this name, if there is one.
pub fn page_of(name: &str) -> Option<std::io::Result<Vec<u8>>> {
    command().find_subcommand(name).map(|sub| render(named(sub)))
}

/// All pages, in this folder.
pub fn pages(folder: &Path) -> std::io::Result<Vec<(Destination, Vec<u8>)>> {
    let command = command();
    let mut pages = vec![(Destination::File(folder.join("cleave.1")), render(command.clone())?)];
    for sub in command.get_subcommands() {
        let sub = named(sub);
        let file = folder.join(format!("{}.1", sub.get_name()));
        pages.push((Destination::File(file), render(sub)?));
    }
    Ok(pages)
}

/// A command under the name of its page.
fn named(sub: &Command) -> Command {
    sub.clone().name(format!("cleave-{}", sub.get_name()))
}

/// With the flags that all commands have. The pages depend on the version, not on the commit.
fn command() -> Command {
    let version = env!("CARGO_PKG_VERSION");
    let mut command = Cli::command().bin_name("cleave").version(version).long_version(version);
    command = command.disable_help_subcommand(true);
    command.build();
    command
}

fn render(command: Command) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    Man::new(command).source(concat!("cleave ", env!("CARGO_PKG_VERSION"))).render(&mut out)?;
    Ok(out)
}
