//! Trampolines: generated functions between compiled code and the runtime.
//!
//! The runtime has the system's convention and knows nothing of the pinned register: on the way in the heap pointer is
//! loaded from the program record, on the way out it is stored there, and the register gets back what it held.

use crate::lower::{Clif, Env};
use crate::{Symbol, Trampoline};
use cleave_ir::Libcall;
use cleave_ir::layout::{PROGRAM_HEAP_POINTER, TAG_HNF};
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

impl Trampoline {
    pub(crate) fn signature(self) -> Signature {
        let mut signature = Signature::new(match self {
            Trampoline::Main | Trampoline::Eval => CallConv::SystemV,
            Trampoline::Collect | Trampoline::Remember | Trampoline::RememberSlot => CallConv::PreserveAll,
        });
        let word = |count| (0..count).map(|_| AbiParam::new(types::I32));
        match self {
            Trampoline::Main | Trampoline::Remember | Trampoline::RememberSlot => signature.params.extend(word(1)),
            Trampoline::Eval => {
                signature.params.extend(word(2));
                signature.returns.extend(word(1));
            }
            Trampoline::Collect => signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::I32)]),
        }
        signature
    }
}

/// Builds a generated function.
pub fn build(
    env: &Env,
    isa: &dyn TargetIsa,
    trampolines: Trampoline,
    context: &mut FunctionBuilderContext,
    function: &mut Function,
) {
    function.signature = trampolines.signature();
    let mut builder = FunctionBuilder::new(function, context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let params = builder.block_params(block).to_vec();
    let mut clif = Clif::new(env, &mut builder);
    match trampolines {
        Trampoline::Main => {
            let start = env.module.start.expect("checked in `compile`");
            let saved = clif.builder.ins().get_pinned_reg(types::I64);
            clif.load_heap_pointer();
            let sp = clif.builder.ins().uextend(types::I64, params[0]);
            let args = if env.module.funcs[start].takes_stack_pointer { vec![sp] } else { Vec::new() };
            let record = clif.link_entry();
            clif.call_symbol(Symbol::Func(start), &args);
            clif.leave_entry(record);
            clif.store_heap_pointer();
            clif.builder.ins().set_pinned_reg(saved);
            clif.builder.ins().return_(&[]);
        }
        Trampoline::Eval => {
            let done = clif.builder.create_block();
            let enter = clif.builder.create_block();
            let node = clif.builder.ins().uextend(types::I64, params[1]);
            let flags = clif.heap_flags();
            let header = clif.builder.ins().uload32(flags, node, 0);
            let tag = clif.builder.ins().band_imm_s(header, i64::from(TAG_HNF));
            clif.builder.ins().brif(tag, done, &[], enter, &[]);
            clif.builder.switch_to_block(done);
            clif.builder.ins().return_(&[params[1]]);
            clif.builder.switch_to_block(enter);
            let saved = clif.builder.ins().get_pinned_reg(types::I64);
            clif.load_heap_pointer();
            let sp = clif.builder.ins().uextend(types::I64, params[0]);
            let record = clif.link_entry();
            let call = clif.enter(sp, node, header);
            let result = clif.builder.inst_results(call)[0];
            clif.leave_entry(record);
            clif.store_heap_pointer();
            clif.builder.ins().set_pinned_reg(saved);
            let result = clif.builder.ins().ireduce(types::I32, result);
            clif.builder.ins().return_(&[result]);
        }
        Trampoline::Collect => {
            clif.store_heap_pointer();
            let sp = clif.builder.ins().ireduce(types::I32, params[0]);
            clif.call_symbol(Symbol::Extern(Libcall::Collect.id()), &[sp, params[1]]);
            clif.builder.ins().return_(&[]);
        }
        Trampoline::Remember | Trampoline::RememberSlot => {
            unreachable!("Cranelift has no convention that keeps these registers alone")
        }
    }
    debug_assert_eq!(PROGRAM_HEAP_POINTER % 4, 0);
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
}
