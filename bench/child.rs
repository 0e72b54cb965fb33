//! The measured process: this binary, started again with a hidden command.
//!
//! It does one thing, and its last line on stderr is a report of words `name=value`. The work is that of the `cleave`
//! command line; only the measuring is ours.

use crate::cpu;
use crate::machine::peak_memory;
use crate::process;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use cleave::driver::native;
use cleave::driver::output::{self, Destination};
use cleave::driver::pipeline::{self, Compiled, Stop};
use cleave::driver::run;
use cleave::driver::session::{Level, Options, Outcome, Session, Target};
use cleave::driver::timing::Timing;
use cleave::languages;
use cleave::languages::clean;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The hidden command.
pub const NAME: &str = "child-process";
/// No measured process needs longer.
pub const LIMIT: Duration = Duration::from_secs(300);
/// Starts the last line of a child.
const MARK: &str = "cleave-bench:";

#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Task {
    /// Runs a file of WebAssembly.
    Run,
    /// Compiles a program.
    Compile,
    /// Compiles a program with words of the command line, counts what was made, and writes it.
    Build,
    /// Compiles a program as `cleave build` does, with words of the command line.
    Command,
}

#[derive(Args, Clone, Debug)]
pub struct ChildArgs {
    pub task: Task,
    /// What to compile for, and how much to optimise.
    #[arg(long, default_value = "wasm")]
    pub target: Target,
    #[arg(short = 'O', default_value_t = 2)]
    pub level: u8,
    pub file: PathBuf,
    /// Folders of modules.
    #[arg(short = 'L')]
    pub folders: Vec<PathBuf>,
    /// Compiled functions of an earlier build, and of this one when it ends.
    #[arg(long)]
    pub cache: Option<PathBuf>,
    /// Where to write the program.
    #[arg(short)]
    pub output: Option<PathBuf>,
    /// Words for the command line of the compiler; arguments of the program that is run.
    #[arg(last = true)]
    pub words: Vec<String>,
}

/// The words that a measured process reported, in their order.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    pub values: Vec<(String, f64)>,
}

impl Measured {
    pub fn get(&self, name: &str) -> f64 {
        self.find(name).unwrap_or(0.0)
    }

    pub fn find(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|value| value.0 == name).map(|value| value.1)
    }

    pub fn set(&mut self, name: &str, value: f64) {
        self.values.push((name.to_string(), value));
    }

    /// Reads the last line that has our mark.
    pub fn of(stderr: &str) -> Measured {
        let line = stderr.lines().rev().find_map(|line| line.strip_prefix(MARK)).unwrap_or_default();
        let words = line.split_whitespace().filter_map(|word| word.split_once('='));
        let values = words.filter_map(|(name, value)| Some((name.to_string(), value.parse().ok()?)));
        Measured { values: values.collect() }
    }
}

/// Runs a command to its end; fails unless it succeeds. Returns its output and what it reported, with the time of the
/// whole process as `total_s`.
pub fn measure(command: &mut Command) -> Result<(Vec<u8>, Measured)> {
    measure_with(command, Stdio::null())
}

/// The same with input.
pub fn measure_with(command: &mut Command, stdin: Stdio) -> Result<(Vec<u8>, Measured)> {
    let ended = process::run_with(command, stdin, LIMIT)?;
    if !ended.is_success() {
        bail!("{:?} ended with {}:\n{}", command.get_program(), ended.end(), ended.stderr);
    }
    let mut measured = Measured::of(&ended.stderr);
    measured.set("total_s", ended.total_s);
    if let Some(seconds) = ended.cpu_s {
        measured.set("cpu_s", seconds);
    }
    if let Some(bytes) = ended.resident_bytes {
        measured.set("resident_bytes", bytes as f64);
    }
    Ok((ended.stdout, measured))
}

/// The command that does a task in a process of its own.
pub fn command(task: Task, file: &Path, folders: &[PathBuf]) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    let task = match task {
        Task::Run => "run",
        Task::Compile => "compile",
        Task::Build => "build",
        Task::Command => "command",
    };
    command.arg(NAME).arg(task).arg(file);
    folders.iter().for_each(|folder| _ = command.arg("-L").arg(folder));
    Ok(command)
}

/// What the child does.
pub fn main(args: &ChildArgs) -> Result<()> {
    let measured = match args.task {
        Task::Run => run_file(&args.file, &args.words)?,
        Task::Compile => {
            // As `cleave build` does.
            cleave::allocator::Allocator::keep_longer();
            let (bytes, mut measured) =
                compile_for(args.target, &args.file, level(args.level), &args.folders, args.cache.clone())?;
            measured.set(if args.target == Target::Wasm { "wasm_bytes" } else { "native_bytes" }, bytes.len() as f64);
            measured
        }
        Task::Build => crate::study::build::main(args)?,
        Task::Command => std::process::exit(cleave::cli::main(words_of_build(args))),
    };
    let mut line = MARK.to_string();
    for (name, value) in &measured.values {
        line.push_str(&format!(" {name}={value}"));
    }
    if let Some(peak) = peak_memory() {
        line.push_str(&format!(" peak_bytes={peak}"));
    }
    writeln!(std::io::stderr(), "{line}")?;
    Ok(())
}

/// A command line of the compiler.
fn words_of_build(args: &ChildArgs) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["cleave", "build"].map(OsString::from).into();
    words.extend(args.words.iter().map(OsString::from));
    for folder in &args.folders {
        words.extend(["-L".into(), folder.into()]);
    }
    if let Some(output) = &args.output {
        words.extend(["-o".into(), output.into()]);
    }
    words.push(args.file.clone().into());
    words
}

/// Processor time of this process when the program that it runs was started.
static STARTED: Mutex<Option<f64>> = Mutex::new(None);

fn note_start() {
    *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = cpu::own();
}

fn run_file(file: &Path, words: &[String]) -> Result<Measured> {
    let wasm = std::fs::read(file)?;
    let args = std::iter::once("program".into()).chain(words.iter().map(OsString::from)).collect();
    let options =
        cleave_run::Options { args, measure: true, on_start: Some(note_start), ..cleave_run::Options::default() };
    let mut timing = Timing::default();
    let ended = run::wasm(&wasm, &options, &mut timing).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    if ended.status != 0 {
        bail!("status {}", ended.status);
    }
    let mut measured = Measured::default();
    let started = *STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(begin), Some(end)) = (started, cpu::own()) {
        measured.set("run_cpu_s", end - begin);
    }
    measured.set("engine_s", timing.seconds("engine compile"));
    measured.set("instantiate_s", timing.seconds("instantiate"));
    measured.set("run_s", timing.seconds("run"));
    if let Some(statistics) = ended.statistics {
        measured.set("gc_s", statistics.gc_ns as f64 / 1e9);
        measured.set("collections", statistics.collections as f64);
        measured.set("minor_collections", statistics.minor_collections as f64);
        measured.set("copied_bytes", statistics.copied_bytes as f64);
        measured.set("longest_pause_s", statistics.longest_ns as f64 / 1e9);
        measured.set("allocated_bytes", statistics.allocated_bytes as f64);
        measured.set("heap_bytes", statistics.heap_peak as f64);
    }
    Ok(measured)
}

/// The file of a compiled program: WebAssembly, or an executable.
pub fn program_bytes(session: &mut Session, compiled: Compiled) -> Outcome<Vec<u8>> {
    let Some(program) = &compiled.native else { return Ok(compiled.wasm) };
    let linker = native::find_linker(session)?;
    let object = native::object(session, program);
    native::link(session, &linker, &object, &compiled.foreign_calls, &compiled.needs)
}

/// Builds the executable of a program for this machine.
pub fn build_executable(main: &Path, file: &Path) -> Result<()> {
    build_with(Options { target: Target::Native, ..Options::default() }, main, file)
}

/// Builds WebAssembly as it is behind a loader.
pub fn build_for_node(main: &Path, file: &Path) -> Result<()> {
    build_with(Options { osr_loops: true, ..Options::default() }, main, file)
}

fn build_with(options: Options, main: &Path, file: &Path) -> Result<()> {
    let mut session = Session::new(options);
    let built = languages::load(&mut session, main)
        .and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Code, &[]))
        .and_then(|compiled| {
            let bytes = program_bytes(&mut session, compiled)?;
            output::write_all(&mut session, &[(Destination::File(file.to_path_buf()), &bytes)])
        });
    if built.is_err() {
        let messages = session.sink.diagnostics();
        let texts: Vec<String> = messages.iter().map(|message| cleave_diag::short(message, &session.sources)).collect();
        bail!("{} cannot be built:\n{}", main.display(), texts.join("\n"));
    }
    Ok(())
}

/// Phases of the compiler, in their order.
pub const PHASES: &[&str] = &["parse", "build", "passes", "lowering", "emit"];

/// Further phases of the target native.
pub const NATIVE_PHASES: &[&str] = &["object", "link"];

/// The level with this number.
pub fn level(number: u8) -> Level {
    [Level::O0, Level::O1, Level::O2][usize::from(number.min(2))]
}

/// Compiles a program in this process to WebAssembly.
pub fn compile(main: &Path, level: Level, folders: &[PathBuf]) -> Result<(Vec<u8>, Measured)> {
    compile_for(Target::Wasm, main, level, folders, None)
}

/// The same for a target, with a cache of compiled functions if one is named; for this machine the bytes are those of
/// the executable.
pub fn compile_for(
    target: Target,
    main: &Path,
    level: Level,
    folders: &[PathBuf],
    cache_file: Option<PathBuf>,
) -> Result<(Vec<u8>, Measured)> {
    let search = folders.iter().cloned().map(clean::options::SearchStep::Folder).collect();
    let clean = clean::Options { search, ..clean::Options::default() };
    let mut session = Session::new(Options { target, level, clean, cache_file, ..Options::default() });
    let (begin, cpu) = (Instant::now(), cpu::own());
    let loaded = languages::load(&mut session, main);
    session.timing.add("parse", begin.elapsed());
    let compiled = loaded.and_then(|loaded| pipeline::compile(&mut session, loaded, Stop::Code, &[]));
    let bytes = compiled.and_then(|compiled| program_bytes(&mut session, compiled));
    let Ok(bytes) = bytes else {
        let messages = session.sink.diagnostics();
        let texts: Vec<String> = messages.iter().map(|message| cleave_diag::short(message, &session.sources)).collect();
        bail!("{} does not compile:\n{}", main.display(), texts.join("\n"));
    };
    let mut measured = Measured::default();
    let phases = PHASES.iter().chain(if target == Target::Native { NATIVE_PHASES } else { &[] });
    for phase in phases {
        measured.set(&format!("{phase}_s"), session.timing.seconds(phase));
    }
    measured.set("compile_s", session.timing.compile_seconds());
    if let (Some(begin), Some(end)) = (cpu, cpu::own()) {
        measured.set("compile_cpu_s", end - begin);
    }
    measured.set("modules", session.counts.get("modules").unwrap_or(0) as f64);
    measured.set("source_bytes", session.counts.get("source bytes").unwrap_or(0) as f64);
    measured.set("functions", session.counts.get("functions").unwrap_or(0) as f64);
    Ok((bytes, measured))
}
