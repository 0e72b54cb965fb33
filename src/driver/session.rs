//! One invocation: its options, the files read so far, what is wrong with them, and how long everything took.

use crate::driver::timing::Timing;
use cleave_diag::{Diagnostic, Sink, SourceMap};
use std::path::PathBuf;

/// The input is wrong; the sink of the session says how.
#[derive(Debug)]
pub struct Failed;

pub type Outcome<T = ()> = Result<T, Failed>;

/// What is generated for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Target {
    /// WebAssembly for WASI (wasm32-wasip1), with tail calls, multi-value and bulk memory
    #[default]
    Wasm,
    /// An executable for this machine
    Native,
}

/// Which strategy places spills and restores of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Roots {
    /// Every live reference is spilled before and restored after each safepoint
    #[default]
    EachCall,
}

/// How much is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    O0,
    O1,
    #[default]
    O2,
}

/// Options of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    pub level: Level,
    pub roots: Roots,
    /// Names of passes that are left out.
    pub disabled: Vec<&'static str>,
    /// Drop the names of functions.
    pub strip: bool,
    /// Keep the CLIF, or the assembly, of native code.
    pub clif: bool,
    pub asm: bool,
    /// Verify the IR after each pass and validate the result.
    pub verify_each: bool,
    /// Print the IR to stderr after these passes.
    pub print_after: Vec<String>,
    /// Folders of `-L`.
    pub folders: Vec<PathBuf>,
    /// `--clean-home`, or the variable CLEAN_HOME.
    pub clean_home: Option<PathBuf>,
}

/// State of one invocation.
#[derive(Debug, Default)]
pub struct Session {
    pub options: Options,
    pub sources: SourceMap,
    pub sink: Sink,
    pub timing: Timing,
    pub counts: Counts,
}

/// Numbers for `-v` and `--stats`.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Name and value, in the order in which they became known.
    pub rows: Vec<(&'static str, u64)>,
    /// Pass, and functions that it changed.
    pub changed: Vec<(&'static str, u64)>,
}

impl Counts {
    pub fn set(&mut self, name: &'static str, value: usize) {
        self.rows.push((name, value as u64));
    }
    pub fn get(&self, name: &str) -> Option<u64> {
        self.rows.iter().find(|row| row.0 == name).map(|row| row.1)
    }
    /// Adds to the row of a pass, which may run several times.
    pub fn add_changed(&mut self, pass: &'static str, count: usize) {
        match self.changed.iter_mut().find(|row| row.0 == pass) {
            Some(row) => row.1 += count as u64,
            None => self.changed.push((pass, count as u64)),
        }
    }
}

impl Session {
    pub fn new(options: Options) -> Session {
        Session { options, ..Session::default() }
    }

    /// Reports an error; for `return Err(session.fail(…))`.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.sink.report(diagnostic);
        Failed
    }

    /// Fails if any error has been reported.
    pub fn check(&self) -> Outcome {
        if self.sink.has_errors() { Err(Failed) } else { Ok(()) }
    }
}
