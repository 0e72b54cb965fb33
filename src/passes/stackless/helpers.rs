//! Functions that all captures share: they write records and read them, by the types of what lives on.
//!
//! ```text
//! record of a frame      | number | bytes from the callee's shadow-stack pointer up to its own | words that live on … |
//! ```
//! With traces, the bytes of the words come before them.

use cleave_ir::layout::{CAPTURE_ID, CAPTURE_POINTER, CAPTURE_READ, CAPTURE_RESULTS, CAPTURE_TOP, SLOT};
use cleave_ir::{Builder, EntityRef, Func, FuncId, Libcall, Opcode, Phase, Signature, Type, Value};
use rustc_hash::FxHashMap;

/// The most words that one helper takes or gives.
pub const CHUNK: usize = 900;

/// What a helper does with words of some types. Records and results have helpers of their own: there are far more lists
/// of both than of either.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// (pointer, number, words) → (): the record of a function that has just been called, where a capture begins.
    Begin,
    /// (number, distance, words) → (): the record of a function that waits.
    Save,
    /// (words) → (): more of the record at hand.
    More,
    /// () → words: what was saved.
    Restore,
    /// (point) → words: what a function that has just been called was called with. Those that go on, which have a
    /// point, do not look at it.
    Arguments,
    /// () → words: what the callee has returned.
    Results,
    /// (words) → (): what was returned, for who waits for it.
    Leave,
    /// () → words: what a captured function returns, and one that goes on is called with.
    Zeros,
}

/// Makes helpers when they are first asked for.
pub struct Helpers {
    first: usize,
    pub made: Vec<Func>,
    known: FxHashMap<(Kind, Vec<Type>), FuncId>,
    points: Option<[FuncId; 2]>,
    pub traced: bool,
    /// Bits of a record's number that say where a function goes on.
    pub bits: u32,
}

/// Bytes of a value in memory.
fn size(ty: Type) -> u32 {
    if is_long(ty) { 2 * SLOT } else { SLOT }
}
fn is_long(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::F64)
}

/// Order of words in records, that of most parameters: so there are fewer helpers.
pub fn rank(ty: Type) -> u8 {
    match ty {
        Type::Ref => 0,
        Type::I32 => 1,
        Type::I64 => 2,
        Type::F64 => 3,
    }
}

/// In the names of helpers.
fn letter(ty: Type) -> char {
    match ty {
        Type::I64 => 'l',
        Type::F64 => 'f',
        Type::I32 => 'i',
        Type::Ref => 'r',
    }
}

fn load(ty: Type) -> Opcode {
    match ty {
        Type::I32 => Opcode::LoadI32,
        Type::I64 => Opcode::LoadI64,
        Type::F64 => Opcode::LoadF64,
        Type::Ref => Opcode::LoadRef,
    }
}
fn store(ty: Type) -> Opcode {
    match ty {
        Type::I32 => Opcode::StoreI32,
        Type::I64 => Opcode::StoreI64,
        Type::F64 => Opcode::StoreF64,
        Type::Ref => Opcode::StoreRef,
    }
}

/// An empty function that computes with what it is given alone, and its parameters.
fn leaf(name: String, params: &[Type], results: &[Type]) -> (Func, Vec<Value>) {
    let (mut func, params) = low(name, params, results);
    func.takes_stack_pointer = false;
    (func, params)
}

/// An empty function of low IR, and its parameters.
pub fn low(name: String, params: &[Type], results: &[Type]) -> (Func, Vec<Value>) {
    let mut func = Func::new(name, Signature::new(params, results));
    func.phase = Phase::Low;
    func.is_outlined = true;
    let block = func.new_block();
    let params = params.iter().map(|&ty| func.add_param(block, ty)).collect();
    (func, params)
}

pub fn zero(builder: &mut Builder, ty: Type) -> Value {
    match ty {
        Type::I32 => builder.iconst32(0),
        Type::I64 => builder.iconst64(0),
        Type::F64 => builder.fconst(0),
        Type::Ref => {
            let address = builder.iconst32(0);
            builder.op(Opcode::AddrRef, &[address])
        }
    }
}

/// A word at a fixed address.
pub fn peek(builder: &mut Builder, ty: Type, address: u32) -> Value {
    let base = builder.iconst32(0);
    builder.value(load(ty), u64::from(address), 0, &[base])
}
pub fn poke(builder: &mut Builder, address: u32, value: Value) {
    let base = builder.iconst32(0);
    let op = store(builder.func.values[value]);
    builder.inst(op, u64::from(address), 0, &[base, value]);
}
pub fn sum(builder: &mut Builder, value: Value, bytes: u32) -> Value {
    let bytes = builder.iconst32(bytes as i32);
    builder.op(Opcode::Iadd, &[value, bytes])
}

/// Loads words of the record at hand. If `stays` is not 0 they are whatever lies there, and the next ones are the same:
/// after the last record there is memory, too.
fn take(builder: &mut Builder, words: &[Type], stays: Option<Value>) -> Vec<Value> {
    if words.is_empty() {
        return Vec::new();
    }
    let next = peek(builder, Type::I32, CAPTURE_READ);
    let mut offset = 0;
    let mut all = Vec::with_capacity(words.len());
    for &ty in words {
        all.push(builder.value(load(ty), u64::from(offset), 0, &[next]));
        offset += size(ty);
    }
    let mut end = sum(builder, next, offset);
    if let Some(stays) = stays {
        end = builder.op(Opcode::Select, &[stays, next, end]);
    }
    poke(builder, CAPTURE_READ, end);
    all
}

/// A function that returns what is made of its parameters.
fn gives(
    name: String,
    params: &[Type],
    types: &[Type],
    make: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
) -> Func {
    let (mut func, params) = leaf(name, params, types);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    let all = make(&mut builder, &params);
    builder.ret(&all);
    func
}

/// Loads what a called function has left as its results.
pub fn load_results(builder: &mut Builder, types: &[Type]) -> Vec<Value> {
    types.iter().zip((CAPTURE_RESULTS..).step_by(8)).map(|(&ty, at)| peek(builder, ty, at)).collect()
}

/// In the order of records.
pub fn sorted(func: &Func, mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_key(|&value| rank(func.values[value]));
    values
}

/// The types of values.
pub fn types_of(func: &Func, values: &[Value]) -> Vec<Type> {
    values.iter().map(|&value| func.values[value]).collect()
}

/// Leaves results where `load_results` finds them.
pub fn store_results(builder: &mut Builder, results: &[Value]) {
    results.iter().zip((CAPTURE_RESULTS..).step_by(8)).for_each(|(&result, at)| poke(builder, at, result));
}

impl Helpers {
    /// Their numbers begin with `first`.
    pub fn new(first: usize, traced: bool, bits: u32) -> Helpers {
        Helpers { first, made: Vec::new(), known: FxHashMap::default(), points: None, traced, bits }
    }

    pub fn add(&mut self, func: Func) -> FuncId {
        self.made.push(func);
        FuncId::new(self.first + self.made.len() - 1)
    }

    /// The helper for words of these types.
    pub fn get(&mut self, kind: Kind, words: &[Type]) -> FuncId {
        let key = (kind, words.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let letters: String = words.iter().map(|&ty| letter(ty)).collect();
        let name = match kind {
            Kind::Begin => "begin",
            Kind::Save => "save",
            Kind::More => "more",
            Kind::Restore => "restore",
            Kind::Arguments => "arguments",
            Kind::Results => "results",
            Kind::Leave => "leave",
            Kind::Zeros => "zeros",
        };
        let name = format!("stackless.{name}.{letters}");
        let func = match kind {
            Kind::Begin | Kind::Save | Kind::More => self.save(name, kind, words),
            Kind::Restore => gives(name, &[], words, |builder, _| take(builder, words, None)),
            Kind::Arguments => gives(name, &[Type::I32], words, |builder, point| take(builder, words, Some(point[0]))),
            Kind::Results => gives(name, &[], words, |builder, _| load_results(builder, words)),
            Kind::Zeros => gives(name, &[], words, |builder, _| words.iter().map(|&ty| zero(builder, ty)).collect()),
            Kind::Leave => {
                let (mut func, params) = leaf(name, words, &[]);
                let block = func.entry_block();
                let mut builder = Builder::new(&mut func, block);
                store_results(&mut builder, &params);
                builder.ret(&[]);
                func
            }
        };
        let id = self.add(func);
        self.known.insert(key, id);
        id
    }

    fn save(&self, name: String, kind: Kind, words: &[Type]) -> Func {
        let lead: &[Type] = match kind {
            Kind::Begin => &[Type::I32],
            Kind::Save => &[Type::I32; 2],
            _ => &[],
        };
        let (mut func, params) = low(name, &[lead, words].concat(), &[]);
        func.takes_stack_pointer = kind == Kind::Begin;
        let block = func.entry_block();
        let mut builder = Builder::new(&mut func, block);
        if kind == Kind::Begin {
            let pointer = builder.op(Opcode::ShadowPointer, &[]);
            builder.call_rt(Libcall::CaptureBegin, &[pointer]);
            let unwinding = builder.iconst32(0);
            builder.effect(Opcode::SetStackLimit, &[unwinding]);
        }
        let top = peek(&mut builder, Type::I32, CAPTURE_TOP);
        let mut offset = 0;
        let mut put = |builder: &mut Builder, value: Value| {
            let ty = builder.func.values[value];
            builder.inst(store(ty), u64::from(offset), 0, &[top, value]);
            offset += size(ty);
        };
        if kind != Kind::More {
            put(&mut builder, params[0]);
            let distance = if kind == Kind::Save { params[1] } else { builder.iconst32(0) };
            put(&mut builder, distance);
            if self.traced {
                let bytes = builder.iconst32(words.iter().map(|&ty| size(ty)).sum::<u32>() as i32);
                put(&mut builder, bytes);
            }
        }
        params[lead.len()..].iter().for_each(|&word| put(&mut builder, word));
        let end = sum(&mut builder, top, offset);
        poke(&mut builder, CAPTURE_TOP, end);
        builder.ret(&[]);
        func
    }

    /// Two functions: () → the shadow-stack pointer of the function that goes on; () → after which of its calls.
    pub fn points(&mut self) -> [FuncId; 2] {
        if let Some(points) = self.points {
            return points;
        }
        let (mut func, _) = leaf("stackless.pointer".into(), &[], &[Type::I32]);
        let block = func.entry_block();
        let mut builder = Builder::new(&mut func, block);
        let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
        builder.ret(&[pointer]);
        let pointer = self.add(func);
        let (mut func, _) = leaf("stackless.point".into(), &[], &[Type::I32]);
        let block = func.entry_block();
        let mut builder = Builder::new(&mut func, block);
        let id = peek(&mut builder, Type::I32, CAPTURE_ID);
        let mask = builder.iconst32((1 << self.bits) - 1);
        let point = builder.op(Opcode::And, &[id, mask]);
        let one = builder.iconst32(1);
        let point = builder.op(Opcode::Isub, &[point, one]);
        builder.ret(&[point]);
        let points = [pointer, self.add(func)];
        self.points = Some(points);
        points
    }

    /// What a helper without parameters gives, if that is anything.
    pub fn given(&mut self, builder: &mut Builder, kind: Kind, types: &[Type]) -> Vec<Value> {
        if types.is_empty() {
            return Vec::new();
        }
        let call = builder.call(self.get(kind, types), &[], types);
        builder.func.results(call).to_vec()
    }
}
