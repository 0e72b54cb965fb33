//! Functions of the runtime that exist twice, once for each heap: modules call those of theirs.

use crate::func::Phase;
use crate::module::Module;
use crate::opcode::Opcode;
use crate::runtime::{Callee, ExternData};
use cleave_abi::{Effects, LibcallSignature, libcalls};

impl Module {
    /// The function of the runtime that does the same on the module's heap, of one for the other heap.
    fn twin(&self, data: &ExternData) -> Option<&'static LibcallSignature> {
        let row = match (data.from.is_none(), self.heap.counts(), data.effects.all(Effects::RC)) {
            (true, true, false) => libcalls::find(&format!("rc_{}", data.name)),
            (true, false, true) => libcalls::find(data.name.strip_prefix("rc_")?),
            _ => None,
        };
        row.filter(|row| data.params[..] == *row.params && data.results[..] == *row.results)
    }

    /// True if functions are called that `suit_externs_to_heap` replaces.
    pub fn calls_externs_of_other_heap(&self) -> bool {
        self.called_externs().into_iter().any(|id| self.twin(&self.externs[id]).is_some())
    }

    /// Functions of the runtime that have a twin for the reference-counted heap, `rc_…`, become it in modules of that
    /// heap, and the other way round: so front ends and texts need not say which heap they mean.
    pub fn suit_externs_to_heap(&mut self) {
        if !self.externs.values().any(|data| self.twin(data).is_some()) {
            return;
        }
        let twin = |(id, data)| Some((id, self.twin(data)?));
        let twins: Vec<_> = self.externs.iter().filter_map(twin).collect();
        let twins: Vec<_> = twins.into_iter().map(|(id, row)| (id, Callee::of(self.declare(row), row))).collect();
        for func in self.funcs.values_mut().filter(|func| func.phase == Phase::High) {
            for data in func.insts.values_mut().filter(|data| data.op == Opcode::CallRt) {
                if let Some((_, callee)) = twins.iter().find(|twin| twin.0 == data.external().0) {
                    data.imm = callee.imm();
                }
            }
        }
    }
}
