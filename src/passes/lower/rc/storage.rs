//! Static storage (`caf.ref` and its like) on the reference-counted heap: it owns its references. What is read from it
//! is one more reference, but for `peek_caf.ref`, and what is overwritten is one less.

use super::Lowering;
use crate::lower::emit::Emit;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::{InstData, Opcode, Type, Value};

impl Lowering<'_> {
    /// Lowers an instruction that reads or writes storage.
    pub(super) fn storage(&mut self, data: &InstData, args: &[Value], result: Option<Value>) {
        if matches!(data.op, Opcode::CafRef | Opcode::PeekCafRef | Opcode::SetCafRef) {
            let place = self.func.append(self.block, Opcode::CafRefAddr, data.imm, data.aux, &[], &[Type::I32]);
            let place = self.func.result(place);
            return match result {
                Some(result) => {
                    self.define(result, Opcode::LoadRef, 0, &[place]);
                    if data.op == Opcode::CafRef {
                        self.unless_unset(result, |this| this.retain(result));
                    }
                }
                None => {
                    let old = self.op(Opcode::LoadRef, 0, &[place], Type::Ref);
                    self.effect(Opcode::StoreRef, 0, &[place, args[0]]);
                    self.unless_unset(old, |this| this.release(old));
                }
            };
        }
        let caf = self.op(Opcode::CafAddr, data.imm, &[], Type::I32);
        let word = StaticDataSection::caf_word(data.aux);
        match (data.op, result) {
            (Opcode::CafState, Some(result)) => self.define(result, Opcode::LoadI32, 0, &[caf]),
            (Opcode::CafF64, Some(result)) => self.define(result, Opcode::LoadF64, word.into(), &[caf]),
            (_, Some(result)) => self.define(result, Opcode::LoadI64, word.into(), &[caf]),
            (Opcode::SetCafState, None) => {
                let one = self.iconst32(1);
                self.effect(Opcode::StoreI32, 0, &[caf, one]);
            }
            (_, None) => self.store(caf, word, args[0]),
        }
    }

    /// Does something with a reference of the storage, if there is one.
    fn unless_unset(&mut self, object: Value, then: impl FnOnce(&mut Self)) {
        let address = self.op(Opcode::RefAddr, 0, &[object], Type::I32);
        let (some, done) = (self.func.new_block(), self.func.new_block());
        self.branch(address, some, done);
        self.block = some;
        then(self);
        self.jump(done, &[]);
        self.block = done;
    }
}
