//! Benchmarks of whole programs: how fast they run, how fast they compile, how large they are.
//!
//! `args` are words of the command line that several commands share · `runner` measures programs in columns (engines
//! and compilers) · `baseline` finds and builds what the columns run, `clean` what Clean has for that · `child` is the
//! other end: this binary started again as the measured process · `compile` measures the compiler on large inputs,
//! `programs` on given ones · `io` measures files, `memory` the memory of executables, `size` lists sizes of files and
//! of their code · `updates` measures the collector where it is hard · `wide` compares programs that nobody tuned for ·
//! `goopea` runs the programs of that language, `samlang` those that are written in OCaml, too, both by `ways`, which
//! compiles programs in several · `editor` measures the language server · `study` compares the choices of the compiler
//! with each other · `input` reads programs and makes large ones · `stats` and `report` sum up and print · `process`
//! runs a command, `cpu` reads clocks · `json` writes the file with every sample · `machine` says where all that was
//! measured.
//!
//! Every sample of a program is a process of its own, and its output is compared with the expected one: a fast wrong
//! answer is an error, not a result.

/// That of `cleave`, whose speed is measured here.
#[global_allocator]
static ALLOCATOR: cleave::allocator::Allocator = cleave::allocator::Allocator;

mod args;
mod baseline;
mod child;
mod clean;
mod compile;
mod cpu;
mod editor;
mod generated;
mod goopea;
mod input;
mod io;
mod json;
mod machine;
mod memory;
mod peak;
mod process;
mod programs;
mod report;
mod runner;
mod samlang;
mod size;
mod stats;
mod study;
mod updates;
mod ways;
mod wide;

use args::{CompileArgs, MemoryArgs, RunArgs, SizeArgs};
use clap::{Parser, Subcommand};

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
    /// Compare folders of compiled programs with Clean's native code: time, memory, size, and what passes are worth
    Wide(wide::WideArgs),
    /// Run the benchmark programs of GOOPEA beside other executables of them
    Goopea(goopea::GoopeaArgs),
    /// Run programs that are written in samlang and in OCaml
    Samlang(samlang::SamlangArgs),
    /// Measure the language server: from a key to diagnostics, and to what may be typed
    Editor(editor::EditorArgs),
    #[command(hide = true, name = editor::SERVER)]
    EditorServer,
    #[command(hide = true, name = peak::NAME)]
    Peak(peak::PeakArgs),
    #[command(hide = true, name = child::NAME)]
    Child(child::ChildArgs),
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
        Command::Wide(args) => wide::main(&args),
        Command::Goopea(args) => goopea::main(&args),
        Command::Samlang(args) => samlang::main(&args),
        Command::Editor(args) => editor::main(&args),
        Command::EditorServer => editor::serve(),
        Command::Peak(args) => peak::peak(&args),
        Command::Child(args) => child::main(&args),
    }
}
