//! Bodies whose names are resolved and whose types are known, still generic: what the checker makes and `monomorphizer`
//! reads. Nodes lie in one list, operands before what uses them.

use crate::lex::Name;
use crate::program::MemberId;
use crate::syntax::Operator;
use crate::types::{ClassId, Ty};
use cleave_diag::Span;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// A variable of a body: each has a number of its own. In a method the first is `this`; parameters come next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local(pub u32);

#[derive(Debug)]
pub struct LocalInfo {
    pub name: Name,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Debug)]
pub enum NodeKind {
    Unit,
    Bool(bool),
    Int(i32),
    Text(Name),
    Local(Local),
    /// A function, with arguments for its type parameters.
    Function(MemberId, Vec<Ty>),
    /// A method of an object; arguments for the parameters of the class, then for its own.
    Method(NodeId, MemberId, Vec<Ty>),
    /// A method that an interface asks for, of a value whose type is a parameter, or has no class; arguments for its
    /// own parameters.
    Bounded(NodeId, MemberId, Vec<Ty>),
    /// A variant as a function of its fields.
    Variant(ClassId, u32),
    /// A cell: of an object (number 0) or of a variant. Fields are evaluated in this order.
    Construct(u32, Vec<NodeId>),
    Tuple(Vec<NodeId>),
    Field(NodeId, u32),
    Call(NodeId, Vec<NodeId>),
    Not(NodeId),
    Negate(NodeId),
    Binary(Operator, NodeId, NodeId),
    /// Without a last branch its value is that of `unit`.
    If(Vec<(Condition, NodeId)>, Option<NodeId>),
    Match(NodeId, Vec<(Pattern, NodeId)>),
    Lambda(Lambda),
    /// Statements without a pattern only have effects.
    Block(Vec<(Option<Pattern>, NodeId)>, Option<NodeId>),
    Error,
}

#[derive(Debug)]
pub enum Condition {
    Holds(NodeId),
    Fits(Pattern, NodeId),
}

#[derive(Debug)]
pub struct Lambda {
    pub params: Vec<Local>,
    /// Variables of the bodies around it.
    pub captures: Vec<Local>,
    pub body: NodeId,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    Any,
    Variable(Local),
    /// The number of a variant; 0 for objects and tuples; 0 or 1 for truth values.
    Construct(u32, Vec<Pattern>),
    Int(i32),
    Text(Name),
    /// All bind the same variables.
    Or(Vec<Pattern>),
}

/// A body.
#[derive(Debug, Default)]
pub struct Hir {
    pub nodes: Vec<Node>,
    pub locals: Vec<LocalInfo>,
    /// `this`, if it is a method, and the parameters.
    pub params: Vec<Local>,
    pub root: Option<NodeId>,
}

impl Hir {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    pub fn local(&self, local: Local) -> &LocalInfo {
        &self.locals[local.0 as usize]
    }
}
