//! The IDE index of a program: which name refers to which definition, and completions, noted while it is checked.

use crate::collect_items::{Definitions, Known};
use crate::lex::Name;
use crate::syntax::{Tree, join};
use crate::typeck::Checker;
use cleave_diag::{FileId, Span};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{FunctionId, Type, Var};
use cleave_strict::ide::{Candidate, Description, Occurrence, Places, Symbol, SymbolKind};

const WORDS: [&str; 5] = ["match", "let", "in", "enum", "fip"];

/// What is asked for, and what was found.
pub struct Notes {
    /// Names in this file are noted.
    pub file: FileId,
    /// Stands where one types.
    pub typed: Option<Name>,
    pub places: Places,
}

/// `max: (Int, Int): Int`
fn function_text(all: &Definitions, id: FunctionId) -> String {
    let function = &all.functions[id.index()];
    let shown = |types: &[Known]| match types {
        [one] => all.show(*one).to_string(),
        many => all.show_all(many),
    };
    let name = all.names.text(all.function_names[id.index()]);
    format!("{}: {} {name}", shown(&function.params), shown(&function.results))
}

/// Where a type is defined.
fn defined(all: &Definitions, ty: Known) -> Option<Span> {
    match ty {
        Some(Type::Data(id)) => all.types[id.index()].span,
        _ => None,
    }
}

/// Where the type of a function's result is defined, if it has one result.
fn result_of(all: &Definitions, id: FunctionId) -> Option<Span> {
    match all.functions[id.index()].results[..] {
        [one] => defined(all, one),
        _ => None,
    }
}

/// `Link(Int, List): List`
fn constructor_text(all: &Definitions, name: Name) -> Option<(String, Option<Span>)> {
    let info = all.constructor(name)?;
    let fields = if info.fields.is_empty() { String::new() } else { all.show_all(&info.fields) };
    Some((format!("{}{fields}: {}", all.names.text(name), all.types[info.ty.index()].name), info.span))
}

impl Checker<'_> {
    fn occurrence(&mut self, span: Span, make: impl FnOnce(&Definitions) -> Option<Occurrence>) {
        let all = self.all;
        if let Some(notes) = self.notes.as_deref_mut().filter(|notes| notes.file == span.file)
            && let Some(found) = make(all)
        {
            notes.places.occurrences.push(found);
        }
    }

    pub fn note_variable(&mut self, name: Name, var: Var, span: Span) {
        let (ty, definition) = (self.types[var.index()], Some(self.places[var.index()]));
        self.occurrence(span, |all| {
            let (name, rest) = (Some(all.names.text(name).into()), format!(": {}", all.show(ty)).into());
            let text = Description { word: "", name, rest };
            Some(Occurrence { span, sort: SymbolKind::Variable, text, definition, ty: defined(all, ty) })
        });
    }

    /// The name of a function, with which an expression begins.
    pub fn note_function(&mut self, id: FunctionId, span: Span) {
        self.occurrence(span, |all| {
            let span = start_of(span, all.names.text(all.function_names[id.index()]));
            let function = &all.functions[id.index()];
            let (text, definition, ty) = (function_text(all, id).into(), Some(function.span), result_of(all, id));
            Some(Occurrence { span, sort: SymbolKind::Function, text, definition, ty })
        });
    }

    /// The name of a constructor, with which an expression or pattern begins.
    pub fn note_constructor(&mut self, name: Name, span: Span) {
        self.occurrence(span, |all| {
            let (text, definition) = constructor_text(all, name)?;
            let span = start_of(span, all.names.text(name));
            let ty = all.constructor(name).and_then(|info| all.types[info.ty.index()].span);
            Some(Occurrence { span, sort: SymbolKind::Constructor, text: text.into(), definition, ty })
        });
    }

    /// Notes what may stand here, if this is where one types.
    pub fn offer(&mut self, name: Name) {
        let all = self.all;
        let variables: Vec<Candidate> = match self.notes.as_deref() {
            Some(notes) if notes.typed == Some(name) => self.variables(),
            _ => return,
        };
        if let Some(notes) = self.notes.as_deref_mut() {
            notes.places.candidates.extend(variables);
            notes.offer_definitions(all);
        }
    }

    /// The variables that are known here.
    fn variables(&self) -> Vec<Candidate> {
        let names = self.shadowed.iter().map(|shadowed| shadowed.0);
        let found = names.filter_map(|name| {
            let var = self.bindings[name.0 as usize]?;
            let name = self.all.names.text(name).to_string();
            let text = format!("{name}: {}", self.all.show(self.types[var.index()]));
            let definition = Some(self.places[var.index()]);
            Some(Candidate { name, sort: SymbolKind::Variable, text, definition })
        });
        found.collect()
    }
}

impl Notes {
    /// What the file defines, and the types that it names.
    pub fn definitions(&mut self, tree: &Tree, all: &Definitions) {
        let file = self.file;
        for item in tree.enums.iter().filter(|item| item.span.file == file) {
            let name = all.names.text(item.name).to_string();
            let text = format!("enum {name}");
            let last = item.constructors.last().map_or(item.span, |last| last.span);
            let extent = join(item.span, last);
            let within = Some(self.places.symbols.len());
            let ty = Some(item.span);
            self.symbol(Symbol { name, sort: SymbolKind::Class, text, span: item.span, extent, within: None }, ty);
            for constructor in &item.constructors {
                let Some((text, _)) = constructor_text(all, constructor.name) else { continue };
                let (name, span) = (all.names.text(constructor.name).to_string(), constructor.span);
                self.symbol(Symbol { name, sort: SymbolKind::Constructor, text, span, extent: span, within }, ty);
            }
        }
        for (number, function) in tree.functions.iter().enumerate() {
            if function.span.file == file {
                let name = all.names.text(function.name).to_string();
                let text = function_text(all, FunctionId::new(number));
                let extent = join(function.span, tree.span(function.body));
                let span = function.span;
                let ty = result_of(all, FunctionId::new(number));
                self.symbol(Symbol { name, sort: SymbolKind::Function, text, span, extent, within: None }, ty);
            }
        }
        let fields = tree.enums.iter().flat_map(|item| &item.constructors).flat_map(|one| &one.fields);
        let types =
            tree.functions.iter().flat_map(|function| function.param_types.iter().chain(&function.result_types));
        for ty in fields.chain(types).filter(|ty| ty.span.file == file) {
            let Some(definition) = all.type_span(ty.name) else { continue };
            let text = format!("enum {}", all.names.text(ty.name)).into();
            let (span, sort) = (ty.span, SymbolKind::Class);
            self.places.occurrences.push(Occurrence { span, sort, text, definition, ty: definition });
        }
    }

    fn symbol(&mut self, symbol: Symbol, ty: Option<Span>) {
        let Symbol { sort, span, .. } = symbol;
        let text = symbol.text.clone().into();
        self.places.occurrences.push(Occurrence { span, sort, text, definition: Some(span), ty });
        self.places.symbols.push(symbol);
    }

    pub fn offer_definitions(&mut self, all: &Definitions) {
        let candidates = &mut self.places.candidates;
        for (number, &name) in all.function_names.iter().enumerate() {
            let text = function_text(all, FunctionId::new(number));
            let (name, definition) = (all.names.text(name).to_string(), Some(all.functions[number].span));
            candidates.push(Candidate { name, sort: SymbolKind::Function, text, definition });
        }
        for ty in &all.types {
            candidates.push(Candidate {
                name: ty.name.clone(),
                sort: SymbolKind::Class,
                text: format!("enum {}", ty.name),
                definition: ty.span,
            });
            for &constructor in &ty.constructors {
                let Some((text, definition)) = constructor_text(all, constructor) else { continue };
                let name = all.names.text(constructor).to_string();
                candidates.push(Candidate { name, sort: SymbolKind::Constructor, text, definition });
            }
        }
        for word in WORDS {
            let (name, text) = (word.into(), String::new());
            candidates.push(Candidate { name, sort: SymbolKind::Keyword, text, definition: None });
        }
    }
}

/// The place of a name with which something begins.
fn start_of(span: Span, name: &str) -> Span {
    Span { end: span.start + name.len() as u32, ..span }
}
