//! Functions that others call: values go into a module by the canonical ABI and come back as they were, on both heaps;
//! hosts that lie get an error. The host is an engine of WebAssembly.

use cleave_compile::{Options, Wasm, compile, ir};
use wasmtime::{Config, Engine, Instance, Linker, Memory, Module, Store, Val};

struct Program {
    engine: Engine,
    module: Module,
    bytes: Vec<u8>,
}

struct Host {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Program {
    fn of(source: &str, target: &Wasm) -> Program {
        Program::with(ir::text::parse_module(source).expect("IR"), target)
    }

    fn with(module: ir::Module, target: &Wasm) -> Program {
        let bytes = compile(module, target, &Options::default()).expect("it compiles").bytes;
        let mut config = Config::new();
        config.wasm_tail_call(true);
        let engine = Engine::new(&config).expect("an engine");
        let module = Module::new(&engine, &bytes).expect("a module");
        Program { engine, module, bytes }
    }
}

impl Host {
    fn of(source: &str) -> Host {
        Host::start(&Program::of(source, &Wasm::default()))
    }

    fn start(program: &Program) -> Host {
        let (mut linker, mut store) = (Linker::new(&program.engine), Store::new(&program.engine, ()));
        // Whatever the runtime asks of the system: there are no arguments, and nobody sees what is written.
        linker.define_unknown_imports_as_default_values(&mut store, &program.module).expect("imports");
        let instance = linker.instantiate(&mut store, &program.module).expect("an instance");
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
    let mut host = Host::start(&Program::with(module, &Wasm::default()));
    for n in [0, 40_000, 7] {
        assert_eq!(host.number("sum", &[n]), n * (n + 1) / 2);
    }
}

#[test]
fn the_text_form_keeps_interfaces() {
    let module = ir::text::parse_module(include_str!("embedding/data.ir")).expect("IR");
    is_read_again(&module);
    assert_eq!(module.interface.exports.len(), 7);
    let module = ir::text::parse_module(include_str!("embedding/waiting.ir")).expect("IR");
    is_read_again(&module);
    assert_eq!(
        (module.interface.imports.len(), module.interface.exports.iter().filter(|it| it.waits).count()),
        (6, 12)
    );
}

/// Any host goes on with what waits, in any order: there is no call of it in between.
#[test]
fn computations_wait_for_any_host() {
    let source = include_str!("embedding/waiting.ir");
    for source in [source.to_string(), format!("heap rc\n{source}")] {
        let mut host = Host::of(&source);
        // Each is at its first `next`, import 2, with the numbers 0 and 1.
        let turn = |host: &mut Host, name: &str, args: &[i32]| {
            let at = host.number(name, args);
            let words = host.words(at, 4);
            host.done("waiting", at);
            words
        };
        let mut calls: Vec<(i32, i32)> = Vec::new();
        for n in 1..=3 {
            let first = turn(&mut host, "sum", &[n]);
            assert_eq!((first[0], &first[2..]), (2, &[0, 1][..]));
            calls.push((n, first[1]));
        }
        for (n, mut call) in calls.into_iter().rev() {
            for i in 0..n {
                let answer = host.put(&(10 * i).to_le_bytes());
                let next = turn(&mut host, "cabi_settle_1", &[call, answer]);
                match i + 1 < n {
                    true => assert_eq!((next[0], &next[2..]), (2, &[i + 1, 1][..])),
                    false => assert_eq!((next[0], next[2]), (0, 10 * n * (n - 1) / 2)),
                }
                call = next[1];
            }
        }
    }
}

#[test]
fn types_that_do_not_describe_the_data_are_refused() {
    let source = include_str!("embedding/data.ir");
    for (from, to, message) in [
        ("$Cons/0(word 0, ref 0)", "$Cons/0(word 0, ref 1)", "type2: `$Cons/0` has no `ref 1`"),
        ("type3 = record \"point\" [\"x\" type0", "type3 = record \"point\" [\"x\" type1", "lies in a word"),
        ("type0 = s32 i32", "type0 = s32 f64", "type0: s32 is no f64"),
        ("-> (type6)", "-> (type0)", "export \"long\": @same_long returns (i64), not (i32)"),
    ] {
        wrong(&source.replace(from, to), message);
    }
    let source = include_str!("embedding/claimed.ir");
    for (from, to, message) in [
        ("type1 = list type0 array i64", "type1 = list type0 array f64", "type1: elements of the array are no f64"),
        ("type3 = string in $Box/0(ref 0)", "type3 = string in $Number/0(word 0)", "lies in one reference of one node"),
        ("type8 = string\n", "type8 = option type0 array ref\n", "type8: only a list is an array"),
        ("[$Number/0(word 0)]", "array i64", "type12: only a list is an array"),
    ] {
        wrong(&source.replace(from, to), message);
    }
}

/// What is printed of an interface is read as the same.
fn is_read_again(module: &ir::Module) {
    let again = ir::text::parse_module(&ir::text::print_module(module)).expect("what was printed is read");
    assert_eq!(again.interface, module.interface);
}

fn wrong(source: &str, message: &str) {
    let module = ir::text::parse_module(source).expect("IR");
    let errors = ir::verify::verify_module(&module).expect_err("it is wrong");
    assert!(errors.iter().any(|error| error.message.contains(message)), "{errors:?}");
}

/// Arrays, and strings and arrays in nodes; what is claimed is checked.
#[test]
fn arrays_and_claims() {
    let source = include_str!("embedding/claimed.ir");
    let module = ir::text::parse_module(source).expect("IR");
    is_read_again(&module);
    for heap in ["", "heap rc\n"] {
        let program = Program::of(&format!("{heap}{source}"), &Wasm::default());
        let mut host = Host::start(&program);
        let longs: Vec<u8> = [1_i64 << 40, -1, 0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let reals: Vec<u8> = [0.5_f64, -1e300, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        for (name, bytes, size) in
            [("longs", &longs[..], 8), ("boxed", &longs, 8), ("reals", &reals, 8), ("bools", &[1, 0, 1], 1)]
        {
            for count in [0, 3] {
                let at = host.put(&bytes[..count * size]);
                let result = host.number(name, &[at, count as i32]);
                let place = host.words(result, 2);
                assert_eq!(place[1], count as i32);
                assert_eq!(host.bytes(place[0], (count * size) as i32), bytes[..count * size], "{name}");
                host.done(name, result);
            }
        }
        let text = host.put("grüße".as_bytes());
        let texts = [text, 7, text, 1].map(i32::to_le_bytes).concat();
        let at = host.put(&texts);
        let result = host.number("texts", &[at, 2]);
        let place = host.words(result, 2);
        let parts = host.words(place[0], 4);
        assert_eq!((place[1], host.bytes(parts[0], parts[1])), (2, "grüße".as_bytes().to_vec()));
        assert_eq!(host.bytes(parts[2], parts[3]), b"g");
        host.done("texts", result);
        for name in ["record", "list", "number", "option", "string", "bytes"] {
            let mut host = Host::start(&program);
            assert!(host.call(name, &[]).is_err(), "{heap}{name}");
        }
        // It is the claim that makes the difference.
        let trusted = Program::of(&format!("{heap}{}", source.replace("claimed\n", "")), &Wasm::default());
        assert!(Host::start(&trusted).call("bytes", &[]).is_ok());
    }
}

/// The host has closures until it drops them; handles that it makes up, or uses after that, are errors.
#[test]
fn functions_of_the_program() {
    let source = include_str!("embedding/functions.ir");
    let module = ir::text::parse_module(source).expect("IR");
    is_read_again(&module);
    let program = Program::of(source, &Wasm::default());
    let mut host = Host::start(&program);
    let handles: Vec<i32> = (0..100).map(|_| host.number("give", &[])).collect();
    assert!(handles.iter().enumerate().all(|(at, handle)| *handle > 0 && !handles[..at].contains(handle)));
    for &handle in &handles {
        let other = host.number("take", &[handle]);
        assert!(other > 0 && !handles.contains(&other));
        host.call("cabi_drop", &[Val::I32(other)]).expect("it was there");
    }
    for wrong in [0, 1 << 21, handles[3] + (1 << 21), 129, handles[0] + 100, i32::MAX] {
        for name in ["take", "cabi_drop", "cabi_call_1"] {
            let mut host = Host::start(&program);
            let handle = host.number("give", &[]);
            host.call("cabi_drop", &[Val::I32(handle)]).expect("it was there");
            for handle in [wrong, handle] {
                let args: Vec<Val> =
                    std::iter::once(Val::I32(handle)).chain((name == "cabi_call_1").then_some(Val::I64(1))).collect();
                assert!(host.call(name, &args).is_err(), "{name} {handle}");
            }
        }
    }
    let module = source.replace("type1 = function (type0) (type0)", "type1 = function () (type0)");
    wrong(&module, "a function that `apply` takes has a parameter at least");
    wrong(&format!("heap rc\n{source}"), "closures for `apply` are of the garbage-collected heap");
    wrong(&source.replace("type0 = s64 [$INT/0(word 0)]", "type0 = s64 i64"), "closures take and give references");
}

/// Closures whose code is called as it is, on both heaps.
#[test]
fn functions_through_a_table() {
    let source = include_str!("embedding/methods.ir");
    let module = ir::text::parse_module(source).expect("IR");
    is_read_again(&module);
    for heap in ["", "heap rc\n"] {
        let program = Program::of(&format!("{heap}{source}"), &Wasm::default());
        let mut host = Host::start(&program);
        let handles: Vec<i32> = (0..100).map(|number| host.number("give", &[number])).collect();
        for (number, &handle) in (0..).zip(&handles) {
            assert_eq!(host.number("cabi_call_1", &[handle, 1000]), number + 1000);
        }
        host.call("cabi_drop", &[Val::I32(handles[7])]).expect("it was there");
        assert!(host.call("cabi_call_1", &[Val::I32(handles[7]), Val::I32(1)]).is_err());
    }
    let method = "type1 = function (type0) (type0) method %call";
    wrong(&source.replace(method, "type1 = function () (type0) method %call"), "%call takes (ref, i32), not (ref)");
    wrong(
        &source.replace(
            method,
            "type1 = function (type0) () method %call\nexport @same as \"x\" (\"x\": type0) -> (type0)",
        ),
        "@same takes",
    );
    wrong(&source.replace("type0 = s32 i32", "type0 = s64 i64"), "or gives something else");
    wrong(&source.replace("%call = method", "%call ="), "is no table of methods");
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

/// What was allocated last grows where it is, so that a host may write a text whose length it does not know yet.
#[test]
fn the_last_part_of_the_buffer_grows_in_place() {
    on_both_heaps(|mut host| {
        let text = vec![b'x'; 40 << 20];
        let at = host.put(&text);
        let length = text.len() as i32;
        let grown = host.number("cabi_realloc", &[at, length, 1, 50 << 20]);
        assert_eq!(grown, at);
        // What lies before something else moves, with its contents.
        let (one, other) = (host.put(b"one"), host.put(b"other"));
        let moved = host.number("cabi_realloc", &[one, 3, 1, 9]);
        assert!(moved > other);
        assert_eq!(host.bytes(moved, 3), b"one");
        let result = host.number("text", &[moved, 3]);
        let place = host.words(result, 2);
        assert_eq!(host.bytes(place[0], place[1]), b"one");
        host.done("text", result);
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

/// Texts of bytes that are the first, the last, and the ones beside, of what UTF-8 asks for.
#[test]
fn texts_are_utf8() {
    let characters =
        ['a', '\u{7f}', '\u{80}', '\u{7ff}', '\u{800}', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{10ffff}'];
    let bytes = [
        0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
        0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ];
    let program = Program::of(include_str!("embedding/data.ir"), &Wasm::default());
    let mut host = Host::start(&program);
    let (mut seed, mut counts) = (1_u64, [0, 0]);
    let mut random = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    for _ in 0..2000 {
        // Words of short characters, and what has longer ones; and texts of which one byte is wrong.
        let mut text = "abcdefghijkl"[..random(12)].to_string();
        let known = [4, characters.len()][random(2)];
        text.extend((0..=random(16)).map(|_| characters[random(known)]));
        let mut text = text.into_bytes();
        if random(2) == 0 {
            let place = random(text.len());
            text[place] = bytes[random(bytes.len())];
        }
        if random(4) == 0 {
            text.pop();
        }
        let at = host.put(&text);
        let result = host.call("text", &[Val::I32(at), Val::I32(text.len() as i32)]);
        let is_text = std::str::from_utf8(&text).is_ok();
        assert_eq!(result.is_ok(), is_text, "{text:x?}");
        counts[usize::from(is_text)] += 1;
        match result {
            Ok(result) => host.done("text", result.and_then(|value| value.i32()).expect("an address")),
            Err(_) => host = Host::start(&program),
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// More parameters than an engine passes in registers are what the host takes them for.
#[test]
fn many_parameters_are_those_of_the_host() {
    let source = "
type0 = s32 i32
type1 = s64 i64
export @last as \"last\" (\"a\": type1, \"b\": type0, \"c\": type1, \"d\": type0, \"e\": type1, \"f\": type0) -> (type1)
func @last(v0: i64, v1: i32, v2: i64, v3: i32, v4: i64, v5: i32) -> i64 {
block0(v0: i64, v1: i32, v2: i64, v3: i32, v4: i64, v5: i32):
  v6 = extend_s v5
  v7 = iadd v4, v6
  ret v7
}";
    for osr_loops in [true, false] {
        let program = Program::of(source, &Wasm { osr_loops, ..Wasm::default() });
        let mut store = Store::new(&program.engine, ());
        let instance = Instance::new(&mut store, &program.module, &[]).expect("nothing of the host is needed");
        let last = instance.get_typed_func::<(i64, i32, i64, i32, i64, i32), i64>(&mut store, "last");
        let result = last.expect("its type").call(&mut store, (1, 2, 3, 4, 1 << 40, -6)).expect("it returns");
        assert_eq!(result, (1 << 40) - 6);
    }
}

/// What computes with numbers alone has neither memory nor runtime.
#[test]
fn functions_of_numbers_are_bare() {
    let add = "
type0 = s32 i32
export @add as \"add\" (\"a\": type0, \"b\": type0) -> (type0)
func @add(v0: i32, v1: i32) -> i32 {
block0(v0: i32, v1: i32):
  v2 = iadd v0, v1
  ret v2
}";
    for heap in ["", "heap rc\n"] {
        let program = Program::of(&format!("{heap}{add}"), &Wasm::default());
        assert!(program.bytes.len() <= 300, "{} bytes", program.bytes.len());
        let mut store = Store::new(&program.engine, ());
        let instance = Instance::new(&mut store, &program.module, &[]).expect("nothing of the host is needed");
        let add = instance.get_typed_func::<(i32, i32), i32>(&mut store, "add").expect("its type");
        assert_eq!(add.call(&mut store, (40, 2)).expect("it returns"), 42);
    }
    // What divides has a message, and so a runtime; but no collector.
    let divide = Program::of(&add.replace("iadd", "sdiv"), &Wasm::default());
    assert!(divide.module.imports().len() > 0);
}

/// Parameters that lie in memory are free again when they are read.
#[test]
fn parameters_in_memory_are_free_again() {
    let names: Vec<String> = (0..17).map(|number| format!("\"a{number}\": type0")).collect();
    let params: Vec<String> = (0..17).map(|number| format!("v{number}: i32")).collect();
    let (names, params) = (names.join(", "), params.join(", "));
    let mut host = Host::of(&format!(
        "type0 = s32 i32\nexport @last as \"last\" ({names}) -> (type0)\nfunc @last({params}) -> i32 {{\n\
         block0({params}):\n  ret v16\n}}\n"
    ));
    for round in 0..100 {
        // Much more than is needed: the host may do so.
        let mut bytes = vec![0; 1 << 20];
        bytes[64..68].copy_from_slice(&i32::to_le_bytes(round));
        let at = host.put(&bytes);
        assert_eq!(host.number("last", &[at]), round);
    }
}
