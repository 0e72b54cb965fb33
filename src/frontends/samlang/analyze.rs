//! A program for editors: what its names stand for, what it defines, and what may stand where one types. Errors do not
//! stop it: what can be read is checked as if the rest were not there.

use crate::check::notes::{Entity, Notes};
use crate::lex::{Name, Names};
use crate::modules::{self, Files};
use crate::program::{ClassKind, MemberId, Program};
use crate::syntax::{Expr, Form, Module, Statement, TypeSyntax, TypeSyntaxKind};
use crate::typed_program::TypedProgram;
use crate::types::{ClassId, Ty, TypeKind};
use crate::{collect_items, lints, monomorphize, recursion};
use cleave_diag::{FileId, Sink, SourceMap, Span};
use cleave_strict::ide::{
    Candidate, Description, Implementation, LazyPlaces, Occurrence, Places, Query, Symbol, SymbolKind,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

const WORDS: [&str; 13] =
    ["if", "then", "else", "match", "val", "let", "this", "true", "false", "class", "function", "method", "private"];
const TYPES: [&str; 4] = ["int", "bool", "string", "unit"];

/// Checks the program whose main module is the file `main` of `sources`. What the question asks for is put together
/// when somebody looks at it: what is wrong is told first.
pub fn analyze(
    name: &str,
    main: FileId,
    files: &mut dyn Files,
    sources: &mut SourceMap,
    sink: &mut Sink,
    question: Query,
) -> LazyPlaces {
    let mut names = Names::default();
    let modules = modules::load((name, main), files, sources, &mut names, sink);
    let program = collect_items::collect_items(modules, false, &mut names, sink);
    let typed = question.typed.map(|typed| names.name(typed));
    let mut notes = Notes { file: question.file, typed, found: Vec::new(), offered: Vec::new(), is_bare: false };
    let checked = crate::bodies(program, (names, sources), sink, Some(&mut notes), Some(question));
    if question.near.is_none() {
        if !sink.has_errors() {
            recursion::check(&checked, sink);
        }
        if !sink.has_errors() && checked.program.main.is_some() {
            monomorphize::program(name, &checked, sink);
        }
        if !sink.has_errors() {
            lints::check(&checked, Some(question.file), sources, sink);
        }
    }
    LazyPlaces::new(Box::new(move || places(&checked, &notes, question)))
}

/// What was noted, as editors want it.
fn places(checked: &TypedProgram, notes: &Notes, question: Query) -> Places {
    let TypedProgram { names, program, .. } = checked;
    let shower = Describer { names, program, known: RefCell::default() };
    let mut places = Places::default();
    let module = program.modules.iter().position(|module| module.file == question.file);
    if let Some(module) = module.filter(|_| question.near.is_none()) {
        shower.symbols(module, &mut places);
        shower.types(module, &mut places);
        shower.modules(module, &mut places);
        implementations(program, module, &mut places);
    }
    for note in &notes.found {
        let (sort, text, definition) = shower.describe(note.entity, note.ty);
        let ty = shower.type_of(note.entity, note.ty);
        places.occurrences.push(Occurrence { span: note.span, sort, text, definition, ty });
    }
    if notes.typed.is_some() {
        for &(entity, ty) in &notes.offered {
            let (sort, text, definition) = shower.describe(entity, ty);
            let (name, text) = (shower.name(entity), text.to_string());
            places.candidates.push(Candidate { name, sort, text, definition });
        }
        places.is_exact = notes.is_bare || !notes.offered.is_empty();
        // A type may stand there, or something that cannot be read without it.
        if notes.is_bare || notes.offered.is_empty() {
            shower.offer_classes(module.unwrap_or(0), &mut places);
        }
        places.sort();
    }
    places
}

/// The interfaces that classes of a module implement or extend, with the methods.
fn implementations(program: &Program, module: usize, places: &mut Places) {
    let ids = (0..program.classes.len() as u32).map(ClassId);
    // For each class the last one from which it was reached.
    let mut reached = vec![None; program.classes.len()];
    for id in ids.filter(|&id| program.class(id).source.0 == module) {
        let class = program.class(id);
        let of_class = |id: ClassId| {
            program.class(id).interfaces.iter().filter_map(|found| match *program.types.kind(found.0) {
                TypeKind::Class(of, _) => Some(of),
                _ => None,
            })
        };
        let Some(by) = class.span else { continue };
        places
            .implementations
            .extend(of_class(id).filter_map(|of| Some(Implementation { by, of: program.class(of).span? })));
        let mut all = vec![id];
        let mut next = 0;
        while let Some(&from) = all.get(next) {
            all.extend(of_class(from).filter(|of| reached[of.0 as usize].replace(id) != Some(id)));
            next += 1;
        }
        for &wanted in all.iter().skip(1).flat_map(|&of| &program.class(of).members) {
            let wanted = program.member(wanted);
            let found =
                class.by_name.get(&wanted.name).map(|&found| program.member(found)).filter(|found| found.is_method);
            if let Some((by, of)) = found.and_then(|found| found.span.zip(wanted.span)) {
                places.implementations.push(Implementation { by, of });
            }
        }
    }
}

/// Writes what programs have, as programs write it.
struct Describer<'s> {
    names: &'s Names,
    program: &'s Program,
    known: RefCell<Known>,
}

/// What was written already.
#[derive(Default)]
struct Known {
    names: FxHashMap<Name, Rc<str>>,
    /// With a colon before them.
    types: FxHashMap<Ty, Rc<str>>,
    /// What has the same description everywhere.
    entities: FxHashMap<Entity, Description>,
}

impl Describer<'_> {
    fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    fn name(&self, entity: Entity) -> String {
        let name = match entity {
            Entity::This => return "this".into(),
            Entity::Variable(name, _) => name,
            Entity::Class(id) => self.program.class(id).name,
            Entity::Member(id) => self.program.member(id).name,
            Entity::Field(class, number) => match &self.program.class(class).kind {
                ClassKind::Object(fields) => fields[number as usize].name,
                _ => self.program.class(class).name,
            },
            Entity::Variant(class, number) => match &self.program.class(class).kind {
                ClassKind::Enum(variants) => variants[number as usize].name,
                _ => self.program.class(class).name,
            },
        };
        self.text(name).to_string()
    }

    /// What something is, how it is written with its type, and where it is defined.
    fn describe(&self, entity: Entity, ty: Ty) -> (SymbolKind, Description, Option<Span>) {
        match entity {
            Entity::This => (SymbolKind::Keyword, self.typed("this", None, ty), None),
            Entity::Variable(name, span) => (SymbolKind::Variable, self.typed("", Some(name), ty), Some(span)),
            Entity::Class(id) => {
                let class = self.program.class(id);
                let is_interface = matches!(class.kind, ClassKind::Interface);
                let sort = if is_interface { SymbolKind::Interface } else { SymbolKind::Class };
                (sort, self.once(entity, || self.head(id)), class.span)
            }
            Entity::Member(id) => {
                let info = self.program.member(id);
                let sort = if info.is_method { SymbolKind::Method } else { SymbolKind::Function };
                (sort, self.once(entity, || self.signature(id)), info.span)
            }
            Entity::Field(class, number) => {
                let field = match &self.program.class(class).kind {
                    ClassKind::Object(fields) => Some(&fields[number as usize]),
                    _ => None,
                };
                let text = self.typed("val ", field.map(|field| field.name), ty);
                (SymbolKind::Field, text, field.map(|field| field.span))
            }
            Entity::Variant(class, number) => {
                let variant = match &self.program.class(class).kind {
                    ClassKind::Enum(variants) => Some(&variants[number as usize]),
                    _ => None,
                };
                let whole = || {
                    let name = format!("{}.{}", self.text(self.program.class(class).name), self.name(entity));
                    let fields = variant.into_iter().flat_map(|variant| &variant.fields);
                    let fields: Vec<String> = fields.map(|&ty| self.program.show(ty, self.names)).collect();
                    if fields.is_empty() { name } else { format!("{name}({})", fields.join(", ")) }
                };
                (SymbolKind::Constructor, self.once(entity, whole), variant.map(|variant| variant.span))
            }
        }
    }

    /// A name with its type.
    fn typed(&self, word: &'static str, name: Option<Name>, ty: Ty) -> Description {
        let mut known = self.known.borrow_mut();
        let name = name.map(|name| known.names.entry(name).or_insert_with(|| self.text(name).into()).clone());
        let shown = || format!(": {}", self.program.show(ty, self.names)).into();
        Description { word, name, rest: known.types.entry(ty).or_insert_with(shown).clone() }
    }

    /// What is described in the same way wherever it occurs.
    fn once(&self, entity: Entity, whole: impl FnOnce() -> String) -> Description {
        if let Some(known) = self.known.borrow().entities.get(&entity) {
            return known.clone();
        }
        let made = Description::from(whole());
        self.known.borrow_mut().entities.insert(entity, made.clone());
        made
    }

    /// Where the class of a value is defined; of a function, that of its result.
    fn type_of(&self, entity: Entity, ty: Ty) -> Option<Span> {
        let ty = match entity {
            Entity::Class(id) | Entity::Variant(id, _) => return self.program.class(id).span,
            Entity::Member(id) => self.program.member(id).result,
            Entity::This | Entity::Variable(..) | Entity::Field(..) => ty,
        };
        match *self.program.types.kind(ty) {
            TypeKind::Class(id, _) => self.program.class(id).span,
            _ => None,
        }
    }

    /// The names of modules in imports.
    fn modules(&self, module: usize, places: &mut Places) {
        for import in &self.program.modules[module].imports {
            let Some(found) = self.program.modules.iter().find(|found| found.name == import.module) else { continue };
            let (span, sort, start) = (import.span, SymbolKind::Module, Span::new(found.file, 0, 0));
            let text = format!("module {}", modules::shown(&import.module)).into();
            places.occurrences.push(Occurrence { span, sort, text, definition: Some(start), ty: None });
        }
    }

    /// `class Map<K: Comparable<K>, V>`
    fn head(&self, id: ClassId) -> String {
        let class = self.program.class(id);
        let word = if matches!(class.kind, ClassKind::Interface) { "interface" } else { "class" };
        format!("{word} {}{}", self.text(class.name), self.params(&class.params))
    }

    fn params(&self, params: &[crate::types::ParamId]) -> String {
        let shown: Vec<String> = params
            .iter()
            .map(|&id| {
                let param = self.program.param(id);
                let bound = param.bound.map(|bound| format!(": {}", self.program.show(bound, self.names)));
                format!("{}{}", self.text(param.name), bound.unwrap_or_default())
            })
            .collect();
        if shown.is_empty() { String::new() } else { format!("<{}>", shown.join(", ")) }
    }

    /// `method <R> map(f: (T) -> R): List<R>`
    fn signature(&self, id: MemberId) -> String {
        let info = self.program.member(id);
        let word = if info.is_method { "method" } else { "function" };
        let syntax = self.program.class_syntax(info.class).and_then(|class| class.members.get(info.source));
        let params: Vec<String> = info
            .types
            .iter()
            .enumerate()
            .map(|(number, &ty)| {
                let shown = self.program.show(ty, self.names);
                let name = syntax.and_then(|syntax| syntax.params.get(number)?.name);
                name.map_or(shown.clone(), |name| format!("{}: {shown}", self.text(name.name)))
            })
            .collect();
        let own = self.params(&info.params);
        let gap = if own.is_empty() { "" } else { " " };
        let result = self.program.show(info.result, self.names);
        format!("{word} {own}{gap}{}({}): {result}", self.text(info.name), params.join(", "))
    }

    /// What a module defines.
    fn symbols(&self, module: usize, places: &mut Places) {
        let ids = (0..self.program.classes.len() as u32).map(ClassId);
        for id in ids.filter(|&id| self.program.class(id).source.0 == module) {
            let (class, Some(syntax)) = (self.program.class(id), self.program.class_syntax(id)) else { continue };
            let within = Some(places.symbols.len());
            self.symbol(Entity::Class(id), Ty::ERROR, syntax.span, None, places);
            match &class.kind {
                ClassKind::Object(fields) => {
                    for (number, field) in fields.iter().enumerate() {
                        self.symbol(Entity::Field(id, number as u32), field.ty, field.span, within, places);
                    }
                }
                ClassKind::Enum(variants) => {
                    for (number, variant) in variants.iter().enumerate() {
                        self.symbol(Entity::Variant(id, number as u32), Ty::ERROR, variant.span, within, places);
                    }
                }
                ClassKind::Space | ClassKind::Interface => {}
            }
            for &member in &class.members {
                let Some(syntax) = syntax.members.get(self.program.member(member).source) else { continue };
                self.symbol(Entity::Member(member), Ty::ERROR, syntax.span, within, places);
            }
        }
    }

    fn symbol(&self, entity: Entity, ty: Ty, extent: Span, within: Option<usize>, places: &mut Places) {
        let (sort, text, span) = self.describe(entity, ty);
        let span = span.unwrap_or(extent);
        let occurrence =
            Occurrence { span, sort, text: text.clone(), definition: Some(span), ty: self.type_of(entity, ty) };
        let text = text.to_string();
        places.occurrences.push(occurrence);
        places.symbols.push(Symbol { name: self.name(entity), sort, text, span, extent, within });
    }

    /// The names of classes in types and imports of a module.
    fn types(&self, module: usize, places: &mut Places) {
        let syntax: &Module = &self.program.modules[module];
        for ident in syntax.imports.iter().flat_map(|import| &import.names) {
            self.class_name(module, ident.name, ident.span, places);
        }
        let mut open: Vec<&TypeSyntax> = Vec::new();
        for class in &syntax.classes {
            open.extend(class.params.iter().filter_map(|param| param.bound.as_ref()));
            open.extend(&class.interfaces);
            match &class.form {
                Form::Object(fields) => open.extend(fields.iter().map(|field| &field.ty)),
                Form::Enum(variants) => open.extend(variants.iter().flat_map(|variant| &variant.fields)),
                Form::Space | Form::Interface => {}
            }
            for member in &class.members {
                open.extend(member.type_params.iter().filter_map(|param| param.bound.as_ref()));
                open.extend(member.params.iter().filter_map(|param| param.ty.as_ref()));
                open.push(&member.result);
                for (expr, _) in member.body.iter().flat_map(|body| &body.exprs) {
                    match expr {
                        Expr::Static { types, .. } | Expr::Field { types, .. } => open.extend(types),
                        Expr::Lambda { params, .. } => open.extend(params.iter().filter_map(|param| param.ty.as_ref())),
                        Expr::Block { statements, .. } => open.extend(statements.iter().filter_map(|it| match it {
                            Statement::Val { ty, .. } => ty.as_ref(),
                            Statement::Expr(_) => None,
                        })),
                        _ => {}
                    }
                }
            }
        }
        while let Some(ty) = open.pop() {
            match &ty.kind {
                TypeSyntaxKind::Named(name, args) => {
                    let length = self.text(*name).len() as u32;
                    let span = Span { end: ty.span.start + length, ..ty.span };
                    self.class_name(module, *name, span, places);
                    open.extend(args);
                }
                TypeSyntaxKind::Tuple(parts) => open.extend(parts),
                TypeSyntaxKind::Function(params, result) => {
                    open.extend(params);
                    open.push(result);
                }
                TypeSyntaxKind::Unit | TypeSyntaxKind::Bool | TypeSyntaxKind::Int | TypeSyntaxKind::Text => {}
            }
        }
    }

    fn class_name(&self, module: usize, name: Name, span: Span, places: &mut Places) {
        if let Some(&id) = self.program.scopes[module].get(&name) {
            let (sort, text, definition) = self.describe(Entity::Class(id), Ty::ERROR);
            places.occurrences.push(Occurrence { span, sort, text, definition, ty: definition });
        }
    }

    /// The classes that a module knows, and words of the language.
    fn offer_classes(&self, module: usize, places: &mut Places) {
        for &id in self.program.scopes.get(module).into_iter().flat_map(|scope| scope.values()) {
            let (sort, text, definition) = self.describe(Entity::Class(id), Ty::ERROR);
            let (name, text) = (self.name(Entity::Class(id)), text.to_string());
            places.candidates.push(Candidate { name, sort, text, definition });
        }
        for word in WORDS.iter().chain(&TYPES) {
            let (name, text) = (word.to_string(), String::new());
            places.candidates.push(Candidate { name, sort: SymbolKind::Keyword, text, definition: None });
        }
    }
}
