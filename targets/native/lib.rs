//! The native back end: low IR and memory image in, x86-64 machine code out, through Cranelift.
//!
//! ```text
//! per function   lower/*  low IR ──▶ CLIF ──▶ Cranelift ──▶ bytes and relocations        (compile.rs, in parallel)
//! once           glue     entry points of the runtime, the call of the collector
//!                frames   tables by which the runtime walks frames
//!                low      what lies below 4 GiB: code addresses, then the image of the program
//! again          cache    functions of an earlier build
//! then           object   an ELF object for a linker, link: our own        or        place: bytes for the JIT
//! ```
//! A back end translates: it decides no layout, no roots, no semantics, and knows nothing of the source. References are
//! 64-bit values in CLIF whose upper half is zero, so that they are addresses as they are: loads of references
//! zero-extend and no base is added. The heap pointer is in the pinned register (r15), the heap limit in the program
//! record, the shadow-stack pointer parameter 0 of a function with `collects`. Functions have the `tail` convention,
//! the runtime the system's.
//!
//! The code is for every x86-64 processor with SSE4.2 (x86-64-v2), not for the one at hand: same input, same bytes.

pub mod cache;
mod compile;
mod frames;
mod glue;
mod isa;
pub mod link;
pub mod low;
mod lower;
pub mod object;
pub mod place;
pub mod symbols;
mod target;
mod unwind;

use cleave_ir::image::Image;
use cleave_ir::{Extern, ExternData, FuncId, Module};
use std::fmt;
use std::sync::Arc;

pub use low::{image_base, is_spaced};
pub use target::{Native, RUNTIME};

/// The version of the code generator.
pub const CRANELIFT: &str = cranelift_codegen::VERSION;

/// How hard Cranelift works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Nothing is optimised, registers are allocated in one pass: half of the time for half as much code again.
    Least,
    /// Nothing is optimised.
    Some,
    /// All of its optimisations.
    Most,
}

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    pub effort: Effort,
    /// Functions with more instructions are compiled in a way whose work grows with their size only.
    pub huge: usize,
    /// Compile functions on all threads of the pool. The bytes are the same either way.
    pub parallel: bool,
    /// Keep the text of the CLIF, or of the assembly, of each function.
    pub clif: bool,
    pub asm: bool,
    /// Functions of an earlier build, to be used again. With it functions know their keys.
    pub cache: Option<Arc<cache::Pack>>,
    /// Let Cranelift verify what it is given.
    pub verify: bool,
    /// What traces call the functions, by their ids, empty for those that they leave out. No names: no traces.
    pub trace: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            effort: Effort::Most,
            huge: compile::HUGE,
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
    /// Static data reach beyond the place of the heap.
    ImageTooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoStart => f.write_str("the program has no start function"),
            Error::TooLarge(func) => write!(f, "@{func} is too large"),
            Error::ImageTooLarge => f.write_str("the static data of the program are too large"),
        }
    }
}

impl std::error::Error for Error {}

/// What machine code refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A function of the IR.
    Func(FuncId),
    /// A function of the runtime.
    Extern(Extern),
    /// A function that the back end makes up.
    Glue(glue::Glue),
}

pub use glue::Glue;

/// A place in the code of a function that takes the distance to a symbol.
#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    /// Of the four bytes, from the start of the function.
    pub offset: u32,
    pub symbol: Symbol,
    /// Added to the distance from the place itself.
    pub addend: i32,
}

/// Machine code of one function.
#[derive(Clone, Debug)]
pub struct Function {
    pub symbol: Symbol,
    pub code: Vec<u8>,
    pub relocations: Vec<Relocation>,
    /// For calls that may collect, by their return address: where the frame holds references, in bytes below rbp.
    pub maps: Vec<(u32, Vec<u32>)>,
    /// Alignment of its first byte.
    pub align: u32,
    /// If there is a cache: the key, and what a pack has of the function.
    pub stored: Option<(cache::Key, Vec<u8>)>,
    /// It was not compiled anew.
    pub is_old: bool,
    /// As asked for, else empty.
    pub clif: String,
    pub asm: String,
}

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    /// The functions of the IR in their order, then those of `Glue`.
    pub functions: Vec<Function>,
    /// Symbol names of the functions, without duplicates.
    pub names: Vec<String>,
    /// Names of the functions of the runtime, by extern.
    pub externs: Vec<String>,
    pub low: low::Low,
    /// As in `Options`.
    pub trace: Vec<String>,
}

/// Compiles a program whose functions are all low; its image must be at `image_base`.
fn compile_program(module: &Module, image: &Image, options: &Options) -> Result<Program, Error> {
    if module.start.is_none() {
        return Err(Error::NoStart);
    }
    let functions = compile::all(module, image, options)?;
    let names = symbols::names(module, &functions);
    let externs = module.externs.values().map(ExternData::export_name).collect();
    Ok(Program { functions, names, externs, low: low::Low::build(module, image)?, trace: options.trace.clone() })
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
