//! Makes of each export an entry: a function that takes and gives numbers, as the canonical ABI says.
//!
//! Values in memory are read and written by one function for each type, so that the code is as large as the interface.
//! Lists have a file of their own.

use crate::buffer::{Buffer, function, require};
use crate::handles::Handles;
use crate::layout::{Abi, Flat, Layouts};
use crate::names;
use crate::numbers::access;
use cleave_ir::interface::{
    Entry, Export, FieldIn, Interface, InterfaceKind, InterfaceType, InterfaceTypeData, NodeLayout, Representation,
};
use cleave_ir::{Builder, Desc, FuncId, Module, Opcode, SecondaryMap, Type, Value};

/// Makes the entries of all exports; the module has no other interface afterwards. Gives what it was.
pub fn adapt(module: &mut Module, abi: Abi) -> Interface {
    let mut interface = std::mem::take(&mut module.interface);
    // A program with a start function has no host that answers: its own code stays.
    interface.imports.retain(|import| module.start.is_none() || import.func().is_none());
    let layouts = Layouts::by(abi, &interface);
    let (read, write) = (SecondaryMap::new(), SecondaryMap::new());
    let is_lazy = !module.thunk_infos.is_empty();
    let own = module.funcs.len();
    let mut adapter = Adapter {
        module,
        types: &interface,
        abi,
        layouts,
        buffer: None,
        handles: None,
        callbacks: SecondaryMap::new(),
        foreign: None,
        is_lazy,
        read,
        write,
        look: SecondaryMap::new(),
    };
    for export in interface.exports.iter().filter(|export| !export.waits || abi == Abi::C) {
        match abi {
            Abi::Canonical | Abi::Component => adapter.export(export),
            Abi::C => adapter.export_to_c(export),
        }
    }
    adapter.imports();
    adapter.waiting();
    adapter.calls();
    adapter.forget_at_ends();
    names::rename(module, own);
    interface
}

pub struct Adapter<'a> {
    pub module: &'a mut Module,
    pub types: &'a Interface,
    pub abi: Abi,
    pub layouts: Layouts,
    pub buffer: Option<Buffer>,
    pub handles: Option<Handles>,
    /// Descriptors of closures that call the host.
    pub callbacks: SecondaryMap<InterfaceType, Option<Desc>>,
    /// The descriptor of objects of the host.
    pub foreign: Option<Desc>,
    /// References may lead to thunks.
    is_lazy: bool,
    read: SecondaryMap<InterfaceType, Option<FuncId>>,
    write: SecondaryMap<InterfaceType, Option<FuncId>>,
    /// What looks at functions inside of data of C.
    pub look: SecondaryMap<InterfaceType, Option<FuncId>>,
}

impl<'a> Adapter<'a> {
    pub fn data(&self, ty: InterfaceType) -> &'a InterfaceTypeData {
        &self.types.types[ty]
    }

    pub fn with_buffer<T>(&mut self, work: impl FnOnce(&mut Buffer, &mut Module) -> T) -> T {
        let mut buffer = self.buffer.take().unwrap_or_else(|| Buffer::new(self.module, self.abi));
        let result = work(&mut buffer, self.module);
        self.buffer = Some(buffer);
        result
    }

    pub fn export(&mut self, export: &Export) {
        let params: Vec<InterfaceType> = export.params.iter().map(|param| param.1).collect();
        let (taken, given) = (self.layouts.sequence(&params), self.layouts.sequence(&export.results));
        let flat = self.flat_arguments(&params);
        let result = if given.flat.len() > 1 { vec![Flat::I32] } else { given.flat.clone() };
        let ir = |flat: &[Flat]| flat.iter().map(|flat| flat.ir()).collect::<Vec<Type>>();
        let (mut func, entry, values) = function(&format!("interface.{}", export.name), &ir(&flat), &ir(&result));
        let mut b = Builder::new(&mut func, entry);
        self.begin_call(&mut b, export);
        let args = self.arguments(&mut b, &params, &values);
        if let Some(buffer) = &self.buffer
            && taken.flat.len() > 1
        {
            buffer.reset(&mut b);
        }
        let types = self.module.funcs[export.func].signature.results.to_vec();
        let inst = b.call(export.func, &args, &types);
        let results = b.func.results(inst).to_vec();
        if given.flat.len() > 1 {
            let size = b.iconst64(i64::from(given.size));
            let place = self.with_buffer(|buffer, _| buffer.allocate(&mut b, size));
            for ((&ty, &at), &value) in export.results.iter().zip(&given.offsets[0]).zip(&results) {
                self.store(&mut b, ty, value, place, at);
            }
            b.ret(&[place]);
            let (name, func) = (format!("cabi_post_{}", export.name), self.with_buffer(Buffer::post));
            self.module.entries.push(Entry { name, func, narrow: (Vec::new(), false) });
        } else {
            let value = export.results.first().map(|&ty| self.lower(&mut b, ty, results[0]));
            b.ret(value.as_slice());
        }
        let narrow = (0..).zip(&flat).filter(|(_, flat)| **flat == Flat::F32).map(|(at, _)| at).collect();
        let func = self.module.funcs.push(func);
        let entry = Entry { name: export.name.clone(), func, narrow: (narrow, result[..] == [Flat::F32]) };
        self.module.entries.push(entry);
    }

    pub fn require(&mut self, b: &mut Builder, condition: Value, message: &str) {
        require(self.module, b, condition, message);
    }

    pub fn is_number(&self, ty: InterfaceType) -> bool {
        let data = self.data(ty);
        let is_primitive = matches!(data.kind, InterfaceKind::Primitive(_));
        is_primitive || matches!(data.representation, Representation::Scalar(..))
    }

    pub fn evaluated(&self, b: &mut Builder, node: Value) -> Value {
        if self.is_lazy { b.op(Opcode::Eval, &[node]) } else { node }
    }

    // -- from the host ------------------------------------------------------------------------------------------------

    /// A value of flat ones.
    pub fn lift(&mut self, b: &mut Builder, ty: InterfaceType, flat: &mut &[Value]) -> Value {
        let count = self.layouts.get(ty).flat.len();
        let (own, rest) = flat.split_at(count);
        *flat = rest;
        if self.is_number(ty) {
            return self.number_in(b, ty, own[0]);
        }
        let data = self.data(ty);
        match &data.kind {
            InterfaceKind::String => {
                let string = self.with_buffer(|buffer, module| buffer.read_string(module, b, own[0], own[1]));
                boxed(b, data, string)
            }
            InterfaceKind::Function(..) => self.function_in(b, ty, own[0]),
            InterfaceKind::Foreign(_) => self.foreign_in(b, ty, own),
            InterfaceKind::List(_) => {
                let read = self.reader(ty);
                b.call_value(read, own, Type::Ref)
            }
            InterfaceKind::Tuple(_) | InterfaceKind::Record(..) => {
                let mut own = own;
                let parts: Vec<Value> = data.cases()[0].iter().map(|&part| self.lift(b, part, &mut own)).collect();
                self.build(b, &nodes(data)[0], &parts)
            }
            _ => {
                let (all, joined) = (data.cases(), self.layouts.get(ty).flat.clone());
                self.choose_number(b, own[0], all.len(), |this, b, number| {
                    let wanted = this.layouts.sequence(&all[number]).flat;
                    let values = own[1..].iter().zip(&joined[1..]).zip(&wanted);
                    let values: Vec<Value> =
                        values.map(|((&value, &from), &to)| this.unjoin(b, value, from, to)).collect();
                    let mut rest = &values[..];
                    let parts: Vec<Value> = all[number].iter().map(|&part| this.lift(b, part, &mut rest)).collect();
                    this.build(b, &nodes(data)[number], &parts)
                })
            }
        }
    }

    /// A node of one case for each number.
    fn choose_number(
        &mut self,
        b: &mut Builder,
        number: Value,
        cases: usize,
        mut make: impl FnMut(&mut Self, &mut Builder, usize) -> Value,
    ) -> Value {
        let count = b.iconst32(cases as i32);
        let known = b.op(Opcode::Ult, &[number, count]);
        self.require(b, known, "The host passed a case that does not exist.");
        let after = b.func.new_block();
        let result = b.func.add_param(after, Type::Ref);
        for case in 0..cases {
            let next = (case + 1 < cases).then(|| b.func.new_block());
            if let Some(next) = next {
                let this = b.func.new_block();
                let tested = b.iconst32(case as i32);
                let is_it = b.op(Opcode::Eq, &[number, tested]);
                b.br_if(is_it, (this, &[]), (next, &[]));
                b.switch_to(this);
            }
            let value = make(self, b, case);
            b.jump(after, &[value]);
            next.into_iter().for_each(|next| b.switch_to(next));
        }
        b.switch_to(after);
        result
    }

    pub fn build(&mut self, b: &mut Builder, case: &NodeLayout, parts: &[Value]) -> Value {
        if parts.is_empty() {
            return b.node(case.desc);
        }
        let mut fields: Vec<(FieldIn, Value)> = case.fields.iter().copied().zip(parts.iter().copied()).collect();
        fields.sort_by_key(|(field, _)| match *field {
            FieldIn::Ref(at) => (false, at),
            FieldIn::Word(at) => (true, at),
        });
        let fields: Vec<Value> = fields
            .into_iter()
            .map(|(field, value)| match (field, b.func.values[value]) {
                (FieldIn::Word(_), Type::I32) => b.op(Opcode::ExtendU, &[value]),
                _ => value,
            })
            .collect();
        b.build_node(case.desc, case.applied_args, &fields)
    }

    /// A value at an address of the buffer.
    pub fn load(&mut self, b: &mut Builder, ty: InterfaceType, address: Value, at: u32) -> Value {
        let load = |b: &mut Builder, op| b.value(op, u64::from(at), 0, &[address]);
        if self.is_number(ty) {
            let value = load(b, access(self.data(ty), self.layouts.get(ty)).0);
            return self.number_in(b, ty, value);
        }
        let word = if self.abi == Abi::C { Opcode::LoadI64 } else { Opcode::LoadI32 };
        if matches!(self.data(ty).kind, InterfaceKind::Function(..)) {
            let handle = load(b, word);
            return self.function_in(b, ty, handle);
        }
        let has_two = match self.data(ty).kind {
            InterfaceKind::String | InterfaceKind::List(_) => true,
            InterfaceKind::Foreign(_) if self.abi == Abi::C => true,
            InterfaceKind::Foreign(_) => {
                let number = load(b, word);
                return self.foreign_in(b, ty, &[number]);
            }
            _ => false,
        };
        if has_two {
            let after = u64::from(at + self.abi.address_bytes());
            let own = [load(b, word), b.value(word, after, 0, &[address])];
            return self.lift(b, ty, &mut &own[..]);
        }
        let place = offset(b, address, at);
        let read = self.reader(ty);
        b.call_value(read, &[place], Type::Ref)
    }

    /// The function that reads values of a type: a list of its address and length, all else of its address.
    pub fn reader(&mut self, ty: InterfaceType) -> FuncId {
        if let Some(known) = self.read[ty] {
            return known;
        }
        let (data, layout) = (self.data(ty), self.layouts.get(ty).clone());
        let list = if let InterfaceKind::List(element) = data.kind { Some(element) } else { None };
        let params = vec![self.abi.address(); if list.is_some() { 2 } else { 1 }];
        let (mut func, entry, params) = function(&format!("interface.read.{}", ty.as_u32()), &params, &[Type::Ref]);
        let mut b = Builder::new(&mut func, entry);
        let address = params[0];
        let value = match list {
            Some(element) => match data.unboxed() {
                Representation::Array(kind) => {
                    let array = self.read_array(&mut b, element, *kind, address, params[1]);
                    boxed(&mut b, data, array)
                }
                _ => self.read_list(&mut b, element, nodes(data), address, params[1]),
            },
            None if layout.discriminant == 0 => {
                self.load_parts(&mut b, &nodes(data)[0], &data.cases()[0], &layout.offsets[0], address)
            }
            None => {
                let op = [Opcode::LoadU8, Opcode::LoadU16, Opcode::LoadI32][layout.discriminant as usize / 2];
                let number = b.value(op, 0, 0, &[address]);
                let all = data.cases();
                self.choose_number(&mut b, number, all.len(), |this, b, number| {
                    this.load_parts(b, &nodes(data)[number], &all[number], &layout.offsets[number], address)
                })
            }
        };
        b.ret(&[value]);
        let func = self.module.funcs.push(func);
        self.read[ty] = Some(func);
        func
    }

    fn load_parts(
        &mut self,
        b: &mut Builder,
        case: &NodeLayout,
        parts: &[InterfaceType],
        offsets: &[u32],
        address: Value,
    ) -> Value {
        let parts: Vec<Value> = parts.iter().zip(offsets).map(|(&part, &at)| self.load(b, part, address, at)).collect();
        self.build(b, case, &parts)
    }

    // -- to the host --------------------------------------------------------------------------------------------------

    /// The only flat value of one.
    fn lower(&mut self, b: &mut Builder, ty: InterfaceType, value: Value) -> Value {
        if self.is_number(ty) {
            return self.number_out(b, ty, value);
        }
        let data = self.data(ty);
        let node = self.evaluated(b, value);
        match data.kind {
            InterfaceKind::Function(..) => return self.function_out(b, ty, node),
            InterfaceKind::Foreign(_) => return self.foreign_out(b, ty, node),
            _ => {}
        }
        if self.layouts.get(ty).discriminant == 0 {
            let part = data.cases()[0][0];
            self.expect(b, node, &nodes(data)[0]);
            let value = self.field(b, &nodes(data)[0], 0, part, node);
            return self.lower(b, part, value);
        }
        let after = b.func.new_block();
        let result = b.func.add_param(after, Type::I32);
        self.choose_node(b, node, nodes(data), |_, b, number| {
            let number = b.iconst32(number as i32);
            b.jump(after, &[number]);
        });
        b.switch_to(after);
        result
    }

    pub fn choose_node(
        &mut self,
        b: &mut Builder,
        node: Value,
        nodes: &[NodeLayout],
        mut make: impl FnMut(&mut Self, &mut Builder, usize),
    ) {
        let header = b.op(Opcode::Header, &[node]);
        for (number, case) in nodes.iter().enumerate() {
            let next = (number + 1 < nodes.len()).then(|| b.func.new_block());
            if let Some(next) = next {
                let this = b.func.new_block();
                let tested = b.node_info(case.desc, case.applied_args);
                let is_it = b.op(Opcode::Eq, &[header, tested]);
                b.br_if(is_it, (this, &[]), (next, &[]));
                b.switch_to(this);
            } else {
                self.expect(b, node, case);
            }
            make(self, b, number);
            next.into_iter().for_each(|next| b.switch_to(next));
        }
    }

    /// An evaluated node is of this case, or the program ends: if somebody only claims it.
    pub fn expect(&mut self, b: &mut Builder, node: Value, case: &NodeLayout) {
        if self.types.claimed {
            let header = b.op(Opcode::Header, &[node]);
            let wanted = b.node_info(case.desc, case.applied_args);
            let is_it = b.op(Opcode::Eq, &[header, wanted]);
            self.require(b, is_it, "A value of the program is not of the type that the interface says.");
        }
    }

    /// The string, array or cell of a value.
    pub fn unboxed(&mut self, b: &mut Builder, data: &InterfaceTypeData, node: Value) -> Value {
        let Representation::Boxed(case, _) = &data.representation else { return node };
        self.expect(b, node, case);
        b.get_of(Opcode::GetRef, self.module.shape(case.desc, case.applied_args), 0, node)
    }

    pub fn field(
        &mut self,
        b: &mut Builder,
        case: &NodeLayout,
        number: usize,
        part: InterfaceType,
        node: Value,
    ) -> Value {
        let shape = self.module.shape(case.desc, case.applied_args);
        match case.fields[number] {
            FieldIn::Ref(at) => b.get_of(Opcode::GetRef, shape, at, node),
            FieldIn::Word(at) => match self.data(part).ir_type() {
                Type::F64 => b.get_of(Opcode::GetF64, shape, at, node),
                ty => {
                    let word = b.get_of(Opcode::GetI64, shape, at, node);
                    if ty == Type::I32 { b.op(Opcode::Wrap, &[word]) } else { word }
                }
            },
        }
    }

    /// Writes a value to an address of the buffer.
    pub fn store(&mut self, b: &mut Builder, ty: InterfaceType, value: Value, address: Value, at: u32) {
        if self.is_number(ty) {
            let value = self.number_out(b, ty, value);
            let (_, op) = access(self.data(ty), self.layouts.get(ty));
            b.inst(op, u64::from(at), 0, &[address, value]);
            if self.layouts.get(ty).size == 2 {
                let eight = b.iconst32(8);
                let high = b.op(Opcode::Ushr, &[value, eight]);
                b.inst(Opcode::StoreU8, u64::from(at + 1), 0, &[address, high]);
            }
            return;
        }
        let node = self.evaluated(b, value);
        if matches!(self.data(ty).kind, InterfaceKind::Function(..)) {
            let handle = self.function_out(b, ty, node);
            let word = if self.abi == Abi::C { Opcode::StoreI64 } else { Opcode::StoreI32 };
            b.inst(word, u64::from(at), 0, &[address, handle]);
            return;
        }
        let place = offset(b, address, at);
        if matches!(self.data(ty).kind, InterfaceKind::Foreign(_)) {
            if self.abi == Abi::C {
                return self.lend(b, ty, node, place);
            }
            let number = self.foreign_out(b, ty, node);
            b.effect(Opcode::StoreI32, &[place, number]);
            return;
        }
        if self.data(ty).kind == InterfaceKind::String {
            let (string, is_checked) = (self.unboxed(b, self.data(ty), node), self.types.claimed);
            return self.with_buffer(|buffer, module| buffer.write_string(module, b, string, place, is_checked));
        }
        let write = self.writer(ty);
        b.call(write, &[node, place], &[]);
    }

    fn writer(&mut self, ty: InterfaceType) -> FuncId {
        if let Some(known) = self.write[ty] {
            return known;
        }
        let (data, layout) = (self.data(ty), self.layouts.get(ty).clone());
        let name = format!("interface.write.{}", ty.as_u32());
        let (mut func, entry, params) = function(&name, &[Type::Ref, self.abi.address()], &[]);
        let mut b = Builder::new(&mut func, entry);
        let (node, address) = (params[0], params[1]);
        if let InterfaceKind::List(element) = data.kind {
            if let Representation::Array(kind) = data.unboxed() {
                let array = self.unboxed(&mut b, data, node);
                self.write_array(&mut b, element, *kind, array, address);
            } else {
                self.write_list(&mut b, element, nodes(data), node, address);
            }
        } else {
            let all = data.cases();
            self.choose_node(&mut b, node, nodes(data), |this, b, number| {
                if layout.discriminant > 0 {
                    this.store_number(b, number, layout.discriminant, address);
                }
                let case = &nodes(data)[number];
                for (at, (&part, &offset)) in all[number].iter().zip(&layout.offsets[number]).enumerate() {
                    let value = this.field(b, case, at, part, node);
                    this.store(b, part, value, address, offset);
                }
                b.ret(&[]);
            });
        }
        let func = self.module.funcs.push(func);
        self.write[ty] = Some(func);
        func
    }

    /// The number of a case.
    fn store_number(&mut self, b: &mut Builder, number: usize, bytes: u32, address: Value) {
        for byte in 0..bytes {
            let value = b.iconst32((number >> (8 * byte) & 255) as i32);
            b.inst(Opcode::StoreU8, u64::from(byte), 0, &[address, value]);
        }
    }
}

/// The value of a string, array or cell.
pub fn boxed(b: &mut Builder, data: &InterfaceTypeData, object: Value) -> Value {
    match &data.representation {
        Representation::Boxed(node, _) => b.build_node(node.desc, node.applied_args, &[object]),
        _ => object,
    }
}

pub fn nodes(data: &InterfaceTypeData) -> &[NodeLayout] {
    match &data.representation {
        Representation::Nodes(nodes) => nodes,
        _ => &[],
    }
}

fn offset(b: &mut Builder, address: Value, at: u32) -> Value {
    if at == 0 {
        return address;
    }
    let at = if b.func.values[address] == Type::I32 { b.iconst32(at as i32) } else { b.iconst64(at.into()) };
    b.op(Opcode::Iadd, &[address, at])
}
