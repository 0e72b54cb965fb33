//! The typed tree as text, for `--emit tree`. Variables have their numbers behind their names; types stand where
//! variables are bound. No recursion: what is still to be written is a stack.

use crate::tree::*;
use std::fmt::Write;

/// Lines are indented by at most so many levels.
const DEEPEST: usize = 40;

/// All of a program.
pub fn program(program: &Program) -> String {
    let mut out = format!("program {}, integers of {} bits\n\n", program.name, program.int_bits);
    for data in program.types.values() {
        let constructors: Vec<String> = data.constructors.iter().map(|one| constructor(program, one)).collect();
        let _ = writeln!(out, "type {} = {}", data.name, constructors.join(" | "));
    }
    for function in program.functions.values() {
        out.push('\n');
        Writer { program, function, out: &mut out }.function();
    }
    out
}

fn constructor(program: &Program, constructor: &Constructor) -> String {
    let fields: Vec<&str> = constructor.fields.iter().map(|&ty| type_name(program, ty)).collect();
    if fields.is_empty() { constructor.name.clone() } else { format!("{}({})", constructor.name, fields.join(", ")) }
}

fn type_name(program: &Program, ty: Type) -> &str {
    match ty {
        Type::Int => "Int",
        Type::Data(id) => &program.types[id].name,
        Type::Unit => "Unit",
        Type::Text => "Text",
        Type::Function => "Function",
        Type::Reference => "Reference",
    }
}

fn primitive(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Concat => "concat",
        Primitive::Equal => "equal",
        Primitive::Compare => "compare",
        Primitive::Length => "length",
        Primitive::CharAt => "char_at",
        Primitive::Slice => "slice",
        Primitive::OfInt => "of_int",
        Primitive::OfChar => "of_char",
        Primitive::PrintLine => "print_line",
        Primitive::Panic => "panic",
    }
}

/// What is still to be written.
enum Task {
    Words(&'static str),
    Text(String),
    Line(usize),
    /// An expression at an indentation; as an operand in parentheses where that is needed.
    Expr(Expr, usize, bool),
}

struct Writer<'w> {
    program: &'w Program,
    function: &'w Function,
    out: &'w mut String,
}

impl Writer<'_> {
    fn function(&mut self) {
        let function = self.function;
        let taken = function.captures.iter().flat_map(|(_, vars)| vars).copied();
        let params: Vec<String> = function.params.iter().copied().map(|var| self.typed(var)).collect();
        let taken: Vec<String> = taken.map(|var| self.typed(var)).collect();
        let results: Vec<&str> = function.results.iter().map(|&ty| type_name(self.program, ty)).collect();
        let fip = if function.in_place { "fip " } else { "" };
        let with = if taken.is_empty() { String::new() } else { format!(" with ({})", taken.join(", ")) };
        let head = format!("{fip}function {}({}){with}: {}", function.name, params.join(", "), results.join(", "));
        let _ = write!(self.out, "{head} =");
        let mut open = vec![Task::Expr(function.body, 1, false), Task::Line(1)];
        while let Some(task) = open.pop() {
            match task {
                Task::Words(words) => self.out.push_str(words),
                Task::Text(text) => self.out.push_str(&text),
                Task::Line(depth) => {
                    self.out.push('\n');
                    (0..depth.min(DEEPEST)).for_each(|_| self.out.push_str("  "));
                }
                Task::Expr(expr, depth, is_operand) => {
                    let tasks = self.expr(expr, depth, is_operand);
                    open.extend(tasks.into_iter().rev());
                }
            }
        }
        self.out.push('\n');
    }

    fn var(&self, var: Var) -> String {
        format!("{}.{}", self.function.vars[var].name, var.as_u32())
    }

    fn typed(&self, var: Var) -> String {
        format!("{}: {}", self.var(var), type_name(self.program, self.function.vars[var].ty))
    }

    fn binders(&self, binders: &[Option<Var>]) -> String {
        let one = |binder: &Option<Var>| binder.map_or("_".into(), |var| self.typed(var));
        binders.iter().map(one).collect::<Vec<String>>().join(", ")
    }

    fn pattern(&self, subject: Expr, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Int(number) => number.to_string(),
            Pattern::Rest(binder) => self.binders(&[*binder]),
            Pattern::Constructor(number, binders) => {
                let name = match self.function.types(&self.function.exprs[subject].types) {
                    [Type::Data(id)] => &self.program.types[*id].constructors[*number as usize].name[..],
                    _ => "?",
                };
                if binders.is_empty() { name.to_string() } else { format!("{name}({})", self.binders(binders)) }
            }
        }
    }

    /// A name with operands in parentheses.
    fn list(&self, name: String, args: &[Expr], depth: usize) -> Vec<Task> {
        let mut tasks = vec![Task::Text(name), Task::Words("(")];
        for (number, &arg) in args.iter().enumerate() {
            tasks.extend((number > 0).then_some(Task::Words(", ")));
            tasks.push(Task::Expr(arg, depth, false));
        }
        tasks.push(Task::Words(")"));
        tasks
    }

    fn expr(&self, expr: Expr, depth: usize, is_operand: bool) -> Vec<Task> {
        let function = self.function;
        let args = |list: &cranelift_entity::EntityList<Expr>| list.as_slice(&function.lists).to_vec();
        let (mut tasks, needs_parentheses) = match &function.exprs[expr].kind {
            Kind::Int(number) => (vec![Task::Text(number.to_string())], *number < 0),
            Kind::Var(var) => (vec![Task::Text(self.var(*var))], false),
            Kind::Text(text) => {
                let text = String::from_utf8_lossy(&self.program.texts[*text]);
                (vec![Task::Text(format!("{text:?}"))], false)
            }
            Kind::Never => (vec![Task::Words("never")], false),
            Kind::Binary(operator, left, right) => {
                let (left, right) = (Task::Expr(*left, depth, true), Task::Expr(*right, depth, true));
                (vec![left, Task::Text(format!(" {} ", operator.sign())), right], true)
            }
            Kind::Call(callee, list) => {
                (self.list(self.program.functions[*callee].name.clone(), &args(list), depth), false)
            }
            Kind::Primitive(one, list) => (self.list(primitive(*one).into(), &args(list), depth), false),
            Kind::Close(closure, list) => {
                let code = self.program.closures[*closure].function;
                let name = format!("closure {}", self.program.functions[code].name);
                (self.list(name, &args(list), depth), false)
            }
            Kind::Apply(closure, list) => {
                let mut tasks = vec![Task::Words("apply "), Task::Expr(*closure, depth, true)];
                tasks.extend(self.list(String::new(), &args(list), depth));
                (tasks, false)
            }
            Kind::Construct(ty, number, list) => {
                let name = self.program.types[*ty].constructors[*number as usize].name.clone();
                let args = args(list);
                let tasks = if args.is_empty() { vec![Task::Text(name)] } else { self.list(name, &args, depth) };
                (tasks, false)
            }
            Kind::Tuple(list) => (self.list(String::new(), &args(list), depth), false),
            Kind::Jump(label, list) => (self.list(format!("jump {label}"), &args(list), depth), false),
            Kind::Let { binders, value, body } => {
                let bound = Task::Text(format!("let {} = ", self.binders(binders)));
                let (value, body) = (Task::Expr(*value, depth + 1, false), Task::Expr(*body, depth, false));
                (vec![bound, value, Task::Line(depth), body], true)
            }
            Kind::Sequence(first, second) => {
                let (first, second) = (Task::Expr(*first, depth, true), Task::Expr(*second, depth, false));
                (vec![first, Task::Words(";"), Task::Line(depth), second], true)
            }
            Kind::Match { subject, cases } => {
                let mut tasks = vec![Task::Words("match "), Task::Expr(*subject, depth + 1, true)];
                for case in cases {
                    tasks.push(Task::Line(depth + 1));
                    tasks.push(Task::Text(format!("{} -> ", self.pattern(*subject, &case.pattern))));
                    tasks.push(Task::Expr(case.body, depth + 2, false));
                }
                (tasks, true)
            }
            Kind::Labels(labels, first) => {
                let mut tasks = vec![Task::Expr(*first, depth, false)];
                for (label, body) in labels {
                    let vars: Vec<Option<Var>> = function.labels[*label].iter().copied().map(Some).collect();
                    tasks.push(Task::Line(depth));
                    tasks.push(Task::Text(format!("{label}({}): ", self.binders(&vars))));
                    tasks.push(Task::Expr(*body, depth + 1, false));
                }
                (tasks, true)
            }
        };
        if is_operand && needs_parentheses {
            tasks.insert(0, Task::Words("("));
            tasks.push(Task::Words(")"));
        }
        tasks
    }
}
