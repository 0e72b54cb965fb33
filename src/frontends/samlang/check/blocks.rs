//! Branches and blocks: they hand on what is wanted to the expressions that give their value.

use super::{Checker, Reason, Want};
use crate::hir::{self, Node, NodeId, NodeKind};
use crate::syntax::{Case, Condition, ExprId, Pattern, Statement};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

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
        if self.want.is_none() && ty != Ty::ERROR {
            self.ty = Some(ty);
            self.want = Some(Want { ty, reason: Reason::Branch(span) });
        }
    }

    fn result(&self) -> Ty {
        self.ty.unwrap_or(Ty::ERROR)
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
        let no_else = otherwise.is_none();
        // A value is wanted, which is missing where no condition holds: that is all that is said.
        let missing = want.filter(|want| no_else && self.is_value(want.ty));
        let mut types = match missing {
            Some(_) => Branches::new(None),
            None if no_else => Branches::new(Some(Want { ty: Ty::UNIT, reason: Reason::Unit })),
            None => Branches::new(want),
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
                    self.check_guard(ty, &pattern);
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
        if let Some(missing) = missing {
            self.no_else(node, missing.ty);
        } else if let (Some(want), true) = (want, no_else) {
            self.demand(node, want);
        }
        node
    }

    /// What is wanted is known, and is more than `unit`.
    fn is_value(&self, ty: Ty) -> bool {
        !matches!(self.kind(ty), TypeKind::Unit | TypeKind::Unknown(_) | TypeKind::Error)
    }

    /// An `if` without `else` stands where a value is wanted.
    fn no_else(&mut self, node: NodeId, wanted: Ty) {
        let (span, wanted) = (self.hir.node(node).span, self.show(wanted));
        self.report(span, || {
            let message = format!("an `if` without `else` is `unit`, not `{wanted}`");
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message).at(span, "");
            diagnostic.help(format!("add `else` with the `{wanted}` where the condition does not hold"))
        });
        self.hir.nodes[node.0 as usize].ty = Ty::ERROR;
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

    /// A block whose last expression would be its value, but for its semicolon.
    fn no_value(&mut self, last: NodeId) {
        let Node { span, ty, .. } = *self.hir.node(last);
        let (place, ty) = (Span { start: span.end, ..span }, self.show(ty));
        self.report(place, || {
            let message = format!("the `;` takes the value of this block away, which is `{ty}`");
            Diagnostic::error(code::TYPE_MISMATCH, message)
                .at(place, "")
                .help("leave out the `;` behind the last expression")
        });
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
                        let ty = self.written(syntax, false);
                        Want { ty, reason: Reason::Annotation(syntax.span) }
                    });
                    let own = match self.body.pattern(*pattern) {
                        Pattern::Variable(name) => Some(*name),
                        _ => None,
                    };
                    self.unborn.extend(own);
                    let value = self.expr(*value, annotation);
                    self.unborn.truncate(self.unborn.len() - usize::from(own.is_some()));
                    let place = ty.as_ref().map(|syntax| syntax.span);
                    let is_refused = self.refused.is_some_and(|(node, _)| node == value)
                        || place.is_some() && self.contradicted == place;
                    // Nobody knows whether the type or the value is right: nothing is said of what follows from it.
                    let ty = match annotation {
                        Some(_) if is_refused && !self.completes() => Ty::ERROR,
                        Some(want) => want.ty,
                        None => self.ty(value),
                    };
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
        if let (Some(want), None) = (want, value)
            && let Some(&(None, last)) = parts.last()
            && self.is_value(want.ty)
        {
            let ty = self.ty(last);
            if self.kind(ty) != TypeKind::Unit && ty != Ty::ERROR && self.unify(want.ty, ty) {
                self.no_value(last);
                return self.node(NodeKind::Block(parts, value), Ty::ERROR, span);
            }
        }
        let ty = value.map_or(Ty::UNIT, |value| self.ty(value));
        let node = self.node(NodeKind::Block(parts, value), ty, span);
        if let (Some(want), None) = (want, value) {
            self.demand(node, want);
        }
        node
    }
}
