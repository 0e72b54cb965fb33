//! What may be wrong with what C passes, and the end of the call, or of the program, that it is: `c_checks` looks for
//! it.

use crate::buffer::string;
use crate::outside::call_outside;
use cleave_ir::layout::STRING_DATA;
use cleave_ir::{Builder, Effects, Module, Opcode, Value, rc};

/// What may be wrong with a value.
#[derive(Clone, Copy)]
pub enum Wrong {
    Null = 1,
    Length = 2,
    Text = 3,
    Function = 4,
    Case = 5,
    Character = 6,
    ByteCharacter = 7,
    Number = 8,
}

/// The function of the library that ends a call, or the program.
const WRONG_C: &str = "cleave_library_wrong";

/// Whose value it was.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// An argument: the call is refused.
    Argument = 0,
    /// The result of a function of the host: the program ends.
    Result = 1,
}

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
