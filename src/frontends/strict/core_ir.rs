//! Core IR of the strict languages: a typed tree, in which names are resolved and types are known.
//!
//! Every variable has a number of its own in its function, so that there is no scope to be minded: a name that is bound
//! twice in the source is two variables here. Expressions lie in one list per function, operands before what uses them,
//! and refer to each other by number. The source of an expression is kept for tools that show it.
//!
//! A generic function is one function for each instance that is used.

use crate::interface::Interface;
use cleave_diag::Span;
use cranelift_entity::{EntityList, ListPool, PrimaryMap, entity_impl};

/// A data type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

impl TypeId {
    /// The first type of a program.
    pub const FIRST: TypeId = TypeId(0);
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// The code of closures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClosureId(u32);
entity_impl!(ClosureId, "closure");

/// A string of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrId(u32);
entity_impl!(StrId, "text");

/// A point of a function where several ways meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);
entity_impl!(Label, "label");

/// A variable of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);
entity_impl!(Var, "x");

/// An expression of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expr(u32);
entity_impl!(Expr, "e");

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of `Program::int_bits` bits.
    Int,
    /// A value of a data type.
    Data(TypeId),
    /// One value, which says nothing: no field is needed for it.
    Unit,
    /// A string of bytes.
    Str,
    /// A closure: what is called says its parameters and results.
    Function,
    /// Anything that is a reference: code that never looks at it is the same for all of them.
    Reference,
}

/// A data type: one of its constructors with its fields.
#[derive(Clone, Debug)]
pub struct DataType {
    /// With its type arguments, as messages show it.
    pub name: String,
    /// In the order of their numbers.
    pub constructors: Vec<Constructor>,
}

/// A constructor. Without fields it is an *atom*.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// As the result of a program shows it.
    pub name: String,
    /// Their types, in the order in which programs write them.
    pub fields: Vec<Type>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As the program names it.
    pub name: String,
    /// Of its value.
    pub ty: Type,
    /// Its occurrences.
    pub uses: u32,
}

/// Operations on integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero; the program ends if the divisor is zero.
    Divide,
    /// `%`, with the sign of the dividend; the program ends if the divisor is zero.
    Remainder,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Operator {
    /// The result is a truth value, not an integer.
    pub fn compares(self) -> bool {
        use Operator::*;
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
    }

    /// As programs write it.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
        }
    }
}

/// What the runtime does with strings and arrays. Who reads or writes an element has seen to it that there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// All operands one after the other.
    Concat,
    /// Both have the same contents: a truth value, as a number.
    Equal,
    /// -1, 0 or 1: by bytes.
    Compare,
    /// The number of bytes.
    Length,
    /// The byte of this number; the program ends if there is none.
    CharAt,
    /// From a byte up to another, which is not part of it; what is outside of the string is left out.
    Slice,
    /// The decimal digits of an integer, with a minus before them if it is negative.
    OfInt,
    /// Of one byte.
    OfChar,
    /// Writes a string and a new line.
    PrintLine,
    /// Writes a string.
    Print,
    /// The next line of the input with its new line; an empty string at the end.
    ReadLine,
    /// How many arguments the program was given.
    ArgumentCount,
    /// The argument of this number, from 0 on; the program ends if there is none.
    Argument,
    /// The value of a variable of the environment; an empty string if there is none.
    Environment,
    /// The contents of the file of a name. The first number of an array, the last operand, becomes 1 if it could be
    /// read, 0 otherwise.
    ReadFile,
    /// Makes or overwrites the file of a name, with these contents: 1, or 0 if that failed.
    WriteFile,
    /// Ends the program with a status.
    Exit,
    /// Ends the program with a message.
    Panic,
    /// Gives an object back to the host: 1, or 0 if that was done before.
    GiveBack,
    /// An array of so many references; nobody looks at one before it is written.
    NewReferences,
    /// How many references an array has.
    SizeOfReferences,
    /// The reference at an index.
    Reference,
    /// Puts a reference, the first operand, into an array, at an index; gives what was there.
    Exchange,
    /// An array of so many numbers, all 0.
    NewWords,
    /// How many numbers an array has.
    SizeOfWords,
    /// The number at an index.
    Word,
    /// Writes a number, the last operand, into an array, at an index.
    SetWord,
    /// The same of the array that is the first element of an array: its reference or number at an index, another one
    /// put there.
    InnerReference,
    /// `Exchange` in it.
    InnerExchange,
    /// `Word` of it.
    InnerWord,
    /// `SetWord` in it.
    SetInnerWord,
    /// Two references lead to the same object: a truth value, as a number.
    Same,
}

impl Primitive {
    /// It is about an array, or about the identity of objects.
    pub fn is_of_objects(self) -> bool {
        use Primitive::*;
        let is_references = matches!(self, NewReferences | SizeOfReferences | Reference | Exchange);
        let is_inner = matches!(self, InnerReference | InnerExchange | InnerWord | SetInnerWord);
        is_references || is_inner || matches!(self, NewWords | SizeOfWords | Word | SetWord | Same)
    }
}

/// What an expression is. Lists are in the pools of the function.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Beyond the range of the language's integers it wraps.
    Int(i64),
    /// The value of a variable.
    Var(Var),
    /// Operands are evaluated from left to right. A comparison gives the second constructor of `Program::truth` if it
    /// holds, the first one otherwise.
    Binary(Operator, Expr, Expr),
    /// The values that a function gives for these arguments.
    Call(FunctionId, EntityList<Expr>),
    /// A string of the program.
    Str(StrId),
    /// What the runtime does with strings and arrays.
    Primitive(Primitive, EntityList<Expr>),
    /// A closure with the values that it takes along.
    MakeClosure(ClosureId, EntityList<Expr>),
    /// The call of a closure.
    Apply(Expr, EntityList<Expr>),
    /// The constructor of this number.
    Construct(TypeId, u32, EntityList<Expr>),
    /// Several values at once: only as what a function, `let` or case gives.
    Tuple(EntityList<Expr>),
    /// Without a variable nobody looks at the value.
    Let {
        /// One for each value.
        binders: Vec<Option<Var>>,
        /// Evaluated first.
        value: Expr,
        /// Gives the values of the whole.
        body: Expr,
    },
    /// The case whose pattern fits.
    Match {
        /// One value: an integer, or of a data type.
        subject: Expr,
        /// In any order, but `Rest` is last.
        cases: Vec<Case>,
    },
    /// For its effects; then another, which gives the values.
    Sequence(Expr, Expr),
    /// Bodies that several jumps inside the last expression lead to. A body may jump to those after it in the list.
    Labels(Vec<(Label, Expr)>, Expr),
    /// Goes on at a label, with values for its variables.
    Jump(Label, EntityList<Expr>),
    /// Control never gets here.
    Unreachable,
}

/// A case of a match. The cases of a match exclude each other and leave nothing out.
#[derive(Clone, Debug)]
pub struct Case {
    /// What fits.
    pub pattern: Pattern,
    /// What the match gives then.
    pub body: Expr,
}

/// What a case asks of the subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// The constructor of this number; variables for its fields, where they are wanted.
    Constructor(u32, Vec<Option<Var>>),
    /// This number.
    Int(i64),
    /// All other values: the last case.
    Rest(Option<Var>),
}

/// An expression, its place in the source, and the types of its value, or of its values.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: ExprKind,
    /// Its text in the source.
    pub span: Span,
    /// Of its values.
    pub types: Types,
}

/// The types of the values that an expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Types {
    /// One value.
    One(Type),
    /// A list of `Function::tuples`.
    Many(u32),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// As traces show it.
    pub name: String,
    /// Its place in the source.
    pub span: Span,
    /// It came with the compiler: traces speak of who called it.
    pub is_library: bool,
    /// Parameters, in the order in which programs write them.
    pub params: Vec<Var>,
    /// The code of a closure, and variables for what that has taken along.
    pub captures: Option<(ClosureId, Vec<Var>)>,
    /// The types of the values that it gives.
    pub results: Vec<Type>,
    /// The programmer asks that cells be reused here.
    pub fip: bool,
    /// Gives the results.
    pub body: Expr,
    /// All variables, parameters too.
    pub vars: PrimaryMap<Var, Variable>,
    /// All expressions, operands before what uses them.
    pub exprs: PrimaryMap<Expr, Node>,
    /// The lists of operands.
    pub lists: ListPool<Expr>,
    /// The types of several values at once.
    pub tuples: Vec<Vec<Type>>,
    /// The variables that get values at the labels.
    pub labels: PrimaryMap<Label, Vec<Var>>,
}

impl Function {
    /// A function without a body.
    pub fn new(name: String, span: Span) -> Function {
        Function {
            name,
            span,
            is_library: false,
            params: Vec::new(),
            captures: None,
            results: Vec::new(),
            fip: false,
            body: Expr(0),
            vars: PrimaryMap::new(),
            exprs: PrimaryMap::new(),
            lists: ListPool::new(),
            tuples: Vec::new(),
            labels: PrimaryMap::new(),
        }
    }

    /// The types of the values of an expression.
    pub fn types<'f>(&'f self, types: &'f Types) -> &'f [Type] {
        match types {
            Types::One(ty) => std::slice::from_ref(ty),
            Types::Many(number) => &self.tuples[*number as usize],
        }
    }
}

/// Code and the types of what it takes along.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Whose `captures` name this closure.
    pub function: FunctionId,
    /// The types of the values that it takes along.
    pub captures: Vec<Type>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Of the module that is made of it.
    pub name: String,
    /// Integers have this many bits, 32 or between that and 64; what does not fit wraps.
    pub int_bits: u32,
    /// All data types, one for each instance of a generic one.
    pub types: PrimaryMap<TypeId, DataType>,
    /// Its type of truth values: two atoms, the first of which is false.
    pub bool_type: TypeId,
    /// All functions, the code of closures too.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// The code of closures, and what they take along.
    pub closures: PrimaryMap<ClosureId, Closure>,
    /// Its strings, in bytes.
    pub texts: PrimaryMap<StrId, Box<[u8]>>,
    /// The program is the value of this function, which takes nothing. A library may be without one.
    pub main: Option<FunctionId>,
    /// What others call.
    pub interface: Interface,
}
