//! Integers and reals: one row per fact.

use crate::harness::{Harness, I32, I64};
use cleave_interp::{Trap, Val};
use cleave_ir::Opcode::{self, *};
use cleave_ir::Type;

/// `op args` gives `want`.
pub struct Row {
    pub op: Opcode,
    args: Vec<Val>,
    want: Result<Val, Trap>,
}

fn l(n: i64) -> Val {
    Val::I64(n)
}
fn w(n: i32) -> Val {
    Val::I32(n)
}
fn d(x: f64) -> Val {
    Val::F64(x)
}

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut ok = |op, args: &[Val], want: Val| rows.push(Row { op, args: args.to_vec(), want: Ok(want) });
    const LEAST: i64 = i64::MIN;
    const MOST: i64 = i64::MAX;
    // Wrap-around in both widths.
    ok(Iadd, &[l(MOST), l(1)], l(LEAST));
    ok(Iadd, &[w(i32::MAX), w(1)], w(i32::MIN));
    ok(Iadd, &[l(0xffff_ffff), l(1)], l(0x1_0000_0000));
    ok(Isub, &[l(LEAST), l(1)], l(MOST));
    ok(Isub, &[w(i32::MIN), w(1)], w(i32::MAX));
    ok(Imul, &[l(0x1_0000_0001), l(0x1_0000_0001)], l(0x2_0000_0001));
    ok(Imul, &[w(0x10001), w(0x10001)], w(0x20001));
    // Division truncates; the remainder has the sign of the dividend.
    ok(Sdiv, &[l(-7), l(2)], l(-3));
    ok(Sdiv, &[w(7), w(-2)], w(-3));
    ok(Srem, &[l(-7), l(2)], l(-1));
    ok(Srem, &[w(7), w(-2)], w(1));
    ok(Srem, &[l(LEAST), l(-1)], l(0));
    ok(Srem, &[w(i32::MIN), w(-1)], w(0));
    ok(Udiv, &[l(-1), l(2)], l(MOST));
    ok(Udiv, &[w(-1), w(2)], w(i32::MAX));
    ok(Urem, &[l(-1), l(10)], l(5));
    ok(Urem, &[w(-1), w(10)], w(5));
    ok(And, &[l(0b1100), l(0b1010)], l(0b1000));
    ok(And, &[w(-1), w(0x7fff)], w(0x7fff));
    ok(Or, &[l(0b1100), l(0b1010)], l(0b1110));
    ok(Xor, &[w(-1), w(1)], w(-2));
    // Shift counts are taken modulo the width.
    ok(Shl, &[l(1), l(64)], l(1));
    ok(Shl, &[l(1), l(-1)], l(LEAST));
    ok(Shl, &[w(3), w(31)], w(i32::MIN));
    ok(Shl, &[w(1), w(33)], w(2));
    ok(Sshr, &[l(-5), l(64)], l(-5));
    ok(Sshr, &[l(-5), l(1)], l(-3));
    ok(Sshr, &[w(-5), w(33)], w(-3));
    ok(Ushr, &[l(-1), l(63)], l(1));
    ok(Ushr, &[w(-1), w(1)], w(i32::MAX));
    ok(Ushr, &[w(-1), w(32)], w(-1));
    ok(Rotl, &[l(LEAST), l(1)], l(1));
    ok(Rotl, &[w(i32::MIN), w(33)], w(1));
    ok(Rotr, &[l(1), l(65)], l(LEAST));
    ok(Rotr, &[w(1), w(1)], w(i32::MIN));
    ok(Clz, &[l(1)], l(63));
    ok(Clz, &[l(0)], l(64));
    ok(Clz, &[w(1)], w(31));
    ok(Clz, &[w(-1)], w(0));
    ok(Popcnt, &[l(0x5000_0000_0000_0007)], l(5));
    ok(Popcnt, &[l(-1)], l(64));
    ok(Popcnt, &[w(-1)], w(32));
    ok(Popcnt, &[w(0x0f00_0001)], w(5));
    ok(Popcnt, &[w(0)], w(0));
    ok(Umulhi, &[l(-1), l(-1)], l(-2));
    ok(Umulhi, &[l(1 << 32), l(1 << 33)], l(2));
    for (op, less, equal, greater) in
        [(Eq, 0, 1, 0), (Ne, 1, 0, 1), (Slt, 1, 0, 0), (Sgt, 0, 0, 1), (Sle, 1, 1, 0), (Sge, 0, 1, 1)]
    {
        ok(op, &[l(-1), l(1)], w(less));
        ok(op, &[l(LEAST), l(LEAST)], w(equal));
        ok(op, &[w(1), w(-1)], w(greater));
    }
    // -1 is the largest unsigned number.
    for (op, less, equal, greater) in [(Ult, 1, 0, 0), (Ugt, 0, 0, 1), (Ule, 1, 1, 0), (Uge, 0, 1, 1)] {
        ok(op, &[l(1), l(-1)], w(less));
        ok(op, &[w(1), w(-1)], w(less));
        ok(op, &[w(-2), w(-2)], w(equal));
        ok(op, &[w(i32::MIN), w(i32::MAX)], w(greater));
        ok(op, &[l(LEAST), l(MOST)], w(greater));
    }
    ok(Eqz, &[l(1 << 40)], w(0));
    ok(Eqz, &[l(0)], w(1));
    ok(Eqz, &[w(0)], w(1));
    ok(ExtendU, &[w(-1)], l(0xffff_ffff));
    ok(ExtendS, &[w(-1)], l(-1));
    ok(Wrap, &[l(0x1_8000_0000)], w(i32::MIN));
    ok(Select, &[w(-8), l(1), l(2)], l(1));
    ok(Select, &[w(0), d(1.0), d(2.0)], d(2.0));
    // Reals.
    ok(Fadd, &[d(0.1), d(0.2)], d(0.30000000000000004));
    ok(Fadd, &[d(f64::INFINITY), d(f64::NEG_INFINITY)], d(f64::NAN));
    ok(Fsub, &[d(1.0), d(1.0)], d(0.0));
    ok(Fmul, &[d(-1.0), d(0.0)], d(-0.0));
    ok(Fdiv, &[d(1.0), d(-0.0)], d(f64::NEG_INFINITY));
    ok(Fneg, &[d(0.0)], d(-0.0));
    ok(Fneg, &[d(-2.5)], d(2.5));
    ok(Fabs, &[d(-0.0)], d(0.0));
    ok(Fsqrt, &[d(2.25)], d(1.5));
    ok(Fsqrt, &[d(-1.0)], d(f64::NAN));
    ok(Ffloor, &[d(-1.5)], d(-2.0));
    ok(Fceil, &[d(-1.5)], d(-1.0));
    ok(Fceil, &[d(-0.5)], d(-0.0));
    ok(Ftrunc, &[d(-1.9)], d(-1.0));
    ok(Fnearest, &[d(2.5)], d(2.0));
    ok(Fnearest, &[d(3.5)], d(4.0));
    ok(Fnearest, &[d(-2.5)], d(-2.0));
    for (op, less, equal, greater, unordered) in [
        (Feq, 0, 1, 0, 0),
        (Fne, 1, 0, 1, 1),
        (Flt, 1, 0, 0, 0),
        (Fgt, 0, 0, 1, 0),
        (Fle, 1, 1, 0, 0),
        (Fge, 0, 1, 1, 0),
    ] {
        ok(op, &[d(-1.0), d(1.0)], w(less));
        ok(op, &[d(0.0), d(-0.0)], w(equal));
        ok(op, &[d(1.0), d(-1.0)], w(greater));
        ok(op, &[d(f64::NAN), d(f64::NAN)], w(unordered));
        ok(op, &[d(1.0), d(f64::NAN)], w(unordered));
    }
    ok(IntToReal, &[l(-3)], d(-3.0));
    ok(IntToReal, &[l(MOST)], d(9223372036854775808.0));
    ok(RealToInt, &[d(-3.0)], l(-3));
    ok(RealToInt, &[d(-9223372036854775808.0)], l(LEAST));
    ok(RealToInt, &[d(9223372036854775808.0)], l(LEAST));
    ok(RealToInt, &[d(f64::NAN)], l(LEAST));
    ok(RealToInt, &[d(9223372036854774784.0)], l(9223372036854774784));
    ok(RealBits, &[d(1.0)], l(0x3ff0_0000_0000_0000));
    ok(BitsReal, &[l(LEAST)], d(-0.0));
    let mut trap = |op, args: &[Val], want: Trap| rows.push(Row { op, args: args.to_vec(), want: Err(want) });
    trap(Sdiv, &[l(LEAST), l(-1)], Trap::IntegerOverflow);
    trap(Sdiv, &[w(i32::MIN), w(-1)], Trap::IntegerOverflow);
    for op in [Sdiv, Srem, Udiv, Urem] {
        trap(op, &[l(1), l(0)], Trap::DivideByZero);
        trap(op, &[w(1), w(0)], Trap::DivideByZero);
    }
    rows
}

#[test]
fn rows_hold() {
    let mut harness = Harness::new();
    let rows = rows();
    for (i, row) in rows.iter().enumerate() {
        let params: Vec<Type> = row.args.iter().map(|a| a.ty()).collect();
        let result = match &row.want {
            Ok(want) => want.ty(),
            Err(_) => params[0],
        };
        harness.func(&format!("row{i}"), &params, &[result], |b, args| {
            let value = b.op(row.op, args);
            b.ret(&[value]);
        });
    }
    for (i, row) in rows.iter().enumerate() {
        let got = cleave_interp::run_function(&harness.module, &format!("row{i}"), &row.args).map(|results| results[0]);
        // As text: NaN equals itself and the zeros differ.
        assert_eq!(format!("{got:?}"), format!("{:?}", row.want), "{} {:?}", row.op.name(), row.args);
    }
}

/// The least i64 divided by -1 is no overflow for i32, nor the other way round.
#[test]
fn overflow_depends_on_the_width() {
    let mut harness = Harness::new();
    for (name, ty) in [("wide", I64), ("narrow", I32)] {
        harness.func(name, &[ty, ty], &[ty], |b, args| {
            let value = b.op(Sdiv, args);
            b.ret(&[value]);
        });
    }
    let least = i32::MIN as i64;
    assert_eq!(cleave_interp::run_function(&harness.module, "wide", &[l(least), l(-1)]), Ok(vec![l(-least)]));
    assert_eq!(cleave_interp::run_function(&harness.module, "narrow", &[w(5), w(-1)]), Ok(vec![w(-5)]));
}
