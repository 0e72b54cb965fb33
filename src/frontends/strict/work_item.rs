//! What is still to be done while a function is lowered.

use crate::core_ir::{Expr, ExprKind, Function, Label};
use cleave_ir::{Block, Value};

/// What happens with the values of an expression.
#[derive(Clone, Copy)]
pub enum Cont {
    Return,
    /// They are the parameters of this block.
    Jump(Block),
    /// They are needed here: they go onto the stack of values.
    Push,
}

/// What is still to be done, once the operands are on the stack of values.
pub enum WorkItem {
    Evaluate(Expr, Cont),
    /// The operands are there.
    Operate(Expr, Cont),
    /// The value of a `let` is there.
    Bind(Expr, Cont),
    /// The subject of a match is there.
    Branch(Expr, Cont),
    /// A case of a match begins in this block; the subject is this value.
    Case(Expr, usize, Block, Value, Cont),
    /// All ways to this block are compiled.
    Join(Block),
    /// The value for its effects is there.
    Forget(Expr, Cont),
    /// The body after a label begins.
    Label(Label, Expr, Cont),
}

impl WorkItem {
    /// The expression whose code comes next.
    pub fn origin(&self, function: &Function) -> Option<Expr> {
        match *self {
            WorkItem::Evaluate(expr, _) | WorkItem::Operate(expr, _) | WorkItem::Bind(expr, _) => Some(expr),
            WorkItem::Branch(expr, _) | WorkItem::Forget(expr, _) => Some(expr),
            WorkItem::Case(expr, number, ..) => match &function.exprs[expr].kind {
                ExprKind::Match { cases, .. } => Some(cases[number].body),
                _ => None,
            },
            WorkItem::Label(_, body, _) => Some(body),
            WorkItem::Join(_) => None,
        }
    }
}
