//! What is perhaps behind a type that does not fit: another method than is meant, names in each other's place, a
//! method with the name of a field. Found by what stands around the place.

use super::Checker;
use crate::built_in::STR;
use crate::hir::{Local, NodeId, NodeKind};
use crate::lex::Name;
use crate::program::{self, report};
use crate::syntax::{Expr, ExprId, Operator, Pattern, Statement, join};
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

/// What is said besides of something that does not fit: perhaps of another place, and what to do.
pub struct Behind {
    pub place: Option<(Span, String)>,
    pub help: String,
}

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

    /// The call of a method whose argument stands here: its name, and the object.
    fn method_with_argument(&self, place: Span) -> Option<(&str, ExprId)> {
        self.body.exprs.iter().find_map(|(expr, _)| {
            let Expr::Call { callee, args } = expr else { return None };
            let Expr::Field { object, field, .. } = self.body.expr(*callee) else { return None };
            let is_argument = args.iter().any(|&arg| self.body.span(arg) == place);
            is_argument.then(|| (self.names.text(field.name), *object))
        })
    }

    /// The object is a call of `map`.
    fn is_mapped(&self, object: ExprId) -> bool {
        let Expr::Call { callee, .. } = self.body.expr(object) else { return false };
        matches!(self.body.expr(*callee), Expr::Field { field, .. } if self.names.text(field.name) == "map")
    }

    /// A class with the method `bind`, and what is in its values.
    fn bindable(&self, ty: Ty) -> Option<(ClassId, Ty)> {
        let TypeKind::Class(id, parts) = self.kind(ty) else { return None };
        let has_it = self.program.class(id).by_name.keys().any(|&name| self.names.text(name) == "bind");
        Some((id, *parts.first()?)).filter(|_| has_it)
    }

    /// The same of functions: one is given to a method of what an earlier `map` or `bind` gave.
    pub(super) fn map_or_bind_of(&mut self, wanted: Ty, found: Ty, place: Span) -> Option<Behind> {
        let (TypeKind::Function(params, result), TypeKind::Function(takes, gives)) =
            (self.kind(wanted), self.kind(found))
        else {
            return None;
        };
        if params.len() != takes.len() {
            return None;
        }
        let (method, object) = self.method_with_argument(place)?;
        let (is_bind, is_mapped, span) = (method == "bind", self.is_mapped(object), self.body.span(object));
        let is_same = |it: &Self, one: Ty, other: Ty| it.outside(one) == it.outside(other);
        if method == "map"
            && let Some((class, part)) = self.bindable(gives)
            && is_same(self, part, result)
        {
            let class = self.names.text(self.program.class(class).name);
            let (object, function) = (self.short(span, "value"), self.short(place, "f"));
            let help =
                format!("`bind` is for functions that give {} themselves: `{object}.bind({function})`", an(class));
            return Some(Behind { place: None, help });
        }
        if is_bind
            && let Some((class, _)) = self.bindable(result)
            && self.bindable(gives).is_none_or(|gives| gives.0 != class)
            && params.iter().zip(takes.iter()).all(|(&one, &other)| is_same(self, one, other))
        {
            let class = self.names.text(self.program.class(class).name);
            let object = self.short(span, "value");
            let function = self.short(place, "f");
            let help = format!("`map` is for functions that give no `{class}`: `{object}.map({function})`");
            return Some(Behind { place: None, help });
        }
        let inside = params.iter().zip(takes.iter()).find_map(|(&one, &other)| {
            let (class, part) = self.bindable(one)?;
            is_same(self, part, other).then_some((class, one, part))
        });
        let (class, whole, part) = inside.filter(|_| is_mapped)?;
        Some(self.bind_before(class, whole, part, span))
    }

    /// What was mapped before has a class in each of its values, of which a part is wanted.
    fn bind_before(&mut self, class: ClassId, whole: Ty, part: Ty, object: Span) -> Behind {
        let (class, whole) = (self.names.text(self.program.class(class).name), self.show(whole));
        let part = self.show(part);
        let label = format!("this `map` gives `{whole}` for each value");
        let help = format!("`bind` in place of that `map` gives no `{class}` in {}, but each `{part}`", an(class));
        Behind { place: Some((object, label)), help }
    }

    /// A value that a lambda takes has the member only inside: what was mapped before should have been bound.
    pub(super) fn bind_for_member(&mut self, object: NodeId, member: Name) -> Option<Behind> {
        let NodeKind::Local(local) = self.hir.node(object).kind else { return None };
        let info = self.hir.local(local);
        let (whole, place) = (info.ty, info.span);
        let (class, part) = self.bindable(whole)?;
        if !self.meets(part, Wanted::Member(member)) {
            return None;
        }
        let object = self.body.exprs.iter().find_map(|(expr, _)| {
            let Expr::Call { callee, args } = expr else { return None };
            let Expr::Field { object, .. } = self.body.expr(*callee) else { return None };
            let binds = |&arg: &ExprId| match self.body.expr(arg) {
                Expr::Lambda { params, .. } => params.iter().any(|it| it.name.is_some_and(|it| it.span == place)),
                _ => false,
            };
            args.iter().any(binds).then_some(*object)
        })?;
        let object = Some(object).filter(|&object| self.is_mapped(object)).map(|object| self.body.span(object))?;
        Some(self.bind_before(class, whole, part, object))
    }

    /// The receiver of a call and its argument stand in each other's place: where the argument is, and its type.
    pub(super) fn exchanged_receiver(&mut self, object: NodeId, member: Name, span: Span) -> Option<(Span, String)> {
        let body = self.body;
        let arg = body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Call { callee, args } if body.span(*callee) == span && args.len() == 1 => Some(args[0]),
            _ => None,
        })?;
        let ty = match body.expr(arg) {
            Expr::Variable(name) => {
                let local = self.env.iter().rev().find(|known| known.0 == *name)?.1;
                self.hir.local(local).ty
            }
            Expr::Field { object, field, .. } if matches!(body.expr(*object), Expr::This) => {
                let TypeKind::Class(class, args) = self.kind(self.hir.local(self.this?).ty) else { return None };
                let info = self.program.class(class);
                let program::ClassKind::Object(fields) = &info.kind else { return None };
                let ty = fields.iter().find(|it| it.name == field.name)?.ty;
                let params = info.params.clone();
                self.program.types.substitute(ty, &params, &args)
            }
            Expr::This => self.hir.local(self.this?).ty,
            _ => return None,
        };
        let TypeKind::Class(class, args) = self.kind(ty) else { return None };
        let info = self.program.class(class);
        let method = self.program.member(*info.by_name.get(&member)?);
        let &[wanted] = &method.types[..] else { return None };
        if !method.is_method || method.is_private && class != self.class {
            return None;
        }
        let params = info.params.clone();
        let own = method.params.clone();
        let wanted = self.program.types.substitute(wanted, &params, &args);
        let unknown: Vec<Ty> = own.iter().map(|_| self.unknown(span)).collect();
        self.free.extend(unknown.iter().filter_map(|&ty| match *self.program.types.kind(ty) {
            TypeKind::Unknown(number) => Some(number),
            _ => None,
        }));
        let wanted = self.program.types.substitute(wanted, &own, &unknown);
        let (mark, found) = (self.trail.len(), self.ty(object));
        let fits = self.unify(wanted, found);
        self.forget(mark);
        fits.then(|| (body.span(arg), self.show(ty)))
    }

    /// A method is called as a function of its class: the argument that is perhaps its object, a variable or a field,
    /// and the other arguments.
    pub(super) fn object_among_arguments(&self, callee: Span, class: &str) -> Option<(String, String)> {
        let args = self.body.exprs.iter().find_map(|(expr, _)| match expr {
            Expr::Call { callee: called, args } if self.body.span(*called) == callee => Some(args),
            _ => None,
        })?;
        let is_of_class = |&arg: &ExprId| {
            let ty = match self.body.expr(arg) {
                Expr::Variable(name) => {
                    let local = self.env.iter().rev().find(|known| known.0 == *name)?.1;
                    self.hir.local(local).ty
                }
                Expr::This => self.hir.local(self.this?).ty,
                Expr::Field { object, field, .. } if matches!(self.body.expr(*object), Expr::This) => {
                    let TypeKind::Class(own, _) = self.kind(self.hir.local(self.this?).ty) else { return None };
                    let program::ClassKind::Object(fields) = &self.program.class(own).kind else { return None };
                    fields.iter().find(|it| it.name == field.name)?.ty
                }
                _ => return None,
            };
            let TypeKind::Class(found, _) = self.kind(ty) else { return None };
            (self.names.text(self.program.class(found).name) == class).then_some(())
        };
        let at = args.iter().position(|arg| is_of_class(arg).is_some())?;
        let text = |arg: &ExprId| self.short(self.body.span(*arg), "…");
        let rest: Vec<String> = args.iter().enumerate().filter(|it| it.0 != at).map(|it| text(it.1)).collect();
        Some((text(&args[at]), rest.join(", ")))
    }

    /// The text of a place, or a name for it if it is long.
    fn short(&self, place: Span, other: &str) -> String {
        let text = self.sources.text(place);
        if text.len() > 30 || text.contains('\n') { other.to_string() } else { text }
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
        let object = self.short(self.body.span(object), "value");
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
