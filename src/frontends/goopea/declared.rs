//! Types that are declared wrong: parameters, results and fields whose uses all want another type. Functions are
//! checked again with other types of the program, and what makes several messages go is said once
//! (`cleave_strict::blame`).

use crate::collect_items::{Definitions, Known, count};
use crate::lex::Name;
use crate::syntax::{Function, Pattern, Syntax, Tree, TypeName};
use crate::typeck::Checker;
use cleave_diag::{Sink, SourceMap, Span, code};
use cleave_ir::EntityRef;
use cleave_strict::blame::{self, Declared, Form, ROUNDS};
use cleave_strict::core_ir::{FunctionId, Type, TypeId};
use std::collections::BTreeMap;

/// Something with a declared type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Param(usize, usize),
    Result(usize, usize),
    Field(Name, usize),
}

/// What is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    Other(Place, Type),
    /// Two types of one list stand in each other's place.
    Exchanged(Place, Place),
    /// A constructor has one field more at this place, of any type, or one less.
    More(Name, usize),
    Less(Name, usize),
    /// What was left out is put back.
    Back(Name, usize, Known),
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
        let few = if numbers(tree, &all).is_empty() { 2 } else { 1 };
        let is_over = round == ROUNDS || now.error_count() < said.error_count() + few;
        let mut candidates = if is_over { Vec::new() } else { candidates(tree, &all, sources, &now) };
        if candidates.len() > trials_left {
            candidates.retain(|candidate| !matches!(candidate, Trial::Exchanged(..)));
        }
        let mut trials = Vec::new();
        if candidates.len() <= trials_left {
            trials_left -= candidates.len();
            for candidate in candidates {
                let Some(found) = candidate.declared(tree, &all, sources) else { continue };
                let undo = candidate.apply(&mut all);
                let trial = messages(tree, &all, sources, &said);
                undo.apply(&mut all);
                if let Some(gone) = blame::gone(&now, &trial, found.place, least(&found)) {
                    trials.push((trial.error_count(), found, (candidate, gone)));
                }
            }
        }
        let Some((found, (candidate, gone))) = blame::best(trials) else { break };
        candidate.apply(&mut all);
        said.report(
            found.message(if found.form.is_number() { code::ARGUMENT_COUNT } else { code::ARGUMENT_TYPE }, &gone),
        );
    }
    (said.error_count() > before.error_count()).then_some((all, said))
}

/// What may be declared wrong, with all other types: only what stands, or is named, where there are messages.
fn candidates(tree: &Tree, all: &Definitions, sources: &SourceMap, sink: &Sink) -> Vec<Trial> {
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
    const NEAR: usize = 4;
    let pairs = places.iter().enumerate().flat_map(|(at, one)| {
        let others = places[at + 1..].iter().take_while(|other| one.0.is_beside(other.0)).take(NEAR);
        others.map(move |other| (one, other)).filter(|(one, other)| one.1 != other.1)
    });
    let exchanged: Vec<Trial> = pairs.map(|(one, other)| Trial::Exchanged(one.0, other.0)).collect();
    let found = places.iter().copied().flat_map(others).map(|(place, ty)| Trial::Other(place, ty));
    numbers(tree, all).into_iter().chain(found).chain(exchanged).collect()
}

/// So many messages go at least. Those of one number are one.
fn least(declared: &Declared) -> usize {
    if declared.form.is_number() { 1 } else { 2 }
}

/// Whether a constructor is perhaps declared with the wrong number of fields.
pub fn has_wrong_number(tree: &Tree, all: &Definitions) -> bool {
    !numbers(tree, all).is_empty()
}

/// Constructors that all uses give another number of fields, by one.
fn numbers(tree: &Tree, all: &Definitions) -> Vec<Trial> {
    const LONGEST: usize = 8;
    // Of each constructor the number of fields that all uses have so far, and how often it is used.
    let mut uses: BTreeMap<Name, (Option<usize>, usize)> = BTreeMap::new();
    let mut add = |name: Name, count: usize| {
        let entry = uses.entry(name).or_insert((Some(count), 0));
        entry.0 = entry.0.filter(|&other| other == count);
        entry.1 += 1;
    };
    for case in &tree.cases {
        if let Pattern::Constructor(name, binders) = case.pattern {
            add(name, binders.length as usize);
        }
    }
    for &(syntax, _) in &tree.exprs {
        if let Syntax::Construct(name, args) = syntax {
            add(name, args.length as usize);
        }
    }
    let mut found = Vec::new();
    for (name, (count, times)) in uses {
        let (Some(count), Some(info)) = (count, all.constructor(name)) else { continue };
        let has = info.fields.len();
        if info.is_twice || has > LONGEST || times < 2 || found.len() > LONGEST {
            continue;
        }
        if count == has + 1 {
            found.extend((0..=has).map(|at| Trial::More(name, at)));
        } else if count + 1 == has {
            found.extend((0..has).map(|at| Trial::Less(name, at)));
        }
    }
    found
}

/// What messages say of a constructor with one field more, or less.
fn number(tree: &Tree, all: &Definitions, name: Name, is_more: bool) -> Option<Declared> {
    let mut constructors = tree.enums.iter().flat_map(|item| &item.constructors);
    let place = constructors.find(|constructor| constructor.name == name)?.span;
    let has = all.constructor(name)?.fields.len();
    let wanted = if is_more { has + 1 } else { has - 1 };
    Some(Declared {
        what: format!("`{}`", all.names.text(name)),
        place,
        has: count(has, "field"),
        wanted: wanted.to_string(),
        form: if is_more { Form::TooFew } else { Form::TooMany },
        edits: Vec::new(),
    })
}

impl Trial {
    /// Declares that; it gives what declares it as it was before.
    fn apply(self, all: &mut Definitions) -> Trial {
        match self {
            Trial::Other(place, ty) => match place.exchange(all, Some(ty)) {
                Some(own) => Trial::Other(place, own),
                None => self,
            },
            Trial::More(name, at) => {
                all.constructor_mut(name).into_iter().for_each(|info| info.fields.insert(at, None));
                Trial::Less(name, at)
            }
            Trial::Less(name, at) => {
                let left_out = all.constructor_mut(name).map(|info| info.fields.remove(at));
                Trial::Back(name, at, left_out.flatten())
            }
            Trial::Back(name, at, ty) => {
                all.constructor_mut(name).into_iter().for_each(|info| info.fields.insert(at, ty));
                Trial::Less(name, at)
            }
            Trial::Exchanged(one, other) => {
                let own = one.exchange(all, None);
                let own = other.exchange(all, own);
                one.exchange(all, own);
                self
            }
        }
    }

    /// What messages say of it, if it is right.
    fn declared(self, tree: &Tree, all: &Definitions, sources: &SourceMap) -> Option<Declared> {
        let (one, other) = match self {
            Trial::Other(place, ty) => return place.declared(tree, all, ty),
            Trial::Exchanged(one, other) => (one, other),
            Trial::More(name, _) | Trial::Less(name, _) | Trial::Back(name, ..) => {
                let is_more = matches!(self, Trial::More(..));
                return number(tree, all, name, is_more);
            }
        };
        let (types, what, at, exchanged) = match (one, other) {
            (Place::Param(number, at), Place::Param(_, exchanged)) => {
                let name = |at: usize| Some(all.names.text((*tree.functions[number].params.get(at)?)?.0));
                let what = format!("`{}` and `{}`", name(at)?, name(exchanged)?);
                let types = [at, exchanged].map(|at| all.functions[number].params[at]);
                (types.to_vec(), what, 0, 1)
            }
            (Place::Result(number, at), Place::Result(_, exchanged)) => {
                let what = format!("the results of `{}`", all.names.text(tree.functions[number].name));
                (all.functions[number].results.to_vec(), what, at, exchanged)
            }
            (Place::Field(name, at), Place::Field(_, exchanged)) => {
                let what = format!("the fields of `{}`", all.names.text(name));
                (all.constructor(name)?.fields.to_vec(), what, at, exchanged)
            }
            _ => return None,
        };
        let mut wanted = types.clone();
        wanted.swap(at, exchanged);
        let (first, second) = (one.written(tree, all)?.span, other.written(tree, all)?.span);
        let (has, wanted) = (all.show_all(&types), all.show_all(&wanted));
        let edits = sources.exchange(first, second);
        Some(Declared { what, place: Span { end: second.end, ..first }, has, wanted, form: Form::Types, edits })
    }
}

impl Place {
    /// Both are of one list.
    fn is_beside(self, other: Place) -> bool {
        match (self, other) {
            (Place::Param(one, _), Place::Param(other, _)) | (Place::Result(one, _), Place::Result(other, _)) => {
                one == other
            }
            (Place::Field(one, _), Place::Field(other, _)) => one == other,
            _ => false,
        }
    }

    /// The type that is written there.
    fn written(self, tree: &Tree, all: &Definitions) -> Option<TypeName> {
        match self {
            Place::Param(number, at) => tree.functions[number].param_types.get(at).copied(),
            Place::Result(number, at) => tree.functions[number].result_types.get(at).copied(),
            Place::Field(name, at) => {
                let mut constructors = tree.enums.iter().flat_map(|item| &item.constructors);
                let constructor = constructors.find(|constructor| constructor.name == name)?;
                all.constructor(name)?.fields.get(at)?;
                constructor.fields.get(at).copied()
            }
        }
    }

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
        let (what, has): (String, Known) = match self {
            Place::Param(number, at) => {
                let (name, _) = (*tree.functions[number].params.get(at)?)?;
                (format!("`{}`", text(name)), all.functions[number].params[at])
            }
            Place::Result(number, at) => {
                let function = &tree.functions[number];
                let what = match function.result_types.len() {
                    1 => format!("the result of `{}`", text(function.name)),
                    _ => format!("result {} of `{}`", at + 1, text(function.name)),
                };
                (what, all.functions[number].results[at])
            }
            Place::Field(name, at) => {
                (format!("field {} of `{}`", at + 1, text(name)), *all.constructor(name)?.fields.get(at)?)
            }
        };
        let place = self.written(tree, all)?.span;
        let (has, wanted) = (all.show(has).to_string(), all.show(Some(wanted)).to_string());
        Some(Declared::with_type(what, place, has, wanted))
    }
}
