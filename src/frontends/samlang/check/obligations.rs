//! Types that must have an interface, because the bound of a parameter asks for it. Where a type is known at once, or
//! only at the end of the body, that is proved at the end. Where it is found out to be one that never has an interface,
//! it is an error from there on, so that nothing is reported that only follows from it.

use super::Checker;
use crate::collect_items::Obligation;
use crate::interface_check::Obligations;
use crate::types::{ParamId, Ty, TypeKind};
use cleave_diag::Span;

impl Checker<'_> {
    pub(super) fn oblige(&mut self, params: &[ParamId], args: &[Ty], span: Span) {
        self.oblige_from(0, params, args, span);
    }

    /// The same for the parameters from this number on.
    pub(super) fn oblige_from(&mut self, first: usize, params: &[ParamId], args: &[Ty], span: Span) {
        for due in crate::interface_check::obligations(self.program, first, params, args, span) {
            match self.program.types.kind(due.ty) {
                TypeKind::Unknown(_) => self.obligations.open.push(Some(due)),
                _ => self.obligations.known.push(due),
            }
        }
    }

    /// Proves what types that were found out since the last time must have, if they can never have it.
    pub(super) fn settle_basic(&mut self) {
        let (first, found) = self.obligations.looked;
        let mut next: Vec<usize> = (first..self.obligations.open.len()).collect();
        if !self.obligations.waiting.is_empty() {
            let numbers = self.trail[found..].iter();
            next.extend(numbers.filter_map(|number| self.obligations.waiting.remove(number)).flatten());
            next.sort_unstable();
        }
        self.obligations.looked = (self.obligations.open.len(), self.trail.len());
        for place in next {
            let Some(due) = self.obligations.open[place] else { continue };
            let ty = self.outside(due.ty);
            if let TypeKind::Unknown(number) = *self.program.types.kind(ty) {
                self.obligations.waiting.entry(number).or_default().push(place);
                continue;
            }
            self.obligations.open[place] = None;
            let bound = self.resolve(due.bound);
            if !matches!(ty, Ty::INT | Ty::BOOL | Ty::TEXT | Ty::UNIT) || self.program.types.is_open(bound) {
                self.obligations.known.push(due);
                continue;
            }
            let mut ty = due.ty;
            let is_right = self.prove(due);
            while let (TypeKind::Unknown(number), false) = (self.program.types.kind(ty), is_right) {
                let slot = &mut self.unknowns[*number as usize].found;
                ty = slot.replace(Ty::ERROR).unwrap_or(Ty::ERROR);
            }
        }
    }

    /// Proves all that is left.
    pub(super) fn settle_obligations(&mut self) {
        let Obligations { known, open, .. } = std::mem::take(&mut self.obligations);
        for due in known.into_iter().chain(open.into_iter().flatten()) {
            self.prove(due);
        }
    }

    /// Whether a type has the interface that it should have, if the type is known; if not, that is said.
    fn prove(&mut self, mut due: Obligation) -> bool {
        due.ty = self.resolve(due.ty);
        due.bound = self.resolve(due.bound);
        // A bound may be what says the last arguments.
        for interface in self.program.interfaces(due.ty) {
            if self.unify(due.bound, interface) {
                due.bound = interface;
                break;
            }
        }
        matches!(self.program.types.kind(due.ty), TypeKind::Unknown(_))
            || crate::interface_check::prove(self.program, self.names, self.sink, due)
    }
}
