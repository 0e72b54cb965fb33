//! What may overwrite a reference, on the reference-counted heap: a field of a node, an element of an array, or static
//! storage that one instruction of the program sets. (Other storage, like that of an exception on its way, is set again
//! and again: what is read from it is always counted.) A function does if it has such an instruction, or calls what
//! does; so does what is called outside of the program.

use crate::arrays::ArrayKind;
use crate::call_target::CallTarget;
use crate::func::InstData;
use crate::module::Module;
use crate::opcode::{Call, Flags, Group, Memory, Opcode};
use cleave_abi::libcalls::{RC_EXCHANGE, RC_INNER_EXCHANGE};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

/// The functions of a module that may overwrite references, and the tables that lead to some.
#[derive(Default)]
pub struct ReferenceWriters {
    funcs: Vec<bool>,
    tables: Vec<bool>,
    /// How many instructions set each reference of static storage.
    setters: FxHashMap<(u64, u32), u32>,
}

impl ReferenceWriters {
    /// Those of a module, whose applications are calls by now.
    pub fn of(module: &Module) -> ReferenceWriters {
        let count = module.funcs.len();
        let mut found = ReferenceWriters {
            funcs: module.funcs.values().map(|func| func.entry.is_none()).collect(),
            tables: module.tables.values().map(|table| table.funcs.is_empty()).collect(),
            setters: FxHashMap::default(),
        };
        for func in module.funcs.values() {
            let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
            for data in insts.map(|&inst| &func.insts[inst]).filter(|data| data.op == Opcode::SetCafRef) {
                *found.setters.entry((data.imm, data.aux)).or_default() += 1;
            }
        }
        // Who calls a function; tables come after the functions.
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); count + module.tables.len()];
        for (table, data) in &module.tables {
            for &func in &data.funcs {
                callers[func.index()].push((count + table.index()) as u32);
            }
        }
        for (id, func) in &module.funcs {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                let data = &func.insts[inst];
                match callee(count, data) {
                    Some(callee) => callers[callee].push(id.as_u32()),
                    None => found.funcs[id.index()] |= found.writes(module, data),
                }
            }
        }
        let funcs = (0..count).filter(|&at| found.funcs[at]);
        let tables = (0..module.tables.len()).filter(|&at| found.tables[at]).map(|at| count + at);
        let mut open: Vec<usize> = funcs.chain(tables).collect();
        while let Some(at) = open.pop() {
            for &caller in &callers[at] {
                let caller = caller as usize;
                let known = match caller.checked_sub(count) {
                    None => &mut found.funcs[caller],
                    Some(table) => &mut found.tables[table],
                };
                if !std::mem::replace(known, true) {
                    open.push(caller);
                }
            }
        }
        found
    }

    /// May it have overwritten a reference when it has been executed?
    pub fn may_write(&self, module: &Module, data: &InstData) -> bool {
        match callee(self.funcs.len(), data) {
            Some(at) => match at.checked_sub(self.funcs.len()) {
                None => self.funcs[at],
                Some(table) => self.tables[table],
            },
            None => self.writes(module, data),
        }
    }

    /// Is the reference of static storage that this instruction reads or sets one that a single instruction sets?
    pub fn is_set_once(&self, data: &InstData) -> bool {
        self.setters.get(&(data.imm, data.aux)) == Some(&1)
    }

    /// True of an instruction that calls none of these, if it overwrites a reference.
    fn writes(&self, module: &Module, data: &InstData) -> bool {
        let writes = !data.op.writes().is_empty();
        match data.op.group() {
            Group::Call(Call::CallRt) => {
                let called = &module.externs[data.external().0];
                called.from.is_some() || [&RC_EXCHANGE, &RC_INNER_EXCHANGE].iter().any(|row| row.name == called.name)
            }
            Group::Call(_) | Group::Evaluation(_) | Group::Handling(_) => data.op.any(Flags::CALL),
            Group::Array(_) | Group::Root(_) => data.op.any(Flags::CALL),
            Group::Field(access) => writes && access.is_ref(),
            Group::Element(access) => writes && access.kind() == ArrayKind::Ref,
            // What is read before it is written for the first time is no reference yet.
            Group::Storage(_) => data.op == Opcode::SetCafRef && self.is_set_once(data),
            Group::Store(_) => data.op == Opcode::StoreRef,
            Group::Count(_) => writes && data.op.writes().any(Memory::PTRS),
            // Others do not write memory, or write new objects.
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => false,
            Group::RealComparison(_) | Group::Cell(_) | Group::Boxed(_) | Group::Size(_) => false,
            Group::Load(_) | Group::Machine(_) | Group::Terminator(_) => false,
        }
    }
}

/// What a call leads to: the number of a function, or that of a table after so many functions.
fn callee(count: usize, data: &InstData) -> Option<usize> {
    match data.call_target()? {
        CallTarget::Func(callee) => Some(callee.index()),
        CallTarget::Table(table) => Some(count + table.index()),
        CallTarget::Extern(..) | CallTarget::Method(_) => None,
        CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry => None,
    }
}
