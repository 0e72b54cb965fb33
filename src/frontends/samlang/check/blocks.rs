//! Branches and blocks: they hand on what is wanted to the expressions that give their value.

use super::{Checker, Reason, Want};
use crate::hir::{self, NodeId, NodeKind};
use crate::syntax::{Case, Condition, ExprId, Pattern, Statement};
use crate::types::Ty;
use cleave_diag::Span;

/// The type of branches so far.
struct Branches {
    want: Option<Want>,
    ty: Option<Ty>,
}

impl Branches {
    fn new(want: Option<Want>) -> Branches {
        Branches { want, ty: want.map(|want| want.ty) }
    }

    /// A branch is checked.
    fn add(&mut self, ty: Ty, span: Span) {
        if self.want.is_none() && ty != Ty::WRONG {
            self.ty = Some(ty);
            self.want = Some(Want { ty, reason: Reason::Branch(span) });
        }
    }

    fn result(&self) -> Ty {
        self.ty.unwrap_or(Ty::WRONG)
    }
}

impl Checker<'_> {
    pub(super) fn condition(
        &mut self,
        branches: &[(Condition, ExprId)],
        otherwise: Option<ExprId>,
        want: Option<Want>,
        span: Span,
    ) -> NodeId {
        let mut types = match otherwise {
            Some(_) => Branches::new(want),
            None => Branches::new(Some(Want { ty: Ty::UNIT, reason: Reason::Unit })),
        };
        let mut parts = Vec::with_capacity(branches.len());
        for &(condition, body) in branches {
            let mark = self.env.len();
            let condition = match condition {
                Condition::Holds(condition) => {
                    let want = Want { ty: Ty::BOOL, reason: Reason::Condition };
                    hir::Condition::Holds(self.expr(condition, Some(want)))
                }
                Condition::Fits(pattern, value) => {
                    let value = self.expr(value, None);
                    let (ty, place) = (self.ty(value), self.hir.node(value).span);
                    let pattern = self.pattern(pattern, ty, Reason::Subject(place));
                    hir::Condition::Fits(pattern, value)
                }
            };
            let node = self.expr(body, types.want);
            types.add(self.ty(node), self.body.span(body));
            self.env.truncate(mark);
            parts.push((condition, node));
        }
        let last = otherwise.map(|body| {
            let node = self.expr(body, types.want);
            types.add(self.ty(node), self.body.span(body));
            node
        });
        let node = self.node(NodeKind::If(parts, last), types.result(), span);
        if let (Some(want), None) = (want, otherwise) {
            self.demand(node, want);
        }
        node
    }

    pub(super) fn matching(&mut self, subject: ExprId, cases: &[Case], want: Option<Want>, span: Span) -> NodeId {
        let subject = self.expr(subject, None);
        let (ty, place) = (self.ty(subject), self.hir.node(subject).span);
        let mut types = Branches::new(want);
        let mut parts = Vec::with_capacity(cases.len());
        for case in cases {
            let mark = self.env.len();
            let pattern = self.pattern(case.pattern, ty, Reason::Subject(place));
            let node = self.expr(case.body, types.want);
            types.add(self.ty(node), self.body.span(case.body));
            self.env.truncate(mark);
            parts.push((pattern, node));
        }
        self.check_cases(ty, &parts, span);
        self.node(NodeKind::Match(subject, parts), types.result(), span)
    }

    pub(super) fn block(
        &mut self,
        statements: &[Statement],
        value: Option<ExprId>,
        want: Option<Want>,
        span: Span,
    ) -> NodeId {
        let mark = self.env.len();
        let mut parts = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::Val { pattern, ty, value } => {
                    let annotation = ty.as_ref().map(|syntax| {
                        let ty = self.written(syntax);
                        Want { ty, reason: Reason::Annotation(syntax.span) }
                    });
                    let own = match self.body.pattern(*pattern) {
                        Pattern::Variable(name) => Some(*name),
                        _ => None,
                    };
                    self.unborn.extend(own);
                    let value = self.expr(*value, annotation);
                    self.unborn.truncate(self.unborn.len() - usize::from(own.is_some()));
                    let ty = annotation.map_or(self.ty(value), |want| want.ty);
                    let place = self.hir.node(value).span;
                    let pattern = self.pattern(*pattern, ty, Reason::Subject(place));
                    self.check_single(ty, &pattern);
                    parts.push((Some(pattern), value));
                }
                Statement::Expr(value) => parts.push((None, self.expr(*value, None))),
            }
        }
        let value = value.map(|value| self.expr(value, want));
        self.env.truncate(mark);
        let ty = value.map_or(Ty::UNIT, |value| self.ty(value));
        let node = self.node(NodeKind::Block(parts, value), ty, span);
        if let (Some(want), None) = (want, value) {
            self.demand(node, want);
        }
        node
    }
}
