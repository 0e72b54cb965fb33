//! Runs WebAssembly in the embedded engine, and turns its end into that of a program: a status, perhaps a message.
//!
//! The program runs on a thread of its own with a large stack. The system reserves that memory but provides a page
//! only when it is touched, so depth costs nothing until it is used. Traps of the engine never reach the user: running
//! out of stack and faults of division have messages and status 255, anything else is a bug of ours.

use crate::driver::output::{reason, write_stderr};
use crate::driver::timing::Timing;
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The program's name, then its arguments.
    pub args: Vec<OsString>,
    /// Shared libraries with C functions, for machine code: paths, or names that the system looks for.
    pub libraries: Vec<OsString>,
    pub heap: Option<u64>,
    pub stack: Option<u64>,
    pub gc_stress: Option<u32>,
    /// The collector, in the runtime's word; its default otherwise.
    pub gc: Option<&'static str>,
    /// Bytes of the nursery.
    pub nursery: Option<u64>,
    /// List the active functions under a run-time error.
    pub trace: bool,
    /// Measure the time of collections.
    pub measure: bool,
    /// Called in the embedded engine when everything is compiled and the program is about to start.
    pub on_start: Option<fn()>,
    /// All the folders that the program sees, and how it calls them; without a list, the files of the system.
    pub folders: Option<Vec<(PathBuf, String)>>,
    /// Further options of our runtime, in the words of CLEAVE_RTS.
    pub runtime: String,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Ended {
    pub status: i32,
    /// Of our runtime; other programs have none.
    pub statistics: Option<Statistics>,
    /// The first path that a sandbox has refused.
    pub refused: Option<Vec<u8>>,
}

/// Counters of the runtime.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub collections: u64,
    pub allocated_bytes: u64,
    pub copied_bytes: u64,
    pub gc_ns: u64,
    pub live_bytes: u64,
    pub heap_peak: u64,
    pub reservations: u64,
    pub minor_collections: u64,
    pub longest_ns: u64,
    pub shortest_ns: u64,
}

/// Why a run did not take place, or should not have ended as it did.
#[derive(Debug)]
pub enum RunError {
    /// The file is no program that we can run.
    NotAProgram(String),
    /// The system did not give us what we need.
    System(String),
    /// The program failed in a way in which programs that we compile never fail.
    Bug(String),
}

/// The first bytes of every WebAssembly file.
pub const MAGIC: &[u8; 4] = b"\0asm";

/// Runtime options for the environment variable that the runtime reads.
#[cfg_attr(not(any(feature = "engine", feature = "native")), allow(dead_code))]
pub fn runtime_options(options: &RunOptions) -> String {
    let mut words: Vec<String> = std::env::var("CLEAVE_RTS").into_iter().collect();
    words.extend(options.heap.map(|size| format!("--heap={size}")));
    words.extend(options.stack.map(|size| format!("--stack={size}")));
    words.extend(options.gc.map(|name| format!("--gc={name}")));
    words.extend(options.nursery.map(|size| format!("--nursery={size}")));
    if let Some(interval) = options.gc_stress {
        words.push(format!("--gc-stress={interval} --poison"));
    }
    if options.measure {
        words.push("--measure".into());
    }
    if !options.runtime.is_empty() {
        words.push(options.runtime.clone());
    }
    words.join(" ")
}

/// Our own environment, for the program: `NAME=value`, except what is meant for the runtime of compiled programs.
pub fn environment() -> Vec<Vec<u8>> {
    let variables = std::env::vars_os().filter(|(name, _)| name != "CLEAVE_RTS");
    let text = |(name, value): (OsString, OsString)| [name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat();
    variables.map(text).collect()
}

/// The engine is there.
pub const IS_AVAILABLE: bool = cfg!(feature = "engine");

#[cfg(not(feature = "engine"))]
pub fn run(_: Vec<u8>, _: &RunOptions, _: &mut Timing) -> Result<Ended, RunError> {
    let _ = (reason, write_stderr);
    let why = "this cleave was built without its engine for WebAssembly (feature `engine`)";
    Err(RunError::System(format!("{why}: use --target native, or run the .wasm file in wasmtime or node")))
}

#[cfg(feature = "engine")]
pub use engine::run;

#[cfg(feature = "engine")]
mod engine {
    use super::*;
    #[cfg(unix)]
    use crate::driver::files;
    use crate::driver::{trace, words};
    use std::num::NonZeroUsize;
    use std::time::Instant;
    use wasmtime::{Config, Engine, Instance, Linker, Module, OptLevel, ProfilingStrategy, Store, Trap, WasmBacktrace};
    use wasmtime_wasi::p1::{self, WasiP1Ctx};
    use wasmtime_wasi::{FsPerms, I32Exit, WasiCtxBuilder};

    /// Native stack for the program, unless the user says otherwise.
    const DEFAULT_STACK: u64 = 512 << 20;
    /// More than this is never asked for: addresses, not memory, but some systems count them.
    const MAX_STACK: u64 = 64 << 30;
    /// The least with which the runtime works.
    const MIN_STACK: u64 = 256 << 10;
    /// What host functions may need beyond the stack of the program.
    const HOST_STACK: u64 = 4 << 20;
    /// With this variable set, `perf` learns the names of the functions, from the file that it looks for.
    const PERF_MAP: &str = "CLEAVE_PERF_MAP";
    /// Names of the runtime's functions for embedders.
    const EMBEDDED: &str = "rt_embedded";
    const FLUSH: &str = "rt_flush";
    const STATISTICS: &str = "rt_statistics";
    const REFUSED: &str = "rt_refused";

    /// Runs a program; its output goes to our stdout and stderr.
    pub fn run(wasm: Vec<u8>, options: &RunOptions, timing: &mut Timing) -> Result<Ended, RunError> {
        let wanted = options.stack.unwrap_or(DEFAULT_STACK).clamp(MIN_STACK, MAX_STACK);
        let mut stack = wanted;
        std::thread::scope(|scope| {
            loop {
                let (wasm, size) = (&wasm, stack);
                let task = move || {
                    let mut own = Timing::default();
                    let result = Run { options, stack: size, timing: &mut own }.run(wasm);
                    (result, own)
                };
                let builder = std::thread::Builder::new().name("program".into());
                match builder.stack_size((stack + HOST_STACK) as usize).spawn_scoped(scope, task) {
                    Ok(thread) => {
                        let (result, own) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                        timing.append(own);
                        return result;
                    }
                    // The system may not even reserve that much; a default may shrink, a wish may not.
                    Err(_) if options.stack.is_none() && stack > 16 << 20 => stack /= 2,
                    Err(error) => {
                        let message = format!("no stack of {stack} bytes: {}; try a smaller --stack", reason(&error));
                        return Err(RunError::System(message));
                    }
                }
            }
        })
    }

    struct Run<'r> {
        options: &'r RunOptions,
        stack: u64,
        timing: &'r mut Timing,
    }

    impl Run<'_> {
        fn run(&mut self, wasm: &[u8]) -> Result<Ended, RunError> {
            let refused = |error: wasmtime::Error| RunError::NotAProgram(last_line(&error));
            let begin = Instant::now();
            let engine = Engine::new(&self.config()).map_err(|error| RunError::System(format!("{error:#}")))?;
            let module = Module::new(&engine, wasm).map_err(refused)?;
            self.timing.add("engine compile", begin.elapsed());

            let begin = Instant::now();
            let mut linker: Linker<WasiP1Ctx> = Linker::new(&engine);
            p1::add_to_linker_sync(&mut linker, |context| context).map_err(refused)?;
            // WASI's own implementation refuses statuses above 125; programs end with 255 after an error.
            linker.allow_shadowing(true);
            let exit = |status: i32| -> wasmtime::Result<()> { Err(I32Exit(status).into()) };
            linker.func_wrap("wasi_snapshot_preview1", "proc_exit", exit).map_err(refused)?;
            let ours = module.get_export(FLUSH).is_some();
            #[cfg(unix)]
            if ours && self.options.folders.is_none() {
                files::add_to_linker(&mut linker).map_err(refused)?;
            }
            words::add_to_linker(&mut linker, &self.options.args, self.environment()).map_err(refused)?;
            let mut store = Store::new(&engine, self.context()?);
            let instance = linker.instantiate(&mut store, &module).map_err(refused)?;
            if ours && let Ok(embedded) = instance.get_typed_func::<(), ()>(&mut store, EMBEDDED) {
                embedded.call(&mut store, ()).map_err(refused)?;
            }
            let start = instance.get_typed_func::<(), ()>(&mut store, "_start");
            let start = start.map_err(|_| RunError::NotAProgram("it exports no `_start`: it is no command".into()))?;
            self.timing.add("instantiate", begin.elapsed());

            restore_sigpipe();
            if let Some(note) = self.options.on_start {
                note();
            }
            let begin = Instant::now();
            let result = start.call(&mut store, ());
            let end = match result {
                Ok(()) => Ok(0),
                Err(error) => {
                    let end = self.explain(&error, &instance, &mut store);
                    if self.options.trace && matches!(end, Ok(TRAPPED)) {
                        write_stderr(&active_functions(&error));
                    }
                    end
                }
            };
            self.timing.add("run", begin.elapsed());
            let statistics = statistics(&instance, &mut store);
            let refused = self.options.folders.as_ref().and_then(|_| first_refused(&instance, &mut store));
            Ok(Ended { status: end?, statistics, refused })
        }

        fn config(&self) -> Config {
            let mut config = Config::new();
            // A debug build of the engine would verify its own work, at half of its speed.
            config.cranelift_debug_verifier(false);
            if std::env::var_os(PERF_MAP).is_some() {
                config.profiler(ProfilingStrategy::PerfMap);
            }
            if self.options.trace {
                config.wasm_backtrace_max_frames(NonZeroUsize::new(FRAMES));
            }
            config
                .wasm_tail_call(true)
                .cranelift_opt_level(OptLevel::Speed)
                .max_wasm_stack(self.stack as usize)
                .async_stack_size((self.stack + HOST_STACK) as usize);
            config
        }

        /// Our environment, with the options of the runtime. WASI knows no current folder: the runtime takes the one
        /// that PWD names, which is ours, whatever whoever has started us says of it.
        fn environment(&self) -> Vec<Vec<u8>> {
            const FOLDER: &[u8] = b"PWD=";
            let options = runtime_options(self.options);
            let options = (!options.is_empty()).then(|| format!("CLEAVE_RTS={options}").into_bytes());
            let mut variables = environment();
            let here = std::env::current_dir().ok().filter(|_| self.options.folders.is_none());
            let named = std::env::var_os("PWD").map(PathBuf::from);
            if let Some(here) = here
                && named
                    .is_none_or(|named| !named.is_absolute() || std::fs::canonicalize(named).ok() != Some(here.clone()))
            {
                variables.retain(|variable| !variable.starts_with(FOLDER));
                variables.push([FOLDER, here.as_os_str().as_encoded_bytes()].concat());
            }
            variables.extend(options);
            variables
        }

        /// The program sees our channels and the folders that it may; programs of others see folders by this alone.
        fn context(&self) -> Result<WasiP1Ctx, RunError> {
            let mut builder = WasiCtxBuilder::new();
            builder.inherit_stdio().allow_blocking_current_thread(true);
            match &self.options.folders {
                // A folder that we may not read is not given; files cannot be opened then. A C library takes the last
                // one that a path fits.
                None => {
                    for folder in ["/", "."] {
                        let _ = builder.preopened_dir(folder, folder, FsPerms::ReadWrite);
                    }
                }
                Some(folders) => {
                    for (folder, name) in folders {
                        builder.preopened_dir(folder, name, FsPerms::ReadWrite).map_err(|error| {
                            RunError::System(format!("--dir {}: {}", folder.display(), last_line(&error)))
                        })?;
                    }
                }
            }
            Ok(builder.build_p1())
        }

        /// The status of a program that did not return from `_start`, after its message.
        fn explain(
            &self,
            error: &wasmtime::Error,
            instance: &Instance,
            store: &mut Store<WasiP1Ctx>,
        ) -> Result<i32, RunError> {
            if let Some(exit) = error.downcast_ref::<I32Exit>() {
                return Ok(exit.0);
            }
            let trap = error.downcast_ref::<Trap>().copied();
            let text = format!("{error:?}");
            let ours = instance.get_func(&mut *store, FLUSH).is_some();
            if let (true, Ok(flush)) = (ours, instance.get_typed_func::<(), ()>(&mut *store, FLUSH)) {
                // What was printed before comes first; a second failure has nothing to add.
                let _ = flush.call(&mut *store, ());
            }
            let message = match trap {
                Some(Trap::StackOverflow) => "Stack overflow.",
                Some(Trap::MemoryOutOfBounds) if is_below_zero(&text) => "Stack overflow.",
                Some(Trap::IntegerDivisionByZero) => "Integer division by zero.",
                Some(Trap::IntegerOverflow) => "Integer overflow in division.",
                _ if !ours => {
                    write_stderr(&format!("cleave: the program was stopped: {}\n", last_line(error)));
                    return Ok(FOREIGN_TRAP);
                }
                _ => return Err(RunError::Bug(text)),
            };
            write_stderr(&format!("{message}\n"));
            Ok(TRAPPED)
        }
    }

    /// Functions that the engine looks at for `--trace`.
    const FRAMES: usize = 200;

    /// The functions that were active when a program ended.
    fn active_functions(error: &wasmtime::Error) -> String {
        let backtrace = error.downcast_ref::<WasmBacktrace>();
        trace::text(backtrace.into_iter().flat_map(WasmBacktrace::frames).filter_map(|frame| frame.func_name()))
    }

    /// Status of a program that was stopped by a fault that has a message.
    const TRAPPED: i32 = 255;
    /// Status of a program of others that trapped: as for a process that aborts.
    const FOREIGN_TRAP: i32 = 134;

    /// The shadow stack ends at address 0: beyond it are the highest addresses. The engine tells the address only in
    /// words.
    fn is_below_zero(text: &str) -> bool {
        let Some((_, rest)) = text.split_once("wasm address 0x") else { return false };
        let digits = rest.split(|c: char| !c.is_ascii_hexdigit()).next().unwrap_or_default();
        // Frames are far smaller than this; heap and image are far below.
        u64::from_str_radix(digits, 16).is_ok_and(|address| address >= (1 << 32) - (1 << 20))
    }

    /// The cause at the bottom of an error, which says most.
    fn last_line(error: &wasmtime::Error) -> String {
        error.chain().last().map(ToString::to_string).unwrap_or_default()
    }

    /// The counters of our runtime, if it is ours and still works.
    fn statistics(instance: &Instance, store: &mut Store<WasiP1Ctx>) -> Option<Statistics> {
        let address = instance.get_typed_func::<(), i32>(&mut *store, STATISTICS).ok()?.call(&mut *store, ()).ok()?;
        let memory = instance.get_memory(&mut *store, "memory")?;
        let mut bytes = [0; 80];
        memory.read(&mut *store, address as u32 as usize, &mut bytes).ok()?;
        let mut words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut next = || words.next().unwrap_or_default();
        Some(Statistics {
            collections: next(),
            allocated_bytes: next(),
            copied_bytes: next(),
            gc_ns: next(),
            live_bytes: next(),
            heap_peak: next(),
            reservations: next(),
            minor_collections: next(),
            longest_ns: next(),
            shortest_ns: next(),
        })
    }

    /// The first path that was in none of the folders, if there was one.
    fn first_refused(instance: &Instance, store: &mut Store<WasiP1Ctx>) -> Option<Vec<u8>> {
        let address = instance.get_typed_func::<(), i32>(&mut *store, REFUSED).ok()?.call(&mut *store, ()).ok()?;
        let memory = instance.get_memory(&mut *store, "memory")?;
        let record = memory.data(&store).get(address as u32 as usize..)?;
        let (length, path) = record.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        path.get(..length).filter(|path| !path.is_empty()).map(<[u8]>::to_vec)
    }

    /// From here on a closed pipe ends us silently, as it ends a native program. (Rust ignores the signal.)
    #[cfg(unix)]
    fn restore_sigpipe() {
        const SIGPIPE: i32 = 13;
        const DEFAULT: usize = 0;
        unsafe extern "C" {
            fn signal(number: i32, handler: usize) -> usize;
        }
        // SAFETY: the C function of that name, with the handler SIG_DFL, which runs no code of ours.
        unsafe {
            signal(SIGPIPE, DEFAULT);
        }
    }
    #[cfg(not(unix))]
    fn restore_sigpipe() {}
}
