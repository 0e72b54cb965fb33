//! Programs that are written in samlang and in OCaml: executables, WebAssembly in wasmtime, and what OCaml's native
//! compiler makes.
//!
//! `samlang/NAME.sam` and `samlang/NAME.ml` do the same with the same data, each with the library of its language;
//! `NAME.expected` is what both print.

use crate::args::OutputArgs;
use crate::input::Scratch;
use crate::machine::workspace;
use crate::ways::{Way, compare, programs};
use anyhow::{Context, Result, bail};
use clap::Args;
use cleave::driver::session::Target;
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

const WAYS: &[Way] = &[
    Way { name: "executable", words: &[], target: Target::Native },
    Way { name: "wasmtime", words: &[], target: Target::Wasm },
];

pub fn main(args: &SamlangArgs) -> Result<()> {
    let scratch = Scratch::new()?;
    let mut programs = programs(&workspace().join("bench/samlang"), ".sam", &args.programs)?;
    if let Some(compiler) = &args.ocaml {
        for program in &mut programs {
            program.other = Some(build(compiler, &program.source, &scratch.path.join(&program.name))?);
        }
    }
    compare("samlang", &programs, WAYS, args.ocaml.as_ref().map(|_| "OCaml"), args.runs, &args.output)
}

/// The executable of OCaml's compiler for the program beside this one.
fn build(compiler: &Path, source: &Path, base: &Path) -> Result<PathBuf> {
    // The compiler writes its other files beside the source.
    let copy = base.with_extension("ml");
    fs::copy(source.with_extension("ml"), &copy)?;
    let file = base.with_extension("ocaml");
    let output = Command::new(compiler).args(OPTIONS).arg(&copy).arg("-o").arg(&file).output();
    let output = output.with_context(|| format!("cannot start {}", compiler.display()))?;
    if !output.status.success() {
        bail!("{}: {}", copy.display(), String::from_utf8_lossy(&output.stderr));
    }
    Ok(file)
}
