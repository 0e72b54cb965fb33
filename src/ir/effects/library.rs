//! The functions that programs with effects call, as IR.

use super::*;
use crate::builder::Builder;
use crate::entity::{Block, Value};
use crate::module::StaticData;
use crate::opcode::Opcode;
use crate::runtime::Callee;
use cleave_abi::libcalls;

const RESUMED_TWICE: &[u8] = b"Continuation already resumed";
const NO_CONTINUATION: &[u8] = b"This is no continuation";

/// The body of a function, written anew.
fn body(module: &mut Module, id: FuncId, write: impl FnOnce(&mut Builder<'_>, &[Value])) {
    let old = std::mem::take(&mut module.funcs[id]);
    let mut func = Func::new(old.name, old.signature);
    func.is_outlined = true;
    let entry = func.new_block();
    let params: Vec<Value> = func.signature.params.to_vec().iter().map(|&ty| func.add_param(entry, ty)).collect();
    write(&mut Builder::new(&mut func, entry), &params);
    module.funcs[id] = func;
}

impl Effects {
    /// A reference to nothing: the end of a list of frames, and what is returned with an effect on its way.
    pub(super) fn none(&self, b: &mut Builder<'_>) -> Value {
        b.node(WellKnownDesc::Empty.desc())
    }

    /// Ends a block: goes to the first target if an effect is on its way.
    pub(super) fn ask(&self, b: &mut Builder<'_>, suspended: (Block, &[Value]), done: (Block, &[Value])) {
        let inst = b.caf(Opcode::CafI64, self.storage, IS_SUSPENDED, &[]);
        let (flag, zero) = (b.func.result(inst), b.iconst64(0));
        let is_suspended = b.op(Opcode::Ne, &[flag, zero]);
        b.func.blocks[suspended.0].is_cold = true;
        b.br_if(is_suspended, suspended, done);
    }

    fn set_flag(&self, b: &mut Builder<'_>, flag: i64) {
        let flag = b.iconst64(flag);
        b.caf(Opcode::SetCafI64, self.storage, IS_SUSPENDED, &[flag]);
    }

    /// Takes a reference out of the storage.
    pub(super) fn take_ref(&self, b: &mut Builder<'_>, number: u32) -> Value {
        let inst = b.caf(Opcode::CafRef, self.storage, number, &[]);
        let none = self.none(b);
        b.caf(Opcode::SetCafRef, self.storage, number, &[none]);
        b.func.result(inst)
    }

    pub(super) fn write_library(&self, module: &mut Module) {
        let list = module.shape(self.link, 0);
        body(module, self.perform, |b, params| {
            b.caf(Opcode::SetCafRef, self.storage, EFFECT, params);
            let none = self.none(b);
            b.caf(Opcode::SetCafRef, self.storage, FRAMES, &[none]);
            self.set_flag(b, 1);
            b.ret(&[none]);
        });
        body(module, self.push, |b, params| {
            let [more, store] = [(); 2].map(|()| b.func.new_block());
            let frames = b.func.add_param(store, Type::Ref);
            let inst = b.caf(Opcode::CafRef, self.storage, FRAMES, &[]);
            let inner = b.func.result(inst);
            self.branch_at(b, inner, WellKnownDesc::Empty.desc(), (store, params), (more, &[]));
            b.switch_to(more);
            let list = b.build_node(self.link, 0, &[params[0], inner]);
            b.jump(store, &[list]);
            b.switch_to(store);
            b.caf(Opcode::SetCafRef, self.storage, FRAMES, &[frames]);
            let none = self.none(b);
            b.ret(&[none]);
        });
        // The frames that have just been left are before those that are outside of them, but in the other order:
        // nobody turns them round as long as it is not known that they go on.
        body(module, self.take, |b, params| {
            self.set_flag(b, 0);
            let [effect, left] = [EFFECT, FRAMES].map(|number| self.take_ref(b, number));
            let [some, several, one, build] = [(); 4].map(|()| b.func.new_block());
            let frames = b.func.add_param(build, Type::Ref);
            self.branch_at(b, left, WellKnownDesc::Empty.desc(), (build, params), (some, &[]));
            b.switch_to(some);
            self.branch_at(b, left, self.link, (several, &[]), (one, &[]));
            for (block, desc) in [(several, self.segment), (one, self.link)] {
                b.switch_to(block);
                let list = b.build_node(desc, 0, &[left, params[0]]);
                b.jump(build, &[list]);
            }
            b.switch_to(build);
            let continuation = b.build_node(self.continuation, 0, &[frames]);
            let one = b.iconst32(1);
            b.ret(&[one, effect, continuation]);
        });
        let has_frames = module.descs.values().any(|desc| desc.method.is_some_and(|(table, _)| table == self.frames));
        body(module, self.run, |b, params| match has_frames {
            true => self.run_frames(b, params, list),
            false => {
                // Whoever performs something does so last.
                let [zero, none] = [b.iconst32(0), self.none(b)];
                b.ret(&[zero, params[1], none]);
            }
        });
        let [resumed_twice, no_continuation] =
            [RESUMED_TWICE, NO_CONTINUATION].map(|text| module.statics.push(StaticData::String(text.into())));
        let row = if module.heap.counts() { &libcalls::RC_PANIC } else { &libcalls::PANIC };
        let panic = Callee::of(module.declare(row), row);
        let cell = module.shape(self.continuation, 0);
        // The frames of a continuation that is resumed now, and never again.
        let open = |b: &mut Builder<'_>, continuation: Value, cell: Shape| {
            let [it, other, twice, once] = [(); 4].map(|()| b.func.new_block());
            // Nodes of the program may have the same shape.
            self.branch_at(b, continuation, self.continuation, (it, &[]), (other, &[]));
            b.switch_to(it);
            let frames = b.get_of(Opcode::GetRef, cell, 0, continuation);
            self.branch_at(b, frames, self.resumed, (twice, &[]), (once, &[]));
            for (block, text) in [(other, no_continuation), (twice, resumed_twice)] {
                b.switch_to(block);
                let text = b.static_ref(text);
                b.call_extern(panic, &[text]);
                b.unreachable();
            }
            b.switch_to(once);
            let resumed = b.node(self.resumed);
            b.set_of(Opcode::SetRef, cell, 0, continuation, resumed);
            frames
        };
        body(module, self.resume, |b, params| {
            let frames = open(b, params[0], cell);
            b.tail_call(self.run, &[frames, params[1]]);
        });
        if let Some((discontinue, raise)) = self.discontinue.zip(self.raise) {
            body(module, discontinue, |b, params| {
                let frames = open(b, params[0], cell);
                let value = b.call_value(raise, &params[1..], Type::Ref);
                b.tail_call(self.run, &[frames, value]);
            });
        }
    }

    /// Goes on with frames, until one leaves or none is left.
    fn run_frames(&self, b: &mut Builder<'_>, params: &[Value], list: Shape) {
        let [round, first, other, segment, turn, go_on, suspended, end] = [(); 8].map(|()| b.func.new_block());
        let fields = |b: &mut Builder<'_>, node: Value| [0, 1].map(|field| b.get_of(Opcode::GetRef, list, field, node));
        b.jump(round, params);
        let [frames, value] = [(); 2].map(|()| b.func.add_param(round, Type::Ref));
        b.switch_to(round);
        self.branch_at(b, frames, self.link, (first, &[]), (other, &[]));
        b.switch_to(first);
        let [frame, rest] = fields(b, frames);
        b.jump(go_on, &[frame, rest]);
        b.switch_to(other);
        self.branch_at(b, frames, WellKnownDesc::Empty.desc(), (end, &[]), (segment, &[]));
        // The frames of a segment are turned round, but for the innermost one, which goes on.
        b.switch_to(segment);
        let [left, outside] = fields(b, frames);
        b.jump(turn, &[left, outside]);
        let [left, outside] = [(); 2].map(|()| b.func.add_param(turn, Type::Ref));
        b.switch_to(turn);
        let [frame, inner] = fields(b, left);
        let outside = b.build_node(self.link, 0, &[frame, outside]);
        self.branch_at(b, inner, self.link, (turn, &[inner, outside]), (go_on, &[inner, outside]));
        let [frame, rest] = [(); 2].map(|()| b.func.add_param(go_on, Type::Ref));
        b.switch_to(go_on);
        let inst = b.call_method(self.frames, &[frame, value], &[Type::Ref]);
        let result = b.func.result(inst);
        self.ask(b, (suspended, &[]), (round, &[rest, result]));
        b.switch_to(suspended);
        b.tail_call(self.take, &[rest]);
        b.switch_to(end);
        let [zero, none] = [b.iconst32(0), self.none(b)];
        b.ret(&[zero, value, none]);
    }

    /// Ends a block: is this a node of a descriptor?
    fn branch_at(&self, b: &mut Builder<'_>, node: Value, desc: Desc, it: (Block, &[Value]), other: (Block, &[Value])) {
        let header = b.op(Opcode::Header, &[node]);
        let wanted = b.node_info(desc, 0);
        let is_it = b.op(Opcode::Eq, &[header, wanted]);
        b.br_if(is_it, it, other);
    }
}
