//! Values of the module as flat numbers, which the host is given as arguments: the opposite of `Adapter::lift`; and the
//! arguments of entries, which are flat if there are few, and what comes before them.

use crate::adapters::{Adapter, nodes};
use crate::buffer::call;
use crate::layout::{Abi, Flat, MAX_FLAT_PARAMS};
use cleave_ir::interface::{Export, InterfaceKind, InterfaceType};
use cleave_ir::{Builder, Opcode, Type, Value, libcalls};

impl Adapter<'_> {
    /// Before anything is read: a call with data may collect what is left of the ones before it.
    pub fn begin_call(&mut self, b: &mut Builder, export: &Export) {
        let mut types = export.params.iter().map(|param| param.1).chain(export.results.iter().copied());
        if !self.module.heap.counts() && types.any(|ty| !self.is_number(ty)) {
            call(self.module, b, &libcalls::BEGIN_CALL, &[]);
        }
    }

    /// What an entry takes for arguments of these types: an address, if there are too many.
    pub fn flat_arguments(&self, params: &[InterfaceType]) -> Vec<Flat> {
        let flat = self.layouts.sequence(params).flat;
        if flat.len() > MAX_FLAT_PARAMS { vec![Flat::I32] } else { flat }
    }

    /// The arguments, out of what the entry takes.
    pub fn arguments(&mut self, b: &mut Builder, params: &[InterfaceType], values: &[Value]) -> Vec<Value> {
        let taken = self.layouts.sequence(params);
        if taken.flat.len() <= MAX_FLAT_PARAMS {
            let mut rest = values;
            return params.iter().map(|&ty| self.flat_argument(b, ty, &mut rest)).collect();
        }
        let size = b.iconst64(i64::from(taken.size));
        self.with_buffer(|buffer, _| buffer.check(b, values[0], size));
        let is_lent = |this: &Self, ty| this.abi == Abi::Component && this.is_function(ty);
        let load = |(&ty, &at): (&InterfaceType, &u32)| match is_lent(self, ty) {
            true => {
                let number = b.value(Opcode::LoadI32, u64::from(at), 0, &[values[0]]);
                self.held(b, ty, number)
            }
            false => self.load(b, ty, values[0], at),
        };
        params.iter().zip(&taken.offsets[0]).map(load).collect()
    }

    /// An argument of flat values. A function is lent to it in components: then it is the number.
    fn flat_argument(&mut self, b: &mut Builder, ty: InterfaceType, flat: &mut &[Value]) -> Value {
        match flat.split_first() {
            Some((&number, rest)) if self.abi == Abi::Component && self.is_function(ty) => {
                *flat = rest;
                self.held(b, ty, number)
            }
            _ => self.lift(b, ty, flat),
        }
    }

    fn is_function(&self, ty: InterfaceType) -> bool {
        matches!(self.data(ty).kind, InterfaceKind::Function(..))
    }

    /// Adds the flat values of one.
    pub fn lower_flat(&mut self, b: &mut Builder, ty: InterfaceType, value: Value, out: &mut Vec<Value>) {
        let data = self.data(ty);
        if self.is_number(ty) {
            let value = self.number_out(b, ty, value);
            return out.push(value);
        }
        let node = self.evaluated(b, value);
        match &data.kind {
            InterfaceKind::Function(..) => {
                let handle = self.function_out(b, ty, node);
                out.push(handle);
            }
            InterfaceKind::Foreign(_) if self.abi != Abi::C => {
                let number = self.foreign_out(b, ty, node);
                out.push(number);
            }
            InterfaceKind::String | InterfaceKind::List(_) | InterfaceKind::Foreign(_) => {
                let bytes = b.iconst64(i64::from(self.layouts.get(ty).size));
                let place = self.with_buffer(|buffer, _| buffer.allocate(b, bytes));
                self.store(b, ty, node, place, 0);
                let word = if self.abi.address() == Type::I64 { Opcode::LoadI64 } else { Opcode::LoadI32 };
                let after = u64::from(self.abi.address_bytes());
                out.extend([b.value(word, 0, 0, &[place]), b.value(word, after, 0, &[place])]);
            }
            InterfaceKind::Tuple(_) | InterfaceKind::Record(..) => {
                let case = &nodes(data)[0];
                self.expect(b, node, case);
                for (at, &part) in data.cases()[0].iter().enumerate() {
                    let value = self.field(b, case, at, part, node);
                    self.lower_flat(b, part, value, out);
                }
            }
            _ => self.lower_case(b, ty, node, out),
        }
    }

    /// The number of a case, then its parts as the types that serve all cases, then zeros.
    fn lower_case(&mut self, b: &mut Builder, ty: InterfaceType, node: Value, out: &mut Vec<Value>) {
        let (data, joined) = (self.data(ty), self.layouts.get(ty).flat.clone());
        let after = b.func.new_block();
        let results: Vec<Value> = joined.iter().map(|flat| b.func.add_param(after, flat.ir())).collect();
        let all = data.cases();
        self.choose_node(b, node, nodes(data), |this, b, number| {
            let mut own = Vec::new();
            for (at, &part) in all[number].iter().enumerate() {
                let value = this.field(b, &nodes(data)[number], at, part, node);
                this.lower_flat(b, part, value, &mut own);
            }
            let wanted = this.layouts.sequence(&all[number]).flat;
            let mut passed = vec![b.iconst32(number as i32)];
            for (at, &to) in joined.iter().enumerate().skip(1) {
                passed.push(match own.get(at - 1) {
                    Some(&value) => this.join(b, value, wanted[at - 1], to),
                    None => match to.ir() {
                        Type::I32 => b.iconst32(0),
                        Type::F64 => b.fconst(0),
                        _ => b.iconst64(0),
                    },
                });
            }
            b.jump(after, &passed);
        });
        b.switch_to(after);
        out.extend(results);
    }

    /// A flat value of one case as the type that serves all cases.
    fn join(&mut self, b: &mut Builder, value: Value, from: Flat, to: Flat) -> Value {
        match (from, to) {
            (Flat::I32, Flat::I64) => b.op(Opcode::ExtendU, &[value]),
            (Flat::F64, Flat::I64) => b.op(Opcode::RealBits, &[value]),
            (Flat::F32, Flat::I32 | Flat::I64) => {
                let size = b.iconst64(4);
                let place = self.with_buffer(|buffer, _| buffer.allocate(b, size));
                b.effect(Opcode::StoreF32, &[place, value]);
                let bits = b.value(Opcode::LoadI32, 0, 0, &[place]);
                if to == Flat::I32 { bits } else { b.op(Opcode::ExtendU, &[bits]) }
            }
            _ => value,
        }
    }
}
