//! Type checker: resolves names and types of function bodies; the syntax tree becomes core IR.
//!
//! An expression whose type is unknown has been complained about; nothing more is said of it. What is still to be done
//! is a list of tasks, so that expressions may be nested as deep as they like. The rules of matches are in `matches`,
//! what is said of usual mistakes in `mistakes`.

use crate::collect_items::{Definitions, Known, TRUTH, count};
use crate::given::{Given, fits};
use crate::ide_index::Notes;
use crate::lex::Name;
use crate::match_check::{Matching, Misfits};
use crate::syntax::{Binder, Function, Id, List, Syntax, Tree};
use crate::wrong::{Miscount, Misused};
use cleave_diag::{Diagnostic, Sink, SourceMap, Span, code};
use cleave_ir::EntityRef;
use cleave_strict::core_ir::{self, Case, Expr, ExprKind, FunctionId, Node, Type, Types, Var, Variable};
use cranelift_entity::EntityList;

/// What is still to be done.
pub enum Task {
    Visit(Id),
    /// The operands are on the stack of results.
    Operate(Id),
    /// The value of a `let` is there.
    Bind(Id),
    /// The body of a `let` is there, too.
    Unbind(Id, usize, Vec<Option<Var>>),
    /// The subject of a match is there.
    Match(Id),
    /// A case begins.
    Case(usize),
    /// The body of a case is there; its variables go.
    CaseEnd(usize),
    /// All bodies are there.
    MatchEnd(Id),
}

/// An expression that is checked.
pub struct Checked {
    pub expr: Expr,
    pub given: Given,
}

pub struct Checker<'c> {
    pub tree: &'c Tree,
    pub all: &'c Definitions<'c>,
    pub sources: &'c SourceMap,
    pub sink: &'c mut Sink,
    /// The variable that a name means now.
    pub bindings: Vec<Option<Var>>,
    /// What the names meant before.
    pub shadowed: Vec<(Name, Option<Var>)>,
    function: core_ir::Function,
    /// The body of the function, what it shall give, and the name of the function.
    pub whole: Option<(Id, Given, Name)>,
    /// A name is missing where variables are bound: then variables may be missing elsewhere.
    pub lacks_names: bool,
    /// Functions that give something else than their types say: of this round, and of the one before.
    pub wrong: [Vec<FunctionId>; 2],
    /// Parameters that bodies use as values of other types: of the function at hand, of this round, and of the one
    /// before.
    pub misfits: Misfits,
    pub doubted: [Vec<(FunctionId, usize)>; 2],
    /// What may have to do with the next message.
    pub miscounted: Option<Miscount>,
    pub misused: Option<Misused>,
    /// A name that has its message.
    pub said: Option<Id>,
    pub types: Vec<Known>,
    /// Where the variables of the function are bound.
    pub places: Vec<Span>,
    pub tasks: Vec<Task>,
    results: Vec<Checked>,
    matches: Vec<Matching>,
    /// What editors ask for.
    pub notes: Option<&'c mut Notes>,
}

impl<'c> Checker<'c> {
    pub fn new(
        tree: &'c Tree,
        all: &'c Definitions<'c>,
        sources: &'c SourceMap,
        sink: &'c mut Sink,
        notes: Option<&'c mut Notes>,
    ) -> Checker<'c> {
        let none = Span::new(cleave_diag::FileId(0), 0, 0);
        Checker {
            tree,
            all,
            sources,
            sink,
            bindings: vec![None; all.names.count()],
            shadowed: Vec::new(),
            function: empty(String::new(), none),
            whole: None,
            lacks_names: false,
            wrong: Default::default(),
            misfits: Misfits::default(),
            doubted: Default::default(),
            miscounted: None,
            misused: None,
            said: None,
            types: Vec::new(),
            places: Vec::new(),
            tasks: Vec::new(),
            results: Vec::new(),
            matches: Vec::new(),
            notes,
        }
    }

    /// Checks a function. Its tree is of use only if there is no error at all.
    pub fn function(&mut self, id: FunctionId, source: &Function) -> core_ir::Function {
        let signature = &self.all.functions[id.index()];
        self.function = empty(self.all.names.text(source.name).to_string(), source.span);
        self.types.clear();
        self.places.clear();
        (self.miscounted, self.misused) = (None, None);
        self.lacks_names = !signature.is_sure && source.params.len() < signature.params.len();
        for (index, param) in source.params.iter().enumerate() {
            // With another number of types nobody knows which is whose.
            let is_twice = source.is_twice(*param);
            // Another name was meant for one of them.
            self.lacks_names |= is_twice;
            let ty = signature.params.get(index).copied().flatten().filter(|_| signature.is_sure && !is_twice);
            let var = self.bind(*param, ty);
            self.function.params.extend(var);
        }
        let messages = self.sink.diagnostics().len();
        self.whole = Some((source.body, Given::of(&signature.results), source.name));
        self.tasks.push(Task::Visit(source.body));
        while let Some(task) = self.tasks.pop() {
            self.perform(task);
        }
        let body = self.results.pop().expect("the body was visited");
        // What stands behind the last `in` is the value.
        let mut value = source.body;
        while let Syntax::Let { body, .. } = self.tree.syntax(value) {
            value = body;
        }
        let (wanted, span) = (Given::of(&signature.results), self.tree.span(value));
        if !fits(&wanted, &body.given) {
            self.wrong[0].push(id);
            let maker = self.maker(&wanted, &body.given);
            let (wanted, found, name) = (self.show(&wanted), self.show(&body.given), self.all.names.text(source.name));
            self.report(span, |_| {
                let message = format!("`{name}` gives {found}, but its type says {wanted}");
                let diagnostic = Diagnostic::error(code::RETURN_TYPE, message).at(span, format!("this is {found}"));
                let diagnostic = diagnostic.and(source.result_place(), format!("this says {wanted}"));
                maker.into_iter().fold(diagnostic, Diagnostic::help)
            });
        }
        self.end_misfits(id, source, messages);
        self.unbind(0);
        let whole = self.tree.span(source.body);
        let mut function = std::mem::replace(&mut self.function, empty(String::new(), whole));
        function.results = signature.results.iter().copied().flatten().collect();
        function.fip = source.fip;
        function.body = body.expr;
        function
    }

    /// The parameters of the function at hand.
    pub fn params(&self) -> &[Var] {
        &self.function.params
    }

    /// Reports an error; the message is not made if there are too many.
    pub fn report(&mut self, span: Span, make: impl FnOnce(&Definitions) -> Diagnostic) {
        let all = self.all;
        self.sink.report_in(span.file, || make(all));
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Visit(id) => self.visit(id),
            Task::Operate(id) => self.operate(id),
            Task::Bind(id) => self.bind_value(id),
            Task::Unbind(id, mark, binders) => {
                let (body, value) = (self.pop(), self.pop());
                self.unbind(mark);
                self.push(id, ExprKind::Let { binders, value: value.expr, body: body.expr }, body.given);
            }
            Task::Match(id) => {
                let Syntax::Match { subject, cases } = self.tree.syntax(id) else { unreachable!("only of a match") };
                let subject_given = self.pop();
                let matching = self.matching(id, subject, subject_given, cases);
                self.matches.push(matching);
                self.tasks.push(Task::MatchEnd(id));
                self.tasks.extend(cases.range().rev().map(Task::Case));
            }
            Task::Case(number) => {
                let mark = self.shadowed.len();
                let ty = self.matches.last().and_then(|matching| matching.ty);
                let pattern = self.pattern(number, ty);
                self.matches.last_mut().expect("a match is open").patterns.push(pattern);
                self.tasks.extend([Task::CaseEnd(mark), Task::Visit(self.tree.cases[number].body)]);
            }
            Task::CaseEnd(mark) => self.unbind(mark),
            Task::MatchEnd(id) => self.end_match(id),
        }
    }

    fn visit(&mut self, id: Id) {
        match self.tree.syntax(id) {
            Syntax::Int(number) => self.push(id, ExprKind::Int(number as i64), Given::One(Type::Int)),
            Syntax::Variable(name) => self.variable(id, name),
            Syntax::Binary(operator, left, right) => {
                self.subtraction(operator, left, right);
                self.tasks.extend([Task::Operate(id), Task::Visit(right), Task::Visit(left)]);
            }
            Syntax::Call(_, args) | Syntax::Construct(_, args) | Syntax::Tuple(args) => {
                self.tasks.push(Task::Operate(id));
                self.tasks.extend(self.tree.list(args).iter().rev().map(|&arg| Task::Visit(arg)));
            }
            Syntax::Let { value, .. } => self.tasks.extend([Task::Bind(id), Task::Visit(value)]),
            Syntax::Match { subject, .. } => self.tasks.extend([Task::Match(id), Task::Visit(subject)]),
        }
    }

    fn variable(&mut self, id: Id, name: Name) {
        if self.said == Some(id) {
            return self.push(id, ExprKind::Int(0), Given::Unknown);
        }
        if let Some(var) = self.bindings[name.0 as usize] {
            self.function.vars[var].uses += 1;
            let given = self.types[var.index()].map_or(Given::Unknown, Given::One);
            self.note_variable(name, var, self.tree.span(id));
            return self.push(id, ExprKind::Var(var), given);
        }
        let function = self.all.function(name);
        if let Some(function) = function.filter(|id| self.all.functions[id.index()].params.is_empty()) {
            let given = self.result_of(function);
            self.note_function(function, self.tree.span(id));
            return self.push(id, ExprKind::Call(function, EntityList::new()), given);
        }
        self.offer(name);
        let locals: Vec<Name> = self.shadowed.iter().map(|shadowed| shadowed.0).collect();
        let is_lost = self.lacks_names || self.all.is_unread(name) || self.all.renamed.contains(&name);
        if function.is_none() && is_lost || function.is_some_and(|id| self.all.functions[id.index()].is_twice) {
            return self.push(id, ExprKind::Int(0), Given::Unknown);
        }
        if function.is_none() || !self.before_function(id, name) {
            self.unknown_variable(id, name, function, &locals);
        }
        self.push(id, ExprKind::Int(0), Given::Unknown);
    }

    fn operate(&mut self, id: Id) {
        match self.tree.syntax(id) {
            Syntax::Binary(operator, left, right) => {
                let (right_given, left_given) = (self.pop(), self.pop());
                let operands = [(left, &left_given), (right, &right_given)];
                let sign = operator.sign();
                let errors = self.sink.error_count();
                self.arguments(id, &operands, &[Some(Type::Int); 2], |_| format!("the operator `{sign}`"));
                let ty = if operator.compares() { Type::Data(TRUTH) } else { Type::Int };
                // A constructor was to have the whole as its field.
                let is_wrong = self.sink.error_count() > errors;
                let is_wider = is_wrong && (self.tree.takes_less(left).is_some() || operator.compares());
                // Of a negative field nobody knows how far it goes.
                let is_field = self.subtracts_from_constructor(operator, left).is_some();
                // What is no number is perhaps what was meant.
                let is_other = is_wrong && operands.iter().all(|(_, it)| !fits(&Given::One(Type::Int), &it.given));
                let given = if is_wider || is_field || is_other { Given::Unknown } else { Given::One(ty) };
                self.push(id, ExprKind::Binary(operator, left_given.expr, right_given.expr), given);
            }
            Syntax::Tuple(args) => {
                let parts = self.pop_many(args);
                let mut types = Vec::with_capacity(parts.len());
                for part in &parts {
                    types.push(match part.given {
                        Given::Unknown => None,
                        Given::One(ty) => Some(ty),
                        Given::Many(_) => {
                            self.unexpected_tuple(self.tree.span(id), "a tuple cannot hold a tuple");
                            None
                        }
                    });
                }
                let list = self.list(&parts);
                // Of a tuple in a tuple nobody knows how many parts are meant.
                let is_nested = parts.iter().any(|part| matches!(part.given, Given::Many(_)));
                let given = if is_nested { Given::Unknown } else { Given::Many(types) };
                self.push(id, ExprKind::Tuple(list), given);
            }
            Syntax::Call(name, args) => self.call(id, name, args),
            Syntax::Construct(name, args) => self.construct(id, name, args),
            Syntax::Int(_) | Syntax::Variable(_) | Syntax::Let { .. } | Syntax::Match { .. } => {
                unreachable!("they have no operands")
            }
        }
    }

    fn call(&mut self, id: Id, name: Name, args: List) {
        let parts = self.pop_many(args);
        let list = self.list(&parts);
        let span = self.tree.span(id);
        let Some(function) = self.all.function(name) else {
            if self.said != Some(id) {
                self.unknown_function(id, name);
            }
            return self.push(id, ExprKind::Int(0), Given::Unknown);
        };
        let signature = &self.all.functions[function.index()];
        self.note_function(function, span);
        let ids: Vec<Id> = self.tree.list(args).to_vec();
        let operands: Vec<(Id, &Checked)> = ids.into_iter().zip(&parts).collect();
        let text = self.all.names.text(name);
        if signature.is_sure && !signature.is_twice {
            let is_doubted = |param: usize| self.doubted[1].contains(&(function, param));
            let params = signature.params.iter().enumerate();
            let params: Vec<Known> = params.map(|(at, &ty)| ty.filter(|_| !is_doubted(at))).collect();
            self.arguments(id, &operands, &params, |_| format!("`{text}`"));
        }
        // With another number of arguments it is perhaps not the function that is meant.
        let is_meant = !signature.is_sure || parts.len() == signature.params.len();
        let given = match self.result_of(function) {
            Given::Many(_) if !is_meant => Given::Unknown,
            given => given,
        };
        self.push(id, ExprKind::Call(function, list), given);
    }

    fn construct(&mut self, id: Id, name: Name, args: List) {
        let parts = self.pop_many(args);
        let list = self.list(&parts);
        let span = self.tree.span(id);
        self.offer(name);
        self.note_constructor(name, span);
        let Some(info) = self.all.constructor(name) else {
            if self.all.is_unread_constructor(name) {
                return self.push(id, ExprKind::Int(0), Given::Unknown);
            }
            self.report(span, |all| {
                let text = all.names.text(name);
                let message = format!("there is no constructor `{text}`");
                let diagnostic = Diagnostic::error(code::UNKNOWN_FUNCTION, message).at(span, "");
                let mut functions = all.functions_anywhere();
                match functions.find(|function| function.eq_ignore_ascii_case(text.as_bytes())) {
                    Some(function) => all.suggest(diagnostic, text, std::iter::once(function)),
                    None => all.suggest_constructor(diagnostic, name),
                }
            });
            return self.push(id, ExprKind::Int(0), Given::Unknown);
        };
        if info.is_twice || self.said == Some(id) {
            return self.push(id, ExprKind::Int(0), Given::Unknown);
        }
        let ids: Vec<Id> = self.tree.list(args).to_vec();
        let operands: Vec<(Id, &Checked)> = ids.into_iter().zip(&parts).collect();
        let text = self.all.names.text(name);
        self.arguments(id, &operands, &info.fields, |_| format!("the constructor `{text}`"));
        // With another number of fields it is perhaps not the one that is meant.
        let given =
            if args.length as usize == info.fields.len() { Given::One(Type::Data(info.ty)) } else { Given::Unknown };
        self.push(id, ExprKind::Construct(info.ty, info.number, list), given);
    }

    fn bind_value(&mut self, id: Id) {
        let Syntax::Let { binders, body, .. } = self.tree.syntax(id) else { unreachable!("only of a let") };
        let binders = &self.tree.binders[binders.range()];
        let value = self.results.last().expect("the value was visited");
        let types: Vec<Known> = match &value.given {
            Given::Unknown => vec![None; binders.len()],
            Given::One(ty) => vec![Some(*ty)],
            Given::Many(types) => types.clone(),
        };
        if types.len() != binders.len() {
            self.lacks_names |= binders.len() < types.len();
            let (span, found, wanted) = (self.tree.span(id), self.show(&value.given), binders.len());
            self.report(span, |_| {
                let message = format!("`let` has {}, and its value is {found}", count(wanted, "variable"));
                let help = "there is one variable, or `_`, for each value";
                Diagnostic::error(code::LET_COUNT, message).at(span, "").help(help)
            });
        }
        self.distinct(binders);
        let mark = self.shadowed.len();
        let known = types.len() == binders.len();
        let vars = binders.iter().enumerate();
        let vars: Vec<Option<Var>> = vars
            .map(|(index, binder)| self.bind(*binder, types.get(index).copied().flatten().filter(|_| known)))
            .collect();
        self.tasks.extend([Task::Unbind(id, mark, vars), Task::Visit(body)]);
    }

    fn end_match(&mut self, id: Id) {
        let Syntax::Match { cases, .. } = self.tree.syntax(id) else { unreachable!("only of a match") };
        let bodies = self.results.split_off(self.results.len() - cases.length as usize);
        let matching = self.matches.pop().expect("the match is open");
        let mut given = Given::Unknown;
        for (index, body) in bodies.iter().enumerate() {
            if !fits(&given, &body.given) {
                let span = self.tree.span(id);
                let (first, other) = (self.show(&given), self.show(&body.given));
                let place = self.tree.span(self.tree.cases[cases.range()][index].body);
                if self.wrong_cases(id, cases, &bodies) {
                    given = Given::Unknown;
                    break;
                }
                self.report(span, |_| {
                    let message = format!("the cases give {first} and {other}");
                    let diagnostic = Diagnostic::error(code::BRANCH_TYPES, message).at(span, "");
                    diagnostic.and(place, format!("this is {other}, and what stands before it {first}"))
                });
                given = Given::Unknown;
                break;
            }
            if matches!(given, Given::Unknown) {
                given = body.given.clone();
            }
        }
        let patterns = matching.patterns.into_iter().zip(&bodies);
        let cases = patterns.map(|(pattern, body)| Case { pattern, body: body.expr }).collect();
        self.push(id, ExprKind::Match { subject: matching.subject, cases }, given);
    }

    /// A variable of its own for a name, from here on.
    pub fn bind(&mut self, binder: Binder, ty: Known) -> Option<Var> {
        let (name, span) = binder?;
        let text = self.all.names.text(name).to_string();
        let var = self.function.vars.push(Variable { name: text, ty: ty.unwrap_or(Type::Int), uses: 0 });
        self.types.push(ty);
        self.places.push(span);
        self.note_variable(name, var, span);
        let before = self.bindings[name.0 as usize].replace(var);
        self.shadowed.push((name, before));
        Some(var)
    }

    fn unbind(&mut self, mark: usize) {
        for (name, before) in self.shadowed.drain(mark..).rev() {
            self.bindings[name.0 as usize] = before;
        }
    }

    fn pop(&mut self) -> Checked {
        self.results.pop().expect("operands are visited first")
    }

    fn pop_many(&mut self, list: List) -> Vec<Checked> {
        self.results.split_off(self.results.len() - list.length as usize)
    }

    fn list(&mut self, parts: &[Checked]) -> EntityList<Expr> {
        EntityList::from_iter(parts.iter().map(|part| part.expr), &mut self.function.lists)
    }

    fn push(&mut self, id: Id, kind: ExprKind, given: Given) {
        let types = match &given {
            Given::Unknown => Types::One(Type::Int),
            Given::One(ty) => Types::One(*ty),
            Given::Many(types) => {
                self.function.tuples.push(types.iter().copied().flatten().collect());
                Types::Many(self.function.tuples.len() as u32 - 1)
            }
        };
        let expr = self.function.exprs.push(Node { kind, span: self.tree.span(id), types });
        self.results.push(Checked { expr, given });
    }

    /// For messages.
    pub fn show(&self, given: &Given) -> String {
        match given {
            Given::Unknown => "?".into(),
            Given::One(ty) => format!("`{}`", self.all.show(Some(*ty))),
            Given::Many(types) => format!("`{}`", self.all.show_all(types)),
        }
    }
}

fn empty(name: String, span: Span) -> core_ir::Function {
    core_ir::Function::new(name, span)
}
