//! Is a text of the host UTF-8, or one of a program whose types are claimed? A function in IR that looks at its bytes,
//! if they are not ASCII anyway.

use crate::buffer::{begin_loop, function, place_at, require};
use crate::layout::Abi;
use cleave_ir::{Builder, FuncId, Module, Opcode, Type, Value};

const HIGH_BITS: i64 = 0x8080_8080_8080_8080_u64 as i64;

/// The function of an address and a length; the program ends with this message if there is another text.
pub fn check(module: &mut Module, abi: Abi, message: &str) -> FuncId {
    let (mut func, entry, params) = function("interface.check_text", &[abi.address(), Type::I64], &[]);
    let mut b = Builder::new(&mut func, entry);
    let (address, length) = (params[0], params[1]);
    let place = |b: &mut Builder, index: Value| place_at(b, address, index);
    // Words, of which the last one ends with the text.
    let (eight, zero) = (b.iconst64(8), b.iconst64(0));
    let is_long = b.op(Opcode::Uge, &[length, eight]);
    let (long, short) = (b.func.new_block(), b.func.new_block());
    b.br_if(is_long, (long, &[]), (short, &[]));
    b.switch_to(long);
    let last = b.op(Opcode::Isub, &[length, eight]);
    let last = place(&mut b, last);
    let last = b.value(Opcode::LoadI64, 0, 0, &[last]);
    let three = b.iconst64(3);
    let words = b.op(Opcode::Ushr, &[length, three]);
    let by_words = begin_loop(&mut b, words, &[last]);
    let index = b.op(Opcode::Shl, &[by_words.index, three]);
    let at = place(&mut b, index);
    let word = b.value(Opcode::LoadI64, 0, 0, &[at]);
    let all = by_words.state[0];
    let next = b.op(Opcode::Or, &[all, word]);
    by_words.end(&mut b, &[next]);
    let mask = b.iconst64(HIGH_BITS);
    let high = b.op(Opcode::And, &[all, mask]);
    let is_ascii = b.op(Opcode::Eq, &[high, zero]);
    let done = b.func.new_block();
    b.br_if(is_ascii, (done, &[]), (short, &[]));
    b.switch_to(done);
    b.ret(&[]);

    b.switch_to(short);
    bytes(module, &mut b, length, place, message);
    b.ret(&[]);
    module.funcs.push(func)
}

/// Each byte begins a character, or lies in the range that the ones before it ask for.
fn bytes(
    module: &mut Module,
    b: &mut Builder,
    length: Value,
    place: impl Fn(&mut Builder, Value) -> Value,
    message: &str,
) {
    let number = |b: &mut Builder, number: i32| b.iconst32(number);
    let (zero, one) = (b.iconst32(0), b.iconst32(1));
    let (least, most) = (number(b, 0x80), number(b, 0xbf));
    // How many bytes the character still has, the range of the next one, and whether all is well so far.
    let each = begin_loop(b, length, &[zero, least, most, one]);
    let (missing, from, to, good) = (each.state[0], each.state[1], each.state[2], each.state[3]);
    let at = place(b, each.index);
    let byte = b.value(Opcode::LoadU8, 0, 0, &[at]);
    let begins = b.op(Opcode::Eqz, &[missing]);
    let within = |b: &mut Builder, first: i32, last: i32| {
        let (first, count) = (number(b, first), number(b, last - first + 1));
        let offset = b.op(Opcode::Isub, &[byte, first]);
        b.op(Opcode::Ult, &[offset, count])
    };
    // What has two bytes, three and four, in as few bytes as possible and not beyond the last character.
    let (ascii, two, three, four) =
        (within(b, 0, 0x7f), within(b, 0xc2, 0xdf), within(b, 0xe0, 0xef), within(b, 0xf0, 0xf4));
    let sum = |b: &mut Builder, first: Value, rest: &[(Value, i32)]| {
        rest.iter().fold(first, |sum, &(flag, times)| {
            let times = number(b, times);
            let product = b.op(Opcode::Imul, &[flag, times]);
            b.op(Opcode::Iadd, &[sum, product])
        })
    };
    let is = |b: &mut Builder, value: i32| {
        let value = number(b, value);
        b.op(Opcode::Eq, &[byte, value])
    };
    let more = sum(b, two, &[(three, 2), (four, 3)]);
    let is_first = sum(b, ascii, &[(two, 1), (three, 1), (four, 1)]);
    let (e0, ed, f0, f4) = (is(b, 0xe0), is(b, 0xed), is(b, 0xf0), is(b, 0xf4));
    let next_from = sum(b, least, &[(e0, 0x20), (f0, 0x10)]);
    let next_to = sum(b, most, &[(ed, -0x20), (f4, -0x30)]);
    let (above, below) = (b.op(Opcode::Uge, &[byte, from]), b.op(Opcode::Ule, &[byte, to]));
    let goes_on = b.op(Opcode::And, &[above, below]);
    let fewer = b.op(Opcode::Isub, &[missing, one]);
    let choose = |b: &mut Builder, first: Value, other: Value| b.op(Opcode::Select, &[begins, first, other]);
    let (missing_next, fits) = (choose(b, more, fewer), choose(b, is_first, goes_on));
    let (from_next, to_next) = (choose(b, next_from, least), choose(b, next_to, most));
    let good_next = b.op(Opcode::And, &[good, fits]);
    each.end(b, &[missing_next, from_next, to_next, good_next]);
    let is_whole = b.op(Opcode::Eqz, &[missing]);
    let good = b.op(Opcode::And, &[good, is_whole]);
    require(module, b, good, message);
}
