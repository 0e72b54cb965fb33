//! Names and types of patterns.

use super::notes::Entity;
use super::{Checker, Reason};
use crate::hir::{Local, Pattern, PatternKind};
use crate::lex::Name;
use crate::syntax::{self, Ident, PatternId};
use crate::types::{ClassId, Shape, Ty};
use crate::world::{self, suggest};
use cleave_diag::{Diagnostic, Span, code};

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
            syntax::Pattern::Tag { class, tag, fields } => {
                self.tag_pattern(*class, *tag, fields.as_deref(), ty, (span, reason), shared)
            }
            syntax::Pattern::Tuple(parts) => {
                let types = match self.shape(ty) {
                    Shape::Tuple(types) if types.len() == parts.len() => types.to_vec(),
                    Shape::Tuple(types) => {
                        let (wanted, found) = (types.len(), parts.len());
                        self.report(span, || {
                            let message = format!("the tuple has {wanted} parts, the pattern {found}");
                            Diagnostic::error(code::PATTERN_COUNT, message).at(span, "")
                        });
                        let kind = self.wrong_fields(Some(parts), shared);
                        return Pattern { kind, ty, span };
                    }
                    Shape::Unknown(_) => {
                        let types: Vec<Ty> = parts.iter().map(|_| self.unknown(span)).collect();
                        let tuple = self.world.types.tuple(&types);
                        self.unify(ty, tuple);
                        types
                    }
                    other => {
                        if other != Shape::Wrong {
                            self.unfit_pattern(ty, "a tuple", span, reason);
                        }
                        let kind = self.wrong_fields(Some(parts), shared);
                        return Pattern { kind, ty, span };
                    }
                };
                let parts = parts.iter().zip(types);
                let parts = parts.map(|(&part, ty)| self.pattern_of(part, ty, Reason::Unsaid, shared)).collect();
                PatternKind::Construct(0, parts)
            }
            syntax::Pattern::Object(fields) => self.object_pattern(fields, ty, (span, reason), shared),
            syntax::Pattern::Or(choices) => self.choices(choices, ty, reason, shared),
        };
        Pattern { kind, ty, span }
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
                self.mismatch(wanted, ty, span, Reason::Branch(place));
            }
            return local;
        }
        let text = self.names.text(name);
        self.report(span, || {
            let message = format!("`{text}` is not bound in all choices");
            let help = "the patterns between `|` bind the same names, each once";
            Diagnostic::error(code::INVALID_PATTERN, message).at(span, "").help(help)
        });
        self.local(name, ty, span)
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
            let mut open = Some(bound.clone());
            parts.push(self.pattern_of(choice, ty, reason, &mut open));
            if let Some(&(name, _)) = open.iter().flatten().next() {
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
        let shown = self.show(ty);
        self.report(span, || {
            let message = format!("a pattern for {what}, but the value is `{shown}`");
            let diagnostic = Diagnostic::error(code::INVALID_PATTERN, message).at(span, "");
            match reason {
                Reason::Subject(place) => diagnostic.and(place, format!("this is `{shown}`")),
                _ => diagnostic,
            }
        });
    }

    fn tag_pattern(
        &mut self,
        class: Option<Ident>,
        tag: Ident,
        fields: Option<&[PatternId]>,
        ty: Ty,
        (span, reason): (Span, Reason),
        shared: &mut Option<Vec<(Name, Local)>>,
    ) -> PatternKind {
        let scope = &self.world.scopes[self.scope.module];
        let named = match class {
            Some(class) => match scope.get(&class.name).copied() {
                Some(id) => Some(id),
                None => {
                    let mut declarer = crate::declare::Declarer {
                        world: self.world,
                        names: self.names,
                        sink: self.sink,
                        applied: Vec::new(),
                    };
                    declarer.unknown_class(class.name, class.span, &self.scope, code::UNKNOWN_CLASS);
                    return self.wrong_fields(fields, shared);
                }
            },
            None => None,
        };
        if let Shape::Unknown(_) = self.shape(ty) {
            // The tag says what the value is, if it can be found.
            let found = named.or_else(|| self.tag_number(self.class, tag.name).map(|_| self.class));
            if let Some(id) = found {
                let args: Vec<Ty> = self.world.class(id).params.clone().iter().map(|_| self.unknown(span)).collect();
                let own = self.world.types.class(id, &args);
                self.unify(ty, own);
            }
        }
        let text = self.names.text(tag.name);
        let (id, args) = match self.shape(ty) {
            Shape::Class(id, args) if matches!(self.world.class(id).kind, world::ClassKind::Variant(_)) => (id, args),
            Shape::Wrong => return self.wrong_fields(fields, shared),
            _ => {
                self.unfit_pattern(ty, &format!("the tag `{text}`"), span, reason);
                return self.wrong_fields(fields, shared);
            }
        };
        if named.is_some_and(|named| named != id) {
            self.unfit_pattern(ty, &format!("the tag `{text}` of another class"), span, reason);
            return self.wrong_fields(fields, shared);
        }
        if self.is_typed(tag.name) {
            self.offer_tags(id);
        }
        let Some(number) = self.tag_number(id, tag.name) else {
            self.unknown_tag(id, tag);
            return self.wrong_fields(fields, shared);
        };
        if let Some(class) = class {
            self.note(class.span, Entity::Class(id), Ty::WRONG);
        }
        self.note(tag.span, Entity::Tag(id, number), Ty::WRONG);
        let params = self.world.class(id).params.clone();
        let world::ClassKind::Variant(tags) = &self.world.class(id).kind else { unreachable!("it is one") };
        let (types, place) = (tags[number as usize].fields.clone(), tags[number as usize].span);
        let types: Vec<Ty> = types.into_iter().map(|ty| self.world.types.substitute(ty, &params, &args)).collect();
        let parts = match (fields, &types[..]) {
            // A tag alone may stand for one with nothing to tell; a single `_` for one without fields.
            (None, [ty]) if self.outside(*ty) == Ty::UNIT => vec![Pattern { kind: PatternKind::Any, ty: *ty, span }],
            (Some([one]), []) if matches!(self.body.pattern(*one), syntax::Pattern::Any) => Vec::new(),
            (fields, types) => {
                let fields = fields.unwrap_or_default();
                if fields.len() != types.len() {
                    let (wanted, found) = (types.len(), fields.len());
                    self.report(span, || {
                        let one = if wanted == 1 { "one field".to_string() } else { format!("{wanted} fields") };
                        let message = format!("`{text}` has {one}, the pattern {found}");
                        Diagnostic::error(code::PATTERN_COUNT, message).at(span, "").and(place, "it is defined here")
                    });
                    return self.wrong_fields(Some(fields), shared);
                }
                let parts = fields.iter().zip(types.to_vec());
                parts.map(|(&field, ty)| self.pattern_of(field, ty, Reason::Unsaid, shared)).collect()
            }
        };
        PatternKind::Construct(number, parts)
    }

    fn unknown_tag(&mut self, class: ClassId, tag: Ident) {
        let (text, own) = (self.names.text(tag.name), self.names.text(self.world.class(class).name));
        let tags: Vec<&str> = match &self.world.class(class).kind {
            world::ClassKind::Variant(tags) => tags.iter().map(|tag| self.names.text(tag.name)).collect(),
            _ => Vec::new(),
        };
        self.report(tag.span, || {
            let message = format!("class `{own}` has no tag `{text}`");
            let diagnostic = Diagnostic::error(code::UNKNOWN_TAG, message).at(tag.span, "");
            suggest(diagnostic, text, tags.into_iter())
        });
    }

    /// Binds the variables of patterns whose types nobody knows.
    fn wrong_fields(&mut self, fields: Option<&[PatternId]>, shared: &mut Option<Vec<(Name, Local)>>) -> PatternKind {
        for &field in fields.unwrap_or_default() {
            self.pattern_of(field, Ty::WRONG, Reason::Unsaid, shared);
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
        let all: Vec<PatternId> = fields.iter().map(|field| field.1).collect();
        let shape = self.shape(ty);
        let (id, args) = match &shape {
            Shape::Class(id, args) if matches!(self.world.class(*id).kind, world::ClassKind::Object(_)) => (*id, args),
            Shape::Wrong => return self.wrong_fields(Some(&all), shared),
            _ => {
                self.unfit_pattern(ty, "an object", span, reason);
                return self.wrong_fields(Some(&all), shared);
            }
        };
        let params = self.world.class(id).params.clone();
        let world::ClassKind::Object(known) = &self.world.class(id).kind else { unreachable!("it is one") };
        let known = known.clone();
        let mut parts: Vec<Option<Pattern>> = vec![None; known.len()];
        for &(Ident { name, span }, pattern) in fields {
            let text = self.names.text(name);
            let Some(number) = known.iter().position(|field| field.name == name) else {
                let own = self.names.text(self.world.class(id).name);
                let names: Vec<&str> = known.iter().map(|field| self.names.text(field.name)).collect();
                self.report(span, || {
                    let message = format!("class `{own}` has no field `{text}`");
                    suggest(Diagnostic::error(code::UNKNOWN_MEMBER, message).at(span, ""), text, names.into_iter())
                });
                self.pattern_of(pattern, Ty::WRONG, Reason::Unsaid, shared);
                continue;
            };
            let field = &known[number];
            if field.is_private && id != self.class {
                let own = self.names.text(self.world.class(id).name);
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
            let ty = self.world.types.substitute(field.ty, &params, args);
            // Where the field gives the variable its name, that is noted.
            if self.body.pattern_span(pattern) != span {
                self.note(span, Entity::Field(id, number as u32), ty);
            }
            parts[number] = Some(self.pattern_of(pattern, ty, Reason::Unsaid, shared));
        }
        let mut patterns = Vec::with_capacity(known.len());
        for (part, field) in parts.into_iter().zip(&known) {
            let ty = self.world.types.substitute(field.ty, &params, args);
            patterns.push(part.unwrap_or(Pattern { kind: PatternKind::Any, ty, span }));
        }
        PatternKind::Construct(0, patterns)
    }
}
