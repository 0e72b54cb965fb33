//! Random programs in today's language. A match of numbers or strings becomes a row of comparisons.

use super::{Binder, Expr, Pattern, Program, Type, Var, join, name, type_params};
use std::cell::Cell;

/// The classes of tuples with two and three parts.
const TUPLES: [&str; 2] = ["Pair", "Triple"];

impl Program {
    /// The text of the program, as a module of today's language.
    pub fn today(&self) -> String {
        let mut text = String::from("import { Pair, Triple } from std.tuples;\n\n");
        for (number, class) in self.classes.iter().enumerate() {
            let show = Show { letter: 'A', this: Some(class.this), subjects: Cell::default() };
            let tags = class.tags.iter().enumerate().map(|(tag, fields)| {
                let fields = join(fields, ", ", |ty| show.ty(ty));
                let fields = if fields.is_empty() { String::new() } else { format!("({fields})") };
                format!("C{number}x{tag}{fields}")
            });
            let (params, tags) = (type_params(class.params, 'A'), tags.collect::<Vec<_>>().join(", "));
            let pick = show.expr(&class.pick);
            text += &format!("class T{number}{params}({tags}) {{\n  method pick(): int = {pick}\n}}\n\n");
        }
        text += "class Main {\n";
        let show = Show { letter: 'B', this: None, subjects: Cell::default() };
        for (number, function) in self.functions.iter().enumerate() {
            let params = type_params(function.type_params, 'B');
            let gap = if params.is_empty() { "" } else { " " };
            let list = join(&function.params, ", ", |(var, ty)| format!("x{var}: {}", show.ty(ty)));
            let (result, body) = (show.ty(&function.result), show.expr(&function.body));
            text += &format!("  function {params}{gap}f{number}({list}): {result} = {body}\n\n");
        }
        text += "  function main(): unit = {\n";
        for line in &self.lines {
            text += &format!("    Process.println({});\n", show.expr(line));
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
    /// How many subjects of matches got names.
    subjects: Cell<usize>,
}

impl Show {
    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Int => "int".into(),
            Type::Bool => "bool".into(),
            Type::Text => "Str".into(),
            Type::Unit => "unit".into(),
            Type::Param(number) => format!("{}{number}", self.letter),
            Type::Class(number, args) => format!("T{number}{}", self.types(args)),
            Type::Function(params, result) => {
                format!("({}) -> {}", join(params, ", ", |ty| self.ty(ty)), self.ty(result))
            }
            Type::Tuple(items) => format!("{}{}", TUPLES[items.len() - 2], self.types(items)),
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
                format!("(if {} {{ {} }} else {{ {} }})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            Expr::Function(number, types) => format!("Main.f{number}{}", self.types(types)),
            Expr::Call(callee, args) => format!("{}({})", self.expr(callee), self.exprs(args)),
            Expr::Construct(class, tag, types, fields) => {
                format!("T{class}.C{class}x{tag}{}({})", self.types(types), self.exprs(fields))
            }
            Expr::Tag(class, tag, types) => format!("T{class}.C{class}x{tag}{}", self.types(types)),
            Expr::Method(_, object) => format!("{}.pick", self.expr(object)),
            Expr::Lambda(params, body) => {
                let params = join(params, ", ", |(var, ty)| format!("x{var}: {}", self.ty(ty)));
                format!("(({params}) -> {})", self.expr(body))
            }
            Expr::Tuple(items) => format!("({})", self.exprs(items)),
            Expr::Let(binder, value, body) => {
                let binder = match binder {
                    Binder::One(var, ty) => format!("x{var}: {}", self.ty(ty)),
                    Binder::Tuple(vars) => format!("({})", join(vars, ", ", |var| name(*var))),
                };
                format!("({{ let {binder} = {}; {} }})", self.expr(value), self.expr(body))
            }
            Expr::Match(subject, cases) if cases.iter().any(|case| is_literal(&case.0)) => {
                let own = format!("s{}", self.subjects.replace(self.subjects.get() + 1));
                let mut text = format!("({{ let {own} = {}; ", self.expr(subject));
                for (pattern, body) in cases {
                    let body = self.expr(body);
                    text += &match pattern {
                        Pattern::Int(number) => format!("if {own} == {number} {{ {body} }} else "),
                        Pattern::Text(literal) => format!("if {own} == \"{literal}\" {{ {body} }} else "),
                        Pattern::Rest(Some(var)) => format!("{{ let x{var} = {own}; {body} }}"),
                        _ => format!("{{ {body} }}"),
                    };
                }
                text + " })"
            }
            Expr::Match(subject, cases) => {
                let cases =
                    join(cases, ", ", |(pattern, body)| format!("{} -> {}", self.pattern(pattern), self.expr(body)));
                format!("(match ({}) {{ {cases} }})", self.expr(subject))
            }
            Expr::BuiltIn("toInt", args) => format!("(Str.fromInt({}).toInt())", self.exprs(args)),
            Expr::BuiltIn("intToString", args) => format!("Str.fromInt({})", self.exprs(args)),
            Expr::BuiltIn(name, args) => format!("Process.{name}({})", self.exprs(args)),
            Expr::Sequence(first, second) => format!("({{ {}; {} }})", self.expr(first), self.expr(second)),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Tag(class, tag, fields) => {
                let fields = join(fields, ", ", |field| self.pattern(field));
                format!("C{class}x{tag}{}", if fields.is_empty() { String::new() } else { format!("({fields})") })
            }
            Pattern::Either(patterns) => join(patterns, " | ", |pattern| self.pattern(pattern)),
            Pattern::Rest(var) => name(*var),
            Pattern::Int(_) | Pattern::Text(_) => unreachable!("these are compared"),
        }
    }
}

fn is_literal(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Int(_) | Pattern::Text(_))
}
