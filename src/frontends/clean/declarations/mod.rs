//! Types that sources of Clean declare: an ABC file has none of them. They say how others see the functions of a
//! library, and how its data lie in nodes.
//!
//! Of a module (`.dcl`, `.icl`) only what begins at the start of a line is read: type definitions, and the types of
//! functions. `lex` makes words of a text, `parse` reads types. What cannot be read matters only if it is needed.

mod lex;
mod parse;

pub use parse::{foreign, function, read};

use cleave_diag::Span;
use std::fmt::{self, Display};

/// What a module declares.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// The name of the module.
    pub module: String,
    /// It is a definition module: what it declares is exported.
    pub is_definition: bool,
    /// In their order.
    pub types: Vec<TypeDefinition>,
    /// In their order.
    pub functions: Vec<Function>,
}

/// What a library exports.
#[derive(Clone, Debug, Default)]
pub struct Exports {
    /// What modules declare, those of the main module first.
    pub declarations: Vec<Declarations>,
    /// In their order.
    pub functions: Vec<Wanted>,
    /// Types of which the values are the host's.
    pub foreign: Vec<Foreign>,
}

/// A type of which the values are the host's.
#[derive(Clone, Debug)]
pub struct Foreign {
    pub name: String,
    /// Where that is said.
    pub span: Span,
}

/// A function that is to be exported.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub name: String,
    /// Where that is said.
    pub span: Span,
    pub ty: FunctionType,
}

/// A function, or a constant.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The type, or what is wrong with it, and where.
    pub ty: Result<FunctionType, Wrong>,
}

/// What is wrong with a type.
#[derive(Clone, Debug)]
pub struct Wrong {
    pub span: Span,
    pub message: String,
}

/// The type of a function; without parameters that of a constant.
#[derive(Clone, Debug)]
pub struct FunctionType {
    pub params: Vec<Annotated>,
    pub result: Annotated,
    /// It takes dictionaries of classes, too.
    pub is_overloaded: bool,
}

/// A type definition.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    pub name: String,
    /// Type parameters.
    pub parameters: Vec<String>,
    pub body: Body,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum Body {
    /// Another name for a type.
    Synonym(Type),
    /// Fields with their names.
    Record(Vec<(String, Annotated)>),
    /// Constructors with what they hold.
    Algebraic(Vec<(String, Vec<Annotated>)>),
    /// The module does not say.
    Abstract,
    /// Something else, in a few words.
    Other(&'static str),
}

/// A type that may be strict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotated {
    pub is_strict: bool,
    pub ty: Type,
}

/// How elements lie in an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elements {
    /// `{a}` and `{!a}`: nodes.
    Boxed,
    /// `{#a}`: the values.
    Unboxed,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A name, and what it is applied to.
    Named(String, Vec<Type>),
    /// A type variable.
    Variable(String),
    /// A list: lazy or strict, which lie in the same nodes.
    List(Box<Type>),
    /// An array.
    Array(Elements, Box<Type>),
    /// A tuple.
    Tuple(Vec<Annotated>),
    /// A function: what it takes, and what it gives.
    Function(Vec<Type>, Box<Type>),
    /// Something else, in a few words.
    Other(&'static str),
}

impl Type {
    /// The type without parameters that has this name.
    pub fn named(name: &str) -> Type {
        Type::Named(name.into(), Vec::new())
    }

    /// With types for type variables. `None` if one is not among them.
    pub fn with(&self, variables: &[(&str, Type)]) -> Option<Type> {
        let all = |types: &[Type]| types.iter().map(|ty| ty.with(variables)).collect::<Option<Vec<_>>>();
        Some(match self {
            Type::Named(name, arguments) => Type::Named(name.clone(), all(arguments)?),
            Type::Variable(name) => variables.iter().find(|variable| variable.0 == name)?.1.clone(),
            Type::List(element) => Type::List(Box::new(element.with(variables)?)),
            Type::Array(elements, element) => Type::Array(*elements, Box::new(element.with(variables)?)),
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|Annotated { is_strict, ty }| {
                    Some(Annotated { is_strict: *is_strict, ty: ty.with(variables)? })
                });
                Type::Tuple(parts.collect::<Option<_>>()?)
            }
            Type::Function(params, result) => Type::Function(all(params)?, Box::new(result.with(variables)?)),
            Type::Other(what) => Type::Other(what),
        })
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Named(name, arguments) => {
                f.write_str(name)?;
                arguments.iter().try_for_each(|argument| match argument {
                    Type::Named(_, more) if !more.is_empty() => write!(f, " ({argument})"),
                    _ => write!(f, " {argument}"),
                })
            }
            Type::Variable(name) => f.write_str(name),
            Type::List(element) => write!(f, "[{element}]"),
            Type::Array(Elements::Boxed, element) => write!(f, "{{{element}}}"),
            Type::Array(Elements::Unboxed, element) => write!(f, "{{#{element}}}"),
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.ty.to_string()).collect();
                write!(f, "({})", parts.join(", "))
            }
            Type::Function(params, result) => {
                let params: String = params.iter().map(|param| format!("{param} ")).collect();
                write!(f, "({params}-> {result})")
            }
            Type::Other(what) => f.write_str(what),
        }
    }
}
