//! Expands `array.new` and its like: accesses become tests and accesses in place, all else calls of functions that are
//! made here, one for each operation and kind that the program uses. So no pass and no back end knows of them.
//!
//! ```text
//! v2 = array.get i64 v0, v1     ─▶     v3 = array_size v0
//!                                      v4 = ult v1, v3
//!                                      br_if v4, block1, block2
//!                                    block1:
//!                                      v2 = elem.i64 v0, v1 stride 8 at 12
//! ```
//! On the reference-counted heap arrays of references are objects of the runtime, and all others are strings that have
//! so many bytes for each element: its strings begin where arrays of the other heap do.
//!
//! Needs and establishes: high IR.

use crate::arrays::ArrayKind;
use crate::builder::Builder;
use crate::entity::{Block, FuncId, Inst, Static, Value};
use crate::func::{Func, Phase, pack};
use crate::layout::ARRAY_DATA;
use crate::module::{Module, StaticData};
use crate::opcode::{Array, ImmKind, Opcode};
use crate::rc;
use crate::runtime::Callee;
use crate::types::{Signature, Type};
use cleave_abi::{LibcallSignature, libcalls};

const _: () = assert!(rc::STRING_DATA == ARRAY_DATA);
/// More elements than any memory has: the runtime stops at this size.
const TOO_MANY: i64 = 1 << 29;

/// Expands all that a module has; true if there was something.
pub fn run(module: &mut Module) -> bool {
    let is_one = |func: &Func, inst: Inst| func.insts[inst].op.info().imm == ImmKind::Elements;
    let has_some = |func: &Func| func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(|&i| is_one(func, i)));
    let users: Vec<FuncId> = module.funcs.iter().filter(|(_, func)| has_some(func)).map(|(id, _)| id).collect();
    if users.is_empty() {
        return false;
    }
    let mut expander = Expander { counts: module.heap.counts(), made: Vec::new(), module };
    for id in users {
        let mut func = std::mem::replace(&mut expander.module.funcs[id], Func::new("", Signature::new(&[], &[])));
        expander.func(&mut func);
        expander.module.funcs[id] = func;
    }
    true
}

struct Expander<'m> {
    module: &'m mut Module,
    /// The heap is the reference-counted one.
    counts: bool,
    /// The functions that exist.
    made: Vec<((Array, ArrayKind), FuncId)>,
}

impl Expander<'_> {
    fn func(&mut self, func: &mut Func) {
        let mut at = 0;
        while let Some(&start) = func.layout.get(at) {
            at += 1;
            let old = std::mem::take(&mut func.blocks[start].insts);
            let edges = std::mem::take(&mut func.blocks[start].edges);
            let mut block = start;
            for inst in old {
                if func.insts[inst].op.info().imm != ImmKind::Elements {
                    func.blocks[block].insts.push(inst);
                    continue;
                }
                func.set_location_of(inst);
                block = self.inst(func, block, inst);
            }
            func.blocks[block].edges = edges;
        }
        func.set_location(crate::source::Location::NONE);
    }

    /// Expands one instruction at the end of a block; where the function goes on.
    fn inst(&mut self, func: &mut Func, block: Block, inst: Inst) -> Block {
        let data = func.insts[inst].clone();
        let (kind, is_proven) = (data.array_kind(), data.aux != 0);
        let args = func.args(inst).to_vec();
        let mut b = Builder::new(func, block);
        match Array::of(data.op).expect("it has elements") {
            Array::ArrayLen => {
                let size = self.len(&mut b, kind, args[0]);
                self.replace(func, block, inst, size)
            }
            Array::ArrayGet | Array::ArraySet => {
                if !is_proven {
                    let size = self.len(&mut b, kind, args[0]);
                    let is_inside = b.op(Opcode::Ult, &[args[1], size]);
                    self.demand(&mut b, is_inside);
                }
                let block = b.block;
                if data.op == Opcode::ArraySet {
                    self.set(&mut b, kind, args[0], args[1], args[2]);
                    return block;
                }
                let (op, imm) = match (kind, self.counts) {
                    (ArrayKind::Ref, true) => (Opcode::CallRt, self.callee(&libcalls::RC_ELEMENT).imm()),
                    _ => (accesses(kind).0, place(kind)),
                };
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (op, imm, 0);
                func.blocks[block].insts.push(inst);
                block
            }
            op @ (Array::ArrayNew | Array::ArraySlice | Array::ArrayCopy) => {
                let callee = self.function(op, kind);
                let data = &mut func.insts[inst];
                (data.op, data.imm, data.aux) = (Opcode::Call, u64::from(callee.as_u32()), 0);
                func.blocks[block].insts.push(inst);
                block
            }
        }
    }

    /// An instruction becomes what was appended for it: the last one defines its result.
    fn replace(&self, func: &mut Func, block: Block, inst: Inst, value: Value) -> Block {
        let last = *func.blocks[block].insts.last().expect("the length was just appended");
        debug_assert_eq!(func.result(last), value);
        let results = func.insts[inst].results.clone();
        func.insts[last].results = results;
        block
    }

    fn callee(&mut self, row: &'static LibcallSignature) -> Callee<'static> {
        Callee::of(self.module.declare(row), row)
    }

    /// The value of a function of the runtime.
    fn runtime(&mut self, b: &mut Builder, row: &'static LibcallSignature, args: &[Value]) -> Value {
        let callee = self.callee(row);
        let inst = b.call_extern(callee, args);
        b.func.result(inst)
    }

    /// The number of elements; the last instruction defines it.
    fn len(&self, b: &mut Builder, kind: ArrayKind, array: Value) -> Value {
        let size = b.op(if self.counts { Opcode::StringSize } else { Opcode::ArraySize }, &[array]);
        if !self.counts || kind == ArrayKind::Ref || kind.stride() == 1 {
            return size;
        }
        let shift = b.iconst64(i64::from(kind.stride().trailing_zeros()));
        b.op(Opcode::Ushr, &[size, shift])
    }

    /// Goes on in a new block if the condition holds; otherwise the program stops.
    fn demand(&mut self, b: &mut Builder, condition: Value) {
        let (inside, outside) = (b.func.new_block(), b.func.new_block());
        b.br_if(condition, (inside, &[]), (outside, &[]));
        b.switch_to(outside);
        let callee = self.callee(&libcalls::INDEX_ERROR);
        b.call_extern(callee, &[]);
        b.unreachable();
        b.switch_to(inside);
    }

    fn get(&mut self, b: &mut Builder, kind: ArrayKind, array: Value, index: Value) -> Value {
        match (kind, self.counts) {
            (ArrayKind::Ref, true) => self.runtime(b, &libcalls::RC_ELEMENT, &[array, index]),
            _ => b.value(accesses(kind).0, place(kind), 0, &[array, index]),
        }
    }

    fn set(&mut self, b: &mut Builder, kind: ArrayKind, array: Value, index: Value, value: Value) {
        match (kind, self.counts) {
            (ArrayKind::Ref, true) => drop(self.runtime(b, &libcalls::RC_EXCHANGE, &[value, array, index])),
            _ => drop(b.inst(accesses(kind).1, place(kind), 0, &[array, index, value])),
        }
    }

    /// An array whose elements are not defined, but for references.
    fn allocate(&mut self, b: &mut Builder, kind: ArrayKind, size: Value) -> Value {
        if !self.counts {
            let element = b.iconst32(kind.element() as i32);
            let none = b.iconst32(0);
            return self.runtime(b, &libcalls::NEW_ARRAY, &[element, none, none, size]);
        }
        if kind == ArrayKind::Ref {
            return self.runtime(b, &libcalls::RC_NEW_ARRAY, &[size]);
        }
        let limit = b.iconst64(TOO_MANY);
        let is_possible = b.op(Opcode::Ult, &[size, limit]);
        let stride = b.iconst64(i64::from(kind.stride()));
        let bytes = b.op(Opcode::Imul, &[size, stride]);
        let none = b.iconst64(-1);
        let bytes = b.op(Opcode::Select, &[is_possible, bytes, none]);
        let empty = self.module.statics.iter().find(|(_, data)| matches!(data, StaticData::String(s) if s.is_empty()));
        let empty: Static = match empty {
            Some((empty, _)) => empty,
            None => self.module.statics.push(StaticData::String(Default::default())),
        };
        let empty = b.static_ref(empty);
        self.runtime(b, &libcalls::RC_EXTEND_STRING, &[empty, bytes])
    }

    /// The function for an operation.
    fn function(&mut self, op: Array, kind: ArrayKind) -> FuncId {
        if let Some(known) = self.made.iter().find(|made| made.0 == (op, kind)) {
            return known.1;
        }
        let mut name = format!("{}.{}", op.opcode().name(), kind.word());
        while self.module.funcs.values().any(|func| func.name == name) {
            name.push('\'');
        }
        let (params, results): (&[Type], &[Type]) = match op {
            Array::ArrayNew => (&[Type::I64, kind.ty()], &[Type::Ref]),
            Array::ArraySlice => (&[Type::Ref, Type::I64, Type::I64], &[Type::Ref]),
            Array::ArrayCopy => (&[Type::Ref, Type::I64, Type::Ref, Type::I64, Type::I64], &[]),
            Array::ArrayGet | Array::ArraySet | Array::ArrayLen => unreachable!("they are no calls"),
        };
        let id = self.module.funcs.push(Func::new(name.clone(), Signature::new(params, results)));
        self.made.push(((op, kind), id));
        let mut func = Func::new(name, Signature::new(params, results));
        func.phase = Phase::High;
        let block = func.new_block();
        let args: Vec<Value> = params.iter().map(|&ty| func.add_param(block, ty)).collect();
        let mut b = Builder::new(&mut func, block);
        match op {
            Array::ArrayNew => self.fill(&mut b, kind, args[0], args[1]),
            Array::ArraySlice => self.slice(&mut b, kind, &args),
            Array::ArrayCopy => self.copy(&mut b, kind, &args),
            Array::ArrayGet | Array::ArraySet | Array::ArrayLen => unreachable!("they are no calls"),
        }
        self.module.funcs[id] = func;
        id
    }

    fn fill(&mut self, b: &mut Builder, kind: ArrayKind, size: Value, value: Value) {
        let array = self.allocate(b, kind, size);
        let zero = b.iconst64(0);
        if self.counts && kind == ArrayKind::Ref {
            self.each(b, zero, size, |this, b, index| this.set(b, kind, array, index, value));
            return b.ret(&[array]);
        }
        let (some, done) = (b.func.new_block(), b.func.new_block());
        let is_some = b.op(Opcode::Sgt, &[size, zero]);
        b.br_if(is_some, (some, &[]), (done, &[]));
        b.switch_to(some);
        self.set(b, kind, array, zero, value);
        if self.counts {
            let stride = b.iconst32(kind.stride() as i32);
            let callee = self.callee(&libcalls::RC_REPEAT);
            b.call_extern(callee, &[array, stride]);
        } else {
            let none = b.iconst32(0);
            let callee = self.callee(&libcalls::REPLICATE);
            b.call_extern(callee, &[array, none, none]);
        }
        b.jump(done, &[]);
        b.switch_to(done);
        b.ret(&[array]);
    }

    fn slice(&mut self, b: &mut Builder, kind: ArrayKind, args: &[Value]) {
        let (array, from, to) = (args[0], args[1], args[2]);
        let size = self.len(b, kind, array);
        let is_before = b.op(Opcode::Ule, &[to, size]);
        let is_ordered = b.op(Opcode::Ule, &[from, to]);
        let is_inside = b.op(Opcode::And, &[is_before, is_ordered]);
        self.demand(b, is_inside);
        if self.counts && kind != ArrayKind::Ref {
            // The runtime counts bytes, and means the last one.
            let (from, to) = (self.bytes(b, kind, from), self.bytes(b, kind, to));
            let one = b.iconst64(1);
            let last = b.op(Opcode::Isub, &[to, one]);
            let slice = self.runtime(b, &libcalls::RC_SLICE_STRING, &[array, from, last]);
            return b.ret(&[slice]);
        }
        let count = b.op(Opcode::Isub, &[to, from]);
        let slice = self.allocate(b, kind, count);
        let zero = b.iconst64(0);
        if !self.counts {
            self.copy_bytes(b, kind, [slice, zero, array, from, count]);
            return b.ret(&[slice]);
        }
        self.each(b, zero, count, |this, b, index| {
            let place = b.op(Opcode::Iadd, &[from, index]);
            let value = this.get(b, kind, array, place);
            this.set(b, kind, slice, index, value);
        });
        b.ret(&[slice]);
    }

    fn copy(&mut self, b: &mut Builder, kind: ArrayKind, args: &[Value]) {
        let (to, at, from, start, count) = (args[0], args[1], args[2], args[3], args[4]);
        for (array, first) in [(to, at), (from, start)] {
            let size = self.len(b, kind, array);
            let fits = b.op(Opcode::Ule, &[count, size]);
            let room = b.op(Opcode::Isub, &[size, count]);
            let is_before = b.op(Opcode::Ule, &[first, room]);
            let is_inside = b.op(Opcode::And, &[fits, is_before]);
            self.demand(b, is_inside);
        }
        if !self.counts || kind != ArrayKind::Ref {
            self.copy_bytes(b, kind, [to, at, from, start, count]);
            return b.ret(&[]);
        }
        // If the two are one, what is read later may not be overwritten before: then the last element comes first.
        let goes_up = b.op(Opcode::Ule, &[at, start]);
        let one = b.iconst64(1);
        let last = b.op(Opcode::Isub, &[count, one]);
        let (zero, minus) = (b.iconst64(0), b.iconst64(-1));
        let first = b.op(Opcode::Select, &[goes_up, zero, last]);
        let step = b.op(Opcode::Select, &[goes_up, one, minus]);
        self.each(b, zero, count, |this, b, round| {
            let distance = b.op(Opcode::Imul, &[round, step]);
            let index = b.op(Opcode::Iadd, &[first, distance]);
            let (source, target) = (b.op(Opcode::Iadd, &[start, index]), b.op(Opcode::Iadd, &[at, index]));
            let value = this.get(b, kind, from, source);
            this.set(b, kind, to, target, value);
        });
        b.ret(&[]);
    }

    /// So many elements as bytes.
    fn bytes(&self, b: &mut Builder, kind: ArrayKind, count: Value) -> Value {
        let stride = b.iconst64(i64::from(kind.stride()));
        b.op(Opcode::Imul, &[count, stride])
    }

    /// Copies elements that are not counted, all at once: to an array, at an index, from another, from an index on, so
    /// many.
    fn copy_bytes(&mut self, b: &mut Builder, kind: ArrayKind, [to, at, from, start, count]: [Value; 5]) {
        let [at, start, count] = [at, start, count].map(|count| self.bytes(b, kind, count));
        let row = if self.counts { &libcalls::RC_COPY_ELEMENTS } else { &libcalls::COPY_ELEMENTS };
        let callee = self.callee(row);
        b.call_extern(callee, &[to, at, from, start, count]);
    }

    /// A loop over numbers from one on, before another.
    fn each(&mut self, b: &mut Builder, from: Value, to: Value, body: impl FnOnce(&mut Self, &mut Builder, Value)) {
        let (head, inside, done) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let index = b.func.add_param(head, Type::I64);
        b.jump(head, &[from]);
        b.switch_to(head);
        let goes_on = b.op(Opcode::Slt, &[index, to]);
        b.br_if(goes_on, (inside, &[]), (done, &[]));
        b.switch_to(inside);
        body(self, b, index);
        let one = b.iconst64(1);
        let next = b.op(Opcode::Iadd, &[index, one]);
        b.jump(head, &[next]);
        b.switch_to(done);
    }
}

/// Stride and offset of elements.
fn place(kind: ArrayKind) -> u64 {
    pack(kind.stride(), ARRAY_DATA)
}

/// The instructions that read and write an element without asking.
const fn accesses(kind: ArrayKind) -> (Opcode, Opcode) {
    match kind {
        ArrayKind::Ref => (Opcode::ElemRef, Opcode::SetElemRef),
        ArrayKind::I64 => (Opcode::ElemI64, Opcode::SetElemI64),
        ArrayKind::F64 => (Opcode::ElemF64, Opcode::SetElemF64),
        ArrayKind::I32 => (Opcode::ElemI32, Opcode::SetElemI32),
        ArrayKind::F32 => (Opcode::ElemF32, Opcode::SetElemF32),
        ArrayKind::U8 => (Opcode::ElemU8, Opcode::SetElemU8),
    }
}
