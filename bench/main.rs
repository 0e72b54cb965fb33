//! Benchmarks of whole programs: how fast they run, how fast they compile, how large they are.
//!
//! `runner` measures programs in columns (engines and compilers) · `baseline` finds and builds what the columns run,
//! `clean` what Clean has for that · `child` is the other end: this binary started again as the measured process ·
//! `compile` measures the compiler on large inputs, `programs` on given ones · `io` measures files, `memory` the memory
//! of executables, `size` lists sizes of files and of their code · `updates` measures the collector where it is hard ·
//! `study` compares the choices of the compiler with each other · `input` reads programs and makes large ones · `stats`
//! and `report` sum up and print · `process` runs a command, `cpu` reads clocks · `json` writes the file with every
//! sample · `machine` says where all that was measured.
//!
//! Every sample of a program is a process of its own, and its output is compared with the expected one: a fast wrong
//! answer is an error, not a result.

/// That of `cleave`, whose speed is measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod baseline;
mod child;
mod clean;
mod compile;
mod cpu;
mod input;
mod io;
mod json;
mod machine;
mod memory;
mod process;
mod programs;
mod report;
mod runner;
mod size;
mod stats;
mod study;
mod updates;

use clap::{Args, Parser, Subcommand};
use clean::CleanArgs;
use std::path::PathBuf;

/// Measures programs compiled by cleave
#[derive(Parser, Debug)]
#[command(name = "cleave-bench", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the benchmark programs (the default)
    Run(RunArgs),
    /// Measure the speed and the memory of the compiler on large inputs, or on programs
    Compile(CompileArgs),
    /// Copy 100 MB of text by character, by line and as one string
    Io(RunArgs),
    /// List the sizes of compiled programs
    Size(SizeArgs),
    /// Compare root strategies, passes, collectors, sizes of the nursery and conventions of calls
    Study(study::StudyArgs),
    /// Measure the peak of resident memory of executables
    Memory(MemoryArgs),
    /// Compare sizes of the nursery with copying everything, on programs that update large data
    Updates(updates::UpdatesArgs),
    #[command(hide = true, name = memory::NAME)]
    Peak(memory::PeakArgs),
    #[command(hide = true, name = child::NAME)]
    Child(child::ChildArgs),
}

/// Where results are written, beside stdout.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputArgs {
    /// Write all samples, the machine and the versions as JSON
    #[arg(long, value_name = "PATH")]
    pub json: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long, value_name = "PATH")]
    pub markdown: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// Samples of each program in each column
    #[arg(long, default_value_t = 10, value_name = "N")]
    pub runs: u32,
    /// Rounds before the first sample
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub warmup: u32,
    /// Also run the same files under node (node:wasi)
    #[arg(long)]
    pub node: bool,
    /// Do not run executables of our own
    #[arg(long)]
    pub no_native: bool,
    /// Also run programs compiled with -O0
    #[arg(long)]
    pub unoptimised: bool,
    #[command(flatten)]
    pub clean: CleanArgs,
    /// The column that ratios refer to: clean, unoptimised, node, native or wasmtime [default: the first of these that
    /// runs]
    #[arg(long, value_name = "COLUMN")]
    pub baseline: Option<String>,
    /// Options for the runtime of compiled programs, as in the variable CLEAVE_RTS
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub rts: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
pub struct CompileArgs {
    /// Measure these programs, with the modules that they import, instead of large inputs that are made for it
    ///
    /// Every sample is a new process that reads and parses all modules.
    #[arg(value_name = "MAIN.abc")]
    pub programs: Vec<PathBuf>,
    /// Folders of the modules that the programs import
    #[arg(short = 'L', value_name = "DIR", requires = "programs")]
    pub folders: Vec<PathBuf>,
    /// Lines of the largest input; two more inputs have a half and a quarter of it
    #[arg(long, default_value_t = 320_000, value_name = "N")]
    pub lines: usize,
    /// Samples of each input
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub runs: u32,
    /// What to compile for; for native, up to the linked executable
    #[arg(long, value_name = "TARGET", default_value = "wasm")]
    pub target: cleave::driver::session::Target,
    /// How much to optimise; may be given several times [default: 2; for native 0, 1 and 2]
    #[arg(short = 'O', value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=2), conflicts_with = "programs")]
    pub levels: Vec<u8>,
    /// Threads of the compiler [default: 1; for programs: one per processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Also measure Clean's code generator on each module of the same inputs: the program `cg`, a Linux installation of
    /// Clean's back end, or a git directory that holds one
    #[arg(long, value_name = "PATH", conflicts_with = "programs")]
    pub cg: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
pub struct SizeArgs {
    #[command(flatten)]
    pub clean: CleanArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Clone, Debug)]
pub struct MemoryArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// Samples of each program with each size of heap
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub runs: u32,
    #[command(flatten)]
    pub clean: CleanArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.command.unwrap_or(Command::Run(cli.run)) {
        Command::Run(args) => runner::main(&args),
        Command::Compile(args) if !args.programs.is_empty() => programs::main(&args),
        Command::Compile(args) => compile::main(&args),
        Command::Io(args) => io::main(&args),
        Command::Size(args) => size::main(&args),
        Command::Study(args) => study::main(&args),
        Command::Memory(args) => memory::main(&args),
        Command::Updates(args) => updates::main(&args),
        Command::Peak(args) => memory::peak(&args),
        Command::Child(args) => child::main(&args),
    }
}
