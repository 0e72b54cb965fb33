//! The modules of WebAssembly that a component has beside its library (`component`).

use crate::callbacks::{self, HOST, RESOURCES};
use crate::import_groups as imports;
use crate::layout::{Flat, Layouts};
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};
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
    /// Functions that call those of the host: the types that they have for the library, and for the host.
    pub(crate) callbacks: Vec<(String, FuncType, FuncType)>,
    /// What makes and reads handles.
    pub(crate) resources: Vec<String>,
}

impl Needs {
    pub(crate) fn of(library: &[u8], interface: &Interface) -> wasmparser::Result<Needs> {
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
                                HOST => {
                                    let of_host = of_host(&name, interface, &ty);
                                    needs.callbacks.push((name, ty, of_host));
                                }
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
    fn early(&self) -> Vec<(&str, FuncType, FuncType)> {
        let drop = FuncType::new([wasmparser::ValType::I32], []);
        self.drop
            .then(|| ("cabi_drop", drop.clone(), drop.clone()))
            .into_iter()
            .chain(self.callbacks.iter().map(|(name, own, of_host)| (&**name, own.clone(), of_host.clone())))
            .collect()
    }

    /// A module with these functions, which call what is in its table. Reals of 32 bits are 64 for the library.
    pub(crate) fn shim(&self) -> Vec<u8> {
        let early = self.early();
        let (mut types, mut functions, mut tables) = (TypeSection::new(), FunctionSection::new(), TableSection::new());
        let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
        tables.table(table(early.len()));
        exports.export("table", ExportKind::Table, 0);
        for (index, (name, own, of_host)) in (0..).zip(&early) {
            [own, of_host].iter().for_each(|ty| types.ty().function(values(ty.params()), values(ty.results())));
            functions.function(2 * index);
            exports.export(name, ExportKind::Func, index);
            let mut body = Function::new([]);
            let mut sink = body.instructions();
            for ((param, own), of_host) in (0..).zip(own.params()).zip(of_host.params()) {
                sink.local_get(param);
                if own != of_host {
                    sink.f32_demote_f64();
                }
            }
            sink.i32_const(index as i32).call_indirect(0, 2 * index + 1);
            if own.results() != of_host.results() {
                sink.f64_promote_f32();
            }
            sink.end();
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
        for (index, (name, _, ty)) in (0..).zip(&early) {
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

/// The type that a function has for the host.
fn of_host(name: &str, interface: &Interface, own: &FuncType) -> FuncType {
    let layouts = Layouts::of(interface);
    let import = interface.imports.iter().enumerate().find(|(number, _)| imports::name(*number) == name);
    let callback = interface.types.iter().find(|(id, _)| callbacks::name(*id) == name);
    let (params, results) = match (import, callback.map(|(_, data)| &data.kind)) {
        (Some((_, import)), _) => {
            let params: Vec<InterfaceType> = import.params.iter().map(|param| param.1).collect();
            (layouts.sequence(&params).flat, &import.results)
        }
        (_, Some(InterfaceKind::Function(params, results))) => (layouts.after_handle(params).flat, results),
        _ => return own.clone(),
    };
    let results = layouts.sequence(results).flat;
    let narrow = |own: &[wasmparser::ValType], flat: &[Flat]| -> Vec<wasmparser::ValType> {
        let is_short = |at| own[at] == wasmparser::ValType::F64 && flat.get(at) == Some(&Flat::F32);
        (0..own.len()).map(|at| if is_short(at) { wasmparser::ValType::F32 } else { own[at] }).collect()
    };
    FuncType::new(narrow(own.params(), &params), narrow(own.results(), &results))
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
