//! Tuples; and those that a variable holds whole, where one of their parts is meant: what is said of these, and of a
//! name that was to be one of the parts.

use super::wrong::Refused;
use super::{Checker, Want};
use crate::collect_items::LARGEST_TUPLE;
use crate::hir::{Local, NodeId, NodeKind};
use crate::lex::Name;
use crate::syntax::{Expr, ExprId, Pattern, Statement};
use crate::types::Ty;
use cleave_diag::{Diagnostic, Span, code};
use smallvec::SmallVec;

impl Checker<'_> {
    /// Parts in parentheses.
    pub(super) fn tuple(&mut self, parts: &[ExprId], want: Option<Want>, span: Span) -> NodeId {
        if self.is_today && parts.len() > LARGEST_TUPLE {
            self.report(span, || {
                let message = format!("a tuple has at most {LARGEST_TUPLE} parts");
                Diagnostic::error(code::TOO_MUCH, message).at(span, "").help("make an object of them")
            });
        }
        let wanted = want.and_then(|want| match self.tuple_parts(want.ty) {
            Some(types) if types.len() == parts.len() => Some((types, want.reason)),
            _ => None,
        });
        let mut nodes = Vec::with_capacity(parts.len());
        let (messages, mut refused) = (self.sink.diagnostics().len(), SmallVec::<[Refused; 2]>::new());
        for (index, &part) in parts.iter().enumerate() {
            let want = wanted.as_ref().map(|(types, reason)| Want { ty: types[index], reason: *reason });
            let (ty, node) = (want.map(|want| self.outside(want.ty)), self.expr(part, want));
            let found = self.refused.filter(|refused| refused.0 == node).zip(ty);
            refused.extend(found.map(|((_, found), wanted)| Refused { index, wanted, found }));
            nodes.push(node);
        }
        if let Some((types, reason)) = wanted {
            self.exchanged_parts(parts, &refused, (&types, reason), messages);
        }
        let types: Vec<Ty> = nodes.iter().map(|&node| self.ty(node)).collect();
        let ty = self.program.tuple(&types);
        self.node(NodeKind::Tuple(nodes), ty, span)
    }

    /// A variable gets its value by `let`.
    fn is_of_let(&self, local: Local) -> bool {
        let place = self.hir.local(local).span;
        let statements = self.body.exprs.iter().filter_map(|(expr, _)| match expr {
            Expr::Block { statements, .. } => Some(statements),
            _ => None,
        });
        statements.flatten().any(|statement| match statement {
            Statement::Val { pattern, .. } => {
                let (pattern, span) = &self.body.patterns[pattern.0 as usize];
                matches!(pattern, Pattern::Variable(_)) && *span == place
            }
            Statement::Expr(_) => false,
        })
    }

    /// `let (a, b) = …` for a variable that holds a tuple; the part at a place has another name than the rest.
    fn taken_apart(&self, local: Local, at: usize, other: Option<&str>) -> Option<String> {
        let count = self.tuple_parts(self.hir.local(local).ty)?.len();
        let own = self.names.text(self.hir.local(local).name);
        let names: Vec<&str> = (0..count)
            .map(|part| match other {
                _ if part == at => own,
                Some(other) if part == (at + 1) % count => other,
                _ => "_",
            })
            .collect();
        Some(format!("let ({}) = …", names.join(", ")))
    }

    /// A name that nothing has is perhaps that of a part of a tuple which a variable holds whole.
    pub(super) fn part_of_tuple(&mut self, name: Name) -> Option<(Local, String)> {
        let locals = self.env.iter().rev().map(|known| known.1);
        let local = locals.clone().find(|&local| self.tuple_parts(self.hir.local(local).ty).is_some())?;
        let apart = self.taken_apart(local, 0, Some(self.names.text(name)))?;
        if !self.is_of_let(local) {
            return None;
        }
        let (own, ty) = (self.names.text(self.hir.local(local).name), self.show(self.hir.local(local).ty));
        Some((local, format!("`{own}` is a whole `{ty}`: `{apart}` names its parts")))
    }

    /// A variable holds a tuple of which a part is wanted.
    pub(super) fn part_is_wanted(&mut self, node: Option<NodeId>, wanted: Ty) -> Option<String> {
        let NodeKind::Local(local) = self.hir.node(node?).kind else { return None };
        let parts = self.tuple_parts(self.hir.local(local).ty)?;
        let at = parts.iter().position(|&part| self.outside(part) == self.outside(wanted))?;
        let own = self.names.text(self.hir.local(local).name);
        let part = format!("`{own}.e{at}` is the part");
        if !self.is_of_let(local) {
            return Some(part);
        }
        // The names of the others are not known then.
        self.lacks_names = true;
        let apart = self.taken_apart(local, at, None)?;
        Some(format!("{part}; `{apart}` gives the parts names"))
    }
}
