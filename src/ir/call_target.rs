//! What a call passes control to: the immediate of a call, decoded once.

use crate::entity::{Extern, FuncId, Table};
use crate::func::InstData;
use crate::opcode::Opcode;
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
        Some(match op {
            Opcode::Call | Opcode::TailCall => CallTarget::Func(FuncId::from_u32(imm as u32)),
            Opcode::CallRt => {
                let (id, effects) = unpack_extern(imm);
                CallTarget::Extern(id, effects)
            }
            Opcode::CallTable | Opcode::TailCallTable => CallTarget::Table(Table::from_u32(imm as u32)),
            Opcode::CallMethod | Opcode::TailCallMethod => CallTarget::Method(Table::from_u32(imm as u32)),
            Opcode::Apply | Opcode::TailApply => CallTarget::Closure,
            Opcode::Eval | Opcode::TailEval | Opcode::Enter | Opcode::TailEnter => CallTarget::Thunk,
            Opcode::Update | Opcode::TailUpdate => CallTarget::Thunk,
            Opcode::EnterCode | Opcode::TailEnterCode => CallTarget::Entry,
            // All others call nothing, or have a handler, or become calls in a later pass (`perform`, `collect`).
            _ => return None,
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
