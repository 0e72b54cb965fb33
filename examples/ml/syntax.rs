//! Trees of programs. Patterns are trees of the same kind. `infer.rs` fills in what is 0 or empty after parsing: `Id`,
//! `Ty`, and the types of an instance.

use cleave_diag::Span;
use std::rc::Rc;

pub type Name = Rc<str>;
/// The number of a variable: unlike its name, no other variable has it.
pub type Id = usize;
/// The number of a type (`types.rs`).
pub type Ty = usize;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub parts: Vec<Expr>,
    pub clauses: Vec<Clause>,
    pub span: Span,
    pub ty: Ty,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Integer, character, truth value or `()`, and the name of its type.
    Const(i64, &'static str),
    Real(f64),
    Text(Vec<u8>),
    /// With the types that stand for the type variables of its definition.
    Var(Name, Id, Vec<Ty>),
    Con(Name),
    Tuple,
    Array,
    /// A function with a number of its own, as if it were bound to a variable.
    Lambda(Id, Vec<(Name, Id, Ty)>),
    /// A function, then its arguments.
    Apply,
    /// The values of the variables, then the body. True: they are recursive.
    Let(bool, Vec<Binding>),
    Seq,
    If,
    And,
    Or,
    Match,
    /// The body is a function without parameters, of this number.
    Try(Id),
    While,
    /// From, to, body. True: it counts upwards.
    For(Name, Id, bool),
    Annotated(TypeExpr),
    /// Only in patterns: `_`, `|`, `as`.
    Any,
    Alternatives,
    Alias(Name, Id),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    pub name: Name,
    pub id: Id,
    pub ty: Ty,
    /// The type variables that stand for any type.
    pub generics: Vec<Ty>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub pattern: Expr,
    pub guard: Option<Expr>,
    pub body: Expr,
}

/// A type as it is written: a variable, or a constructor, as which `->` and `*` count, with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeExpr(pub Name, pub Vec<TypeExpr>, pub Span);

#[derive(Clone, Debug)]
pub enum Item {
    /// A definition without a body, or an expression.
    Value(Expr),
    /// Name, parameters, constructors with their arguments.
    Type(Name, Vec<Name>, Vec<(Name, Vec<TypeExpr>)>, Span),
    Exception(Name, Vec<TypeExpr>),
    /// A primitive: its variable, its type, what `code.rs` knows it as.
    External(Binding, TypeExpr, Name),
}

impl Expr {
    pub fn new(kind: Kind, parts: Vec<Expr>, span: Span) -> Expr {
        Expr { kind, parts, clauses: Vec::new(), span, ty: 0 }
    }

    /// Calls a function with this expression and all below it, but not below those for which it gives false.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr) -> bool) {
        if visit(self) {
            self.parts.iter().for_each(|part| part.each(visit));
            let clauses = self.clauses.iter().flat_map(|clause| clause.guard.iter().chain([&clause.body]));
            clauses.for_each(|part| part.each(visit));
        }
    }
}
