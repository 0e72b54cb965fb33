//! Unsupported instructions, each with the reason and, where there is one, what to write instead.
//!
//! Place in the pipeline: `parse` reads these instructions like all others; `translate` reports them if they turn out
//! to be reachable. Three kinds: what belongs to parallel Clean, what no compiler writes any more (among it what
//! Clean's own 64-bit code generator or run-time system does not have), and what has no meaning in a translation with
//! fixed frames.
//!
//! Instructions that have a meaning only on the machine that Clean was made for (machine code, addresses of native
//! code) are not refused: they stop the program when they are reached (`translate/ffi.rs`).

use crate::instr::{Class, Opcode};

/// Why an instruction is not translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub reason: &'static str,
    pub help: Option<&'static str>,
}

const PARALLEL: &str = "it belongs to parallel Clean, for which no system exists any more";
const NEVER: &str = "it is obsolete: no Clean compiler writes it";
const NO_LIBCALL: &str = "it is obsolete: Clean's 64-bit run-time system does not have what it calls";
const OTHER_MACHINE: &str = "it is obsolete: it was made for machines with 68k or PowerPC processors";
const DYNAMIC: &str = "how many elements it pushes is known only at run time, but frames have a fixed size";

/// The refusal of an instruction, `None` if it is translated.
pub fn refusal(op: Opcode) -> Option<Refusal> {
    use Opcode::*;
    let (reason, help) = match op {
        op if op.info().class == Class::Parallel => (PARALLEL, None),
        push_a_r_args | push_t_r_args => (DYNAMIC, Some("use select, push_r_args or repl_r_args with its sizes")),
        repl_args_b => (DYNAMIC, Some("only constant counts, pushed right before it, can be translated")),
        catS => (NO_LIBCALL, Some("use catAC")),
        cmpS => (NO_LIBCALL, Some("use cmpAC")),
        sliceS => (NO_LIBCALL, Some("use sliceAC")),
        updateS => (NO_LIBCALL, Some("use updateAC")),
        ceilingR => (NO_LIBCALL, Some("negate, entierR, negate")),
        truncateR => (NO_LIBCALL, Some("use entierR, of the absolute value")),
        eq_symbol => (NO_LIBCALL, Some("use pushD_a and eqI")),
        call | in_regs | out_regs => (OTHER_MACHINE, Some("use ccall")),
        sincosR => (OTHER_MACHINE, Some("use sinR and cosR")),
        gtC => (NEVER, Some("use ltC with its operands exchanged")),
        gtR => (NEVER, Some("use ltR with its operands exchanged")),
        gtU => (NEVER, Some("use ltU with its operands exchanged")),
        andB | orB => (NEVER, Some("use jmp_false and jmp_true, or and% and or%")),
        jrsr => (NEVER, Some("use jsr")),
        jmp_upd | jmp_ap_upd => (NEVER, Some("use jsr or jsr_ap, fill_a and rtn")),
        push_wl_args => (NEVER, Some("use push_args")),
        print_symbol => (NEVER, Some("use print_symbol_sc")),
        op if op.info().class == Class::Obsolete => (NEVER, None),
        _ => return None,
    };
    Some(Refusal { reason, help })
}
