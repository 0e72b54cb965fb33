//! The buffer in which host and module exchange data: functions in IR that allocate there and copy strings.
//!
//! ```text
//! | what outer calls use | arguments or results of this call | free            |
//!                        ^ mark                              ^ next            ^ end
//! ```
//! Nothing is freed one by one: arguments are gone once they are read, a result once the host says so. Both
//! set *next* back to the *mark*. The three words lie in a CAF. A host in C has its arguments elsewhere, and keeps
//! results until it frees all of them; a fourth word is the number of the instance, from the runtime.

use crate::layout::Abi;
use crate::utf8;
use cleave_ir::interface::{Entry, ExchangeBuffer};
use cleave_ir::layout::{ElementKind, STRING_DATA};
use cleave_ir::runtime::Callee;
use cleave_ir::{
    Block, Builder, Caf, CafData, Func, FuncId, LibcallSignature, Module, Opcode, Signature, Static, StaticData, Type,
    Value, libcalls, rc,
};

const NEXT: u32 = 0;
const END: u32 = 1;
const MARK: u32 = 2;
/// For hosts in C.
pub const INSTANCE: u32 = 3;
/// Room for arguments, and for results. Memory only where it is used.
const BYTES: u32 = 64 << 20;
/// The same for hosts that keep results.
const BYTES_KEPT: u32 = 256 << 20;
const I32: Type = Type::I32;
const I64: Type = Type::I64;

/// The buffer, and its functions as far as they are there.
pub struct Buffer {
    abi: Abi,
    pub caf: Caf,
    allocate: FuncId,
    check: FuncId,
    /// Of strings, once one is passed.
    read: Option<FuncId>,
    is_text: Option<FuncId>,
    write: Option<FuncId>,
    post: Option<FuncId>,
}

/// A function that is made step by step.
pub fn function(name: &str, params: &[Type], results: &[Type]) -> (Func, Block, Vec<Value>) {
    let mut func = Func::new(name, Signature::new(params, results));
    let entry = func.new_block();
    let params = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    (func, entry, params)
}

/// Calls a function of the runtime.
pub fn call(module: &mut Module, b: &mut Builder, row: &'static LibcallSignature, args: &[Value]) -> Option<Value> {
    let callee = Callee::of(module.declare(row), row);
    let inst = b.call_extern(callee, args);
    b.func.results(inst).first().copied()
}

/// Ends the block, and the program, with a message.
pub fn panic(module: &mut Module, b: &mut Builder, message: &str) {
    let text = string(module, message);
    let text = b.static_ref(text);
    let row = if module.heap.counts() { &libcalls::RC_PANIC } else { &libcalls::PANIC };
    call(module, b, row, &[text]);
    b.unreachable();
}

/// The text as data of the module.
pub fn string(module: &mut Module, text: &str) -> Static {
    let is_it = |data: &StaticData| matches!(data, StaticData::String(known) if **known == *text.as_bytes());
    let known = module.statics.iter().find(|(_, data)| is_it(data)).map(|(id, _)| id);
    known.unwrap_or_else(|| module.statics.push(StaticData::String(text.as_bytes().into())))
}

/// Goes on if the condition holds; otherwise the program ends with a message.
pub fn require(module: &mut Module, b: &mut Builder, condition: Value, message: &str) {
    let (good, bad) = (b.func.new_block(), b.func.new_block());
    b.br_if(condition, (good, &[]), (bad, &[]));
    b.switch_to(bad);
    panic(module, b, message);
    b.switch_to(good);
}

/// A loop over the numbers from 0 on that are smaller than `end`: the block of its body, with the number, and that
/// after it. The body jumps to the head.
pub struct Loop {
    pub head: Block,
    pub index: Value,
    pub state: Vec<Value>,
    pub after: Block,
}

/// Begins a loop; `state` are further values that it hands on. The builder stands in its body.
pub fn begin_loop(b: &mut Builder, end: Value, state: &[Value]) -> Loop {
    let (head, body, after) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
    let index = b.func.add_param(head, I64);
    let types: Vec<Type> = state.iter().map(|&value| b.func.values[value]).collect();
    let inner: Vec<Value> = types.into_iter().map(|ty| b.func.add_param(head, ty)).collect();
    let zero = b.iconst64(0);
    let first: Vec<Value> = std::iter::once(zero).chain(state.iter().copied()).collect();
    b.jump(head, &first);
    b.switch_to(head);
    let more = b.op(Opcode::Ult, &[index, end]);
    b.br_if(more, (body, &[]), (after, &[]));
    b.switch_to(body);
    Loop { head, index, state: inner, after }
}

impl Loop {
    /// Ends the body, and goes on after the loop.
    pub fn end(self, b: &mut Builder, state: &[Value]) {
        let one = b.iconst64(1);
        let next = b.op(Opcode::Iadd, &[self.index, one]);
        let all: Vec<Value> = std::iter::once(next).chain(state.iter().copied()).collect();
        b.jump(self.head, &all);
        b.switch_to(self.after);
    }
}

impl Buffer {
    /// Adds it to a module; by the canonical ABI with the entry `cabi_realloc`.
    pub fn new(module: &mut Module, abi: Abi) -> Buffer {
        let caf = module.cafs.push(CafData {
            label: "interface.buffer".into(),
            ptrs: 0,
            nptrs: if abi == Abi::C { 4 } else { 3 },
        });
        let bytes = if abi == Abi::C { BYTES_KEPT } else { BYTES };
        module.exchange = Some(ExchangeBuffer { caf, bytes });
        let allocate = allocate(module, caf, abi);
        let check = match abi {
            Abi::Canonical | Abi::Component => check(module, caf),
            Abi::C => check_outside(module),
        };
        if abi != Abi::C {
            let realloc = realloc(module, caf, allocate);
            module.entries.push(Entry { name: "cabi_realloc".into(), func: realloc, narrow: (Vec::new(), false) });
        }
        Buffer { abi, caf, allocate, check, read: None, is_text: None, write: None, post: None }
    }

    /// New bytes: an `i64`, aligned to eight.
    pub fn allocate(&self, b: &mut Builder, bytes: Value) -> Value {
        b.call_value(self.allocate, &[bytes], self.abi.address())
    }

    /// So many bytes (an `i64`) at an address are the host's, or the program ends.
    pub fn check(&self, b: &mut Builder, address: Value, bytes: Value) {
        b.call(self.check, &[address, bytes], &[]);
    }

    /// All that is allocated is free.
    pub fn reset(&self, b: &mut Builder) {
        let mark = b.caf(Opcode::CafI64, self.caf, MARK, &[]);
        let mark = b.func.result(mark);
        b.caf(Opcode::SetCafI64, self.caf, NEXT, &[mark]);
    }

    /// What is free and what outer calls use, before the host is called.
    pub fn open(&self, b: &mut Builder) -> [Value; 2] {
        [NEXT, MARK].map(|at| {
            let word = b.caf(Opcode::CafI64, self.caf, at, &[]);
            b.func.result(word)
        })
    }

    /// All that is there belongs to outer calls.
    pub fn begin_inner(&self, b: &mut Builder) {
        let next = b.caf(Opcode::CafI64, self.caf, NEXT, &[]);
        let next = b.func.result(next);
        b.caf(Opcode::SetCafI64, self.caf, MARK, &[next]);
    }

    /// As it was when it was opened. A host in C keeps results of inner calls: then what lies before them stays, too.
    pub fn close(&self, b: &mut Builder, [mut next, mark]: [Value; 2]) {
        if self.abi == Abi::C {
            let [now, begin] = self.open(b);
            let is_empty = b.op(Opcode::Eq, &[now, begin]);
            next = b.op(Opcode::Select, &[is_empty, next, now]);
        }
        for (at, value) in [(NEXT, next), (MARK, mark)] {
            b.caf(Opcode::SetCafI64, self.caf, at, &[value]);
        }
    }

    /// The function that the host calls when it has read a result.
    pub fn post(&mut self, module: &mut Module) -> FuncId {
        *self.post.get_or_insert_with(|| {
            let (mut func, entry, _) = function("interface.post", &[I32], &[]);
            let mut b = Builder::new(&mut func, entry);
            let mark = b.caf(Opcode::CafI64, self.caf, MARK, &[]);
            let mark = b.func.result(mark);
            b.caf(Opcode::SetCafI64, self.caf, NEXT, &[mark]);
            b.ret(&[]);
            module.funcs.push(func)
        })
    }

    /// The string of so many bytes, as the host says it, at an address.
    pub fn read_string(&mut self, module: &mut Module, b: &mut Builder, address: Value, length: Value) -> Value {
        // What C passes has been looked at before (`c_checks`).
        let is_text = (self.abi != Abi::C).then(|| self.text_test(module));
        let (check, abi) = (self.check, self.abi);
        let read = *self.read.get_or_insert_with(|| read_string(module, check, is_text, abi));
        b.call_value(read, &[address, length], Type::Ref)
    }

    /// So many bytes (an `i64`) at an address are UTF-8: an `i32`.
    pub fn is_text(&mut self, module: &mut Module, b: &mut Builder, address: Value, length: Value) -> Value {
        let is_text = self.text_test(module);
        b.call_value(is_text, &[address, length], I32)
    }

    fn text_test(&mut self, module: &mut Module) -> FuncId {
        let abi = self.abi;
        *self.is_text.get_or_insert_with(|| utf8::test(module, abi))
    }

    /// Copies a string into the buffer; its address and length are stored at `place`. If it may be anything, it is
    /// checked.
    pub fn write_string(
        &mut self,
        module: &mut Module,
        b: &mut Builder,
        string: Value,
        place: Value,
        is_checked: bool,
    ) {
        let is_text = is_checked.then(|| self.text_test(module));
        let (allocate, abi) = (self.allocate, self.abi);
        let write = *self.write.get_or_insert_with(|| write_string(module, allocate, is_text, abi));
        b.call(write, &[string, place], &[]);
    }
}

/// A length of the host as an `i64`.
pub fn wide(b: &mut Builder, length: Value) -> Value {
    if b.func.values[length] == I32 { b.op(Opcode::ExtendU, &[length]) } else { length }
}

/// An address, a number of bytes (an `i64`) further on.
pub fn place_at(b: &mut Builder, address: Value, bytes: Value) -> Value {
    let bytes = if b.func.values[address] == I32 { b.op(Opcode::Wrap, &[bytes]) } else { bytes };
    b.op(Opcode::Iadd, &[address, bytes])
}

/// Stores an address and a length (an `i64`) at a place.
pub fn store_slice(b: &mut Builder, place: Value, address: Value, length: Value) {
    if b.func.values[address] == I32 {
        let short = b.op(Opcode::Wrap, &[length]);
        b.effect(Opcode::StoreI32, &[place, address]);
        b.inst(Opcode::StoreI32, 4, 0, &[place, short]);
    } else {
        b.effect(Opcode::StoreI64, &[place, address]);
        b.inst(Opcode::StoreI64, 8, 0, &[place, length]);
    }
}

fn allocate(module: &mut Module, caf: Caf, abi: Abi) -> FuncId {
    let (mut func, entry, params) = function("interface.allocate", &[I64], &[abi.address()]);
    let mut b = Builder::new(&mut func, entry);
    let next = b.caf(Opcode::CafI64, caf, NEXT, &[]);
    let next = b.func.result(next);
    let end = b.caf(Opcode::CafI64, caf, END, &[]);
    let end = b.func.result(end);
    let (seven, mask) = (b.iconst64(7), b.iconst64(!7));
    let after = b.op(Opcode::Iadd, &[next, params[0]]);
    let after = b.op(Opcode::Iadd, &[after, seven]);
    let after = b.op(Opcode::And, &[after, mask]);
    let fits = b.op(Opcode::Ule, &[after, end]);
    let message = match abi {
        Abi::Canonical | Abi::Component => "Data that are passed at once take too much memory.",
        Abi::C => "Results that are not freed take too much memory.",
    };
    require(module, &mut b, fits, message);
    b.caf(Opcode::SetCafI64, caf, NEXT, &[after]);
    let address = if abi == Abi::C { next } else { b.op(Opcode::Wrap, &[next]) };
    b.ret(&[address]);
    module.funcs.push(func)
}

/// `cabi_realloc(old, old_size, alignment, new_size)`. What was allocated last grows where it is, all else is copied.
fn realloc(module: &mut Module, caf: Caf, allocate: FuncId) -> FuncId {
    let (mut func, entry, params) = function("interface.realloc", &[I32; 4], &[I32]);
    let mut b = Builder::new(&mut func, entry);
    let (zero, seven, mask) = (b.iconst64(0), b.iconst64(7), b.iconst64(!7));
    let (old, old_size) = (b.op(Opcode::ExtendU, &[params[0]]), b.op(Opcode::ExtendU, &[params[1]]));
    let bytes = b.op(Opcode::ExtendU, &[params[3]]);
    let next = b.caf(Opcode::CafI64, caf, NEXT, &[]);
    let next = b.func.result(next);
    let end = b.op(Opcode::Iadd, &[old, old_size]);
    let end = b.op(Opcode::Iadd, &[end, seven]);
    let end = b.op(Opcode::And, &[end, mask]);
    let is_last = b.op(Opcode::Eq, &[end, next]);
    let is_more = b.op(Opcode::Ugt, &[old_size, zero]);
    let grows = b.op(Opcode::And, &[is_last, is_more]);
    // A host that lies frees nothing of outer calls.
    let mark = b.caf(Opcode::CafI64, caf, MARK, &[]);
    let mark = b.func.result(mark);
    let is_own = b.op(Opcode::Uge, &[old, mark]);
    let grows = b.op(Opcode::And, &[grows, is_own]);
    let from = b.op(Opcode::Select, &[grows, old, next]);
    b.caf(Opcode::SetCafI64, caf, NEXT, &[from]);
    let new = b.call_value(allocate, &[bytes], I32);
    let shorter = b.op(Opcode::Ult, &[old_size, bytes]);
    let count = b.op(Opcode::Select, &[shorter, old_size, bytes]);
    let count = b.op(Opcode::Select, &[grows, zero, count]);
    let copy = begin_loop(&mut b, count, &[]);
    let offset = b.op(Opcode::Wrap, &[copy.index]);
    let from = b.op(Opcode::Iadd, &[params[0], offset]);
    let to = b.op(Opcode::Iadd, &[new, offset]);
    let byte = b.value(Opcode::LoadU8, 0, 0, &[from]);
    b.effect(Opcode::StoreU8, &[to, byte]);
    copy.end(&mut b, &[]);
    b.ret(&[new]);
    module.funcs.push(func)
}

/// A host that lies reads and writes nothing else than the buffer.
fn check(module: &mut Module, caf: Caf) -> FuncId {
    let (mut func, entry, params) = function("interface.check", &[I32, I64], &[]);
    let mut b = Builder::new(&mut func, entry);
    let next = b.caf(Opcode::CafI64, caf, NEXT, &[]);
    let next = b.func.result(next);
    let mark = b.caf(Opcode::CafI64, caf, MARK, &[]);
    let mark = b.func.result(mark);
    let start = b.op(Opcode::ExtendU, &[params[0]]);
    let end = b.op(Opcode::Iadd, &[start, params[1]]);
    let (above, below) = (b.op(Opcode::Uge, &[start, mark]), b.op(Opcode::Ule, &[end, next]));
    let inside = b.op(Opcode::And, &[above, below]);
    let empty = b.op(Opcode::Eqz, &[params[1]]);
    let good = b.op(Opcode::Or, &[inside, empty]);
    require(module, &mut b, good, "The host passed data that are not in the buffer.");
    b.ret(&[]);
    module.funcs.push(func)
}

/// Data of a host in C are anywhere but at the address 0, and fewer bytes than a heap can have.
fn check_outside(module: &mut Module) -> FuncId {
    let (mut func, entry, params) = function("interface.check", &[I64, I64], &[]);
    let mut b = Builder::new(&mut func, entry);
    let (zero, most) = (b.iconst64(0), b.iconst64(1 << 32));
    let (somewhere, few) = (b.op(Opcode::Ne, &[params[0], zero]), b.op(Opcode::Ult, &[params[1], most]));
    let inside = b.op(Opcode::And, &[somewhere, few]);
    let empty = b.op(Opcode::Eqz, &[params[1]]);
    let good = b.op(Opcode::Or, &[inside, empty]);
    require(module, &mut b, good, "The host passed NULL, or a length that is too large.");
    b.ret(&[]);
    module.funcs.push(func)
}

/// Copies bytes between a string and the host: words, then what remains. The address of the string is asked for anew
/// each time: so the string is alive as long as it is needed, and nothing is collected in between.
fn copy_string(module: &Module, b: &mut Builder, string: Value, address: Value, length: Value, to_string: bool) {
    let data = u64::from(if module.heap.counts() { rc::STRING_DATA } else { STRING_DATA });
    let copy = |b: &mut Builder, index: Value, load: Opcode, store: Opcode| {
        let offset = b.op(Opcode::Wrap, &[index]);
        let outside = if b.func.values[address] == I32 { offset } else { index };
        let outside = b.op(Opcode::Iadd, &[address, outside]);
        let inside = b.op(Opcode::RefAddr, &[string]);
        let inside = b.op(Opcode::Iadd, &[inside, offset]);
        let (from, to) = if to_string { ((outside, 0), (inside, data)) } else { ((inside, data), (outside, 0)) };
        let value = b.value(load, from.1, 0, &[from.0]);
        b.inst(store, to.1, 0, &[to.0, value]);
    };
    let three = b.iconst64(3);
    let words = b.op(Opcode::Ushr, &[length, three]);
    let by_words = begin_loop(b, words, &[]);
    let index = b.op(Opcode::Shl, &[by_words.index, three]);
    copy(b, index, Opcode::LoadI64, Opcode::StoreI64);
    by_words.end(b, &[]);
    let done = b.op(Opcode::Shl, &[words, three]);
    let rest = b.op(Opcode::Isub, &[length, done]);
    let by_bytes = begin_loop(b, rest, &[]);
    let index = b.op(Opcode::Iadd, &[by_bytes.index, done]);
    copy(b, index, Opcode::LoadU8, Opcode::StoreU8);
    by_bytes.end(b, &[]);
}

fn read_string(module: &mut Module, check: FuncId, is_text: Option<FuncId>, abi: Abi) -> FuncId {
    let (mut func, entry, params) = function("interface.read_string", &[abi.address(); 2], &[Type::Ref]);
    let mut b = Builder::new(&mut func, entry);
    let length = wide(&mut b, params[1]);
    b.call(check, &[params[0], length], &[]);
    if let Some(is_text) = is_text {
        let is_text = b.call_value(is_text, &[params[0], length], I32);
        require(module, &mut b, is_text, "The host passed a text that is not UTF-8.");
    }
    let new = if module.heap.counts() {
        let empty = string(module, "");
        let empty = b.static_ref(empty);
        call(module, &mut b, &libcalls::RC_EXTEND_STRING, &[empty, length])
    } else {
        let (kind, none) = (b.iconst32(ElementKind::Char as i32), b.iconst32(0));
        call(module, &mut b, &libcalls::NEW_ARRAY, &[kind, none, none, length])
    };
    let new = new.expect("they return a string");
    copy_string(module, &mut b, new, params[0], length, true);
    b.ret(&[new]);
    module.funcs.push(func)
}

fn write_string(module: &mut Module, allocate: FuncId, is_text: Option<FuncId>, abi: Abi) -> FuncId {
    let (mut func, entry, params) = function("interface.write_string", &[Type::Ref, abi.address()], &[]);
    let mut b = Builder::new(&mut func, entry);
    let length = b.op(Opcode::StringSize, &[params[0]]);
    let address = b.call_value(allocate, &[length], abi.address());
    store_slice(&mut b, params[1], address, length);
    copy_string(module, &mut b, params[0], address, length, false);
    if let Some(is_text) = is_text {
        let is_text = b.call_value(is_text, &[address, length], I32);
        require(module, &mut b, is_text, "A text of the program is not UTF-8.");
    }
    b.ret(&[]);
    module.funcs.push(func)
}
