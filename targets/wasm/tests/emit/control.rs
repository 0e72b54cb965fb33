//! Control flow: loops, joins, tables, deep nesting, parallel moves.

use crate::harness::{Program, emit, parse};
use std::fmt::Write;

#[test]
fn loop_with_accumulator() {
    let mut program = Program::new(
        "func @sum(v0: i64) -> i64 phase=low gc_leaf {
block0(v0: i64):
  v1 = iconst.i64 0
  jump block1(v0, v1)
block1(v2: i64, v3: i64):
  v4 = eqz v2
  br_if v4, block2, block3
block2:
  ret v3
block3:
  v5 = iadd v3, v2
  v6 = iconst.i64 1
  v7 = isub v2, v6
  jump block1(v7, v5)
}",
    );
    assert_eq!(program.ints("sum", &[100]), [5050]);
}

/// Both parameters of the loop change places; a move in sequence would lose one.
#[test]
fn swap_on_a_back_edge() {
    let mut program = Program::new(
        "func @swap(v0: i64, v1: i64, v2: i64) -> i64, i64 phase=low gc_leaf {
block0(v0: i64, v1: i64, v2: i64):
  jump block1(v0, v1, v2)
block1(v3: i64, v4: i64, v5: i64):
  v6 = eqz v5
  br_if v6, block2, block3
block2:
  ret v3, v4
block3:
  v7 = iconst.i64 1
  v8 = isub v5, v7
  jump block1(v4, v3, v8)
}",
    );
    assert_eq!(program.ints("swap", &[1, 2, 0]), [1, 2]);
    assert_eq!(program.ints("swap", &[1, 2, 7]), [2, 1]);
}

#[test]
fn rotation_and_duplicates_on_edges() {
    let mut program = Program::new(
        "func @rotate(v0: i64, v1: i64, v2: i64, v3: i64) -> i64, i64, i64 phase=low gc_leaf {
block0(v0: i64, v1: i64, v2: i64, v3: i64):
  jump block1(v0, v1, v2, v3)
block1(v4: i64, v5: i64, v6: i64, v7: i64):
  v8 = iconst.i64 0
  v9 = sgt v7, v8
  v10 = iconst.i64 1
  v11 = isub v7, v10
  v12 = isub v8, v7
  v13 = iadd v12, v10
  br_if v9, block1(v5, v6, v4, v11), block2
block2:
  v14 = slt v7, v8
  br_if v14, block1(v4, v4, v5, v13), block3
block3:
  ret v4, v5, v6
}",
    );
    assert_eq!(program.ints("rotate", &[1, 2, 3, 1]), [2, 3, 1]);
    assert_eq!(program.ints("rotate", &[1, 2, 3, 2]), [3, 1, 2]);
    // Once with duplicates, twice around.
    assert_eq!(program.ints("rotate", &[1, 2, 3, -1]), [2, 1, 1]);
}

#[test]
fn diamonds() {
    let mut program = Program::new(
        "func @classify(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = slt v0, v1
  br_if v2, block1, block2
block1:
  v3 = iconst.i64 10
  jump block3(v3)
block2:
  v4 = eq v0, v1
  v5 = iconst.i64 20
  br_if v4, block3(v5), block4
block4:
  v6 = imul v0, v1
  jump block3(v6)
block3(v7: i64):
  v8 = iadd v7, v0
  ret v8
}",
    );
    assert_eq!(program.ints("classify", &[1, 2]), [11]);
    assert_eq!(program.ints("classify", &[2, 2]), [22]);
    assert_eq!(program.ints("classify", &[5, 2]), [15]);
}

#[test]
fn table_with_arguments_and_shared_targets() {
    let mut program = Program::new(
        "func @pick(v0: i32, v1: i64, v2: i64) -> i64 phase=low gc_leaf {
block0(v0: i32, v1: i64, v2: i64):
  br_table v0, block1(v1, v2), block1(v2, v1), block2, block0(v2, v1), block3
block1(v3: i64, v4: i64):
  v5 = isub v3, v4
  ret v5
block2:
  v6 = iadd v1, v2
  jump block4(v6)
block3:
  v7 = iconst.i64 -1
  jump block4(v7)
block4(v8: i64):
  ret v8
}"
        .replace("block0(v2, v1), ", "")
        .as_str(),
    );
    let mut pick = |n: i32| program.call("pick", &[n.into(), 30i64.into(), 12i64.into()])[0] as i64;
    assert_eq!([0, 1, 2, 3, 77, -1].map(&mut pick), [18, -18, 42, -1, -1, -1]);
}

/// Inner and outer loop, with a jump out of both.
#[test]
fn nested_loops() {
    let mut program = Program::new(
        "func @find(v0: i64, v1: i64) -> i64, i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = iconst.i64 0
  jump block1(v2)
block1(v3: i64):
  v4 = iconst.i64 0
  jump block2(v4)
block2(v5: i64):
  v6 = imul v3, v5
  v7 = eq v6, v0
  br_if v7, block5, block3
block3:
  v8 = iconst.i64 1
  v9 = iadd v5, v8
  v10 = sle v9, v1
  br_if v10, block2(v9), block4
block4:
  v11 = iconst.i64 1
  v12 = iadd v3, v11
  jump block1(v12)
block5:
  ret v3, v5
}",
    );
    assert_eq!(program.ints("find", &[35, 7]), [5, 7]);
    assert_eq!(program.ints("find", &[36, 7]), [6, 6]);
}

/// The entry block is a loop header, and its parameters are those of the function.
#[test]
fn loop_at_the_entry() {
    let mut program = Program::new(
        "func @gcd(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = eqz v1
  br_if v2, block1, block2
block1:
  ret v0
block2:
  v3 = srem v0, v1
  jump block0(v1, v3)
}",
    );
    assert_eq!(program.ints("gcd", &[1071, 462]), [21]);
}

/// A loop that is entered at two blocks: the second adds three, the first one, until nothing is left.
#[test]
fn irreducible_control_flow() {
    let mut program = Program::new(
        "func @f(v0: i64, v1: i64) -> i64 phase=low gc_leaf {
block0(v0: i64, v1: i64):
  v2 = iconst.i64 100
  v3 = wrap v0
  br_if v3, block1(v1, v2), block2(v2)
block1(v4: i64, v5: i64):
  v6 = iconst.i64 1
  v7 = isub v4, v6
  v8 = iadd v5, v7
  v9 = eqz v7
  br_if v9, block3(v8), block2(v8)
block2(v10: i64):
  v11 = iconst.i64 3
  v12 = iadd v10, v11
  v13 = iconst.i64 1000
  v14 = sgt v12, v13
  br_if v14, block3(v12), block1(v1, v12)
block3(v15: i64):
  ret v15
}",
    );
    assert_eq!(program.ints("f", &[1, 1]), [100]);
    assert_eq!(program.ints("f", &[0, 1]), [103]);
    let slow = |first: bool| {
        let (mut total, mut in_first) = (100, first);
        loop {
            if in_first {
                total += 499;
            } else {
                total += 3;
                if total > 1000 {
                    return total;
                }
            }
            in_first = !in_first;
        }
    };
    assert_eq!(program.ints("f", &[1, 500]), [slow(true)]);
    assert_eq!(program.ints("f", &[0, 500]), [slow(false)]);
}

/// Neither the compiler nor the validator may recurse over the depth of the control flow.
#[test]
fn deep_nesting() {
    let depth = 20_000;
    let mut source = String::from(
        "func @deep(v0: i64, v1: i64) -> i64 phase=low gc_leaf {\nblock0(v0: i64, v1: i64):\n  jump block1(v0)\n",
    );
    // Each block adds one, or leaves to the last.
    for k in 1..=depth {
        let v = |i: u32| 2 + (k - 1) * 4 + i;
        write!(
            source,
            "block{k}(v{}: i64):\n  v{} = iconst.i64 1\n  v{} = iadd v{}, v{}\n  v{} = eq v{}, v1\n  br_if v{}, block{}(v{}), block{}(v{})\n",
            v(0), v(1), v(2), v(0), v(1), v(3), v(2), v(3), depth + 1, v(2), if k == depth { depth + 1 } else { k + 1 }, v(2)
        )
        .expect("writing to a string");
    }
    let last = 2 + depth * 4;
    write!(source, "block{}(v{last}: i64):\n  ret v{last}\n}}", depth + 1).expect("writing to a string");
    let module = parse(&source);
    assert!(emit(&module).expect("emitted").len() > 100_000);
}

/// A chain of joins, each dominated by the one before.
#[test]
fn long_chain_of_joins() {
    let mut source =
        String::from("func @chain(v0: i64) -> i64 phase=low gc_leaf {\nblock0(v0: i64):\n  jump block1(v0)\n");
    let count = 300;
    for k in 0..count {
        let (b, v) = (1 + k * 3, 1 + k * 5);
        write!(
            source,
            "block{b}(v{v}: i64):\n  v{} = iconst.i64 1\n  v{} = and v{v}, v{}\n  v{} = eqz v{}\n  br_if v{}, block{}, block{}\n\
             block{}:\n  v{} = iadd v{v}, v{}\n  jump block{}(v{})\nblock{}:\n  jump block{}(v{v})\n",
            v + 1, v + 2, v + 1, v + 3, v + 2, v + 3, b + 1, b + 2, b + 1, v + 4, v + 1, b + 3, v + 4, b + 2, b + 3
        )
        .expect("writing to a string");
    }
    let (b, v) = (1 + count * 3, 1 + count * 5);
    write!(source, "block{b}(v{v}: i64):\n  ret v{v}\n}}").expect("writing to a string");
    assert_eq!(Program::new(&source).ints("chain", &[0]), [1]);
    assert_eq!(Program::new(&source).ints("chain", &[7]), [7]);
}
