//! What becomes of single instructions, and what is refused.

use cleave_ir::text::parse_module;

fn emitted(text: &str) -> Result<String, String> {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    cleave_c::emit(&module).map_err(|what| what.to_string())
}

const HEAD: &str = "module \"m\"
desc $L.Nil = constructor arity 0 tag 0 \"Nil\" contiguous
desc $L.Cons = record arity 0 tag 1 \"Cons\" fields 1, 1 \"ia\" contiguous
heap rc
start @.start
";

#[test]
fn counting_is_there_to_be_read() {
    let text = format!(
        "{HEAD}static0 = text \"a \\22?\\0a\"
func @.start() phase=rooted {{
block0:
  v0 = node $L.Nil
  v1 = iconst.i64 -3
  v2 = build $L.Cons/0 v0, v1
  v3 = call @next(v2)
  release v3
  v4 = text static0
  call_rt print_text(v4)
  ret
}}
func @next(v0: ref) -> ref phase=rooted fip {{
block0(v0: ref):
  v1 = get.i64 v0 contiguous (1, 1) 0
  v2 = get.ref v0 contiguous (1, 1) 0
  v3 = reset_or_alloc v0, v2 (1, 1)
  v4 = iconst.i64 1
  v5 = iadd v1, v4
  v6 = reuse $L.Cons/0 v3, v2, v5
  ret v6
}}
"
    );
    let c = emitted(&text).expect("it has a form in C");
    for line in [
        "enum { k_L_Nil, k_L_Cons };",
        "static cell s_L_Nil = { .kind = k_L_Nil, .is = { STATIC_COUNT } };",
        "static const char text0[] = \"a \\\"\\?\\012\";",
        "    v2 = node(take(2), k_L_Cons, 1, 2);",
        "    v2->fields[0].ref = &s_L_Nil;",
        "    v2->fields[1].word = (uint64_t)-3;",
        "    release(v3);",
        "    fwrite(text0, 1, sizeof text0 - 1, stdout);",
        "    if (is_last(v0)) {",
        "        retain(v2);",
        "        v3 = take(2);",
        "    v6->fields[1].word = v1 + UINT64_C(1);",
        "    return v6;",
    ] {
        assert!(c.lines().any(|other| other == line), "{line}\n{c}");
    }
}

/// Parameters of a block get their values at once.
#[test]
fn values_are_swapped() {
    let text = format!(
        "{HEAD}func @.start() phase=rooted {{
block0:
  v0 = iconst.i64 1
  v1 = iconst.i64 2
  jump block1(v0, v1)
block1(v2: i64, v3: i64):
  v4 = slt v2, v3
  call_rt print_int(v2)
  br_if v4, block1(v3, v2), block2
block2:
  ret
}}
"
    );
    let c = emitted(&text).expect("it has a form in C");
    let swap = "            uint64_t t0 = v3;\n            uint64_t t1 = v2;\n        v2 = t0;\n        v3 = t1;\n";
    assert!(c.contains(swap), "{c}");
}

#[test]
fn what_has_no_form_is_named() {
    let refused = |text: &str| emitted(text).expect_err("C has no form for it");
    assert!(refused("heap rc\n").contains("a library has no start"));
    let body = |inst: &str| format!("{HEAD}func @.start() phase=rooted {{\nblock0:\n  {inst}\n  ret\n}}\n");
    let traced = body("v0 = heap_full 8").replace("heap rc\n", "");
    assert!(refused(&traced).contains("whose references are counted"));
    assert!(refused(&body("v0 = heap_full 8")).contains("the instruction `heap_full`"));
    let real = "v0 = iconst.i64 1\n  v1 = int_to_real v0\n  call_rt print_real(v1)";
    assert!(refused(&body(real)).contains("in the function `.start`"));
}

/// Names that are equal in C get numbers.
#[test]
fn names_are_different() {
    let text = format!(
        "{HEAD}func @.start() phase=rooted {{\nblock0:\n  call @a.b()\n  call @a_b()\n  ret\n}}
func @a.b() phase=rooted {{\nblock0:\n  ret\n}}
func @a_b() phase=rooted {{\nblock0:\n  ret\n}}\n"
    );
    let c = emitted(&text).expect("it has a form in C");
    assert!(c.contains("static void f_a_b(void);\nstatic void f_a_b_2(void);"), "{c}");
}
