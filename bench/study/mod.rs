//! The study: what each choice of the compiler, of the runtime and of the calling convention is worth.
//!
//! `offer` reads from the compiler's own definitions what there is to choose · `grid` measures programs × settings ×
//! engines in rounds, `plan` makes that fit into the time that is left, `pilot` says how long a run takes · `build`
//! compiles in a process of its own and counts · `strategies`, `passes`, `nursery`, `thesis`, `size` and `conventions`
//! are the sections · `tables`, `svg`, `chart` and `write` show the results.
//!
//! A section's files are written when it is finished, so that an interrupted study keeps what it has; the summary
//! `study.md` is made of the files of all sections that the folder holds, and of the remarks in `remarks.md`. What the
//! compiler refuses is "not available"; what fails is reported in its place, and makes the status of the command 1.

pub mod build;
mod chart;
pub mod codesize;
mod conventions;
mod grid;
mod nursery;
mod offer;
mod passes;
mod pilot;
mod plan;
mod size;
mod state;
mod strategies;
mod svg;
mod tables;
mod thesis;
mod wat;
mod write;

use crate::baseline::Column;
use crate::clean::CleanArgs;
use crate::input::{Scratch, programs};
use crate::machine::{Machine, workspace};
use anyhow::{Context, Result, bail};
use clap::Args;
pub use state::{Section, Study};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

#[derive(Args, Clone, Debug)]
pub struct StudyArgs {
    /// What to measure
    #[arg(long, value_name = "SECTION,…", value_delimiter = ',', default_values_t = Section::ALL)]
    sections: Vec<Section>,
    /// Names of programs; all if none is given
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    programs: Vec<String>,
    /// Time for everything; what does not fit is left out, and said
    #[arg(long, value_name = "N", default_value_t = 50.0)]
    minutes: f64,
    /// An executable of node; may be given several times [default: the one in PATH]
    #[arg(long, value_name = "PATH")]
    node: Vec<PathBuf>,
    /// Do not use node
    #[arg(long, conflicts_with = "node")]
    no_node: bool,
    /// Do not run executables of our own
    #[arg(long)]
    no_native: bool,
    /// The baseline is Clean's own native code, if it is given, else the embedded engine with default settings
    #[command(flatten)]
    clean: CleanArgs,
    /// Where to write the results [default: bench/results of the source tree]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave out sections whose results the folder holds: continue a study that was interrupted
    #[arg(long)]
    resume: bool,
    /// Measure nothing: make the summary again from the files of the folder and the remarks
    #[arg(long)]
    summary_only: bool,
}

pub fn main(args: &StudyArgs) -> Result<()> {
    let end = Instant::now() + Duration::try_from_secs_f64(60.0 * args.minutes).context("--minutes")?;
    let out = args.out.clone().unwrap_or_else(|| workspace().join("bench/results"));
    std::fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    if args.summary_only {
        return write::summary(&out);
    }
    let done = |section: &Section| args.resume && write::is_finished(&out, *section);
    let mut sections: Vec<Section> = args.sections.iter().copied().filter(|section| !done(section)).collect();
    if !cfg!(feature = "conventions") && sections.contains(&Section::Conventions) {
        println!("{}: left out, it needs the feature `conventions` (cargo run … -F conventions)", Section::Conventions);
        sections.retain(|section| *section != Section::Conventions);
    }
    let columns = columns(args)?;
    let mut machine = Machine::new(false);
    for column in &columns {
        if let Column::Node { name, .. } = column {
            machine.facts.push(("engine", name.clone()));
        }
    }
    let clean = args.clean.clean().map(Column::Clean);
    println!("{}\n", machine.line());
    let scratch = Scratch::new()?;
    let mut study = Study {
        machine,
        offer: offer::Offer::of_compiler(),
        programs: programs(&args.programs)?,
        columns,
        clean,
        builds: build::Builds::new(&scratch.path),
        scratch,
        pilot: pilot::Pilot::default(),
        out,
        failures: Vec::new(),
    };
    if !sections.is_empty() {
        pilot::run(&mut study);
    }
    while !sections.is_empty() {
        let all: f64 = sections.iter().map(|section| section.weight()).sum();
        let section = sections.remove(0);
        let left = end.saturating_duration_since(Instant::now()).as_secs_f64();
        let budget = plan::Budget::new(left * section.weight() / all);
        let report = match section {
            Section::Strategies => strategies::run(&mut study, budget),
            Section::Passes => passes::run(&mut study, budget),
            Section::Nursery => nursery::run(&mut study, budget),
            Section::Conventions => conventions::run(&mut study, budget)?,
            Section::Thesis => thesis::run(&mut study, budget),
            Section::Size => size::run(&mut study, budget),
        };
        write::section(&study, section, &report)?;
    }
    write::summary(&study.out)?;
    if !study.failures.is_empty() {
        bail!("{} combinations failed:\n{}", study.failures.len(), study.failures.join("\n"));
    }
    Ok(())
}

/// The engines that the options ask for.
fn columns(args: &StudyArgs) -> Result<Vec<Column>> {
    let mut columns = vec![Column::Wasmtime];
    if cleave::driver::native::IS_AVAILABLE && !args.no_native {
        columns.push(Column::Native);
    }
    let is_default = args.node.is_empty();
    let default = [PathBuf::from("node")];
    let wanted: &[PathBuf] = if args.no_node {
        &[]
    } else if is_default {
        &default
    } else {
        &args.node
    };
    for program in wanted {
        match node_version(program) {
            Some(version) => columns.push(Column::Node { program: program.clone(), name: version }),
            None if is_default => println!("There is no node in PATH: nothing is measured with it."),
            None => bail!("{} is no executable of node", program.display()),
        }
    }
    Ok(columns)
}

/// As `node 26.1.0`.
fn node_version(program: &PathBuf) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(format!("node {}", text.trim().strip_prefix('v')?))
}
