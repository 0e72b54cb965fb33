//! Translates functions that `Start` does not reach, for `--keep-all`.
//!
//! A label may have one node more than it declares if the code above runs into it
//! (`docs/abc.md#a-missing-cell-under-the-arguments`). That code requests the right variant. So labels that no other
//! code runs into come first, and then what is left.

use super::{FunctionKey, ProgramBuilder};
use crate::link::ModuleId;

impl ProgramBuilder<'_> {
    /// Builds all functions that are not built yet.
    pub fn rest(&mut self) {
        self.is_lenient = true;
        let indexes = self.program.indexes.clone();
        for runs_in in [false, true] {
            for (module, index) in indexes.iter().enumerate() {
                let module = module as ModuleId;
                if let Some(&first) = index.descriptors.first() {
                    self.descriptor_at(module, first);
                }
                for number in 0..index.functions.len() {
                    let above = number.checked_sub(1).map(|above| &index.functions[above]);
                    if !runs_in && above.is_some_and(|above| above.returns.falls_through) {
                        continue;
                    }
                    let index = number as u32;
                    if self.requested.contains(&(module, index)) {
                        continue;
                    }
                    if self.entry_of(module, index).is_none() {
                        self.function(FunctionKey { module, index, extra: false }, self.likely_results(module, index));
                    }
                    self.run();
                }
            }
        }
    }
}
