//! Programs that nobody tuned for: folders of compiled Clean programs with a list, beside Clean's own native code.
//!
//! `list` reads what a folder holds · `way` runs a program in one of the columns · `node` finds the newest node ·
//! `rows` compiles and takes samples · `tables` sums up.
//!
//! Nothing about a program is known here but what its list says, so any Clean program can be measured. Rounds are
//! interleaved and minima compared. A program that fails in a column is named, is missing from its means, and makes the
//! command fail at its end.

pub mod list;
mod node;
mod rows;
mod tables;
mod way;

use crate::args::OutputArgs;
use crate::clean::CleanArgs;
use crate::input::Scratch;
use crate::machine::Machine;
use crate::report::publish;
use crate::runner::progress;
use anyhow::{Result, bail};
use clap::Args;
use node::Node;
use rows::{Column, Set};
use std::path::PathBuf;
use way::Way;

#[derive(Args, Clone, Debug)]
pub struct WideArgs {
    /// Folders of programs, each with a list `programs.txt` [default: those of this project, in bench/wide]
    ///
    /// A line of the list is: NAME MAIN.abc BYTES HASH STDIN ARGUMENT… BYTES and HASH (FNV-1a, 64 bits) are those of
    /// the output; STDIN is `-` for nothing, `=TEXT` for a line with this text, or a file.
    #[arg(value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Folders of modules that the programs import, such as StdEnv
    #[arg(short = 'L', value_name = "DIR")]
    pub libraries: Vec<PathBuf>,
    /// Only programs whose names contain one of these texts
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Rounds; in each of them every program runs once in each column
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Also measure programs compiled without this pass: what it is worth alone; may be given several times
    #[arg(long, value_name = "PASS", value_delimiter = ',', value_parser = cleave::cli::passes::pass_parser())]
    pub without: Vec<String>,
    /// Do not run executables of our own
    #[arg(long)]
    pub no_native: bool,
    /// Do not run WebAssembly in the engine inside cleave
    #[arg(long)]
    pub no_wasmtime: bool,
    /// An executable of node [default: the newest in PATH]
    #[arg(long, value_name = "PROGRAM", conflicts_with = "no_node")]
    pub node: Option<PathBuf>,
    /// Do not use node
    #[arg(long)]
    pub no_node: bool,
    #[command(flatten)]
    pub clean: CleanArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub fn main(args: &WideArgs) -> Result<()> {
    let Some(clean) = args.clean.clean() else { bail!("ratios are those to Clean's native code: --clean is missing") };
    let programs = programs(args)?;
    let node = node(args)?;
    let mut machine = Machine::new(false);
    machine.facts.extend(node.as_ref().map(|node| ("node", node.version())));
    let scratch = Scratch::new()?;
    let mut set = Set::new(clean.with_folders(&args.libraries), columns(args, node), &args.libraries, &scratch.path);
    for program in programs {
        progress(&format!("compiling {}", program.name));
        set.add(program)?;
    }
    for round in 0..args.runs {
        set.round(round, args.runs);
    }
    progress("");
    machine.end();
    publish("Wide set", &machine.line(), &tables::all(&set, args), &tables::json(&set, &machine), &args.output)?;
    if set.failures().next().is_some() {
        bail!("some programs have failed: {}", set.failures().collect::<Vec<String>>().join("; "));
    }
    Ok(())
}

/// Those of all lists that are wanted.
fn programs(args: &WideArgs) -> Result<Vec<list::Program>> {
    let own = [crate::machine::workspace().join("bench/wide")];
    let folders: &[PathBuf] = if args.folders.is_empty() { &own } else { &args.folders };
    let mut programs = Vec::new();
    for folder in folders {
        programs.extend(list::read(folder)?);
    }
    programs.retain(|program| args.only.is_empty() || args.only.iter().any(|text| program.name.contains(text)));
    if programs.is_empty() {
        bail!("there are no programs with these names");
    }
    Ok(programs)
}

fn node(args: &WideArgs) -> Result<Option<Node>> {
    match &args.node {
        _ if args.no_node => Ok(None),
        None => Ok(Node::newest()),
        Some(program) => match Node::of(program) {
            Some(node) => Ok(Some(node)),
            None => bail!("{} is no executable of node", program.display()),
        },
    }
}

/// Those of whole programs first, then those without a pass.
fn columns(args: &WideArgs, node: Option<Node>) -> Vec<Column> {
    let mut columns = Vec::new();
    let mut add = |name: &str, without: Option<&String>, way: Way| {
        columns.push(Column { name: name.to_string(), without: without.cloned(), way });
    };
    let passes: Vec<Option<&String>> = std::iter::once(None).chain(args.without.iter().map(Some)).collect();
    for &pass in &passes {
        let words: Vec<String> = pass.map(|pass| format!("--no-{pass}")).into_iter().collect();
        if cleave::driver::native::IS_AVAILABLE && !args.no_native {
            add("executable", pass, Way::Native { words: words.clone() });
        }
        if !args.no_wasmtime {
            add("wasmtime", pass, Way::Wasmtime { words });
        }
        if let (None, Some(node)) = (pass, &node) {
            add("node", None, Way::Node { program: node.program.clone() });
        }
    }
    columns
}
