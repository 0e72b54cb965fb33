//! Components whose program has functions as values (`resources`): an exported interface with resources, and perhaps an
//! imported one.
//!
//! ```text
//! component ┬ modules     library, system, begin; shim and fill
//!           ├ instance    host, imported: the types that it knows, a resource for functions that it gives
//!           ├ instances   shim, library, fill, begin
//!           ├ types       a resource for each type of functions, dropped by `cabi_drop` of the library
//!           ├ functions   of the library, lifted
//!           ├ component   takes types and functions, and gives them with their names
//!           └ instance    api, exported
//! ```
//! The library imports what makes handles of resources, and these are dropped by the library: so a shim with a table is
//! there before it, and `fill` puts into that what the library has. Only what a component imports or exports has a
//! name, which is why there is another component inside.

use crate::component::{CORE_TABLE, Component};
use crate::component_system::Needs;
use crate::component_types::{ALIAS, EXPORT, IMPORT, Known, Naming, Scope, TYPE, reference};
use crate::layout::Layouts;
use crate::names::WitNames;
use crate::resources::Resources;
use crate::{callbacks, foreign, handles};
use cleave_ir::interface::{Export, Interface, InterfaceKind, InterfaceType};
use wasm_encoder::Encode;

/// Numbers of sections.
const COMPONENT: u8 = 4;
const INSTANCE: u8 = 5;
/// Sorts of items.
const FUNC: u8 = 1;
const TYPE_SORT: u8 = 3;
const INSTANCE_SORT: u8 = 5;
/// Functions of modules that make, drop and read handles.
const RESOURCE_NEW: u8 = 2;
const RESOURCE_DROP: u8 = 3;
const RESOURCE_REP: u8 = 4;

pub(crate) fn wrap(
    component: &mut Component,
    needs: &Needs,
    interface: &Interface,
    names: &WitNames,
    resources: &Resources,
) {
    component.module(&needs.shim());
    component.module(&needs.fill());
    let package = |name: &str| format!("local:{}/{name}", names.world);
    if resources.has_host() {
        import_host(component, &package(&resources.host), interface, names, resources);
    }
    let (system, shim) = (component.instantiate(1, &[]), component.instantiate(3, &[]));
    let drop = if needs.drop { component.core_function(shim, "cabi_drop") } else { 0 };
    let mut main = Main { resources, drop, named: Vec::new() };
    let known = component.scope.value_types(interface, names, &mut main, |_| true);
    let main = main.named;

    let mut makers: Vec<(&str, u8, u32)> = Vec::new();
    for name in &needs.resources {
        let (what, number) = name.split_once('_').expect("it has a number");
        let number = InterfaceType::from_u32(number.parse().expect("it has a number"));
        let canon = match what {
            "new" => RESOURCE_NEW,
            "drop" | "forget" => RESOURCE_DROP,
            _ => RESOURCE_REP,
        };
        let mut body = vec![1, canon];
        let of = if what == "forget" { &known.of_host } else { &known.resources };
        of[number].encode(&mut body);
        makers.push((name, 0, component.canon(&body)));
    }
    let makers = component.gather(&makers);
    let imports = [("wasi_snapshot_preview1", system), (callbacks::RESOURCES, makers), (callbacks::HOST, shim)];
    let own = component.instantiate(0, &imports);
    component.use_memory(own, needs);

    // What the shim calls.
    component.alias(CORE_TABLE, shim, "table");
    let mut late = vec![("table", 1, 0)];
    if needs.drop {
        late.push(("cabi_drop", 0, component.core_function(own, "cabi_drop")));
    }
    for (name, _) in &needs.callbacks {
        let callback = resources.functions.iter().find(|(id, _)| callbacks::name(**id) == *name);
        let callback = callback.and_then(|(_, names)| Some(format!("[method]{}.call", names.1.as_ref()?)));
        let object = || resources.foreign.iter().find(|(id, _)| foreign::clone(**id) == *name);
        let method = callback.or_else(|| Some(format!("[method]{}.clone", object()?.1)));
        component.alias_export(FUNC, 0, &method.expect("it is a method of something that the host gives"));
        component.functions += 1;
        late.push((name, 0, component.lower(component.functions - 1)));
    }
    let late = component.gather(&late);
    component.instantiate(4, &[("", late)]);
    component.instantiate(2, &[("library", own)]);

    let items = lift(component, own, interface, names, (resources, &known));
    let named = Named { interface, names, resources };
    component.scope.section(COMPONENT, &named.component(&items));
    let mut body = vec![1, 0, 0];
    (main.len() + items.len()).encode(&mut body);
    for (name, number) in &main {
        format!("import-type-{name}").encode(&mut body);
        body.push(TYPE_SORT);
        number.encode(&mut body);
    }
    for (at, item) in items.iter().enumerate() {
        format!("import-func-f{at}").encode(&mut body);
        body.push(FUNC);
        item.function.encode(&mut body);
    }
    component.scope.section(INSTANCE, &body);
    let mut body = vec![1, 0];
    package(&resources.api).encode(&mut body);
    body.push(INSTANCE_SORT);
    u32::from(resources.has_host()).encode(&mut body);
    body.push(0);
    component.scope.section(EXPORT, &body);
}

/// Imports the interface of the host, an instance.
fn import_host(
    component: &mut Component,
    interface_name: &str,
    interface: &Interface,
    names: &WitNames,
    resources: &Resources,
) {
    let mut scope = Scope { bytes: Vec::new(), declarations: Some(0), types: 0 };
    let known = scope.value_types(interface, names, &mut Declared(resources), |id| resources.of_host[id]);
    for (id, (_, callback)) in &resources.functions {
        let (InterfaceKind::Function(params, results), Some(callback)) = (&interface.types[*id].kind, callback) else {
            continue;
        };
        let resource = declare_resource(&mut scope, callback);
        let own = lent(&mut scope, resource);
        let ty = scope.function_type(Some(("self", own)), &arguments(params), results, &known);
        declare_function(&mut scope, &format!("[method]{callback}.call"), ty);
    }
    for (id, name) in &resources.foreign {
        let own = lent(&mut scope, known.resources[*id]);
        let ty = scope.function_of(&[("self", own)], Some(known.types[*id].clone()));
        declare_function(&mut scope, &format!("[method]{name}.clone"), ty);
    }
    let mut ty = vec![1, 0x42];
    scope.declarations.unwrap_or_default().encode(&mut ty);
    ty.extend(scope.bytes);
    component.scope.section(TYPE, &ty);
    let ty = component.scope.next_type();
    let mut body = vec![1, 0];
    interface_name.encode(&mut body);
    body.push(INSTANCE_SORT);
    ty.encode(&mut body);
    component.scope.section(IMPORT, &body);
}

/// A resource that the type of the host's interface has.
fn declare_resource(scope: &mut Scope, name: &str) -> u32 {
    let mut body = vec![4, 0];
    name.encode(&mut body);
    body.extend([TYPE_SORT, 1]);
    scope.declare(&body);
    scope.next_type()
}

/// Handles of a resource that are lent.
fn lent(scope: &mut Scope, resource: u32) -> Vec<u8> {
    let mut handle = vec![0x68];
    resource.encode(&mut handle);
    reference(scope.define(&handle))
}

/// A function of a type there.
fn declare_function(scope: &mut Scope, name: &str, ty: u32) {
    let mut body = vec![4, 0];
    name.encode(&mut body);
    body.push(FUNC);
    ty.encode(&mut body);
    scope.declare(&body);
}

/// Arguments of functions as values have no names of their own.
fn arguments(params: &[InterfaceType]) -> Vec<(String, InterfaceType)> {
    params.iter().enumerate().map(|(at, &ty)| (format!("arg{}", at + 1), ty)).collect()
}

/// A function of the interface.
struct Item {
    name: String,
    params: Vec<(String, InterfaceType)>,
    results: Vec<InterfaceType>,
    /// It makes functions of the program of those of the host.
    makes: Option<InterfaceType>,
    /// Of the component.
    function: u32,
}

impl Item {
    fn ty(&self, scope: &mut Scope, known: &Known) -> u32 {
        match self.makes {
            Some(id) => scope.function_of(&[("callback", known.callbacks[id].clone())], Some(known.types[id].clone())),
            None => scope.function_type(None, &self.params, &self.results, known),
        }
    }
}

/// All functions of the interface.
fn lift(
    component: &mut Component,
    own: u32,
    interface: &Interface,
    names: &WitNames,
    (resources, known): (&Resources, &Known),
) -> Vec<Item> {
    let layouts = Layouts::of(interface);
    let mut items = Vec::new();
    let item = |component: &mut Component, name: String, export: &Export, params: Vec<String>| {
        let function = component.lift_export(own, export, &params, known, &layouts);
        let params = params.into_iter().zip(export.params.iter().map(|param| param.1)).collect();
        Item { name, params, results: export.results.clone(), makes: None, function }
    };
    // The constructor of a resource comes before its method: there are tools that want it so.
    for call in handles::calls(interface) {
        let id = call.params[0].1;
        let (resource, callback) = &resources.functions[&id];
        if callback.is_some() {
            let name = format!("[constructor]{resource}");
            let mut made = Item { name, params: Vec::new(), results: Vec::new(), makes: Some(id), function: 0 };
            let called = component.core_function(own, &callbacks::constructor(id));
            let ty = made.ty(&mut component.scope, known);
            made.function = component.lift(called, None, ty);
            items.push(made);
        }
        let params = (0..call.params.len()).map(|at| if at == 0 { "self".into() } else { format!("arg{at}") });
        items.push(item(component, format!("[method]{resource}.call"), &call, params.collect()));
    }
    for (at, export) in interface.exports.iter().enumerate() {
        items.push(item(component, names.functions[at].clone(), export, names.params[at].clone()));
    }
    items
}

/// Types in the type of the host's interface.
struct Declared<'r>(&'r Resources);

impl Naming for Declared<'_> {
    fn named(&mut self, scope: &mut Scope, _: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        let number = defined?;
        let mut body = vec![4, 0];
        name.encode(&mut body);
        body.extend([TYPE_SORT, 0]);
        number.encode(&mut body);
        scope.declare(&body);
        Some(scope.next_type())
    }

    fn resource(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }

    fn callback(&mut self, _: &mut Scope, _: InterfaceType) -> Option<u32> {
        None
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let resources = self.0;
        Some(declare_resource(scope, &resources.foreign[&ty]))
    }
}

/// Types of the component: the host's are there already.
struct Main<'r> {
    resources: &'r Resources,
    /// What drops functions.
    drop: u32,
    /// All that have names.
    named: Vec<(String, u32)>,
}

impl Main<'_> {
    fn of_host(&mut self, scope: &mut Scope, name: &str) -> Option<u32> {
        let mut body = vec![1, TYPE_SORT, 0, 0];
        name.encode(&mut body);
        scope.section(ALIAS, &body);
        let number = scope.next_type();
        self.named.push((name.to_string(), number));
        Some(number)
    }
}

impl Naming for Main<'_> {
    fn named(&mut self, scope: &mut Scope, ty: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        match defined {
            None => self.resources.of_host[ty].then(|| self.of_host(scope, name)).flatten(),
            Some(number) => {
                self.named.push((name.to_string(), number));
                None
            }
        }
    }

    fn resource(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let mut body = vec![0x3f, 0x7f, 1];
        self.drop.encode(&mut body);
        let number = scope.define(&body);
        self.named.push((self.resources.functions[&ty].0.clone(), number));
        Some(number)
    }

    fn callback(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let name = self.resources.functions[&ty].1.clone()?;
        self.of_host(scope, &name)
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let name = self.resources.foreign[&ty].clone();
        self.of_host(scope, &name)
    }
}

/// The component that gives names.
struct Named<'n> {
    interface: &'n Interface,
    names: &'n WitNames,
    resources: &'n Resources,
}

impl Named<'_> {
    fn component(&self, items: &[Item]) -> Vec<u8> {
        let mut scope = Component::new().scope;
        let mut taken = Taken { resources: self.resources, numbers: Vec::new() };
        let known = scope.value_types(self.interface, self.names, &mut taken, |_| true);
        for (at, item) in items.iter().enumerate() {
            let ty = item.ty(&mut scope, &known);
            let mut body = vec![1, 0];
            format!("import-func-f{at}").encode(&mut body);
            body.push(FUNC);
            ty.encode(&mut body);
            scope.section(IMPORT, &body);
        }
        let mut given = Given { resources: self.resources, numbers: taken.numbers };
        let known = scope.value_types(self.interface, self.names, &mut given, |_| true);
        for (at, item) in items.iter().enumerate() {
            let ty = item.ty(&mut scope, &known);
            let mut body = vec![1, 0];
            item.name.encode(&mut body);
            body.push(FUNC);
            // What was exported is a function, too, but none is exported twice.
            at.encode(&mut body);
            body.extend([1, FUNC]);
            ty.encode(&mut body);
            scope.section(EXPORT, &body);
        }
        scope.bytes
    }
}

/// Types that it takes.
struct Taken<'r> {
    resources: &'r Resources,
    /// Of resources, by their names.
    numbers: Vec<(String, u32)>,
}

impl Taken<'_> {
    fn import(scope: &mut Scope, name: &str, bound: &[u8]) -> u32 {
        let mut body = vec![1, 0];
        format!("import-type-{name}").encode(&mut body);
        body.push(TYPE_SORT);
        body.extend(bound);
        scope.section(IMPORT, &body);
        scope.next_type()
    }

    fn import_resource(&mut self, scope: &mut Scope, name: &str) -> u32 {
        let number = Taken::import(scope, name, &[1]);
        self.numbers.push((name.to_string(), number));
        number
    }
}

impl Naming for Taken<'_> {
    fn named(&mut self, scope: &mut Scope, _: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        let mut bound = vec![0];
        defined?.encode(&mut bound);
        Some(Taken::import(scope, name, &bound))
    }

    fn resource(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let resources = self.resources;
        Some(self.import_resource(scope, &resources.functions[&ty].0))
    }

    fn callback(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let resources = self.resources;
        Some(self.import_resource(scope, resources.functions[&ty].1.as_ref()?))
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let resources = self.resources;
        Some(self.import_resource(scope, &resources.foreign[&ty]))
    }
}

/// Types that it gives.
struct Given<'r> {
    resources: &'r Resources,
    numbers: Vec<(String, u32)>,
}

impl Given<'_> {
    fn export(scope: &mut Scope, name: &str, number: u32) -> u32 {
        let mut body = vec![1, 0];
        name.encode(&mut body);
        body.push(TYPE_SORT);
        number.encode(&mut body);
        body.push(0);
        scope.section(EXPORT, &body);
        scope.next_type()
    }

    fn export_resource(&self, scope: &mut Scope, name: &str) -> Option<u32> {
        let number = self.numbers.iter().find(|(known, _)| known == name)?.1;
        Some(Given::export(scope, name, number))
    }
}

impl Naming for Given<'_> {
    fn named(&mut self, scope: &mut Scope, _: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        Some(Given::export(scope, name, defined?))
    }

    fn resource(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        self.export_resource(scope, &self.resources.functions[&ty].0)
    }

    fn callback(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        self.export_resource(scope, self.resources.functions[&ty].1.as_ref()?)
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        self.export_resource(scope, &self.resources.foreign[&ty])
    }
}
