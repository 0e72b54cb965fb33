//! How a call looks after lowering: the one place that knows the hidden shadow-stack pointer.
//!
//! ```text
//! call @f(args…)            @f takes the pointer      call @f(pointer, args…)
//! call_rt f(args…)          f may collect             call_rt f(pointer, args…)
//! call_table %t(n, args…)   always              ──▶   call_table %t(n, pointer, args…)
//! collect                   always                    collect(pointer, bytes)
//! enter_code                always                    enter_code(pointer, thunk, header)
//! ```
//! Whether a function *may collect* and whether it *takes the pointer* are two facts. On the garbage-collected heap
//! what may collect takes the pointer, since the collector finds the frames by it. On the reference-counted heap
//! nothing collects, but functions that are called through tables take the pointer there, too, so that such calls look
//! the same on both heaps. And functions that recurse without collecting get it in programs with deep recursion, since
//! it stands for the stack of the engine.

use crate::call_target::CallTarget;
use crate::entity::FuncId;
use crate::func::{Func, InstData};
use crate::module::{Module, TableData};
use crate::opcode::Opcode;
use crate::runtime::ExternData;
use crate::types::{Signature, Type};

/// What a function takes and gives after lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoweredSignature<'s> {
    /// The parameters that IR before lowering has, in order.
    pub params: &'s [Type],
    /// The results, in order.
    pub results: &'s [Type],
    /// True if the shadow-stack pointer, of type `STACK_POINTER`, comes before the parameters.
    pub takes_stack_pointer: bool,
}

/// The type of the shadow-stack pointer: an address.
pub const STACK_POINTER: Type = Type::I32;

impl<'s> LoweredSignature<'s> {
    fn new(signature: &'s Signature, takes_stack_pointer: bool) -> LoweredSignature<'s> {
        LoweredSignature { params: &signature.params, results: &signature.results, takes_stack_pointer }
    }

    /// A function that is called through a table with this signature.
    pub fn in_table(signature: &'s Signature) -> LoweredSignature<'s> {
        LoweredSignature::new(signature, true)
    }

    /// How many parameters come before those of the IR.
    pub fn hidden(&self) -> usize {
        usize::from(self.takes_stack_pointer)
    }

    /// All parameters, in order.
    pub fn all_params(&self) -> impl Iterator<Item = Type> + 's {
        self.takes_stack_pointer.then_some(STACK_POINTER).into_iter().chain(self.params.iter().copied())
    }
}

impl Func {
    /// How the function is called after lowering.
    pub fn lowered_signature(&self) -> LoweredSignature<'_> {
        LoweredSignature::new(&self.signature, self.takes_stack_pointer)
    }
}

impl TableData {
    /// How its functions are called after lowering.
    pub fn lowered_signature(&self) -> LoweredSignature<'_> {
        LoweredSignature::in_table(&self.signature)
    }
}

impl ExternData {
    /// How the function is called after lowering.
    pub fn lowered_signature(&self) -> LoweredSignature<'_> {
        let takes_stack_pointer = self.effects.may_gc();
        LoweredSignature { params: &self.params, results: &self.results, takes_stack_pointer }
    }
}

/// Which operand of a lowered call is the shadow-stack pointer, if one is. `takes` tells of functions whether they take
/// it; `in_module` is that of a module.
pub fn stack_pointer_operand(data: &InstData, takes: impl FnOnce(FuncId) -> bool) -> Option<usize> {
    match data.call_target() {
        Some(CallTarget::Func(callee)) => takes(callee).then_some(0),
        Some(CallTarget::Extern(_, effects)) => effects.may_gc().then_some(0),
        Some(CallTarget::Table(_)) => Some(1),
        Some(CallTarget::Entry) => Some(0),
        Some(CallTarget::Method(_) | CallTarget::Closure | CallTarget::Thunk) => None,
        None => (data.op == Opcode::Collect).then_some(0),
    }
}

/// Which functions of a module take the shadow-stack pointer.
pub fn in_module(module: &Module) -> impl Fn(FuncId) -> bool {
    |id| module.funcs[id].takes_stack_pointer
}
