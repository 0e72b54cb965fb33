//! The context of programs in machine code: their memory, and the C library as their host.

use super::address_space::{HEAP_END, START};
use super::running::{RUN, Words};
use super::{ffi, os, paths, stack, stack_maps, trace, variables};
use crate::base::error::FAILURE;
use crate::platform::path::MAX_PATH;
use crate::platform::{
    Arguments, DirectoryEntry, FileIdentity, FileStatus, Host, Io, Memory, OpenFlags, OpenMode, Posix, Whence,
};
use crate::state::{Context, State};

/// The heap is mapped in pieces of at least this many bytes.
const PIECE: u64 = 4 << 20;

/// Status of a program whose output nobody reads: what a shell shows for the signal.
const CLOSED_PIPE: u32 = 141;

/// A program that ends goes back to `run`.
pub enum Never {}

/// The one context.
pub struct Native;

impl Memory for Native {
    direct_memory!();
    #[inline(always)]
    fn prefetch(&self, address: u32) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: reads nothing that the program could notice, whatever the address is.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address as usize as *const i8) }
    }
    fn copy_from_c(&mut self, from: i64, to: u32, bytes: u32) {
        // SAFETY: the address comes from C code, which the program trusts.
        unsafe { core::ptr::copy(from as usize as *const u8, to as usize as *mut u8, bytes as usize) }
    }
    fn copy_in_c(&mut self, from: i64, to: i64, bytes: u64) {
        // SAFETY: one is an object of the program or a copy of it, the other a block as large.
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
        // SAFETY: one thread.
        if unsafe { *RUN.keep.get() }.is_some_and(|keep| keep(file, bytes)) {
            return Ok(bytes.len());
        }
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
    fn processor_ns(&mut self) -> u64 {
        os::clock_ns(os::THREAD)
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
        let mut name = [0; MAX_PATH + 1];
        let place = name.get_mut(..path.len()).filter(|_| path.len() <= MAX_PATH).ok_or(())?;
        place.copy_from_slice(path);
        os::open(&name, mode)
    }
    fn close(&mut self, file: u32) -> Io<()> {
        os::close(file)
    }
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        os::seek(file, offset, whence)
    }
    fn allocate_for_c(&mut self, bytes: u64) -> i64 {
        os::allocate(bytes as usize) as i64
    }
    fn release_for_c(&mut self, block: i64) {
        os::release(block as usize);
    }
    fn call_c(&mut self, address: u64, arguments: &Arguments) -> (i64, f64) {
        // SAFETY: the linker or the JIT has put the address of a C function there; that it takes these arguments is
        // what the program says.
        unsafe { ffi::call(address as usize, arguments) }
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

pub fn words() -> Words {
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
    fn copy_in_machine_roots(&mut self, sp: u32) -> u32 {
        stack_maps::lift(self, sp)
    }
    fn copy_out_machine_roots(&mut self, lifted: u32, sp: u32) {
        stack_maps::lower(self, lifted, sp);
    }
}
