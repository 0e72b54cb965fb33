//! x86-64 under Linux: memory is the lower four GiB of the process, the host is the C library.
//!
//! ```text
//! 0 … SHADOW_LOW        | shadow stack (grows ←) START | tables, image | heap →            HEAP_END | code of the JIT
//!     never mapped      |                              |  copied here  |  mapped as needed          |
//! ```
//! The program comes as a record (`Program`): in an executable it is the symbol `cleave_program` and `main` below starts
//! it; the JIT of the compiler fills one in and calls `run`. It runs on a machine stack of its own; `exit` goes back to
//! the stack of `run`, from any depth.
//!
//! Invariant: one program at a time; `run` refuses a second one.

pub mod faults;
mod foreign;
mod frames;
mod maps;
mod os;
mod paths;
pub mod stack;
mod trace;
pub mod variables;

use crate::base::error::FAILURE;
use crate::clean::foreign::call::Arguments;
use crate::services::for_each_service;
use crate::state::{State, Statistics};
use crate::system::{
    Context, DirectoryEntry, FileIdentity, FileStatus, Host, Io, Memory, OpenFlags, OpenMode, Posix, Whence,
};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// The place of the program in memory: the compiler's `targets/native/low.rs`, repeated.
/// Below the shadow stack nothing is mapped; an access this far down is an overflow. No frame is larger.
pub const SHADOW_GUARD: u32 = 0x0080_0000;
pub const SHADOW_LOW: u32 = 0x0100_0000;
pub const START: u32 = 0x1000_0000;
pub const HEAP_END: u32 = 0xe000_0000;

/// The heap is mapped in pieces of at least this many bytes.
const PIECE: u64 = 4 << 20;

/// A compiled program.
#[repr(C)]
pub struct Program {
    /// What belongs at `START`, and its length.
    pub bytes: *const u8,
    pub length: u64,
    /// Address of the program record.
    pub record: u64,
    /// Runs the start function with this shadow-stack pointer.
    pub main: unsafe extern "C" fn(sp: u32),
    /// Evaluates a node to head normal form: shadow-stack pointer, node.
    pub eval: unsafe extern "C" fn(sp: u32, node: u32) -> u32,
    /// The code, and its length.
    pub code: *const u8,
    pub code_length: u64,
    /// The table of names (`trace.rs`), or null.
    pub names: *const u8,
    /// The table of references in frames (`maps.rs`), or null.
    pub maps: *const u8,
}

/// Why a program could not be started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The addresses below four GiB are not to be had.
    Addresses,
    /// No stack of this many bytes.
    Stack(u64),
    /// A program is running already.
    Busy,
}

/// Arguments and environment in the form of C: lists of strings, each with a NULL at its end. The lists, as those of
/// C, may be written to.
#[derive(Clone, Copy)]
pub struct Words {
    pub arguments: *const *const u8,
    pub environment: *const *const u8,
}

/// Status of a program whose output nobody reads: what a shell shows for the signal.
const CLOSED_PIPE: u32 = 141;

/// A program that ends goes back to `run`.
pub enum Never {}

/// The one context.
pub struct Native;

struct Run {
    state: UnsafeCell<State>,
    program: UnsafeCell<Option<Program>>,
    words: UnsafeCell<Words>,
    /// End of the memory that is mapped from `START` on.
    mapped: UnsafeCell<u64>,
    /// What `stack::enter` keeps for `stack::leave`.
    saved: UnsafeCell<usize>,
}
// SAFETY: one thread runs a program at a time (`BUSY`).
unsafe impl Sync for Run {}

static BUSY: AtomicBool = AtomicBool::new(false);
/// Has a program run before?
static USED: AtomicBool = AtomicBool::new(false);
static RUN: Run = Run {
    state: UnsafeCell::new(State::new()),
    program: UnsafeCell::new(None),
    words: UnsafeCell::new(Words { arguments: core::ptr::null(), environment: core::ptr::null() }),
    mapped: UnsafeCell::new(0),
    saved: UnsafeCell::new(0),
};

impl Memory for Native {
    direct_memory!();
    fn copy_from_c(&mut self, from: i64, to: u32, bytes: u32) {
        // SAFETY: the address comes from C code, which the program trusts.
        unsafe { core::ptr::copy(from as usize as *const u8, to as usize as *mut u8, bytes as usize) }
    }
    fn load_from_c(&self, address: i64) -> u64 {
        // SAFETY: as above.
        unsafe { (address as usize as *const u64).read_unaligned() }
    }
    fn store_to_c(&mut self, address: i64, value: u64) {
        // SAFETY: as above.
        unsafe { (address as usize as *mut u64).write_unaligned(value) }
    }
    fn length_of_c(&self, address: i64) -> u32 {
        let mut length = 0;
        // SAFETY: as above; a text ends with a NUL.
        while address != 0 && unsafe { *(address as usize as *const u8).add(length) } != 0 {
            length += 1;
        }
        length as u32
    }
    #[inline(always)]
    fn size(&self) -> u64 {
        // SAFETY: one thread.
        unsafe { *RUN.mapped.get() }
    }
    #[inline(never)]
    fn grow_to(&mut self, bytes: u64) -> bool {
        let mapped = self.size();
        if bytes <= mapped {
            return true;
        }
        if bytes > u64::from(HEAP_END) {
            return false;
        }
        // Growing by a part of what there is keeps the number of calls small.
        let generous = bytes.max(mapped + PIECE.max((mapped - u64::from(START)) / 8));
        for wanted in [generous, bytes] {
            let end = os::pages(wanted).min(u64::from(HEAP_END));
            if os::map_at(mapped, end - mapped) {
                // SAFETY: one thread.
                unsafe { *RUN.mapped.get() = end };
                return true;
            }
        }
        false
    }
    fn discard(&mut self, start: u64, end: u64) {
        os::discard(start, end);
    }
}

impl Host for Native {
    type Exit = Never;

    fn exit(&mut self, status: u32) -> Never {
        if status == FAILURE {
            trace::print(self, None);
        }
        // SAFETY: programs run inside `stack::enter`, which has written `saved`.
        unsafe { stack::leave(status, *RUN.saved.get()) }
    }
    #[inline(always)]
    fn eval(&mut self, sp: u32, node: u32) -> Result<u32, Never> {
        // SAFETY: `run` has put a program there; compiled code keeps the conventions of the program record.
        Ok(unsafe { ((*RUN.program.get()).as_ref().unwrap_unchecked().eval)(sp, node) })
    }
    fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        let written = os::write(file, bytes);
        // The signal that ends a program then may be ignored, as whoever starts it likes.
        if written.is_err() && os::error() == os::BROKEN_PIPE {
            // SAFETY: as in `exit`.
            unsafe { stack::leave(CLOSED_PIPE, *RUN.saved.get()) }
        }
        written
    }
    fn is_terminal(&mut self, file: u32) -> bool {
        os::is_terminal(file)
    }
    fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize> {
        os::read(file, bytes)
    }
    direct_files!();
    fn clock_ns(&mut self) -> u64 {
        os::clock_ns(os::MONOTONIC)
    }
    fn wall_clock_ns(&mut self) -> u64 {
        os::clock_ns(os::REALTIME)
    }
    fn arguments_size(&mut self) -> (u32, u32) {
        size_of_words(words().arguments)
    }
    fn load_arguments(&mut self, table: u32, bytes: u32) -> bool {
        load_words(self, words().arguments, table, bytes);
        true
    }
    fn environment_size(&mut self) -> (u32, u32) {
        size_of_words(words().environment)
    }
    fn load_environment(&mut self, table: u32, bytes: u32) -> bool {
        load_words(self, words().environment, table, bytes);
        true
    }
    fn open(&mut self, path: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
        let mut name = [0; crate::state::MAX_PATH + 1];
        let place = name.get_mut(..path.len()).filter(|_| path.len() <= crate::state::MAX_PATH).ok_or(())?;
        place.copy_from_slice(path);
        os::open(&name, mode)
    }
    fn close(&mut self, file: u32) -> Io<()> {
        os::close(file)
    }
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        os::seek(file, offset, whence)
    }
    fn call_c(&mut self, address: u64, arguments: &Arguments) -> (i64, f64) {
        // SAFETY: the linker or the JIT has put the address of a C function there; that it takes these arguments is
        // what the program says.
        unsafe { foreign::call(address as usize, arguments) }
    }
    fn c_variable(&mut self, which: usize) -> i64 {
        variables::address(which)
    }
    fn file_status(&mut self, path: &[u8], follow_links: bool) -> Posix<FileStatus> {
        paths::file_status(path, follow_links)
    }
    fn create_directory(&mut self, path: &[u8]) -> Posix<()> {
        paths::create_directory(path)
    }
    fn remove_directory(&mut self, path: &[u8]) -> Posix<()> {
        paths::remove_directory(path)
    }
    fn remove_file(&mut self, path: &[u8]) -> Posix<()> {
        paths::remove_file(path)
    }
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Posix<()> {
        paths::rename(from, to)
    }
    fn open_descriptor(&mut self, path: &[u8], flags: OpenFlags) -> Posix<u32> {
        paths::open_descriptor(path, flags)
    }
    fn open_directory(&mut self, path: &[u8]) -> Posix<u32> {
        paths::open_directory(path)
    }
    fn directory_entry(&mut self, directory: u32, cookie: u64, name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
        paths::directory_entry(directory, cookie, name)
    }
}

fn words() -> Words {
    // SAFETY: written before the program starts.
    unsafe { *RUN.words.get() }
}

/// The strings of a list, without their NUL.
fn each_word(list: *const *const u8, mut with: impl FnMut(&[u8])) {
    if list.is_null() {
        return;
    }
    let mut next = list;
    // SAFETY: `Words` promises lists and strings in the form of C.
    unsafe {
        while !(*next).is_null() {
            let mut length = 0;
            while *(*next).add(length) != 0 {
                length += 1;
            }
            with(core::slice::from_raw_parts(*next, length));
            next = next.add(1);
        }
    }
}

fn size_of_words(list: *const *const u8) -> (u32, u32) {
    let (mut count, mut bytes) = (0, 0);
    each_word(list, |word| {
        count += 1;
        bytes += word.len() as u32 + 1;
    });
    (count, bytes)
}

fn load_words(c: &mut Native, list: *const *const u8, mut table: u32, mut bytes: u32) {
    each_word(list, |word| {
        c.store_u32(table, bytes);
        c.write_bytes(bytes, word);
        c.store_u8(bytes + word.len() as u32, 0);
        table += 4;
        bytes += word.len() as u32 + 1;
    });
}

impl Context for Native {
    #[inline(always)]
    fn state(&self) -> &State {
        // SAFETY: one thread, and no reference is kept across a call that gives another one.
        unsafe { &*RUN.state.get() }
    }
    #[inline(always)]
    fn state_mut(&mut self) -> &mut State {
        // SAFETY: as above, and `&mut self` excludes other borrows within this crate.
        unsafe { &mut *RUN.state.get() }
    }
    direct_state!(Native);
    fn lift_machine_roots(&mut self, sp: u32) -> u32 {
        maps::lift(self, sp)
    }
    fn lower_machine_roots(&mut self, lifted: u32, sp: u32) {
        maps::lower(self, lifted, sp);
    }
}

macro_rules! exports {
    ($($rows:tt)*) => { export_services!(Native $($rows)*); };
}
for_each_service!(exports);

macro_rules! addresses {
    ($($name:ident $parameters:tt -> $result:tt = $function:path;)*) => {
        /// Addresses of the functions of all services, in the order of their indices.
        pub fn services() -> impl Iterator<Item = usize> {
            [$( exported::$name as *const () as usize ),*].into_iter()
        }
    };
}
for_each_service!(addresses);

/// The statistics of the last program, brought up to date.
pub fn statistics() -> Statistics {
    Native.state().statistics
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
            *RUN.state.get() = State::new();
            c.store_to_c(variables::address(crate::clean::foreign::variables::RETURN_CODE), 0);
        }
        *RUN.words.get() = words;
        *RUN.mapped.get() = end;
        *RUN.program.get() = Some(program);
    }
    c.state_mut().stack_base = START;
    // SAFETY: `run_alone` has put the program there.
    let record = unsafe { (*RUN.program.get()).as_ref().map_or(0, |program| program.record) } as u32;
    // The image may say that the heap begins behind memory that is not in its bytes.
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

/// No status of a program.
const PREPARED: u32 = u32::MAX;

extern "C" fn prepare() -> u32 {
    let c = &mut Native;
    // SAFETY: `run` has put a program there.
    let record = unsafe { (*RUN.program.get()).as_ref().map_or(0, |program| program.record) };
    let Ok(_) = crate::base::start::prepare(c, record as u32);
    // As a part of 4 GiB cannot be more, the program would not get what it asks for.
    if c.state().options.heap_limit > u64::from(HEAP_END - START) {
        const _: () = assert!((HEAP_END - START) >> 20 == 3328, "the message says it");
        crate::base::console::message(c, b"The heap is too large: it can have at most 3328m.\n");
        return crate::base::error::FAILURE;
    }
    if c.state().options.stack_size > crate::base::start::WARNED_STACK {
        const _: () = assert!((START - SHADOW_LOW) >> 20 == 240, "the message says it");
        const TEXT: &[u8] =
            b"Warning: references have a stack of at most 240m (62 million), however large the stack is.\n";
        crate::base::console::message(c, TEXT);
    }
    PREPARED
}

fn run_on_stack(c: &mut Native) -> Result<u32, Problem> {
    let stacks = stack::Stacks::map(c.state().options.stack_size)?;
    // SAFETY: `run` has put lists there; options have been read.
    unsafe { variables::set(words().arguments, c.state().own_arguments as usize) };
    let old = faults::install(&stacks);
    // SAFETY: the stack is mapped; `program` is in the system's convention.
    let status = unsafe { stack::enter(start, stacks.top(), RUN.saved.get()) };
    faults::restore(old);
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
