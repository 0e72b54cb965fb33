//! Words of the command line: what to measure, how often, where results go.

use crate::clean::CleanArgs;
use clap::Args;
use std::path::PathBuf;

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
    /// The language of the large inputs
    #[arg(long, value_name = "LANGUAGE", default_value = "clean", conflicts_with = "programs")]
    pub language: crate::generated::Language,
    /// Samples of each input
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub runs: u32,
    /// What to compile for; for native, up to the linked executable
    #[arg(long, value_name = "TARGET", default_value = "wasm")]
    pub target: cleave::driver::session::Target,
    /// How much to optimise; may be given several times [default: 2; for native 0, 1 and 2]
    #[arg(short = 'O', value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=2), conflicts_with = "programs")]
    pub levels: Vec<u8>,
    /// Also measure the build that follows a change in one module, with the cache of compiled functions that the build
    /// before it has left
    #[arg(long, conflicts_with = "programs")]
    pub again: bool,
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
