//! Types that are declared wrong: parameters, results and fields whose uses all want another type. Functions are
//! checked again with other types of the program, and what makes several messages go is said once
//! (`cleave_strict::blame`).

use crate::collect_items::{Definitions, Known};
use crate::lex::Name;
use crate::syntax::{Function, Tree, TypeName};
use crate::typeck::Checker;
use cleave_diag::{Sink, SourceMap, Span, code};
use cleave_ir::EntityRef;
use cleave_strict::blame::{self, Declared, ROUNDS};
use cleave_strict::core_ir::{FunctionId, Type, TypeId};

/// Something with a declared type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Param(usize, usize),
    Result(usize, usize),
    Field(Name, usize),
}

/// The messages of all functions, with those that only follow from a wrong type.
fn messages(tree: &Tree, all: &Definitions, sources: &SourceMap, before: &Sink) -> Sink {
    let mut sink = before.clone();
    let mut checker = Checker::new(tree, all, sources, &mut sink, None);
    checker.misfits.are_kept = true;
    for (number, source) in tree.functions.iter().enumerate() {
        checker.function(FunctionId::new(number), source);
    }
    sink
}

/// The definitions with other types for those that are declared wrong, if there are any, and the messages about them
/// besides those from before.
pub fn find<'d>(
    tree: &Tree,
    all: &Definitions<'d>,
    sources: &SourceMap,
    before: &Sink,
) -> Option<(Definitions<'d>, Sink)> {
    let mut all = all.clone();
    let (mut said, mut trials_left) = (before.clone(), blame::COST / tree.exprs.len().max(1));
    for round in 0..=ROUNDS {
        let now = messages(tree, &all, sources, &said);
        let is_over = round == ROUNDS || now.error_count() < said.error_count() + 2;
        let candidates = if is_over { Vec::new() } else { candidates(tree, &all, sources, &now) };
        let mut trials = Vec::new();
        if candidates.len() <= trials_left {
            trials_left -= candidates.len();
            for (place, ty) in candidates {
                let own = place.exchange(&mut all, Some(ty));
                let trial = messages(tree, &all, sources, &said);
                place.exchange(&mut all, own);
                if let Some(gone) = blame::gone(&now, &trial)
                    && let Some(found) = place.declared(tree, &all, ty)
                {
                    trials.push((trial.error_count(), found, (place, ty, gone)));
                }
            }
        }
        let Some((found, (place, ty, gone))) = blame::best(trials) else { break };
        place.exchange(&mut all, Some(ty));
        said.report(found.message(code::ARGUMENT_TYPE, &gone));
    }
    (said.error_count() > before.error_count()).then_some((all, said))
}

/// What may be declared wrong, with all other types: only what stands, or is named, where there are messages.
fn candidates(tree: &Tree, all: &Definitions, sources: &SourceMap, sink: &Sink) -> Vec<(Place, Type)> {
    let whole = |function: &Function| Span { end: tree.span(function.body).end, ..function.span };
    let has_messages = blame::has_messages(sink);
    let wrong = tree.functions.iter().map(whole).filter(|&span| has_messages(span));
    let involved: Vec<String> = wrong.map(|span| sources.text(span)).collect();
    let is_involved = |name: Name| involved.iter().any(|text| text.contains(all.names.text(name)));
    let mut places = Vec::new();
    for number in (0..tree.functions.len()).filter(|&number| is_involved(tree.functions[number].name)) {
        let signature = &all.functions[number];
        places.extend(signature.params.iter().enumerate().map(|(at, &ty)| (Place::Param(number, at), ty)));
        places.extend(signature.results.iter().enumerate().map(|(at, &ty)| (Place::Result(number, at), ty)));
    }
    for name in all.types.iter().flat_map(|ty| &ty.constructors).copied().filter(|&name| is_involved(name)) {
        let fields = all.constructor(name).into_iter().flat_map(|info| info.fields.iter().enumerate());
        places.extend(fields.map(|(at, &ty)| (Place::Field(name, at), ty)));
    }
    let types = (0..all.types.len()).map(|number| Type::Data(TypeId::new(number)));
    let types: Vec<Type> = std::iter::once(Type::Int).chain(types).collect();
    let others = |(place, has): (Place, Known)| {
        let others = types.iter().copied().filter(move |&ty| has.is_some_and(|has| has != ty));
        others.map(move |ty| (place, ty))
    };
    places.into_iter().flat_map(others).collect()
}

impl Place {
    fn slot<'a>(self, all: &'a mut Definitions) -> Option<&'a mut Known> {
        match self {
            Place::Param(function, at) => all.functions[function].params.get_mut(at),
            Place::Result(function, at) => all.functions[function].results.get_mut(at),
            Place::Field(name, at) => all.constructor_mut(name)?.fields.get_mut(at),
        }
    }

    /// Declares another type there; it gives the one before.
    fn exchange(self, all: &mut Definitions, ty: Known) -> Known {
        self.slot(all).and_then(|slot| std::mem::replace(slot, ty))
    }

    /// What messages say of it, if this type is right for it.
    fn declared(self, tree: &Tree, all: &Definitions, wanted: Type) -> Option<Declared> {
        let text = |name: Name| all.names.text(name);
        let (what, has, ty): (String, Known, TypeName) = match self {
            Place::Param(number, at) => {
                let function = &tree.functions[number];
                let (name, _) = (*function.params.get(at)?)?;
                (format!("`{}`", text(name)), all.functions[number].params[at], *function.param_types.get(at)?)
            }
            Place::Result(number, at) => {
                let function = &tree.functions[number];
                let what = match function.result_types.len() {
                    1 => format!("the result of `{}`", text(function.name)),
                    _ => format!("result {} of `{}`", at + 1, text(function.name)),
                };
                (what, all.functions[number].results[at], *function.result_types.get(at)?)
            }
            Place::Field(name, at) => {
                let mut constructors = tree.enums.iter().flat_map(|item| &item.constructors);
                let constructor = constructors.find(|constructor| constructor.name == name)?;
                let has = all.constructor(name)?.fields[at];
                (format!("field {} of `{}`", at + 1, text(name)), has, *constructor.fields.get(at)?)
            }
        };
        let (has, wanted) = (all.show(has).to_string(), all.show(Some(wanted)).to_string());
        Some(Declared { what, place: ty.span, has, wanted })
    }
}
