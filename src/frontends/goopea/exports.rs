//! Functions that others call, and what the types of GOOPEA look like to others.

use crate::collect_items::{Definitions, TRUTH};
use crate::syntax::Tree;
use cleave_diag::{Diagnostic, FileId, Sink, Span, code, nearest};
use cleave_ir::{EntityRef, PrimaryMap};
use cleave_strict::core_ir::{DataType, Function, FunctionId, Type, TypeId};
use cleave_strict::interface::{Crossing, Export, Exports, Interface, Language, Shape};

/// The functions that are exported: all of the main file but `main`, or those that are named.
pub fn interface(
    exports: &Exports,
    tree: &Tree,
    all: &Definitions,
    functions: &[Function],
    types: &PrimaryMap<TypeId, DataType>,
    main: FileId,
    sink: &mut Sink,
) -> Interface {
    let mut own: Vec<usize> = (0..functions.len()).filter(|&at| tree.functions[at].span.file == main).collect();
    match exports {
        Exports::None => return Interface::default(),
        Exports::Public => own.retain(|&at| functions[at].name != "main"),
        Exports::Named(names) => {
            for name in names.iter().filter(|name| !own.iter().any(|&at| functions[at].name == **name)) {
                let message = format!("there is no function `{name}` in the file to export");
                let diagnostic = Diagnostic::error(code::CANNOT_EXPORT, message).at(Span::new(main, 0, 0), "");
                // No place in the file is to be edited.
                let near = nearest(name.as_bytes(), own.iter().map(|&at| functions[at].name.as_bytes()));
                let near = near.map(|near| format!("did you mean `{}`?", String::from_utf8_lossy(near)));
                sink.report(near.into_iter().fold(diagnostic, Diagnostic::help));
            }
            own.retain(|&at| names.contains(&functions[at].name));
        }
    }
    let mut language = Types { types, all };
    let mut crossing = Crossing::new(&mut language);
    for at in own {
        let (function, source) = (&functions[at], &tree.functions[at]);
        let name = function.name.clone();
        let mut export = Export { name, function: FunctionId::new(at), params: Vec::new(), results: Vec::new() };
        for (&param, written) in function.params.iter().zip(&source.param_types) {
            let variable = &function.vars[param];
            match crossing.of(variable.ty) {
                Ok(ty) => export.params.push((variable.name.trim_start_matches('_').to_string(), ty)),
                Err(cannot) => {
                    let whole = format!("the argument `{}`", variable.name);
                    sink.report(cannot.diagnostic(&function.name, &whole, written.span));
                }
            }
        }
        for (&result, written) in function.results.iter().zip(&source.result_types) {
            match crossing.of(result) {
                Ok(ty) => export.results.push(ty),
                Err(cannot) => sink.report(cannot.diagnostic(&function.name, "the result", written.span)),
            }
        }
        for (at, param) in export.params.iter_mut().enumerate().filter(|(_, param)| param.0.is_empty()) {
            param.0 = format!("arg{}", at + 1);
        }
        crossing.interface.exports.push(export);
    }
    crossing.interface
}

struct Types<'t, 'd> {
    types: &'t PrimaryMap<TypeId, DataType>,
    all: &'t Definitions<'d>,
}

impl Language for Types<'_, '_> {
    type Type = Type;

    fn shape(&mut self, ty: Type) -> Shape<Type> {
        let id = match ty {
            Type::Data(TRUTH) => return Shape::Bool,
            Type::Data(id) => id,
            _ => return Shape::Int,
        };
        let DataType { name, constructors } = &self.types[id];
        match &constructors[..] {
            [] => Shape::Foreign(name.clone()),
            // Fields have no names.
            [only] if !only.fields.is_empty() => Shape::Tuple(only.fields.clone()),
            all => Shape::Variant(name.clone(), all.iter().map(|it| (it.name.clone(), it.fields.clone())).collect()),
        }
    }

    fn tree_type(&mut self, ty: Type) -> Type {
        ty
    }

    fn show(&self, ty: Type) -> String {
        self.all.show(Some(ty)).to_string()
    }

    const INT_BITS: u32 = super::INT_BITS;
}
