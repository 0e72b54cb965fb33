//! Matches, branches and blocks: patterns become tests of one value at a time.
//!
//! The cases of a match are rows of patterns, each of a variable. A variable that the first row looks at is tested;
//! each outcome has the rows that may still fit. Where a row has nothing left to look at, its body begins; a body that
//! several ways lead to stands after a label. (As in L. Maranget, *Compiling pattern matching to good decision trees*,
//! 2008.)

use super::bodies::Lower;
use super::mono_types::{MonoType, TEXT};
use crate::hir::{Condition, Local, NodeId, Pattern, PatternKind};
use crate::lex::Name;
use cleave_diag::Span;
use cleave_strict::core_ir::{Case, Expr, ExprKind, Label, Pattern as Test, Primitive, Type, Var};
use rustc_hash::FxHashMap;

/// What follows where a row fits.
#[derive(Clone, Copy)]
enum Body {
    Node(NodeId),
    Made(Expr),
}

#[derive(Clone)]
struct Row<'p> {
    /// Patterns of variables, those of the first still in the order of the source.
    patterns: Vec<(Var, MonoType, &'p Pattern)>,
    bound: Vec<(Local, Var)>,
    body: usize,
}

/// The tests of a match.
enum Tests {
    /// A body, with the variables that its patterns have bound.
    Body(usize, Vec<(Local, Var)>),
    Switch(Var, Vec<(Test, Tests)>),
    /// A string is compared with one after the other; the last one is for all others.
    Text(Var, Vec<(Name, Tests)>, Box<Tests>),
    /// No case fits.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Number(u32),
    Int(i32),
    Text(Name),
}

/// A statement whose value is bound, or taken apart.
enum Step {
    Let(Var, Expr),
    Take(Var, Vec<Option<Var>>),
    Do(Expr),
}

impl<'i> Lower<'_, 'i> {
    pub fn matching(&mut self, subject: NodeId, cases: &'i [(Pattern, NodeId)], ty: Type, span: Span) -> Expr {
        let rows: Vec<(&'i Pattern, Body)> = cases.iter().map(|(pattern, body)| (pattern, Body::Node(*body))).collect();
        self.rows(subject, &rows, None, ty, span)
    }

    /// A match; `last` is what follows if no row fits.
    fn rows(
        &mut self,
        subject: NodeId,
        rows: &[(&'i Pattern, Body)],
        last: Option<Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let value = self.expr(subject);
        let mono = self.mono_type_of(subject);
        let subject_type = self.all.mono_types.tree_type(mono);
        let var = self.var("subject".into(), subject_type);
        let mut bodies: Vec<Body> = rows.iter().map(|row| row.1).collect();
        let mut table: Vec<Row> = rows
            .iter()
            .enumerate()
            .map(|(body, row)| Row { patterns: vec![(var, mono, row.0)], bound: Vec::new(), body })
            .collect();
        if let Some(last) = last {
            table.push(Row { patterns: Vec::new(), bound: Vec::new(), body: bodies.len() });
            bodies.push(Body::Made(last));
        }
        let tests = self.decide(table);
        let mut counts = vec![0u32; bodies.len()];
        count(&tests, &mut counts);
        // Bodies that several ways lead to.
        let mut labels: Vec<Option<(Label, Vec<Local>)>> = vec![None; bodies.len()];
        let mut shared = Vec::new();
        for (number, body) in bodies.iter().enumerate() {
            if counts[number] < 2 {
                continue;
            }
            let locals = bound_in(&tests, number).unwrap_or_default();
            let vars: Vec<Var> = locals.iter().map(|&local| self.local(local)).collect();
            let label = self.function.labels.push(vars);
            labels[number] = Some((label, locals));
            shared.push((label, *body));
        }
        let decided = self.tests(&tests, &bodies, &labels, ty, span);
        let made: Vec<(Label, Expr)> = shared.into_iter().map(|(label, body)| (label, self.body(body))).collect();
        let whole = if made.is_empty() { decided } else { self.add(ExprKind::Labels(made, decided), ty, span) };
        self.bind_or_do(var, value, whole, ty, span)
    }

    fn body(&mut self, body: Body) -> Expr {
        match body {
            Body::Node(node) => self.expr(node),
            Body::Made(expr) => expr,
        }
    }

    /// A variable for a value, or only its effects if nobody looks at it.
    fn bind_or_do(&mut self, var: Var, value: Expr, body: Expr, ty: Type, span: Span) -> Expr {
        match self.function.vars[var].uses {
            0 => self.add(ExprKind::Sequence(value, body), ty, span),
            _ => self.bind(var, value, body, ty, span),
        }
    }

    fn decide(&mut self, mut rows: Vec<Row<'i>>) -> Tests {
        // Patterns that take everything only bind; choices become rows of their own.
        let mut at = 0;
        while at < rows.len() {
            let row = &mut rows[at];
            let (mut left, mut choices) = (Vec::with_capacity(row.patterns.len()), None);
            for (var, mono, pattern) in std::mem::take(&mut row.patterns) {
                match &pattern.kind {
                    PatternKind::Any => {}
                    PatternKind::Variable(local) => row.bound.push((*local, var)),
                    PatternKind::Or(parts) if choices.is_none() => {
                        choices = Some((left.len(), var, mono, parts));
                    }
                    _ => left.push((var, mono, pattern)),
                }
            }
            row.patterns = left;
            let Some((place, var, mono, parts)) = choices else {
                at += 1;
                continue;
            };
            let row = rows.remove(at);
            let new = parts.iter().map(|part| {
                let mut row = row.clone();
                row.patterns.insert(place, (var, mono, part));
                row
            });
            rows.splice(at..at, new.collect::<Vec<Row>>());
        }
        let Some(first) = rows.first() else { return Tests::None };
        let Some(&(var, mono, _)) = first.patterns.first() else {
            return Tests::Body(first.body, first.bound.clone());
        };
        let (groups, rest) = grouped(rows, var);
        if mono == TEXT {
            let mut cases = Vec::with_capacity(groups.len());
            for (head, rows) in groups {
                let Head::Text(text) = head else { continue };
                let fitting = rows.into_iter().map(|row| fitting(row, var, &[])).collect();
                cases.push((text, self.decide(fitting)));
            }
            return Tests::Text(var, cases, Box::new(self.decide(rest)));
        }
        let all = match groups[0].0 {
            Head::Number(_) => self.all.mono_types.variants(mono),
            _ => usize::MAX,
        };
        let is_complete = groups.len() >= all;
        let mut cases = Vec::with_capacity(groups.len() + 1);
        for (head, rows) in groups {
            let (test, parts) = match head {
                Head::Text(_) => continue,
                Head::Int(number) => (Test::Int(i64::from(number)), Vec::new()),
                Head::Number(number) => {
                    let mono_types = self.all.mono_types.parts(mono, number);
                    let parts: Vec<(Var, MonoType)> = mono_types
                        .into_iter()
                        .map(|mono| {
                            let ty = self.all.mono_types.tree_type(mono);
                            (self.var("part".into(), ty), mono)
                        })
                        .collect();
                    (Test::Constructor(number, parts.iter().map(|part| Some(part.0)).collect()), parts)
                }
            };
            let fitting = rows.into_iter().map(|row| fitting(row, var, &parts)).collect();
            cases.push((test, self.decide(fitting)));
        }
        if !is_complete {
            cases.push((Test::Rest(None), self.decide(rest)));
        }
        Tests::Switch(var, cases)
    }

    fn tests(
        &mut self,
        tests: &Tests,
        bodies: &[Body],
        labels: &[Option<(Label, Vec<Local>)>],
        ty: Type,
        span: Span,
    ) -> Expr {
        match tests {
            Tests::Body(number, bound) => match &labels[*number] {
                Some((label, locals)) => {
                    let mut values = Vec::with_capacity(locals.len());
                    for local in locals {
                        let found = bound.iter().rev().find(|known| known.0 == *local);
                        let var = found.expect("all ways to a body bind the same variables").1;
                        values.push(self.use_var(var, span));
                    }
                    let values = self.list(&values);
                    self.add(ExprKind::Jump(*label, values), ty, span)
                }
                None => {
                    for &(local, var) in bound {
                        self.vars[local.0 as usize] = Some(var);
                        // Tools show the names of the source.
                        self.function.vars[var].name = self.all.typed.names.text(self.hir.local(local).name).into();
                    }
                    self.body(bodies[*number])
                }
            },
            Tests::Switch(var, cases) => {
                let mut made = Vec::with_capacity(cases.len());
                for (test, tests) in cases {
                    let body = self.tests(tests, bodies, labels, ty, span);
                    made.push(Case { pattern: test.clone(), body });
                }
                let subject = self.use_var(*var, span);
                self.add(ExprKind::Match { subject, cases: made }, ty, span)
            }
            Tests::Text(var, cases, rest) => {
                let mut result = self.tests(rest, bodies, labels, ty, span);
                for (text, tests) in cases.iter().rev() {
                    let yes = self.tests(tests, bodies, labels, ty, span);
                    let text = self.all.literal(*text);
                    let operands = [self.use_var(*var, span), self.add(ExprKind::Str(text), Type::Str, span)];
                    let equal = self.primitive(Primitive::Equal, &operands, Type::Data(Self::TRUTH), span);
                    result = self.choose(equal, yes, result, ty, span);
                }
                result
            }
            Tests::None => {
                let text = self.all.text(b"no case fits");
                let text = self.add(ExprKind::Str(text), Type::Str, span);
                self.primitive(Primitive::Panic, &[text], ty, span)
            }
        }
    }

    pub fn condition(
        &mut self,
        branches: &'i [(Condition, NodeId)],
        otherwise: Option<NodeId>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let mut result = match otherwise {
            Some(node) => self.expr(node),
            None => self.unit(span),
        };
        for (condition, body) in branches.iter().rev() {
            result = match condition {
                Condition::Holds(condition) => {
                    let condition = self.expr(*condition);
                    let body = self.expr(*body);
                    self.choose(condition, body, result, ty, span)
                }
                Condition::Fits(pattern, value) => {
                    self.rows(*value, &[(pattern, Body::Node(*body))], Some(result), ty, span)
                }
            };
        }
        result
    }

    pub fn block(&mut self, statements: &'i [(Option<Pattern>, NodeId)], value: Option<NodeId>, span: Span) -> Expr {
        let mut steps = Vec::with_capacity(statements.len());
        for (number, (pattern, node)) in statements.iter().enumerate() {
            match pattern {
                None => {
                    let value = self.expr(*node);
                    steps.push(Step::Do(value));
                }
                Some(pattern) if !has_choices(pattern) => {
                    let value = self.expr(*node);
                    self.take(pattern, value, &mut steps);
                }
                // The rest of the block is what follows where one of the choices fits.
                Some(pattern) => {
                    let ty = self.block_type(value);
                    let mut bodies = Tail { statements: &statements[number + 1..], value };
                    let rest = self.with_choices(pattern, *node, &mut bodies, ty, span);
                    return self.steps(steps, rest, ty, span);
                }
            }
        }
        let ty = self.block_type(value);
        let body = match value {
            Some(node) => self.expr(node),
            None => self.unit(span),
        };
        self.steps(steps, body, ty, span)
    }

    fn block_type(&mut self, value: Option<NodeId>) -> Type {
        value.map_or(Type::Unit, |node| self.type_of(node))
    }

    /// A `val` whose pattern has choices: they lead to a label after which the rest of the block stands.
    fn with_choices(&mut self, pattern: &'i Pattern, node: NodeId, rest: &mut Tail<'i>, ty: Type, span: Span) -> Expr {
        let value = self.expr(node);
        let mono = self.mono_type_of(node);
        let subject_type = self.all.mono_types.tree_type(mono);
        let var = self.var("subject".into(), subject_type);
        let tests = self.decide(vec![Row { patterns: vec![(var, mono, pattern)], bound: Vec::new(), body: 0 }]);
        let locals = bound_in(&tests, 0).unwrap_or_default();
        let vars: Vec<Var> = locals.iter().map(|&local| self.local(local)).collect();
        let label = self.function.labels.push(vars);
        let decided = self.tests(&tests, &[], &[Some((label, locals))], ty, span);
        let body = self.block(rest.statements, rest.value, span);
        let whole = self.add(ExprKind::Labels(vec![(label, body)], decided), ty, span);
        self.bind_or_do(var, value, whole, ty, span)
    }

    /// The steps that take a value apart.
    fn take(&mut self, pattern: &'i Pattern, value: Expr, steps: &mut Vec<Step>) {
        match &pattern.kind {
            PatternKind::Variable(local) => {
                let var = self.local(*local);
                steps.push(Step::Let(var, value));
            }
            PatternKind::Construct(_, parts) => {
                let mono = self.mono(pattern.ty);
                let ty = self.all.mono_types.tree_type(mono);
                let var = self.var("subject".into(), ty);
                steps.push(Step::Let(var, value));
                self.take_parts(var, mono, parts, steps);
            }
            _ => steps.push(Step::Do(value)),
        }
    }

    fn take_parts(&mut self, var: Var, mono: MonoType, parts: &'i [Pattern], steps: &mut Vec<Step>) {
        let mono_types = self.all.mono_types.parts(mono, 0);
        let mut binders = Vec::with_capacity(parts.len());
        let mut inside = Vec::new();
        for (part, mono) in parts.iter().zip(mono_types) {
            binders.push(match &part.kind {
                PatternKind::Variable(local) => Some(self.local(*local)),
                PatternKind::Construct(_, parts) => {
                    let ty = self.all.mono_types.tree_type(mono);
                    let var = self.var("part".into(), ty);
                    inside.push((var, mono, parts));
                    Some(var)
                }
                _ => None,
            });
        }
        steps.push(Step::Take(var, binders));
        for (var, mono, parts) in inside {
            self.take_parts(var, mono, parts, steps);
        }
    }

    fn steps(&mut self, steps: Vec<Step>, body: Expr, ty: Type, span: Span) -> Expr {
        let mut result = body;
        for step in steps.into_iter().rev() {
            result = match step {
                Step::Let(var, value) => self.bind_or_do(var, value, result, ty, span),
                Step::Do(value) => self.add(ExprKind::Sequence(value, result), ty, span),
                Step::Take(var, binders) => {
                    let is_used = |var: &Var| self.function.vars[*var].uses > 0;
                    if !binders.iter().flatten().any(is_used) {
                        continue;
                    }
                    let subject = self.use_var(var, span);
                    let cases = vec![Case { pattern: Test::Constructor(0, binders), body: result }];
                    self.add(ExprKind::Match { subject, cases }, ty, span)
                }
            };
        }
        result
    }
}

/// What is left of a block.
struct Tail<'p> {
    statements: &'p [(Option<Pattern>, NodeId)],
    value: Option<NodeId>,
}

fn head(pattern: &Pattern) -> Option<Head> {
    match pattern.kind {
        PatternKind::Construct(number, _) => Some(Head::Number(number)),
        PatternKind::Int(number) => Some(Head::Int(number)),
        PatternKind::Text(text) => Some(Head::Text(text)),
        _ => None,
    }
}

/// Rows by what they want of a variable, in the order of the first of each, and those that want nothing of it, which
/// are in all groups, too.
fn grouped(rows: Vec<Row>, var: Var) -> (Vec<(Head, Vec<Row>)>, Vec<Row>) {
    let mut groups: Vec<(Head, Vec<Row>)> = Vec::new();
    let mut numbers: FxHashMap<Head, usize> = FxHashMap::default();
    let mut rest: Vec<Row> = Vec::new();
    for row in rows {
        let wanted = row.patterns.iter().find(|known| known.0 == var).and_then(|known| head(known.2));
        match wanted {
            Some(head) => {
                let number = *numbers.entry(head).or_insert_with(|| {
                    groups.push((head, rest.clone()));
                    groups.len() - 1
                });
                groups[number].1.push(row);
            }
            None => {
                groups.iter_mut().for_each(|group| group.1.push(row.clone()));
                rest.push(row);
            }
        }
    }
    (groups, rest)
}

/// The row where a variable has the head that it wants, and these parts.
fn fitting<'p>(mut row: Row<'p>, var: Var, parts: &[(Var, MonoType)]) -> Row<'p> {
    if let Some(at) = row.patterns.iter().position(|known| known.0 == var) {
        let (_, _, pattern) = row.patterns.remove(at);
        if let PatternKind::Construct(_, inside) = &pattern.kind {
            let inside = parts.iter().zip(inside).map(|(&(var, mono), pattern)| (var, mono, pattern));
            row.patterns.splice(at..at, inside);
        }
    }
    row
}

fn count(tests: &Tests, counts: &mut [u32]) {
    match tests {
        Tests::Body(number, _) => counts[*number] += 1,
        Tests::Switch(_, cases) => cases.iter().for_each(|case| count(&case.1, counts)),
        Tests::Text(_, cases, rest) => {
            cases.iter().for_each(|case| count(&case.1, counts));
            count(rest, counts);
        }
        Tests::None => {}
    }
}

/// The variables that a body gets.
fn bound_in(tests: &Tests, body: usize) -> Option<Vec<Local>> {
    match tests {
        Tests::Body(number, bound) if *number == body => {
            let mut locals: Vec<Local> = bound.iter().map(|known| known.0).collect();
            locals.sort_unstable();
            locals.dedup();
            Some(locals)
        }
        Tests::Body(..) | Tests::None => None,
        Tests::Switch(_, cases) => cases.iter().find_map(|case| bound_in(&case.1, body)),
        Tests::Text(_, cases, rest) => {
            cases.iter().find_map(|case| bound_in(&case.1, body)).or_else(|| bound_in(rest, body))
        }
    }
}

/// Some part of the pattern is a choice.
fn has_choices(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Or(_) => true,
        PatternKind::Construct(_, parts) => parts.iter().any(has_choices),
        _ => false,
    }
}
