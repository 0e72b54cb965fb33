//! Application, update and instance calls become what machines have: loads from node infos and thunk infos, calls
//! through dispatch tables, and functions that this pass writes (`code.rs`).
//!
//! ```text
//! v2 = apply v0, v1              ─▶   v2 = call @apply.1(v0, v1)       reads the row, calls through %apply.1
//! v3 = update v0, v1             ─▶   v3 = call @update(v0, v1)        tests the thunk info, calls through %update
//! v4 = call_method %t(v0, v9)  ─▶   v5 = header v0
//!                                     v6 = load.i32 v5 +15
//!                                     v4 = call_table %t(v6, v0, v9)
//! ```
//! Comes after the passes that want to see which closure is applied (`specialise`, `propagate`), and before those that
//! want to see the tests: `inline` copies the small ones of the new functions to where closures are applied.
//!
//! Establishes: the tables with roles hold what the rows of all descriptors and all thunk infos lead to, in their
//! order; so the data section can number it. An application to n arguments may add them one at a time, so there are
//! functions and tables for fewer arguments, too. What adds them is the first function of a table, to which the rows of
//! all other closures lead: so an application to one argument tests nothing. A module without these operations stays as
//! it is.

mod code;

use cleave_ir::layout::{NODE_INFO_METHOD, TAG_HNF};
use cleave_ir::{
    CallTarget, EntityRef, Func, FuncId, Inst, InstData, Module, Opcode, Signature, Table, TableData, TableRole, Type,
};
use rustc_hash::FxHashSet;

/// What a program asks for.
#[derive(Default)]
struct UsedFeatures {
    /// The most arguments that a closure is applied to at once.
    arguments: u32,
    update: bool,
    instances: bool,
}

/// What is lowered here.
enum Lowered {
    Apply,
    Update,
    Method,
}

impl Lowered {
    fn of(data: &InstData) -> Option<Lowered> {
        match data.call_target()? {
            CallTarget::Closure => Some(Lowered::Apply),
            CallTarget::Method(_) => Some(Lowered::Method),
            CallTarget::Thunk => data.op.is_update().then_some(Lowered::Update),
            CallTarget::Func(_) | CallTarget::Extern(..) | CallTarget::Table(_) | CallTarget::Entry => None,
        }
    }
}

impl UsedFeatures {
    fn of(module: &Module) -> UsedFeatures {
        let mut demand = UsedFeatures::default();
        for func in module.funcs.values() {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                match Lowered::of(&func.insts[inst]) {
                    Some(Lowered::Apply) => {
                        demand.arguments = demand.arguments.max(func.args(inst).len() as u32 - 1);
                    }
                    Some(Lowered::Update) => demand.update = true,
                    Some(Lowered::Method) => demand.instances = true,
                    None => {}
                }
            }
        }
        demand
    }
}

/// Lowers the operations in the whole module; true if there were any.
pub fn run(module: &mut Module) -> bool {
    let demand = UsedFeatures::of(module);
    if demand.arguments == 0 && !demand.update && !demand.instances {
        return false;
    }
    let users = module.funcs.len();
    let mut apply = Vec::new();
    for n in 1..=demand.arguments {
        let table = table(module, TableRole::Apply(n), "apply", n + 1);
        let [func, more] = ["", ".more"].map(|part| function(module, &format!("apply.{n}{part}"), n + 1));
        let [body, rest] = [func, more].map(|id| std::mem::take(&mut module.funcs[id]));
        (module.funcs[func], module.funcs[more]) = match apply[..] {
            [] => (code::apply_one(body, table), code::add_argument(rest)),
            [one, ..] => (code::apply(body, n, table, more), code::apply_more(rest, n, one, apply[n as usize - 2])),
        };
        module.tables[table].funcs.insert(0, more);
        apply.push(func);
    }
    let update = demand.update.then(|| {
        let table = table(module, TableRole::Update, "update", 2);
        let func = function(module, "update", 2);
        module.funcs[func] = code::update(std::mem::take(&mut module.funcs[func]), table);
        func
    });
    fill_tables(module, demand.arguments);
    for id in (0..users).map(FuncId::new) {
        lower(&mut module.funcs[id], &apply, update);
    }
    true
}

/// A new empty table of this role, unless there is one.
fn table(module: &mut Module, role: TableRole, label: &str, params: u32) -> Table {
    if let Some((table, _)) = module.tables.iter().find(|(_, data)| data.role == role) {
        return table;
    }
    let label = match role {
        TableRole::Apply(n) => format!("{label}.{n}"),
        _ => label.into(),
    };
    let label = free_name(label, |label| module.tables.values().any(|data| data.label == label));
    module.tables.push(TableData { label, role, signature: Signature::ptrs(params), funcs: Vec::new() })
}

fn function(module: &mut Module, name: &str, params: u32) -> FuncId {
    let name = free_name(name.into(), |name| module.funcs.values().any(|func| func.name == name));
    module.funcs.push(Func::new(name, Signature::ptrs(params)))
}

/// The name, with a mark after it where the program has one that is the same.
fn free_name(mut name: String, is_taken: impl Fn(&str) -> bool) -> String {
    while is_taken(&name) {
        name.push('\'');
    }
    name
}

/// Puts the functions that node infos and thunk infos lead to into their tables.
fn fill_tables(module: &mut Module, arguments: u32) {
    let mut listed: FxHashSet<(Table, FuncId)> = FxHashSet::default();
    let mut apply = vec![None; arguments as usize + 1];
    let mut update = None;
    for (table, data) in &module.tables {
        listed.extend(data.funcs.iter().map(|&func| (table, func)));
        match data.role {
            TableRole::Apply(n) if n <= arguments => apply[n as usize] = Some(table),
            TableRole::Update => update = Some(table),
            _ => {}
        }
    }
    let mut wanted = Vec::new();
    for desc in module.descs.values() {
        for (applied_args, func) in desc.apply.iter().enumerate() {
            let missing = (desc.arity as usize).saturating_sub(applied_args);
            wanted.extend(apply.get(missing).copied().flatten().zip(*func));
        }
        wanted.extend(desc.method);
    }
    for entry in module.thunk_infos.values() {
        wanted.extend(update.zip(entry.update));
    }
    for (table, func) in wanted {
        if listed.insert((table, func)) {
            module.tables[table].funcs.push(func);
        }
    }
}

/// Rewrites the operations of one function.
fn lower(func: &mut Func, apply: &[FuncId], update: Option<FuncId>) {
    for index in 0..func.layout.len() {
        let block = func.layout[index];
        let mut at = 0;
        while let Some(&inst) = func.blocks[block].insts.get(at) {
            let callee = match Lowered::of(&func.insts[inst]) {
                Some(Lowered::Apply) => Some(apply[func.args(inst).len() - 2]),
                Some(Lowered::Update) => update,
                Some(Lowered::Method) => {
                    let before = index_of_instance(func, inst);
                    func.blocks[block].insts.splice(at..at, before);
                    at += before.len();
                    None
                }
                None => None,
            };
            if let Some(callee) = callee {
                let data = &mut func.insts[inst];
                data.op = if data.op.is_terminator() { Opcode::TailCall } else { Opcode::Call };
                data.imm = u64::from(callee.as_u32());
            }
            at += 1;
        }
    }
}

/// Makes an instance call one through its table; the instructions that find the index.
fn index_of_instance(func: &mut Func, inst: Inst) -> [Inst; 2] {
    let node = func.args(inst)[0];
    let header = func.make_inst(Opcode::Header, 0, 0, &[node], &[Type::I32]);
    let offset = u64::from(NODE_INFO_METHOD - TAG_HNF);
    let load = func.make_inst(Opcode::LoadI32, offset, 0, &[func.result(header)], &[Type::I32]);
    let mut operands = vec![func.result(load)];
    operands.extend(func.args(inst));
    func.set_args(inst, &operands);
    let data = &mut func.insts[inst];
    data.op = if data.op.is_terminator() { Opcode::TailCallTable } else { Opcode::CallTable };
    [header, load]
}
