//! Parameters, fields and parts of variants of which one was left out where they are declared, or is one too many
//! there: all that uses them has another number. Such declarations are tried (`declared`).

use crate::lex::{Name, Names};
use crate::program::{ClassKind, FieldInfo, MemberId, Program};
use crate::types::{ClassId, Ty};
use cleave_diag::Span;
use cleave_strict::blame::{Declared, Form};

/// What is called with arguments, or taken apart by patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Member(MemberId),
    /// Objects of a class with fields are its variant 0.
    Variant(ClassId, u32),
}

/// What messages say of numbers, and of names that may be those of what was left out.
#[derive(Default, Debug)]
pub struct Counts {
    /// What is used with another number of things than it has, and with which.
    pub miscounted: Vec<(Callee, usize)>,
    /// Variables that a body uses without having them.
    pub names: Vec<(MemberId, Name)>,
    /// Fields that objects of a class do not have.
    pub fields: Vec<(ClassId, Name)>,
}

impl Counts {
    pub fn clear(&mut self) {
        *self = Counts::default();
    }
}

/// A parameter that is tried, at this place: its name, if it has one, is known to the body.
#[derive(Clone, Copy, Debug)]
pub enum Tried {
    /// The types of two stand in each other's place.
    Exchanged(usize, usize),
    Added(usize, Option<Name>),
    /// The body has it, but not who calls.
    Removed(usize),
}

/// A change of what is declared: one more of unknown type at this place, or the one there left out.
#[derive(Clone, Debug)]
pub enum Count {
    More(Callee, usize, Option<Name>),
    Less(Callee, usize),
    /// What was left out is put back.
    Back(Callee, usize, Ty, Option<FieldInfo>),
}

/// How many things something has.
fn count(program: &Program, callee: Callee) -> usize {
    match callee {
        Callee::Member(id) => program.member(id).types.len(),
        Callee::Variant(class, number) => match &program.class(class).kind {
            ClassKind::Object(fields) => fields.len(),
            ClassKind::Enum(variants) => variants.get(number as usize).map_or(0, |variant| variant.fields.len()),
            ClassKind::Space | ClassKind::Interface => 0,
        },
    }
}

/// Where something is declared.
fn place(program: &Program, callee: Callee) -> Option<Span> {
    match callee {
        Callee::Member(id) => program.member(id).span,
        Callee::Variant(class, number) => match &program.class(class).kind {
            ClassKind::Enum(variants) => variants.get(number as usize).map(|variant| variant.span),
            _ => program.class(class).span,
        },
    }
}

/// What is tried where all messages say the same other number, by one.
pub fn candidates(program: &mut Program) -> Vec<Count> {
    const LONGEST: usize = 8;
    // Of very many mistakes the first ones tell enough.
    const MOST: usize = 256;
    let mut counts = std::mem::take(&mut program.counts);
    counts.miscounted.truncate(MOST);
    counts.names.truncate(MOST);
    counts.fields.truncate(MOST);
    let mut found = Vec::new();
    for (number, &(callee, uses)) in counts.miscounted.iter().enumerate() {
        let of_it = || counts.miscounted.iter().filter(|other| other.0 == callee);
        let is_first = !counts.miscounted[..number].iter().any(|before| before.0 == callee);
        let has = count(program, callee);
        let is_own = place(program, callee).is_some_and(|span| !program.library_files.contains(&span.file));
        if !is_first || !is_own || has > LONGEST || of_it().any(|other| other.1 != uses) {
            continue;
        }
        if uses == has + 1 {
            let name = match callee {
                Callee::Member(id) => counts.names.iter().find(|name| name.0 == id).map(|name| name.1),
                Callee::Variant(class, _) => counts.fields.iter().find(|field| field.0 == class).map(|field| field.1),
            };
            found.extend((0..=has).map(|at| Count::More(callee, at, name)));
        } else if uses + 1 == has && of_it().count() > 1 {
            found.extend((0..has).map(|at| Count::Less(callee, at)));
        }
        if found.len() > LONGEST * 2 {
            break;
        }
    }
    found
}

impl Count {
    /// Declares that; it gives what declares it as it was before.
    pub fn exchange(self, program: &mut Program) -> Count {
        let (callee, at) = match self {
            Count::More(callee, at, _) | Count::Less(callee, at) | Count::Back(callee, at, ..) => (callee, at),
        };
        let mut left_out = (Ty::ERROR, None);
        match callee {
            Callee::Member(id) => {
                let info = &mut program.members[id.0 as usize];
                info.tried = match self {
                    Count::More(_, _, name) => Some(Tried::Added(at, name)),
                    Count::Less(..) if info.tried.is_none() => Some(Tried::Removed(at)),
                    Count::Less(..) | Count::Back(..) => None,
                };
                match self {
                    Count::More(..) => info.types.insert(at, Ty::ERROR),
                    Count::Less(..) => left_out.0 = info.types.remove(at),
                    Count::Back(_, _, ty, _) => info.types.insert(at, ty),
                }
            }
            Callee::Variant(class, number) => {
                let (own, span) = (program.class(class).name, program.class(class).span);
                match (&mut program.classes[class.0 as usize].kind, span) {
                    (ClassKind::Object(fields), Some(span)) => match &self {
                        // No field has the name of a class.
                        Count::More(_, _, name) => {
                            let name = name.unwrap_or(own);
                            fields.insert(at, FieldInfo { name, span, is_private: false, ty: Ty::ERROR });
                        }
                        Count::Less(..) => left_out.1 = Some(fields.remove(at)),
                        Count::Back(_, _, _, field) => {
                            if let Some(field) = field {
                                fields.insert(at, field.clone());
                            }
                        }
                    },
                    (ClassKind::Enum(variants), _) => {
                        let fields = &mut variants[number as usize].fields;
                        match self {
                            Count::More(..) => fields.insert(at, Ty::ERROR),
                            Count::Less(..) => left_out.0 = fields.remove(at),
                            Count::Back(_, _, ty, _) => fields.insert(at, ty),
                        }
                    }
                    _ => {}
                }
            }
        }
        match self {
            Count::More(..) | Count::Back(..) => Count::Less(callee, at),
            Count::Less(..) => Count::Back(callee, at, left_out.0, left_out.1),
        }
    }

    /// What messages say of it, if it is right.
    pub fn says(&self, program: &Program, names: &Names) -> Option<Declared> {
        let (callee, name, is_more) = match *self {
            Count::More(callee, _, name) => (callee, name, true),
            Count::Less(callee, _) => (callee, None, false),
            Count::Back(..) => return None,
        };
        let (what, thing) = match callee {
            Callee::Member(id) => (program.member(id).name, "parameter"),
            Callee::Variant(class, number) => match &program.class(class).kind {
                ClassKind::Enum(variants) => (variants.get(number as usize)?.name, "part"),
                _ => (program.class(class).name, "field"),
            },
        };
        let has = count(program, callee);
        let several = if has == 1 { "" } else { "s" };
        let wanted = if is_more { has + 1 } else { has - 1 };
        let missing = name.map_or(String::new(), |name| format!(": `{}` is missing", names.text(name)));
        Some(Declared {
            what: format!("`{}`", names.text(what)),
            place: place(program, callee)?,
            has: format!("{has} {thing}{several}"),
            wanted: format!("{wanted}{missing}"),
            form: if is_more { Form::TooFew } else { Form::TooMany },
            edits: Vec::new(),
        })
    }
}
