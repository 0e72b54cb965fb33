//! Wraps a module of WebAssembly as a component: what it exports, with types, for hosts of the Component Model.
//!
//! ```text
//! component ┬ module      the library, as it is
//!           ├ module      system: what it asks of WASI. Nothing is there, and whatever ends the program is a trap
//!           ├ module      begin: calls `_start` when it is instantiated
//!           ├ instances   of the three
//!           ├ types       each record and variant is imported as equal to its definition, which gives it a name
//!           └ functions   of the library, lifted, and exported
//! ```
//! So a component imports nothing. The names are those that `wit` writes. The binary form is that of the Component
//! Model's `Binary.md`.

use crate::layout::Layouts;
use crate::names::WitNames;
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Export, Interface, InterfaceKind, InterfaceType, Primitive};
use wasm_encoder::{
    CodeSection, Encode, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection, Module,
    StartSection, TypeSection, ValType,
};
use wasmparser::{FuncType, Payload, TypeRef};

const PREAMBLE: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];
/// Numbers of sections.
const CORE_MODULE: u8 = 1;
const CORE_INSTANCE: u8 = 2;
const ALIAS: u8 = 6;
const TYPE: u8 = 7;
const CANON: u8 = 8;
const IMPORT: u8 = 10;
const EXPORT: u8 = 11;
/// Sorts of core items.
const CORE_FUNC: [u8; 2] = [0, 0];
const CORE_MEMORY: [u8; 2] = [0, 2];
/// The function of WASI that ends a program.
const EXIT: &str = "proc_exit";
/// No such function, as WASI says it.
const ENOSYS: i32 = 52;

/// The component of a library that exports an interface. `name` is that of the program.
pub fn wrap(library: &[u8], name: &str, interface: &Interface) -> Result<Vec<u8>, String> {
    let needs = Needs::of(library).map_err(|error| error.to_string())?;
    let mut component = Component { bytes: PREAMBLE.to_vec(), types: 0, core_functions: 0 };
    component.section(CORE_MODULE, library);
    component.section(CORE_MODULE, &needs.system());
    component.section(CORE_MODULE, &begin());
    // Instances: the system, the library, and the beginning.
    let instances: &[(u32, &[(&str, u32)])] = if needs.memory {
        &[(1, &[]), (0, &[("wasi_snapshot_preview1", 0)]), (2, &[("library", 1)])]
    } else {
        &[(0, &[])]
    };
    for (module, args) in instances {
        let mut body = vec![1, 0];
        module.encode(&mut body);
        args.len().encode(&mut body);
        for (name, instance) in *args {
            name.encode(&mut body);
            body.push(0x12);
            instance.encode(&mut body);
        }
        component.section(CORE_INSTANCE, &body);
    }
    let own = u32::from(needs.memory);
    let names = WitNames::of(name, interface);
    let types = component.value_types(interface, &names);
    let mut realloc = None;
    if needs.memory {
        component.alias(CORE_MEMORY, own, "memory");
        realloc = needs.realloc.then(|| component.core_function(own, "cabi_realloc"));
    }
    let layouts = Layouts::of(interface);
    for (at, export) in interface.exports.iter().enumerate() {
        let called = component.core_function(own, &export.name);
        let is_long = layouts.sequence(&export.results).flat.len() > 1;
        let post = is_long.then(|| component.core_function(own, &format!("cabi_post_{}", export.name)));
        let ty = component.function_type(export, &names.params[at], &types);
        let mut options: Vec<Vec<u8>> = Vec::new();
        let number = |kind: u8, index: u32| {
            let mut option = vec![kind];
            index.encode(&mut option);
            option
        };
        if let Some(realloc) = realloc {
            options.extend([number(3, 0), number(4, realloc)]);
        }
        options.extend(post.map(|post| number(5, post)));
        let mut body = vec![1, 0, 0];
        called.encode(&mut body);
        options.len().encode(&mut body);
        body.extend(options.concat());
        ty.encode(&mut body);
        component.section(CANON, &body);
        let mut body = vec![1, 0];
        names.functions[at].encode(&mut body);
        body.push(1);
        // An export is a function, too.
        (2 * at).encode(&mut body);
        body.push(0);
        component.section(EXPORT, &body);
    }
    Ok(component.bytes)
}

/// What a library has and wants.
#[derive(Default)]
struct Needs {
    memory: bool,
    realloc: bool,
    /// Functions of the system, with their types.
    imports: Vec<(String, FuncType)>,
}

impl Needs {
    fn of(library: &[u8]) -> wasmparser::Result<Needs> {
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
                            needs.imports.push((import.name.to_string(), types[ty as usize].clone()));
                        }
                    }
                }
                Payload::MemorySection(_) => needs.memory = true,
                Payload::ExportSection(section) => {
                    for export in section {
                        needs.realloc |= export?.name == "cabi_realloc";
                    }
                }
                _ => {}
            }
        }
        Ok(needs)
    }

    /// A system that has nothing.
    fn system(&self) -> Vec<u8> {
        let (mut types, mut functions) = (TypeSection::new(), FunctionSection::new());
        let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
        for (index, (name, ty)) in (0..).zip(&self.imports) {
            let value = |ty: &wasmparser::ValType| match ty {
                wasmparser::ValType::I64 => ValType::I64,
                wasmparser::ValType::F64 => ValType::F64,
                wasmparser::ValType::F32 => ValType::F32,
                _ => ValType::I32,
            };
            types.ty().function(ty.params().iter().map(value), ty.results().iter().map(value));
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
}

/// A module that calls `_start` of the library.
fn begin() -> Vec<u8> {
    let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
    types.ty().function([], []);
    imports.import("library", "_start", EntityType::Function(0));
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&StartSection { function_index: 0 });
    module.finish()
}

struct Component {
    bytes: Vec<u8>,
    /// How many types there are, and functions of modules.
    types: u32,
    core_functions: u32,
}

impl Component {
    fn section(&mut self, number: u8, body: &[u8]) {
        self.bytes.push(number);
        body.encode(&mut self.bytes);
    }

    fn alias(&mut self, sort: [u8; 2], instance: u32, name: &str) {
        let mut body = vec![1, sort[0], sort[1], 1];
        instance.encode(&mut body);
        name.encode(&mut body);
        self.section(ALIAS, &body);
    }

    fn core_function(&mut self, instance: u32, name: &str) -> u32 {
        self.alias(CORE_FUNC, instance, name);
        self.core_functions += 1;
        self.core_functions - 1
    }

    fn define(&mut self, ty: &[u8]) -> u32 {
        self.section(TYPE, &[&[1], ty].concat());
        self.types += 1;
        self.types - 1
    }

    /// Defines the types of values; gives how others refer to them.
    fn value_types(&mut self, interface: &Interface, names: &WitNames) -> Types {
        let mut known = Types::new();
        for (id, data) in &interface.types {
            let (name, parts) = &names.types[id];
            let mut body = Vec::new();
            match &data.kind {
                InterfaceKind::Primitive(primitive) => {
                    known.push(vec![code(*primitive)]);
                    continue;
                }
                InterfaceKind::String => {
                    known.push(vec![0x73]);
                    continue;
                }
                InterfaceKind::Function(..) => unreachable!("functions are not passed to components"),
                InterfaceKind::List(element) => body.extend([&[0x70], &known[*element][..]].concat()),
                InterfaceKind::Option(some) => body.extend([&[0x6b], &known[*some][..]].concat()),
                InterfaceKind::Result(good, bad) => {
                    body.push(0x6a);
                    optional(good.map(|ty| &known[ty]), &mut body);
                    optional(bad.map(|ty| &known[ty]), &mut body);
                }
                InterfaceKind::Tuple(all) => body = tuple(all, &known),
                InterfaceKind::Record(_, fields) => {
                    body.push(0x72);
                    fields.len().encode(&mut body);
                    for (name, (_, ty)) in parts.iter().zip(fields) {
                        name.encode(&mut body);
                        body.extend(&known[*ty]);
                    }
                }
                InterfaceKind::Variant(_, cases) if cases.iter().all(|case| case.payload.is_empty()) => {
                    body.push(0x6d);
                    parts.len().encode(&mut body);
                    parts.iter().for_each(|name| name.encode(&mut body));
                }
                InterfaceKind::Variant(_, cases) => {
                    let payloads: Vec<Option<Vec<u8>>> =
                        cases.iter().map(|case| self.several(&case.payload, &known)).collect();
                    body.push(0x71);
                    parts.len().encode(&mut body);
                    for (name, payload) in parts.iter().zip(&payloads) {
                        name.encode(&mut body);
                        optional(payload.as_ref(), &mut body);
                        body.push(0);
                    }
                }
            }
            let mut number = self.define(&body);
            if let Some(name) = name {
                let mut body = vec![1, 0];
                name.encode(&mut body);
                body.extend([3, 0]);
                number.encode(&mut body);
                self.section(IMPORT, &body);
                number = self.types;
                self.types += 1;
            }
            known.push(reference(number));
        }
        known
    }

    /// Nothing, one value, or a tuple.
    fn several(&mut self, parts: &[InterfaceType], known: &Types) -> Option<Vec<u8>> {
        match parts {
            [] => None,
            [only] => Some(known[*only].clone()),
            several => Some(reference(self.define(&tuple(several, known)))),
        }
    }

    fn function_type(&mut self, export: &Export, names: &[String], known: &Types) -> u32 {
        let result = self.several(&export.results, known);
        let mut body = vec![0x40];
        names.len().encode(&mut body);
        for (name, (_, ty)) in names.iter().zip(&export.params) {
            name.encode(&mut body);
            body.extend(&known[*ty]);
        }
        match result {
            Some(result) => {
                body.push(0);
                body.extend(result);
            }
            None => body.extend([1, 0]),
        }
        self.define(&body)
    }
}

/// How types are referred to.
type Types = PrimaryMap<InterfaceType, Vec<u8>>;

fn reference(number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Signed, for negative numbers are primitive types.
    i64::from(number).encode(&mut bytes);
    bytes
}

fn optional(ty: Option<&Vec<u8>>, out: &mut Vec<u8>) {
    out.push(u8::from(ty.is_some()));
    ty.into_iter().for_each(|ty| out.extend(ty));
}

fn tuple(parts: &[InterfaceType], known: &Types) -> Vec<u8> {
    let mut body = vec![0x6f];
    parts.len().encode(&mut body);
    parts.iter().for_each(|&part| body.extend(&known[part]));
    body
}

fn code(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Bool => 0x7f,
        Primitive::S8 => 0x7e,
        Primitive::U8 => 0x7d,
        Primitive::S16 => 0x7c,
        Primitive::U16 => 0x7b,
        Primitive::S32 => 0x7a,
        Primitive::U32 => 0x79,
        Primitive::S64 => 0x78,
        Primitive::U64 => 0x77,
        Primitive::F32 => 0x76,
        Primitive::F64 => 0x75,
        Primitive::Char => 0x74,
    }
}
