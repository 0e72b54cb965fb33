//! Programs compiled in several ways, beside executables that somebody else made of the same: processor time.
//!
//! Samples of all columns take turns, so that they see the same machine. The least of each counts. For WebAssembly the
//! time is that of the program in wasmtime, without the engine's compilation.

use crate::args::OutputArgs;
use crate::child::{self, Task, measure};
use crate::input::Scratch;
use crate::json::Json;
use crate::machine::Machine;
use crate::report::{Table, publish};
use crate::stats::geometric_mean;
use anyhow::{Result, bail};
use cleave::driver::session::Target;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is compiled, and where it runs.
pub struct Way {
    pub name: &'static str,
    /// Words of the compiler's command line.
    pub words: &'static [&'static str],
    pub target: Target,
}

/// What is compared.
pub struct Program {
    pub name: String,
    pub source: PathBuf,
    /// The executable of somebody else.
    pub other: Option<PathBuf>,
}

/// Programs of a folder: files with this ending, of these names or all.
pub fn programs(folder: &Path, ending: &str, wanted: &[String]) -> Result<Vec<Program>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let source = entry?.path();
        let file = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(name) = file.strip_suffix(ending) else { continue };
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            found.push(Program { name: name.to_string(), source, other: None });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() { bail!("there is no such program") } else { Ok(found) }
}

/// A file that runs, and the least that it took.
struct Column {
    file: PathBuf,
    target: Target,
    seconds: f64,
}

impl Column {
    fn new(file: PathBuf, target: Target) -> Column {
        Column { file, target, seconds: f64::INFINITY }
    }

    fn sample(&mut self, expected: &[u8]) -> Result<()> {
        let mut command = match self.target {
            Target::Wasm | Target::Component => child::command(Task::Run, &self.file, &[])?,
            Target::Native => Command::new(&self.file),
        };
        let (output, measured) = measure(&mut command)?;
        if output.trim_ascii() != expected.trim_ascii() {
            bail!("{} printed something else than expected", self.file.display());
        }
        let seconds = measured.find("run_cpu_s").or(measured.find("cpu_s")).unwrap_or_else(|| measured.get("total_s"));
        self.seconds = self.seconds.min(seconds);
        Ok(())
    }
}

/// Compiles, in a process of its own.
fn build(source: &Path, way: &Way, file: &Path) -> Result<()> {
    let mut command = child::command(Task::Build, source, &[])?;
    command.arg("-o").arg(file).arg("--").args(way.words);
    if way.target == Target::Native {
        command.arg("--target=native");
    }
    measure(&mut command).map(|_| ())
}

/// Measures all programs in all ways; `other` names the column of the executables of somebody else. Prints tables of
/// times, and of ratios to that column.
pub fn compare(
    title: &str,
    programs: &[Program],
    ways: &[Way],
    other: Option<&str>,
    runs: u32,
    output: &OutputArgs,
) -> Result<()> {
    let scratch = Scratch::new()?;
    let mut machine = Machine::new(false);
    let names: Vec<&str> = ways.iter().map(|way| way.name).chain(other).collect();
    let mut times =
        Table::new(format!("{title}: processor time, seconds, least of {runs} runs"), &with_program(&names));
    let mut ratios =
        Table::new(format!("{title}: time ÷ {}", other.unwrap_or_default()), &with_program(&names[..ways.len()]));
    let mut all: Vec<Vec<f64>> = vec![Vec::new(); ways.len()];
    let mut json = Vec::new();
    for program in programs {
        let expected = fs::read(program.source.with_extension("expected"))?;
        let mut columns = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            let file = scratch.path.join(format!("{}-{number}", program.name));
            build(&program.source, way, &file)?;
            columns.push(Column::new(file, way.target));
        }
        columns.extend(program.other.iter().map(|file| Column::new(file.clone(), Target::Native)));
        for _ in 0..runs {
            columns.iter_mut().try_for_each(|column| column.sample(&expected))?;
        }
        json.push((program.name.clone(), Json::numbers(&columns.iter().map(|c| c.seconds).collect::<Vec<_>>())));
        let row = |cells: Vec<String>| [vec![program.name.clone()], cells].concat();
        times.rows.push(row(columns.iter().map(|column| format!("{:.3}", column.seconds)).collect()));
        if program.other.is_some() {
            let least = columns[ways.len()].seconds;
            let of: Vec<f64> = columns[..ways.len()].iter().map(|column| column.seconds / least).collect();
            ratios.rows.push(row(of.iter().map(|ratio| format!("{ratio:.2}")).collect()));
            all.iter_mut().zip(of).for_each(|(all, ratio)| all.push(ratio));
        }
    }
    let mut tables = vec![times];
    if other.is_some() {
        for (name, of) in [("geometric mean", geometric_mean as fn(&[f64]) -> f64), ("worst", greatest)] {
            let cells = all.iter().map(|all| format!("{:.2}", of(all)));
            ratios.rows.push(std::iter::once(name.to_string()).chain(cells).collect());
        }
        tables.push(ratios);
    }
    machine.end();
    let columns = Json::List(names.into_iter().map(Json::text).collect());
    let json = Json::object([("machine", machine.json()), ("columns", columns), ("least seconds", Json::Object(json))]);
    publish(title, &machine.line(), &tables, &json, output)
}

fn greatest(ratios: &[f64]) -> f64 {
    ratios.iter().copied().fold(f64::NAN, f64::max)
}

fn with_program<'a>(names: &[&'a str]) -> Vec<&'a str> {
    [&["program"], names].concat()
}
