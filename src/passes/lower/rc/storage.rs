//! Static storage (`caf.ref` and its like) on the reference-counted heap: it owns its references. What is read from it
//! is one more reference, but for `peek_caf.ref`, and what is overwritten is one less.

use super::Lowering;
use crate::lower::emit::Emit;
use cleave_ir::data_section::StaticDataSection;
use cleave_ir::opcode::Storage;
use cleave_ir::{InstData, Opcode, Type, Value};

impl Lowering<'_> {
    /// Lowers an instruction that reads or writes storage.
    pub(super) fn storage(&mut self, op: Storage, data: &InstData, args: &[Value], result: Option<Value>) {
        let defined = || result.expect("this opcode has a result");
        let of = match op {
            Storage::CafRef | Storage::PeekCafRef | Storage::SetCafRef => Opcode::CafRefAddr,
            Storage::CafState | Storage::CafI64 | Storage::CafF64 => Opcode::CafAddr,
            Storage::SetCafState | Storage::SetCafI64 | Storage::SetCafF64 => Opcode::CafAddr,
        };
        let index = if of == Opcode::CafRefAddr { data.aux } else { 0 };
        let address = self.func.append(self.block, of, data.imm, index, &[], &[Type::I32]);
        let place = self.func.result(address);
        let word = StaticDataSection::caf_word(data.aux);
        match op {
            Storage::CafRef => {
                self.load(defined(), place, 0);
                self.unless_unset(defined(), |this| this.retain(defined()));
            }
            Storage::PeekCafRef | Storage::CafState => self.load(defined(), place, 0),
            Storage::SetCafRef => {
                let old = self.op(Opcode::LoadRef, 0, &[place], Type::Ref);
                self.store(place, 0, args[0]);
                self.unless_unset(old, |this| this.release(old));
            }
            Storage::CafI64 | Storage::CafF64 => self.load(defined(), place, word),
            Storage::SetCafI64 | Storage::SetCafF64 => self.store(place, word, args[0]),
            Storage::SetCafState => {
                let one = self.iconst32(1);
                self.store(place, 0, one);
            }
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
