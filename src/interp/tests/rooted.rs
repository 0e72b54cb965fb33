//! Rooted IR: slots of the frame, collections at every safepoint, stale references.

use crate::harness::*;
use Opcode::*;

pub const CASES: &[Case] = &[
    Case { subjects: &[Spill, Restore, Collect], run: spill_and_restore },
    Case { subjects: &[ClearSlot], run: cleared_slot },
    Case { subjects: &[HeapFull, Alloc], run: heap_check },
];

/// `@pair`: a rooted function that returns `Cons Nil Nil` and has a safepoint of its own.
fn pair(harness: &mut Harness) -> FuncId {
    harness.func_in(Phase::Rooted, "pair", &[], &[REF], |b, _| {
        b.inst(Collect, 12, 0, &[]);
        let end = nil(b);
        let node = cons(b, end, end);
        b.ret(&[node]);
    })
}

/// Two nodes in slots 0 and 1; the second safepoint sees only slot 0.
fn spill_and_restore(harness: &mut Harness) {
    let pair = pair(harness);
    harness.func_in(Phase::Rooted, "main", &[], &[REF, REF, REF], |b, _| {
        b.inst(Collect, 24, 0, &[]);
        let (end, word) = (nil(b), b.iconst64(1000));
        let list = cons(b, end, end);
        b.inst(Spill, 0, 0, &[list]);
        let int = b.op(BoxInt, &[word]);
        b.inst(Spill, 1, 0, &[int]);
        let call = b.call(pair, &[], &[REF]);
        set_depth(b, call, 2);
        let first = result(b, call);
        let int = b.value(Restore, 1, 0, &[]);
        b.inst(Spill, 1, 0, &[first]);
        b.inst(Spill, 2, 0, &[int]);
        b.inst(Collect, 12, 3, &[]);
        let (list, first, int) =
            (b.value(Restore, 0, 0, &[]), b.value(Restore, 1, 0, &[]), b.value(Restore, 2, 0, &[]));
        // Static references cross safepoints as they are.
        b.field(SetRef, 2, 0, 0, &[list, end]);
        b.field(SetRef, 2, 0, 1, &[list, first]);
        b.ret(&[list, first, int]);
    });
    let want = ["(Cons Nil (Cons Nil Nil))", "(Cons Nil Nil)", "1000"];
    harness.expect(&[], &want);
    harness.stress();
    harness.expect(&[], &want);
}

/// Slot 0 holds what the first collection did not see: the second must not look at it.
fn cleared_slot(harness: &mut Harness) {
    harness.func_in(Phase::Rooted, "main", &[], &[REF], |b, _| {
        b.inst(Collect, 12, 0, &[]);
        let end = nil(b);
        let list = cons(b, end, end);
        b.inst(Spill, 0, 0, &[list]);
        b.inst(Collect, 12, 0, &[]);
        let word = b.iconst64(1000);
        let int = b.op(BoxInt, &[word]);
        b.inst(Spill, 1, 0, &[int]);
        b.inst(ClearSlot, 0, 0, &[]);
        b.inst(Collect, 12, 2, &[]);
        let int = b.value(Restore, 1, 0, &[]);
        b.ret(&[int]);
    });
    harness.expect(&[], &["1000"]);
    harness.stress();
    harness.expect(&[], &["1000"]);
}

fn heap_check(harness: &mut Harness) {
    harness.func_in(Phase::Rooted, "main", &[], &[I32, I32, REF], |b, _| {
        let small = b.value(HeapFull, 64, 0, &[]);
        let huge = b.value(HeapFull, 0xfff0_0000, 0, &[]);
        b.inst(Collect, 12, 0, &[]);
        let cell = b.value(Alloc, 12, 0, &[]);
        let node_info = b.node_info(WellKnownDesc::Int.desc(), 0);
        b.inst(StoreI32, 0, 0, &[cell, node_info]);
        let word = b.iconst64(-1);
        b.inst(StoreI64, 4, 0, &[cell, word]);
        b.ret(&[small, huge, cell]);
    });
    harness.expect(&[], &["0", "1", "-1"]);
    // Under stress no reservation is granted without a collection.
    harness.stress();
    harness.expect(&[], &["1", "1", "-1"]);
}

/// Each use of `%v` after the call must be reported, with its place.
#[test]
fn stale_references_are_reported() {
    type Use = fn(&mut Builder, Value);
    let uses: [(&str, Use); 6] = [
        ("ret", |b, v| b.ret(&[v])),
        ("header", |b, v| {
            b.op(Header, &[v]);
        }),
        ("get.ref", |b, v| {
            b.get(GetRef, 2, 0, 0, v);
        }),
        ("spill", |b, v| {
            b.inst(Spill, 0, 0, &[v]);
        }),
        ("fill", |b, v| {
            b.fill_node(WellKnownDesc::ListCell.desc(), 2, &[v, v, v]);
        }),
        ("call", |b, v| {
            b.call(FuncId::from_u32(3), &[v], &[]);
        }),
    ];
    for (name, use_it) in uses {
        let mut harness = Harness::new();
        let pair = pair(&mut harness);
        harness.func_in(Phase::Rooted, "take", &[REF], &[], |b, _| b.ret(&[]));
        harness.func_in(Phase::Rooted, "main", &[], &[REF], |b, _| {
            b.inst(Collect, 24, 0, &[]);
            let end = nil(b);
            let node = cons(b, end, end);
            let call = b.call(pair, &[], &[REF]);
            let fresh = result(b, call);
            use_it(b, node);
            if name != "ret" {
                b.ret(&[fresh]);
            }
        });
        harness.stress();
        let error = harness.run("main", &[]).expect_err(name).to_string();
        // Two collections since: at the `collect` inside, and at the call itself.
        assert_eq!(error, "stale reference v1 used (2 collections old) in @main, block0, inst4");
        // Without stress nothing moves, and nothing is wrong yet.
        harness.options.stress = None;
        assert!(harness.run("main", &[]).is_ok(), "{name}");
    }
}

/// A slot beyond the depth of the safepoint is no root, and is overwritten.
#[test]
fn slots_beyond_the_depth_are_lost() {
    let mut harness = Harness::new();
    let pair = pair(&mut harness);
    harness.func_in(Phase::Rooted, "main", &[], &[I32], |b, _| {
        b.inst(Collect, 24, 0, &[]);
        let end = nil(b);
        let node = cons(b, end, end);
        b.inst(Spill, 0, 0, &[node]);
        b.call(pair, &[], &[REF]);
        let lost = b.value(Restore, 0, 0, &[]);
        let header = b.op(Header, &[lost]);
        b.ret(&[header]);
    });
    harness.stress();
    harness.expect_error(&[], "access of 4 bytes at address 0xdeaddeac, where no object is in @main, block0, inst6");
}

#[test]
fn allocation_needs_a_check() {
    let mut harness = Harness::new();
    harness.func_in(Phase::Rooted, "main", &[], &[REF], |b, _| {
        b.inst(Collect, 12, 0, &[]);
        let end = nil(b);
        let node = cons(b, end, end);
        let node = cons(b, node, node);
        b.ret(&[node]);
    });
    harness.stress();
    harness.expect_error(&[], "allocation of 12 bytes that were not checked for in @main");
}

/// Every frame of a recursion keeps its list in its own slot, and a thunk entered from rooted code sees the same.
#[test]
fn recursion_with_roots() {
    let mut harness = Harness::new();
    let later = {
        let code = harness.func_in(Phase::Rooted, "later", &[REF], &[REF], |b, args| {
            b.inst(Spill, 0, 0, args);
            b.inst(Collect, 24, 1, &[]);
            let node = b.value(Restore, 0, 0, &[]);
            let end = nil(b);
            b.fill_node(WellKnownDesc::ListCell.desc(), 2, &[node, end, end]);
            b.ret(&[node]);
        });
        harness.entry("later", 0, 0, code)
    };
    let me = FuncId::from_u32(harness.module.funcs.len() as u32);
    harness.func_in(Phase::Rooted, "main", &[I32], &[REF], |b, args| {
        let (stop, go) = (b.func.new_block(), b.func.new_block());
        b.br_if(args[0], (go, &[]), (stop, &[]));
        b.switch_to(stop);
        b.inst(Collect, 12, 0, &[]);
        let thunk = b.build_thunk(later, &[]);
        let enter = b.inst(Enter, 0, 0, &[thunk]);
        let value = result(b, enter);
        b.ret(&[value]);
        b.switch_to(go);
        b.inst(Collect, 12, 0, &[]);
        let wide = b.op(ExtendS, &[args[0]]);
        let thousand = b.iconst64(1000);
        let number = b.op(Iadd, &[wide, thousand]);
        let int = b.op(BoxInt, &[number]);
        b.inst(Spill, 0, 0, &[int]);
        let one = b.iconst32(1);
        let less = b.op(Isub, &[args[0], one]);
        let call = b.call(me, &[less], &[REF]);
        set_depth(b, call, 1);
        let tail = result(b, call);
        b.inst(Spill, 1, 0, &[tail]);
        b.inst(Collect, 12, 2, &[]);
        let (int, tail) = (b.value(Restore, 0, 0, &[]), b.value(Restore, 1, 0, &[]));
        let node = cons(b, int, tail);
        b.ret(&[node]);
    });
    for stress in [None, Some(1), Some(3)] {
        harness.options.stress = stress;
        harness.expect(&[Val::I32(3)], &["(Cons 1003 (Cons 1002 (Cons 1001 (Cons Nil Nil))))"]);
    }
}

/// High and rooted functions may call each other.
#[test]
fn phases_mix() {
    let mut harness = Harness::new();
    let pair = pair(&mut harness);
    let high = harness.func("high", &[REF], &[REF], |b, args| {
        let call = b.call(pair, &[], &[REF]);
        let tail = result(b, call);
        let node = cons(b, args[0], tail);
        b.ret(&[node]);
    });
    let rooted = harness.func_in(Phase::Rooted, "rooted", &[REF], &[REF], |b, args| {
        b.inst(Spill, 0, 0, args);
        let call = b.call(high, &[args[0]], &[REF]);
        set_depth(b, call, 1);
        let tail = result(b, call);
        b.inst(Spill, 1, 0, &[tail]);
        b.inst(Collect, 12, 2, &[]);
        let (head, tail) = (b.value(Restore, 0, 0, &[]), b.value(Restore, 1, 0, &[]));
        let node = cons(b, head, tail);
        b.ret(&[node]);
    });
    harness.func("main", &[], &[REF, REF], |b, _| {
        let int = boxed(b, 1000);
        let call = b.call(rooted, &[int], &[REF]);
        let list = result(b, call);
        b.ret(&[int, list]);
    });
    for stress in [None, Some(1)] {
        harness.options.stress = stress;
        harness.expect(&[], &["1000", "(Cons 1000 (Cons 1000 (Cons Nil Nil)))"]);
    }
}
