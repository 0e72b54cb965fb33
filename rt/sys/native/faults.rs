//! Faults of the processor become the ends that programs have: a stack that ran out, a division that overflowed.
//!
//! The handler runs on a stack of its own. It changes where the interrupted code goes on: at `end`, on the stack of
//! `run`, where output can be flushed. A fault that is none of these is a defect, or one of another thread: the signal
//! does then what it did before.

use super::context::Native;
use super::frames::Registers;
use super::os::{self, Action, AlternateStack};
use super::running::RUN;
use super::stack::{self, Stacks};
use super::{WAITS, trace};
use crate::base::console;
use crate::base::error::FAILURE;
use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::sync::atomic::Ordering;

const SEGMENT: c_int = 11;
const BUS: c_int = 7;
const ARITHMETIC: c_int = 8;
const ILLEGAL: c_int = 4;
/// The signals, and the kinds of faults that they report.
const SIGNALS: [(c_int, u32); 4] =
    [(SEGMENT, STACK_FAULTS), (BUS, OTHER_FAULTS), (ARITHMETIC, DIVISION_FAULTS), (ILLEGAL, DIVISION_FAULTS)];

/// Kinds of faults. The compiler knows the first two (`targets/native/faults_of.rs`).
const STACK_FAULTS: u32 = 1;
const DIVISION_FAULTS: u32 = 2;
const OTHER_FAULTS: u32 = 4;
pub const ALL_FAULTS: u32 = STACK_FAULTS | DIVISION_FAULTS | OTHER_FAULTS;

const WITH_INFO: c_int = 4;
const ON_STACK: c_int = 0x0800_0000;

/// In `siginfo_t`: the address of the fault.
const ADDRESS: usize = 16;
/// In `ucontext_t`: the registers, in the order of the kernel.
const REGISTERS: usize = 40;
const RDI: usize = 8;
const RBP: usize = 10;
const RSP: usize = 15;
const RIP: usize = 16;

/// `div` and `idiv` of registers and memory: the operation is in the middle of the byte after it.
const DIVISIONS: u8 = 0xf7;
const UNSIGNED: u8 = 6;

/// What the signals did before.
pub struct Old {
    faults: u32,
    actions: [Action; SIGNALS.len()],
    stack: AlternateStack,
}

struct Shared {
    stack: UnsafeCell<[u8; STACK]>,
    registers: UnsafeCell<Registers>,
    /// The thread that runs the program.
    thread: UnsafeCell<usize>,
    before: UnsafeCell<[Action; SIGNALS.len()]>,
}
// SAFETY: one thread runs a program at a time.
unsafe impl Sync for Shared {}

/// Enough for the registers of every processor.
const STACK: usize = 64 << 10;
static SHARED: Shared = Shared {
    stack: UnsafeCell::new([0; STACK]),
    registers: UnsafeCell::new(Registers { code: 0, stack: 0, frame: 0 }),
    thread: UnsafeCell::new(0),
    before: UnsafeCell::new([DEFAULT; SIGNALS.len()]),
};

/// What a signal does if nobody says anything.
const DEFAULT: Action = Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
/// Handlers that are none: the default, and nothing at all.
const NO_HANDLERS: usize = 2;

const NO_STACK: AlternateStack = AlternateStack { start: core::ptr::null_mut(), flags: 0, size: 0 };

/// The address of what belongs to this thread alone.
pub fn thread() -> usize {
    let thread;
    // SAFETY: the ABI of the system keeps the address there.
    unsafe { core::arch::asm!("mov {}, fs:0", out(reg) thread, options(nostack, preserves_flags, readonly)) };
    thread
}

/// The program runs on this thread.
pub fn runs_here(stacks: &Stacks) {
    // SAFETY: the program does not run on another one, where a handler could look at it.
    unsafe {
        *RUN.stacks.get() = Some(*stacks);
        *SHARED.thread.get() = thread();
    }
}

/// From here on, until `restore`, these faults end the program. Others may do so already.
pub fn install(stacks: &Stacks, faults: u32) -> Old {
    runs_here(stacks);
    let mut old = Old { faults, actions: [DEFAULT; SIGNALS.len()], stack: NO_STACK };
    if faults == 0 {
        return old;
    }
    old.stack = os::alternate_stack(&AlternateStack { start: SHARED.stack.get().cast(), flags: 0, size: STACK });
    let action =
        Action { handler: handler as *const () as usize, mask: [0; 16], flags: WITH_INFO | ON_STACK, restorer: 0 };
    for ((signal, kind), before) in SIGNALS.iter().zip(&mut old.actions) {
        if faults & kind != 0 {
            *before = os::action(*signal, &action);
        }
    }
    for (((_, kind), action), at) in SIGNALS.iter().zip(old.actions).zip(0..) {
        if faults & kind != 0 {
            // SAFETY: a fault of another thread before this is taken for one without a handler.
            unsafe { (&mut (*SHARED.before.get()))[at] = action };
        }
    }
    old
}

pub fn restore(old: &Old) {
    for ((signal, kind), action) in SIGNALS.iter().zip(&old.actions) {
        if old.faults & kind != 0 {
            os::action(*signal, action);
        }
    }
    // A stack that was disabled before is disabled again.
    if old.faults != 0 {
        os::alternate_stack(&old.stack);
    }
}

/// How a program ends.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Fault {
    StackOverflow,
    DivideByZero,
    DivideOverflow,
}

/// Makes the interrupted code go on at `end`, if the fault is one that programs have.
///
/// # Safety
/// The kernel calls it, for one of `SIGNALS` and with `WITH_INFO`.
unsafe extern "C" fn handler(signal: c_int, info: *const c_void, context: *mut c_void) {
    // SAFETY: the kernel passes these two structures; `ADDRESS` and `REGISTERS` are their layout on this system.
    unsafe {
        let registers = context.byte_add(REGISTERS).cast::<u64>();
        let code = *registers.add(RIP) as *const u8;
        let fault = match signal {
            _ if *SHARED.thread.get() != thread() || WAITS.load(Ordering::Relaxed) != 0 => None,
            SEGMENT | BUS => {
                let address = info.byte_add(ADDRESS).cast::<u64>().read();
                let stacks = &*RUN.stacks.get();
                stacks.filter(|stacks| stacks.is_overflow(address)).map(|_| Fault::StackOverflow)
            }
            ARITHMETIC => division(code),
            // The code generator tests divisors of signed divisions, and has no other use for this instruction.
            ILLEGAL if code.cast::<u16>().read_unaligned() == 0x0b0f => Some(Fault::DivideByZero),
            _ => None,
        };
        match fault {
            Some(fault) => {
                let at = |index| *registers.add(index);
                *SHARED.registers.get() = Registers { code: at(RIP), stack: at(RSP), frame: at(RBP) };
                *registers.add(RIP) = end as *const () as u64;
                *registers.add(RDI) = fault as u64;
                // Below what `enter` has saved, as if `end` had been called there.
                *registers.add(RSP) = (((*RUN.saved.get()) as u64 - 256) & !15) - 8;
            }
            None => pass_on(signal, info, context),
        }
    }
}

/// Does what the signal did before.
///
/// # Safety
/// The arguments are those of `handler`.
unsafe fn pass_on(signal: c_int, info: *const c_void, context: *mut c_void) {
    let place = SIGNALS.iter().position(|other| other.0 == signal);
    // SAFETY: written before the handler was there.
    let before = place.and_then(|at| unsafe { (*SHARED.before.get()).get(at) }).copied().unwrap_or(DEFAULT);
    match before.handler {
        // It happens again when the handler returns, and then without it.
        none if none < NO_HANDLERS => drop(os::action(signal, &DEFAULT)),
        // SAFETY: who has installed the handler has said of which type it is.
        handler => unsafe {
            match before.flags & WITH_INFO {
                0 => core::mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal),
                _ => {
                    type WithInfo = extern "C" fn(c_int, *const c_void, *mut c_void);
                    core::mem::transmute::<usize, WithInfo>(handler)(signal, info, context);
                }
            }
        },
    }
}

/// Which fault a division instruction has.
///
/// # Safety
/// `code` is the address of an instruction that the processor has just tried to execute, as a fault of arithmetic names
/// it: all of its bytes can be read.
unsafe fn division(code: *const u8) -> Option<Fault> {
    // SAFETY: of the instruction no more is read than it has: a division has an operand after its first byte.
    unsafe {
        let prefixed = *code & 0xf0 == 0x40;
        let code = code.add(usize::from(prefixed));
        if *code != DIVISIONS {
            return None;
        }
        let operation = *code.add(1) >> 3 & 7;
        Some(if operation == UNSIGNED { Fault::DivideByZero } else { Fault::DivideOverflow })
    }
}

extern "C" fn end(fault: Fault) -> ! {
    let c = &mut Native;
    crate::base::report::flush(c);
    let text: &[u8] = match fault {
        Fault::StackOverflow => b"Stack overflow.\n",
        Fault::DivideByZero => b"Integer division by zero.\n",
        Fault::DivideOverflow => b"Integer overflow in division.\n",
    };
    console::message(c, text);
    // SAFETY: the handler has written them; the stack of the program is still as it was.
    trace::print(c, Some(unsafe { *SHARED.registers.get() }));
    crate::base::report::finish(c);
    // SAFETY: the program runs inside `enter`.
    unsafe { stack::leave(FAILURE, *RUN.saved.get()) }
}
