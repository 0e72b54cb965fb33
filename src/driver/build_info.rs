//! What this build of cleave contains: targets, engine, collectors.

use crate::driver::version::VERSION;
use crate::driver::{native, run};

/// The version, and what is built in.
pub fn long() -> String {
    let code_generator = native::CRANELIFT.map(|version| format!("\nCranelift {version}")).unwrap_or_default();
    format!("{VERSION}{code_generator}\n{}\n{}", targets(), engine())
}

/// The targets that are built in.
pub fn targets() -> &'static str {
    if native::IS_AVAILABLE { "targets: wasm, native" } else { "targets: wasm" }
}

/// What runs WebAssembly here.
pub fn engine() -> &'static str {
    if run::IS_AVAILABLE { "engine: wasmtime, built in" } else { "engine: none built in" }
}
