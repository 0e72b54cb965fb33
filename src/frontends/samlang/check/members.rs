//! Names after a dot, tags, and objects.

use super::notes::Entity;
use super::{Checker, Reason, Want};
use crate::hir::{NodeId, NodeKind};
use crate::lex::Name;
use crate::syntax::{ExprId, Ident, TypeSyntax};
use crate::types::{ClassId, ParamId, Shape, Ty};
use crate::world::{self, MemberId, report, suggest};
use cleave_diag::{Diagnostic, Span, code};

impl Checker<'_> {
    /// Arguments for type parameters: those that are written, or unknowns.
    fn arguments(&mut self, params: &[ParamId], types: &[TypeSyntax], name: Name, span: Span) -> Vec<Ty> {
        let mut args: Vec<Ty> = types.iter().map(|ty| self.written(ty)).collect();
        if !args.is_empty() && args.len() != params.len() {
            let mut declarer =
                crate::declare::Declarer { world: self.world, names: self.names, sink: self.sink, applied: Vec::new() };
            declarer.type_count(span, name, params.len(), types.len());
            args.clear();
        }
        if args.is_empty() {
            args = params.iter().map(|_| self.unknown(span)).collect();
        }
        args
    }

    /// `Class.member`
    pub(super) fn static_member(&mut self, class: Ident, member: Ident, types: &[TypeSyntax], span: Span) -> NodeId {
        let Some(id) = self.world.scopes[self.scope.module].get(&class.name).copied() else {
            let mut declarer =
                crate::declare::Declarer { world: self.world, names: self.names, sink: self.sink, applied: Vec::new() };
            declarer.unknown_class(class.name, class.span, &self.scope, code::UNKNOWN_CLASS);
            return self.wrong(span);
        };
        self.note(class.span, Entity::Class(id), Ty::WRONG);
        if let Some(number) = self.tag_number(id, member.name) {
            self.note(member.span, Entity::Tag(id, number), Ty::WRONG);
            return self.tag(id, number, types, span);
        }
        if self.is_typed(member.name) {
            self.offer_functions(id);
        }
        let Some(found) = self.world.class(id).by_name.get(&member.name).copied() else {
            return self.no_member(id, member, span);
        };
        self.check_private(found, member.span);
        self.note(member.span, Entity::Member(found), Ty::WRONG);
        let info = self.world.member(found);
        if info.is_method {
            let (class, name) = (self.names.text(class.name), self.names.text(member.name));
            self.report(member.span, || {
                let message = format!("`{name}` is a method: it belongs to an object of class `{class}`");
                Diagnostic::error(code::UNKNOWN_MEMBER, message).at(member.span, "").help(format!("`object.{name}`"))
            });
            return self.wrong(span);
        }
        let (params, types_of, result) = (info.params.clone(), info.types.clone(), info.result);
        let is_panic = info.builtin == Some(world::Builtin::Panic);
        let first = self.unknowns.len() as u32;
        let args = self.arguments(&params, types, member.name, member.span);
        self.oblige(&params, &args, member.span);
        if is_panic {
            self.free.extend(first..self.unknowns.len() as u32);
        }
        let ty = self.world.types.function(&types_of, result);
        let ty = self.world.types.substitute(ty, &params, &args);
        self.node(NodeKind::Function(found, args), ty, span)
    }

    fn no_member(&mut self, id: ClassId, member: Ident, span: Span) -> NodeId {
        let class = self.world.class(id);
        let (name, text) = (self.names.text(class.name), self.names.text(member.name));
        let mut known: Vec<&str> = class.by_name.keys().map(|&name| self.names.text(name)).collect();
        if let world::ClassKind::Variant(tags) = &class.kind {
            known.extend(tags.iter().map(|tag| self.names.text(tag.name)));
        }
        known.sort_unstable();
        let is_tag = text.starts_with(|letter: char| letter.is_ascii_uppercase());
        let what = if is_tag { "tag" } else { "function" };
        report(self.sink, member.span, || {
            let message = format!("class `{name}` has no {what} `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(member.span, "");
            suggest(diagnostic, text, known.into_iter())
        });
        self.wrong(span)
    }

    fn check_private(&mut self, member: MemberId, span: Span) {
        let info = self.world.member(member);
        if info.is_private && info.class != self.class {
            let (text, there) = (self.names.text(info.name), info.span);
            let class = self.names.text(self.world.class(info.class).name);
            self.report(span, || {
                let message = format!("`{text}` is private in class `{class}`");
                let diagnostic = Diagnostic::error(code::PRIVATE, message).at(span, "");
                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is defined here"))
            });
        }
    }

    /// The number of a tag of a class.
    pub(super) fn tag_number(&self, class: ClassId, name: Name) -> Option<u32> {
        let world::ClassKind::Variant(tags) = &self.world.class(class).kind else { return None };
        tags.iter().position(|tag| tag.name == name).map(|number| number as u32)
    }

    fn tag(&mut self, class: ClassId, number: u32, types: &[TypeSyntax], span: Span) -> NodeId {
        let params = self.world.class(class).params.clone();
        let name = self.world.class(class).name;
        let args = self.arguments(&params, types, name, span);
        self.oblige(&params, &args, span);
        let fields = match &self.world.class(class).kind {
            world::ClassKind::Variant(tags) => tags[number as usize].fields.clone(),
            _ => Vec::new(),
        };
        let own = self.world.types.class(class, &args);
        let ty = self.world.types.function(&fields, own);
        let ty = self.world.types.substitute(ty, &params, &args);
        self.node(NodeKind::Tag(class, number), ty, span)
    }

    /// A tag of the class at hand.
    pub(super) fn bare_tag(&mut self, name: Name, span: Span) -> NodeId {
        if let Some(number) = self.tag_number(self.class, name) {
            self.note(span, Entity::Tag(self.class, number), Ty::WRONG);
            return self.tag(self.class, number, &[], span);
        }
        if self.is_typed(name) {
            self.offer_names();
        }
        // `new Name` has its message.
        if self.new.is_some_and(|new| new.file == span.file && new.end + 1 == span.start) {
            return self.wrong(span);
        }
        let text = self.names.text(name);
        let own = self.names.text(self.world.class(self.class).name);
        let is_class = self.world.scopes[self.scope.module].contains_key(&name);
        let tags: Vec<&str> = match &self.world.class(self.class).kind {
            world::ClassKind::Variant(tags) => tags.iter().map(|tag| self.names.text(tag.name)).collect(),
            _ => Vec::new(),
        };
        // A class of this module that has such a tag.
        let mut others: Vec<ClassId> = self.world.scopes[self.scope.module].values().copied().collect();
        others.sort_unstable();
        let other = others.into_iter().find(|&id| self.tag_number(id, name).is_some());
        let other = other.map(|id| self.names.text(self.world.class(id).name));
        report(self.sink, span, || {
            if is_class {
                let message = format!("the class `{text}` is no value");
                return Diagnostic::error(code::UNKNOWN_TAG, message).at(span, "").help(format!("`{text}.member`"));
            }
            let diagnostic =
                Diagnostic::error(code::UNKNOWN_TAG, format!("class `{own}` has no tag `{text}`")).at(span, "");
            match other {
                Some(other) => {
                    diagnostic.help(format!("a tag of another class stands behind its name: `{other}.{text}`"))
                }
                None => suggest(diagnostic, text, tags.into_iter()),
            }
        });
        self.wrong(span)
    }

    /// A tag without fields is a value, not a function.
    pub(super) fn finished(&mut self, node: NodeId) -> NodeId {
        let NodeKind::Tag(_, number) = self.hir.node(node).kind else { return node };
        let Shape::Function(fields, result) = self.shape(self.ty(node)) else { return node };
        let span = self.hir.node(node).span;
        match &fields[..] {
            [] => self.node(NodeKind::Construct(number, Vec::new()), result, span),
            [field] if self.outside(*field) == Ty::UNIT => {
                let unit = self.node(NodeKind::Unit, Ty::UNIT, span);
                self.node(NodeKind::Construct(number, vec![unit]), result, span)
            }
            _ => node,
        }
    }

    /// A field or method of an object.
    pub(super) fn field(&mut self, object: NodeId, field: Ident, types: &[TypeSyntax], span: Span) -> NodeId {
        let ty = self.resolve(self.ty(object));
        let name = field.name;
        if self.is_typed(name) {
            self.offer_members(ty);
        }
        match self.world.types.shape(ty).clone() {
            Shape::Wrong => return self.wrong(span),
            Shape::Unknown(_) => {
                let place = self.hir.node(object).span;
                self.report(place, || {
                    let help = "say the type where the value gets its name: `(x: T) -> …`, `val x: T = …`";
                    Diagnostic::error(code::NOT_INFERRED, "the type of this must be known here")
                        .at(place, "")
                        .help(help)
                });
                return self.wrong(span);
            }
            Shape::Class(class, args) => {
                if let world::ClassKind::Object(fields) = &self.world.class(class).kind
                    && let Some(number) = fields.iter().position(|known| known.name == name)
                {
                    let found = fields[number].clone();
                    if found.is_private && class != self.class {
                        let (text, own) = (self.names.text(name), self.names.text(self.world.class(class).name));
                        self.report(field.span, || {
                            Diagnostic::error(code::PRIVATE, format!("`{text}` is private in class `{own}`"))
                                .at(field.span, "")
                                .and(found.span, "it is defined here")
                        });
                    }
                    let params = self.world.class(class).params.clone();
                    let ty = self.world.types.substitute(found.ty, &params, &args);
                    self.note(field.span, Entity::Field(class, number as u32), ty);
                    return self.node(NodeKind::Field(object, number as u32), ty, span);
                }
            }
            _ => {}
        }
        self.method(object, ty, field, types, span)
    }

    fn method(&mut self, object: NodeId, ty: Ty, field: Ident, types: &[TypeSyntax], span: Span) -> NodeId {
        let own = matches!(self.world.types.shape(ty), Shape::Class(..));
        let places = if own { vec![ty] } else { self.world.interfaces(ty) };
        for &place in &places {
            let Some((id, class_args)) = self.world.find_member(place, field.name) else { continue };
            let info = self.world.member(id);
            if !info.is_method {
                continue;
            }
            let mut params = self.world.class(info.class).params.clone();
            let (own_params, types_of, result) = (info.params.clone(), info.types.clone(), info.result);
            self.check_private(id, field.span);
            self.note(field.span, Entity::Member(id), Ty::WRONG);
            let own_args = self.arguments(&own_params, types, field.name, field.span);
            params.extend(&own_params);
            let mut args = class_args;
            args.extend(&own_args);
            // Bounds of the method's parameters may speak of those of the class, which were looked at with the type.
            let known = args.len() - own_args.len();
            self.oblige_from(known, &params, &args, field.span);
            let ty = self.world.types.function(&types_of, result);
            let ty = self.world.types.substitute(ty, &params, &args);
            let kind = if own { NodeKind::Method(object, id, args) } else { NodeKind::Bounded(object, id, own_args) };
            return self.node(kind, ty, span);
        }
        // A bound that is wrong might have it.
        if places.contains(&Ty::WRONG) {
            return self.wrong(span);
        }
        self.no_field(ty, field, span)
    }

    fn no_field(&mut self, ty: Ty, field: Ident, span: Span) -> NodeId {
        let (text, shown) = (self.names.text(field.name), self.show(ty));
        let mut known: Vec<&str> = Vec::new();
        let mut is_function = None;
        if let Shape::Class(class, _) = self.world.types.shape(ty) {
            let info = self.world.class(*class);
            if let Some(&member) = info.by_name.get(&field.name) {
                is_function = (!self.world.member(member).is_method).then(|| self.names.text(info.name));
            }
            let methods = info.by_name.iter().filter(|(_, id)| self.world.member(**id).is_method);
            known.extend(methods.map(|(name, _)| self.names.text(*name)));
            if let world::ClassKind::Object(fields) = &info.kind {
                known.extend(fields.iter().map(|field| self.names.text(field.name)));
            }
        }
        known.sort_unstable();
        let is_tuple = matches!(self.world.types.shape(ty), Shape::Tuple(_));
        report(self.sink, field.span, || {
            let message = format!("`{shown}` has no field or method `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(field.span, "");
            match is_function {
                _ if is_tuple => {
                    diagnostic.help("brackets make a tuple, which `val [a, b] = …` takes apart; `List.of` makes a list")
                }
                Some(class) => diagnostic.help(format!("the function of the class is `{class}.{text}`")),
                None => suggest(diagnostic, text, known.into_iter()),
            }
        });
        self.wrong(span)
    }

    /// `{ a: e, b }`: an object of the class at hand.
    pub(super) fn object(&mut self, fields: &[(Ident, Option<ExprId>)], want: Option<Want>, span: Span) -> NodeId {
        let info = self.world.class(self.class);
        let text = self.names.text(info.name);
        let wanted = want.map(|want| self.shape(want.ty));
        if let Some(Shape::Class(other, _)) = wanted
            && other != self.class
            && matches!(self.world.class(other).kind, world::ClassKind::Object(_))
        {
            let other = self.names.text(self.world.class(other).name);
            self.report(span, || {
                let message = format!("objects of class `{other}` are made in class `{other}` only");
                let help = format!("write a `function` in class `{other}` that makes one");
                Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
            });
            return self.wrong(span);
        }
        let world::ClassKind::Object(known) = &info.kind else {
            self.report(span, || {
                let message = format!("class `{text}` has no fields, so this is no object of it");
                let help = "`{ name }` and `{ name: value }` are objects of the class in which they stand; a block with \
                            only a name is the name itself";
                Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
            });
            return self.wrong(span);
        };
        let (known, params) = (known.clone(), info.params.clone());
        let args: Vec<Ty> = params.iter().map(|_| self.unknown(span)).collect();
        let ty = self.world.types.class(self.class, &args);
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
                let ty = self.world.types.substitute(field.ty, &params, &args);
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
            false => self.node(NodeKind::Wrong, ty, span),
        }
    }
}
