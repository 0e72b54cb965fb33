//! Arguments in another order than the parameters: a mistake that would be told twice, each time as something else.
//! Only what is known before arguments are checked counts: numbers, strings, variables, and how many parameters a
//! lambda has.

use super::Checker;
use super::unify::pairs;
use crate::hir::{NodeId, NodeKind};
use crate::program::ClassKind;
use crate::syntax::{Expr, ExprId};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

/// What is known of an argument.
#[derive(Clone, Copy)]
enum Shape {
    Value(Ty),
    Lambda(usize),
}

/// Of calls with more arguments nothing is said.
const MOST: usize = 6;
/// So many parts of two types are compared.
const PARTS: usize = 64;

impl Checker<'_> {
    /// The arguments in the order that the parameters have. If two of them stand in each other's place, says so.
    pub(super) fn in_order(&mut self, callee: NodeId, args: &[ExprId], params: &[Ty]) -> Vec<ExprId> {
        let mut ordered = args.to_vec();
        if args.len() > MOST {
            return ordered;
        }
        let shapes: Vec<Option<Shape>> = args.iter().map(|&arg| self.shape(arg)).collect();
        let misfits = |at: usize| shapes[at].is_some_and(|shape| !self.is_for(shape, params[at]));
        let mut found = None;
        for first in 0..args.len() {
            for second in first + 1..args.len() {
                let (Some(one), Some(other)) = (shapes[first], shapes[second]) else { continue };
                let is_wrong = misfits(first) || misfits(second);
                if is_wrong && self.is_for(one, params[second]) && self.is_for(other, params[first]) {
                    found = found.or(Some([first, second]));
                }
            }
        }
        if let Some([first, second]) = found {
            ordered.swap(first, second);
            self.say_swapped(callee, [args[first], args[second]], params);
        }
        ordered
    }

    fn shape(&self, arg: ExprId) -> Option<Shape> {
        match self.body.expr(arg) {
            Expr::Int(_) => Some(Shape::Value(Ty::INT)),
            Expr::Bool(_) => Some(Shape::Value(Ty::BOOL)),
            Expr::Text(_) => Some(Shape::Value(Ty::TEXT)),
            Expr::Lambda { params, .. } => Some(Shape::Lambda(params.len())),
            Expr::Variable(name) => {
                let &(_, local) = self.env.iter().rev().find(|known| known.0 == *name)?;
                let ty = self.hir.local(local).ty;
                let is_known = !matches!(self.kind(ty), TypeKind::Unknown(_) | TypeKind::Error);
                is_known.then_some(Shape::Value(ty))
            }
            _ => None,
        }
    }

    /// The argument could be for a parameter of this type.
    fn is_for(&self, shape: Shape, ty: Ty) -> bool {
        match (shape, self.kind(ty)) {
            (_, TypeKind::Unknown(_) | TypeKind::Error) => true,
            (Shape::Value(own), _) => self.could_be(own, ty),
            (Shape::Lambda(count), TypeKind::Function(params, _)) => params.len() == count,
            (Shape::Lambda(_), _) => false,
        }
    }

    /// Two types could be the same, as far as is known. Nothing is found out by asking.
    fn could_be(&self, a: Ty, b: Ty) -> bool {
        let mut open = vec![(a, b)];
        for _ in 0..PARTS {
            let Some((a, b)) = open.pop() else { break };
            match (self.kind(a), self.kind(b)) {
                (a, b) if a == b => {}
                (TypeKind::Unknown(_) | TypeKind::Error, _) | (_, TypeKind::Unknown(_) | TypeKind::Error) => {}
                (TypeKind::Class(first, a), TypeKind::Class(second, b)) if first == second => {
                    open.extend(pairs(&a, &b));
                }
                (TypeKind::Tuple(a), TypeKind::Tuple(b)) if a.len() == b.len() => open.extend(pairs(&a, &b)),
                (TypeKind::Function(a, first), TypeKind::Function(b, second)) if a.len() == b.len() => {
                    open.push((first, second));
                    open.extend(pairs(&a, &b));
                }
                _ => return false,
            }
        }
        true
    }

    fn say_swapped(&mut self, callee: NodeId, [first, second]: [ExprId; 2], params: &[Ty]) {
        let declared = match &self.hir.node(callee).kind {
            NodeKind::Function(id, _) | NodeKind::Method(_, id, _) | NodeKind::Bounded(_, id, _) => {
                self.program.member(*id).types.clone()
            }
            NodeKind::Variant(class, _) => match &self.program.class(*class).kind {
                ClassKind::Object(fields) => fields.iter().map(|field| field.ty).collect(),
                _ => params.to_vec(),
            },
            _ => params.to_vec(),
        };
        let types: Vec<String> = declared.into_iter().map(|ty| format!("`{}`", self.show(ty))).collect();
        let [first, second]: [Span; 2] = [first, second].map(|arg| self.body.span(arg));
        self.report(first, || {
            let message = "these two arguments stand in each other's place";
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message).at(first, "");
            diagnostic.and(second, "this one comes before").help(format!("the order is {}", types.join(", ")))
        });
    }
}
