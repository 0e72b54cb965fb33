//! The line table of the modules, for source locations in the IR.

use super::ProgramBuilder;
use super::function::FunctionBuilder;
use crate::ast::ParsedModule;
use crate::index::span_of;
use cleave_ir::Location;
use cleave_ir::source::FuncSource;

impl ProgramBuilder<'_> {
    /// Of the function whose label is this item, if it is wanted.
    pub fn source_of(&self, module: &ParsedModule, item: usize) -> Option<Box<FuncSource>> {
        let start = Location::of(span_of(module, item), self.options.sources?);
        Some(Box::new(FuncSource::new(start)))
    }
}

impl FunctionBuilder<'_, '_> {
    /// The instructions that are made next come from the current line.
    pub fn located(&mut self) -> &mut Self {
        if let Some(sources) = self.program.options.sources {
            self.func.set_location(Location::of(self.span(), sources));
        }
        self
    }
}
