//! Constants, nodes, thunks, boxes and CAFs.

use crate::harness::*;
use Opcode::*;
use cleave_ir::{CafData, StaticData, StaticField};

pub const CASES: &[Case] = &[
    Case { subjects: &[Iconst32, Iconst64, Fconst], run: constants },
    Case { subjects: &[NodeInfoAddr, Header, ThunkInfoAddr, IsHnf], run: headers },
    Case { subjects: &[StaticRef, StaticNode, TextAddr, NameAddr, DescInfoAddr, NodeRef], run: statics },
    Case { subjects: &[RefAddr, AddrRef], run: addresses },
    Case { subjects: &[BuildNode, GetRef, SetRef], run: split_constructor },
    Case { subjects: &[BuildNode, GetRef, SetRef, GetI64, SetI64, GetF64, SetF64], run: contiguous },
    Case { subjects: &[BuildNode, GetI64, SetI64, GetF64, SetF64], run: records },
    Case { subjects: &[SetNodeInfo], run: set_row },
    Case { subjects: &[BuildThunk, ArgRef, ArgI64, ArgF64], run: arguments },
    Case { subjects: &[Blackhole, BuildDummy, FillNode, FillThunk], run: cells },
    Case { subjects: &[FillCopy], run: fill_copy },
    Case { subjects: &[MakeIndirection], run: indirection },
    Case { subjects: &[BoxInt, BoxChar, BoxBool], run: boxes },
    Case { subjects: &[SmallInt], run: small_int },
    Case { subjects: &[IntRef, RefInt, IsInt, FitsInt], run: immediates },
    Case { subjects: &[CafState, CafRef, CafI64, CafF64, SetCafState, SetCafRef, SetCafI64, SetCafF64], run: cafs },
];

fn constants(harness: &mut Harness) {
    harness.func("main", &[], &[I32, I64, F64], |b, _| {
        let (x, y, z) = (b.iconst32(-5), b.iconst64(i64::MIN), b.fconst(0.5f64.to_bits()));
        b.ret(&[x, y, z]);
    });
    harness.expect(&[], &["-5", "-9223372036854775808", "0.5"]);
}

fn headers(harness: &mut Harness) {
    let entry = harness.cycle;
    harness.func("main", &[], &[I32, I32, I32, I32], |b, _| {
        let end = nil(b);
        let node = cons(b, end, end);
        let header = b.op(Header, &[node]);
        let node_info = b.node_info(WellKnownDesc::ListCell.desc(), 2);
        let same = b.op(Eq, &[header, node_info]);
        let hnf = b.op(IsHnf, &[node]);
        let cell = b.op(BuildDummy, &[]);
        let thunk_header = b.op(Header, &[cell]);
        let record = b.thunk_info_addr(entry);
        let same_entry = b.op(Eq, &[thunk_header, record]);
        let no_hnf = b.op(IsHnf, &[cell]);
        b.ret(&[same, hnf, same_entry, no_hnf]);
    });
    harness.expect(&[], &["1", "1", "1", "0"]);
}

fn statics(harness: &mut Harness) {
    let string = harness.module.statics.push(StaticData::String(b"hello"[..].into()));
    let text = harness.module.statics.push(StaticData::Text(b"abc"[..].into()));
    let mixed = harness.mixed;
    let fields = [StaticField::Char(97), StaticField::Node(WellKnownDesc::Empty.desc())];
    let last = cleave_ir::StaticNode {
        desc: WellKnownDesc::ListCell.desc(),
        applied_args: 2,
        ptrs: fields.into(),
        nptrs: [].into(),
    };
    let last = harness.module.statics.push(StaticData::Node(last));
    let fields = [StaticField::Int(7), StaticField::Object(last)];
    let list = cleave_ir::StaticNode {
        desc: WellKnownDesc::ListCell.desc(),
        applied_args: 2,
        ptrs: fields.into(),
        nptrs: [].into(),
    };
    let list = harness.module.statics.push(StaticData::Node(list));
    harness.func("main", &[], &[REF, I32, I32, I32, I32, REF, REF], |b, _| {
        let s = b.static_ref(string);
        let t = b.text(text);
        let length = b.value(LoadI32, 0, 0, &[t]);
        let letter = b.value(LoadU8, 6, 0, &[t]);
        let name = b.value(NameAddr, mixed.as_u32() as u64, 0, &[]);
        let name_length = b.value(LoadI32, 0, 0, &[name]);
        let info = b.value(DescInfoAddr, mixed.as_u32() as u64, 0, &[]);
        let kind = b.value(LoadU8, 0, 0, &[info]);
        let node = nil(b);
        let list = b.value(Opcode::StaticNode, list.as_u32() as u64, 0, &[]);
        b.ret(&[s, length, letter, name_length, kind, node, list]);
    });
    harness.expect(&[], &["\"hello\"", "3", "99", "5", "12", "Nil", "(Cons 7 (Cons 'a' Nil))"]);
}

fn addresses(harness: &mut Harness) {
    harness.func("main", &[], &[REF], |b, _| {
        let end = nil(b);
        let address = b.op(RefAddr, &[end]);
        let again = b.op(AddrRef, &[address]);
        b.ret(&[again]);
    });
    harness.expect(&[], &["Nil"]);
}

/// Three references: the first inline, the others in the overflow block.
fn split_constructor(harness: &mut Harness) {
    let triple = harness.triple;
    harness.func("main", &[], &[REF, REF], |b, _| {
        let fields: Vec<Value> = (1..=3).map(|n| boxed(b, n)).collect();
        let node = b.build_node(triple, 3, &fields);
        let last = b.get(GetRef, 3, 0, 2, node);
        let four = boxed(b, 4);
        b.field(SetRef, 3, 0, 0, &[node, last]);
        b.field(SetRef, 3, 0, 1, &[node, four]);
        b.ret(&[node, last]);
    });
    harness.expect(&[], &["(Triple 3 4 3)", "3"]);
}

fn records(harness: &mut Harness) {
    let (mixed, nptrs) = (harness.mixed, harness.nptrs);
    harness.func("main", &[], &[REF, REF, I64, F64, I64], |b, _| {
        let (end, minus) = (nil(b), b.iconst64(-1));
        let first = b.build_node(mixed, 0, &[end, minus]);
        let half = b.fconst(0.5f64.to_bits());
        let second = b.build_node(nptrs, 0, &[minus, half]);
        let x = b.get(GetI64, 1, 1, 0, first);
        let y = b.get(GetF64, 0, 2, 1, second);
        let seven = b.iconst64(7);
        b.field(SetI64, 1, 1, 0, &[first, seven]);
        let two = b.fconst(2f64.to_bits());
        b.field(SetF64, 0, 2, 0, &[second, two]);
        let bits = b.get(GetI64, 0, 2, 0, second);
        b.field(SetI64, 0, 2, 1, &[second, seven]);
        b.ret(&[first, second, x, y, bits]);
    });
    harness.expect(&[], &["(Mixed Nil #7)", "(Words #4611686018427387904 #7)", "-1", "0.5", "4611686018427387904"]);
}

/// Nodes of a contiguous descriptor, up to the largest, are one block.
fn contiguous(harness: &mut Harness) {
    let mut triple = descriptor("Contiguous", 3, None);
    let mut record = descriptor("Block", 0, Some((2, 2)));
    (triple.contiguous, record.contiguous) = (true, true);
    let (triple, record) = (harness.module.descs.push(triple), harness.module.descs.push(record));
    let shapes = [harness.module.shape(triple, 2), harness.module.shape(triple, 3), harness.module.shape(record, 0)];
    harness.func("main", &[], &[REF, REF, REF, I64, F64], |b, _| {
        let fields: Vec<Value> = (1..=3).map(|n| boxed(b, n)).collect();
        let pair = b.build_node(triple, 2, &fields[..2]);
        let whole = b.build_node(triple, 3, &fields);
        let (minus, half) = (b.iconst64(-1), b.fconst(0.5f64.to_bits()));
        let block = b.build_node(record, 0, &[pair, whole, minus, half]);
        let last = b.get_of(GetRef, shapes[1], 2, whole);
        b.set_of(SetRef, shapes[0], 1, pair, last);
        b.set_of(SetRef, shapes[1], 0, whole, last);
        let (word, real) = (b.get_of(GetI64, shapes[2], 0, block), b.get_of(GetF64, shapes[2], 1, block));
        let (seven, two) = (b.iconst64(7), b.fconst(2f64.to_bits()));
        b.set_of(SetI64, shapes[2], 0, block, seven);
        b.set_of(SetF64, shapes[2], 1, block, two);
        b.ret(&[pair, whole, block, word, real]);
    });
    let block = "(Block (Contiguous 1 3) (Contiguous 3 2 3) #7 #4611686018427387904)";
    harness.expect(&[], &["(Contiguous 1 3)", "(Contiguous 3 2 3)", block, "-1", "0.5"]);
}

fn set_row(harness: &mut Harness) {
    let pair = harness.module.descs.push(descriptor("Pair", 2, None));
    harness.func("main", &[], &[REF], |b, _| {
        let end = nil(b);
        let node = cons(b, end, end);
        b.inst(SetNodeInfo, pair.as_u32() as u64, 2, &[node]);
        b.ret(&[node]);
    });
    harness.expect(&[], &["(Pair Nil Nil)"]);
}

/// Thunk arguments are all inline, whatever their number.
fn arguments(harness: &mut Harness) {
    let entry = harness.thunk("args", 2, 2, |b, node| b.ret(&[node]));
    harness.func("main", &[], &[REF, REF, I64, F64], |b, _| {
        let (one, two) = (boxed(b, 1), boxed(b, 2));
        let (word, real) = (b.iconst64(-9), b.fconst(1.25f64.to_bits()));
        let thunk = b.build_thunk(entry, &[one, two, word, real]);
        let second = b.get(ArgRef, 2, 2, 1, thunk);
        let x = b.get(ArgI64, 2, 2, 0, thunk);
        let y = b.get(ArgF64, 2, 2, 1, thunk);
        b.ret(&[thunk, second, x, y]);
    });
    harness.expect(&[], &["<args>", "2", "-9", "1.25"]);
}

fn cells(harness: &mut Harness) {
    let (triple, nptrs) = (harness.triple, harness.nptrs);
    let entry = harness.thunk("later", 1, 0, |b, node| b.ret(&[node]));
    harness.func("main", &[], &[REF, REF, REF, REF, I32], |b, _| {
        let end = nil(b);
        let inline = b.op(BuildDummy, &[]);
        b.fill_node(WellKnownDesc::ListCell.desc(), 2, &[inline, end, inline]);
        let tail = b.get(GetRef, 2, 0, 1, inline);
        let (x, y) = (b.op(RefAddr, &[inline]), b.op(RefAddr, &[tail]));
        let knot = b.op(Eq, &[x, y]);
        b.field(SetRef, 2, 0, 1, &[inline, end]);
        let split = b.op(BuildDummy, &[]);
        b.fill_node(triple, 3, &[split, inline, end, inline]);
        let word = b.op(BuildDummy, &[]);
        let (six, seven) = (b.iconst64(6), b.iconst64(7));
        b.fill_node(nptrs, 0, &[word, six, seven]);
        let thunk = b.build_thunk(entry, &[end]);
        b.effect(Blackhole, &[thunk]);
        let again = b.build_thunk(entry, &[end]);
        b.effect(Blackhole, &[again]);
        b.inst(FillThunk, entry.as_u32() as u64, 0, &[again, inline]);
        let pair = cons(b, thunk, again);
        b.ret(&[inline, split, word, pair, knot]);
    });
    harness.expect(
        &[],
        &[
            "(Cons Nil Nil)",
            "(Triple (Cons Nil Nil) Nil (Cons Nil Nil))",
            "(Words #6 #7)",
            "(Cons <cycle> <later>)",
            "1",
        ],
    );
}

/// The copy shares the overflow block of a split node.
fn fill_copy(harness: &mut Harness) {
    let triple = harness.triple;
    harness.func("main", &[], &[REF], |b, _| {
        let end = nil(b);
        let node = b.build_node(triple, 3, &[end, end, end]);
        let cell = b.op(BuildDummy, &[]);
        b.effect(FillCopy, &[cell, node]);
        let one = boxed(b, 1);
        b.field(SetRef, 3, 0, 0, &[node, one]);
        b.field(SetRef, 3, 0, 2, &[node, one]);
        b.ret(&[cell]);
    });
    harness.expect(&[], &["(Triple Nil Nil 1)"]);
}

fn indirection(harness: &mut Harness) {
    let entry = harness.thunk("later", 1, 0, |b, node| b.ret(&[node]));
    harness.func("main", &[], &[REF, REF, I32], |b, _| {
        let end = nil(b);
        let thunk = b.build_thunk(entry, &[end]);
        let value = cons(b, end, end);
        b.effect(MakeIndirection, &[thunk, value]);
        let header = b.op(IsHnf, &[thunk]);
        let target = b.get(ArgRef, 1, 0, 0, thunk);
        let evaluated = b.op(Eval, &[thunk]);
        b.ret(&[target, evaluated, header]);
    });
    harness.expect(&[], &["(Cons Nil Nil)", "(Cons Nil Nil)", "0"]);
}

fn boxes(harness: &mut Harness) {
    harness.func("main", &[I64], &[REF, REF, REF, I32], |b, args| {
        let int = b.op(BoxInt, args);
        let char = b.op(BoxChar, args);
        let bool = b.op(BoxBool, args);
        let again = b.op(BoxInt, args);
        let (x, y) = (b.op(RefAddr, &[int]), b.op(RefAddr, &[again]));
        let shared = b.op(Eq, &[x, y]);
        b.ret(&[int, char, bool, shared]);
    });
    harness.expect(&[Val::I64(-128)], &["-128", "'\u{80}'", "False", "1"]);
    harness.expect(&[Val::I64(255)], &["255", "'ÿ'", "True", "1"]);
    harness.expect(&[Val::I64(0)], &["0", "'\0'", "False", "1"]);
    // Beyond the static ones: a fresh node each time; characters keep 8 bits, Booleans one.
    harness.expect(&[Val::I64(256 + 65)], &["321", "'A'", "True", "0"]);
    harness.expect(&[Val::I64(i64::MIN)], &["-9223372036854775808", "'\0'", "False", "0"]);
}

fn small_int(harness: &mut Harness) {
    harness.func("main", &[], &[REF, REF, I32], |b, _| {
        let least = b.value(SmallInt, -128i64 as u64, 0, &[]);
        let most = b.value(SmallInt, 255, 0, &[]);
        let same = boxed(b, 255);
        let (x, y) = (b.op(RefAddr, &[most]), b.op(RefAddr, &[same]));
        let shared = b.op(Eq, &[x, y]);
        b.ret(&[least, most, shared]);
    });
    harness.expect(&[], &["-128", "255", "1"]);
}

fn cafs(harness: &mut Harness) {
    let caf = harness.module.cafs.push(CafData { label: "caf".into(), ptrs: 2, nptrs: 2 });
    harness.func("main", &[], &[I32, I32, REF, I64, F64], |b, _| {
        let before = result_of_caf(b, CafState, caf, 0);
        let end = nil(b);
        let list = cons(b, end, end);
        b.caf(SetCafRef, caf, 0, &[end]);
        b.caf(SetCafRef, caf, 1, &[list]);
        let (seven, half) = (b.iconst64(7), b.fconst(0.5f64.to_bits()));
        b.caf(SetCafI64, caf, 0, &[seven]);
        b.caf(SetCafF64, caf, 1, &[half]);
        b.caf(SetCafState, caf, 0, &[]);
        b.inst(Collect, 64, 0, &[]);
        let after = result_of_caf(b, CafState, caf, 0);
        let r = result_of_caf(b, CafRef, caf, 1);
        let i = result_of_caf(b, CafI64, caf, 0);
        let f = result_of_caf(b, CafF64, caf, 1);
        b.ret(&[before, after, r, i, f]);
    });
    harness.expect(&[], &["0", "1", "(Cons Nil Nil)", "7", "0.5"]);
    harness.stress();
    harness.expect(&[], &["0", "1", "(Cons Nil Nil)", "7", "0.5"]);
}

fn result_of_caf(b: &mut Builder, op: Opcode, caf: cleave_ir::Caf, index: u32) -> Value {
    let inst = b.caf(op, caf, index, &[]);
    result(b, inst)
}

/// A thunk of one reference and one word takes 16 bytes: it cannot replace a node, nor a blackholed thunk.
#[test]
fn overwritten_cells_must_be_large_enough() {
    let mut harness = Harness::new();
    let entry = harness.thunk("wide", 1, 1, |b, node| b.ret(&[node]));
    for (name, over_node) in [("main", true), ("thunk", false)] {
        harness.func(name, &[], &[REF], |b, _| {
            let (end, word) = (nil(b), b.iconst64(7));
            let cell = if over_node { cons(b, end, end) } else { b.build_thunk(entry, &[end, word]) };
            b.inst(FillThunk, entry.as_u32() as u64, 0, &[cell, end, word]);
            b.ret(&[cell]);
        });
    }
    harness.expect_error(&[], "16 bytes written over a cell of 12 in @main, block0");
    assert_eq!(harness.run("thunk", &[]), Ok(vec!["<wide>".into()]));
}

fn immediates(harness: &mut Harness) {
    harness.module.immediates = true;
    harness.func("fits", &[I64], &[I32], |b, args| {
        let fits = b.op(FitsInt, args);
        b.ret(&[fits]);
    });
    for (n, fits) in [(0, "1"), (-1 << 30, "1"), ((1 << 30) - 1, "1"), (1 << 30, "0"), (-1 - (1 << 30), "0")] {
        assert_eq!(harness.run("fits", &[Val::I64(n)]), Ok(vec![fits.into()]), "{n}");
    }
    harness.func("main", &[I64], &[REF, I64, I32, I32], |b, args| {
        let integer = b.int_ref(args[0]);
        let end = nil(b);
        let node = cons(b, integer, end);
        b.inst(Collect, 64, 0, &[]);
        let kept = b.get(GetRef, 2, 0, 0, node);
        let (back, is_int, is_node) = (b.ref_int(kept), b.op(IsInt, &[kept]), b.op(IsInt, &[node]));
        b.ret(&[node, back, is_int, is_node]);
    });
    harness.expect(&[Val::I64(-1 << 30)], &["(Cons -1073741824 Nil)", "-1073741824", "1", "0"]);
    harness.stress();
    harness.expect(&[Val::I64((1 << 30) - 1)], &["(Cons 1073741823 Nil)", "1073741823", "1", "0"]);
    harness.expect_error(&[Val::I64(1 << 30)], "1073741824 does not fit in an immediate");
}

/// What is used as what it is not has no meaning.
#[test]
fn immediates_are_no_objects() {
    let mut harness = Harness::new();
    harness.module.immediates = true;
    let seven = |b: &mut Builder| {
        let seven = b.iconst64(7);
        b.int_ref(seven)
    };
    harness.func("main", &[], &[I32], |b, _| {
        let seven = seven(b);
        let header = b.op(Header, &[seven]);
        b.ret(&[header]);
    });
    harness.expect_error(&[], "an immediate is used as an object in @main, block0");
    let mut harness = Harness::new();
    harness.module.immediates = true;
    harness.func("main", &[], &[I64], |b, _| {
        let node = nil(b);
        let word = b.ref_int(node);
        b.ret(&[word]);
    });
    harness.expect_error(&[], "a node of $_Nil/0 is no immediate in @main, block0");
}
