//! The context of passes over single functions: what they may read of the rest of the module.

use cleave_ir::layout::Shape;
use cleave_ir::runtime::ExternData;
use cleave_ir::{
    CellSizes, Cycles, Desc, DescData, Extern, Func, FuncId, Module, Opcode, PrimaryMap, Static, StaticData, ThunkInfo,
    ThunkInfoData,
};

/// What a pass over single functions may ask about the rest of the module: all but the bodies of other functions,
/// which other threads are changing.
pub struct ModuleContext<'m> {
    /// All descriptors.
    pub descs: &'m PrimaryMap<Desc, DescData>,
    /// All static objects.
    pub statics: &'m PrimaryMap<Static, StaticData>,
    /// All entries of thunks.
    pub thunk_infos: &'m PrimaryMap<ThunkInfo, ThunkInfoData>,
    /// All functions of the runtime that are called.
    pub externs: &'m PrimaryMap<Extern, ExternData>,
    /// As in the module: the entry of cells under evaluation.
    pub blackhole_info: Option<ThunkInfo>,
    /// As in the module: references may be integers.
    pub immediates: bool,
    /// As in the module: cells that are larger than their nodes.
    pub cell_sizes: &'m CellSizes,
    /// As in the module: what may be a part of a cycle.
    pub cycles: &'m Cycles,
    /// Some function overwrites raw words of nodes (`set.i64`, `set.f64`): any call may.
    pub writes_words: bool,
    calls: Vec<Calls>,
}

/// What callers know of a function.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    may_gc: bool,
    takes_stack_pointer: bool,
}

impl Calls {
    pub fn of(func: &Func) -> Calls {
        Calls { may_gc: func.may_gc, takes_stack_pointer: func.takes_stack_pointer }
    }
}

/// Does some function overwrite raw words of nodes?
pub(crate) fn writes_words(module: &Module) -> bool {
    let mut insts = module.funcs.values().flat_map(|func| func.insts.values());
    insts.any(|data| matches!(data.op, Opcode::SetI64 | Opcode::SetF64))
}

/// One function, whose body a pass changes, and what surrounds it.
#[derive(Clone, Copy)]
pub struct FuncContext<'a> {
    /// The function itself.
    pub id: FuncId,
    /// All but bodies.
    pub cx: &'a ModuleContext<'a>,
}

impl<'m> ModuleContext<'m> {
    /// Those of a whole module.
    pub fn of(module: &'m Module) -> ModuleContext<'m> {
        ModuleContext::with(module, writes_words(module), module.funcs.values().map(Calls::of).collect())
    }

    /// The same for a module whose functions are elsewhere.
    pub(crate) fn with(module: &'m Module, writes_words: bool, calls: Vec<Calls>) -> ModuleContext<'m> {
        let Module { descs, statics, thunk_infos, externs, blackhole_info, immediates, cell_sizes, cycles, .. } =
            module;
        let (blackhole_info, immediates) = (*blackhole_info, *immediates);
        ModuleContext {
            descs,
            statics,
            thunk_infos,
            externs,
            blackhole_info,
            immediates,
            cell_sizes,
            cycles,
            writes_words,
            calls,
        }
    }

    /// True if a call of the function may collect.
    pub fn may_gc(&self, func: FuncId) -> bool {
        self.calls[func.as_u32() as usize].may_gc
    }

    /// True if the function takes the shadow-stack pointer, once lowered.
    pub fn takes_stack_pointer(&self, func: FuncId) -> bool {
        self.calls[func.as_u32() as usize].takes_stack_pointer
    }

    /// Payload (references, raw words) of a node of `desc` holding `held` arguments.
    pub fn payload(&self, desc: Desc, applied_args: u32) -> (u32, u32) {
        self.descs[desc].payload(applied_args)
    }

    /// Shape of a node of `desc` holding `held` arguments.
    pub fn shape(&self, desc: Desc, applied_args: u32) -> Shape {
        self.descs[desc].shape(applied_args)
    }
}
