//! Programs that update large data in place, with several sizes of the nursery, against copying everything and against
//! Clean.
//!
//! A generational collector must be told of each old place that is overwritten, so these are the programs that it may
//! suffer from: arrays of boxed elements of several sizes, filled and updated in order and at random, unique records,
//! tables of lists and of delayed values, rings, queues, growing trees. The table gives the worst ratio in each column:
//! it says what the default costs where it is the wrong choice.
//!
//! Executables are compared by processor time, programs in the embedded engine by their elapsed time without
//! compilation.

use crate::args::OutputArgs;
use crate::baseline::{Column, Ready};
use crate::child::{Measured, build_executable, compile};
use crate::clean::CleanArgs;
use crate::input::{Program, Scratch, abc_files, line_count};
use crate::json::Json;
use crate::machine::{Machine, workspace};
use crate::report::{Table, publish, samples};
use crate::runner::progress;
use crate::stats::{geometric_mean, worst};
use anyhow::{Result, bail};
use clap::Args;
use cleave::driver::session::{Level, Target};
use std::fs;
use std::path::Path;

#[derive(Args, Clone, Debug)]
pub struct UpdatesArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// Rounds; in each of them every program runs once with each setting
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub runs: u32,
    /// What to compile for
    #[arg(long, value_name = "TARGET", default_value = "native")]
    pub target: Target,
    #[command(flatten)]
    pub clean: CleanArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Name and options of the settings; all are compared with the first.
const SETTINGS: [(&str, &str); 7] = [
    ("copying", "--gc=copying"),
    ("default", "--gc=generational"),
    ("64k", "--nursery=64k"),
    ("256k", "--nursery=256k"),
    ("1m", "--nursery=1m"),
    ("8m", "--nursery=8m"),
    ("64m", "--nursery=64m"),
];

/// A program with what runs it, and the samples of each setting, then those of Clean.
struct Row {
    program: Program,
    own: Ready,
    clean: Option<Ready>,
    samples: Vec<Vec<Measured>>,
}

impl Row {
    /// The best time of a setting.
    fn time(&self, setting: usize, target: Target) -> f64 {
        let is_clean = setting == SETTINGS.len();
        let name = if is_clean || target == Target::Native { "cpu_s" } else { "run_s" };
        self.samples[setting].iter().map(|sample| sample.get(name)).fold(f64::INFINITY, f64::min)
    }
}

/// The programs of the folder; modules that they import have no expected output.
fn programs(wanted: &[String]) -> Result<Vec<Program>> {
    let mut found = Vec::new();
    for abc in abc_files(&workspace().join("bench/updates"))? {
        let name = abc.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(expected) = fs::read(abc.with_extension("expected")) else { continue };
        if wanted.is_empty() || wanted.contains(&name) {
            let lines = line_count(&fs::read(&abc)?);
            found.push(Program { name, abc, expected, lines });
        }
    }
    if let Some(missing) = wanted.iter().find(|name| !found.iter().any(|program| program.name == **name)) {
        bail!("there is no program `{missing}` in bench/updates");
    }
    Ok(found)
}

fn prepare(program: Program, args: &UpdatesArgs, scratch: &Path) -> Result<Row> {
    progress(&program.name);
    let own = if args.target == Target::Native {
        let file = scratch.join(format!("{}.own", program.name));
        build_executable(&program.abc, &file)?;
        Ready::executable(file)
    } else {
        let file = scratch.join(format!("{}.wasm", program.name));
        fs::write(&file, compile(&program.abc, Level::O2, &[])?.0)?;
        Ready::wasmtime(file)
    };
    let clean = args.clean.clean().map(|clean| Column::Clean(clean).prepare(&program, Path::new(""), scratch));
    Ok(Row { program, own, clean: clean.transpose()?, samples: vec![Vec::new(); SETTINGS.len() + 1] })
}

pub fn main(args: &UpdatesArgs) -> Result<()> {
    let machine = Machine::new(false);
    let scratch = Scratch::new()?;
    let mut rows = Vec::new();
    for program in programs(&args.programs)? {
        rows.push(prepare(program, args, &scratch.path)?);
    }
    for round in 0..args.runs {
        for row in &mut rows {
            progress(&format!("{} {}/{}", row.program.name, round + 1, args.runs));
            for (setting, (_, options)) in SETTINGS.iter().enumerate() {
                let sample = row.own.sample(&row.program, Some(options))?;
                row.samples[setting].push(sample);
            }
            if let Some(clean) = &row.clean {
                row.samples[SETTINGS.len()].push(clean.sample(&row.program, None)?);
            }
        }
    }
    progress("");
    let mut tables = vec![ratios(&rows, args.target, 0, "copying everything", 1)];
    if args.clean.clean().is_some() {
        tables.push(ratios(&rows, args.target, SETTINGS.len(), "Clean's native code with its best heap", 0));
    }
    let list = rows.iter().map(|row| {
        let mut fields: Vec<Json> = Vec::new();
        for (setting, list) in row.samples.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            let name = SETTINGS.get(setting).map_or("clean", |(name, _)| name);
            fields.push(Json::object([("setting", Json::text(name)), ("samples", samples(list))]));
        }
        Json::object([("program", Json::text(&row.program.name)), ("settings", Json::List(fields))])
    });
    let json = Json::object([
        ("version", Json::Integer(1)),
        ("kind", Json::text("updates")),
        ("target", Json::text(if args.target == Target::Native { "native" } else { "wasm" })),
        ("machine", machine.json()),
        ("programs", Json::List(list.collect())),
    ]);
    publish("Updates", &machine.line(), &tables, &json, &args.output)
}

/// Times of the settings from `first` on as ratios to those of one column.
fn ratios(rows: &[Row], target: Target, base: usize, name: &str, first: usize) -> Table {
    let mut table = Table::new(format!("Time ÷ {name}"), &["program", "seconds"]);
    let settings = first..SETTINGS.len();
    table.head.extend(SETTINGS[settings.clone()].iter().map(|(name, _)| (*name).to_string()));
    let mut columns = vec![Vec::new(); settings.len()];
    for row in rows {
        let base = row.time(base, target);
        let mut cells = vec![row.program.name.clone(), format!("{base:.3}")];
        for (column, setting) in columns.iter_mut().zip(settings.clone()) {
            let ratio = row.time(setting, target) / base;
            column.push(ratio);
            cells.push(format!("{ratio:.2}"));
        }
        table.rows.push(cells);
    }
    let summary = |title: &str, of: &dyn Fn(&[f64]) -> String| {
        let mut cells = vec![title.to_string(), String::new()];
        cells.extend(columns.iter().map(|ratios| of(ratios)));
        cells
    };
    let mean = summary("geometric mean", &|ratios| format!("{:.2}", geometric_mean(ratios)));
    let last = summary("worst", &|ratios| match worst(ratios) {
        Some(place) => format!("{:.2} {}", ratios[place], rows[place].program.name),
        None => String::new(),
    });
    table.rows.extend([mean, last]);
    table
}
