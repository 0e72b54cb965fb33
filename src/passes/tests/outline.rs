//! What giant functions become, with limits that make giants of small ones.

use cleave_ir::text::{parse_module, print_module};
use cleave_ir::verify::verify_module;
use cleave_passes::ipo::outline::{Limits, run};

const HEAD: &str = "module \"m\"\n";

/// The text of a module after its functions were cut.
fn cut(text: &str, limits: Limits) -> String {
    let mut module = parse_module(&format!("{HEAD}{text}")).expect("the module is correct");
    assert!(run(&mut module, limits));
    verify_module(&module).unwrap_or_else(|errors| panic!("{}", errors[0]));
    print_module(&module)
}

const TINY: Limits = Limits { oversized: 4, part: 2, live: 2, spill_record: 2 };

#[test]
fn few_values_are_parameters() {
    let text = "func @f(v0: i64) -> i64 {\nblock0(v0: i64):\n  v1 = iconst.i64 7\n  v2 = iadd v0, v1\n  v3 = imul v2, v2\n  \
                v4 = iadd v3, v1\n  v5 = imul v4, v2\n  v6 = iadd v5, v1\n  ret v6\n}\n";
    let out = cut(text, TINY);
    assert!(out.contains("tail_call @f.part1(") && out.contains("func @f.part1("), "{out}");
    // The constant is made again where it is used.
    assert!(out.matches("iconst.i64 7").count() > 1, "{out}");
    assert!(!out.contains("build"), "{out}");
}

#[test]
fn many_values_lie_in_pages() {
    let text = "func @f(v0: i64, v1: ref, v2: f64) -> i64, ref, f64 {\nblock0(v0: i64, v1: ref, v2: f64):\n  \
                v3 = iconst.i64 7\n  v4 = iadd v0, v3\n  v5 = imul v4, v0\n  v6 = isub v5, v0\n  v7 = wrap v6\n  \
                v8 = iadd v5, v6\n  v9 = iadd v8, v6\n  v10 = extend_s v7\n  v11 = iadd v9, v10\n  v12 = iadd v11, v4\n  \
                v13 = iadd v12, v8\n  ret v13, v1, v2\n}\n";
    let out = cut(text, TINY);
    assert!(out.contains("build $page.") && out.contains("get.i64"), "{out}");
    assert!(out.contains("get.f64") && out.contains("get.ref"), "{out}");
    // A number of 32 bits is a word of a page.
    assert!(out.contains("extend_u") && out.contains("wrap"), "{out}");
}

/// Between the branches and inside of the loop there is no place to cut.
#[test]
fn branches_and_loops_stay_whole() {
    let text = "func @f(v0: i32, v1: i64) -> i64 {\nblock0(v0: i32, v1: i64):\n  br_if v0, block1, block2\nblock1:\n  \
                v2 = iadd v1, v1\n  v3 = imul v2, v1\n  jump block3(v3)\nblock2:\n  v4 = isub v1, v1\n  jump block3(v4)\n\
                block3(v5: i64):\n  v6 = iadd v5, v5\n  v7 = imul v6, v5\n  v8 = eq v7, v6\n  br_if v8, block3(v7), block4\n\
                block4:\n  v9 = iadd v7, v1\n  ret v9\n}\n";
    let out = cut(text, TINY);
    let part = |n: usize| out.split("func @").nth(n + 1).expect("a part").to_string();
    assert_eq!(out.matches("func @").count(), 3, "{out}");
    assert!(part(0).contains("br_if") && !part(0).contains("eq"), "{out}");
    assert!(part(1).contains("eq") && part(1).contains("br_if"), "{out}");
    assert!(part(2).contains("ret"), "{out}");
}

/// The object has no header yet.
#[test]
fn incomplete_objects_stay_in_one_part() {
    let text = "func @f(v0: ref) -> ref {\nblock0(v0: ref):\n  v1 = header v0\n  v2 = is_hnf v0\n  v3 = alloc 12\n  \
                v4 = iadd v1, v2\n  v5 = iadd v4, v2\n  store.i32 v3, v5 +0\n  store.ref v3, v0 +4\n  \
                store.ref v3, v0 +8\n  v6 = eval v3\n  v7 = header v6\n  v8 = is_hnf v6\n  v9 = iadd v7, v8\n  ret v6\n}\n";
    let out = cut(text, TINY);
    let with = |what: &str| out.split("func @").find(|part| part.contains(what)).map(str::to_string);
    let part = with("alloc 12").expect("a part");
    assert!(part.contains("eval") && part.matches("store").count() == 3, "{out}");
}

/// A hole that came from a page would be filled where nobody sees it.
#[test]
fn functions_with_holes_stay_whole() {
    let text = "heap rc\ndesc $N = constructor arity 0 tag 0 \"N\"\n\
                desc $C = record arity 0 tag 1 \"C\" fields 1, 1 \"ai\" contiguous\n\
                func @f(v0: i64, v1: i64) -> ref {\nblock0(v0: i64, v1: i64):\n  v2 = node $N\n  v3 = iadd v0, v1\n  \
                v4 = build $C/0 v2, v3\n  v5 = open_hole v4 contiguous (1, 1) 0\n  v6 = imul v3, v3\n  v7 = isub v6, v0\n  \
                tail_call @f.hole(v7, v6, v5)\n}\n\
                func @f.hole(v0: i64, v1: i64, v2: i64) -> ref {\nblock0(v0: i64, v1: i64, v2: i64):\n  \
                v3 = iadd v0, v1\n  v4 = imul v3, v3\n  v5 = isub v4, v0\n  v6 = iadd v5, v3\n  \
                tail_call @f.end(v6, v2)\n}\n\
                func @f.end(v0: i64, v1: i64) -> ref {\nblock0(v0: i64, v1: i64):\n  v2 = node $N\n  \
                v3 = fill_hole v1, v2\n  ret v3\n}\n";
    let mut module = parse_module(&format!("{HEAD}{text}")).expect("the module is correct");
    verify_module(&module).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert!(!run(&mut module, TINY));
}

#[test]
fn usual_functions_stay_as_they_are() {
    let text = "func @f(v0: i64) -> i64 {\nblock0(v0: i64):\n  v1 = iadd v0, v0\n  ret v1\n}\n";
    let mut module = parse_module(&format!("{HEAD}{text}")).expect("the module is correct");
    assert!(!run(&mut module, Limits::default()));
    assert!(!run(&mut module, TINY));
}
