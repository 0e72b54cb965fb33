//! A compiler back end for functional languages: SSA IR in, WebAssembly or machine code out, with a precise, moving
//! garbage collector, and without LLVM.
//!
//! A front end makes a [`Module`] of high IR, with the [`Builder`](ir::Builder) or as text, and calls [`compile`] with
//! a target. References may live anywhere in its code: where the collector finds them is our work.
//!
//! ```
//! use cleave_compile::{Options, Wasm, compile, ir};
//!
//! let source = "
//! start @main
//! func @main() {
//! block0:
//!   v0 = iconst.i64 6
//!   v1 = iconst.i64 7
//!   v2 = imul v0, v1
//!   call_rt print_int(v2)
//!   ret
//! }";
//! let module = ir::text::parse_module(source)?;
//! let program = compile(module, &Wasm::default(), &Options::default())?;
//! assert!(program.bytes.starts_with(b"\0asm"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! The result of [`Wasm`] is the contents of a `.wasm` file and, on request, a loader for JavaScript; that of
//! [`Native`] an object file or an executable.
//!
//! # The order of everything
//! ```text
//! Source ─ optimise ─▶ Optimised ─ root ─▶ Rooted ─ lower ─▶ Lowered ─ emit ─▶ artifact
//!  high    by level     high               rooted             low + static data
//! ```
//! [`compile`] goes the whole way. Who wants to see the IR in between, or to stop there, takes the steps one by one
//! ([`stages`]): each consumes the stage before it, so none can be left out or done twice. The passes and their order
//! are the table of `cleave-passes`. An [`Observer`] is told what happens.
//!
//! Nothing here reads or writes files, prints, or keeps state.

#![warn(missing_docs)]

mod error;
mod observe;
mod options;
pub mod stages;

pub use error::Error;
pub use observe::{Observer, Quiet, Step, report};
pub use options::{Level, Options, Verify};
pub use stages::Source;

pub use cleave_interface::Abi;
pub use cleave_ir as ir;
pub use cleave_ir::{Lowered, Module, Target};
#[cfg(feature = "native")]
pub use cleave_native as native;
#[cfg(feature = "native")]
pub use cleave_native::Native;
pub use cleave_passes as passes;
#[cfg(feature = "wasm")]
pub use cleave_wasm as wasm;
#[cfg(feature = "wasm")]
pub use cleave_wasm::Wasm;

/// Runs passes on a module, in an order of the caller: for tools that look at single passes, as `cleave opt`.
///
/// # Panics
/// If the module is not in the phase that a pass starts from.
pub fn run_passes(
    module: &mut Module,
    passes: &[&'static passes::table::Pass],
    context: &mut passes::context::Context,
    verify: Verify,
    observer: &mut dyn Observer,
) {
    stages::run(module, passes, context, verify, observer);
}

/// Compiles a program: a module with a start function or with exports, of high IR or of rooted IR.
///
/// Wrong IR is an error with all that is wrong; what is wrong with us is a panic.
pub fn compile<T: Target>(module: Module, target: &T, options: &Options) -> Result<T::Artifact, Error<T::Error>> {
    compile_observed(module, target, options, &mut Quiet)
}

/// The same, with somebody who looks on.
pub fn compile_observed<T: Target>(
    module: Module,
    target: &T,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<T::Artifact, Error<T::Error>> {
    if !module.is_closed() && module.interface.exports.is_empty() {
        return Err(Error::NoStart);
    }
    let options = &options.suited_to(target);
    let source = Source::new(module, options, observer).map_err(Error::from_stage)?;
    let rooted =
        source.optimise(options, observer).with_start().root(target, options, observer).map_err(Error::from_stage)?;
    target.emit(rooted.lower(options, observer)).map_err(Error::Target)
}
