//! Functions as values between a component and a host in Rust, whose types `bindgen` makes: in both directions, and
//! what a host does wrong. With `examples/embedding/rust` it is one project.

use exports::local::functions::api::{Guest, Named2};
use local::functions::host;
use wasmtime::component::{Component, HasSelf, Linker, Resource, ResourceAny, ResourceTable, bindgen};
use wasmtime::{Engine, Result, Store};

/// A function of Rust that the component has.
pub struct Function(Box<dyn FnMut(i32) -> Result<i32> + Send>);

bindgen!({
    path: "functions.wit",
    imports: { default: trappable },
    with: { "local:functions/host.callback-s32-to-s32": Function },
});

#[derive(Default)]
struct State {
    table: ResourceTable,
    dropped: u32,
}

impl host::Host for State {}

impl host::HostCallbackS32ToS32 for State {
    fn call(&mut self, function: Resource<Function>, n: i32) -> Result<i32> {
        self.table.get_mut(&function)?.0(n)
    }

    fn drop(&mut self, function: Resource<Function>) -> Result<()> {
        self.table.delete(function)?;
        self.dropped += 1;
        Ok(())
    }
}

struct Library {
    store: Store<State>,
    functions: Functions,
}

impl Library {
    fn new(engine: &Engine, component: &Component) -> Result<Library> {
        let (mut linker, mut store) = (Linker::new(engine), Store::new(engine, State::default()));
        Functions::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
        let functions = Functions::instantiate(&mut store, component, &linker)?;
        Ok(Library { store, functions })
    }

    fn api(&mut self) -> (&Guest, &mut Store<State>) {
        (self.functions.local_functions_api(), &mut self.store)
    }

    fn call(&mut self, function: ResourceAny, n: i32) -> Result<i32> {
        let (api, store) = self.api();
        api.function_s32_to_s32().call_call(store, function, n)
    }

    fn adder(&mut self, n: i32) -> Result<ResourceAny> {
        let (api, store) = self.api();
        api.call_adder(store, n)
    }

    fn apply(&mut self, function: ResourceAny, n: i32) -> Result<i32> {
        let (api, store) = self.api();
        api.call_apply(store, function, n)
    }

    /// A function of the program that calls one of Rust.
    fn make(&mut self, function: impl FnMut(i32) -> Result<i32> + Send + 'static) -> Result<ResourceAny> {
        let own = self.store.data_mut().table.push(Function(Box::new(function)))?;
        let (api, store) = self.api();
        api.function_s32_to_s32().call_constructor(store, own)
    }
}

fn main() -> Result<()> {
    let engine = Engine::default();
    for file in std::env::args().skip(1) {
        let component = Component::from_file(&engine, &file)?;
        let dropped = works(&mut Library::new(&engine, &component)?)?;
        // The other heap lets go of them when its collector looks.
        assert!(dropped == 3000 || dropped < 3000 && !file.contains("counted"), "{dropped}");
        fails(|| Library::new(&engine, &component))?;
    }
    println!("ok");
    Ok(())
}

/// How many functions of Rust the program has dropped.
fn works(lib: &mut Library) -> Result<u32> {
    let add = lib.adder(40)?;
    assert_eq!((lib.call(add, 2)?, lib.apply(add, 1)?), (42, 41));
    let double = lib.make(|n| Ok(2 * n))?;
    assert_eq!((lib.apply(double, 21)?, lib.call(double, 4)?), (42, 8));
    let (api, store) = lib.api();
    let list: Vec<i32> = (0..1000).collect();
    assert_eq!(api.call_each(&mut *store, double, &list)?, list.iter().map(|n| 2 * n).collect::<Vec<_>>());
    let Named2 { name, run } = api.call_named(&mut *store, "grüße")?;
    assert_eq!((&*name, lib.call(run, 1)?), ("grüße", 5));
    // What is dropped is gone, and takes no place.
    for n in 0..3000 {
        let made = lib.make(move |m| Ok(n + m))?;
        assert_eq!(lib.call(made, 1)?, n + 1);
        made.resource_drop(&mut lib.store)?;
    }
    // The host hears of the last one at the end of the next call.
    lib.call(add, 1)?;
    Ok(lib.store.data().dropped)
}

/// Each of them is an error, and none ends the process.
fn fails(new: impl Fn() -> Result<Library>) -> Result<()> {
    let mut lib = new()?;
    let add = lib.adder(1)?;
    add.resource_drop(&mut lib.store)?;
    assert!(lib.call(add, 1).is_err() && lib.apply(add, 1).is_err(), "a function that was dropped");
    assert!(add.resource_drop(&mut lib.store).is_err(), "dropped twice");
    // An error of the host or of the program ends the instance.
    let mut lib = new()?;
    let (add, bad) = (lib.adder(1)?, lib.make(|_| wasmtime::bail!("mine"))?);
    assert!(format!("{:?}", lib.apply(bad, 1).unwrap_err()).contains("mine"));
    assert!(lib.call(add, 1).is_err() && lib.adder(1).is_err(), "after an error of the host");
    let mut lib = new()?;
    let (api, store) = lib.api();
    let failing = api.call_failing(&mut *store, 1)?;
    assert!(api.function_list_s32_to_s32().call_call(&mut *store, failing, &[]).is_err());
    assert!(lib.adder(1).is_err(), "after an error of the program");
    Ok(())
}
