//! The native back end: low IR and static data in, x86-64 machine code out, through Cranelift.
//!
//! ```text
//! per function   lower/*  low IR ──▶ CLIF ──▶ Cranelift ──▶ bytes and relocations        (compile.rs, in parallel)
//!                peephole machine code once more: fewer frame pointers, copies and loads, short jumps (-O2)
//! once           trampolines     entry points of the runtime, the call of the collector
//!                entries  of a library: what C calls, with `library` (symbols) and `faults_of` (what may happen)
//!                frames, trace_table  tables by which the runtime walks frames; announce: how it gets to the first one
//!                address_space  what lies below 4 GiB: code addresses, then the data section of the program
//! again          cache    functions of an earlier build, which `fingerprint` finds before their roots are placed
//! then           object   an ELF object for a linker, link: our own        or        jit_code: bytes for the JIT
//! ```
//! A back end translates: it decides no layout, no roots, no semantics, and knows nothing of the source. References are
//! 64-bit values in CLIF whose upper half is zero, so that they are addresses as they are: loads of references
//! zero-extend and no base is added. The heap pointer is in the pinned register (r15), the heap limit in the program
//! record, the shadow-stack pointer parameter 0 of the functions that `lowered_signature` says take it. Functions have
//! the `tail` convention, the runtime the system's.
//!
//! The code is for every x86-64 processor with SSE4.2 (x86-64-v2), not for the one at hand: same input, same bytes.
//!
//! [`Native`] is the target for `cleave-compile`, which brings programs of high IR here. Low IR can also be written
//! by hand:
//!
//! ```
//! use cleave_ir::{Lowered, Target};
//! use cleave_native::Native;
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
//! let target = Native::default();
//! let data_section = target.lay_out(&module);
//! let program = target.emit(Lowered::new(module, data_section, &target))?;
//! assert!(program.executable(true)?.starts_with(b"\x7fELF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod address_space;
#[doc(hidden)]
pub mod align;
mod announce;
pub mod cache;
mod cache_lookup;
mod compile;
mod entries;
mod faults_of;
mod fingerprint;
mod frames;
#[doc(hidden)]
pub mod isa;
pub mod jit_code;
pub mod library;
mod lines;
pub mod link;
mod lower;
pub mod object;
#[doc(hidden)]
pub mod peephole;
mod preserve_regs;
mod program;
#[doc(hidden)]
pub mod split_live_ranges;
pub mod symbols;
mod target;
mod trace_table;
mod trampolines;
mod unwind;

pub use address_space::{data_section_base, is_spaced};
pub use lines::Line;
pub use program::{Effort, Error, Function, Options, Program, Relocation, Symbol, Trampoline};
pub use target::{Native, RUNTIME};

/// The version of the code generator.
pub const CRANELIFT: &str = cranelift_codegen::VERSION;
