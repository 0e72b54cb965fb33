//! Libraries: C calls functions of a program. The compiler makes their symbols (`targets/native/library.rs`):
//!
//! ```text
//! lib_greet ── rax: entry, r10: faults ──▶ cleave_library_call ── registers ──▶ call ── other stack ──▶ entry(sp, registers)
//! ```
//! The first call makes an instance, that after an error another one, at the same addresses; the buffer with results
//! stays. Between calls nothing of the process is changed: signals do what they did, and the caller's stack is its own.
//! One thread at a time (`lock.rs`): a lock that is taken is an error of the caller, unless the program has called a
//! function of C (`call_back.rs`), which calls the program.

use super::address_space::{HEAP_END, Problem, START};
use super::context::Native;
use super::running::{Program, RUN, Words, stacks};
use super::stack::{Entry, Stacks};
use super::texts::{Text, inner};
use super::{PREPARED, REFUSED, WAITS, faults, forget, lock, objects, os, prepare, stack};
use crate::base::decimal::Line;
use crate::layout::PROGRAM_HEAP_BASE;
use crate::platform::Memory;
use crate::state::Context;
use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicPtr, Ordering};

unsafe extern "C" {
    static cleave_program: Program;
    static environ: *const *const u8;
}

/// What a call says, as in the header for C.
pub const FINE: u32 = 0;
pub const FAILED: u32 = 1;
const IS_BUSY: u32 = 2;
const UNAVAILABLE: u32 = 3;

/// Bytes of the text of an error, and of what was printed last.
const TEXT: usize = 4096;
const LINE: usize = 256;

pub struct Library {
    /// The call that is being made.
    entry: UnsafeCell<Option<Entry>>,
    registers: UnsafeCell<*const u64>,
    /// There is an instance; its start function has run.
    is_ready: UnsafeCell<bool>,
    has_started: UnsafeCell<bool>,
    /// Of the instance; another one has another number.
    pub instance: UnsafeCell<u64>,
    /// Where the shadow stack and the machine stack of the next call begin; 0: where the stack of machines does.
    pub pointer: UnsafeCell<u32>,
    pub stack: UnsafeCell<usize>,
    /// How many calls wait for functions of C.
    pub depth: UnsafeCell<u32>,
    /// The faults whose signals are taken from the host.
    faults: UnsafeCell<u32>,
    text: UnsafeCell<Text<TEXT>>,
    line: UnsafeCell<Text<LINE>>,
}
// SAFETY: who looks at it has the lock; the text of an error stays as it is until the next call.
unsafe impl Sync for Library {}

pub static LIBRARY: Library = Library {
    entry: UnsafeCell::new(None),
    registers: UnsafeCell::new(core::ptr::null()),
    is_ready: UnsafeCell::new(false),
    has_started: UnsafeCell::new(false),
    instance: UnsafeCell::new(0),
    pointer: UnsafeCell::new(START),
    stack: UnsafeCell::new(0),
    depth: UnsafeCell::new(0),
    faults: UnsafeCell::new(0),
    text: UnsafeCell::new(Text::new()),
    line: UnsafeCell::new(Text::new()),
};

/// What `error` gives.
static ERROR: AtomicPtr<u8> = AtomicPtr::new(c"".as_ptr().cast_mut().cast());

/// More calls of C that call the program, which calls C, are too many.
const DEEPEST: u32 = 1000;

/// Messages are kept; of what is printed the end, because some errors are.
fn keep(file: u32, bytes: &[u8]) -> bool {
    // SAFETY: the program that writes runs under the lock.
    let (text, line) = unsafe { (&mut *LIBRARY.text.get(), &mut *LIBRARY.line.get()) };
    match file {
        2 => text.add(bytes),
        1 => {
            let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            line.clear();
            line.add(whole.rsplit(|&byte| byte == b'\n').next().unwrap_or_default());
        }
        _ => {}
    }
    file == 2
}

/// What each exported symbol jumps to, with its entry in rax and the faults that it may have in r10. The registers of
/// arguments are written as the entry reads them: six words, eight reals, four words that say nothing, then what the
/// caller has put on the stack.
///
/// # Safety
/// The caller is code of the compiler.
#[unsafe(no_mangle)]
#[unsafe(naked)]
unsafe extern "C" fn cleave_library_call() -> u32 {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 128",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "movsd [rsp + 48], xmm0",
        "movsd [rsp + 56], xmm1",
        "movsd [rsp + 64], xmm2",
        "movsd [rsp + 72], xmm3",
        "movsd [rsp + 80], xmm4",
        "movsd [rsp + 88], xmm5",
        "movsd [rsp + 96], xmm6",
        "movsd [rsp + 104], xmm7",
        "mov rdi, rax",
        "mov rsi, rsp",
        "mov edx, r10d",
        "call {call}",
        "leave",
        "ret",
        call = sym call,
    )
}

/// # Safety
/// As for `cleave_library_call`.
unsafe extern "C" fn call(entry: Entry, registers: *const u64, faults: u32) -> u32 {
    locked(|| {
        // SAFETY: the lock is ours.
        let (depth, can_hurry) = unsafe {
            let depth = *LIBRARY.depth.get();
            (depth, faults == 0 && depth == 0 && *LIBRARY.has_started.get() && *LIBRARY.is_ready.get())
        };
        match stacks() {
            Some(stacks) if can_hurry => short_call(entry, registers, stacks.top()),
            _ => general_call(entry, registers, faults, depth),
        }
    })
}

/// An outermost call of an instance that is there, of a function that has no faults: most calls are such ones.
fn short_call(entry: Entry, registers: *const u64, stack: usize) -> u32 {
    clear_texts();
    let outer = objects::begin();
    // SAFETY: the stack is mapped, nothing else is on it, and the lock is ours.
    let status = unsafe { stack::enter_entry(START, registers, entry, stack, RUN.saved.get()) };
    if status == PREPARED && !crate::base::report::may_have_output(&Native) && !objects::has_news() {
        objects::accept();
        return FINE;
    }
    after_short_call(status, outer)
}

#[cold]
#[inline(never)]
fn after_short_call(mut status: u32, outer: (u32, bool)) -> u32 {
    let Some(stacks) = stacks() else { return UNAVAILABLE };
    if status == PREPARED {
        // SAFETY: as in `short_call`.
        status = unsafe { stack::enter(flush, stacks.top(), RUN.saved.get()) };
    }
    let status = ended(status, &stacks, 0);
    end_objects(status, outer, 0);
    status
}

extern "C" fn flush() -> u32 {
    crate::base::report::flush(&mut Native);
    PREPARED
}

/// Any call.
#[inline(never)]
fn general_call(entry: Entry, registers: *const u64, faults: u32, depth: u32) -> u32 {
    let outer = objects::begin();
    // SAFETY: the lock is ours.
    let before = unsafe { *LIBRARY.instance.get() };
    let status = one_call(entry, registers, faults, depth);
    if depth > 0 {
        // SAFETY: as above.
        let (text, after) = unsafe { (&*LIBRARY.text.get(), *LIBRARY.instance.get()) };
        inner().said((status != FINE).then_some(text.bytes()), before, after);
    }
    end_objects(status, outer, depth);
    status
}

fn end_objects(status: u32, outer: (u32, bool), depth: u32) {
    // Functions that drop objects may not call, and be told so; what has happened before is said nevertheless.
    let words = ERROR.load(Ordering::Relaxed);
    // SAFETY: the lock is ours.
    let is_alive = unsafe { *LIBRARY.is_ready.get() };
    objects::end(status == FINE, outer, depth == 0, is_alive);
    ERROR.store(words, Ordering::Relaxed);
}

fn clear_texts() {
    // SAFETY: the lock is ours.
    unsafe {
        (*LIBRARY.text.get()).clear();
        (*LIBRARY.line.get()).clear();
    }
}

/// A call by who has the lock, inside of so many others.
fn one_call(entry: Entry, registers: *const u64, faults: u32, depth: u32) -> u32 {
    // SAFETY: the lock is ours.
    unsafe {
        *LIBRARY.entry.get() = Some(entry);
        *LIBRARY.registers.get() = registers;
        *RUN.keep.get() = Some(keep);
    }
    clear_texts();
    if depth >= DEEPEST {
        say(b"Calls of the program and of the host are too deep inside each other.");
        return FAILED;
    }
    // Outer calls want to find what they have saved.
    // SAFETY: as above.
    let begun = unsafe {
        let saved = *RUN.saved.get();
        let begun = begin();
        *RUN.saved.get() = saved;
        begun
    };
    if let Err(status) = begun {
        return failed(status);
    }
    let Some(stacks) = stacks() else { return UNAVAILABLE };
    // What the start function does nobody has looked at.
    // SAFETY: as above.
    let faults = if unsafe { *LIBRARY.has_started.get() } { faults } else { faults::ALL_FAULTS };
    // SAFETY: the stack is mapped; `run` is in the convention of the system.
    let status = unsafe {
        let (known, saved) = (*LIBRARY.faults.get(), *RUN.saved.get());
        *LIBRARY.faults.get() |= faults;
        let new = faults & !known;
        // It takes longer than most calls do.
        let old = (new != 0).then(|| faults::install(&stacks, new));
        if old.is_none() {
            faults::runs_here(&stacks);
        }
        let stack = match *LIBRARY.stack.get() {
            0 => stacks.top(),
            inner => inner,
        };
        let status = stack::enter(run, stack, RUN.saved.get());
        old.iter().for_each(faults::restore);
        *LIBRARY.faults.get() = known;
        *RUN.saved.get() = saved;
        status
    };
    ended(status, &stacks, depth)
}

/// What a call says that has ended with a status.
fn ended(status: u32, stacks: &Stacks, depth: u32) -> u32 {
    match status {
        PREPARED => return FINE,
        REFUSED => return FAILED,
        _ => {}
    }
    // It may have been a deep recursion. Outer calls have frames there.
    if depth == 0 {
        stacks.clear();
    }
    failed(Failure::Status(status))
}

/// Does something alone, or says that it cannot.
pub fn locked(work: impl FnOnce() -> u32) -> u32 {
    // From inside of a function that the program has called: the call around this one has the lock.
    let waits = WAITS.load(Ordering::Relaxed);
    let is_inner = waits != 0 && waits == faults::thread();
    let taken = if is_inner { None } else { lock::take() };
    if is_inner {
        WAITS.store(0, Ordering::Relaxed);
    } else if taken.is_none() {
        ERROR.store(c"Another call has not returned yet.".as_ptr().cast_mut().cast(), Ordering::Relaxed);
        return IS_BUSY;
    }
    let result = work();
    match taken {
        Some(taken) => lock::release(taken),
        None => WAITS.store(waits, Ordering::Relaxed),
    }
    result
}

/// On the stack of the program.
extern "C" fn run() -> u32 {
    // SAFETY: the lock is taken; `begin` has put the program there, `call` the entry.
    unsafe {
        if !core::mem::replace(&mut *LIBRARY.has_started.get(), true)
            && let Some(program) = &*RUN.program.get()
        {
            (program.main)(START);
        }
        if let Some(entry) = *LIBRARY.entry.get() {
            entry(*LIBRARY.pointer.get(), *LIBRARY.registers.get());
        }
    }
    flush()
}

/// The text of an error.
pub fn say(words: &[u8]) {
    say_more(words, |_| {});
}

/// The text of an error, with what is added.
pub fn say_more(words: &[u8], add: impl FnOnce(&mut Text<TEXT>)) {
    // SAFETY: the lock is taken.
    let text = unsafe { &mut *LIBRARY.text.get() };
    text.clear();
    text.add(words);
    add(text);
    ERROR.store(text.address(), Ordering::Relaxed);
}

/// Why a call failed.
enum Failure {
    Status(u32),
    Problem(Problem),
}

/// The text of a failure is there; the instance is not used again.
fn failed(failure: Failure) -> u32 {
    // SAFETY: the lock is taken.
    let (text, line) = unsafe {
        *LIBRARY.is_ready.get() = false;
        *LIBRARY.instance.get() += 1;
        (&mut *LIBRARY.text.get(), &*LIBRARY.line.get())
    };
    let status = match failure {
        Failure::Status(status) => {
            if text.is_empty() && status == crate::base::error::FAILURE {
                text.add(line.bytes());
            }
            if text.is_empty() {
                let mut words = Line::new();
                words.push_all(b"The program has ended, with status ");
                words.push_unsigned(status.into());
                text.add(words.bytes());
            }
            FAILED
        }
        Failure::Problem(problem) => {
            text.add(match problem {
                Problem::Addresses => b"The addresses below 4 GiB, which this library needs, are not available.",
                Problem::Stack(_) => b"There is not enough memory for the stack.",
                Problem::Busy => b"",
            });
            UNAVAILABLE
        }
    };
    text.without_line_ends();
    ERROR.store(text.address(), Ordering::Relaxed);
    status
}

/// Makes an instance, unless there is one.
///
/// # Safety
/// The lock is taken.
unsafe fn begin() -> Result<(), Failure> {
    // SAFETY: as the caller says; the compiler has put the record of the program there.
    unsafe {
        if *LIBRARY.is_ready.get() {
            return Ok(());
        }
        let c = &mut Native;
        let program = core::ptr::read(&raw const cleave_program);
        let (record, exchange, length) = (program.record as u32, program.exchange as u32, program.length);
        let is_first = *RUN.mapped.get() == 0;
        let mut next = 0;
        if is_first {
            let end = os::pages(u64::from(START) + length);
            if end > u64::from(HEAP_END) || !os::map_at(u64::from(START), end - u64::from(START)) {
                return Err(Failure::Problem(Problem::Addresses));
            }
            *RUN.mapped.get() = end;
        } else if exchange != 0 {
            next = c.load_u64(exchange);
        }
        core::ptr::copy_nonoverlapping(program.bytes, START as usize as *mut u8, length as usize);
        let heap = c.load_u32(record + PROGRAM_HEAP_BASE);
        if !c.grow_to(heap.into()) {
            return Err(Failure::Problem(Problem::Addresses));
        }
        if !is_first {
            let mapped = c.size();
            let border = os::pages(heap.into()).min(mapped) - u64::from(heap);
            core::ptr::write_bytes(heap as usize as *mut u8, 0, border as usize);
            os::discard(heap.into(), mapped);
            forget(c);
            if exchange != 0 {
                c.store_u64(exchange, next);
            }
        }
        *RUN.words.get() = Words { arguments: core::ptr::null(), environment: environ };
        *RUN.program.get() = Some(program);
        *LIBRARY.has_started.get() = false;
        *LIBRARY.pointer.get() = START;
        if exchange != 0 {
            c.store_u64(exchange + INSTANCE, *LIBRARY.instance.get());
        }
        c.state_mut().gc.stack_base = START;
        match stack::enter(prepare, 0, RUN.saved.get()) {
            PREPARED => {}
            status => return Err(Failure::Status(status)),
        }
        if stacks().is_none() {
            let made = stack::Stacks::map(c.state().base.options.stack_size).map_err(Failure::Problem)?;
            *RUN.stacks.get() = Some(made);
        }
        *LIBRARY.is_ready.get() = true;
        Ok(())
    }
}

/// Memory of results that stays with the library when they are freed.
const KEPT: u64 = 16 << 20;
/// The words of the buffer: the next free address, the first, and the number of the instance.
const NEXT: u32 = 0;
const MARK: u32 = 16;
const INSTANCE: u32 = 24;

/// Frees all results.
#[unsafe(no_mangle)]
extern "C" fn cleave_library_free() -> u32 {
    locked(|| {
        // SAFETY: the lock is taken; the compiler has put the record there.
        let (exchange, mapped) = unsafe { (cleave_program.exchange as u32, *RUN.mapped.get()) };
        if exchange != 0 && mapped != 0 {
            let c = &mut Native;
            let (next, mark) = (c.load_u64(exchange + NEXT), c.load_u64(exchange + MARK));
            os::discard(mark + KEPT, next);
            c.store_u64(exchange + NEXT, mark);
        }
        // SAFETY: as above.
        if unsafe { *LIBRARY.depth.get() } == 0 {
            objects::free_results();
        }
        FINE
    })
}

/// The text of the last error.
#[unsafe(no_mangle)]
extern "C" fn cleave_library_error() -> *const u8 {
    ERROR.load(Ordering::Relaxed)
}
