//! One reference more, and one less.

use super::Lowering;
use super::kinds::Kind;
use crate::lower::emit::Emit;
use cleave_ir::layout::IMMEDIATE;
use cleave_ir::rc::{self, COUNT};
use cleave_ir::{Block, Libcall, Opcode, Type, Value};

impl Lowering<'_> {
    /// Does something with an object that is counted. Of an immediate there is nothing to count.
    fn if_counted(&mut self, reference: Value, then: impl FnOnce(&mut Self)) {
        let kind = match &self.tables.kinds {
            Some(kinds) => kinds.of(self.cx, self.func, self.def(reference), reference, self.home),
            None => Kind::Object,
        };
        match kind {
            Kind::Object => then(self),
            Kind::Immediate => {}
            Kind::Unknown => {
                let word = self.op(Opcode::RefAddr, 0, &[reference], Type::I32);
                let bit = self.iconst32(IMMEDIATE);
                let is_immediate = self.op(Opcode::And, 0, &[word, bit], Type::I32);
                let (object, done) = (self.func.new_block(), self.func.new_block());
                self.branch(is_immediate, done, object);
                self.block = object;
                then(self);
                self.jump(done, &[]);
                self.block = done;
            }
        }
    }

    pub(super) fn retain(&mut self, object: Value) {
        self.if_counted(object, |this| {
            this.note(rc::EVENT_RETAIN, 0);
            let count = this.op(Opcode::LoadI32, u64::from(COUNT), &[object], Type::I32);
            let one = this.iconst32(1);
            let more = this.op(Opcode::Iadd, 0, &[count, one], Type::I32);
            this.effect(Opcode::StoreI32, u64::from(COUNT), &[object, more]);
        });
    }

    /// Branches: for the last reference to an object, which becomes the block at hand; otherwise the count is less,
    /// what was kept of the object is retained, and what comes then is appended to the block that is returned.
    pub(super) fn split(&mut self, object: Value, kept: &[Value]) -> Block {
        self.note(rc::EVENT_RELEASE, 0);
        let count = self.op(Opcode::LoadI32, u64::from(COUNT), &[object], Type::I32);
        let one = self.iconst32(1);
        let is_last = self.op(Opcode::Eq, 0, &[count, one], Type::I32);
        let (last, others) = (self.func.new_block(), self.func.new_block());
        self.branch(is_last, last, others);
        self.block = others;
        let less = self.op(Opcode::Isub, 0, &[count, one], Type::I32);
        self.effect(Opcode::StoreI32, u64::from(COUNT), &[object, less]);
        kept.iter().for_each(|&field| self.retain(field));
        if !self.cx.cycles.is_empty() {
            self.watch(object, less);
        }
        std::mem::replace(&mut self.block, last)
    }

    /// An object may be the root of a cycle that nothing else refers to, if its count says so. It may be dead, too.
    fn watch(&mut self, object: Value, less: Value) {
        let limit = self.iconst32(rc::WATCHED as u32);
        let is_watched = self.op(Opcode::Sle, 0, &[less, limit], Type::I32);
        let (watched, done) = (self.func.new_block(), self.func.new_block());
        self.branch(is_watched, watched, done);
        self.block = watched;
        self.effect(Opcode::CallRt, Libcall::ReleaseCyclic.callee().imm(), &[object]);
        self.jump(done, &[]);
        self.block = done;
    }

    pub(super) fn release(&mut self, object: Value) {
        self.if_counted(object, |this| this.release_object(object));
    }

    /// The same of a reference that is no immediate.
    pub(super) fn release_object(&mut self, object: Value) {
        let others = self.split(object, &[]);
        let done = self.func.new_block();
        self.effect(Opcode::CallRt, Libcall::ReleaseLast.callee().imm(), &[object]);
        self.jump(done, &[]);
        self.block = others;
        self.jump(done, &[]);
        self.block = done;
    }
}
