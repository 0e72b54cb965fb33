//! What C functions add to each section of the merged module.

use super::link::{Linked, Target};
use super::trampolines::FIRST_PAGES;
use super::{Error, relocate};
use crate::env::UNUSED;
use crate::link_runtime::{Relocation, Runtime};
use crate::signatures::{Types, func_type};
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::layout::PAGE;
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, GlobalSection, GlobalType,
    ImportSection, RefType, TableType,
};

/// The function table of a program whose runtime has none.
pub const EMPTY_TABLE: TableType =
    TableType { element_type: RefType::FUNCREF, table64: false, minimum: 0, maximum: None, shared: false };

/// The part of the plan for C functions.
pub struct CPlan<'a> {
    pub linked: &'a Linked<'a>,
    pub indices: relocate::Indices,
    /// Functions of the host that the runtime does not import.
    pub imports: Vec<usize>,
}

impl<'a> CPlan<'a> {
    /// What is known before all functions have their indices.
    pub fn new(
        linked: &'a Linked<'a>,
        data_section: &StaticDataSection,
        runtime: &Runtime,
        kept: &[usize],
    ) -> CPlan<'a> {
        let (mut hosts, mut imports) = (Vec::new(), Vec::new());
        for (number, (module, name, ty)) in linked.hosts.iter().enumerate() {
            let same = |&&i: &&usize| {
                let import = &runtime.imports[i];
                import.module == *module && import.name == *name && runtime.types[import.ty as usize] == *ty
            };
            hosts.push(match kept.iter().position(|i| same(&i)) {
                Some(index) => index,
                None => {
                    imports.push(number);
                    kept.len() + imports.len() - 1
                }
            } as u32);
        }
        let table = runtime.tables.first().map_or(1, |table| table.initial.max(1) as u32);
        let globals = runtime.globals.len() as u32;
        let indices = relocate::Indices {
            functions: UNUSED,
            absent: UNUSED,
            hosts,
            types: Vec::new(),
            table,
            stack_pointer: globals + 3,
            heap_top: globals + 4,
            heap: data_section.c_heap.clone(),
            set_stack: UNUSED,
            memory_size: UNUSED,
            memory_grow: UNUSED,
        };
        CPlan { linked, indices, imports }
    }

    /// Numbers the types of the objects; those of the functions, in their order.
    pub fn intern(&mut self, types: &mut Types, relocation: &mut Relocation) -> Vec<u32> {
        let mut index = |ty: &wasmparser::FuncType| {
            let (params, results) = func_type(ty, relocation);
            types.get(params, results)
        };
        let objects = self.linked.objects;
        self.indices.types = objects.iter().map(|object| object.types.iter().map(&mut index).collect()).collect();
        let functions = self.linked.functions.iter();
        functions.map(|&(object, function)| index(objects[object as usize].type_of(function))).collect()
    }

    pub fn import(&self, section: &mut ImportSection, types: &mut Types, relocation: &mut Relocation) {
        for &number in &self.imports {
            let (module, name, ty) = &self.linked.hosts[number];
            let (params, results) = func_type(ty, relocation);
            section.import(module, name, EntityType::Function(types.get(params, results)));
        }
    }

    /// Names of the imports.
    pub fn host_names(&self) -> impl Iterator<Item = &'a str> {
        self.imports.iter().map(|&number| self.linked.hosts[number].1)
    }

    /// Names of the functions.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let linked = self.linked;
        linked.functions.iter().map(|&(object, index)| linked.objects[object as usize].name_of(index))
    }

    /// Indices of functions.
    pub fn targets(&self, list: &[Target]) -> impl Iterator<Item = u32> {
        list.iter().map(|&target| self.indices.target(self.linked, target))
    }

    pub fn code(&self, section: &mut CodeSection) -> Result<(), Error> {
        for &place in &self.linked.functions {
            section.raw(&relocate::body(self.linked, &self.indices, place)?);
        }
        Ok(())
    }

    /// Entries of a table in which those of C come last.
    pub fn table_size(&self) -> u64 {
        u64::from(self.indices.table) + self.linked.table.len() as u64
    }

    pub fn element(&self, section: &mut ElementSection) {
        if !self.linked.table.is_empty() {
            let functions: Vec<u32> = self.targets(&self.linked.table).collect();
            let offset = ConstExpr::i32_const(self.indices.table as i32);
            section.active(None, &offset, Elements::Functions(functions.into()));
        }
    }

    /// Memory starts as zeros, so those at the end of a segment are left out.
    pub fn data(&self, section: &mut DataSection) {
        for &place in &self.linked.segments {
            let bytes = relocate::segment(self.linked, &self.indices, place);
            let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            if end > 0 {
                let offset = ConstExpr::i32_const(self.linked.address(place) as i32);
                section.active(0, &offset, bytes[..end].iter().copied());
            }
        }
    }

    /// The stack pointer, and the end of the heap in pages.
    pub fn globals(&self, ty: GlobalType, section: &mut GlobalSection) {
        section.global(ty, &ConstExpr::i32_const(self.linked.stack.1 as i32));
        section.global(ty, &ConstExpr::i32_const((self.indices.heap.start / PAGE + FIRST_PAGES) as i32));
    }
}
