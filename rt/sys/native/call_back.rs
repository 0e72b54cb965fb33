//! Functions of C that a program calls: on the stack of C, which may call the program again.
//!
//! ```text
//! stack of C        caller ─▶ call … saved          ┌▶ function ─▶ call …            ┌▶ …
//! stack of program                  └▶ entry ─▶ … ──┘                └▶ entry ─▶ … ──┘
//! ```
//! What an inner call has on either stack lies below what the outer ones have there. If the program fails in an inner
//! call, nothing is left of it that outer ones could go on with: they fail when the function returns to them.

use super::library::{LIBRARY, say_more};
use super::running::RUN;
use super::texts::inner;
use super::{REFUSED, WAITS, faults, objects, stack};
use crate::base::error::FAILURE;
use cleave_abi::passed::{Passed, Wrong};
use core::arch::{asm, naked_asm};
use core::sync::atomic::Ordering;

/// Below the frame of `cleave_library_call_back`, what that uses of the stack itself.
const OWN: usize = 512;

/// Compiled code calls it: with the shadow-stack pointer (0 if there is none), the function, what its arguments are
/// (words of six registers, reals of eight, then words on the stack), and how many words are on the stack.
///
/// # Safety
/// The caller is code of the compiler, in a call of a library.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_call_back(sp: u32, function: u64, registers: u64, words: u64) {
    // SAFETY: the lock is taken by the call around this one. The stack of C below what `enter` has saved is free.
    unsafe {
        let here: usize;
        asm!("mov {}, rsp", out(reg) here, options(nomem, nostack, preserves_flags));
        let outer = (*LIBRARY.pointer.get(), *LIBRARY.stack.get(), *LIBRARY.instance.get());
        if sp != 0 {
            *LIBRARY.pointer.get() = sp;
        }
        *LIBRARY.stack.get() = here - OWN;
        *LIBRARY.depth.get() += 1;
        WAITS.store(faults::thread(), Ordering::Relaxed);
        objects::accept();
        let waited = inner().waits(outer.2);
        let status = call(function, registers, words, *RUN.saved.get());
        WAITS.store(0, Ordering::Relaxed);
        *LIBRARY.depth.get() -= 1;
        (*LIBRARY.pointer.get(), *LIBRARY.stack.get()) = (outer.0, outer.1);
        if outer.2 != *LIBRARY.instance.get() {
            let words = b"The program has failed while this call of it has waited for a function";
            say_more(words, |text| inner().tell(text));
        } else if status != 0 {
            say_more(b"A function of the host has failed", |text| inner().tell(text));
        }
        inner().waits(waited);
        if status == 0 && outer.2 == *LIBRARY.instance.get() {
            return;
        }
        stack::leave(FAILURE, *RUN.saved.get())
    }
}

/// Compiled code calls it if something is wrong with what the host has passed: `kind` is a `Passed`, `reason` a
/// `Wrong`, and `text` says which value it was.
///
/// # Safety
/// The caller is code of the compiler, in a call of a library.
#[unsafe(no_mangle)]
unsafe extern "C" fn cleave_library_wrong(kind: u32, reason: u32, text: *const u8, length: usize) -> ! {
    // SAFETY: as the caller says; before arguments are read nothing of the program is on the stack.
    unsafe {
        say_more(core::slice::from_raw_parts(text, length), |text| {
            text.add(b": ");
            text.add(Wrong::words(reason).as_bytes());
        });
        let status = if kind == Passed::Argument as u32 { REFUSED } else { FAILURE };
        stack::leave(status, *RUN.saved.get())
    }
}

/// Calls a function of C on another stack, and returns what it says.
///
/// # Safety
/// `function` takes such arguments, and `stack` is one.
#[unsafe(naked)]
unsafe extern "C" fn call(function: u64, registers: u64, words: u64, stack: usize) -> u32 {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rsp, rcx",
        "mov rax, rdi",
        "mov r10, rsi",
        "mov r11, rdx",
        "lea rcx, [r11 * 8]",
        "sub rsp, rcx",
        "and rsp, -16",
        "xor ecx, ecx",
        "2: cmp rcx, r11",
        "je 3f",
        "mov rdx, [r10 + rcx * 8 + 112]",
        "mov [rsp + rcx * 8], rdx",
        "inc rcx",
        "jmp 2b",
        "3: mov rdi, [r10]",
        "mov rsi, [r10 + 8]",
        "mov rdx, [r10 + 16]",
        "mov rcx, [r10 + 24]",
        "mov r8, [r10 + 32]",
        "mov r9, [r10 + 40]",
        "movsd xmm0, [r10 + 48]",
        "movsd xmm1, [r10 + 56]",
        "movsd xmm2, [r10 + 64]",
        "movsd xmm3, [r10 + 72]",
        "movsd xmm4, [r10 + 80]",
        "movsd xmm5, [r10 + 88]",
        "movsd xmm6, [r10 + 96]",
        "movsd xmm7, [r10 + 104]",
        "call rax",
        "mov rsp, rbp",
        "pop rbp",
        "ret",
    )
}
