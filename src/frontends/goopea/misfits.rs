//! Parameters that a body uses as values of another type than is written for them: that is said once, at the type,
//! rather than at each use.

use crate::match_check::Misfit;
use crate::syntax::{Function, Id, Syntax};
use crate::typeck::Checker;
use cleave_diag::{Diagnostic, code};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{FunctionId, Type};

impl Checker<'_> {
    /// Notes values that would be right with other types, of which one message is made; all have to be parameters.
    pub fn misfit(&mut self, values: &[(Id, Type)]) {
        let found = values.iter().map(|&(value, wanted)| {
            let Syntax::Variable(name) = self.tree.syntax(value) else { return None };
            let var = self.bindings[name.0 as usize]?;
            let param = self.params().iter().position(|&param| param == var)?;
            Some(Misfit { param, wanted, place: self.tree.span(value) })
        });
        let found: Option<Vec<Misfit>> = found.collect();
        self.misfits.messages += usize::from(found.is_some());
        self.misfits.found.extend(found.into_iter().flatten());
    }

    /// Says at the types what a body says of them, if all that is wrong with it since so many messages is that.
    pub fn end_misfits(&mut self, id: FunctionId, source: &Function, messages: usize) {
        if self.misfits.are_kept {
            return;
        }
        let misfits = std::mem::take(&mut self.misfits);
        let all = self.all;
        let types = &all.functions[id.index()].params;
        let Some(first) = misfits.found.first() else { return };
        let other = misfits.found.iter().find(|misfit| misfit.param != first.param);
        let is_same = |misfit: &Misfit| {
            [Some(first), other].into_iter().flatten().any(|it| (it.param, it.wanted) == (misfit.param, misfit.wanted))
        };
        let is_alone = self.sink.diagnostics().len() == messages + misfits.messages;
        if !is_alone || misfits.messages < 2 || !misfits.found.iter().all(is_same) {
            return;
        }
        let name = |param: usize| source.params.get(param).copied().flatten().map(|(name, _)| all.names.text(name));
        let place = |param: usize| source.param_types.get(param).map(|ty| ty.span);
        let (Some(text), Some(span)) = (name(first.param), place(first.param)) else { return };
        let is_exchanged =
            |other: &&Misfit| types[other.param] == Some(first.wanted) && types[first.param] == Some(other.wanted);
        let diagnostic = match other {
            None => {
                let (wanted, has) = (all.show(Some(first.wanted)), all.show(types[first.param]));
                let message = format!("`{text}` is `{has}` by its type, but is used as `{wanted}`");
                let diagnostic = Diagnostic::error(code::ARGUMENT_TYPE, message).at(span, "this is its type");
                diagnostic.help(format!("is `{wanted}` meant?"))
            }
            Some(other) if is_exchanged(&other) => {
                let (Some(second), Some(there)) = (name(other.param), place(other.param)) else { return };
                let message = format!("the types of `{text}` and `{second}` stand in each other's place");
                let diagnostic = Diagnostic::error(code::ARGUMENT_TYPE, message);
                let diagnostic = diagnostic.at(span, format!("`{text}` is used as `{}`", all.show(Some(first.wanted))));
                let used = format!("`{second}` is used as `{}`", all.show(Some(other.wanted)));
                diagnostic.and(there, used).fix("exchange the types", self.sources.exchange(span, there))
            }
            Some(_) => return,
        };
        self.sink.withdraw(messages);
        let uses = misfits.found.iter().filter(|misfit| misfit.param == first.param && other.is_none()).take(3);
        let diagnostic = uses.fold(diagnostic, |it, misfit| it.and(misfit.place, "used here"));
        self.report(span, |_| diagnostic);
        self.doubted[0].extend(misfits.found.iter().map(|misfit| (id, misfit.param)));
    }
}
