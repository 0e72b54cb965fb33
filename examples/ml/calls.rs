//! Calls: of functions that are known, of closures, of the runtime; and nodes.

use crate::expr::Code;
use crate::program::{Body, Job, Mono, Node, field_opcodes};
use crate::syntax::{Expr, Kind};
use cleave_compile::ir::{ArrayKind, FuncId, LibcallSignature, Opcode, Type, Value, libcalls};
use std::rc::Rc;

impl<'p> Code<'_, 'p> {
    /// A closure that holds some arguments of a function.
    pub fn closure(&mut self, func: FuncId, held: &[Value], mono: Mono) -> Value {
        let desc = self.p.closure(func, held.len(), mono);
        let mut fields: Vec<Value> = held.to_vec();
        fields.sort_by_key(|&value| self.b.func.values[value] != Type::Ref);
        if fields.is_empty() { self.b.node(desc) } else { self.b.build_node(desc, 0, &fields) }
    }

    /// The closure is the first parameter. Its code calls its function, or holds more arguments of it.
    pub fn closure_code(&mut self, func: FuncId, held: usize, mono: Mono, params: &[Value]) {
        let desc = self.p.closure(func, held, mono);
        let shape = self.p.module.shape(desc, 0);
        let types = self.p.module.funcs[func].signature.params.to_vec();
        let (mut refs, mut words) = (0, 0);
        let mut args = Vec::new();
        for &ty in &types[..held] {
            let count = if ty == Type::Ref { &mut refs } else { &mut words };
            args.push(self.b.get_of(field_opcodes(ty)[0], shape, *count, params[0]));
            *count += 1;
        }
        args.extend(&params[1..]);
        if args.len() == types.len() {
            return self.b.tail_call(func, &args);
        }
        let rest = self.p.arrows(mono, params.len() - 1).1;
        let closure = self.closure(func, &args, rest);
        self.b.ret(&[closure]);
    }

    /// A call; nothing if it has taken the place of this function, or never returns.
    pub fn apply(&mut self, expr: &'p Expr, is_tail: bool) -> Option<Value> {
        let (head, args) = expr.parts.split_first()?;
        let known = match &head.kind {
            Kind::Var(_, id, instance) if !self.env.contains_key(id) => self
                .p
                .definitions
                .get(id)
                .filter(|definition| definition.arity() > 0)
                .map(|definition| (*id, instance, definition.arity(), definition.code)),
            _ => None,
        };
        let Some((id, instance, arity, code)) = known else {
            let function = self.value(head);
            let mono = self.mono(head.ty);
            let args = self.values(args);
            return self.apply_closure(function, mono, &args, is_tail);
        };
        if let (Body::Primitive(name, _), Kind::Var(_, cell, _)) = (code, &args[0].kind)
            && let Some(at) = self.cells.iter().position(|known| known.0 == *cell)
        {
            let now = self.cells[at].1;
            let one = self.b.iconst64(1);
            self.cells[at].1 = match name {
                "get" => return Some(now),
                "set" => self.value(&args[1]),
                "increment" => self.b.op(Opcode::Iadd, &[now, one]),
                _ => self.b.op(Opcode::Isub, &[now, one]),
            };
            return Some(self.unit());
        }
        let values = self.values(args);
        let mono = self.mono(head.ty);
        if let (Body::Primitive(name, _), true) = (code, values.len() >= arity) {
            let value = self.primitive(name, &values[..arity], mono);
            let rest = self.p.arrows(mono, arity).1;
            return self.apply_closure(value, rest, &values[arity..], is_tail);
        }
        let (func, mut all) = self.instance(id, instance);
        if values.len() < arity {
            all.extend(values);
            let mono = self.mono(expr.ty);
            return Some(self.closure(func, &all, mono));
        }
        all.extend(&values[..arity]);
        if is_tail && values.len() == arity {
            self.b.tail_call(func, &all);
            return None;
        }
        let rest = self.p.arrows(mono, arity).1;
        let ty = self.p.ty(rest);
        let value = self.b.call_value(func, &all, ty);
        self.apply_closure(value, rest, &values[arity..], is_tail)
    }

    fn apply_closure(
        &mut self,
        mut function: Value,
        mut mono: Mono,
        mut args: &[Value],
        is_tail: bool,
    ) -> Option<Value> {
        while !args.is_empty() {
            let arity = self.p.arity(mono);
            let rest = self.p.arrows(mono, arity.min(args.len())).1;
            if args.len() < arity {
                let func = self.p.made(0, mono, Job::Apply(mono));
                let held: Vec<Value> = [function].into_iter().chain(args.iter().copied()).collect();
                return Some(self.closure(func, &held, rest));
            }
            let (now, later) = args.split_at(arity);
            let all: Vec<Value> = [function].into_iter().chain(now.iter().copied()).collect();
            let table = self.p.table(mono);
            if is_tail && later.is_empty() {
                self.b.tail_call_method(table, &all);
                return None;
            }
            let ty = self.p.ty(rest);
            let inst = self.b.call_method(table, &all, &[ty]);
            (function, mono, args) = (self.b.func.result(inst), rest, later);
        }
        Some(function)
    }

    /// A function of the runtime; it may be one that never returns.
    pub fn call_rt(&mut self, row: &'static LibcallSignature, args: &[Value], wanted: Type) -> Value {
        let id = self.p.module.declare(row);
        let inst = self.b.call_extern(self.p.module.callee(id), args);
        if row.effects.never_returns() {
            self.b.unreachable();
            return self.dead_end(wanted);
        }
        self.b.func.results(inst).first().copied().unwrap_or_else(|| self.b.iconst64(0))
    }
    pub fn print_text(&mut self, text: &str) {
        let text = self.p.text(text.as_bytes());
        let text = self.b.static_ref(text);
        self.call_rt(&libcalls::PRINT_STRING, &[text], Type::I64);
    }

    // -- nodes --

    pub fn build(&mut self, node: &Rc<Node>, values: &[Value]) -> Value {
        let mut values = values.to_vec();
        values.sort_by_key(|&value| self.b.func.values[value] != Type::Ref);
        if values.is_empty() { self.b.node(node.desc) } else { self.b.build_node(node.desc, 0, &values) }
    }
    pub fn fields(&mut self, node: &Rc<Node>, value: Value) -> Vec<(Value, Mono)> {
        let get =
            |&(mono, ty, at): &(Mono, Type, u32)| (self.b.get_of(field_opcodes(ty)[0], node.shape, at, value), mono);
        node.fields.iter().map(get).collect()
    }
    /// What has at most 256 values takes a byte.
    pub fn array_kind(&self, array: Mono) -> ArrayKind {
        let element = self.p.of(array).1[0];
        let (is_enumeration, count) = (self.p.is_enumeration(element), self.p.constructors(element).len());
        match self.p.ty(element) {
            _ if matches!(&*self.p.of(element).0, "bool" | "char" | "unit") => ArrayKind::U8,
            _ if is_enumeration && count <= 256 => ArrayKind::U8,
            Type::Ref => ArrayKind::Ref,
            Type::F64 => ArrayKind::F64,
            _ => ArrayKind::I64,
        }
    }
}
