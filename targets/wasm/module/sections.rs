//! The sections of imports, memory, globals and exports.

use super::{OPTIONAL_EXPORTS, Plan};
use crate::env::UNUSED;
use crate::{Error, Options};
use cleave_ir::layout::{PAGE, RUNTIME_STACK_TOP};
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    ConstExpr, EntityType, ExportKind, ExportSection, GlobalSection, GlobalType, ImportSection, MemorySection,
    MemoryType, ValType,
};

impl Plan<'_> {
    pub(super) fn import_section(&mut self) -> ImportSection {
        let mut imports = ImportSection::new();
        for &i in &self.imports {
            let import = self.runtime.imports[i];
            let ty = self.relocation.types[import.ty as usize];
            imports.import(import.module, import.name, EntityType::Function(ty));
        }
        if let Some(c) = &self.c {
            c.import(&mut imports, &mut self.types, &mut self.relocation);
        }
        for (&id, &ty) in self.hosted.iter().zip(&self.hosted_types) {
            let data = &self.module.externs[id];
            imports.import(data.from.as_deref().unwrap_or_default(), &data.name, EntityType::Function(ty));
        }
        imports
    }

    pub(super) fn memory(&self) -> MemorySection {
        let mut memories = MemorySection::new();
        let end = u64::from(self.env.data_section.heap_base.max(RUNTIME_STACK_TOP));
        memories.memory(MemoryType {
            minimum: end.div_ceil(u64::from(PAGE)) + 1,
            maximum: Some(1 << 16),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        memories
    }

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
        if !self.is_bare {
            section.export("memory", ExportKind::Memory, 0);
            section.export("_start", ExportKind::Func, self.index_of_start());
        }
        for name in OPTIONAL_EXPORTS {
            if let Some(index) = self.runtime_function(name).filter(|&index| index != UNUSED) {
                section.export(name, ExportKind::Func, index);
            }
        }
        for (entry, &index) in self.module.entries.iter().zip(&self.entries) {
            section.export(&entry.name, ExportKind::Func, index);
        }
        for (func, name) in &options.exports {
            section.export(name, ExportKind::Func, self.env.function(*func));
        }
        section
    }
}
