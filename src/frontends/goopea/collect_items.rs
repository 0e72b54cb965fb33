//! Collects the items of a program: types, constructors and functions by name, with errors for duplicates and for
//! unknown types.

use crate::lex::{Name, Names};
use crate::syntax::{Enum, Function, Tree, TypeName, Unread};
use cleave_diag::{Diagnostic, Sink, Span, code, nearest};
use cleave_ir::EntityRef;
use cleave_ir::layout::MAX_SLOTS;
use cleave_strict::core_ir::{Constructor, DataType, FunctionId, Type, TypeId};
use cleave_strict::lints::misspelt_main;
use std::collections::BTreeSet;

/// A type, unless it is not known what it is, which has been said.
pub type Known = Option<Type>;

/// The types of a function.
#[derive(Clone, Debug)]
pub struct Signature {
    pub params: Vec<Known>,
    pub results: Vec<Known>,
    /// Of the name.
    pub span: Span,
    /// There is a type for each parameter; if not, that has been said.
    pub is_sure: bool,
    /// Another function of this name has other types, and nobody knows which one is called.
    pub is_twice: bool,
}

/// Fields of a constructor: each may take two slots of an object.
const MOST_FIELDS: usize = MAX_SLOTS as usize / 2;

/// A constructor: its type, its number, its fields.
#[derive(Clone, Debug)]
pub struct ConstructorInfo {
    pub ty: TypeId,
    pub number: u32,
    pub fields: Vec<Known>,
    /// Of its name, unless it is built in.
    pub span: Option<Span>,
    /// Nobody knows which of several is meant, which has been said.
    pub is_twice: bool,
}

/// All definitions, by number and by name.
#[derive(Clone)]
pub struct Definitions<'d> {
    pub names: &'d Names,
    unread: &'d Unread,
    /// A type is unknown, and nobody knows what was meant: perhaps a file is not included that has more.
    lacks_type: bool,
    /// A constructor is defined twice: another one was meant for one of them.
    lacks_constructor: bool,
    /// Constructors with the names of their types, as they are written.
    owners: Vec<(Name, Name)>,
    /// Names that functions were meant to have which have the name of another one: that has been said.
    pub renamed: BTreeSet<Name>,
    pub types: Vec<TypeData>,
    pub functions: Vec<Signature>,
    pub function_names: Vec<Name>,
    types_by_name: Vec<Option<TypeId>>,
    constructors: Vec<Option<ConstructorInfo>>,
    functions_by_name: Vec<Option<FunctionId>>,
}

/// A type and its constructors.
#[derive(Clone)]
pub struct TypeData {
    pub name: String,
    pub constructors: Vec<Name>,
    pub span: Option<Span>,
}

/// The type of truth values, which every program has.
pub const TRUTH: TypeId = TypeId::FIRST;

/// The names that are built in.
pub struct BuiltIn {
    pub int: Name,
    pub bool_type: Name,
    pub no: Name,
    pub yes: Name,
    pub main: Name,
}

impl BuiltIn {
    /// `enum Bool = True, False`: the type as it is built in, in either order.
    fn is_bool(&self, item: &Enum) -> bool {
        let mut names: Vec<Name> = item.constructors.iter().map(|constructor| constructor.name).collect();
        names.sort_by_key(|&name| name != self.no);
        let fields = item.constructors.iter().any(|constructor| !constructor.fields.is_empty());
        item.name == self.bool_type && names == [self.no, self.yes] && !fields
    }

    pub fn new(names: &mut Names) -> BuiltIn {
        BuiltIn {
            int: names.name("Int"),
            bool_type: names.name("Bool"),
            no: names.name("False"),
            yes: names.name("True"),
            main: names.name("main"),
        }
    }
}

impl<'d> Definitions<'d> {
    /// Collects the definitions of a program. Functions have the numbers of the tree. A library needs no `main`.
    pub fn collect(
        tree: &'d Tree,
        names: &'d Names,
        built_in: &BuiltIn,
        is_library: bool,
        sink: &mut Sink,
    ) -> Definitions<'d> {
        let mut all = Definitions {
            names,
            unread: &tree.unread,
            lacks_type: false,
            lacks_constructor: false,
            owners: tree
                .enums
                .iter()
                .flat_map(|item| item.constructors.iter().map(|it| (it.name, item.name)))
                .collect(),
            renamed: BTreeSet::new(),
            types: Vec::new(),
            functions: Vec::new(),
            function_names: Vec::new(),
            types_by_name: vec![None; names.count()],
            constructors: vec![None; names.count()],
            functions_by_name: vec![None; names.count()],
        };
        let bool_type = TypeData { name: "Bool".into(), constructors: vec![built_in.no, built_in.yes], span: None };
        all.types.push(bool_type);
        all.types_by_name[built_in.bool_type.0 as usize] = Some(TRUTH);
        for (number, name) in [built_in.no, built_in.yes].into_iter().enumerate() {
            let info =
                ConstructorInfo { ty: TRUTH, number: number as u32, fields: Vec::new(), span: None, is_twice: false };
            all.constructors[name.0 as usize] = Some(info);
        }
        // Programs may write down what is built in.
        let enums: Vec<&Enum> = tree.enums.iter().filter(|item| !built_in.is_bool(item)).collect();
        let kept: Vec<Option<TypeId>> = enums.iter().map(|item| all.add_type(item, built_in, sink)).collect();
        for (item, id) in enums.into_iter().zip(kept) {
            all.add_constructors(item, id, built_in, sink);
        }
        for function in &tree.functions {
            all.add_function(function, built_in, sink);
        }
        all.find_renamed(tree, (!is_library).then_some(built_in.main), sink);
        // Where not all can be read, it may be there.
        let has_main = all.function(built_in.main).is_some() || all.renamed.contains(&built_in.main);
        if !is_library && !has_main && !tree.unread.is_any {
            let help = "the program is the value of `main`: `(): Int main = 42;`";
            let diagnostic = Diagnostic::error(code::MISSING_MAIN, "there is no function `main`");
            let mut values = tree.functions.iter().filter(|it| it.params.is_empty() && it.param_types.is_empty());
            let is_near = |it: &&Function| nearest(b"main", [names.text(it.name).as_bytes()]).is_some();
            sink.report(match values.find(is_near) {
                Some(near) => misspelt_main(diagnostic.at(near.span, ""), names.text(near.name), "main", near.span),
                None => diagnostic.help(help),
            });
        }
        all
    }

    fn add_type(&mut self, item: &Enum, built_in: &BuiltIn, sink: &mut Sink) -> Option<TypeId> {
        let text = self.names.text(item.name);
        let before = self.types_by_name[item.name.0 as usize];
        if before.is_some() || item.name == built_in.int {
            sink.report_in(item.span.file, || {
                let message = format!("the type `{text}` is defined twice");
                let diagnostic = Diagnostic::error(code::DUPLICATE_TYPE, message).at(item.span, "");
                match before.and_then(|id| self.types[id.index()].span) {
                    Some(first) => diagnostic.and(first, "here for the first time"),
                    None => diagnostic.help(format!("`{text}` is built in")),
                }
            });
            return None;
        }
        let id = TypeId::new(self.types.len());
        self.types.push(TypeData { name: text.to_string(), constructors: Vec::new(), span: Some(item.span) });
        self.types_by_name[item.name.0 as usize] = Some(id);
        Some(id)
    }

    fn add_constructors(&mut self, item: &Enum, id: Option<TypeId>, built_in: &BuiltIn, sink: &mut Sink) {
        for constructor in &item.constructors {
            let fields = self.resolve(&constructor.fields, built_in, sink);
            if fields.len() > MOST_FIELDS {
                let (count, span) = (fields.len(), constructor.span);
                sink.report_in(item.span.file, || {
                    let message = format!("a constructor has at most {MOST_FIELDS} fields, not {count}");
                    Diagnostic::error(code::TOO_MUCH, message).at(span, "").help("make several of it, each a field")
                });
            }
            let place = constructor.name.0 as usize;
            if let Some(before) = &mut self.constructors[place] {
                before.is_twice = true;
                // That of a type which is defined twice has its message.
                if id.is_none() && self.types_by_name[item.name.0 as usize] == Some(before.ty) {
                    before.is_twice = false;
                    continue;
                }
                let text = self.names.text(constructor.name);
                let first = before.span;
                self.lacks_constructor = true;
                sink.report_in(item.span.file, || twice("constructor", text, constructor.span, first));
                continue;
            }
            // The constructors of a second definition are known, so that there are no messages about them.
            let ty = id.or(self.types_by_name[item.name.0 as usize]);
            let Some(ty) = ty else { continue };
            let number = self.types[ty.index()].constructors.len() as u32;
            self.types[ty.index()].constructors.push(constructor.name);
            let info = ConstructorInfo { ty, number, fields, span: Some(constructor.span), is_twice: false };
            self.constructors[place] = Some(info);
        }
    }

    fn add_function(&mut self, function: &Function, built_in: &BuiltIn, sink: &mut Sink) {
        let text = self.names.text(function.name);
        let params = self.resolve(&function.param_types, built_in, sink);
        let results = self.resolve(&function.result_types, built_in, sink);
        let (types, named) = (params.len(), function.params.len());
        if types != named {
            sink.report_in(function.span.file, || {
                let message =
                    format!("`{text}` has {} and {}", count(types, "parameter type"), count(named, "parameter"));
                let diagnostic = Diagnostic::error(code::PARAMETER_COUNT, message).at(function.span, "");
                match (types, named) {
                    (1, 0) => diagnostic.help(format!("there is one for each type: `{text} x = …`")),
                    _ => diagnostic.help("there is one type for each"),
                }
            });
        } else if function.name == built_in.main && types > 0 {
            sink.report_in(function.span.file, || {
                let message = "`main` cannot have parameters";
                Diagnostic::error(code::MAIN_PARAMETERS, message).at(function.span, "").help("write `(): … main = …;`")
            });
        }
        for (number, &(name, span)) in function.params.iter().flatten().enumerate() {
            if function.params[..number].iter().flatten().any(|(before, _)| *before == name) {
                sink.report_in(span.file, || bound_twice("parameter", self.names.text(name), span));
            }
        }
        let id = FunctionId::new(self.functions.len());
        self.functions.push(Signature {
            params,
            results,
            span: function.span,
            is_sure: types == named,
            is_twice: false,
        });
        self.function_names.push(function.name);
        let place = &mut self.functions_by_name[function.name.0 as usize];
        // Of the others there are messages once it is known which names are missing.
        place.get_or_insert(id);
    }

    fn resolve(&mut self, types: &[TypeName], built_in: &BuiltIn, sink: &mut Sink) -> Vec<Known> {
        let mut lacks_type = false;
        let mut resolve = |ty: &TypeName| {
            if ty.name == built_in.int {
                return Some(Type::Int);
            }
            let found = self.types_by_name[ty.name.0 as usize];
            if found.is_none() && !self.is_unread(ty.name) && !self.unread.has_nameless_type {
                let diagnostic = self.unknown_type(*ty);
                lacks_type |= diagnostic.help.is_empty();
                let form = diagnostic.help.is_empty().then(|| {
                    let text = self.names.text(ty.name);
                    format!("types are defined by `enum {text} = …;`, here or in a file that `#include` names")
                });
                sink.report_in(ty.span.file, || form.into_iter().fold(diagnostic, Diagnostic::help));
            }
            found.map(Type::Data)
        };
        let resolved = types.iter().map(&mut resolve).collect();
        self.lacks_type |= lacks_type;
        resolved
    }

    fn unknown_type(&self, ty: TypeName) -> Diagnostic {
        let text = self.names.text(ty.name);
        let diagnostic = Diagnostic::error(code::UNKNOWN_TYPE, format!("there is no type `{text}`")).at(ty.span, "");
        let diagnostic = diagnostic.mistake(format!("type {text}"));
        if let Some(name) = self.owner(ty.name) {
            return diagnostic.help(format!("`{text}` is a constructor of the type `{name}`"));
        }
        match text {
            "String" | "Str" | "Text" => {
                return diagnostic.help("there are no texts: values are numbers and constructors");
            }
            "Integer" | "Number" | "Long" | "Nat" | "Num" | "I32" | "I64" | "Double" | "Float" => {
                let diagnostic = diagnostic.help("numbers are of type `Int`");
                return diagnostic.fix("write `Int`", vec![(ty.span, "Int".to_string())]);
            }
            "Boolean" => {
                let edit = (ty.span, "Bool".to_string());
                return diagnostic.help("did you mean `Bool`?").fix("write `Bool`", vec![edit]);
            }
            "Void" | "Unit" => return diagnostic.help("every function has a value: `(): Int`"),
            _ => {}
        }
        let names = self.types.iter().map(|ty| ty.name.as_bytes()).chain([&b"Int"[..]]);
        self.suggest(diagnostic, text, names)
    }

    /// The name of the type to which a constructor belongs.
    fn owner(&self, constructor: Name) -> Option<&str> {
        let known = self.constructors[constructor.0 as usize].as_ref();
        // Fields are looked at before all constructors are known.
        let written = || self.owners.iter().find(|owner| owner.0 == constructor).map(|owner| self.names.text(owner.1));
        known.map(|info| &self.types[info.ty.index()].name[..]).or_else(written)
    }

    /// Something of this name may be defined where nothing can be read.
    pub fn is_unread(&self, name: Name) -> bool {
        self.unread.names.contains(&name)
    }

    /// The same for a function, whose name may be what is missing.
    pub fn is_unread_function(&self, name: Name) -> bool {
        self.is_unread(name) || self.unread.has_nameless || self.lacks_type
    }

    /// The same for a constructor, of which nobody knows to which type it belongs.
    pub fn is_unread_constructor(&self, name: Name) -> bool {
        self.is_unread(name) || self.unread.has_type || self.lacks_type || self.lacks_constructor
    }

    /// Where a type is defined, unless it is built in; nothing if there is none.
    pub fn type_span(&self, name: Name) -> Option<Option<Span>> {
        self.types_by_name[name.0 as usize].map(|id| self.types[id.index()].span)
    }

    pub fn function(&self, name: Name) -> Option<FunctionId> {
        self.functions_by_name[name.0 as usize]
    }

    pub fn constructor(&self, name: Name) -> Option<&ConstructorInfo> {
        self.constructors[name.0 as usize].as_ref()
    }

    pub fn constructor_mut(&mut self, name: Name) -> Option<&mut ConstructorInfo> {
        self.constructors[name.0 as usize].as_mut()
    }

    /// The names of all constructors.
    pub fn constructor_names(&self) -> impl Iterator<Item = &'d [u8]> + '_ {
        self.types.iter().flat_map(|ty| &ty.constructors).map(|&name| self.names.text(name).as_bytes())
    }

    /// The names of all functions, also of those that cannot be read.
    pub fn functions_anywhere(&self) -> impl Iterator<Item = &'d [u8]> + '_ {
        self.function_names.iter().chain(&self.unread.names).map(|&name| self.names.text(name).as_bytes())
    }

    /// Adds the name that may have been meant.
    pub fn suggest<'c>(
        &self,
        diagnostic: Diagnostic,
        name: &str,
        candidates: impl Iterator<Item = &'c [u8]>,
    ) -> Diagnostic {
        let Some(other) = nearest(name.as_bytes(), candidates) else { return diagnostic };
        let other = String::from_utf8_lossy(other).into_owned();
        // The name stands where the last mark begins: that of a pattern is the second.
        let place = diagnostic.secondary.last().or(diagnostic.primary.as_ref()).map(|label| label.span);
        let edits = place.map(|span| (Span { end: span.start + name.len() as u32, ..span }, other.clone()));
        // What was meant may be in a definition that cannot be read: then there is no edit.
        if self.unread.is_any {
            return diagnostic.help(format!("perhaps `{other}` is meant"));
        }
        let diagnostic = diagnostic.help(format!("did you mean `{other}`?"));
        edits.into_iter().fold(diagnostic, |it, edit| it.fix(format!("write `{other}`"), vec![edit]))
    }

    /// The same for a constructor that there is not: perhaps it is a type.
    pub fn suggest_constructor(&self, diagnostic: Diagnostic, name: Name) -> Diagnostic {
        let text = self.names.text(name);
        let diagnostic = diagnostic.mistake(format!("constructor {text}"));
        match self.types_by_name[name.0 as usize] {
            Some(ty) => {
                let own = self.types[ty.index()].constructors.iter().take(4);
                let own: Vec<String> = own.map(|&name| format!("`{}`", self.names.text(name))).collect();
                match own.is_empty() {
                    true => {
                        diagnostic.help(format!("`{text}` is a type without constructors: its values are the host's"))
                    }
                    false => diagnostic.help(format!("`{text}` is a type; its constructors are {}", own.join(", "))),
                }
            }
            None if text == "Int" => diagnostic.help("`Int` is a type, whose values are numbers"),
            None => self.suggest(diagnostic, text, self.constructor_names()),
        }
    }

    /// The types as the tree has them, once it is known that nothing is wrong.
    pub fn data_types(&self) -> impl Iterator<Item = DataType> + '_ {
        self.types.iter().map(|ty| {
            let constructors = ty.constructors.iter().map(|&name| {
                let fields = self.constructor(name).into_iter().flat_map(|info| info.fields.iter().copied().flatten());
                Constructor { name: self.names.text(name).to_string(), fields: fields.collect() }
            });
            DataType { name: ty.name.clone(), constructors: constructors.collect() }
        })
    }

    /// A type as programs write it.
    pub fn show(&self, ty: Known) -> &str {
        match ty {
            Some(Type::Int) => "Int",
            Some(Type::Data(id)) => &self.types[id.index()].name,
            _ => "?",
        }
    }

    pub fn show_all(&self, types: &[Known]) -> String {
        let shown: Vec<&str> = types.iter().map(|&ty| self.show(ty)).collect();
        format!("({})", shown.join(", "))
    }
}

/// Two variables of one name, bound at once.
pub fn bound_twice(what: &str, text: &str, span: Span) -> Diagnostic {
    let message = format!("the {what} `{text}` stands here twice");
    let help = "each has a name of its own, or is not named: `_` in patterns, another name for a parameter";
    Diagnostic::error(code::DUPLICATE_NAME, message).at(span, "").help(help)
}

pub fn twice(what: &str, text: &str, span: Span, first: Option<Span>) -> Diagnostic {
    let message = format!("the {what} `{text}` is defined twice");
    let diagnostic = Diagnostic::error(code::DUPLICATE_NAME, message).at(span, "");
    match first {
        Some(first) => diagnostic.and(first, "here for the first time"),
        None => diagnostic.help(format!("`{text}` is built in")),
    }
}

/// "1 field", "2 fields".
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
