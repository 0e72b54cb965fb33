//! The ways in which a program of the wide set runs, and one run of it.
//!
//! Times are processor times, which others on the machine stretch least: of machine code the whole process, in wasmtime
//! from the start of the program on, when the engine has compiled it, in node all but the start of node itself, whose
//! compilers work while the program runs. Machine code is started by a small process, because the system counts for
//! the memory of a process also what its parent had.

use crate::child::{self, Measured, Task, measure_with};
use crate::peak;
use crate::wide::list::{Digest, Input, Program};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Heaps for Clean's programs, of which the fastest counts. They are built in, since many programs read all words of
/// their command line.
pub const HEAPS: [u64; 3] = [8 << 20, 64 << 20, 512 << 20];
/// The stack for Clean's references.
pub const STACK: u64 = 64 << 20;

/// Loaded by node before the program.
const PROBE: &str = include_str!("probe.mjs");

/// One way to run a program.
#[derive(Clone, Debug)]
pub enum Way {
    /// Native code of Clean's code generator.
    Clean,
    /// An executable of ours, compiled with further words.
    Native { words: Vec<String> },
    /// The engine inside cleave.
    Wasmtime { words: Vec<String> },
    /// A module with our loader, by an executable of node.
    Node { program: PathBuf },
}

impl Way {
    /// The ending of its files.
    pub fn extension(&self) -> &'static str {
        match self {
            Way::Clean | Way::Native { .. } => "exe",
            Way::Wasmtime { .. } => "wasm",
            Way::Node { .. } => "mjs",
        }
    }

    /// The file that these words make. Its stem is that of no other way: a `.mjs` comes with a `.wasm` of its own,
    /// which is made for another engine than that of the way `Wasmtime`.
    pub fn file(&self, words: &[String]) -> String {
        let extension = self.extension();
        format!("{}-{extension}.{extension}", words.concat())
    }

    /// Words for the compiler; nothing if that is not ours.
    pub fn words(&self) -> Option<Vec<String>> {
        let (target, words) = match self {
            Way::Clean => return None,
            Way::Native { words } => ("native", words.as_slice()),
            Way::Wasmtime { words } => ("wasm", words.as_slice()),
            Way::Node { .. } => ("wasm", &[][..]),
        };
        let mut all = vec![format!("--target={target}"), "--no-cocl".into(), "--no-cache".into(), "--quiet".into()];
        all.extend_from_slice(words);
        Some(all)
    }

    /// Runs a compiled program once, checks what it prints, and says what it took: `cpu_s`, `total_s`, and for machine
    /// code `resident_bytes`.
    pub fn sample(&self, program: &Program, file: &Path, scratch: &Path) -> Result<Measured> {
        let mut command = self.command(program, file, scratch)?;
        // The runtime takes the folder that the variable names.
        command.current_dir(program.folder()).env("PWD", program.folder());
        let stdin = match &program.input {
            Input::Nothing => Stdio::null(),
            Input::File(path) => open(path)?.into(),
            Input::Line(text) => {
                let path = scratch.join(format!("{}.stdin", program.name));
                fs::write(&path, format!("{text}\n"))?;
                open(&path)?.into()
            }
        };
        let (output, reported) = measure_with(&mut command, stdin)?;
        if Digest::of(&output) != program.output {
            let start = String::from_utf8_lossy(&output[..output.len().min(100)]).into_owned();
            bail!("{} printed something else than expected, {} bytes: {start:?}", program.name, output.len());
        }
        let mut sample = Measured::default();
        let names = match self {
            Way::Clean | Way::Native { .. } => ["program_cpu_s", "program_s"],
            Way::Wasmtime { .. } | Way::Node { .. } => ["run_cpu_s", "run_s"],
        };
        for (name, reported_as) in ["cpu_s", "total_s"].into_iter().zip(names) {
            sample.set(name, reported.find(reported_as).with_context(|| format!("no {reported_as} was reported"))?);
        }
        sample.set("process_cpu_s", reported.get("cpu_s"));
        sample.set("resident_bytes", reported.get("resident_bytes"));
        Ok(sample)
    }

    fn command(&self, program: &Program, file: &Path, scratch: &Path) -> Result<Command> {
        Ok(match self {
            Way::Clean | Way::Native { .. } => {
                let mut command = Command::new(std::env::current_exe()?);
                command.arg(peak::NAME).arg("--").arg(file).args(&program.arguments);
                command
            }
            Way::Wasmtime { .. } => {
                let mut command = child::command(Task::Run, file, &[])?;
                command.arg("--").args(&program.arguments);
                command
            }
            Way::Node { program: node } => {
                let probe = scratch.join("probe.mjs");
                if !probe.exists() {
                    fs::write(&probe, PROBE)?;
                }
                let mut command = Command::new(node);
                command.arg("--import").arg(probe).arg(file).args(&program.arguments);
                command
            }
        })
    }
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_way_writes_over_the_file_of_another() {
        let ways = [
            Way::Native { words: Vec::new() },
            Way::Wasmtime { words: Vec::new() },
            Way::Node { program: "node".into() },
        ];
        let files: Vec<String> = ways.iter().map(|way| way.file(&[])).collect();
        let beside = Path::new(&files[2]).with_extension("wasm");
        assert!(files.iter().all(|file| Path::new(file) != beside), "{files:?}");
    }
}
