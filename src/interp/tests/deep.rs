//! Depth and length: recursion, tail calls, evaluation chains, long-running allocation.

use crate::harness::*;
use Opcode::*;

const MILLION: i64 = 1_000_000;

/// `@count n k`: a list cell kept live across each of n nested calls; at the bottom, k collections.
fn nested(harness: &mut Harness) {
    let me = FuncId::from_u32(harness.module.funcs.len() as u32);
    harness.func("main", &[I64, REF], &[I64, REF], |b, args| {
        let (stop, go) = (b.func.new_block(), b.func.new_block());
        let zero = b.op(Eqz, &[args[0]]);
        b.br_if(zero, (stop, &[]), (go, &[]));
        b.switch_to(stop);
        b.inst(Collect, 0x10_0000, 0, &[]);
        b.ret(&[args[0], args[1]]);
        b.switch_to(go);
        let one = b.iconst64(1);
        let less = b.op(Isub, &[args[0], one]);
        let end = nil(b);
        let mine = cons(b, end, end);
        let inst = b.call(me, &[less, args[1]], &[I64, REF]);
        let results = b.func.results(inst).to_vec();
        let sum = b.op(Iadd, &[results[0], one]);
        b.field(SetRef, 2, 0, 0, &[mine, results[1]]);
        let back = b.get(GetRef, 2, 0, 0, mine);
        b.ret(&[sum, back]);
    });
}

#[test]
fn recursion_a_million_deep() {
    let mut harness = Harness::new();
    nested(&mut harness);
    let shown = harness.run_with("main", |session| vec![Val::I64(MILLION), session.int(777).expect("heap")]);
    assert_eq!(shown, Ok(vec!["1000000".into(), "777".into()]));
}

/// Under stress every frame is spilled once and read back once, not at every collection.
#[test]
fn deep_frames_survive_stress() {
    let mut harness = Harness::new();
    nested(&mut harness);
    harness.options.stress = Some(50);
    let shown = harness.run_with("main", |session| vec![Val::I64(1000), session.int(777).expect("heap")]);
    assert_eq!(shown, Ok(vec!["1000".into(), "777".into()]));
}

#[test]
fn the_register_stack_is_bounded() {
    let mut harness = Harness::new();
    nested(&mut harness);
    harness.options.max_registers = 10_000;
    let shown = harness.run_with("main", |session| vec![Val::I64(MILLION), session.nil()]);
    assert_eq!(shown, Err(Trap::StackOverflow));
}

#[test]
fn tail_calls_run_in_constant_space() {
    let mut harness = Harness::new();
    let (even, odd) = (FuncId::from_u32(2), FuncId::from_u32(3));
    for (name, other, at_end) in [("main", odd, 1), ("odd", even, 0)] {
        harness.func(name, &[I64], &[I32], |b, args| {
            let (stop, go) = (b.func.new_block(), b.func.new_block());
            let zero = b.op(Eqz, args);
            b.br_if(zero, (stop, &[]), (go, &[]));
            b.switch_to(stop);
            let result = b.iconst32(at_end);
            b.ret(&[result]);
            b.switch_to(go);
            let one = b.iconst64(1);
            let less = b.op(Isub, &[args[0], one]);
            b.tail_call(other, &[less]);
        });
    }
    harness.options.max_registers = 10_000;
    harness.expect(&[Val::I64(10 * MILLION)], &["1"]);
    harness.expect(&[Val::I64(10 * MILLION + 1)], &["0"]);
}

/// A chain of thunks, each the argument of the next; entering the last evaluates all of them, nested.
#[test]
fn long_chains_of_thunks() {
    let mut harness = Harness::new();
    let add = harness.thunk("add", 1, 0, |b, node| {
        let left = b.get(ArgRef, 1, 0, 0, node);
        b.effect(Blackhole, &[node]);
        let left = b.op(Eval, &[left]);
        let left = b.get(GetI64, 0, 1, 0, left);
        let one = b.iconst64(1);
        let sum = b.op(Iadd, &[left, one]);
        b.fill_node(WellKnownDesc::Int.desc(), 0, &[node, sum]);
        b.ret(&[node]);
    });
    harness.func("main", &[I32], &[REF], |b, args| {
        let (head, done) = (b.func.new_block(), b.func.new_block());
        let (n, chain) = (b.func.add_param(head, I32), b.func.add_param(head, REF));
        let start = boxed(b, 0);
        b.jump(head, &[args[0], start]);
        b.switch_to(head);
        let longer = b.build_thunk(add, &[chain]);
        let one = b.iconst32(1);
        let less = b.op(Isub, &[n, one]);
        b.br_if(less, (head, &[less, longer]), (done, &[]));
        b.switch_to(done);
        b.effect(TailEval, &[longer]);
    });
    harness.expect(&[Val::I32(MILLION as i32)], &["1000000"]);
    harness.options.stress = Some(37);
    harness.expect(&[Val::I32(500)], &["500"]);
}

/// Garbage is collected although the frame still has registers that once held it.
#[test]
fn long_loops_with_garbage() {
    let mut harness = Harness::new();
    harness.func("main", &[I32], &[I64], |b, args| {
        let (head, done) = (b.func.new_block(), b.func.new_block());
        let (n, last) = (b.func.add_param(head, I32), b.func.add_param(head, REF));
        let start = boxed(b, 1000);
        b.jump(head, &[args[0], start]);
        b.switch_to(head);
        let old = b.get(GetI64, 0, 1, 0, last);
        let step = b.iconst64(1);
        let sum = b.op(Iadd, &[old, step]);
        let next = b.op(BoxInt, &[sum]);
        let one = b.iconst32(1);
        let less = b.op(Isub, &[n, one]);
        b.br_if(less, (head, &[less, next]), (done, &[]));
        b.switch_to(done);
        b.ret(&[sum]);
    });
    // 24 MB of cells in a heap of 2 MB.
    harness.options.heap_limit = 2 << 20;
    harness.expect(&[Val::I32(2 * MILLION as i32)], &["2001000"]);
}
