//! What runs a program: the embedded engine, our executable, node, or Clean's own native code.
//!
//! A column builds its executable of each program once and knows the command that runs it. The ratio of two columns
//! compares the time of the program itself: the run phase under an engine, the whole process of a native executable,
//! which has no other phase.

use crate::args::RunArgs;
use crate::child::{self, Measured, Task, measure};
use crate::clean::Clean;
use crate::input::Program;
use crate::peak;
use anyhow::{Result, bail};
use cleave::driver::session::Level;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One way to run a program.
#[derive(Clone, Debug)]
pub enum Column {
    /// The engine inside cleave.
    Wasmtime,
    /// An executable of ours.
    Native,
    /// WebAssembly again, but compiled without optimisations.
    Unoptimised,
    /// node:wasi, of this executable.
    Node { program: PathBuf, name: String },
    /// Native code of Clean's code generator.
    Clean(Clean),
}

/// A program made ready for a column.
pub struct Ready {
    file: PathBuf,
    kind: Kind,
}

enum Kind {
    Child,
    Own,
    Node { program: PathBuf, script: PathBuf },
    Native { heap: u64 },
}

/// Heaps that are tried for native programs: small ones stay in the cache, large ones collect less often.
const NATIVE_HEAPS: [u64; 4] = [2 << 20, 8 << 20, 40 << 20, 600 << 20];
/// Runs of each of them.
const HEAP_TRIALS: u32 = 2;

const NODE_SCRIPT: &str = include_str!("node.mjs");

/// The columns that the options ask for.
pub fn columns(args: &RunArgs) -> Vec<Column> {
    let mut columns = vec![Column::Wasmtime];
    if cleave::driver::native::IS_AVAILABLE && !args.no_native {
        columns.push(Column::Native);
    }
    if args.unoptimised {
        columns.push(Column::Unoptimised);
    }
    if args.node {
        columns.push(Column::Node { program: "node".into(), name: "node".into() });
    }
    columns.extend(args.clean.clean().map(Column::Clean));
    columns
}

impl Column {
    pub fn name(&self) -> &str {
        match self {
            Column::Wasmtime => "wasmtime",
            Column::Native => "native",
            Column::Unoptimised => "unoptimised",
            Column::Node { name, .. } => name,
            Column::Clean(_) => "clean",
        }
    }

    /// The time that ratios compare.
    pub fn time(&self, sample: &Measured) -> f64 {
        match self {
            Column::Clean(_) | Column::Native => sample.get("total_s"),
            _ => sample.get("run_s"),
        }
    }

    /// The level of optimisation of the file that the column runs; nothing if it is not ours.
    pub fn level(&self) -> Option<Level> {
        match self {
            Column::Wasmtime | Column::Node { .. } => Some(Level::O2),
            Column::Unoptimised => Some(Level::O0),
            Column::Clean(_) | Column::Native => None,
        }
    }

    /// Makes a program ready. `wasm` is the compiled file of the column's level.
    pub fn prepare(&self, program: &Program, wasm: &Path, scratch: &Path) -> Result<Ready> {
        match self {
            Column::Wasmtime | Column::Unoptimised => Ok(Ready::wasmtime(wasm.to_path_buf())),
            Column::Native => {
                let file = scratch.join(format!("{}.own", program.name));
                child::build_executable(&program.abc, &file)?;
                Ok(Ready::executable(file))
            }
            Column::Node { program: node, .. } => {
                let file = scratch.join(format!("{}.node.wasm", program.name));
                child::build_for_node(&program.abc, &file)?;
                Ready::node(file, node, scratch)
            }
            Column::Clean(clean) => native(clean.build(&program.abc, scratch, &program.name)?, program),
        }
    }
}

/// A native executable with the heap that suits it best.
fn native(file: PathBuf, program: &Program) -> Result<Ready> {
    let mut best: Option<(f64, u64)> = None;
    for heap in NATIVE_HEAPS {
        let ready = Ready { file: file.clone(), kind: Kind::Native { heap } };
        for _ in 0..HEAP_TRIALS {
            // A heap that is too small ends the program with a message.
            let Ok(sample) = ready.sample(program, None) else { break };
            let time = sample.get("total_s");
            if best.is_none_or(|(other, _)| time < other) {
                best = Some((time, heap));
            }
        }
    }
    match best {
        Some((_, heap)) => Ok(Ready { file, kind: Kind::Native { heap } }),
        None => bail!("the native {} fails with every size of heap", program.name),
    }
}

impl Ready {
    /// A file of WebAssembly for the engine inside cleave.
    pub fn wasmtime(file: PathBuf) -> Ready {
        Ready { file, kind: Kind::Child }
    }

    /// The same for node.
    pub fn node(file: PathBuf, program: &Path, scratch: &Path) -> Result<Ready> {
        let script = scratch.join("node.mjs");
        fs::write(&script, NODE_SCRIPT)?;
        Ok(Ready { file, kind: Kind::Node { program: program.to_path_buf(), script } })
    }

    /// An executable of ours.
    pub fn executable(file: PathBuf) -> Ready {
        Ready { file, kind: Kind::Own }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Runs the program once and checks its output.
    pub fn sample(&self, program: &Program, rts: Option<&str>) -> Result<Measured> {
        self.sample_of(self.command()?, program, rts)
    }

    /// The same; the resident memory of native code is that of the program alone, for which its time is a bit longer.
    pub fn sample_with_memory(&self, program: &Program, rts: Option<&str>) -> Result<Measured> {
        let command = self.command()?;
        if matches!(self.kind, Kind::Child | Kind::Node { .. }) {
            return self.sample_of(command, program, rts);
        }
        let mut small = Command::new(std::env::current_exe()?);
        small.arg(peak::NAME).arg(command.get_program()).args(command.get_args());
        self.sample_of(small, program, rts)
    }

    fn command(&self) -> Result<Command> {
        Ok(match &self.kind {
            Kind::Child => child::command(Task::Run, &self.file, &[])?,
            Kind::Own => Command::new(&self.file),
            Kind::Node { program, script } => {
                let mut command = Command::new(program);
                command.arg("--no-warnings").arg(script).arg(&self.file);
                command
            }
            Kind::Native { heap } => {
                let mut command = Command::new(&self.file);
                command.arg("-h").arg(heap.to_string());
                command
            }
        })
    }

    fn sample_of(&self, mut command: Command, program: &Program, rts: Option<&str>) -> Result<Measured> {
        // The child adds this option itself.
        let measured = matches!(self.kind, Kind::Node { .. }).then_some("--measure");
        let words: Vec<&str> = rts.into_iter().chain(measured).collect();
        if !words.is_empty() {
            command.env("CLEAVE_RTS", words.join(" "));
        }
        let (output, mut sample) = measure(&mut command)?;
        if output != program.expected {
            bail!("{} printed something else than expected", program.name);
        }
        if let Kind::Native { heap } = self.kind {
            sample.set("heap_bytes", heap as f64);
        }
        Ok(sample)
    }
}
