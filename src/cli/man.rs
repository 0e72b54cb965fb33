//! Pages of the manual, made from the definitions in `args`: one for cleave, one for each command.

use crate::cli::args::Cli;
use crate::cli::exit_code::written;
use crate::driver::output::{self, Destination, write_stdout};
use crate::driver::session::{Outcome, Session};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;

/// Writes the page of cleave, or all of them to a folder.
pub fn run(session: &mut Session, folder: Option<&Path>) -> Outcome<i32> {
    let Some(folder) = folder else { return Ok(written(page().and_then(|page| write_stdout(&page)))) };
    let pages = pages(folder).unwrap_or_else(|error| panic!("text is written to memory: {error}"));
    let results: Vec<_> = pages.iter().map(|(destination, page)| (destination.clone(), &page[..])).collect();
    output::write_all(session, &results).map(|()| 0)
}

/// The page of cleave itself.
fn page() -> std::io::Result<Vec<u8>> {
    render(command())
}

/// All pages, in this folder.
fn pages(folder: &Path) -> std::io::Result<Vec<(Destination, Vec<u8>)>> {
    let command = command();
    let mut pages = vec![(Destination::File(folder.join("cleave.1")), render(command.clone())?)];
    for sub in command.get_subcommands() {
        let name = format!("cleave-{}", sub.get_name());
        let file = folder.join(format!("{name}.1"));
        pages.push((Destination::File(file), render(sub.clone().name(name))?));
    }
    Ok(pages)
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
