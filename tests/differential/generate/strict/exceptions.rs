//! Exceptions, in every third program: calls with a handler in place of others, and functions that raise a boxed
//! integer where they would end.

use super::types::Ty;
use super::writer::{Writer, list};

impl Writer<'_> {
    /// Makes a call one with a handler, perhaps; then its results are in scope. The handler goes on with other values,
    /// or raises the exception again.
    pub fn handled(&mut self, types: &[Ty], call: &str) -> Option<Vec<usize>> {
        let is_call = call.starts_with("call @") || call.starts_with("call_table") || call.starts_with("call_method");
        if !self.plan.raises || !(is_call || call.starts_with("apply")) {
            return None;
        }
        // What the start function does not handle ends the program.
        let is_start = self.level == self.plan.funcs.len() && !self.is_last;
        let is_rare = !call.starts_with("call @");
        if !self.rng.chance(if is_start || is_rare { 97 } else { 50 }) {
            return None;
        }
        let (join, handler) = (self.block(), self.block());
        let results: Vec<usize> = types.iter().map(|_| self.name()).collect();
        let exception = self.name();
        let left = [results.clone(), vec![exception]].concat();
        let given = if results.is_empty() { String::new() } else { format!("({})", list(&results)) };
        self.line(&format!("{} = try_{call}, block{join}{given}, block{handler}(v{exception})", list(&left)));
        let scope = self.scope.len();
        let caught = self.label_with(handler, &[Ty::Int]);
        if !is_start && self.rng.chance(20) {
            self.line(&format!("raise v{}", caught[0]));
        } else {
            let values = self.operands(types);
            let given = if values.is_empty() { String::new() } else { format!("({})", list(&values)) };
            self.line(&format!("jump block{join}{given}"));
        }
        self.scope.truncate(scope);
        Some(self.label_with(join, types))
    }

    /// Ends the function with an exception, now and then.
    pub fn raises(&mut self) -> bool {
        let raises = self.plan.raises && self.rng.chance(15);
        if raises {
            let exception = self.operand(Ty::Int);
            self.line(&format!("raise v{exception}"));
        }
        raises
    }
}
