//! Names and types of bodies. An expression is checked with what its place wants, if that is known: so lambdas learn
//! the types of their parameters, and messages point at the innermost expression that does not fit. What is not known
//! yet is an *unknown*, which unification finds out (`unify`).
//!
//! An expression of type `Ty::ERROR` has been complained about; nothing more is said of it.

mod behind;
mod blocks;
mod calls;
mod clashes;
mod exchanged;
mod exhaustiveness;
mod help;
mod members;
pub mod notes;
mod objects;
mod obligations;
mod parts;
mod patterns;
mod unify;
mod unknown;
mod wrong;

use crate::collect_items::{ItemCollector, Scope};
use crate::counts::Tried;
use crate::hir::{Hir, Local, LocalInfo, Node, NodeId, NodeKind};
use crate::interface_check::Obligations;
use crate::lex::{Name, Names};
use crate::program::{MemberId, Program, report};
use crate::syntax::{Body, Expr, ExprId, Operator, Param, Sign};
use crate::types::{ClassId, Ty, TypeKind};
use cleave_diag::{Diagnostic, Sink, SourceMap, Span, code};
use notes::{Entity, Notes};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use wrong::Miscount;

/// Why a place wants a type.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// The type of the result is written here.
    Result(Span),
    /// The type is written here.
    Annotation(Span),
    /// The type of a whole is written here, of which the value is a part.
    Part(Span, Ty),
    /// The member, variant or field is defined here.
    Defined(Span),
    /// Another branch has this type.
    Branch(Span),
    Operator(&'static str),
    Condition,
    /// The other operand.
    Operand(Span),
    /// The value that is matched.
    Subject(Span),
    Unit,
    Unsaid,
}

/// The type that a place wants, and why.
#[derive(Clone, Copy, Debug)]
pub struct Want {
    pub ty: Ty,
    pub reason: Reason,
}

/// A type that has to be found out.
struct Unknown {
    found: Option<Ty>,
    /// What has this type.
    span: Span,
    /// What said it.
    origin: Option<Span>,
}

/// A lambda that is being checked.
struct Around {
    /// So many variables were there before its own.
    outside: u32,
    captures: Vec<Local>,
}

pub struct Checker<'c> {
    pub program: &'c mut Program,
    pub names: &'c Names,
    sources: &'c SourceMap,
    pub sink: &'c mut Sink,
    body: &'c Body,
    class: ClassId,
    /// The module is in today's language.
    is_today: bool,
    scope: Scope,
    hir: Hir,
    /// What is found out about unknowns, and where they come from.
    unknowns: Vec<Unknown>,
    /// What says the types that are found out now.
    cause: Option<Span>,
    /// Types that do not fit, one of which an unknown has, which has been said.
    clashes: FxHashSet<(u32, Ty, Ty)>,
    /// Unknowns in the order in which they were found out.
    trail: Vec<u32>,
    /// Names and the variables that they mean.
    env: Vec<(Name, Local)>,
    /// The variables whose values are looked at: they are not known yet.
    unborn: Vec<Name>,
    this: Option<Local>,
    /// A name is missing where variables are bound: then variables may be missing elsewhere.
    lacks_names: bool,
    /// A variable has a name that was taken: another one was meant for it.
    has_taken: bool,
    /// It was said that there is no `this`.
    has_no_this: bool,
    /// The last `new`, of which it was said that there is none.
    new: Option<Span>,
    around: Vec<Around>,
    obligations: Obligations,
    /// Operands of `==` and `!=`: their types must be comparable once they are known.
    compared: Vec<(Ty, Span)>,
    /// Unknowns that may stay unknown.
    free: Vec<u32>,
    /// Errors before this body.
    errors: usize,
    /// The operand of an operator that did not fit, and its type.
    refused: Option<(NodeId, Ty)>,
    /// The last addition with an operand that did not fit, and the type of that.
    failed_sum: Option<(NodeId, Ty)>,
    /// The last written type of a whole that a part of a value did not fit.
    contradicted: Option<Span>,
    /// The last call with another number of arguments than it takes.
    miscounts: Option<Miscount>,
    /// The variable that did not fit last.
    misused: Option<behind::Misused>,
    /// The member at hand.
    member: MemberId,
    /// Where the type of the result is written, and whether something was said not to be of it.
    result_place: Span,
    is_doubted: bool,
    /// How deep the question of `is_useful` recurs.
    depth: u32,
    /// What editors ask for, and how much of it is of bodies before.
    notes: Option<&'c mut Notes>,
    noted: (usize, usize),
}

/// Checks the body of a member; `place` is where its result type stands. The result is of use only if there is no error
/// at all.
pub fn check(
    program: &mut Program,
    (names, sources): (&Names, &SourceMap),
    sink: &mut Sink,
    body: &Body,
    (params, place): (&[Param], Span),
    id: MemberId,
    notes: Option<&mut Notes>,
) -> Hir {
    let member = program.member(id);
    let (class, is_method, result, mut types) = (member.class, member.is_method, member.result, member.types.clone());
    let tried = member.tried;
    match tried {
        Some(Tried::Exchanged(one, other)) => types.swap(one, other),
        Some(Tried::Added(at, _)) => _ = types.remove(at),
        Some(Tried::Removed(at)) => types.insert(at, Ty::ERROR),
        None => {}
    }
    let mut scope = Scope { module: program.class(class).source.0, params: Vec::new() };
    let class_params = if is_method { program.class(class).params.clone() } else { Vec::new() };
    let own = program.member(id).params.clone();
    scope.params.extend(class_params.iter().chain(&own).map(|&param| (program.param(param).name, param)));
    let errors = sink.error_count();
    // What does not say its types, because they are wrong, has been complained about.
    let has_error = types.iter().chain([&result]).any(|&ty| program.types.has_error(ty));
    let (is_today, has_no_this) = (program.is_of_today(class), program.misplaced.contains(&id));
    let mut checker = Checker {
        program,
        names,
        sources,
        sink,
        body,
        class,
        is_today,
        scope,
        hir: Hir::default(),
        unknowns: Vec::new(),
        cause: None,
        clashes: FxHashSet::default(),
        trail: Vec::new(),
        env: Vec::new(),
        unborn: Vec::new(),
        lacks_names: false,
        has_taken: false,
        this: None,
        has_no_this,
        new: None,
        around: Vec::new(),
        obligations: Obligations::default(),
        compared: Vec::new(),
        free: Vec::new(),
        errors: if has_error { 0 } else { errors },
        refused: None,
        failed_sum: None,
        contradicted: None,
        miscounts: None,
        misused: None,
        member: id,
        result_place: place,
        is_doubted: false,
        depth: 0,
        noted: notes.as_ref().map_or((0, 0), |notes| (notes.found.len(), notes.offered.len())),
        notes,
    };
    let root = body.root.expect("members with bodies are checked");
    if is_method {
        let args: Vec<Ty> = class_params.iter().map(|&param| checker.program.types.param(param)).collect();
        let ty = checker.program.types.class(class, &args);
        let local = checker.local(Name(u32::MAX), ty, place);
        checker.this = Some(local);
        checker.hir.params.push(local);
    }
    for (param, ty) in params.iter().zip(types) {
        let local = match param.name {
            Some(name) => checker.declare(name.name, ty, name.span),
            None => checker.local(Name(u32::MAX), ty, param.span),
        };
        checker.hir.params.push(local);
    }
    if let Some(Tried::Added(_, Some(name))) = tried {
        let local = checker.local(name, Ty::ERROR, place);
        checker.env.push((name, local));
    }
    let node = checker.expr(root, Some(Want { ty: result, reason: Reason::Result(place) }));
    checker.hir.root = Some(node);
    checker.settle_notes();
    let is_doubted = checker.is_doubted;
    checker.finish();
    if is_doubted {
        checker.program.doubted.insert(id);
    }
    if checker.has_no_this {
        checker.program.misplaced.insert(id);
    }
    checker.hir
}

/// The operand that comes first, without being nested: chains of operators and calls may be long.
fn first(expr: &Expr) -> Option<ExprId> {
    match *expr {
        Expr::Binary(_, first, _) | Expr::Call { callee: first, .. } | Expr::Field { object: first, .. } => Some(first),
        _ => None,
    }
}

impl<'c> Checker<'c> {
    fn report(&mut self, span: Span, make: impl FnOnce() -> Diagnostic) {
        report(self.sink, span, make);
    }

    fn show(&mut self, ty: Ty) -> String {
        let ty = self.resolve(ty);
        self.program.show(ty, self.names)
    }

    fn node(&mut self, kind: NodeKind, ty: Ty, span: Span) -> NodeId {
        let id = NodeId(self.hir.nodes.len() as u32);
        self.hir.nodes.push(Node { kind, ty, span });
        id
    }

    fn error_node(&mut self, span: Span) -> NodeId {
        self.node(NodeKind::Error, Ty::ERROR, span)
    }

    fn ty(&self, node: NodeId) -> Ty {
        self.hir.node(node).ty
    }

    fn local(&mut self, name: Name, ty: Ty, span: Span) -> Local {
        let local = Local(self.hir.locals.len() as u32);
        self.hir.locals.push(LocalInfo { name, ty, span });
        local
    }

    /// A new variable. No name means two variables at once.
    fn declare(&mut self, name: Name, ty: Ty, span: Span) -> Local {
        let other = self.env.iter().find(|known| known.0 == name).map(|known| known.1);
        // Of a name that is there twice nobody knows which one is meant.
        let ty = if other.is_some() { Ty::ERROR } else { ty };
        let local = self.local(name, ty, span);
        self.note(span, Entity::Variable(name, span), ty);
        if let Some(other) = other {
            self.has_taken = true;
            let (text, there) = (self.names.text(name), self.hir.local(other).span);
            self.report(span, || {
                Diagnostic::error(code::NAME_TAKEN, format!("the name `{text}` is already taken here"))
                    .at(span, "")
                    .and(there, "by this variable")
                    .help("variables may not hide others: choose another name")
            });
        }
        self.env.push((name, local));
        local
    }

    /// Notes that the lambdas around an occurrence take a variable along.
    fn occurs(&mut self, local: Local) {
        for around in self.around.iter_mut().rev() {
            if local.0 >= around.outside {
                break;
            }
            if !around.captures.contains(&local) {
                around.captures.push(local);
            }
        }
    }

    /// The type that is written in the body; one that stands for a parameter with a bound is a class.
    fn written(&mut self, syntax: &crate::syntax::TypeSyntax, has_bound: bool) -> Ty {
        let mut collector =
            ItemCollector { program: self.program, names: self.names, sink: self.sink, applied: Vec::new() };
        let mut ty = match has_bound {
            true => collector.argument(syntax, &self.scope, true),
            false => collector.resolve(syntax, &self.scope),
        };
        for applied in collector.applied {
            if let Some((from, to)) = crate::interface_check::proved(self.program, self.names, self.sink, applied) {
                ty = self.program.types.replace(ty, from, to);
            }
        }
        ty
    }

    /// Checks an expression.
    pub fn expr(&mut self, id: ExprId, want: Option<Want>) -> NodeId {
        let mut chain: SmallVec<[ExprId; 8]> = smallvec![id];
        while let Some(next) = first(self.body.expr(chain[chain.len() - 1])) {
            chain.push(next);
        }
        let mut node = None;
        while let Some(id) = chain.pop() {
            let want = match chain.last() {
                None => want,
                Some(&above) => self.wanted_first(above),
            };
            let is_callee = chain.last().is_some_and(|&above| matches!(self.body.expr(above), Expr::Call { .. }));
            node = Some(self.one(id, node, want, is_callee));
        }
        node.expect("the chain is not empty")
    }

    /// What is wanted of the first operand of an expression.
    fn wanted_first(&self, id: ExprId) -> Option<Want> {
        let Expr::Binary(operator, ..) = *self.body.expr(id) else { return None };
        operands(operator).map(|ty| Want { ty, reason: Reason::Operator(operator.sign()) })
    }

    /// Checks an expression whose first operand has been checked.
    fn one(&mut self, id: ExprId, first: Option<NodeId>, want: Option<Want>, is_callee: bool) -> NodeId {
        let body = self.body;
        let span = body.span(id);
        let node = match (body.expr(id), first) {
            (Expr::Bool(value), _) => self.node(NodeKind::Bool(*value), Ty::BOOL, span),
            (Expr::Int(value), _) => self.node(NodeKind::Int(*value), Ty::INT, span),
            (Expr::Text(text), _) => self.node(NodeKind::Text(*text), Ty::TEXT, span),
            (Expr::Variable(name), _) => self.variable(*name, span),
            (Expr::This, _) => self.this(span),
            (Expr::Static { class, member, types }, _) => self.static_member(*class, *member, types, span),
            (Expr::Variant(name), _) => self.bare_variant(*name, span),
            (Expr::Field { field, types, .. }, Some(object)) => self.field(object, *field, types, span),
            (Expr::Call { args, .. }, Some(callee)) => self.call(callee, args, want, span),
            // Today this is a block, whose value is that of the variable.
            (Expr::Object(fields), _) if self.is_today && matches!(fields[..], [(_, None)]) => {
                self.variable(fields[0].0.name, fields[0].0.span)
            }
            (Expr::Object(fields), _) => self.object(fields, want, span),
            (Expr::Tuple(parts), _) => self.tuple(parts, want, span),
            (Expr::Unary(sign, operand), _) => {
                let (ty, text) = match sign {
                    Sign::Not => (Ty::BOOL, "!"),
                    Sign::Minus => (Ty::INT, "-"),
                };
                let operand = self.expr(*operand, Some(Want { ty, reason: Reason::Operator(text) }));
                // Perhaps more was meant to be the operand: nobody knows what that would give.
                if self.refused.is_some_and(|(node, _)| node == operand) && ty == Ty::BOOL {
                    return self.error_node(span);
                }
                let kind = if ty == Ty::BOOL { NodeKind::Not(operand) } else { NodeKind::Negate(operand) };
                self.node(kind, ty, span)
            }
            (Expr::Binary(operator, _, right), Some(left)) => self.binary(*operator, left, *right, span),
            // These hand on what is wanted to their parts.
            (Expr::If { branches, otherwise }, _) => return self.condition(branches, *otherwise, want, span),
            (Expr::Match { subject, cases }, _) => return self.matching(*subject, cases, want, span),
            (Expr::Block { statements, value }, _) => return self.block(statements, *value, want, span),
            (Expr::Lambda { params, body }, _) => self.lambda(params, *body, want, span),
            (Expr::Binary(..) | Expr::Call { .. } | Expr::Field { .. }, None) => unreachable!("it was checked before"),
        };
        // A variant without fields is a value.
        let node = if is_callee || self.is_today { node } else { self.finished(node) };
        if let Some(want) = want {
            self.demand(node, want);
        }
        node
    }

    fn variable(&mut self, name: Name, span: Span) -> NodeId {
        if let Some(&(_, local)) = self.env.iter().rev().find(|known| known.0 == name) {
            self.occurs(local);
            let (ty, place) = (self.hir.local(local).ty, self.hir.local(local).span);
            self.note(span, Entity::Variable(name, place), ty);
            return self.node(NodeKind::Local(local), ty, span);
        }
        if self.is_typed(name) {
            self.offer_names();
        }
        self.unknown_variable(name, span)
    }

    fn this(&mut self, span: Span) -> NodeId {
        let Some(this) = self.this else {
            if std::mem::replace(&mut self.has_no_this, true) {
                return self.error_node(span);
            }
            let help = self.function_behind_this(span).unwrap_or_else(|| "a `method` has one".to_string());
            self.report(span, || {
                let message = "`this` in a function, which has no object";
                Diagnostic::error(code::ILLEGAL_THIS, message).at(span, "").help(help)
            });
            return self.error_node(span);
        };
        self.occurs(this);
        let ty = self.hir.local(this).ty;
        self.note(span, Entity::This, ty);
        self.node(NodeKind::Local(this), ty, span)
    }

    fn binary(&mut self, operator: Operator, left: NodeId, right: ExprId, span: Span) -> NodeId {
        let left_span = self.hir.node(left).span;
        let want = match operands(operator) {
            Some(ty) => Want { ty, reason: Reason::Operator(operator.sign()) },
            None => Want { ty: self.ty(left), reason: Reason::Operand(left_span) },
        };
        // An addition that failed before may have been one of strings.
        let is_unclear = operator == Operator::Add && self.ty(left) == Ty::ERROR;
        // One message for two operands that do not fit for the same reason.
        let failed_sum = self.failed_sum.filter(|_| operator == Operator::Add);
        let is_left = |it: &(NodeId, Ty)| it.0 == left;
        let refused = self.refused.filter(is_left).or(failed_sum.filter(is_left)).map(|(_, ty)| ty);
        // A chain that failed before may have been a list.
        let is_chain = operator == Operator::Concat && self.ty(left) == Ty::ERROR && refused.is_none();
        let right = self.expr(right, if refused.is_some() || is_chain { None } else { Some(want) });
        let is_list = operator == Operator::Concat && matches!(self.kind(self.ty(right)), TypeKind::Class(..));
        let is_same = |ty: Ty| match (self.kind(ty), self.kind(self.ty(right))) {
            // Lists and what is in them.
            (TypeKind::Class(..), TypeKind::Class(..)) => true,
            _ => self.outside(ty) == self.outside(self.ty(right)),
        };
        if (is_chain || refused.is_some_and(|ty| !is_same(ty))) && !is_list {
            self.demand(right, want);
        }
        // What the result would be is not known then.
        let refused = refused.or_else(|| self.refused.filter(|&(node, _)| node == right).map(|(_, ty)| ty));
        if is_unclear || is_chain && is_list || refused.is_some() {
            let node = self.error_node(span);
            self.failed_sum = refused.filter(|_| operator == Operator::Add).map(|ty| (node, ty));
            return node;
        }
        if operands(operator).is_none() {
            self.compared.push((want.ty, span));
        }
        let ty = match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => Ty::INT,
            Operator::Concat => Ty::TEXT,
            _ => Ty::BOOL,
        };
        self.node(NodeKind::Binary(operator, left, right), ty, span)
    }
}

/// The type of the operands of an operator, if it is always the same.
fn operands(operator: Operator) -> Option<Ty> {
    match operator {
        Operator::And | Operator::Or => Some(Ty::BOOL),
        Operator::Concat => Some(Ty::TEXT),
        Operator::Equal | Operator::Unequal => None,
        _ => Some(Ty::INT),
    }
}
