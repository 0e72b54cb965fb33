//! Pages of the manual, made from the definitions in `args`: one for cleave, one for each command.

use crate::cli::args::Cli;
use crate::cli::exit_code::written;
use crate::driver::output::{self, Destination, write_stdout};
use crate::driver::session::{Outcome, Session};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::path::Path;

/// `cleave man`: the page of cleave or of a command to stdout, or all pages to a folder.
pub fn run(session: &mut Session, subject: Option<&Path>) -> Outcome<i32> {
    let name = subject.map(|subject| subject.to_str().unwrap_or_default());
    let (page, folder) = (name.map_or_else(|| Some(page()), page_of), subject.unwrap_or(Path::new(".")));
    if let Some(page) = page {
        return Ok(written(page.and_then(|page| write_stdout(&page))));
    }
    let pages = pages(folder).unwrap_or_else(|error| panic!("text is written to memory: {error}"));
    let results: Vec<_> = pages.iter().map(|(destination, page)| (destination.clone(), &page[..])).collect();
    output::write_all(session, &results).map(|()| 0)
}

/// The page of cleave itself.
fn page() -> std::io::Result<Vec<u8>> {
    render(command())
}

/// The page of the command of this name, if there is one.
fn page_of(name: &str) -> Option<std::io::Result<Vec<u8>>> {
    command().find_subcommand(name).map(|sub| render(named(sub)))
}

/// All pages, in this folder.
fn pages(folder: &Path) -> std::io::Result<Vec<(Destination, Vec<u8>)>> {
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
