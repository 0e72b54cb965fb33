//! The whole program: what its types look like in memory, its closures, and the instances of its functions.
//!
//! A polymorphic function is compiled once for each list of types at which it is used. So an `int` is a word of 64 bits
//! wherever it is, and nothing has a tag or a box.
//!
//! A value of a function type is a closure, whose descriptor names its code. How many arguments that takes is decided
//! for each type: as many as all functions take that become values of this type. Whoever makes a closure that takes
//! fewer notes that, and the program is compiled anew. So no call asks.

use crate::expr::Code;
use crate::infer::Infer;
use crate::syntax::{Expr, Id, Item, Kind, Name, Ty};
use crate::types;
use cleave_compile::ir::{
    Builder, Caf, CafData, Desc, DescData, Func, FuncId, Heap, Module, Opcode, Shape, Signature, Static, StaticData,
    Table, TableData, TableRole, Type, Value,
};
use cleave_diag::Diagnostic;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of a type without variables.
pub type Mono = usize;
/// What type variables stand for.
pub type Substitution = BTreeMap<Ty, Mono>;

/// A constructor, a tuple or a cell as a node.
pub struct Node {
    pub name: Name,
    pub desc: Desc,
    pub shape: Shape,
    /// Of each field its type, and its number among those of its sort.
    pub fields: Vec<(Mono, Type, u32)>,
}

/// What a variable is bound to that is no value at run time.
pub struct Definition<'p> {
    pub name: Name,
    pub params: Vec<(Name, Id, Ty)>,
    pub ty: Ty,
    pub code: Body<'p>,
    /// Its type variables, and those of the functions around it.
    pub generics: Vec<Ty>,
    pub outer: Vec<Ty>,
    /// Variables of the functions around it, which it gets as further parameters.
    pub captured: Vec<Id>,
}

#[derive(Clone, Copy)]
pub enum Body<'p> {
    Expr(&'p Expr),
    /// A primitive that takes so many arguments.
    Primitive(&'p str, usize),
}

/// The code of a function that is still to be made.
pub enum Job<'p> {
    Body(Id, Substitution),
    /// What a closure of this type does that holds so many arguments of a function.
    Closure(FuncId, usize, Mono),
    /// Applies a closure of this type.
    Apply(Mono),
    Compare(Mono),
    /// The number of the constructor.
    Tag(Mono),
    Print(Mono),
    /// The rest of a list.
    PrintRest(Mono),
    Start(&'p [Item]),
}

/// What is kept when the program is compiled anew.
#[derive(Default)]
pub struct Knowledge {
    monos: Vec<(Name, Vec<Mono>)>,
    arities: BTreeMap<Mono, usize>,
    has_changed: bool,
}

pub struct Program<'p> {
    pub infer: &'p Infer,
    pub module: Module,
    pub knowledge: Knowledge,
    pub definitions: BTreeMap<Id, Definition<'p>>,
    pub globals: BTreeMap<Id, (Caf, Type)>,
    /// The prompt shows the values of items from this number on.
    pub shown: usize,
    pub messages: Vec<Diagnostic>,
    nodes: BTreeMap<(Mono, Name), Rc<Node>>,
    tables: BTreeMap<Mono, Table>,
    closures: BTreeMap<(FuncId, usize, Mono), Desc>,
    made: BTreeMap<(u8, Mono), FuncId>,
    instances: BTreeMap<(Id, Substitution), FuncId>,
    jobs: Vec<(FuncId, Job<'p>)>,
}

/// The IR of a program, and warnings; or errors.
pub fn module(
    items: &[Item],
    infer: &Infer,
    heap: Heap,
    shown: usize,
) -> Result<(Module, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut knowledge = Knowledge::default();
    loop {
        knowledge.has_changed = false;
        let mut program = Program {
            infer,
            module: Module::new("ml"),
            knowledge,
            definitions: BTreeMap::new(),
            globals: BTreeMap::new(),
            shown,
            messages: Vec::new(),
            nodes: BTreeMap::new(),
            tables: BTreeMap::new(),
            closures: BTreeMap::new(),
            made: BTreeMap::new(),
            instances: BTreeMap::new(),
            jobs: Vec::new(),
        };
        program.module.heap = heap;
        let start = program.function("start", &[], &[], Job::Start(items));
        program.module.start = Some(start);
        while let Some((id, job)) = program.jobs.pop() {
            let mut func = std::mem::take(&mut program.module.funcs[id]);
            let entry = func.new_block();
            let params = func.signature.params.clone();
            let params: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
            Code::new(&mut program, Builder::new(&mut func, entry)).run(job, &params);
            program.module.funcs[id] = func;
        }
        if program.messages.iter().any(|message| message.severity == cleave_diag::Severity::Error) {
            return Err(program.messages);
        }
        if !program.knowledge.has_changed {
            return Ok((program.module, program.messages));
        }
        knowledge = program.knowledge;
    }
}

impl<'p> Program<'p> {
    fn function(&mut self, name: &str, params: &[Type], results: &[Type], job: Job<'p>) -> FuncId {
        let name = format!("{name}.{}", self.module.funcs.len());
        let id = self.module.funcs.push(Func::new(name, Signature::new(params, results)));
        self.jobs.push((id, job));
        id
    }

    // -- types --

    pub fn mono(&mut self, ty: Ty, substitution: &Substitution) -> Mono {
        let (name, args) = match self.infer.types.of(ty) {
            types::Type::Con(name, args) => (name.clone(), args.clone()),
            // Nobody looks at values of an unknown type.
            _ => match substitution.get(&self.infer.types.root(ty)) {
                Some(&mono) => return mono,
                None => ("unit".into(), Vec::new()),
            },
        };
        let args = args.iter().map(|&arg| self.mono(arg, substitution)).collect();
        self.intern(name, args)
    }
    pub fn intern(&mut self, name: Name, args: Vec<Mono>) -> Mono {
        let (all, wanted) = (&mut self.knowledge.monos, (name, args));
        all.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            all.push(wanted);
            all.len() - 1
        })
    }
    pub fn of(&self, mono: Mono) -> (Name, Vec<Mono>) {
        self.knowledge.monos[mono].clone()
    }
    /// The constructors of a type that is declared.
    pub fn constructors(&self, mono: Mono) -> &'p [Name] {
        let infer = self.infer;
        infer.declared.get(&self.knowledge.monos[mono].0).map_or(&[], |declared| &declared.1)
    }
    /// A type of constructors without arguments: its values are their numbers.
    pub fn is_enumeration(&self, mono: Mono) -> bool {
        let names = self.constructors(mono);
        !names.is_empty() && names.iter().all(|name| self.infer.constructors[name].args.is_empty())
    }
    pub fn ty(&self, mono: Mono) -> Type {
        match &*self.knowledge.monos[mono].0 {
            "int" | "char" | "bool" | "unit" => Type::I64,
            "float" => Type::F64,
            _ if self.is_enumeration(mono) => Type::I64,
            _ => Type::Ref,
        }
    }
    /// The parameters and the result of functions of a type, of which so many arguments are given.
    pub fn arrows(&self, mut mono: Mono, count: usize) -> (Vec<Mono>, Mono) {
        let mut params = Vec::new();
        while params.len() < count
            && let (name, parts) = &self.knowledge.monos[mono]
            && &**name == "->"
        {
            params.push(parts[0]);
            mono = parts[1];
        }
        (params, mono)
    }

    /// How a constructor of a type is laid out: with its references first. Tuples and cells have an empty name.
    pub fn node(&mut self, mono: Mono, name: &str) -> Rc<Node> {
        let (of, args) = self.of(mono);
        if let Some(known) = self.nodes.get(&(mono, name.into())) {
            return known.clone();
        }
        let infer = self.infer;
        let fields = match infer.constructors.get(name) {
            Some(constructor) => {
                let substitution = constructor.params.iter().map(|&ty| infer.types.root(ty)).zip(args).collect();
                constructor.args.iter().map(|&arg| self.mono(arg, &substitution)).collect()
            }
            None => args,
        };
        let label = format!("{}.{}", if name.is_empty() { &of } else { name }, self.module.descs.len());
        let (desc, fields) = self.record(&label, &fields);
        self.module.descs[desc].name = name.as_bytes().into();
        let position = self.constructors(mono).iter().position(|known| **known == *name);
        self.module.descs[desc].tag = position.unwrap_or(0) as u32;
        let node = Rc::new(Node { name: name.into(), desc, shape: self.module.shape(desc, 0), fields });
        self.nodes.insert((mono, name.into()), node.clone());
        node
    }
    fn record(&mut self, label: &str, monos: &[Mono]) -> (Desc, Vec<(Mono, Type, u32)>) {
        let (mut refs, mut words, mut types) = (0, 0, Vec::new());
        let mut fields = Vec::new();
        for &mono in monos {
            let ty = self.ty(mono);
            let count = if ty == Type::Ref { &mut refs } else { &mut words };
            fields.push((mono, ty, *count));
            *count += 1;
            types.push(ty);
        }
        types.sort_by_key(|&ty| ty != Type::Ref);
        let data = if types.is_empty() { DescData::atom(label, 0) } else { DescData::record(label, 0, &types) };
        (self.module.descs.push(data), fields)
    }

    // -- functions --

    /// The function of a definition for these types, whose captured variables have these types.
    pub fn instance(&mut self, id: Id, substitution: Substitution, captured: &[Type]) -> FuncId {
        if let Some(&known) = self.instances.get(&(id, substitution.clone())) {
            return known;
        }
        let definition = &self.definitions[&id];
        let (name, ty, arity) = (definition.name.clone(), definition.ty, definition.arity());
        let mono = self.mono(ty, &substitution);
        let (params, result) = self.arrows(mono, arity);
        let types: Vec<Type> = captured.iter().copied().chain(params.iter().map(|&param| self.ty(param))).collect();
        let func = self.function(&name, &types, &[self.ty(result)], Job::Body(id, substitution.clone()));
        self.instances.insert((id, substitution), func);
        func
    }

    /// A function that exists once for each type.
    pub fn made(&mut self, sort: u8, mono: Mono, job: Job<'p>) -> FuncId {
        if let Some(&known) = self.made.get(&(sort, mono)) {
            return known;
        }
        let ty = self.ty(mono);
        let func = match job {
            Job::Compare(_) => self.function("compare", &[ty, ty], &[Type::I64], job),
            Job::Tag(_) => self.function("tag", &[ty], &[Type::I64], job),
            Job::Apply(_) => {
                let (params, result) = self.arrows(mono, self.arity(mono));
                let types: Vec<Type> = [ty].into_iter().chain(params.iter().map(|&param| self.ty(param))).collect();
                self.function("apply", &types, &[self.ty(result)], job)
            }
            _ => self.function("print", &[ty], &[], job),
        };
        self.made.insert((sort, mono), func);
        func
    }

    /// How many arguments the code of closures of a type takes.
    pub fn arity(&self, mono: Mono) -> usize {
        self.knowledge.arities.get(&mono).copied().unwrap_or_else(|| self.arrows(mono, usize::MAX).0.len())
    }

    /// The descriptor of closures that hold so many arguments of a function, which lacks the others.
    pub fn closure(&mut self, func: FuncId, held: usize, mono: Mono) -> Desc {
        let missing = self.module.funcs[func].signature.params.len() - held;
        if missing < self.arity(mono) {
            self.knowledge.arities.insert(mono, missing);
            self.knowledge.has_changed = true;
        }
        if let Some(&known) = self.closures.get(&(func, held, mono)) {
            return known;
        }
        let mut types = self.module.funcs[func].signature.params[..held].to_vec();
        types.sort_by_key(|&ty| ty != Type::Ref);
        let label = format!("fun.{}", self.module.descs.len());
        let data = if held == 0 { DescData::atom(&label, 0) } else { DescData::record(&label, 0, &types) };
        let table = self.table(mono);
        let signature = self.module.tables[table].signature.clone();
        let code = self.function("closure", &signature.params, &signature.results, Job::Closure(func, held, mono));
        self.module.tables[table].funcs.push(code);
        let data = DescData { name: "<fun>".as_bytes().into(), immutable: true, method: Some((table, code)), ..data };
        let desc = self.module.descs.push(data);
        self.closures.insert((func, held, mono), desc);
        desc
    }

    /// Through which closures of a type are called.
    pub fn table(&mut self, mono: Mono) -> Table {
        if let Some(&known) = self.tables.get(&mono) {
            return known;
        }
        let (params, result) = self.arrows(mono, self.arity(mono));
        let types: Vec<Type> = [Type::Ref].into_iter().chain(params.iter().map(|&param| self.ty(param))).collect();
        let signature = Signature::new(&types, &[self.ty(result)]);
        let label = format!("table.{}", self.module.tables.len());
        let table = self.module.tables.push(TableData { label, role: TableRole::Method, signature, funcs: Vec::new() });
        self.tables.insert(mono, table);
        table
    }

    // -- static data --

    pub fn text(&mut self, bytes: &[u8]) -> Static {
        self.module.statics.push(StaticData::String(bytes.into()))
    }
    pub fn global(&mut self, id: Id, ty: Type) -> Caf {
        let ptrs = u32::from(ty == Type::Ref);
        let caf = self.module.cafs.push(CafData { label: format!("global.{id}"), ptrs, nptrs: 1 - ptrs });
        self.globals.insert(id, (caf, ty));
        caf
    }
}

impl Definition<'_> {
    pub fn arity(&self) -> usize {
        match self.code {
            Body::Primitive(_, arity) => arity,
            Body::Expr(_) => self.params.len(),
        }
    }
}

/// The body and the parameters of what is bound to a variable.
pub fn parts_of(value: &Expr) -> (&Expr, Vec<(Name, Id, Ty)>) {
    match &value.kind {
        Kind::Lambda(_, params) => (&value.parts[0], params.clone()),
        _ => (value, Vec::new()),
    }
}

/// The instructions that read and write fields of a type, and static storage.
pub fn field_opcodes(ty: Type) -> [Opcode; 4] {
    match ty {
        Type::Ref => [Opcode::GetRef, Opcode::SetRef, Opcode::CafRef, Opcode::SetCafRef],
        Type::F64 => [Opcode::GetF64, Opcode::SetF64, Opcode::CafF64, Opcode::SetCafF64],
        _ => [Opcode::GetI64, Opcode::SetI64, Opcode::CafI64, Opcode::SetCafI64],
    }
}
