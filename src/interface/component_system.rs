//! The modules of WebAssembly that a component has beside its library (`component`).

use crate::callbacks::{HOST, RESOURCES};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    ImportSection, Module, RefType, StartSection, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{FuncType, Payload, TypeRef};

/// The function of WASI that ends a program.
const EXIT: &str = "proc_exit";
/// No such function, as WASI says it.
const ENOSYS: i32 = 52;

/// What a library has and wants.
#[derive(Default)]
pub(crate) struct Needs {
    pub(crate) memory: bool,
    pub(crate) realloc: bool,
    /// It has functions that others hold, and drop.
    pub(crate) drop: bool,
    /// Functions of the system, with their types.
    system: Vec<(String, FuncType)>,
    /// Functions that call those of the host.
    pub(crate) callbacks: Vec<(String, FuncType)>,
    /// What makes and reads handles.
    pub(crate) resources: Vec<String>,
}

impl Needs {
    pub(crate) fn of(library: &[u8]) -> wasmparser::Result<Needs> {
        let (mut needs, mut types) = (Needs::default(), Vec::new());
        for payload in wasmparser::Parser::new(0).parse_all(library) {
            match payload? {
                Payload::TypeSection(section) => {
                    for ty in section.into_iter_err_on_gc_types() {
                        types.push(ty?);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        if let TypeRef::Func(ty) = import.ty {
                            let (name, ty) = (import.name.to_string(), types[ty as usize].clone());
                            match import.module {
                                HOST => needs.callbacks.push((name, ty)),
                                RESOURCES => needs.resources.push(name),
                                _ => needs.system.push((name, ty)),
                            }
                        }
                    }
                }
                Payload::MemorySection(_) => needs.memory = true,
                Payload::ExportSection(section) => {
                    for export in section {
                        let name = export?.name;
                        needs.realloc |= name == "cabi_realloc";
                        needs.drop |= name == "cabi_drop";
                    }
                }
                _ => {}
            }
        }
        Ok(needs)
    }

    /// A system that has nothing.
    pub(crate) fn system(&self) -> Vec<u8> {
        let (mut types, mut functions) = (TypeSection::new(), FunctionSection::new());
        let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
        for (index, (name, ty)) in (0..).zip(&self.system) {
            types.ty().function(values(ty.params()), values(ty.results()));
            functions.function(index);
            exports.export(name, ExportKind::Func, index);
            let mut body = Function::new([]);
            match name == EXIT || ty.results().is_empty() {
                true => body.instructions().unreachable().end(),
                false => body.instructions().i32_const(ENOSYS).end(),
            };
            code.function(&body);
        }
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    /// Functions that are there before the library is: what a function of the program is dropped by, then those of the
    /// host.
    fn early(&self) -> Vec<(&str, FuncType)> {
        let drop = ("cabi_drop", FuncType::new([wasmparser::ValType::I32], []));
        self.drop
            .then_some(drop)
            .into_iter()
            .chain(self.callbacks.iter().map(|(name, ty)| (&**name, ty.clone())))
            .collect()
    }

    /// A module with these functions, which call what is in its table.
    pub(crate) fn shim(&self) -> Vec<u8> {
        let early = self.early();
        let (mut types, mut functions, mut tables) = (TypeSection::new(), FunctionSection::new(), TableSection::new());
        let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
        tables.table(table(early.len()));
        exports.export("table", ExportKind::Table, 0);
        for (index, (name, ty)) in (0..).zip(&early) {
            types.ty().function(values(ty.params()), values(ty.results()));
            functions.function(index);
            exports.export(name, ExportKind::Func, index);
            let mut body = Function::new([]);
            let mut sink = body.instructions();
            (0..ty.params().len() as u32).for_each(|param| _ = sink.local_get(param));
            sink.i32_const(index as i32).call_indirect(0, index).end();
            code.function(&body);
        }
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&tables).section(&exports).section(&code);
        module.finish()
    }

    /// A module that fills the table of the other one.
    pub(crate) fn fill(&self) -> Vec<u8> {
        let early = self.early();
        let (mut types, mut imports, mut elements) = (TypeSection::new(), ImportSection::new(), ElementSection::new());
        imports.import("", "table", EntityType::Table(table(early.len())));
        for (index, (name, ty)) in (0..).zip(&early) {
            types.ty().function(values(ty.params()), values(ty.results()));
            imports.import("", name, EntityType::Function(index));
        }
        let all: Vec<u32> = (0..early.len() as u32).collect();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions((&all[..]).into()));
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&elements);
        module.finish()
    }
}

fn table(functions: usize) -> TableType {
    let functions = functions as u64;
    TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: functions,
        maximum: Some(functions),
        shared: false,
    }
}

fn values(types: &[wasmparser::ValType]) -> Vec<ValType> {
    let value = |ty: &wasmparser::ValType| match ty {
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::F32 => ValType::F32,
        _ => ValType::I32,
    };
    types.iter().map(value).collect()
}

/// A module that calls `_start` of the library.
pub(crate) fn begin() -> Vec<u8> {
    let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
    types.ty().function([], []);
    imports.import("library", "_start", EntityType::Function(0));
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&StartSection { function_index: 0 });
    module.finish()
}
