//! What a call passes control to: the immediate of a call, decoded once.

use crate::entity::{Extern, FuncId, Table};
use crate::func::InstData;
use crate::opcode::{Call, Evaluation, Group, Opcode};
use crate::runtime::unpack_extern;
use cleave_abi::Effects;

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallTarget {
    /// A function by its name.
    Func(FuncId),
    /// A function of the runtime or of the host, with the effects of the call.
    Extern(Extern, Effects),
    /// A function of a dispatch table, by the index that is the first argument.
    Table(Table),
    /// The function that the descriptor of a node has for a table.
    Method(Table),
    /// The code of a closure.
    Closure,
    /// The code of a thunk, if it is one, or its update function.
    Thunk,
    /// The code that the header of a thunk names.
    Entry,
}

impl CallTarget {
    /// What an instruction of these immediates calls, whether it comes back here or not. Of calls with a handler, ask
    /// for the mere call (`Opcode::mere_call`).
    pub fn of(op: Opcode, imm: u64) -> Option<CallTarget> {
        Some(match op.group() {
            Group::Call(Call::Call | Call::TailCall) => CallTarget::Func(FuncId::from_u32(imm as u32)),
            Group::Call(Call::CallRt) => {
                let (id, effects) = unpack_extern(imm);
                CallTarget::Extern(id, effects)
            }
            Group::Call(Call::CallTable | Call::TailCallTable) => CallTarget::Table(Table::from_u32(imm as u32)),
            Group::Call(Call::EnterCode | Call::TailEnterCode) => CallTarget::Entry,
            Group::Evaluation(Evaluation::CallMethod | Evaluation::TailCallMethod) => {
                CallTarget::Method(Table::from_u32(imm as u32))
            }
            Group::Evaluation(Evaluation::Apply | Evaluation::TailApply) => CallTarget::Closure,
            Group::Evaluation(
                Evaluation::Eval
                | Evaluation::TailEval
                | Evaluation::Enter
                | Evaluation::TailEnter
                | Evaluation::Update
                | Evaluation::TailUpdate,
            ) => CallTarget::Thunk,
            // They have a handler, or become calls in a later pass (`perform`, `array.copy`, `collect`).
            Group::Handling(_) | Group::Array(_) | Group::Root(_) => return None,
            Group::Constant(_) | Group::Integer(_) | Group::Comparison(_) | Group::Real(_) => return None,
            Group::RealComparison(_) | Group::Field(_) | Group::Cell(_) | Group::Boxed(_) => return None,
            Group::Size(_) | Group::Element(_) | Group::Storage(_) | Group::Count(_) => return None,
            Group::Load(_) | Group::Store(_) | Group::Machine(_) | Group::Terminator(_) => return None,
        })
    }
}

impl InstData {
    /// What it calls (`CallTarget::of`).
    pub fn call_target(&self) -> Option<CallTarget> {
        CallTarget::of(self.op, self.imm)
    }
    /// The function that it calls by its name.
    pub fn called_func(&self) -> Option<FuncId> {
        match self.call_target() {
            Some(CallTarget::Func(id)) => Some(id),
            _ => None,
        }
    }
}
