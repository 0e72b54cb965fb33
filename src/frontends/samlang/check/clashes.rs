//! What one wrong value does elsewhere: it says a type that was to be found out, and each later use is of another one.
//! The first use gives a message, which says where the type comes from; the others follow from the same mistake.

use super::{Checker, Reason};
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
