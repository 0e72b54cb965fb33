//! Index spaces of the module: functions, globals and types that function bodies refer to. All indices are fixed before
//! the first body is encoded, so bodies can be encoded in any order, by several threads.

use cleave_ir::data_section::StaticDataSection;
use cleave_ir::opcode::{Flags, Memory};
use cleave_ir::runtime::unpack_extern;
use cleave_ir::{CallTarget, EntityRef, Extern, Func, FuncId, Libcall, Module, Opcode, Table};

/// Stands for the index of a function or global that the program does not use.
pub const UNUSED: u32 = u32::MAX;

/// The indices.
pub struct Env<'a> {
    pub data_section: &'a StaticDataSection,
    /// `Options::most_live`.
    pub most_live: usize,
    /// Globals: heap pointer and heap limit.
    pub pointer: u32,
    pub limit: u32,
    /// The first function that is not imported.
    pub first_function: u32,
    /// Functions of the IR.
    pub functions: Vec<u32>,
    /// The global with the shadow-stack pointer for what the host calls, if it calls something.
    pub entry_stack: Option<u32>,
    /// What goes on with captured functions.
    pub trampoline: Option<u32>,
    /// The dispatcher of thunks.
    pub enter: u32,
    /// What call sites do instead of calling a dispatcher: for thunks, and by table.
    pub enter_inline: Option<Cases>,
    pub inline: Vec<Option<Cases>>,
    /// High word of a product.
    pub umulhi: u32,
    /// Dispatchers by table.
    pub tables: Vec<u32>,
    /// Functions, or the wrappers around them, by extern.
    pub externs: Vec<u32>,
    /// Functions of the host that may call entries.
    pub host_calls: Vec<Extern>,
}

impl Env<'_> {
    pub fn function(&self, func: FuncId) -> u32 {
        self.functions[func.index()]
    }
    /// The global after them: the limit of the shadow stack.
    pub fn stack_limit(&self) -> u32 {
        self.limit + 1
    }
    pub fn table(&self, table: Table) -> u32 {
        self.tables[table.as_u32() as usize]
    }
    /// On the reference-counted heap compiled code passes no stack pointer.
    pub fn is_host_call_without_pointer(&self, imm: u64) -> bool {
        let (id, effects) = unpack_extern(imm);
        !effects.may_gc() && self.host_calls.contains(&id)
    }
    pub fn external(&self, id: Extern) -> u32 {
        self.externs[id.number() as usize]
    }
}

/// The functions of a dispatch, so few that call sites choose among them.
pub struct Cases {
    /// By index.
    pub targets: Vec<FuncId>,
    /// Types of blocks: parameters of the functions to results; with an index after them to the parameters or to the
    /// results.
    pub either: u32,
    pub choose: u32,
    pub call: u32,
}

/// What the functions of a module call besides each other.
pub struct Demand {
    /// Call sites by extern, by function and by table.
    pub externs: Vec<u32>,
    pub funcs: Vec<u32>,
    pub tables: Vec<u32>,
    /// Number of call sites that evaluate thunks.
    pub enters: u32,
    pub umulhi: bool,
}

impl Demand {
    /// Functions compute with numbers alone: there is nothing that they call, store or load.
    pub fn is_nothing(&self, module: &Module) -> bool {
        let computes = |(id, func): (FuncId, &Func)| {
            let insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
            let is_pure = |op: Opcode| {
                let info = op.info();
                let is_call = matches!(op, Opcode::Call | Opcode::TailCall);
                is_call || info.reads == Memory::NONE && info.writes == Memory::NONE && !op.any(Flags::ALLOCATES)
            };
            // The start of a library does nothing.
            (!func.takes_stack_pointer || module.start == Some(id))
                && insts.map(|&inst| func.insts[inst].op).all(is_pure)
        };
        let calls_nothing =
            self.enters == 0 && self.externs.iter().all(|&it| it == 0) && self.tables.iter().all(|&it| it == 0);
        calls_nothing && module.exchange.is_none() && module.funcs.iter().all(computes)
    }

    pub fn of(module: &Module) -> Demand {
        let mut demand = Demand {
            externs: vec![0; module.externs.len()],
            funcs: vec![0; module.funcs.len()],
            tables: vec![0; module.tables.len()],
            enters: 0,
            umulhi: false,
        };
        for func in module.funcs.values() {
            for &block in &func.layout {
                for &inst in &func.blocks[block].insts {
                    let data = &func.insts[inst];
                    match data.call_target() {
                        Some(CallTarget::Extern(id, _)) => demand.externs[id.number() as usize] += 1,
                        Some(CallTarget::Table(table)) => demand.tables[table.index()] += 1,
                        Some(CallTarget::Entry) => demand.enters += 1,
                        Some(CallTarget::Func(func)) => demand.funcs[func.index()] += 1,
                        None => {}
                        Some(CallTarget::Method(_) | CallTarget::Closure | CallTarget::Thunk) => {
                            unreachable!("{} is not low", data.op.name())
                        }
                    }
                    demand.umulhi |= data.op == Opcode::Umulhi;
                    let stops = data.op.is_division().then_some(Libcall::CheckDivision);
                    let asks = (data.op == Opcode::StackLimit).then_some(Libcall::StackLimit);
                    if let Some(libcall) = stops.or(asks) {
                        demand.externs[libcall.id().number() as usize] += 1;
                    }
                }
            }
        }
        demand
    }
}
