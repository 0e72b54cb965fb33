//! Faults of the processor become the ends that programs have: a stack that ran out, a division that overflowed.
//!
//! The handler runs on a stack of its own. It changes where the interrupted code goes on: at `end`, on the stack of
//! `run`, where output can be flushed. A fault that is none of these is a defect: the signal does then what it does
//! without a handler.

use super::context::Native;
use super::frames::Registers;
use super::os::{self, Action, AlternateStack};
use super::running::RUN;
use super::stack::{self, Stacks};
use super::trace;
use crate::base::console;
use crate::base::error::FAILURE;
use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};

const SEGMENT: c_int = 11;
const BUS: c_int = 7;
const ARITHMETIC: c_int = 8;
const ILLEGAL: c_int = 4;
const SIGNALS: [c_int; 4] = [SEGMENT, BUS, ARITHMETIC, ILLEGAL];

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
    actions: [Action; SIGNALS.len()],
    stack: AlternateStack,
}

struct Shared {
    stack: UnsafeCell<[u8; STACK]>,
    registers: UnsafeCell<Registers>,
}
// SAFETY: one thread runs a program at a time.
unsafe impl Sync for Shared {}

/// Enough for the registers of every processor.
const STACK: usize = 64 << 10;
static SHARED: Shared = Shared {
    stack: UnsafeCell::new([0; STACK]),
    registers: UnsafeCell::new(Registers { code: 0, stack: 0, frame: 0 }),
};

/// From here on, until `restore`, faults end the program.
pub fn install(stacks: &Stacks) -> Old {
    // SAFETY: no handler is installed yet.
    unsafe { *RUN.stacks.get() = Some(*stacks) };
    let stack = AlternateStack { start: SHARED.stack.get().cast(), flags: 0, size: STACK };
    let stack = os::alternate_stack(&stack);
    let action =
        Action { handler: handler as *const () as usize, mask: [0; 16], flags: WITH_INFO | ON_STACK, restorer: 0 };
    Old { actions: SIGNALS.map(|signal| os::action(signal, &action)), stack }
}

pub fn restore(old: Old) {
    for (signal, action) in SIGNALS.iter().zip(&old.actions) {
        os::action(*signal, action);
    }
    // A stack that was disabled before is disabled again.
    os::alternate_stack(&old.stack);
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
/// The kernel calls it, for one of `SIGNALS` and with `WITH_INFO`, on the thread that runs the program.
unsafe extern "C" fn handler(signal: c_int, info: *const c_void, context: *mut c_void) {
    // SAFETY: the kernel passes these two structures; `ADDRESS` and `REGISTERS` are their layout on this system.
    unsafe {
        let registers = context.byte_add(REGISTERS).cast::<u64>();
        let code = *registers.add(RIP) as *const u8;
        let fault = match signal {
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
            // It happens again when the handler returns, and then without it.
            None => drop(os::action(signal, &Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 })),
        }
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
