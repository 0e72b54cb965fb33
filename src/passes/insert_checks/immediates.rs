//! Checks of immediates: what they are asked of, and the functions that ask. Only modules with immediates have them.

use cleave_ir::opcode::Boxed;
use cleave_ir::{Builder, CallTarget, Func, FuncId, Inst, Module, Opcode, Signature, Type, Value, demands, libcalls};
use smallvec::{SmallVec, smallvec};

/// An object.
pub(super) const OBJECT: &str = "check.object";
/// An immediate.
const IS_INT: &str = "check.immediate";
/// An integer that fits in one.
const FITS: &str = "check.fits";
/// What code of closures gives: an immediate, or a head normal form.
pub(super) const EVALUATED: &str = "check.evaluated_or_immediate";

/// What an instruction relies on: the name of a check, its operand, and what is wrong otherwise.
pub(super) fn demanded(module: &Module, func: &Func, inst: Inst) -> SmallVec<[(&'static str, Value, &'static str); 2]> {
    let (data, args) = (&func.insts[inst], func.args(inst));
    let mut objects: SmallVec<[Value; 4]> = demands::objects(module, func, inst).into();
    match Boxed::of(data.op) {
        Some(Boxed::IntRef) => return smallvec![(FITS, args[0], "the integer does not fit")],
        Some(Boxed::RefInt) => return smallvec![(IS_INT, args[0], "this is no immediate")],
        Some(Boxed::BoxInt | Boxed::SmallInt | Boxed::BoxChar | Boxed::BoxBool) => {}
        Some(Boxed::IsInt | Boxed::FitsInt) | None => {}
    }
    if data.op == Opcode::ArrayCopy {
        objects.push(args[2]);
    }
    if let Some(CallTarget::Extern(id, _)) = data.call_target()
        && module.externs[id].from.is_none()
    {
        let numbers = demands::object_operands(&module.externs[id].name);
        objects.extend(args.iter().enumerate().filter(|(number, _)| numbers >> number & 1 != 0).map(|(_, &v)| v));
    }
    objects.into_iter().map(|object| (OBJECT, object, "an immediate is used as an object")).collect()
}

/// Is it the name of one of these checks?
pub(super) fn is_known(name: &str) -> bool {
    [OBJECT, IS_INT, FITS, EVALUATED].contains(&name)
}

/// The check of a name. `evaluated` asks whether an object is evaluated.
pub(super) fn make(module: &mut Module, name: &str, evaluated: FuncId) -> FuncId {
    let fail = module.declare(&libcalls::UNAVAILABLE);
    let fail = module.callee(fail);
    let operand = if name == FITS { Type::I64 } else { Type::Ref };
    let mut func = Func::new(name, Signature::new(&[operand, Type::I32], &[]));
    func.may_gc = false;
    let entry = func.new_block();
    let [operand, text] = [operand, Type::I32].map(|ty| func.add_param(entry, ty));
    let [immediate, other] = [(); 2].map(|()| func.new_block());
    let mut b = Builder::new(&mut func, entry);
    let is_int = b.op(if name == FITS { Opcode::FitsInt } else { Opcode::IsInt }, &[operand]);
    b.br_if(is_int, (immediate, &[]), (other, &[]));
    for (block, is_right) in [(immediate, name != OBJECT), (other, name == OBJECT)] {
        b.switch_to(block);
        if is_right {
            b.ret(&[]);
        } else if name == EVALUATED {
            b.call(evaluated, &[operand, text], &[]);
            b.ret(&[]);
        } else {
            b.call_extern(fail, &[text]);
            b.unreachable();
        }
    }
    module.funcs.push(func)
}
