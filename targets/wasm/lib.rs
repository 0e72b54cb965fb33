//! The Wasm back end: low IR and static data in, bytes of a Wasm module out.
//!
//! ```text
//! per function   (irreducible ──▶) fold ──▶ treeify ──▶ locals ──▶ stackify ──▶ lower/*        bytes of the body
//!                nodes    items       locals     structure
//! once           env, merge (runtime), c (C functions) ──▶ dispatch, trampolines ──▶ module ──▶ validate
//! ```
//! A back end translates: it decides no layout, no roots, no semantics, and knows nothing of the source. Addresses come
//! from the `StaticDataSection`. References and addresses are i32; heap pointer and limit are globals; the shadow-stack
//! pointer is parameter 0 of the functions that `lowered_signature` says take it.
//!
//! Every module is validated before it is returned.
//!
//! [`Wasm`] is the target for `cleave-compile`, which brings programs of high IR here. Low IR can also be written
//! by hand:
//!
//! ```
//! use cleave_ir::{Lowered, Target};
//! use cleave_wasm::Wasm;
//!
//! let source = "
//! start @main
//! func @main() phase=low {
//! block0:
//!   v0 = iconst.i64 42
//!   call_rt print_int(v0)
//!   ret
//! }";
//! let module = cleave_ir::text::parse_module(source)?;
//! let target = Wasm::default();
//! let data_section = target.lay_out(&module);
//! let program = target.emit(Lowered::new(module, data_section, &target))?;
//! assert!(program.bytes.starts_with(b"\0asm"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

#[doc(hidden)]
pub mod abi;
pub mod c;
mod collections;
mod data;
mod dispatch;
mod env;
mod error;
mod generated;
mod irreducible;
mod isel;
pub mod js;
mod link_runtime;
mod locals;
mod lower;
mod module;
mod names;
#[doc(hidden)]
pub mod registers;
mod rodata;
#[doc(hidden)]
pub mod signatures;
mod source_map;
mod stackify;
mod target;
mod trampolines;
mod treeify;
mod validate;

pub use error::Error;
pub use target::{Artifact, Wasm};

use cleave_ir::{FuncId, Module};

/// The runtime, built from `rt`.
static RUNTIME: &[u8] = cleave_prebuilt::WASM;

/// What to write besides the code.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of functions.
    pub names: bool,
    /// What traces need: names of the functions, too, that passes made of parts of others, half a megabyte in a large
    /// program, and code by which captured functions are found.
    pub traces: bool,
    /// No custom sections at all.
    pub strip: bool,
    /// The runtime can collect incrementally; otherwise it does not know that option.
    pub incremental: bool,
    /// A program on the reference-counted heap takes options when it runs, from the environment and as its first
    /// arguments, as those on the other heap always do; a quarter of the smallest programs.
    pub runtime_options: bool,
    /// Encode functions on all threads of the pool. The bytes are the same either way.
    pub parallel: bool,
    /// Values that live into the blocks of a function, together, beyond which their locals are found with less work,
    /// and are more.
    pub most_live: usize,
    /// Functions to export besides `_start`, under these names. None that can be captured: nobody would go on with it.
    pub exports: Vec<(FuncId, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            names: true,
            traces: false,
            strip: false,
            incremental: false,
            runtime_options: true,
            parallel: true,
            most_live: locals::MOST_LIVE,
            exports: Vec::new(),
        }
    }
}

impl Options {
    /// Does this program take options when it runs?
    fn takes_options(&self, module: &Module) -> bool {
        self.runtime_options || module.heap.collects()
    }
}

/// Where a frame of the program may be, by the bytes of a module: at calls, at what may trap, and where a function
/// begins, for the stack may end there.
pub fn places_of_frames(wasm: &[u8]) -> Vec<usize> {
    use wasmparser::{Operator::*, Payload};
    let mut places = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(wasm).map_while(Result::ok) {
        let Payload::CodeSectionEntry(body) = payload else { continue };
        places.push(body.range().start);
        let Ok(operators) = body.get_operators_reader() else { continue };
        for (operator, at) in operators.into_iter_with_offsets().map_while(Result::ok) {
            let is_frame = matches!(
                operator,
                Call { .. } | CallIndirect { .. } | CallRef { .. } | Unreachable | Throw { .. } | ThrowRef
            );
            let traps = matches!(
                operator,
                I32DivS
                    | I32DivU
                    | I32RemS
                    | I32RemU
                    | I64DivS
                    | I64DivU
                    | I64RemS
                    | I64RemU
                    | I32TruncF64S
                    | I32TruncF64U
                    | I64TruncF64S
                    | I64TruncF64U
            );
            if is_frame || traps {
                places.push(at);
            }
        }
    }
    places
}

/// The module needs nothing of the host, neither functions nor memory.
pub fn is_bare(wasm: &[u8]) -> bool {
    let needs = |payload: &wasmparser::Payload| {
        matches!(payload, wasmparser::Payload::ImportSection(_) | wasmparser::Payload::MemorySection(_))
    };
    !wasmparser::Parser::new(0).parse_all(wasm).filter_map(Result::ok).any(|payload| needs(&payload))
}

/// First address that the runtime module leaves to the program image.
pub fn runtime_base() -> u32 {
    module_base(RUNTIME).unwrap_or_else(|e| panic!("the built-in runtime is broken: {e}"))
}

/// The same for any runtime module.
pub fn module_base(runtime: &[u8]) -> Result<u32, Error> {
    let runtime = link_runtime::Runtime::parse(runtime)?;
    let end = ["__heap_base", "__data_end"].iter().filter_map(|name| runtime.constant(name)).max();
    let end = end.ok_or_else(|| Error::Runtime("`__heap_base` is missing".into()))?;
    Ok(end.max(cleave_ir::layout::RUNTIME_STACK_TOP).next_multiple_of(16))
}
