//! The sections of imports, memory, globals, exports, tables and data.

use super::{OPTIONAL_EXPORTS, Plan};
use crate::c::plan::{self, CPlan};
use crate::env::UNUSED;
use crate::{Error, Options, rodata};
use cleave_ir::layout::{PAGE, RUNTIME_STACK_TOP};
use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    ConstExpr, DataSection, ElementSection, EntityType, ExportKind, ExportSection, GlobalSection, GlobalType,
    ImportSection, MemorySection, MemoryType, TableSection, ValType,
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
            section.export("_start", ExportKind::Func, self.start);
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

    pub(super) fn elements(&mut self) -> Result<ElementSection, Error> {
        let mut section = ElementSection::new();
        for element in self.runtime.elements.clone() {
            self.relocation.element(element, &mut section).map_err(|e| Error::Runtime(e.to_string()))?;
        }
        if let Some(c) = &self.c {
            c.element(&mut section);
        }
        Ok(section)
    }

    /// The function table; that of the runtime, if it is used, comes first in it.
    pub(super) fn tables(&mut self) -> Result<Option<TableSection>, Error> {
        if !self.has_table() {
            return Ok(None);
        }
        let own = self.runtime.tables.first().copied().filter(|_| self.reachable.table);
        let mut table = match own {
            Some(table) => self.relocation.table_type(table).map_err(|e| Error::Runtime(e.to_string()))?,
            None => plan::EMPTY_TABLE,
        };
        table.minimum = table.minimum.max(self.c.as_ref().map_or(0, CPlan::table_size));
        table.maximum = Some(table.minimum);
        let mut section = TableSection::new();
        section.table(table);
        Ok(Some(section))
    }

    /// C code may call through a table even if nothing is in it.
    pub(super) fn has_table(&self) -> bool {
        self.reachable.table || self.c.is_some()
    }

    pub(super) fn data(&mut self) -> Result<DataSection, Error> {
        let mut section = DataSection::new();
        for (address, bytes) in rodata::kept(&self.runtime, &self.reachable)? {
            section.active(0, &ConstExpr::i32_const(address as i32), bytes.iter().copied());
        }
        for &(address, bytes) in &self.segments {
            section.active(0, &ConstExpr::i32_const(address as i32), bytes.iter().copied());
        }
        if let Some(c) = &self.c {
            c.data(&mut section);
        }
        Ok(section)
    }
}
