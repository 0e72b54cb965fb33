//! The benchmark programs of GOOPEA on both heaps, with and without reuse, beside executables of somebody else.
//!
//! The others are a folder of executables that have the names of the programs and print the same: for instance the C
//! code of the published tool behind `gcc -O2`.

use crate::args::OutputArgs;
use crate::machine::workspace;
use crate::ways::{Way, compare, programs};
use anyhow::Result;
use clap::Args;
use cleave::driver::session::Target;
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
pub struct GoopeaArgs {
    /// Names of programs; all if none is given
    pub programs: Vec<String>,
    /// A folder with executables of the same names, to which ours are compared
    #[arg(long, value_name = "FOLDER")]
    pub baseline: Option<PathBuf>,
    /// Samples of each program in each column; the least counts
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub runs: u32,
    #[command(flatten)]
    pub output: OutputArgs,
}

const WAYS: &[Way] = &[
    Way { name: "counted, fip", words: &[], target: Target::Native },
    Way { name: "no reuse", words: &["--reuse=none"], target: Target::Native },
    Way { name: "all reuse", words: &["--reuse=all"], target: Target::Native },
    Way { name: "traced", words: &["--memory=gc"], target: Target::Native },
    Way { name: "wasmtime, fip", words: &[], target: Target::Wasm },
    Way { name: "wasmtime, traced", words: &["--memory=gc"], target: Target::Wasm },
];

pub fn main(args: &GoopeaArgs) -> Result<()> {
    let mut programs = programs(&workspace().join("tests/goopea"), ".bench.goo", &args.programs)?;
    if let Some(folder) = &args.baseline {
        programs.iter_mut().for_each(|program| program.other = Some(folder.join(&program.name)));
    }
    compare("GOOPEA", &programs, WAYS, args.baseline.as_ref().map(|_| "baseline"), args.runs, &args.output)
}
