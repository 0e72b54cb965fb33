//! Application of closures and update entries: functions that the compiler itself writes, in high IR.
//!
//! - `apply.n` applies a closure to n arguments: if exactly n are missing it calls through the dispatch table of the
//!   same name, whose index the row of the closure holds; else the arguments are added one by one
//!   (`docs/abc.md#application`).
//! - The functions in table `apply.1` are the lazy entries; those in `apply.n` are stubs that unpack the closure, add
//!   an empty cell if the apply entry takes one, and leave to it.
//! - `evaluate_and_update` is `jmp_eval_upd`; table `update` holds stubs that turn the thunk into an indirection and
//!   leave to its update entry (`docs/abc.md#evaluation-and-update`).
//! - One table per signature of instance entries (`jsr_i`).
//!
//! Which closures can be applied, and to how many arguments, is known only when all reachable code has been built:
//! `finish_apply` adds what is missing until nothing new turns up.

use super::symbols::layout_types;
use super::{FunctionKey, ProgramBuilder};
use crate::ast::Symbol;
use crate::index::Definition;
use crate::instr::Opcode as Abc;
use crate::link::{Meaning, ModuleId};
use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::layout::{
    ENTRY_UPDATE, MIN_CELL, NO_CODE, REST, ROW_APPLY, ROW_HELD, ROW_MISSING, ROW_SIZE, SLOT, TAG_HNF,
};
use cleave_ir::{
    Block, Builder, Desc, Entry, FuncId, Opcode, Service, Signature, Table, TableData, TableRole, Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What has been asked for, and how far `finish_apply` got.
#[derive(Default)]
pub(crate) struct ApplyState {
    /// `apply.n` and its table, by n − 1.
    functions: Vec<(FuncId, Table)>,
    /// Descriptors of closures that exist at run time.
    applied: Vec<Desc>,
    is_applied: FxHashSet<Desc>,
    /// Where descriptors were declared.
    origins: FxHashMap<Desc, (ModuleId, u32)>,
    done: FxHashSet<(Desc, u32)>,
    /// Tables of instance entries, and where the first call through each is.
    instances: Vec<(Signature, Table, Span)>,
    done_instances: FxHashSet<(Desc, Table)>,
    /// `evaluate_and_update` and the table of update functions.
    update: Option<(FuncId, Table)>,
    /// Entries with an update entry; the flag says that it takes the thunk itself.
    updates: Vec<(Entry, ModuleId, Symbol, bool)>,
    updates_done: usize,
    selector_updates: FxHashSet<(ModuleId, u32)>,
}

impl ApplyState {
    /// Entry `entry` has an update entry.
    pub fn update_entry(&mut self, entry: Entry, module: ModuleId, label: Symbol, takes_thunk: bool) {
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

fn refs(n: u32) -> Signature {
    Signature::new(&vec![Type::Ref; n as usize], &[Type::Ref])
}

impl ProgramBuilder<'_> {
    /// A node of this descriptor with arguments missing exists.
    pub fn applied(&mut self, desc: Desc) {
        if self.apply.is_applied.insert(desc) {
            self.apply.applied.push(desc);
        }
    }

    fn table(&mut self, label: String, role: TableRole, signature: Signature) -> Table {
        self.ir.tables.push(TableData { label, role, signature, funcs: Vec::new() })
    }

    /// Adds a function to a dispatch table, unless it is there.
    fn add_to_table(&mut self, table: Table, func: FuncId) {
        let funcs = &mut self.ir.tables[table].funcs;
        if !funcs.contains(&func) {
            funcs.push(func);
        }
    }

    /// The dispatch table for instance entries of a signature.
    pub fn instance_table(&mut self, signature: &Signature, span: Span) -> Table {
        if let Some((_, table, _)) = self.apply.instances.iter().find(|(s, ..)| s == signature) {
            return *table;
        }
        let table =
            self.table(format!("instance.{}", self.apply.instances.len()), TableRole::Instance, signature.clone());
        self.apply.instances.push((signature.clone(), table, span));
        table
    }

    /// See `ApplyState::takes_thunk`.
    pub fn takes_thunk(&self, key: FunctionKey) -> bool {
        self.apply.takes_thunk(key)
    }

    /// The function `apply.n`: (closure, n arguments) -> evaluated result.
    pub fn apply_function(&mut self, n: u32) -> FuncId {
        for n in 1..=n {
            let at = n as usize - 1;
            if self.apply.functions.len() <= at {
                let table = self.table(format!("apply.{n}"), TableRole::Apply(n), refs(n + 1));
                let func = self.add_function(format!("apply.{n}"), refs(n + 1));
                self.apply.functions.push((func, table));
                self.build_apply(n, func, table);
            }
        }
        self.apply.functions[n as usize - 1].0
    }

    fn build_apply(&mut self, n: u32, id: FuncId, table: Table) {
        let fewer = if n > 1 { Some(self.apply.functions[n as usize - 2]) } else { None };
        let one = self.apply.functions[0].0;
        let func = &mut self.ir.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = (0..=n).map(|_| func.add_param(entry, Type::Ref)).collect();
        let [full, call, stepwise] = [(); 3].map(|()| func.new_block());
        let mut b = Builder::new(func, entry);
        let header = b.op(Opcode::Header, &[params[0]]);
        let missing = b.value(Opcode::LoadU16, (ROW_MISSING - TAG_HNF) as u64, 0, &[header]);
        let wanted = b.iconst32(n as i32);
        let exact = b.op(Opcode::Eq, &[missing, wanted]);
        b.br_if(exact, (full, &[]), (stepwise, &[]));
        b.switch_to(full);
        let index = b.value(Opcode::LoadI32, (ROW_APPLY - TAG_HNF) as u64, 0, &[header]);
        let none = b.iconst32(NO_CODE as i32);
        let absent = b.op(Opcode::Eq, &[index, none]);
        b.br_if(absent, (stepwise, &[]), (call, &[]));
        b.switch_to(call);
        let mut operands = vec![index];
        operands.extend(&params);
        b.inst(Opcode::TailCallTable, table.as_u32() as u64, 0, &operands);
        b.switch_to(stepwise);
        match fewer {
            None => add_argument(&mut b, header, params[0], params[1]),
            Some((fewer, _)) => {
                let inst = b.call(one, &params[..2], &[Type::Ref]);
                let closure = b.func.result(inst);
                let mut operands = vec![closure];
                operands.extend(&params[2..]);
                b.tail_call(fewer, &operands);
            }
        }
    }

    /// `jmp_eval_upd`: (node, cell) -> the cell, filled with the value of the node.
    pub fn evaluate_and_update(&mut self) -> FuncId {
        if let Some((func, _)) = self.apply.update {
            return func;
        }
        let table = self.table("update".into(), TableRole::Update, refs(2));
        let id = self.add_function("evaluate_and_update".into(), refs(2));
        self.apply.update = Some((id, table));
        let func = &mut self.ir.funcs[id];
        let entry = func.new_block();
        let [node, cell] = [(); 2].map(|()| func.add_param(entry, Type::Ref));
        let [copy, thunk, update, plain] = [(); 4].map(|()| func.new_block());
        let mut b = Builder::new(func, entry);
        let hnf = b.op(Opcode::IsHnf, &[node]);
        b.br_if(hnf, (copy, &[]), (thunk, &[]));
        b.switch_to(copy);
        b.effect(Opcode::FillCopy, &[cell, node]);
        b.ret(&[cell]);
        b.switch_to(thunk);
        let header = b.op(Opcode::Header, &[node]);
        let number = b.value(Opcode::LoadI32, ENTRY_UPDATE as u64, 0, &[header]);
        b.br_if(number, (update, &[]), (plain, &[]));
        b.switch_to(update);
        let one = b.iconst32(1);
        let index = b.op(Opcode::Isub, &[number, one]);
        b.inst(Opcode::TailCallTable, table.as_u32() as u64, 0, &[index, node, cell]);
        b.switch_to(plain);
        let value = b.op(Opcode::Enter, &[node]);
        b.effect(Opcode::FillCopy, &[cell, value]);
        b.ret(&[cell]);
        id
    }

    /// Adds table entries for what has become reachable. True if new code may have been requested.
    pub fn finish_apply(&mut self) -> bool {
        let before = self.ir.funcs.len();
        let mut next = 0;
        while next < self.apply.applied.len() {
            let desc = self.apply.applied[next];
            next += 1;
            for n in 1..=self.apply.functions.len() as u32 {
                if n <= self.ir.descs[desc].arity && self.apply.done.insert((desc, n)) {
                    self.add_application(desc, n);
                }
            }
            for at in 0..self.apply.instances.len() {
                let (signature, table, span) = self.apply.instances[at].clone();
                if self.apply.done_instances.insert((desc, table)) {
                    self.add_instance(desc, &signature, table, span);
                }
            }
        }
        if self.apply.update.is_some() {
            while let Some(&(entry, module, label, takes_thunk)) = self.apply.updates.get(self.apply.updates_done) {
                self.apply.updates_done += 1;
                self.add_update(entry, module, label, takes_thunk);
            }
        }
        self.ir.funcs.len() != before
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
            if !self.expect_signature(module, lazy, code, &refs(2), rule) {
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
        let (_, table) = self.apply.functions[n as usize - 1];
        self.add_to_table(table, code);
        let rows = &mut self.ir.descs[desc].apply;
        rows.resize(rows.len().max(arity as usize), None);
        rows[(arity - n) as usize] = Some(code);
    }

    /// Unpacks a closure with `held` arguments and leaves to the apply entry.
    fn apply_stub(&mut self, desc: Desc, held: u32, n: u32, target: FuncId, cell: bool) -> FuncId {
        let name = format!("{}.apply.{n}", self.ir.descs[desc].label);
        let id = self.add_function(name, refs(n + 1));
        let func = &mut self.ir.funcs[id];
        let entry = func.new_block();
        let params: Vec<Value> = (0..=n).map(|_| func.add_param(entry, Type::Ref)).collect();
        let mut b = Builder::new(func, entry);
        let mut args: Vec<Value> = (0..held).map(|i| b.get(Opcode::GetRef, held, 0, i, params[0])).collect();
        args.extend(&params[1..]);
        if cell {
            let cell = b.op(Opcode::BuildCell, &[]);
            args.push(cell);
        }
        b.tail_call(target, &args);
        id
    }

    fn add_instance(&mut self, desc: Desc, signature: &Signature, table: Table, call: Span) {
        let Some((module, lazy)) = self.lazy_entry(desc) else { return };
        let Some(symbol) = self.apply_labels(module, lazy).1 else { return };
        let Some((module, index)) = self.defined_function(module, symbol) else { return };
        let label = &self.program.indexes[module as usize].functions[index as usize];
        let params = layout_types(self.module(module).layouts.get(label.layout));
        if params != signature.params {
            return;
        }
        if self.results.types(module, index).is_some_and(|results| results != signature.results.as_slice()) {
            return;
        }
        if let Some((other, _)) = self.ir.descs[desc].instance {
            self.open_instance(module, index, [call, self.instance_call_of(other)]);
            return;
        }
        let code = self.function(FunctionKey { module, index, extra: false }, &signature.results);
        self.add_to_table(table, code);
        self.ir.descs[desc].instance = Some((table, code));
    }

    /// The first call through a table of instances.
    fn instance_call_of(&self, table: Table) -> Span {
        let found = self.apply.instances.iter().find(|instance| instance.1 == table);
        found.expect("a table of instances").2
    }

    /// Two kinds of members take the same, and nothing says which of the two an entry belongs to.
    fn open_instance(&mut self, module: ModuleId, index: u32, calls: [Span; 2]) {
        let item = self.program.module_index(module).functions[index as usize].item;
        let span = self.span(module, item as usize);
        self.report_code(span.file, || {
            Diagnostic::error(code::LAYOUT_MISSING, "nothing says what this entry of a class member returns")
                .at(span, "it could be called from two places that expect different results")
                .and(calls[0], "one of them")
                .and(calls[1], "the other")
                .help("let it end in a rtn with .d before it, or call it somewhere with .o after the call")
        });
    }

    fn add_update(&mut self, entry: Entry, module: ModuleId, label: Symbol, takes_thunk: bool) {
        let Some((module, index)) = self.defined_function(module, label) else { return };
        let arity = self.ir.entries[entry].refs;
        let layout = self.program.indexes[module as usize].functions[index as usize].layout;
        let layout = self.module(module).layouts.get(layout);
        let (nodes, words) = (layout.a, layout.b.len());
        let (_, table) = self.apply.update.expect("update entries are wanted");
        if takes_thunk {
            if (nodes, words) == (2, 0) {
                self.apply.selector_updates.insert((module, index));
                let key = FunctionKey { module, index, extra: false };
                let target = self.function(key, &[Type::Ref]);
                let rule = "an update entry takes a thunk and a cell and returns one node";
                if !self.expect_signature(module, index, target, &refs(2), rule) {
                    return;
                }
                self.ir.entries[entry].update = Some(target);
                self.add_to_table(table, target);
            }
            return;
        }
        // The cell to fill may be missing in `.o` (`docs/abc.md#a-missing-cell-under-the-arguments`).
        if words != 0 || nodes != arity && nodes != arity + 1 {
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
        let name = format!("{}.update", self.ir.entries[entry].label);
        let id = self.add_function(name, refs(2));
        self.indirection_entry();
        let func = &mut self.ir.funcs[id];
        let block = func.new_block();
        let [thunk, cell] = [(); 2].map(|()| func.add_param(block, Type::Ref));
        let mut b = Builder::new(func, block);
        let mut args: Vec<Value> = (0..arity).map(|i| b.get(Opcode::ArgRef, arity, 0, i, thunk)).collect();
        b.effect(Opcode::MakeIndirection, &[thunk, cell]);
        args.push(cell);
        b.tail_call(target, &args);
        self.ir.entries[entry].update = Some(id);
        self.add_to_table(table, id);
    }

    /// The entry of indirections, from our system module: thunks become indirections without naming it.
    pub(super) fn indirection_entry(&mut self) -> Entry {
        if let Some(entry) = self.ir.indirection_entry() {
            return entry;
        }
        let symbol = self.module(0).symbols.find(b"e_system_nind").expect("system.abc defines it");
        let entry = self.defined_function(0, symbol).and_then(|(module, index)| self.entry_of(module, index));
        entry.expect("e_system_nind is a node entry")
    }
}

/// A copy of the closure with one more argument: the row after its own. Small closures are made in place.
fn add_argument(b: &mut Builder<'_>, header: Value, closure: Value, argument: Value) {
    let held = b.value(Opcode::LoadU16, (ROW_HELD - TAG_HNF) as u64, 0, &[header]);
    let row_size = b.iconst32(ROW_SIZE as i32);
    let header = b.op(Opcode::Iadd, &[header, row_size]);
    b.inst(Opcode::BrTable, 0, 0, &[held]);
    let from = b.block;
    let blocks: [Block; 4] = [(); 4].map(|()| b.func.new_block());
    for block in blocks {
        b.func.add_edge(from, block, &[]);
    }
    let store_ref = |b: &mut Builder<'_>, to: Value, offset: u32, value: Value| {
        b.inst(Opcode::StoreRef, offset as u64, 0, &[to, value]);
    };
    for (held, block) in blocks[..3].iter().enumerate() {
        b.switch_to(*block);
        let bytes = if held == 2 { MIN_CELL + 2 * SLOT } else { MIN_CELL };
        let node = b.value(Opcode::Alloc, bytes as u64, 0, &[]);
        b.inst(Opcode::StoreI32, 0, 0, &[node, header]);
        let first = if held == 0 { argument } else { b.value(Opcode::LoadRef, SLOT as u64, 0, &[closure]) };
        store_ref(b, node, SLOT, first);
        match held {
            0 => {
                let zero = b.iconst32(0);
                b.inst(Opcode::StoreI32, REST as u64, 0, &[node, zero]);
            }
            1 => store_ref(b, node, 2 * SLOT, argument),
            _ => {
                let address = b.op(Opcode::RefAddr, &[node]);
                let size = b.iconst32(MIN_CELL as i32);
                let rest = b.op(Opcode::Iadd, &[address, size]);
                b.inst(Opcode::StoreI32, REST as u64, 0, &[node, rest]);
                let second = b.value(Opcode::LoadRef, 2 * SLOT as u64, 0, &[closure]);
                store_ref(b, node, MIN_CELL, second);
                store_ref(b, node, MIN_CELL + SLOT, argument);
            }
        }
        b.ret(&[node]);
    }
    b.switch_to(blocks[3]);
    let inst = b.call_rt(Service::AddArgument, &[closure, argument]);
    let node = b.func.result(inst);
    b.ret(&[node]);
}
