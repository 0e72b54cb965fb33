//! Names after a dot, and variants.

use super::Checker;
use super::notes::Entity;
use super::unknown::foreign_static;
use crate::built_in::STR;
use crate::did_you_mean::NamePlace;
use crate::hir::{NodeId, NodeKind};
use crate::lex::Name;
use crate::program::{self, MemberId, report, suggest};
use crate::syntax::{Ident, TypeSyntax, join};
use crate::types::{ClassId, ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};

/// Who may use what is private in a class.
fn only_in(class: &str) -> String {
    format!("only functions and methods of `{class}` may use it")
}

impl Checker<'_> {
    /// Arguments for type parameters: those that are written, or unknowns.
    fn arguments(&mut self, params: &[ParamId], types: &[TypeSyntax], name: Name, span: Span) -> Vec<Ty> {
        let has_bound = |at: usize| params.get(at).is_some_and(|&param| self.program.param(param).bound.is_some());
        let bounds: Vec<bool> = (0..types.len()).map(has_bound).collect();
        let mut args: Vec<Ty> = types.iter().zip(bounds).map(|(ty, has_bound)| self.written(ty, has_bound)).collect();
        self.exchanged_arguments(params, &mut args, types);
        // What follows from a type that cannot stand there is nobody's mistake.
        if args.len() == params.len() {
            for place in 0..args.len() {
                let is_basic = matches!(args[place], Ty::INT | Ty::BOOL | Ty::TEXT | Ty::UNIT) && self.is_today;
                let due = crate::interface_check::obligations(self.program, place, params, &args, span);
                let own = self.program.param(params[place]).bound;
                if let (true, Some(_), Some(due)) = (is_basic, own, due.into_iter().next())
                    && !crate::interface_check::prove(self.program, self.names, self.sink, due)
                {
                    args[place] = Ty::ERROR;
                }
            }
        }
        for (arg, syntax) in args.iter_mut().zip(types) {
            *arg = self.said(*arg, syntax.span);
        }
        if !args.is_empty() && args.len() != params.len() {
            let mut collector = crate::collect_items::ItemCollector {
                program: self.program,
                names: self.names,
                sink: self.sink,
                applied: Vec::new(),
            };
            collector.type_count(span, name, params, types.len());
            args.clear();
        }
        if args.is_empty() {
            args = params.iter().map(|_| self.unknown(span)).collect();
        }
        args
    }

    /// `Class.member`
    pub(super) fn static_member(&mut self, class: Ident, member: Ident, types: &[TypeSyntax], span: Span) -> NodeId {
        let Some(id) = self.program.scopes[self.scope.module].get(&class.name).copied() else {
            let (own, part) = (self.names.text(class.name), self.names.text(member.name));
            if let Some((message, help)) = foreign_static(own, part) {
                let place = join(class.span, member.span);
                self.report(place, || Diagnostic::error(code::UNKNOWN_CLASS, message).at(place, "").help(help));
                return self.error_node(span);
            }
            let mut collector = crate::collect_items::ItemCollector {
                program: self.program,
                names: self.names,
                sink: self.sink,
                applied: Vec::new(),
            };
            collector.unknown_class(class.name, class.span, &self.scope, NamePlace::Value);
            return self.error_node(span);
        };
        self.note(class.span, Entity::Class(id), Ty::ERROR);
        if let Some(number) = self.variant_number(id, member.name) {
            self.note(member.span, Entity::Variant(id, number), Ty::ERROR);
            return self.variant(id, number, types, span);
        }
        if self.is_typed(member.name) {
            self.offer_functions(id);
        }
        if self.has_init(id, member.name) {
            self.note(member.span, Entity::Class(id), Ty::ERROR);
            return self.variant(id, 0, types, span);
        }
        let found = self.program.class(id).by_name.get(&member.name).copied();
        let Some(found) = found.filter(|&found| !self.is_inside_library(found)) else {
            return self.no_member(id, member, span);
        };
        if self.is_forbidden(found, member.span) {
            return self.error_node(span);
        }
        self.note(member.span, Entity::Member(found), Ty::ERROR);
        let info = self.program.member(found);
        if info.is_method {
            let (class, name) = (self.names.text(class.name), self.names.text(member.name));
            let object = self.object_among_arguments(span, class);
            self.report(member.span, || {
                let message = format!("`{name}` is a method: it belongs to an object of class `{class}`");
                let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(member.span, "");
                let help = match (class, name) {
                    ("Int", "toString") => "`Str.fromInt(n)` makes a string of a number".to_string(),
                    _ if let Some((object, rest)) = &object => format!("`{object}.{name}({rest})`"),
                    _ => format!("`object.{name}`"),
                };
                diagnostic.help(help).mistake(format!("method {class}.{name}"))
            });
            return self.error_node(span);
        }
        let (params, types_of, result) = (info.params.clone(), info.types.clone(), info.result);
        let is_panic = info.builtin == Some(program::Builtin::Primitive(cleave_strict::core_ir::Primitive::Panic));
        let first = self.unknowns.len() as u32;
        // A parameter that should be there has its message.
        let is_wrong = types_of.iter().chain([&result]).any(|&ty| self.program.types.has_error(ty));
        let types = if is_wrong && params.is_empty() { &[] } else { types };
        let args = self.arguments(&params, types, member.name, member.span);
        self.oblige(&params, &args, member.span);
        // Types that nobody knows may be what says these.
        if is_panic && !self.is_today || is_wrong {
            self.free_from(first);
        }
        let ty = self.signature(found, &types_of, result);
        let ty = self.program.types.substitute(ty, &params, &args);
        self.node(NodeKind::Function(found, args), ty, span)
    }

    /// The type of a member, whose result nobody knows if its body gives something else.
    fn signature(&mut self, id: MemberId, types: &[Ty], result: Ty) -> Ty {
        let is_doubted = id != self.member && self.program.doubted.contains(&id);
        let result = if is_doubted { Ty::ERROR } else { result };
        self.program.types.function(types, result)
    }

    /// Says so if a member is private in another class.
    fn is_forbidden(&mut self, member: MemberId, span: Span) -> bool {
        let info = self.program.member(member);
        let is_forbidden = info.is_private && info.class != self.class;
        if is_forbidden {
            let (text, there) = (self.names.text(info.name), info.span);
            let class = self.names.text(self.program.class(info.class).name);
            self.report(span, || {
                let message = format!("`{text}` is private in class `{class}`");
                let diagnostic = Diagnostic::error(code::PRIVATE, message).at(span, "").help(only_in(class));
                let diagnostic = diagnostic.mistake(format!("private {class}.{text}"));
                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is defined here"))
            });
        }
        is_forbidden
    }

    /// The function that makes objects of a class, which is there without being declared, and hides one that is.
    fn has_init(&self, class: ClassId, name: Name) -> bool {
        let info = self.program.class(class);
        self.names.text(name) == "init"
            && matches!(info.kind, program::ClassKind::Object(_))
            && self.program.is_of_today(class)
    }

    /// The number of a variant of a class.
    pub(super) fn variant_number(&self, class: ClassId, name: Name) -> Option<u32> {
        let program::ClassKind::Enum(variants) = &self.program.class(class).kind else { return None };
        variants.iter().position(|variant| variant.name == name).map(|number| number as u32)
    }

    fn variant(&mut self, class: ClassId, number: u32, types: &[TypeSyntax], span: Span) -> NodeId {
        let params = self.program.class(class).params.clone();
        let name = self.program.class(class).name;
        let first = self.unknowns.len() as u32;
        let args = self.arguments(&params, types, name, span);
        self.oblige(&params, &args, span);
        // Types that nobody knows may be what says these.
        if self.has_wrong_field(class) {
            self.free_from(first);
        }
        let fields = match &self.program.class(class).kind {
            program::ClassKind::Enum(variants) => variants[number as usize].fields.clone(),
            program::ClassKind::Object(fields) => fields.iter().map(|field| field.ty).collect(),
            _ => Vec::new(),
        };
        let own = self.program.types.class(class, &args);
        let ty = self.program.types.function(&fields, own);
        let ty = self.program.types.substitute(ty, &params, &args);
        self.node(NodeKind::Variant(class, number), ty, span)
    }

    /// The unknowns from this one on may stay unknown.
    pub(super) fn free_from(&mut self, first: u32) {
        self.free.extend(first..self.unknowns.len() as u32);
    }

    /// A field of a class, or of one of its variants, has a type that is wrong, which was said.
    pub(super) fn has_wrong_field(&self, class: ClassId) -> bool {
        let is_wrong = |ty: Ty| self.program.types.has_error(ty);
        match &self.program.class(class).kind {
            program::ClassKind::Enum(variants) => {
                variants.iter().any(|variant| variant.fields.iter().any(|&ty| is_wrong(ty)))
            }
            program::ClassKind::Object(fields) => fields.iter().any(|field| is_wrong(field.ty)),
            _ => false,
        }
    }

    /// A variant of the class at hand.
    pub(super) fn bare_variant(&mut self, name: Name, span: Span) -> NodeId {
        if let Some(number) = self.variant_number(self.class, name) {
            self.note(span, Entity::Variant(self.class, number), Ty::ERROR);
            return self.variant(self.class, number, &[], span);
        }
        if self.is_typed(name) {
            self.offer_names();
        }
        // `new Name` has its message.
        if self.new.is_some_and(|new| new.file == span.file && new.end + 1 == span.start)
            || self.program.unread.contains(&name)
            || self.program.twice.contains(&self.class)
        {
            return self.error_node(span);
        }
        let text = self.names.text(name);
        let own = self.names.text(self.program.class(self.class).name);
        let is_class = self.program.scopes[self.scope.module].contains_key(&name);
        let meant = self.program.scopes[self.scope.module].get(&name);
        let is_object = meant.is_some_and(|&id| matches!(self.program.class(id).kind, program::ClassKind::Object(_)));
        let variants: Vec<&str> = match &self.program.class(self.class).kind {
            program::ClassKind::Enum(variants) => {
                variants.iter().map(|variant| self.names.text(variant.name)).collect()
            }
            _ => Vec::new(),
        };
        // A class of this module that has such a variant.
        let mut others: Vec<ClassId> = self.program.scopes[self.scope.module].values().copied().collect();
        others.sort_unstable();
        let other = others.into_iter().find(|&id| self.variant_number(id, name).is_some());
        let other = other.map(|id| self.names.text(self.program.class(id).name));
        report(self.sink, span, || {
            if is_class {
                let message = format!("the class `{text}` is no value");
                let diagnostic = Diagnostic::error(code::UNKNOWN_TAG, message).at(span, "");
                let diagnostic = diagnostic.mistake(format!("value {text}"));
                return match is_object {
                    true => diagnostic.help(format!("objects are made by a function of the class: `{text}.name(…)`")),
                    false => diagnostic.help(format!("`{text}.member`")),
                };
            }
            let diagnostic =
                Diagnostic::error(code::UNKNOWN_TAG, format!("class `{own}` has no variant `{text}`")).at(span, "");
            let diagnostic = diagnostic.mistake(format!("variant {own}.{text}"));
            match other {
                Some(other) => {
                    diagnostic.help(format!("a variant of another class stands behind its name: `{other}.{text}`"))
                }
                None if matches!(text, "Some" | "Just") => diagnostic.help("`Option.Some(value)`, of `std.option`"),
                None if matches!(text, "None" | "Nothing" | "Null") => {
                    diagnostic.help("a value that is missing is `Option.None()`, of `std.option`")
                }
                None => suggest(diagnostic, text, variants.into_iter()),
            }
        });
        self.error_node(span)
    }

    /// A variant without fields is a value, not a function.
    pub(super) fn finished(&mut self, node: NodeId) -> NodeId {
        let NodeKind::Variant(_, number) = self.hir.node(node).kind else { return node };
        let TypeKind::Function(fields, result) = self.kind(self.ty(node)) else { return node };
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
        let ty = self.known_outside(self.ty(object));
        let name = field.name;
        if self.is_typed(name) {
            let ty = self.resolve(ty);
            self.offer_members(ty);
        }
        match self.program.types.kind(ty).clone() {
            TypeKind::Error => return self.error_node(span),
            TypeKind::Unknown(_) => {
                let (place, is_today) = (self.hir.node(object).span, self.is_today);
                self.report(place, || {
                    let today = "say the type where the value gets its name: `(x: T) -> …`, `let x: T = …`";
                    let old = "say the type where the value gets its name: `(x: T) -> …`, `val x: T = …`";
                    let help = if is_today { today } else { old };
                    Diagnostic::error(code::NOT_INFERRED, "the type of this must be known here")
                        .at(place, "")
                        .help(help)
                });
                return self.error_node(span);
            }
            TypeKind::Class(class, args) => {
                let method = self.program.class(class).by_name.get(&name);
                let is_method = method.is_some_and(|&id| {
                    let info = self.program.member(id);
                    info.is_method && (!info.is_private || class == self.class)
                });
                if !(self.is_today && is_method)
                    && let program::ClassKind::Object(fields) = &self.program.class(class).kind
                    && let Some(number) = fields.iter().position(|known| known.name == name)
                {
                    let found = fields[number].clone();
                    if found.is_private && class != self.class {
                        // What is inside of the library is nobody's business.
                        if self.is_of_library(class) {
                            return self.no_field(object, ty, field, span);
                        }
                        let (text, own) = (self.names.text(name), self.names.text(self.program.class(class).name));
                        self.report(field.span, || {
                            Diagnostic::error(code::PRIVATE, format!("`{text}` is private in class `{own}`"))
                                .at(field.span, "")
                                .and(found.span, "it is defined here")
                                .help(only_in(own))
                                .mistake(format!("private {own}.{text}"))
                        });
                        return self.error_node(span);
                    }
                    let params = self.program.class(class).params.clone();
                    let ty = self.program.types.substitute(found.ty, &params, &args);
                    self.note(field.span, Entity::Field(class, number as u32), ty);
                    return self.node(NodeKind::Field(object, number as u32), ty, span);
                }
            }
            _ => {}
        }
        self.method(object, ty, field, types, span)
    }

    fn method(&mut self, object: NodeId, ty: Ty, field: Ident, types: &[TypeSyntax], span: Span) -> NodeId {
        // Strings have methods of their own.
        if ty == Ty::TEXT
            && self.is_today
            && let Some(&id) = self.program.class(STR).by_name.get(&field.name)
            && self.program.member(id).is_method
        {
            let (types_of, result) = (self.program.member(id).types.clone(), self.program.member(id).result);
            self.note(field.span, Entity::Member(id), Ty::ERROR);
            let ty = self.program.types.function(&types_of, result);
            return self.node(NodeKind::Method(object, id, Vec::new()), ty, span);
        }
        let own = matches!(self.program.types.kind(ty), TypeKind::Class(..));
        let places = if own { vec![ty] } else { self.program.interfaces(ty) };
        for &place in &places {
            let Some((id, class_args)) = self.program.find_member(place, field.name) else { continue };
            let info = self.program.member(id);
            if !info.is_method || self.is_inside_library(id) {
                continue;
            }
            let mut params = self.program.class(info.class).params.clone();
            let (own_params, types_of, result) = (info.params.clone(), info.types.clone(), info.result);
            if self.is_forbidden(id, field.span) {
                return self.error_node(span);
            }
            self.note(field.span, Entity::Member(id), Ty::ERROR);
            let own_args = self.arguments(&own_params, types, field.name, field.span);
            params.extend(&own_params);
            let mut args = class_args;
            args.extend(&own_args);
            // Bounds of the method's parameters may speak of those of the class, which were looked at with the type.
            let known = args.len() - own_args.len();
            self.oblige_from(known, &params, &args, field.span);
            let ty = self.signature(id, &types_of, result);
            let ty = self.program.types.substitute(ty, &params, &args);
            let kind = if own { NodeKind::Method(object, id, args) } else { NodeKind::Bounded(object, id, own_args) };
            return self.node(kind, ty, span);
        }
        if let (TypeKind::Function(params, _), NodeKind::Variant(class, number)) =
            (self.kind(ty), &self.hir.node(object).kind)
            && let program::ClassKind::Enum(variants) = &self.program.class(*class).kind
        {
            let own = self.names.text(self.program.class(*class).name);
            let text = self.names.text(variants[*number as usize].name);
            let parts = if params.is_empty() { "" } else { "…" };
            let place = self.hir.node(object).span;
            report(self.sink, place, || {
                let message = format!("`{own}.{text}` is a function, which makes a value");
                let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(place, "");
                diagnostic.help(format!("the value is `{own}.{text}({parts})`"))
            });
            return self.error_node(span);
        }
        // A bound that is wrong might have it.
        if places.contains(&Ty::ERROR) {
            return self.error_node(span);
        }
        self.no_field(object, ty, field, span)
    }

    fn is_of_library(&self, class: ClassId) -> bool {
        self.program.class(class).span.is_some_and(|span| self.program.library_files.contains(&span.file))
    }

    /// What only the library itself may use is as if it were not there.
    fn is_inside_library(&self, member: MemberId) -> bool {
        let info = self.program.member(member);
        info.is_private && info.class != self.class && self.is_of_library(info.class)
    }
}
