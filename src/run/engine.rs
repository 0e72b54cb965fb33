//! Runs WebAssembly in the embedded engine, and turns its end into that of a program: a status, perhaps a message.
//!
//! The program runs on a thread of its own with a large stack. The system reserves that memory but provides a page
//! only when it is touched, so depth costs nothing until it is used. Traps of the engine never reach the user: running
//! out of stack and faults of division have messages and status 255, anything else is a bug of ours.

use crate::captured_frames::Captured;
use crate::compiled;
use crate::functions::Functions;
use crate::wasi::{self, Exit, Files, Folder, Host};
use crate::{Ended, Error, Options, STOPPED, Statistics, environment, reason, runtime_options, time_limit, trace};
use std::borrow::Cow;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use wasmtime::{
    Config, Engine, Instance, Linker, OptLevel, ProfilingStrategy, Store, StoreLimits, StoreLimitsBuilder, Trap,
    WasmBacktrace,
};

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
/// A program of ours without counters takes no options.
const NO_OPTIONS: &str =
    "cleave: options of the run are ignored: the program was built without them; build it with --rts-options\n";

/// Runs a program; its output goes to our stdout and stderr.
///
/// An error if the file is no program, or the system does not give us what we need.
pub fn run(wasm: &[u8], options: &Options) -> Result<Ended, Error> {
    let wanted = options.stack.unwrap_or(DEFAULT_STACK).clamp(MIN_STACK, MAX_STACK);
    let mut stack = wanted;
    std::thread::scope(|scope| {
        loop {
            let size = stack;
            let task = move || Run { options, stack: size, phases: Vec::new() }.run(wasm);
            let builder = std::thread::Builder::new().name("program".into());
            match builder.stack_size((stack + HOST_STACK) as usize).spawn_scoped(scope, task) {
                Ok(thread) => {
                    return thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                }
                // The system may not even reserve that much; a default may shrink, a wish may not.
                Err(_) if options.stack.is_none() && stack > 16 << 20 => stack /= 2,
                Err(error) => {
                    let message = format!("no stack of {stack} bytes: {}; try a smaller --stack", reason(&error));
                    return Err(Error::System(message));
                }
            }
        }
    })
}

struct Run<'r> {
    options: &'r Options,
    stack: u64,
    phases: Vec<(&'static str, Duration)>,
}

impl Run<'_> {
    fn run(mut self, wasm: &[u8]) -> Result<Ended, Error> {
        let refused = |error: wasmtime::Error| Error::NotAProgram(last_line(&error));
        let begin = Instant::now();
        let functions = self.options.functions.as_deref().map(|path| Arc::new(Functions::of(path)));
        let system = |error: wasmtime::Error| Error::System(format!("{error:#}"));
        let engine = Engine::new(&self.config(functions.clone()).map_err(system)?).map_err(system)?;
        let module = compiled::module(&engine, wasm, self.options.code_cache.as_deref()).map_err(refused)?;
        functions.inspect(|functions| functions.write());
        self.phases.push(("engine compile", begin.elapsed()));

        let begin = Instant::now();
        let mut linker: Linker<Host> = Linker::new(&engine);
        wasi::add_to_linker(&mut linker).map_err(refused)?;
        let ours = module.get_export(FLUSH).is_some();
        if ours && module.get_export(STATISTICS).is_none() && has_words(&runtime_options(self.options)) {
            write_stderr(NO_OPTIONS);
        }
        let mut store = Store::new(&engine, self.host(ours)?);
        store.limiter(|host| &mut host.limits);
        store.set_epoch_deadline(1);
        if let Some(import) = module.imports().find(|import| linker.get_by_import(&mut store, import).is_none()) {
            let name = format!("{}.{}", import.module(), import.name());
            return Err(Error::System(format!("the program imports `{name}`, which this engine does not have")));
        }
        let instance = linker.instantiate(&mut store, &module).map_err(refused)?;
        if ours && let Ok(embedded) = instance.get_typed_func::<u32, ()>(&mut store, EMBEDDED) {
            // The rest is for the runtime.
            let usable = u32::try_from(self.stack / 4 * 3).unwrap_or(u32::MAX);
            embedded.call(&mut store, usable).map_err(refused)?;
        }
        let start = instance.get_typed_func::<(), ()>(&mut store, "_start");
        let start = start.map_err(|_| Error::NotAProgram("it exports no `_start`: it is no command".into()))?;
        self.phases.push(("instantiate", begin.elapsed()));

        restore_sigpipe();
        if let Some(note) = self.options.on_start {
            note();
        }
        let begin = Instant::now();
        let clock = self.options.timeout.map(|limit| clock(&engine, limit));
        let result = start.call(&mut store, ());
        drop(clock);
        store.set_epoch_deadline(NEVER);
        let end = match result {
            Ok(()) => Ok(0),
            Err(error) => {
                let end = self.explain(&error, &instance, &mut store);
                if self.options.trace && matches!(end, Ok(TRAPPED)) {
                    let memory = instance.get_memory(&mut store, "memory");
                    let captured = Captured::of(wasm, memory.map_or(&[], |memory| memory.data(&store)));
                    write_stderr(&active_functions(&error, &captured, &self.options.lines));
                }
                end
            }
        };
        self.phases.push(("run", begin.elapsed()));
        let statistics = statistics(&instance, &mut store);
        let refused = self.options.folders.as_ref().and_then(|_| first_refused(&instance, &mut store));
        let lost = store.data_mut().files.take_lost();
        Ok(Ended { status: end?, statistics, refused, lost, phases: self.phases })
    }

    fn config(&self, functions: Option<Arc<Functions>>) -> wasmtime::Result<Config> {
        let mut config = Config::new();
        if let Some(functions) = functions {
            config.enable_incremental_compilation(functions)?;
        }
        // A debug build of the engine would verify its own work, at half of its speed.
        config.cranelift_debug_verifier(false);
        if std::env::var_os(PERF_MAP).is_some() {
            config.profiler(ProfilingStrategy::PerfMap);
        }
        if self.options.trace {
            config.wasm_backtrace_max_frames(NonZeroUsize::new(FRAMES));
        }
        config
            .epoch_interruption(self.options.timeout.is_some())
            // An image of the memory pays when a module runs more than once: to make it takes longer than to fill one.
            .memory_init_cow(false)
            .wasm_tail_call(true)
            .cranelift_opt_level(OptLevel::Speed)
            .max_wasm_stack(self.stack as usize)
            .async_stack_size((self.stack + HOST_STACK) as usize);
        Ok(config)
    }

    /// What a program of ours gets, or one of others, which gets nothing that was not granted.
    fn host(&self, ours: bool) -> Result<Host, Error> {
        let is_confined = self.options.folders.is_some() || !ours;
        let folders = match &self.options.folders {
            // A C library takes the last one that a path fits.
            None if ours => ["/", "."].map(|name| (Folder::anywhere(name), name.into())).into(),
            None => Vec::new(),
            Some(folders) => {
                let open = |(path, name): &(PathBuf, String)| match Folder::within(path) {
                    Ok(folder) => Ok((folder, name.as_bytes().to_vec())),
                    Err(error) => Err(Error::System(format!("--dir {}: {}", path.display(), reason(&error)))),
                };
                folders.iter().map(open).collect::<Result<_, _>>()?
            }
        };
        let arguments = self.options.args.iter().map(|word| word.as_encoded_bytes().to_vec()).collect();
        Ok(Host::new(Files::new(folders), arguments, self.environment(is_confined), self.limits(ours)))
    }

    /// The memory of a program of others is its heap. Ours keeps the limit itself; it has stacks and an image besides.
    fn limits(&self, ours: bool) -> StoreLimits {
        let bytes = self.options.heap.filter(|_| !ours).map(|heap| usize::try_from(heap).unwrap_or(usize::MAX));
        bytes.map_or_else(StoreLimits::default, |bytes| StoreLimitsBuilder::new().memory_size(bytes).build())
    }

    /// The variables that were granted, or our environment; with the options of the runtime. WASI knows no current
    /// folder: the runtime takes the one that PWD names, which is ours, whatever the caller's variable says.
    fn environment(&self, is_confined: bool) -> Vec<Vec<u8>> {
        const FOLDER: &[u8] = b"PWD=";
        let options = runtime_options(self.options);
        let options = (!options.is_empty()).then(|| format!("CLEAVE_RTS={options}").into_bytes());
        let granted = &self.options.environment;
        let mut variables = if is_confined { granted.clone() } else { [environment(), granted.clone()].concat() };
        let here = std::env::current_dir().ok().filter(|_| !is_confined);
        let named = std::env::var_os("PWD").map(PathBuf::from);
        if let Some(here) = here
            && named.is_none_or(|named| !named.is_absolute() || std::fs::canonicalize(named).ok() != Some(here.clone()))
        {
            variables.retain(|variable| !variable.starts_with(FOLDER));
            variables.push([FOLDER, here.as_os_str().as_encoded_bytes()].concat());
        }
        variables.extend(options);
        variables
    }

    /// The status of a program that did not return from `_start`, after its message.
    fn explain(&self, error: &wasmtime::Error, instance: &Instance, store: &mut Store<Host>) -> Result<i32, Error> {
        if let Some(exit) = error.downcast_ref::<Exit>() {
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
            Some(Trap::Interrupt) => {
                write_stderr(&format!("{}\n", time_limit(self.options.timeout.unwrap_or_default())));
                return Ok(STOPPED);
            }
            _ if !ours => {
                write_stderr(&format!("cleave: the program was stopped: {}\n", last_line(error)));
                return Ok(FOREIGN_TRAP);
            }
            _ => return Err(Error::Bug(text)),
        };
        write_stderr(&format!("{message}\n"));
        Ok(TRAPPED)
    }
}

/// Ticks of the engine's clock, which ticks once.
const NEVER: u64 = 1 << 60;

/// Lets the engine's clock tick when the limit has passed, unless the result is dropped before.
fn clock(engine: &Engine, limit: Duration) -> Sender<()> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let engine = engine.clone();
    std::thread::spawn(move || {
        if receiver.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            engine.increment_epoch();
        }
    });
    sender
}

/// Functions that the engine looks at for `--trace`.
const FRAMES: usize = 200;

/// The functions that were active when a program ended.
fn active_functions(error: &wasmtime::Error, captured: &Captured, lines: &[(usize, Option<String>)]) -> String {
    let backtrace = error.downcast_ref::<WasmBacktrace>();
    let frames = backtrace.map_or(&[][..], WasmBacktrace::frames);
    let line = |offset: usize| {
        let after = lines.partition_point(|line| line.0 <= offset);
        lines.get(after.checked_sub(1)?)?.1.as_deref()
    };
    let named = frames.iter().filter_map(|frame| Some((frame.func_name()?, frame.module_offset())));
    let active = named.flat_map(|(name, offset)| {
        let below = (name == trace::TRAMPOLINE).then(|| captured.waiting().map(Cow::Borrowed));
        std::iter::once(offset.and_then(line).unwrap_or(name).into()).chain(below.into_iter().flatten())
    });
    trace::text(active, frames.len() == FRAMES)
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

/// Are there options that somebody has asked for?
fn has_words(options: &str) -> bool {
    options.split_whitespace().any(|word| word != "--measure")
}

/// The counters of our runtime, if it is ours, has them, and still works.
fn statistics(instance: &Instance, store: &mut Store<Host>) -> Option<Statistics> {
    let address = instance.get_typed_func::<(), i32>(&mut *store, STATISTICS).ok()?.call(&mut *store, ()).ok()?;
    let memory = instance.get_memory(&mut *store, "memory")?;
    let mut bytes = [0; 88];
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
        percentile_99_ns: next(),
    })
}

/// The first path that was in none of the folders, if there was one.
fn first_refused(instance: &Instance, store: &mut Store<Host>) -> Option<Vec<u8>> {
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

/// Writes to stderr; there is nobody to tell if that fails.
fn write_stderr(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
