//! Dispatch of indirect calls: code that is named by a number at run time. Whatever is done about it is done here.
//!
//! A thunk header is the address of a thunk info, the records lie in one table, and all entries have one
//! signature. `enter` is one function for the whole program, a `br_table` over the number of the record with a direct
//! tail call for each case; so is the dispatcher of each table. Measured: faster than `call_indirect` in every
//! optimising engine, because direct calls need no signature check and can be predicted one by one
//! (`bench/results/conventions.md`). Measured again on programs with 24 and 33 entries:
//! `call_indirect` takes 1.35 and 1.43 times as long in wasmtime 48, 1.23 and 1.33 times in node 26.
//!
//! The number comes last in the parameters, so that the arguments of the target are already in place.
//!
//! Where the functions are few, each call site has a `br_table` of its own (`at_site`): the arguments stay on the stack
//! while control goes to the case. That saves a call with its check of the stack, and an argument too many, which
//! engines pass in memory. With 24 and 33 entries it would save 3 to 5 % in wasmtime and nothing in node, and about
//! double the code of the program. A single call site chooses among more of them: then nothing is there twice.
//!
//! Comparing the index with the likely ones first, where there are at most four, changed nothing in 17 programs beyond
//! the noise of 1 to 2 %, in either engine.
//!
//! Weakness: with thousands of entries the table outgrows the branch predictor.

use crate::env::{Cases, Env};
use crate::locals::val_type;
use cleave_ir::layout::THUNK_INFO_SIZE;
use cleave_ir::{FuncId, Module, TableData};
use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

/// Different functions among which a call site chooses itself.
const MAX_CASES: usize = 8;
/// The same, times the call sites.
const MAX_ALL_CASES: usize = 400;

/// True if the call sites choose.
pub fn is_inline(targets: &[FuncId], sites: u32) -> bool {
    let count = distinct(targets).len();
    let is_small = count <= MAX_CASES && count * sites as usize <= MAX_ALL_CASES;
    (is_small || sites == 1 && count <= MAX_ALL_CASES) && count > 0
}

/// The functions of all thunks, by number of the entry.
pub fn thunk_targets(module: &Module) -> Vec<FuncId> {
    module.thunk_infos.values().map(|entry| entry.code).collect()
}

fn distinct(targets: &[FuncId]) -> Vec<FuncId> {
    let mut distinct = targets.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Makes the number of an entry of the header on the stack.
pub fn entry_number(env: &Env, sink: &mut InstructionSink) {
    let shift = THUNK_INFO_SIZE.trailing_zeros() as i32;
    sink.i32_const(env.data_section.thunk_infos as i32).i32_sub().i32_const(shift).i32_shr_u();
}

/// A call or tail call; its arguments and the index are on the operand stack. With more than two functions an index out
/// of range traps.
pub fn at_site(env: &Env, sink: &mut InstructionSink, cases: &Cases, is_tail: bool) {
    let distinct = distinct(&cases.targets);
    let depth = |target: &FuncId| distinct.binary_search(target).expect("collected above") as u32;
    let count = distinct.len() as u32;
    let call = |sink: &mut InstructionSink, target: FuncId| {
        let target = env.function(target);
        _ = if is_tail { sink.return_call(target) } else { sink.call(target) };
    };
    if count == 1 {
        sink.drop();
        call(sink, distinct[0]);
        return;
    }
    if let [first, second] = cases.targets[..] {
        sink.if_(BlockType::FunctionType(cases.either));
        call(sink, second);
        sink.else_();
        call(sink, first);
        sink.end();
        if is_tail {
            sink.unreachable();
        }
        return;
    }
    if !is_tail {
        sink.block(BlockType::FunctionType(cases.call));
    }
    // The outermost of these is the way out of range.
    for _ in 0..=count {
        sink.block(BlockType::FunctionType(cases.choose));
    }
    sink.br_table(cases.targets.iter().map(depth).collect::<Vec<u32>>(), count);
    for (case, &target) in (0..).zip(&distinct) {
        sink.end();
        call(sink, target);
        if !is_tail {
            sink.br(count - case);
        }
    }
    sink.end().unreachable();
    if !is_tail {
        sink.end();
    }
}

/// Parameters of the functions in a table: shadow-stack pointer, then the declared ones.
pub fn target_params(table: &TableData) -> Vec<ValType> {
    std::iter::once(ValType::I32).chain(table.signature.params.iter().map(|&ty| val_type(ty))).collect()
}

/// Body of `enter`: (shadow-stack pointer, thunk, header) → node.
pub fn enter(env: &Env, module: &Module) -> Function {
    let mut function = Function::new([]);
    let mut sink = function.instructions();
    cases(env, &mut sink, 2, &thunk_targets(module), |sink| {
        sink.local_get(2);
        entry_number(env, sink);
    });
    function
}

/// Body of the dispatcher of a table: (parameters of the functions, index) → their results.
pub fn table(env: &Env, table: &TableData) -> Function {
    let mut function = Function::new([]);
    let params = target_params(table).len() as u32;
    cases(env, &mut function.instructions(), params, &table.funcs, |sink| {
        sink.local_get(params);
    });
    function
}

/// Tail calls of `targets` with the first `params` parameters, chosen by what `index` pushes; traps out of range.
/// Numbers with the same target share a case.
fn cases(
    env: &Env,
    sink: &mut InstructionSink,
    params: u32,
    targets: &[FuncId],
    index: impl FnOnce(&mut InstructionSink),
) {
    let distinct = distinct(targets);
    let count = distinct.len() as u32;
    // The outermost block is the way out of range; case 0 is innermost.
    for _ in 0..=count {
        sink.block(BlockType::Empty);
    }
    index(sink);
    let depths: Vec<u32> =
        targets.iter().map(|target| distinct.binary_search(target).expect("collected above") as u32).collect();
    sink.br_table(depths, count);
    for target in distinct {
        sink.end();
        for param in 0..params {
            sink.local_get(param);
        }
        sink.return_call(env.function(target));
    }
    sink.end().unreachable().end();
}
