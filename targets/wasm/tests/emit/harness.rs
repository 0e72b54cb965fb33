//! Emits a module in text form and runs functions of it.

use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::{FuncId, Lowered, Module, Target, text};
use cleave_wasm::{Options, Wasm};
use wasmtime::{Config, Engine, Instance, Linker, Store, Val};

/// Text of the function that every module needs.
const START: &str = "\nstart @start\nfunc @start() phase=low {\nblock0:\n  ret\n}\n";

/// Reads a module; one without start function gets an empty one.
pub fn parse(source: &str) -> Module {
    let source = if source.lines().any(|line| line.starts_with("start @")) {
        source.to_string()
    } else {
        format!("{source}{START}")
    };
    text::parse_module(&source).unwrap_or_else(|e| panic!("{e}"))
}

pub fn data_section(module: &Module) -> StaticDataSection {
    StaticDataSection::build(module, cleave_wasm::runtime_base(), DataSectionOptions::default())
}

/// Emits with every function exported under its name.
pub fn emit(module: &Module) -> Result<Vec<u8>, cleave_wasm::Error> {
    emit_with(module, Options { exports: every(module), ..Options::default() })
}

fn every(module: &Module) -> Vec<(FuncId, String)> {
    module.funcs.iter().map(|(id, func)| (id, func.name.clone())).collect()
}

/// Emits low IR with these options.
pub fn emit_with(module: &Module, options: Options) -> Result<Vec<u8>, cleave_wasm::Error> {
    let target = Wasm { options, ..Wasm::default() };
    target.emit(Lowered::new(module.clone(), data_section(module), &target)).map(|artifact| artifact.bytes)
}

/// An instance of an emitted module.
pub struct Program {
    store: Store<Vec<u8>>,
    instance: Instance,
}

impl Program {
    pub fn new(source: &str) -> Program {
        Program::of(&parse(source))
    }

    pub fn of(module: &Module) -> Program {
        Program::load(&emit(module).unwrap_or_else(|e| panic!("{e}")))
    }

    /// The same, with parameters as wasmtime likes them.
    pub fn packed(source: &str) -> Program {
        let module = parse(source);
        let options = Options { exports: every(&module), ..Options::default() };
        let target = Wasm { options, osr_loops: false, ..Wasm::default() };
        let artifact = target.emit(Lowered::new(module.clone(), data_section(&module), &target));
        Program::load(&artifact.unwrap_or_else(|e| panic!("{e}")).bytes)
    }

    fn load(wasm: &[u8]) -> Program {
        let engine = Engine::new(&Config::new()).expect("engine");
        let compiled = wasmtime::Module::new(&engine, wasm).unwrap_or_else(|e| panic!("{e:?}"));
        let mut linker: Linker<Vec<u8>> = Linker::new(&engine);
        wasi(&mut linker);
        linker.define_unknown_imports_as_traps(&compiled).expect("imports");
        let mut store = Store::new(&engine, Vec::new());
        let instance = linker.instantiate(&mut store, &compiled).expect("instance");
        Program { store, instance }
    }

    /// Calls a function; arguments and results are the bits of the values.
    pub fn try_call(&mut self, name: &str, args: &[Val]) -> Result<Vec<u64>, String> {
        let func = self.instance.get_func(&mut self.store, name).unwrap_or_else(|| panic!("no function {name}"));
        let mut results = vec![Val::I32(0); func.ty(&self.store).results().len()];
        func.call(&mut self.store, args, &mut results).map_err(|e| format!("{e:?}"))?;
        Ok(results.iter().map(bits).collect())
    }

    pub fn call(&mut self, name: &str, args: &[Val]) -> Vec<u64> {
        self.try_call(name, args).unwrap_or_else(|e| panic!("@{name}: {e}"))
    }

    /// A function of and to 64-bit integers.
    pub fn ints(&mut self, name: &str, args: &[i64]) -> Vec<i64> {
        let args: Vec<Val> = args.iter().map(|&n| Val::I64(n)).collect();
        self.call(name, &args).into_iter().map(|n| n as i64).collect()
    }

    /// Runs the program and returns what it wrote.
    pub fn run(mut self) -> String {
        self.call("_start", &[]);
        String::from_utf8(self.store.into_data()).expect("text")
    }

    pub fn memory(&mut self, at: u32, bytes: usize) -> Vec<u8> {
        let memory = self.instance.get_memory(&mut self.store, "memory").expect("memory");
        memory.data(&self.store)[at as usize..][..bytes].to_vec()
    }
}

/// All results are shown as unsigned 64-bit patterns.
fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(n) => u64::from(*n as u32),
        Val::I64(n) => *n as u64,
        Val::F64(n) => *n,
        other => panic!("unexpected {other:?}"),
    }
}

/// The few functions of the system interface that a program without files and arguments needs.
fn wasi(linker: &mut Linker<Vec<u8>>) {
    let module = "wasi_snapshot_preview1";
    let sizes = |mut caller: wasmtime::Caller<'_, Vec<u8>>, count: u32, bytes: u32| {
        let memory = caller.get_export("memory").and_then(|e| e.into_memory()).expect("memory");
        for at in [count, bytes] {
            memory.write(&mut caller, at as usize, &[0; 4]).expect("in memory");
        }
        0u32
    };
    let nothing = |_: u32, _: u32| 0u32;
    linker.func_wrap(module, "args_sizes_get", sizes).expect("defined");
    linker.func_wrap(module, "environ_sizes_get", sizes).expect("defined");
    linker.func_wrap(module, "args_get", nothing).expect("defined");
    linker.func_wrap(module, "environ_get", nothing).expect("defined");
    linker.func_wrap(module, "clock_time_get", |_: u32, _: u64, _: u32| 0u32).expect("defined");
    linker.func_wrap(module, "fd_fdstat_get", |_: u32, _: u32| 8u32).expect("defined");
    linker
        .func_wrap(
            module,
            "fd_write",
            |mut caller: wasmtime::Caller<'_, Vec<u8>>, _: u32, pieces: u32, count: u32, written: u32| {
                let memory = caller.get_export("memory").and_then(|e| e.into_memory()).expect("memory");
                let word =
                    |data: &[u8], at: u32| u32::from_le_bytes(data[at as usize..][..4].try_into().expect("four bytes"));
                let mut out = Vec::new();
                let data = memory.data(&caller);
                for piece in 0..count {
                    let (at, length) = (word(data, pieces + piece * 8), word(data, pieces + piece * 8 + 4));
                    out.extend_from_slice(&data[at as usize..][..length as usize]);
                }
                memory.write(&mut caller, written as usize, &(out.len() as u32).to_le_bytes()).expect("in memory");
                caller.data_mut().extend(out);
                0u32
            },
        )
        .expect("defined");
}

/// Text form of the body of a function, without its header, one instruction per line, indentation kept.
pub fn wat(source: &str, name: &str) -> String {
    let module = parse(source);
    let wasm = emit_with(&module, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let text = wasmprinter::print_bytes(wasm).expect("printable");
    let start = text.find(&format!("(func ${name} ")).unwrap_or_else(|| panic!("no function {name}"));
    let rest = &text[start..];
    let end = rest.find("\n  )").expect("end of the function");
    rest[..end].lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
