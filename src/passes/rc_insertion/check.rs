//! Checks what a program on the reference-counted heap may not do: whatever could make a cycle of references, or needs
//! the collector.

use cleave_ir::module::StaticData;
use cleave_ir::opcode::{Call, Cell, Constant, Evaluation, Field, Load, Machine, Size, Store};
use cleave_ir::verify::Location;
use cleave_ir::{ArrayKind, Block, CallTarget, Effects, Func, Group, Inst, Module, Phase, Static, Type};
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
    // In others references are counted already.
    let high = module.funcs.values().filter(|func| func.phase == Phase::High);
    let insts = high.flat_map(|func| {
        let insts = |&block: &Block| func.blocks[block].insts.iter().map(move |&inst| (block, inst));
        func.layout.iter().flat_map(insts).map(move |(block, inst)| (func, block, inst))
    });
    entries.chain(insts.filter_map(|(func, block, inst)| {
        let why = refuses(module, func, inst)?;
        let data = &func.insts[inst];
        let what = match data.call_target() {
            Some(CallTarget::Extern(id, _)) => format!("call_rt {}", module.externs[id].name),
            _ => data.op.name().to_string(),
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
    const ACCESS: &str = "references are read from nodes alone";
    let data = &func.insts[inst];
    match data.op.group() {
        Group::Call(Call::CallRt) => {
            let declared = &module.externs[data.external().0];
            match data.effects().may_gc() {
                true => Some(COLLECTOR),
                false if declared.effects.all(Effects::RC) => None,
                false if declared.params.iter().chain(&*declared.results).any(|&ty| ty == Type::Ref) => Some(FFI),
                false => None,
            }
        }
        Group::Call(Call::EnterCode | Call::TailEnterCode) => Some(LAZY),
        Group::Call(Call::Call | Call::TailCall | Call::CallTable | Call::TailCallTable) => None,
        Group::Constant(Constant::ThunkInfoAddr) => Some(LAZY),
        Group::Constant(Constant::StaticRef) => match module.statics[Static::from_u32(data.imm as u32)] {
            StaticData::String(_) => None,
            _ => Some(OBJECT),
        },
        Group::Field(Field::ArgRef | Field::ArgI64 | Field::ArgF64) => Some(LAZY),
        Group::Cell(Cell::BuildNode) => None,
        Group::Cell(Cell::SetNodeInfo) => Some("a node of the reference-counted heap keeps its constructor"),
        Group::Cell(Cell::BuildThunk | Cell::BuildDummy | Cell::FillNode | Cell::FillThunk) => Some(LAZY),
        Group::Cell(Cell::FillCopy | Cell::MakeIndirection | Cell::Blackhole) => Some(LAZY),
        Group::Evaluation(Evaluation::CallMethod | Evaluation::TailCallMethod) => None,
        Group::Evaluation(Evaluation::Apply | Evaluation::TailApply) => Some(APPLIED),
        Group::Evaluation(Evaluation::Eval | Evaluation::Enter | Evaluation::Update) => Some(LAZY),
        Group::Evaluation(Evaluation::TailEval | Evaluation::TailEnter | Evaluation::TailUpdate) => Some(LAZY),
        Group::Handling(_) if data.op.by_name().is_some() => Some(APPLIED),
        Group::Size(Size::StringSize) => None,
        Group::Size(Size::ArraySize) => Some(OBJECT),
        Group::Element(access) if access.kind() == ArrayKind::Ref => Some(OBJECT),
        Group::Root(_) => Some(COLLECTOR),
        Group::Load(Load::IsHnf) => Some(LAZY),
        Group::Load(Load::LoadRef) | Group::Store(Store::StoreRef) => Some(ACCESS),
        Group::Machine(Machine::HeapFull | Machine::Alloc) => Some(COLLECTOR),
        Group::Machine(Machine::RefAddr) => Some(LAZY),
        Group::Machine(Machine::AddrRef) => Some(OBJECT),
        Group::Machine(Machine::Select | Machine::ShadowPointer | Machine::SetShadowPointer) => None,
        Group::Machine(Machine::StackLimit | Machine::SetStackLimit) => None,
        Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => None,
        Group::RealComparison(_) | Group::Field(_) | Group::Boxed(_) | Group::Handling(_) => None,
        Group::Element(_) | Group::Array(_) | Group::Storage(_) | Group::Count(_) => None,
        Group::Load(_) | Group::Store(_) | Group::Terminator(_) => None,
    }
}
