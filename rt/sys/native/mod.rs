//! x86-64 under Linux: memory is the lower four GiB of the process, the host is the C library.
//!
//! ```text
//! 0 … SHADOW_LOW        | shadow stack (grows ←) START | tables, image | heap →            HEAP_END | code of the JIT
//!     never mapped      |                              |  copied here  |  mapped as needed          |
//! ```
//! The program comes as a record (`Program`): in an executable it is the symbol `cleave_program` and `main` below
//! starts it; the JIT of the compiler fills one in and calls `run`; of a library C calls functions (`library`). It runs
//! on a machine stack of its own; `exit` goes back to the stack of `run`, from any depth.
//!
//! Invariant: one program at a time; `run` refuses a second one.

mod address_space;
#[cfg(feature = "standalone")]
mod call_back;
mod context;
pub mod faults;
mod ffi;
#[doc(hidden)]
pub mod frames;
#[cfg(feature = "standalone")]
mod given;
#[cfg(feature = "standalone")]
mod library;
#[cfg(any(feature = "standalone", feature = "std"))]
#[doc(hidden)]
pub mod lock;
#[cfg(feature = "standalone")]
mod objects;
mod os;
mod paths;
mod running;
pub mod stack;
mod stack_maps;
#[cfg(feature = "standalone")]
mod texts;
mod trace;
#[doc(hidden)]
pub mod trace_table;
pub mod variables;

pub use address_space::{HEAP_END, MAP_MULTIPLIER, Problem, SHADOW_GUARD, SHADOW_LOW, START};
pub use context::Native;
pub use running::{Program, Words};

use crate::gc::state::Statistics;
use crate::libcalls::for_each_libcall;
use crate::platform::Memory;
use crate::state::{Context, State};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use running::RUN;
use stack::PREPARED;

static BUSY: AtomicBool = AtomicBool::new(false);
/// The thread on which the program waits for a function of the host that it has called, or 0.
static WAITS: AtomicUsize = AtomicUsize::new(0);
/// Has a program run before?
static USED: AtomicBool = AtomicBool::new(false);
macro_rules! exports {
    ($($rows:tt)*) => { export_libcalls!(Native $($rows)*); };
}
for_each_libcall!(exports);

macro_rules! addresses {
    ($($name:ident $parameters:tt -> $result:tt = $function:path;)*) => {
        /// All libcalls: the names of their functions, and the addresses.
        pub fn services() -> impl Iterator<Item = (&'static str, usize)> {
            [$( (concat!("rt_", stringify!($name)), exported::$name as *const () as usize) ),*].into_iter()
        }
    };
}
for_each_libcall!(addresses);

/// The statistics of the last program, brought up to date.
pub fn statistics() -> Statistics {
    Native.state().gc.statistics
}

/// Runs a program to its end and returns its status.
///
/// # Safety
/// The record must describe a program that the compiler has made, and the lists must be as `Words` says.
pub unsafe fn run(program: Program, words: Words) -> Result<u32, Problem> {
    if BUSY.swap(true, Ordering::Acquire) {
        return Err(Problem::Busy);
    }
    // SAFETY: `BUSY` is ours; the record is as the caller promises.
    let result = unsafe { run_alone(program, words) };
    BUSY.store(false, Ordering::Release);
    result
}

/// The same, where nobody else runs a program.
///
/// # Safety
/// As for `run`; and no other thread of this process may run a program meanwhile.
unsafe fn run_alone(program: Program, words: Words) -> Result<u32, Problem> {
    let c = &mut Native;
    let end = os::pages(u64::from(START) + program.length);
    if end > u64::from(HEAP_END) || !os::map_at(u64::from(START), end - u64::from(START)) {
        return Err(Problem::Addresses);
    }
    // SAFETY: the memory has just been mapped; nobody else looks at these cells now.
    unsafe {
        core::ptr::copy_nonoverlapping(program.bytes, START as usize as *mut u8, program.length as usize);
        // It is new the first time: writing it would only make its pages resident.
        if USED.swap(true, Ordering::Relaxed) {
            forget(c);
        }
        *RUN.words.get() = words;
        *RUN.mapped.get() = end;
        *RUN.program.get() = Some(program);
    }
    c.state_mut().gc.stack_base = START;
    // SAFETY: `run_alone` has put the program there.
    let record = unsafe { (*RUN.program.get()).as_ref().map_or(0, |program| program.record) } as u32;
    // The data section may say that the heap begins after memory that is not in its bytes.
    let heap_base = c.load_u32(record + crate::layout::PROGRAM_HEAP_BASE);
    if !c.grow_to(heap_base.into()) {
        return Err(Problem::Addresses);
    }
    // On the stack of the caller: the size of the other one is an option.
    // SAFETY: `prepare` is in the system's convention.
    let status = unsafe { stack::enter(prepare, 0, RUN.saved.get()) };
    let result = match status {
        PREPARED => run_on_stack(c),
        status => Ok(status),
    };
    crate::gc::heap::update_statistics(c);
    // SAFETY: the program has ended.
    os::unmap(u64::from(START), unsafe { *RUN.mapped.get() } - u64::from(START));
    result
}

/// The state is that before any program.
///
/// # Safety
/// No program runs.
unsafe fn forget(c: &mut Native) {
    // SAFETY: as the caller says.
    unsafe { *RUN.state.get() = State::new() };
    c.store_to_c(variables::address(crate::clean::state::RETURN_CODE), 0);
}

/// Who asks for a larger stack than the usual one, to recurse deeper, is told what references get.
const WARNED_STACK: u64 = 512 << 20;

/// The arguments of a call of a library name something that is not there; the program has not been called.
#[cfg(feature = "standalone")]
const REFUSED: u32 = u32::MAX - 1;

extern "C" fn prepare() -> u32 {
    let c = &mut Native;
    // SAFETY: `run` has put a program there.
    let record = unsafe { (*RUN.program.get()).as_ref().map_or(0, |program| program.record) };
    let Ok(_) = crate::base::start::prepare(c, record as u32);
    // As a part of 4 GiB cannot be more, the program would not get what it asks for.
    if c.state().gc.options.heap_limit > u64::from(HEAP_END - START) {
        const _: () = assert!((HEAP_END - START) >> 20 == 3328, "the message says it");
        crate::base::console::message(c, b"The heap is too large: it can have at most 3328m.\n");
        return crate::base::error::FAILURE;
    }
    if c.state().base.options.stack_size > WARNED_STACK {
        const _: () = assert!((START - SHADOW_LOW) >> 20 == 240, "the message says it");
        const TEXT: &[u8] =
            b"Warning: references have a stack of at most 240m (62 million), however large the stack is.\n";
        crate::base::console::message(c, TEXT);
    }
    PREPARED
}

fn run_on_stack(c: &mut Native) -> Result<u32, Problem> {
    let stacks = stack::Stacks::map(c.state().base.options.stack_size)?;
    // SAFETY: `run` has put lists there; options have been read.
    unsafe { variables::set(context::words().arguments, c.state().base.own_arguments as usize) };
    let old = faults::install(&stacks, faults::ALL_FAULTS);
    // SAFETY: the stack is mapped; `program` is in the system's convention.
    let status = unsafe { stack::enter(start, stacks.top(), RUN.saved.get()) };
    faults::restore(&old);
    stacks.unmap();
    Ok(status)
}

extern "C" fn start() -> u32 {
    // SAFETY: `run` has put a program there.
    unsafe {
        if let Some(program) = &*RUN.program.get() {
            (program.main)(START);
        }
    }
    let Ok(()) = crate::base::error::end(&mut Native);
    0
}

/// What an executable starts with.
#[cfg(feature = "standalone")]
mod standalone {
    use super::*;

    unsafe extern "C" {
        static cleave_program: Program;
    }

    /// Called by the C library.
    #[unsafe(no_mangle)]
    extern "C" fn main(_: i32, arguments: *const *const u8, environment: *const *const u8) -> i32 {
        // SAFETY: the compiler has put the record of the program there; the lists come from the C library.
        let result = unsafe { run(core::ptr::read(&raw const cleave_program), Words { arguments, environment }) };
        match result {
            Ok(status) => status as i32,
            Err(problem) => {
                let text: &[u8] = match problem {
                    Problem::Addresses => b"The addresses below 4 GiB, which this program needs, are not available.\n",
                    Problem::Stack(_) => b"There is not enough memory for the stack: try a smaller -s.\n",
                    Problem::Busy => b"",
                };
                let _ = os::write(2, text);
                255
            }
        }
    }

    /// No message: a panic of the runtime is a defect, and looks like one.
    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo) -> ! {
        os::abort()
    }
}
