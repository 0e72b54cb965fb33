//! Interfaces: whether classes have what theirs ask for, and whether types have those that their places ask for.

use crate::collect_items::{ItemCollector, Obligation};
use crate::lex::{Name, Names};
use crate::program::{ClassKind, MemberId, ParamInfo, Program, report};
use crate::types::{ClassId, ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Sink, Span, code, nearest};
use rustc_hash::{FxHashMap, FxHashSet};

/// Obligations of a body.
#[derive(Default)]
pub struct Obligations {
    /// To be proved at the end.
    pub known: Vec<Obligation>,
    /// Those of types that were unknown, in their order; nothing in place of those that have moved on.
    pub open: Vec<Option<Obligation>>,
    /// By the unknown that must be found out first: numbers of `open`.
    pub waiting: FxHashMap<u32, Vec<usize>>,
    /// So many of `open`, and so much of the checker's trail, were looked at: each is looked at once.
    pub looked: (usize, usize),
}

impl ItemCollector<'_> {
    /// Declares no more what was said to be wrong with types.
    pub fn spoil(&mut self, wrong: &[(Ty, Ty)]) {
        let Program { types, classes, members, .. } = &mut *self.program;
        let fields = classes.iter_mut().flat_map(|class| match &mut class.kind {
            ClassKind::Object(fields) => fields.iter_mut().map(|field| &mut field.ty).collect(),
            ClassKind::Enum(variants) => variants.iter_mut().flat_map(|it| &mut it.fields).collect(),
            ClassKind::Space | ClassKind::Interface => Vec::new(),
        });
        let of_members = members.iter_mut().flat_map(|it| it.types.iter_mut().chain([&mut it.result]));
        for ty in fields.chain(of_members) {
            for &(from, to) in wrong {
                *ty = types.replace(*ty, from, to);
            }
        }
    }

    /// No interface extends itself, be it by way of others: a walk along what they extend meets none of those that it
    /// came from.
    pub(crate) fn no_circles(&mut self) {
        let count = self.program.classes.len();
        let (mut is_open, mut is_done) = (vec![false; count], vec![false; count]);
        for root in 0..count {
            let mut path = vec![(root, 0)];
            while let Some((at, next)) = path.last_mut() {
                let (own, class) = (*at, &self.program.classes[*at]);
                let edge = class.interfaces.get(*next).filter(|_| matches!(class.kind, ClassKind::Interface));
                let Some(&(ty, span)) = edge.filter(|_| !is_done[own]) else {
                    (is_open[own], is_done[own]) = (false, true);
                    path.pop();
                    continue;
                };
                is_open[own] = true;
                *next += 1;
                let TypeKind::Class(to, _) = *self.program.types.kind(ty) else { continue };
                match is_open[to.0 as usize] {
                    true => self.circle(own, to, span),
                    false => path.push((to.0 as usize, 0)),
                }
            }
        }
    }

    fn circle(&mut self, own: usize, other: ClassId, span: Span) {
        let (own, other) = (&self.program.classes[own], self.program.class(other));
        let (name, text) = (self.names.text(own.name), self.names.text(other.name));
        let there = other.span.filter(|_| other.name != own.name);
        report(self.sink, span, || {
            let message = match there {
                Some(_) => format!("interface `{name}` extends `{text}`, which extends `{name}`"),
                None => format!("interface `{name}` extends itself"),
            };
            let diagnostic = Diagnostic::error(code::WRONG_FORM, message).at(span, "");
            there.into_iter().fold(diagnostic, |it, there| it.and(there, "the other one"))
        });
    }

    /// A method with the name of a field can be called only where an interface asks for it.
    fn hidden_methods(&mut self, id: ClassId, asked: &FxHashSet<Name>) {
        let class = self.program.class(id);
        let ClassKind::Object(fields) = &class.kind else { return };
        let fields: FxHashMap<Name, Span> = fields.iter().map(|field| (field.name, field.span)).collect();
        for member in class.members.clone() {
            let info = self.program.member(member);
            let field = fields.get(&info.name).filter(|_| info.is_method && !asked.contains(&info.name));
            let (Some(&field), Some(span), text) = (field, info.span, self.names.text(info.name)) else { continue };
            self.program.hidden.insert(member);
            report(self.sink, span, || {
                let message = format!("the method `{text}` has the name of a field, so it can never be called");
                let diagnostic = Diagnostic::error(code::DUPLICATE_NAME, message).at(span, "");
                diagnostic.and(field, "the field").help("give one of them another name")
            });
        }
    }

    /// A class has what its interfaces ask for.
    pub(crate) fn conformance(&mut self, id: ClassId) {
        if matches!(self.program.class(id).kind, ClassKind::Interface) {
            return;
        }
        let mut asked = FxHashSet::default();
        for (interface, span) in self.program.class(id).interfaces.clone() {
            let mut all = vec![interface];
            all.extend(self.program.interfaces(interface));
            all.dedup();
            for interface in all {
                let TypeKind::Class(of, args) = self.program.types.kind(interface).clone() else { continue };
                for wanted in self.program.class(of).members.clone() {
                    asked.insert(self.program.member(wanted).name);
                    self.conforms(id, wanted, &args, interface, span);
                }
            }
        }
        // Today a method goes before a field of the same name.
        if !self.program.is_of_today(id) {
            self.hidden_methods(id, &asked);
        }
    }

    /// The member of a class that an interface asks for.
    fn conforms(&mut self, id: ClassId, wanted: MemberId, args: &[Ty], interface: Ty, span: Span) {
        let name = self.program.member(wanted).name;
        let (class, text) = (self.names.text(self.program.class(id).name), self.names.text(name));
        let interface_params = match self.program.types.kind(interface) {
            TypeKind::Class(of, _) => self.program.class(*of).params.clone(),
            _ => Vec::new(),
        };
        // What is no method of an interface has its message there.
        if !self.program.member(wanted).is_method {
            return;
        }
        // What is wrong with the interface has its message.
        if self.program.types.has_error(interface) {
            return;
        }
        let shown = self.program.show(interface, self.names);
        let there = self.program.member(wanted).span;
        let found = self.program.class(id).by_name.get(&name).copied();
        let Some(found) = found.filter(|&found| self.program.member(found).is_method) else {
            let is_nameless =
                self.program.nameless.contains(&Some(self.program.class(id).name)) || self.program.twice.contains(&id);
            if self.program.unread.contains(&name) || is_nameless {
                return;
            }
            self.program.misplaced.extend(found);
            // Its uses are right.
            self.program.unread.insert(name);
            // What an interface asks for has its name from there.
            let interfaces = self.program.class(id).interfaces.clone();
            let all = interfaces.iter().flat_map(|&(ty, _)| {
                let mut all = self.program.interfaces(ty);
                all.push(ty);
                all
            });
            let all: Vec<Ty> = all.collect();
            let classes: Vec<ClassId> = all
                .into_iter()
                .filter_map(|ty| match *self.program.types.kind(ty) {
                    TypeKind::Class(class, _) => Some(class),
                    _ => None,
                })
                .collect();
            let asked_by_none =
                |name: Name| !classes.iter().any(|&class| self.program.class(class).by_name.contains_key(&name));
            let methods = self.program.class(id).members.iter().map(|&id| self.program.member(id));
            let mut methods = methods.filter(|member| member.is_method && asked_by_none(member.name));
            let near = methods.find(|member| {
                let own = self.names.text(member.name);
                nearest(text.as_bytes(), [own.as_bytes()]).is_some() || own.starts_with(text) || text.starts_with(own)
            });
            if let Some((own, Some(place))) = near.map(|member| (self.names.text(member.name), member.span)) {
                return report(self.sink, place, || {
                    let message = format!("class `{class}` has no method `{text}`, which `{shown}` asks for");
                    let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(place, "");
                    let diagnostic =
                        there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"));
                    let diagnostic = diagnostic.help(format!("is `{own}` meant, which should be called `{text}`?"));
                    diagnostic.fix(format!("write `{text}`"), vec![(place, text.to_string())])
                });
            }
            return report(self.sink, span, || {
                let message = format!("class `{class}` has no method `{text}`, which `{shown}` asks for");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(span, "");
                let diagnostic = there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"));
                match found {
                    Some(_) => diagnostic.help(format!("`{text}` is a function here: make it a `method`")),
                    None => diagnostic,
                }
            });
        };
        if self.program.member(found).is_private {
            let place = self.program.member(found).span.unwrap_or(span);
            self.program.members[found.0 as usize].is_private = false;
            return report(self.sink, place, || {
                let message = format!("`{text}` is private, but `{shown}` asks for it");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(place, "");
                let diagnostic = there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"));
                diagnostic.help("what an interface asks for is for everybody: leave out `private`")
            });
        }
        let member = self.program.member(wanted);
        let (mut params, count) = (interface_params, member.params.len());
        params.extend(&member.params);
        let signature = (member.types.clone(), member.result);
        let own = self.program.member(found).params.clone();
        let mut all = args.to_vec();
        all.extend(own.iter().map(|&param| self.program.types.param(param)));
        let asked = self.program.types.function(&signature.0, signature.1);
        let asked = self.program.types.substitute(asked, &params, &all);
        let member = self.program.member(found);
        let (types, result, place) = (member.types.clone(), member.result, member.span);
        let has = self.program.types.function(&types, result);
        let wanted_params = self.program.member(wanted).params.clone();
        // Today type parameters have the same names and bounds.
        let differ = self.program.is_of_today(id)
            && wanted_params.iter().zip(&own).any(|(&wanted, &found)| {
                let (wanted, found) = (*self.program.param(wanted), *self.program.param(found));
                let bound = wanted.bound.map(|bound| self.program.types.substitute(bound, &params, &all));
                wanted.name != found.name || bound != found.bound
            });
        if differ
            && count == own.len()
            && let Some(place) = place
        {
            return report(self.sink, place, || {
                let message = format!("`{text}` has other type parameters than `{shown}` asks for");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(place, "");
                let diagnostic = there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"));
                diagnostic.help("they have the same names and the same bounds")
            });
        }
        if (asked != has || count != own.len())
            && let Some(place) = place
        {
            self.doubt(found, asked);
            let (asked, has) = (self.program.show(asked, self.names), self.program.show(has, self.names));
            report(self.sink, place, || {
                let message = format!("`{text}` is `{has}`, but `{shown}` asks for `{asked}`");
                let diagnostic = Diagnostic::error(code::NOT_CONFORMING, message).at(place, "");
                there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is asked for here"))
            });
        }
    }
}

impl ItemCollector<'_> {
    /// Where a member has other types than it is asked for, nobody knows which are meant: nothing follows from them.
    fn doubt(&mut self, id: MemberId, asked: Ty) {
        let TypeKind::Function(params, result) = self.program.types.kind(asked).clone() else { return };
        let info = &mut self.program.members[id.0 as usize];
        let is_other = info.result != result;
        for (ty, wanted) in info.types.iter_mut().zip(params.iter()) {
            *ty = if *ty == *wanted { *ty } else { Ty::ERROR };
        }
        info.result = if is_other { Ty::ERROR } else { result };
    }
}

/// What has to be proved where these parameters get these arguments, for those from a number on.
pub fn obligations(
    program: &mut Program,
    first: usize,
    params: &[ParamId],
    args: &[Ty],
    span: Span,
) -> Vec<Obligation> {
    let mut found = Vec::new();
    for (&param, &ty) in params.iter().zip(args).skip(first) {
        let ParamInfo { bound, span: there, .. } = *program.param(param);
        if let Some(bound) = bound {
            let bound = program.types.substitute(bound, params, args);
            found.push(Obligation { ty, bound, span, there });
        }
    }
    found
}

/// A class with arguments, of which those that can never have the interface that is asked for are errors: that was
/// said.
pub fn proved(
    program: &mut Program,
    names: &Names,
    sink: &mut Sink,
    (class, args, span): (ClassId, Vec<Ty>, Span),
) -> Option<(Ty, Ty)> {
    let params = program.class(class).params.clone();
    let mut right = args.clone();
    for due in obligations(program, 0, &params, &args, span) {
        let meant = boxed(program, names, class, &args, due.ty);
        if !prove_or(program, names, sink, due, meant) {
            right.iter_mut().filter(|ty| **ty == due.ty).for_each(|ty| *ty = Ty::ERROR);
        }
    }
    (right != args).then(|| (program.types.class(class, &args), program.types.class(class, &right)))
}

/// A class with arguments as it is written, with the class for numbers, or for truth values, in place of their type.
fn boxed(program: &Program, names: &Names, class: ClassId, args: &[Ty], ty: Ty) -> Option<String> {
    let name = match ty {
        Ty::INT if program.is_today => "Int",
        Ty::BOOL if program.is_today => "Bool",
        _ => return None,
    };
    let shown = |&arg: &Ty| if arg == ty { name.to_string() } else { program.show(arg, names).to_string() };
    let args: Vec<String> = args.iter().map(shown).collect();
    let written = format!("{}<{}>", names.text(program.class(class).name), args.join(", "));
    Some(format!("`{name}` of `std.boxed` has it: is `{written}` meant?"))
}

/// Says what is wrong if a type has not the interface that it should have. It is `false` for one that can never have
/// it.
pub fn prove(program: &mut Program, names: &Names, sink: &mut Sink, due: Obligation) -> bool {
    prove_or(program, names, sink, due, None)
}

/// The same with what may be meant, if somebody knows that.
fn prove_or(
    program: &mut Program,
    names: &Names,
    sink: &mut Sink,
    Obligation { ty, bound, span, there }: Obligation,
    meant: Option<String>,
) -> bool {
    let has = program.interfaces(ty);
    // What is wrong with an interface was said where it is named.
    if [ty, bound].contains(&Ty::ERROR) || has.contains(&bound) || has.contains(&Ty::ERROR) {
        return true;
    }
    // Nobody knows what it should be where the parameter was said to need another one.
    if there.is_some_and(|there| program.unsure_bounds.contains(&there)) {
        return true;
    }
    let may_have = matches!(program.types.kind(ty), TypeKind::Class(..) | TypeKind::Param(_));
    if matches!(program.types.kind(ty), TypeKind::Class(..)) && !program.unmet.insert((ty, bound)) {
        return true;
    }
    let (shown, wanted) = (program.show(ty, names), program.show(bound, names));
    // What the boxes of the library have.
    let is_compared = program.is_today
        && matches!(*program.types.kind(bound), TypeKind::Class(of, _)
            if program.is_of_library(of) && names.text(program.class(of).name) == "Comparable");
    let help = match program.types.kind(ty) {
        TypeKind::Class(class, _) if program.is_of_library(*class) => {
            let head = format!("class Own(val value: {shown}) : {} {{ … }}", wanted.replace(&shown, "Own"));
            format!("a class of your own with a field of this type can have it: `{head}`")
        }
        TypeKind::Class(..) => format!("say it behind the name of the class, `class {shown} … : {wanted} {{ … }}`"),
        TypeKind::Param(_) => format!("give the type parameter this bound: `<{shown}: {wanted}>`"),
        TypeKind::Int if is_compared => "`Int` of `std.boxed` has it: `Int.init(n)` makes one of a number".into(),
        TypeKind::Bool if is_compared => "`Bool` of `std.boxed` has it: `Bool.init(b)` makes one".into(),
        TypeKind::Int | TypeKind::Bool | TypeKind::Text if program.is_today => {
            let head = format!("class Key(val value: {shown}) : {} {{ … }}", wanted.replace(&shown, "Key"));
            format!("a class with a field of this type can have it: `{head}`")
        }
        TypeKind::Int | TypeKind::Bool | TypeKind::Text => {
            format!("`{shown}` has only `Comparable<{shown}>`: a class with a field of this type can have others")
        }
        TypeKind::Function(params, result) => {
            let (parts, result) = (if params.is_empty() { "" } else { "…" }, program.show(*result, names));
            format!("this is a function: `({parts})` behind it gives `{result}`")
        }
        _ => "a class with a field of this type can have interfaces".into(),
    };
    let help = meant.unwrap_or(help);
    if let TypeKind::Param(param) = *program.types.kind(ty) {
        program.unsure_bounds.extend(program.param(param).span);
    }
    // What a type parameter lacks it lacks wherever its member names it.
    let param = match *program.types.kind(ty) {
        TypeKind::Param(param) => Some(format!("bound {wanted} of {}", param.0)),
        _ => None,
    };
    report(sink, span, || {
        let message = format!("`{shown}` has not the interface `{wanted}`, which is asked for here");
        let diagnostic = Diagnostic::error(code::UNMET_BOUND, message).at(span, "");
        let diagnostic = param.into_iter().fold(diagnostic, Diagnostic::mistake);
        there.into_iter().fold(diagnostic, |it, there| it.and(there, "by the bound of this parameter")).help(help)
    });
    may_have
}
