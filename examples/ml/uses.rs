//! What an expression does with others, without their code: which cells are only read and written, and what may end in
//! a tail call.

use crate::expr::Code;
use crate::program::Body;
use crate::syntax::{Expr, Id, Kind};

impl<'p> Code<'_, 'p> {
    /// The contents of a new cell, if it need not be a node: all that is done with it is to read and to write it.
    pub fn cell_of(&self, value: &'p Expr, id: Id, body: Option<&'p Expr>) -> Option<&'p Expr> {
        let (name, args) = self.primitive_call(value)?;
        let is_it = |expr: &Expr| matches!(expr.kind, Kind::Var(_, found, _) if found == id);
        let (mut uses, mut accesses) = (0, 0);
        body?.each(&mut |expr| {
            uses += usize::from(is_it(expr));
            true
        });
        body?.each(&mut |expr| {
            let access =
                self.primitive_call(expr).filter(|call| ["get", "set", "increment", "decrement"].contains(&call.0));
            accesses += usize::from(access.is_some_and(|call| is_it(&call.1[0])));
            let is_function = matches!(&expr.kind, Kind::Lambda(..));
            // The body of a `try` is a function, its handlers are not.
            if let Kind::Try(_) = expr.kind {
                expr.parts[0].each(&mut |inner| {
                    uses += usize::from(is_it(inner));
                    true
                });
            }
            !is_function
        });
        (name == "ref" && uses == accesses).then_some(&args[0])
    }
    /// The name and the arguments of a call of a primitive that has them all.
    pub fn primitive_call(&self, expr: &'p Expr) -> Option<(&'p str, &'p [Expr])> {
        let (head, args) = expr.parts.split_first().filter(|_| expr.kind == Kind::Apply)?;
        let Kind::Var(_, id, _) = &head.kind else { return None };
        match self.p.definitions.get(id)?.code {
            Body::Primitive(name, arity) if arity == args.len() => Some((name, args)),
            _ => None,
        }
    }

    /// False for what is only a comparison or the like, of which a branch is made.
    pub fn may_tail_call(&self, expr: &'p Expr) -> bool {
        match expr.kind {
            Kind::Apply => self.primitive_call(expr).is_none(),
            Kind::And | Kind::Or => self.may_tail_call(&expr.parts[1]),
            Kind::Let(..) | Kind::Seq | Kind::Annotated(_) | Kind::If | Kind::Match => true,
            _ => false,
        }
    }
}
