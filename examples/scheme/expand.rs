//! Data to a small core: derived forms become functions, calls and conditions, and names numbers.

use crate::read::{DEEPEST, Datum, Kind, Name, Result, error, too_deep};
use cleave_diag::{Diagnostic, Span, code, nearest};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The number of a variable.
pub type Id = usize;

#[derive(Debug)]
pub enum Node {
    Const(Datum),
    Unspecified,
    Var(Id),
    Set(Id, Box<Node>),
    If(Box<[Node; 3]>),
    Lambda(Rc<Lambda>),
    Call(Box<Node>, Vec<Node>),
    Primitive(&'static str, Vec<Node>),
    /// Definitions, and expressions, the last of which is the value.
    Body(Vec<(Option<Id>, Node)>),
}

#[derive(Debug)]
pub struct Lambda {
    pub id: Id,
    pub name: Name,
    pub params: Vec<Id>,
    /// The last parameter is the list of all other arguments.
    pub has_rest: bool,
    pub body: Node,
}

/// Primitives, and how many operands they have.
#[rustfmt::skip]
pub const PRIMITIVES: &[(&str, usize)] = &[
    ("+", 2), ("-", 2), ("*", 2), ("quotient", 2), ("remainder", 2), ("=", 2), ("<", 2), (">", 2), ("<=", 2), (">=", 2),
    ("eq?", 2), ("eqv?", 2), ("fixnum?", 1), ("boolean?", 1), ("char?", 1), ("string?", 1), ("symbol?", 1), ("procedure?", 1),
    ("vector?", 1), ("pair?", 1), ("null?", 1), ("unspecified?", 1), ("not", 1), ("cons", 2), ("car", 1), ("cdr", 1), ("set-car!", 2),
    ("set-cdr!", 2), ("make-vector", 2), ("vector-ref", 2), ("vector-set!", 3), ("vector-length", 1),
    ("string-length", 1), ("string-ref", 2), ("string-append", 2), ("substring", 3), ("string=?", 2), ("string<?", 2),
    ("number->string", 1), ("symbol->string", 1), ("char->integer", 1), ("integer->char", 1), ("%print-int", 1),
    ("%print-string", 1), ("%print-char", 1), ("%panic", 1), ("%call/cc", 1), ("%apply", 2), ("%read-line", 0), ("exit", 1),
];

/// What is no function.
const FORMS: &str = "quote quasiquote if set! lambda begin let let* letrec letrec* do cond case and or when unless \
                     define call/cc call-with-current-continuation";

#[derive(Default)]
pub struct Expander {
    /// Innermost last.
    scope: Vec<(Name, Id)>,
    next_id: Id,
    /// How deep what is expanded is nested.
    depth: usize,
    pub assigned: BTreeSet<Id>,
    pub names: BTreeMap<Id, Name>,
}

/// A list of data, for forms that are made of others.
fn list(parts: Vec<Datum>, span: Span) -> Datum {
    Datum { kind: Kind::List(parts), span }
}
fn symbol(name: &str, span: Span) -> Datum {
    Datum { kind: Kind::Symbol(name.into()), span }
}

impl Expander {
    fn bind(&mut self, name: &Name) -> Id {
        self.next_id += 1;
        self.scope.push((name.clone(), self.next_id));
        self.names.insert(self.next_id, name.clone());
        self.next_id
    }
    fn lookup(&self, name: &str) -> Option<Id> {
        self.scope.iter().rev().find(|bound| *bound.0 == *name).map(|bound| bound.1)
    }

    /// The definitions and expressions of a file: its names are known from here on.
    pub fn program(&mut self, data: &[Datum]) -> Result<Vec<(Option<Id>, Node)>> {
        let outside = self.scope.len();
        let found = self.definitions(data);
        if found.is_err() {
            self.scope.truncate(outside);
        }
        found
    }

    fn definitions(&mut self, data: &[Datum]) -> Result<Vec<(Option<Id>, Node)>> {
        let mut flat = Vec::new();
        for datum in data {
            match head(datum) {
                Some(("begin", parts)) if self.lookup("begin").is_none() => flat.extend(parts.iter().cloned()),
                _ => flat.push(datum.clone()),
            }
        }
        let mut ids = Vec::new();
        for datum in &flat {
            ids.push(match head(datum) {
                Some(("define", parts)) => {
                    let mut target = parts.first();
                    while let Some(Datum { kind: Kind::List(inner) | Kind::Dotted(inner), .. }) = target {
                        target = inner.first();
                    }
                    match target.map(|target| &target.kind) {
                        Some(Kind::Symbol(name)) => Some(self.bind(name)),
                        _ => return error(datum.span, "`define` needs a name"),
                    }
                }
                _ => None,
            });
        }
        let convert = |(datum, id): (&Datum, Option<Id>)| match (id, head(datum)) {
            (Some(id), Some((_, parts))) => {
                let name = self.names[&id].clone();
                Ok((Some(id), self.defined(&name, parts, datum.span)?))
            }
            _ => Ok((None, self.expr(datum)?)),
        };
        flat.iter().zip(ids).map(convert).collect()
    }

    /// The value of `(define …)`.
    fn defined(&mut self, name: &Name, parts: &[Datum], span: Span) -> Result<Node> {
        match parts {
            [Datum { kind: Kind::Symbol(_), .. }, value] => match head(value) {
                Some(("lambda", [params, body @ ..])) => self.lambda(name, params, body, value.span),
                _ => self.expr(value),
            },
            [Datum { kind: Kind::List(target), span: at }, body @ ..] if !target.is_empty() => {
                self.curried(name, &target[0], list(target[1..].to_vec(), *at), body, span)
            }
            [Datum { kind: Kind::Dotted(target), span: at }, body @ ..] if target.len() > 1 => {
                let rest = target[1..].to_vec();
                let params =
                    if rest.len() == 1 { rest[0].clone() } else { Datum { kind: Kind::Dotted(rest), span: *at } };
                self.curried(name, &target[0], params, body, span)
            }
            _ => error(span, "a definition is `(define name value)` or `(define (name parameter …) body …)`"),
        }
    }

    fn curried(&mut self, name: &Name, target: &Datum, params: Datum, body: &[Datum], span: Span) -> Result<Node> {
        match target.kind {
            Kind::Symbol(_) => self.lambda(name, &params, body, span),
            _ => {
                let mut inner = vec![symbol("lambda", span), params];
                inner.extend(body.iter().cloned());
                self.defined(name, &[target.clone(), list(inner, span)], span)
            }
        }
    }

    fn lambda(&mut self, name: &Name, params: &Datum, body: &[Datum], span: Span) -> Result<Node> {
        let (list, has_rest) = match &params.kind {
            Kind::List(list) => (&list[..], false),
            Kind::Dotted(list) => (&list[..], true),
            _ => (std::slice::from_ref(params), true),
        };
        let outside = self.scope.len();
        let mut ids = Vec::new();
        for param in list {
            match &param.kind {
                Kind::Symbol(name) => ids.push(self.bind(name)),
                _ => return error(param.span, "a parameter is a name"),
            }
        }
        let body = self.body(body, span);
        self.scope.truncate(outside);
        self.next_id += 1;
        Ok(Node::Lambda(Rc::new(Lambda { id: self.next_id, name: name.clone(), params: ids, has_rest, body: body? })))
    }

    fn body(&mut self, data: &[Datum], span: Span) -> Result<Node> {
        if data.is_empty() {
            return error(span, "this needs a body");
        }
        let outside = self.scope.len();
        let parts = self.definitions(data);
        self.scope.truncate(outside);
        let mut parts = parts?;
        match parts.pop() {
            Some((None, node)) if parts.is_empty() => Ok(node),
            Some((None, node)) => {
                parts.push((None, node));
                Ok(Node::Body(parts))
            }
            _ => error(span, "a body ends with an expression"),
        }
    }

    /// Variables with values, and a body in their scope.
    fn bound(&mut self, pairs: &[(Name, Datum)], body: &[Datum], span: Span) -> Result<Node> {
        let values = pairs.iter().map(|pair| self.expr(&pair.1)).collect::<Result<Vec<_>>>()?;
        let outside = self.scope.len();
        let mut parts: Vec<_> =
            pairs.iter().zip(values).map(|(pair, value)| (Some(self.bind(&pair.0)), value)).collect();
        let body = self.body(body, span);
        self.scope.truncate(outside);
        parts.push((None, body?));
        Ok(Node::Body(parts))
    }

    pub fn expr(&mut self, datum: &Datum) -> Result<Node> {
        self.deeper(datum.span, |expander| expander.expr_here(datum))
    }

    /// What is within something else, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, expand: impl FnOnce(&mut Expander) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return too_deep(span);
        }
        self.depth += 1;
        let found = expand(self);
        self.depth -= 1;
        found
    }

    fn expr_here(&mut self, datum: &Datum) -> Result<Node> {
        let span = datum.span;
        match &datum.kind {
            Kind::Symbol(name) => match self.lookup(name) {
                Some(id) => Ok(Node::Var(id)),
                None => self.primitive_value(name, span),
            },
            Kind::List(parts) => match (head(datum), parts.split_first()) {
                (Some((name, rest)), _) if self.lookup(name).is_none() && is_form(name) => self.form(name, rest, span),
                (_, Some((function, args))) => {
                    let function = Box::new(self.expr(function)?);
                    Ok(Node::Call(function, self.exprs(args)?))
                }
                _ => error(span, "an empty call; the empty list is `'()`"),
            },
            Kind::Dotted(_) => error(span, "this is no expression"),
            _ => Ok(Node::Const(datum.clone())),
        }
    }
    fn exprs(&mut self, data: &[Datum]) -> Result<Vec<Node>> {
        data.iter().map(|datum| self.expr(datum)).collect()
    }

    /// A primitive that is not called: a function around it.
    fn primitive_value(&mut self, name: &Name, span: Span) -> Result<Node> {
        let Some(&(primitive, count)) = PRIMITIVES.iter().find(|row| *row.0 == **name) else {
            let names = self.scope.iter().map(|bound| bound.0.as_bytes());
            let near = nearest(name.as_bytes(), names.chain(PRIMITIVES.iter().map(|row| row.0.as_bytes())));
            let wrong = Diagnostic::error(code::UNKNOWN_VARIABLE, format!("there is no `{name}`")).at(span, "");
            let near = near.map(String::from_utf8_lossy);
            return Err(Box::new(near.iter().fold(wrong, |wrong, near| wrong.help(format!("did you mean `{near}`?")))));
        };
        let first = self.next_id + 1;
        self.next_id += count + 1;
        let params: Vec<Id> = (first..first + count).collect();
        let body = Node::Primitive(primitive, params.iter().map(|&id| Node::Var(id)).collect());
        Ok(Node::Lambda(Rc::new(Lambda { id: self.next_id, name: name.clone(), params, has_rest: false, body })))
    }

    /// A special form, a primitive, or a call of what does not exist.
    fn form(&mut self, name: &str, parts: &[Datum], span: Span) -> Result<Node> {
        self.deeper(span, |expander| expander.form_here(name, parts, span))
    }

    fn form_here(&mut self, name: &str, parts: &[Datum], span: Span) -> Result<Node> {
        // Of these each part is within what becomes of the one before.
        let nested = match (name, parts) {
            ("and" | "or" | "cond" | "case" | "+" | "*" | "-" | "string-append", _) => parts,
            ("let*", [Datum { kind: Kind::List(bindings), .. }, ..]) => bindings,
            _ => &[],
        };
        if nested.len() > DEEPEST {
            return too_deep(span);
        }
        let call = |name: &str, parts: Vec<Datum>| list([symbol(name, span)].into_iter().chain(parts).collect(), span);
        let pairs = |list: &Datum| -> Result<Vec<(Name, Datum)>> {
            let Kind::List(list) = &list.kind else { return error(list.span, "here is a list of `(name value)`") };
            let pair = |pair: &Datum| match &pair.kind {
                Kind::List(parts) => match &parts[..] {
                    [Datum { kind: Kind::Symbol(name), .. }, value, ..] => Ok((name.clone(), value.clone())),
                    _ => error(pair.span, "this is `(name value)`"),
                },
                _ => error(pair.span, "this is `(name value)`"),
            };
            list.iter().map(pair).collect()
        };
        match (name, parts) {
            ("quote", [datum]) => Ok(Node::Const(datum.clone())),
            ("quasiquote", [datum]) => self.quasiquoted(datum),
            ("if", [test, then]) => Ok(Node::If(Box::new([self.expr(test)?, self.expr(then)?, Node::Unspecified]))),
            ("if", [test, then, other]) => {
                Ok(Node::If(Box::new([self.expr(test)?, self.expr(then)?, self.expr(other)?])))
            }
            ("set!", [Datum { kind: Kind::Symbol(name), .. }, value]) => match self.lookup(name) {
                Some(id) => {
                    self.assigned.insert(id);
                    Ok(Node::Set(id, Box::new(self.expr(value)?)))
                }
                None => error(span, format!("there is no `{name}`")),
            },
            ("lambda", [params, body @ ..]) => self.lambda(&"lambda".into(), params, body, span),
            ("begin", _) => self.body(parts, span),
            ("let", [Datum { kind: Kind::Symbol(name), .. }, bindings, body @ ..]) => {
                // `((letrec ((name (lambda …))) name) value …)`, where the values do not see the name.
                let bindings = pairs(bindings)?;
                let values = bindings.iter().map(|pair| self.expr(&pair.1)).collect::<Result<Vec<_>>>()?;
                let params = list(bindings.iter().map(|pair| symbol(&pair.0, span)).collect(), span);
                let (outside, id) = (self.scope.len(), self.bind(name));
                let lambda = self.lambda(name, &params, body, span);
                self.scope.truncate(outside);
                let call = Node::Call(Box::new(Node::Var(id)), values);
                Ok(Node::Body(vec![(Some(id), lambda?), (None, call)]))
            }
            ("let", [bindings, body @ ..]) => self.bound(&pairs(bindings)?, body, span),
            ("let*", [bindings, body @ ..]) => match &pairs(bindings)?[..] {
                [] => self.body(body, span),
                [first, rest @ ..] => {
                    let rest =
                        rest.iter().map(|pair| list(vec![symbol(&pair.0, span), pair.1.clone()], span)).collect();
                    let mut inner = vec![list(rest, span)];
                    inner.extend(body.iter().cloned());
                    self.bound(std::slice::from_ref(first), &[call("let*", inner)], span)
                }
            },
            ("letrec" | "letrec*", [bindings, body @ ..]) => {
                let define = |pair: &(Name, Datum)| call("define", vec![symbol(&pair.0, span), pair.1.clone()]);
                let mut inner: Vec<Datum> = pairs(bindings)?.iter().map(define).collect();
                inner.push(call("let", [list(Vec::new(), span)].into_iter().chain(body.iter().cloned()).collect()));
                self.body(&inner, span)
            }
            ("do", [bindings, Datum { kind: Kind::List(end), .. }, body @ ..]) if !end.is_empty() => {
                let names = pairs(bindings)?;
                let Kind::List(specs) = &bindings.kind else { return error(span, "no list") };
                let step = |(spec, pair): (&Datum, &(Name, Datum))| match &spec.kind {
                    Kind::List(parts) if parts.len() == 3 => parts[2].clone(),
                    _ => symbol(&pair.0, span),
                };
                let again = call("*do", specs.iter().zip(&names).map(step).collect());
                let mut then = vec![list(Vec::new(), span)];
                then.extend(body.iter().cloned().chain([again]));
                let mut last = vec![call(
                    "if",
                    vec![Datum { kind: Kind::Bool(false), span }, Datum { kind: Kind::Bool(false), span }],
                )];
                last.extend(end[1..].iter().cloned());
                let test = call("if", vec![end[0].clone(), call("begin", last), call("let", then)]);
                let starts = names.iter().map(|pair| list(vec![symbol(&pair.0, span), pair.1.clone()], span)).collect();
                self.form("let", &[symbol("*do", span), list(starts, span), test], span)
            }
            ("cond", []) | ("case", [_]) => Ok(Node::Unspecified),
            ("cond", [Datum { kind: Kind::List(clause), span }, rest @ ..]) if !clause.is_empty() => {
                match (&clause[0].kind, &clause[1..]) {
                    (Kind::Symbol(name), body) if &**name == "else" => self.body(body, *span),
                    (_, []) => self.form("or", &[clause[0].clone(), call("cond", rest.to_vec())], *span),
                    (_, [arrow, function]) if arrow.kind == Kind::Symbol("=>".into()) => {
                        let (value, found) =
                            (list(vec![symbol("*cond", *span), clause[0].clone()], *span), symbol("*cond", *span));
                        let yes = list(vec![function.clone(), found.clone()], *span);
                        let test = call("if", vec![found, yes, call("cond", rest.to_vec())]);
                        self.form("let", &[list(vec![value], *span), test], *span)
                    }
                    (_, body) => {
                        let test = self.expr(&clause[0])?;
                        Ok(Node::If(Box::new([test, self.body(body, *span)?, self.form("cond", rest, *span)?])))
                    }
                }
            }
            ("case", [key, clauses @ ..]) if !matches!(&key.kind, Kind::Symbol(name) if name.starts_with('*')) => {
                let mut inner = vec![symbol("*case", span)];
                inner.extend(clauses.iter().cloned());
                self.bound(&[("*case".into(), key.clone())], &[call("case", inner)], span)
            }
            ("case", [key, Datum { kind: Kind::List(clause), span }, rest @ ..]) if clause.len() > 1 => {
                match &clause[0].kind {
                    Kind::List(data) => {
                        let quoted =
                            |datum: &Datum| call("eqv?", vec![key.clone(), call("quote", vec![datum.clone()])]);
                        let test = self.form("or", &data.iter().map(quoted).collect::<Vec<_>>(), *span)?;
                        let more = [key.clone()].into_iter().chain(rest.iter().cloned()).collect::<Vec<_>>();
                        Ok(Node::If(Box::new([
                            test,
                            self.body(&clause[1..], *span)?,
                            self.form("case", &more, *span)?,
                        ])))
                    }
                    _ => self.body(&clause[1..], *span),
                }
            }
            ("and", []) => Ok(Node::Const(Datum { kind: Kind::Bool(true), span })),
            ("or", []) => Ok(Node::Const(Datum { kind: Kind::Bool(false), span })),
            ("and" | "or", [last]) => self.expr(last),
            ("and", [first, rest @ ..]) => {
                let no = Node::Const(Datum { kind: Kind::Bool(false), span });
                Ok(Node::If(Box::new([self.expr(first)?, self.form("and", rest, span)?, no])))
            }
            ("or", [first, rest @ ..]) => {
                let first = self.expr(first)?;
                let outside = self.scope.len();
                let id = self.bind(&"*or".into());
                let rest = self.form("or", rest, span);
                self.scope.truncate(outside);
                let test = Node::If(Box::new([Node::Var(id), Node::Var(id), rest?]));
                Ok(Node::Body(vec![(Some(id), first), (None, test)]))
            }
            ("when", [test, body @ ..]) => {
                Ok(Node::If(Box::new([self.expr(test)?, self.body(body, span)?, Node::Unspecified])))
            }
            ("unless", [test, body @ ..]) => {
                Ok(Node::If(Box::new([self.expr(test)?, Node::Unspecified, self.body(body, span)?])))
            }
            ("define", _) => error(span, "a definition cannot be here"),
            ("call/cc" | "call-with-current-continuation", [_]) => Ok(Node::Primitive("%call/cc", self.exprs(parts)?)),
            ("make-vector", [count]) => self.form(name, &[count.clone(), Datum { kind: Kind::Int(0), span }], span),
            ("+" | "*", []) => Ok(Node::Const(Datum { kind: Kind::Int(i64::from(name == "*")), span })),
            ("+" | "*" | "string-append", [one]) => self.expr(one),
            ("-", [one]) => self.form("-", &[Datum { kind: Kind::Int(0), span }, one.clone()], span),
            ("+" | "*" | "-" | "string-append", [first, second, rest @ ..]) if !rest.is_empty() => {
                let first = call(name, vec![first.clone(), second.clone()]);
                self.form(name, &[first].into_iter().chain(rest.iter().cloned()).collect::<Vec<_>>(), span)
            }
            _ => {
                if let Some(&(primitive, count)) = PRIMITIVES.iter().find(|row| row.0 == name) {
                    if parts.len() != count {
                        return error(span, format!("`{name}` takes {count} operands, not {}", parts.len()));
                    }
                    return Ok(Node::Primitive(primitive, self.exprs(parts)?));
                }
                error(span, format!("`{name}` is written otherwise"))
            }
        }
    }

    /// Data with `unquote`, as calls of `cons`.
    fn quasiquoted(&mut self, datum: &Datum) -> Result<Node> {
        match (head(datum), &datum.kind) {
            (Some(("unquote", [value])), _) => self.expr(value),
            (_, Kind::List(parts)) if !parts.is_empty() => {
                let first = self.quasiquoted(&parts[0])?;
                let rest = self.quasiquoted(&list(parts[1..].to_vec(), datum.span))?;
                Ok(Node::Primitive("cons", vec![first, rest]))
            }
            _ => Ok(Node::Const(datum.clone())),
        }
    }
}

fn is_form(name: &str) -> bool {
    FORMS.split(' ').any(|form| form == name) || PRIMITIVES.iter().any(|row| row.0 == name)
}

/// The name at the head of a list, and what follows it.
fn head(datum: &Datum) -> Option<(&str, &[Datum])> {
    match &datum.kind {
        Kind::List(parts) => match parts.split_first() {
            Some((Datum { kind: Kind::Symbol(name), .. }, rest)) => Some((name, rest)),
            _ => None,
        },
        _ => None,
    }
}

impl Node {
    /// Calls a function with this node and all below it.
    pub fn each<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        visit(self);
        match self {
            Node::Const(_) | Node::Unspecified | Node::Var(_) => {}
            Node::Set(_, value) => value.each(visit),
            Node::If(parts) => parts.iter().for_each(|part| part.each(visit)),
            Node::Lambda(lambda) => lambda.body.each(visit),
            Node::Call(function, args) => [&**function].into_iter().chain(args).for_each(|part| part.each(visit)),
            Node::Primitive(_, args) => args.iter().for_each(|part| part.each(visit)),
            Node::Body(parts) => parts.iter().for_each(|part| part.1.each(visit)),
        }
    }
}
