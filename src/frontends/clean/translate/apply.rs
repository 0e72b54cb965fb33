//! Makes the functions that `apply`, `update` and `call_method` call: those that node infos and thunk infos name.
//!
//! - The code of a closure that lacks one argument is its lazy entry; of one that lacks more, a stub that unpacks the
//!   closure, adds an empty cell if the apply entry takes one, and leaves to it (`docs/abc.md#application`).
//! - The update function of a thunk (`jmp_eval_upd`) is a stub that turns the thunk into an indirection and leaves to
//!   its update entry (`docs/abc.md#evaluation-and-update`).
//! - One table per signature of instance entries (`jsr_i`). Where nothing says what an entry returns and calls of
//!   several signatures could lead to it, it belongs to one table, and calls through the others ask for its descriptor
//!   first (`finish_instances`).
//!
//! Which closures can be applied, and to how many arguments, is known only when all reachable code has been built:
//! `finish_apply` adds what is missing until nothing new turns up.

use super::{FunctionKey, ProgramBuilder};
use crate::ast::Symbol;
use crate::index::Definition;
use crate::instr::Opcode as Abc;
use crate::link::{Meaning, ModuleId};
use crate::types::layout_types;
use cleave_ir::{Builder, Desc, FuncId, Opcode, Signature, Table, TableData, TableRole, ThunkInfo, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map;
use std::ops::{Range, RangeInclusive};

/// What has been asked for, and how far `finish_apply` got.
#[derive(Default)]
pub(crate) struct ApplyState {
    /// The most arguments that a closure is applied to at once.
    arguments: u32,
    /// Descriptors of closures that exist at run time.
    applied: Vec<Desc>,
    is_applied: FxHashSet<Desc>,
    /// Where descriptors were declared.
    origins: FxHashMap<Desc, (ModuleId, u32)>,
    /// Those of `applied` that have an instance entry, in their order: numbers there.
    with_instance: Vec<usize>,
    /// Tables of instance entries.
    instances: Vec<(Signature, Table)>,
    done: Done,
    /// What a call through a table leads to for descriptors whose instance is in another one.
    more_instances: Vec<(Table, Desc, FuncId)>,
    /// `jmp_eval_upd` is used.
    update: bool,
    /// Entries with an update entry; the flag says that it takes the thunk itself.
    updates: Vec<(ThunkInfo, ModuleId, Symbol, bool)>,
    updates_done: usize,
    selector_updates: FxHashSet<(ModuleId, u32)>,
    /// The entry of indirections, once it is asked for.
    indirection: Option<ThunkInfo>,
}

/// How far `finish_apply` got: with so many descriptors, applied to so many arguments, for so many tables of instance
/// entries. Each of its calls sees only what is new, for it is called after each function that `Start` does not reach.
#[derive(Clone, Copy, Default)]
struct Done {
    applied: usize,
    arguments: u32,
    instances: usize,
}

impl ApplyState {
    /// Entry `entry` has an update entry.
    pub fn update_entry(&mut self, entry: ThunkInfo, module: ModuleId, label: Symbol, takes_thunk: bool) {
        self.updates.push((entry, module, label, takes_thunk));
    }

    /// A descriptor was made for the directive at an item of a module.
    pub fn declared(&mut self, desc: Desc, module: ModuleId, item: u32) {
        self.origins.insert(desc, (module, item));
    }

    /// True if the first argument of this function is a thunk that it takes apart with `push_arg`.
    pub fn takes_thunk(&self, key: FunctionKey) -> bool {
        self.selector_updates.contains(&(key.module, key.index))
    }
}

impl ProgramBuilder<'_> {
    /// A node of this descriptor with arguments missing exists.
    pub fn applied(&mut self, desc: Desc) {
        if self.apply.is_applied.insert(desc) {
            self.apply.applied.push(desc);
        }
    }

    /// The dispatch table for instance entries of a signature.
    pub fn instance_table(&mut self, signature: &Signature) -> Table {
        if let Some((_, table)) = self.apply.instances.iter().find(|(s, _)| s == signature) {
            return *table;
        }
        let data = TableData {
            label: format!("instance.{}", self.apply.instances.len()),
            role: TableRole::Method,
            signature: signature.clone(),
            funcs: Vec::new(),
        };
        let table = self.ir.tables.push(data);
        self.apply.instances.push((signature.clone(), table));
        table
    }

    /// See `ApplyState::takes_thunk`.
    pub fn takes_thunk(&self, key: FunctionKey) -> bool {
        self.apply.takes_thunk(key)
    }

    /// A closure is applied to n arguments at once.
    pub fn applied_to(&mut self, n: u32) {
        self.apply.arguments = self.apply.arguments.max(n);
    }

    /// `jmp_eval_upd` is used.
    pub fn updates(&mut self) {
        self.apply.update = true;
    }

    /// Adds table entries for what has become reachable. True if new code may have been requested.
    pub fn finish_apply(&mut self) -> bool {
        let before = self.ir.funcs.len();
        let done = self.apply.done;
        let (arguments, instances) = (self.apply.arguments, self.apply.instances.len());
        // What is new for descriptors that have been seen before.
        if arguments > done.arguments {
            for at in 0..done.applied {
                self.add_to_tables(at, done.arguments + 1..=arguments, done.instances..instances);
            }
        } else if instances > done.instances {
            for at in self.apply.with_instance.clone() {
                self.add_to_tables(at, done.arguments + 1..=arguments, done.instances..instances);
            }
        }
        let mut applied = done.applied;
        while applied < self.apply.applied.len() {
            if self.instance_of(self.apply.applied[applied]).is_some() {
                self.apply.with_instance.push(applied);
            }
            self.add_to_tables(applied, 1..=arguments, 0..instances);
            applied += 1;
        }
        self.apply.done = Done { applied, arguments, instances };
        if self.apply.update {
            while let Some(&(entry, module, label, takes_thunk)) = self.apply.updates.get(self.apply.updates_done) {
                self.apply.updates_done += 1;
                self.add_update(entry, module, label, takes_thunk);
            }
        }
        self.ir.funcs.len() != before
    }

    /// Adds a descriptor, by its number in `applied`, to the tables for so many arguments and to these of instances.
    fn add_to_tables(&mut self, at: usize, arguments: RangeInclusive<u32>, instances: Range<usize>) {
        let desc = self.apply.applied[at];
        let arity = self.ir.descs[desc].arity;
        for n in arguments.take_while(|&n| n <= arity) {
            self.add_application(desc, n);
        }
        let Some((module, index)) = self.instance_of(desc) else { return };
        let label = &self.program.indexes[module as usize].functions[index as usize];
        let params = layout_types(self.module(module).layouts.get(label.layout));
        for number in instances.filter(|&number| self.apply.instances[number].0.params == params).collect::<Vec<_>>() {
            let (signature, table) = self.apply.instances[number].clone();
            self.add_instance(desc, (module, index), &signature, table);
        }
    }

    /// Module and number of the lazy entry of a descriptor.
    fn lazy_entry(&mut self, desc: Desc) -> Option<(ModuleId, u32)> {
        let &(module, item) = self.apply.origins.get(&desc)?;
        let line = self.program.modules[module as usize].line(item as usize);
        if !matches!(line.op, Abc::dot_desc | Abc::dot_descexp) || line.symbol(2) == Symbol::ADD_ARG {
            return None;
        }
        let symbol = line.symbol(2);
        match self.program.meaning(module, symbol) {
            Meaning::Defined(module, Definition::Function(index)) => Some((module, index)),
            _ => None,
        }
    }

    /// Operands of the `.a` or `.ai` of a lazy entry: apply entry and instance entry.
    fn apply_labels(&mut self, module: ModuleId, index: u32) -> (Option<Symbol>, Option<Symbol>) {
        let label = &self.program.indexes[module as usize].functions[index as usize];
        match label.apply.map(|item| self.program.modules[module as usize].line(item as usize)) {
            Some(line) if line.op == Abc::dot_ai => (line.label(1), line.label(2)),
            Some(line) => (line.label(1), None),
            None => (None, None),
        }
    }

    fn defined_function(&mut self, module: ModuleId, symbol: Symbol) -> Option<(ModuleId, u32)> {
        match self.program.meaning(module, symbol) {
            Meaning::Defined(module, Definition::Function(index)) => Some((module, index)),
            _ => None,
        }
    }

    fn add_application(&mut self, desc: Desc, n: u32) {
        let arity = self.ir.descs[desc].arity;
        let Some((module, lazy)) = self.lazy_entry(desc) else { return };
        let code = if n == 1 {
            let key = FunctionKey { module, index: lazy, extra: false };
            let code = self.function(key, &[Type::Ref]);
            let rule = "a lazy entry takes a closure and an argument and returns one node";
            if !self.expect_signature(module, lazy, code, &Signature::ptrs(2), rule) {
                return;
            }
            code
        } else {
            let Some(symbol) = self.apply_labels(module, lazy).0 else { return };
            let Some((module, index)) = self.defined_function(module, symbol) else { return };
            let label = &self.program.indexes[module as usize].functions[index as usize];
            let types = layout_types(self.module(module).layouts.get(label.layout));
            // Anything else than nodes cannot come from a closure; without apply entry the arguments are added singly.
            let nodes = types.len() as u32;
            if types.iter().any(|&ty| ty != Type::Ref) || nodes != arity && nodes != arity + 1 {
                return;
            }
            let target = self.function(FunctionKey { module, index, extra: false }, &[Type::Ref]);
            if self.ir.funcs[target].signature.results.as_slice() != [Type::Ref] {
                return;
            }
            self.apply_stub(desc, arity - n, n, target, nodes == arity + 1)
        };
        let node_infos = &mut self.ir.descs[desc].apply;
        node_infos.resize(node_infos.len().max(arity as usize), None);
        node_infos[(arity - n) as usize] = Some(code);
    }

    /// Unpacks a closure with `held` arguments and leaves to the apply entry.
    fn apply_stub(&mut self, desc: Desc, applied_args: u32, n: u32, target: FuncId, cell: bool) -> FuncId {
        let name = format!("{}.apply.{n}", self.ir.descs[desc].label);
        let id = self.add_function(name, Signature::ptrs(n + 1));
        let func = &mut self.ir.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = (0..=n).map(|_| func.add_param(entry, Type::Ref)).collect();
        let mut b = Builder::new(func, entry);
        let mut args: Vec<Value> =
            (0..applied_args).map(|i| b.get(Opcode::GetRef, applied_args, 0, i, params[0])).collect();
        args.extend(&params[1..]);
        if cell {
            let cell = b.op(Opcode::BuildDummy, &[]);
            args.push(cell);
        }
        b.tail_call(target, &args);
        id
    }

    /// Module and number of the instance entry of a descriptor.
    fn instance_of(&mut self, desc: Desc) -> Option<(ModuleId, u32)> {
        let (module, lazy) = self.lazy_entry(desc)?;
        let symbol = self.apply_labels(module, lazy).1?;
        self.defined_function(module, symbol)
    }

    fn add_instance(&mut self, desc: Desc, (module, index): (ModuleId, u32), signature: &Signature, table: Table) {
        if self.results.types(module, index).is_some_and(|results| results != signature.results.as_slice()) {
            return;
        }
        let code = self.function(FunctionKey { module, index, extra: false }, &signature.results);
        match &mut self.ir.descs[desc].method {
            Some(_) => self.apply.more_instances.push((table, desc, code)),
            instance => *instance = Some((table, code)),
        }
    }

    /// Calls through a table, where some descriptors have their instance in another one, become calls of a function
    /// that looks for these. To be called when everything has been built.
    pub fn finish_instances(&mut self) {
        let more = std::mem::take(&mut self.apply.more_instances);
        let mut callees: FxHashMap<Table, FuncId> = FxHashMap::default();
        let others = self.ir.funcs.len();
        for &(table, ..) in &more {
            if let hash_map::Entry::Vacant(vacant) = callees.entry(table) {
                let here = more.iter().filter(|instance| instance.0 == table).map(|&(_, desc, code)| (desc, code));
                vacant.insert(self.instance_function(table, here));
            }
        }
        if callees.is_empty() {
            return;
        }
        for func in self.ir.funcs.values_mut().take(others) {
            for block in func.layout.clone() {
                for inst in func.blocks[block].insts.clone() {
                    let data = &mut func.insts[inst];
                    let op = match data.op {
                        Opcode::CallMethod => Opcode::Call,
                        Opcode::TailCallMethod => Opcode::TailCall,
                        _ => continue,
                    };
                    if let Some(callee) = callees.get(&Table::from_u32(data.imm as u32)) {
                        (data.op, data.imm) = (op, callee.as_u32().into());
                    }
                }
            }
        }
    }

    /// A function that calls the instance of a closure: one of these, or what the table has.
    fn instance_function(&mut self, table: Table, instances: impl Iterator<Item = (Desc, FuncId)>) -> FuncId {
        let data = &self.ir.tables[table];
        let (name, signature) = (data.label.clone(), data.signature.clone());
        let params = signature.params.clone();
        let id = self.add_function(name, signature);
        let arities: Vec<_> = instances.map(|(desc, code)| (desc, self.ir.descs[desc].arity, code)).collect();
        let func = &mut self.ir.funcs[id];
        let entry = func.new_block();
        let args: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
        let mut b = Builder::new(func, entry);
        let header = b.op(Opcode::Header, &args[..1]);
        for (desc, arity, code) in arities {
            for applied_args in 0..arity {
                let node_info = b.node_info(desc, applied_args);
                let is_same = b.op(Opcode::Eq, &[header, node_info]);
                let [same, next] = [(); 2].map(|()| b.func.new_block());
                b.br_if(is_same, (same, &[]), (next, &[]));
                b.switch_to(same);
                b.tail_call(code, &args);
                b.switch_to(next);
            }
        }
        b.inst(Opcode::TailCallMethod, table.as_u32().into(), 0, &args);
        id
    }

    fn add_update(&mut self, entry: ThunkInfo, module: ModuleId, label: Symbol, takes_thunk: bool) {
        let Some((module, index)) = self.defined_function(module, label) else { return };
        let arity = self.ir.thunk_infos[entry].ptrs;
        let layout = self.program.indexes[module as usize].functions[index as usize].layout;
        let layout = self.module(module).layouts.get(layout);
        let (nodes, nptrs) = (layout.a, layout.b.len());
        if takes_thunk {
            if (nodes, nptrs) == (2, 0) {
                self.apply.selector_updates.insert((module, index));
                let key = FunctionKey { module, index, extra: false };
                let target = self.function(key, &[Type::Ref]);
                let rule = "an update entry takes a thunk and a cell and returns one node";
                if !self.expect_signature(module, index, target, &Signature::ptrs(2), rule) {
                    return;
                }
                self.ir.thunk_infos[entry].update = Some(target);
            }
            return;
        }
        // The cell to fill may be missing in `.o` (`docs/abc.md#a-missing-cell-under-the-arguments`).
        if nptrs != 0 || nodes != arity && nodes != arity + 1 {
            return;
        }
        let key = FunctionKey { module, index, extra: nodes == arity };
        if self.results.types(module, index).is_some_and(|results| results != [Type::Ref]) {
            return;
        }
        let target = self.function(key, &[Type::Ref]);
        if self.ir.funcs[target].signature.results.as_slice() != [Type::Ref] {
            return;
        }
        let name = format!("{}.update", self.ir.thunk_infos[entry].label);
        let id = self.add_function(name, Signature::ptrs(2));
        self.indirection_info();
        let func = &mut self.ir.funcs[id];
        let block = func.new_block();
        let [thunk, cell] = [(); 2].map(|()| func.add_param(block, Type::Ref));
        let mut b = Builder::new(func, block);
        let mut args: Vec<Value> = (0..arity).map(|i| b.get(Opcode::ArgRef, arity, 0, i, thunk)).collect();
        b.effect(Opcode::MakeIndirection, &[thunk, cell]);
        args.push(cell);
        b.tail_call(target, &args);
        self.ir.thunk_infos[entry].update = Some(id);
    }

    /// The entry of indirections, from our system module: thunks become indirections without naming it.
    pub(super) fn indirection_info(&mut self) -> ThunkInfo {
        if let Some(entry) = self.apply.indirection {
            return entry;
        }
        let symbol = self.module(0).symbols.find(b"e_system_nind").expect("system.abc defines it");
        let entry = self.defined_function(0, symbol).and_then(|(module, index)| self.entry_of(module, index));
        self.apply.indirection = entry;
        entry.expect("e_system_nind is a node entry")
    }
}
