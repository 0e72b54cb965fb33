//! Blocks, calls, evaluation.

use crate::harness::*;
use Opcode::*;
use cleave_ir::{Desc, Table, TableData, TableRole};

pub const CASES: &[Case] = &[
    Case { subjects: &[Jump, BrIf], run: swap_loop },
    Case { subjects: &[BrTable], run: br_table },
    Case { subjects: &[Call, Return], run: several_results },
    Case { subjects: &[CallTable, TailCallTable], run: tables },
    Case { subjects: &[TailCall], run: tail_call },
    Case { subjects: &[CallRt], run: call_rt },
    Case { subjects: &[Eval, Enter, TailEval, TailEnter], run: evaluation },
    Case { subjects: &[Unreachable], run: unreachable_block },
    Case { subjects: &[Apply, TailApply], run: application },
    Case { subjects: &[Update, TailUpdate], run: updates },
    Case { subjects: &[CallMethod, TailCallMethod], run: instances },
];

/// Block parameters are assigned at once: Fibonacci by swapping.
fn swap_loop(harness: &mut Harness) {
    harness.func("main", &[I64], &[I64, I64], |b, args| {
        let (head, done) = (b.func.new_block(), b.func.new_block());
        let [n, x, y] = [0; 3].map(|_| b.func.add_param(head, I64));
        let (zero, one) = (b.iconst64(0), b.iconst64(1));
        b.jump(head, &[args[0], zero, one]);
        b.switch_to(head);
        let sum = b.op(Iadd, &[x, y]);
        let rest = b.op(Isub, &[n, one]);
        b.br_if(rest, (head, &[rest, y, sum]), (done, &[]));
        b.switch_to(done);
        b.ret(&[y, x]);
    });
    // br_if takes an i32; any value that is not 0 counts.
    harness.module.funcs.clear();
    let mut fresh = Harness::new();
    fresh.func("main", &[I32], &[I64, I64], |b, args| {
        let (head, done) = (b.func.new_block(), b.func.new_block());
        let n = b.func.add_param(head, I32);
        let [x, y] = [0; 2].map(|_| b.func.add_param(head, I64));
        let (zero, one) = (b.iconst64(0), b.iconst64(1));
        b.jump(head, &[args[0], zero, one]);
        b.switch_to(head);
        let sum = b.op(Iadd, &[x, y]);
        let step = b.iconst32(1);
        let rest = b.op(Isub, &[n, step]);
        b.br_if(rest, (head, &[rest, y, sum]), (done, &[]));
        b.switch_to(done);
        b.ret(&[y, x]);
    });
    *harness = fresh;
    harness.expect(&[Val::I32(10)], &["55", "34"]);
    harness.expect(&[Val::I32(1)], &["1", "0"]);
}

/// Parameters that are exchanged in cycles, copied twice, or left as they are.
#[test]
fn copies_happen_at_once() {
    for order in [[1, 0, 2, 3, 4], [1, 2, 0, 0, 4], [1, 1, 0, 3, 4], [1, 0, 3, 2, 0], [4, 4, 4, 4, 4], [1, 2, 3, 4, 0]]
    {
        let mut harness = Harness::new();
        harness.func("main", &[I64; 5], &[I64; 5], |b, args| {
            let (head, done) = (b.func.new_block(), b.func.new_block());
            let params = [0; 5].map(|_| b.func.add_param(head, I64));
            let once = b.func.add_param(head, I32);
            let (yes, no) = (b.iconst32(1), b.iconst32(0));
            b.jump(head, &[args[0], args[1], args[2], args[3], args[4], yes]);
            b.switch_to(head);
            let next = order.map(|from| params[from]);
            b.br_if(once, (head, &[next[0], next[1], next[2], next[3], next[4], no]), (done, &[]));
            b.switch_to(done);
            b.ret(&params);
        });
        let expected = order.map(|from| (10 * from).to_string());
        harness.expect(&[0, 10, 20, 30, 40].map(Val::I64), &expected.each_ref().map(String::as_str));
    }
}

/// An index out of range, also a negative one, takes the last target.
fn br_table(harness: &mut Harness) {
    harness.func("main", &[I32], &[I64], |b, args| {
        let join = b.func.new_block();
        let n = b.func.add_param(join, I64);
        let values: Vec<Value> = [10, 20, 30].map(|n| b.iconst64(n)).into();
        b.effect(BrTable, &[args[0]]);
        for value in values {
            b.func.add_edge(b.block, join, &[value]);
        }
        b.switch_to(join);
        b.ret(&[n]);
    });
    for (index, want) in [(0, "10"), (1, "20"), (2, "30"), (3, "30"), (-1, "30")] {
        harness.expect(&[Val::I32(index)], &[want]);
    }
}

fn several_results(harness: &mut Harness) {
    let divide = harness.func("divide", &[I64, I64], &[I64, I64, REF], |b, args| {
        let (q, r) = (b.op(Sdiv, args), b.op(Srem, args));
        let node = b.op(BoxInt, &[args[0]]);
        b.ret(&[q, r, node]);
    });
    harness.func("main", &[I64, I64], &[I64, I64, REF], |b, args| {
        let inst = b.call(divide, &[args[0], args[1]], &[I64, I64, REF]);
        let [q, r, node] = b.func.results(inst) else { panic!("three results") };
        let (q, r, node) = (*q, *r, *node);
        let sum = b.op(Iadd, &[q, args[1]]);
        b.ret(&[r, sum, node]);
    });
    harness.expect(&[Val::I64(17), Val::I64(5)], &["2", "8", "17"]);
    harness.expect_error(&[Val::I64(17), Val::I64(0)], "division by zero");
}

fn tables(harness: &mut Harness) {
    let double = harness.func("double", &[I64], &[I64], |b, args| {
        let value = b.op(Iadd, &[args[0], args[0]]);
        b.ret(&[value]);
    });
    let negate = harness.func("negate", &[I64], &[I64], |b, args| {
        let zero = b.iconst64(0);
        let value = b.op(Isub, &[zero, args[0]]);
        b.ret(&[value]);
    });
    let table: Table = harness.module.tables.push(TableData {
        role: Default::default(),
        label: "unary".into(),
        signature: Signature::new(&[I64], &[I64]),
        funcs: vec![double, negate],
    });
    harness.func("main", &[I32, I32, I64], &[I64], |b, args| {
        let inst = b.call_table(table, &[args[0], args[2]], &[I64]);
        let first = result(b, inst);
        b.inst(TailCallTable, table.as_u32() as u64, 0, &[args[1], first]);
    });
    harness.expect(&[Val::I32(0), Val::I32(1), Val::I64(21)], &["-42"]);
    harness.expect(&[Val::I32(0), Val::I32(0), Val::I64(21)], &["84"]);
    harness.expect_error(&[Val::I32(0), Val::I32(2), Val::I64(21)], "index 2 in a dispatch table of 2 functions");
    harness.expect_error(&[Val::I32(-1), Val::I32(0), Val::I64(21)], "index 4294967295");
}

/// The arguments arrive in another order than they were in.
fn tail_call(harness: &mut Harness) {
    let minus = harness.func("minus", &[I64, I64], &[I64], |b, args| {
        let value = b.op(Isub, args);
        b.ret(&[value]);
    });
    harness.func("main", &[I64, I64], &[I64], |b, args| b.tail_call(minus, &[args[1], args[0]]));
    harness.expect(&[Val::I64(1), Val::I64(10)], &["9"]);
}

fn call_rt(harness: &mut Harness) {
    harness.func("main", &[I64, I64], &[REF, I64], |b, args| {
        let inst = b.call_extern(rt(&libcalls::INT_TO_STRING), &[args[0]]);
        let first = result(b, inst);
        let inst = b.call_extern(rt(&libcalls::INT_TO_STRING), &[args[1]]);
        let second = result(b, inst);
        let inst = b.call_extern(rt(&libcalls::CAT_STRING), &[first, second]);
        let both = result(b, inst);
        let inst = b.call_extern(rt(&libcalls::CMP_STRING), &[first, second]);
        let order = result(b, inst);
        b.ret(&[both, order]);
    });
    harness.expect(&[Val::I64(-12), Val::I64(34)], &["\"-1234\"", "-1"]);
    harness.stress();
    harness.expect(&[Val::I64(34), Val::I64(-12)], &["\"34-12\"", "1"]);
}

/// A thunk that adds its reference and its word, counting evaluations in a CAF.
fn evaluation(harness: &mut Harness) {
    let counter = harness.module.cafs.push(cleave_ir::CafData { label: "count".into(), ptrs: 0, nptrs: 1 });
    let add = harness.thunk("add", 1, 1, |b, node| {
        let left = b.get(ArgRef, 1, 1, 0, node);
        let right = b.get(ArgI64, 1, 1, 0, node);
        b.effect(Blackhole, &[node]);
        let left = b.op(Eval, &[left]);
        let left = b.get(GetI64, 0, 1, 0, left);
        let sum = b.op(Iadd, &[left, right]);
        b.fill_node(WellKnownDesc::Int.desc(), 0, &[node, sum]);
        let inst = b.caf(CafI64, counter, 0, &[]);
        let count = result(b, inst);
        let one = b.iconst64(1);
        let count = b.op(Iadd, &[count, one]);
        b.caf(SetCafI64, counter, 0, &[count]);
        b.ret(&[node]);
    });
    let build = |b: &mut Builder| {
        let inner = boxed(b, 1000);
        let one = b.iconst64(1);
        let inner = b.build_thunk(add, &[inner, one]);
        let two = b.iconst64(2);
        b.build_thunk(add, &[inner, two])
    };
    harness.func("main", &[], &[REF, REF, I64], |b, _| {
        let thunk = build(b);
        let value = b.op(Eval, &[thunk]);
        let again = b.op(Eval, &[thunk]);
        let inst = b.caf(CafI64, counter, 0, &[]);
        let count = result(b, inst);
        let other = build(b);
        let other = b.op(Enter, &[other]);
        let pair = cons(b, value, other);
        b.ret(&[pair, again, count]);
    });
    harness.func("eval", &[REF], &[REF], |b, args| b.effect(TailEval, args));
    harness.func("enter", &[REF], &[REF], |b, args| b.effect(TailEnter, args));
    let eval = harness.func("both", &[], &[REF, REF, REF], |b, _| {
        let (eval, enter) = (FuncId::from_u32(b_func(b, "eval")), FuncId::from_u32(b_func(b, "enter")));
        let (x, y) = (build(b), build(b));
        let inst = b.call(eval, &[x], &[REF]);
        let value = result(b, inst);
        let inst = b.call(enter, &[y], &[REF]);
        let other = result(b, inst);
        let inst = b.call(eval, &[value], &[REF]);
        let same = result(b, inst);
        b.ret(&[value, other, same]);
    });
    assert!(eval.as_u32() > 0);
    for stress in [None, Some(1)] {
        harness.options.stress = stress;
        harness.expect(&[], &["(Cons 1003 1003)", "1003", "2"]);
        assert_eq!(harness.run("both", &[]), Ok(vec!["1003".into(), "1003".into(), "1003".into()]));
    }
}

/// Numbers of the functions of `evaluation`: cycle and indirection come first, then `add` and `main`.
fn b_func(_: &Builder, name: &str) -> u32 {
    match name {
        "eval" => 4,
        _ => 5,
    }
}

fn unreachable_block(harness: &mut Harness) {
    harness.func("main", &[], &[], |b, _| b.unreachable());
    harness.expect_error(&[], "`unreachable` was reached in @main, block0, inst0");
}

#[test]
fn cycle_is_detected() {
    let mut harness = Harness::new();
    let selfish = harness.thunk("selfish", 0, 0, |b, node| {
        b.effect(Blackhole, &[node]);
        let value = b.op(Eval, &[node]);
        b.ret(&[value]);
    });
    harness.module.start = Some(harness.func("main", &[], &[], |b, _| {
        let thunk = b.build_thunk(selfish, &[]);
        b.op(Enter, &[thunk]);
        b.ret(&[]);
    }));
    let outcome = cleave_interp::run_program(&harness.module, Options::default());
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), "Run Time Warning: cycle in spine detected\n");
    assert_eq!((outcome.status, outcome.trap), (255, None));
}

#[test]
fn wrong_headers_are_reported() {
    let mut harness = Harness::new();
    harness.func("main", &[], &[REF], |b, _| {
        let cell = b.inst(Alloc, 12, 0, &[]);
        let cell = result(b, cell);
        let zero = b.iconst32(8);
        b.inst(StoreI32, 0, 0, &[cell, zero]);
        let value = b.op(Eval, &[cell]);
        b.ret(&[value]);
    });
    harness.expect_error(&[], "what is evaluated is no thunk in @main");
}

/// `$sum`, of three integers, has code for one and for three missing arguments; with two missing they come one by one.
fn sum_of_three(harness: &mut Harness) -> Desc {
    let sum = harness.module.descs.push(descriptor("sum", 3, None));
    let codes = [0, 2].map(|applied_args: u32| {
        let params = vec![REF; 1 + 3 - applied_args as usize];
        harness.func(&format!("sum.{applied_args}"), &params, &[REF], |b, args| {
            let mut nodes: Vec<Value> = (0..applied_args).map(|i| b.get(GetRef, applied_args, 0, i, args[0])).collect();
            nodes.extend(&args[1..]);
            let nptrs: Vec<Value> = nodes.iter().map(|&node| b.get(GetI64, 0, 1, 0, node)).collect();
            // The place of a number shows, and which code was called.
            let (ten, place) = (b.iconst64(10), b.iconst64(i64::from(applied_args)));
            let value = nptrs.iter().fold(place, |sum, &word| {
                let shifted = b.op(Imul, &[sum, ten]);
                b.op(Iadd, &[shifted, word])
            });
            let node = b.op(BoxInt, &[value]);
            b.ret(&[node]);
        })
    });
    let data = &mut harness.module.descs[sum];
    data.callable = true;
    data.apply = vec![Some(codes[0]), None, Some(codes[1])];
    sum
}

fn application(harness: &mut Harness) {
    let sum = sum_of_three(harness);
    let at_once = harness.func("at_once", &[REF], &[REF], |b, args| {
        let [x, y, z] = [1, 2, 3].map(|n| boxed(b, n));
        b.effect(TailApply, &[args[0], x, y, z]);
    });
    let partly = harness.func("partly", &[REF, REF], &[REF], |b, args| b.effect(TailApply, args));
    harness.func("main", &[], &[I64, I64, I64, I64], |b, _| {
        let none = b.node(sum);
        let [x, y, z] = [1, 2, 3].map(|n| boxed(b, n));
        let inst = b.call(at_once, &[none], &[REF]);
        let all = result(b, inst);
        // One argument makes a closure with two missing, whose arguments then come one by one.
        let inst = b.call(partly, &[none, x], &[REF]);
        let one = result(b, inst);
        let two_more = b.apply(&[one, y, z]);
        let two = b.apply(&[one, y]);
        let last = b.apply(&[two, z]);
        // More arguments than the closure lacks: its result is applied to the rest.
        let closure = b.apply(&[none, x]);
        let again = b.apply(&[closure, z, y]);
        let results = [all, two_more, last, again].map(|node| b.get(GetI64, 0, 1, 0, node));
        b.ret(&results);
    });
    harness.expect(&[], &["123", "2123", "2123", "2132"]);
}

fn updates(harness: &mut Harness) {
    let double = harness.thunk("double", 0, 1, |b, thunk| {
        let word = b.get(ArgI64, 0, 1, 0, thunk);
        let value = b.op(Iadd, &[word, word]);
        let node = b.op(BoxInt, &[value]);
        b.effect(FillCopy, &[thunk, node]);
        b.ret(&[thunk]);
    });
    let known = harness.thunk("known", 0, 1, |b, _| b.unreachable());
    let update = harness.func("known.update", &[REF, REF], &[REF], |b, args| {
        let word = b.get(ArgI64, 0, 1, 0, args[0]);
        let node = b.op(BoxInt, &[word]);
        b.effect(FillCopy, &[args[1], node]);
        b.ret(&[args[1]]);
    });
    harness.module.thunk_infos[known].update = Some(update);
    let tail = harness.func("tail", &[REF, REF], &[REF], |b, args| b.effect(TailUpdate, args));
    harness.func("main", &[I64], &[I64, I64, I64, I64, I32], |b, args| {
        let cells: Vec<Value> = (0..4).map(|_| b.build_thunk(known, args)).collect();
        let [double, known] = [double, known].map(|entry| b.build_thunk(entry, args));
        let value = b.op(BoxInt, args);
        let plain = b.op(Update, &[double, cells[0]]);
        let by_update = b.op(Update, &[known, cells[1]]);
        let inst = b.call(tail, &[value, cells[2]], &[REF]);
        let evaluated = result(b, inst);
        let same = b.op(Update, &[value, cells[3]]);
        let nptrs = [plain, by_update, evaluated, same].map(|node| b.get(GetI64, 0, 1, 0, node));
        let is_hnf = b.op(IsHnf, &[cells[0]]);
        b.ret(&[nptrs[0], nptrs[1], nptrs[2], nptrs[3], is_hnf]);
    });
    harness.expect(&[Val::I64(1000)], &["2000", "1000", "1000", "1000", "1"]);
}

fn instances(harness: &mut Harness) {
    let table = harness.module.tables.push(TableData {
        label: "members".into(),
        role: TableRole::Method,
        signature: Signature::new(&[REF, I64], &[I64]),
        funcs: Vec::new(),
    });
    let member = harness.module.descs.push(descriptor("member", 1, None));
    let code = harness.func("member.code", &[REF, I64], &[I64], |b, args| {
        let value = b.op(Iadd, &[args[1], args[1]]);
        b.ret(&[value]);
    });
    harness.module.descs[member].method = Some((table, code));
    let stranger = harness.module.descs.push(descriptor("stranger", 1, None));
    let tail = harness.func("tail", &[REF, I64], &[I64], |b, args| {
        b.inst(TailCallMethod, u64::from(table.as_u32()), 0, args);
    });
    harness.func("main", &[I64], &[I64], |b, args| {
        let node = b.node(member);
        let inst = b.call_method(table, &[node, args[0]], &[I64]);
        let first = result(b, inst);
        b.inst(TailCall, u64::from(tail.as_u32()), 0, &[node, first]);
    });
    harness.expect(&[Val::I64(5)], &["20"]);
    harness.module.funcs.last_mut().expect("main").1.name = "first".into();
    harness.func("main", &[], &[I64], |b, _| {
        let node = b.node(stranger);
        let word = b.iconst64(1);
        b.inst(TailCallMethod, u64::from(table.as_u32()), 0, &[node, word]);
    });
    harness.expect_error(&[], "$stranger has no method in %members");
}
