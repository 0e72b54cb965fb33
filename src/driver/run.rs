//! Runs what was built (`cleave-run`), with the time of each step; says what this cleave cannot run.

use crate::driver::timing::Timing;
use cleave_run::{Ended, Error, Options};

/// The engine for WebAssembly is there.
pub const IS_AVAILABLE: bool = cfg!(feature = "engine");

/// The first bytes of every WebAssembly file.
pub const MAGIC: &[u8; 4] = b"\0asm";

/// Runs WebAssembly in the embedded engine.
#[cfg(feature = "engine")]
pub fn wasm(wasm: &[u8], options: &Options, timing: &mut Timing) -> Result<Ended, Error> {
    timed(cleave_run::wasm(wasm, options), timing)
}

#[cfg(not(feature = "engine"))]
pub fn wasm(_: &[u8], _: &Options, _: &mut Timing) -> Result<Ended, Error> {
    let why = "this cleave was built without its engine for WebAssembly (feature `engine`)";
    Err(Error::System(format!("{why}: use --target native, or run the .wasm file in wasmtime or node")))
}

/// Adds the steps of a run to our own.
pub fn timed(result: Result<Ended, Error>, timing: &mut Timing) -> Result<Ended, Error> {
    for (name, time) in result.iter().flat_map(|ended| &ended.phases) {
        timing.add(name, *time);
    }
    result
}
