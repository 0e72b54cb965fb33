//! Wasm: memory is the linear memory itself, the host is WASI preview 1, libcalls are exported functions.
//!
//! The context has no size and `Exit` no values, so all that remains of the generic code is plain loads, stores and
//! calls. The program (merged with this module) provides `env.cleave_main`, which runs its start label with an empty
//! shadow stack, `env.cleave_eval`, which evaluates a node, `env.cleave_call_c`, which calls the C function with a
//! number, and `env.cleave_end`, in which C functions end their work.

use super::{paths, refused};
use crate::base::console::STDERR;
use crate::base::state::Flush;
use crate::gc::state::CycleWork;
use crate::layout::ANY_STATUS;
use crate::libcalls::for_each_libcall;
use crate::platform::Arguments;
use crate::platform::{DirectoryEntry, FileIdentity, FileStatus, Host, Io, Memory, OpenFlags, OpenMode, Posix, Whence};
use crate::state::{Context, State};
use core::cell::UnsafeCell;

/// The end of a program is the end of its instance.
pub enum Never {}

/// The one context.
pub struct Wasm;

/// Status of a program whose output nobody reads: that of a signal (141) is refused by some engines, in words.
const CLOSED_PIPE: u32 = 1;

/// Engines refuse larger ones, unless they say otherwise.
const LARGEST_STATUS: u32 = 125;

struct Cell(UnsafeCell<State>);
// SAFETY: a Wasm instance has one thread.
unsafe impl Sync for Cell {}
static STATE: Cell = Cell(UnsafeCell::new(State::new()));

/// Where a C function leaves what it returns.
#[repr(C)]
struct Results {
    word: i64,
    real: f64,
    /// What is in the variable `return_code`.
    status: u32,
}

mod env {
    use super::Results;
    use crate::platform::Arguments;

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        pub fn cleave_main(sp: u32);
        pub fn cleave_eval(sp: u32, node: u32) -> u32;
        pub fn cleave_call_c(function: u32, arguments: *const Arguments, results: *mut Results);
        pub fn cleave_end();
    }
}

pub(super) mod wasi {
    /// A piece of memory to write from or read into.
    #[repr(C)]
    pub struct Piece {
        pub address: *mut u8,
        pub length: usize,
    }

    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    unsafe extern "C" {
        pub fn fd_write(file: u32, pieces: *const Piece, count: usize, written: *mut usize) -> u32;
        pub fn fd_read(file: u32, pieces: *const Piece, count: usize, read: *mut usize) -> u32;
        pub fn proc_exit(status: u32) -> !;
        pub fn args_sizes_get(count: *mut u32, bytes: *mut u32) -> u32;
        pub fn args_get(table: u32, bytes: u32) -> u32;
        pub fn environ_sizes_get(count: *mut u32, bytes: *mut u32) -> u32;
        pub fn environ_get(table: u32, bytes: u32) -> u32;
        pub fn clock_time_get(clock: u32, precision: u64, time: *mut u64) -> u32;
        pub fn poll_oneoff(wanted: *const [u64; 6], events: *mut [u64; 4], count: usize, done: *mut usize) -> u32;
        pub fn fd_fdstat_get(file: u32, status: *mut [u64; 3]) -> u32;
        pub fn fd_close(file: u32) -> u32;
        pub fn fd_seek(file: u32, offset: i64, whence: u32, position: *mut u64) -> u32;
        pub fn fd_prestat_get(file: u32, prestat: *mut [u32; 2]) -> u32;
        pub fn fd_prestat_dir_name(file: u32, path: *mut u8, length: usize) -> u32;
        pub fn fd_filestat_get(file: u32, stat: *mut [u64; 8]) -> u32;
        pub fn path_open(
            directory: u32,
            lookup: u32,
            path: *const u8,
            length: usize,
            creation: u32,
            rights: u64,
            inherited: u64,
            flags: u32,
            file: *mut u32,
        ) -> u32;
    }
    pub const CLOCK_REALTIME: u32 = 0;
    pub const CLOCK_MONOTONIC: u32 = 1;
    pub const LOOKUP_FOLLOW: u32 = 1;
    pub const CREATE: u32 = 1;
    pub const TRUNCATE: u32 = 8;
    pub const RIGHT_READ: u64 = 1 << 1;
    pub const RIGHT_SEEK: u64 = 1 << 2;
    pub const RIGHT_TELL: u64 = 1 << 5;
    pub const RIGHT_WRITE: u64 = 1 << 6;
    pub const RIGHT_STAT: u64 = 1 << 21;
    /// File types.
    pub const CHARACTER_DEVICE: u64 = 2;
    pub const DIRECTORY: u64 = 3;
    pub const REGULAR: u64 = 4;
    /// What a call waits for.
    pub const CAN_READ: u64 = 1;
    pub const CAN_WRITE: u64 = 2;
    /// Failures.
    pub const AGAIN: u32 = 6;
    pub const IO: u32 = 29;
    pub const PIPE: u32 = 64;
    /// The first descriptor that can be a preopened directory.
    pub const FIRST_PREOPEN: u32 = 3;
}

/// Repeats a call until the file is ready for it: in node, a pipe never blocks once the script has touched
/// `process.stdout`.
fn ready(file: u32, event: u64, mut call: impl FnMut() -> u32) -> u32 {
    loop {
        let result = call();
        if result != wasi::AGAIN {
            return result;
        }
        // A subscription: a word of ours, the event, the file.
        let wanted = [0, event, file.into(), 0, 0, 0];
        let (mut events, mut count) = ([0; 4], 0);
        // SAFETY: all of them live during the call. Should waiting fail, the call itself says why.
        unsafe { wasi::poll_oneoff(&wanted, &mut events, 1, &mut count) };
    }
}

impl Memory for Wasm {
    direct_memory!();
    #[inline(always)]
    fn size(&self) -> u64 {
        (core::arch::wasm32::memory_size(0) as u64) << 16
    }
    #[inline(never)]
    fn grow_to(&mut self, bytes: u64) -> bool {
        let size = self.size();
        if bytes <= size {
            return true;
        }
        let pages = (bytes - size).div_ceil(1 << 16) as usize;
        core::arch::wasm32::memory_grow(0, pages) != usize::MAX
    }
}

impl Host for Wasm {
    type Exit = Never;
    const FAULTS_LOSE_OUTPUT: bool = true;

    fn exit(&mut self, status: u32) -> Never {
        let mut count = 0;
        // SAFETY: C functions write what they have buffered; nothing is written to a file that does not exist; the last
        // call never returns.
        unsafe {
            env::cleave_end();
            let mut takes_any = || wasi::fd_write(ANY_STATUS, core::ptr::null(), 0, &mut count) == 0;
            wasi::proc_exit(if status <= LARGEST_STATUS || takes_any() { status } else { 1 })
        }
    }
    #[inline(always)]
    fn c_word(&self) -> u32 {
        4
    }
    fn call_c(&mut self, function: u64, arguments: &Arguments) -> (i64, f64) {
        let mut results = Results { word: 0, real: 0.0, status: 0 };
        // SAFETY: the compiler has made the function from the types of the C function and of its calls.
        unsafe { env::cleave_call_c(function as u32, arguments, &mut results) };
        if results.status != 0 {
            let Ok(()) = crate::clean::ffi::variables::set_return_code(self, i64::from(results.status));
        }
        (results.word, results.real)
    }
    #[inline(always)]
    fn eval(&mut self, sp: u32, node: u32) -> Result<u32, Never> {
        // SAFETY: compiled code keeps the conventions of the program record.
        Ok(unsafe { env::cleave_eval(sp, node) })
    }
    fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        let piece = wasi::Piece { address: bytes.as_ptr().cast_mut(), length: bytes.len() };
        let mut count = 0;
        // SAFETY: the piece is only read, and lives during the call.
        let result = ready(file, wasi::CAN_WRITE, || unsafe { wasi::fd_write(file, &piece, 1, &mut count) });
        // Where nobody reads any more nothing is left to do, and a program may print for ever. Engines without a signal
        // for that tell it in two ways: wasmtime says of the standard channels only that they failed.
        if result == wasi::PIPE || result == wasi::IO && file <= STDERR {
            // SAFETY: never returns.
            unsafe { wasi::proc_exit(CLOSED_PIPE) }
        }
        if result == 0 { Ok(count) } else { Err(()) }
    }
    fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize> {
        let piece = wasi::Piece { address: bytes.as_mut_ptr(), length: bytes.len() };
        let mut count = 0;
        // SAFETY: the piece lives during the call.
        let result = ready(file, wasi::CAN_READ, || unsafe { wasi::fd_read(file, &piece, 1, &mut count) });
        if result == 0 { Ok(count) } else { Err(()) }
    }
    fn is_terminal(&mut self, file: u32) -> bool {
        // Type, flags, rights: what can seek is some other device.
        let mut status = [0u64; 3];
        // SAFETY: `status` has the 24 bytes of a fdstat.
        let known = unsafe { wasi::fd_fdstat_get(file, &mut status) } == 0;
        known && status[0] & 255 == wasi::CHARACTER_DEVICE && status[1] & (wasi::RIGHT_SEEK | wasi::RIGHT_TELL) == 0
    }
    direct_files!();
    fn clock_ns(&mut self) -> u64 {
        clock(wasi::CLOCK_MONOTONIC)
    }
    fn wall_clock_ns(&mut self) -> u64 {
        clock(wasi::CLOCK_REALTIME)
    }
    fn arguments_size(&mut self) -> (u32, u32) {
        let (mut count, mut bytes) = (0, 0);
        // SAFETY: writes two numbers.
        if unsafe { wasi::args_sizes_get(&mut count, &mut bytes) } == 0 { (count, bytes) } else { (0, 0) }
    }
    fn load_arguments(&mut self, table: u32, bytes: u32) -> bool {
        // SAFETY: the caller has provided memory of the sizes that were asked for.
        unsafe { wasi::args_get(table, bytes) == 0 }
    }
    fn environment_size(&mut self) -> (u32, u32) {
        let (mut count, mut bytes) = (0, 0);
        // SAFETY: writes two numbers.
        if unsafe { wasi::environ_sizes_get(&mut count, &mut bytes) } == 0 { (count, bytes) } else { (0, 0) }
    }
    fn load_environment(&mut self, table: u32, bytes: u32) -> bool {
        // SAFETY: as for arguments.
        unsafe { wasi::environ_get(table, bytes) == 0 }
    }
    fn open(&mut self, path: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
        let (directory, below) = paths::preopened(path).ok_or(())?;
        let read = wasi::RIGHT_READ | wasi::RIGHT_SEEK | wasi::RIGHT_TELL | wasi::RIGHT_STAT;
        let write = wasi::RIGHT_WRITE | wasi::RIGHT_SEEK | wasi::RIGHT_TELL | wasi::RIGHT_STAT;
        let (creation, rights) = match mode {
            OpenMode::Read => (0, read),
            OpenMode::Write => (wasi::CREATE | wasi::TRUNCATE, write),
            OpenMode::Update => (0, read | write),
        };
        let (mut file, mut stat) = (0, [0; 8]);
        // SAFETY: all pointers live during the calls; `stat` has the 64 bytes of a filestat.
        unsafe {
            let result = wasi::path_open(
                directory,
                wasi::LOOKUP_FOLLOW,
                below.as_ptr(),
                below.len(),
                creation,
                rights,
                0,
                0,
                &mut file,
            );
            if result != 0 {
                refused::note_failure(result, path);
                return Err(());
            }
            let known = wasi::fd_filestat_get(file, &mut stat) == 0;
            // As in C a folder can be opened for reading, which then fails.
            if known && stat[2] & 255 == wasi::DIRECTORY && mode != OpenMode::Read {
                wasi::fd_close(file);
                return Err(());
            }
            // Only regular files have an identity; two terminals are not the same file opened twice.
            if !known || stat[2] & 255 != wasi::REGULAR {
                stat = [0; 8];
            }
        }
        Ok((file, FileIdentity { device: stat[0], number: stat[1] }))
    }
    fn close(&mut self, file: u32) -> Io<()> {
        // SAFETY: a descriptor is a number.
        if unsafe { wasi::fd_close(file) } == 0 { Ok(()) } else { Err(()) }
    }
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        let mut position = 0;
        // SAFETY: writes one number.
        if unsafe { wasi::fd_seek(file, offset, whence as u32, &mut position) } == 0 { Ok(position) } else { Err(()) }
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

/// Nanoseconds of a clock.
fn clock(number: u32) -> u64 {
    let mut time = 0;
    // SAFETY: writes one number.
    unsafe { wasi::clock_time_get(number, 1000, &mut time) };
    time
}

impl Context for Wasm {
    #[inline(always)]
    fn state(&self) -> &State {
        // SAFETY: one thread, and no reference is kept across a call that gives another one.
        unsafe { &*STATE.0.get() }
    }
    #[inline(always)]
    fn state_mut(&mut self) -> &mut State {
        // SAFETY: as above, and `&mut self` excludes other borrows within this crate.
        unsafe { &mut *STATE.0.get() }
    }
    direct_state!(Wasm);

    #[inline(always)]
    fn make_eden(&mut self) -> Result<(), Never> {
        rt_part_gc();
        Ok(())
    }
    #[inline(always)]
    fn incremental(&mut self) {
        rt_part_incremental();
    }
    #[inline(always)]
    fn cycles(&mut self, work: CycleWork) {
        self.state_mut().gc.cycle_work = work;
        rt_part_cycles();
    }
    #[inline(always)]
    fn read_options(&mut self) -> Result<(), Never> {
        rt_part_options();
        Ok(())
    }
    #[inline(always)]
    fn show_reports(&mut self) {
        rt_part_reports();
    }
    #[inline(always)]
    fn flush_files(&mut self) {
        rt_part_files();
    }
    #[inline(always)]
    fn show_rc_stats(&mut self) {
        rt_part_rc_stats();
    }
}

// Parts that the compiler empties in a program which does not need them (`targets/wasm/link_runtime.rs`). They take and
// give nothing, so that no code around them knows what they do.

/// For programs with a collector.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_gc() {
    let Ok(()) = crate::gc::heap::make_eden(&mut Wasm);
}

/// For programs that may be told to collect incrementally.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_incremental() {
    crate::gc::incremental::perform(&mut Wasm);
}

/// For programs on the reference-counted heap that may make cycles.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_cycles() {
    let work = Wasm.state().gc.cycle_work;
    crate::rc::cycles::perform(&mut Wasm, work);
}

/// For programs that are given options when they run.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_options() {
    let Ok(()) = crate::base::options::read(&mut Wasm);
}

/// For the same programs.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_reports() {
    crate::base::report::show(&mut Wasm);
}

/// For programs that can open files.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_files() {
    crate::base::stream::flush_all(&mut Wasm);
}

/// For programs that count their references.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn rt_part_rc_stats() {
    crate::base::report::show_rc_stats(&mut Wasm);
}

/// Runs the program whose record is at this address. Returns when it has ended normally.
#[unsafe(no_mangle)]
pub extern "C" fn rt_main(program: u32) {
    let c = &mut Wasm;
    let Ok(sp) = crate::base::start::prepare(c, program);
    // SAFETY: the state is prepared.
    unsafe { env::cleave_main(sp) };
    let Ok(()) = crate::base::error::end(c);
}

/// For embedders that call `rt_flush` after a trap: before the start, says that nothing gets lost, and how many bytes
/// of the engine's stack functions may use; 0 if that is not known.
#[unsafe(no_mangle)]
pub extern "C" fn rt_embedded(stack: u32) {
    let mut context = Wasm;
    let options = &mut context.state_mut().base.options;
    (options.flush, options.engine_stack) = (Flush::Block, u64::from(stack));
}

/// Writes buffered output: for embedders, after a trap.
#[unsafe(no_mangle)]
pub extern "C" fn rt_flush() {
    crate::base::report::flush(&mut Wasm);
}

/// Address of the statistics (`state::Statistics`), brought up to date.
#[unsafe(no_mangle)]
pub extern "C" fn rt_statistics() -> u32 {
    let c = &mut Wasm;
    crate::gc::heap::update_statistics(c);
    &raw const c.state().gc.statistics as u32
}

macro_rules! exports {
    ($($rows:tt)*) => { export_libcalls!(Wasm $($rows)*); };
}
for_each_libcall!(exports);

/// No message: whoever embeds the module sees the trap.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
