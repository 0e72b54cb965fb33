//! Checks what a program on the reference-counted heap may not do: whatever could make a cycle of references, or needs
//! the collector.

use cleave_ir::module::StaticData;
use cleave_ir::verify::Location;
use cleave_ir::{Block, Effects, Flags, Func, ImmKind, Inst, Module, Opcode, Static, Type};
use std::fmt;

/// Something that has no meaning on the reference-counted heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Name of the function.
    pub func: String,
    /// Where in that function.
    pub at: Location,
    /// The instruction, by its name; a call of an extern also by that; or the entry of thunks.
    pub what: String,
    why: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}: `{}`: {}", self.func, self.what, self.why)
    }
}

/// The first thing that a program may not do on the reference-counted heap.
pub fn check(module: &Module) -> Result<(), Unsupported> {
    all(module).next().map_or(Ok(()), Err)
}

/// All that a program may not do there.
pub fn all(module: &Module) -> impl Iterator<Item = Unsupported> {
    let entries = module.thunk_infos.values().map(|entry| {
        let (func, what) = (module.funcs[entry.code].name.clone(), format!("entry &{}", entry.label));
        Unsupported { func, at: Location::Func, what, why: LAZY }
    });
    let insts = module.funcs.values().flat_map(|func| {
        let insts = |&block: &Block| func.blocks[block].insts.iter().map(move |&inst| (block, inst));
        func.layout.iter().flat_map(insts).map(move |(block, inst)| (func, block, inst))
    });
    entries.chain(insts.filter_map(|(func, block, inst)| {
        let why = refuses(module, func, inst)?;
        let data = &func.insts[inst];
        let what = match data.op {
            Opcode::CallRt => format!("call_rt {}", module.externs[data.external().0].name),
            op => op.name().to_string(),
        };
        Some(Unsupported { func: func.name.clone(), at: Location::Inst(block, inst), what, why })
    }))
}

const LAZY: &str = "there are no thunks on the reference-counted heap";

fn refuses(module: &Module, func: &Func, inst: Inst) -> Option<&'static str> {
    const OBJECT: &str = "arrays and boxed values have no count of references";
    const APPLIED: &str = "closures that take their arguments one by one have no count of references";
    const FFI: &str = "it takes or gives objects of the garbage-collected heap";
    const COLLECTOR: &str = "it may collect, and there is no collector";
    use Opcode::*;
    let data = &func.insts[inst];
    match data.op {
        GetRef | GetI64 | GetF64 | BuildNode | Header | NodeInfoAddr | NodeRef | StaticNode | Call | TailCall => None,
        CallMethod | TailCallMethod | CallTable | TailCallTable => None,
        SetRef | SetI64 | SetF64 | GetRetained | ExchangeRef => None,
        SmallInt | BoxInt | BoxChar | BoxBool => None,
        OpenHole | MoveHole | FillHole => None,
        Retain | Release | UnpackRelease | Reset | ResetOrAlloc | Reuse | FreeToken => None,
        CallRt => {
            let declared = &module.externs[data.external().0];
            match data.effects().may_gc() {
                true => Some(COLLECTOR),
                false if declared.effects.all(Effects::RC) => None,
                false if declared.params.iter().chain(&*declared.results).any(|&ty| ty == Type::Ref) => Some(FFI),
                false => None,
            }
        }
        StaticRef => match module.statics[Static::from_u32(data.imm as u32)] {
            StaticData::String(_) => None,
            _ => Some(OBJECT),
        },
        StringSize | ElemU8 | ElemI64 | ElemF64 | ElemI32 | ElemF32 => None,
        SetElemU8 | SetElemI64 | SetElemF64 | SetElemI32 | SetElemF32 => None,
        ArrayNew | ArrayGet | ArraySet | ArrayLen | ArraySlice | ArrayCopy => None,
        TryCall | TryCallTable | TryCallMethod | Raise => None,
        HandleCall | HandleCallTable | HandleCallMethod | Perform | Resume | Discontinue => None,
        Apply | TailApply | TryApply | HandleApply => Some(APPLIED),
        AddrRef => Some(OBJECT),
        ArraySize => Some(OBJECT),
        SetNodeInfo => Some("a node of the reference-counted heap keeps its constructor"),
        Spill | Restore | ClearSlot | HeapFull | Collect | Alloc => Some(COLLECTOR),
        op if op.info().imm == ImmKind::Element => Some(OBJECT),
        op if op.info().imm == ImmKind::Caf => None,
        op if op.any(Flags::CALL.union(Flags::USES_IDENTITY)) && !op.is_access() => Some(LAZY),
        op if op.any(Flags::ALLOCATES) || op.info().imm == ImmKind::ThunkInfo || op == IsHnf => Some(LAZY),
        op if op.is_access() && (op == LoadRef || op == StoreRef) => Some("references are read from nodes alone"),
        _ => None,
    }
}
