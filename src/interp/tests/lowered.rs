//! Loads and stores, and low IR with an explicit shadow-stack pointer.

use crate::harness::*;
use Opcode::*;
use cleave_ir::{CafData, TableData};

pub const CASES: &[Case] = &[
    Case { subjects: &[LoadI32, StoreI32, LoadU8, StoreU8, LoadU16], run: small_accesses },
    Case { subjects: &[LoadI64, StoreI64, LoadF64, StoreF64], run: wide_accesses },
    Case { subjects: &[LoadF32, StoreF32], run: short_reals },
    Case { subjects: &[LoadRef, StoreRef], run: references },
    Case { subjects: &[CafAddr, CafRefAddr], run: cafs },
    Case { subjects: &[ShadowPointer, EnterCode, TailEnterCode], run: enter },
    Case { subjects: &[StackLimit], run: limit },
    Case { subjects: &[SetShadowPointer, SetStackLimit], run: go_on },
];

/// A scratch string object of 24 bytes: bytes at offset 8.
fn scratch(harness: &mut Harness) -> cleave_ir::Static {
    harness.module.statics.push(cleave_ir::StaticData::String(vec![0; 24].into()))
}

fn small_accesses(harness: &mut Harness) {
    let string = scratch(harness);
    harness.func("main", &[I32], &[I32, I32, I32, I32], |b, args| {
        let at = b.static_ref(string);
        let address = b.op(RefAddr, &[at]);
        b.inst(StoreI32, 9, 0, &[at, args[0]]);
        b.inst(StoreU8, 16, 0, &[address, args[0]]);
        let word = b.value(LoadI32, 9, 0, &[address]);
        let byte = b.value(LoadU8, 12, 0, &[at]);
        let half = b.value(LoadU16, 11, 0, &[at]);
        let low = b.value(LoadI32, 16, 0, &[at]);
        b.ret(&[word, byte, half, low]);
    });
    // 0xfedcba98: byte 3 is 0xfe, bytes 2..3 are 0xfedc, byte 0 is 0x98.
    harness.expect(&[Val::I32(0xfedc_ba98_u32 as i32)], &["-19088744", "254", "65244", "152"]);
}

fn wide_accesses(harness: &mut Harness) {
    let string = scratch(harness);
    harness.func("main", &[I64, F64], &[I64, F64, I64], |b, args| {
        let at = b.static_ref(string);
        b.inst(StoreI64, 9, 0, &[at, args[0]]);
        b.inst(StoreF64, 17, 0, &[at, args[1]]);
        let word = b.value(LoadI64, 9, 0, &[at]);
        let real = b.value(LoadF64, 17, 0, &[at]);
        let bits = b.value(LoadI64, 17, 0, &[at]);
        b.ret(&[word, real, bits]);
    });
    harness.expect(&[Val::I64(-2), Val::F64(1.0)], &["-2", "1", "4607182418800017408"]);
}

fn short_reals(harness: &mut Harness) {
    let string = scratch(harness);
    harness.func("main", &[F64], &[F64, I32], |b, args| {
        let at = b.static_ref(string);
        b.inst(StoreF32, 8, 0, &[at, args[0]]);
        let real = b.value(LoadF32, 8, 0, &[at]);
        let bits = b.value(LoadI32, 8, 0, &[at]);
        b.ret(&[real, bits]);
    });
    harness.expect(&[Val::F64(0.1)], &["0.10000000149011612", "1036831949"]);
}

fn references(harness: &mut Harness) {
    harness.func("main", &[], &[REF], |b, _| {
        let end = nil(b);
        let node = cons(b, end, end);
        let other = cons(b, node, end);
        let head = b.value(LoadRef, 4, 0, &[other]);
        b.inst(StoreRef, 8, 0, &[other, head]);
        b.ret(&[other]);
    });
    harness.expect(&[], &["(Cons (Cons Nil Nil) (Cons Nil Nil))"]);
    harness.func("bad", &[], &[I32], |b, _| {
        let address = b.iconst32(-4);
        let word = b.value(LoadI32, 0, 0, &[address]);
        b.ret(&[word]);
    });
    let error = harness.run("bad", &[]).expect_err("a bad address").to_string();
    assert!(error.contains("address 0xfffffffc, where no object is in @bad, block0, inst1"), "{error}");
}

fn cafs(harness: &mut Harness) {
    let caf = harness.module.cafs.push(CafData { label: "caf".into(), ptrs: 2, nptrs: 1 });
    harness.func_in(Phase::Low, "set", &[I64], &[], |b, args| {
        let state = b.value(CafAddr, caf.as_u32() as u64, 0, &[]);
        let second = b.value(CafRefAddr, caf.as_u32() as u64, 1, &[]);
        let end = nil(b);
        b.inst(StoreRef, 0, 0, &[second, end]);
        b.inst(StoreI64, 8, 0, &[state, args[0]]);
        let one = b.iconst32(1);
        b.inst(StoreI32, 0, 0, &[state, one]);
        b.ret(&[]);
    });
    let set = FuncId::from_u32(harness.module.funcs.len() as u32 - 1);
    harness.func("main", &[I64], &[I32, REF, I64], |b, args| {
        b.call(set, args, &[]);
        let get = |b: &mut Builder, op, index| {
            let inst = b.caf(op, caf, index, &[]);
            result(b, inst)
        };
        let results = [get(b, CafState, 0), get(b, CafRef, 1), get(b, CafI64, 0)];
        b.ret(&results);
    });
    harness.expect(&[Val::I64(-7)], &["1", "Nil", "-7"]);
}

/// Reserves `bytes` in low IR.
fn reserve(b: &mut Builder, sp: Value, bytes: u64) {
    b.inst(Collect, bytes, 0, &[sp]);
}
fn lower(b: &mut Builder, sp: Value, slots: i32) -> Value {
    let distance = b.iconst32(4 * slots);
    b.op(Isub, &[sp, distance])
}

/// No pointer is below it, or every one.
fn limit(harness: &mut Harness) {
    harness.func_in(Phase::Low, "main", &[], &[I32, I32], |b, _| {
        let sp = b.op(ShadowPointer, &[]);
        let limit = b.op(StackLimit, &[]);
        let is_below = b.op(Ult, &[sp, limit]);
        b.ret(&[limit, is_below]);
    });
    harness.expect(&[], &["1", "0"]);
    harness.options.force_stackless = true;
    harness.expect(&[], &["-1", "1"]);
}

/// A function goes on where it has another shadow-stack pointer, and sets the limit.
fn go_on(harness: &mut Harness) {
    harness.func_in(Phase::Low, "main", &[I32], &[I32, I32], |b, args| {
        b.effect(SetShadowPointer, &[args[0]]);
        let sp = b.op(ShadowPointer, &[]);
        b.effect(SetStackLimit, &[sp]);
        let limit = b.op(StackLimit, &[]);
        b.ret(&[sp, limit]);
    });
    harness.expect(&[Val::I32(4096)], &["4096", "4096"]);
}

/// A thunk that becomes `Cons Nil Nil`, entered directly, by tail call, and through a table.
fn enter(harness: &mut Harness) {
    let code = harness.func_in(Phase::Low, "later", &[REF], &[REF], |b, args| {
        let sp = b.op(ShadowPointer, &[]);
        let below = lower(b, sp, 1);
        b.inst(StoreRef, 0, 0, &[below, args[0]]);
        reserve(b, below, 24);
        let node = b.value(LoadRef, 0, 0, &[below]);
        let (node_info, end) = (b.node_info(WellKnownDesc::ListCell.desc(), 2), nil(b));
        b.inst(StoreI32, 0, 0, &[node, node_info]);
        b.inst(StoreRef, 4, 0, &[node, end]);
        b.inst(StoreRef, 8, 0, &[node, end]);
        b.ret(&[node]);
    });
    let later = harness.entry("later", 0, 0, code);
    let make = harness.func_in(Phase::Low, "make", &[I32], &[REF], |b, _| {
        let sp = b.op(ShadowPointer, &[]);
        reserve(b, sp, 12);
        let thunk = b.value(Alloc, 12, 0, &[]);
        let header = b.thunk_info_addr(later);
        b.inst(StoreI32, 0, 0, &[thunk, header]);
        b.ret(&[thunk]);
    });
    let tail = harness.func_in(Phase::Low, "tail", &[I32], &[REF], |b, args| {
        let sp = b.op(ShadowPointer, &[]);
        let inst = b.call(make, &[sp, args[0]], &[REF]);
        let thunk = result(b, inst);
        let header = b.value(LoadI32, 0, 0, &[thunk]);
        b.effect(TailEnterCode, &[sp, thunk, header]);
    });
    let table = harness.module.tables.push(TableData {
        role: Default::default(),
        label: "makers".into(),
        signature: Signature::new(&[I32], &[REF]),
        funcs: vec![make, tail],
    });
    harness.func_in(Phase::Low, "main", &[I32], &[REF, REF], |b, args| {
        let sp = b.op(ShadowPointer, &[]);
        let one = b.iconst32(1);
        let inst = b.call_table(table, &[one, sp, args[0]], &[REF]);
        let first = result(b, inst);
        let below = lower(b, sp, 1);
        b.inst(StoreRef, 0, 0, &[below, first]);
        let inst = b.call(make, &[below, args[0]], &[REF]);
        let thunk = result(b, inst);
        let header = b.op(Header, &[thunk]);
        let second = b.op(EnterCode, &[below, thunk, header]);
        let first = b.value(LoadRef, 0, 0, &[below]);
        b.ret(&[first, second]);
    });
    for stress in [None, Some(1)] {
        harness.options.stress = stress;
        harness.expect(&[Val::I32(0)], &["(Cons Nil Nil)", "(Cons Nil Nil)"]);
    }
}

/// A reference kept in a value across `enter_code` is stale in low IR too.
#[test]
fn stale_in_low_ir() {
    let mut harness = Harness::new();
    let make = harness.func_in(Phase::Low, "make", &[], &[REF], |b, _| {
        let sp = b.op(ShadowPointer, &[]);
        // The libcall and the instruction are the same.
        let bytes = b.iconst32(12);
        b.call_rt(Libcall::Collect, &[sp, bytes]);
        let cell = b.value(Alloc, 12, 0, &[]);
        let (node_info, end) = (b.node_info(WellKnownDesc::ListCell.desc(), 2), nil(b));
        b.inst(StoreI32, 0, 0, &[cell, node_info]);
        b.inst(StoreRef, 4, 0, &[cell, end]);
        b.inst(StoreRef, 8, 0, &[cell, end]);
        b.ret(&[cell]);
    });
    harness.func_in(Phase::Low, "main", &[], &[I32], |b, _| {
        let sp = b.op(ShadowPointer, &[]);
        let inst = b.call(make, &[sp], &[REF]);
        let first = result(b, inst);
        b.call(make, &[sp], &[REF]);
        let header = b.value(LoadI32, 0, 0, &[first]);
        b.ret(&[header]);
    });
    harness.stress();
    harness.expect_error(&[], "stale reference v1 used (2 collections old) in @main, block0, inst3");
}
