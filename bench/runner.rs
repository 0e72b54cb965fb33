//! Runs the benchmark programs: every round takes one sample of each program in each column, so that a slow minute of
//! the machine hits all of them alike. Rounds of warm-up are not counted.

use crate::args::RunArgs;
use crate::baseline::{Column, Ready, columns};
use crate::child::{self, Measured};
use crate::input::{Program, Scratch, programs};
use crate::machine::Machine;
use crate::report;
use anyhow::{Context, Result, bail};
use cleave::driver::session::Level;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// All samples of one program.
pub struct Row {
    pub program: Program,
    pub wasm_bytes: usize,
    /// Compilations by our compiler, ABC text to bytes.
    pub compile: Vec<Measured>,
    /// By column.
    pub samples: Vec<Vec<Measured>>,
}

/// Everything that one invocation measured.
pub struct Results {
    pub machine: Machine,
    pub columns: Vec<Column>,
    /// Index of the column that ratios refer to.
    pub baseline: usize,
    pub rows: Vec<Row>,
}

pub fn main(args: &RunArgs) -> Result<()> {
    run(args, programs(&args.programs)?, &|_| Ok(()))
}

/// Measures these programs; `check` looks at what a sample has left after.
pub fn run(args: &RunArgs, programs: Vec<Program>, check: &dyn Fn(&Program) -> Result<()>) -> Result<()> {
    let machine = Machine::new(args.node);
    let columns = columns(args);
    let baseline = baseline(args, &columns)?;
    let scratch = Scratch::new()?;
    let mut rows = Vec::new();
    let mut ready: Vec<Vec<Ready>> = Vec::new();
    for program in programs {
        progress(&format!("preparing {}", program.name));
        let (row, files) = compile(program, &columns, &scratch)?;
        let prepare = |column: &Column| {
            let level = column.level().unwrap_or_default();
            let wasm = files.iter().find(|file| file.0 == level).map(|file| file.1.clone()).unwrap_or_default();
            column.prepare(&row.program, &wasm, &scratch.path)
        };
        ready.push(columns.iter().map(prepare).collect::<Result<_>>()?);
        rows.push(row);
    }
    let mut results = Results { machine, columns, baseline, rows };
    for round in 0..args.warmup + args.runs {
        run_round(&mut results, &ready, args, round, check)?;
    }
    progress("");
    report::runs(&results, &args.output)
}

/// The column that ratios refer to.
fn baseline(args: &RunArgs, columns: &[Column]) -> Result<usize> {
    let find = |name: &str| columns.iter().position(|column| column.name() == name);
    match &args.baseline {
        Some(name) => match find(name) {
            Some(index) => Ok(index),
            None => bail!("the column `{name}` does not run; columns: {}", names(columns).join(", ")),
        },
        None => Ok(["clean", "unoptimised", "node"].iter().find_map(|name| find(name)).unwrap_or(0)),
    }
}

fn names(columns: &[Column]) -> Vec<&str> {
    columns.iter().map(Column::name).collect()
}

/// Compiles a program at the levels that the columns need. The first compilation of the default level warms up.
fn compile(program: Program, columns: &[Column], scratch: &Scratch) -> Result<(Row, Vec<(Level, PathBuf)>)> {
    let mut files: Vec<(Level, PathBuf)> = Vec::new();
    let mut row = Row { wasm_bytes: 0, compile: Vec::new(), samples: vec![Vec::new(); columns.len()], program };
    for level in columns.iter().filter_map(Column::level) {
        if files.iter().any(|file| file.0 == level) {
            continue;
        }
        let (wasm, _) = child::compile(&row.program.abc, level, &[])?;
        let path = scratch.path.join(format!("{}-{level:?}.wasm", row.program.name));
        fs::write(&path, &wasm)?;
        files.push((level, path));
        if level == Level::O2 {
            row.wasm_bytes = wasm.len();
        }
    }
    Ok((row, files))
}

fn run_round(
    results: &mut Results,
    ready: &[Vec<Ready>],
    args: &RunArgs,
    round: u32,
    check: &dyn Fn(&Program) -> Result<()>,
) -> Result<()> {
    let counted = round >= args.warmup;
    for (row, ready) in results.rows.iter_mut().zip(ready) {
        progress(&format!("round {} of {}: {}", round + 1, args.warmup + args.runs, row.program.name));
        let (_, compile) = child::compile(&row.program.abc, Level::O2, &[])?;
        if counted {
            row.compile.push(compile);
        }
        for ((ready, samples), column) in ready.iter().zip(&mut row.samples).zip(&results.columns) {
            let sample = ready.sample(&row.program, args.rts.as_deref());
            let sample = sample.with_context(|| format!("{} in column {}", row.program.name, column.name()))?;
            check(&row.program)?;
            if counted {
                samples.push(sample);
            }
        }
    }
    Ok(())
}

/// One line on a terminal that the next one overwrites; nothing elsewhere.
pub fn progress(text: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let _ = write!(stderr, "\r\x1b[K{text}");
        let _ = stderr.flush();
    }
}
