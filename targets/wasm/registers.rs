//! Integer parameters that wasmtime would pass in memory travel as reals, for which it has other registers.
//!
//! Runs on low IR just before `emit`, behind `abi`. On x86-64, wasmtime passes four integers of a function in
//! registers; what is left goes through the stack, where a tail call has to move it, and its return address, to another
//! place. For reals there are more registers than programs use. One instruction brings the bits there, another one
//! back. Modules for V8, which passes five integers in registers, are left as they are: there some programs take a
//! tenth longer with it.
//!
//! The rule looks only at the types of a signature, so signatures that were equal stay equal. Helpers of captures,
//! which run rarely and are in no table, are left as they are.
//!
//! ```text
//! func @f(v0: ref, …, v4: ref)                       func @f(v0: ref, …, v5: f64)
//!                                               ──▶    v6 = real_bits v5;  v7 = wrap v6;  v4 = addr_ref v7
//! call @f(v0, …, v4)                            ──▶  v8 = ref_addr v4;  v9 = extend_u v8;  v10 = bits_real v9
//!                                                    call @f(v0, …, v10)
//! ```

use crate::abi::{narrow_to, widen};
use cleave_ir::lowered_signature::LoweredSignature;
use cleave_ir::{
    Block, CallTarget, Func, FuncId, Module, Opcode, SecondaryMap, Signature, Table, Type, Value, ValueList,
};

/// Integer parameters that wasmtime passes in registers on x86-64: two more hold its own data.
const INTEGERS: usize = 4;
/// Reals that it passes in registers.
const REALS: usize = 8;

/// Whether each parameter travels as a real; nothing if all stay as they are.
pub fn moved(signature: LoweredSignature) -> Vec<bool> {
    let LoweredSignature { params, .. } = signature;
    let mut integers = signature.hidden();
    let mut reals = params.iter().filter(|&&ty| ty == Type::F64).count();
    // Most functions have few.
    if integers + params.len() <= INTEGERS {
        return Vec::new();
    }
    let mut any = false;
    let moved = params.iter().map(|&ty| {
        if ty == Type::F64 {
            return false;
        }
        integers += 1;
        let moves = integers > INTEGERS && reals < REALS;
        reals += usize::from(moves);
        any |= moves;
        moves
    });
    let moved: Vec<bool> = moved.collect();
    if any { moved } else { Vec::new() }
}

/// Moves parameters of all functions and tables, at their entries and calls.
pub fn run(module: &mut Module) {
    let mut funcs: SecondaryMap<FuncId, Vec<bool>> = SecondaryMap::new();
    let mut tables: SecondaryMap<Table, Vec<bool>> = SecondaryMap::new();
    let first_helper = module.captures.as_ref().map(|captures| captures.first_helper);
    for (id, func) in module.funcs.iter().filter(|&(id, _)| first_helper.is_none_or(|first| id < first)) {
        funcs[id] = moved(func.lowered_signature());
    }
    let mut any = funcs.values().any(|moved| !moved.is_empty());
    for (id, table) in module.tables.iter_mut() {
        tables[id] = moved(table.lowered_signature());
        change(&mut table.signature, &tables[id]);
        any |= !tables[id].is_empty();
    }
    if !any {
        return;
    }
    for (id, func) in module.funcs.iter_mut() {
        for at in 0..func.layout.len() {
            at_calls(func, func.layout[at], &funcs, &tables);
        }
        if !funcs[id].is_empty() {
            at_entry(func, &funcs[id]);
        }
        change(&mut func.signature, &funcs[id]);
    }
}

fn change(signature: &mut Signature, moved: &[bool]) {
    for (ty, _) in signature.params.iter_mut().zip(moved).filter(|(_, moves)| **moves) {
        *ty = Type::F64;
    }
}

/// Makes the parameters of a function, and at its entry those that it had.
fn at_entry(func: &mut Func, moved: &[bool]) {
    let entry = func.entry_block();
    let mut params = func.params(entry).to_vec();
    let insts = std::mem::take(&mut func.blocks[entry].insts);
    for (param, _) in params.iter_mut().zip(moved).filter(|(_, moves)| **moves) {
        let old = std::mem::replace(param, func.new_value(Type::F64));
        if func.values[old] == Type::I64 {
            let bits = func.append(entry, Opcode::RealBits, 0, 0, &[*param], &[]);
            func.insts[bits].results = ValueList::from_slice(&[old], &mut func.pool);
        } else {
            let bits = func.append(entry, Opcode::RealBits, 0, 0, &[*param], &[Type::I64]);
            narrow_to(func, entry, func.result(bits), old);
        }
    }
    func.blocks[entry].params = ValueList::from_slice(&params, &mut func.pool);
    func.blocks[entry].insts.extend(insts);
}

/// Moves the arguments of the calls of one block.
fn at_calls(
    func: &mut Func,
    block: Block,
    funcs: &SecondaryMap<FuncId, Vec<bool>>,
    tables: &SecondaryMap<Table, Vec<bool>>,
) {
    let of = |func: &Func, inst| -> &[bool] {
        match func.insts[inst].call_target() {
            Some(CallTarget::Func(callee)) => &funcs[callee],
            Some(CallTarget::Table(table)) => &tables[table],
            Some(CallTarget::Extern(..) | CallTarget::Method(_) | CallTarget::Closure) => &[],
            Some(CallTarget::Thunk | CallTarget::Entry) | None => &[],
        }
    };
    if func.blocks[block].insts.iter().all(|&inst| of(func, inst).is_empty()) {
        return;
    }
    for inst in std::mem::take(&mut func.blocks[block].insts) {
        let moved = of(func, inst);
        if !moved.is_empty() {
            let mut args = func.args(inst).to_vec();
            // Before the arguments come the index of a table and the shadow-stack pointer.
            let first = args.len() - moved.len();
            for (arg, _) in args[first..].iter_mut().zip(moved).filter(|(_, moves)| **moves) {
                *arg = as_real(func, block, *arg);
            }
            func.set_args(inst, &args);
        }
        func.blocks[block].insts.push(inst);
    }
}

fn as_real(func: &mut Func, block: Block, value: Value) -> Value {
    let bits = if func.values[value] == Type::I64 { value } else { widen(func, block, value) };
    let real = func.append(block, Opcode::BitsReal, 0, 0, &[bits], &[Type::F64]);
    func.result(real)
}
