//! Functions that all captures share: they write records and read them, by the types of what lives on, and the
//! trampoline that goes on with captured functions one by one.
//!
//! ```text
//! record of a frame      | number | bytes from the callee's shadow-stack pointer up to its own | words that live on … |
//! ```
//! With traces, the bytes of the words come before them.

use cleave_ir::layout::{
    CAPTURE_BUDGET, CAPTURE_END, CAPTURE_ID, CAPTURE_LIMIT, CAPTURE_POINTER, CAPTURE_READ, CAPTURE_RESULTS,
    CAPTURE_TOP, SLOT,
};
use cleave_ir::{
    Builder, EntityRef, Func, FuncId, Libcall, Module, Opcode, Phase, Signature, Table, TableData, TableRole, Type,
    Value,
};
use rustc_hash::FxHashMap;

/// The most words that one helper takes or gives.
pub const CHUNK: usize = 900;

/// What a helper does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// (pointer, number, words): the record of a function that has just been called, where a capture begins.
    Begin,
    /// (number, distance, words): the record of a function that waits.
    Save,
    /// (words): more of the record at hand.
    More,
    /// () → words, results: what was saved, and what the callee has returned.
    Restore,
}

/// Makes helpers when they are first asked for.
pub struct Helpers {
    first: usize,
    pub made: Vec<Func>,
    known: FxHashMap<(Kind, Vec<Type>, Vec<Type>), FuncId>,
    points: Option<[FuncId; 2]>,
    traced: bool,
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

/// Order of words in records: so there are fewer helpers.
pub fn rank(ty: Type) -> u8 {
    match ty {
        Type::I64 => 0,
        Type::F64 => 1,
        Type::I32 => 2,
        Type::Ref => 3,
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

/// An empty function of low IR, and its parameters.
pub fn low(name: String, params: &[Type], results: &[Type]) -> (Func, Vec<Value>) {
    let mut func = Func::new(name, Signature::new(params, results));
    func.phase = Phase::Low;
    func.is_outlined = true;
    let block = func.new_block();
    let params = params.iter().map(|&ty| func.add_param(block, ty)).collect();
    (func, params)
}

fn zero(builder: &mut Builder, ty: Type) -> Value {
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
fn peek(builder: &mut Builder, ty: Type, address: u32) -> Value {
    let base = builder.iconst32(0);
    builder.value(load(ty), u64::from(address), 0, &[base])
}
fn poke(builder: &mut Builder, address: u32, value: Value) {
    let base = builder.iconst32(0);
    let op = store(builder.func.values[value]);
    builder.inst(op, u64::from(address), 0, &[base, value]);
}
fn sum(builder: &mut Builder, value: Value, bytes: u32) -> Value {
    let bytes = builder.iconst32(bytes as i32);
    builder.op(Opcode::Iadd, &[value, bytes])
}

/// Loads words of the record at hand.
fn take(builder: &mut Builder, words: &[Type]) -> Vec<Value> {
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
    let end = sum(builder, next, offset);
    poke(builder, CAPTURE_READ, end);
    all
}

/// Loads what a called function has left as its results.
pub fn load_results(builder: &mut Builder, types: &[Type]) -> Vec<Value> {
    types.iter().zip((CAPTURE_RESULTS..).step_by(8)).map(|(&ty, at)| peek(builder, ty, at)).collect()
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

    /// The helper for words and results of these types.
    pub fn get(&mut self, kind: Kind, words: &[Type], results: &[Type]) -> FuncId {
        let key = (kind, words.to_vec(), results.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let letters = |types: &[Type]| types.iter().map(|&ty| letter(ty)).collect::<String>();
        let name = match kind {
            Kind::Begin => "begin",
            Kind::Save => "save",
            Kind::More => "more",
            Kind::Restore => "restore",
        };
        let name = format!("stackless.{name}.{}.{}", letters(words), letters(results));
        let func = match kind {
            Kind::Restore => self.restore(name, words, results),
            _ => self.save(name, kind, words, results),
        };
        let id = self.add(func);
        self.known.insert(key, id);
        id
    }

    fn save(&self, name: String, kind: Kind, words: &[Type], results: &[Type]) -> Func {
        let lead: &[Type] = match kind {
            Kind::Begin => &[Type::I32],
            Kind::Save => &[Type::I32; 2],
            _ => &[],
        };
        let (mut func, params) = low(name, &[lead, words].concat(), results);
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
        let results: Vec<Value> = results.iter().map(|&ty| zero(&mut builder, ty)).collect();
        builder.ret(&results);
        func
    }

    fn restore(&self, name: String, words: &[Type], results: &[Type]) -> Func {
        let (mut func, _) = low(name, &[], &[words, results].concat());
        func.takes_stack_pointer = false;
        let block = func.entry_block();
        let mut builder = Builder::new(&mut func, block);
        let mut all = take(&mut builder, words);
        all.extend(load_results(&mut builder, results));
        builder.ret(&all);
        func
    }

    /// Two functions: () → the shadow-stack pointer of the function that goes on; () → after which of its calls.
    pub fn points(&mut self) -> [FuncId; 2] {
        if let Some(points) = self.points {
            return points;
        }
        let (mut func, _) = low("stackless.pointer".into(), &[], &[Type::I32]);
        func.takes_stack_pointer = false;
        let block = func.entry_block();
        let mut builder = Builder::new(&mut func, block);
        let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
        builder.ret(&[pointer]);
        let pointer = self.add(func);
        let (mut func, _) = low("stackless.point".into(), &[], &[Type::I32]);
        func.takes_stack_pointer = false;
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

    /// What goes on with captured functions. `funcs` are those of the module that can be captured, by their numbers.
    /// Functions with the same signature are next to each other. `rests` are who goes on in their middle. Gives with it
    /// what each of these calls last, rather than to return.
    pub fn trampoline(&mut self, module: &mut Module, funcs: &[FuncId], rests: &[FuncId]) -> (FuncId, Vec<FuncId>) {
        let mut stubs: Vec<FuncId> = Vec::with_capacity(funcs.len());
        let mut returns: Vec<FuncId> = Vec::with_capacity(funcs.len());
        for same in funcs.chunk_by(|&a, &b| module.funcs[a].signature == module.funcs[b].signature) {
            let signature = module.funcs[same[0]].signature.clone();
            let label = format!("stackless.{}", stubs.len());
            let rests = &rests[stubs.len()..][..same.len()];
            let mut table = |label: String, funcs: &[FuncId]| {
                let signature = signature.clone();
                module.tables.push(TableData { label, role: TableRole::Plain, signature, funcs: funcs.to_vec() })
            };
            let first = table(label.clone(), same);
            let rest = if rests == same { first } else { table(format!("{label}.rest"), rests) };
            let stub = self.add(stub_of(module, [first, rest], stubs.len() as u32));
            let first = stubs.len() as u32;
            stubs.extend(same.iter().map(|_| stub));
            if rests == same {
                returns.extend(same);
            } else {
                let id = self.add(return_of(module, rest, first, self.bits));
                returns.extend(same.iter().map(|_| id));
            }
        }
        let signature = Signature::new(&[Type::I32; 2], &[]);
        let all = TableData { label: "stackless".into(), role: TableRole::Plain, signature, funcs: stubs };
        let all = module.tables.push(all);
        (self.add(trampoline_of(all, self.bits, self.traced)), returns)
    }
}

/// (number of a function, where it goes on) → (): calls the function, one of a table, and leaves its results. One that
/// has just been called gets what it was called with; another one a shadow-stack pointer that tells it to go on.
fn stub_of(module: &Module, [table, rests]: [Table; 2], first: u32) -> Func {
    let TableData { label, signature, .. } = &module.tables[table];
    let (mut func, params) = low(format!("{label}.go_on"), &[Type::I32; 2], &[]);
    let entry = func.entry_block();
    let [middle, start, end] = [(); 3].map(|()| func.new_block());
    let results: Vec<Value> = signature.results.iter().map(|&ty| func.add_param(end, ty)).collect();
    let mut builder = Builder::new(&mut func, entry);
    let first = builder.iconst32(first as i32);
    let number = builder.op(Opcode::Isub, &[params[0], first]);
    builder.br_if(params[1], (middle, &[]), (start, &[]));
    builder.switch_to(middle);
    let mut args = vec![number, builder.iconst32(0)];
    args.extend(signature.params.iter().map(|&ty| zero(&mut builder, ty)));
    let call = builder.call_table(rests, &args, &signature.results);
    let given = builder.func.results(call).to_vec();
    builder.jump(end, &given);
    builder.switch_to(start);
    let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
    let mut order: Vec<usize> = (0..signature.params.len()).collect();
    order.sort_by_key(|&at| rank(signature.params[at]));
    let words: Vec<Type> = order.iter().map(|&at| signature.params[at]).collect();
    let mut args = vec![number, pointer];
    args.resize(2 + words.len(), pointer);
    for (at, word) in order.into_iter().zip(take(&mut builder, &words)) {
        args[2 + at] = word;
    }
    let call = builder.call_table(table, &args, &signature.results);
    let given = builder.func.results(call).to_vec();
    builder.jump(end, &given);
    builder.switch_to(end);
    for (result, at) in results.into_iter().zip((CAPTURE_RESULTS..).step_by(8)) {
        poke(&mut builder, at, result);
    }
    builder.ret(&[]);
    func
}

/// (results) → results: what functions do that have gone on in their middle and are done. Who waits for them goes on in
/// its middle, too, if it is one of the same table; else the trampoline finds out. `first` is the number of the first
/// function of the table. Modules with traces have no such functions (`separate`).
fn return_of(module: &Module, rests: Table, first: u32, bits: u32) -> Func {
    let TableData { label, signature, funcs, .. } = &module.tables[rests];
    let (mut func, results) = low(format!("{label}.return"), &signature.results, &signature.results);
    let entry = func.entry_block();
    let [waiting, same, end] = [(); 3].map(|()| func.new_block());
    let mut builder = Builder::new(&mut func, entry);
    let next = peek(&mut builder, Type::I32, CAPTURE_READ);
    let last = peek(&mut builder, Type::I32, CAPTURE_END);
    let is_last = builder.op(Opcode::Eq, &[next, last]);
    builder.br_if(is_last, (end, &[]), (waiting, &[]));
    builder.switch_to(waiting);
    // It is in its middle: only the innermost function of a capture has just been called, and that is no longer there.
    let id = builder.value(Opcode::LoadI32, 0, 0, &[next]);
    let [shift, first, count] = [bits as i32, first as i32, funcs.len() as i32].map(|n| builder.iconst32(n));
    let number = builder.op(Opcode::Ushr, &[id, shift]);
    let number = builder.op(Opcode::Isub, &[number, first]);
    let is_same = builder.op(Opcode::Ult, &[number, count]);
    builder.br_if(is_same, (same, &[]), (end, &[]));
    builder.switch_to(same);
    for (&result, at) in results.iter().zip((CAPTURE_RESULTS..).step_by(8)) {
        poke(&mut builder, at, result);
    }
    // As the libcall `capture_next` does.
    let above = builder.value(Opcode::LoadI32, u64::from(SLOT), 0, &[next]);
    let pointer = peek(&mut builder, Type::I32, CAPTURE_POINTER);
    let pointer = builder.op(Opcode::Iadd, &[pointer, above]);
    let words = sum(&mut builder, next, 2 * SLOT);
    let budget = peek(&mut builder, Type::I32, CAPTURE_BUDGET);
    let limit = builder.op(Opcode::Isub, &[pointer, budget]);
    for (address, word) in [(CAPTURE_ID, id), (CAPTURE_POINTER, pointer), (CAPTURE_READ, words), (CAPTURE_LIMIT, limit)]
    {
        poke(&mut builder, address, word);
    }
    builder.effect(Opcode::SetStackLimit, &[limit]);
    let mut args = vec![number, builder.iconst32(0)];
    args.extend(signature.params.iter().map(|&ty| zero(&mut builder, ty)));
    builder.tail_call_table(rests, &args);
    builder.switch_to(end);
    builder.ret(&results);
    func
}

/// Goes on with captured functions until the last of them has returned.
fn trampoline_of(stubs: Table, bits: u32, traced: bool) -> Func {
    let (mut func, _) = low("stackless.trampoline".into(), &[], &[]);
    func.is_outlined = false;
    let entry = func.entry_block();
    let [round, go_on, captured, end] = [(); 4].map(|()| func.new_block());
    let mut builder = Builder::new(&mut func, entry);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let [no, yes] = [0, 1].map(|n| builder.iconst32(n));
    builder.call_rt(Libcall::CaptureEnd, &[pointer, yes]);
    builder.jump(round, &[]);
    builder.switch_to(round);
    let mask = builder.iconst32((1 << bits) - 1);
    let id = builder.call_rt(Libcall::CaptureNext, &[mask]);
    let id = builder.func.result(id);
    let limit = peek(&mut builder, Type::I32, CAPTURE_LIMIT);
    builder.effect(Opcode::SetStackLimit, &[limit]);
    let none = builder.iconst32(-1);
    let is_end = builder.op(Opcode::Eq, &[id, none]);
    builder.br_if(is_end, (end, &[]), (go_on, &[]));
    builder.switch_to(go_on);
    let shift = builder.iconst32(bits as i32);
    let number = builder.op(Opcode::Ushr, &[id, shift]);
    let point = builder.op(Opcode::And, &[id, mask]);
    if traced {
        // The bytes of the words.
        let next = peek(&mut builder, Type::I32, CAPTURE_READ);
        let words = sum(&mut builder, next, SLOT);
        poke(&mut builder, CAPTURE_READ, words);
    }
    builder.call_table(stubs, &[number, pointer, number, point], &[]);
    let limit = builder.op(Opcode::StackLimit, &[]);
    builder.br_if(limit, (round, &[]), (captured, &[]));
    builder.switch_to(captured);
    builder.call_rt(Libcall::CaptureEnd, &[pointer, no]);
    builder.jump(round, &[]);
    builder.switch_to(end);
    builder.ret(&[]);
    func
}
