//! Effects: who gets them, what goes on when they are answered, and that it does so once.

use crate::harness::*;
use Opcode::*;
use cleave_ir::{DescData, FuncId, TableData, TableRole};

pub const CASES: &[Case] = &[
    Case { subjects: &[Perform, HandleCall, Resume], run: frames },
    Case { subjects: &[HandleCallTable, Discontinue], run: table },
    Case { subjects: &[HandleCallMethod], run: method },
    Case { subjects: &[HandleApply], run: application },
    Case { subjects: &[Perform], run: nobody },
];

/// Performs the number, boxed; gives what it is answered, and 1 more.
fn ask(harness: &mut Harness) -> FuncId {
    harness.func("ask", &[I64], &[REF], |b, args| {
        let effect = b.op(BoxInt, args);
        let answer = b.perform(effect);
        let number = b.get(GetI64, 0, 1, 0, answer);
        let one = b.iconst64(1);
        let more = b.op(Iadd, &[number, one]);
        let more = b.op(BoxInt, &[more]);
        b.ret(&[more]);
    })
}

/// Ends with the number of the effect, and that of the result after it was answered with 40.
fn answered(b: &mut Builder, call: (Opcode, u64), args: &[Value]) {
    let [_, effect, continuation] = b.handle(call, args);
    let answer = boxed(b, 40);
    let [performed, result, _] = b.handle((Resume, 0), &[continuation, answer]);
    let [number, result] = [effect, result].map(|node| b.get(GetI64, 0, 1, 0, node));
    b.ret(&[performed, number, result]);
}

/// Frames in between go on, with what they held; an effect that a handler performs again gets to the next one.
fn frames(harness: &mut Harness) {
    let ask = ask(harness);
    let between = harness.func("between", &[I64, F64], &[F64], |b, args| {
        let answer = b.call_value(ask, &args[..1], REF);
        let number = b.get(GetI64, 0, 1, 0, answer);
        let sum = b.op(Iadd, &[number, args[0]]);
        let real = b.op(IntToReal, &[sum]);
        let sum = b.op(Fadd, &[real, args[1]]);
        b.ret(&[sum]);
    });
    let body = harness.func("body", &[I64], &[REF], |b, args| {
        let half = b.fconst(0.5f64.to_bits());
        let real = b.call_value(between, &[args[0], half], F64);
        let twice = b.op(Fadd, &[real, real]);
        let number = b.op(RealToInt, &[twice]);
        let number = b.op(BoxInt, &[number]);
        b.ret(&[number]);
    });
    let again = harness.func("again", &[I64], &[REF], |b, args| {
        let [_, effect, continuation] = b.handle((HandleCall, u64::from(body.as_u32())), args);
        let answer = b.perform(effect);
        let [_, result, _] = b.handle((Resume, 0), &[continuation, answer]);
        b.ret(&[result]);
    });
    harness.func("main", &[I64], &[I32, I64, I64], |b, args| {
        answered(b, (HandleCall, u64::from(again.as_u32())), args);
    });
    // Twice the sum of 40 + 1, the number and a half.
    harness.expect(&[Val::I64(5)], &["0", "5", "93"]);
    harness.stress();
    harness.expect(&[Val::I64(5000)], &["0", "5000", "10083"]);
}

/// What is raised at the effect comes out of `discontinue`.
fn table(harness: &mut Harness) {
    let ask = ask(harness);
    let signature = Signature::new(&[I64], &[REF]);
    let data = TableData { label: "asking".into(), role: TableRole::Plain, signature, funcs: vec![ask] };
    let table = harness.module.tables.push(data);
    let stopping = harness.func("stopping", &[I64], &[REF], |b, args| {
        let index = b.iconst32(0);
        let [_, effect, continuation] = b.handle((HandleCallTable, u64::from(table.as_u32())), &[index, args[0]]);
        let [_, result, _] = b.handle((Discontinue, 0), &[continuation, effect]);
        b.ret(&[result]);
    });
    harness.func("main", &[I64], &[I64], |b, args| {
        let (normal, handler) = (b.func.new_block(), b.func.new_block());
        let exception = b.func.add_param(handler, REF);
        let results = b.try_call((TryCall, u64::from(stopping.as_u32())), args, &[REF]);
        b.handled_by((normal, &[]), (handler, &results[1..]));
        b.switch_to(normal);
        b.unreachable();
        b.switch_to(handler);
        let number = b.get(GetI64, 0, 1, 0, exception);
        b.ret(&[number]);
    });
    harness.expect(&[Val::I64(3)], &["3"]);
}

fn method(harness: &mut Harness) {
    let ask = ask(harness);
    let signature = Signature::new(&[REF, I64], &[REF]);
    let data = TableData { label: "methods".into(), role: TableRole::Method, signature, funcs: Vec::new() };
    let table = harness.module.tables.push(data);
    let member = harness.module.descs.push(descriptor("member", 0, None));
    let code = harness.func("code", &[REF, I64], &[REF], |b, args| b.tail_call(ask, &args[1..]));
    harness.module.descs[member].method = Some((table, code));
    harness.func("main", &[I64], &[I32, I64, I64], |b, args| {
        let node = b.node(member);
        answered(b, (HandleCallMethod, u64::from(table.as_u32())), &[node, args[0]]);
    });
    harness.expect(&[Val::I64(3)], &["0", "3", "41"]);
}

/// A closure that lacks one argument and is applied to two: what the effect is answered with is applied to the second.
fn application(harness: &mut Harness) {
    let code = harness.func("code", &[REF, REF], &[REF], |b, args| {
        let answer = b.perform(args[1]);
        b.ret(&[answer]);
    });
    let second = harness.func("second", &[REF, REF], &[REF], |b, args| b.ret(&[args[1]]));
    let applied = |code| DescData { callable: true, apply: vec![Some(code)], ..descriptor("closure", 1, None) };
    let closure = harness.module.descs.push(applied(code));
    let second = harness.module.descs.push(DescData { label: "second".into(), ..applied(second) });
    harness.func("main", &[I64], &[I32, REF], |b, args| {
        let (closure, number, seven) = (b.node(closure), b.op(BoxInt, args), boxed(b, 7));
        let [_, _, continuation] = b.handle((HandleApply, 0), &[closure, number, seven]);
        let answer = b.node(second);
        let [performed, result, _] = b.handle((Resume, 0), &[continuation, answer]);
        b.ret(&[performed, result]);
    });
    harness.expect(&[Val::I64(40)], &["0", "7"]);
}

/// Without a handler the program ends, and so it does when a continuation is resumed again.
fn nobody(harness: &mut Harness) {
    let ask = ask(harness);
    harness.func("main", &[], &[REF], |b, _| {
        let number = b.iconst64(-1);
        b.tail_call(ask, &[number]);
    });
    let twice = harness.func("twice", &[], &[REF], |b, _| {
        let number = b.iconst64(1);
        let [_, effect, continuation] = b.handle((HandleCall, u64::from(ask.as_u32())), &[number]);
        b.handle((Resume, 0), &[continuation, effect]);
        let [_, result, _] = b.handle((Resume, 0), &[continuation, effect]);
        b.ret(&[result]);
    });
    for name in ["main", &harness.module.funcs[twice].name] {
        let ended = harness.run(name, &[]);
        assert!(matches!(ended, Err(Trap::Exit(255))), "{ended:?}");
    }
}
