//! The functions of the C library that the runtime uses, with the numbers of Linux on x86-64. Declared here, because
//! this crate depends on no other.

use crate::platform::{FileIdentity, Io, OpenMode, Whence};
use core::ffi::{c_int, c_long, c_void};

/// `struct sigaction` of glibc and musl.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Action {
    pub handler: usize,
    pub mask: [u64; 16],
    pub flags: c_int,
    pub restorer: usize,
}

/// `stack_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AlternateStack {
    pub start: *mut c_void,
    pub flags: c_int,
    pub size: usize,
}

mod c {
    use super::*;
    unsafe extern "C" {
        pub fn read(file: c_int, bytes: *mut c_void, count: usize) -> isize;
        pub fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
        pub fn open(path: *const u8, flags: c_int, mode: c_int) -> c_int;
        pub fn close(file: c_int) -> c_int;
        pub fn lseek(file: c_int, offset: i64, whence: c_int) -> i64;
        pub fn syscall(number: c_long, ...) -> c_long;
        pub fn clock_gettime(clock: c_int, time: *mut [i64; 2]) -> c_int;
        pub fn mmap(
            start: *mut c_void,
            bytes: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        pub fn malloc(bytes: usize) -> *mut c_void;
        pub fn free(block: *mut c_void);
        pub fn munmap(start: *mut c_void, bytes: usize) -> c_int;
        pub fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
        pub fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
        pub fn sigaltstack(new: *const AlternateStack, old: *mut AlternateStack) -> c_int;
        #[cfg(feature = "standalone")]
        pub fn abort() -> !;
        pub fn __errno_location() -> *mut c_int;
    }
}

/// A block of the C library, or 0.
pub fn allocate(bytes: usize) -> usize {
    // SAFETY: any number of bytes may be asked for.
    unsafe { c::malloc(bytes) as usize }
}

/// Gives it back.
pub fn release(block: usize) {
    // SAFETY: it comes from `allocate`, and nobody uses it any more.
    unsafe { c::free(block as *mut c_void) }
}

/// A call of the kernel: its result, or the number of its failure.
pub fn call(number: c_long, first: c_long, second: c_long, third: c_long) -> Result<u32, u32> {
    // SAFETY: the callers pass what the call asks for.
    let result = unsafe { c::syscall(number, first, second, third) };
    u32::try_from(result).map_err(|_| error() as u32)
}

const FSTAT: c_long = 5;
const IOCTL: c_long = 16;
/// Asks a terminal for its settings.
const TCGETS: c_long = 0x5401;
const POLL: c_long = 7;
/// What a call waits for.
const CAN_READ: u64 = 1;
const CAN_WRITE: u64 = 4;
const INTERRUPTED: c_int = 4;
const WOULD_BLOCK: c_int = 11;
pub const BROKEN_PIPE: c_int = 32;
pub const REALTIME: c_int = 0;
pub const MONOTONIC: c_int = 1;
/// Time that this thread has had a processor.
pub const THREAD: c_int = 3;

const READ_WRITE: c_int = 3;
const PRIVATE: c_int = 2;
const FIXED_NOREPLACE: c_int = 0x10_0000;
const ANONYMOUS: c_int = 0x20;
const NO_RESERVE: c_int = 0x4000;
const NOT_NEEDED: c_int = 4;
const FAILED: usize = usize::MAX;

const WRITE_ONLY: c_int = 1;
const BOTH: c_int = 2;
const CREATE: c_int = 0o100;
const TRUNCATE: c_int = 0o1000;
const CLOSE_ON_EXEC: c_int = 0o2000000;
/// Type of a file in its mode.
const TYPE: u32 = 0o170000;
const DIRECTORY: u32 = 0o040000;
const REGULAR: u32 = 0o100000;

const PAGE: u64 = 4096;

/// A number of bytes rounded up to whole pages.
pub fn pages(bytes: u64) -> u64 {
    bytes.next_multiple_of(PAGE)
}

pub fn error() -> c_int {
    // SAFETY: the address of this thread's number.
    unsafe { *c::__errno_location() }
}

/// Repeats a call that a signal has interrupted.
fn repeated(mut call: impl FnMut() -> isize) -> Io<usize> {
    loop {
        let result = call();
        if result >= 0 {
            return Ok(result as usize);
        }
        if error() != INTERRUPTED {
            return Err(());
        }
    }
}

/// Repeats a call until the file is ready for it: whoever shares a pipe with us may have made it one that never blocks.
fn ready(file: u32, event: u64, mut call_once: impl FnMut() -> isize) -> Io<usize> {
    loop {
        let result = repeated(&mut call_once);
        if result.is_ok() || error() != WOULD_BLOCK {
            return result;
        }
        // A `struct pollfd`: the file, what is waited for, what has come.
        let mut wanted = u64::from(file) | event << 32;
        // Should waiting fail, the call itself says why.
        let _ = call(POLL, (&raw mut wanted) as c_long, 1, -1);
    }
}

pub fn write(file: u32, bytes: &[u8]) -> Io<usize> {
    // SAFETY: the bytes live during the call.
    ready(file, CAN_WRITE, || unsafe { c::write(file as c_int, bytes.as_ptr().cast(), bytes.len()) })
}

pub fn read(file: u32, bytes: &mut [u8]) -> Io<usize> {
    // SAFETY: the bytes live during the call.
    ready(file, CAN_READ, || unsafe { c::read(file as c_int, bytes.as_mut_ptr().cast(), bytes.len()) })
}

pub fn is_terminal(file: u32) -> bool {
    // The settings have 36 bytes.
    let mut settings = [0u64; 8];
    call(IOCTL, file.into(), TCGETS, settings.as_mut_ptr() as c_long).is_ok()
}

/// Opens the file with this name, which ends with a NUL.
pub fn open(name: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
    let flags = match mode {
        OpenMode::Read => 0,
        OpenMode::Write => WRITE_ONLY | CREATE | TRUNCATE,
        OpenMode::Update => BOTH,
    };
    // SAFETY: the name is a string of C.
    let file = repeated(|| unsafe { c::open(name.as_ptr(), flags | CLOSE_ON_EXEC, 0o666) } as isize)?;
    // st_dev, st_ino, st_nlink, st_mode, …
    let mut stat = [0u64; 18];
    // SAFETY: `stat` has the 144 bytes of a `struct stat`.
    let known = unsafe { c::syscall(FSTAT, file as c_long, stat.as_mut_ptr()) } == 0;
    let kind = stat[3] as u32 & TYPE;
    // As in C a folder can be opened for reading, which then fails.
    if known && kind == DIRECTORY && mode != OpenMode::Read {
        let _ = close(file as u32);
        return Err(());
    }
    // Only regular files have an identity; two terminals are not the same file opened twice.
    if !known || kind != REGULAR {
        stat = [0; 18];
    }
    Ok((file as u32, FileIdentity { device: stat[0], number: stat[1] }))
}

pub fn close(file: u32) -> Io<()> {
    // SAFETY: a descriptor is a number.
    if unsafe { c::close(file as c_int) } == 0 { Ok(()) } else { Err(()) }
}

pub fn seek(file: u32, offset: i64, whence: Whence) -> Io<u64> {
    // SAFETY: numbers only.
    let position = unsafe { c::lseek(file as c_int, offset, whence as c_int) };
    u64::try_from(position).map_err(drop)
}

/// Nanoseconds of a clock.
pub fn clock_ns(clock: c_int) -> u64 {
    let mut time = [0; 2];
    // SAFETY: writes a `struct timespec`.
    unsafe { c::clock_gettime(clock, &mut time) };
    time[0] as u64 * 1_000_000_000 + time[1] as u64
}

/// Maps memory at an address where nothing is yet.
pub fn map_at(address: u64, bytes: u64) -> bool {
    let start = address as usize as *mut c_void;
    // SAFETY: replaces no other mapping.
    let place = unsafe {
        c::mmap(start, bytes as usize, READ_WRITE, PRIVATE | ANONYMOUS | NO_RESERVE | FIXED_NOREPLACE, -1, 0)
    };
    if place == start {
        return true;
    }
    // A kernel that does not know the flag takes the address for a hint.
    if place as usize != FAILED {
        unmap(place as u64, bytes);
    }
    false
}

/// Maps memory somewhere, above a guard of the first `guard` bytes.
pub fn map_guarded(bytes: u64, guard: u64) -> Option<u64> {
    let all = (bytes + guard) as usize;
    let flags = PRIVATE | ANONYMOUS | NO_RESERVE;
    // SAFETY: reserves addresses that nobody uses, then makes a part of them usable.
    unsafe {
        let start = c::mmap(core::ptr::null_mut(), all, 0, flags, -1, 0);
        if start as usize == FAILED {
            return None;
        }
        const FIXED: c_int = 0x10;
        let usable = start.byte_add(guard as usize);
        if c::mmap(usable, bytes as usize, READ_WRITE, flags | FIXED, -1, 0) != usable {
            c::munmap(start, all);
            return None;
        }
        Some(start as u64)
    }
}

pub fn unmap(address: u64, bytes: u64) {
    // SAFETY: only what this module has mapped.
    unsafe { c::munmap(address as usize as *mut c_void, bytes as usize) };
}

/// Gives the whole pages between two addresses back; they are zero when they are next used.
pub fn discard(start: u64, end: u64) {
    let (start, end) = (pages(start), end & !(PAGE - 1));
    if start < end {
        // SAFETY: only what this module has mapped, and nobody needs. Failure means that the pages stay.
        unsafe { c::madvise(start as usize as *mut c_void, (end - start) as usize, NOT_NEEDED) };
    }
}

/// Sets what a signal does and returns what it did.
pub fn action(signal: c_int, new: &Action) -> Action {
    let mut old = Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    // SAFETY: both structures are those of the C library.
    unsafe { c::sigaction(signal, new, &mut old) };
    old
}

/// Sets the stack of signal handlers and returns the one before.
pub fn alternate_stack(new: &AlternateStack) -> AlternateStack {
    let mut old = AlternateStack { start: core::ptr::null_mut(), flags: 0, size: 0 };
    // SAFETY: both structures are those of the C library.
    unsafe { c::sigaltstack(new, &mut old) };
    old
}

#[cfg(feature = "standalone")]
pub fn abort() -> ! {
    // SAFETY: does not return.
    unsafe { c::abort() }
}
