//! Live ranges are split around loops without calls.

use cleave_native::split_live_ranges::keep_apart;
use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Opcode, Signature, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

/// A loop that adds up the numbers from its argument down to 1, perhaps with a call in each round.
fn sum(calls: bool) -> Context {
    let isa = cleave_native::isa::isa(&cleave_native::Options::default(), cleave_native::Effort::Most);
    let mut signature = Signature::new(CallConv::Tail);
    signature.params.push(AbiParam::new(types::I64));
    signature.returns.push(AbiParam::new(types::I64));
    let mut context = Context::new();
    context.func.signature = signature.clone();
    let mut state = FunctionBuilderContext::new();
    let mut builder = FunctionBuilder::new(&mut context.func, &mut state);
    let [entry, header, exit] = [(); 3].map(|()| builder.create_block());
    builder.append_block_params_for_function_params(entry);
    let [number, total, result] = [header, header, exit].map(|block| builder.append_block_param(block, types::I64));
    builder.switch_to_block(entry);
    let start = builder.block_params(entry)[0];
    let zero = builder.ins().iconst(types::I64, 0);
    builder.ins().jump(header, &[start.into(), zero.into()]);
    builder.switch_to_block(header);
    if calls {
        let signature = builder.import_signature(signature);
        builder.ins().call_indirect(signature, number, &[number]);
    }
    let more = builder.ins().iadd(total, number);
    let one = builder.ins().iconst(types::I64, 1);
    let less = builder.ins().isub(number, one);
    builder.ins().brif(less, header, &[less.into(), more.into()], exit, &[more.into()]);
    builder.switch_to_block(exit);
    builder.ins().return_(&[result]);
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
    context.compute_cfg();
    context.compute_domtree();
    context.compute_loop_analysis();
    context
}

fn sums(context: &Context) -> usize {
    let insts = context.func.layout.blocks().flat_map(|block| context.func.layout.block_insts(block));
    insts.filter(|&inst| context.func.dfg.insts[inst].opcode() == Opcode::Iadd).count()
}

#[test]
fn what_enters_a_loop_and_what_leaves_it_is_copied() {
    let mut context = sum(false);
    assert_eq!(sums(&context), 1);
    keep_apart(&mut context);
    // The argument of the function, and its result.
    assert_eq!(sums(&context), 3, "{}", context.func.display());
}

#[test]
fn loops_with_calls_stay_as_they_are() {
    let mut context = sum(true);
    keep_apart(&mut context);
    assert_eq!(sums(&context), 1, "{}", context.func.display());
}
