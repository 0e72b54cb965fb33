//! Calls of procedures that are not known, continuations, and what stops a program.

use crate::code::{Code, ESCAPE, LIST};
use cleave_compile::ir::{Block, Desc, LibcallSignature, Opcode, Shape, StaticData, Type, Value, libcalls};

impl Code<'_, '_> {
    pub fn shape(&self, desc: Desc) -> Shape {
        self.p.module.shape(desc, 0)
    }
    pub fn call_rt(&mut self, row: &'static LibcallSignature, args: &[Value]) -> Option<Value> {
        let id = self.p.module.declare(row);
        let inst = self.b.call_extern(self.p.module.callee(id), args);
        self.b.func.results(inst).first().copied()
    }
    /// Goes on in a block if a condition holds; otherwise the program stops with a message.
    pub fn check(&mut self, condition: Value, fine: Block, message: &str) {
        let wrong = match self.failures.get(message) {
            Some(&block) => block,
            None => {
                let block = self.b.func.new_block();
                let here = std::mem::replace(&mut self.b.block, block);
                let text = self.p.module.statics.push(StaticData::String(message.as_bytes().into()));
                let text = self.b.static_ref(text);
                self.call_rt(&libcalls::PANIC, &[text]);
                self.b.unreachable();
                self.b.switch_to(here);
                self.failures.insert(message.into(), block);
                block
            }
        };
        self.b.br_if(condition, (fine, &[]), (wrong, &[]));
        self.b.switch_to(fine);
    }

    pub fn invoke(&mut self, count: usize, params: &[Value]) {
        self.expect(params[0], self.p.data.procedure, "call of what is no procedure");
        let shape = self.shape(self.p.data.procedure);
        let environment = self.b.get_of(Opcode::GetRef, shape, 0, params[0]);
        let arity = self.b.get_of(Opcode::GetI64, shape, 0, params[0]);
        let wanted = self.b.iconst64(count as i64);
        let (exact, other, fine) = (self.b.func.new_block(), self.b.func.new_block(), self.b.func.new_block());
        let is_exact = self.b.op(Opcode::Eq, &[arity, wanted]);
        self.b.br_if(is_exact, (exact, &[]), (other, &[]));
        self.b.switch_to(exact);
        let table = self.p.table(count);
        let args: Vec<Value> = [environment].into_iter().chain(params[1..].iter().copied()).collect();
        self.b.tail_call_method(table, &args);
        self.b.switch_to(other);
        let zero = self.b.iconst64(0);
        let takes_list = self.b.op(Opcode::Slt, &[arity, zero]);
        self.check(takes_list, fine, "wrong number of arguments");
        let nil = self.b.node(self.p.data.nil);
        let list =
            params[1..].iter().rev().fold(nil, |list, &value| self.b.build_node(self.p.data.pair, 0, &[value, list]));
        let table = self.p.table(LIST);
        self.b.tail_call_method(table, &[environment, list]);
    }

    /// The first elements of a list, and the rest of it.
    pub fn taken(&mut self, mut list: Value, count: usize) -> Vec<Value> {
        let shape = self.shape(self.p.data.pair);
        let mut found = Vec::new();
        for _ in 0..count {
            self.expect(list, self.p.data.pair, "wrong number of arguments");
            found.push(self.b.get_of(Opcode::GetRef, shape, 0, list));
            list = self.b.get_of(Opcode::GetRef, shape, 1, list);
        }
        found.push(list);
        found
    }

    /// A procedure and a list of its arguments, of which there are at most eight if their number is fixed.
    pub fn apply(&mut self, params: &[Value]) {
        self.expect(params[0], self.p.data.procedure, "call of what is no procedure");
        let shape = self.shape(self.p.data.procedure);
        let environment = self.b.get_of(Opcode::GetRef, shape, 0, params[0]);
        let arity = self.b.get_of(Opcode::GetI64, shape, 0, params[0]);
        let number = self.b.op(Opcode::Wrap, &[arity]);
        let blocks: Vec<Block> = (0..=9).map(|_| self.b.func.new_block()).collect();
        self.b.br_table(number, &blocks.iter().map(|&block| (block, &[][..])).collect::<Vec<_>>());
        for (count, &block) in blocks.iter().enumerate().take(9) {
            self.b.switch_to(block);
            let mut args = self.taken(params[1], count);
            let (fine, rest) = (self.b.func.new_block(), args.pop().unwrap_or(params[1]));
            let is_end = self.has(rest, self.p.data.nil);
            self.check(is_end, fine, "wrong number of arguments");
            args.insert(0, environment);
            let table = self.p.table(count);
            self.b.tail_call_method(table, &args);
        }
        self.b.switch_to(blocks[9]);
        let (zero, fine) = (self.b.iconst64(0), self.b.func.new_block());
        let takes_list = self.b.op(Opcode::Slt, &[arity, zero]);
        self.check(takes_list, fine, "wrong number of arguments");
        let table = self.p.table(LIST);
        self.b.tail_call_method(table, &[environment, params[1]]);
    }

    /// A continuation is left by an exception: it may be called until the call that has made it returns.
    pub fn call_cc(&mut self, function: Value) {
        let one = self.b.iconst64(1);
        let token = self.b.build_node(self.p.data.token, 0, &[one]);
        let code = self.p.helper(ESCAPE);
        let escape = self.p.environment(1, 1, code, Some(self.p.data.escape));
        let environment = self.b.build_node(escape, 0, &[token]);
        let continuation = self.b.build_node(self.p.data.procedure, 0, &[environment, one]);
        let invoke = self.p.helper(1);
        let found =
            self.b.try_call((Opcode::TryCall, u64::from(invoke.as_u32())), &[function, continuation], &[Type::Ref]);
        let [normal, handler, own, other] = std::array::from_fn(|_| self.b.func.new_block());
        let value = self.b.func.add_param(normal, Type::Ref);
        let exception = self.b.func.add_param(handler, Type::Ref);
        self.b.handled_by((normal, &found[..1]), (handler, &found[1..]));
        let (throw, zero) = (self.shape(self.p.data.throw), self.shape(self.p.data.token));
        self.b.switch_to(handler);
        let thrown = self.b.get_of(Opcode::GetRef, throw, 0, exception);
        let is_own = self.identical(thrown, token);
        self.b.br_if(is_own, (own, &[]), (other, &[]));
        for (block, exception) in [(normal, None), (own, Some(exception)), (other, Some(exception))] {
            self.b.switch_to(block);
            let dead = self.b.iconst64(0);
            self.b.set_of(Opcode::SetI64, zero, 0, token, dead);
            match exception {
                None => self.b.ret(&[value]),
                Some(exception) if block == own => {
                    let value = self.b.get_of(Opcode::GetRef, throw, 1, exception);
                    self.b.ret(&[value]);
                }
                Some(exception) => self.b.raise(exception),
            }
        }
    }

    pub fn escape(&mut self, params: &[Value]) {
        let shape = self.shape(self.p.data.escape);
        let token = self.b.get_of(Opcode::GetRef, shape, 0, params[0]);
        let (alive, fine) = (self.shape(self.p.data.token), self.b.func.new_block());
        let alive = self.b.get_of(Opcode::GetI64, alive, 0, token);
        let is_alive = self.b.op(Opcode::Wrap, &[alive]);
        self.check(is_alive, fine, "a continuation was called after its call/cc had returned");
        let throw = self.b.build_node(self.p.data.throw, 0, &[token, params[1]]);
        self.b.raise(throw);
    }
}
