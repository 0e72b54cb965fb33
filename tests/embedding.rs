//! Functions that others call: values go into a module by the canonical ABI and come back as they were, on both heaps;
//! hosts that lie get an error. The host is an engine of WebAssembly.

use cleave_compile::{Options, Wasm, compile, ir};
use wasmtime::{Config, Engine, Instance, Linker, Memory, Module, Store, Val};

struct Host {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Host {
    fn of(source: &str) -> Host {
        Host::with(ir::text::parse_module(source).expect("IR"))
    }

    fn with(module: ir::Module) -> Host {
        let program = compile(module, &Wasm::default(), &Options::default()).expect("it compiles");
        let mut config = Config::new();
        config.wasm_tail_call(true);
        let engine = Engine::new(&config).expect("an engine");
        let module = Module::new(&engine, &program.bytes).expect("a module");
        let (mut linker, mut store) = (Linker::new(&engine), Store::new(&engine, ()));
        // Whatever the runtime asks of the system: there are no arguments, and nobody sees what is written.
        linker.define_unknown_imports_as_default_values(&mut store, &module).expect("imports");
        let instance = linker.instantiate(&mut store, &module).expect("an instance");
        let memory = instance.get_memory(&mut store, "memory").expect("a memory");
        let mut host = Host { store, instance, memory };
        host.call("_start", &[]).expect("it starts");
        host
    }

    fn call(&mut self, name: &str, args: &[Val]) -> Result<Option<Val>, String> {
        let func = self.instance.get_func(&mut self.store, name).expect("it is exported");
        let mut results = vec![Val::I32(0); func.ty(&self.store).results().len()];
        func.call(&mut self.store, args, &mut results).map_err(|error| error.to_string())?;
        Ok(results.first().copied())
    }

    fn number(&mut self, name: &str, args: &[i32]) -> i32 {
        let args: Vec<Val> = args.iter().map(|&arg| Val::I32(arg)).collect();
        self.call(name, &args).expect("it returns").and_then(|value| value.i32()).expect("a number")
    }

    /// Copies bytes into the buffer.
    fn put(&mut self, bytes: &[u8]) -> i32 {
        let at = self.number("cabi_realloc", &[0, 0, 4, bytes.len() as i32]);
        self.memory.write(&mut self.store, at as usize, bytes).expect("memory");
        at
    }

    fn bytes(&mut self, at: i32, length: i32) -> Vec<u8> {
        self.memory.data(&self.store)[at as usize..][..length as usize].to_vec()
    }

    fn words(&mut self, at: i32, count: i32) -> Vec<i32> {
        let bytes = self.bytes(at, 4 * count);
        bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    }

    fn done(&mut self, name: &str, at: i32) {
        self.call(&format!("cabi_post_{name}"), &[Val::I32(at)]).expect("it returns");
    }
}

fn on_both_heaps(test: impl Fn(Host)) {
    let source = include_str!("embedding/data.ir");
    test(Host::of(source));
    test(Host::of(&format!("heap rc\n{source}")));
}

#[test]
fn values_come_back_as_they_were() {
    on_both_heaps(|mut host| {
        assert_eq!(host.number("add", &[2, 40]), 42);
        for text in ["", "a", "1234567", "12345678", "grüße, 123456789 \u{1f600}"] {
            let at = host.put(text.as_bytes());
            let result = host.number("text", &[at, text.len() as i32]);
            let place = host.words(result, 2);
            assert_eq!(String::from_utf8(host.bytes(place[0], place[1])).as_deref(), Ok(text));
            host.done("text", result);
        }
        let list: Vec<i32> = (0..1000).map(|number| number * number - 7).collect();
        let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
        for length in [0, 1, 1000] {
            let at = host.put(&bytes[..4 * length]);
            let result = host.number("list", &[at, length as i32]);
            let place = host.words(result, 2);
            assert_eq!(host.words(place[0], place[1]), list[..length]);
            host.done("list", result);
        }
        let at = host.put(b"label");
        let result = host.number("point", &[-5, at, 5]);
        let point = host.words(result, 3);
        assert_eq!((point[0], host.bytes(point[1], point[2])), (-5, b"label".to_vec()));
        host.done("point", result);
        let result = host.number("option", &[1, 9]);
        assert_eq!((host.bytes(result, 1), host.words(result + 4, 1)), (vec![1], vec![9]));
        let result = host.number("option", &[0, 9]);
        assert_eq!(host.bytes(result, 1), [0]);
        let result = host.number("shape", &[1, 3, 4]);
        assert_eq!((host.bytes(result, 1), host.words(result + 4, 2)), (vec![1], vec![3, 4]));
        let long = host.call("long", &[Val::I64(-(1 << 62))]).expect("it fits");
        assert_eq!(long.and_then(|value| value.i64()), Some(-(1 << 62)));
    });
}

/// A recursion that needs more than the stack of the engine, of a function that is an entry itself.
#[test]
fn entries_recurse_as_deep_as_programs() {
    let mut module = ir::text::parse_module(include_str!("embedding/deep.ir")).expect("IR");
    let func = module.funcs.keys().next().expect("a function");
    module.entries.push(ir::interface::Entry { name: "sum".into(), func, narrow: (Vec::new(), false) });
    let mut host = Host::with(module);
    for n in [0, 40_000, 7] {
        assert_eq!(host.number("sum", &[n]), n * (n + 1) / 2);
    }
}

#[test]
fn the_text_form_keeps_interfaces() {
    let module = ir::text::parse_module(include_str!("embedding/data.ir")).expect("IR");
    let again = ir::text::parse_module(&ir::text::print_module(&module)).expect("what was printed is read");
    assert_eq!(again.interface, module.interface);
    assert_eq!(module.interface.exports.len(), 7);
}

#[test]
fn types_that_do_not_describe_the_data_are_refused() {
    let source = include_str!("embedding/data.ir");
    for (from, to, message) in [
        ("$Cons/0(word 0, ref 0)", "$Cons/0(word 0, ref 1)", "type2: $Cons: no reference 1 for a part"),
        ("type3 = record \"point\" [\"x\" type0", "type3 = record \"point\" [\"x\" type1", "lies in a word"),
        ("type0 = s32 i32", "type0 = s32 f64", "type0: s32 is no f64"),
        ("-> (type6)", "-> (type0)", "export \"long\": @same_long returns (i64), not (i32)"),
    ] {
        let module = ir::text::parse_module(&source.replace(from, to)).expect("IR");
        let errors = ir::verify::verify_module(&module).expect_err("it is wrong");
        assert!(errors.iter().any(|error| error.message.contains(message)), "{errors:?}");
    }
}

/// Memory does not grow with the number of calls.
#[test]
fn buffers_are_free_again() {
    on_both_heaps(|mut host| {
        let text = vec![b'x'; 1 << 20];
        let mut pages = 0;
        for round in 0..300 {
            let at = host.put(&text);
            let result = host.number("text", &[at, text.len() as i32]);
            host.done("text", result);
            if round == 50 {
                pages = host.memory.size(&host.store);
            }
        }
        assert_eq!(host.memory.size(&host.store), pages);
    });
}

#[test]
fn hosts_that_lie_get_an_error() {
    on_both_heaps(|mut host| {
        let at = host.put(b"abc");
        assert!(host.call("text", &[Val::I32(at), Val::I32(100)]).is_err());
    });
    for (name, args) in [
        ("list", vec![Val::I32(64), Val::I32(1 << 30)]),
        ("text", vec![Val::I32(0), Val::I32(1)]),
        ("shape", vec![Val::I32(2), Val::I32(0), Val::I32(0)]),
        ("option", vec![Val::I32(-1), Val::I32(0)]),
        ("long", vec![Val::I64(1 << 62)]),
        ("cabi_realloc", vec![Val::I32(0), Val::I32(0), Val::I32(1), Val::I32(-1)]),
    ] {
        on_both_heaps(|mut host| assert!(host.call(name, &args).is_err(), "{name}"));
    }
}
