//! Names of functions in traces (`--trace`) of strict languages, with the lines where they begin.

use crate::languages::frontend;
use cleave_diag::SourceMap;
use cleave_run::trace::MARK;
use cleave_strict::core_ir::Program;
use rustc_hash::FxHashMap;

/// The names that traces show, by function names.
#[derive(Debug)]
pub struct Names(FxHashMap<String, String>);

impl Names {
    pub fn of(program: &Program, sources: &SourceMap) -> Names {
        let functions = program.functions.values().map(|function| {
            let file = &sources.file(function.span.file).name;
            let line = sources.position(function.span).line;
            (function.name.clone(), format!("{}{MARK}{file}:{line}]", function.name))
        });
        Names(functions.collect())
    }
}

impl frontend::Names for Names {
    fn find(&self, name: &str) -> Option<String> {
        frontend::of_part(&self.0, name).cloned()
    }
}
