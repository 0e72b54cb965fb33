//! Names of classes, members, fields and tags, and their types: what can be said without looking into bodies.

use crate::built_in::built_in;
use crate::conform::{obligations, prove};
use crate::lex::{Name, Names};
use crate::modules::HIDDEN;
use crate::syntax::{Form, Ident, Member, Module, TypeKind, TypeParam, TypeSyntax};
use crate::types::{ClassId, ParamId, Shape, Ty};
use crate::world::{ClassInfo, ClassKind, FieldInfo, MemberId, MemberInfo, ParamInfo, TagInfo, World, report, suggest};
use cleave_diag::{Diagnostic, Sink, Span, code, nearest};
use rustc_hash::FxHashMap;

/// The class of what is built in.
pub const BUILTINS: ClassId = ClassId(0);

/// The module and the interface of the library that basic types have.
const COMPARABLE: (&str, &str) = ("std.interfaces", "Comparable");

/// The function of the hidden module that reads a number, with its class.
const STRING_TO_INT: (&str, &str) = ("Text", "toInt");

/// Something that has yet to be proved: a type has an interface, because a place wants it.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub ty: Ty,
    pub bound: Ty,
    pub span: Span,
    /// Where the parameter with this bound is declared.
    pub there: Option<Span>,
}

pub struct Declarer<'d> {
    pub world: &'d mut World,
    pub names: &'d Names,
    pub sink: &'d mut Sink,
    /// Classes with arguments, whose bounds have yet to be compared.
    pub applied: Vec<(ClassId, Vec<Ty>, Span)>,
}

/// What names of types mean at some place.
#[derive(Clone, Default)]
pub struct Scope {
    pub module: usize,
    pub params: Vec<(Name, ParamId)>,
}

/// Declares what the modules define. The first module is the main one.
pub fn declare(modules: Vec<Module>, names: &mut Names, sink: &mut Sink) -> World {
    let mut world = World::default();
    built_in(&mut world, names);
    world.modules = modules;
    let main = (names.name("Main"), names.name("main"));
    let reader = (names.name(STRING_TO_INT.0), names.name(STRING_TO_INT.1));
    let comparable = (COMPARABLE.0, names.name(COMPARABLE.1));
    let mut declarer = Declarer { world: &mut world, names, sink, applied: Vec::new() };
    declarer.classes();
    declarer.imports();
    let found = declarer.world.modules.iter().position(|module| module.name == comparable.0);
    declarer.world.comparable = found.and_then(|at| declarer.world.scopes[at].get(&comparable.1).copied());
    let ids: Vec<ClassId> = (1..declarer.world.classes.len() as u32).map(ClassId).collect();
    for &id in &ids {
        declarer.parameters(id);
    }
    for &id in &ids {
        declarer.contents(id);
    }
    declarer.no_circles();
    for &id in &ids {
        declarer.conformance(id);
    }
    for (class, args, span) in std::mem::take(&mut declarer.applied) {
        let params = declarer.world.class(class).params.clone();
        for obligation in obligations(declarer.world, 0, &params, &args, span) {
            prove(declarer.world, declarer.names, declarer.sink, obligation);
        }
    }
    declarer.main(main);
    let hidden = declarer.world.modules.iter().position(|module| module.name == HIDDEN);
    let class = hidden.and_then(|at| declarer.world.scopes[at].get(&reader.0).copied());
    world.string_to_int = class.and_then(|class| world.class(class).by_name.get(&reader.1).copied());
    world
}

impl Declarer<'_> {
    /// A number for each class, and the classes of each module by name.
    fn classes(&mut self) {
        for number in 0..self.world.modules.len() {
            let mut scope = FxHashMap::default();
            scope.insert(self.world.class(BUILTINS).name, BUILTINS);
            for at in 0..self.world.modules[number].classes.len() {
                let class = &self.world.modules[number].classes[at];
                let id = ClassId(self.world.classes.len() as u32);
                let Ident { name, span } = class.name;
                let info = ClassInfo {
                    name,
                    span: Some(span),
                    source: (number, at),
                    is_private: class.is_private,
                    params: Vec::new(),
                    kind: ClassKind::Space,
                    interfaces: Vec::new(),
                    members: Vec::new(),
                    by_name: FxHashMap::default(),
                };
                self.world.classes.push(info);
                if let Some(&first) = scope.get(&name) {
                    let (first, name) = (self.world.class(first).span, self.names.text(name));
                    let message = format!("there are two classes `{name}`");
                    report(self.sink, span, || {
                        let diagnostic = Diagnostic::error(code::DUPLICATE_TYPE, message).at(span, "");
                        match first {
                            Some(first) => diagnostic.and(first, "the first one"),
                            None => diagnostic.help("this class is built in"),
                        }
                    });
                } else {
                    scope.insert(name, id);
                }
            }
            self.world.scopes.push(scope);
        }
    }

    fn imports(&mut self) {
        let own = self.world.scopes.clone();
        for number in 0..self.world.modules.len() {
            for import in &self.world.modules[number].imports {
                let Some(from) = self.world.modules.iter().position(|module| module.name == import.module) else {
                    continue;
                };
                for &Ident { name, span } in &import.names {
                    let text = self.names.text(name);
                    let found = own[from].get(&name).copied().filter(|&id| id != BUILTINS);
                    let Some(id) = found else {
                        let message = format!("module `{}` has no class `{text}`", import.module);
                        let (names, classes) = (self.names, &self.world.classes);
                        let others = own[from].values().filter(|id| **id != BUILTINS);
                        let mut others: Vec<&str> = others.map(|id| names.text(classes[id.0 as usize].name)).collect();
                        others.sort_unstable();
                        // Neither this name is complained about again, nor the one that was probably meant.
                        let meant = nearest(text.as_bytes(), others.iter().map(|other| other.as_bytes()));
                        let meant = own[from].keys().find(|&&name| Some(names.bytes(name)) == meant);
                        self.world.said.extend([Some(&name), meant].into_iter().flatten().map(|&it| (span.file, it)));
                        report(self.sink, span, || {
                            suggest(
                                Diagnostic::error(code::UNKNOWN_IMPORT, message).at(span, ""),
                                text,
                                others.into_iter(),
                            )
                        });
                        continue;
                    };
                    let class = &self.world.classes[id.0 as usize];
                    if class.is_private {
                        let there = class.span;
                        report(self.sink, span, || {
                            let message = format!("class `{text}` is private in module `{}`", import.module);
                            let diagnostic = Diagnostic::error(code::PRIVATE, message).at(span, "");
                            there.into_iter().fold(diagnostic, |it, there| it.and(there, "it is defined here"))
                        });
                    }
                    match self.world.scopes[number].get(&name) {
                        Some(&other) if other != id => {
                            let there = self.world.classes[other.0 as usize].span;
                            report(self.sink, span, || {
                                let message = format!("there are two classes `{text}` in this module");
                                let diagnostic = Diagnostic::error(code::DUPLICATE_TYPE, message).at(span, "");
                                there.into_iter().fold(diagnostic, |it, there| it.and(there, "the other one"))
                            });
                        }
                        _ => _ = self.world.scopes[number].insert(name, id),
                    }
                }
            }
        }
    }

    /// Declares type parameters, still without their bounds.
    fn declare_params(&mut self, params: &[TypeParam], scope: &mut Scope) -> Vec<ParamId> {
        let mut ids = Vec::with_capacity(params.len());
        for param in params {
            let Ident { name, span } = param.name;
            if scope.params.iter().any(|other| other.0 == name) {
                let text = self.names.text(name);
                report(self.sink, span, || {
                    let message = format!("there are two type parameters `{text}`");
                    Diagnostic::error(code::NAME_TAKEN, message).at(span, "").help("give one of them another name")
                });
            } else if let Some(&class) = self.world.scopes[scope.module].get(&name) {
                let (text, there) = (self.names.text(name), self.world.class(class).span);
                report(self.sink, span, || {
                    let message = format!("the type parameter `{text}` has the name of a class");
                    let diagnostic = Diagnostic::error(code::NAME_TAKEN, message).at(span, "");
                    there.into_iter().fold(diagnostic, |it, there| it.and(there, "the class"))
                });
            }
            let id = ParamId(self.world.params.len() as u32);
            self.world.params.push(ParamInfo { name, bound: None, span: Some(span) });
            scope.params.push((name, id));
            ids.push(id);
        }
        ids
    }

    fn bounds(&mut self, params: &[TypeParam], ids: &[ParamId], scope: &Scope) {
        for (param, &id) in params.iter().zip(ids) {
            if let Some(bound) = &param.bound {
                let ty = self.interface(bound, scope);
                self.world.params[id.0 as usize].bound = Some(ty);
            }
        }
    }

    /// A type that must be an interface, or else `Ty::WRONG`.
    fn interface(&mut self, syntax: &TypeSyntax, scope: &Scope) -> Ty {
        let ty = self.named(syntax, scope, true);
        match self.world.types.shape(ty) {
            Shape::Wrong => ty,
            Shape::Class(id, _) if matches!(self.form_of(*id), Some(Form::Interface)) => ty,
            _ => {
                let (shown, span) = (self.world.show(ty, self.names), syntax.span);
                report(self.sink, span, || {
                    Diagnostic::error(code::WRONG_FORM, format!("`{shown}` is no interface")).at(span, "")
                });
                Ty::WRONG
            }
        }
    }

    fn form_of(&self, id: ClassId) -> Option<&Form> {
        self.world.form(id)
    }

    /// The type parameters of a class.
    fn parameters(&mut self, id: ClassId) {
        let (module, number) = self.world.class(id).source;
        let modules = std::mem::take(&mut self.world.modules);
        let class = &modules[module].classes[number];
        let mut scope = Scope { module, params: Vec::new() };
        let params = self.declare_params(&class.params, &mut scope);
        self.world.modules = modules;
        self.world.classes[id.0 as usize].params = params;
    }

    /// What names of types mean in a class.
    fn class_scope(&self, id: ClassId) -> Scope {
        let class = self.world.class(id);
        let params = class.params.iter().map(|&param| (self.world.param(param).name, param)).collect();
        Scope { module: class.source.0, params }
    }

    /// What is in a class: fields or tags, and members.
    fn contents(&mut self, id: ClassId) {
        let (module, number) = self.world.class(id).source;
        // The tree is looked at while the world grows.
        let class = std::mem::replace(&mut self.world.modules[module].classes[number], empty_class());
        // Interfaces are recognised by their form.
        let form = match class.form {
            Form::Interface => Form::Interface,
            _ => Form::Space,
        };
        self.world.modules[module].classes[number].form = form;
        let scope = self.class_scope(id);
        let params = self.world.class(id).params.clone();
        self.bounds(&class.params, &params, &scope);
        let kind = match &class.form {
            Form::Space => ClassKind::Space,
            Form::Interface => ClassKind::Interface,
            Form::Object(fields) => {
                self.distinct(fields.iter().map(|field| field.name), "fields");
                let fields = fields.iter().map(|field| FieldInfo {
                    name: field.name.name,
                    span: field.name.span,
                    is_private: field.is_private,
                    ty: self.resolve(&field.ty, &scope),
                });
                ClassKind::Object(fields.collect())
            }
            Form::Variant(tags) => {
                self.distinct(tags.iter().map(|tag| tag.name), "tags");
                let tags = tags.iter().map(|tag| TagInfo {
                    name: tag.name.name,
                    span: tag.name.span,
                    fields: tag.fields.iter().map(|ty| self.resolve(ty, &scope)).collect(),
                });
                ClassKind::Variant(tags.collect())
            }
        };
        self.world.classes[id.0 as usize].kind = kind;
        for syntax in &class.interfaces {
            let ty = self.interface(syntax, &scope);
            self.world.classes[id.0 as usize].interfaces.push((ty, syntax.span));
        }
        self.distinct(class.members.iter().map(|member| member.name), "members");
        for (source, member) in class.members.iter().enumerate() {
            let is_interface = matches!(class.form, Form::Interface);
            self.member(id, source, member, &scope, is_interface);
        }
        self.world.modules[module].classes[number] = class;
    }

    fn member(&mut self, class: ClassId, source: usize, member: &Member, scope: &Scope, is_interface: bool) {
        // A function does not see the parameters of its class.
        let mut scope = match member.is_method {
            true => scope.clone(),
            false => Scope { module: scope.module, params: Vec::new() },
        };
        let unfit = match (member.is_method, member.is_private) {
            (false, _) => Some(("a function in an interface", "interfaces have methods")),
            (_, true) => Some((
                "a private method in an interface",
                "what an interface asks for is for everybody: leave out `private`",
            )),
            _ => None,
        };
        if let Some((message, help)) = unfit.filter(|_| is_interface) {
            let span = member.name.span;
            report(self.sink, span, || Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help));
        }
        let params = self.declare_params(&member.type_params, &mut scope);
        self.bounds(&member.type_params, &params, &scope);
        let types = member.params.iter().map(|param| match &param.ty {
            Some(ty) => self.resolve(ty, &scope),
            None => Ty::WRONG,
        });
        let types: Vec<Ty> = types.collect();
        let result = self.resolve(&member.result, &scope);
        let id = MemberId(self.world.members.len() as u32);
        self.world.members.push(MemberInfo {
            name: member.name.name,
            span: Some(member.name.span),
            class,
            source,
            is_method: member.is_method,
            is_private: member.is_private,
            params,
            types,
            result,
            builtin: None,
        });
        let info = &mut self.world.classes[class.0 as usize];
        info.members.push(id);
        info.by_name.entry(member.name.name).or_insert(id);
    }

    fn distinct(&mut self, idents: impl Iterator<Item = Ident>, what: &str) {
        let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
        for Ident { name, span } in idents {
            if let Some(&first) = seen.get(&name) {
                let text = self.names.text(name);
                report(self.sink, span, || {
                    let message = format!("two {what} of the class are called `{text}`");
                    Diagnostic::error(code::DUPLICATE_NAME, message).at(span, "").and(first, "the first one")
                });
            } else {
                seen.insert(name, span);
            }
        }
    }

    /// The type that is written.
    pub fn resolve(&mut self, syntax: &TypeSyntax, scope: &Scope) -> Ty {
        self.named(syntax, scope, false)
    }

    fn named(&mut self, syntax: &TypeSyntax, scope: &Scope, is_bound: bool) -> Ty {
        let span = syntax.span;
        match &syntax.kind {
            TypeKind::Unit => Ty::UNIT,
            TypeKind::Bool => Ty::BOOL,
            TypeKind::Int => Ty::INT,
            TypeKind::Text => Ty::TEXT,
            TypeKind::Tuple(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|part| self.resolve(part, scope)).collect();
                self.world.types.tuple(&parts)
            }
            TypeKind::Function(params, result) => {
                let params: Vec<Ty> = params.iter().map(|param| self.resolve(param, scope)).collect();
                let result = self.resolve(result, scope);
                self.world.types.function(&params, result)
            }
            TypeKind::Named(name, args) => {
                let args: Vec<Ty> = args.iter().map(|arg| self.resolve(arg, scope)).collect();
                // The innermost of several parameters of a name is an error already.
                if let Some(&(_, param)) = scope.params.iter().rev().find(|param| param.0 == *name) {
                    if !args.is_empty() {
                        self.type_count(span, *name, 0, args.len());
                        return Ty::WRONG;
                    }
                    return self.world.types.param(param);
                }
                let Some(&id) = self.world.scopes[scope.module].get(name) else {
                    self.unknown_class(*name, span, scope, code::UNKNOWN_TYPE);
                    return Ty::WRONG;
                };
                let wanted = self.world.class(id).params.len();
                if wanted != args.len() {
                    // Where a class declares no parameters, that is what is wrong, not each use.
                    if wanted > 0 || self.world.said.insert((span.file, *name)) {
                        self.type_count(span, *name, wanted, args.len());
                    }
                    return Ty::WRONG;
                }
                let is_interface = matches!(self.form_of(id), Some(Form::Interface));
                if is_interface && !is_bound {
                    let text = self.names.text(*name);
                    report(self.sink, span, || {
                        let message = format!("the interface `{text}` is no type of values");
                        let help = format!("a type parameter with a bound takes what has it: `<T: {text}>`");
                        Diagnostic::error(code::WRONG_FORM, message).at(span, "").help(help)
                    });
                    return Ty::WRONG;
                }
                let ty = self.world.types.class(id, &args);
                if !args.is_empty() {
                    self.applied.push((id, args, span));
                }
                ty
            }
        }
    }

    pub fn type_count(&mut self, span: Span, name: Name, wanted: usize, found: usize) {
        let text = self.names.text(name);
        report(self.sink, span, || {
            let message = match wanted {
                0 => format!("`{text}` takes no type arguments"),
                1 => format!("`{text}` takes one type argument, not {found}"),
                _ => format!("`{text}` takes {wanted} type arguments, not {found}"),
            };
            Diagnostic::error(code::TYPE_ARGUMENT_COUNT, message).at(span, "")
        });
    }

    fn main(&mut self, (class, main): (Name, Name)) {
        let Some(module) = self.world.modules.first() else { return };
        let file = module.file;
        let found = self.world.scopes[0].get(&class).copied().filter(|&id| self.world.class(id).source.0 == 0);
        let member = found.and_then(|id| self.world.class(id).by_name.get(&main).copied());
        let method = member.filter(|&id| self.world.member(id).is_method);
        let Some(member) = member.filter(|_| method.is_none()) else {
            let start = Span::new(file, 0, 0);
            let class = found.and_then(|id| self.world.class(id).span);
            let at = method.and_then(|id| self.world.member(id).span).or(class).unwrap_or(start);
            return report(self.sink, at, || {
                let (message, help) = match method {
                    Some(_) => ("`Main.main` is a method, which needs an object", "make it a `function`"),
                    None => {
                        ("there is no function `Main.main`", "a program is `class Main { function main(): unit = … }`")
                    }
                };
                Diagnostic::error(code::MISSING_MAIN, message).at(at, "").help(help)
            });
        };
        let info = self.world.member(member);
        if (!info.types.is_empty() || !info.params.is_empty())
            && let Some(span) = info.span
        {
            return report(self.sink, span, || {
                let message = match info.types.is_empty() {
                    true => "`Main.main` has type parameters, for which nothing stands",
                    false => "`Main.main` has parameters, which nobody would give it",
                };
                Diagnostic::error(code::MAIN_PARAMETERS, message).at(span, "")
            });
        }
        let (result, span) = (info.result, info.span);
        self.world.main = Some(member);
        if let Some(span) = span.filter(|_| result != Ty::UNIT && !self.world.types.is_wrong(result)) {
            let ty = self.world.show(result, self.names);
            report(self.sink, span, || {
                let message = format!("nobody sees the result of `Main.main`, which is `{ty}`");
                let help = "a program prints with `Builtins.println`; its main is `function main(): unit`";
                Diagnostic::warning(code::MAIN_RESULT, message).at(span, "").help(help)
            });
        }
    }
}

/// Stands for a class while it is looked at.
fn empty_class() -> crate::syntax::Class {
    let span = Span::new(cleave_diag::FileId(0), 0, 0);
    crate::syntax::Class {
        name: Ident { name: Name(0), span },
        is_private: false,
        params: Vec::new(),
        form: Form::Space,
        interfaces: Vec::new(),
        members: Vec::new(),
        span,
    }
}
