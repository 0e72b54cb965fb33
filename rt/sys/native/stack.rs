//! The stacks of a program: its machine stack, its shadow stack, and the way onto the first and back.

use super::address_space::{Problem, SHADOW_GUARD, SHADOW_LOW, START};
use super::os;
use core::arch::naked_asm;

/// The machine stack, unless an option says otherwise: addresses, not memory.
const DEFAULT: u64 = 512 << 20;
/// The least with which the runtime works.
const LEAST: u64 = 256 << 10;
/// More than this is never asked for.
const MOST: u64 = 64 << 30;
/// Below the machine stack. Compiled functions with larger frames touch their pages in order.
const GUARD: u64 = 1 << 20;

/// What a call says that returns and has not left: no status of a program.
pub const PREPARED: u32 = u32::MAX;

/// A call of a library: shadow-stack pointer, registers of the caller.
#[cfg(feature = "standalone")]
pub type Entry = unsafe extern "C" fn(u32, *const u64);

/// Where the stacks are.
#[derive(Clone, Copy)]
pub struct Stacks {
    /// Start of the guard of the machine stack.
    machine: u64,
    size: u64,
    /// Lowest mapped address of the shadow stack.
    shadow: u64,
}

impl Stacks {
    /// Maps both stacks. `wanted` is the size from the options, 0 for the default.
    pub fn map(wanted: u64) -> Result<Stacks, Problem> {
        let mut size = os::pages(if wanted == 0 { DEFAULT } else { wanted.clamp(LEAST, MOST) });
        loop {
            match Stacks::map_exactly(size) {
                // The system may not even reserve that much; a default may shrink, a wish may not.
                Err(_) if wanted == 0 && size > 16 << 20 => size = os::pages(size / 2),
                result => return result,
            }
        }
    }

    fn map_exactly(size: u64) -> Result<Stacks, Problem> {
        let machine = os::map_guarded(size, GUARD).ok_or(Problem::Stack(size))?;
        let shadow = u64::from(START) - size.min(u64::from(START - SHADOW_LOW));
        if !os::map_at(shadow, u64::from(START) - shadow) {
            os::unmap(machine, size + GUARD);
            return Err(Problem::Addresses);
        }
        Ok(Stacks { machine, size, shadow })
    }

    /// First address above the machine stack.
    pub fn top(&self) -> usize {
        (self.machine + GUARD + self.size) as usize
    }

    /// The addresses of the machine stack.
    pub fn machine(&self) -> core::ops::Range<u64> {
        self.machine + GUARD..self.machine + GUARD + self.size
    }

    /// True for addresses that only a stack which has run out can lead to.
    pub fn is_overflow(&self, address: u64) -> bool {
        let below_shadow = self.shadow - u64::from(SHADOW_GUARD)..self.shadow;
        (self.machine..self.machine + GUARD).contains(&address) || below_shadow.contains(&address)
    }

    /// Gives their memory back; nothing on them is used any more.
    #[cfg(feature = "standalone")]
    pub fn clear(&self) {
        let stack = self.machine();
        os::discard(stack.start, stack.end);
        os::discard(self.shadow, START.into());
    }

    pub fn unmap(self) {
        os::unmap(self.machine, self.size + GUARD);
        os::unmap(self.shadow, u64::from(START) - self.shadow);
    }
}

/// Code that keeps the registers of a caller on its stack.
macro_rules! save_registers {
    () => {
        concat!("push rbp\n", "push rbx\n", "push r12\n", "push r13\n", "push r14\n", "push r15")
    };
}
/// Code that takes them from there and returns.
macro_rules! restore_and_return {
    () => {
        concat!("pop r15\n", "pop r14\n", "pop r13\n", "pop r12\n", "pop rbx\n", "pop rbp\n", "ret")
    };
}

/// Calls a function on another stack (0: on this one) and returns its status. `saved` is for `leave`.
///
/// # Safety
/// `stack` is the end of a mapped stack or 0.
#[unsafe(naked)]
pub unsafe extern "C" fn enter(function: extern "C" fn() -> u32, stack: usize, saved: *mut usize) -> u32 {
    naked_asm!(
        save_registers!(),
        "mov [rdx], rsp",
        "mov rbx, rdx",
        "test rsi, rsi",
        "cmovne rsp, rsi",
        "and rsp, -16",
        // The end of the chain of frames.
        "xor ebp, ebp",
        "call rdi",
        "mov rsp, [rbx]",
        restore_and_return!(),
    )
}

/// Calls an entry of a library on another stack, with the shadow-stack pointer and the registers of its caller. The
/// status is `PREPARED`, unless somebody leaves.
///
/// # Safety
/// `stack` is the end of a mapped stack, and a multiple of 16.
#[cfg(feature = "standalone")]
#[unsafe(naked)]
pub unsafe extern "C" fn enter_entry(
    pointer: u32,
    registers: *const u64,
    entry: Entry,
    stack: usize,
    saved: *mut usize,
) -> u32 {
    naked_asm!(
        save_registers!(),
        "mov [r8], rsp",
        "mov rbx, rsp",
        "mov rsp, rcx",
        // The end of the chain of frames.
        "xor ebp, ebp",
        "call rdx",
        "mov rsp, rbx",
        "mov eax, {fine}",
        restore_and_return!(),
        fine = const PREPARED,
    )
}

/// Returns from the `enter` whose saved word this is, from any depth.
///
/// # Safety
/// That `enter` has not returned.
#[unsafe(naked)]
pub unsafe extern "C" fn leave(status: u32, saved: usize) -> ! {
    naked_asm!("mov rsp, rsi", "mov eax, edi", restore_and_return!())
}
