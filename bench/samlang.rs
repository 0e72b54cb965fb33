//! Programs that are written in samlang and in OCaml: processor time of our executables, of our WebAssembly in wasmtime
//! (without the engine's compilation), and of what OCaml's native compiler makes.
//!
//! `samlang/NAME.sam` and `samlang/NAME.ml` do the same with the same data, each with the library of its language;
//! `NAME.expected` is what both print. Samples of all columns take turns, so that they see the same machine.

use crate::args::OutputArgs;
use crate::child::{self, Task, build_executable, measure};
use crate::input::Scratch;
use crate::machine::{Machine, workspace};
use crate::report::Table;
use crate::stats::geometric_mean;
use anyhow::{Context, Result, bail};
use clap::Args;
use cleave::driver::session::Level;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args, Clone, Debug)]
pub struct SamlangArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// The native compiler of OCaml, such as `ocamlopt`; without it only ours are measured
    #[arg(long, value_name = "COMPILER")]
    pub ocaml: Option<PathBuf>,
    /// Samples of each column; the least counts
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub runs: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of OCaml's compiler: no checks of bounds, much inlining.
const OPTIONS: [&str; 3] = ["-unsafe", "-inline", "100"];

/// A file that runs, and the least time that it took.
struct Column {
    file: PathBuf,
    is_wasm: bool,
    seconds: f64,
}

pub fn main(args: &SamlangArgs) -> Result<()> {
    let scratch = Scratch::new()?;
    let head = ["program", "executable s", "wasmtime s", "OCaml s", "executable ÷ OCaml", "wasmtime ÷ OCaml"];
    let columns = if args.ocaml.is_some() { &head[..] } else { &head[..3] };
    let title = format!("samlang: processor time, least of {} runs", args.runs);
    let mut table = Table::new(title, columns);
    let (mut native_ratios, mut wasm_ratios) = (Vec::new(), Vec::new());
    for (name, source) in programs(&args.programs)? {
        let expected = fs::read(source.with_extension("expected"))?;
        let mut built = build(&source, &scratch.path.join(&name), args.ocaml.as_deref())?;
        for _ in 0..args.runs {
            for column in &mut built {
                sample(column, &expected)?;
            }
        }
        let times: Vec<f64> = built.iter().map(|column| column.seconds).collect();
        let mut row = vec![name];
        row.extend(times.iter().map(|time| format!("{time:.3}")));
        if let [native, wasm, ocaml] = times[..] {
            native_ratios.push(native / ocaml);
            wasm_ratios.push(wasm / ocaml);
            row.extend([native / ocaml, wasm / ocaml].map(|ratio| format!("{ratio:.2}")));
        }
        table.rows.push(row);
    }
    if !native_ratios.is_empty() {
        let (native, wasm) = (geometric_mean(&native_ratios), geometric_mean(&wasm_ratios));
        table.notes.push(format!("geometric means of the ratios: executable {native:.2}, wasmtime {wasm:.2}"));
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
    for entry in fs::read_dir(workspace().join("bench/samlang"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_program = path.extension().is_some_and(|extension| extension == "sam");
        if is_program && (wanted.is_empty() || wanted.contains(&name)) {
            found.push((name, path));
        }
    }
    found.sort();
    if found.is_empty() { bail!("there is no such program") } else { Ok(found) }
}

/// The columns of a program: the executable, the WebAssembly, and that of OCaml.
fn build(source: &Path, base: &Path, ocaml: Option<&Path>) -> Result<Vec<Column>> {
    let column = |file: &Path, is_wasm| Column { file: file.to_path_buf(), is_wasm, seconds: f64::INFINITY };
    build_executable(source, base)?;
    let wasm = base.with_extension("wasm");
    fs::write(&wasm, child::compile(source, Level::O2, &[])?.0)?;
    let mut columns = vec![column(base, false), column(&wasm, true)];
    if let Some(compiler) = ocaml {
        // The compiler writes its other files beside the source.
        let copy = base.with_extension("ml");
        fs::copy(source.with_extension("ml"), &copy)?;
        let file = base.with_extension("ocaml");
        let output = Command::new(compiler).args(OPTIONS).arg(&copy).arg("-o").arg(&file).output();
        let output = output.with_context(|| format!("cannot start {}", compiler.display()))?;
        if !output.status.success() {
            bail!("{}: {}", copy.display(), String::from_utf8_lossy(&output.stderr));
        }
        columns.push(column(&file, false));
    }
    Ok(columns)
}

fn sample(column: &mut Column, expected: &[u8]) -> Result<()> {
    let mut command = match column.is_wasm {
        true => child::command(Task::Run, &column.file, &[])?,
        false => Command::new(&column.file),
    };
    let (output, measured) = measure(&mut command)?;
    if output.trim_ascii() != expected.trim_ascii() {
        bail!("{} printed something else than expected", column.file.display());
    }
    let name = if column.is_wasm { "run_cpu_s" } else { "cpu_s" };
    let seconds = measured.find(name).unwrap_or_else(|| measured.get("total_s"));
    column.seconds = column.seconds.min(seconds);
    Ok(())
}
