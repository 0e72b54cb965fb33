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

    /// Branches: for the last reference to `last`, which becomes the block at hand; otherwise the count is less, and
    /// what comes then is appended to the block that is returned.
    pub(super) fn split(&mut self, object: Value) -> Block {
        self.note(rc::EVENT_RELEASE, 0);
        let count = self.op(Opcode::LoadI32, u64::from(COUNT), &[object], Type::I32);
        let one = self.iconst32(1);
        let is_last = self.op(Opcode::Eq, 0, &[count, one], Type::I32);
        let (last, others) = (self.func.new_block(), self.func.new_block());
        self.branch(is_last, last, others);
        self.block = others;
        let less = self.op(Opcode::Isub, 0, &[count, one], Type::I32);
        self.effect(Opcode::StoreI32, u64::from(COUNT), &[object, less]);
        self.block = last;
        others
    }

    pub(super) fn release(&mut self, object: Value) {
        self.if_counted(object, |this| this.release_object(object));
    }

    /// The same of a reference that is no immediate.
    pub(super) fn release_object(&mut self, object: Value) {
        let others = self.split(object);
        let done = self.func.new_block();
        self.effect(Opcode::CallRt, Libcall::ReleaseLast.callee().imm(), &[object]);
        self.jump(done, &[]);
        self.block = others;
        self.jump(done, &[]);
        self.block = done;
    }
}
