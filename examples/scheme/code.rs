//! The core to IR. A value is a reference; functions that are known are called directly, with what they use of the
//! functions around them as further arguments.
//!
//! A procedure as a value is a node `Procedure` of its environment and the number of its arguments; the descriptor of
//! the environment names its code. One that takes any number of arguments has `-1 - n` there, where `n` are required,
//! and its code takes a list.

use crate::expand::{Id, Lambda, Node};
use crate::read::{Datum, Kind, Name};
use cleave_compile::ir::{
    Block, Builder, Caf, CafData, Desc, DescData, Func, FuncId, Heap, Module, Opcode, Signature, Static, StaticData,
    StaticField, StaticNode, Table, TableData, TableRole, Type, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A function whose code is known.
struct Known {
    lambda: Rc<Lambda>,
    captured: Vec<Id>,
    func: FuncId,
}

/// The code of a function that is still to be made.
pub enum Job<'p> {
    Lambda(Id),
    /// The code of a closure.
    Closure(Id, Desc),
    /// A call of an unknown procedure with so many arguments.
    Invoke(usize),
    /// The same with a list of arguments.
    Apply,
    CallCc,
    /// The code of a continuation.
    Escape,
    Start(&'p [(Option<Id>, Node)]),
}

/// Descriptors of data.
pub struct Data {
    pub no: Desc,
    pub yes: Desc,
    pub nil: Desc,
    pub unspecified: Desc,
    pub pair: Desc,
    pub symbol: Desc,
    /// An integer that is too large for a reference.
    pub large: Desc,
    pub cell: Desc,
    pub vector: Desc,
    pub procedure: Desc,
    /// Of a continuation: 1 as long as it may be called.
    pub token: Desc,
    /// A continuation was called: its token, and the value.
    pub throw: Desc,
    pub escape: Desc,
}

pub struct Program<'p> {
    pub module: Module,
    pub data: Data,
    assigned: &'p BTreeSet<Id>,
    known: BTreeMap<Id, Known>,
    globals: BTreeMap<Id, Caf>,
    closures: BTreeMap<Id, Desc>,
    tables: BTreeMap<usize, Table>,
    helpers: BTreeMap<usize, FuncId>,
    pub symbols: BTreeMap<Name, Static>,
    pub quoted: Vec<(Caf, Datum)>,
    jobs: Vec<(FuncId, Job<'p>)>,
}

/// Numbers of helpers, after those of the calls with so many arguments.
pub const LIST: usize = 1000;
pub const CALL_CC: usize = 1001;
pub const ESCAPE: usize = 1002;

pub fn module(parts: &[(Option<Id>, Node)], assigned: &BTreeSet<Id>, heap: Heap) -> Module {
    let mut module = Module::new("scheme");
    module.heap = heap;
    module.immediates = true;
    let mut add = |name: &str, fields: &[Type]| {
        module.descs.push(if fields.is_empty() { DescData::atom(name, 0) } else { DescData::record(name, 0, fields) })
    };
    let data = Data {
        no: add("#f", &[]),
        yes: add("#t", &[]),
        nil: add("()", &[]),
        unspecified: add("unspecified", &[]),
        pair: add("Pair", &[Type::Ref, Type::Ref]),
        symbol: add("Symbol", &[Type::Ref]),
        large: add("Large", &[Type::I64]),
        cell: add("Cell", &[Type::Ref]),
        vector: add("Vector", &[Type::Ref]),
        procedure: add("Procedure", &[Type::Ref, Type::I64]),
        token: add("Token", &[Type::I64]),
        throw: add("Throw", &[Type::Ref, Type::Ref]),
        escape: add("Escape", &[Type::Ref]),
    };
    let mut p = Program {
        module,
        data,
        assigned,
        known: BTreeMap::new(),
        globals: BTreeMap::new(),
        closures: BTreeMap::new(),
        tables: BTreeMap::new(),
        helpers: BTreeMap::new(),
        symbols: BTreeMap::new(),
        quoted: Vec::new(),
        jobs: Vec::new(),
    };
    // Quoted lists are made first, when all of them are known.
    let quote = p.module.funcs.push(Func::new("quoted", Signature::default()));
    let start = p.function("start", 0, &[], Job::Start(parts));
    p.module.start = Some(start);
    while let Some((id, job)) = p.jobs.pop() {
        let mut func = std::mem::take(&mut p.module.funcs[id]);
        let entry = func.new_block();
        let params: Vec<Value> = (0..func.signature.params.len()).map(|_| func.add_param(entry, Type::Ref)).collect();
        Code::new(&mut p, &mut func, entry).run(job, &params, quote);
        p.module.funcs[id] = func;
    }
    let mut func = std::mem::take(&mut p.module.funcs[quote]);
    let entry = func.new_block();
    let quoted = std::mem::take(&mut p.quoted);
    let mut code = Code::new(&mut p, &mut func, entry);
    for (caf, datum) in &quoted {
        let value = code.datum(datum);
        code.b.caf(Opcode::SetCafRef, *caf, 0, &[value]);
    }
    code.b.ret(&[]);
    p.module.funcs[quote] = func;
    p.module
}

impl<'p> Program<'p> {
    fn function(&mut self, name: &str, params: usize, results: &[Type], job: Job<'p>) -> FuncId {
        let name = format!("{name}.{}", self.module.funcs.len());
        let id = self.module.funcs.push(Func::new(name, Signature::new(&vec![Type::Ref; params], results)));
        self.jobs.push((id, job));
        id
    }
    pub fn helper(&mut self, number: usize) -> FuncId {
        if let Some(&known) = self.helpers.get(&number) {
            return known;
        }
        let (name, params, job) = match number {
            LIST => ("apply", 2, Job::Apply),
            CALL_CC => ("call/cc", 1, Job::CallCc),
            ESCAPE => ("escape", 2, Job::Escape),
            _ => ("invoke", number + 1, Job::Invoke(number)),
        };
        let func = self.function(name, params, &[Type::Ref], job);
        self.helpers.insert(number, func);
        func
    }
    /// Through which procedures of so many arguments are called.
    pub fn table(&mut self, count: usize) -> Table {
        if let Some(&known) = self.tables.get(&count) {
            return known;
        }
        let params = if count == LIST { 2 } else { count + 1 };
        let signature = Signature::new(&vec![Type::Ref; params], &[Type::Ref]);
        let label = format!("procedures.{count}");
        let table = self.module.tables.push(TableData { label, role: TableRole::Method, signature, funcs: Vec::new() });
        self.tables.insert(count, table);
        table
    }
    pub fn environment(&mut self, fields: usize, count: usize, code: FuncId, desc: Option<Desc>) -> Desc {
        let table = self.table(count);
        self.module.tables[table].funcs.push(code);
        let label = format!("closure.{}", self.module.descs.len());
        let fields = vec![Type::Ref; fields];
        let desc = desc.unwrap_or_else(|| {
            let data = if fields.is_empty() { DescData::atom(&label, 0) } else { DescData::record(&label, 0, &fields) };
            self.module.descs.push(data)
        });
        self.module.descs[desc].method = Some((table, code));
        self.module.descs[desc].immutable = true;
        desc
    }
}

/// What happens with the value of a node.
#[derive(Clone, Copy)]
pub enum Then {
    Return,
    Join(Block),
}

pub struct Code<'c, 'p> {
    pub p: &'c mut Program<'p>,
    pub b: Builder<'c>,
    env: BTreeMap<Id, Value>,
    /// Where the program stops with a message.
    pub failures: BTreeMap<String, Block>,
    pub numbers: BTreeMap<Value, i64>,
}

impl<'c, 'p> Code<'c, 'p> {
    fn new(p: &'c mut Program<'p>, func: &'c mut Func, entry: Block) -> Self {
        let (env, failures, numbers) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Code { p, b: Builder::new(func, entry), env, failures, numbers }
    }

    fn run(mut self, job: Job<'p>, params: &[Value], quote: FuncId) {
        match job {
            Job::Lambda(id) => {
                let known = &self.p.known[&id];
                let (lambda, captured) = (known.lambda.clone(), known.captured.clone());
                let (outer, own) = params.split_at(captured.len());
                self.env = captured.into_iter().zip(outer.iter().copied()).collect();
                lambda.params.iter().zip(own).for_each(|(&id, &value)| self.bind(id, value));
                self.compile(&lambda.body, Then::Return);
            }
            Job::Closure(id, desc) => {
                let known = &self.p.known[&id];
                let (func, count, held) = (known.func, known.lambda.params.len(), known.captured.len());
                let has_rest = known.lambda.has_rest;
                let shape = self.p.module.shape(desc, 0);
                let mut args: Vec<Value> =
                    (0..held).map(|at| self.b.get_of(Opcode::GetRef, shape, at as u32, params[0])).collect();
                args.extend(if has_rest { self.taken(params[1], count - 1) } else { params[1..].to_vec() });
                self.b.tail_call(func, &args);
            }
            Job::Invoke(count) => self.invoke(count, params),
            Job::Apply => self.apply(params),
            Job::CallCc => self.call_cc(params[0]),
            Job::Escape => self.escape(params),
            Job::Start(parts) => {
                self.b.call(quote, &[], &[]);
                self.definitions(parts, true);
                self.b.ret(&[]);
            }
        }
    }

    // -- variables --

    fn is_cell(&self, id: Id) -> bool {
        self.p.assigned.contains(&id)
    }
    fn bind(&mut self, id: Id, value: Value) {
        let value = if self.is_cell(id) { self.b.build_node(self.p.data.cell, 0, &[value]) } else { value };
        self.env.insert(id, value);
    }
    /// Parts of a body; the value of the last one is left to the caller, unless this is the program.
    fn definitions(&mut self, parts: &[(Option<Id>, Node)], is_program: bool) {
        let is_known = |p: &Program, id: Id, node: &Node| matches!(node, Node::Lambda(_)) && !p.assigned.contains(&id);
        let mut own = Vec::new();
        let mut found = Vec::new();
        for (id, node) in parts.iter().filter_map(|(id, node)| Some(((*id)?, node))) {
            match node {
                Node::Lambda(lambda) if is_known(self.p, id, node) => found.push((id, lambda.clone())),
                _ if is_program => {
                    let label = format!("global.{id}");
                    self.p.globals.insert(id, self.p.module.cafs.push(CafData { label, ptrs: 1, nptrs: 0 }));
                    let unspecified = self.b.node(self.p.data.unspecified);
                    self.b.caf(Opcode::SetCafRef, self.p.globals[&id], 0, &[unspecified]);
                }
                _ => own.push(id),
            }
        }
        let captured = self.free(found.iter().map(|known| &known.1.body), &own);
        for (id, lambda) in found {
            self.define(id, lambda, captured.clone());
        }
        let last = if is_program { parts.len() } else { parts.len() - 1 };
        for (id, node) in &parts[..last] {
            match id {
                Some(id) if is_known(self.p, *id, node) => {}
                Some(id) => {
                    let value = self.value(node);
                    match self.p.globals.get(id) {
                        Some(&caf) => _ = self.b.caf(Opcode::SetCafRef, caf, 0, &[value]),
                        None => self.bind(*id, value),
                    }
                }
                None => _ = self.raw(node),
            }
        }
    }
    fn define(&mut self, id: Id, lambda: Rc<Lambda>, captured: Vec<Id>) {
        let count = captured.len() + lambda.params.len();
        let func = self.p.function(&lambda.name.clone(), count, &[Type::Ref], Job::Lambda(id));
        self.p.known.insert(id, Known { lambda, captured, func });
    }
    /// The variables of this function that functions with these bodies need.
    fn free<'n>(&self, bodies: impl Iterator<Item = &'n Node>, own: &[Id]) -> Vec<Id> {
        let mut found = BTreeSet::new();
        bodies.for_each(|body| {
            body.each(&mut |node| {
                if let Node::Var(id) | Node::Set(id, _) = node {
                    found.extend((self.env.contains_key(id) || own.contains(id)).then_some(*id));
                    found.extend(self.p.known.get(id).iter().flat_map(|known| &known.captured));
                }
            });
        });
        found.into_iter().collect()
    }
    /// What a function has captured. Something that has no value yet cannot be used.
    fn captured(&mut self, id: Id) -> Vec<Value> {
        let ids = self.p.known[&id].captured.clone();
        ids.iter().map(|id| self.env.get(id).copied().unwrap_or_else(|| self.b.node(self.p.data.unspecified))).collect()
    }

    fn variable(&mut self, id: Id) -> Value {
        if let Some(&value) = self.env.get(&id) {
            let shape = self.p.module.shape(self.p.data.cell, 0);
            return if self.is_cell(id) { self.b.get_of(Opcode::GetRef, shape, 0, value) } else { value };
        }
        if let Some(&caf) = self.p.globals.get(&id) {
            let inst = self.b.caf(Opcode::CafRef, caf, 0, &[]);
            return self.b.func.result(inst);
        }
        if self.p.known.contains_key(&id) { self.closure(id) } else { self.b.node(self.p.data.unspecified) }
    }

    /// A function as a value.
    fn closure(&mut self, id: Id) -> Value {
        let known = &self.p.known[&id];
        let (held, count, has_rest) = (known.captured.len(), known.lambda.params.len(), known.lambda.has_rest);
        let desc = match self.p.closures.get(&id) {
            Some(&desc) => desc,
            None => {
                let params = if has_rest { 2 } else { count + 1 };
                let next = Desc::from_u32(self.p.module.descs.len() as u32);
                let code = self.p.function("closure", params, &[Type::Ref], Job::Closure(id, next));
                let desc = self.p.environment(held, if has_rest { LIST } else { count }, code, None);
                self.p.closures.insert(id, desc);
                desc
            }
        };
        let arity = if has_rest { -(count as i64) } else { count as i64 };
        let captured = self.captured(id);
        if captured.is_empty() {
            let (ptrs, nptrs) = ([StaticField::Node(desc)].into(), [arity as u64].into());
            let node = StaticNode { desc: self.p.data.procedure, applied_args: 0, ptrs, nptrs };
            let number = self.p.module.statics.push(StaticData::Node(node));
            return self.b.value(Opcode::StaticNode, u64::from(number.as_u32()), 0, &[]);
        }
        let environment = self.b.build_node(desc, 0, &captured);
        let arity = self.b.iconst64(arity);
        self.b.build_node(self.p.data.procedure, 0, &[environment, arity])
    }

    // -- expressions --

    fn finish(&mut self, value: Value, then: Then) {
        match then {
            Then::Return => self.b.ret(&[value]),
            Then::Join(block) => self.b.jump(block, &[value]),
        }
    }

    pub fn compile(&mut self, node: &Node, then: Then) {
        match node {
            Node::If(parts) => {
                let (yes, no) = (self.b.func.new_block(), self.b.func.new_block());
                self.branch(&parts[0], yes, no);
                self.b.switch_to(yes);
                self.compile(&parts[1], then);
                self.b.switch_to(no);
                self.compile(&parts[2], then);
            }
            Node::Body(parts) => {
                self.definitions(parts, false);
                self.compile(&parts[parts.len() - 1].1, then);
            }
            Node::Call(function, args) if matches!(then, Then::Return) => {
                let (func, args) = self.call(function, args);
                self.b.tail_call(func, &args);
            }
            _ => {
                let value = self.value(node);
                self.finish(value, then);
            }
        }
    }

    /// Ends the block: goes to one of two others.
    pub fn branch(&mut self, node: &Node, yes: Block, no: Block) {
        match node {
            Node::If(parts) => {
                let (then, other) = (self.b.func.new_block(), self.b.func.new_block());
                self.branch(&parts[0], then, other);
                self.b.switch_to(then);
                self.branch(&parts[1], yes, no);
                self.b.switch_to(other);
                self.branch(&parts[2], yes, no);
            }
            Node::Const(Datum { kind: Kind::Bool(value), .. }) => self.b.jump(if *value { yes } else { no }, &[]),
            Node::Primitive("not", args) => self.branch(&args[0], no, yes),
            _ => {
                let value = self.raw(node);
                if self.b.func.values[value] == Type::I32 {
                    return self.b.br_if(value, (yes, &[]), (no, &[]));
                }
                let is_no = self.has(value, self.p.data.no);
                self.b.br_if(is_no, (no, &[]), (yes, &[]));
            }
        }
    }
    pub fn value(&mut self, node: &Node) -> Value {
        let value = self.raw(node);
        if self.b.func.values[value] != Type::I32 {
            return value;
        }
        let (yes, no) = (self.b.node(self.p.data.yes), self.b.node(self.p.data.no));
        self.b.op(Opcode::Select, &[value, yes, no])
    }

    /// A value, or a condition of 32 bits.
    fn raw(&mut self, node: &Node) -> Value {
        match node {
            Node::Const(datum) => self.constant(datum),
            Node::Unspecified => self.b.node(self.p.data.unspecified),
            Node::Var(id) => self.variable(*id),
            Node::Set(id, value) => {
                let value = self.value(value);
                match (self.env.get(id).copied(), self.p.globals.get(id).copied()) {
                    (Some(cell), _) => {
                        let shape = self.p.module.shape(self.p.data.cell, 0);
                        self.b.set_of(Opcode::SetRef, shape, 0, cell, value);
                    }
                    (None, Some(caf)) => _ = self.b.caf(Opcode::SetCafRef, caf, 0, &[value]),
                    (None, None) => {}
                }
                self.b.node(self.p.data.unspecified)
            }
            Node::If(_) => {
                let join = self.b.func.new_block();
                let value = self.b.func.add_param(join, Type::Ref);
                self.compile(node, Then::Join(join));
                self.b.switch_to(join);
                value
            }
            Node::Lambda(lambda) => {
                let captured = self.free([&lambda.body].into_iter(), &[]);
                self.define(lambda.id, lambda.clone(), captured);
                self.closure(lambda.id)
            }
            Node::Call(function, args) => {
                let (func, args) = self.call(function, args);
                self.b.call_value(func, &args, Type::Ref)
            }
            Node::Primitive(name, args) => {
                let args: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
                self.primitive(name, &args)
            }
            Node::Body(parts) => {
                self.definitions(parts, false);
                self.raw(&parts[parts.len() - 1].1)
            }
        }
    }

    /// The function that a call is one of, and all its arguments.
    fn call(&mut self, function: &Node, args: &[Node]) -> (FuncId, Vec<Value>) {
        let known = match function {
            Node::Var(id) => Some(*id).filter(|id| self.p.known.contains_key(id) && !self.env.contains_key(id)),
            Node::Lambda(lambda) => {
                let captured = self.free([&lambda.body].into_iter(), &[]);
                self.define(lambda.id, lambda.clone(), captured);
                Some(lambda.id)
            }
            _ => None,
        };
        let callee = if known.is_none() { Some(self.value(function)) } else { None };
        let mut values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        let Some(id) = known else {
            return (self.p.helper(args.len()), callee.into_iter().chain(values).collect());
        };
        let known = &self.p.known[&id];
        let (func, lambda) = (known.func, known.lambda.clone());
        let required = lambda.params.len() - usize::from(lambda.has_rest);
        if values.len() < required || (values.len() > required && !lambda.has_rest) {
            let fine = self.b.func.new_block();
            let never = self.b.iconst32(0);
            self.check(never, fine, &format!("{}: wrong number of arguments", lambda.name));
            values = vec![self.b.node(self.p.data.unspecified); required];
        }
        if lambda.has_rest {
            let mut list = self.b.node(self.p.data.nil);
            for value in values.drain(required..).rev() {
                list = self.b.build_node(self.p.data.pair, 0, &[value, list]);
            }
            values.push(list);
        }
        (func, self.captured(id).into_iter().chain(values).collect())
    }
}
