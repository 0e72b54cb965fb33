//! Instruction selection for calls. All of them are direct; what is called through a table or a thunk header goes to
//! the function that `dispatch.rs` made for it, or is chosen here, if there is little to choose from.

use super::Lower;
use crate::dispatch;
use crate::isel::Node;
use cleave_ir::{CallTarget, Inst, Opcode};
use wasm_encoder::{BlockType, ValType};

impl Lower<'_> {
    /// Moves the reals that wait for a call (`cleave_ir::spill_around_calls`) to integers: engines then see that the
    /// loops before and after it may keep them in registers. A value whose local holds another one now does no harm.
    ///
    /// Cranelift computes what has no effect as late as it can, here after the call, and keeps the operands alive
    /// until then. Zero written over zero is a second definition, so that the value is needed where they meet.
    pub(super) fn spill(&mut self, call: Inst) {
        for at in 0..self.waits.at(call).len() {
            if let Some(local) = self.locals.some(self.waits.at(call)[at]) {
                if self.waiting.len() <= at {
                    self.waiting.resize_with(at + 1, || self.locals.scratch(ValType::I64));
                }
                self.code.local_get(local);
                self.code.sink().i64_reinterpret_f64();
                self.code.local_tee(self.waiting[at]);
                self.code.sink().i64_eqz().if_(BlockType::Empty).i64_const(0);
                self.code.local_set(self.waiting[at]);
                self.code.sink().end();
            }
        }
    }

    /// Moves them back.
    pub(super) fn reload(&mut self, call: Inst) {
        for at in 0..self.waits.at(call).len() {
            if let Some(local) = self.locals.some(self.waits.at(call)[at]) {
                self.code.local_get(self.waiting[at]);
                self.code.sink().f64_reinterpret_i64();
                self.code.local_set(local);
            }
        }
    }

    pub(super) fn call(&mut self, node: &Node) {
        let is_tail = node.op.is_terminator();
        let called = CallTarget::of(node.op, node.imm).expect("a call");
        let cases = match called {
            CallTarget::Table(table) => self.env.inline[table.as_u32() as usize].as_ref(),
            CallTarget::Entry => self.env.enter_inline.as_ref(),
            CallTarget::Func(_) | CallTarget::Extern(..) => None,
            CallTarget::Method(_) | CallTarget::Closure | CallTarget::Thunk => None,
        };
        if let Some(cases) = cases {
            let mut sink = self.code.sink();
            if called == CallTarget::Entry {
                dispatch::entry_number(self.env, &mut sink);
            }
            dispatch::at_site(self.env, &mut sink, cases, is_tail);
            return;
        }
        let target = match called {
            CallTarget::Func(callee) => self.env.function(callee),
            CallTarget::Table(table) => self.env.table(table),
            CallTarget::Entry => self.env.enter,
            CallTarget::Extern(callee, _) => self.env.external(callee),
            CallTarget::Method(_) | CallTarget::Closure | CallTarget::Thunk => {
                unreachable!("{} is not low", node.op.name())
            }
        };
        if node.op == Opcode::CallRt && self.env.is_host_call_without_pointer(node.imm) {
            match (self.func.takes_stack_pointer, self.env.entry_stack) {
                (false, Some(stack)) => _ = self.code.sink().global_get(stack),
                _ => self.code.local_get(0),
            }
        }
        if is_tail {
            self.code.sink().return_call(target);
        } else {
            self.code.sink().call(target);
        }
    }
}
