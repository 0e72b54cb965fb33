//! Breakpoints: at functions, and where lines begin.

use super::data::{Breakpoint, Where};
use super::debugger::Debugger;
use cleave_ir::{Flags, FuncId};

/// So many lines further on there may be code instead.
const NEAR: u32 = 20;

impl Debugger<'_> {
    /// Sets a breakpoint and returns its number; nothing if there is no such function, or no code near that line.
    pub fn set_breakpoint(&mut self, wanted: Where) -> Option<usize> {
        let (line, addresses) = match &wanted {
            Where::Function(name) => {
                let funcs = self.program().module.funcs.iter().filter(|(_, func)| func.name == *name);
                (None, funcs.map(|(id, _)| (id, 0)).collect::<Vec<_>>())
            }
            Where::Line(file, line) => {
                let lines = (*line..line.saturating_add(NEAR)).map(|line| (Some(line), self.line(*file, line)));
                lines.into_iter().find(|(_, found)| !found.is_empty()).unwrap_or_default()
            }
        };
        if addresses.is_empty() {
            return None;
        }
        self.breakpoints.push(Some(Breakpoint { wanted, line, addresses }));
        Some(self.breakpoints.len() - 1)
    }

    /// Takes a breakpoint away; false if there is none of this number.
    pub fn clear_breakpoint(&mut self, number: usize) -> bool {
        self.breakpoints.get_mut(number).is_some_and(|breakpoint| breakpoint.take().is_some())
    }

    /// The breakpoints with their numbers.
    pub fn breakpoints(&self) -> impl Iterator<Item = (usize, &Breakpoint)> {
        self.breakpoints.iter().enumerate().filter_map(|(number, breakpoint)| Some((number, breakpoint.as_ref()?)))
    }

    pub(super) fn addresses(&self) -> Vec<(usize, FuncId, u32)> {
        let all = self
            .breakpoints()
            .flat_map(|(number, breakpoint)| breakpoint.addresses.iter().map(move |&(func, pc)| (number, func, pc)));
        all.collect()
    }

    /// Where a line begins in each function that has code for it.
    fn line(&self, file: u16, line: u32) -> Vec<(FuncId, u32)> {
        let program = self.program();
        let mut found = Vec::new();
        for (id, func) in &program.module.funcs {
            let Some(source) = &func.source else { continue };
            let here = |inst| {
                let at = source.insts[inst];
                (at.file, at.line) == (file, line) && !func.insts[inst].op.any(Flags::CONSTANT)
            };
            // Functions are decoded only where the line is.
            if !func.insts.keys().any(here) {
                continue;
            }
            let origin = &program.code(id).origin;
            found.extend(origin.iter().position(|&(_, inst)| here(inst)).map(|pc| (id, pc as u32)));
        }
        found
    }
}
