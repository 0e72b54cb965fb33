//! Types that are declared wrong: fields, parameters and results whose uses all want another type. Bodies are checked
//! again with types that messages name, and what makes several of them go is said once (`cleave_strict::blame`).

use crate::lex::{Name, Names};
use crate::program::{ClassKind, MemberId, Program};
use crate::syntax::{Form, TypeSyntax};
use crate::types::{ClassId, Interner, ParamId, Ty, TypeKind};
use crate::{State, each_body};
use cleave_diag::{Sink, SourceMap, code};
use cleave_strict::blame::{self, Declared, ROUNDS};

/// Something with a declared type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Field(ClassId, usize),
    /// A part of a variant.
    Part(ClassId, usize, usize),
    Param(MemberId, usize),
    Result(MemberId),
}

/// Says which declarations are wrong, and then what is wrong without them. It gives what was declared there.
pub(crate) fn find(
    program: &mut Program,
    (names, sources): (&Names, &SourceMap),
    sink: &mut Sink,
    before: &mut State,
) -> Vec<(Place, Ty)> {
    let bodies = program.modules.iter().flat_map(|module| &module.classes).flat_map(|class| &class.members);
    let own = bodies.filter(|member| !program.library_files.contains(&member.span.file));
    let size: usize = own.filter_map(|member| member.body.as_ref()).map(|body| body.exprs.len()).sum();
    let mut trials_left = blame::COST / size.max(1);
    let mut declared = Vec::new();
    for _ in 0..ROUNDS {
        if sink.error_count() < before.sink.error_count() + 2 {
            break;
        }
        let candidates = candidates(program, sources, names, sink);
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
        for (place, ty) in candidates {
            let mut trial = before.sink.clone();
            let own = place.exchange(program, ty);
            again(program, &mut trial);
            place.exchange(program, own);
            if let Some(gone) = blame::gone(sink, &trial)
                && let Some(found) = place.declared(program, names, ty)
            {
                trials.push((trial.error_count(), found, (place, ty, gone)));
            }
        }
        let Some((found, (place, ty, gone))) = blame::best(trials) else {
            after.restore(program);
            break;
        };
        declared.push((place, place.exchange(program, ty)));
        let message = found.message(code::TYPE_MISMATCH, &gone);
        let mut rest = before.sink.clone();
        rest.report(message.clone());
        again(program, &mut rest);
        *sink = rest;
        before.sink.report(message);
    }
    declared
}

/// Puts back what was declared.
pub(crate) fn restore(program: &mut Program, declared: Vec<(Place, Ty)>) {
    for (place, ty) in declared.into_iter().rev() {
        place.exchange(program, ty);
    }
}

/// What may be declared wrong, with another type that messages name: only what stands, or is named, where there are
/// messages.
fn candidates(program: &mut Program, sources: &SourceMap, names: &Names, sink: &Sink) -> Vec<(Place, Ty)> {
    let mut pairs = Vec::new();
    for (wanted, found) in std::mem::take(&mut program.mismatches) {
        differences(&program.types, wanted, found, &mut pairs);
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
    let mut found = Vec::new();
    for (place, has) in places {
        for &(one, other) in &pairs {
            for (from, to) in [(one, other), (other, one)] {
                let ty = program.types.replace(has, from, to);
                if ty != has && place.may_be(program, ty) && !found.contains(&(place, ty)) {
                    found.push((place, ty));
                }
            }
        }
    }
    found
}

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

    /// What messages say of it, if this type is right for it.
    fn declared(self, program: &Program, names: &Names, wanted: Ty) -> Option<Declared> {
        let class = match self {
            Place::Field(class, _) | Place::Part(class, ..) => class,
            Place::Param(id, _) | Place::Result(id) => program.member(id).class,
        };
        let syntax = program.class_syntax(class)?;
        let member = |id: MemberId| syntax.members.get(program.member(id).source);
        let (what, has, ty): (String, Ty, &TypeSyntax) = match (self, &program.class(class).kind, &syntax.form) {
            (Place::Field(_, number), ClassKind::Object(infos), Form::Object(fields)) => {
                let field = fields.get(number)?;
                (format!("`{}`", names.text(field.name.name)), infos[number].ty, &field.ty)
            }
            (Place::Part(_, number, part), ClassKind::Enum(infos), Form::Enum(variants)) => {
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
        Some(Declared { what, place: ty.span, has, wanted })
    }
}
