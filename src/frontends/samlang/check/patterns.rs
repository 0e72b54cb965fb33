//! Names and types of patterns.

use super::notes::Entity;
use super::{Checker, Reason};
use crate::counts::Callee;
use crate::did_you_mean::NamePlace;
use crate::hir::{Local, LocalInfo, Pattern, PatternKind};
use crate::lex::Name;
use crate::program::{self, suggest};
use crate::syntax::{self, Ident, PatternId};
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code, nearest};

impl Checker<'_> {
    /// Checks a pattern for values of a type; its variables are there from here on.
    pub(super) fn pattern(&mut self, id: PatternId, ty: Ty, reason: Reason) -> Pattern {
        let mut shared = None;
        self.pattern_of(id, ty, reason, &mut shared)
    }

    /// `shared` are the variables of other choices before a `|`, which this one has to bind, too.
    fn pattern_of(
        &mut self,
        id: PatternId,
        ty: Ty,
        reason: Reason,
        shared: &mut Option<Vec<(Name, Local)>>,
    ) -> Pattern {
        let body = self.body;
        let span = body.pattern_span(id);
        let kind = match body.pattern(id) {
            syntax::Pattern::Any => PatternKind::Any,
            syntax::Pattern::Variable(name) => PatternKind::Variable(self.pattern_variable(*name, ty, span, shared)),
            syntax::Pattern::Bool(value) => {
                self.literal(ty, Ty::BOOL, (span, reason), PatternKind::Construct(u32::from(*value), Vec::new()))
            }
            syntax::Pattern::Int(number) => self.literal(ty, Ty::INT, (span, reason), PatternKind::Int(*number)),
            syntax::Pattern::Text(text) => self.literal(ty, Ty::TEXT, (span, reason), PatternKind::Text(*text)),
            syntax::Pattern::Variant { class, variant, fields } => {
                self.variant_pattern(*class, *variant, fields.as_deref(), ty, (span, reason), shared)
            }
            syntax::Pattern::Tuple(parts) if parts.len() == 1 && !self.is_today => {
                return self.pattern_of(parts[0], ty, reason, shared);
            }
            syntax::Pattern::Tuple(parts) => {
                let object = match self.kind(ty) {
                    TypeKind::Class(id, args) if self.is_today => self.program.field_types(id, &args),
                    _ => None,
                };
                let types = object.or_else(|| self.tuple_parts(ty).map(|types| types.to_vec()));
                let types = match (types, self.kind(ty)) {
                    (Some(types), _) if types.len() == parts.len() => types,
                    (Some(types), _) => {
                        let (wanted, found) = (types.len(), parts.len());
                        let is_tuple = self.tuple_parts(ty).is_some();
                        let shown = self.show(ty);
                        self.report(span, || {
                            let message = match is_tuple {
                                true => format!("the tuple has {wanted} parts, the pattern {found}"),
                                false => format!("`{shown}` has {wanted} fields, the pattern {found}"),
                            };
                            Diagnostic::error(code::PATTERN_COUNT, message).at(span, "")
                        });
                        let kind = self.error_fields(Some(parts), shared);
                        return Pattern { kind, ty, span };
                    }
                    (None, TypeKind::Unknown(_)) => {
                        let types: Vec<Ty> = parts.iter().map(|_| self.unknown(span)).collect();
                        let tuple = self.program.tuple(&types);
                        self.unify(ty, tuple);
                        types
                    }
                    (None, other) => {
                        if other != TypeKind::Error {
                            self.unfit_pattern(ty, "a tuple", span, reason);
                        }
                        let kind = self.error_fields(Some(parts), shared);
                        return Pattern { kind, ty, span };
                    }
                };
                self.private_parts(ty, span);
                let parts = parts.iter().zip(types);
                let parts = parts.map(|(&part, ty)| self.pattern_of(part, ty, Reason::Unsaid, shared)).collect();
                PatternKind::Construct(0, parts)
            }
            syntax::Pattern::Object(fields) => self.object_pattern(fields, ty, (span, reason), shared),
            syntax::Pattern::Or(choices) => self.choices(choices, ty, reason, shared),
        };
        Pattern { kind, ty, span }
    }

    /// The types of the parts, if values of a type are tuples.
    pub(super) fn tuple_parts(&self, ty: Ty) -> Option<std::rc::Rc<[Ty]>> {
        match self.kind(ty) {
            TypeKind::Tuple(types) => Some(types),
            TypeKind::Class(id, args) if self.program.tuples.contains(&id) => Some(args),
            _ => None,
        }
    }

    /// A pattern that takes all parts of an object takes no private ones of another class.
    fn private_parts(&mut self, ty: Ty, span: Span) {
        let TypeKind::Class(id, _) = self.kind(ty) else { return };
        let program::ClassKind::Object(fields) = &self.program.class(id).kind else { return };
        let Some(field) = fields.iter().find(|field| field.is_private && id != self.class) else { return };
        let (text, own, there) =
            (self.names.text(field.name), self.names.text(self.program.class(id).name), field.span);
        self.report(span, || {
            let message = format!("`{text}` is private in class `{own}`");
            Diagnostic::error(code::PRIVATE, message).at(span, "").and(there, "it is defined here")
        });
    }

    fn pattern_variable(&mut self, name: Name, ty: Ty, span: Span, shared: &mut Option<Vec<(Name, Local)>>) -> Local {
        if self.is_typed(name) {
            self.offer_patterns(ty);
        }
        let Some(others) = shared else { return self.declare(name, ty, span) };
        if let Some(at) = others.iter().position(|other| other.0 == name) {
            let (_, local) = others.remove(at);
            let other = self.hir.local(local);
            let (wanted, place) = (other.ty, other.span);
            if !self.unify(wanted, ty) {
                self.mismatch(wanted, ty, span, (Reason::Branch(place), None));
            }
            return local;
        }
        let text = self.names.text(name);
        self.report(span, || {
            let message = format!("`{text}` is not bound in all choices");
            let help = "the patterns between `|` bind the same names, each once";
            Diagnostic::error(code::INVALID_PATTERN, message).at(span, "").help(help)
        });
        // What follows knows it.
        match self.env.iter().any(|known| known.0 == name) {
            true => self.local(name, ty, span),
            false => self.declare(name, ty, span),
        }
    }

    fn choices(
        &mut self,
        choices: &[PatternId],
        ty: Ty,
        reason: Reason,
        shared: &mut Option<Vec<(Name, Local)>>,
    ) -> PatternKind {
        let mark = self.env.len();
        let before = shared.clone();
        let mut parts = vec![self.pattern_of(choices[0], ty, reason, shared)];
        // What the first choice has bound, newly or as the others around it.
        let mut bound = self.env[mark..].to_vec();
        if let (Some(before), Some(after)) = (&before, &*shared) {
            bound.extend(before.iter().filter(|one| !after.contains(one)));
        }
        for &choice in &choices[1..] {
            let (mut open, messages) = (Some(bound.clone()), self.sink.diagnostics().len());
            parts.push(self.pattern_of(choice, ty, reason, &mut open));
            // A name that should be another one has its message.
            let is_said = self.sink.diagnostics().len() > messages;
            if let Some(&(name, _)) = open.iter().flatten().next().filter(|_| !is_said) {
                let (text, span) = (self.names.text(name), self.body.pattern_span(choice));
                self.report(span, || {
                    let message = format!("`{text}` is not bound in this choice");
                    let help = "the patterns between `|` bind the same names, each once";
                    Diagnostic::error(code::INVALID_PATTERN, message).at(span, "").help(help)
                });
            }
        }
        PatternKind::Or(parts)
    }

    fn literal(&mut self, ty: Ty, own: Ty, (span, reason): (Span, Reason), kind: PatternKind) -> PatternKind {
        if self.unify(ty, own) {
            return kind;
        }
        let shown = self.show(own);
        self.unfit_pattern(ty, &format!("`{shown}`"), span, reason);
        PatternKind::Or(Vec::new())
    }

    fn unfit_pattern(&mut self, ty: Ty, what: &str, span: Span, reason: Reason) {
        let is_function = matches!(self.kind(ty), TypeKind::Function(..));
        let (shown, what_kind) = (self.show(ty), what.split('`').next().unwrap_or_default());
        self.report(span, || {
            let message = format!("a pattern for {what}, but the value is `{shown}`");
            let diagnostic = Diagnostic::error(code::INVALID_PATTERN, message).at(span, "");
            let diagnostic = match is_function {
                true => diagnostic.help("this is a function: `(…)` behind it gives the value, as in `Class.Variant()`"),
                false => diagnostic,
            };
            match reason {
                Reason::Subject(place) => {
                    let diagnostic = diagnostic.and(place, format!("this is `{shown}`"));
                    diagnostic.mistake(format!("pattern {what_kind} of {}", place.start))
                }
                _ => diagnostic,
            }
        });
    }

    fn variant_pattern(
        &mut self,
        class: Option<Ident>,
        variant: Ident,
        fields: Option<&[PatternId]>,
        ty: Ty,
        (span, reason): (Span, Reason),
        shared: &mut Option<Vec<(Name, Local)>>,
    ) -> PatternKind {
        let scope = &self.program.scopes[self.scope.module];
        let named = match class {
            Some(class) => match scope.get(&class.name).copied() {
                Some(id) => Some(id),
                None => {
                    let mut collector = crate::collect_items::ItemCollector {
                        program: self.program,
                        names: self.names,
                        sink: self.sink,
                        applied: Vec::new(),
                    };
                    collector.unknown_class(class.name, class.span, &self.scope, NamePlace::Value);
                    return self.error_fields(fields, shared);
                }
            },
            None => None,
        };
        if let TypeKind::Unknown(_) = self.kind(ty) {
            // The variant says what the value is, if it can be found.
            let found = named.or_else(|| self.variant_number(self.class, variant.name).map(|_| self.class));
            if let Some(id) = found {
                let args: Vec<Ty> = self.program.class(id).params.clone().iter().map(|_| self.unknown(span)).collect();
                let own = self.program.types.class(id, &args);
                self.unify(ty, own);
            }
        }
        // A class that cannot be read may have it.
        if self.program.unread.contains(&variant.name) && self.has_no_variants(ty) {
            return self.error_fields(fields, shared);
        }
        let text = self.names.text(variant.name);
        let (id, args) = match self.kind(ty) {
            TypeKind::Class(id, args) if matches!(self.program.class(id).kind, program::ClassKind::Enum(_)) => {
                (id, args)
            }
            TypeKind::Error => return self.error_fields(fields, shared),
            TypeKind::Class(id, _) if self.program.class(id).name == variant.name => {
                self.class_as_pattern(id, span);
                return self.error_fields(fields, shared);
            }
            _ => {
                self.unfit_pattern(ty, &format!("the variant `{text}`"), span, reason);
                return self.error_fields(fields, shared);
            }
        };
        if named.is_some_and(|named| named != id) {
            self.unfit_pattern(ty, &format!("the variant `{text}` of another class"), span, reason);
            return self.error_fields(fields, shared);
        }
        if self.is_typed(variant.name) {
            self.offer_variants(id);
        }
        let Some(number) = self.variant_number(id, variant.name) else {
            self.unknown_variant(id, variant);
            return self.error_fields(fields, shared);
        };
        if let Some(class) = class {
            self.note(class.span, Entity::Class(id), Ty::ERROR);
        }
        self.note(variant.span, Entity::Variant(id, number), Ty::ERROR);
        let params = self.program.class(id).params.clone();
        let program::ClassKind::Enum(variants) = &self.program.class(id).kind else { unreachable!("it is one") };
        let (types, place) = (variants[number as usize].fields.clone(), variants[number as usize].span);
        let types: Vec<Ty> = types.into_iter().map(|ty| self.program.types.substitute(ty, &params, &args)).collect();
        let parts = match (fields, &types[..]) {
            // A variant alone may stand for one with nothing to tell; a single `_` for one without fields.
            (None, [ty]) if self.outside(*ty) == Ty::UNIT => vec![Pattern { kind: PatternKind::Any, ty: *ty, span }],
            (Some([one]), []) if matches!(self.body.pattern(*one), syntax::Pattern::Any) => Vec::new(),
            (fields, types) => {
                let fields = fields.unwrap_or_default();
                if fields.len() != types.len() {
                    let (wanted, found) = (types.len(), fields.len());
                    self.program.counts.miscounted.push((Callee::Variant(id, number), found));
                    self.lacks_names |= found < wanted;
                    self.report(span, || {
                        let one = if wanted == 1 { "one field".to_string() } else { format!("{wanted} fields") };
                        let message = format!("`{text}` has {one}, the pattern {found}");
                        Diagnostic::error(code::PATTERN_COUNT, message).at(span, "").and(place, "it is defined here")
                    });
                    return self.error_fields(Some(fields), shared);
                }
                let parts = fields.iter().zip(types.to_vec());
                parts.map(|(&field, ty)| self.pattern_of(field, ty, Reason::Unsaid, shared)).collect()
            }
        };
        PatternKind::Construct(number, parts)
    }

    fn has_no_variants(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Class(id, _) => !matches!(self.program.class(id).kind, program::ClassKind::Enum(_)),
            TypeKind::Int | TypeKind::Bool | TypeKind::Text | TypeKind::Unit => true,
            _ => false,
        }
    }

    fn unknown_variant(&mut self, class: ClassId, variant: Ident) {
        if self.program.twice.contains(&class) {
            return;
        }
        let (text, own) = (self.names.text(variant.name), self.names.text(self.program.class(class).name));
        let variants: Vec<&str> = match &self.program.class(class).kind {
            program::ClassKind::Enum(variants) => {
                variants.iter().map(|variant| self.names.text(variant.name)).collect()
            }
            _ => Vec::new(),
        };
        self.report(variant.span, || {
            let message = format!("class `{own}` has no variant `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_TAG, message).at(variant.span, "");
            let diagnostic = diagnostic.mistake(format!("variant {own}.{text}"));
            match super::unknown::synonym(text, &variants) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
                None => {
                    let diagnostic = suggest(diagnostic, text, variants.iter().copied());
                    match diagnostic.help.is_empty() {
                        true => program::those(diagnostic, "its variants are", &variants),
                        false => diagnostic,
                    }
                }
            }
        });
    }

    /// Binds the variables of patterns whose types nobody knows.
    fn error_fields(&mut self, fields: Option<&[PatternId]>, shared: &mut Option<Vec<(Name, Local)>>) -> PatternKind {
        for &field in fields.unwrap_or_default() {
            self.pattern_of(field, Ty::ERROR, Reason::Unsaid, shared);
        }
        // A choice of nothing stands for what is wrong.
        PatternKind::Or(Vec::new())
    }

    fn object_pattern(
        &mut self,
        fields: &[(Ident, PatternId)],
        ty: Ty,
        (span, reason): (Span, Reason),
        shared: &mut Option<Vec<(Name, Local)>>,
    ) -> PatternKind {
        let pattern_span = span;
        let all: Vec<PatternId> = fields.iter().map(|field| field.1).collect();
        let shape = self.kind(ty);
        let (id, args) = match &shape {
            TypeKind::Class(id, args) if matches!(self.program.class(*id).kind, program::ClassKind::Object(_)) => {
                (*id, args)
            }
            TypeKind::Error => return self.error_fields(Some(&all), shared),
            _ => {
                self.unfit_pattern(ty, "an object", span, reason);
                return self.error_fields(Some(&all), shared);
            }
        };
        // One of the fields was meant to have another name.
        if self.program.twice.contains(&id) {
            return self.error_fields(Some(&all), shared);
        }
        let params = self.program.class(id).params.clone();
        let program::ClassKind::Object(known) = &self.program.class(id).kind else { unreachable!("it is one") };
        let known = known.clone();
        let mut parts: Vec<Option<Pattern>> = vec![None; known.len()];
        let mut has_unknown = false;
        for &(Ident { name, span }, pattern) in fields {
            let text = self.names.text(name);
            let Some(number) = known.iter().position(|field| field.name == name) else {
                let own = self.names.text(self.program.class(id).name);
                let names: Vec<&str> = known.iter().map(|field| self.names.text(field.name)).collect();
                self.report(span, || {
                    let message = format!("class `{own}` has no field `{text}`");
                    let diagnostic = Diagnostic::error(code::UNKNOWN_MEMBER, message).at(span, "");
                    if nearest(text.as_bytes(), names.iter().map(|name| name.as_bytes())).is_some() {
                        return suggest(diagnostic, text, names.into_iter());
                    }
                    let diagnostic = program::those(diagnostic, "its fields are", &names);
                    diagnostic.mistake(format!("fields of {}", pattern_span.start))
                });
                self.pattern_of(pattern, Ty::ERROR, Reason::Unsaid, shared);
                (has_unknown, self.lacks_names) = (true, true);
                continue;
            };
            let field = &known[number];
            if field.is_private && id != self.class {
                let own = self.names.text(self.program.class(id).name);
                self.report(span, || {
                    Diagnostic::error(code::PRIVATE, format!("`{text}` is private in class `{own}`"))
                        .at(span, "")
                        .and(field.span, "it is defined here")
                });
            }
            if parts[number].is_some() {
                self.report(span, || {
                    let message = format!("the field `{text}` stands twice in the pattern");
                    Diagnostic::error(code::INVALID_PATTERN, message).at(span, "")
                });
            }
            let ty = self.program.types.substitute(field.ty, &params, args);
            // Where the field gives the variable its name, that is noted.
            if self.body.pattern_span(pattern) != span {
                self.note(span, Entity::Field(id, number as u32), ty);
            }
            parts[number] = Some(self.pattern_of(pattern, ty, Reason::Unsaid, shared));
        }
        let missing = known.iter().zip(&parts).filter(|(_, part)| part.is_none()).map(|(field, _)| field.name);
        // Which of them was meant by the one that is not there has been said: its name is used perhaps.
        if has_unknown {
            for name in missing.clone().collect::<Vec<_>>() {
                if self.env.iter().any(|known| known.0 == name) {
                    continue;
                }
                let local = Local(self.hir.locals.len() as u32);
                self.hir.locals.push(LocalInfo { name, ty: Ty::ERROR, span });
                self.env.push((name, local));
            }
        }
        let missing: Vec<String> = missing.map(|name| format!("`{}`", self.names.text(name))).collect();
        if !has_unknown && self.is_today && !missing.is_empty() {
            self.report(span, || {
                let message = format!("the pattern leaves out {}", missing.join(", "));
                let help = "a pattern names all fields: `field as _` for one that nobody looks at";
                Diagnostic::error(code::PATTERN_COUNT, message).at(span, "").help(help)
            });
        }
        let mut patterns = Vec::with_capacity(known.len());
        for (part, field) in parts.into_iter().zip(&known) {
            let ty = self.program.types.substitute(field.ty, &params, args);
            patterns.push(part.unwrap_or(Pattern { kind: PatternKind::Any, ty, span }));
        }
        PatternKind::Construct(0, patterns)
    }
}
