//! Packs narrow parameters that engines pass in memory: two share one 64-bit parameter, and a single one is widened.
//!
//! Runs on low IR just before `emit`, behind `abi`. Wasmtime passes four integers of a function in registers on x86-64;
//! the others go through the stack. A tail call moves these in words of 8 bytes to where they belong, and a word that
//! was just stored as 4 bytes makes the processor wait until the store has reached the cache. A 64-bit parameter has no
//! such half, and two references in one need one slot instead of two. Modules for V8, which passes five in registers
//! and moves them otherwise, gain nothing and are left as they are.
//!
//! The rule looks only at the types of a signature, so signatures that were equal stay equal.
//!
//! ```text
//! func @f(v0: ref, …, v3: ref, v4: ref)              func @f(v0: ref, …, v5: i64)
//!                                               ──▶    v6 = wrap v5;  v3 = addr_ref v6
//!                                                      v7 = ushr v5, 32;  v8 = wrap v7;  v4 = addr_ref v8
//! call @f(v0, …, v3, v4)                        ──▶  call @f(v0, …, (v4 << 32) | v3)
//! ```

use crate::abi::{narrow_to, widen};
use cleave_ir::{Block, Func, FuncId, Module, Opcode, SecondaryMap, Signature, Table, Type, Value, ValueList};

/// Integer parameters that wasmtime passes in registers.
const IN_REGISTERS: usize = 4;
/// Bits of a narrow parameter.
const HALF: u64 = 32;

/// What one parameter is made of: numbers of parameters of the function as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Same(usize),
    Wide(usize),
    /// The one in the lower half, and the one in the upper half.
    Pair(usize, usize),
}

/// The parameters of a signature that is changed.
#[derive(PartialEq, Eq, Debug, Clone)]
struct Plan {
    parts: Vec<Part>,
    /// How many there were.
    params: usize,
}

/// The parameters of a function that has these, and before them a shadow-stack pointer if it `collects`; `None` if they
/// stay as they are.
fn plan(params: &[Type], collects: bool) -> Option<Plan> {
    let mut integers = usize::from(collects);
    // Most functions have few.
    if integers + params.len() <= IN_REGISTERS {
        return None;
    }
    let mut parts = Vec::with_capacity(params.len());
    // Place of the last one that waits for another.
    let mut single = None;
    let mut changes = false;
    for (k, &ty) in params.iter().enumerate() {
        let is_narrow = matches!(ty, Type::Ref | Type::I32);
        if !is_narrow || integers < IN_REGISTERS {
            parts.push(Part::Same(k));
        } else if let Some((at, low)) = single.take() {
            parts[at] = Part::Pair(low, k);
        } else {
            changes = true;
            single = Some((parts.len(), k));
            parts.push(Part::Wide(k));
        }
        integers += usize::from(ty != Type::F64);
    }
    changes.then_some(Plan { parts, params: params.len() })
}

/// Packs the parameters of all functions and tables, at their entries and calls.
pub fn run(module: &mut Module) {
    let mut funcs: SecondaryMap<FuncId, Option<Plan>> = SecondaryMap::new();
    let mut tables: SecondaryMap<Table, Option<Plan>> = SecondaryMap::new();
    for (id, func) in module.funcs.iter() {
        funcs[id] = plan(&func.signature.params, func.collects);
    }
    let mut any = funcs.values().any(Option::is_some);
    for (id, table) in module.tables.iter_mut() {
        // Functions in tables take a shadow-stack pointer.
        tables[id] = plan(&table.signature.params, true);
        pack_signature(&mut table.signature, tables[id].as_ref());
        any |= tables[id].is_some();
    }
    if !any {
        return;
    }
    for (id, func) in module.funcs.iter_mut() {
        for at in 0..func.layout.len() {
            pack_calls(func, func.layout[at], &funcs, &tables);
        }
        if let Some(plan) = &funcs[id] {
            unpack_params(func, &plan.parts);
        }
        pack_signature(&mut func.signature, funcs[id].as_ref());
    }
}

fn pack_signature(signature: &mut Signature, plan: Option<&Plan>) {
    let Some(plan) = plan else { return };
    let types = plan.parts.iter().map(|part| match *part {
        Part::Same(k) => signature.params[k],
        Part::Wide(_) | Part::Pair(..) => Type::I64,
    });
    signature.params = types.collect();
}

/// Makes the parameters of a function, and at its entry those that it had.
fn unpack_params(func: &mut Func, parts: &[Part]) {
    let entry = func.entry_block();
    let old = func.params(entry).to_vec();
    let insts = std::mem::take(&mut func.blocks[entry].insts);
    let mut new = Vec::new();
    for part in parts {
        let word = match *part {
            Part::Same(k) => old[k],
            Part::Wide(_) | Part::Pair(..) => func.new_value(Type::I64),
        };
        new.push(word);
        match *part {
            Part::Same(_) => {}
            Part::Wide(k) => narrow_to(func, entry, word, old[k]),
            Part::Pair(low, high) => {
                narrow_to(func, entry, word, old[low]);
                let half = func.append(entry, Opcode::Iconst64, HALF, 0, &[], &[Type::I64]);
                let shift = func.append(entry, Opcode::Ushr, 0, 0, &[word, func.result(half)], &[Type::I64]);
                narrow_to(func, entry, func.result(shift), old[high]);
            }
        }
    }
    func.blocks[entry].params = ValueList::from_slice(&new, &mut func.pool);
    func.blocks[entry].insts.extend(insts);
}

/// Packs the arguments of the calls of one block.
fn pack_calls(
    func: &mut Func,
    block: Block,
    funcs: &SecondaryMap<FuncId, Option<Plan>>,
    tables: &SecondaryMap<Table, Option<Plan>>,
) {
    let plan = |op: Opcode, imm: u32| match op {
        Opcode::Call | Opcode::TailCall => funcs[FuncId::from_u32(imm)].as_ref(),
        Opcode::CallTable | Opcode::TailCallTable => tables[Table::from_u32(imm)].as_ref(),
        _ => None,
    };
    let of = |func: &Func, inst| plan(func.insts[inst].op, func.insts[inst].imm as u32);
    if !func.blocks[block].insts.iter().any(|&inst| of(func, inst).is_some()) {
        return;
    }
    for inst in std::mem::take(&mut func.blocks[block].insts) {
        if let Some(Plan { parts, params }) = of(func, inst) {
            // Before the arguments come the index of a table and the shadow-stack pointer.
            let old = func.args(inst).to_vec();
            let (before, args) = old.split_at(old.len() - params);
            let mut new = before.to_vec();
            for part in parts {
                new.push(pack(func, block, *part, args));
            }
            func.set_args(inst, &new);
        }
        func.blocks[block].insts.push(inst);
    }
}

fn pack(func: &mut Func, block: Block, part: Part, args: &[Value]) -> Value {
    match part {
        Part::Same(k) => args[k],
        Part::Wide(k) => widen(func, block, args[k]),
        Part::Pair(low, high) => {
            let (low, high) = (widen(func, block, args[low]), widen(func, block, args[high]));
            let half = func.append(block, Opcode::Iconst64, HALF, 0, &[], &[Type::I64]);
            let high = func.append(block, Opcode::Shl, 0, 0, &[high, func.result(half)], &[Type::I64]);
            let both = func.append(block, Opcode::Or, 0, 0, &[low, func.result(high)], &[Type::I64]);
            func.result(both)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_integers_behind_the_fourth_are_packed() {
        use Part::{Pair, Same, Wide};
        use Type::{F64, I32, I64, Ref};
        let plan = |params: &[Type], collects| plan(params, collects).map(|plan| plan.parts);
        assert_eq!(plan(&[Ref; 3], true), None);
        assert_eq!(plan(&[Ref; 4], false), None);
        assert_eq!(plan(&[Ref, Ref, Ref, I64, I64], true), None);
        assert_eq!(plan(&[Ref; 4], true), Some(vec![Same(0), Same(1), Same(2), Wide(3)]));
        let parts = vec![Same(0), Same(1), Same(2), Pair(3, 5), Same(4), Wide(6)];
        assert_eq!(plan(&[Ref, Ref, Ref, Ref, F64, I32, Ref], true), Some(parts));
        assert_eq!(plan(&[F64, Ref, Ref, Ref, F64], true), None);
    }
}
