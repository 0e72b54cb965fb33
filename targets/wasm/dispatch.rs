//! Dispatch: code that is named by a number at run time. Whatever is done about it is done here.
//!
//! A thunk header is the address of an entry record, the records lie in one table, and all entries have one
//! signature. `enter` is one function for the whole program, a `br_table` over the number of the record with a direct
//! tail call for each case; so is the dispatcher of each table. Measured: faster than `call_indirect` in every
//! optimising engine, because direct calls need no signature check and can be predicted one by one
//! (see the table of conventions in the design notes, row 2).
//!
//! The number comes last in the parameters, so that the arguments of the target are already in place.
//!
//! Weakness: with thousands of entries the table outgrows the branch predictor.

use crate::env::Env;
use crate::locals::val_type;
use cleave_ir::layout::ENTRY_RECORD_SIZE;
use cleave_ir::{FuncId, Module, TableData};
use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

/// Parameters of the functions in a table: shadow-stack pointer, then the declared ones.
pub fn target_params(table: &TableData) -> Vec<ValType> {
    std::iter::once(ValType::I32).chain(table.signature.params.iter().map(|&ty| val_type(ty))).collect()
}

/// Body of `enter`: (shadow-stack pointer, thunk, header) → node.
pub fn enter(env: &Env, module: &Module) -> Function {
    let mut function = Function::new([]);
    let targets: Vec<FuncId> = module.entries.values().map(|entry| entry.code).collect();
    let mut sink = function.instructions();
    cases(env, &mut sink, 2, &targets, |sink| {
        sink.local_get(2)
            .i32_const(env.image.entries as i32)
            .i32_sub()
            .i32_const(ENTRY_RECORD_SIZE.trailing_zeros() as i32)
            .i32_shr_u();
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
    let mut distinct = targets.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
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
