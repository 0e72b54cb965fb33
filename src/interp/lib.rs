//! Reference semantics of the IR: an interpreter for functions of every phase, with the runtime as a library.
//!
//! `step.rs` defines every instruction. One machine serves all phases, so the same program can be run before the
//! roots pass, after it, and lowered, and must behave the same. Memory is one array of bytes with the layout of
//! `cleave_ir::layout`: objects, shadow stack and static data look exactly as on a target.
//!
//! In rooted and low code every reference carries the collection in whose epoch it was obtained, and with
//! `Options::stress` collections happen at the safepoints themselves. A reference that crossed one in a value is
//! reported when it is used: function, block, instruction.
//!
//! Needs modules that the verifier accepts. Interpreted calls use no host stack: recursion is bounded by
//! `Options::max_registers` alone.
//!
//! ```
//! use cleave_interp::{Val, run_function};
//!
//! let source = "
//! func @double(v0: i64) -> i64 {
//! block0(v0: i64):
//!   v1 = iadd v0, v0
//!   ret v1
//! }";
//! let module = cleave_ir::text::parse_module(source)?;
//! assert_eq!(run_function(&module, "double", &[Val::I64(21)])?, [Val::I64(42)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod active;
mod arrays;
mod calls;
mod check;
mod code;
pub mod debug;
mod decode;
mod dispatch;
mod exceptions;
mod host_env;
mod libcalls;
mod machine;
mod memory;
mod nodes;
mod observe;
mod paths;
mod rc;
mod registers;
mod session;
mod show;
mod step;
mod value;
mod watch;

pub use active::{Active, MOST_ACTIVE};
pub use cleave_ir::abi::rc_stats::RcStats;
pub use machine::{Program, missing_externs};
pub use session::Session;
pub use value::{Mistake, Trap, Val};

use cleave_ir::interface::Entry;
use cleave_ir::{FuncId, Module, expand_exceptions, raises};
use std::borrow::Cow;

/// Limits and surroundings of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Largest heap in bytes.
    pub heap_limit: u32,
    /// Collect at every n-th reservation, in rooted and low code also at every n-th safepoint that is executed; all
    /// objects move, and what they leave is overwritten. Must not be 0.
    pub stress: Option<u32>,
    /// Recursive functions of low IR that can be captured always are; otherwise never.
    pub force_stackless: bool,
    /// What the program reads.
    pub stdin: Vec<u8>,
    /// Arguments of the program, without its name.
    pub args: Vec<Vec<u8>>,
    /// Variables of the environment, `NAME=value`.
    pub environment: Vec<Vec<u8>>,
    /// Write to the real stdout and stderr instead of collecting the bytes, and read the real stdin if `stdin` is
    /// empty.
    pub pass_through: bool,
    /// Bytes of output that are collected at most; what is more cannot be written.
    pub max_output: usize,
    /// Instructions to execute at most, and objects to which walks of the runtime may come.
    pub max_steps: u64,
    /// Registers (8 bytes each) of all frames together at most.
    pub max_registers: usize,
    /// `PROGRAM_FLAGS` of the data section: how the result is printed.
    pub flags: u32,
    /// Count how often each opcode is executed (`Outcome::executed`).
    pub count_opcodes: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            heap_limit: 256 << 20,
            stress: None,
            force_stackless: false,
            stdin: Vec::new(),
            args: Vec::new(),
            environment: Vec::new(),
            pass_through: false,
            max_output: usize::MAX,
            max_steps: u64::MAX,
            max_registers: 64 << 20,
            flags: 0,
            count_opcodes: false,
        }
    }
}

/// How a program ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What the program wrote; empty with `Options::pass_through`.
    pub stdout: Vec<u8>,
    /// What the program wrote; empty with `Options::pass_through`.
    pub stderr: Vec<u8>,
    /// As of a process: the program's own status, or 128 + signal.
    pub status: i32,
    /// Why it stopped, unless it ended by itself.
    pub trap: Option<Trap>,
    /// After an error of the program: the functions that were active, innermost first.
    pub active: Vec<Active>,
    /// Why something that the program wrote is lost, as the system numbers it.
    pub lost: Option<i32>,
    /// How often the collector ran.
    pub collections: u64,
    /// Instructions of the IR that were executed.
    pub steps: u64,
    /// With `Options::count_opcodes`: how often each opcode was executed, by its number.
    pub executed: Vec<u64>,
    /// What happened on the reference-counted heap.
    pub counters: RcStats,
}

impl Outcome {
    /// Of a program that could not be started.
    pub fn not_started(trap: Trap) -> Outcome {
        Outcome {
            stdout: Vec::new(),
            stderr: Vec::new(),
            status: trap.status(),
            trap: Some(trap),
            active: Vec::new(),
            lost: None,
            collections: 0,
            steps: 0,
            executed: Vec::new(),
            counters: RcStats::default(),
        }
    }
}

/// The module, if it can be interpreted as it is. Effects mean what they are expanded to, and functions of the runtime
/// become those of the module's heap.
pub fn expanded(module: &Module) -> Cow<'_, Module> {
    if is_expanded(module) {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    expand(&mut module);
    Cow::Owned(module)
}

/// The same, and what to call instead of a function: who handles what that does not.
pub fn expanded_for(module: &Module, func: FuncId) -> (Cow<'_, Module>, FuncId) {
    if is_expanded(module) {
        return (Cow::Borrowed(module), func);
    }
    let mut module = module.clone();
    module.entries.push(Entry { name: String::new(), func, narrow: (Vec::new(), false) });
    expand(&mut module);
    let func = module.entries.pop().map_or(func, |entry| entry.func);
    (Cow::Owned(module), func)
}

fn is_expanded(module: &Module) -> bool {
    !raises::has_effects(module) && !module.calls_externs_of_other_heap()
}

fn expand(module: &mut Module) {
    module.suit_externs_to_heap();
    if raises::has_effects(module) {
        expand_exceptions::run(module);
    }
}

/// Runs a whole program.
pub fn run_program(module: &Module, options: Options) -> Outcome {
    let module = &*expanded(module);
    let program = Program::new(module, data_section_options(&options));
    match Session::new(&program, options) {
        Ok(session) => session.run_program(),
        Err(trap) => Outcome::not_started(trap),
    }
}

/// Runs one function of a module. References in the results are of no use to the caller: see `Session` for those.
pub fn run_function(module: &Module, name: &str, args: &[Val]) -> Result<Vec<Val>, Trap> {
    let options = Options::default();
    let Some(func) = module.funcs.iter().find(|(_, func)| func.name == name).map(|(id, _)| id) else {
        return Err(Trap::wrong(format!("no function @{name}")));
    };
    let (module, func) = expanded_for(module, func);
    let program = Program::new(&module, data_section_options(&options));
    Session::new(&program, options)?.call(&module.funcs[func].name, args)
}

/// What of the options is fixed in the data section.
pub fn data_section_options(options: &Options) -> cleave_ir::data_section::DataSectionOptions {
    cleave_ir::data_section::DataSectionOptions {
        flags: options.flags,
        heap_max: options.heap_limit,
        ..Default::default()
    }
}
