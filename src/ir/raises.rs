//! Which functions may leave with an exception, or with an effect: they raise or perform one, or call what does
//! without a handler. What tables, methods and closures lead to is one each.
//!
//! A function that calls another one last may raise what that raises. Evaluation of thunks raises nothing: the code of
//! thunks must handle its exceptions (`thunks`), since a thunk whose code never ends well would stay a blackhole.

use crate::call_target::CallTarget;
use crate::entity::{FuncId, Table, ThunkInfo};
use crate::func::Func;
use crate::module::{Module, TableRole};
use crate::opcode::{Handling, Opcode};
use cranelift_entity::{EntityRef, EntitySet};

/// True if a module has exceptions: otherwise there is nothing to know.
pub fn has_exceptions(module: &Module) -> bool {
    let is_one = |op: Opcode| op == Opcode::Raise || op.handled_call().is_some();
    let mut ends = module.funcs.values().flat_map(|func| {
        func.layout.iter().filter_map(|&block| func.terminator(block)).map(|inst| func.insts[inst].op)
    });
    ends.any(is_one)
}

/// True if a module performs or handles effects.
pub fn has_effects(module: &Module) -> bool {
    module.funcs.values().any(|func| {
        func.layout.iter().flat_map(|&block| &func.blocks[block].insts).any(|&inst| func.insts[inst].op.is_of_effects())
    })
}

/// True if some instruction is one of these.
fn has(module: &Module, op: Opcode) -> bool {
    module.funcs.values().any(|func| has_one(func, |other| other == op))
}

fn has_one(func: &Func, is_one: impl Fn(Opcode) -> bool) -> bool {
    func.layout.iter().flat_map(|&block| &func.blocks[block].insts).any(|&inst| is_one(func.insts[inst].op))
}

/// What may raise, or perform.
#[derive(Default)]
pub struct Raises {
    funcs: EntitySet<FuncId>,
    /// One of the functions that such a call may lead to.
    tables: EntitySet<Table>,
    /// The same of closures.
    pub closures: bool,
}

impl Raises {
    /// What may raise, in a module which the verifier has accepted.
    pub fn of(module: &Module) -> Raises {
        // A continuation may raise what its frames raise, and an effect what it is discontinued with.
        let (resumes, performs) = match has_effects(module) {
            true => (has_exceptions(module) || has(module, Opcode::Discontinue), has(module, Opcode::Discontinue)),
            false => (false, false),
        };
        let is_source = |op: Opcode| match Handling::of(op) {
            Some(Handling::Raise | Handling::Discontinue) => true,
            Some(Handling::Resume) => resumes,
            Some(Handling::Perform) => performs,
            Some(Handling::TryCall | Handling::TryCallTable | Handling::TryCallMethod | Handling::TryApply) => false,
            Some(Handling::HandleCall | Handling::HandleCallTable) => false,
            Some(Handling::HandleCallMethod | Handling::HandleApply) | None => false,
        };
        let sources = module.funcs.iter().filter(|(_, func)| has_one(func, is_source)).map(|(id, _)| id).collect();
        Raises::reaching(module, Opcode::delimited_call, sources, &EntitySet::new())
    }

    /// What may perform an effect that it does not handle, in a module which the verifier has accepted.
    pub fn performing(module: &Module) -> Raises {
        let performs = |op: Opcode| op == Opcode::Perform;
        let sources = module.funcs.iter().filter(|(_, func)| has_one(func, performs)).map(|(id, _)| id).collect();
        Raises::reaching(module, Opcode::handled_call, sources, &EntitySet::new())
    }

    /// Functions from which control may get to one of the `sources`, but for what those that handle it are called by.
    pub fn reaching(
        module: &Module,
        mere_call: fn(Opcode) -> Option<Opcode>,
        sources: Vec<FuncId>,
        handle: &EntitySet<FuncId>,
    ) -> Raises {
        let mut raises = Raises::default();
        // By function, what calls of the others go on with.
        let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.funcs.len()];
        let mut of_tables: Vec<Vec<FuncId>> = vec![Vec::new(); module.tables.len()];
        let mut of_closures: Vec<FuncId> = Vec::new();
        let mut found = sources;
        for (id, func) in &module.funcs {
            for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
                // Calls with a handler raise nothing; of those with the other kind of handler, `mere_call` tells what
                // they call.
                let data = &func.insts[inst];
                match CallTarget::of(mere_call(data.op).unwrap_or(data.op), data.imm) {
                    Some(CallTarget::Func(callee)) => callers[callee.index()].push(id),
                    Some(CallTarget::Table(table) | CallTarget::Method(table)) => of_tables[table.index()].push(id),
                    Some(CallTarget::Closure) => of_closures.push(id),
                    Some(CallTarget::Extern(..) | CallTarget::Thunk | CallTarget::Entry) | None => {}
                }
            }
        }
        // Where each function may be called from without being named.
        let mut in_tables: Vec<Vec<Table>> = vec![Vec::new(); module.funcs.len()];
        let mut is_closure = EntitySet::<FuncId>::new();
        for (table, data) in &module.tables {
            for &func in &data.funcs {
                in_tables[func.index()].push(table);
                if matches!(data.role, TableRole::Apply(_)) {
                    is_closure.insert(func);
                }
            }
        }
        for desc in module.descs.values() {
            if let Some((table, func)) = desc.method {
                in_tables[func.index()].push(table);
            }
            is_closure.extend(desc.apply.iter().flatten().copied());
        }
        let apply_tables: Vec<Table> = module
            .tables
            .iter()
            .filter(|table| matches!(table.1.role, TableRole::Apply(_)))
            .map(|table| table.0)
            .collect();
        while let Some(id) = found.pop() {
            if handle.contains(id) || !raises.funcs.insert(id) {
                continue;
            }
            found.append(&mut callers[id.index()]);
            let mut tables = in_tables[id.index()].clone();
            if is_closure.contains(id) && !std::mem::replace(&mut raises.closures, true) {
                found.append(&mut of_closures);
                tables.extend(&apply_tables);
            }
            for table in tables {
                raises.tables.insert(table);
                found.append(&mut of_tables[table.index()]);
            }
        }
        raises
    }

    /// May this function raise?
    pub fn func(&self, func: FuncId) -> bool {
        self.funcs.contains(func)
    }

    /// May what an instruction calls raise? Of a call with a handler, that call.
    pub fn call(&self, op: Opcode, imm: u64) -> bool {
        // What is called in place of a function has no handler there.
        match CallTarget::of(op.handled_call().unwrap_or(op), imm).filter(|_| op.without_tail().is_none()) {
            Some(CallTarget::Func(callee)) => self.funcs.contains(callee),
            Some(CallTarget::Table(table) | CallTarget::Method(table)) => self.tables.contains(table),
            Some(CallTarget::Closure) => self.closures,
            Some(CallTarget::Extern(..) | CallTarget::Thunk | CallTarget::Entry) | None => false,
        }
    }
}

/// The kinds of thunks whose code may raise or perform something, which is an error; with what they may.
pub fn thunks(module: &Module) -> Vec<(ThunkInfo, FuncId, &'static str)> {
    let has_effects = has_effects(module);
    let raises = (has_effects || has_exceptions(module)).then(|| Raises::of(module));
    let performs = has_effects.then(|| Raises::performing(module));
    let code = module
        .thunk_infos
        .iter()
        .flat_map(|(id, info)| [Some(info.code), info.update].into_iter().flatten().map(move |func| (id, func)));
    let found = |all: &Option<Raises>, func: FuncId| all.as_ref().is_some_and(|all| all.func(func));
    code.filter_map(|(id, func)| match () {
        () if found(&raises, func) => Some((id, func, "raise an exception, and evaluation raises none")),
        () if found(&performs, func) => Some((id, func, "perform an effect, and evaluation performs none")),
        () => None,
    })
    .collect()
}
