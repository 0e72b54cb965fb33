//! Links the runtime: takes from the runtime module what a program uses, to be merged with the program.
//!
//! 1. `Runtime::parse` reads the module.
//! 2. `Runtime::mark` finds the functions that the program needs: those it calls, and what these call.
//! 3. `Relocation` encodes them again. Functions have other indices in the merged module.
//!
//! Some functions of the runtime are parts that not every program needs (`PARTS`). Without need they are emptied, and
//! nothing that they call is kept for them.
//!
//! Globals keep their indices; those of the program follow. Of the data what the functions use is kept (`rodata`). If a
//! function that is kept calls through the function table, the whole table is kept.
//!
//! The runtime imports `env.cleave_main` and `env.cleave_eval`: they become functions of the program. Its other imports
//! are imports of the merged module.

use crate::Error;
use crate::rodata::{self, Uses};
use cleave_ir::Module;
use rustc_hash::FxHashMap;
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, Function, Instruction};
use wasmparser::{BlockType, ElementItems, ElementKind, FunctionBody, KnownCustom, Name, Operator, Payload, TypeRef};

/// The parts of the runtime that a program may not need, with what says that it does.
const PARTS: [(&str, Need); 7] = [
    ("rt_part_gc", Need::Module(|module| module.heap.collects())),
    ("rt_part_incremental", Need::Incremental),
    ("rt_part_cycles", Need::Module(|module| !module.cycles.is_empty())),
    ("rt_part_rc_stats", Need::Module(|module| module.keeps_rc_stats)),
    ("rt_part_options", Need::Options),
    ("rt_part_reports", Need::Options),
    ("rt_part_files", Need::Import("path_open")),
];

enum Need {
    Module(fn(&Module) -> bool),
    /// It can be told to collect incrementally.
    Incremental,
    /// It takes options when it runs.
    Options,
    /// It imports this function.
    Import(&'static str),
}

/// An imported function of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    pub module: &'a str,
    pub name: &'a str,
    pub ty: u32,
}

/// The parsed module. A function has the number that it has there: first the imports, then the defined functions.
#[derive(Default)]
pub struct Runtime<'a> {
    pub types: Vec<wasmparser::FuncType>,
    pub imports: Vec<Import<'a>>,
    /// For each defined function the index of its type in `types`.
    pub functions: Vec<u32>,
    pub bodies: Vec<FunctionBody<'a>>,
    pub tables: Vec<wasmparser::TableType>,
    pub globals: Vec<wasmparser::Global<'a>>,
    pub elements: Vec<wasmparser::Element<'a>>,
    pub data: Vec<wasmparser::Data<'a>>,
    /// Which data the functions use, if the module says it.
    pub data_uses: Option<Uses>,
    pub uses_data_count: bool,
    exports: FxHashMap<&'a str, (wasmparser::ExternalKind, u32)>,
    pub names: FxHashMap<u32, &'a str>,
}

impl<'a> Runtime<'a> {
    /// Reads a module of the kind that a linker makes for the runtime.
    pub fn parse(wasm: &'a [u8]) -> Result<Self, Error> {
        let mut runtime = Runtime::default();
        runtime.read(wasm).map_err(|e| Error::Runtime(e.to_string()))?;
        Ok(runtime)
    }

    fn read(&mut self, wasm: &'a [u8]) -> wasmparser::Result<()> {
        for payload in wasmparser::Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::TypeSection(section) => {
                    for ty in section.into_iter_err_on_gc_types() {
                        self.types.push(ty?);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        if let TypeRef::Func(ty) = import.ty {
                            self.imports.push(Import { module: import.module, name: import.name, ty });
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for ty in section {
                        self.functions.push(ty?);
                    }
                }
                Payload::TableSection(section) => {
                    for table in section {
                        self.tables.push(table?.ty);
                    }
                }
                Payload::GlobalSection(section) => {
                    for global in section {
                        self.globals.push(global?);
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        self.exports.insert(export.name, (export.kind, export.index));
                    }
                }
                Payload::ElementSection(section) => {
                    for element in section {
                        self.elements.push(element?);
                    }
                }
                Payload::DataCountSection { .. } => self.uses_data_count = true,
                Payload::DataSection(section) => {
                    for data in section {
                        self.data.push(data?);
                    }
                }
                Payload::CodeSectionEntry(body) => self.bodies.push(body),
                Payload::CustomSection(section) if section.name() == rodata::SECTION => {
                    self.data_uses = Some(Uses::read(section.data(), section.data_offset())?);
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        for name in names {
                            if let Name::Function(map) = name? {
                                for naming in map {
                                    let naming = naming?;
                                    self.names.insert(naming.index, naming.name);
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Number of an exported function.
    pub fn function(&self, name: &str) -> Option<u32> {
        match self.exports.get(name) {
            Some((wasmparser::ExternalKind::Func, index)) => Some(*index),
            _ => None,
        }
    }

    /// The constant in an exported global.
    pub fn constant(&self, name: &str) -> Option<u32> {
        let (wasmparser::ExternalKind::Global, index) = self.exports.get(name)? else { return None };
        let init = self.globals.get(*index as usize)?.init_expr.get_operators_reader().read().ok()?;
        match init {
            Operator::I32Const { value } => Some(value as u32),
            _ => None,
        }
    }

    /// Type of a function, imported or defined.
    pub fn type_of(&self, function: u32) -> u32 {
        match self.imports.get(function as usize) {
            Some(import) => import.ty,
            None => self.functions[function as usize - self.imports.len()],
        }
    }

    /// What a program needs that calls the functions `roots`.
    pub fn needed(&self, module: &Module, wanted: Wanted, roots: &[u32]) -> Result<Reachable, Error> {
        let is_asked_for = |need: &Need| match need {
            Need::Module(is_needed) => is_needed(module),
            Need::Incremental => wanted.incremental,
            Need::Options => wanted.options,
            Need::Import(_) => false,
        };
        let parts = |is_needed: &dyn Fn(&Need) -> bool| -> Vec<u32> {
            let without = PARTS.iter().filter(|part| !is_needed(&part.1));
            without.filter_map(|part| self.function(part.0)).collect()
        };
        let all = self.mark(roots, parts(&is_asked_for))?;
        let imports = |name: &str| self.imports.iter().zip(&all.functions).any(|(one, &kept)| kept && one.name == name);
        let emptied = parts(&|need| match need {
            Need::Import(name) => imports(name),
            _ => is_asked_for(need),
        });
        if emptied == all.emptied { Ok(all) } else { self.mark(roots, emptied) }
    }

    /// Writes the body of a function that is kept.
    pub fn body(
        &self,
        function: u32,
        reachable: &Reachable,
        relocation: &mut Relocation,
        out: &mut CodeSection,
    ) -> Result<(), reencode::Error<std::convert::Infallible>> {
        if reachable.emptied.contains(&function) {
            out.function(Function::new([]).instruction(&Instruction::End));
            return Ok(());
        }
        relocation.parse_function_body(out, self.bodies[function as usize - self.imports.len()].clone())
    }

    /// Everything reachable from the functions `roots`; functions in `emptied` do nothing in this program.
    fn mark(&self, roots: &[u32], emptied: Vec<u32>) -> Result<Reachable, Error> {
        let mut reachable = Reachable {
            functions: vec![false; self.imports.len() + self.functions.len()],
            types: vec![false; self.types.len()],
            table: false,
            emptied,
        };
        self.visit(roots, &mut reachable).map_err(|e| Error::Runtime(e.to_string()))?;
        Ok(reachable)
    }

    fn visit(&self, roots: &[u32], reachable: &mut Reachable) -> wasmparser::Result<()> {
        let mut stack = roots.to_vec();
        while let Some(function) = stack.pop() {
            if std::mem::replace(&mut reachable.functions[function as usize], true) {
                continue;
            }
            reachable.types[self.type_of(function) as usize] = true;
            let Some(defined) = (function as usize).checked_sub(self.imports.len()) else { continue };
            if reachable.emptied.contains(&function) {
                continue;
            }
            for operator in self.bodies[defined].get_operators_reader()? {
                match operator? {
                    Operator::Call { function_index }
                    | Operator::ReturnCall { function_index }
                    | Operator::RefFunc { function_index } => stack.push(function_index),
                    Operator::Block { blockty: BlockType::FuncType(ty) }
                    | Operator::Loop { blockty: BlockType::FuncType(ty) }
                    | Operator::If { blockty: BlockType::FuncType(ty) } => reachable.types[ty as usize] = true,
                    Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. } => {
                        reachable.types[type_index as usize] = true;
                        if !std::mem::replace(&mut reachable.table, true) {
                            self.table_functions(&mut stack)?;
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// All functions in the element segments.
    fn table_functions(&self, out: &mut Vec<u32>) -> wasmparser::Result<()> {
        for element in &self.elements {
            if let ElementItems::Functions(items) = &element.items {
                for item in items.clone() {
                    out.push(item?);
                }
            }
        }
        Ok(())
    }
}

/// Parts that the user decides about.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub incremental: bool,
    pub options: bool,
}

/// What a program keeps of the runtime.
pub struct Reachable {
    pub functions: Vec<bool>,
    pub types: Vec<bool>,
    /// True if something calls through the table; all that is in it is kept then.
    pub table: bool,
    /// Functions of these that have no body.
    pub emptied: Vec<u32>,
}

/// New indices for the parts of the runtime.
pub struct Relocation {
    pub functions: Vec<u32>,
    pub types: Vec<u32>,
}

impl Reencode for Relocation {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<Self::Error>> {
        Ok(self.functions[function as usize])
    }
    fn type_index(&mut self, ty: u32) -> Result<u32, reencode::Error<Self::Error>> {
        Ok(self.types[ty as usize])
    }
}

impl Relocation {
    /// Re-encodes an active element segment of functions at a constant offset.
    pub fn element(
        &mut self,
        element: wasmparser::Element,
        out: &mut wasm_encoder::ElementSection,
    ) -> Result<(), reencode::Error<std::convert::Infallible>> {
        debug_assert!(matches!(element.kind, ElementKind::Active { .. }));
        self.parse_element(out, element)
    }
}
