//! What one wrong value does elsewhere: it says a type that was to be found out, and each later use is of another one.
//! The first use gives a message, which says where the type comes from; the others follow from the same mistake.

use super::{Checker, Reason, Unknown};
use crate::types::{Ty, TypeKind};
use cleave_diag::Span;

/// This clash of types has been said.
pub(super) struct Said;

/// Two places have something in common.
pub(super) fn overlap(a: Span, b: Span) -> bool {
    a.file == b.file && a.start < b.end && b.start < a.end
}

impl Reason {
    /// Its place is this one, or a part of it.
    pub(super) fn is_at(self, place: Span) -> bool {
        match self {
            Reason::Result(own)
            | Reason::Annotation(own)
            | Reason::Part(own, _)
            | Reason::Defined(own)
            | Reason::Branch(own)
            | Reason::Operand(own)
            | Reason::Subject(own) => overlap(own, place),
            Reason::Operator(_) | Reason::Condition | Reason::Unit | Reason::Unsaid => false,
        }
    }
}

impl Checker<'_> {
    /// A type that is said here, as something that was found out: who uses it otherwise hears where it comes from.
    pub(super) fn said(&mut self, ty: Ty, span: Span) -> Ty {
        if ty == Ty::ERROR {
            return ty;
        }
        let number = self.unknowns.len() as u32;
        self.unknowns.push(Unknown { found: Some(ty), span, origin: Some(span) });
        self.program.types.unknown(number)
    }

    /// The type of an object with all that is known, but for arguments that had to be found out and are known: of
    /// these it is known, too, where they come from.
    pub(super) fn known_outside(&mut self, ty: Ty) -> Ty {
        let ty = self.outside(ty);
        let TypeKind::Class(class, args) = self.program.types.kind(ty).clone() else { return self.resolve(ty) };
        let args: Vec<Ty> = args
            .iter()
            .map(|&arg| {
                let known = self.resolve(arg);
                let was_found = matches!(self.program.types.kind(arg), TypeKind::Unknown(_));
                if was_found && !self.program.types.is_open(known) { arg } else { known }
            })
            .collect();
        self.program.types.class(class, &args)
    }

    /// Where one of two types that do not fit comes from, and whether it is the one that was found, if it had to be
    /// found out.
    pub(super) fn origin_of_clash(&mut self, wanted: Ty, found: Ty) -> Result<Option<(Span, bool)>, Said> {
        let (of_found, of_wanted) = (self.found_out(found), self.found_out(wanted));
        let (a, b) = (self.resolve(wanted), self.resolve(found));
        let types = (a.min(b), a.max(b));
        let numbers = [of_found, of_wanted].into_iter().flatten().map(|it| it.0);
        let clashes: Vec<(u32, Ty, Ty)> = numbers.map(|number| (number, types.0, types.1)).collect();
        // A message may have been withdrawn: something is said of a wrong program in any case.
        if self.sink.has_errors() && clashes.iter().any(|clash| self.clashes.contains(clash)) {
            return Err(Said);
        }
        self.clashes.extend(clashes);
        let place = |it: Option<(u32, Option<Span>)>, is_found| it.and_then(|it| it.1).map(|place| (place, is_found));
        Ok(place(of_found, true).or_else(|| place(of_wanted, false)))
    }

    /// The last unknown that stands for a type which is known by now, and what said that.
    fn found_out(&self, mut ty: Ty) -> Option<(u32, Option<Span>)> {
        let mut last = None;
        while let TypeKind::Unknown(number) = *self.program.types.kind(ty) {
            let unknown = &self.unknowns[number as usize];
            ty = unknown.found?;
            last = Some((number, unknown.origin));
        }
        last
    }
}
