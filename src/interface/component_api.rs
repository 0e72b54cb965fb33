//! Components whose program has functions as values, or functions of the host (`resources`): an exported interface with
//! resources, and imported ones.
//!
//! ```text
//! component ┬ modules     library, system, begin; shim and fill
//!           ├ instances   host and others, imported (`component_imports`)
//!           ├ instances   shim, library, fill, begin
//!           ├ types       a resource for each type of functions, dropped by `cabi_drop` of the library
//!           ├ functions   of the library, lifted
//!           ├ component   takes types and functions, and gives them with their names
//!           └ instance    api, exported
//! ```
//! The library imports what makes handles of resources, and these are dropped by the library: so a shim with a table is
//! there before it, and `fill` puts into that what the library has. Only what a component imports or exports has a
//! name, which is why there is another component inside. Without functions as values there is none, and functions are
//! exported as they are.

use crate::component::{CORE_TABLE, Component};
use crate::component_imports::{Instances, import_equal, package};
use crate::component_system::Needs;
use crate::component_types::{EXPORT, IMPORT, Known, Naming, Scope};
use crate::layout::Layouts;
use crate::names::WitNames;
use crate::resources::{Owner, Resources};
use crate::{callbacks, foreign, handles};
use cleave_ir::interface::{Export, Interface, InterfaceType};
use wasm_encoder::Encode;

/// Numbers of sections.
const COMPONENT: u8 = 4;
const INSTANCE: u8 = 5;
/// Sorts of items.
pub(crate) const FUNC: u8 = 1;
pub(crate) const TYPE_SORT: u8 = 3;
pub(crate) const INSTANCE_SORT: u8 = 5;
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
    let mut instances = Instances::import(component, interface, names, resources);
    let (system, shim) = (component.instantiate(1, &[]), component.instantiate(3, &[]));
    let drop = if needs.drop { component.core_function(shim, "cabi_drop") } else { 0 };
    let mut main = Main { resources, instances: &mut instances, drop, named: Vec::new() };
    let known = component.scope.value_types(interface, names, &mut main, |id| resources.is_exported[id]);
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
    for (name, ..) in &needs.callbacks {
        let callback = resources.functions.iter().find(|(id, _)| callbacks::name(**id) == *name);
        let callback = callback.and_then(|(_, names)| Some(format!("[method]{}.call", names.1.as_ref()?)));
        let object = || resources.foreign.iter().find(|(id, _)| foreign::clone(**id) == *name);
        let method = callback.or_else(|| Some(format!("[method]{}.clone", object()?.1)));
        let (owner, function) = match method {
            Some(method) => (Owner::Host, method),
            None => resources.imported(name).expect("it is a function of the host"),
        };
        component.alias_export(FUNC, instances.number(owner), &function);
        component.functions += 1;
        late.push((name, 0, component.lower(component.functions - 1)));
    }
    let late = component.gather(&late);
    component.instantiate(4, &[("", late)]);
    component.instantiate(2, &[("library", own)]);
    if !resources.is_api {
        return component.export_functions(own, interface, names, &known);
    }

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
    package(names, &resources.api).encode(&mut body);
    body.push(INSTANCE_SORT);
    instances.count().encode(&mut body);
    body.push(0);
    component.scope.section(EXPORT, &body);
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

/// Types of the component: the host's are there already.
struct Main<'r> {
    resources: &'r Resources,
    instances: &'r mut Instances,
    /// What drops functions.
    drop: u32,
    /// All that have names.
    named: Vec<(String, u32)>,
}

impl Main<'_> {
    fn of_host(&mut self, scope: &mut Scope, owner: Owner, name: &str) -> Option<u32> {
        let number = self.instances.ty(scope, owner, name);
        self.named.push((name.to_string(), number));
        // Functions that are no interface's have types that are named in the world.
        Some(if self.resources.is_api { number } else { import_equal(scope, name, number) })
    }
}

impl Naming for Main<'_> {
    fn named(&mut self, scope: &mut Scope, ty: InterfaceType, name: &str, defined: Option<u32>) -> Option<u32> {
        match defined {
            None if self.resources.owner[ty] == Owner::Program => None,
            None => self.of_host(scope, self.resources.owner[ty], name),
            Some(number) if !self.resources.is_api => Some(import_equal(scope, name, number)),
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
        self.of_host(scope, Owner::Host, &name)
    }

    fn foreign(&mut self, scope: &mut Scope, ty: InterfaceType) -> Option<u32> {
        let name = self.resources.foreign[&ty].clone();
        self.of_host(scope, Owner::Host, &name)
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
        let is_wanted = |id| self.resources.is_exported[id];
        let known = scope.value_types(self.interface, self.names, &mut taken, is_wanted);
        for (at, item) in items.iter().enumerate() {
            let ty = item.ty(&mut scope, &known);
            let mut body = vec![1, 0];
            format!("import-func-f{at}").encode(&mut body);
            body.push(FUNC);
            ty.encode(&mut body);
            scope.section(IMPORT, &body);
        }
        let mut given = Given { resources: self.resources, numbers: taken.numbers };
        let known = scope.value_types(self.interface, self.names, &mut given, is_wanted);
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
