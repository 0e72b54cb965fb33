//! Calls. Arguments that are lambdas come last, those first whose parameters are known by then: so what the others are
//! tells the types of their parameters.

use super::wrong::{Miscount, Refused};
use super::{Around, Checker, Reason, Want};
use crate::counts::Callee;
use crate::hir::{Lambda, NodeId, NodeKind};
use crate::lex::Name;
use crate::program::{self, MemberId};
use crate::syntax::{Expr, ExprId, MAX_PARTS, Param};
use crate::types::{Ty, TypeKind};
use cleave_diag::{Diagnostic, Span, code};
use smallvec::SmallVec;

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: NodeId, args: &[ExprId], want: Option<Want>, span: Span) -> NodeId {
        let ty = self.ty(callee);
        let (params, result) = match self.kind(ty) {
            TypeKind::Function(params, result) => (params, result),
            TypeKind::Unknown(_) => {
                let params: Vec<Ty> = args.iter().map(|&arg| self.unknown(self.body.span(arg))).collect();
                let result = self.unknown(span);
                let function = self.program.types.function(&params, result);
                self.unify(ty, function);
                (params.into(), result)
            }
            kind => {
                if kind != TypeKind::Error {
                    self.no_function(callee);
                }
                return self.unfit(args, span);
            }
        };
        let defined = self.definition(callee);
        let is_unit_variant = !self.is_today
            && matches!(self.hir.node(callee).kind, NodeKind::Variant(..))
            && args.is_empty()
            && matches!(&params[..], [field] if self.outside(*field) == Ty::UNIT);
        if is_unit_variant {
            return self.finished(callee);
        }
        if params.len() != args.len() {
            let counted = match self.hir.node(callee).kind {
                NodeKind::Function(id, _) | NodeKind::Method(_, id, _) => Some(Callee::Member(id)),
                NodeKind::Variant(class, number) => Some(Callee::Variant(class, number)),
                _ => None,
            };
            self.program.counts.miscounted.extend(counted.map(|callee| (callee, args.len())));
            return self.miscounted(ty, params.len(), args, (defined, span));
        }
        // Which parameters have types that only the place of the call says.
        let is_open = |it: &Self, ty: Ty| match it.kind(ty) {
            TypeKind::Function(_, result) => matches!(it.kind(result), TypeKind::Unknown(_)),
            kind => matches!(kind, TypeKind::Unknown(_)),
        };
        let open: Vec<bool> = params.iter().map(|&ty| is_open(self, ty)).collect();
        if let Some(want) = want {
            // Only a hint here: whether the result fits is looked at after the arguments.
            let before = self.cause;
            if let Reason::Result(place) | Reason::Annotation(place) = want.reason {
                self.cause = Some(place);
            }
            self.unify(want.ty, result);
            self.cause = before;
        }
        let reason = defined.map_or(Reason::Unsaid, Reason::Defined);
        let whole = want.and_then(|want| match want.reason {
            Reason::Result(place) | Reason::Annotation(place) => Some(Reason::Part(place, want.ty)),
            _ => None,
        });
        let is_said = |it: &Self, index: usize| {
            let counts = match (it.kind(params[index]), it.body.expr(args[index])) {
                (TypeKind::Function(wanted, _), Expr::Lambda { params, .. }) => wanted.len() == params.len(),
                (TypeKind::Function(..), _) => false,
                _ => true,
            };
            open[index] && counts && !is_open(it, params[index])
        };
        let said: Vec<bool> = (0..params.len()).map(|index| is_said(self, index)).collect();
        let reason = |index: usize| whole.filter(|_| said[index]).unwrap_or(reason);
        let mut nodes: Vec<Option<NodeId>> = vec![None; args.len()];
        let takes_function: SmallVec<[bool; 8]> =
            params.iter().map(|&ty| matches!(self.kind(ty), TypeKind::Function(..))).collect();
        let is_doubted = self.is_doubted;
        let (messages, mut refused) = (self.sink.diagnostics().len(), SmallVec::<[Refused; 2]>::new());
        for (index, &arg) in args.iter().enumerate() {
            if !self.holds_lambda(arg) {
                let wanted = self.outside(params[index]);
                let node = self.expr(arg, Some(Want { ty: params[index], reason: reason(index) }));
                nodes[index] = Some(node);
                let found = self.refused.filter(|refused| refused.0 == node);
                refused.extend(found.map(|(_, found)| Refused { index, wanted, found }));
            }
        }
        if !refused.is_empty()
            && self.sink.diagnostics().len() == messages + refused.len()
            && let Some(places) = self.exchanged(&refused, args, &takes_function, &nodes)
        {
            self.sink.withdraw(messages);
            self.is_doubted = is_doubted;
            self.say_exchanged(args, places, (callee, &params));
            // What the call gives is known, unless a function by its name has said so.
            let is_misled = refused.len() == 1 && nodes.iter().all(Option::is_some);
            return self.node(NodeKind::Error, if is_misled { Ty::ERROR } else { result }, span);
        }
        let messages = self.sink.diagnostics().len();
        while let Some(next) = self.next_lambda(&nodes, &params) {
            nodes[next] = Some(self.expr(args[next], Some(Want { ty: params[next], reason: reason(next) })));
        }
        self.settle_basic();
        // What a lambda with a mistake in it would have said of the result is not known.
        let is_open = self.sink.diagnostics().len() > messages && {
            let known = self.resolve(result);
            let types = &self.program.types;
            matches!(types.kind(known), TypeKind::Class(..)) && (types.is_open(known) || types.has_error(known))
        };
        if is_open {
            return self.node(NodeKind::Error, Ty::ERROR, span);
        }
        let nodes: Vec<NodeId> = nodes.into_iter().flatten().collect();
        let kind = match self.hir.node(callee).kind {
            NodeKind::Variant(_, number) => NodeKind::Construct(number, nodes),
            _ => NodeKind::Call(callee, nodes),
        };
        self.node(kind, result, span)
    }

    /// A lambda, or an expression whose value may be one.
    pub(super) fn holds_lambda(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::Lambda { .. } => true,
            Expr::Tuple(parts) => parts.iter().any(|&part| self.holds_lambda(part)),
            Expr::If { branches, otherwise } => {
                branches.iter().map(|branch| branch.1).chain(*otherwise).any(|body| self.holds_lambda(body))
            }
            Expr::Match { cases, .. } => cases.iter().any(|case| self.holds_lambda(case.body)),
            Expr::Block { value, .. } => value.is_some_and(|value| self.holds_lambda(value)),
            _ => false,
        }
    }

    /// The lambda to be checked next: one whose parameters are known, if there is one.
    fn next_lambda(&mut self, nodes: &[Option<NodeId>], params: &[Ty]) -> Option<usize> {
        let mut first = None;
        for index in (0..nodes.len()).filter(|&index| nodes[index].is_none()) {
            first = first.or(Some(index));
            if let TypeKind::Function(inside, _) = self.kind(params[index])
                && inside.iter().all(|&ty| !matches!(self.kind(ty), TypeKind::Unknown(_)))
            {
                return Some(index);
            }
        }
        first
    }

    /// Where the callee is defined.
    pub(super) fn definition(&self, callee: NodeId) -> Option<Span> {
        match &self.hir.node(callee).kind {
            NodeKind::Function(id, _) | NodeKind::Method(_, id, _) | NodeKind::Bounded(_, id, _) => {
                self.program.member(*id).span
            }
            NodeKind::Variant(class, number) => match &self.program.class(*class).kind {
                program::ClassKind::Enum(variants) => variants.get(*number as usize).map(|variant| variant.span),
                _ => None,
            },
            _ => None,
        }
    }

    /// A call has another number of arguments than there are parameters, so many.
    fn miscounted(&mut self, ty: Ty, wanted: usize, args: &[ExprId], (defined, span): (Option<Span>, Span)) -> NodeId {
        let (messages, found) = (self.sink.diagnostics().len(), args.len());
        let node = self.unfit(args, span);
        let inner = self.miscounts.take().filter(|_| self.sink.diagnostics().len() == messages + 1);
        self.miscounts = Some(Miscount { span, wanted, found });
        if let Some(inner) = inner
            && let Some(diagnostic) = self.misplaced_parenthesis(args, wanted, inner)
        {
            self.sink.withdraw(messages);
            self.report(inner.span, || diagnostic);
            return node;
        }
        let shown = self.show(ty);
        // `List.of(1, 2, 3)`
        let makes = match &shown[..] {
            "(_) -> List<_>" if found > 1 => Some("it makes a list of one: `List.of(3).cons(2).cons(1)` is 1, 2, 3"),
            "(_) -> Vec<_>" if found > 1 => Some("it makes a vector of one: `push` puts others behind it"),
            _ => None,
        };
        let parts = match args {
            [only] => match self.body.expr(*only) {
                Expr::Tuple(parts) if parts.len() == wanted => Some(self.body.span(*only)),
                _ => None,
            },
            _ => None,
        };
        self.report(span, || {
            let one = if wanted == 1 { "one argument".to_string() } else { format!("{wanted} arguments") };
            let message = format!("this takes {one}, not {found}");
            let diagnostic = Diagnostic::error(code::ARGUMENT_COUNT, message).at(span, "");
            let diagnostic = defined.into_iter().fold(diagnostic, |it, place| it.and(place, "it is defined here"));
            match parts {
                Some(place) => diagnostic
                    .and(place, "parentheses in parentheses make one value, a tuple")
                    .help("leave out the inner ones"),
                None if let Some(makes) = makes => diagnostic.help(makes),
                None => diagnostic.help(format!("its type is `{shown}`")),
            }
        });
        node
    }

    /// One call has as many arguments too few as another one in it, or around it, has too many: the parenthesis between
    /// them closes at the wrong place.
    fn misplaced_parenthesis(&self, args: &[ExprId], wanted: usize, inner: Miscount) -> Option<Diagnostic> {
        let is_late = args.len() < wanted;
        let count = wanted.abs_diff(args.len());
        let last = args.iter().position(|&arg| self.body.span(arg) == inner.span)?;
        let arg = args[last];
        let is_that = inner.wanted.abs_diff(inner.found) == count;
        if !is_that || is_late != (inner.found > inner.wanted) {
            return None;
        }
        let Expr::Call { args: own, .. } = self.body.expr(arg) else { return None };
        // Behind what it should close, and where it does.
        let after = if is_late { *own.get(inner.wanted.checked_sub(1)?)? } else { *args.get(last + count)? };
        let after = Span { start: self.body.span(after).end, end: self.body.span(after).end, ..inner.span };
        let at = Span { start: inner.span.end - 1, ..inner.span };
        let rest = if is_late { own.get(inner.wanted..)? } else { args.get(last + 1..last + 1 + count)? };
        let rest = crate::syntax::join(self.body.span(*rest.first()?), self.body.span(*rest.last()?));
        let (when, takes) = if is_late { ("late", "around it") } else { ("early", "before it") };
        let message = format!("this parenthesis closes too {when}");
        let diagnostic = Diagnostic::error(code::ARGUMENT_COUNT, message).at(at, "");
        let diagnostic = diagnostic.and(rest, format!("this belongs to the call {takes}"));
        let shown = match is_late {
            true => self.sources.text(Span { end: after.start, ..inner.span }),
            false => {
                let (inside, behind) = (Span { end: at.start, ..inner.span }, Span { start: inner.span.end, ..rest });
                self.sources.text(inside) + &self.sources.text(behind)
            }
        };
        let is_short = shown.len() < 60 && !shown.contains('\n');
        let help = match (is_late, is_short) {
            (true, true) => format!("close it before: `{shown})`"),
            (true, false) => "close it before that".to_string(),
            (false, true) => format!("close it behind that: `{shown})`"),
            (false, false) => "close it behind that".to_string(),
        };
        let edits = vec![(after, ")".to_string()), (at, String::new())];
        Some(diagnostic.help(help).fix("move the parenthesis", edits))
    }

    fn no_function(&mut self, callee: NodeId) {
        let (span, shown) = (self.hir.node(callee).span, self.show(self.ty(callee)));
        let method = self.method_behind_field(callee);
        let field = match self.hir.node(callee).kind {
            NodeKind::Field(..) => self.sources.text(span).rsplit('.').next().map(str::to_string),
            _ => None,
        };
        let is_block =
            matches!(self.hir.node(callee).kind, NodeKind::Match(..) | NodeKind::If(..) | NodeKind::Block(..));
        let is_statement = is_block || self.kind(self.ty(callee)) == TypeKind::Unit;
        if method.is_some_and(|method| self.program.hidden.contains(&method)) {
            return;
        }
        self.report(span, || {
            let message = format!("`{shown}` is no function, so it cannot be called");
            let diagnostic = Diagnostic::error(code::NOT_A_FUNCTION, message).at(span, "");
            match method {
                _ if is_statement => diagnostic
                    .help("a `(` goes on with what stands before it, also on the next line: end that with `;`"),
                Some(_) => diagnostic.help("this is a field, which goes before a method of the same name"),
                None if field.is_some() => {
                    let field = field.unwrap_or_default();
                    diagnostic.help(format!("`{field}` is a field: it is read without parentheses"))
                }
                None => diagnostic,
            }
        });
    }

    /// The method that has the same name as the field that is called.
    fn method_behind_field(&self, callee: NodeId) -> Option<MemberId> {
        let NodeKind::Field(object, number) = self.hir.node(callee).kind else { return None };
        let TypeKind::Class(class, _) = self.kind(self.ty(object)) else { return None };
        let info = self.program.class(class);
        let program::ClassKind::Object(fields) = &info.kind else { return None };
        let found = info.by_name.get(&fields[number as usize].name).copied();
        found.filter(|&id| self.program.member(id).is_method)
    }

    /// Looks at arguments of which nobody knows what they should be.
    fn unfit(&mut self, args: &[ExprId], span: Span) -> NodeId {
        for &arg in args {
            // Lambdas would only complain about types that nobody says.
            if !matches!(self.body.expr(arg), Expr::Lambda { .. }) {
                let node = self.expr(arg, None);
                // What the parameter would have said is not missing.
                self.unify(self.ty(node), Ty::ERROR);
            }
        }
        self.error_node(span)
    }

    pub(super) fn lambda(&mut self, params: &[Param], body: ExprId, want: Option<Want>, span: Span) -> NodeId {
        let wanted = want.and_then(|want| match self.kind(want.ty) {
            TypeKind::Function(types, result) if types.len() == params.len() => Some((types, result, want.reason)),
            _ => None,
        });
        // With another number of parameters nobody knows what they are.
        let is_error = want.is_some_and(|want| match self.kind(want.ty) {
            TypeKind::Function(types, _) => types.len() != params.len(),
            kind => kind == TypeKind::Error,
        });
        self.lacks_names |= want.is_some_and(
            |want| matches!(self.kind(want.ty), TypeKind::Function(types, _) if types.len() > params.len()),
        );
        let mark = self.env.len();
        self.around.push(Around { outside: self.hir.locals.len() as u32, captures: Vec::new() });
        let (mut locals, mut types) = (Vec::with_capacity(params.len()), Vec::with_capacity(params.len()));
        for (index, param) in params.iter().enumerate() {
            let given = wanted.as_ref().map(|wanted| wanted.0[index]);
            let ty = match (&param.ty, given) {
                (Some(syntax), given) => {
                    let ty = self.written(syntax, false);
                    let mut shown = ty;
                    if let (Some(given), Some(want)) = (given, want)
                        && !self.unify(given, ty)
                    {
                        // What is said of a whole says nothing of this.
                        let reason = if let Reason::Part(..) = want.reason { Reason::Unsaid } else { want.reason };
                        self.mismatch(given, ty, param.span, (reason, None));
                        // The lambda itself is not complained about, nor what follows.
                        shown = given;
                    }
                    types.push(shown);
                    if shown == ty { ty } else { Ty::ERROR }
                }
                (None, given) => {
                    let ty = match given {
                        None if is_error => Ty::ERROR,
                        given => given.unwrap_or_else(|| self.unknown(param.span)),
                    };
                    types.push(ty);
                    ty
                }
            };
            locals.push(match param.name {
                Some(name) => self.declare(name.name, ty, name.span),
                None => self.local(Name(u32::MAX), ty, param.span),
            });
        }
        let want = wanted.map(|(_, result, reason)| Want { ty: result, reason });
        let body = self.expr(body, want);
        self.env.truncate(mark);
        let captures = self.around.pop().map(|around| around.captures).unwrap_or_default();
        if captures.len() > MAX_PARTS {
            self.report(span, || {
                let message = format!("this lambda takes more than {MAX_PARTS} variables along");
                Diagnostic::error(code::TOO_MUCH, message).at(span, "").help("make an object of them")
            });
        }
        let result = self.ty(body);
        // What did not fit has its message.
        let result = if result == Ty::ERROR { want.map_or(result, |want| want.ty) } else { result };
        let ty = self.program.types.function(&types, result);
        self.node(NodeKind::Lambda(Lambda { params: locals, captures, body }), ty, span)
    }
}
