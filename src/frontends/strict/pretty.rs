//! Pretty printer of core IR, for `--emit core`.
//!
//! ```text
//! program chain, integers of 63 bits
//!
//! type Chain = End | Link(Int, Chain)
//!
//! fip sum(chain: Chain, so_far: Int): Int =           ; chain.goo:3:1
//!   match chain: Chain                                ; chain.goo:4:5
//!     End => so_far
//!     Link(x: Int, rest: Chain) => sum(rest, (so_far + x))
//! ```
//! What fits is on one line. A variable whose name is bound again in the same function has a number. No function here
//! recurs over the tree.

use crate::core_ir::{Expr, ExprKind, Function, Pattern, Primitive, Program, Type, Var};
use cleave_diag::{SourceMap, Span};
use cranelift_entity::EntityRef;
use std::collections::BTreeMap;

/// Lines are not indented further.
const DEEPEST: usize = 60;
const STEP: usize = 2;
/// Expressions are longer than this only if they have to be.
const WIDEST: usize = 90;
/// Places stand in this column, unless the tree is there.
const COLUMN: usize = 60;

/// The text of a program; with the files that it came from, comments say where.
pub fn program(program: &Program, sources: Option<&SourceMap>) -> String {
    let mut out = format!("program {}, integers of {} bits\n\n", program.name, program.int_bits);
    for data in program.types.values() {
        let constructors: Vec<String> = data
            .constructors
            .iter()
            .map(|one| format!("{}{}", one.name, listed(one.fields.iter().map(|&ty| type_name(program, ty)))))
            .collect();
        out.push_str(&format!("type {} = {}\n", data.name, constructors.join(" | ")));
    }
    for function in program.functions.values() {
        let mut writer = Writer::new(program, function, sources);
        writer.function();
        out.push('\n');
        out.push_str(&writer.out);
    }
    out
}

/// A list in brackets; nothing if it is empty.
fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) }
}

fn type_name(program: &Program, ty: Type) -> String {
    match ty {
        Type::Int => "Int".into(),
        Type::Data(id) => program.types[id].name.clone(),
        Type::Unit => "()".into(),
        Type::Str => "String".into(),
        Type::Function => "function".into(),
        Type::Reference => "reference".into(),
    }
}

/// What is still to be written.
enum Task {
    /// An expression on lines of its own, after what is in the line already.
    Block(Expr, usize),
    /// Text that begins a line, and the expression that it belongs to.
    Line(String, usize, Option<Expr>),
    /// Text on this line.
    Str(String),
    /// An expression on this line.
    Inline(Expr),
}

struct Writer<'w> {
    program: &'w Program,
    function: &'w Function,
    sources: Option<&'w SourceMap>,
    /// Letters of an expression on one line; beyond `WIDEST` it is not written on one, and counts as endless.
    widths: Vec<usize>,
    names: Vec<String>,
    out: String,
    /// Where the line begins that is being written, and where it came from.
    line: usize,
    place: Option<Span>,
    shown: Option<(u32, u32)>,
}

impl<'w> Writer<'w> {
    fn new(program: &'w Program, function: &'w Function, sources: Option<&'w SourceMap>) -> Writer<'w> {
        let mut seen = BTreeMap::new();
        let names = function.vars.values().map(|variable| {
            let times = seen.entry(variable.name.as_str()).or_insert(0);
            *times += 1;
            if *times == 1 { variable.name.clone() } else { format!("{}.{times}", variable.name) }
        });
        let names = names.collect();
        let (out, widths) = (String::new(), Vec::new());
        let mut writer = Writer { program, function, sources, widths, names, out, line: 0, place: None, shown: None };
        // Operands come before what uses them.
        for expr in function.exprs.keys() {
            let width = writer.width(expr);
            writer.widths.push(width);
        }
        writer
    }

    fn width(&self, expr: Expr) -> usize {
        let mut tasks = Vec::new();
        if !self.parts(expr, &mut tasks) {
            return usize::MAX;
        }
        let parts = tasks.iter().map(|task| match task {
            Task::Str(text) => text.len(),
            Task::Inline(operand) => self.widths[operand.index()],
            Task::Block(..) | Task::Line(..) => usize::MAX,
        });
        let width = parts.fold(0usize, usize::saturating_add);
        if width > WIDEST && tasks.len() > 1 { usize::MAX } else { width }
    }

    fn fits(&self, expr: Expr) -> bool {
        self.widths[expr.index()] < usize::MAX
    }

    fn variable(&self, var: Option<Var>) -> String {
        match var {
            Some(var) => {
                format!("{}: {}", self.names[var.index()], type_name(self.program, self.function.vars[var].ty))
            }
            None => "_".into(),
        }
    }

    fn variables(&self, vars: impl IntoIterator<Item = Option<Var>>) -> String {
        listed(vars.into_iter().map(|var| self.variable(var)))
    }

    fn types(&self, types: &[Type]) -> String {
        match types {
            [one] => type_name(self.program, *one),
            all => format!("({})", all.iter().map(|&ty| type_name(self.program, ty)).collect::<Vec<_>>().join(", ")),
        }
    }

    fn function(&mut self) {
        let function = self.function;
        let mut head = if function.fip { "fip ".to_string() } else { String::new() };
        if let Some((_, captures)) = &function.captures {
            head += &format!("closure{} ", self.variables(captures.iter().copied().map(Some)));
        }
        let params = self.variables(function.params.iter().copied().map(Some));
        head += &format!("{}{params}: {} =", function.name, self.types(&function.results));
        self.begin(0, Some(function.span));
        self.out.push_str(&head);
        let mut tasks = vec![Task::Block(function.body, STEP)];
        while let Some(task) = tasks.pop() {
            self.task(task, &mut tasks);
        }
        self.end();
    }

    /// Begins a line.
    fn begin(&mut self, indent: usize, place: Option<Span>) {
        self.end();
        self.line = self.out.len();
        self.place = place;
        self.out.extend(std::iter::repeat_n(' ', indent.min(DEEPEST)));
    }

    /// Ends the line, with its place if that is not the one before.
    fn end(&mut self) {
        if self.out.len() == self.line {
            return;
        }
        if let (Some(sources), Some(span)) = (self.sources, self.place) {
            let position = sources.position(span);
            if self.shown.replace((position.line, position.column)) != Some((position.line, position.column)) {
                let width = self.out[self.line..].chars().count();
                self.out.extend(std::iter::repeat_n(' ', COLUMN.saturating_sub(width)));
                let file = &sources.file(span.file).name;
                self.out.push_str(&format!(" ; {file}:{}:{}", position.line, position.column));
            }
        }
        self.out.push('\n');
        self.line = self.out.len();
    }

    fn task(&mut self, task: Task, tasks: &mut Vec<Task>) {
        match task {
            Task::Str(text) => self.out.push_str(&text),
            Task::Line(text, indent, expr) => {
                self.begin(indent, expr.map(|expr| self.function.exprs[expr].span));
                self.out.push_str(&text);
            }
            Task::Inline(expr) => {
                let start = tasks.len();
                self.parts(expr, tasks);
                tasks[start..].reverse();
            }
            Task::Block(expr, indent) => {
                let start = tasks.len();
                self.block(expr, indent, tasks);
                tasks[start..].reverse();
            }
        }
    }

    /// The parts of an expression on one line; false if it never is on one.
    fn parts(&self, expr: Expr, tasks: &mut Vec<Task>) -> bool {
        let function = self.function;
        let mut list = |name: String, operands: &[Expr]| {
            tasks.push(Task::Str(name + "("));
            for (number, &operand) in operands.iter().enumerate() {
                if number > 0 {
                    tasks.push(Task::Str(", ".into()));
                }
                tasks.push(Task::Inline(operand));
            }
            tasks.push(Task::Str(")".into()));
        };
        let pool = &function.lists;
        match &function.exprs[expr].kind {
            ExprKind::Construct(_, _, operands) if operands.is_empty() => tasks.push(Task::Str(self.head(expr))),
            ExprKind::Call(_, operands) | ExprKind::Primitive(_, operands) | ExprKind::MakeClosure(_, operands) => {
                list(self.head(expr), operands.as_slice(pool));
            }
            ExprKind::Construct(_, _, operands) | ExprKind::Tuple(operands) | ExprKind::Jump(_, operands) => {
                list(self.head(expr), operands.as_slice(pool));
            }
            ExprKind::Apply(closure, operands) => {
                let operands = operands.as_slice(pool);
                let all: Vec<Expr> = std::iter::once(*closure).chain(operands.iter().copied()).collect();
                list(self.head(expr), &all);
            }
            &ExprKind::Binary(operator, left, right) => {
                tasks.push(Task::Str("(".into()));
                tasks.push(Task::Inline(left));
                tasks.push(Task::Str(format!(" {} ", operator.sign())));
                tasks.push(Task::Inline(right));
                tasks.push(Task::Str(")".into()));
            }
            ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Str(_) | ExprKind::Unreachable => {
                tasks.push(Task::Str(self.head(expr)))
            }
            ExprKind::Let { .. } | ExprKind::Match { .. } | ExprKind::Sequence(..) | ExprKind::Labels(..) => {
                return false;
            }
        }
        true
    }

    /// The word that an expression begins with.
    fn head(&self, expr: Expr) -> String {
        match &self.function.exprs[expr].kind {
            ExprKind::Int(number) => number.to_string(),
            ExprKind::Var(var) => self.names[var.index()].clone(),
            ExprKind::Str(text) => format!("{:?}", String::from_utf8_lossy(&self.program.texts[*text])),
            ExprKind::Call(function, _) => self.program.functions[*function].name.clone(),
            ExprKind::Primitive(primitive, _) => primitive_name(*primitive).into(),
            ExprKind::MakeClosure(closure, _) => {
                format!("close {}", self.program.functions[self.program.closures[*closure].function].name)
            }
            ExprKind::Construct(ty, number, _) => self.program.types[*ty].constructors[*number as usize].name.clone(),
            ExprKind::Jump(label, _) => format!("go {label}"),
            ExprKind::Apply(..) => "apply".into(),
            ExprKind::Binary(operator, ..) => operator.sign().into(),
            ExprKind::Unreachable => "never".into(),
            ExprKind::Tuple(_)
            | ExprKind::Let { .. }
            | ExprKind::Match { .. }
            | ExprKind::Sequence(..)
            | ExprKind::Labels(..) => String::new(),
        }
    }

    /// After a head such as `=`: on this line if it fits, else on lines below.
    fn behind(&self, expr: Expr, indent: usize, tasks: &mut Vec<Task>) {
        if self.fits(expr) {
            tasks.push(Task::Str(" ".into()));
            tasks.push(Task::Inline(expr));
        } else {
            tasks.push(Task::Block(expr, indent));
        }
    }

    /// An expression on lines of its own.
    fn block(&self, expr: Expr, indent: usize, tasks: &mut Vec<Task>) {
        let line = |text: String| Task::Line(text, indent, Some(expr));
        if self.fits(expr) {
            tasks.push(line(String::new()));
            tasks.push(Task::Inline(expr));
            return;
        }
        let function = self.function;
        match &function.exprs[expr].kind {
            ExprKind::Let { binders, value, body } => {
                let names: Vec<String> = binders.iter().map(|&binder| self.variable(binder)).collect();
                tasks.push(line(format!("let {} =", names.join(", "))));
                self.behind(*value, indent + STEP, tasks);
                tasks.push(Task::Block(*body, indent));
            }
            ExprKind::Match { subject, cases } => {
                tasks.push(line("match".into()));
                self.behind(*subject, indent + 2 * STEP, tasks);
                let types = &function.exprs[*subject].types;
                tasks.push(Task::Str(format!(": {}", self.types(function.types(types)))));
                let of = match function.types(types) {
                    [Type::Data(id)] => Some(&self.program.types[*id]),
                    _ => None,
                };
                for case in cases {
                    let pattern = match &case.pattern {
                        Pattern::Int(number) => number.to_string(),
                        Pattern::Rest(var) => self.variable(*var),
                        Pattern::Constructor(number, vars) => {
                            let name = of.map_or("?", |data| &data.constructors[*number as usize].name);
                            format!("{name}{}", self.variables(vars.iter().copied()))
                        }
                    };
                    tasks.push(Task::Line(format!("{pattern} =>"), indent + STEP, Some(case.body)));
                    self.behind(case.body, indent + 2 * STEP, tasks);
                }
            }
            ExprKind::Sequence(first, then) => {
                tasks.push(Task::Block(*first, indent));
                tasks.push(Task::Block(*then, indent));
            }
            ExprKind::Labels(labels, then) => {
                tasks.push(Task::Block(*then, indent));
                for (label, body) in labels {
                    let vars = self.variables(function.labels[*label].iter().copied().map(Some));
                    tasks.push(Task::Line(format!("{label}{vars}:"), indent, Some(*body)));
                    self.behind(*body, indent + STEP, tasks);
                }
            }
            _ => {
                tasks.push(line(format!("{}(", self.head(expr))));
                let mut parts = Vec::new();
                self.parts(expr, &mut parts);
                for part in parts {
                    if let Task::Inline(operand) = part {
                        tasks.push(Task::Block(operand, indent + STEP));
                    }
                }
                tasks.push(Task::Str(")".into()));
            }
        }
    }
}

fn primitive_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Concat => "concat",
        Primitive::Equal => "equal",
        Primitive::Compare => "compare",
        Primitive::GiveBack => "give_back",
        Primitive::Length => "length",
        Primitive::CharAt => "char_at",
        Primitive::Slice => "slice",
        Primitive::OfInt => "of_int",
        Primitive::OfChar => "of_char",
        Primitive::PrintLine => "print_line",
        Primitive::Print => "print",
        Primitive::ReadLine => "read_line",
        Primitive::ArgumentCount => "argument_count",
        Primitive::Argument => "argument",
        Primitive::Environment => "environment",
        Primitive::ReadFile => "read_file",
        Primitive::WriteFile => "write_file",
        Primitive::Exit => "exit",
        Primitive::Panic => "panic",
        Primitive::NewReferences => "new_references",
        Primitive::SizeOfReferences => "size_of_references",
        Primitive::SizeOfWords => "size_of_words",
        Primitive::Reference => "reference",
        Primitive::Exchange => "exchange",
        Primitive::NewWords => "new_words",
        Primitive::Word => "word",
        Primitive::SetWord => "set_word",
        Primitive::InnerReference => "inner_reference",
        Primitive::InnerExchange => "inner_exchange",
        Primitive::InnerWord => "inner_word",
        Primitive::SetInnerWord => "set_inner_word",
        Primitive::Same => "same",
    }
}
