//! Types that are declared wrong: fields, parameters and results whose uses all want another type. Bodies are checked
//! again with types that messages name, and what makes several of them go is said once (`cleave_strict::blame`).

use crate::counts::{self, Count, Tried};
use crate::lex::{Name, Names};
use crate::program::{ClassKind, MemberId, Program};
use crate::syntax::{self, Ident, TypeSyntax};
use crate::types::{ClassId, Interner, ParamId, Ty, TypeKind};
use crate::{State, each_body};
use cleave_diag::{Sink, SourceMap, Span, code};
use cleave_strict::blame::{self, Declared, Form, ROUNDS};

/// Something with a declared type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Field(ClassId, usize),
    /// A part of a variant.
    Part(ClassId, usize, usize),
    Param(MemberId, usize),
    Result(MemberId),
}

/// What is tried.
#[derive(Clone)]
pub(crate) enum Trial {
    /// Other types at these places, one or two that stand in each other's place.
    Types(Vec<(Place, Ty)>),
    /// Two fields or parameters stand in each other's place.
    Order(Place, Place),
    /// One is missing, or too many.
    Number(Count),
}

/// Says which declarations are wrong, and then what is wrong without them. It gives what was declared there.
pub(crate) fn find(
    program: &mut Program,
    (names, sources): (&Names, &SourceMap),
    sink: &mut Sink,
    before: &mut State,
) -> Vec<Trial> {
    let bodies = program.modules.iter().flat_map(|module| &module.classes).flat_map(|class| &class.members);
    let own = bodies.filter(|member| !program.library_files.contains(&member.span.file));
    let size: usize = own.filter_map(|member| member.body.as_ref()).map(|body| body.exprs.len()).sum();
    let mut trials_left = blame::COST / size.max(1);
    let mut declared = Vec::new();
    for _ in 0..ROUNDS {
        if sink.error_count() < before.sink.error_count() + 2 {
            break;
        }
        let mut candidates = candidates(program, sources, names, sink);
        if candidates.len() > trials_left {
            candidates.retain(|candidate| match candidate {
                Trial::Types(places) => places.len() == 1,
                Trial::Order(..) => false,
                Trial::Number(_) => true,
            });
        }
        if candidates.len() > trials_left {
            break;
        }
        trials_left -= candidates.len();
        let after = State::of(sink, program);
        let again = |program: &mut Program, sink: &mut Sink| {
            before.restore(program);
            let library = std::mem::take(&mut program.library_files);
            each_body(program, (names, sources), sink, None, |span| !library.contains(&span.file));
            program.library_files = library;
        };
        let mut trials = Vec::new();
        for candidate in candidates {
            let Some(found) = says(&candidate, program, (names, sources)) else { continue };
            let mut trial = before.sink.clone();
            let own = exchange(program, candidate.clone());
            again(program, &mut trial);
            exchange(program, own);
            if let Some(gone) = blame::gone(sink, &trial, found.place, 2) {
                trials.push((trial.error_count(), found, (candidate, gone)));
            }
        }
        let Some((found, (candidate, gone))) = blame::best(trials) else {
            after.restore(program);
            break;
        };
        declared.push(exchange(program, candidate));
        let code = if found.form.is_number() { code::ARGUMENT_COUNT } else { code::TYPE_MISMATCH };
        let message = found.message(code, &gone);
        let mut rest = before.sink.clone();
        rest.report(message.clone());
        again(program, &mut rest);
        *sink = rest;
        before.sink.report(message);
    }
    declared
}

/// Puts back what was declared.
pub(crate) fn restore(program: &mut Program, declared: Vec<Trial>) {
    for trial in declared.into_iter().rev() {
        exchange(program, trial);
    }
}

/// Declares that; it gives what declares it as it was before.
fn exchange(program: &mut Program, trial: Trial) -> Trial {
    match trial {
        Trial::Types(places) => {
            Trial::Types(places.into_iter().map(|(place, ty)| (place, place.exchange(program, ty))).collect())
        }
        Trial::Order(one, other) => {
            match (one, other) {
                (Place::Field(class, one), Place::Field(_, other)) => {
                    if let ClassKind::Object(fields) = &mut program.classes[class.0 as usize].kind {
                        fields.swap(one, other);
                    }
                }
                (Place::Param(member, one), Place::Param(_, other)) => {
                    let info = &mut program.members[member.0 as usize];
                    info.types.swap(one, other);
                    info.tried = if info.tried.is_some() { None } else { Some(Tried::Exchanged(one, other)) };
                }
                _ => {}
            }
            Trial::Order(one, other)
        }
        Trial::Number(count) => Trial::Number(count.exchange(program)),
    }
}

/// What messages say of a trial, if it is right.
fn says(trial: &Trial, program: &Program, (names, sources): (&Names, &SourceMap)) -> Option<Declared> {
    let (one, other, form) = match trial {
        Trial::Types(places) => match places[..] {
            [(place, ty)] => return place.declared(program, names, ty),
            [one, other] => (one, other, Form::Types),
            _ => return None,
        },
        &Trial::Order(one, other) => ((one, Ty::ERROR), (other, Ty::ERROR), Form::Order),
        Trial::Number(count) => return count.says(program, names),
    };
    let (first, second) = (one.0.declared(program, names, one.1)?, other.0.declared(program, names, other.1)?);
    let named = one.0.name(program).zip(other.0.name(program));
    let start = named.map_or(first.place, |names| names.0.span);
    let place = Span { end: second.place.end, ..start };
    let both = |one: &str, other: &str| format!("({one}, {other})");
    if form == Form::Types {
        let what = format!("{} and {}", first.what, second.what);
        let (has, wanted) = (both(&first.has, &second.has), both(&first.wanted, &second.wanted));
        let edits = sources.exchange(first.place, second.place);
        return Some(Declared { what, place, has, wanted, form, edits });
    }
    let (one, other) = named?;
    let text = |name: Ident| names.text(name.name);
    let whole = |name: Ident, ty: Span| Span { end: ty.end, ..name.span };
    Some(Declared {
        what: format!("`{}` and `{}`", text(one), text(other)),
        place,
        has: both(text(one), text(other)),
        wanted: both(text(other), text(one)),
        form,
        edits: sources.exchange(whole(one, first.place), whole(other, second.place)),
    })
}

/// What may be declared wrong, with another type that messages name: only what stands, or is named, where there are
/// messages.
fn candidates(program: &mut Program, sources: &SourceMap, names: &Names, sink: &Sink) -> Vec<Trial> {
    let mut pairs = Vec::new();
    let numbers = counts::candidates(program);
    let mismatches = std::mem::take(&mut program.mismatches);
    for (number, &(wanted, found)) in mismatches.iter().enumerate() {
        differences(&program.types, wanted, found, &mut pairs);
        // What values have in common of which each says a part: `Result<int, _>` and `Result<_, Str>`.
        let next = mismatches.get(number + 1).filter(|next| next.0 == wanted);
        if let Some(both) = next.and_then(|next| merged(&mut program.types, found, next.1)) {
            pairs.push((wanted, both));
        }
    }
    let has_messages = blame::has_messages(sink);
    let members = program.modules.iter().flat_map(|module| &module.classes).flat_map(|class| &class.members);
    let involved: Vec<String> =
        members.filter(|member| has_messages(member.span)).map(|member| sources.text(member.span)).collect();
    let is_involved = |name: Name| involved.iter().any(|text| text.contains(names.text(name)));
    let mut places = Vec::new();
    for id in (0..program.classes.len() as u32).map(ClassId) {
        let class = program.class(id);
        if class.span.is_none_or(|span| program.library_files.contains(&span.file)) {
            continue;
        }
        match &class.kind {
            ClassKind::Object(fields) => {
                let fields = fields.iter().enumerate();
                let fields = fields.filter(|(_, field)| is_involved(field.name) || is_involved(class.name));
                places.extend(fields.map(|(number, field)| (Place::Field(id, number), field.ty)));
            }
            ClassKind::Enum(variants) => {
                for (number, variant) in variants.iter().enumerate().filter(|(_, variant)| is_involved(variant.name)) {
                    let parts = variant.fields.iter().enumerate();
                    places.extend(parts.map(|(part, &ty)| (Place::Part(id, number, part), ty)));
                }
            }
            ClassKind::Space | ClassKind::Interface => {}
        }
        // What an interface asks for cannot be another type.
        let is_asked = |name: Name| {
            class.interfaces.iter().any(|&(ty, _)| match *program.types.kind(ty) {
                TypeKind::Class(asks, _) => {
                    let asks = program.class(asks);
                    !asks.interfaces.is_empty() || asks.by_name.contains_key(&name)
                }
                _ => true,
            })
        };
        for &id in &class.members {
            let member = program.member(id);
            if is_involved(member.name) && !is_asked(member.name) {
                places.extend(member.types.iter().enumerate().map(|(number, &ty)| (Place::Param(id, number), ty)));
                places.push((Place::Result(id), member.result));
            }
        }
    }
    let mut found: Vec<(Place, Ty)> = Vec::new();
    for &(place, has) in &places {
        for &(one, other) in &pairs {
            for (from, to) in [(one, other), (other, one)] {
                let ty = program.types.replace(has, from, to);
                if ty != has && place.may_be(program, ty) && !found.contains(&(place, ty)) {
                    found.push((place, ty));
                }
            }
        }
    }
    let mut found: Vec<Trial> = found.into_iter().map(|one| Trial::Types(vec![one])).collect();
    found.extend(numbers.into_iter().map(Trial::Number));
    for (at, &(one, has)) in places.iter().enumerate() {
        // Messages say of two types that stand in each other's place that one is found for the other. In another
        // function a parameter is another type.
        let types = &program.types;
        let is_generic = |ty: Ty| matches!(types.kind(ty), TypeKind::Param(_) | TypeKind::Function(..));
        let may_be = |first: Ty, second: Ty| {
            let is_said = pairs.contains(&(first, second)) || pairs.contains(&(second, first));
            first != second && (is_said || is_generic(first) || is_generic(second))
        };
        let beside = places[at + 1..].iter().take_while(|other| one.is_beside(other.0)).take(NEAR);
        let others: Vec<(Place, Ty)> = beside.filter(|other| may_be(has, other.1)).copied().collect();
        let exchanged = match types.kind(has) {
            TypeKind::Class(_, parts) | TypeKind::Function(parts, _) => {
                matches!(parts[..], [first, second] if may_be(first, second))
            }
            _ => false,
        };
        if let TypeKind::Class(class, args) = program.types.kind(has).clone()
            && let (&[first, second], true) = (&args[..], exchanged)
        {
            let ty = program.types.class(class, &[second, first]);
            found.push(Trial::Types(vec![(one, ty)]));
        }
        if let TypeKind::Function(params, result) = program.types.kind(has).clone()
            && let (&[first, second], true) = (&params[..], exchanged)
        {
            let ty = program.types.function(&[second, first], result);
            found.push(Trial::Types(vec![(one, ty)]));
        }
        for (other, ty) in others {
            found.push(Trial::Types(vec![(one, ty), (other, has)]));
            if matches!(one, Place::Field(..) | Place::Param(..)) {
                found.push(Trial::Order(one, other));
            }
        }
    }
    found
}

/// The class of two types, each of which says some of its arguments.
fn merged(types: &mut Interner, one: Ty, other: Ty) -> Option<Ty> {
    let (TypeKind::Class(class, ones), TypeKind::Class(same, others)) = (types.kind(one), types.kind(other)) else {
        return None;
    };
    if class != same || one == other {
        return None;
    }
    let is_unknown = |ty: Ty| matches!(types.kind(ty), TypeKind::Unknown(_));
    let args = ones.iter().zip(others.iter()).map(|(&one, &other)| match one {
        one if one == other || is_unknown(other) => Some(one),
        one if is_unknown(one) => Some(other),
        _ => None,
    });
    let (class, args) = (*class, args.collect::<Option<Vec<Ty>>>()?);
    Some(types.class(class, &args))
}

/// Two of one list may stand in each other's place if they are as near as that.
const NEAR: usize = 4;

/// Where two types differ, the whole first.
fn differences(types: &Interner, one: Ty, other: Ty, pairs: &mut Vec<(Ty, Ty)>) {
    const MOST: usize = 16;
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        if one == other || pairs.len() >= MOST {
            continue;
        }
        if !pairs.contains(&(one, other)) {
            pairs.push((one, other));
        }
        let parts = |a: &[Ty], b: &[Ty]| a.iter().copied().zip(b.iter().copied()).collect::<Vec<_>>();
        match (types.kind(one), types.kind(other)) {
            (TypeKind::Class(a, ones), TypeKind::Class(b, others)) if a == b => open.extend(parts(ones, others)),
            (TypeKind::Function(ones, a), TypeKind::Function(others, b)) if ones.len() == others.len() => {
                open.extend(parts(ones, others));
                open.push((*a, *b));
            }
            _ => {}
        }
    }
}

impl Place {
    /// Both are of one list.
    fn is_beside(self, other: Place) -> bool {
        match (self, other) {
            (Place::Field(one, _), Place::Field(other, _)) => one == other,
            (Place::Part(one, first, _), Place::Part(other, second, _)) => (one, first) == (other, second),
            (Place::Param(one, _), Place::Param(other, _)) => one == other,
            _ => false,
        }
    }

    /// Declares another type there; it gives the one before.
    fn exchange(self, program: &mut Program, ty: Ty) -> Ty {
        let slot = match self {
            Place::Field(class, number) => match &mut program.classes[class.0 as usize].kind {
                ClassKind::Object(fields) => &mut fields[number].ty,
                _ => return ty,
            },
            Place::Part(class, variant, part) => match &mut program.classes[class.0 as usize].kind {
                ClassKind::Enum(variants) => &mut variants[variant].fields[part],
                _ => return ty,
            },
            Place::Param(member, number) => &mut program.members[member.0 as usize].types[number],
            Place::Result(member) => &mut program.members[member.0 as usize].result,
        };
        std::mem::replace(slot, ty)
    }

    /// Whether a type can be written there: all parameters in it are known.
    fn may_be(self, program: &mut Program, ty: Ty) -> bool {
        let (class, own) = match self {
            Place::Field(class, _) | Place::Part(class, ..) => (Some(class), Vec::new()),
            Place::Param(id, _) | Place::Result(id) => {
                let member = program.member(id);
                (member.is_method.then_some(member.class), member.params.clone())
            }
        };
        let known: Vec<ParamId> =
            class.iter().flat_map(|&class| &program.class(class).params).copied().chain(own).collect();
        let mut is_known = !program.types.has_error(ty);
        program.types.map(ty, &mut |types, ty| {
            is_known &= match types.kind(ty) {
                TypeKind::Param(param) => known.contains(param),
                TypeKind::Unknown(_) => false,
                _ => true,
            };
            None
        });
        is_known
    }

    /// Its name, if it is a field or a parameter.
    fn name(self, program: &Program) -> Option<Ident> {
        match self {
            Place::Field(class, number) => match &program.class_syntax(class)?.form {
                syntax::Form::Object(fields) => Some(fields.get(number)?.name),
                _ => None,
            },
            Place::Param(id, number) => {
                let member = program.member(id);
                program.class_syntax(member.class)?.members.get(member.source)?.params.get(number)?.name
            }
            Place::Part(..) | Place::Result(_) => None,
        }
    }

    /// What messages say of it, if this type is right for it.
    fn declared(self, program: &Program, names: &Names, wanted: Ty) -> Option<Declared> {
        let class = match self {
            Place::Field(class, _) | Place::Part(class, ..) => class,
            Place::Param(id, _) | Place::Result(id) => program.member(id).class,
        };
        let syntax = program.class_syntax(class)?;
        let member = |id: MemberId| syntax.members.get(program.member(id).source);
        let (what, has, ty): (String, Ty, &TypeSyntax) = match (self, &program.class(class).kind, &syntax.form) {
            (Place::Field(_, number), ClassKind::Object(infos), syntax::Form::Object(fields)) => {
                let field = fields.get(number)?;
                (format!("`{}`", names.text(field.name.name)), infos[number].ty, &field.ty)
            }
            (Place::Part(_, number, part), ClassKind::Enum(infos), syntax::Form::Enum(variants)) => {
                let variant = variants.get(number)?;
                let what = format!("part {} of `{}`", part + 1, names.text(variant.name.name));
                (what, infos[number].fields[part], variant.fields.get(part)?)
            }
            (Place::Param(id, number), ..) => {
                let param = member(id)?.params.get(number)?;
                (format!("`{}`", names.text(param.name?.name)), program.member(id).types[number], param.ty.as_ref()?)
            }
            (Place::Result(id), ..) => {
                let member = member(id)?;
                let what = format!("the result of `{}`", names.text(member.name.name));
                (what, program.member(id).result, &member.result)
            }
            _ => return None,
        };
        let (has, wanted) = (program.show(has, names), program.show(wanted, names));
        Some(Declared::with_type(what, ty.span, has, wanted))
    }
}
