//! The benchmark programs of GOOPEA: executables of ours beside those of somebody else, in processor time.
//!
//! The others are a folder of executables that have the names of the programs and print the same: for instance the C
//! code of the published tool behind `gcc -O2`. Samples of both take turns, so that both see the same machine.

use crate::args::OutputArgs;
use crate::child::build_executable;
use crate::input::Scratch;
use crate::machine::{Machine, workspace};
use crate::process::{Ended, run};
use crate::report::Table;
use crate::stats::geometric_mean;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[derive(Args, Clone, Debug)]
pub struct GoopeaArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// A folder with executables of the same names, to which ours are compared
    #[arg(long, value_name = "FOLDER")]
    pub baseline: Option<PathBuf>,
    /// Samples of each program; the least counts
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub runs: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A program takes longer only if something is wrong.
const LIMIT: Duration = Duration::from_secs(120);

/// How files of programs end, behind the name.
const ENDING: &str = ".bench.goo";

pub fn main(args: &GoopeaArgs) -> Result<()> {
    let scratch = Scratch::new()?;
    let head = ["program", "ours s", "MiB", "baseline s", "MiB", "ratio"];
    let columns = if args.baseline.is_some() { &head[..] } else { &head[..3] };
    let title = format!("GOOPEA, executables: processor time, least of {} runs", args.runs);
    let mut table = Table::new(title, columns);
    let mut ratios = Vec::new();
    for (name, source) in programs(&args.programs)? {
        let expected = fs::read(source.with_extension("expected"))?;
        let ours = scratch.path.join(&name);
        build_executable(&source, &ours)?;
        let theirs = args.baseline.as_ref().map(|folder| folder.join(&name));
        let (mut own, mut other) = (Least::default(), Least::default());
        for _ in 0..args.runs {
            own.sample(&ours, &expected)?;
            if let Some(theirs) = &theirs {
                other.sample(theirs, &expected)?;
            }
        }
        let mut row = vec![name, own.time(), own.memory()];
        if theirs.is_some() {
            ratios.push(own.seconds / other.seconds);
            row.extend([other.time(), other.memory(), format!("{:.2}", own.seconds / other.seconds)]);
        }
        table.rows.push(row);
    }
    if !ratios.is_empty() {
        table.notes.push(format!("geometric mean of the ratios: {:.2}", geometric_mean(&ratios)));
    }
    table.notes.push(Machine::new(false).line());
    print!("{}", table.plain());
    if let Some(path) = &args.output.markdown {
        fs::write(path, table.markdown()).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Names and sources of the programs.
fn programs(wanted: &[String]) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace().join("tests/goopea"))? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(name) =
            file.strip_suffix(ENDING).filter(|name| wanted.is_empty() || wanted.iter().any(|w| w == name))
        {
            found.push((name.to_string(), path));
        }
    }
    found.sort();
    if found.is_empty() { bail!("there is no such program") } else { Ok(found) }
}

/// The least of all samples.
struct Least {
    seconds: f64,
    bytes: f64,
}

impl Default for Least {
    fn default() -> Least {
        Least { seconds: f64::INFINITY, bytes: f64::INFINITY }
    }
}

impl Least {
    fn sample(&mut self, file: &Path, expected: &[u8]) -> Result<()> {
        let ended: Ended = run(&mut Command::new(file), LIMIT)?;
        if !ended.is_success() || ended.stdout.trim_ascii() != expected.trim_ascii() {
            bail!("{} ended with {} and printed something else than expected", file.display(), ended.end());
        }
        self.seconds = self.seconds.min(ended.cpu_s.unwrap_or(ended.total_s));
        self.bytes = self.bytes.min(ended.resident_bytes.map_or(f64::INFINITY, |bytes| bytes as f64));
        Ok(())
    }

    fn time(&self) -> String {
        format!("{:.3}", self.seconds)
    }

    fn memory(&self) -> String {
        format!("{:.1}", self.bytes / 1_048_576.0)
    }
}
