//! Trampolines: generated functions between compiled code, C and the runtime.

use super::link::{Linked, Target};
use super::relocate::Indices;
use crate::lower::code::memory;
use cleave_ir::layout::{C_ARGUMENT_REALS, C_ARGUMENT_WORDS, PAGE};
use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

/// Pages that the heap of C has at first: some allocators need room before they ask for more.
pub const FIRST_PAGES: u32 = 1;
/// Bytes of a word, and of a place of an argument.
const WORD: u64 = 8;

/// A function that is made for C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trampoline {
    /// `env.cleave_call_c(function, arguments, results)` of the runtime.
    Call,
    SetStack,
    MemorySize,
    MemoryGrow,
    /// Stands for a weak symbol without definition; number of its type.
    Absent(u32),
}

impl Trampoline {
    /// All that a program with C functions has.
    pub fn all(linked: &Linked) -> Vec<Trampoline> {
        let absent = (0..linked.absent.len() as u32).map(Trampoline::Absent);
        [Trampoline::Call, Trampoline::SetStack, Trampoline::MemorySize, Trampoline::MemoryGrow]
            .into_iter()
            .chain(absent)
            .collect()
    }

    pub fn name(self) -> String {
        match self {
            Trampoline::Call => "cleave.call_c".into(),
            Trampoline::SetStack => "cleave.c_set_stack".into(),
            Trampoline::MemorySize => "cleave.c_memory_size".into(),
            Trampoline::MemoryGrow => "cleave.c_memory_grow".into(),
            Trampoline::Absent(number) => format!("cleave.c_absent.{number}"),
        }
    }

    /// Parameters and results, but for `Absent`, whose type is that of the symbol.
    pub fn ty(self) -> (Vec<ValType>, Vec<ValType>) {
        let word = ValType::I32;
        match self {
            Trampoline::Call => (vec![word; 3], vec![]),
            Trampoline::SetStack => (vec![word], vec![]),
            Trampoline::MemorySize => (vec![], vec![word]),
            Trampoline::MemoryGrow => (vec![word], vec![word]),
            Trampoline::Absent(_) => (vec![], vec![]),
        }
    }

    pub fn generate(self, linked: &Linked, indices: &Indices) -> Function {
        match self {
            Trampoline::Call => call(linked, indices),
            Trampoline::SetStack => set_stack(linked, indices),
            Trampoline::MemorySize => {
                let mut function = Function::new([]);
                function.instructions().global_get(indices.heap_top).end();
                function
            }
            Trampoline::MemoryGrow => memory_grow(indices),
            Trampoline::Absent(_) => Trampoline::absent(),
        }
    }

    /// A function that is never to be called.
    pub fn absent() -> Function {
        let mut function = Function::new([]);
        function.instructions().unreachable().end();
        function
    }
}

/// Sets the stack pointer. Below the stack lies what is not its own: an overflow is told as that of the shadow stack,
/// by an access beyond the memory.
fn set_stack(linked: &Linked, indices: &Indices) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    sink.local_get(0).i32_const(linked.stack.0 as i32).i32_lt_u().if_(BlockType::Empty);
    sink.i32_const(-4).i32_load(memory(0, 2)).drop().end();
    sink.local_get(0).global_set(indices.stack_pointer).end();
    function
}

/// Gives C further pages of its own heap, as `memory.grow` does: the old size, or -1.
fn memory_grow(indices: &Indices) -> Function {
    let last = (indices.heap.end / PAGE) as i32;
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    sink.local_get(0).i32_const(last).global_get(indices.heap_top).i32_sub().i32_gt_u().if_(BlockType::Empty);
    sink.i32_const(-1).return_().end();
    sink.global_get(indices.heap_top);
    sink.global_get(indices.heap_top).local_get(0).i32_add().global_set(indices.heap_top).end();
    function
}

/// Calls the function with a number, from 1 on; the results are what it returns as an integer, as a real, and the
/// status that C has set. The runtime has put the arguments in classes, as for machine code: those that do not fit come
/// in order after them.
fn call(linked: &Linked, indices: &Indices) -> Function {
    let count = linked.calls.len() as u32;
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    for _ in 0..=count {
        sink.block(BlockType::Empty);
    }
    let cases: Vec<u32> = (0..count).collect();
    sink.local_get(0).i32_const(1).i32_sub().br_table(cases, count);
    for call in &linked.calls {
        sink.end();
        case(&mut sink, linked, indices, call.target);
        sink.return_();
    }
    sink.end().unreachable().end();
    function
}

/// One call. Types that C does not have are refused before (`fits`).
fn case(sink: &mut InstructionSink, linked: &Linked, indices: &Indices, target: Target) {
    let Target::Function(object, index) = target else {
        sink.unreachable();
        return;
    };
    let ty = linked.objects[object as usize].type_of(index);
    let (mut words, mut reals, mut others) = (0, 0, 0);
    sink.local_get(2);
    for param in ty.params() {
        let is_real = matches!(param, wasmparser::ValType::F32 | wasmparser::ValType::F64);
        let (used, most, start) =
            if is_real { (&mut reals, C_ARGUMENT_REALS, C_ARGUMENT_WORDS) } else { (&mut words, C_ARGUMENT_WORDS, 0) };
        let place = if *used < most {
            *used += 1;
            start + *used - 1
        } else {
            others += 1;
            C_ARGUMENT_WORDS + C_ARGUMENT_REALS + others - 1
        };
        let at = |align| memory(u64::from(place) * WORD, align);
        sink.local_get(1);
        match param {
            wasmparser::ValType::I64 => sink.i64_load(at(3)),
            wasmparser::ValType::F64 => sink.f64_load(at(3)),
            wasmparser::ValType::F32 => sink.f32_load(at(2)),
            _ => sink.i32_load(at(2)),
        };
    }
    sink.call(indices.target(linked, target));
    match ty.results().first() {
        None => sink.drop(),
        Some(wasmparser::ValType::I64) => sink.i64_store(memory(0, 3)),
        Some(wasmparser::ValType::F64) => sink.f64_store(memory(WORD, 3)),
        Some(wasmparser::ValType::F32) => sink.f64_promote_f32().f64_store(memory(WORD, 3)),
        Some(_) => sink.i64_extend_i32_s().i64_store(memory(0, 3)),
    };
    if let Some(address) = linked.return_code {
        sink.local_get(2).i32_const(0).i32_load(memory(u64::from(address), 2)).i32_store(memory(2 * WORD, 2));
    }
}
