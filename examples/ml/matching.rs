//! `match` and `try`: the clauses become a tree of tests in which no value is tested twice on a path.

use crate::expr::{Code, Join, Then};
use crate::program::Mono;
use crate::syntax::{Clause, Expr, Id, Kind, Name};
use cleave_compile::ir::{Block, Opcode, Type, Value, libcalls};
use cleave_diag::{Diagnostic, code};

/// A clause whose patterns are yet to be tested, one for each value; `None` takes any.
#[derive(Clone)]
struct Row<'p> {
    patterns: Vec<Option<&'p Expr>>,
    bound: Vec<(Id, Value)>,
    clause: usize,
}

/// A value that patterns look at, and how many constants it is known not to be.
type Subject = (Value, Mono, usize);

struct Matching<'p> {
    expr: &'p Expr,
    /// The block of each clause, once something leads there, and its variables.
    bodies: Vec<Option<(Join, Block, Vec<Id>)>>,
    exception: Option<Value>,
}

impl<'p> Code<'_, 'p> {
    /// The clauses of an expression. If none of them fits, an exception is raised again.
    pub fn matching(&mut self, expr: &'p Expr, value: (Value, Mono), exception: Option<Value>, then: Then) {
        let rows = expr.clauses.iter().enumerate().map(|(clause, found)| {
            let mut row = Row { patterns: vec![Some(&found.pattern)], bound: Vec::new(), clause };
            row.simplify(&[(value.0, value.1, 0)]);
            row
        });
        let rows = rows.collect();
        let mut matching = Matching { expr, bodies: vec![None; expr.clauses.len()], exception };
        self.tree(&mut matching, vec![(value.0, value.1, 0)], rows);
        for (clause, body) in expr.clauses.iter().zip(matching.bodies) {
            let Some((join, block, ids)) = body else { continue };
            let params = self.b.func.params(block)[..ids.len()].to_vec();
            self.enter(join);
            self.env.extend(ids.into_iter().zip(params));
            self.compile(&clause.body, then);
        }
    }

    fn tree(&mut self, m: &mut Matching<'p>, subjects: Vec<Subject>, rows: Vec<Row<'p>>) {
        let Some(first) = rows.first() else { return self.no_clause(m) };
        let Some(at) = first.patterns.iter().position(Option::is_some) else { return self.leaf(m, subjects, rows) };
        let Some(pattern) = first.patterns[at] else { return };
        let (value, mono, excluded) = subjects[at];
        let is_enumeration = self.p.is_enumeration(mono);
        match &pattern.kind {
            Kind::Alternatives => {
                let alternatives = |row: Row<'p>| match row.patterns[at] {
                    Some(Expr { kind: Kind::Alternatives, parts, .. }) => {
                        parts.iter().map(|part| row.with(at, Some(part), &subjects)).collect()
                    }
                    _ => vec![row],
                };
                let rows = rows.into_iter().flat_map(alternatives).collect();
                self.tree(m, subjects, rows);
            }
            Kind::Const(..) | Kind::Text(_) | Kind::Con(_)
                if is_enumeration || !matches!(pattern.kind, Kind::Con(_)) =>
            {
                let is_same = |row: &Row| row.patterns[at].is_some_and(|other| other.kind == pattern.kind);
                let mut equal: Vec<Row> =
                    rows.iter().filter(|row| row.patterns[at].is_none() || is_same(row)).cloned().collect();
                equal.iter_mut().for_each(|row| row.patterns[at] = None);
                let values = match &pattern.kind {
                    Kind::Const(_, "bool") => 2,
                    Kind::Const(_, "unit") => 1,
                    Kind::Con(_) => self.p.constructors(mono).len(),
                    _ => usize::MAX,
                };
                if excluded + 1 == values {
                    return self.tree(m, subjects, equal);
                }
                let number = match &pattern.kind {
                    Kind::Const(number, _) => Some(*number),
                    Kind::Con(name) => {
                        self.p.constructors(mono).iter().position(|known| known == name).map(|at| at as i64)
                    }
                    _ => None,
                };
                let test = match (&pattern.kind, number) {
                    (Kind::Text(bytes), _) => {
                        let text = self.p.text(bytes);
                        let text = self.b.static_ref(text);
                        let equal = self.call_rt(&libcalls::EQ_STRING, &[value, text], Type::I64);
                        self.b.op(Opcode::Wrap, &[equal])
                    }
                    _ => {
                        let number = self.b.iconst64(number.unwrap_or(0));
                        self.b.op(Opcode::Eq, &[value, number])
                    }
                };
                let (yes, no) = (self.b.func.new_block(), self.b.func.new_block());
                self.b.br_if(test, (yes, &[]), (no, &[]));
                let others = rows.into_iter().filter(|row| !is_same(row)).collect();
                let mut without = subjects.clone();
                without[at].2 += 1;
                let cells = self.cells.clone();
                self.b.switch_to(yes);
                self.tree(m, subjects, equal);
                self.cells = cells;
                self.b.switch_to(no);
                self.tree(m, without, others);
            }
            Kind::Con(_) => {
                let mut names: Vec<&Name> = Vec::new();
                for row in &rows {
                    if let Some(Expr { kind: Kind::Con(name), .. }) = row.patterns[at]
                        && !names.contains(&name)
                    {
                        names.push(name);
                    }
                }
                let is_complete = names.len() == self.p.constructors(mono).len();
                let blocks: Vec<Block> =
                    (0..names.len() + usize::from(!is_complete)).map(|_| self.b.func.new_block()).collect();
                let nodes: Vec<_> = names.iter().map(|name| self.p.node(mono, name)).collect();
                let mut cases: Vec<_> = nodes.iter().zip(&blocks).map(|(node, &block)| (node.desc, 0, block)).collect();
                if !is_complete {
                    cases.push((nodes[0].desc, 0, blocks[names.len()]));
                }
                self.b.switch(value, &cases);
                let cells = self.cells.clone();
                for ((name, node), &block) in names.iter().zip(&nodes).zip(&blocks) {
                    self.b.switch_to(block);
                    self.cells = cells.clone();
                    let fields = self.fields(node, value);
                    let is_it = |pattern: &Option<&Expr>| pattern.is_none_or(|p| p.kind == Kind::Con((*name).clone()));
                    let rows = rows.iter().filter(|row| is_it(&row.patterns[at])).cloned().collect();
                    self.open(m, at, &subjects, fields, rows);
                }
                if !is_complete {
                    self.b.switch_to(blocks[names.len()]);
                    self.cells = cells;
                    let rows = rows.into_iter().filter(|row| row.patterns[at].is_none()).collect();
                    self.tree(m, subjects, rows);
                }
            }
            _ => {
                let node = self.p.node(mono, "");
                let fields = self.fields(&node, value);
                self.open(m, at, &subjects, fields, rows);
            }
        }
    }

    /// The fields of a node take its place.
    fn open(
        &mut self,
        m: &mut Matching<'p>,
        at: usize,
        subjects: &[Subject],
        fields: Vec<(Value, Mono)>,
        mut rows: Vec<Row<'p>>,
    ) {
        let mut inner: Vec<Subject> = fields.iter().map(|&(value, mono)| (value, mono, 0)).collect();
        for row in &mut rows {
            let parts = match row.patterns.remove(at) {
                Some(pattern) => pattern.parts.iter().map(Some).collect(),
                None => vec![None; inner.len()],
            };
            row.patterns.splice(0..0, parts);
        }
        inner.extend(subjects[..at].iter().chain(&subjects[at + 1..]));
        rows.iter_mut().for_each(|row| row.simplify(&inner));
        self.tree(m, inner, rows);
    }

    /// All patterns of the first row fit.
    fn leaf(&mut self, m: &mut Matching<'p>, subjects: Vec<Subject>, mut rows: Vec<Row<'p>>) {
        let row = rows.remove(0);
        let expr = m.expr;
        let Clause { pattern, guard, .. } = &expr.clauses[row.clause];
        if m.bodies[row.clause].is_none() {
            let mut ids = Vec::new();
            pattern.each(&mut |part| {
                ids.extend(match part.kind {
                    Kind::Var(_, id, _) | Kind::Alias(_, id) if !ids.contains(&id) => Some(id),
                    _ => None,
                });
                true
            });
            // The variables of the pattern are the first parameters of the block.
            let types =
                ids.iter().map(|id| row.value_of(*id)).map(|value| self.b.func.values[value]).collect::<Vec<_>>();
            let join = self.join_of(&types);
            m.bodies[row.clause] = Some((join, join.block, ids));
        }
        let Some((join, block, ids)) = m.bodies[row.clause].clone() else { return };
        let mut args: Vec<Value> = ids.iter().map(|id| row.value_of(*id)).collect();
        let mut rest = None;
        if let Some(guard) = guard {
            self.env.extend(row.bound.iter().copied());
            let (yes, no) = (self.join(None), self.join(None));
            self.branch(guard, yes, no);
            self.enter(yes);
            rest = Some(no);
        }
        args.extend(self.args(join, None));
        self.b.jump(block, &args);
        if let Some(no) = rest {
            self.enter(no);
            self.tree(m, subjects, rows);
        }
    }

    fn no_clause(&mut self, m: &Matching<'p>) {
        let exception = m.exception.unwrap_or_else(|| {
            if self.p.messages.iter().all(|known| known.primary.as_ref().is_none_or(|label| label.span != m.expr.span))
            {
                let message = "no clause fits some values";
                self.p.messages.push(Diagnostic::warning(code::NON_EXHAUSTIVE_MATCH, message).at(m.expr.span, ""));
            }
            self.exception("Match_failure", &[])
        });
        self.b.raise(exception);
    }
}

impl<'p> Row<'p> {
    fn value_of(&self, id: Id) -> Value {
        self.bound.iter().find(|bound| bound.0 == id).map_or(self.bound[0].1, |bound| bound.1)
    }
    fn with(&self, at: usize, pattern: Option<&'p Expr>, subjects: &[Subject]) -> Row<'p> {
        let mut row = self.clone();
        row.patterns[at] = pattern;
        row.simplify(subjects);
        row
    }
    /// Variables are bound; what is left is to be tested.
    fn simplify(&mut self, subjects: &[Subject]) {
        for (pattern, subject) in self.patterns.iter_mut().zip(subjects) {
            while let Some(inner) = pattern {
                match &inner.kind {
                    Kind::Any => *pattern = None,
                    Kind::Var(_, id, _) => {
                        self.bound.push((*id, subject.0));
                        *pattern = None;
                    }
                    Kind::Alias(_, id) => {
                        self.bound.push((*id, subject.0));
                        *pattern = inner.parts.first();
                    }
                    Kind::Annotated(_) => *pattern = inner.parts.first(),
                    _ => break,
                }
            }
        }
    }
}
