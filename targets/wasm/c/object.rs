//! Reads one relocatable object. Everything that later steps rely on is checked here: indices are in range, relocations
//! lie inside of what they change, and the code is valid.

use super::Error;
use crate::validate;
use rustc_hash::FxHashMap;
use wasmparser::{
    DataKind, FuncType, FunctionBody, KnownCustom, Linking, Name, Parser, Payload, RelocSectionReader, RelocationEntry,
    SymbolFlags, SymbolInfo, TypeRef, Validator,
};

/// An object. Functions are numbered as in the file: imports first.
pub struct Object<'a> {
    /// What messages call the file.
    pub name: String,
    pub(crate) types: Vec<FuncType>,
    pub(crate) imports: Vec<Import<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) segments: Vec<Segment<'a>>,
    pub(crate) symbols: Vec<Symbol<'a>>,
    /// Functions that run before the program: priority and symbol.
    pub(crate) constructors: Vec<(u32, u32)>,
    /// The imported global that is the stack pointer.
    pub(crate) stack_pointer: Option<u32>,
    /// Symbols that other objects may refer to, and the program: defined and not local.
    pub(crate) exports: FxHashMap<&'a str, u32>,
    names: FxHashMap<u32, &'a str>,
}

/// An imported function: undefined, or one of the host.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    pub(crate) module: &'a str,
    pub(crate) name: &'a str,
    pub(crate) ty: u32,
}

pub struct Function<'a> {
    pub(crate) ty: u32,
    pub(crate) body: FunctionBody<'a>,
    /// Positions count from the start of the body.
    pub(crate) relocations: Vec<RelocationEntry>,
}

pub struct Segment<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) align: u32,
    pub(crate) relocations: Vec<RelocationEntry>,
}

#[derive(Clone, Copy, Debug)]
pub enum Symbol<'a> {
    /// A function of this object.
    Function {
        index: u32,
    },
    /// An imported one; a weak one may be missing.
    Import {
        name: &'a str,
        index: u32,
        weak: bool,
    },
    Data {
        segment: u32,
        offset: u32,
    },
    /// A datum of another object or of the linker.
    DataImport {
        name: &'a str,
        weak: bool,
    },
    Global {
        index: u32,
    },
    /// Sections, tables: nothing that code refers to by value.
    Other,
}

/// Name of the imports that are undefined symbols.
const UNDEFINED: &str = "env";
const STACK_POINTER: &str = "__stack_pointer";
/// Larger alignments are refused.
const MAX_ALIGN: u32 = 16;

/// Is it a linked module with a start, as `cleave build` writes them?
pub fn is_program(bytes: &[u8]) -> bool {
    let mut starts = false;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload {
            Ok(Payload::ExportSection(exports)) => {
                starts |= exports.into_iter().flatten().any(|export| export.name == "_start");
            }
            Ok(Payload::CustomSection(custom)) if custom.name() == "linking" => return false,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    starts
}

impl<'a> Object<'a> {
    /// Reads the file `name`.
    pub fn parse(name: &str, bytes: &'a [u8]) -> Result<Object<'a>, Error> {
        let wrong = |why: String| Error::NotAnObject { object: name.to_string(), why };
        if !bytes.starts_with(b"\0asm") {
            return Err(wrong("it does not begin like WebAssembly".into()));
        }
        if bytes.get(4..8) != Some(&[1, 0, 0, 0]) {
            return Err(wrong("it is a component, or of another version".into()));
        }
        let mut raw = Raw::default();
        raw.read(bytes).map_err(|e| wrong(e.message().to_string()))?;
        if !raw.is_object {
            let why = "it is a module that is already linked (it has no section `linking`)";
            return Err(wrong(why.into()));
        }
        if let Some(what) = raw.refused {
            return Err(Error::Unsupported { object: name.to_string(), what: what.to_string() });
        }
        // Features that engines may lack are refused here, too.
        if let Err(error) = Validator::new_with_features(validate::features()).validate_all(bytes) {
            return Err(wrong(error.message().to_string()));
        }
        raw.finish(name).ok_or_else(|| wrong("its relocations do not fit".into()))
    }

    /// The type of a function that programs can call.
    pub fn function(&self, name: &str) -> Option<&FuncType> {
        match self.symbols.get(*self.exports.get(name)? as usize)? {
            Symbol::Function { index } => Some(self.type_of(*index)),
            _ => None,
        }
    }

    /// Does it define this symbol?
    pub fn has_symbol(&self, name: &str) -> bool {
        self.exports.contains_key(name)
    }

    /// Names of the functions that programs can call.
    pub fn function_names(&self) -> impl Iterator<Item = &'a str> + use<'_, 'a> {
        let functions = self
            .exports
            .iter()
            .filter(|(_, symbol)| matches!(self.symbols.get(**symbol as usize), Some(Symbol::Function { .. })));
        functions.map(|(name, _)| *name)
    }

    pub(crate) fn type_of(&self, function: u32) -> &FuncType {
        let ty = match self.imports.get(function as usize) {
            Some(import) => import.ty,
            None => self.functions[function as usize - self.imports.len()].ty,
        };
        &self.types[ty as usize]
    }

    pub(crate) fn name_of(&self, function: u32) -> &'a str {
        self.names.get(&function).copied().unwrap_or("c")
    }
}

impl Import<'_> {
    /// Is it an undefined symbol, not a function of the host?
    pub fn is_undefined(&self) -> bool {
        self.module == UNDEFINED
    }
}

/// What is in the file, before it is put in order.
#[derive(Default)]
struct Raw<'a> {
    types: Vec<FuncType>,
    imports: Vec<Import<'a>>,
    globals: Vec<(&'a str, bool)>,
    functions: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    segments: Vec<(&'a [u8], usize)>,
    aligns: Vec<u32>,
    symbols: Vec<SymbolInfo<'a>>,
    constructors: Vec<(u32, u32)>,
    relocations: Vec<(u32, Vec<RelocationEntry>)>,
    names: FxHashMap<u32, &'a str>,
    /// Number of the section, and where its contents start.
    code: Option<(u32, usize)>,
    data: Option<(u32, usize)>,
    is_object: bool,
    refused: Option<&'static str>,
}

impl<'a> Raw<'a> {
    fn read(&mut self, bytes: &'a [u8]) -> wasmparser::Result<()> {
        let mut section = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            let is_section = payload.as_section().is_some();
            match payload {
                Payload::TypeSection(types) => {
                    for ty in types.into_iter_err_on_gc_types() {
                        self.types.push(ty?);
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Func(ty) => {
                                self.imports.push(Import { module: import.module, name: import.name, ty });
                            }
                            TypeRef::Global(ty) => self.globals.push((import.name, ty.mutable)),
                            TypeRef::Memory(ty) if ty.shared => self.refused = Some("shared memory (threads)"),
                            TypeRef::Memory(ty) if ty.memory64 => self.refused = Some("memory of 64 bits"),
                            TypeRef::Tag(_) => self.refused = Some("exceptions"),
                            TypeRef::Memory(_) | TypeRef::Table(_) | TypeRef::FuncExact(_) => {}
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    for ty in functions {
                        self.functions.push(ty?);
                    }
                }
                Payload::GlobalSection(_) => self.refused = Some("global variables of WebAssembly"),
                Payload::TagSection(_) => self.refused = Some("exceptions"),
                Payload::CodeSectionStart { range, .. } => self.code = Some((section, range.start)),
                Payload::CodeSectionEntry(body) => self.bodies.push(body),
                Payload::DataSection(data) => {
                    self.data = Some((section, data.range().start));
                    for data in data {
                        let data = data?;
                        if matches!(data.kind, DataKind::Passive) {
                            self.refused = Some("passive data (threads)");
                        }
                        self.segments.push((data.data, data.range.end - data.data.len()));
                    }
                }
                Payload::CustomSection(custom) => match custom.as_known() {
                    KnownCustom::Linking(linking) => {
                        self.is_object = true;
                        for part in linking {
                            self.linking(part?)?;
                        }
                    }
                    KnownCustom::Reloc(relocations) => self.relocations(&relocations)?,
                    KnownCustom::Name(names) => {
                        for name in names {
                            if let Name::Function(map) = name? {
                                for naming in map {
                                    let naming = naming?;
                                    self.names.insert(naming.index, naming.name);
                                }
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
            section += u32::from(is_section);
        }
        Ok(())
    }

    fn linking(&mut self, part: Linking<'a>) -> wasmparser::Result<()> {
        match part {
            Linking::SegmentInfo(segments) => {
                for segment in segments {
                    self.aligns.push(segment?.alignment);
                }
            }
            Linking::InitFuncs(functions) => {
                for function in functions {
                    let function = function?;
                    self.constructors.push((function.priority, function.symbol_index));
                }
            }
            Linking::SymbolTable(symbols) => {
                for symbol in symbols {
                    self.symbols.push(symbol?);
                }
            }
            // What is defined twice within one object has been sorted out by the one who linked it.
            Linking::ComdatInfo(_) | Linking::Unknown { .. } => {}
        }
        Ok(())
    }

    fn relocations(&mut self, section: &RelocSectionReader<'a>) -> wasmparser::Result<()> {
        let entries: wasmparser::Result<Vec<RelocationEntry>> = section.entries().into_iter().collect();
        self.relocations.push((section.section_index(), entries?));
        Ok(())
    }

    /// The object, or nothing if its parts contradict each other.
    fn finish(self, name: &str) -> Option<Object<'a>> {
        if self.functions.len() != self.bodies.len() || self.aligns.len() < self.segments.len() {
            return None;
        }
        let (mut code, mut data) = (Vec::new(), Vec::new());
        for (section, entries) in self.relocations {
            match section {
                _ if self.code.is_some_and(|place| place.0 == section) => code.extend(entries),
                _ if self.data.is_some_and(|place| place.0 == section) => data.extend(entries),
                // Of debug information.
                _ => {}
            }
        }
        let ranges: Vec<(usize, usize)> =
            self.bodies.iter().map(|body| (body.range().start, body.range().end)).collect();
        let code = distribute(code, self.code.map_or(0, |place| place.1), &ranges)?;
        let ranges: Vec<(usize, usize)> = self.segments.iter().map(|&(bytes, at)| (at, at + bytes.len())).collect();
        let data = distribute(data, self.data.map_or(0, |place| place.1), &ranges)?;

        let parts = self.functions.into_iter().zip(self.bodies).zip(code);
        let functions = parts.map(|((ty, body), relocations)| Function { ty, body, relocations }).collect();
        let parts = self.segments.into_iter().zip(&self.aligns).zip(data);
        let mut segments = Vec::new();
        for (((bytes, _), &align), relocations) in parts {
            if align > MAX_ALIGN {
                return None;
            }
            segments.push(Segment { bytes, align: 1 << align, relocations });
        }
        let stack_pointer = self.globals.iter().position(|&(name, mutable)| name == STACK_POINTER && mutable);
        let mut object = Object {
            name: name.to_string(),
            types: self.types,
            imports: self.imports,
            functions,
            segments,
            symbols: Vec::new(),
            constructors: self.constructors,
            stack_pointer: stack_pointer.map(|index| index as u32),
            exports: FxHashMap::default(),
            names: self.names,
        };
        for symbol in self.symbols {
            object.add(symbol)?;
        }
        object.has_symbols_of_its_relocations().then_some(object)
    }
}

/// Gives each relocation to the range that it lies in, with its position there. Both are in order.
fn distribute(
    mut entries: Vec<RelocationEntry>,
    start: usize,
    ranges: &[(usize, usize)],
) -> Option<Vec<Vec<RelocationEntry>>> {
    entries.sort_by_key(|entry| entry.offset);
    let mut all: Vec<Vec<RelocationEntry>> = ranges.iter().map(|_| Vec::new()).collect();
    let mut at = 0;
    for mut entry in entries {
        let (first, last) = (start + entry.offset as usize, start + entry.offset as usize + entry.ty.extent());
        while ranges.get(at)?.1 <= first {
            at += 1;
        }
        let range = ranges.get(at)?;
        if first < range.0 || last > range.1 {
            return None;
        }
        entry.offset = (first - range.0) as u32;
        // They must not overlap.
        let list = all.get_mut(at)?;
        if list
            .last()
            .is_some_and(|other: &RelocationEntry| other.offset as usize + other.ty.extent() > first - range.0)
        {
            return None;
        }
        list.push(entry);
    }
    Some(all)
}

impl<'a> Object<'a> {
    fn add(&mut self, info: SymbolInfo<'a>) -> Option<()> {
        let is = |flags: SymbolFlags, flag| flags.contains(flag);
        let (undefined, weak) = (SymbolFlags::UNDEFINED, SymbolFlags::BINDING_WEAK);
        let number = self.symbols.len() as u32;
        let export = |object: &mut Self, name: &'a str, flags: SymbolFlags| {
            if !is(flags, SymbolFlags::BINDING_LOCAL) {
                object.exports.insert(name, number);
            }
        };
        let symbol = match info {
            SymbolInfo::Func { flags, index, name } if is(flags, undefined) => {
                let import = self.imports.get(index as usize)?;
                Symbol::Import { name: name.unwrap_or(import.name), index, weak: is(flags, weak) }
            }
            SymbolInfo::Func { flags, index, name } => {
                self.functions.get((index as usize).checked_sub(self.imports.len())?)?;
                export(self, name?, flags);
                self.names.entry(index).or_insert(name?);
                Symbol::Function { index }
            }
            SymbolInfo::Data { flags, name, symbol } => match symbol {
                Some(place) => {
                    let segment = self.segments.get(place.index as usize)?;
                    (place.offset as usize <= segment.bytes.len()).then_some(())?;
                    export(self, name, flags);
                    Symbol::Data { segment: place.index, offset: place.offset }
                }
                None => Symbol::DataImport { name, weak: is(flags, weak) },
            },
            SymbolInfo::Global { index, .. } => Symbol::Global { index },
            SymbolInfo::Section { .. } | SymbolInfo::Event { .. } | SymbolInfo::Table { .. } => Symbol::Other,
        };
        self.symbols.push(symbol);
        Some(())
    }

    fn has_symbols_of_its_relocations(&self) -> bool {
        use wasmparser::RelocationType::{TableNumberLeb, TypeIndexLeb};
        let code = self.functions.iter().flat_map(|function| &function.relocations);
        let mut all = code.chain(self.segments.iter().flat_map(|segment| &segment.relocations));
        let fits = all.all(|entry| match entry.ty {
            TypeIndexLeb => (entry.index as usize) < self.types.len(),
            TableNumberLeb => true,
            _ => (entry.index as usize) < self.symbols.len(),
        });
        fits && self.constructors.iter().all(|&(_, symbol)| (symbol as usize) < self.symbols.len())
    }
}
