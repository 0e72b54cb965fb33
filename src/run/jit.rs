//! Runs machine code in this process: maps it below 4 GiB, first writable, then executable, and hands it to the
//! runtime.
//!
//! Nothing is written to a file, unless CLEAVE_PERF_MAP asks for one. The program gets its own stacks, arguments and
//! environment from the runtime (`rt/sys/native`), which also turns its faults into messages. C functions are
//! those of the C library and of shared libraries; a program with others is run as an executable (`executable`).

use crate::{Ended, Error, Options, Statistics, environment, reason, runtime_options};
use cleave_native::{Program, address_space, jit_code};
use cleave_rt::sys::native::{self, Problem, Words};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

/// Executable memory; given back at the end.
struct Mapped {
    start: *mut libc::c_void,
    bytes: usize,
}

impl Mapped {
    /// Maps code at its address.
    fn new(code: &[u8]) -> Result<Mapped, Error> {
        let start = address_space::JIT_CODE as usize as *mut libc::c_void;
        let bytes = code.len();
        let system = |error: std::io::Error| {
            let place = format!("{:#x}", address_space::JIT_CODE);
            Error::System(format!("{bytes} bytes of memory for code at {place}: {}", reason(&error)))
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: the mapping replaces no other one and is written before it becomes executable.
        unsafe {
            let place = libc::mmap(start, bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            if place == libc::MAP_FAILED {
                return Err(system(std::io::Error::last_os_error()));
            }
            let mapped = Mapped { start: place, bytes };
            if place != start {
                return Err(system(std::io::ErrorKind::AddrInUse.into()));
            }
            std::ptr::copy_nonoverlapping(code.as_ptr(), place.cast(), bytes);
            if libc::mprotect(place, bytes, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                return Err(system(std::io::Error::last_os_error()));
            }
            Ok(mapped)
        }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: no code of it runs any more.
        unsafe {
            libc::munmap(self.start, self.bytes);
        }
    }
}

/// Strings as C has them, and the list of their addresses with a null at its end.
struct List {
    _strings: Vec<CString>,
    pointers: Vec<*const u8>,
}

impl List {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> List {
        let strings: Vec<CString> = strings.filter_map(|bytes| CString::new(bytes).ok()).collect();
        let mut pointers: Vec<*const u8> = strings.iter().map(|string| string.as_ptr().cast()).collect();
        pointers.push(std::ptr::null());
        List { _strings: strings, pointers }
    }
}

/// Addresses of C functions: of the C library, its mathematics, and shared libraries.
struct Functions {
    libraries: Vec<*mut libc::c_void>,
}

impl Functions {
    /// Opens libraries; what is none, or is nowhere, has no functions.
    fn new(libraries: &[std::ffi::OsString]) -> Functions {
        let mathematics = c"libm.so.6".to_owned();
        let names = libraries.iter().filter_map(|name| CString::new(name.as_bytes()).ok());
        // SAFETY: the string ends with a NUL. What a library does when it is loaded, the program wants.
        let opened = std::iter::once(mathematics)
            .chain(names)
            .map(|name| unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) });
        let found = opened.filter(|library| !library.is_null());
        Functions { libraries: std::iter::once(libc::RTLD_DEFAULT).chain(found).collect() }
    }

    /// Address of a function; 0 if there is none of this name.
    fn find(&self, name: &[u8]) -> u64 {
        let Ok(name) = CString::new(name) else { return 0 };
        // SAFETY: the string ends with a NUL, and libraries stay open.
        let addresses = self.libraries.iter().map(|&library| unsafe { libc::dlsym(library, name.as_ptr()) });
        addresses.map(|address| address as u64).find(|&address| address != 0).unwrap_or(0)
    }
}

/// Tells `perf` the names of the functions, if the variable CLEAVE_PERF_MAP is set: in the file that it looks for.
fn perf_map(program: &Program) {
    if std::env::var_os("CLEAVE_PERF_MAP").is_none() {
        return;
    }
    let lines = jit_code::map(program).map(|(offset, bytes, name)| {
        let start = u64::from(address_space::JIT_CODE) + u64::from(offset);
        format!("{start:x} {bytes:x} {name}\n")
    });
    // Whoever asked for it sees that it is missing; the program runs in any case.
    let _ = std::fs::write(format!("/tmp/perf-{}.map", std::process::id()), lines.collect::<String>());
}

/// Runs machine code; its output goes to our stdout and stderr.
///
/// An error if another program runs already, or the system does not give us what we need.
pub fn run(program: &Program, options: &Options) -> Result<Ended, Error> {
    let mut phases = Vec::new();
    let begin = Instant::now();
    let runtime = |name: &str| native::services().find(|(known, _)| *known == name).map_or(0, |(_, address)| address);
    // Nothing is loaded for a program that calls no function from outside.
    let calls_outside = !program.low.symbols.is_empty() || program.externs.iter().any(|name| runtime(name) == 0);
    let libraries = if calls_outside { &options.libraries } else { &[][..] };
    let functions = Functions::new(libraries);
    let placed = jit_code::place(program, address_space::JIT_CODE.into(), runtime, |name| functions.find(name));
    if let Some(name) = placed.missing {
        return Err(Error::System(format!(
            "function `{name}`, which the program calls, is in no library that is loaded"
        )));
    }
    let mapped = Mapped::new(&placed.code)?;
    perf_map(program);
    phases.push(("instantiate", begin.elapsed()));

    let mut arguments = List::new(options.args.iter().map(|argument| argument.as_bytes().to_vec()));
    let own = runtime_options(options);
    let rts = (!own.is_empty()).then(|| format!("CLEAVE_RTS={own}").into_bytes());
    let mut environment = List::new(environment().into_iter().chain(rts));
    let words = Words { arguments: arguments.pointers.as_mut_ptr(), environment: environment.pointers.as_mut_ptr() };
    // From here on a closed pipe ends us silently, as it ends a native program. (Rust ignores the signal.)
    // SAFETY: the handler SIG_DFL runs no code of ours.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
    let table = |bytes: &[u8]| if bytes.is_empty() { std::ptr::null() } else { bytes.as_ptr() };
    let begin = Instant::now();
    // SAFETY: the code is mapped where `place` was told; both addresses are those of functions of these types.
    let result = unsafe {
        let record = native::Program {
            bytes: placed.low.as_ptr(),
            length: placed.low.len() as u64,
            record: placed.record.into(),
            main: std::mem::transmute::<usize, unsafe extern "C" fn(u32)>(placed.main as usize),
            eval: std::mem::transmute::<usize, unsafe extern "C" fn(u32, u32) -> u32>(placed.eval as usize),
            code: mapped.start.cast(),
            code_length: placed.functions.into(),
            traces: table(&placed.traces),
            maps: table(&placed.maps),
            exchange: 0,
        };
        native::run(record, words)
    };
    phases.push(("run", begin.elapsed()));
    drop(mapped);
    let status = result.map_err(|problem| {
        Error::System(match problem {
            Problem::Addresses => "the addresses below 4 GiB, which native programs need, are not available".into(),
            Problem::Stack(bytes) => format!("no stack of {bytes} bytes; try a smaller --stack"),
            Problem::Busy => "a program is running already".into(),
        })
    })?;
    let s = native::statistics();
    let statistics = Statistics {
        collections: s.collections,
        allocated_bytes: s.allocated_bytes,
        copied_bytes: s.copied_bytes,
        gc_ns: s.gc_ns,
        live_bytes: s.live_after_last,
        heap_peak: s.heap_peak,
        reservations: s.reservations,
        minor_collections: s.minor_collections,
        longest_ns: s.longest_ns,
        shortest_ns: s.shortest_ns,
        percentile_99_ns: s.percentile_99_ns,
    };
    Ok(Ended { status: status as i32, statistics: Some(statistics), refused: None, lost: None, phases })
}
