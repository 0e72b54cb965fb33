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
//! With functions as values (`resources`) all is exported as an interface, and functions of the host are interfaces
//! that are imported (`component_api`). The names are those that `wit` writes. The binary form is that of the Component
//! Model's `Binary.md`.

use crate::component_api as api;
use crate::component_imports::import_equal;
use crate::component_system::{Needs, begin};
use crate::component_types::{ALIAS, EXPORT, Known, Naming, Scope};
use crate::handles;
use crate::layout::Layouts;
use crate::names::WitNames;
use crate::resources::{self, Resources};
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Export, Interface, InterfaceKind, InterfaceType};
use wasm_encoder::Encode;

const PREAMBLE: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];
/// Numbers of sections.
const CORE_MODULE: u8 = 1;
const CORE_INSTANCE: u8 = 2;
const CANON: u8 = 8;
/// Sorts of core items.
pub(crate) const CORE_FUNC: [u8; 2] = [0, 0];
pub(crate) const CORE_TABLE: [u8; 2] = [0, 1];
const CORE_MEMORY: [u8; 2] = [0, 2];

/// The component of a library that exports an interface. `name` is that of the program.
pub fn wrap(library: &[u8], name: &str, interface: &Interface) -> Result<Vec<u8>, String> {
    let needs = Needs::of(library, interface).map_err(|error| error.to_string())?;
    let mut component = Component::new();
    [library, &needs.system(), &begin()].iter().for_each(|module| component.module(module));
    let mut names = WitNames::of(name, interface);
    if let Some(resources) = Resources::of(interface, &mut names) {
        api::wrap(&mut component, &needs, interface, &names, &resources);
        return Ok(component.scope.bytes);
    }
    // The system, the library, and the beginning.
    let own = match needs.memory {
        true => {
            let system = component.instantiate(1, &[]);
            let own = component.instantiate(0, &[("wasi_snapshot_preview1", system)]);
            component.instantiate(2, &[("library", own)]);
            own
        }
        false => component.instantiate(0, &[]),
    };
    let known = component.scope.value_types(interface, &names, &mut Imported, |_| true);
    component.use_memory(own, &needs);
    component.export_functions(own, interface, &names, &known);
    Ok(component.scope.bytes)
}

/// Hosts take components whose types have fewer parts.
pub const MOST_PARTS: u64 = 1_000_000;

/// Parts of the types of all that a component imports and exports, each counted wherever it is used: a type may be
/// small as it is stored and very large as hosts count it.
pub fn parts(interface: &Interface) -> u64 {
    let mut sizes: PrimaryMap<InterfaceType, u64> = PrimaryMap::new();
    let sum = |sizes: &PrimaryMap<InterfaceType, u64>, parts: &mut dyn Iterator<Item = InterfaceType>| {
        parts.fold(1_u64, |sum, part| sum.saturating_add(sizes[part]))
    };
    let mut total = 1_u64;
    for (_, data) in &interface.types {
        let size = match &data.kind {
            InterfaceKind::Function(..) => 2,
            InterfaceKind::Foreign(_) => 1,
            kind => sum(&sizes, &mut resources::parts(kind).into_iter()),
        };
        if matches!(data.kind, InterfaceKind::Record(..) | InterfaceKind::Variant(..)) {
            total = total.saturating_add(size);
        }
        sizes.push(size);
    }
    for export in interface.exports.iter().chain(&handles::calls(interface)) {
        let params = export.params.iter().map(|param| param.1);
        // A result of several parts is a tuple.
        total = total.saturating_add(1 + sum(&sizes, &mut params.chain(export.results.iter().copied())));
    }
    // With functions as values there is a component inside, which takes and gives all of it.
    let has_resources = interface.types.keys().any(|id| resources::is_resource(interface, id));
    if has_resources { total.saturating_mul(2) } else { total }
}

/// The first function that the program imports and a component cannot, and why: what is imported knows nothing of what
/// is exported, as functions of the program are. A function of the host is a result by itself.
pub fn cannot_import(interface: &Interface) -> Option<(&str, String)> {
    let has_functions = |&ty: &InterfaceType| {
        resources::inside(interface, ty).into_iter().any(|ty| resources::is_function(interface, ty))
    };
    let given = resources::given(interface);
    let of_results = |results: &[InterfaceType]| match results {
        [only] if given[*only] => None,
        [only] if resources::is_function(interface, *only) => {
            Some("its result is a function that takes or gives functions")
        }
        _ => results.iter().any(has_functions).then_some("there are functions in the data of its result"),
    };
    interface.imports.iter().find_map(|import| {
        let taken = import.params.iter().find(|(_, ty)| has_functions(ty));
        let why = match taken {
            Some((name, ty)) if resources::is_function(interface, *ty) => {
                format!("its argument `{name}` is a function")
            }
            Some((name, _)) => format!("there are functions in its argument `{name}`"),
            None => of_results(&import.results)?.to_string(),
        };
        Some((&*import.name, why))
    })
}

/// Types of a world are imports that are equal to their definitions.
struct Imported;

impl Naming for Imported {
    fn named(&mut self, scope: &mut Scope, _: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        Some(import_equal(scope, name, defined?))
    }

    fn resource(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }

    fn callback(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }

    fn foreign(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }
}

/// A component, with how many items of each sort it has.
pub(crate) struct Component {
    pub(crate) scope: Scope,
    core_instances: u32,
    core_functions: u32,
    pub(crate) functions: u32,
    /// The memory of the library is there.
    memory: bool,
    realloc: Option<u32>,
}

impl Component {
    pub(crate) fn new() -> Component {
        let scope = Scope { bytes: PREAMBLE.to_vec(), declarations: None, types: 0 };
        Component { scope, core_instances: 0, core_functions: 0, functions: 0, memory: false, realloc: None }
    }

    pub(crate) fn module(&mut self, module: &[u8]) {
        self.scope.section(CORE_MODULE, module);
    }

    /// An instance of a module, which imports from others.
    pub(crate) fn instantiate(&mut self, module: u32, args: &[(&str, u32)]) -> u32 {
        let mut body = vec![1, 0];
        module.encode(&mut body);
        args.len().encode(&mut body);
        for (name, instance) in args {
            name.encode(&mut body);
            body.push(0x12);
            instance.encode(&mut body);
        }
        self.core_instance(&body)
    }

    /// An instance of items that are there already.
    pub(crate) fn gather(&mut self, items: &[(&str, u8, u32)]) -> u32 {
        let mut body = vec![1, 1];
        items.len().encode(&mut body);
        for (name, sort, number) in items {
            name.encode(&mut body);
            body.push(*sort);
            number.encode(&mut body);
        }
        self.core_instance(&body)
    }

    fn core_instance(&mut self, body: &[u8]) -> u32 {
        self.scope.section(CORE_INSTANCE, body);
        self.core_instances += 1;
        self.core_instances - 1
    }

    /// An item of an instance of a module.
    pub(crate) fn alias(&mut self, sort: [u8; 2], instance: u32, name: &str) {
        self.alias_of(&[sort[0], sort[1], 1], instance, name);
    }

    /// An item of an instance of a component.
    pub(crate) fn alias_export(&mut self, sort: u8, instance: u32, name: &str) {
        self.alias_of(&[sort, 0], instance, name);
    }

    fn alias_of(&mut self, what: &[u8], instance: u32, name: &str) {
        let mut body = [&[1], what].concat();
        instance.encode(&mut body);
        name.encode(&mut body);
        self.scope.section(ALIAS, &body);
    }

    pub(crate) fn core_function(&mut self, instance: u32, name: &str) -> u32 {
        self.alias(CORE_FUNC, instance, name);
        self.next_core_function()
    }

    pub(crate) fn next_core_function(&mut self) -> u32 {
        self.core_functions += 1;
        self.core_functions - 1
    }

    /// From here on functions have the memory of the library.
    pub(crate) fn use_memory(&mut self, own: u32, needs: &Needs) {
        if needs.memory {
            self.alias(CORE_MEMORY, own, "memory");
            self.realloc = needs.realloc.then(|| self.core_function(own, "cabi_realloc"));
            self.memory = needs.realloc;
        }
    }

    fn options(&self, post: Option<u32>) -> Vec<u8> {
        let mut options: Vec<(u8, u32)> = Vec::new();
        if self.memory {
            options.push((3, 0));
            options.extend(self.realloc.map(|realloc| (4, realloc)));
        }
        options.extend(post.map(|post| (5, post)));
        let mut body = Vec::new();
        options.len().encode(&mut body);
        for (kind, index) in options {
            body.push(kind);
            index.encode(&mut body);
        }
        body
    }

    /// A function of a type that calls one of a module, perhaps with one that it calls afterwards.
    pub(crate) fn lift(&mut self, called: u32, post: Option<u32>, ty: u32) -> u32 {
        let mut body = vec![1, 0, 0];
        called.encode(&mut body);
        body.extend(self.options(post));
        ty.encode(&mut body);
        self.scope.section(CANON, &body);
        self.functions += 1;
        self.functions - 1
    }

    /// The function of modules that calls one of components.
    pub(crate) fn lower(&mut self, function: u32) -> u32 {
        let mut body = vec![1, 1, 0];
        function.encode(&mut body);
        body.extend(self.options(None));
        self.canon(&body)
    }

    /// A function of modules that the Component Model has.
    pub(crate) fn canon(&mut self, body: &[u8]) -> u32 {
        self.scope.section(CANON, body);
        self.next_core_function()
    }

    /// Exports the functions of a library as they are.
    pub(crate) fn export_functions(&mut self, own: u32, interface: &Interface, names: &WitNames, known: &Known) {
        let layouts = Layouts::of(interface);
        for (at, export) in interface.exports.iter().enumerate() {
            let function = self.lift_export(own, export, &names.params[at], known, &layouts);
            let mut body = vec![1, 0];
            names.functions[at].encode(&mut body);
            body.push(1);
            function.encode(&mut body);
            body.push(0);
            self.scope.section(EXPORT, &body);
            // An export is a function, too.
            self.functions += 1;
        }
    }

    /// The function that an export is.
    pub(crate) fn lift_export(
        &mut self,
        own: u32,
        export: &Export,
        names: &[String],
        known: &Known,
        layouts: &Layouts,
    ) -> u32 {
        let called = self.core_function(own, &export.name);
        let is_long = layouts.sequence(&export.results).flat.len() > 1;
        let post = is_long.then(|| self.core_function(own, &format!("cabi_post_{}", export.name)));
        let params: Vec<(String, InterfaceType)> =
            names.iter().cloned().zip(export.params.iter().map(|param| param.1)).collect();
        let ty = self.scope.function_type(None, &params, &export.results, known);
        self.lift(called, post, ty)
    }
}
