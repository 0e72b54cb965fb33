//! What functions of the runtime take for granted of their operands, beside their types and the kinds of objects
//! (`libcalls::operand_kinds`); and which functions give values to those who rely on them. The interpreter asks it at
//! each call, `--checked` puts the questions before the calls.

use crate::call_target::CallTarget;
use crate::entity::{FuncId, Inst, Value};
use crate::func::Func;
use crate::libcalls::*;
use crate::module::{Module, ThunkKind};
use crate::opcode::{Array, Cell, Evaluation, Flags, Group, ImmKind, Load};
use crate::types::Type;
use cleave_abi::LibcallSignature;
use cranelift_entity::EntityRef;

fn is_among(name: &str, rows: &[LibcallSignature]) -> bool {
    rows.iter().any(|row| row.name == name)
}

/// Functions that only passes call, after checks of what they take for granted: memory of cells, stacks, write
/// barriers.
pub fn is_for_passes(name: &str) -> bool {
    is_among(name, &[REMEMBER, REMEMBER_SLOT, ALLOC_OBJECT, RELEASE_LAST, RELEASE_CYCLIC, COUNT_CELLS])
        || is_among(name, &[STACK_LIMIT, CAPTURE_BEGIN, CAPTURE_END, CAPTURE_NEXT])
}

/// The operand that must be the address of a text block.
pub fn text_operand(name: &str) -> Option<usize> {
    is_among(name, &[PRINT_TEXT, UNAVAILABLE, UNCAUGHT, UNHANDLED]).then_some(0)
}

/// The operand that must be a closure which lacks an argument.
pub fn closure_operand(name: &str) -> Option<usize> {
    is_among(name, &[ADD_ARGUMENT]).then_some(0)
}

/// A string, an index, and another string, which must lie within the first one from that index on.
pub fn overwrites_string(name: &str) -> bool {
    is_among(name, &[PUT_STRING, RC_PUT_STRING])
}

/// The operands that must be references to objects, as a set of bits: a function of the runtime looks into all that it
/// is given, but for what it stores, hands on or compares.
pub fn object_operands(name: &str) -> u32 {
    let stored = match name {
        "rc_exchange" | "rc_inner_exchange" => 0b01,
        "close_foreign" | "rc_close_foreign" => 0b01,
        "add_argument" => 0b10,
        "same" | "rc_same" => 0b11,
        _ => 0,
    };
    let params = find(name).map_or(&[][..], |row| row.params);
    let refs = params.iter().enumerate().filter(|(_, ty)| **ty == Type::Ref);
    refs.fold(0, |bits, (number, _)| bits | 1 << number) & !stored
}

/// The operands of an instruction that must be references to objects where references may be immediates. (Those of
/// functions of the runtime are `object_operands`.)
pub fn objects<'a>(module: &Module, func: &'a Func, inst: Inst) -> &'a [Value] {
    let data = &func.insts[inst];
    let args = func.args(inst);
    let first = || &args[..1];
    match data.op.group() {
        Group::Load(Load::Header | Load::IsHnf) => args,
        Group::Cell(Cell::Blackhole | Cell::FillCopy | Cell::MakeIndirection) => args,
        Group::Cell(Cell::FillNode | Cell::SetNodeInfo) => first(),
        Group::Cell(Cell::BuildNode | Cell::BuildDummy) => &[],
        Group::Cell(Cell::BuildThunk | Cell::FillThunk) => match module.thunk_infos[data.thunk_info()].kind {
            ThunkKind::Plain => &args[..usize::from(data.op.any(Flags::FILLS))],
            // The collector does what a thunk of another kind says.
            _ => args,
        },
        Group::Evaluation(Evaluation::Eval | Evaluation::TailEval | Evaluation::Enter | Evaluation::TailEnter) => args,
        Group::Evaluation(Evaluation::Update | Evaluation::TailUpdate) => args,
        Group::Evaluation(Evaluation::Apply | Evaluation::TailApply) => first(),
        Group::Evaluation(Evaluation::CallMethod | Evaluation::TailCallMethod) => first(),
        Group::Handling(_) if data.op.any(Flags::FIRST_EVALUATED) => first(),
        Group::Count(_) if data.op.info().imm == ImmKind::Field => first(),
        Group::Array(Array::ArrayNew) => &[],
        Group::Array(Array::ArrayGet | Array::ArraySet | Array::ArrayLen) => first(),
        Group::Array(Array::ArraySlice | Array::ArrayCopy) => first(),
        Group::Field(_) | Group::Size(_) | Group::Element(_) => first(),
        Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => &[],
        Group::RealComparison(_) | Group::Boxed(_) | Group::Handling(_) | Group::Storage(_) => &[],
        Group::Root(_) | Group::Count(_) | Group::Load(_) | Group::Store(_) => &[],
        Group::Machine(_) | Group::Call(_) | Group::Terminator(_) => &[],
    }
}

/// By function: its callers rely on an evaluated result. It is the code of thunks or closures, or is called last by
/// such a function.
pub fn evaluating(module: &Module) -> Vec<bool> {
    let mut found = vec![false; module.funcs.len()];
    let rows = module.descs.values().flat_map(|desc| desc.apply.iter().copied().flatten());
    let infos = module.thunk_infos.values().flat_map(|info| [Some(info.code), info.update].into_iter().flatten());
    let mut open: Vec<FuncId> = rows.chain(infos).collect();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut found[id.index()], true) {
            continue;
        }
        let func = &module.funcs[id];
        for &inst in func.layout.iter().filter_map(|&block| func.blocks[block].insts.last()) {
            let data = &func.insts[inst];
            match data.call_target() {
                Some(CallTarget::Func(callee)) => open.push(callee),
                Some(CallTarget::Table(table)) => open.extend(&module.tables[table].funcs),
                Some(CallTarget::Method(table)) => {
                    let methods = module.descs.values().filter_map(|desc| desc.method);
                    open.extend(methods.filter(|method| method.0 == table).map(|method| method.1));
                }
                Some(CallTarget::Extern(..) | CallTarget::Closure | CallTarget::Thunk | CallTarget::Entry) | None => {}
            }
        }
    }
    found
}
