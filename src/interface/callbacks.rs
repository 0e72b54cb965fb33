//! Functions of the host that the program has: closures that hold words of the host. Called with all arguments they
//! hand these to the host.
//!
//! ```text
//! canonical, component   a cell with a number (`foreign`); `cabi_callback_N(number, arguments …)`, as the canonical ABI passes them
//! C           two words, a function and its context, and a cell for what drops the context, if there is something;
//!             `cleave_library_call_back(function, registers, words)`, where
//!             `registers` are what the function finds in the registers of its arguments, then words on the stack
//! ```
//! What a call passes lies in the buffer, which begins after that meanwhile: so the host may call the program again.

use crate::adapters::Adapter;
use crate::buffer::function;
use crate::layout::{Abi, Flat, MAX_FLAT_PARAMS};
use crate::resources;
use crate::wrong::end_if;
use cleave_ir::abi::passed::Passed;
use cleave_ir::interface::{Entry, InterfaceKind, InterfaceType, Representation};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{
    Builder, Desc, DescData, Effects, ExternData, FuncId, Opcode, RecordData, Signature, Table, Type, Value,
    WellKnownDesc,
};

pub use crate::outside::HOST;

/// The module that a component imports what it does with handles from.
pub const RESOURCES: &str = "resource";

fn is_of_resources(data: &ExternData) -> bool {
    data.from.as_deref() == Some(RESOURCES)
}

/// The name of the function of the host for functions of a type.
pub fn name(id: InterfaceType) -> String {
    format!("cabi_callback_{}", id.as_u32())
}

/// The name of the entry that makes a function of the host one for the program.
pub fn constructor(id: InterfaceType) -> String {
    format!("cabi_new_{}", id.as_u32())
}

/// The function of the runtime that calls those of C.
const CALL_C: &str = "cleave_library_call_back";
/// Words for registers, as the runtime loads them: integers, reals, then the stack.
const WORDS: u32 = 6;
const REALS: u32 = 8;

/// A function of the host.
pub enum Called {
    /// That is imported by a name, and takes a number before its arguments.
    Named(String, Option<Value>),
    /// Of C, with its context.
    Function(Value, Value),
    /// Of C, by its number among those that the host has given, and what it is called in messages.
    Given(u32, String),
}

impl Adapter<'_> {
    /// The closure of a handle: one of the program, or if the number is negative, a function of the host. What a
    /// component gets in data is its own: the handle has the number, and is dropped.
    pub fn function_in(&mut self, b: &mut Builder, ty: InterfaceType, handle: Value) -> Value {
        match self.abi {
            Abi::C => return self.held(b, ty, handle),
            Abi::Component => {
                let number = self.call_resource(b, "rep", ty, handle, Effects::EFFECT);
                let held = self.held(b, ty, number[0]);
                self.call_resource(b, "drop", ty, handle, self.effects());
                return held;
            }
            Abi::Canonical => {}
        }
        let (ours, theirs, after) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let closure = b.func.add_param(after, Type::Ref);
        let zero = b.iconst32(0);
        let is_theirs = b.op(Opcode::Slt, &[handle, zero]);
        b.br_if(is_theirs, (theirs, &[]), (ours, &[]));
        b.switch_to(theirs);
        let mask = b.iconst32(i32::MAX);
        let number = b.op(Opcode::And, &[handle, mask]);
        let number = b.op(Opcode::ExtendU, &[number]);
        let made = self.callback(b, ty, &[number]);
        b.jump(after, &[made]);
        b.switch_to(ours);
        let held = self.held(b, ty, handle);
        b.jump(after, &[held]);
        b.switch_to(after);
        closure
    }

    /// The handle of a closure that the host gets.
    pub fn function_out(&mut self, b: &mut Builder, ty: InterfaceType, closure: Value) -> Value {
        let number = self.hold(b, ty, closure);
        match self.abi {
            Abi::Component => self.call_resource(b, "new", ty, number, Effects::EFFECT)[0],
            Abi::Canonical | Abi::C => number,
        }
    }

    /// Calls what the Component Model has for handles of the resource of a type. To drop one calls the program.
    pub fn call_resource(
        &mut self,
        b: &mut Builder,
        what: &str,
        ty: InterfaceType,
        handle: Value,
        effects: Effects,
    ) -> Vec<Value> {
        let name = format!("{what}_{}", ty.as_u32());
        let known = self.module.externs.iter().find(|(_, data)| *data.name == name && is_of_resources(data));
        let known = known.map(|(id, _)| id);
        let id = known.unwrap_or_else(|| {
            self.module.externs.push(ExternData {
                name: name.into(),
                params: vec![Type::I32].into(),
                results: if matches!(what, "drop" | "forget") { Vec::new() } else { vec![Type::I32] }.into(),
                effects,
                from: Some(RESOURCES.into()),
            })
        });
        let inst = b.call_extern(self.module.callee(id), &[handle]);
        b.func.results(inst).to_vec()
    }

    /// The entry by which a host makes a function of the program of one of its own: in C from its address and its
    /// context; in a component from a handle.
    pub fn constructor(&mut self, ty: InterfaceType) {
        let name = format!("interface.new.{}", ty.as_u32());
        let is_c = self.abi == Abi::C;
        let (params, results) =
            if is_c { (vec![Type::I64; 4], Vec::new()) } else { (vec![Type::I32], vec![Type::I32]) };
        let (mut func, entry, params) = function(&name, &params, &results);
        let mut b = Builder::new(&mut func, entry);
        if is_c {
            self.refuse_null(&mut b, params[0], "function of the host: argument 1 (\"call\")");
            self.refuse_null(&mut b, params[3], "function of the host: the result");
            let made = self.callback(&mut b, ty, &params[..3]);
            let handle = self.hold(&mut b, ty, made);
            b.effect(Opcode::StoreI64, &[params[3], handle]);
            b.ret(&[]);
        } else {
            let number = b.op(Opcode::ExtendU, &[params[0]]);
            let made = self.callback(&mut b, ty, &[number]);
            let handle = self.function_out(&mut b, ty, made);
            b.ret(&[handle]);
        }
        let func = self.module.funcs.push(func);
        self.module.entries.push(Entry { name: constructor(ty), func, narrow: (Vec::new(), false) });
    }

    /// A closure of the host: of its number, or in C of a function, its context and what drops that.
    fn callback(&mut self, b: &mut Builder, ty: InterfaceType, words: &[Value]) -> Value {
        let (desc, is_method) = (self.callback_desc(ty), self.table(ty).is_some());
        let mut held = match self.abi {
            Abi::C => vec![self.context(b, ty, words[1], words[2])],
            Abi::Canonical | Abi::Component => vec![self.foreign_cell(b, ty, words[0])],
        };
        if self.abi == Abi::C {
            let int = WellKnownDesc::Int.desc();
            let own = words[..2].iter().map(|&word| if is_method { word } else { b.build_node(int, 0, &[word]) });
            held.extend(own);
        }
        b.build_node(desc, if is_method { 0 } else { held.len() as u32 }, &held)
    }

    /// The cell for a context that has to be dropped.
    fn context(&mut self, b: &mut Builder, ty: InterfaceType, context: Value, drop: Value) -> Value {
        let (some, done) = (b.func.new_block(), b.func.new_block());
        let cell = b.func.add_param(done, Type::Ref);
        let nothing = b.node(WellKnownDesc::Empty.desc());
        let zero = b.iconst64(0);
        let is_there = b.op(Opcode::Ne, &[drop, zero]);
        b.br_if(is_there, (some, &[]), (done, &[nothing]));
        b.switch_to(some);
        let made = self.foreign_in(b, ty, &[context, drop]);
        b.jump(done, &[made]);
        b.switch_to(done);
        cell
    }

    /// References and words that closures of the host hold.
    fn held_by(&self, is_method: bool) -> (u32, u32) {
        match (self.abi, is_method) {
            (Abi::C, true) => (1, 2),
            (Abi::C, false) => (3, 0),
            (Abi::Canonical | Abi::Component, _) => (1, 0),
        }
    }

    /// The descriptor of closures of the host of a type.
    fn callback_desc(&mut self, ty: InterfaceType) -> Desc {
        if let Some(known) = self.callbacks[ty] {
            return known;
        }
        let InterfaceKind::Function(params, _) = &self.data(ty).kind else { unreachable!("it is a function") };
        let table = self.table(ty);
        let (ptrs, nptrs) = self.held_by(table.is_some());
        let arity = if table.is_some() { 0 } else { params.len() as u32 + ptrs };
        let label = format!("interface.callback.{}", ty.as_u32());
        let types = [vec![b'a'; ptrs as usize], vec![b'i'; nptrs as usize]].concat();
        let record = RecordData { ptrs, nptrs, types: types.into(), nested: Vec::new() };
        let desc = self.module.descs.push(DescData {
            name: "<host>".as_bytes().into(),
            label: label.clone(),
            kind: if table.is_some() { DescriptorKind::Record } else { DescriptorKind::Constructor },
            arity,
            record: table.is_some().then_some(record),
            tag: 0,
            apply: Vec::new(),
            method: None,
            callable: table.is_none(),
            contiguous: table.is_some(),
            immutable: table.is_none(),
        });
        self.callbacks[ty] = Some(desc);
        if let Some(table) = table {
            let signature = self.module.tables[table].signature.clone();
            let code = self.call_host(ty, &signature, Some(desc));
            self.module.descs[desc].method = Some((table, code));
            return desc;
        }
        let signature = Signature::new(&vec![Type::Ref; arity as usize], &[Type::Ref]);
        let call = self.call_host(ty, &signature, None);
        // Closures with so many arguments, which are applied to all others.
        let mut apply = vec![None];
        for held in 1..arity {
            let params = vec![Type::Ref; (arity - held) as usize + 1];
            let (mut func, entry, params) = function(&format!("{label}.{held}"), &params, &[Type::Ref]);
            let mut b = Builder::new(&mut func, entry);
            let shape = self.module.shape(desc, held);
            let mut args: Vec<Value> = (0..held).map(|at| b.get_of(Opcode::GetRef, shape, at, params[0])).collect();
            args.extend(&params[1..]);
            let result = b.call_value(call, &args, Type::Ref);
            b.ret(&[result]);
            apply.push(Some(self.module.funcs.push(func)));
        }
        self.module.descs[desc].apply = apply;
        desc
    }

    /// The table through which functions of a type are called.
    pub fn table(&self, ty: InterfaceType) -> Option<Table> {
        match self.data(ty).representation {
            Representation::Closure(table) => table,
            _ => None,
        }
    }

    /// The code behind a closure of the host: it takes the closure with its words (`desc`), or these in nodes, then the
    /// arguments.
    fn call_host(&mut self, ty: InterfaceType, signature: &Signature, desc: Option<Desc>) -> FuncId {
        let InterfaceKind::Function(params, results) = &self.data(ty).kind else { unreachable!("it is a function") };
        let label = format!("interface.call_host.{}", ty.as_u32());
        let (mut func, entry, args) = function(&label, &signature.params, &signature.results);
        let mut b = Builder::new(&mut func, entry);
        let (ptrs, nptrs) = self.held_by(desc.is_some());
        let own = if desc.is_some() { 1 } else { ptrs as usize };
        let mut lent = None;
        let words: Vec<Value> = match (self.abi, desc) {
            (Abi::C, Some(desc)) => {
                let shape = self.module.shape(desc, 0);
                (0..nptrs).map(|at| b.get_of(Opcode::GetI64, shape, at, args[0])).collect()
            }
            (Abi::C, None) => {
                let shape = self.module.shape(WellKnownDesc::Int.desc(), 0);
                let word = |&boxed: &Value| {
                    let node = b.op(Opcode::Eval, &[boxed]);
                    b.get_of(Opcode::GetI64, shape, 0, node)
                };
                args[1..own].iter().map(word).collect()
            }
            (Abi::Canonical | Abi::Component, _) => {
                let cell = match desc {
                    Some(desc) => b.get_of(Opcode::GetRef, self.module.shape(desc, 0), 0, args[0]),
                    None => b.op(Opcode::Eval, &args[..1]),
                };
                lent = (self.abi == Abi::Component).then_some(cell);
                vec![self.foreign_number(&mut b, cell)]
            }
        };
        let called = match self.abi {
            Abi::Canonical | Abi::Component => Called::Named(name(ty), Some(words[0])),
            Abi::C => Called::Function(words[0], words[1]),
        };
        let value = self.call_and_close(&mut b, called, (params, &args[own..]), (results, &signature.results));
        lent.into_iter().for_each(|cell| _ = self.foreign_number(&mut b, cell));
        b.ret(value.as_slice());
        self.module.funcs.push(func)
    }

    /// Calls a function of the host: what it gives, or what stands for nothing.
    pub fn call_and_close(
        &mut self,
        b: &mut Builder,
        called: Called,
        args: (&[InterfaceType], &[Value]),
        (results, wanted): (&[InterfaceType], &[Type]),
    ) -> Option<Value> {
        let before = self.with_buffer(|buffer, _| buffer.open(b));
        let values = match called {
            Called::Named(name, number) => self.call_by_name(b, name, number, args, results),
            called => self.call_by_address(b, called, args, results),
        };
        self.with_buffer(|buffer, _| buffer.close(b, before));
        let wanted = wanted.first()?;
        Some(values.first().copied().unwrap_or_else(|| match wanted {
            Type::I32 => b.iconst32(0),
            Type::I64 => b.iconst64(0),
            Type::F64 => b.fconst(0),
            // What says nothing has one value only, and nobody looks at it.
            Type::Ref => b.node(WellKnownDesc::Empty.desc()),
        }))
    }

    /// Calls a function that is imported, perhaps with a number before its arguments.
    fn call_by_name(
        &mut self,
        b: &mut Builder,
        name: String,
        number: Option<Value>,
        (params, args): (&[InterfaceType], &[Value]),
        results: &[InterfaceType],
    ) -> Vec<Value> {
        let taken = match number {
            Some(_) => self.layouts.after_handle(params),
            None => self.layouts.sequence(params),
        };
        let given = self.layouts.sequence(results);
        let number = number.map(|number| b.op(Opcode::Wrap, &[number]));
        let mut passed = Vec::from_iter(number);
        if taken.flat.len() > MAX_FLAT_PARAMS {
            let place = self.room(b, taken.size);
            number.into_iter().for_each(|number| b.effect(Opcode::StoreI32, &[place, number]));
            for ((&param, &at), &value) in params.iter().zip(&taken.offsets[0]).zip(args) {
                self.store(b, param, value, place, at);
            }
            passed = vec![place];
        } else {
            params.iter().zip(args).for_each(|(&param, &value)| self.lower_flat(b, param, value, &mut passed));
        }
        let place = (given.flat.len() > 1).then(|| self.room(b, given.size));
        passed.extend(place);
        let own = if place.is_none() { given.flat.as_slice() } else { &[] };
        let types: Vec<Type> = passed.iter().map(|&value| b.func.values[value]).collect();
        let host = self.module.externs.push(ExternData {
            name: name.into(),
            params: types.into(),
            results: own.iter().map(|flat| flat.ir()).collect::<Vec<Type>>().into(),
            effects: self.effects(),
            from: Some(HOST.into()),
        });
        self.with_buffer(|buffer, _| buffer.begin_inner(b));
        let inst = b.call_extern(self.module.callee(host), &passed);
        let flat = b.func.results(inst).to_vec();
        let mut flat = &flat[..];
        let is_named = number.is_none();
        let mut result = |this: &mut Self, b: &mut Builder, ty| match place {
            // What it imports gives a component functions of the host, as constructors get them.
            None if is_named && this.abi == Abi::Component && resources::is_function(this.types, ty) => {
                let handle = b.op(Opcode::ExtendU, &[flat[0]]);
                this.callback(b, ty, &[handle])
            }
            Some(place) => this.load(b, ty, place, 0),
            None => this.lift(b, ty, &mut flat),
        };
        results.first().map(|&ty| result(self, b, ty)).into_iter().collect()
    }

    /// A function that may call the program.
    pub fn effects(&self) -> Effects {
        let heap = if self.module.heap.counts() { Effects::HEAP } else { Effects::MAY_GC };
        heap.and(Effects::EFFECT)
    }

    fn room(&mut self, b: &mut Builder, bytes: u32) -> Value {
        let size = b.iconst64(i64::from(bytes));
        self.with_buffer(|buffer, _| buffer.allocate(b, size))
    }

    /// Calls a function of C: its context, then the arguments, then where the result goes.
    fn call_by_address(
        &mut self,
        b: &mut Builder,
        called: Called,
        (params, args): (&[InterfaceType], &[Value]),
        results: &[InterfaceType],
    ) -> Vec<Value> {
        let context = match called {
            Called::Function(_, context) => context,
            _ => b.iconst64(0),
        };
        let mut passed = vec![(context, Flat::I64)];
        for (&param, &value) in params.iter().zip(args) {
            match self.passed(param) {
                Some(flat) => {
                    let mut own = Vec::new();
                    self.lower_flat(b, param, value, &mut own);
                    passed.extend(own.into_iter().zip(flat));
                }
                None => {
                    let place = self.room(b, self.layouts.get(param).size);
                    self.store(b, param, value, place, 0);
                    passed.push((place, Flat::I64));
                }
            }
        }
        let given = self.layouts.sequence(results);
        let place = (!results.is_empty()).then(|| self.room(b, given.size.max(8)));
        if let Some(place) = place {
            let zero = b.iconst64(0);
            (0..given.size.div_ceil(8))
                .for_each(|at| _ = b.inst(Opcode::StoreI64, u64::from(8 * at), 0, &[place, zero]));
        }
        passed.extend(place.map(|place| (place, Flat::I64)));
        let (mut integers, mut reals, mut rest) = (0, 0, 0);
        let places: Vec<u32> = passed
            .iter()
            .map(|(_, flat)| {
                let (used, most, first) = match flat {
                    Flat::F32 | Flat::F64 => (&mut reals, REALS, WORDS),
                    Flat::I32 | Flat::I64 => (&mut integers, WORDS, 0),
                };
                let (counted, first) = if *used < most { (used, first) } else { (&mut rest, WORDS + REALS) };
                *counted += 1;
                8 * (first + *counted - 1)
            })
            .collect();
        let registers = self.room(b, 8 * (WORDS + REALS + rest));
        for ((value, flat), at) in passed.into_iter().zip(places) {
            let (op, value) = match flat {
                Flat::F32 => (Opcode::StoreF32, value),
                Flat::F64 => (Opcode::StoreF64, value),
                Flat::I64 => (Opcode::StoreI64, value),
                Flat::I32 => (Opcode::StoreI64, b.op(Opcode::ExtendS, &[value])),
            };
            b.inst(op, u64::from(at), 0, &[registers, value]);
        }
        let what = match &called {
            Called::Given(_, name) => format!("The function {name} of the host: its result"),
            _ => "A function of the host: its result".into(),
        };
        let function = match called {
            Called::Given(number, name) => self.given(b, number, &name, registers),
            Called::Function(function, _) => function,
            Called::Named(..) => unreachable!("it has an address"),
        };
        self.with_buffer(|buffer, _| buffer.begin_inner(b));
        let rest = b.iconst64(i64::from(rest));
        // The reference-counted heap has no stack of references.
        let counts = self.module.heap.counts();
        let host = self.module.externs.iter().find(|(_, data)| data.name == CALL_C).map(|(id, _)| id);
        let host = host.unwrap_or_else(|| {
            self.module.externs.push(ExternData {
                name: CALL_C.into(),
                params: [&[Type::I32][..], &[Type::I64; 3]].concat()[usize::from(!counts)..].to_vec().into(),
                results: Vec::new().into(),
                effects: self.effects(),
                from: Some(HOST.into()),
            })
        });
        let nowhere = b.iconst32(0);
        let all = [nowhere, function, registers, rest];
        b.call_extern(self.module.callee(host), &all[usize::from(!counts)..]);
        let Some((&ty, place)) = results.first().zip(place) else { return Vec::new() };
        if let Some(reason) = self.look_at(b, ty, place, 0) {
            end_if(self.module, b, reason, &what, Passed::Result);
        }
        vec![self.load(b, ty, place, 0)]
    }
}
