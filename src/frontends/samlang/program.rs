//! All that a program defines: classes, members, type parameters, and what names mean in each module.

use crate::counts::{Counts, Tried};
use crate::dialect::Dialect;
use crate::lex::{Name, Names};
use crate::modules::shown;
use crate::syntax::{Class, Module};
use crate::types::{ClassId, Interner, ParamId, Ty, TypeKind};
use cleave_diag::{Diagnostic, FileId, Sink, Span, nearest};
use cleave_strict::core_ir::Primitive;
use rustc_hash::{FxHashMap, FxHashSet};

/// A function or method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemberId(pub u32);

/// What the language does itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// What the runtime does under one name for all strict languages.
    Primitive(Primitive),
    StringToInt,
    /// Of a string; 0 if that is no number.
    ToInt,
    NewArray,
    ArraySize,
    Element,
    /// The element, which the array does not hold any longer.
    Take,
    SetElement,
    /// The same of the array that is the first element of an array.
    InnerElement,
    InnerTake,
    SetInnerElement,
    Same,
    /// Of an object of the host: 1, or 0 if it was given back already. Of anything else 1.
    GiveBack,
}

/// What a class is.
#[derive(Clone, Debug)]
pub enum ClassKind {
    Space,
    Object(Vec<FieldInfo>),
    Enum(Vec<VariantInfo>),
    Interface,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    pub name: Name,
    pub span: Span,
    pub is_private: bool,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub struct VariantInfo {
    pub name: Name,
    pub span: Span,
    pub fields: Vec<Ty>,
}

#[derive(Debug)]
pub struct ClassInfo {
    pub name: Name,
    /// Of the name. The built-in class has none.
    pub span: Option<Span>,
    /// The number of its module, and its own number there.
    pub source: (usize, usize),
    pub is_private: bool,
    /// Of a module in today's language.
    pub is_today: bool,
    pub params: Vec<ParamId>,
    pub kind: ClassKind,
    /// The interfaces after its name, `Ty::ERROR` for what is none.
    pub interfaces: Vec<(Ty, Span)>,
    pub members: Vec<MemberId>,
    pub by_name: FxHashMap<Name, MemberId>,
}

#[derive(Debug)]
pub struct MemberInfo {
    pub name: Name,
    pub span: Option<Span>,
    pub class: ClassId,
    /// Its number in the class.
    pub source: usize,
    pub is_method: bool,
    pub is_private: bool,
    /// Its own type parameters.
    pub params: Vec<ParamId>,
    pub types: Vec<Ty>,
    pub result: Ty,
    pub builtin: Option<Builtin>,
    /// What is tried of its parameters.
    pub tried: Option<Tried>,
}

#[derive(Clone, Copy, Debug)]
pub struct ParamInfo {
    pub name: Name,
    /// The interface that arguments have; `Ty::ERROR` where something else was written.
    pub bound: Option<Ty>,
    /// Where it is declared. What is built in is nowhere.
    pub span: Option<Span>,
}

/// The name of a module, and its imports.
#[derive(Debug)]
pub struct ModuleHead {
    pub name: String,
    /// Where its text begins.
    pub begin: Span,
    pub imports: Vec<ImportHead>,
}

/// An import without its names.
#[derive(Debug)]
pub struct ImportHead {
    pub module: String,
    /// Of the last name in the braces.
    pub last: Option<Span>,
    pub extent: Span,
    pub has_semicolon: bool,
}

impl ModuleHead {
    pub fn of(module: &Module) -> ModuleHead {
        let imports = module.imports.iter().map(|import| ImportHead {
            module: shown(&import.module).to_string(),
            last: import.names.last().map(|name| name.span),
            extent: import.extent,
            has_semicolon: import.extent.end > import.span.end,
        });
        ModuleHead { name: module.name.clone(), begin: module.begin, imports: imports.collect() }
    }
}

/// What is defined.
#[derive(Debug, Default)]
pub struct Program {
    pub types: Interner,
    pub modules: Vec<Module>,
    /// Of each module what messages say of it: the trees are elsewhere while they are looked at.
    pub heads: Vec<ModuleHead>,
    /// What names of classes mean in each module.
    pub scopes: Vec<FxHashMap<Name, ClassId>>,
    pub classes: Vec<ClassInfo>,
    pub members: Vec<MemberInfo>,
    pub params: Vec<ParamInfo>,
    /// `Comparable` of the library: numbers, truth values and strings have it, too.
    pub comparable: Option<ClassId>,
    pub main: Option<MemberId>,
    /// The result of `main` is more than nothing, which nobody sees.
    pub unseen_result: Option<Diagnostic>,
    /// Classes that were said not to have an interface: once is enough.
    pub unmet: FxHashSet<(Ty, Ty)>,
    /// Type parameters that were said to need another bound, by their places.
    pub unsure_bounds: Vec<Span>,
    /// Names of classes that nobody knows in a file, or that are used there as others than they are: once is enough.
    pub reported: FxHashSet<(FileId, Name)>,
    /// Names that something may define that cannot be read: nothing is said of them.
    pub unread: FxHashSet<Name>,
    /// Classes that have a member more, whose name cannot be read; nothing for a class of which this is so.
    pub nameless: FxHashSet<Option<Name>>,
    /// Classes of which there are two, or that have two things of one name: another name was meant for one of them, and
    /// nothing is said of what they lack.
    pub twice: FxHashSet<ClassId>,
    /// Places of errors in the syntax: nothing else is said of what holds them.
    pub unreadable: Vec<Span>,
    /// The classes in which they are.
    pub half_read: FxHashSet<ClassId>,
    /// Functions that were said to be methods.
    pub misplaced: FxHashSet<MemberId>,
    /// Members whose bodies give something else than their types say: nobody knows what their callers get.
    pub doubted: FxHashSet<MemberId>,
    /// Types that were wanted and found in messages: of something declared the other one may be meant.
    pub mismatches: Vec<(Ty, Ty)>,
    /// What is used with another number of things than it has.
    pub counts: Counts,
    /// Methods that were said to be hidden by a field.
    pub hidden: FxHashSet<MemberId>,
    /// What `Builtins.stringToInt` calls, and what `toInt` does.
    pub string_to_int: Option<MemberId>,
    pub to_int: Option<MemberId>,
    /// The classes of tuples, by how many parts they have; none in a program of 2021.
    pub tuples: Vec<ClassId>,
    /// The main module is in today's language.
    pub is_today: bool,
    /// The languages of the modules.
    pub dialects: Vec<Dialect>,
    /// Private classes that other modules have imported, which has been said.
    pub named_private: FxHashSet<ClassId>,
    /// The files that came with the compiler.
    pub library_files: FxHashSet<FileId>,
    /// Parameters whose values are compared with `==`.
    pub compared: FxHashSet<ParamId>,
}

/// So many names are all said where there is no such one.
pub const FEW: usize = 4;

/// Longer types are not shown whole.
const SHOWN: usize = 160;

impl Program {
    /// The syntax has an error there.
    pub fn is_unreadable(&self, span: Span) -> bool {
        self.unreadable
            .iter()
            .any(|error| error.file == span.file && error.start >= span.start && error.end <= span.end)
    }

    /// The class came with the compiler.
    pub fn is_of_library(&self, id: ClassId) -> bool {
        self.class(id).span.is_some_and(|span| self.library_files.contains(&span.file))
    }

    /// Finds the classes in which something cannot be read.
    pub fn find_half_read(&mut self) {
        if !self.unreadable.is_empty() {
            let ids = (0..self.classes.len() as u32).map(ClassId);
            let is_wrong = |&id: &ClassId| self.class_syntax(id).is_some_and(|class| self.is_unreadable(class.span));
            self.half_read = ids.filter(is_wrong).collect();
        }
    }

    pub fn class(&self, id: ClassId) -> &ClassInfo {
        &self.classes[id.0 as usize]
    }
    pub fn member(&self, id: MemberId) -> &MemberInfo {
        &self.members[id.0 as usize]
    }
    pub fn param(&self, id: ParamId) -> &ParamInfo {
        &self.params[id.0 as usize]
    }
    /// The class in the syntax tree.
    pub fn class_syntax(&self, id: ClassId) -> Option<&Class> {
        let (module, number) = self.class(id).source;
        self.modules.get(module)?.classes.get(number)
    }

    /// Known before what is in it.
    pub fn is_interface(&self, id: ClassId) -> bool {
        matches!(self.class(id).kind, ClassKind::Interface)
    }

    /// The class is of a module in today's language.
    pub fn is_of_today(&self, id: ClassId) -> bool {
        self.class(id).is_today
    }

    /// The type of tuples of these parts: today each is a class.
    pub fn tuple(&mut self, parts: &[Ty]) -> Ty {
        match parts.len().checked_sub(2).and_then(|count| self.tuples.get(count)) {
            Some(&class) => self.types.class(class, parts),
            None => self.types.tuple(parts),
        }
    }

    /// The types of the fields of an object with these arguments.
    pub fn field_types(&mut self, id: ClassId, args: &[Ty]) -> Option<Vec<Ty>> {
        let ClassKind::Object(fields) = &self.class(id).kind else { return None };
        let (params, types) = (self.class(id).params.clone(), fields.iter().map(|field| field.ty).collect::<Vec<Ty>>());
        Some(types.into_iter().map(|ty| self.types.substitute(ty, &params, args)).collect())
    }

    /// A name for functions of the program: `Class.member`.
    pub fn full_name(&self, id: MemberId, names: &Names) -> String {
        let member = self.member(id);
        format!("{}.{}", names.text(self.class(member.class).name), names.text(member.name))
    }

    /// The type as the program writes it.
    pub fn show(&self, ty: Ty, names: &Names) -> String {
        let mut text = String::new();
        self.write(ty, names, &mut text);
        text
    }

    fn write(&self, ty: Ty, names: &Names, text: &mut String) {
        if text.len() > SHOWN {
            if !text.ends_with('…') {
                text.push('…');
            }
            return;
        }
        let list = |parts: &[Ty], between: &str, text: &mut String| {
            for (index, &part) in parts.iter().enumerate() {
                if index > 0 {
                    text.push_str(between);
                }
                self.write(part, names, text);
            }
        };
        match self.types.kind(ty) {
            TypeKind::Unit => text.push_str("unit"),
            TypeKind::Bool => text.push_str("bool"),
            TypeKind::Int => text.push_str("int"),
            TypeKind::Text => text.push_str(if self.is_today { "Str" } else { "string" }),
            TypeKind::Class(class, parts) if !self.is_today && self.tuples.contains(class) => {
                text.push('[');
                list(parts, " * ", text);
                text.push(']');
            }
            TypeKind::Class(class, args) => {
                text.push_str(names.text(self.class(*class).name));
                if !args.is_empty() {
                    text.push('<');
                    list(args, ", ", text);
                    text.push('>');
                }
            }
            TypeKind::Tuple(parts) => {
                text.push('[');
                list(parts, " * ", text);
                text.push(']');
            }
            TypeKind::Function(params, result) => {
                text.push('(');
                list(params, ", ", text);
                text.push_str(") -> ");
                self.write(*result, names, text);
            }
            TypeKind::Param(param) => text.push_str(names.text(self.param(*param).name)),
            TypeKind::Unknown(_) | TypeKind::Error => text.push('_'),
        }
    }

    /// The interfaces of a type, with those that they extend; of a class only what its name says, not what is in it.
    pub fn interfaces(&mut self, ty: Ty) -> Vec<Ty> {
        let mut found: Vec<Ty> = Vec::new();
        let mut open = match *self.types.kind(ty) {
            TypeKind::Param(param) => self.param(param).bound.into_iter().collect(),
            TypeKind::Class(..) => self.extended(ty),
            TypeKind::Int | TypeKind::Bool | TypeKind::Text => {
                let comparable = self.comparable;
                comparable.map(|class| self.types.class(class, &[ty])).into_iter().collect()
            }
            _ => Vec::new(),
        };
        while let Some(next) = open.pop() {
            if found.len() < 64 && !found.contains(&next) {
                found.push(next);
                open.extend(self.extended(next));
            }
        }
        found
    }

    /// What stands after the name of a class or interface.
    fn extended(&mut self, ty: Ty) -> Vec<Ty> {
        let TypeKind::Class(class, args) = self.types.kind(ty).clone() else { return Vec::new() };
        let params = self.class(class).params.clone();
        let supers: Vec<Ty> = self.class(class).interfaces.iter().map(|found| found.0).collect();
        supers.into_iter().map(|found| self.types.substitute(found, &params, &args)).collect()
    }

    /// The member of this name of a class, or of one of the interfaces that an interface extends; with the arguments of
    /// the class in which it is.
    pub fn find_member(&mut self, ty: Ty, name: Name) -> Option<(MemberId, Vec<Ty>)> {
        let mut open = vec![ty];
        let mut seen = 0;
        while let Some(next) = open.pop() {
            let TypeKind::Class(class, args) = self.types.kind(next).clone() else { continue };
            if let Some(&member) = self.class(class).by_name.get(&name) {
                return Some((member, args.to_vec()));
            }
            seen += 1;
            if matches!(self.class(class).kind, ClassKind::Interface) && seen < 64 {
                open.extend(self.extended(next));
            }
        }
        None
    }
}

/// Adds the name that was probably meant.
pub fn suggest<'c>(diagnostic: Diagnostic, name: &str, candidates: impl Iterator<Item = &'c str>) -> Diagnostic {
    match nearest(name.as_bytes(), candidates.map(str::as_bytes)) {
        Some(other) => {
            let other = String::from_utf8_lossy(other).into_owned();
            // The mark is the name alone, or something larger.
            let place = diagnostic.primary.as_ref().map(|label| label.span);
            let place = place.filter(|span| (span.end - span.start) as usize == name.len());
            let diagnostic = diagnostic.help(format!("did you mean `{other}`?"));
            place
                .into_iter()
                .fold(diagnostic, |it, span| it.fix(format!("write `{other}`"), vec![(span, other.clone())]))
        }
        None => diagnostic,
    }
}

/// Names all of a few.
pub fn those(diagnostic: Diagnostic, what: &str, known: &[&str]) -> Diagnostic {
    match known.len() {
        1..=FEW => {
            let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
            diagnostic.help(format!("{what} {}", known.join(", ")))
        }
        _ => diagnostic,
    }
}

/// Reports in the file of a place.
pub fn report(sink: &mut Sink, span: Span, make: impl FnOnce() -> Diagnostic) {
    sink.report_in(span.file, make);
}
