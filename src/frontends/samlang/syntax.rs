//! The syntax tree, names still unresolved. The expressions and patterns of a member lie in lists of its own, operands
//! before what uses them. The parser limits how deep expressions, patterns and types are nested (`MAX_DEPTH`), so that
//! what walks over them may recur; chains of operators, of calls and of `else if` are no nesting.

use crate::dialect::{Dialect, OldForm};
use crate::lex::Name;
use cleave_diag::{FileId, Span};
use rustc_hash::FxHashSet;

/// How deep expressions may be nested.
pub const MAX_DEPTH: u32 = 200;

/// How many fields, parameters, arguments or parts of a tuple there may be, and variables that a lambda takes along.
pub const MAX_PARTS: usize = 1000;

/// A name with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

/// The number of an expression in its body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub u32);

/// The number of a pattern in its body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PatternId(pub u32);

/// A module.
#[derive(Debug)]
pub struct Module {
    /// As programs name it: `path.to.Module`.
    pub name: String,
    pub file: FileId,
    pub dialect: Dialect,
    /// Where its text begins: some editors write a mark before it.
    pub begin: Span,
    /// The forms of 2021 in it.
    pub old: Vec<(OldForm, Span)>,
    pub imports: Vec<Import>,
    pub classes: Vec<Class>,
    /// Names in parts that cannot be read: nobody knows what they define.
    pub unread: FxHashSet<Name>,
    /// Classes in which a member is without a name that can be read; nothing for a class that is.
    pub nameless: FxHashSet<Option<Name>>,
    /// It is of the library and knows the class `Native`.
    pub is_native: bool,
    /// It came with the compiler.
    pub is_library: bool,
}

impl Module {
    /// Only a sign was said to be missing here, or to be too many.
    pub fn lacks_sign(&self, place: Span) -> bool {
        self.old.iter().any(|&(form, span)| {
            let is_sign = matches!(form, OldForm::NoSemicolon | OldForm::NoComma | OldForm::MemberSemicolon);
            is_sign && (span.end == place.start || span == place)
        })
    }
}

impl Module {
    /// Its language is today's.
    pub fn is_today(&self) -> bool {
        self.dialect == Dialect::Today
    }
}

/// `import { A, B } from path.to.Module`
#[derive(Clone, Debug)]
pub struct Import {
    pub names: Vec<Ident>,
    pub module: String,
    /// Of the module's name.
    pub span: Span,
    /// From the first word to the last.
    pub extent: Span,
}

/// A class or an interface.
#[derive(Debug)]
pub struct Class {
    pub name: Ident,
    pub is_private: bool,
    pub params: Vec<TypeParam>,
    pub form: Form,
    /// The interfaces after the colon.
    pub interfaces: Vec<TypeSyntax>,
    pub members: Vec<Member>,
    /// From the first word to the last.
    pub span: Span,
}

#[derive(Debug)]
pub enum Form {
    /// A name space only.
    Space,
    Object(Vec<Field>),
    Enum(Vec<Variant>),
    Interface,
}

impl Form {
    /// The types that it names.
    pub fn types(&self) -> Vec<&TypeSyntax> {
        match self {
            Form::Object(fields) => fields.iter().map(|field| &field.ty).collect(),
            Form::Enum(variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
            Form::Space | Form::Interface => Vec::new(),
        }
    }
}

/// `val name: type`, perhaps `private`.
#[derive(Debug)]
pub struct Field {
    pub name: Ident,
    pub is_private: bool,
    pub ty: TypeSyntax,
}

/// `Variant(types)`
#[derive(Debug)]
pub struct Variant {
    pub name: Ident,
    pub fields: Vec<TypeSyntax>,
}

/// `T`, or `T: Interface`.
#[derive(Debug)]
pub struct TypeParam {
    pub name: Ident,
    pub bound: Option<TypeSyntax>,
}

/// A function or a method.
#[derive(Debug)]
pub struct Member {
    pub name: Ident,
    pub is_private: bool,
    pub is_method: bool,
    pub type_params: Vec<TypeParam>,
    pub params: Vec<Param>,
    pub result: TypeSyntax,
    /// None in an interface, and where it cannot be read.
    pub body: Option<Body>,
    /// From the first word to the last.
    pub span: Span,
}

#[derive(Debug)]
pub struct Param {
    /// None for `_`.
    pub name: Option<Ident>,
    pub span: Span,
    /// Only parameters of lambdas may be without.
    pub ty: Option<TypeSyntax>,
}

/// The expression of a member.
#[derive(Debug, Default)]
pub struct Body {
    pub exprs: Vec<(Expr, Span)>,
    pub patterns: Vec<(Pattern, Span)>,
    pub root: Option<ExprId>,
    /// Where expressions go on with a `-` or a `(` on a new line: behind the word before it.
    pub continued: Continued,
}

/// Places in the layout of a text; trees that differ in them only are the same.
#[derive(Default)]
pub struct Continued(pub Vec<Span>);

impl std::fmt::Debug for Continued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl Body {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize].0
    }
    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id.0 as usize].1
    }
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.0 as usize].0
    }
    pub fn pattern_span(&self, id: PatternId) -> Span {
        self.patterns[id.0 as usize].1
    }
}

/// A type with its place.
#[derive(Clone, Debug)]
pub struct TypeSyntax {
    pub kind: TypeSyntaxKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeSyntaxKind {
    Unit,
    Bool,
    Int,
    Text,
    Named(Name, Vec<TypeSyntax>),
    Tuple(Vec<TypeSyntax>),
    Function(Vec<TypeSyntax>, Box<TypeSyntax>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Concat,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
    And,
    Or,
}

impl Operator {
    /// As programs write it.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Concat => "::",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Not,
    Minus,
}

#[derive(Debug)]
pub enum Expr {
    Bool(bool),
    Int(i32),
    Text(Name),
    Variable(Name),
    This,
    /// `Class.member` or `Class.Variant`, with explicit type arguments.
    Static {
        class: Ident,
        member: Ident,
        types: Vec<TypeSyntax>,
    },
    /// A variant alone.
    Variant(Name),
    /// A field or method of an object, with explicit type arguments.
    Field {
        object: ExprId,
        field: Ident,
        types: Vec<TypeSyntax>,
    },
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    /// `{ a: e, b }`
    Object(Vec<(Ident, Option<ExprId>)>),
    Tuple(Vec<ExprId>),
    Unary(Sign, ExprId),
    Binary(Operator, ExprId, ExprId),
    /// Conditions with what follows if they hold, and what follows if none does.
    If {
        branches: Vec<(Condition, ExprId)>,
        otherwise: Option<ExprId>,
    },
    Match {
        subject: ExprId,
        cases: Vec<Case>,
    },
    Lambda {
        params: Vec<Param>,
        body: ExprId,
    },
    Block {
        statements: Vec<Statement>,
        value: Option<ExprId>,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum Condition {
    Holds(ExprId),
    /// `if let pattern = value`
    Fits(PatternId, ExprId),
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub pattern: PatternId,
    pub body: ExprId,
}

#[derive(Debug)]
pub enum Statement {
    Val { pattern: PatternId, ty: Option<TypeSyntax>, value: ExprId },
    Expr(ExprId),
}

#[derive(Debug)]
pub enum Pattern {
    Any,
    Variable(Name),
    Bool(bool),
    Int(i32),
    Text(Name),
    /// A variant, perhaps after its class; without a list it stands for `Variant`, not for `Variant()`.
    Variant {
        class: Option<Ident>,
        variant: Ident,
        fields: Option<Vec<PatternId>>,
    },
    Tuple(Vec<PatternId>),
    Object(Vec<(Ident, PatternId)>),
    Or(Vec<PatternId>),
}

/// From the start of one place to the end of another.
pub fn join(first: Span, last: Span) -> Span {
    Span::new(first.file, first.start, last.end.max(first.end))
}
