//! Input and output of the native back end: options, machine code of functions, the program as a whole.

use crate::lines::Line;
use cleave_ir::{Extern, FuncId};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// Instructions of the IR beyond which a function is very large: then its values live in the frame, it is not
/// optimised, and its registers are allocated in one pass. The work of Cranelift grows with the square of a function
/// otherwise: with fewer instructions the worst that was found takes a second.
const HUGE: usize = 1 << 14;

/// How hard Cranelift works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Nothing is optimised, registers are allocated in one pass: half of the time for half as much code again.
    Least,
    /// Nothing is optimised, registers are allocated with care: a fifth less time than for all, and code of our IR is
    /// as fast (0.99 in the mean of 13 programs): what could be found was found before.
    Some,
    /// All of its optimisations.
    Most,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// For functions that are not huge.
    pub effort: Effort,
    /// Functions with more instructions are compiled in a way whose work grows with their size only.
    pub oversized: usize,
    /// Compile functions on all threads of the pool. The bytes are the same either way.
    pub parallel: bool,
    /// Keep the text of the CLIF of each function.
    pub clif: bool,
    /// The same for assembly.
    pub asm: bool,
    /// Functions of an earlier build by this version of the compiler, to be used again. With it functions know their
    /// keys.
    pub cache: Option<Arc<crate::cache::Cache>>,
    /// Let Cranelift verify what it is given.
    pub verify: bool,
    /// What traces call the functions, by their ids, empty for those that they leave out. No names: no traces.
    pub trace: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            effort: Effort::Most,
            oversized: HUGE,
            parallel: true,
            cache: None,
            clif: false,
            asm: false,
            verify: cfg!(debug_assertions),
            trace: Vec::new(),
        }
    }
}

/// Why a module cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The program has no start function.
    NoStart,
    /// A function is more than Cranelift can take.
    TooLarge(String),
    /// A function has more parameters and results than a return can take from the stack.
    TooManyParameters(String),
    /// Static data reach beyond the place of the heap.
    DataSectionTooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoStart => f.write_str("the program has no start function"),
            Error::TooLarge(func) => write!(f, "@{func} is too large"),
            Error::TooManyParameters(func) => {
                write!(
                    f,
                    "@{func} has more than {MAX_SIGNATURE} parameters and results, which machine code cannot pass"
                )
            }
            Error::DataSectionTooLarge => f.write_str("the static data of the program are too large"),
        }
    }
}

impl std::error::Error for Error {}

/// Parameters and results of a function, eight bytes each: a return takes at most 65,535 bytes from the stack.
pub(crate) const MAX_SIGNATURE: usize = 8000;

/// What machine code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A function of the IR.
    Func(FuncId),
    /// A function of the runtime.
    Extern(Extern),
    /// A function that the back end makes up.
    Trampoline(Trampoline),
    /// What a library calls for the entry of this number.
    Entry(u32),
}

/// A place in the code of a function that takes the distance to a symbol.
#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    /// Of the four bytes, from the start of the function.
    pub offset: u32,
    /// To what it measures the distance.
    pub symbol: Symbol,
    /// Added to the distance from the place itself.
    pub addend: i32,
}

/// Machine code of one function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What the code is: a function of the IR or a generated one.
    pub symbol: Symbol,
    /// The bytes, with zeros where relocations are.
    pub code: Vec<u8>,
    /// All that must be filled in, in the order of their offsets.
    pub relocations: Vec<Relocation>,
    /// Where the caller is found, without a frame pointer: from these offsets on the frame address is so many bytes
    /// above the stack pointer. Empty if there is a frame pointer, or if it is 8 bytes above all the time.
    pub frame: Vec<(u32, u32)>,
    /// For calls that may collect, by their return address: where the frame holds references, in bytes below rbp.
    pub maps: Vec<(u32, Vec<u32>)>,
    /// In programs with traces: from these offsets on the code came from a line, or from none that is known. Only
    /// where a call waits or a fault may happen that counts.
    pub lines: Vec<(u32, Option<Line>)>,
    /// Alignment of its first byte.
    pub align: u32,
    /// Bytes from a multiple of `align` to its start.
    pub phase: u32,
    /// If there is a cache: the key, and what a pack is to have of the function, unless it is from there.
    pub stored: Option<(crate::cache::Key, Vec<u8>)>,
    /// It is from the cache.
    pub is_old: bool,
    /// As asked for, else empty.
    pub clif: String,
    /// As asked for, else empty.
    pub asm: String,
}

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    /// The functions of the IR in their order, then those of `Trampoline`, then those for entries.
    pub functions: Vec<Function>,
    /// Symbol names of the functions, without duplicates.
    pub names: Vec<String>,
    /// Names of the functions of the runtime, by extern.
    pub externs: Vec<String>,
    /// What lies below 4 GiB: tables, static memory.
    pub low: crate::address_space::Low,
    /// Of the functions of the runtime, those that are told who calls them (`announce.rs`).
    pub announced: Vec<bool>,
    /// As in `Options`.
    pub trace: Vec<String>,
    /// Names of the entries, what others call of a library, and the faults that they may have (`faults_of.rs`).
    pub entries: Vec<(String, u8)>,
    /// What traces call the code of lines, if that is not the name of its function: whoever knows it puts it here.
    pub lines: FxHashMap<Line, String>,
}

/// The generated functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trampoline {
    /// `main(sp)`: runs the start function.
    Main,
    /// `eval(sp, node) -> node`: the node in head normal form.
    Eval,
    /// `collect(sp, bytes)`: the libcall `collect`. It preserves all registers, so that the way on which nothing is
    /// collected has nothing to save. The caller loads the heap pointer afterwards.
    Collect,
    /// `remember(object)`: the libcall; it preserves all registers but those for reals.
    Remember,
    /// `remember_slot(slot)`, likewise.
    RememberSlot,
}

impl Trampoline {
    /// In the order of their numbers, which is that of [`Program::functions`].
    pub const ALL: &'static [Trampoline] =
        &[Trampoline::Main, Trampoline::Eval, Trampoline::Collect, Trampoline::Remember, Trampoline::RememberSlot];

    /// The name in the symbol table.
    pub fn name(self) -> &'static str {
        match self {
            Trampoline::Main => "cleave_main",
            Trampoline::Eval => "cleave_eval",
            Trampoline::Collect => "cleave_collect",
            Trampoline::Remember => "cleave_remember",
            Trampoline::RememberSlot => "cleave_remember_slot",
        }
    }
}

impl Program {
    /// The CLIF of all functions, or their assembly, one after the other.
    pub fn text(&self, asm: bool) -> String {
        let mut out = String::new();
        for (function, name) in self.functions.iter().zip(&self.names) {
            let text = if asm { &function.asm } else { &function.clif };
            out.push_str(&format!("; {name}\n{text}\n"));
        }
        out
    }
}
