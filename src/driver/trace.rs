//! `--trace`: the innermost functions of a program under the message of a run-time error.
//!
//! For WebAssembly no code is added. Functions get the names of their language in the name section (`frontend::Names`),
//! and the engine says which of them were active: the embedded one directly, node by the stack of an error. Machine
//! code gets a table of the names, and the runtime lists the functions (`rt/sys/native/trace.rs`) in the form and to
//! the length of `cleave_run::trace`. Callers that have left by a tail call are not there.

use crate::languages::frontend::Names;
use cleave_ir::{Location, Module};
use rustc_hash::FxHashMap;

/// The names of all functions, empty for those that traces leave out.
pub fn list(names: &dyn Names, module: &Module) -> Vec<String> {
    module.funcs.values().map(|func| names.find(&func.name).unwrap_or_default()).collect()
}

/// What traces call the code from some bytes of WebAssembly on: by the lines that it came from.
pub fn wasm_lines(names: &dyn Names, places: &[(usize, Location)]) -> Vec<(usize, Option<String>)> {
    let mut known = FxHashMap::default();
    let mut lines: Vec<(usize, Option<String>)> = Vec::new();
    for &(start, place) in places {
        let line: &Option<String> = known
            .entry((place.file, place.line))
            .or_insert_with(|| Some(place).filter(|place| place.is_known()).and_then(|place| names.at(place)));
        if lines.last().is_none_or(|last| last.1 != *line) {
            lines.push((start, line.clone()));
        }
    }
    lines
}
