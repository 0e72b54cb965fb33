//! Arrays of every element kind, strings.

use crate::harness::*;
use Opcode::*;
use cleave_ir::layout::{ARRAY_DATA, ElementKind, STRING_DATA};
use cleave_ir::pack;
use cleave_ir::{ArrayKind, StaticData};

pub const CASES: &[Case] = &[
    Case { subjects: &[ArraySize, StringSize], run: sizes },
    Case { subjects: &[ElemRef, SetElemRef], run: references },
    Case { subjects: &[ElemI64, SetElemI64], run: integers },
    Case { subjects: &[ElemF64, SetElemF64], run: reals },
    Case { subjects: &[ElemU8, SetElemU8], run: bytes },
    Case { subjects: &[ElemI32, SetElemI32], run: short_integers },
    Case { subjects: &[ElemF32, SetElemF32], run: short_reals },
    Case { subjects: &[ElemRef, ElemI64, SetElemRef, SetElemI64], run: records },
    Case { subjects: &[ArrayNew, ArraySet, ArraySlice, ArrayCopy], run: kinds_of_references },
    Case { subjects: &[ArrayNew, ArrayGet, ArraySet, ArrayLen], run: kinds_of_numbers },
    Case { subjects: &[ArrayGet], run: unchecked },
];

/// A new array of 3 elements.
fn new_array(b: &mut Builder, kind: u32, ptrs: u32, nptrs: u32) -> Value {
    let (kind, ptrs, nptrs) = (b.iconst32(kind as i32), b.iconst32(ptrs as i32), b.iconst32(nptrs as i32));
    let size = b.iconst64(3);
    let inst = b.call_extern(rt(&libcalls::NEW_ARRAY), &[kind, ptrs, nptrs, size]);
    result(b, inst)
}
fn element(stride: u32) -> u64 {
    pack(stride, ARRAY_DATA)
}

fn sizes(harness: &mut Harness) {
    let string = harness.module.statics.push(StaticData::String(b"hello"[..].into()));
    harness.func("main", &[], &[I64, I64], |b, _| {
        let array = new_array(b, ElementKind::Int as u32, 0, 0);
        let size = b.op(ArraySize, &[array]);
        let string = b.static_ref(string);
        let length = b.op(StringSize, &[string]);
        b.ret(&[size, length]);
    });
    harness.expect(&[], &["3", "5"]);
}

fn references(harness: &mut Harness) {
    harness.func("main", &[], &[REF, REF], |b, _| {
        let array = new_array(b, ElementKind::Ref as u32, 0, 0);
        let (index, one) = (b.iconst64(2), boxed(b, 1));
        b.inst(SetElemRef, element(4), 0, &[array, index, one]);
        let got = b.value(ElemRef, element(4), 0, &[array, index]);
        b.ret(&[array, got]);
    });
    harness.expect(&[], &["{Nil,Nil,1}", "1"]);
}

/// With a collection wherever there may be one: what is stored survives the allocation.
fn kinds_of_references(harness: &mut Harness) {
    harness.stress();
    harness.func("main", &[], &[REF, REF], |b, _| {
        let kind = ArrayKind::Ref;
        let (zero, one, three, four) = (b.iconst64(0), b.iconst64(1), b.iconst64(3), b.iconst64(4));
        let (first, second) = (boxed(b, 1000), boxed(b, 2000));
        let array = b.array_new(kind, four, first);
        b.array_set(kind, array, one, second);
        let slice = b.array_slice(kind, array, one, four);
        b.array_copy(kind, (array, one), (array, zero), three);
        b.ret(&[array, slice]);
    });
    harness.expect(&[], &["{1000,1000,2000,1000}", "{2000,1000,1000}"]);
}

fn kinds_of_numbers(harness: &mut Harness) {
    harness.func("main", &[], &[I64, I64, I64], |b, _| {
        let (two, large) = (b.iconst64(2), b.iconst64(0x1_8000_0001));
        let [short, bytes] = [ArrayKind::I32, ArrayKind::U8].map(|kind| (kind, b.array_new(kind, two, large)));
        let one = b.iconst64(1);
        b.array_set(bytes.0, bytes.1, one, large);
        let results = [short, bytes].map(|(kind, array)| b.array_get(kind, array, one));
        let size = b.array_len(short.0, short.1);
        b.ret(&[results[0], results[1], size]);
    });
    harness.expect(&[], &["-2147483647", "1", "2"]);
}

fn unchecked(harness: &mut Harness) {
    harness.func("main", &[], &[F64], |b, _| {
        let (two, zero) = (b.iconst64(2), b.fconst(0));
        let array = b.array_new(ArrayKind::F64, two, zero);
        let got = b.value(ArrayGet, ArrayKind::F64.pack(), 1, &[array, two]);
        b.ret(&[got]);
    });
    harness.expect_error(&[], "element 2 of an array of 2, unchecked");
}

/// Stores elements 0 and 2 of an array and loads them again.
fn store_and_load(
    harness: &mut Harness,
    kind: ElementKind,
    stride: u32,
    ops: (Opcode, Opcode),
    ty: Type,
    values: [u64; 2],
) {
    harness.func("main", &[], &[REF, ty, ty], |b, _| {
        let array = new_array(b, kind as u32, 0, 0);
        let constant = |b: &mut Builder, bits| if ty == F64 { b.fconst(bits) } else { b.iconst64(bits as i64) };
        let (first, last) = (b.iconst64(0), b.iconst64(2));
        let value = constant(b, values[0]);
        b.inst(ops.1, element(stride), 0, &[array, first, value]);
        let value = constant(b, values[1]);
        b.inst(ops.1, element(stride), 0, &[array, last, value]);
        let x = b.value(ops.0, element(stride), 0, &[array, first]);
        let y = b.value(ops.0, element(stride), 0, &[array, last]);
        b.ret(&[array, x, y]);
    });
}

fn integers(harness: &mut Harness) {
    store_and_load(harness, ElementKind::Int, 8, (ElemI64, SetElemI64), I64, [7, i64::MIN as u64]);
    harness.expect(&[], &["{#7,#0,#-9223372036854775808}", "7", "-9223372036854775808"]);
}

fn reals(harness: &mut Harness) {
    store_and_load(harness, ElementKind::Real, 8, (ElemF64, SetElemF64), F64, [0.1f64.to_bits(), (-0.0f64).to_bits()]);
    harness.expect(&[], &["{0.1,0.0,-0.0}", "0.1", "-0"]);
}

/// Only the low byte is stored; loading extends with zeros.
fn bytes(harness: &mut Harness) {
    store_and_load(harness, ElementKind::Bool, 1, (ElemU8, SetElemU8), I64, [1, 0x1ff]);
    harness.expect(&[], &["{1,0,255}", "1", "255"]);
    let string = harness.module.statics.push(StaticData::String(b"hello"[..].into()));
    harness.func("string", &[], &[I64, REF], |b, _| {
        let string = b.static_ref(string);
        let (at, letter) = (b.iconst64(1), b.iconst64(b'a' as i64));
        let place = pack(1, STRING_DATA);
        let before = b.value(ElemU8, place, 0, &[string, at]);
        b.inst(SetElemU8, place, 0, &[string, at, letter]);
        b.ret(&[before, string]);
    });
    assert_eq!(harness.run("string", &[]), Ok(vec!["101".into(), "\"hallo\"".into()]));
}

fn short_integers(harness: &mut Harness) {
    store_and_load(harness, ElementKind::Int32, 4, (ElemI32, SetElemI32), I64, [0x1_0000_0005, 0xffff_ffff]);
    harness.expect(&[], &["{5,0,-1}", "5", "-1"]);
}

fn short_reals(harness: &mut Harness) {
    store_and_load(harness, ElementKind::Real32, 4, (ElemF32, SetElemF32), F64, [0.1f64.to_bits(), 1e300f64.to_bits()]);
    harness.expect(&[], &["{0.1,0,inf}", "0.10000000149011612", "inf"]);
}

/// Elements of one reference and one word: 12 bytes, the reference first.
fn records(harness: &mut Harness) {
    let mixed = harness.mixed;
    harness.func("main", &[], &[REF, I64, REF], |b, _| {
        let kind = b.value(DescInfoAddr, mixed.as_u32() as u64, 0, &[]);
        let (one, two, size) = (b.iconst32(1), b.iconst32(1), b.iconst64(2));
        let inst = b.call_extern(rt(&libcalls::NEW_ARRAY), &[kind, one, two, size]);
        let array = result(b, inst);
        let (index, word, node) = (b.iconst64(1), b.iconst64(-3), boxed(b, 1000));
        b.inst(SetElemI64, pack(12, ARRAY_DATA + 4), 0, &[array, index, word]);
        b.inst(SetElemRef, pack(12, ARRAY_DATA), 0, &[array, index, node]);
        b.inst(Collect, 0, 0, &[]);
        let word = b.value(ElemI64, pack(12, ARRAY_DATA + 4), 0, &[array, index]);
        let node = b.value(ElemRef, pack(12, ARRAY_DATA), 0, &[array, index]);
        b.ret(&[array, word, node]);
    });
    harness.expect(&[], &["{Nil#0,1000#-3}", "-3", "1000"]);
    harness.stress();
    harness.expect(&[], &["{Nil#0,1000#-3}", "-3", "1000"]);
}

#[test]
fn index_out_of_range_is_reported() {
    let mut harness = Harness::new();
    harness.func("main", &[I64], &[REF], |b, args| {
        let array = new_array(b, ElementKind::Ref as u32, 0, 0);
        let got = b.value(ElemRef, element(4), 0, &[array, args[0]]);
        b.ret(&[got]);
    });
    harness.expect(&[Val::I64(2)], &["Nil"]);
    harness.expect_error(&[Val::I64(3)], "element 3 of an array of 3 in @main");
    harness.expect_error(&[Val::I64(-1)], "element -1 of an array of 3");
}
