//! Names of classes, members, fields and variants, and their types: what can be said without looking into bodies.

use crate::built_in::{ARRAY, BUILT_IN, BUILTINS, NATIVE, PROCESS, STR, built_in};
use crate::interface_check::proved;
use crate::lex::{Name, Names};
use crate::modules::{HIDDEN, TUPLES, of_2021};
use crate::program::{
    ClassInfo, ClassKind, FieldInfo, MemberId, MemberInfo, ModuleHead, ParamInfo, Program, VariantInfo, report,
};
use crate::syntax::{Form, Ident, Member, Module, TypeParam, TypeSyntax};
use crate::types::{ClassId, ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Severity, Sink, Span, code};
use rustc_hash::FxHashMap;

/// The module and the interface of the library that basic types have.
const COMPARABLE: (&str, &str) = ("std.interfaces", "Comparable");

/// The functions of the hidden module that read a number, with their class.
const READERS: (&str, [&str; 2]) = ("Text", ["toInt", "read"]);

/// Something that has yet to be proved: a type has an interface, because a place wants it.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub ty: Ty,
    pub bound: Ty,
    pub span: Span,
    /// Where the parameter with this bound is declared.
    pub there: Option<Span>,
}

pub struct ItemCollector<'d> {
    pub program: &'d mut Program,
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

/// Tuples of today's language have at most so many parts.
pub const LARGEST_TUPLE: usize = 16;

/// Declares what the modules define. The first module is the main one; a library needs no main function.
pub fn collect_items(modules: Vec<Module>, is_library: bool, names: &mut Names, sink: &mut Sink) -> Program {
    let mut program = Program::default();
    built_in(&mut program, names);
    program.dialects = modules.iter().map(|module| module.dialect).collect();
    program.library_files = modules.iter().filter(|module| module.is_library).map(|module| module.file).collect();
    program.unread = modules.iter().flat_map(|module| &module.unread).copied().collect();
    program.nameless = modules.iter().flat_map(|module| &module.nameless).copied().collect();
    let errors = sink.diagnostics().iter().filter(|one| one.severity == Severity::Error);
    let errors = errors.filter_map(|one| Some(one.primary.as_ref()?.span));
    // What lacks only a sign can be read.
    let is_read = |span: &Span| modules.iter().any(|module| module.file == span.file && module.lacks_sign(*span));
    program.unreadable = errors.filter(|span| !is_read(span)).collect();
    program.heads = modules.iter().map(ModuleHead::of).collect();
    program.modules = modules;
    let main = (names.name("Main"), names.name("main"));
    let readers = (names.name(READERS.0), READERS.1.map(|name| names.name(name)));
    let vec = names.name("Vec");
    let comparable = (of_2021(COMPARABLE.0), names.name(COMPARABLE.1));
    let tuples: Vec<Name> = (2..=LARGEST_TUPLE)
        .map(|parts| match parts {
            2 => names.name("Pair"),
            3 => names.name("Triple"),
            parts => names.name(&format!("Tuple{parts}")),
        })
        .collect();
    let mut collector = ItemCollector { program: &mut program, names, sink, applied: Vec::new() };
    collector.program.is_today = collector.program.modules.first().is_some_and(Module::is_today);
    collector.classes();
    collector.vec(vec);
    collector.imports();
    collector.tuples(&tuples);
    let found = collector.program.modules.iter().position(|module| module.name == comparable.0);
    collector.program.comparable = found.and_then(|at| collector.program.scopes[at].get(&comparable.1).copied());
    let ids: Vec<ClassId> = (BUILT_IN..collector.program.classes.len() as u32).map(ClassId).collect();
    for &id in &ids {
        collector.parameters(id);
    }
    for &id in &ids {
        collector.contents(id);
    }
    collector.no_circles();
    for &id in &ids {
        collector.conformance(id);
    }
    let mut wrong = Vec::new();
    for applied in std::mem::take(&mut collector.applied) {
        wrong.extend(proved(collector.program, collector.names, collector.sink, applied));
    }
    if !wrong.is_empty() {
        collector.spoil(&wrong);
    }
    if !is_library {
        collector.main(main);
    }
    let hidden = collector.program.modules.iter().position(|module| module.name == HIDDEN[0]);
    let class = hidden.and_then(|at| collector.program.scopes[at].get(&readers.0).copied());
    let reader = |name| class.and_then(|class| program.class(class).by_name.get(&name).copied());
    (program.string_to_int, program.to_int) = (reader(readers.1[0]), reader(readers.1[1]));
    program
}

impl ItemCollector<'_> {
    /// A number for each class, and the classes of each module by name.
    fn classes(&mut self) {
        for number in 0..self.program.modules.len() {
            let mut scope: FxHashMap<Name, ClassId> = FxHashMap::default();
            let module = &self.program.modules[number];
            let is_today = module.is_today();
            let known: &[ClassId] = match is_today {
                true if module.is_native => &[PROCESS, STR, ARRAY, NATIVE],
                true => &[PROCESS, STR],
                false if HIDDEN.contains(&&module.name[..]) => &[BUILTINS, ARRAY],
                false => &[BUILTINS],
            };
            scope.extend(known.iter().map(|&id| (self.program.class(id).name, id)));
            for at in 0..self.program.modules[number].classes.len() {
                let class = &self.program.modules[number].classes[at];
                let id = ClassId(self.program.classes.len() as u32);
                let Ident { name, span } = class.name;
                let info = ClassInfo {
                    name,
                    span: Some(span),
                    source: (number, at),
                    is_private: class.is_private,
                    is_today,
                    params: Vec::new(),
                    kind: if matches!(class.form, Form::Interface) { ClassKind::Interface } else { ClassKind::Space },
                    interfaces: Vec::new(),
                    members: Vec::new(),
                    by_name: FxHashMap::default(),
                };
                self.program.classes.push(info);
                // What is built in keeps its name.
                let built_in = match scope.get(&name) {
                    Some(&STR) => Some("the class of strings"),
                    Some(&PROCESS) => Some("the class that prints"),
                    _ => None,
                };
                if let Some(what) = built_in {
                    let message = format!("the name `{}` is already taken here", self.names.text(name));
                    report(self.sink, span, || {
                        let diagnostic = Diagnostic::error(code::DUPLICATE_TYPE, message).at(span, "");
                        diagnostic.help(format!("{what} is built in: choose another name"))
                    });
                    // Another name was meant, also for its members.
                    self.program.nameless.extend([None, Some(name)]);
                    continue;
                }
                if let Some(&first) = scope.get(&name) {
                    self.program.twice.insert(first);
                    self.program.nameless.insert(None);
                    let (first, name) = (self.program.class(first).span, self.names.text(name));
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
            self.program.scopes.push(scope);
        }
    }

    /// Every module of today's language knows `Vec`.
    fn vec(&mut self, name: Name) {
        let hidden = self.program.modules.iter().position(|module| module.name == HIDDEN[1]);
        let Some(vec) = hidden.and_then(|at| self.program.scopes[at].get(&name).copied()) else { return };
        for (module, scope) in self.program.modules.iter().zip(&mut self.program.scopes) {
            if module.is_today() {
                scope.insert(name, vec);
            }
        }
    }

    /// The classes of tuples.
    fn tuples(&mut self, names: &[Name]) {
        let Some(module) = self.program.modules.iter().position(|module| module.name == TUPLES) else { return };
        let own = |id: &ClassId| self.program.class(*id).source.0 == module;
        let found = names.iter().map_while(|name| self.program.scopes[module].get(name).copied().filter(own));
        let found = found.enumerate().take_while(|&(at, id)| {
            let (module, class) = self.program.class(id).source;
            self.program.modules[module].classes[class].params.len() == at + 2
        });
        self.program.tuples = found.map(|(_, id)| id).collect();
    }

    /// Declares type parameters, still without their bounds.
    fn declare_params(&mut self, params: &[TypeParam], scope: &mut Scope) -> Vec<ParamId> {
        let mut ids = Vec::with_capacity(params.len());
        for param in params {
            let Ident { name, span } = param.name;
            if scope.params.iter().any(|other| other.0 == name) {
                let text = self.names.text(name);
                self.program.nameless.insert(None);
                report(self.sink, span, || {
                    let message = format!("there are two type parameters `{text}`");
                    Diagnostic::error(code::NAME_TAKEN, message).at(span, "").help("give one of them another name")
                });
            } else if let Some(&class) = self.program.scopes[scope.module].get(&name) {
                let (text, there) = (self.names.text(name), self.program.class(class).span);
                report(self.sink, span, || {
                    let message = format!("the type parameter `{text}` has the name of a class");
                    let diagnostic = Diagnostic::error(code::NAME_TAKEN, message).at(span, "");
                    there.into_iter().fold(diagnostic, |it, there| it.and(there, "the class"))
                });
            }
            let id = ParamId(self.program.params.len() as u32);
            self.program.params.push(ParamInfo { name, bound: None, span: Some(span) });
            scope.params.push((name, id));
            ids.push(id);
        }
        ids
    }

    fn bounds(&mut self, params: &[TypeParam], ids: &[ParamId], scope: &Scope) {
        for (param, &id) in params.iter().zip(ids) {
            if let Some(bound) = &param.bound {
                let ty = self.interface(bound, scope);
                self.program.params[id.0 as usize].bound = Some(ty);
            }
        }
    }

    /// A type that must be an interface, or else `Ty::ERROR`.
    fn interface(&mut self, syntax: &TypeSyntax, scope: &Scope) -> Ty {
        let ty = self.named(syntax, scope, true);
        match self.program.types.kind(ty) {
            TypeKind::Error => ty,
            TypeKind::Class(id, _) if self.program.is_interface(*id) => ty,
            _ => {
                let (shown, span) = (self.program.show(ty, self.names), syntax.span);
                report(self.sink, span, || {
                    let help = "classes do not inherit: behind the colon stand interfaces, `interface Name { method f(): int }`";
                    let diagnostic = Diagnostic::error(code::WRONG_FORM, format!("`{shown}` is no interface"));
                    diagnostic.at(span, "").help(help)
                });
                Ty::ERROR
            }
        }
    }

    /// The type parameters of a class.
    fn parameters(&mut self, id: ClassId) {
        let (module, number) = self.program.class(id).source;
        let modules = std::mem::take(&mut self.program.modules);
        let class = &modules[module].classes[number];
        let mut scope = Scope { module, params: Vec::new() };
        let params = self.declare_params(&class.params, &mut scope);
        self.program.modules = modules;
        self.program.classes[id.0 as usize].params = params;
    }

    /// What names of types mean in a class.
    fn class_scope(&self, id: ClassId) -> Scope {
        let class = self.program.class(id);
        let params = class.params.iter().map(|&param| (self.program.param(param).name, param)).collect();
        Scope { module: class.source.0, params }
    }

    /// What is in a class: fields or variants, and members.
    fn contents(&mut self, id: ClassId) {
        let (module, number) = self.program.class(id).source;
        // The tree is looked at while the program grows.
        let class = std::mem::replace(&mut self.program.modules[module].classes[number], empty_class());
        let scope = self.class_scope(id);
        let params = self.program.class(id).params.clone();
        self.bounds(&class.params, &params, &scope);
        let kind = match &class.form {
            Form::Space => ClassKind::Space,
            Form::Interface => ClassKind::Interface,
            Form::Object(fields) => {
                self.distinct(id, fields.iter().map(|field| field.name), "fields");
                let fields = fields.iter().map(|field| FieldInfo {
                    name: field.name.name,
                    span: field.name.span,
                    is_private: field.is_private,
                    ty: self.resolve(&field.ty, &scope),
                });
                ClassKind::Object(fields.collect())
            }
            Form::Enum(variants) => {
                self.distinct(id, variants.iter().map(|variant| variant.name), "variants");
                variants.iter().for_each(|variant| self.no_class(variant.name, &scope));
                let variants = variants.iter().map(|variant| VariantInfo {
                    name: variant.name.name,
                    span: variant.name.span,
                    fields: variant.fields.iter().map(|ty| self.resolve(ty, &scope)).collect(),
                });
                ClassKind::Enum(variants.collect())
            }
        };
        self.program.classes[id.0 as usize].kind = kind;
        for syntax in &class.interfaces {
            let ty = self.interface(syntax, &scope);
            self.program.classes[id.0 as usize].interfaces.push((ty, syntax.span));
        }
        self.distinct(id, class.members.iter().map(|member| member.name), "members");
        for (source, member) in class.members.iter().enumerate() {
            let is_interface = matches!(class.form, Form::Interface);
            self.member(id, source, member, &scope, is_interface);
        }
        self.program.modules[module].classes[number] = class;
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
            None => Ty::ERROR,
        });
        let types: Vec<Ty> = types.collect();
        let result = self.resolve(&member.result, &scope);
        let id = MemberId(self.program.members.len() as u32);
        self.program.members.push(MemberInfo {
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
            tried: None,
        });
        let info = &mut self.program.classes[class.0 as usize];
        info.members.push(id);
        info.by_name.entry(member.name.name).or_insert(id);
    }

    /// A variant does not have the name of a class, or of a type parameter.
    fn no_class(&mut self, Ident { name, span }: Ident, scope: &Scope) {
        if !self.program.modules[scope.module].is_today() {
            return;
        }
        let class = self.program.scopes[scope.module].get(&name).map(|&id| self.program.class(id).span);
        let param = scope.params.iter().find(|param| param.0 == name).map(|param| self.program.param(param.1).span);
        let is_param = class.is_none() && param.is_some();
        // What is known without an import may have another meaning.
        let module = |span: &Span| self.program.modules.iter().all(|it| it.name != HIDDEN[1] || it.file != span.file);
        if let Some(there) = class.or(param).flatten().filter(module) {
            let text = self.names.text(name);
            report(self.sink, span, || {
                let message = format!("the name `{text}` is already taken here");
                let diagnostic = Diagnostic::error(code::NAME_TAKEN, message).at(span, "").and(there, "by this");
                match is_param {
                    true => diagnostic
                        .help(format!("a field is written `val name: {text}`; a variant has a name of its own")),
                    false => diagnostic.help("choose another name for the variant"),
                }
            });
        }
    }

    fn distinct(&mut self, id: ClassId, idents: impl Iterator<Item = Ident>, what: &str) {
        let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
        for Ident { name, span } in idents {
            if let Some(&first) = seen.get(&name) {
                let text = self.names.text(name);
                self.program.twice.insert(id);
                report(self.sink, span, || {
                    let message = format!("two {what} of the class are called `{text}`");
                    let diagnostic = Diagnostic::error(code::DUPLICATE_NAME, message).at(span, "");
                    let diagnostic = diagnostic.and(first, "the first one");
                    match what {
                        "members" => diagnostic.help("each has a name of its own, whatever its parameters are"),
                        _ => diagnostic,
                    }
                });
            } else {
                seen.insert(name, span);
            }
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
