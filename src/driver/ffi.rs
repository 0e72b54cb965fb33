//! C functions that programs call, whatever their language: the calls, and the objects and libraries that modules name.
//!
//! `c_objects` finds the functions for WebAssembly, `native/foreign` for machine code.

use cleave_diag::Span;
use rustc_hash::FxHashSet;
use std::path::PathBuf;

/// A C function that a program calls.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// Its types as the language writes them.
    pub signature: String,
    /// What it takes and returns, where C sees it.
    pub takes: Vec<CType>,
    pub returns: Option<CType>,
    /// What an object must say that it knows.
    pub demands: Option<Demand>,
    /// Module that calls it.
    pub module: String,
    /// Objects and libraries that the module names.
    pub libraries: Vec<String>,
    pub place: CallPlace,
}

/// Something about values that C could take for something else: how wide integers are in arrays of the language.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// By defining this symbol an object says that it knows.
    pub symbol: &'static str,
    /// What it must know, and how to say so.
    pub help: &'static str,
}

/// A type of a value that is passed to C or returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CType {
    /// Integers and addresses, in 32 or 64 bits.
    Word,
    Float,
    Double,
}

/// Where a C function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallPlace {
    /// In our runtime.
    Runtime,
    /// In machine code or in an object that is merged with the program, by its symbol.
    Symbol,
    Nowhere,
}

/// An object or library of C functions that a module names.
#[derive(Clone, Debug)]
pub struct Need {
    pub name: String,
    pub is_library: bool,
    pub module: String,
    pub span: Span,
    /// The folders in which it may be, in the order of the search.
    pub folders: Vec<PathBuf>,
}

/// Which C functions are called by their symbols, instead of being functions of the runtime.
#[derive(Clone, Copy, Debug)]
pub enum Symbols<'o> {
    None,
    /// All that the runtime does not have for the language's own libraries.
    Machine,
    /// These, of objects that are merged with the program.
    Objects(&'o FxHashSet<String>),
}
