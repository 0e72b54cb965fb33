//! Trampolines that preserve registers, for which Cranelift has no calling convention: they save the general registers
//! that a function of the system's convention may use, and call a libcall.
//!
//! With it, slow paths that return at once take no register from the fast path. Registers for reals are not saved: that
//! would cost as much as the libcall.

use crate::{Relocation, Symbol};
use cleave_ir::Libcall;

/// How an instruction that pushes or pops one of the registers rax, rcx, rdx, rsi, rdi, r8 to r11 names it: a prefix
/// for the later ones, and three bits of the opcode.
const REGISTERS: [(Option<u8>, u8, &str); 9] = [
    (None, 0, "rax"),
    (None, 1, "rcx"),
    (None, 2, "rdx"),
    (None, 6, "rsi"),
    (None, 7, "rdi"),
    (Some(PREFIX), 0, "r8"),
    (Some(PREFIX), 1, "r9"),
    (Some(PREFIX), 2, "r10"),
    (Some(PREFIX), 3, "r11"),
];
const PREFIX: u8 = 0x41;
const PUSH: u8 = 0x50;
const POP: u8 = 0x58;
const CALL: u8 = 0xe8;
const RETURN: u8 = 0xc3;

/// `push rbp; mov rbp, rsp`: as all functions begin, so that debuggers find the caller.
const ENTER: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
const LEAVE: u8 = 0x5d;
/// `sub rsp, 8` and `add rsp, 8`: return address, rbp and nine registers are on the stack, and the stack pointer must
/// be a multiple of 16 at the call.
const ALIGN: [u8; 4] = [0x48, 0x83, 0xec, 8];
const ALIGNED: [u8; 4] = [0x48, 0x83, 0xc4, 8];

/// The code of a call of a libcall without results.
pub struct Saving {
    pub code: Vec<u8>,
    pub relocation: Relocation,
    pub asm: String,
}

/// Trampolines that calls a libcall with the arguments that it gets itself.
pub fn call(libcall: Libcall) -> Saving {
    let (mut code, mut asm) = (Vec::new(), String::new());
    let mut line = |text: &str| asm.push_str(&format!("  {text}\n"));
    code.extend(ENTER);
    line("pushq %rbp");
    line("movq %rsp, %rbp");
    for (prefix, register, name) in REGISTERS {
        code.extend(prefix);
        code.push(PUSH | register);
        line(&format!("pushq %{name}"));
    }
    code.extend(ALIGN);
    line("subq $8, %rsp");
    code.push(CALL);
    let relocation = Relocation { offset: code.len() as u32, symbol: Symbol::Extern(libcall.id()), addend: -4 };
    code.extend([0; 4]);
    line(&format!("call {}", libcall.signature().name));
    code.extend(ALIGNED);
    line("addq $8, %rsp");
    for (prefix, register, name) in REGISTERS.iter().rev() {
        code.extend(prefix);
        code.push(POP | register);
        line(&format!("popq %{name}"));
    }
    code.extend([LEAVE, RETURN]);
    line("popq %rbp");
    line("ret");
    Saving { code, relocation, asm }
}
