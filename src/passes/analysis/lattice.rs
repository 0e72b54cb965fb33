//! The lattice of `propagate`: facts about a value, their join, and the transfer function of each instruction.
//!
//! ```text
//!             Any
//!              |
//!             Hnf           Immediate     (references only)
//!              |
//!  NodeInfo a, NodeInfo b, …         node of a descriptor
//!              |
//!   Const c, Node d, …               the same constant instruction everywhere; of nodes with fields, with descriptor
//!              |
//!            Unseen                  no value at all, yet
//! ```

use cleave_ir::layout::{NODE_INFO_ARGS, TAG_HNF};
use cleave_ir::opcode::Constant as Const;
use cleave_ir::{
    Desc, Func, FuncId, Inst, InstData, Module, Opcode, PrimaryMap, Static, StaticData, StaticField, Type, Value,
    WellKnownDesc,
};

/// A constant instruction (`Opcode::is_constant`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    /// A constant opcode.
    pub op: Opcode,
    /// As in the instruction.
    pub aux: u32,
    /// As in the instruction.
    pub imm: u64,
}

impl Constant {
    fn int32(n: u32) -> Fact {
        Fact::Const(Constant { op: Opcode::Iconst32, aux: 0, imm: n as i32 as u64 })
    }
    fn node_info(desc: Desc, applied_args: u32) -> Fact {
        Fact::Const(Constant { op: Opcode::NodeInfoAddr, aux: applied_args, imm: u64::from(desc.as_u32()) })
    }
    fn is_ref(self) -> bool {
        self.op.is_static_ref()
    }
    /// As a field of a static node, if it refers to something.
    pub fn field(self) -> Option<StaticField> {
        let object = || StaticField::Object(Static::from_u32(self.imm as u32));
        match Const::of(self.op) {
            Some(Const::StaticRef | Const::StaticNode) => Some(object()),
            Some(Const::NodeRef) => Some(StaticField::Node(Desc::from_u32(self.imm as u32))),
            Some(Const::Iconst32 | Const::Iconst64 | Const::Fconst | Const::NodeInfoAddr | Const::ThunkInfoAddr) => {
                None
            }
            Some(Const::TextAddr | Const::NameAddr | Const::DescInfoAddr | Const::CafAddr | Const::CafRefAddr) => None,
            None => (self.op == Opcode::SmallInt).then_some(StaticField::Int(self.imm as i64)),
        }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Nothing: no path that was followed defines it.
    #[default]
    Unseen,
    /// It is this constant.
    Const(Constant),
    /// It is this static node with fields, of this descriptor with so many arguments.
    Node(Static, Desc, u32),
    /// An evaluated node of this descriptor with so many arguments.
    NodeInfo(Desc, u32),
    /// An evaluated node.
    Hnf,
    /// An integer in a reference.
    Immediate,
    /// Nothing is known.
    Any,
}

impl Fact {
    /// What is true of both.
    pub fn join(self, other: Fact) -> Fact {
        match (self, other) {
            (a, b) if a == b => a,
            (Fact::Unseen, fact) | (fact, Fact::Unseen) => fact,
            (a, b) if a.is_evaluated() && b.is_evaluated() => match (a.node_info(), b.node_info()) {
                (Some(a), Some(b)) if a == b => Fact::NodeInfo(a.0, a.1),
                _ => Fact::Hnf,
            },
            _ => Fact::Any,
        }
    }

    /// True for references to nodes in head normal form.
    pub fn is_evaluated(self) -> bool {
        match self {
            Fact::Node(..) | Fact::NodeInfo(..) | Fact::Hnf => true,
            Fact::Const(constant) => constant.is_ref(),
            Fact::Immediate | Fact::Unseen | Fact::Any => false,
        }
    }

    /// True for references to objects that are known. (What was evaluated by code may be an immediate.)
    fn is_object(self) -> bool {
        matches!(self, Fact::Node(..) | Fact::NodeInfo(..)) || self.constant().is_some_and(Constant::is_ref)
    }

    /// Descriptor and number of applied arguments of a node.
    pub fn node_info(self) -> Option<(Desc, u32)> {
        match self {
            Fact::NodeInfo(desc, applied_args) | Fact::Node(_, desc, applied_args) => Some((desc, applied_args)),
            Fact::Const(constant) => (constant.op == Opcode::NodeRef).then(|| (Desc::from_u32(constant.imm as u32), 0)),
            Fact::Unseen | Fact::Hnf | Fact::Immediate | Fact::Any => None,
        }
    }

    /// The instruction that makes the value, if it is a constant.
    pub fn constant(self) -> Option<Constant> {
        match self {
            Fact::Const(constant) => Some(constant),
            Fact::Node(object, ..) => {
                Some(Constant { op: Opcode::StaticNode, aux: 0, imm: u64::from(object.as_u32()) })
            }
            _ => None,
        }
    }

    /// The static object of that number.
    fn object(statics: &PrimaryMap<Static, StaticData>, object: Static) -> Fact {
        match &statics[object] {
            StaticData::Node(node) => Fact::Node(object, node.desc, node.applied_args),
            _ => Fact::Const(Constant { op: Opcode::StaticRef, aux: 0, imm: u64::from(object.as_u32()) }),
        }
    }

    /// The same of a node that may get another descriptor.
    pub fn without_row(self) -> Fact {
        if self.is_evaluated() { Fact::Hnf } else { self }
    }

    /// What becomes of an application of this node to so many arguments, if that is certain.
    pub fn application(self, module: &Module, arguments: u32) -> Option<Application> {
        let (desc, applied_args) = self.node_info()?;
        let data = &module.descs[desc];
        let missing = data.arity.checked_sub(applied_args).filter(|_| data.callable && data.record.is_none())?;
        let code = |applied_args: u32| data.apply.get(applied_args as usize).copied().flatten();
        if arguments < missing
            || arguments == missing && (applied_args..data.arity).all(|applied_args| code(applied_args).is_none())
        {
            return Some(Application::Build(desc, applied_args));
        }
        Some(Application::Call(code(applied_args)?, missing))
    }
}

/// An application of a known closure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Application {
    /// Makes a node of this descriptor, which held so many arguments before.
    Build(Desc, u32),
    /// Calls this function, which takes the closure and so many of the arguments.
    Call(FuncId, u32),
}

/// What is known of the result of an instruction with one result.
pub fn transfer(module: &Module, func: &Func, inst: Inst, of: impl Fn(Value) -> Fact) -> Fact {
    let data = &func.insts[inst];
    let operand = |n: usize| of(func.args(inst)[n]);
    match data.op {
        Opcode::StaticNode => Fact::object(&module.statics, Static::from_u32(data.imm as u32)),
        Opcode::GetRef | Opcode::GetI64 | Opcode::GetF64 => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            Fact::Node(object, ..) => field(&module.statics, object, data),
            _ => Fact::Any,
        },
        op if op.is_constant() => Fact::Const(Constant { op, aux: data.aux, imm: data.imm }),
        Opcode::BuildNode => Fact::NodeInfo(data.desc(), data.aux),
        Opcode::BoxInt => Fact::NodeInfo(WellKnownDesc::Int.desc(), 0),
        Opcode::BoxChar => Fact::NodeInfo(WellKnownDesc::Char.desc(), 0),
        Opcode::BoxBool => Fact::NodeInfo(WellKnownDesc::Bool.desc(), 0),
        Opcode::Eval => match operand(0) {
            Fact::Any => Fact::Hnf,
            fact => fact,
        },
        Opcode::Apply => {
            let arguments = func.args(inst).len() as u32 - 1;
            match operand(0).application(module, arguments) {
                Some(Application::Build(desc, applied_args)) => Fact::NodeInfo(desc, applied_args + arguments),
                _ => Fact::Hnf,
            }
        }
        Opcode::IntRef => Fact::Immediate,
        Opcode::IsInt => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            Fact::Immediate => Constant::int32(1),
            fact if fact.is_object() => Constant::int32(0),
            _ => Fact::Any,
        },
        Opcode::Enter | Opcode::Update => Fact::Hnf,
        Opcode::CallRt if func.values[func.result(inst)] == Type::Ref => Fact::Hnf,
        Opcode::Header => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            fact => fact.node_info().map_or(Fact::Any, |(desc, applied_args)| Constant::node_info(desc, applied_args)),
        },
        Opcode::IsHnf => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            fact if fact.is_evaluated() => Constant::int32(1),
            _ => Fact::Any,
        },
        // The number of arguments that a node holds, read relative to its header word.
        Opcode::LoadU16 if data.imm as u32 + TAG_HNF == NODE_INFO_ARGS => match operand(0) {
            Fact::Unseen => Fact::Unseen,
            fact => match fact.constant().filter(|constant| constant.op == Opcode::NodeInfoAddr) {
                Some(it) if module.descs[Desc::from_u32(it.imm as u32)].record.is_none() => Constant::int32(it.aux),
                _ => Fact::Any,
            },
        },
        Opcode::Eq | Opcode::Ne => match (operand(0), operand(1)) {
            (Fact::Unseen, _) | (_, Fact::Unseen) => Fact::Unseen,
            (a, b) => {
                let equal = equal(a, b);
                equal.map_or(Fact::Any, |equal| Constant::int32((equal == (data.op == Opcode::Eq)) as u32))
            }
        },
        _ => Fact::Any,
    }
}

/// What is read from a static node.
pub fn field(statics: &PrimaryMap<Static, StaticData>, object: Static, read: &InstData) -> Fact {
    let StaticData::Node(node) = &statics[object] else { return Fact::Any };
    let (shape, index) = (read.field_shape(), read.aux as usize);
    if (shape.ptrs as usize, shape.nptrs as usize) != (node.ptrs.len(), node.nptrs.len()) {
        return Fact::Any;
    }
    let constant = |op, imm| Fact::Const(Constant { op, aux: 0, imm });
    if read.op != Opcode::GetRef {
        let op = if read.op == Opcode::GetI64 { Opcode::Iconst64 } else { Opcode::Fconst };
        return constant(op, node.nptrs[index]);
    }
    match node.ptrs[index] {
        StaticField::Object(object) => Fact::object(statics, object),
        StaticField::Node(desc) => constant(Opcode::NodeRef, u64::from(desc.as_u32())),
        StaticField::Int(number) => constant(Opcode::SmallInt, number as u64),
        StaticField::Char(_) => Fact::NodeInfo(WellKnownDesc::Char.desc(), 0),
        StaticField::Bool(_) => Fact::NodeInfo(WellKnownDesc::Bool.desc(), 0),
    }
}

/// Whether two values are equal, if that is certain.
fn equal(a: Fact, b: Fact) -> Option<bool> {
    let (Fact::Const(a), Fact::Const(b)) = (a, b) else { return None };
    if a == b {
        return Some(true);
    }
    // Different constants of the same kind differ; of an address and a number we cannot tell.
    if a.op == Opcode::Iconst32 && b.op == Opcode::Iconst32 {
        return Some(a.imm as u32 == b.imm as u32);
    }
    (a.op == b.op && (a.op == Opcode::Iconst64 || a.op == Opcode::NodeInfoAddr)).then_some(false)
}
