//! Instructions that there are, but not for these operands or in this module: what is wrong with them, and which other
//! one may be meant.

use super::report::NO_IMMEDIATES;
use super::types::Checker;
use crate::demands;
use crate::entity::Static;
use crate::func::{InstData, Phase};
use crate::layout::DescriptorKind;
use crate::module::{Module, StaticData};
use crate::opcode::{Field, ImmKind, Memory, Opcode};
use crate::runtime::ExternData;
use crate::types::Type;
use cleave_abi::{Effects, LibcallSignature, libcalls};
use std::borrow::Cow;

/// Does an instruction name the descriptor of strings, arrays or objects of the host, which the runtime alone makes?
fn is_sized(module: &Module, data: &InstData) -> bool {
    matches!(module.descs[data.desc()].kind, DescriptorKind::String | DescriptorKind::Array | DescriptorKind::Foreign)
}

/// Does a `call_rt` call what no front end may call?
fn is_for_passes(module: &Module, data: &InstData) -> bool {
    let called = &module.externs[data.external().0];
    called.from.is_none() && demands::is_for_passes(&called.name)
}

/// What is wrong with a static object of another kind than an instruction takes.
fn of_static(module: &Module, data: &InstData) -> Option<String> {
    const WANTED: [(Opcode, &str); 3] =
        [(Opcode::StaticRef, "string"), (Opcode::StaticNode, "node"), (Opcode::TextAddr, "text")];
    let (_, wanted) = WANTED.into_iter().find(|row| row.0 == data.op)?;
    let object = Static::from_u32(data.imm as u32);
    // Its kind, and the instruction for that.
    let (is, maker) = match &module.statics[object] {
        StaticData::String(_) => ("string", "`static {}` is its value"),
        StaticData::Node(_) => ("node", "`static_node {}` is its value"),
        StaticData::Text(_) => ("text", "`{} = string …` declares one, `text {}` is the address of this"),
        StaticData::Symbol { .. } => ("symbol", "`text {}` is its address"),
    };
    let is_right = is == wanted || wanted == "text" && is == "symbol";
    let maker = maker.replace("{}", &object.to_string());
    (!is_right).then(|| format!("{object} is a {is}, not a {wanted}: {maker}"))
}

/// Instructions for whole numbers, and those for reals.
const COUNTERPARTS: [(Opcode, Opcode); 10] = [
    (Opcode::Iadd, Opcode::Fadd),
    (Opcode::Isub, Opcode::Fsub),
    (Opcode::Imul, Opcode::Fmul),
    (Opcode::Sdiv, Opcode::Fdiv),
    (Opcode::Eq, Opcode::Feq),
    (Opcode::Ne, Opcode::Fne),
    (Opcode::Slt, Opcode::Flt),
    (Opcode::Sle, Opcode::Fle),
    (Opcode::Sgt, Opcode::Fgt),
    (Opcode::Sge, Opcode::Fge),
];

/// The end of the message for operands that all are numbers of the other kind.
pub(super) fn operands(op: Opcode, types: &[Type]) -> Option<String> {
    let is_whole = types.iter().all(|ty| matches!(ty, Type::I32 | Type::I64));
    let is_real = types.iter().all(|&ty| ty == Type::F64);
    let other = COUNTERPARTS.iter().find_map(|&(whole, real)| match op {
        _ if op == whole && is_real => Some(real),
        _ if op == real && is_whole => Some(whole),
        _ => None,
    })?;
    Some(format!(", which `{}` takes: did you mean `{}`?", op.name(), other.name()))
}

/// The instruction that makes a value of one type of another one.
pub(super) fn conversion(from: Type, to: &str) -> &'static str {
    match (from, to) {
        (Type::I64, "f64") => ": `int_to_real` makes one of it",
        (Type::F64, "i64") => ": `real_to_int` makes one of it",
        (Type::I64, "i32") => ": `wrap` makes one of it, `eq` and the like compare",
        (Type::Ref, "i32 or i64") => ": there is no null; `header v` is compared with a `node_info`",
        (Type::I32, "i64") => ": `extend_s` or `extend_u` makes one of it",
        _ => "",
    }
}

/// The function of the runtime for such operands that has a name like this one: `print_real` instead of `print_int`.
pub(super) fn runtime(called: &ExternData, given: &[Type]) -> String {
    let family = called.name.split_once('_').map(|(family, _)| format!("{family}_"));
    let Some(family) = family.filter(|_| called.from.is_none()) else { return String::new() };
    let takes = |row: &LibcallSignature| row.name.starts_with(&family) && row.params == given;
    // A number of 32 bits may be anything: an address, a character, a truth value.
    if given.contains(&Type::I32) {
        let mut wrong = given.iter().zip(&*called.params).filter(|(given, wanted)| given != wanted);
        return match (wrong.next(), wrong.next()) {
            (Some((&given, wanted)), None) => conversion(given, wanted.name()).into(),
            _ => String::new(),
        };
    }
    let others: Vec<String> =
        libcalls::ALL.iter().filter(|row| takes(row)).map(|row| format!("`{}`", row.name)).collect();
    match &others[..] {
        [] => String::new(),
        [one] => format!(": did you mean {one}?"),
        several => format!(": such operands have {}", several.join(", ")),
    }
}

impl Checker<'_> {
    /// Why there is no such instruction in this module, or with this immediate.
    pub(super) fn misplaced(&self, data: &InstData) -> Option<Cow<'static, str>> {
        use Opcode::*;
        let (module, op) = (self.module, data.op);
        let is_of_immediates = [IntRef, RefInt, IsInt, FitsInt].contains(&op);
        if Field::of(op).is_some_and(Field::is_of_thunk) && data.field_shape().contiguous {
            return Some("no thunk is contiguous: its value takes its place".into());
        }
        if op == FillNode && module.descs[data.desc()].contiguous {
            return Some("nodes of a contiguous descriptor overwrite nothing".into());
        }
        if is_of_immediates && !module.immediates {
            return Some(NO_IMMEDIATES.into());
        }
        // What may write anything is of neither heap.
        if !module.heap.counts() && op.writes().any(Memory::COUNTS) && !Memory::ALL.within(op.writes()) {
            return Some("references are counted, and holes filled, on the reference-counted heap only".into());
        }
        if op == CallRt && self.func.phase == Phase::High && is_for_passes(module, data) {
            return Some("only passes call this function of the runtime: `alloc`, `fill` or another instruction of high IR does what it is for".into());
        }
        if op == CallRt && !module.heap.counts() && data.effects().all(Effects::RC) {
            return Some("its objects are those of the reference-counted heap".into());
        }
        let makes_node = op == NodeRef || op.info().imm == ImmKind::NodeInfo && op != NodeInfoAddr;
        if makes_node && is_sized(module, data) {
            return Some("strings and arrays are made by `static`, `array.new` and the runtime alone".into());
        }
        if op == NodeRef && module.payload(data.desc(), 0) != (0, 0) {
            return Some("the descriptor has fields, and no static node: `build` makes one".into());
        }
        if let Some(message) = of_static(module, data) {
            return Some(message.into());
        }
        (op == Iconst32 && i32::try_from(data.imm as i64).is_err())
            .then(|| "the constant does not fit in 32 bits: `iconst.i64` has 64".into())
    }
}
