//! Instructions without effects as expressions of C. Integers are unsigned in C, so that sums and products wrap; what
//! looks at the sign says so.

use crate::function::Function;
use crate::static_cell;
use cleave_ir::{Desc, Flags, Inst, Opcode, Static, Type, Value};

/// An expression with what it reads.
#[derive(Clone)]
pub struct Expression {
    pub text: String,
    /// It looks at a cell, which what comes behind may change.
    pub reads: bool,
    /// A comparison: an `int` in C.
    pub is_condition: bool,
    /// It may stand anywhere, as often as one likes.
    pub is_constant: bool,
}

impl Expression {
    fn new(text: String) -> Self {
        Expression { text, reads: false, is_condition: false, is_constant: false }
    }
}

impl Function<'_, '_> {
    /// The instruction as an expression; nothing if it is none, or has no form in C.
    pub fn expression(&mut self, inst: Inst) -> Option<Expression> {
        use Opcode::*;
        let data = &self.func.insts[inst];
        let args = self.func.args(inst).to_vec();
        let mut expression = match data.op {
            Iconst64 | Iconst32 => {
                let is_narrow = data.op == Iconst32;
                let text = if is_narrow { format!("{}u", data.imm as u32) } else { unsigned_constant(data.imm) };
                Expression { is_constant: true, ..Expression::new(text) }
            }
            NodeRef => {
                let desc = Desc::from_u32(data.imm as u32);
                self.used.statics.insert(desc);
                let text = format!("&{}", static_cell(self.program.kinds.of(desc)));
                Expression { is_constant: true, ..Expression::new(text) }
            }
            TextAddr => {
                let text = Static::from_u32(data.imm as u32);
                let is_printed = |user: &Inst| self.is_print_text(*user);
                if !self.users[self.func.result(inst)].iter().all(is_printed) {
                    return None;
                }
                self.used.texts.insert(text);
                Expression { is_constant: true, ..Expression::new(format!("text{}", text.as_u32())) }
            }
            NodeInfoAddr => {
                self.used.kinds.insert(data.desc());
                let text = self.program.kinds.of(data.desc()).to_string();
                Expression { is_constant: true, ..Expression::new(text) }
            }
            Header => Expression { reads: true, ..Expression::new(format!("{}->kind", self.cell(args[0]))) },
            GetRef | GetI64 | GetF64 => {
                let shape = data.field_shape();
                let member = if data.op == GetRef {
                    "ref"
                } else if data.op == GetI64 {
                    "word"
                } else {
                    "real"
                };
                let number = if data.op == GetRef { data.aux } else { shape.ptrs + data.aux };
                let text = format!("{}->fields[{number}].{member}", self.cell(args[0]));
                Expression { reads: true, ..Expression::new(text) }
            }
            _ => Expression::new(self.arithmetic(data.op, &args)?),
        };
        if let Some(&result) = self.func.results(inst).first() {
            let is_comparison = data.op.any(Flags::BOOLEAN);
            expression.is_condition = is_comparison && self.func.values[result] == Type::I32;
        }
        Some(expression)
    }

    fn arithmetic(&mut self, op: Opcode, args: &[Value]) -> Option<String> {
        use Opcode::*;
        let is_wide = args.first().is_some_and(|&arg| self.func.values[arg] == Type::I64);
        if let Some((sign, is_signed)) = infix(op) {
            let mut operand = |arg| if is_signed { self.signed(arg) } else { self.value(arg).to_string() };
            return Some(format!("({} {sign} {})", operand(args[0]), operand(args[1])));
        }
        Some(match op {
            Sdiv if is_wide => format!("divide({}, {})", self.value(args[0]), self.value(args[1])),
            Srem if is_wide => format!("remainder_of({}, {})", self.value(args[0]), self.value(args[1])),
            Sshr if is_wide => format!("shift_signed({}, {})", self.value(args[0]), self.value(args[1])),
            Shl | Ushr => {
                let sign = if op == Shl { "<<" } else { ">>" };
                let most = if is_wide { 63 } else { 31 };
                match self.number(args[1]) {
                    Some(by) => format!("({} {sign} {})", self.value(args[0]), by & most),
                    None => format!("({} {sign} ({} & {most}))", self.value(args[0]), self.value(args[1])),
                }
            }
            Eqz => format!("({} == 0)", self.value(args[0])),
            ExtendU => format!("(uint64_t){}", self.value(args[0])),
            ExtendS => format!("(uint64_t)(int64_t)(int32_t){}", self.value(args[0])),
            Wrap => format!("(uint32_t){}", self.value(args[0])),
            Select => {
                let condition = self.condition(args[0]);
                format!("({condition} ? {} : {})", self.value(args[1]), self.value(args[2]))
            }
            _ => return None,
        })
    }

    /// A value as a signed number.
    fn signed(&mut self, value: Value) -> String {
        let is_wide = self.func.values[value] == Type::I64;
        match self.number(value) {
            Some(bits) if is_wide => signed_constant(bits as i64),
            Some(bits) => signed_constant(i64::from(bits as i32)),
            None if is_wide => format!("(int64_t){}", self.value(value)),
            None => format!("(int32_t){}", self.value(value)),
        }
    }
}

fn unsigned_constant(bits: u64) -> String {
    match i64::try_from(bits) {
        Ok(bits) => format!("UINT64_C({bits})"),
        Err(_) => format!("(uint64_t){}", signed_constant(bits as i64)),
    }
}

fn signed_constant(number: i64) -> String {
    match number {
        i64::MIN => "INT64_MIN".into(),
        _ if i32::try_from(number).is_ok_and(|small| small != i32::MIN) => format!("{number}"),
        _ => format!("INT64_C({number})"),
    }
}

/// The operator of C, and whether it is that of numbers with a sign.
fn infix(op: Opcode) -> Option<(&'static str, bool)> {
    use Opcode::*;
    Some(match op {
        Iadd | Fadd => ("+", false),
        Isub | Fsub => ("-", false),
        Imul | Fmul => ("*", false),
        Fdiv => ("/", false),
        And => ("&", false),
        Or => ("|", false),
        Xor => ("^", false),
        Eq | Feq => ("==", false),
        Ne | Fne => ("!=", false),
        Ult | Flt => ("<", false),
        Ugt | Fgt => (">", false),
        Ule | Fle => ("<=", false),
        Uge | Fge => (">=", false),
        Slt => ("<", true),
        Sgt => (">", true),
        Sle => ("<=", true),
        Sge => (">=", true),
        _ => return None,
    })
}
