//! Is a text of the host UTF-8, or one of a program whose types are claimed? A function in IR that looks at eight bytes
//! at a time: they are ASCII, or begin with one character, whose bytes are compared at once.
//!
//! ```text
//! bytes   mask         of it      besides, of the bits in the mask that tell what is forbidden
//! 1       80           00
//! 2       C0 E0        80 C0      1E: not 0, or one byte were enough
//! 3       C0 C0 F0     80 80 E0   20 0F: not 0, or two were enough; not 20 0D, half a character of UTF-16
//! 4       C0 C0 C0 F8  80 80 80 F0  30 07: not 0, or three were enough; below 4, or 4: no character is beyond
//! ```

use crate::buffer::{begin_loop, function, panic, place_at};
use crate::layout::Abi;
use cleave_ir::{Block, Builder, FuncId, Module, Opcode, Type, Value};

const HIGH_BITS: i64 = 0x8080_8080_8080_8080_u64 as i64;
const WORD: i64 = 8;

/// The function of an address and a length; the program ends with this message if there is another text.
pub fn check(module: &mut Module, abi: Abi, message: &str) -> FuncId {
    let (mut func, entry, params) = function("interface.check_text", &[abi.address(), Type::I64], &[]);
    let mut b = Builder::new(&mut func, entry);
    let (address, length) = (params[0], params[1]);
    let [head, body, whole, part, classify, bad, done] = [(); 7].map(|()| b.func.new_block());
    let at = b.func.add_param(head, Type::I64);
    let word = b.func.add_param(classify, Type::I64);
    let zero = b.iconst64(0);
    b.jump(head, &[zero]);
    b.switch_to(head);
    let more = b.op(Opcode::Ult, &[at, length]);
    b.br_if(more, (body, &[]), (done, &[]));
    b.switch_to(body);
    let place = place_at(&mut b, address, at);
    let (rest, width) = (b.op(Opcode::Isub, &[length, at]), b.iconst64(WORD));
    let is_whole = b.op(Opcode::Uge, &[rest, width]);
    b.br_if(is_whole, (whole, &[]), (part, &[]));
    b.switch_to(whole);
    let loaded = b.value(Opcode::LoadI64, 0, 0, &[place]);
    b.jump(classify, &[loaded]);
    // The last bytes, with zeros behind them.
    b.switch_to(part);
    let bytes = begin_loop(&mut b, rest, &[zero]);
    let byte_at = place_at(&mut b, place, bytes.index);
    let byte = b.value(Opcode::LoadU8, 0, 0, &[byte_at]);
    let byte = b.op(Opcode::ExtendU, &[byte]);
    let three = b.iconst64(3);
    let shift = b.op(Opcode::Shl, &[bytes.index, three]);
    let byte = b.op(Opcode::Shl, &[byte, shift]);
    let joined = bytes.state[0];
    let next = b.op(Opcode::Or, &[joined, byte]);
    bytes.end(&mut b, &[next]);
    b.jump(classify, &[joined]);

    b.switch_to(classify);
    let classes = Classes { word, at, head };
    let found = classes.is(&mut b, HIGH_BITS, 0);
    classes.go_on(&mut b, found, WORD);
    let found = classes.is(&mut b, 0x80, 0);
    classes.go_on(&mut b, found, 1);
    let (found, enough) = (classes.is(&mut b, 0xc0e0, 0x80c0), classes.is_not(&mut b, 0x1e, 0));
    let found = b.op(Opcode::And, &[found, enough]);
    classes.go_on(&mut b, found, 2);
    let (found, enough) = (classes.is(&mut b, 0xc0_c0f0, 0x80_80e0), classes.is_not(&mut b, 0x200f, 0));
    let (found, whole) = (b.op(Opcode::And, &[found, enough]), classes.is_not(&mut b, 0x200f, 0x200d));
    let found = b.op(Opcode::And, &[found, whole]);
    classes.go_on(&mut b, found, 3);
    let (found, enough) = (classes.is(&mut b, 0xc0c0_c0f8, 0x8080_80f0), classes.is_not(&mut b, 0x3007, 0));
    let (found, low) = (b.op(Opcode::And, &[found, enough]), classes.is(&mut b, 4, 0));
    let last = classes.is(&mut b, 0x3007, 4);
    let exists = b.op(Opcode::Or, &[low, last]);
    let found = b.op(Opcode::And, &[found, exists]);
    classes.go_on(&mut b, found, 4);
    b.jump(bad, &[]);
    b.switch_to(bad);
    panic(module, &mut b, message);
    b.switch_to(done);
    b.ret(&[]);
    module.funcs.push(func)
}

/// What the bytes in a word are; `head` goes on at another place.
struct Classes {
    word: Value,
    at: Value,
    head: Block,
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

    /// If it is so, so many bytes are good.
    fn go_on(&self, b: &mut Builder, found: Value, bytes: i64) {
        let (good, other) = (b.func.new_block(), b.func.new_block());
        b.br_if(found, (good, &[]), (other, &[]));
        b.switch_to(good);
        let bytes = b.iconst64(bytes);
        let next = b.op(Opcode::Iadd, &[self.at, bytes]);
        b.jump(self.head, &[next]);
        b.switch_to(other);
    }
}
