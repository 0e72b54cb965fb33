//! What is noted of a body for editors: which name stands for what, and what may stand where one types.

use super::Checker;
use crate::built_in::STR;
use crate::lex::Name;
use crate::program::{self, MemberId};
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{FileId, Span};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// A variable, and where it is bound.
    Variable(Name, Span),
    This,
    Class(ClassId),
    Member(MemberId),
    Field(ClassId, u32),
    Variant(ClassId, u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Note {
    pub span: Span,
    pub entity: Entity,
    pub ty: Ty,
}

/// What is asked for, and what was found.
#[derive(Debug)]
pub struct Notes {
    /// Names in this file are noted.
    pub file: FileId,
    /// Stands where one types.
    pub typed: Option<Name>,
    pub found: Vec<Note>,
    /// What may stand there.
    pub offered: Vec<(Entity, Ty)>,
    /// A name without a dot may stand there: a class, too.
    pub is_bare: bool,
}

impl Checker<'_> {
    /// Notes what a name stands for.
    pub(super) fn note(&mut self, span: Span, entity: Entity, ty: Ty) {
        if let Some(notes) = self.notes.as_deref_mut().filter(|notes| notes.file == span.file) {
            notes.found.push(Note { span, entity, ty });
        }
    }

    pub(super) fn is_typed(&self, name: Name) -> bool {
        self.notes.as_deref().is_some_and(|notes| notes.typed == Some(name))
    }

    /// An editor asks what may stand where one types.
    pub(super) fn completes(&self) -> bool {
        self.notes.as_deref().is_some_and(|notes| notes.typed.is_some())
    }

    fn offer(&mut self, entity: Entity, ty: Ty) {
        if let Some(notes) = self.notes.as_deref_mut() {
            notes.offered.push((entity, ty));
        }
    }

    /// An expression may stand here.
    pub(super) fn offer_names(&mut self) {
        for (name, local) in self.env.clone() {
            let info = self.hir.local(local);
            let (ty, span) = (info.ty, info.span);
            if !self.is_typed(name) {
                self.offer(Entity::Variable(name, span), ty);
            }
        }
        if let Some(this) = self.this {
            self.offer(Entity::This, self.hir.local(this).ty);
        }
        self.offer_variants(self.class);
        if let Some(notes) = self.notes.as_deref_mut() {
            notes.is_bare = true;
        }
    }

    pub(super) fn offer_variants(&mut self, class: ClassId) {
        if let program::ClassKind::Enum(variants) = &self.program.class(class).kind {
            for number in 0..variants.len() as u32 {
                self.offer(Entity::Variant(class, number), Ty::ERROR);
            }
        }
    }

    /// A pattern for values of a type may stand here.
    pub(super) fn offer_patterns(&mut self, ty: Ty) {
        if let TypeKind::Class(class, _) = self.kind(ty) {
            self.offer_variants(class);
        }
    }

    /// A function or variant of a class may stand here.
    pub(super) fn offer_functions(&mut self, class: ClassId) {
        self.offer_variants(class);
        for id in self.program.class(class).members.clone() {
            let info = self.program.member(id);
            if !info.is_method && (!info.is_private || class == self.class) {
                self.offer(Entity::Member(id), Ty::ERROR);
            }
        }
    }

    /// A field or method of a value may stand here.
    pub(super) fn offer_members(&mut self, ty: Ty) {
        if let TypeKind::Class(class, args) = self.program.types.kind(ty).clone()
            && let program::ClassKind::Object(fields) = &self.program.class(class).kind
        {
            let params = self.program.class(class).params.clone();
            for (number, field) in fields.clone().into_iter().enumerate() {
                if !field.is_private || class == self.class {
                    let ty = self.program.types.substitute(field.ty, &params, &args);
                    self.offer(Entity::Field(class, number as u32), ty);
                }
            }
        }
        // Strings have methods of their own.
        if ty == Ty::TEXT && self.is_today {
            self.offer_methods(STR);
        }
        let own = matches!(self.program.types.kind(ty), TypeKind::Class(..));
        let places = if own { vec![ty] } else { self.program.interfaces(ty) };
        for place in places {
            if let TypeKind::Class(class, _) = *self.program.types.kind(place) {
                self.offer_methods(class);
            }
        }
    }

    fn offer_methods(&mut self, class: ClassId) {
        for id in self.program.class(class).members.clone() {
            let info = self.program.member(id);
            if info.is_method && (!info.is_private || class == self.class) {
                self.offer(Entity::Member(id), Ty::ERROR);
            }
        }
    }

    /// Puts in what was found out about types.
    pub(super) fn settle_notes(&mut self) {
        let Some(notes) = self.notes.take() else { return };
        for ty in notes.found[self.noted.0..].iter_mut().map(|note| &mut note.ty) {
            *ty = self.resolve(*ty);
        }
        for offered in &mut notes.offered[self.noted.1..] {
            offered.1 = self.resolve(offered.1);
        }
        self.notes = Some(notes);
    }
}
