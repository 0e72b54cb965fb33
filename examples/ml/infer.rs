//! Finds the types (Hindley and Milner): each expression gets its type, each variable its number, each use of a
//! polymorphic variable the types at which it is used.

use crate::syntax::{Binding, Expr, Id, Item, Kind, Name, Ty, TypeExpr};
use crate::types::{ANY, Type, Types};
use cleave_diag::{Diagnostic, Span, code, nearest};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// A constructor of a type, or an exception.
#[derive(Clone)]
pub struct Constructor {
    /// The type, and its parameters.
    pub of: Name,
    pub params: Vec<Ty>,
    pub args: Vec<Ty>,
}

/// What is known of a program.
#[derive(Default)]
pub struct Infer {
    pub types: Types,
    pub constructors: BTreeMap<Name, Constructor>,
    /// The constructors of each type, in their order, and its parameters.
    pub declared: BTreeMap<Name, (Vec<Ty>, Vec<Name>)>,
    /// Innermost last.
    scope: Vec<Binding>,
    next_id: Id,
    level: u32,
    /// Type variables of the item at hand.
    written: Vec<(Name, Ty)>,
}

fn error<T>(code: cleave_diag::Code, message: String, span: Span) -> Result<T> {
    Err(Box::new(Diagnostic::error(code, message).at(span, "")))
}

fn unknown<'n, T>(
    code: cleave_diag::Code,
    what: &str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
    span: Span,
) -> Result<T> {
    let near = nearest(name.as_bytes(), names.map(str::as_bytes)).map(String::from_utf8_lossy);
    let wrong = Diagnostic::error(code, format!("there is no {what} `{name}`")).at(span, "");
    Err(Box::new(near.iter().fold(wrong, |wrong, near| wrong.help(format!("did you mean `{near}`?")))))
}

impl Infer {
    pub fn new() -> Infer {
        let mut infer = Infer::default();
        for (name, arity) in
            [("int", 0), ("char", 0), ("bool", 0), ("unit", 0), ("float", 0), ("string", 0), ("exn", 0)]
                .into_iter()
                .chain([("array", 1), ("ref", 1)])
        {
            infer.declared.insert(name.into(), (vec![0; arity], Vec::new()));
        }
        infer
    }

    fn fresh(&mut self) -> Ty {
        self.types.add(Type::Unknown(self.level))
    }
    fn base(&mut self, name: &str) -> Ty {
        self.types.con(name, &[])
    }
    fn new_id(&mut self) -> Id {
        self.next_id += 1;
        self.next_id
    }

    fn unify(&mut self, wanted: Ty, found: Ty, span: Span) -> Result<()> {
        if self.types.unify(wanted, found) {
            return Ok(());
        }
        let mut names = Vec::new();
        let (wanted, found) = (self.types.show(wanted, &mut names), self.types.show(found, &mut names));
        error(code::TYPE_MISMATCH, format!("this has type `{found}`, but `{wanted}` is wanted"), span)
    }

    /// Types, names and numbers of an item.
    pub fn item(&mut self, item: &mut Item) -> Result<()> {
        self.written.clear();
        match item {
            Item::Value(expr) if matches!(expr.kind, Kind::Let(..)) && !expr.has_body() => self.bindings(expr),
            Item::Value(expr) => self.infer(expr).map(|_| ()),
            Item::External(binding, ty, _) => {
                self.level += 1;
                binding.ty = self.written_type(ty, None)?;
                self.level -= 1;
                binding.generics = self.types.generalise(binding.ty, self.level);
                binding.id = self.new_id();
                self.scope.push(binding.clone());
                Ok(())
            }
            Item::Exception(name, args) => {
                let args = args.iter().map(|arg| self.written_type(arg, None)).collect::<Result<_>>()?;
                self.constructors.insert(name.clone(), Constructor { of: "exn".into(), params: Vec::new(), args });
                Ok(())
            }
            Item::Type(name, params, constructors, span) => {
                if self.declared.contains_key(name) {
                    return error(code::DUPLICATE_TYPE, format!("the type `{name}` is defined twice"), *span);
                }
                for param in params.iter() {
                    let ty = self.types.add(Type::Unknown(ANY));
                    self.written.push((param.clone(), ty));
                }
                let tys: Vec<Ty> = self.written.iter().map(|written| written.1).collect();
                let names = constructors.iter().map(|constructor| constructor.0.clone()).collect();
                self.declared.insert(name.clone(), (tys.clone(), names));
                for (constructor, args) in constructors {
                    let args = args.iter().map(|arg| self.written_type(arg, Some(*span))).collect::<Result<_>>()?;
                    let data = Constructor { of: name.clone(), params: tys.clone(), args };
                    self.constructors.insert(constructor.clone(), data);
                }
                Ok(())
            }
        }
    }

    /// What a written type means. In a declaration, all variables are known.
    fn written_type(&mut self, ty: &TypeExpr, declaration: Option<Span>) -> Result<Ty> {
        let TypeExpr(name, args, span) = ty;
        if name.starts_with('\'') {
            if let Some((_, known)) = self.written.iter().find(|written| written.0 == *name) {
                return Ok(*known);
            }
            if declaration.is_some() {
                return error(code::UNKNOWN_TYPE, format!("`{name}` is no parameter of the type"), *span);
            }
            let fresh = self.fresh();
            self.written.push((name.clone(), fresh));
            return Ok(fresh);
        }
        let args = args.iter().map(|arg| self.written_type(arg, declaration)).collect::<Result<Vec<_>>>()?;
        let wanted = match &**name {
            "->" | "*" => args.len(),
            _ => match self.declared.get(name) {
                Some((params, _)) => params.len(),
                None => return error(code::UNKNOWN_TYPE, format!("there is no type `{name}`"), *span),
            },
        };
        if args.len() != wanted {
            let message = format!("`{name}` has {wanted} parameters, not {}", args.len());
            return error(code::TYPE_ARGUMENT_COUNT, message, *span);
        }
        Ok(self.types.con(name, &args))
    }

    /// `let` without its body: the variables are in scope afterwards.
    fn bindings(&mut self, expr: &mut Expr) -> Result<()> {
        let Kind::Let(recursive, bindings) = &mut expr.kind else { return Ok(()) };
        self.level += 1;
        for binding in bindings.iter_mut() {
            (binding.id, binding.ty) = (self.new_id(), self.fresh());
        }
        let outside = self.scope.len();
        if *recursive {
            self.scope.extend(bindings.iter().cloned());
        }
        for (binding, value) in bindings.iter_mut().zip(&mut expr.parts) {
            if *recursive && !matches!(value.kind, Kind::Lambda(..)) {
                return error(code::SYNTAX, "only functions can be recursive".into(), value.span);
            }
            let ty = self.infer(value)?;
            self.unify(binding.ty, ty, value.span)?;
        }
        self.level -= 1;
        self.scope.truncate(outside);
        let mut generics = Vec::new();
        for (binding, _) in bindings.iter().zip(&expr.parts).filter(|pair| pair.1.is_value()) {
            generics.extend(self.types.generalise(binding.ty, self.level));
        }
        for (binding, value) in bindings.iter_mut().zip(&expr.parts) {
            binding.generics = if value.is_value() { generics.clone() } else { Vec::new() };
            self.scope.push(binding.clone());
        }
        Ok(())
    }

    /// The type of an expression.
    fn infer(&mut self, expr: &mut Expr) -> Result<Ty> {
        let (outside, span) = (self.scope.len(), expr.span);
        let Expr { kind, parts, clauses, .. } = expr;
        let ty = match kind {
            Kind::Const(_, name) => self.base(name),
            Kind::Real(_) => self.base("float"),
            Kind::Text(_) => self.base("string"),
            Kind::Var(name, id, instance) => {
                let Some(known) = self.scope.iter().rev().find(|known| known.name == *name).cloned() else {
                    let names = self.scope.iter().map(|known| &*known.name);
                    return unknown(code::UNKNOWN_VARIABLE, "variable", name, names, span);
                };
                *id = known.id;
                *instance = known.generics.iter().map(|_| self.fresh()).collect();
                self.types.copy(known.ty, &known.generics, instance)
            }
            Kind::Con(name) => {
                let name = name.clone();
                let (args, ty) = self.constructor(&name, parts, span)?;
                for (part, arg) in parts.iter_mut().zip(args) {
                    self.check(part, arg)?;
                }
                ty
            }
            Kind::Tuple => {
                let tys = parts.iter_mut().map(|part| self.infer(part)).collect::<Result<Vec<_>>>()?;
                self.types.con("*", &tys)
            }
            Kind::Array => {
                let element = self.fresh();
                parts.iter_mut().try_for_each(|part| self.check(part, element))?;
                self.types.con("array", &[element])
            }
            Kind::Lambda(id, params) => {
                *id = self.new_id();
                for (name, id, ty) in params.iter_mut() {
                    (*id, *ty) = (self.new_id(), self.fresh());
                    self.scope.push(Binding { name: name.clone(), id: *id, ty: *ty, generics: Vec::new() });
                }
                let body = self.infer(&mut parts[0])?;
                params.iter().rev().fold(body, |ty, param| self.types.con("->", &[param.2, ty]))
            }
            Kind::Apply => {
                let (head, args) = parts.split_at_mut(1);
                let mut ty = self.infer(&mut head[0])?;
                for arg in args {
                    let (from, to) = match self.types.of(ty) {
                        Type::Con(name, parts) if &**name == "->" => (parts[0], parts[1]),
                        Type::Con(..) => {
                            let shown = self.types.show(ty, &mut Vec::new());
                            let message =
                                format!("this has type `{shown}`: it is no function that takes one more argument");
                            return error(code::NOT_A_FUNCTION, message, head[0].span);
                        }
                        _ => {
                            let (from, to) = (self.fresh(), self.fresh());
                            let function = self.types.con("->", &[from, to]);
                            self.unify(ty, function, head[0].span)?;
                            (from, to)
                        }
                    };
                    self.check(arg, from)?;
                    ty = to;
                }
                ty
            }
            Kind::Let(..) => {
                let mut body = expr.parts.pop();
                self.bindings(expr)?;
                let ty = body.as_mut().map_or(Ok(0), |body| self.infer(body))?;
                expr.parts.extend(body);
                ty
            }
            Kind::Seq => {
                self.infer(&mut parts[0])?;
                self.infer(&mut parts[1])?
            }
            Kind::If => {
                let bool = self.base("bool");
                self.check(&mut parts[0], bool)?;
                let ty = self.infer(&mut parts[1])?;
                self.check(&mut parts[2], ty)?;
                ty
            }
            Kind::And | Kind::Or => {
                let bool = self.base("bool");
                parts.iter_mut().try_for_each(|part| self.check(part, bool))?;
                bool
            }
            Kind::Match | Kind::Try(_) => {
                let value = self.infer(&mut parts[0])?;
                let (matched, ty) = match kind {
                    Kind::Try(id) => {
                        *id = self.new_id();
                        (self.base("exn"), value)
                    }
                    _ => (value, self.fresh()),
                };
                for clause in clauses {
                    let inside = self.scope.len();
                    self.pattern(&mut clause.pattern, matched, inside, false)?;
                    let bool = self.base("bool");
                    clause.guard.iter_mut().try_for_each(|guard| self.check(guard, bool))?;
                    self.check(&mut clause.body, ty)?;
                    self.scope.truncate(inside);
                }
                ty
            }
            Kind::While => {
                let bool = self.base("bool");
                self.check(&mut parts[0], bool)?;
                self.infer(&mut parts[1])?;
                self.base("unit")
            }
            Kind::For(name, id, _) => {
                let int = self.base("int");
                self.check(&mut parts[0], int)?;
                self.check(&mut parts[1], int)?;
                *id = self.new_id();
                self.scope.push(Binding { name: name.clone(), id: *id, ty: int, generics: Vec::new() });
                self.infer(&mut parts[2])?;
                self.base("unit")
            }
            Kind::Annotated(ty) => {
                let ty = self.written_type(&ty.clone(), None)?;
                self.check(&mut parts[0], ty)?;
                ty
            }
            Kind::Any | Kind::Alternatives | Kind::Alias(..) => {
                return error(code::SYNTAX, "a pattern cannot be here".into(), span);
            }
        };
        self.scope.truncate(outside);
        expr.ty = ty;
        Ok(ty)
    }

    fn check(&mut self, expr: &mut Expr, wanted: Ty) -> Result<()> {
        let found = self.infer(expr)?;
        self.unify(wanted, found, expr.span)
    }

    /// The types of the arguments and of the result; a tuple becomes the arguments where there are several.
    fn constructor(&mut self, name: &Name, parts: &mut Vec<Expr>, span: Span) -> Result<(Vec<Ty>, Ty)> {
        let Some(Constructor { of, params, args }) = self.constructors.get(name).cloned() else {
            let names = self.constructors.keys().map(|name| &**name);
            return unknown(code::UNKNOWN_CONSTRUCTOR, "constructor", name, names, span);
        };
        if args.len() > 1 && parts.len() == 1 && parts[0].kind == Kind::Tuple {
            *parts = std::mem::take(&mut parts[0].parts);
        }
        if parts.len() != args.len() {
            let message = format!("`{name}` takes {} arguments, not {}", args.len(), parts.len());
            return error(code::ARGUMENT_COUNT, message, span);
        }
        let fresh: Vec<Ty> = params.iter().map(|_| self.fresh()).collect();
        let args = args.iter().map(|&arg| self.types.copy(arg, &params, &fresh)).collect();
        Ok((args, self.types.con(&of, &fresh)))
    }

    /// A pattern of a type; its variables are in scope afterwards, from `inside` on.
    fn pattern(&mut self, pattern: &mut Expr, wanted: Ty, inside: usize, again: bool) -> Result<()> {
        let (span, parts) = (pattern.span, &mut pattern.parts);
        pattern.ty = wanted;
        match &mut pattern.kind {
            Kind::Any => {}
            Kind::Const(_, name) => {
                let ty = self.base(name);
                self.unify(wanted, ty, span)?;
            }
            Kind::Text(_) => {
                let ty = self.base("string");
                self.unify(wanted, ty, span)?;
            }
            Kind::Var(name, id, _) | Kind::Alias(name, id) => {
                match self.scope[inside..].iter().find(|known| known.name == *name).cloned() {
                    Some(known) if again => {
                        *id = known.id;
                        self.unify(known.ty, wanted, span)?;
                    }
                    Some(_) => return error(code::DUPLICATE_NAME, format!("`{name}` is bound twice"), span),
                    None => {
                        *id = self.new_id();
                        self.scope.push(Binding { name: name.clone(), id: *id, ty: wanted, generics: Vec::new() });
                    }
                }
                parts.iter_mut().try_for_each(|part| self.pattern(part, wanted, inside, again))?;
            }
            Kind::Con(name) => {
                // `C _` leaves all arguments out.
                let name = name.clone();
                let count = self.constructors.get(&name).map_or(0, |constructor| constructor.args.len());
                if count > 1 && parts.len() == 1 && parts[0].kind == Kind::Any {
                    *parts = vec![parts[0].clone(); count];
                }
                let (args, ty) = self.constructor(&name, parts, span)?;
                self.unify(wanted, ty, span)?;
                for (part, arg) in parts.iter_mut().zip(args) {
                    self.pattern(part, arg, inside, again)?;
                }
            }
            Kind::Tuple => {
                let tys: Vec<Ty> = parts.iter().map(|_| self.fresh()).collect();
                let ty = self.types.con("*", &tys);
                self.unify(wanted, ty, span)?;
                for (part, ty) in parts.iter_mut().zip(tys) {
                    self.pattern(part, ty, inside, again)?;
                }
            }
            Kind::Alternatives => {
                for (at, part) in parts.iter_mut().enumerate() {
                    self.pattern(part, wanted, inside, again || at > 0)?;
                }
            }
            Kind::Annotated(ty) => {
                let ty = self.written_type(&ty.clone(), None)?;
                self.unify(wanted, ty, span)?;
                self.pattern(&mut parts[0], wanted, inside, again)?;
            }
            _ => return error(code::INVALID_PATTERN, "this is no pattern".into(), span),
        }
        Ok(())
    }
}

impl Expr {
    /// Without effects when it is evaluated, so that its type may be general.
    pub fn is_value(&self) -> bool {
        match self.kind {
            Kind::Const(..) | Kind::Real(_) | Kind::Text(_) | Kind::Var(..) | Kind::Lambda(..) => true,
            Kind::Con(_) | Kind::Tuple | Kind::Annotated(_) => self.parts.iter().all(Expr::is_value),
            _ => false,
        }
    }
    /// False for a definition without a body.
    pub fn has_body(&self) -> bool {
        !matches!(&self.kind, Kind::Let(_, bindings) if bindings.len() == self.parts.len())
    }
}
