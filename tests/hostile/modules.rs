//! Modules of IR and ABC.

use super::inputs::{Kind, listed};

/// A function `main` with these lines.
fn ir(items: &str, body: &str) -> String {
    format!("{items}start @main\n\nfunc @main() {{\nblock0:\n{body}  ret\n}}\n")
}

/// `main` that begins with these lines and ends by itself.
fn blocks(items: &str, body: &str) -> String {
    format!("{items}start @main\n\nfunc @main() {{\nblock0:\n{body}}}\n")
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|at| format!("  {}\n", line(at))).collect()
}

/// Of this type, so many.
fn types(count: usize, ty: &str) -> String {
    listed(count, ", ", |_| ty.into())
}

fn values(count: usize, first: usize) -> String {
    listed(count, ", ", |at| format!("v{}", first + at))
}

/// A module of ABC whose `Start` has these lines.
fn abc(body: &str) -> String {
    const HEAD: &str = ".comp 920 0101110100100\n.start __Main_Start\n.endinfo\n.module m_Main \"Main\"\n.impmod _system\n\
                        .implab _cycle_in_spine\n.impdesc _Nil\n.impdesc _Cons\n.implab _driver\n.export __Main_Start\n";
    const START: &str = ".o 0 0\n__Main_Start\n\tbuild _ 0 nStart\n.d 1 0\n\tjmp _driver\n.n 0 _\n.o 1 0\nnStart\n\tpush_node _cycle_in_spine 0\n";
    const END: &str = "\tpushI 1\n\tfillI_b 0 0\n\tpop_b 1\n.d 1 0\n\trtn\n";
    format!("{HEAD}{START}{body}{END}")
}

#[rustfmt::skip]
pub fn all() -> Vec<Kind> {
    let of_ir = |name, make| Kind::new("ir", name, make);
    let of_abc = |name, make| Kind::new("abc", name, make);
    vec![
        of_ir("operands", |n| ir(&format!("func @f({}) {{\nblock0({}):\n  ret\n}}\n", listed(n, ", ", |i| format!("v{i}: i64")), listed(n, ", ", |i| format!("v{i}: i64"))),
            &format!("  v0 = iconst.i64 1\n  call @f({})\n", listed(n, ", ", |_| "v0".into())))),
        of_ir("results", |n| ir(&format!("func @f() -> {} {{\nblock0:\n  v0 = iconst.i64 1\n  ret {}\n}}\n", types(n.max(1), "i64"), listed(n.max(1), ", ", |_| "v0".into())),
            &format!("  {} = call @f()\n", values(n.max(1), 0)))),
        of_ir("extern-parameters", |n| ir(&format!("extern e({}) -> () [pure]\n", types(n, "i64")), &format!("  v0 = iconst.i64 1\n  call_rt e({})\n", listed(n, ", ", |_| "v0".into())))),
        of_ir("extern-results", |n| ir(&format!("extern e() -> ({}) [pure]\n", types(n, "i64")), &format!("  {}call_rt e()\n", if n == 0 { String::new() } else { values(n, 0) + " = " }))),
        of_ir("externs", |n| ir(&(0..n).map(|i| format!("extern e{i}() -> () [effect]\n")).collect::<String>(), "")),
        of_ir("called-externs", |n| ir(&(0..n).map(|i| format!("extern e{i}() -> () [effect]\n")).collect::<String>(), &lines(n, |i| format!("call_rt e{i}()")))),
        of_ir("large-block", |_| blocks("", "  jump block16777214\nblock16777214:\n  ret\n")),
        of_ir("undefined-block", |_| blocks("", "  jump block16777214\n")),
        of_ir("large-value", |_| ir("", "  v16777214 = iconst.i64 1\n")),
        of_ir("larger-value", |_| ir("", "  v99999999999 = iconst.i64 1\n")),
        of_ir("large-values", |n| (0..n).map(|i| format!("func @f{i}() {{\nblock0:\n  jump block1048575\nblock1048575:\n  ret\n}}\n")).collect::<String>() + &ir("", "")),
        of_ir("spread-values", |n| ir("", &lines(n, |i| format!("v{} = iconst.i64 1", i * 2000)))),
        of_ir("chain", |n| ir("", &format!("  v0 = iconst.i64 1\n{}  call_rt print_int(v{n})\n", lines(n, |i| format!("v{} = iadd v{i}, v{i}", i + 1))))),
        of_ir("tree", |n| ir("", &format!("  v0 = iconst.i64 1\n{}  call_rt print_int(v{n})\n", lines(n, |i| format!("v{} = imul v{i}, v{}", i + 1, i / 2))))),
        of_ir("alive", |n| ir("", &format!("{}{}", lines(n, |i| format!("v{i} = call_rt argument_count()")), lines(n, |i| format!("call_rt print_int(v{i})"))))),
        of_ir("alive-results", |n| format!("func @f(v0: i64) -> i64 {{\nblock0(v0: i64):\n  v1 = eqz v0\n  br_if v1, block2, block1\nblock1:\n  v2 = iconst.i64 0\n{}{}  ret v0\nblock2:\n  ret v0\n}}\n",
            lines(n, |i| format!("v{} = call @f(v2)", i + 3)), lines(n, |i| format!("call_rt print_int(v{})", i + 3))) + &ir("", "  v0 = iconst.i64 1\n  v1 = call @f(v0)\n")),
        of_ir("alive-references", |n| ir("desc $T = record arity 0 tag 0 \"T\" fields 0, 1 \"i\" contiguous\nextern print_graph(ref) -> () [may_gc, effect]\n",
            &format!("  v0 = iconst.i64 1\n{}{}", lines(n, |i| format!("v{} = build $T/0 v0", i + 1)), lines(n, |i| format!("call_rt print_graph(v{})", i + 1))))),
        of_ir("stores", |n| ir("", &format!("  v0 = iconst.i64 9\n  v1 = array.new i64 v0, v0\n{}", lines(n, |_| "array.set i64 v1, v0, v0".into())))),
        of_ir("arrays", |n| ir("", &format!("  v0 = iconst.i64 9\n{}", lines(n, |i| format!("v{} = array.new i64 v0, v0", i + 1))))),
        of_ir("jumps", |n| blocks("", &format!("  jump block1\n{}block{}:\n  ret\n", (1..=n).map(|i| format!("block{i}:\n  jump block{}\n", i + 1)).collect::<String>(), n + 1))),
        of_ir("jumps-backwards", |n| blocks("", &format!("  jump block{}\nblock1:\n  ret\n{}", n + 1, (2..=n + 1).map(|i| format!("block{i}:\n  jump block{}\n", i - 1)).collect::<String>()))),
        of_ir("branches", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  jump block1\n{}block{}:\n  ret\n",
            (0..n).map(|i| format!("block{0}:\n  br_if v1, block{1}, block{2}\nblock{1}:\n  jump block{2}\n", 2 * i + 1, 2 * i + 2, 2 * i + 3)).collect::<String>(), 2 * n + 1))),
        of_ir("ladder", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  jump block1\n{}block{}:\n  ret\n",
            (1..=n).map(|i| format!("block{i}:\n  br_if v1, block{}, block{}\n", i + 1, n + 1)).collect::<String>(), n + 1))),
        of_ir("loops-in-loops", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  jump block1\n{}{}block{}:\n  ret\n",
            (1..=n).map(|i| format!("block{i}:\n  br_if v1, block{}, block{}\n", i + 1, if i == 1 { 2 * n + 1 } else { 2 * n + 2 - i })).collect::<String>(),
            (n + 1..=2 * n).map(|i| format!("block{i}:\n  br_if v1, block{}, block{}\n", 2 * n + 1 - i, i + 1)).collect::<String>(), 2 * n + 1))),
        of_ir("irreducible", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  jump block1\n{}block{}:\n  ret\n",
            (1..=n).map(|i| format!("block{i}:\n  br_if v1, block{}, block{}\n", (i * 7919) % n + 1, i + 1)).collect::<String>(), n + 1))),
        of_ir("targets", |n| blocks("", &format!("  v0 = iconst.i32 1\n  br_table v0, {}\nblock1:\n  ret\n", listed(n.max(1), ", ", |_| "block1".into())))),
        of_ir("different-targets", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  br_table v1, {}\n{}", listed(n.max(1), ", ", |i| format!("block{}", i + 1)),
            (1..=n.max(1)).map(|i| format!("block{i}:\n  ret\n")).collect::<String>()))),
        of_ir("parameters-of-blocks", |n| blocks("", &format!("  v0 = call_rt argument_count()\n  v1 = wrap v0\n  br_if v1, block1({0}), block1({0})\nblock1({1}):\n  br_if v1, block1({2}), block2\nblock2:\n  ret\n",
            listed(n.max(1), ", ", |_| "v0".into()), listed(n.max(1), ", ", |i| format!("v{}: i64", i + 2)), values(n.max(1), 2)))),
        of_ir("functions", |n| (0..n).map(|i| format!("func @f{i}() {{\nblock0:\n  tail_call @f{}()\n}}\n", (i + 1) % n)).collect::<String>() + &ir("", "")),
        of_ir("chain-of-functions", |n| (0..n).map(|i| format!("func @f{i}(v0: i64) -> i64 {{\nblock0(v0: i64):\n  v1 = call @f{}(v0)\n  v2 = iadd v1, v0\n  ret v2\n}}\n", i + 1)).collect::<String>()
            + &format!("func @f{n}(v0: i64) -> i64 {{\nblock0(v0: i64):\n  ret v0\n}}\n") + &ir("", "  v0 = iconst.i64 1\n  v1 = call @f0(v0)\n  call_rt print_int(v1)\n")),
        of_ir("doubling", |n| { let n = n.min(60); (0..n).map(|i| format!("func @f{i}(v0: i64) -> i64 {{\nblock0(v0: i64):\n  v1 = call @f{0}(v0)\n  v2 = call @f{0}(v1)\n  ret v2\n}}\n", i + 1)).collect::<String>()
            + &format!("func @f{n}(v0: i64) -> i64 {{\nblock0(v0: i64):\n  ret v0\n}}\n") + &ir("", "") }),
        of_ir("descriptors", |n| ir(&(0..n).map(|i| format!("desc $T{i} = constructor arity 0 tag {} \"T\"\n", i % 1000)).collect::<String>(), "")),
        of_ir("arity", |n| ir(&format!("desc $T = constructor arity {n} tag 0 \"T\"\n"), "")),
        of_ir("huge-arity", |_| ir("desc $T = constructor arity 4294967295 tag 0 \"T\"\n", "")),
        of_ir("fields", |n| ir(&format!("desc $T = record arity 0 tag 0 \"T\" fields {n}, 0 \"{}\"\ndesc $N = constructor arity 0 tag 0 \"N\"\n", "a".repeat(n)),
            &format!("  v0 = node $N\n  v1 = build $T/0 {}\n", listed(n, ", ", |_| "v0".into())))),
        of_ir("words", |n| ir(&format!("desc $T = record arity 0 tag 0 \"T\" fields 0, {n} \"{}\" contiguous\n", "i".repeat(n)),
            &format!("  v0 = iconst.i64 1\n  v1 = build $T/0 {}\n", listed(n, ", ", |_| "v0".into())))),
        of_ir("statics", |n| ir(&(0..n).map(|i| format!("static{i} = string \"a\"\n")).collect::<String>(), "")),
        of_ir("chain-of-statics", |n| ir(&(0..n).map(|i| if i == 0 { "static0 = string \"a\"\n".into() } else { format!("static{i} = node $_Cons/2 [static{0}, static{0}] []\n", i - 1) }).collect::<String>(),
            &format!("  v0 = static_node static{}\n", n.max(2) - 1))),
        of_ir("text", |n| ir(&format!("static0 = text \"{}\"\n", "a\\0a".repeat(n)), "")),
        of_ir("names", |n| { let name = "a".repeat(n.max(1)); format!("start @{name}\nfunc @{name}() {{\nblock0:\n  ret\n}}\n") }),
        of_ir("quoted-names", |n| { let name = "\\ff".repeat(n.max(1)); format!("start @\"{name}\"\nfunc @\"{name}\"() {{\nblock0:\n  ret\n}}\n") }),
        of_ir("unknown-names", |n| ir("", &lines(n, |i| format!("call @f{i}()")))),
        of_ir("known-names", |n| (0..n).map(|i| format!("func @f{i}() {{\nblock0:\n  call @g{i}()\n  ret\n}}\n")).collect::<String>()),
        of_ir("named-values", |n| ir("", &lines(n, |i| format!("~a{i} = iconst.i64 1")))),
        of_ir("cafs", |n| ir(&(0..n).map(|i| format!("caf ^c{i} ptrs 1 nptrs 0\n")).collect::<String>(), "")),
        of_ir("large-caf", |_| ir("caf ^c ptrs 65535 nptrs 0\n", "")),
        of_ir("huge-caf", |_| ir("caf ^c ptrs 4294967295 nptrs 4294967295\n", "")),
        of_ir("large-cafs", |n| ir(&(0..n).map(|i| format!("caf ^c{i} ptrs 65535 nptrs 0\n")).collect::<String>(), "")),
        of_ir("table", |n| ir(&format!("table %t = () -> () [{}]\nfunc @f() {{\nblock0:\n  ret\n}}\n", listed(n, ", ", |_| "@f".into())), "")),
        of_ir("tables", |n| ir(&format!("{}func @f() {{\nblock0:\n  ret\n}}\n", (0..n).map(|i| format!("table %t{i} = () -> () [@f]\n")).collect::<String>()), "")),
        of_ir("thunks", |n| ir(&((0..n).map(|i| format!("thunk_info &t{i} = plain ptrs 65535 nptrs 0 code @f\n")).collect::<String>() + "func @f(v0: ref) -> ref {\nblock0(v0: ref):\n  ret v0\n}\n"), "")),
        of_ir("slots", |_| ir("", "").replace("func @main() {", "func @main() phase=rooted {").replace("  ret\n", "  v0 = node $_Nil\n  spill s16777215, v0\n  ret\n")),
        of_ir("frame", |_| ir("", "").replace("func @main() {", "func @main() phase=rooted {").replace("  ret\n", "  collect 8 frame 4294967295\n  ret\n")),
        of_ir("stride", |_| ir("", "  v0 = iconst.i64 4\n  v1 = array.new i64 v0, v0\n  v2 = elem.i64 v1, v0 stride 4294967292 at 4294967292\n")),
        of_ir("huge-array", |_| ir("", "  v0 = iconst.i64 9223372036854775807\n  v1 = array.new f64 v0, v2\n").replace("  v1 =", "  v2 = fconst 0.5\n  v1 =")),
        of_ir("large-array", |_| ir("", "  v0 = iconst.i64 268435456\n  v1 = array.new i64 v0, v0\n")),
        of_ir("interface", |n| ir(&((0..n).map(|i| if i == 0 { "type0 = list s64\n".into() } else { format!("type{i} = list type{}\n", i - 1) }).collect::<String>()), "")),
        of_ir("interface-of-pairs", |n| ir(&((0..n).map(|i| if i == 0 { "type0 = tuple [s64]\n".into() } else { format!("type{i} = tuple [type{0}, type{0}]\n", i - 1) }).collect::<String>()), "")),
        of_ir("spaces", |n| ir("", &format!("  v0 = iconst.i64{}1\n", " ".repeat(n.max(1))))),
        of_ir("lines", |n| ir("", &"\n".repeat(n))),
        of_ir("comments", |n| ir("", &"; a\n".repeat(n))),
        of_ir("comment", |n| ir("", &format!("; {}\n", "a".repeat(n)))),
        of_ir("wrong-lines", |n| ir("", &"  ?\n".repeat(n))),
        of_ir("wrong-instructions", |n| ir("", &lines(n, |i| format!("v{i} = iconst.i65 {i}")))),
        of_ir("wrong-types", |n| ir("", &format!("  v0 = iconst.i64 1\n{}", lines(n, |i| format!("v{} = fadd v0, v0", i + 1))))),
        of_ir("same-definitions", |n| ir("", &"  v0 = iconst.i64 1\n".repeat(n))),
        of_ir("open-functions", |n| "func @f() {\n".repeat(n)),
        of_ir("closed-functions", |n| "}\n".repeat(n)),
        of_ir("versions", |n| "version 1\n".repeat(n)),
        of_ir("number", |n| ir("", &format!("  v0 = iconst.i64 1{}\n", "0".repeat(n)))),
        of_ir("real", |n| ir("", &format!("  v0 = fconst 1{}.{}\n", "0".repeat(n), "9".repeat(n)))),
        of_ir("zeros", |n| "\0".repeat(n)),
        of_abc("pushes", |n| abc(&format!("{}\tpop_b {n}\n", "\tpushI 1\n".repeat(n)))),
        of_abc("nodes", |n| abc(&format!("{}\tpop_a {n}\n", "\tbuildI_b 0\n".replace("buildI_b 0", "buildI 1").repeat(n)))),
        of_abc("long-call", |n| abc(&format!("{}.d {n} 0\n\tjsr many\n.o 1 0\n\tpop_a 1\n", "\tbuildI 1\n".repeat(n))) + &format!(".o {n} 0\nmany\n\tupdatepop_a 0 {}\n.d 1 0\n\trtn\n", n.max(1) - 1)),
        of_abc("huge-arity", |_| abc(".d 999999999 0\n\tjsr many\n.o 1 0\n\tpop_a 1\n") + ".o 999999999 0\nmany\n\trtn\n"),
        of_abc("huge-words", |_| abc(".d 0 999999999 iii\n\tjsr many\n.o 1 0\n\tpop_a 1\n") + ".o 0 999999999 iii\nmany\n\trtn\n"),
        of_abc("huge-push", |_| abc("\tpush_a 999999999\n\tpop_a 1\n")),
        of_abc("huge-pop", |_| abc("\tpop_a 4294967295\n\tpop_b 18446744073709551615\n")),
        of_abc("huge-update", |_| abc("\tupdate_a 0 999999999\n")),
        of_abc("huge-build", |_| abc("\tbuild _ 999999999 nStart\n\tpop_a 1\n")),
        of_abc("huge-descriptor", |_| abc("") + ".desc d _hnf _hnf 999999999 0 \"d\"\n"),
        of_abc("large-descriptor", |_| abc("\tbuildh d 0\n\tpop_a 1\n") + ".desc d _hnf _hnf 65535 0 \"d\"\n"),
        of_abc("record", |n| abc("") + &format!(".record r {} {n} 0 \"r\"\n", "a".repeat(n))),
        of_abc("nested-record-types", |n| abc("") + &format!(".record r {}{}{} 1 0 \"r\"\n", "(".repeat(n), "a", ")".repeat(n))),
        of_abc("text", |n| abc(&format!("\tbuildAC \"{}\"\n\tpop_a 1\n", "a\\000".repeat(n)))),
        of_abc("texts", |n| abc(&"\tprint \"a\"\n".repeat(n))),
        of_abc("labels", |n| abc(&(0..n).map(|i| format!("\tjmp l{i}\nl{i}\n")).collect::<String>())),
        of_abc("branches", |n| abc(&(0..n).map(|i| format!("\tpushB TRUE\n\tjmp_true l{i}\nl{i}\n")).collect::<String>())),
        of_abc("long-label", |n| { let label = "l".repeat(n.max(1)); abc(&format!("\tjmp {label}\n{label}\n")) }),
        of_abc("unknown-labels", |n| abc(&(0..n).map(|i| format!("\tjmp l{i}\n")).collect::<String>())),
        of_abc("same-labels", |n| abc(&"l\n".repeat(n))),
        of_abc("unknown-instructions", |n| abc(&"\twhat 1\n".repeat(n))),
        of_abc("number", |n| abc(&format!("\tpushI 1{}\n\tpop_b 1\n", "0".repeat(n)))),
        of_abc("dependencies", |n| format!(".comp 920 0101110100100\n.start __Main_Start\n{}", (0..n).map(|i| format!(".depend \"m{i}\" \"\"\n")).collect::<String>()) + &abc("")),
        of_abc("call-of-c", |n| abc(&format!("\tccall f \"{}-I\"\n\tpop_b 1\n", "I".repeat(n)))),
        of_abc("spaces", |n| abc(&format!("\tpushI{}1\n\tpop_b 1\n", " ".repeat(n.max(1))))),
        of_abc("lines", |n| abc(&"\n".repeat(n))),
        of_abc("comments", |n| abc(&"| a\n".repeat(n))),
        of_abc("zeros", |n| "\0".repeat(n)),
        of_abc("nothing", |_| String::new()),
    ]
}
