//! Exceptions: which frames end, which handler goes on, and what is there after it.

use crate::harness::*;
use Opcode::*;
use cleave_ir::{DescData, FuncId, TableData, TableRole};

pub const CASES: &[Case] = &[
    Case { subjects: &[Raise, TryCall], run: frames },
    Case { subjects: &[TryCallTable], run: table },
    Case { subjects: &[TryCallMethod], run: method },
    Case { subjects: &[TryApply], run: application },
    Case { subjects: &[Raise], run: nobody },
];

/// Raises the boxed number where it is negative, otherwise gives twice as much.
fn judge(harness: &mut Harness) -> FuncId {
    harness.func("judge", &[I64], &[I64], |b, args| {
        let (bad, good) = (b.func.new_block(), b.func.new_block());
        let zero = b.iconst64(0);
        let is_negative = b.op(Slt, &[args[0], zero]);
        b.br_if(is_negative, (bad, &[]), (good, &[]));
        b.switch_to(bad);
        let exception = b.op(BoxInt, &[args[0]]);
        b.raise(exception);
        b.switch_to(good);
        let twice = b.op(Iadd, &[args[0], args[0]]);
        b.ret(&[twice]);
    })
}

/// Ends with the result, or with the number of the exception and something that is there on both ways.
fn handled(b: &mut Builder, call: (Opcode, u64), args: &[Value], other: Value) {
    let (normal, handler) = (b.func.new_block(), b.func.new_block());
    let (good, bad) = (b.func.add_param(normal, I64), b.func.add_param(handler, REF));
    let results = b.try_call(call, args, &[I64]);
    b.handled_by((normal, &results[..1]), (handler, &results[1..]));
    b.switch_to(normal);
    b.ret(&[good, other]);
    b.switch_to(handler);
    let number = b.get(GetI64, 0, 1, 0, bad);
    b.ret(&[number, other]);
}

/// Frames in between end; the innermost handler goes on, with what its frame held.
fn frames(harness: &mut Harness) {
    let judge = judge(harness);
    let between = harness.func("between", &[I64], &[I64], |b, args| {
        let result = b.call_value(judge, args, I64);
        let one = b.iconst64(1);
        let more = b.op(Iadd, &[result, one]);
        b.ret(&[more]);
    });
    harness.func("main", &[I64], &[I64, I64], |b, args| {
        let seven = b.iconst64(7);
        handled(b, (TryCall, u64::from(between.as_u32())), args, seven);
    });
    harness.expect(&[Val::I64(5)], &["11", "7"]);
    harness.expect(&[Val::I64(-5)], &["-5", "7"]);
    harness.stress();
    harness.expect(&[Val::I64(-5000)], &["-5000", "7"]);
}

fn table(harness: &mut Harness) {
    let judge = judge(harness);
    let signature = Signature::new(&[I64], &[I64]);
    let data = TableData { label: "judges".into(), role: TableRole::Plain, signature, funcs: vec![judge] };
    let table = harness.module.tables.push(data);
    harness.func("main", &[I64], &[I64, I64], |b, args| {
        let index = b.iconst32(0);
        handled(b, (TryCallTable, u64::from(table.as_u32())), &[index, args[0]], args[0]);
    });
    harness.expect(&[Val::I64(3)], &["6", "3"]);
    harness.expect(&[Val::I64(-3)], &["-3", "-3"]);
}

fn method(harness: &mut Harness) {
    let judge = judge(harness);
    let signature = Signature::new(&[REF, I64], &[I64]);
    let data = TableData { label: "methods".into(), role: TableRole::Method, signature, funcs: Vec::new() };
    let table = harness.module.tables.push(data);
    let member = harness.module.descs.push(descriptor("member", 0, None));
    let code = harness.func("code", &[REF, I64], &[I64], |b, args| b.tail_call(judge, &args[1..]));
    harness.module.descs[member].method = Some((table, code));
    harness.func("main", &[I64], &[I64, I64], |b, args| {
        let node = b.node(member);
        handled(b, (TryCallMethod, u64::from(table.as_u32())), &[node, args[0]], args[0]);
    });
    harness.expect(&[Val::I64(3)], &["6", "3"]);
    harness.expect(&[Val::I64(-3)], &["-3", "-3"]);
}

/// A closure that lacks one argument and is applied to two: the second one never meets what the first has raised. One
/// that lacks two is only given another argument, and raises nothing.
fn application(harness: &mut Harness) {
    let code = harness.func("code", &[REF, REF], &[REF], |b, args| b.raise(args[1]));
    let closure = DescData { callable: true, apply: vec![Some(code)], ..descriptor("closure", 1, None) };
    let more = DescData { callable: true, ..descriptor("more", 3, None) };
    let [closure, more] = [closure, more].map(|desc| harness.module.descs.push(desc));
    harness.func("main", &[I64], &[REF], |b, args| {
        let (normal, next, handler) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
        let (partial, caught) = (b.func.add_param(normal, REF), b.func.add_param(handler, REF));
        let (closure, more, number) = (b.node(closure), b.node(more), b.op(BoxInt, args));
        let results = b.try_call((TryApply, 0), &[more, number], &[REF]);
        b.handled_by((normal, &results[..1]), (next, &[]));
        b.switch_to(normal);
        let results = b.try_call((TryApply, 0), &[closure, number, partial], &[REF]);
        b.handled_by((next, &[]), (handler, &results[1..]));
        b.switch_to(next);
        b.unreachable();
        b.switch_to(handler);
        b.ret(&[caught]);
    });
    harness.expect(&[Val::I64(40)], &["40"]);
}

/// Without a handler the program ends.
fn nobody(harness: &mut Harness) {
    let judge = judge(harness);
    harness.func("main", &[], &[I64], |b, _| {
        let number = b.iconst64(-1);
        b.tail_call(judge, &[number]);
    });
    let ended = harness.run("main", &[]);
    assert!(matches!(ended, Err(Trap::Exit(255))), "{ended:?}");
}
