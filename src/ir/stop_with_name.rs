//! How a program ends that has a value which nobody wants: with a message that names the constructor of the value.

use crate::builder::Builder;
use crate::entity::Value;
use crate::layout::{DESCRIPTOR_NAME, NODE_INFO_DESCRIPTOR, TAG_HNF};
use crate::module::{Module, StaticData};
use crate::opcode::Opcode;
use crate::runtime::Callee;
use cleave_abi::LibcallSignature;
use cleave_abi::libcalls;

/// The functions of the runtime that do it.
pub struct StopWithName {
    /// Gets the name.
    named: Callee<'static>,
    /// Of a module whose references may be integers: what says that it is one, and the whole message.
    integer: Option<(Callee<'static>, u64)>,
    /// There are thunks, which have no names before they are evaluated.
    evaluates: bool,
}

impl StopWithName {
    /// By a function of the runtime that is given a name; or with a message about an integer, which has none.
    pub fn new(module: &mut Module, row: &'static LibcallSignature, of_integer: &str) -> StopWithName {
        let named = Callee::of(module.declare(row), row);
        let integer = module.immediates.then(|| {
            let row = &libcalls::UNAVAILABLE;
            let callee = Callee::of(module.declare(row), row);
            let text = module.statics.push(StaticData::Text(of_integer.as_bytes().into()));
            (callee, u64::from(text.as_u32()))
        });
        StopWithName { named, integer, evaluates: !module.thunk_infos.is_empty() }
    }

    /// Ends the block at hand.
    pub fn emit(&self, b: &mut Builder, value: Value) {
        let value = if self.evaluates { b.op(Opcode::Eval, &[value]) } else { value };
        if let Some((unavailable, text)) = self.integer {
            let [integer, object] = [(); 2].map(|()| b.func.new_block());
            let is_int = b.op(Opcode::IsInt, &[value]);
            b.br_if(is_int, (integer, &[]), (object, &[]));
            b.switch_to(integer);
            let text = b.value(Opcode::TextAddr, text, 0, &[]);
            b.call_extern(unavailable, &[text]);
            b.unreachable();
            b.switch_to(object);
        }
        let header = b.op(Opcode::Header, &[value]);
        let info = b.value(Opcode::LoadI32, u64::from(NODE_INFO_DESCRIPTOR - TAG_HNF), 0, &[header]);
        let text = b.value(Opcode::LoadI32, u64::from(DESCRIPTOR_NAME), 0, &[info]);
        b.call_extern(self.named, &[text]);
        b.unreachable();
    }
}
