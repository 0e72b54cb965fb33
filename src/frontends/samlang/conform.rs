//! Interfaces: whether classes have what theirs ask for, and whether types have those that their places ask for.

use crate::declare::{Declarer, Obligation};
use crate::lex::Names;
use crate::types::{ClassId, ParamId, Shape, Ty};
use crate::world::{Kind, MemberId, World, report};
use cleave_diag::{Diagnostic, Sink, Span, code};

impl Declarer<'_> {
    /// A class has what its interfaces ask for.
    pub(crate) fn conformance(&mut self, id: ClassId) {
        if matches!(self.world.class(id).kind, Kind::Interface) {
            return;
        }
        for (interface, span) in self.world.class(id).interfaces.clone() {
            let mut all = vec![interface];
            all.extend(self.world.interfaces(interface));
            all.dedup();
            for interface in all {
                let Shape::Class(of, args) = self.world.types.shape(interface).clone() else { continue };
                for wanted in self.world.class(of).members.clone() {
                    self.conforms(id, wanted, &args, interface, span);
                }
            }
        }
    }

    /// The member of a class that an interface asks for.
    fn conforms(&mut self, id: ClassId, wanted: MemberId, args: &[Ty], interface: Ty, span: Span) {
        let name = self.world.member(wanted).name;
        let (class, text) = (self.names.text(self.world.class(id).name), self.names.text(name));
        let interface_params = match self.world.types.shape(interface) {
            Shape::Class(of, _) => self.world.class(*of).params.clone(),
            _ => Vec::new(),
        };
        let shown = self.world.show(interface, self.names);
        let there = self.world.member(wanted).span;
        let found = self.world.class(id).by_name.get(&name).copied();
        let Some(found) = found.filter(|&found| self.world.member(found).is_method) else {
            return report(self.sink, span, || {
                let message = format!("class `{class}` has no method `{text}`, which `{shown}` asks for");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(span, "");
                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"))
            });
        };
        let member = self.world.member(wanted);
        let (mut params, count) = (interface_params, member.params.len());
        params.extend(&member.params);
        let signature = (member.types.clone(), member.result);
        let own = self.world.member(found).params.clone();
        let mut all = args.to_vec();
        all.extend(own.iter().map(|&param| self.world.types.param(param)));
        let asked = self.world.types.function(&signature.0, signature.1);
        let asked = self.world.types.substitute(asked, &params, &all);
        let member = self.world.member(found);
        let (types, result, place) = (member.types.clone(), member.result, member.span);
        let has = self.world.types.function(&types, result);
        if (asked != has || count != own.len())
            && let Some(place) = place
        {
            let (asked, has) = (self.world.show(asked, self.names), self.world.show(has, self.names));
            report(self.sink, place, || {
                let message = format!("`{text}` is `{has}`, but `{shown}` asks for `{asked}`");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(place, "");
                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"))
            });
        }
    }
}

/// What has to be proved where these parameters get these arguments.
pub fn obligations(world: &mut World, params: &[ParamId], args: &[Ty], span: Span) -> Vec<Obligation> {
    let bounds: Vec<Option<Ty>> = params.iter().map(|&param| world.param(param).bound).collect();
    let pairs = args.iter().zip(bounds).filter_map(|(&ty, bound)| Some((ty, bound?)));
    let pairs: Vec<(Ty, Ty)> = pairs.collect();
    pairs
        .into_iter()
        .map(|(ty, bound)| Obligation { ty, bound: world.types.substitute(bound, params, args), span })
        .collect()
}

/// Says what is wrong if a type has not the interface that it should have.
pub fn prove(world: &mut World, names: &Names, sink: &mut Sink, Obligation { ty, bound, span }: Obligation) {
    if ty == Ty::WRONG || world.interfaces(ty).contains(&bound) {
        return;
    }
    let (shown, wanted) = (world.show(ty, names), world.show(bound, names));
    report(sink, span, || {
        let message = format!("`{shown}` has not the interface `{wanted}`, which is asked for here");
        Diagnostic::error(code::UNMET_BOUND, message).at(span, "")
    });
}
