//! `--trace`: the innermost functions of a program under the message of a run-time error.
//!
//! For WebAssembly no code is added. Functions get the names of their language in the name section (`frontend::Names`),
//! and the engine says which of them were active: the embedded one directly, node by the stack of an error. Machine
//! code gets a table of the names, and the runtime lists the functions (`rt/sys/native/trace.rs`) in the form and to
//! the length of `cleave_run::trace`. Callers that have left by a tail call are not there.

use crate::languages::frontend::Names;
use cleave_ir::Module;

/// The names of all functions, empty for those that traces leave out.
pub fn list(names: &dyn Names, module: &Module) -> Vec<String> {
    module.funcs.values().map(|func| names.find(&func.name).unwrap_or_default()).collect()
}
