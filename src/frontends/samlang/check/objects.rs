//! Objects that are written with their fields.

use super::notes::Entity;
use super::{Checker, Reason, Want};
use crate::hir::{NodeId, NodeKind};
use crate::program::{self, report, suggest};
use crate::syntax::{ExprId, Ident};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

impl Checker<'_> {
    /// `{ a: e, b }`: an object of the class at hand.
    pub(super) fn object(&mut self, fields: &[(Ident, Option<ExprId>)], want: Option<Want>, span: Span) -> NodeId {
        let info = self.program.class(self.class);
        let text = self.names.text(info.name);
        let wanted = want.map(|want| self.kind(want.ty));
        if let Some(TypeKind::Class(other, _)) = wanted
            && other != self.class
            && matches!(self.program.class(other).kind, program::ClassKind::Object(_))
        {
            let other = self.names.text(self.program.class(other).name);
            self.report(span, || {
                let message = format!("objects of class `{other}` are made in class `{other}` only");
                let help = format!("write a `function` in class `{other}` that makes one");
                Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
            });
            return self.error_node(span);
        }
        let program::ClassKind::Object(known) = &info.kind else {
            self.report(span, || {
                let message = format!("class `{text}` has no fields, so this is no object of it");
                let help = "`{ name }` and `{ name: value }` are objects of the class in which they stand; a block with \
                            only a name is the name itself";
                Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
            });
            return self.error_node(span);
        };
        if self.program.twice.contains(&self.class) {
            return self.error_node(span);
        }
        let (known, params) = (known.clone(), info.params.clone());
        let first = self.unknowns.len() as u32;
        let args: Vec<Ty> = params.iter().map(|_| self.unknown(span)).collect();
        if self.has_wrong_field(self.class) {
            self.free_from(first);
        }
        let ty = self.program.types.class(self.class, &args);
        if let Some(want) = want {
            self.unify(want.ty, ty);
        }
        for (index, &(Ident { name, span }, _)) in fields.iter().enumerate() {
            let text = self.names.text(name);
            let first = fields[..index].iter().find(|other| other.0.name == name);
            if let Some((first, _)) = first {
                let first = first.span;
                self.report(span, || {
                    let message = format!("the field `{text}` is given twice");
                    Diagnostic::error(code::OBJECT_FIELDS, message).at(span, "").and(first, "the first time")
                });
            } else if !known.iter().any(|field| field.name == name) {
                let names: Vec<&str> = known.iter().map(|field| self.names.text(field.name)).collect();
                report(self.sink, span, || {
                    let message = format!("there is no field `{text}`");
                    suggest(Diagnostic::error(code::OBJECT_FIELDS, message).at(span, ""), text, names.into_iter())
                });
            }
        }
        let missing = known.iter().filter(|field| !fields.iter().any(|given| given.0.name == field.name));
        let missing: Vec<String> = missing.map(|field| format!("`{}`", self.names.text(field.name))).collect();
        if !missing.is_empty() {
            self.report(span, || {
                let message = format!("this object of class `{text}` has no {}", missing.join(", "));
                Diagnostic::error(code::OBJECT_FIELDS, message).at(span, "")
            });
        }
        // Lambdas come last, as those of calls do.
        let mut parts: Vec<Option<NodeId>> = vec![None; known.len()];
        for are_lambdas in [false, true] {
            for (number, field) in known.iter().enumerate() {
                let Some((ident, value)) = fields.iter().find(|given| given.0.name == field.name) else { continue };
                if value.is_some_and(|value| self.holds_lambda(value)) != are_lambdas {
                    continue;
                }
                let ty = self.program.types.substitute(field.ty, &params, &args);
                let want = Want { ty, reason: Reason::Defined(field.span) };
                if value.is_some() {
                    self.note(ident.span, Entity::Field(self.class, number as u32), ty);
                }
                parts[number] = Some(match value {
                    Some(value) => self.expr(*value, Some(want)),
                    None => {
                        let node = self.variable(ident.name, ident.span);
                        self.demand(node, want);
                        node
                    }
                });
            }
        }
        let parts: Vec<NodeId> = parts.into_iter().flatten().collect();
        match parts.len() == known.len() {
            true => self.node(NodeKind::Construct(0, parts), ty, span),
            false => self.node(NodeKind::Error, ty, span),
        }
    }
}
