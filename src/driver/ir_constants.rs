//! Constants of IR of another type than their one use wants: that is said where the constant is written. Of those with
//! several uses `ir_declared` tells, which tries.

use cleave_diag::{Diagnostic, Span, code};
use cleave_ir::verify::{Location, VerifyError};
use cleave_ir::{CallTarget, Func, Inst, Module, Opcode, Type, Value};

/// A constant, and the type that it should have.
pub struct Constant {
    pub at: Location,
    value: Value,
    op: Opcode,
    has: Type,
    wanted: Type,
}

/// The instruction that makes a constant of a type.
fn maker(ty: Type) -> Option<Opcode> {
    match ty {
        Type::I32 => Some(Opcode::Iconst32),
        Type::I64 => Some(Opcode::Iconst64),
        Type::F64 => Some(Opcode::Fconst),
        Type::Ref => None,
    }
}

/// The constant that is to blame for what the verifier has found, if it is used there alone, and may as well have the
/// type that is wanted.
pub fn wrong(module: &Module, func: &Func, error: &VerifyError) -> Option<Constant> {
    let Location::Inst(block, inst) = error.at else { return None };
    candidates(module, func, inst, &error.message).into_iter().find_map(|(value, wanted)| {
        let uses = |found: &[Value]| found.iter().filter(|&&other| other == value).count();
        let in_blocks = func.layout.iter().map(|&block| {
            let data = &func.blocks[block];
            let args: usize = data.insts.iter().map(|&inst| uses(func.args(inst))).sum();
            args + data.edges.iter().map(|edge| uses(func.edge_args(edge))).sum::<usize>()
        });
        if in_blocks.sum::<usize>() != 1 {
            return None;
        }
        let find = |block| {
            let mut insts = func.blocks[block].insts.iter().copied();
            insts.find(|&inst| func.results(inst) == [value]).map(|inst| (block, inst))
        };
        // Mostly it stands in the same block.
        let (home, made) = find(block).or_else(|| func.layout.iter().find_map(|&block| find(block)))?;
        let (op, has) = (func.insts[made].op, func.values[value]);
        let is_other = has != wanted && maker(has) == Some(op) && maker(wanted).is_some();
        (is_other && fits(op, func.insts[made].imm, wanted)).then_some(Constant {
            at: Location::Inst(home, made),
            value,
            op,
            has,
            wanted,
        })
    })
}

/// The number can be written as a constant of a type.
fn fits(op: Opcode, imm: u64, wanted: Type) -> bool {
    const EXACT: f64 = (1_u64 << 53) as f64;
    let number = match op {
        Opcode::Fconst => {
            let real = f64::from_bits(imm);
            if real.fract() != 0.0 || real.abs() > EXACT {
                return false;
            }
            real as i64
        }
        _ => imm as i64,
    };
    wanted != Type::I32 || i32::try_from(number).is_ok()
}

/// The values that may be to blame, and what their types should be.
fn candidates(module: &Module, func: &Func, inst: Inst, message: &str) -> Vec<(Value, Type)> {
    let args = func.args(inst);
    let ty = |value: &Value| func.values[*value];
    if let Some(rest) = message.strip_prefix("operand ") {
        let Some(&value) = rest.split(' ').next().and_then(|number| args.get(number.parse::<usize>().ok()?)) else {
            return Vec::new();
        };
        let wanted = message.split_once(", not ").map_or("", |(_, wanted)| wanted);
        let wanted = wanted.split([' ', ',', ':']).next().and_then(Type::from_name);
        // Operands of one type: any of two may have the wrong one.
        return match (args, wanted) {
            (&[first, second], Some(wanted)) if second == value && ty(&first) == wanted => {
                vec![(value, wanted), (first, ty(&value))]
            }
            (&[first, second], _) if first == value && message.contains(" or ") => vec![(value, ty(&second))],
            (_, wanted) => wanted.map(|wanted| (value, wanted)).into_iter().collect(),
        };
    }
    let data = &func.insts[inst];
    let wanted: &[Type] = match (data.op, CallTarget::of(data.op.mere_call(), data.imm)) {
        (Opcode::Return, _) => &func.signature.results,
        (_, Some(CallTarget::Func(called))) => &module.funcs[called].signature.params,
        (_, Some(CallTarget::Extern(called, _))) => &module.externs[called].params,
        _ => &[],
    };
    if message.starts_with("operands are") && args.len() == wanted.len() {
        let wrong = args.iter().zip(wanted).filter(|(arg, wanted)| ty(arg) != **wanted);
        let wrong: Vec<(Value, Type)> = wrong.map(|(&arg, &wanted)| (arg, wanted)).collect();
        return if wrong.len() == 1 { wrong } else { Vec::new() };
    }
    // Of an argument of a block: `v0 is f64, but v1 of block1 is i64`.
    let edges = func.layout.iter().map(|&block| &func.blocks[block]);
    let Some(data) = edges.into_iter().find(|data| data.insts.last() == Some(&inst)) else { return Vec::new() };
    let pairs = data.edges.iter().flat_map(|edge| func.edge_args(edge).iter().zip(func.params(edge.block)));
    let is_meant = |(arg, param): &(&Value, &Value)| message.starts_with(&format!("{arg} is ")) && ty(arg) != ty(param);
    pairs.filter(is_meant).map(|(&arg, param)| (arg, ty(param))).take(1).collect()
}

impl Constant {
    /// With the number of the value, in place of which its name may be written.
    pub fn message(&self) -> String {
        format!("{} is `{}`, but is used as `{}`", self.value, self.has, self.wanted)
    }

    /// The message, at the line of the constant, which has this text.
    pub fn diagnostic(&self, message: String, place: Span, text: &str, place_of_use: Span) -> Diagnostic {
        let other = maker(self.wanted).map_or("", Opcode::name);
        let diagnostic = Diagnostic::error(code::IR_INVALID, message).at(place, "");
        let diagnostic = diagnostic.and(place_of_use, format!("does not fit `{}`", self.has));
        let diagnostic = diagnostic.help(format!("is `{other}` meant?"));
        let edit = text.find(self.op.name()).map(|at| {
            let start = place.start + at as u32;
            (Span { start, end: start + self.op.name().len() as u32, ..place }, other.to_string())
        });
        edit.into_iter().fold(diagnostic, |it, edit| it.fix(format!("write `{other}`"), vec![edit]))
    }
}
