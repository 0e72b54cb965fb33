//! Entry and exit functions of stackless clones (exits, wrappers, starts), and their dispatch tables.

use super::code::{self, StacklessClones, TRACE_BYTES, low};
use super::graph::{Callee, Graph};
use super::plan::{Origin, Plan};
use cleave_ir::layout::{SLOT, TAG_HNF, THUNK_INFO_SIZE};
use cleave_ir::{
    Builder, EntityRef, Func, FuncId, Libcall, Module, Opcode, Signature, Table, TableData, TableRole, ThunkInfo, Type,
    Value,
};
use rustc_hash::FxHashMap;

/// Gives numbers to new functions, and makes those that are no pieces.
pub struct Maker {
    pub stackless_clones: StacklessClones,
    next: usize,
    pub made: Vec<(FuncId, Func)>,
    /// Functions that collect, by the number of references that they keep.
    collectors: FxHashMap<usize, FuncId>,
}

impl Maker {
    /// Its functions get numbers from `next` on.
    pub fn new(next: usize, traced: bool) -> Maker {
        Maker {
            stackless_clones: StacklessClones { traced, ..StacklessClones::default() },
            next,
            made: Vec::new(),
            collectors: FxHashMap::default(),
        }
    }

    /// The function that makes a number of bytes available and gives back so many references.
    pub fn collector(&mut self, references: usize) -> FuncId {
        if let Some(&found) = self.collectors.get(&references) {
            return found;
        }
        let id = self.number();
        self.made.push((id, collector_of(references)));
        self.collectors.insert(references, id);
        id
    }

    pub fn number(&mut self) -> FuncId {
        self.next += 1;
        FuncId::new(self.next - 1)
    }

    /// A table of stackless clones: the stack of words comes first.
    fn add_table(&mut self, module: &mut Module, label: String, params: &[Type], funcs: Vec<FuncId>) -> Table {
        let params: Vec<Type> = std::iter::once(Type::I32).chain(params.iter().copied()).collect();
        let signature = Signature::new(&params, &[]);
        module.tables.push(TableData { label, role: TableRole::Plain, signature, funcs })
    }

    /// The tables of return points: the first of each is the exit, which leaves the results in memory.
    pub fn return_points(&mut self, module: &mut Module, deep: &[FuncId], plans: &[Plan], ids: &[Vec<FuncId>]) {
        let mut points: Vec<(Vec<Type>, Vec<FuncId>)> = Vec::new();
        let mut place: FxHashMap<Vec<Type>, usize> = FxHashMap::default();
        let mut list = |types: Vec<Type>| {
            *place.entry(types).or_insert_with_key(|types| {
                points.push((types.clone(), Vec::new()));
                points.len() - 1
            })
        };
        let mut all = vec![(list(vec![Type::Ref]), None)];
        all.extend(deep.iter().map(|&func| (list(module.funcs[func].signature.results.to_vec()), None)));
        all.extend(module.tables.values().map(|table| (list(table.signature.results.to_vec()), None)));
        for (plan, pieces) in plans.iter().zip(ids) {
            for (head, &piece) in plan.heads.iter().zip(pieces) {
                if let Origin::Return(call) = head.origin {
                    let types = plan.func.results(call).iter().map(|&result| plan.func.values[result]).collect();
                    all.push((list(types), Some(piece)));
                }
            }
        }
        for (place, _) in all.iter().filter(|found| found.1.is_none()) {
            if points[*place].1.is_empty() {
                let exit = self.number();
                self.made.push((exit, exit_of(&points[*place].0)));
                points[*place].1.push(exit);
            }
        }
        for (place, piece) in all {
            if let Some(piece) = piece {
                self.stackless_clones.points.insert(piece, points[place].1.len() as u32);
                points[place].1.push(piece);
            }
        }
        for (types, funcs) in points {
            let letters: String = types.iter().map(|ty| ty.name().chars().next().unwrap_or('?')).collect();
            let label = format!("return.{}.{letters}", self.stackless_clones.returns.len());
            let dispatcher = self.number();
            let table = self.add_table(module, label.clone(), &types, funcs);
            self.made.push((dispatcher, return_of(format!("stackless.{label}"), table, &types)));
            self.stackless_clones.returns.insert(types, dispatcher);
        }
    }

    /// The stackless clones of the old tables, and what evaluates.
    pub fn tables(&mut self, module: &mut Module, graph: &Graph, old: Vec<Table>) {
        let mut wrappers: FxHashMap<FuncId, FuncId> = FxHashMap::default();
        for table in old.into_iter().filter(|&table| graph.is_deep(Callee::Table(table))) {
            let TableData { label, signature, funcs, .. } = module.tables[table].clone();
            let stackless_clones =
                funcs.iter().map(|&func| self.stackless_or_wrapper(module, func, &mut wrappers)).collect();
            let stackless = self.add_table(module, format!("{label}.stackless"), &signature.params, stackless_clones);
            self.stackless_clones.tables[table] = Some(stackless);
        }
        if graph.is_deep(Callee::Thunk) {
            let (eval, enter) = (self.number(), self.number());
            let codes = module.thunk_infos.values().map(|entry| entry.code);
            let stackless_clones = codes.map(|func| self.stackless_clones.func(func).unwrap_or(enter)).collect();
            let thunks = self.add_table(module, "thunks.stackless".into(), &[Type::Ref], stackless_clones);
            self.made.push((enter, enter_of(&self.stackless_clones)));
            self.made.push((eval, eval_of(&self.stackless_clones, thunks)));
            self.stackless_clones.eval = Some(eval);
        }
    }

    /// What a table of stackless clones has for a function.
    fn stackless_or_wrapper(
        &mut self,
        module: &Module,
        func: FuncId,
        wrappers: &mut FxHashMap<FuncId, FuncId>,
    ) -> FuncId {
        if let Some(stackless) = self.stackless_clones.func(func) {
            return stackless;
        }
        *wrappers.entry(func).or_insert_with(|| {
            let id = self.number();
            self.made.push((id, wrapper_of(module, func, &self.stackless_clones)));
            id
        })
    }
}

/// Where the results of a stackless clone are left for who has started it.
const RESULT: u32 = 8;

/// The return point that ends a stackless clone.
fn exit_of(types: &[Type]) -> Func {
    let all: Vec<Type> = std::iter::once(Type::I32).chain(types.iter().copied()).collect();
    let (mut func, params) =
        low(format!("stackless.exit.{}", types.iter().map(|ty| ty.name()).collect::<String>()), &all, &[]);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    for (place, (&result, &ty)) in (0..).zip(params[1..].iter().zip(types)) {
        builder.inst(code::store(ty), u64::from(RESULT * place), 0, &[params[0], result]);
    }
    builder.ret(&[]);
    func
}

/// Calls the return point on top of the stack of words, which is no longer there then.
fn return_of(name: String, table: Table, types: &[Type]) -> Func {
    let all: Vec<Type> = std::iter::once(Type::I32).chain(types.iter().copied()).collect();
    let (mut func, params) = low(name, &all, &[]);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let slot = builder.iconst32(SLOT as i32);
    let top = builder.op(Opcode::Isub, &[params[0], slot]);
    let point = builder.value(Opcode::LoadI32, 0, 0, &[top]);
    let args = [&[point, pointer, top], &params[1..]].concat();
    builder.inst(Opcode::TailCallTable, table.index() as u64, 0, &args);
    func
}

/// Makes a number of bytes available; the references are kept in its frame, and may be others after it.
fn collector_of(references: usize) -> Func {
    let ptrs = vec![Type::Ref; references];
    let (mut func, params) = low(format!("stackless.collect.{references}"), &[&[Type::I32], &ptrs[..]].concat(), &ptrs);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let size = builder.iconst32(SLOT as i32 * references as i32);
    let frame = builder.op(Opcode::Isub, &[pointer, size]);
    let offset = |at: usize| u64::from(SLOT) * at as u64;
    for (at, &reference) in params[1..].iter().enumerate() {
        builder.inst(Opcode::StoreRef, offset(at), 0, &[frame, reference]);
    }
    builder.call_rt(Libcall::Collect, &[frame, params[0]]);
    let kept: Vec<Value> = (0..references).map(|at| builder.value(Opcode::LoadRef, offset(at), 0, &[frame])).collect();
    builder.ret(&kept);
    func
}

/// Gives back the value of a node: the stackless clone of all evaluations.
fn eval_of(stackless_clones: &StacklessClones, thunks: Table) -> Func {
    let (mut func, params) = low("stackless.eval".into(), &[Type::I32, Type::Ref], &[]);
    let (words, node) = (params[0], params[1]);
    let (entry, value, thunk) = (func.entry_block(), func.new_block(), func.new_block());
    let mut builder = Builder::new(&mut func, entry);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let header = builder.value(Opcode::LoadI32, 0, 0, &[node]);
    let tag = builder.iconst32(TAG_HNF as i32);
    let is_value = builder.op(Opcode::And, &[header, tag]);
    builder.br_if(is_value, (value, &[]), (thunk, &[]));
    builder.switch_to(thunk);
    let first = builder.thunk_info_addr(ThunkInfo::new(0));
    let offset = builder.op(Opcode::Isub, &[header, first]);
    let shift = builder.iconst32(THUNK_INFO_SIZE.trailing_zeros() as i32);
    let index = builder.op(Opcode::Ushr, &[offset, shift]);
    builder.inst(Opcode::TailCallTable, thunks.index() as u64, 0, &[index, pointer, words, node]);
    code::give_back(&mut func, value, stackless_clones, pointer, words, &[node]);
    func
}

/// The stackless clone of all thunks whose code needs none.
fn enter_of(stackless_clones: &StacklessClones) -> Func {
    let (mut func, params) = low("stackless.enter".into(), &[Type::I32, Type::Ref], &[]);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    stackless_clones.tell(&mut builder, params[0]);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let header = builder.value(Opcode::LoadI32, 0, 0, &[params[1]]);
    let value = builder.op(Opcode::EnterCode, &[pointer, params[1], header]);
    code::give_back(&mut func, block, stackless_clones, pointer, params[0], &[value]);
    func
}

/// A function that needs no stackless clone, called by stackless clones through a table: it returns soon, on the stack
/// of the engine.
fn wrapper_of(module: &Module, id: FuncId, stackless_clones: &StacklessClones) -> Func {
    let data = &module.funcs[id];
    let all: Vec<Type> = std::iter::once(Type::I32).chain(data.signature.params.iter().copied()).collect();
    let (mut func, params) = low(format!("{}.stackless", data.name), &all, &[]);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    stackless_clones.tell(&mut builder, params[0]);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let mut args = if data.takes_stack_pointer { vec![pointer] } else { Vec::new() };
    args.extend(&params[1..]);
    let call = builder.call(id, &args, &data.signature.results);
    let results = func.results(call).to_vec();
    code::give_back(&mut func, block, stackless_clones, pointer, params[0], &results);
    func
}

/// Goes on in the stackless clone of a function, with the same parameters and results. Traces know it by its name.
pub fn start_of(name: &str, signature: &Signature, stackless: FuncId, traced: bool) -> Func {
    let (mut func, params) = low(format!("{name}.stackless.start"), &signature.params, &signature.results);
    let block = func.entry_block();
    let mut builder = Builder::new(&mut func, block);
    let pointer = builder.op(Opcode::ShadowPointer, &[]);
    let stacks = builder.call_rt(Libcall::StacklessEnter, &[pointer]);
    let (mut words, references) = (builder.func.results(stacks)[0], builder.func.results(stacks)[1]);
    let exit = builder.iconst32(0);
    if traced {
        let bytes = builder.iconst32(TRACE_BYTES as i32);
        let point = builder.op(Opcode::Iadd, &[words, bytes]);
        builder.inst(Opcode::StoreI32, u64::from(TRACE_BYTES - SLOT), 0, &[words, exit]);
        words = point;
    }
    builder.inst(Opcode::StoreI32, 0, 0, &[words, exit]);
    let slot = builder.iconst32(4);
    let top = builder.op(Opcode::Iadd, &[words, slot]);
    builder.call(stackless, &[&[references, top], &params[..]].concat(), &[]);
    let load = |(place, &ty): (u32, &Type)| builder.value(code::load(ty), u64::from(RESULT * place), 0, &[words]);
    let results: Vec<Value> = (0..).zip(&signature.results).map(load).collect();
    builder.call_rt(Libcall::StacklessLeave, &[]);
    builder.ret(&results);
    func
}
