//! Single operators and the folding of conditions.

use crate::harness::Program;
use std::fmt::Write;

#[test]
fn high_word_of_a_product() {
    let mut program = Program::new(
        "func @f(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = umulhi v0, v1
  ret v2
}",
    );
    for (a, b) in [(0, 5), (-1, -1), (i64::MIN, 2), (0x1234_5678_9abc_def0, -0x0fed_cba9_8765_4321), (1 << 32, 1 << 32)]
    {
        let expected = (u128::from(a as u64) * u128::from(b as u64)) >> 64;
        assert_eq!(program.ints("f", &[a, b]), [expected as i64], "{a} {b}");
    }
}

#[test]
fn real_to_integer() {
    let mut program = Program::new(
        "func @f(v0: f64) -> i64 phase=low gc_leaf {
block0(v0: f64):
  v1 = real_to_int v0
  ret v1
}",
    );
    let cases = [
        (0.0, 0),
        (-3.0, -3),
        (9.007199254740992e15, 1 << 53),
        (2f64.powi(63), i64::MIN),
        (-(2f64.powi(63)), i64::MIN),
        (-1e300, i64::MIN),
        (1e300, i64::MIN),
        (f64::NAN, i64::MIN),
        (f64::INFINITY, i64::MIN),
        ((i64::MAX - 1023) as f64, i64::MAX - 1023),
    ];
    for (real, expected) in cases {
        assert_eq!(program.call("f", &[real.into()]), [expected as u64], "{real}");
    }
}

/// Every comparison of integers, as a value, as a condition, and reversed.
#[test]
fn comparisons() {
    let names = ["eq", "ne", "slt", "sgt", "sle", "sge", "ult", "ugt", "ule", "uge"];
    let mut source = String::new();
    for name in names {
        write!(
            source,
            "func @{name}(v0: i64, v1: i64) -> i64, i64, i64 phase=low gc_leaf {{
block0(v0: i64, v1: i64):
  v2 = {name} v0, v1
  v3 = extend_u v2
  v4 = {name} v0, v1
  v5 = iconst.i64 1
  v6 = iconst.i64 0
  br_if v4, block1, block2
block1:
  jump block3(v5)
block2:
  jump block3(v6)
block3(v7: i64):
  v8 = {name} v0, v1
  v9 = extend_u v8
  v10 = iconst.i64 0
  v11 = eq v9, v10
  v12 = select v11, v6, v5
  ret v3, v7, v12
}}\n"
        )
        .expect("writing to a string");
    }
    let mut program = Program::new(&source);
    for a in [0, 1, -1, i64::MIN, i64::MAX] {
        for b in [0, 1, -1, i64::MIN, i64::MAX] {
            let (x, y) = (a as u64, b as u64);
            let expected = [a == b, a != b, a < b, a > b, a <= b, a >= b, x < y, x > y, x <= y, x >= y];
            for (name, expected) in names.iter().zip(expected) {
                assert_eq!(program.ints(name, &[a, b]), [expected as i64; 3], "{name} {a} {b}");
            }
        }
    }
}

/// Reversing an order of reals would be wrong for NaN.
#[test]
fn conditions_on_reals() {
    let mut program = Program::new(
        "func @f(v0: f64, v1: f64) -> i64 phase=low gc_leaf {
block0(v0: f64, v1: f64):
  v2 = flt v0, v1
  v3 = eqz v2
  br_if v3, block1, block2
block1:
  v4 = iconst.i64 1
  ret v4
block2:
  v5 = iconst.i64 0
  ret v5
}",
    );
    let mut f = |a: f64, b: f64| program.call("f", &[a.into(), b.into()])[0];
    assert_eq!([f(1.0, 2.0), f(2.0, 1.0), f(f64::NAN, 1.0), f(1.0, f64::NAN)], [0, 1, 1, 1]);
}

/// Conditions that are not booleans, through conversions and tests against zero.
#[test]
fn conditions_on_words() {
    let mut program = Program::new(
        "func @f(v0: i32, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i32, v1: i64):
  v2 = extend_u v0
  v3 = iconst.i64 0
  v4 = ne v2, v3
  br_if v4, block1, block2
block1:
  v5 = iconst.i32 0
  v6 = ne v4, v5
  v7 = extend_s v6
  v8 = iadd v7, v1
  ret v8
block2:
  v9 = eq v1, v3
  v10 = iconst.i32 1
  v11 = eq v9, v10
  v12 = extend_u v11
  ret v12
}",
    );
    let mut f = |a: i32, b: i64| program.call("f", &[a.into(), b.into()])[0] as i64;
    assert_eq!([f(2, 5), f(i32::MIN, 6), f(0, 0), f(0, 3), f(0, 1 << 32)], [6, 7, 1, 0, 0]);
}

/// Loads and stores that convert on the way, and conversions there and back.
#[test]
fn conversions_in_memory() {
    let mut program = Program::new(
        "func @f(v0: i64) -> i64, i64, i64, i64, i32 phase=low gc_leaf {
block0(v0: i64):
  v1 = iconst.i32 4096
  v2 = wrap v0
  store.i32 v1, v2 +0
  v3 = wrap v0
  store.u8 v1, v3 +8
  store.i64 v1, v0 +16
  v4 = load.i32 v1 +0
  v5 = extend_s v4
  v6 = load.i32 v1 +0
  v7 = extend_u v6
  v8 = load.u8 v1 +8
  v9 = extend_u v8
  v10 = load.u16 v1 +0
  v11 = extend_s v10
  v12 = load.i64 v1 +16
  v13 = wrap v12
  ret v5, v7, v9, v11, v13
}",
    );
    let n = 0x1234_5678_fedc_ba98u64 as i64;
    let expected = [n as i32 as i64 as u64, u64::from(n as u32), 0x98, 0xba98, u64::from(n as u32)];
    assert_eq!(program.call("f", &[n.into()]), expected);
}

#[test]
fn narrow_reals() {
    let mut program = Program::new(
        "func @f(v0: f64) -> f64, i64, f64 phase=low gc_leaf {
block0(v0: f64):
  v1 = iconst.i32 4096
  store.f32 v1, v0 +4
  v2 = load.f32 v1 +4
  v3 = real_bits v0
  v4 = bits_real v3
  v5 = fneg v4
  ret v2, v3, v5
}",
    );
    let expected = [f64::from(0.1f32).to_bits(), 0.1f64.to_bits(), (-0.1f64).to_bits()];
    assert_eq!(program.call("f", &[0.1f64.into()]), expected);
}

#[test]
fn remainder_of_the_least_integer() {
    let mut program = Program::new(
        "func @f(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = srem v0, v1
  ret v2
}",
    );
    assert_eq!(program.ints("f", &[i64::MIN, -1]), [0]);
    assert!(program.try_call("f", &[1i64.into(), 0i64.into()]).is_err());
}

/// Two tests against zero cancel, three are one.
#[test]
fn repeated_tests_against_zero() {
    let mut program = Program::new(
        "func @f(v0: i32) -> i64 phase=low gc_leaf {
block0(v0: i32):
  v1 = eqz v0
  v2 = eqz v1
  v3 = iconst.i64 1
  v4 = iconst.i64 0
  br_if v2, block1, block2
block1:
  ret v3
block2:
  v5 = eqz v2
  v6 = select v5, v4, v3
  ret v6
}",
    );
    let mut f = |n: i32| program.call("f", &[n.into()])[0];
    assert_eq!([f(0), f(1), f(-8)], [0, 1, 1]);
}
