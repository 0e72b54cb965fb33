//! What `propagate` knows of a value, how two such facts are joined, and what an instruction makes of the facts about
//! its operands.
//!
//! ```text
//!             Any
//!              |
//!             Hnf                    (references only)
//!              |
//!       Row a, Row b, …   Index …    node of a descriptor; the function index in its row
//!              |
//!   Const c, Const d, …              the same constant instruction everywhere
//!              |
//!            Unseen                  no value at all, yet
//! ```

use cleave_ir::layout::{NO_CODE, NOT_APPLICABLE, ROW_APPLY, ROW_HELD, ROW_INSTANCE, ROW_MISSING, TAG_HNF};
use cleave_ir::{Desc, Func, FuncId, Inst, Known, Module, Opcode, Table, TableRole, Type, Value};

/// A constant instruction (`Opcode::is_constant`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    pub op: Opcode,
    pub aux: u32,
    pub imm: u64,
}

impl Constant {
    fn int32(n: u32) -> Fact {
        Fact::Const(Constant { op: Opcode::Iconst32, aux: 0, imm: n as i32 as u64 })
    }
    fn row(desc: Desc, held: u32) -> Fact {
        Fact::Const(Constant { op: Opcode::RowAddr, aux: held, imm: u64::from(desc.as_u32()) })
    }
    fn is_ref(self) -> bool {
        self.op.is_static_ref()
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Fact {
    #[default]
    Unseen,
    Const(Constant),
    /// An evaluated node of this descriptor with so many arguments.
    Row(Desc, u32),
    /// The index in `ROW_APPLY` (or `ROW_INSTANCE`: true) of the row of a descriptor.
    Index(Desc, u32, bool),
    /// An evaluated node.
    Hnf,
    Any,
}

impl Fact {
    /// What is true of both.
    pub fn join(self, other: Fact) -> Fact {
        match (self, other) {
            (a, b) if a == b => a,
            (Fact::Unseen, fact) | (fact, Fact::Unseen) => fact,
            (a, b) if a.is_evaluated() && b.is_evaluated() => match (a.row(), b.row()) {
                (Some(a), Some(b)) if a == b => Fact::Row(a.0, a.1),
                _ => Fact::Hnf,
            },
            _ => Fact::Any,
        }
    }

    pub fn is_evaluated(self) -> bool {
        match self {
            Fact::Row(..) | Fact::Hnf => true,
            Fact::Const(constant) => constant.is_ref(),
            Fact::Unseen | Fact::Index(..) | Fact::Any => false,
        }
    }

    /// Descriptor and number of held arguments of a node.
    pub fn row(self) -> Option<(Desc, u32)> {
        match self {
            Fact::Row(desc, held) => Some((desc, held)),
            Fact::Const(constant) if constant.op == Opcode::NodeRef => Some((Desc::from_u32(constant.imm as u32), 0)),
            _ => None,
        }
    }

    /// The same of a node that may get another descriptor.
    pub fn without_row(self) -> Fact {
        if self.is_evaluated() { Fact::Hnf } else { self }
    }

    /// The function of a table that this index names.
    pub fn function(self, module: &Module, table: Table) -> Option<FuncId> {
        let Fact::Index(desc, held, is_instance) = self else { return None };
        let data = &module.descs[desc];
        if is_instance {
            return Some(data.instance.filter(|&(of, _)| of == table)?.1);
        }
        // Rows that are tested for the number of missing arguments lead to one table only.
        let role = TableRole::Apply(data.arity.checked_sub(held)?);
        data.apply.get(held as usize).copied().flatten().filter(|_| module.tables[table].role == role)
    }
}

/// What is known of the result of an instruction with one result.
pub fn transfer(module: &Module, func: &Func, inst: Inst, of: impl Fn(Value) -> Fact) -> Fact {
    let data = &func.insts[inst];
    let operand = |n: usize| of(func.args(inst)[n]);
    match data.op {
        op if op.is_constant() => Fact::Const(Constant { op, aux: data.aux, imm: data.imm }),
        Opcode::BuildNode => Fact::Row(data.desc(), data.aux),
        Opcode::BoxInt => Fact::Row(Known::Int.desc(), 0),
        Opcode::BoxChar => Fact::Row(Known::Char.desc(), 0),
        Opcode::BoxBool => Fact::Row(Known::Bool.desc(), 0),
        Opcode::Eval => match operand(0) {
            Fact::Any => Fact::Hnf,
            fact => fact,
        },
        Opcode::Enter => Fact::Hnf,
        Opcode::CallRt if func.values[func.result(inst)] == Type::Ref => Fact::Hnf,
        Opcode::Header => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            fact => fact.row().map_or(Fact::Any, |(desc, held)| Constant::row(desc, held)),
        },
        Opcode::IsHnf => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            fact if fact.is_evaluated() => Constant::int32(1),
            _ => Fact::Any,
        },
        Opcode::LoadU16 | Opcode::LoadI32 => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            Fact::Const(row) if row.op == Opcode::RowAddr => {
                row_field(module, Desc::from_u32(row.imm as u32), row.aux, data.op, data.imm)
            }
            _ => Fact::Any,
        },
        Opcode::Eq | Opcode::Ne => match (operand(0), operand(1)) {
            (Fact::Unseen, _) | (_, Fact::Unseen) => Fact::Unseen,
            (a, b) => {
                let equal = equal(module, a, b).or_else(|| equal(module, b, a));
                equal.map_or(Fact::Any, |equal| Constant::int32((equal == (data.op == Opcode::Eq)) as u32))
            }
        },
        _ => Fact::Any,
    }
}

/// A field of a row, read relative to the header word.
fn row_field(module: &Module, desc: Desc, held: u32, op: Opcode, offset: u64) -> Fact {
    let data = &module.descs[desc];
    match (op, offset as u32 + TAG_HNF) {
        (Opcode::LoadU16, ROW_HELD) if data.record.is_none() => Constant::int32(held),
        (Opcode::LoadU16, ROW_MISSING) => {
            Constant::int32(if data.appliable { data.arity - held } else { u32::from(NOT_APPLICABLE) })
        }
        (Opcode::LoadI32, ROW_APPLY) => Fact::Index(desc, held, false),
        (Opcode::LoadI32, ROW_INSTANCE) => Fact::Index(desc, held, true),
        _ => Fact::Any,
    }
}

/// Whether two values are equal, if that is certain.
fn equal(module: &Module, a: Fact, b: Fact) -> Option<bool> {
    match (a, b) {
        (Fact::Const(a), Fact::Const(b)) if a == b => Some(true),
        // Different constants of the same kind differ; of an address and a number we cannot tell.
        (Fact::Const(a), Fact::Const(b)) => match (a.op, b.op) {
            (Opcode::Iconst32, Opcode::Iconst32) => Some(a.imm as u32 == b.imm as u32),
            (Opcode::Iconst64, Opcode::Iconst64) | (Opcode::RowAddr, Opcode::RowAddr) => Some(false),
            _ => None,
        },
        // The numbers of functions in tables change, but not whether there is one.
        (Fact::Index(desc, held, is_instance), Fact::Const(none)) if none.imm as u32 == NO_CODE => {
            let data = &module.descs[desc];
            let func = if is_instance {
                data.instance.map(|(_, func)| func)
            } else {
                data.apply.get(held as usize).copied().flatten()
            };
            Some(func.is_none())
        }
        _ => None,
    }
}
