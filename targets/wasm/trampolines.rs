//! Trampolines: generated functions between compiled code and the runtime.
//!
//! Compiled code has the heap pointer in a global, the runtime in the program record: it is copied there before a call
//! of the runtime, and back after it. Externs with several results leave them in memory, from where they are loaded.

use crate::env::{Env, UNUSED};
use crate::locals::val_type;
use crate::lower::code::memory;
use crate::signatures::lowered_type;
use cleave_ir::interface::Entry;
use cleave_ir::layout::{CAPTURE_RESULTS, PROGRAM_HEAP_LIMIT, PROGRAM_HEAP_POINTER, TAG_HNF};
use cleave_ir::{Effects, ExternData, Func, Libcall, Signature, Type};
use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};

/// Bytes of a result cell.
const RESULT_CELL: u64 = 8;

/// Parameters and results of an extern as compiled code calls it.
pub fn extern_type(data: &ExternData) -> (Vec<ValType>, Vec<ValType>) {
    lowered_type(data.lowered_signature())
}

/// True if calls need a wrapper.
pub fn is_wrapped(data: &ExternData) -> bool {
    data.effects.all(Effects::HEAP) || data.results.len() > 1
}

/// The host may call entries meanwhile.
pub fn is_called_back(data: &ExternData) -> bool {
    data.from.is_some() && data.effects.all(Effects::HEAP)
}

/// Parameters and results of a function of the host. It does not get the stack pointer.
pub fn import_type(data: &ExternData) -> (Vec<ValType>, Vec<ValType>) {
    let (mut params, results) = extern_type(data);
    if is_called_back(data) && data.effects.may_gc() {
        params.remove(0);
    }
    (params, results)
}

/// What `host_call` takes: on the reference-counted heap, whose calls have no stack pointer as a rule, it comes last.
pub fn host_call_type(data: &ExternData) -> (Vec<ValType>, Vec<ValType>) {
    let (mut params, results) = extern_type(data);
    params.extend((!data.effects.may_gc()).then_some(ValType::I32));
    (params, results)
}

/// Calls a function of the host; the stack of entries that it calls goes on where this one is.
pub fn host_call(env: &Env, data: &ExternData, import: u32) -> Function {
    let params = host_call_type(data).0.len() as u32;
    let mut function = Function::new([(1, ValType::I32)]);
    let mut sink = function.instructions();
    let stack = env.entry_stack.expect("there are entries");
    let (pointer, first) = if data.effects.may_gc() { (0, 1) } else { (params - 1, 0) };
    sink.global_get(stack).local_set(params).local_get(pointer).global_set(stack);
    (first..first + params - 1).for_each(|param| _ = sink.local_get(param));
    sink.call(import).local_get(params).global_set(stack).end();
    function
}

fn pointer_field(env: &Env) -> MemArg {
    memory(u64::from(env.data_section.program + PROGRAM_HEAP_POINTER), 2)
}
fn limit_field(env: &Env) -> MemArg {
    memory(u64::from(env.data_section.program + PROGRAM_HEAP_LIMIT), 2)
}

/// Heap pointer to the program record. Compiled code never changes the limit, so the record has it already.
fn store_heap(env: &Env, sink: &mut InstructionSink) {
    sink.i32_const(0).global_get(env.pointer).i32_store(pointer_field(env));
}

fn load_heap(env: &Env, sink: &mut InstructionSink) {
    sink.i32_const(0).i32_load(pointer_field(env)).global_set(env.pointer);
    sink.i32_const(0).i32_load(limit_field(env)).global_set(env.limit);
}

/// Wrapper of an extern that uses the heap or has several results; `target` is the function itself.
pub fn wrapper(env: &Env, data: &ExternData, target: u32) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    let heap = data.effects.all(Effects::HEAP);
    if heap {
        store_heap(env, &mut sink);
    }
    for param in 0..extern_type(data).0.len() as u32 {
        sink.local_get(param);
    }
    sink.call(target);
    if heap {
        load_heap(env, &mut sink);
    }
    if data.results.len() > 1 {
        for (cell, ty) in data.results.iter().enumerate() {
            let cell = u64::from(env.data_section.results) + cell as u64 * RESULT_CELL;
            load(&mut sink, *ty, cell);
        }
    }
    sink.end();
    function
}

/// Loads from a fixed address.
fn load(sink: &mut InstructionSink, ty: Type, address: u64) {
    sink.i32_const(0);
    match ty {
        Type::I32 | Type::Ref => sink.i32_load(memory(address, 2)),
        Type::I64 => sink.i64_load(memory(address, 3)),
        Type::F64 => sink.f64_load(memory(address, 3)),
    };
}

/// `env.cleave_main(sp)`: runs the start function of the program, with the limit of the shadow stack that a function
/// of the runtime tells, if anybody asks for it.
pub fn main(env: &Env, start: &Func, index: u32) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    load_heap(env, &mut sink);
    let stack_limit = env.external(Libcall::StackLimit.id());
    if stack_limit != UNUSED {
        sink.call(stack_limit).global_set(env.stack_limit());
    }
    if let Some(stack) = env.entry_stack {
        sink.local_get(0).global_set(stack);
    }
    if start.takes_stack_pointer {
        sink.local_get(0);
    }
    sink.call(index);
    if let Some(trampoline) = env.trampoline {
        sink.global_get(env.stack_limit()).i32_eqz().if_(BlockType::Empty).local_get(0).call(trampoline).end();
    }
    store_heap(env, &mut sink);
    sink.end();
    function
}

/// `env.cleave_eval(sp, node)`: the node in head normal form.
pub fn eval(env: &Env) -> Function {
    let header = 2;
    let mut function = Function::new([(1, ValType::I32)]);
    let mut sink = function.instructions();
    sink.local_get(1).i32_load(memory(0, 2)).local_tee(header).i32_const(TAG_HNF as i32).i32_and();
    sink.if_(BlockType::Empty).local_get(1).return_().end();
    load_heap(env, &mut sink);
    sink.local_get(0).local_get(1).local_get(header).call(env.enter);
    if let Some(trampoline) = env.trampoline {
        sink.local_set(header).global_get(env.stack_limit()).i32_eqz().if_(BlockType::Empty);
        sink.local_get(0).call(trampoline).i32_const(0).i32_load(memory(u64::from(CAPTURE_RESULTS), 2));
        sink.local_set(header).end().local_get(header);
    }
    store_heap(env, &mut sink);
    sink.end();
    function
}

/// `_start`: hands the program record to the runtime; before that the constructors of C, after it what C has to end.
pub fn start(env: &Env, constructors: &[u32], runtime_main: u32, end: Option<u32>) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    for &constructor in constructors {
        sink.call(constructor);
    }
    sink.i32_const(env.data_section.program as i32).call(runtime_main);
    end.into_iter().for_each(|end| _ = sink.call(end));
    sink.end();
    function
}

/// Calls of functions without arguments and results.
pub fn calls(targets: &[u32]) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    for &target in targets {
        sink.call(target);
    }
    sink.end();
    function
}

/// High word of the product of two words: the sum of the products of their halves, with the carries of the middle.
pub fn umulhi() -> Function {
    // Parameters a = 0, b = 1; t = a.low * b.low, then u = a.high * b.low + t.high, then w = a.low * b.high + u.low.
    let (t, u) = (2, 3);
    let low = 0xffff_ffff;
    let mut function = Function::new([(2, ValType::I64)]);
    let mut sink = function.instructions();
    sink.local_get(0).i64_const(low).i64_and().local_get(1).i64_const(low).i64_and().i64_mul().local_set(t);
    sink.local_get(0).i64_const(32).i64_shr_u().local_get(1).i64_const(low).i64_and().i64_mul();
    sink.local_get(t).i64_const(32).i64_shr_u().i64_add().local_set(u);
    sink.local_get(0).i64_const(low).i64_and().local_get(1).i64_const(32).i64_shr_u().i64_mul();
    sink.local_get(u).i64_const(low).i64_and().i64_add().i64_const(32).i64_shr_u();
    sink.local_get(0).i64_const(32).i64_shr_u().local_get(1).i64_const(32).i64_shr_u().i64_mul();
    sink.i64_add().local_get(u).i64_const(32).i64_shr_u().i64_add().end();
    function
}

/// What the host passes to an entry, and gets; `signature` is that of its function as the front end knows it.
pub fn entry_type(entry: &Entry, signature: &Signature) -> (Vec<ValType>, Vec<ValType>) {
    let narrow = |is_narrow: bool, ty: Type| if is_narrow { ValType::F32 } else { val_type(ty) };
    let params = (0..).zip(&signature.params).map(|(at, &ty)| narrow(entry.narrow.0.contains(&at), ty)).collect();
    (params, signature.results.iter().map(|&ty| narrow(entry.narrow.1, ty)).collect())
}

/// The host can call the function as it is.
pub fn is_direct(entry: &Entry, func: &Func, signature: &Signature) -> bool {
    !func.takes_stack_pointer && func.signature == *signature && entry.narrow.0.is_empty() && !entry.narrow.1
}

/// Calls a function as compiled code does: with the stack pointer of the start, reals of 64 bits, and integers that
/// travel as reals (`registers`).
pub fn entry(env: &Env, entry: &Entry, func: &Func, signature: &Signature) -> Function {
    let mut function = Function::new(func.signature.results.iter().map(|&ty| (1, val_type(ty))));
    let mut sink = function.instructions();
    if func.takes_stack_pointer {
        sink.global_get(env.entry_stack.expect("there are entries"));
    }
    for ((at, host), own) in (0..).zip(&signature.params).zip(&func.signature.params) {
        sink.local_get(at);
        if entry.narrow.0.contains(&at) {
            sink.f64_promote_f32();
        } else if host != own {
            if *host == Type::I32 {
                sink.i64_extend_i32_u();
            }
            sink.f64_reinterpret_i64();
        }
    }
    sink.call(env.function(entry.func));
    if let Some(trampoline) = env.trampoline {
        let locals = func.signature.params.len() as u32..;
        let results = || locals.clone().zip(&func.signature.results);
        results().collect::<Vec<_>>().iter().rev().for_each(|&(local, _)| _ = sink.local_set(local));
        sink.global_get(env.stack_limit()).i32_eqz().if_(BlockType::Empty);
        sink.global_get(env.entry_stack.expect("there are entries")).call(trampoline);
        for ((local, &ty), at) in results().zip((CAPTURE_RESULTS..).step_by(8)) {
            load(&mut sink, ty, u64::from(at));
            sink.local_set(local);
        }
        sink.end();
        results().for_each(|(local, _)| _ = sink.local_get(local));
    }
    if entry.narrow.1 {
        sink.f32_demote_f64();
    }
    sink.end();
    function
}
