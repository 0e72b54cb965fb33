//! What is perhaps behind a type that does not fit: another method than is meant, names in each other's place, a
//! method with the name of a field. Found by what stands around the place.

use super::Checker;
use crate::built_in::STR;
use crate::hir::{Local, NodeId, NodeKind};
use crate::lex::Name;
use crate::program::{self, report};
use crate::syntax::{Expr, ExprId, Operator, Pattern, Statement, join};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

/// What was wanted of a variable.
#[derive(Clone, Copy)]
pub enum Wanted {
    Type(Ty),
    /// To have this field or method.
    Member(Name),
}

/// A variable that was used as if it had another type.
#[derive(Clone, Copy)]
pub struct Misused {
    local: Local,
    wanted: Wanted,
    /// So many messages were there before that of it.
    messages: usize,
}

impl Checker<'_> {
    /// The method to which a lambda is given whose value is this expression, and the object of the call.
    fn method_with_lambda(&self, value: Span) -> Option<(&str, ExprId)> {
        let is_value = |&arg: &ExprId| match self.body.expr(arg) {
            Expr::Lambda { body, .. } => self.body.span(self.last_value(*body)) == value,
            _ => false,
        };
        self.body.exprs.iter().find_map(|(expr, _)| {
            let Expr::Call { callee, args } = expr else { return None };
            let Expr::Field { object, field, .. } = self.body.expr(*callee) else { return None };
            args.iter().any(is_value).then(|| (self.names.text(field.name), *object))
        })
    }

    /// The expression whose value a block has.
    fn last_value(&self, mut id: ExprId) -> ExprId {
        while let Expr::Block { value: Some(value), .. } = self.body.expr(id) {
            id = *value;
        }
        id
    }

    /// `map` where `bind` is meant, or the other way round: a lambda gives `found`, which stands here.
    pub(super) fn map_or_bind(&self, wanted: Ty, found: Ty, node: Option<NodeId>, place: Span) -> Option<String> {
        let is_variable = node.is_some_and(|node| matches!(self.hir.node(node).kind, NodeKind::Local(_)));
        let has_bind = |ty: Ty| match self.kind(ty) {
            TypeKind::Class(class, _) => {
                let class = self.program.class(class);
                let has_it = class.by_name.keys().any(|&name| self.names.text(name) == "bind");
                has_it.then(|| self.names.text(class.name))
            }
            _ => None,
        };
        let is_same_class = |a: Ty, b: Ty| match (self.kind(a), self.kind(b)) {
            (TypeKind::Class(a, _), TypeKind::Class(b, _)) => a == b,
            _ => false,
        };
        // `C<C<T>>` for `C<T>`, of which a call of `map` is the value.
        if let TypeKind::Class(_, parts) = self.kind(found)
            && let (Some(class), [part]) = (has_bind(found), &parts[..])
            && is_same_class(found, wanted)
            && is_same_class(found, *part)
            && (is_variable || self.sources.text(place).contains(".map("))
        {
            return Some(format!("`bind` in place of `map` gives no `{class}` in {}", an(class)));
        }
        let (method, object) = self.method_with_lambda(place)?;
        let object = self.sources.text(self.body.span(object));
        let object = if object.len() > 30 || object.contains('\n') { "value".to_string() } else { object };
        match method {
            "map" => has_bind(found).filter(|_| !is_same_class(wanted, found)).map(|class| {
                format!("`bind` is for functions that give {} themselves: `{object}.bind((x) -> …)`", an(class))
            }),
            "bind" => has_bind(wanted)
                .filter(|_| !is_same_class(wanted, found))
                .map(|class| format!("`map` is for functions that give no `{class}`: `{object}.map((x) -> …)`")),
            _ => None,
        }
    }

    /// A string is the right operand of a `+` whose left one is a number.
    pub(super) fn text_behind_number(&self, place: Span) -> Option<String> {
        let is_operand = |right: ExprId| self.body.span(right) == place;
        let (left, right) = self.body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Binary(Operator::Add, left, right) if is_operand(*right) => Some((*left, *right)),
            _ => None,
        })?;
        let left = self.sources.text(self.body.span(left));
        let left = if left.len() > 20 || left.contains('\n') { "n".to_string() } else { left };
        Some(match self.body.expr(right) {
            Expr::Text(_) => format!("`::` joins strings: `Str.fromInt({left}) :: text`"),
            _ => format!("`text.toInt()` reads a number; strings are joined by `Str.fromInt({left}) :: text`"),
        })
    }

    /// A method that is not called, and has the name of a field.
    pub(super) fn method_over_field(&mut self, node: Option<NodeId>, wanted: Ty) -> bool {
        let Some(NodeKind::Method(_, id, _)) = node.map(|node| &self.hir.node(node).kind) else { return false };
        let info = self.program.member(*id);
        let class = self.program.class(info.class);
        let program::ClassKind::Object(fields) = &class.kind else { return false };
        let Some(field) = fields.iter().find(|field| field.name == info.name) else { return false };
        if matches!(self.kind(wanted), TypeKind::Function(..)) {
            return false;
        }
        let (text, own, place) = (self.names.text(info.name), self.names.text(class.name), field.span);
        let Some(method) = info.span else { return false };
        let message = format!("`{text}` is a method and a field of `{own}`: `.{text}` is the method");
        // Once, wherever it is used.
        if self.sink.diagnostics().iter().any(|said| said.message == message) {
            return true;
        }
        report(self.sink, method, || {
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message).at(method, "");
            let diagnostic = diagnostic.and(place, "the field of the same name");
            diagnostic.help("give one of them another name")
        });
        true
    }

    /// Two variables that one pattern or list of parameters names, each used as the other: then one message says so, in
    /// place of those behind the first ones, so many.
    pub(super) fn exchanged_names(&mut self, node: NodeId, wanted: Wanted, messages: usize) {
        let NodeKind::Local(local) = self.hir.node(node).kind else { return };
        let before = self.misused.replace(Misused { local, wanted, messages });
        let is_other = |it: &Misused| it.local != local && it.messages + 1 == messages;
        let Some(first) = before.filter(is_other).filter(|_| self.sink.diagnostics().len() == messages + 1) else {
            return;
        };
        let (here, there) = (self.hir.local(first.local).span, self.hir.local(local).span);
        let (one, other) = if here.start < there.start { (here, there) } else { (there, here) };
        let between = Span { start: one.end, end: other.start, ..one };
        let are_beside = one.file == other.file && one.end <= other.start && self.sources.text(between).trim() == ",";
        let types = [first.local, local].map(|local| self.hir.local(local).ty);
        if !are_beside || !self.meets(types[0], wanted) || !self.meets(types[1], first.wanted) {
            return;
        }
        let shown = types.map(|ty| self.show(ty));
        let names = [first.local, local].map(|local| self.names.text(self.hir.local(local).name));
        let used = self.hir.node(node).span;
        self.sink.withdraw(first.messages);
        self.report(here, || {
            let message = "these names stand in each other's place";
            let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, message);
            let diagnostic = diagnostic.at(here, format!("`{}` is `{}`", names[0], shown[0]));
            let diagnostic = diagnostic.and(there, format!("`{}` is `{}`", names[1], shown[1]));
            let diagnostic = diagnostic.and(used, format!("`{}` is used as `{}`", names[1], shown[0]));
            diagnostic.help(format!(
                "names have the order of the values: write `{}` and `{}` the other way round",
                names[0], names[1]
            ))
        });
    }

    /// A type is what was wanted.
    fn meets(&self, ty: Ty, wanted: Wanted) -> bool {
        let ty = self.outside(ty);
        match wanted {
            Wanted::Type(wanted) => {
                ty == self.outside(wanted)
                    && !matches!(self.program.types.kind(ty), TypeKind::Error | TypeKind::Unknown(_))
            }
            Wanted::Member(name) => {
                let class = match self.kind(ty) {
                    TypeKind::Class(class, _) => class,
                    TypeKind::Text => STR,
                    _ => return false,
                };
                let class = self.program.class(class);
                let is_field = match &class.kind {
                    program::ClassKind::Object(fields) => fields.iter().any(|field| field.name == name),
                    _ => false,
                };
                is_field || class.by_name.contains_key(&name)
            }
        }
    }

    /// A variable is `unit`, because what it got its value from gives nothing: where, and what to do.
    pub(super) fn variable_of_nothing(&self, node: NodeId) -> Option<(Span, String)> {
        let NodeKind::Local(local) = self.hir.node(node).kind else { return None };
        if self.kind(self.hir.local(local).ty) != TypeKind::Unit {
            return None;
        }
        let (name, place) = (self.names.text(self.hir.local(local).name), self.hir.local(local).span);
        let statements = self.body.exprs.iter().filter_map(|(expr, _)| match expr {
            Expr::Block { statements, .. } => Some(statements),
            _ => None,
        });
        let value = statements.flatten().find_map(|statement| match statement {
            Statement::Val { pattern, value, .. } => {
                let (pattern, span) = &self.body.patterns[pattern.0 as usize];
                (matches!(pattern, Pattern::Variable(_)) && *span == place).then_some(*value)
            }
            _ => None,
        })?;
        let help = match self.body.expr(value) {
            Expr::Call { callee, args } => match self.body.expr(*callee) {
                Expr::Field { object, field, .. } => {
                    let (object, method) = (self.sources.text(self.body.span(*object)), self.names.text(field.name));
                    let parts = match args.len() {
                        0 => String::new(),
                        _ => self.sources.text(join(self.body.span(args[0]), self.body.span(args[args.len() - 1]))),
                    };
                    let is_short = object.len() + parts.len() < 60 && !object.contains('\n') && !parts.contains('\n');
                    let (object, parts) = if is_short { (&object[..], &parts[..]) } else { ("…", "…") };
                    format!("`{method}` gives nothing: `let {name} = {object}; {name}.{method}({parts});`")
                }
                _ => "what is called here gives nothing".to_string(),
            },
            Expr::Block { .. } => {
                "a block gives the value of its last expression, behind which no `;` stands".to_string()
            }
            _ => return None,
        };
        Some((place, help))
    }
}

/// The name of a class with its article.
fn an(class: &str) -> String {
    format!("{} `{class}`", if class.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" })
}
