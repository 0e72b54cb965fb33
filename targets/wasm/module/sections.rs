//! The sections of globals and of exports.

use super::{OPTIONAL_EXPORTS, Plan};
use crate::{Error, Options};
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, ValType};

impl Plan<'_> {
    pub(super) fn globals(&mut self) -> Result<GlobalSection, Error> {
        let mut section = GlobalSection::new();
        for global in self.runtime.globals.clone() {
            self.relocation.parse_global(&mut section, global).map_err(|e| Error::Runtime(e.to_string()))?;
        }
        let ours = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        for _ in 0..3 {
            section.global(ours, &ConstExpr::i32_const(0));
        }
        if let Some(c) = &self.c {
            c.globals(ours, &mut section);
        }
        if self.env.entry_stack.is_some() {
            section.global(ours, &ConstExpr::i32_const(0));
        }
        Ok(section)
    }

    pub(super) fn exports(&self, options: &Options) -> ExportSection {
        let mut section = ExportSection::new();
        section.export("memory", ExportKind::Memory, 0);
        section.export("_start", ExportKind::Func, self.index_of_start());
        for name in OPTIONAL_EXPORTS {
            if let Some(index) = self.runtime_function(name) {
                section.export(name, ExportKind::Func, index);
            }
        }
        for (entry, index) in self.module.entries.iter().zip(self.first_entry..) {
            section.export(&entry.name, ExportKind::Func, index);
        }
        for (func, name) in &options.exports {
            section.export(name, ExportKind::Func, self.env.function(*func));
        }
        section
    }
}
