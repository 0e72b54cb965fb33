//! Arguments and parts of tuples that stand each in the place of the other: one message says so in place of two.

use super::wrong::Refused;
use super::{Checker, Reason};
use crate::hir::{NodeId, NodeKind};
use crate::program;
use crate::syntax::{Expr, ExprId, TypeSyntax};
use crate::types::{ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, code};

impl Checker<'_> {
    /// Two arguments that stand each in the place of the other; lambdas have not been looked at.
    pub(super) fn exchanged(
        &mut self,
        refused: &[Refused],
        args: &[ExprId],
        takes_function: &[bool],
        nodes: &[Option<NodeId>],
    ) -> Option<(usize, usize)> {
        match *refused {
            [first, second] => {
                let mut fits = |wanted: Ty, found: Ty| {
                    let is_known = |ty| !matches!(self.kind(ty), TypeKind::Error | TypeKind::Unknown(_));
                    if !is_known(wanted) || !is_known(found) {
                        return false;
                    }
                    let mark = self.trail.len();
                    let fits = self.unify(wanted, found);
                    self.forget(mark);
                    fits
                };
                let is_exchanged = fits(first.wanted, second.found) && fits(second.wanted, first.found);
                is_exchanged.then_some((first.index, second.index))
            }
            [Refused { index, wanted, found }] => {
                let wrong = index;
                let TypeKind::Function(params, _) = self.kind(wanted) else { return None };
                if matches!(self.kind(found), TypeKind::Function(..) | TypeKind::Error | TypeKind::Unknown(_)) {
                    return None;
                }
                // A lambda, or a function by its name.
                let given = |index: usize, arg: ExprId| match (self.body.expr(arg), *nodes.get(index)?) {
                    (Expr::Lambda { params, .. }, _) => Some(params.len()),
                    (_, Some(node)) if index != wrong => match self.kind(self.hir.node(node).ty) {
                        TypeKind::Function(params, _) => Some(params.len()),
                        _ => None,
                    },
                    _ => None,
                };
                let mut lambdas = args.iter().enumerate().filter_map(|(index, &arg)| Some((index, given(index, arg)?)));
                let ((lambda, count), None) = (lambdas.next()?, lambdas.next()) else { return None };
                let is_exchanged = !takes_function[lambda] && count == params.len();
                is_exchanged.then_some((lambda.min(index), lambda.max(index)))
            }
            _ => None,
        }
    }

    pub(super) fn say_exchanged(
        &mut self,
        args: &[ExprId],
        (first, second): (usize, usize),
        (callee, params): (NodeId, &[Ty]),
    ) {
        let declared = match &self.hir.node(callee).kind {
            NodeKind::Function(id, _) | NodeKind::Method(_, id, _) | NodeKind::Bounded(_, id, _) => {
                self.program.member(*id).types.clone()
            }
            NodeKind::Variant(class, _) => match &self.program.class(*class).kind {
                program::ClassKind::Object(fields) => fields.iter().map(|field| field.ty).collect(),
                _ => params.to_vec(),
            },
            _ => params.to_vec(),
        };
        let types: Vec<String> = declared.into_iter().map(|ty| format!("`{}`", self.show(ty))).collect();
        let (defined, sources) = (self.definition(callee), self.sources);
        let place = |index: usize| self.body.span(args[index]);
        let (here, there) = (place(first), place(second));
        self.report(here, || {
            let message = "these arguments stand in each other's place";
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message);
            let diagnostic = diagnostic.at(here, format!("this is argument {}", second + 1));
            let diagnostic = diagnostic.and(there, format!("this is argument {}", first + 1));
            let diagnostic = defined.into_iter().fold(diagnostic, |it, place| it.and(place, "it is defined here"));
            let diagnostic = diagnostic.help(format!("the order is {}", types.join(", ")));
            diagnostic.fix("exchange the arguments", sources.exchange(here, there))
        });
    }

    /// Says so of two type arguments, if only the other one has the interface that is asked for; they are exchanged.
    pub(super) fn exchanged_arguments(&mut self, params: &[ParamId], args: &mut [Ty], types: &[TypeSyntax]) {
        if args.len() != params.len() || args.contains(&Ty::ERROR) {
            return;
        }
        let is_basic = |ty: Ty| matches!(ty, Ty::INT | Ty::BOOL | Ty::TEXT | Ty::UNIT);
        let bounded = (0..args.len()).find(|&at| is_basic(args[at]) && self.program.param(params[at]).bound.is_some());
        let Some(wrong) = bounded.filter(|_| self.is_today) else { return };
        for other in (0..args.len()).filter(|&other| other != wrong) {
            let (place, mut exchanged) = (types[wrong].span, args.to_vec());
            exchanged.swap(wrong, other);
            let dues = crate::interface_check::obligations(self.program, 0, params, &exchanged, place);
            let is_met = dues.iter().all(|due| self.program.interfaces(due.ty).contains(&due.bound));
            if !is_met || dues.is_empty() {
                continue;
            }
            args.swap(wrong, other);
            let shown: Vec<String> = args.iter().map(|&ty| self.show(ty)).collect();
            let (there, sources) = (types[other].span, self.sources);
            return self.report(place, || {
                let message = "these type arguments stand in each other's place";
                let diagnostic = Diagnostic::error(code::UNMET_BOUND, message);
                let diagnostic = diagnostic.at(place, format!("this is argument {}", other + 1));
                let diagnostic = diagnostic.and(there, format!("this is argument {}", wrong + 1));
                let diagnostic = diagnostic.help(format!("the order is `<{}>`", shown.join(", ")));
                diagnostic.fix("exchange them", sources.exchange(place, there))
            });
        }
    }

    /// Says so of two parts of a tuple, in place of the messages since then.
    pub(super) fn exchanged_parts(
        &mut self,
        parts: &[ExprId],
        refused: &[Refused],
        (types, reason): (&[Ty], Reason),
        messages: usize,
    ) {
        if refused.is_empty() || self.sink.diagnostics().len() != messages + refused.len() {
            return;
        }
        let Some((first, second)) = self.exchanged(refused, parts, &vec![false; parts.len()], &vec![None; parts.len()])
        else {
            return;
        };
        self.sink.withdraw(messages);
        let types: Vec<String> = types.iter().map(|&ty| format!("`{}`", self.show(ty))).collect();
        let (here, there) = (self.body.span(parts[first]), self.body.span(parts[second]));
        let sources = self.sources;
        self.report(here, || {
            let message = "these parts of the tuple stand in each other's place";
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message);
            let diagnostic = diagnostic.at(here, format!("this is part {}", second + 1));
            let diagnostic = diagnostic.and(there, format!("this is part {}", first + 1));
            let diagnostic = match reason {
                Reason::Result(place) | Reason::Annotation(place) => diagnostic.and(place, "its type is given here"),
                _ => diagnostic,
            };
            let diagnostic = diagnostic.help(format!("the order is {}", types.join(", ")));
            diagnostic.fix("exchange the parts", sources.exchange(here, there))
        });
    }
}
