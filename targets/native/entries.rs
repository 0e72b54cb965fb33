//! The functions that the runtime calls for the entries of a library.
//!
//! The runtime has written the registers in which C passes arguments to memory. An entry takes what its function wants
//! from there, by the System V convention for numbers and addresses:
//! ```text
//! words of rdi, rsi, rdx, rcx, r8, r9 | reals of xmm0 … xmm7 | four words | what was passed on the stack
//! ```

use crate::Symbol;
use crate::lower::{Clif, Env};
use cleave_ir::Type;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// Offsets of registers and of the rest, as the runtime writes them; and how many registers there are.
const REALS: i32 = 48;
const STACK: i32 = 144;
const WORDS: i32 = 6;
const MOST_REALS: i32 = 8;

/// Builds the function that the runtime calls for an entry.
pub fn build(
    env: &Env,
    isa: &dyn TargetIsa,
    number: u32,
    context: &mut FunctionBuilderContext,
    function: &mut Function,
) {
    let entry = &env.module.entries[number as usize];
    let of = env.module.funcs[entry.func].lowered_signature();
    function.signature = Signature::new(CallConv::SystemV);
    function.signature.params.extend([AbiParam::new(types::I32), AbiParam::new(types::I64)]);
    let mut builder = FunctionBuilder::new(function, context);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let (pointer, registers) = (builder.block_params(block)[0], builder.block_params(block)[1]);
    let mut clif = Clif::new(env, &mut builder);
    let mut args = Vec::new();
    if of.takes_stack_pointer {
        args.push(clif.builder.ins().uextend(types::I64, pointer));
    }
    let (mut words, mut reals, mut rest) = (0, 0, 0);
    for (at, ty) in of.params.iter().enumerate() {
        let (used, most, first) = match ty {
            Type::F64 => (&mut reals, MOST_REALS, REALS),
            _ => (&mut words, WORDS, 0),
        };
        let (counted, first) = if *used < most { (used, first) } else { (&mut rest, STACK) };
        let offset = first + 8 * *counted;
        *counted += 1;
        let flags = MemFlagsData::trusted();
        let mut load = |ty| clif.builder.ins().load(ty, flags, registers, offset);
        args.push(match ty {
            Type::F64 if entry.narrow.0.contains(&(at as u32)) => {
                let short = load(types::F32);
                clif.builder.ins().fpromote(types::F64, short)
            }
            Type::F64 => load(types::F64),
            Type::I32 => load(types::I32),
            _ => load(types::I64),
        });
    }
    let saved = clif.builder.ins().get_pinned_reg(types::I64);
    clif.load_heap_pointer();
    let record = clif.link_entry();
    clif.call_symbol(Symbol::Func(entry.func), &args);
    clif.leave_entry(record);
    clif.store_heap_pointer();
    clif.builder.ins().set_pinned_reg(saved);
    clif.builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
}
