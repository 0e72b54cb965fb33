//! A compiled program: what the pipeline gives to the commands.

use crate::driver::ffi::{Call, Need};
use crate::driver::native;
use crate::languages::frontend::Names;
use cleave_ir::interface::Interface;
use cleave_ir::{Heap, Location, Module, libcalls};
use rustc_hash::FxHashMap;

/// A compiled program.
pub struct Compiled {
    /// Name of the module.
    pub name: String,
    /// Functions after the optimisations.
    pub functions: usize,
    /// There unless compiled up to `Stop::Code`.
    pub ir: Option<Module>,
    /// Empty unless compiled up to `Stop::Code` for WebAssembly.
    pub wasm: Vec<u8>,
    /// Where its code came from, if the session keeps that: from this byte on, up to the next entry.
    pub wasm_places: Vec<(usize, Location)>,
    /// From which bytes of the WebAssembly on traces call its code so; nothing: by its function.
    pub wasm_lines: Vec<(usize, Option<String>)>,
    /// Functions of the WebAssembly that recurse can be captured, so that they recurse as deep as memory allows.
    pub captures: bool,
    /// How traces call its functions, if the session wants traces.
    pub names: Option<Box<dyn Names>>,
    /// There if compiled up to `Stop::Code` for this machine.
    pub native: Option<native::Program>,
    /// The text of the IR at the points that were asked for, in their order.
    pub snapshots: Vec<(String, String)>,
    /// The C functions that the program calls.
    pub foreign_calls: Vec<Call>,
    /// Objects and libraries of C functions that its modules name.
    pub needs: Vec<Need>,
    /// For those functions that are in objects merged with the program: the file.
    pub c_files: FxHashMap<String, String>,
    /// It has no start: everything was compiled, but there is nothing to run.
    pub is_library: bool,
    /// It has a start function.
    pub has_start: bool,
    /// What others call.
    pub interface: Interface,
    /// It asks the runtime for the arguments of the command line.
    pub reads_arguments: bool,
    /// What frees its memory.
    pub heap: Heap,
}

impl Compiled {
    /// The IR of a program that was not compiled up to `Stop::Code`.
    pub fn into_ir(self) -> Module {
        self.ir.unwrap_or_else(|| panic!("the IR has become code"))
    }

    /// Without a result.
    pub fn of(module: &Module) -> Compiled {
        Compiled {
            name: module.name.clone(),
            functions: module.funcs.len(),
            ir: None,
            snapshots: Vec::new(),
            wasm: Vec::new(),
            wasm_places: Vec::new(),
            wasm_lines: Vec::new(),
            captures: false,
            names: None,
            native: None,
            foreign_calls: Vec::new(),
            needs: Vec::new(),
            c_files: FxHashMap::default(),
            is_library: false,
            has_start: module.start.is_some(),
            interface: module.interface.clone(),
            heap: module.heap,
            reads_arguments: module.externs.values().any(|row| is_of_arguments(&row.name)),
        }
    }
}

/// The name is that of a function of the runtime that counts or gives arguments.
fn is_of_arguments(name: &str) -> bool {
    [libcalls::ARGUMENT_COUNT, libcalls::ARGUMENT, libcalls::RC_ARGUMENT].iter().any(|row| row.name == name)
}
