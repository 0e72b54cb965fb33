//! The WebAssembly target: implementation of the trait `Target`.

use crate::source_map::Placed;
use crate::{Error, Options, RUNTIME, abi, c, collections, js, module, module_base, registers};
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::{Location, Lowered, Module, Signature, Target};

/// Addresses for the heap of C functions: memory only when it is used. A quarter of all that there are.
const C_HEAP: u32 = 1 << 30;

/// The target WebAssembly: commands for WASI preview 1, with tail calls, multi-value and bulk memory.
#[derive(Clone)]
pub struct Wasm<'l> {
    /// What is written besides the code.
    pub options: Options,
    /// C functions that become part of the program. Their calls have numbers in the static data, so they must be known
    /// before it is laid out.
    pub c: Option<&'l c::Linked<'l>>,
    /// Another build of the runtime than the one that is built in.
    pub runtime: Option<&'l [u8]>,
    /// For V8, the engine of node and Chromium: enter long loops anew now and then, since it improves functions, but
    /// never those that run. Otherwise parameters are passed as wasmtime likes them.
    pub osr_loops: bool,
    /// Recursive functions can be captured, so that programs recurse as deep as memory allows in every engine.
    pub deep_recursion: bool,
}

impl Default for Wasm<'_> {
    fn default() -> Self {
        Wasm { options: Options::default(), c: None, runtime: None, osr_loops: true, deep_recursion: true }
    }
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The contents of a `.wasm` file.
    pub bytes: Vec<u8>,
    /// The name of the module.
    pub name: String,
    /// Functions that recurse can be captured, if that was not forbidden.
    pub captures: bool,
    /// Where code came from, if the module knows it: from this byte on, up to the next entry. In their order.
    pub places: Vec<(usize, Location)>,
}

impl Artifact {
    /// A loader for node and browsers, an ES module that is to be written beside the program: `file` is the name of the
    /// `.wasm`. [`js::Loader`] has declarations for TypeScript, too.
    pub fn loader<'a>(&'a self, file: &'a str) -> js::Loader<'a> {
        let name = file.strip_suffix(".wasm").unwrap_or(file);
        js::Loader { name, wasm: file, trace: None, frames: false, captures: self.captures }
    }
}

impl Wasm<'_> {
    /// First address of static data, unless C functions have some.
    fn base(&self) -> u32 {
        let runtime = self.runtime.unwrap_or(RUNTIME);
        module_base(runtime).unwrap_or_else(|error| panic!("the runtime is broken: {error}"))
    }
}

impl Target for Wasm<'_> {
    type Artifact = Artifact;
    type Error = Error;

    fn name(&self) -> &'static str {
        "wasm"
    }

    fn lay_out(&self, module: &Module) -> StaticDataSection {
        let Some(linked) = self.c else {
            return StaticDataSection::build(module, self.base(), DataSectionOptions::default());
        };
        // After the statics of C, with room for its heap.
        let options = DataSectionOptions { c_heap: C_HEAP, ..DataSectionOptions::default() };
        let mut data_section = StaticDataSection::build(module, linked.end(), options);
        data_section.set_symbols(|name| std::str::from_utf8(name).map_or(0, |name| linked.call_number(name)));
        data_section
    }

    fn expensive_calls(&self) -> bool {
        true
    }

    fn wants_osr_loops(&self) -> bool {
        self.osr_loops
    }

    fn has_small_stack(&self) -> bool {
        self.deep_recursion
    }

    fn traces(&self) -> bool {
        self.options.traces
    }

    fn emit(&self, lowered: Lowered) -> Result<Artifact, Error> {
        let (mut module, data_section) = lowered.take(self);
        let hosts: Vec<Signature> =
            module.entries.iter().map(|entry| module.funcs[entry.func].signature.clone()).collect();
        collections::run(&mut module);
        abi::run(&mut module);
        if !self.osr_loops {
            registers::run(&mut module);
        }
        let Placed { bytes, places } =
            module::emit(&mut module, &hosts, &data_section, &self.options, self.runtime.unwrap_or(RUNTIME), self.c)?;
        let captures = self.deep_recursion && self.c.is_none();
        Ok(Artifact { bytes, name: module.name, captures, places })
    }
}
