//! The code of one function. An expression is compiled for its value (`value`), or with what happens next (`compile`):
//! the function returns it, or a block takes it.
//!
//! A cell (`let x = ref …`) that is only read and written in the function where it is made, and in none of the
//! functions inside, is no node but a value that changes: `cells` has what it is now, and blocks that are reached from
//! several places have parameters for all cells.

use crate::program::{Body, Definition, Job, Mono, Program, Substitution, field_opcodes, parts_of};
use crate::syntax::{Binding, Expr, Id, Item, Kind, Name, Ty};
use cleave_compile::ir::{ArrayKind, Block, Builder, FuncId, Opcode, Type, Value, WellKnownDesc};
use std::collections::BTreeMap;

pub struct Code<'c, 'p> {
    pub p: &'c mut Program<'p>,
    pub b: Builder<'c>,
    pub substitution: Substitution,
    pub env: BTreeMap<Id, Value>,
    pub cells: Vec<(Id, Value)>,
    /// Known integers, which need no tests.
    pub numbers: BTreeMap<Value, i64>,
    /// Definitions are those of the program.
    at_top: bool,
}

/// A block that is reached from several places: its parameters are a value, if it has one, and the cells.
#[derive(Clone, Copy)]
pub struct Join {
    pub block: Block,
    cells: usize,
}

/// What happens with the value of an expression.
#[derive(Clone, Copy)]
pub enum Then {
    Return,
    Join(Join),
}

impl<'c, 'p> Code<'c, 'p> {
    pub fn new(p: &'c mut Program<'p>, b: Builder<'c>) -> Self {
        let (env, numbers) = (BTreeMap::new(), BTreeMap::new());
        Code { p, b, substitution: Substitution::new(), env, cells: Vec::new(), numbers, at_top: false }
    }

    pub fn run(mut self, job: Job<'p>, params: &[Value]) {
        match job {
            Job::Body(id, substitution) => {
                self.substitution = substitution;
                let definition = &self.p.definitions[&id];
                let names = definition.captured.iter().copied().chain(definition.params.iter().map(|param| param.1));
                self.env = names.zip(params.iter().copied()).collect();
                match definition.code {
                    Body::Expr(body) => self.compile(body, Then::Return),
                    Body::Primitive(name, _) => {
                        let ty = self.p.mono(definition.ty, &self.substitution);
                        let value = self.primitive(name, params, ty);
                        let value = self.widened(value);
                        self.b.ret(&[value]);
                    }
                }
            }
            Job::Closure(func, held, mono) => self.closure_code(func, held, mono, params),
            Job::Apply(mono) => {
                let table = self.p.table(mono);
                self.b.tail_call_method(table, params);
            }
            Job::Start(items) => self.start(items),
            Job::Compare(mono) => self.compare_nodes(mono, params[0], params[1]),
            Job::Tag(mono) => self.tag(mono, params[0]),
            Job::Print(mono) => self.print(mono, params[0], false),
            Job::PrintRest(mono) => self.print(mono, params[0], true),
        }
    }

    fn start(&mut self, items: &'p [Item]) {
        for (number, item) in items.iter().enumerate() {
            match item {
                Item::External(binding, _, name) => {
                    let mono = self.mono(binding.ty);
                    let arity = self.p.arrows(mono, usize::MAX).0.len();
                    self.define(binding, Vec::new(), Body::Primitive(name, arity), Vec::new());
                }
                Item::Value(expr) if expr.has_body() => {
                    let value = self.value(expr);
                    if number >= self.p.shown {
                        self.show("-", expr.ty, Some(value));
                    }
                }
                Item::Value(expr) => {
                    self.at_top = true;
                    self.bind(expr);
                    self.at_top = false;
                    let Kind::Let(_, bindings) = &expr.kind else { continue };
                    let shown = if number >= self.p.shown { &bindings[..] } else { &[] };
                    for binding in shown.iter().filter(|binding| &*binding.name != "*pattern") {
                        let global = self.p.globals.contains_key(&binding.id);
                        let value = global.then(|| self.variable(binding.id, &[], binding.ty));
                        self.show(&format!("val {}", binding.name), binding.ty, value);
                    }
                }
                Item::Type(..) | Item::Exception(..) => {}
            }
        }
        self.b.ret(&[]);
    }

    pub fn mono(&mut self, ty: Ty) -> Mono {
        self.p.mono(ty, &self.substitution)
    }
    pub fn ty(&mut self, ty: Ty) -> Type {
        let mono = self.mono(ty);
        self.p.ty(mono)
    }

    // -- blocks --

    pub fn join(&mut self, value: Option<Type>) -> Join {
        self.join_of(value.as_slice())
    }
    /// With several values.
    pub fn join_of(&mut self, values: &[Type]) -> Join {
        let block = self.b.func.new_block();
        let cells: Vec<Type> = self.cells.iter().map(|cell| self.b.func.values[cell.1]).collect();
        values.iter().copied().chain(cells).for_each(|ty| _ = self.b.func.add_param(block, ty));
        Join { block, cells: self.cells.len() }
    }
    pub fn jump(&mut self, join: Join, value: Option<Value>) {
        let args = self.args(join, value);
        self.b.jump(join.block, &args);
    }
    pub fn args(&self, join: Join, value: Option<Value>) -> Vec<Value> {
        value.into_iter().chain(self.cells[..join.cells].iter().map(|cell| cell.1)).collect()
    }
    /// Goes on in this block. Its first parameter is the value, if it has one.
    pub fn enter(&mut self, join: Join) -> Option<Value> {
        self.b.switch_to(join.block);
        let params = self.b.func.params(join.block).to_vec();
        let (value, cells) = params.split_at(params.len() - join.cells);
        self.cells.truncate(join.cells);
        self.cells.iter_mut().zip(cells).for_each(|(cell, &param)| cell.1 = param);
        value.first().copied()
    }
    pub fn finish(&mut self, value: Value, then: Then) {
        match then {
            Then::Return => self.b.ret(&[value]),
            Then::Join(join) => self.jump(join, Some(value)),
        }
    }
    /// Control never gets past here; what follows is in a block that nothing jumps to.
    pub fn dead_end(&mut self, ty: Type) -> Value {
        let block = self.b.func.new_block();
        self.b.switch_to(block);
        self.b.func.add_param(block, ty)
    }

    /// Compiles an expression whose value leaves the current block.
    pub fn compile(&mut self, expr: &'p Expr, then: Then) {
        let parts = &expr.parts;
        match &expr.kind {
            Kind::Let(..) => {
                self.bind(expr);
                self.compile(&parts[parts.len() - 1], then);
            }
            Kind::Seq => {
                self.raw(&parts[0]);
                self.compile(&parts[1], then);
            }
            Kind::Annotated(_) => self.compile(&parts[0], then),
            Kind::If => {
                let (yes, no) = (self.join(None), self.join(None));
                self.branch(&parts[0], yes, no);
                self.enter(yes);
                self.compile(&parts[1], then);
                self.enter(no);
                self.compile(&parts[2], then);
            }
            // The last operand is in tail position.
            Kind::And | Kind::Or if matches!(then, Then::Return) && self.may_tail_call(&parts[1]) => {
                let (last, decided) = (self.join(None), self.join(None));
                let is_and = expr.kind == Kind::And;
                let (yes, no) = if is_and { (last, decided) } else { (decided, last) };
                self.branch(&parts[0], yes, no);
                self.enter(decided);
                let value = self.b.iconst64(i64::from(!is_and));
                self.finish(value, then);
                self.enter(last);
                self.compile(&parts[1], then);
            }
            Kind::And | Kind::Or => {
                let (yes, no) = (self.join(None), self.join(None));
                self.branch(expr, yes, no);
                for (join, number) in [(yes, 1), (no, 0)] {
                    self.enter(join);
                    let value = self.b.iconst64(number);
                    self.finish(value, then);
                }
            }
            Kind::Match => {
                let value = self.value(&parts[0]);
                let mono = self.mono(parts[0].ty);
                self.matching(expr, (value, mono), None, then);
            }
            Kind::Try(id) => {
                let captured = self.free(&parts[0], &[]);
                let name = "try".into();
                let binding = Binding { name, id: *id, ty: expr.ty, generics: Vec::new() };
                self.define(&binding, Vec::new(), Body::Expr(&parts[0]), captured);
                let (func, args) = self.instance(*id, &[]);
                let ty = self.ty(expr.ty);
                let results = self.b.try_call((Opcode::TryCall, u64::from(func.as_u32())), &args, &[ty]);
                let (normal, handler) = (self.join(Some(ty)), self.join(Some(Type::Ref)));
                let (value, exception) = (self.args(normal, Some(results[0])), self.args(handler, Some(results[1])));
                self.b.handled_by((normal.block, &value), (handler.block, &exception));
                if let Some(value) = self.enter(normal) {
                    self.finish(value, then);
                }
                if let Some(exception) = self.enter(handler) {
                    let mono = self.p.intern("exn".into(), Vec::new());
                    self.matching(expr, (exception, mono), Some(exception), then);
                }
            }
            Kind::Apply => {
                if let Some(value) = self.apply(expr, matches!(then, Then::Return)) {
                    let value = self.widened(value);
                    self.finish(value, then);
                }
            }
            _ => {
                let value = self.value(expr);
                self.finish(value, then);
            }
        }
    }

    /// Ends the block: goes to one of two others.
    pub fn branch(&mut self, expr: &'p Expr, yes: Join, no: Join) {
        match &expr.kind {
            Kind::And | Kind::Or => {
                let between = self.join(None);
                let (first, second) = if expr.kind == Kind::And { (between, no) } else { (yes, between) };
                self.branch(&expr.parts[0], first, second);
                self.enter(between);
                self.branch(&expr.parts[1], yes, no);
            }
            _ => {
                let value = self.raw(expr);
                let is_narrow = self.b.func.values[value] == Type::I32;
                let condition = if is_narrow { value } else { self.b.op(Opcode::Wrap, &[value]) };
                let (yes_args, no_args) = (self.args(yes, None), self.args(no, None));
                self.b.br_if(condition, (yes.block, &yes_args), (no.block, &no_args));
            }
        }
    }

    /// Compiles an expression whose value is needed in the current function.
    pub fn value(&mut self, expr: &'p Expr) -> Value {
        let value = self.raw(expr);
        self.widened(value)
    }
    /// Results of comparisons have 32 bits, truth values 64.
    pub fn widened(&mut self, value: Value) -> Value {
        if self.b.func.values[value] == Type::I32 { self.b.op(Opcode::ExtendU, &[value]) } else { value }
    }
    pub fn unit(&mut self) -> Value {
        self.b.iconst64(0)
    }
    pub fn values(&mut self, exprs: &'p [Expr]) -> Vec<Value> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn raw(&mut self, expr: &'p Expr) -> Value {
        let parts = &expr.parts;
        match &expr.kind {
            Kind::Const(number, _) => {
                let value = self.b.iconst64(*number);
                self.numbers.insert(value, *number);
                value
            }
            Kind::Real(number) => self.b.fconst(number.to_bits()),
            Kind::Text(bytes) => {
                let text = self.p.text(bytes);
                self.b.static_ref(text)
            }
            Kind::Var(_, id, instance) => self.variable(*id, instance, expr.ty),
            Kind::Con(name) => {
                let (args, mono) = (self.values(parts), self.mono(expr.ty));
                if self.p.is_enumeration(mono) {
                    let number = self.p.constructors(mono).iter().position(|known| known == name);
                    return self.b.iconst64(number.unwrap_or(0) as i64);
                }
                let node = self.p.node(mono, name);
                self.build(&node, &args)
            }
            Kind::Tuple => {
                let (args, mono) = (self.values(parts), self.mono(expr.ty));
                let node = self.p.node(mono, "");
                self.build(&node, &args)
            }
            Kind::Array => {
                let (values, mono) = (self.values(parts), self.mono(expr.ty));
                let kind = self.array_kind(mono);
                let count = self.b.iconst64(values.len() as i64);
                let first = match (values.first(), kind) {
                    (Some(&first), _) => first,
                    (None, ArrayKind::Ref) => self.b.node(WellKnownDesc::Empty.desc()),
                    (None, ArrayKind::F64) => self.b.fconst(0),
                    (None, _) => self.unit(),
                };
                let array = self.b.array_new(kind, count, first);
                for (at, &value) in values.iter().enumerate().skip(1) {
                    let at = self.b.iconst64(at as i64);
                    self.b.array_set(kind, array, at, value);
                }
                array
            }
            Kind::Lambda(id, _) => {
                let captured = self.free(expr, &[]);
                let (body, params) = parts_of(expr);
                let binding = Binding { name: "fun".into(), id: *id, ty: expr.ty, generics: Vec::new() };
                self.define(&binding, params, Body::Expr(body), captured);
                self.variable(*id, &[], expr.ty)
            }
            Kind::Apply => self.apply(expr, false).unwrap_or_else(|| self.dead_end(Type::I64)),
            Kind::Let(..) => {
                let outside = self.cells.len();
                self.bind(expr);
                let value = self.value(&parts[parts.len() - 1]);
                self.cells.truncate(outside);
                value
            }
            Kind::Seq => {
                self.raw(&parts[0]);
                self.raw(&parts[1])
            }
            Kind::Annotated(_) => self.raw(&parts[0]),
            Kind::While => {
                let (head, body, exit) = (self.join(None), self.join(None), self.join(None));
                self.jump(head, None);
                self.enter(head);
                self.branch(&parts[0], body, exit);
                self.enter(body);
                self.raw(&parts[1]);
                self.jump(head, None);
                self.enter(exit);
                self.unit()
            }
            Kind::For(_, id, is_upwards) => {
                let (from, to) = (self.value(&parts[0]), self.value(&parts[1]));
                let (head, body, exit) = (self.join(Some(Type::I64)), self.join(None), self.join(None));
                self.jump(head, Some(from));
                let Some(i) = self.enter(head) else { return from };
                let goes_on = self.b.op(if *is_upwards { Opcode::Sle } else { Opcode::Sge }, &[i, to]);
                let args = self.args(body, None);
                self.b.br_if(goes_on, (body.block, &args), (exit.block, &args));
                self.enter(body);
                self.env.insert(*id, i);
                self.raw(&parts[2]);
                let one = self.b.iconst64(1);
                let next = self.b.op(if *is_upwards { Opcode::Iadd } else { Opcode::Isub }, &[i, one]);
                self.jump(head, Some(next));
                self.enter(exit);
                self.unit()
            }
            _ => {
                let ty = self.ty(expr.ty);
                let join = self.join(Some(ty));
                self.compile(expr, Then::Join(join));
                self.enter(join).unwrap_or_else(|| self.dead_end(ty))
            }
        }
    }

    // -- variables --

    /// `let` without its body.
    fn bind(&mut self, expr: &'p Expr) {
        let Kind::Let(recursive, bindings) = &expr.kind else { return };
        let at_top = std::mem::take(&mut self.at_top);
        let own: Vec<Id> = bindings.iter().map(|binding| binding.id).collect();
        let body = expr.parts.get(bindings.len());
        let mut together: Vec<Id> = Vec::new();
        if *recursive {
            together = expr.parts[..bindings.len()].iter().flat_map(|value| self.free(value, &own)).collect();
            together.sort();
            together.dedup();
        }
        for (binding, value) in bindings.iter().zip(&expr.parts) {
            let is_constant = at_top && matches!(value.kind, Kind::Const(..));
            if matches!(value.kind, Kind::Lambda(..)) || !binding.generics.is_empty() || is_constant {
                let captured = if *recursive { together.clone() } else { self.free(value, &[]) };
                let (body, params) = parts_of(value);
                self.define(binding, params, Body::Expr(body), captured);
                continue;
            }
            let cell = self.cell_of(value, binding.id, body);
            let found = self.value(cell.unwrap_or(value));
            if at_top {
                let ty = self.b.func.values[found];
                let caf = self.p.global(binding.id, ty);
                self.b.caf(field_opcodes(ty)[3], caf, 0, &[found]);
            } else if cell.is_some() {
                self.cells.push((binding.id, found));
            } else {
                self.env.insert(binding.id, found);
            }
        }
    }

    /// The variables of this function that an expression needs.
    fn free(&self, expr: &Expr, without: &[Id]) -> Vec<Id> {
        let mut found = Vec::new();
        expr.each(&mut |part| {
            if let Kind::Var(_, id, _) = &part.kind
                && !without.contains(id)
            {
                found.extend(self.env.contains_key(id).then_some(*id));
                found.extend(self.p.definitions.get(id).into_iter().flat_map(|definition| &definition.captured));
            }
            true
        });
        found.sort();
        found.dedup();
        found
    }

    fn define(&mut self, binding: &Binding, params: Vec<(Name, Id, Ty)>, code: Body<'p>, captured: Vec<Id>) {
        let Binding { name, id, ty, generics } = binding.clone();
        let outer = self.substitution.keys().copied().collect();
        self.p.definitions.insert(id, Definition { name, params, ty, code, generics, outer, captured });
    }

    /// The function of a definition where it is used at these types, and the variables that it has captured.
    pub fn instance(&mut self, id: Id, instance: &[Ty]) -> (FuncId, Vec<Value>) {
        let definition = &self.p.definitions[&id];
        let captured: Vec<Value> = definition.captured.iter().map(|id| self.env[id]).collect();
        let (generics, outer) = (definition.generics.clone(), definition.outer.clone());
        let mut substitution: Substitution = outer.iter().map(|&ty| (ty, self.substitution[&ty])).collect();
        for (at, &generic) in generics.iter().enumerate() {
            // Within its own definition, a function is used at its own types.
            let mono = match instance.get(at) {
                Some(&ty) => self.mono(ty),
                None => self.substitution[&generic],
            };
            substitution.insert(generic, mono);
        }
        let types: Vec<Type> = captured.iter().map(|&value| self.b.func.values[value]).collect();
        (self.p.instance(id, substitution, &types), captured)
    }

    fn variable(&mut self, id: Id, instance: &[Ty], ty: Ty) -> Value {
        if let Some(&value) = self.env.get(&id) {
            return value;
        }
        if let Some(&(caf, ty)) = self.p.globals.get(&id) {
            let inst = self.b.caf(field_opcodes(ty)[2], caf, 0, &[]);
            return self.b.func.result(inst);
        }
        let (func, captured) = self.instance(id, instance);
        if self.p.definitions[&id].arity() == 0 {
            if let Body::Expr(Expr { kind: Kind::Const(number, _), .. }) = self.p.definitions[&id].code {
                let value = self.b.iconst64(*number);
                self.numbers.insert(value, *number);
                return value;
            }
            let ty = self.ty(ty);
            return self.b.call_value(func, &captured, ty);
        }
        let mono = self.mono(ty);
        self.closure(func, &captured, mono)
    }
}
