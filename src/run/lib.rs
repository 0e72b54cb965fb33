//! Runs programs that `cleave-compile` has made, in this process: WebAssembly in an embedded engine, machine code at
//! once. Their input and output are ours.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let wasm = std::fs::read("program.wasm")?;
//! let ended = cleave_run::wasm(&wasm, &cleave_run::Options::default())?;
//! std::process::exit(ended.status)
//! # }
//! ```
//! [`wasm`] takes any command for WASI; of programs by other compilers there are no statistics, and no files but those
//! of folders that they may see. [`native`] takes what the target `Native` of `cleave-compile` makes. A program that
//! fails ends with a message on stderr and a status, as it would on its own: an [`Error`] means that it did not run.

#![warn(missing_docs)]

#[cfg(feature = "engine")]
mod captured_frames;
mod code_cache;
#[cfg(feature = "engine")]
mod compiled;
#[cfg(feature = "engine")]
mod engine;
#[cfg(feature = "engine")]
mod functions;
#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
mod jit;
pub mod own_file;
pub mod trace;
#[cfg(feature = "engine")]
mod wasi;

pub use code_cache::CodeCache;

#[cfg(feature = "engine")]
pub use engine::run as wasm;
#[cfg(all(feature = "native", target_arch = "x86_64", target_os = "linux"))]
pub use jit::run as native;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The program's name, then its arguments.
    pub args: Vec<OsString>,
    /// Shared libraries with C functions, for machine code: paths, or names that the system looks for.
    pub libraries: Vec<OsString>,
    /// The largest heap, in bytes.
    pub heap: Option<u64>,
    /// The stack, in bytes.
    pub stack: Option<u64>,
    /// The longest time that the embedded engine runs the program: it ends with a message and status 124. Machine code
    /// cannot be stopped in this process.
    pub timeout: Option<Duration>,
    /// Collect each time room has been asked for so often, and overwrite what is dead: for finding mistakes.
    pub gc_stress: Option<u32>,
    /// Recursive functions are captured at each call, as if there were no stack: for finding mistakes.
    pub force_stackless: bool,
    /// The collector, in the runtime's word; its default otherwise.
    pub gc: Option<&'static str>,
    /// A size of the nursery beside those from which the runtime chooses.
    pub nursery: Option<u64>,
    /// List the active functions under a run-time error.
    pub trace: bool,
    /// For that list: what it calls the code from these bytes of the module on, in ascending order; if nothing, the
    /// code has the name of its function.
    pub lines: Vec<(usize, Option<String>)>,
    /// Measure the time of collections.
    pub measure: bool,
    /// Called in the embedded engine when everything is compiled and the program is about to start.
    pub on_start: Option<fn()>,
    /// All the folders that the program sees, and how it calls them, in a sandbox. Without a list one of ours sees the
    /// files of the system, and one of others none.
    pub folders: Option<Vec<(PathBuf, String)>>,
    /// Variables, `NAME=value`, beside our own; in a sandbox, or in a program of others, all that there are.
    pub environment: Vec<Vec<u8>>,
    /// Where the embedded engine keeps what it makes of the program; nowhere otherwise.
    pub code_cache: Option<Arc<dyn CodeCache>>,
    /// A file where it keeps the machine code of functions, for all programs that have the same ones. Whoever can write
    /// it decides what a run does.
    pub functions: Option<PathBuf>,
    /// Further options of our runtime, in the words of CLEAVE_RTS.
    pub runtime: String,
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Its status for the system.
    pub status: i32,
    /// Of our runtime; other programs have none.
    pub statistics: Option<Statistics>,
    /// The first path that a sandbox has refused.
    pub refused: Option<Vec<u8>>,
    /// Why something that the program wrote to standard output is lost, as the system numbers it. Only the engine for
    /// WebAssembly notices it.
    pub lost: Option<i32>,
    /// How long each step took, in order: compilation by the engine, preparation, the run itself.
    pub phases: Vec<(&'static str, Duration)>,
}

/// Counters of the runtime.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Collections, large and small.
    pub collections: u64,
    /// Bytes of all objects that were made.
    pub allocated_bytes: u64,
    /// Bytes that collections moved.
    pub copied_bytes: u64,
    /// Nanoseconds in collections; measured on request.
    pub gc_ns: u64,
    /// Bytes alive after the last collection.
    pub live_bytes: u64,
    /// The most bytes that the heap had.
    pub heap_peak: u64,
    /// How often room for objects was asked for.
    pub reservations: u64,
    /// Collections of the nursery alone.
    pub minor_collections: u64,
    /// Nanoseconds of the longest collection.
    pub longest_ns: u64,
    /// Nanoseconds of the shortest collection.
    pub shortest_ns: u64,
    /// Nanoseconds that 99 of 100 collections did not exceed.
    pub percentile_99_ns: u64,
}

/// Why a run did not take place, or should not have ended as it did.
#[derive(Debug)]
pub enum Error {
    /// The file is no program that we can run.
    NotAProgram(String),
    /// The system did not give us what we need.
    System(String),
    /// The program failed in a way in which programs that we compile never fail.
    Bug(String),
}

/// Status of a program that has reached its limit of time, as the command `timeout` has it.
pub const STOPPED: i32 = 124;

/// What is said of it.
pub fn time_limit(limit: Duration) -> String {
    format!("cleave: the program was stopped after {limit:?}, the limit of --timeout")
}

/// The first bytes of every WebAssembly file.
pub const MAGIC: &[u8; 4] = b"\0asm";

/// Runtime options for the environment variable that the runtime reads.
pub fn runtime_options(options: &Options) -> String {
    let mut words: Vec<String> = std::env::var("CLEAVE_RTS").into_iter().collect();
    words.extend(options.heap.map(|size| format!("--heap={size}")));
    words.extend(options.stack.map(|size| format!("--stack={size}")));
    words.extend(options.gc.map(|name| format!("--gc={name}")));
    words.extend(options.nursery.map(|size| format!("--nursery={size}")));
    if let Some(interval) = options.gc_stress {
        words.push(format!("--gc-stress={interval} --poison"));
    }
    if options.force_stackless {
        words.push("--force-stackless".into());
    }
    if options.measure {
        words.push("--measure".into());
    }
    if !options.runtime.is_empty() {
        words.push(options.runtime.clone());
    }
    words.join(" ")
}

/// Our own environment, for the program: `NAME=value`, except what is meant for the runtime of compiled programs.
pub fn environment() -> Vec<Vec<u8>> {
    let variables = std::env::vars_os().filter(|(name, _)| name != "CLEAVE_RTS");
    let text = |(name, value): (OsString, OsString)| [name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat();
    variables.map(text).collect()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAProgram(why) => write!(f, "this is no program: {why}"),
            Error::System(why) => f.write_str(why),
            Error::Bug(trap) => write!(f, "the program has failed as none should: {trap}"),
        }
    }
}

impl std::error::Error for Error {}

/// The reason of the system, without its number, which differs between systems.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}
