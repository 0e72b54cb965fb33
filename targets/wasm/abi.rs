//! Widens results that an engine returns in memory: the third and later integer results of a function are 64-bit.
//!
//! Runs on low IR just before `emit`. On x86-64, node 20 returns integer results from the third on through the stack;
//! its baseline compiler stores only the low half of an i32 there, and its optimising compiler reads and passes on the
//! whole word, so a reference comes back as an address beyond the memory. An `i64` result has no undefined half. The
//! rule looks only at the types before a result, so signatures that were equal stay equal, and tail calls stay legal.
//!
//! ```text
//! func @f(…) -> ref, i64, ref          func @f(…) -> ref, i64, i64
//!   ret v1, v2, v3               ──▶     v4 = ref_addr v3;  v5 = extend_u v4;  ret v1, v2, v5
//! v1, v2, v3 = call @f(…)        ──▶     v1, v2, v4 = call @f(…);  v5 = wrap v4;  v3 = addr_ref v5
//! ```

use cleave_ir::{
    Block, CallTarget, Func, FuncId, Inst, InstData, Module, Opcode, SecondaryMap, Table, Type, Value, ValueList,
};

/// Integer results that engines return in registers.
const IN_REGISTERS: usize = 2;

/// Numbers of the results that are widened.
pub fn widened(results: &[Type]) -> Vec<usize> {
    let mut integers = 0;
    let mut wide = Vec::new();
    for (k, &ty) in results.iter().enumerate() {
        if ty == Type::F64 {
            continue;
        }
        if integers >= IN_REGISTERS && ty != Type::I64 {
            wide.push(k);
        }
        integers += 1;
    }
    wide
}

/// Widens results of all functions and tables, at their returns and calls.
pub fn run(module: &mut Module) {
    let mut funcs: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut tables: SecondaryMap<Table, bool> = SecondaryMap::new();
    let mut any = false;
    for (id, func) in module.funcs.iter() {
        funcs[id] = !widened(&func.signature.results).is_empty();
        any |= funcs[id];
    }
    for (id, table) in module.tables.iter_mut() {
        let wide = widened(&table.signature.results);
        tables[id] = !wide.is_empty();
        any |= tables[id];
        wide.iter().for_each(|&k| table.signature.results[k] = Type::I64);
    }
    if !any {
        return;
    }
    for (id, func) in module.funcs.iter_mut() {
        let own = if funcs[id] { widened(&func.signature.results) } else { Vec::new() };
        for at in 0..func.layout.len() {
            rewrite(func, func.layout[at], &own, |data| match data.call_target() {
                _ if data.op.is_terminator() => false,
                Some(CallTarget::Func(id)) => funcs[id],
                Some(CallTarget::Table(id)) => tables[id],
                Some(CallTarget::Extern(..) | CallTarget::Method(_) | CallTarget::Closure) => false,
                Some(CallTarget::Thunk | CallTarget::Entry) | None => false,
            });
        }
        own.iter().for_each(|&k| func.signature.results[k] = Type::I64);
    }
}

/// Rewrites the returns and calls of one block; `own` are the widened results of the function.
fn rewrite(func: &mut Func, block: Block, own: &[usize], is_wide: impl Fn(&InstData) -> bool) {
    let concerns = |func: &Func, inst: Inst| {
        let data = &func.insts[inst];
        data.op == Opcode::Return && !own.is_empty() || is_wide(data)
    };
    if !func.blocks[block].insts.iter().any(|&inst| concerns(func, inst)) {
        return;
    }
    let old = std::mem::take(&mut func.blocks[block].insts);
    for inst in old {
        if !concerns(func, inst) {
            func.blocks[block].insts.push(inst);
        } else if func.insts[inst].op == Opcode::Return {
            let mut args = func.args(inst).to_vec();
            for &k in own {
                args[k] = widen(func, block, args[k]);
            }
            func.set_args(inst, &args);
            func.blocks[block].insts.push(inst);
        } else {
            func.blocks[block].insts.push(inst);
            let mut results = func.results(inst).to_vec();
            let types: Vec<Type> = results.iter().map(|&v| func.values[v]).collect();
            for k in widened(&types) {
                let narrow = std::mem::replace(&mut results[k], func.new_value(Type::I64));
                narrow_to(func, block, results[k], narrow);
            }
            func.insts[inst].results = ValueList::from_slice(&results, &mut func.pool);
        }
    }
}

/// The word of a 32-bit value, upper half zero.
pub fn widen(func: &mut Func, block: Block, value: Value) -> Value {
    let mut value = value;
    if func.values[value] == Type::Ref {
        let address = func.append(block, Opcode::RefAddr, 0, 0, &[value], &[Type::I32]);
        value = func.result(address);
    }
    let word = func.append(block, Opcode::ExtendU, 0, 0, &[value], &[Type::I64]);
    func.result(word)
}

/// Defines `narrow` as the low half of a word.
pub fn narrow_to(func: &mut Func, block: Block, word: Value, narrow: Value) {
    let is_ref = func.values[narrow] == Type::Ref;
    let last = if is_ref {
        let low = func.append(block, Opcode::Wrap, 0, 0, &[word], &[Type::I32]);
        let low = func.result(low);
        func.append(block, Opcode::AddrRef, 0, 0, &[low], &[])
    } else {
        func.append(block, Opcode::Wrap, 0, 0, &[word], &[])
    };
    func.insts[last].results = ValueList::from_slice(&[narrow], &mut func.pool);
}
