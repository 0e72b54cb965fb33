//! Random programs of samlang that are well typed and end, with what they print by an evaluator of their own: generic
//! classes and functions, closures in all places, strings, tuples, matches.
//!
//! `generate` makes classes, functions and expressions, `evaluate` says what they mean. Neither knows the compiler:
//! values are trees, a closure is its text and its variables.

mod evaluate;
mod generate;
mod today;

pub use crate::random_goopea::Random;
pub use evaluate::evaluate;
pub use generate::{generate, generate_for};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Bool,
    Text,
    Unit,
    /// The type parameter of this number, of the class or function around.
    Param(usize),
    Class(usize, Vec<Type>),
    Function(Vec<Type>, Box<Type>),
    Tuple(Vec<Type>),
}

/// A variable: each has a number of its own in the program.
pub type Var = usize;

#[derive(Clone, Debug)]
pub enum Expr {
    Int(i32),
    Bool(bool),
    Text(&'static str),
    Var(Var),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function with its type arguments, as a value.
    Function(usize, Vec<Type>),
    Call(Box<Expr>, Vec<Expr>),
    /// A tag with its type arguments and fields.
    Construct(usize, usize, Vec<Type>, Vec<Expr>),
    /// A tag as a function.
    Tag(usize, usize, Vec<Type>),
    /// The method of a class, as a value that keeps its object.
    Method(usize, Box<Expr>),
    Lambda(Vec<(Var, Type)>, Box<Expr>),
    Tuple(Vec<Expr>),
    Let(Binder, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<(Pattern, Expr)>),
    /// What is built in, by its name.
    BuiltIn(&'static str, Vec<Expr>),
    /// One for its effects, then another.
    Sequence(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Binder {
    One(Var, Type),
    Tuple(Vec<Option<Var>>),
}

#[derive(Clone, Debug)]
pub enum Pattern {
    Rest(Option<Var>),
    Int(i32),
    Text(&'static str),
    /// A tag of a class with patterns for its fields.
    Tag(usize, usize, Vec<Pattern>),
    Either(Vec<Pattern>),
}

/// A class with tags, and the body of its method `pick(): int`, in which its object is a variable.
#[derive(Clone, Debug)]
pub struct Class {
    pub params: usize,
    pub tags: Vec<Vec<Type>>,
    pub this: Var,
    pub pick: Expr,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub type_params: usize,
    pub params: Vec<(Var, Type)>,
    pub result: Type,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub classes: Vec<Class>,
    pub functions: Vec<Function>,
    /// Printed one after the other.
    pub lines: Vec<Expr>,
}

fn join<T>(items: &[T], between: &str, show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(between)
}

fn type_params(count: usize, letter: char) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("{letter}{number}")).collect();
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

impl Program {
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, class) in self.classes.iter().enumerate() {
            let show = Show { letter: 'A', this: Some(class.this) };
            let tags = class.tags.iter().enumerate().map(|(tag, fields)| {
                let fields = join(fields, ", ", |ty| show.ty(ty));
                let fields = if fields.is_empty() { String::new() } else { format!("({fields})") };
                format!("C{number}x{tag}{fields}")
            });
            let tags = tags.collect::<Vec<_>>().join(", ");
            text += &format!(
                "class T{number}{}({}) {{\n  method pick(): int = {}\n}}\n",
                type_params(class.params, 'A'),
                tags,
                show.expr(&class.pick)
            );
        }
        text += "class Main {\n";
        let show = Show { letter: 'B', this: None };
        for (number, function) in self.functions.iter().enumerate() {
            let params = type_params(function.type_params, 'B');
            text += &format!(
                "  function {params}{}f{number}({}): {} = {}\n",
                if params.is_empty() { "" } else { " " },
                join(&function.params, ", ", |(var, ty)| format!("x{var}: {}", show.ty(ty))),
                show.ty(&function.result),
                show.expr(&function.body)
            );
        }
        text += "  function main(): unit = {\n";
        for line in &self.lines {
            text += &format!("    Builtins.println({});\n", show.expr(line));
        }
        text + "  }\n}\n"
    }
}

/// How things are written inside of a class or function.
struct Show {
    /// Type parameters begin with it.
    letter: char,
    /// The variable that is written `this`.
    this: Option<Var>,
}

impl Show {
    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Int => "int".into(),
            Type::Bool => "bool".into(),
            Type::Text => "string".into(),
            Type::Unit => "unit".into(),
            Type::Param(number) => format!("{}{number}", self.letter),
            Type::Class(number, args) => format!("T{number}{}", self.types(args)),
            Type::Function(params, result) => {
                format!("({}) -> {}", join(params, ", ", |ty| self.ty(ty)), self.ty(result))
            }
            Type::Tuple(items) => format!("[{}]", join(items, " * ", |ty| self.ty(ty))),
        }
    }

    fn types(&self, types: &[Type]) -> String {
        if types.is_empty() { String::new() } else { format!("<{}>", join(types, ", ", |ty| self.ty(ty))) }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        join(exprs, ", ", |expr| self.expr(expr))
    }

    /// An expression that can stand everywhere.
    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Int(number) if *number < 0 => format!("(-{})", i64::from(*number).abs()),
            Expr::Int(number) => number.to_string(),
            Expr::Bool(truth) => truth.to_string(),
            Expr::Text(text) => format!("\"{text}\""),
            Expr::Var(var) if self.this == Some(*var) => "this".into(),
            Expr::Var(var) => format!("x{var}"),
            Expr::Negate(operand) => format!("(-{})", self.expr(operand)),
            Expr::Not(operand) => format!("(!{})", self.expr(operand)),
            Expr::Binary(sign, left, right) => format!("({} {sign} {})", self.expr(left), self.expr(right)),
            Expr::If(condition, yes, no) => {
                format!("(if {} then {} else {})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            Expr::Function(number, types) => format!("Main.f{number}{}", self.types(types)),
            Expr::Call(callee, args) => format!("{}({})", self.expr(callee), self.exprs(args)),
            Expr::Construct(class, tag, types, fields) => {
                let tag = format!("T{class}.C{class}x{tag}{}", self.types(types));
                if fields.is_empty() { tag } else { format!("{tag}({})", self.exprs(fields)) }
            }
            Expr::Tag(class, tag, types) => format!("T{class}.C{class}x{tag}{}", self.types(types)),
            Expr::Method(_, object) => format!("{}.pick", self.expr(object)),
            Expr::Lambda(params, body) => {
                let params = join(params, ", ", |(var, ty)| format!("x{var}: {}", self.ty(ty)));
                format!("(({params}) -> {})", self.expr(body))
            }
            Expr::Tuple(items) => format!("[{}]", self.exprs(items)),
            Expr::Let(binder, value, body) => {
                let binder = match binder {
                    Binder::One(var, ty) => format!("x{var}: {}", self.ty(ty)),
                    Binder::Tuple(vars) => format!("[{}]", join(vars, ", ", |var| name(*var))),
                };
                format!("({{ val {binder} = {}; {} }})", self.expr(value), self.expr(body))
            }
            Expr::Match(subject, cases) => {
                let cases =
                    join(cases, ", ", |(pattern, body)| format!("{} -> {}", self.pattern(pattern), self.expr(body)));
                format!("(match ({}) {{ {cases} }})", self.expr(subject))
            }
            Expr::BuiltIn(name, args) => format!("Builtins.{name}({})", self.exprs(args)),
            Expr::Sequence(first, second) => format!("({{ {}; {} }})", self.expr(first), self.expr(second)),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Rest(var) => name(*var),
            Pattern::Int(number) => number.to_string(),
            Pattern::Text(text) => format!("\"{text}\""),
            Pattern::Tag(class, tag, fields) => {
                let fields = join(fields, ", ", |field| self.pattern(field));
                format!("C{class}x{tag}{}", if fields.is_empty() { String::new() } else { format!("({fields})") })
            }
            Pattern::Either(patterns) => join(patterns, " | ", |pattern| self.pattern(pattern)),
        }
    }
}

fn name(var: Option<Var>) -> String {
    var.map_or("_".into(), |var| format!("x{var}"))
}
