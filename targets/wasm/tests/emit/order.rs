//! Expression trees must not change the order of effects.

use crate::harness::Program;
use std::fmt::Write;

/// Memory that belongs to nobody: the shadow stack, deep below its top.
const AT: &str = "v100 = iconst.i32 4096";

#[test]
fn a_load_stays_before_a_store() {
    let mut program = Program::new(&format!(
        "func @f(v0: i64) -> i64 phase=low gc_leaf {{
block0(v0: i64):
  {AT}
  v1 = load.i64 v100 +8
  store.i64 v100, v0 +8
  v2 = isub v0, v1
  ret v2
}}"
    ));
    assert_eq!(program.ints("f", &[5]), [5]);
    assert_eq!(program.ints("f", &[7]), [2]);
}

#[test]
fn a_load_stays_before_a_call_that_stores() {
    let mut program = Program::new(&format!(
        "func @put(v0: i64) -> i64 phase=low gc_leaf {{
block0(v0: i64):
  {AT}
  store.i64 v100, v0 +0
  ret v0
}}
func @f(v0: i64) -> i64 phase=low gc_leaf {{
block0(v0: i64):
  {AT}
  v1 = load.i64 v100 +0
  v2 = call @put(v0)
  v3 = isub v2, v1
  ret v3
}}
func @g(v0: i64) -> i64 phase=low gc_leaf {{
block0(v0: i64):
  {AT}
  v2 = call @put(v0)
  v1 = load.i64 v100 +0
  v3 = isub v1, v2
  ret v3
}}"
    ));
    assert_eq!(program.ints("f", &[5]), [5]);
    assert_eq!(program.ints("f", &[9]), [4]);
    assert_eq!(program.ints("g", &[3]), [0]);
}

/// Two calls in the operands of one instruction, used in the other order.
#[test]
fn calls_keep_their_order() {
    let mut program = Program::new(&format!(
        "func @next() -> i64 phase=low gc_leaf {{
block0:
  {AT}
  v1 = load.i64 v100 +0
  v2 = iconst.i64 1
  v3 = iadd v1, v2
  store.i64 v100, v3 +0
  ret v3
}}
func @f() -> i64 phase=low gc_leaf {{
block0:
  v0 = call @next()
  v1 = call @next()
  v2 = iconst.i64 10
  v3 = imul v1, v2
  v4 = iadd v3, v0
  ret v4
}}"
    ));
    assert_eq!(program.ints("f", &[]), [21]);
    assert_eq!(program.ints("f", &[]), [43]);
}

/// A value used on one edge only may be computed there, but not if that would skip an effect.
#[test]
fn effects_do_not_sink_into_edges() {
    let mut program = Program::new(&format!(
        "func @next(v0: i64) -> i64 phase=low gc_leaf {{
block0(v0: i64):
  {AT}
  v1 = load.i64 v100 +0
  v3 = iadd v1, v0
  store.i64 v100, v3 +0
  ret v3
}}
func @f(v0: i64, v1: i32) -> i64 phase=low gc_leaf {{
block0(v0: i64, v1: i32):
  v2 = call @next(v0)
  v3 = sdiv v0, v0
  br_if v1, block1(v2), block1(v3)
block1(v4: i64):
  ret v4
}}"
    ));
    let mut f = |n: i64, c: i32| program.try_call("f", &[n.into(), c.into()]);
    assert_eq!(f(5, 0), Ok(vec![1]));
    assert_eq!(f(5, 1), Ok(vec![10]));
    // The division by zero happens although its result is not used on this edge.
    assert!(f(0, 1).is_err());
}

/// A load used on one edge sinks only if no store is in between.
#[test]
fn a_load_sinks_into_an_edge_past_no_store() {
    let mut program = Program::new(&format!(
        "func @f(v0: i64, v1: i32) -> i64 phase=low gc_leaf {{
block0(v0: i64, v1: i32):
  {AT}
  v2 = load.i64 v100 +0
  store.i64 v100, v0 +0
  v3 = load.i64 v100 +8
  br_if v1, block1(v2), block1(v3)
block1(v4: i64):
  ret v4
}}"
    ));
    assert_eq!(program.call("f", &[11i64.into(), 1i32.into()]), [0]);
    assert_eq!(program.call("f", &[12i64.into(), 1i32.into()]), [11]);
    assert_eq!(program.call("f", &[12i64.into(), 0i32.into()]), [0]);
}

/// The local of a value that dies inside a tree may be taken by one that is kept in the same tree.
#[test]
fn tee_inside_a_tree() {
    let mut program = Program::new(
        "func @f(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = iadd v0, v1
  v3 = imul v2, v1
  v4 = isub v2, v3
  v5 = imul v4, v2
  v6 = iadd v5, v4
  v7 = xor v6, v0
  ret v7
}",
    );
    let (a, b) = (13i64, 5i64);
    let v2 = a + b;
    let v4 = v2 - v2 * b;
    assert_eq!(program.ints("f", &[a, b]), [(v4 * v2 + v4) ^ a]);
}

#[test]
fn forty_parameters() {
    let list = |f: &dyn Fn(usize) -> String| (0..40).map(f).collect::<Vec<_>>().join(", ");
    let params = list(&|i| format!("v{i}: i64"));
    let results = list(&|_| "i64".into());
    let reversed = list(&|i| format!("v{}", 39 - i));
    let mut source = format!(
        "func @reverse({params}) -> {results} phase=low gc_leaf {{\nblock0({params}):\n  ret {reversed}\n}}\n\
         func @twice({params}) -> i64 phase=low gc_leaf {{\nblock0({params}):\n"
    );
    let calls = list(&|i| format!("v{}", 40 + i));
    writeln!(source, "  {calls} = call @reverse({reversed})").expect("writing to a string");
    // Weighted sum, so that a wrong order shows.
    let mut next = 80;
    let mut sum = 40;
    for i in 1..40 {
        writeln!(source, "  v{next} = iconst.i64 {i}\n  v{} = imul v{}, v{next}", next + 1, 40 + i)
            .and_then(|()| writeln!(source, "  v{} = iadd v{sum}, v{}", next + 2, next + 1))
            .expect("writing to a string");
        sum = next + 2;
        next += 3;
    }
    writeln!(source, "  ret v{sum}\n}}").expect("writing to a string");
    let mut program = Program::new(&source);
    let args: Vec<i64> = (1..=40).collect();
    let reversed: Vec<i64> = (1..=40).rev().collect();
    assert_eq!(program.ints("reverse", &args), reversed);
    let expected = args[0] + (1..40).map(|i| args[i as usize] * i).sum::<i64>();
    assert_eq!(program.ints("twice", &args), [expected]);
}

/// A long chain of single uses is one tree of any depth, and a bushy one keeps the operand stack shallow.
#[test]
fn large_trees() {
    let count = 5000;
    let mut source = String::from("func @left(v0: i64) -> i64 phase=low gc_leaf {\nblock0(v0: i64):\n");
    for i in 0..count {
        writeln!(source, "  v{} = iadd v{i}, v0", i + 1).expect("writing to a string");
    }
    write!(source, "  ret v{count}\n}}\nfunc @right(v0: i64) -> i64 phase=low gc_leaf {{\nblock0(v0: i64):\n")
        .expect("writing to a string");
    for i in 0..count {
        writeln!(source, "  v{} = isub v0, v{i}", i + 1).expect("writing to a string");
    }
    write!(source, "  ret v{count}\n}}").expect("writing to a string");
    let mut program = Program::new(&source);
    assert_eq!(program.ints("left", &[3]), [3 * (count + 1)]);
    assert_eq!(program.ints("right", &[3]), [3]);
}
