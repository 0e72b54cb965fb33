//! The session of one invocation: its options, the source files read so far, their diagnostics, and timings.

use crate::driver::timing::Timing;
use crate::languages::clean::options::Options as CleanOptions;
pub use cleave_compile::Level;
use cleave_diag::{Diagnostic, LintLevels, Sink, SourceMap, Span};
use cleave_ir::Heap;
use cleave_passes::ipo::outline;
use cleave_passes::rc_insertion::{RcInsertion, Reuse};
use cleave_passes::roots;
use cleave_passes::roots::{AVAILABLE, LateOptions, Limits, RootStrategy};
use cleave_strict::Exports;
use cleave_strict::imports::ImportedClass;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// The input is wrong; the sink of the session says how.
#[derive(Debug)]
pub struct ErrorReported;

pub type Outcome<T = ()> = Result<T, ErrorReported>;

/// What is generated for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Target {
    /// WebAssembly for WASI (wasm32-wasip1), with tail calls, multi-value and bulk memory
    #[default]
    Wasm,
    /// An executable for this machine
    Native,
    /// A component of WebAssembly, of a library: for hosts of the Component Model, imports nothing
    Component,
}

impl Target {
    /// For which code is made: a component holds WebAssembly.
    pub fn of_code(self) -> Target {
        if self == Target::Component { Target::Wasm } else { self }
    }
}

/// Which strategy places spills and restores of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Roots {
    /// Every live reference is spilled before and restored after each safepoint
    EachCall,
    /// Spilled before the first safepoint, restored at the first use
    Lazy,
    /// Placed by cost after all optimisations
    #[default]
    Late,
    /// Linked frames that are described by tables
    Chain,
    /// Native: references stay in machine registers and frames
    Stackmap,
}

impl Roots {
    /// Every strategy that is there on all targets.
    pub fn all() -> Vec<Roots> {
        let all = <Roots as clap::ValueEnum>::value_variants().iter().copied();
        all.filter(|roots| AVAILABLE.contains(&roots.strategy())).collect()
    }
    /// What the passes call it.
    pub fn strategy(self) -> RootStrategy {
        match self {
            Roots::EachCall => RootStrategy::EachCall,
            Roots::Lazy => RootStrategy::Lazy,
            Roots::Late => RootStrategy::Late,
            Roots::Chain => RootStrategy::Chain,
            Roots::Stackmap => RootStrategy::Stackmap,
        }
    }
}

/// What makes executables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum LinkerChoice {
    /// Our own linker; a C compiler for what that cannot
    #[default]
    Auto,
    /// Our own linker
    Embedded,
    /// The C compiler that the variable CC names, or `cc`
    Cc,
}

/// Options of a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    pub level: Level,
    pub roots: Roots,
    /// Steps of the strategy `late` that are left out.
    pub steps: LateOptions,
    /// How memory is managed, if the command line says it.
    pub memory: Option<Heap>,
    /// A new cell in a function that asks for updates in place is an error.
    pub fip: bool,
    /// When references of the reference-counted heap are released.
    pub rc_insertion: RcInsertion,
    /// Where cells of the reference-counted heap are written over dead ones.
    pub reuse: Option<Reuse>,
    /// A program on the reference-counted heap says at its end what it counted.
    pub count_cells: bool,
    /// The program in WebAssembly can be told to collect incrementally.
    pub incremental: bool,
    /// A program in WebAssembly takes no options when it runs, unless it has a collector.
    pub no_runtime_options: bool,
    /// The file with compiled code of an earlier build or run, if there is a cache.
    pub cache_file: Option<PathBuf>,
    /// Where roots are placed by a simpler rule.
    pub limits: Limits,
    /// Which functions are cut into parts.
    pub outline: outline::Limits,
    /// Debug builds of the compiler do not verify the IR either.
    pub unverified: bool,
    /// Names of passes that are left out.
    pub disabled: Vec<&'static str>,
    /// Compile every function of every module, not only what the program reaches.
    pub keep_all: bool,
    /// With `keep_all`: the main module may be without a start; then there is no program.
    pub library: bool,
    /// Which functions others call.
    pub exports: Exports,
    /// Classes whose functions JavaScript has.
    pub imports: Vec<ImportedClass>,
    /// The WebAssembly is wrapped as a component.
    pub component: bool,
    /// Check array indices.
    pub check_indices: bool,
    /// Names of the language in the name section, and the active functions under run-time errors.
    pub trace: bool,
    /// Names and lines for run-time errors, as they cost the program nothing: for machine code, and WebAssembly that is
    /// run at once, in languages that have no messages of their own to keep.
    pub error_lines: bool,
    /// WebAssembly says them itself, in a section, for loaders.
    pub lines_section: bool,
    /// WebAssembly is for engines that improve functions but never those that run: those behind a loader.
    pub osr_loops: bool,
    /// Interpreted code can be captured, too.
    pub force_stackless: bool,
    /// Drop the names of functions.
    pub strip: bool,
    pub linker: LinkerChoice,
    pub natives: LinkInputs,
    /// Keep the CLIF, or the assembly, of native code.
    pub clif: bool,
    pub asm: bool,
    /// What no verifier can know is checked while the program runs.
    pub checked: bool,
    /// Verify the IR after each pass and validate the result.
    pub verify_each: bool,
    /// Print the IR to stderr after these passes.
    pub print_after: Vec<String>,
    /// The IR says where it came from.
    pub locations: bool,
    /// How the value of a GOOPEA program is printed.
    pub print: cleave_goopea::Print,
    /// The language of stdin, by the ending of its files.
    pub language: Option<String>,
    /// What is said of lints.
    pub lints: LintLevels,
    /// Folders that the command line names, for whatever is looked for.
    pub folders: Vec<PathBuf>,
    /// What languages have for themselves.
    pub clean: CleanOptions,
}

/// Code of C that the command line adds to what modules name.
#[derive(Clone, Debug, Default)]
pub struct LinkInputs {
    /// Objects, archives and shared libraries of machine code, or objects for WebAssembly.
    pub files: Vec<PathBuf>,
    /// Names of libraries, without `lib`.
    pub libraries: Vec<String>,
    /// Modules may name files outside of the folders that are searched.
    pub allow_paths: bool,
}

/// State of one invocation.
#[derive(Debug, Default)]
pub struct Session {
    pub options: Options,
    pub sources: SourceMap,
    pub sink: Sink,
    pub timing: Timing,
    pub counts: Counts,
    /// The main module, if it has been read from stdin already.
    pub given: Option<Vec<u8>>,
    /// A text that is read instead of a file.
    pub replaced: Option<(PathBuf, Vec<u8>)>,
    /// Where the functions of IR that was read from text begin.
    pub ir_functions: FxHashMap<String, Span>,
    /// Remarks about the input for `-v`.
    pub notes: Vec<String>,
    /// Whether a file is a program of some language, which may be named without its ending.
    pub is_program: Option<fn(&Path) -> bool>,
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
    /// Adds the numbers of another part.
    pub fn append(&mut self, other: Counts) {
        self.rows.extend(other.rows);
        other.changed.iter().for_each(|&(pass, count)| self.add_changed(pass, count as usize));
    }
}

impl Session {
    /// How references are kept from collections.
    pub fn root_options(&self) -> roots::Options {
        let Options { roots, steps, limits, .. } = &self.options;
        roots::Options { strategy: roots.strategy(), steps: *steps, limits: *limits }
    }

    pub fn new(options: Options) -> Session {
        Session { options, ..Session::default() }
    }

    /// Reports an error; for `return Err(session.fail(…))`.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> ErrorReported {
        self.sink.report(diagnostic);
        ErrorReported
    }

    /// Fails if any error has been reported.
    pub fn check(&self) -> Outcome {
        if self.sink.has_errors() { Err(ErrorReported) } else { Ok(()) }
    }
}
