//! The engine that is embedded in the compiler, for differential tests: cheap compilation, and just as much of WASI as
//! a program without files needs. What a trap means is what `cleave run` says it means.

use cleave_ir::{Lowered, Target as _};
use cleave_tests::differential::link::{Linked, choice};
use cleave_tests::differential::oracle::{End, Engine, Observed, STDIN, data_section_options};
use cleave_tests::lowering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wasmtime::{Caller, Config, InstancePre, Linker, Memory, Module, OptLevel, RegallocAlgorithm, Store, Trap};

/// Stack of a program; threads that run one need more.
pub const STACK: usize = 64 << 20;
/// Time between two ticks, and ticks after which a program is stopped.
const TICK: Duration = Duration::from_millis(500);
const TICKS: u64 = 40;
const MODULE: &str = "wasi_snapshot_preview1";
const BAD_FILE: u32 = 8;

/// Shared by all threads.
#[derive(Clone)]
pub struct Shared {
    engine: wasmtime::Engine,
    done: Arc<AtomicBool>,
}

impl Shared {
    /// Also starts the clock that stops endless programs.
    pub fn new() -> Shared {
        let mut config = Config::new();
        config.cranelift_debug_verifier(false);
        config.wasm_tail_call(true).cranelift_opt_level(OptLevel::None).epoch_interruption(true);
        config.cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
        config.max_wasm_stack(STACK).async_stack_size(2 * STACK);
        let engine = wasmtime::Engine::new(&config).expect("the engine starts");
        let done = Arc::new(AtomicBool::new(false));
        let shared = Shared { engine, done };
        let clock = shared.clone();
        std::thread::spawn(move || {
            while !clock.done.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                clock.engine.increment_epoch();
            }
        });
        shared
    }
}

/// The world of one run.
#[derive(Default)]
struct World {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    read: usize,
    /// `CLEAVE_RTS=…`, ended by a NUL.
    options: Vec<u8>,
    exit: Option<i32>,
}

/// WebAssembly.
pub struct Wasm {
    shared: Shared,
    linker: Linker<World>,
    loaded: Option<Loaded>,
}

struct Loaded {
    method: InstancePre<World>,
    /// Address of the number of the program.
    choice: u32,
}

impl Wasm {
    pub fn new(shared: &Shared) -> Wasm {
        let mut linker = Linker::new(&shared.engine);
        wasi(&mut linker).expect("each function is defined once");
        Wasm { shared: shared.clone(), linker, loaded: None }
    }
}

impl Engine for Wasm {
    fn name(&self) -> &'static str {
        "wasm"
    }

    fn load(&mut self, linked: Linked, round: u64) -> Result<(), String> {
        let (wasm, choice) = emit(linked, round)?;
        let module = Module::new(&self.shared.engine, &wasm).map_err(|error| format!("{error:?}"))?;
        let method = self.linker.instantiate_pre(&module).map_err(|error| format!("{error:?}"))?;
        self.loaded = Some(Loaded { method, choice });
        Ok(())
    }

    fn run(&mut self, number: usize, options: &str) -> Observed {
        let loaded = self.loaded.as_ref().expect("a module is loaded");
        self.run_instance(loaded, number, options).unwrap_or_else(|error| Observed::broken(format!("{error:?}")))
    }
}

/// WebAssembly of a module, and the address of the number of the program.
///
/// In some rounds locals are found as in functions with many live values.
pub fn emit(linked: Linked, round: u64) -> Result<(Vec<u8>, u32), String> {
    let mut module = linked.finish();
    let data_section = lowering::lower_with_stackless(&mut module, data_section_options());
    let mut plain =
        cleave_wasm::Options { names: false, strip: true, parallel: false, ..cleave_wasm::Options::default() };
    if round % 3 == 1 {
        plain.most_live = 0;
    }
    let address = choice(&data_section);
    let target = cleave_wasm::Wasm { options: plain, ..cleave_wasm::Wasm::default() };
    let artifact = target.emit(Lowered::new(module, data_section, &target)).map_err(|error| error.to_string())?;
    Ok((artifact.bytes, address))
}

impl Wasm {
    fn run_instance(&self, loaded: &Loaded, number: usize, options: &str) -> wasmtime::Result<Observed> {
        let options = format!("CLEAVE_RTS={options}\0").into_bytes();
        let world = World { options, ..World::default() };
        let mut store = Store::new(&self.shared.engine, world);
        store.set_epoch_deadline(TICKS);
        let method = loaded.method.instantiate(&mut store)?;
        let memory = method.get_memory(&mut store, "memory").expect("programs export their memory");
        memory.write(&mut store, loaded.choice as usize, &(number as u64).to_le_bytes())?;
        let start = method.get_typed_func::<(), ()>(&mut store, "_start")?;
        let result = start.call(&mut store, ());
        let end = match (result, store.data().exit) {
            (Ok(()), _) => End::Status(0),
            (Err(_), Some(status)) => End::Status(status),
            (Err(error), None) => {
                let end = explain(&error);
                // What was printed before.
                store.set_epoch_deadline(TICKS);
                method.get_typed_func::<(), ()>(&mut store, "rt_flush")?.call(&mut store, ())?;
                end
            }
        };
        let world = store.into_data();
        Ok(Observed { stdout: world.stdout, stderr: world.stderr, end })
    }
}

fn explain(error: &wasmtime::Error) -> End {
    match error.downcast_ref::<Trap>() {
        Some(Trap::IntegerDivisionByZero) => End::DivideByZero,
        Some(Trap::IntegerOverflow) => End::Overflow,
        Some(Trap::StackOverflow) => End::StackOverflow,
        Some(Trap::Interrupt) => End::Endless,
        _ => End::Broken(format!("{error:?}")),
    }
}

fn memory(caller: &mut Caller<'_, World>) -> Memory {
    caller.get_export("memory").and_then(|export| export.into_memory()).expect("programs export their memory")
}

/// Copies from or to the pieces that a list of addresses and lengths names; `copy` says how many bytes it has done.
fn pieces(
    caller: &mut Caller<'_, World>,
    list: u32,
    count: u32,
    total: u32,
    mut copy: impl FnMut(&mut World, &mut [u8]) -> usize,
) -> wasmtime::Result<u32> {
    let memory = memory(caller);
    let (data, world) = memory.data_and_store_mut(&mut *caller);
    let word = |data: &[u8], at: u32| {
        let bytes = data.get(at as usize..at as usize + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or_else(|| wasmtime::Error::msg("an address outside of the memory"))
    };
    let mut done = 0;
    for piece in 0..count {
        let (start, length) = (word(data, list + 8 * piece)? as usize, word(data, list + 8 * piece + 4)? as usize);
        let bytes = data.get_mut(start..start + length);
        done += copy(world, bytes.ok_or_else(|| wasmtime::Error::msg("a piece outside of the memory"))?);
    }
    memory.write(caller, total as usize, &(done as u32).to_le_bytes())?;
    Ok(0)
}

fn wasi(linker: &mut Linker<World>) -> wasmtime::Result<()> {
    linker.func_wrap(
        MODULE,
        "fd_write",
        |mut caller: Caller<'_, World>, file: u32, list: u32, count: u32, sum: u32| {
            pieces(&mut caller, list, count, sum, |world, bytes| {
                if file == 2 { &mut world.stderr } else { &mut world.stdout }.extend_from_slice(bytes);
                bytes.len()
            })
        },
    )?;
    linker.func_wrap(MODULE, "fd_read", |mut caller: Caller<'_, World>, _: u32, list: u32, count: u32, sum: u32| {
        pieces(&mut caller, list, count, sum, |world, bytes| {
            let rest = &STDIN[world.read..];
            let length = rest.len().min(bytes.len());
            bytes[..length].copy_from_slice(&rest[..length]);
            world.read += length;
            length
        })
    })?;
    linker.func_wrap(MODULE, "proc_exit", |mut caller: Caller<'_, World>, status: i32| -> wasmtime::Result<()> {
        caller.data_mut().exit = Some(status);
        Err(wasmtime::Error::msg("exit"))
    })?;
    linker.func_wrap(MODULE, "args_sizes_get", |mut caller: Caller<'_, World>, count: u32, bytes: u32| {
        sizes(&mut caller, count, bytes, 0, 0)
    })?;
    linker.func_wrap(MODULE, "args_get", |_: u32, _: u32| 0u32)?;
    linker.func_wrap(MODULE, "environ_sizes_get", |mut caller: Caller<'_, World>, count: u32, bytes: u32| {
        let length = caller.data().options.len() as u32;
        sizes(&mut caller, count, bytes, u32::from(length > 0), length)
    })?;
    linker.func_wrap(MODULE, "environ_get", |mut caller: Caller<'_, World>, table: u32, bytes: u32| {
        let memory = memory(&mut caller);
        let options = caller.data().options.clone();
        if !options.is_empty() {
            memory.write(&mut caller, table as usize, &bytes.to_le_bytes())?;
            memory.write(&mut caller, bytes as usize, &options)?;
        }
        wasmtime::Result::Ok(0u32)
    })?;
    linker.func_wrap(MODULE, "clock_time_get", |mut caller: Caller<'_, World>, _: u32, _: u64, time: u32| {
        let memory = memory(&mut caller);
        memory.write(&mut caller, time as usize, &[0; 8])?;
        wasmtime::Result::Ok(0u32)
    })?;
    linker.func_wrap(MODULE, "fd_close", |_: u32| BAD_FILE)?;
    linker.func_wrap(MODULE, "poll_oneoff", |_: u32, _: u32, _: u32, _: u32| BAD_FILE)?;
    // Nothing is known of the channels: they are no terminals.
    linker.func_wrap(MODULE, "fd_fdstat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(MODULE, "fd_seek", |_: u32, _: i64, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(MODULE, "fd_prestat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(MODULE, "fd_prestat_dir_name", |_: u32, _: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(MODULE, "fd_filestat_get", |_: u32, _: u32| BAD_FILE)?;
    linker.func_wrap(
        MODULE,
        "path_open",
        |_: u32, _: u32, _: u32, _: u32, _: u32, _: u64, _: u64, _: u32, _: u32| BAD_FILE,
    )?;
    Ok(())
}

fn sizes(caller: &mut Caller<'_, World>, count: u32, bytes: u32, n: u32, length: u32) -> wasmtime::Result<u32> {
    let memory = memory(caller);
    memory.write(&mut *caller, count as usize, &n.to_le_bytes())?;
    memory.write(&mut *caller, bytes as usize, &length.to_le_bytes())?;
    Ok(0)
}
