//! Is a text of the host UTF-8, or one of a program whose types are claimed? A function in IR that looks at eight bytes
//! at a time.
//!
//! ```text
//! quickly    characters of one or two bytes: all bytes of the word at once. A byte that goes on with a character,
//!            10xxxxxx, stands exactly where the byte before it begins one of two, 110xxxxx; `open` is that of the word
//!            before. Neither are there longer characters, nor C0 or C1, which would begin what one byte says.
//! one by one where there is something else, up to the end of that word: the first bytes are one character, whose bytes
//!            are compared at once
//! ```
//! ```text
//! bytes   mask         of it      besides, of the bits in the mask that tell what is forbidden
//! 1       80           00
//! 2       C0 E0        80 C0      1E: not 0, or one byte were enough
//! 3       C0 C0 F0     80 80 E0   20 0F: not 0, or two were enough; not 20 0D, half a character of UTF-16
//! 4       C0 C0 C0 F8  80 80 80 F0  30 07: not 0, or three were enough; below 4, or 4: no character is beyond
//! ```

use crate::buffer::{begin_loop, function, place_at};
use crate::layout::Abi;
use cleave_ir::{Block, Builder, FuncId, Module, Opcode, Type, Value};

const HIGH_BITS: i64 = each(0x80);
const WORD: i64 = 8;

const fn each(byte: u8) -> i64 {
    i64::from_ne_bytes([byte; 8])
}

/// The function of an address and a length: 1 if the text is UTF-8, or 0.
pub fn test(module: &mut Module, abi: Abi) -> FuncId {
    let (mut func, entry, params) = function("interface.is_text", &[abi.address(), Type::I64], &[Type::I32]);
    let mut b = Builder::new(&mut func, entry);
    let (address, length) = (params[0], params[1]);
    let [quick, slow] = [(); 2].map(|()| b.func.new_block());
    // Where the word begins, and the sign of a character that begins before and ends in it; where it goes on one by
    // one, and where that ends.
    let [at, open] = [(); 2].map(|()| b.func.add_param(quick, Type::I64));
    let [first, end] = [(); 2].map(|()| b.func.add_param(slow, Type::I64));
    let zero = b.iconst64(0);
    b.jump(quick, &[zero, zero]);
    b.switch_to(quick);
    words(&mut b, (address, length), (at, open), (quick, slow));
    b.switch_to(slow);
    one_by_one(&mut b, (address, length), (first, end), (quick, slow));
    module.funcs.push(func)
}

/// The words of characters of one or two bytes.
fn words(
    b: &mut Builder,
    (address, length): (Value, Value),
    (at, open): (Value, Value),
    (quick, slow): (Block, Block),
) {
    let [whole, plain, other, good, bad] = [(); 5].map(|()| b.func.new_block());
    let width = b.iconst64(WORD);
    let next = b.op(Opcode::Iadd, &[at, width]);
    let is_whole = b.op(Opcode::Ule, &[next, length]);
    b.br_if(is_whole, (whole, &[]), (bad, &[]));

    b.switch_to(whole);
    let place = place_at(b, address, at);
    let word = b.value(Opcode::LoadI64, 0, 0, &[place]);
    let (high_bits, zero) = (b.iconst64(HIGH_BITS), b.iconst64(0));
    let high = b.op(Opcode::And, &[word, high_bits]);
    let any = b.op(Opcode::Or, &[high, open]);
    let is_plain = b.op(Opcode::Eq, &[any, zero]);
    b.br_if(is_plain, (plain, &[]), (other, &[]));
    b.switch_to(plain);
    b.jump(quick, &[next, zero]);

    // The second bit of each byte, and the third one, where the first one is.
    b.switch_to(other);
    let (one, two, eight) = (b.iconst64(1), b.iconst64(2), b.iconst64(8));
    let second = b.op(Opcode::Shl, &[word, one]);
    let third = b.op(Opcode::Shl, &[word, two]);
    let begins = b.op(Opcode::And, &[high, second]);
    let goes_on = b.op(Opcode::Xor, &[high, begins]);
    let longer = b.op(Opcode::And, &[begins, third]);
    let expected = b.op(Opcode::Shl, &[begins, eight]);
    let expected = b.op(Opcode::Or, &[expected, open]);
    let misplaced = b.op(Opcode::Xor, &[goes_on, expected]);
    // The addition reaches the first bit of a byte if one of those bits is there, and never the next byte.
    let (bits, most) = (b.iconst64(each(0x1e)), b.iconst64(each(0x7e)));
    let own = b.op(Opcode::And, &[word, bits]);
    let own = b.op(Opcode::Iadd, &[own, most]);
    let all = b.iconst64(-1);
    let none = b.op(Opcode::Xor, &[own, all]);
    let short = b.op(Opcode::And, &[begins, none]);
    let wrong = b.op(Opcode::Or, &[longer, misplaced]);
    let wrong = b.op(Opcode::Or, &[wrong, short]);
    let is_good = b.op(Opcode::Eq, &[wrong, zero]);
    b.br_if(is_good, (good, &[]), (bad, &[]));
    b.switch_to(good);
    let last = b.iconst64(56);
    let open_then = b.op(Opcode::Ushr, &[begins, last]);
    b.jump(quick, &[next, open_then]);

    // The character that is open is looked at again.
    b.switch_to(bad);
    let seven = b.iconst64(7);
    let begun = b.op(Opcode::Ushr, &[open, seven]);
    let first = b.op(Opcode::Isub, &[at, begun]);
    b.jump(slow, &[first, next]);
}

/// The next character.
fn one_by_one(
    b: &mut Builder,
    (address, length): (Value, Value),
    (at, end): (Value, Value),
    (quick, slow): (Block, Block),
) {
    let [body, whole, part, classify, bad, done] = [(); 6].map(|()| b.func.new_block());
    let word = b.func.add_param(classify, Type::I64);
    let more = b.op(Opcode::Ult, &[at, length]);
    b.br_if(more, (body, &[]), (done, &[]));
    b.switch_to(body);
    let place = place_at(b, address, at);
    let (rest, width) = (b.op(Opcode::Isub, &[length, at]), b.iconst64(WORD));
    let is_whole = b.op(Opcode::Uge, &[rest, width]);
    b.br_if(is_whole, (whole, &[]), (part, &[]));
    b.switch_to(whole);
    let loaded = b.value(Opcode::LoadI64, 0, 0, &[place]);
    b.jump(classify, &[loaded]);
    // The last bytes, with zeros behind them.
    b.switch_to(part);
    let zero = b.iconst64(0);
    let bytes = begin_loop(b, rest, &[zero]);
    let byte_at = place_at(b, place, bytes.index);
    let byte = b.value(Opcode::LoadU8, 0, 0, &[byte_at]);
    let byte = b.op(Opcode::ExtendU, &[byte]);
    let three = b.iconst64(3);
    let shift = b.op(Opcode::Shl, &[bytes.index, three]);
    let byte = b.op(Opcode::Shl, &[byte, shift]);
    let joined = bytes.state[0];
    let next = b.op(Opcode::Or, &[joined, byte]);
    bytes.end(b, &[next]);
    b.jump(classify, &[joined]);

    b.switch_to(classify);
    let classes = Classes { word, at, end, quick, slow };
    let found = classes.is(b, HIGH_BITS, 0);
    classes.leave_if(b, found, WORD);
    let found = classes.is(b, 0x80, 0);
    classes.leave_if(b, found, 1);
    let (found, enough) = (classes.is(b, 0xc0e0, 0x80c0), classes.is_not(b, 0x1e, 0));
    let found = b.op(Opcode::And, &[found, enough]);
    classes.leave_if(b, found, 2);
    let (found, enough) = (classes.is(b, 0xc0_c0f0, 0x80_80e0), classes.is_not(b, 0x200f, 0));
    let (found, whole) = (b.op(Opcode::And, &[found, enough]), classes.is_not(b, 0x200f, 0x200d));
    let found = b.op(Opcode::And, &[found, whole]);
    classes.go_on_if(b, found, 3);
    let (found, enough) = (classes.is(b, 0xc0c0_c0f8, 0x8080_80f0), classes.is_not(b, 0x3007, 0));
    let (found, low) = (b.op(Opcode::And, &[found, enough]), classes.is(b, 4, 0));
    let last = classes.is(b, 0x3007, 4);
    let exists = b.op(Opcode::Or, &[low, last]);
    let found = b.op(Opcode::And, &[found, exists]);
    classes.go_on_if(b, found, 4);
    b.jump(bad, &[]);
    b.switch_to(bad);
    let no = b.iconst32(0);
    b.ret(&[no]);
    b.switch_to(done);
    let yes = b.iconst32(1);
    b.ret(&[yes]);
}

/// What the bytes in a word are, where they are, and the end of the part that is looked at one by one.
struct Classes {
    word: Value,
    at: Value,
    end: Value,
    quick: Block,
    slow: Block,
}

impl Classes {
    fn masked(&self, b: &mut Builder, mask: i64) -> Value {
        let mask = b.iconst64(mask);
        b.op(Opcode::And, &[self.word, mask])
    }

    fn is(&self, b: &mut Builder, mask: i64, value: i64) -> Value {
        let (masked, value) = (self.masked(b, mask), b.iconst64(value));
        b.op(Opcode::Eq, &[masked, value])
    }

    fn is_not(&self, b: &mut Builder, mask: i64, value: i64) -> Value {
        let (masked, value) = (self.masked(b, mask), b.iconst64(value));
        b.op(Opcode::Ne, &[masked, value])
    }

    /// If it is so, so many bytes are good; others follow of which the next are longer ones, probably.
    fn go_on_if(&self, b: &mut Builder, found: Value, bytes: i64) {
        let other = self.if_found(b, found);
        let bytes = b.iconst64(bytes);
        let next = b.op(Opcode::Iadd, &[self.at, bytes]);
        b.jump(self.slow, &[next, self.end]);
        b.switch_to(other);
    }

    /// The same; and behind the end it goes on quickly.
    fn leave_if(&self, b: &mut Builder, found: Value, bytes: i64) {
        let other = self.if_found(b, found);
        let (bytes, zero) = (b.iconst64(bytes), b.iconst64(0));
        let next = b.op(Opcode::Iadd, &[self.at, bytes]);
        let is_more = b.op(Opcode::Ult, &[next, self.end]);
        b.br_if(is_more, (self.slow, &[next, self.end]), (self.quick, &[next, zero]));
        b.switch_to(other);
    }

    fn if_found(&self, b: &mut Builder, found: Value) -> Block {
        let (good, other) = (b.func.new_block(), b.func.new_block());
        b.br_if(found, (good, &[]), (other, &[]));
        b.switch_to(good);
        other
    }
}
