//! The end of a call, or of the program, if something is wrong with what C passes: `c_checks` looks for it.

use crate::buffer::string;
use crate::outside::call_outside;
use cleave_ir::abi::passed::{Passed, Wrong};
use cleave_ir::layout::STRING_DATA;
use cleave_ir::{Builder, Effects, Module, Opcode, Value, rc};

/// The function of the library that ends a call, or the program.
const WRONG_C: &str = "cleave_library_wrong";

/// Ends the call, or the program, if something is wrong; `what` says with which value.
pub fn end_if(module: &mut Module, b: &mut Builder, reason: Value, what: &str, passed: Passed) {
    let (good, bad) = (b.func.new_block(), b.func.new_block());
    b.br_if(reason, (bad, &[]), (good, &[]));
    b.switch_to(bad);
    let (text, length) = (string(module, what), b.iconst64(what.len() as i64));
    let text = b.static_ref(text);
    let address = b.op(Opcode::RefAddr, &[text]);
    let address = b.op(Opcode::ExtendU, &[address]);
    let data = b.iconst64(i64::from(if module.heap.counts() { rc::STRING_DATA } else { STRING_DATA }));
    let address = b.op(Opcode::Iadd, &[address, data]);
    let kind = b.iconst32(passed as i32);
    call_outside(module, b, (WRONG_C, Effects::NORETURN), &[kind, reason, address, length], &[]);
    b.unreachable();
    b.switch_to(good);
}

/// What is wrong, unless the condition holds.
pub fn unless(b: &mut Builder, good: Value, wrong: Wrong) -> Value {
    let (none, some) = (b.iconst32(0), b.iconst32(wrong as i32));
    b.op(Opcode::Select, &[good, none, some])
}
