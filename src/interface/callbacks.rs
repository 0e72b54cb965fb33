//! Functions of the host that the program has: closures that hold a number. Applied to all arguments they write these
//! into the buffer, and call `cabi_callback_N` of the host with the number, the address of the arguments, and one for
//! the result. Meanwhile the buffer begins after them, so that the host may call the program again.

use crate::adapters::Adapter;
use crate::buffer::function;
use crate::layout::Abi;
use cleave_ir::interface::{InterfaceKind, InterfaceType};
use cleave_ir::layout::DescriptorKind;
use cleave_ir::{Builder, Desc, DescData, Effects, ExternData, FuncId, Opcode, Type, Value, WellKnownDesc};

/// The module that WebAssembly imports the functions from.
pub const HOST: &str = "host";

/// The name of the function of the host for functions of a type.
pub fn name(id: InterfaceType) -> String {
    format!("cabi_callback_{}", id.as_u32())
}

impl Adapter<'_> {
    /// The closure of a handle: one of the program, or if the number is negative, a function of the host.
    pub fn function_in(&mut self, b: &mut Builder, ty: InterfaceType, handle: Value) -> Value {
        if self.abi == Abi::C {
            return self.held(b, handle);
        }
        let (ours, theirs, after) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let closure = b.func.add_param(after, Type::Ref);
        let zero = b.iconst32(0);
        let is_theirs = b.op(Opcode::Slt, &[handle, zero]);
        b.br_if(is_theirs, (theirs, &[]), (ours, &[]));
        b.switch_to(theirs);
        let desc = self.callback(ty);
        let mask = b.iconst32(i32::MAX);
        let number = b.op(Opcode::And, &[handle, mask]);
        let number = b.op(Opcode::ExtendU, &[number]);
        let number = b.build_node(WellKnownDesc::Int.desc(), 0, &[number]);
        let made = b.build_node(desc, 1, &[number]);
        b.jump(after, &[made]);
        b.switch_to(ours);
        let held = self.held(b, handle);
        b.jump(after, &[held]);
        b.switch_to(after);
        closure
    }

    /// The descriptor of closures of the host of a type: they hold the number.
    fn callback(&mut self, ty: InterfaceType) -> Desc {
        if let Some(known) = self.callbacks[ty] {
            return known;
        }
        let InterfaceKind::Function(params, _) = &self.data(ty).kind else { unreachable!("it is a function") };
        let arity = params.len() as u32 + 1;
        let label = format!("interface.callback.{}", ty.as_u32());
        let desc = self.module.descs.push(DescData {
            name: "<host>".as_bytes().into(),
            label: label.clone(),
            kind: DescriptorKind::Constructor,
            arity,
            record: None,
            tag: 0,
            apply: Vec::new(),
            method: None,
            callable: true,
            contiguous: false,
            immutable: true,
        });
        self.callbacks[ty] = Some(desc);
        let call = self.call_host(ty);
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

    /// Calls the host: the number, then the arguments.
    fn call_host(&mut self, ty: InterfaceType) -> FuncId {
        let InterfaceKind::Function(params, results) = &self.data(ty).kind else { unreachable!("it is a function") };
        let host = self.module.externs.push(ExternData {
            name: name(ty).into(),
            params: vec![Type::I32; 3].into(),
            results: Vec::new().into(),
            effects: Effects::MAY_GC.and(Effects::EFFECT),
            from: Some(HOST.into()),
        });
        let (taken, given) = (self.layouts.sequence(params), self.layouts.sequence(results));
        let types = vec![Type::Ref; params.len() + 1];
        let (mut func, entry, args) = function(&format!("interface.call_host.{}", ty.as_u32()), &types, &[Type::Ref]);
        let mut b = Builder::new(&mut func, entry);
        let number = b.op(Opcode::Eval, &[args[0]]);
        let int = self.module.shape(WellKnownDesc::Int.desc(), 0);
        let number = b.get_of(Opcode::GetI64, int, 0, number);
        let number = b.op(Opcode::Wrap, &[number]);
        let before = self.with_buffer(|buffer, _| buffer.open(&mut b));
        let size = b.iconst64(i64::from(taken.size) + 8);
        let place = self.with_buffer(|buffer, _| buffer.allocate(&mut b, size));
        let size = b.iconst64(i64::from(given.size) + 8);
        let result = self.with_buffer(|buffer, _| buffer.allocate(&mut b, size));
        for ((&param, &at), &value) in params.iter().zip(&taken.offsets[0]).zip(&args[1..]) {
            self.store(&mut b, param, value, place, at);
        }
        self.with_buffer(|buffer, _| buffer.begin_inner(&mut b));
        b.call_extern(self.module.callee(host), &[number, place, result]);
        let value = match results.first() {
            Some(&ty) => self.load(&mut b, ty, result, 0),
            // What says nothing has one value only, and nobody looks at it.
            None => b.node(WellKnownDesc::Empty.desc()),
        };
        self.with_buffer(|buffer, _| buffer.close(&mut b, before));
        b.ret(&[value]);
        self.module.funcs.push(func)
    }
}
