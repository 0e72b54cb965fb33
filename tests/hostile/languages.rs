//! Programs of GOOPEA and samlang.

use super::inputs::{Kind, listed, nested};

fn goo(body: &str) -> String {
    format!("enum List = Nil, Cons(Int, List);\nInt: Int\nf x = x;\n(): Int\nmain = {body};\n")
}

/// A `let` before `main` has a name of its own each time.
fn lets(depth: usize) -> String {
    (0..depth).map(|n| format!("let v{n} = {n} in ")).collect::<String>() + "0"
}

#[rustfmt::skip]
pub fn goopea() -> Vec<Kind> {
    let kind = |name, make| Kind::new("goo", name, make);
    vec![
        kind("parentheses", |n| goo(&nested("(", "1", ")", n))),
        kind("open-parentheses", |n| goo(&"(".repeat(n))),
        kind("closing-parentheses", |n| goo(&")".repeat(n))),
        kind("signs", |n| goo(&nested("- ", "1", "", n))),
        kind("sum", |n| goo(&listed(n + 1, " + ", |_| "1".into()))),
        kind("sum-to-the-right", |n| goo(&nested("1 + (", "1", ")", n))),
        kind("products", |n| goo(&nested("2 * (", "1", ") - 3", n))),
        kind("comparisons", |n| goo(&format!("match {} {{ True: 1, False: 0 }}", listed(n + 1, " < ", |_| "1".into())))),
        kind("calls", |n| goo(&nested("f ", "1", "", n))),
        kind("calls-in-parentheses", |n| goo(&nested("f(", "1", ")", n))),
        kind("matches", |n| goo(&nested("match 1 { 0: ", "1", ", x: 2 }", 4 * n))),
        kind("matches-as-default", |n| goo(&nested("match 1 { 0: 1, _: ", "1", " }", n))),
        kind("matches-of-matches", |n| goo(&nested("match (", "1", ") { 0: 1, x: 2 }", n))),
        kind("open-matches", |n| goo(&"match 1 { 0: ".repeat(n))),
        kind("lets", |n| goo(&lets(n))),
        kind("lets-in-lets", |n| goo(&nested("let a = (", "1", ") in 2", n))),
        kind("one-name", |n| goo(&nested("let a = 1 in ", "a", "", n))),
        kind("cells", |n| goo(&format!("match {} {{ Nil: 0, Cons(a, b): 1 }}", nested("Cons(1, ", "Nil", ")", n)))),
        kind("cases", |n| goo(&format!("match 5 {{ {}, _: 0 }}", listed(n, ", ", |i| format!("{i}: {i}"))))),
        kind("same-cases", |n| goo(&format!("match 5 {{ {}, _: 0 }}", listed(n, ", ", |_| "1: 1".into())))),
        kind("tuple", |n| format!("(): ({})\nmain = ({});\n", listed(n, ", ", |_| "Int".into()), listed(n, ", ", |i| i.to_string()))),
        kind("tuples", |n| goo(&nested("(1, ", "1", ")", n))),
        kind("atoms", |n| format!("enum T = {};\n(): T\nmain = A0;\n", listed(n, ", ", |i| format!("A{i}")))),
        kind("constructors", |n| format!("enum T = {};\nT: Int\nf x = match x {{ {} }};\n(): Int\nmain = f(A0(1));\n",
            listed(n, ", ", |i| format!("A{i}(Int)")), listed(n, ", ", |i| format!("A{i}(x): x")))),
        kind("fields", |n| format!("enum T = C({});\n(): T\nmain = C({});\n", listed(n, ", ", |_| "Int".into()), listed(n, ", ", |i| i.to_string()))),
        kind("references", |n| format!("enum T = N, C({});\n(): T\nmain = C({});\n", listed(n, ", ", |_| "T".into()), listed(n, ", ", |_| "N".into()))),
        kind("fields-in-match", |n| format!("enum T = C({});\nT: Int\nf x = match x {{ C({}): v0 }};\n(): Int\nmain = 0;\n",
            listed(n, ", ", |_| "Int".into()), listed(n, ", ", |i| format!("v{i}")))),
        kind("parameters", |n| format!("({}): Int\nf({}) = v0;\n(): Int\nmain = f({});\n",
            listed(n, ", ", |_| "Int".into()), listed(n, ", ", |i| format!("v{i}")), listed(n, ", ", |i| i.to_string()))),
        kind("functions", |n| (0..n).map(|i| format!("Int: Int\nf{i} x = f{}(x + 1);\n", (i + 1) % n)).collect::<String>() + "(): Int\nmain = 1;\n"),
        kind("chain-of-functions", |n| (0..n).map(|i| format!("Int: Int\nf{i} x = f{}(x) + 1;\n", i + 1)).collect::<String>()
            + &format!("Int: Int\nf{n} x = x;\n(): Int\nmain = f0 1;\n")),
        kind("doubling", |n| (0..n.min(60)).map(|i| format!("Int: Int\nf{i} x = f{}(x) + f{}(x);\n", i + 1, i + 1)).collect::<String>()
            + &format!("Int: Int\nf{} x = x;\n(): Int\nmain = match 0 {{ 1: f0 1, _: 0 }};\n", n.min(60))),
        kind("types", |n| (0..n).map(|i| format!("enum T{i} = N{i}, C{i}(T{});\n", (i + 1) % n)).collect::<String>() + "(): T0\nmain = C0(N1);\n"),
        kind("names", |n| { let name = "a".repeat(n.max(1)); format!("Int: Int\n{name} x = x;\n(): Int\nmain = {name} 1;\n") }),
        kind("unknown-names", |n| goo(&listed(n + 1, " + ", |i| format!("a{i}")))),
        kind("unknown-long-names", |n| goo(&format!("{}b + {}", "a".repeat(n), "a".repeat(n)))),
        kind("number", |n| goo(&format!("1{}", "0".repeat(n)))),
        kind("spaces", |n| goo(&format!("{}1", " ".repeat(n)))),
        kind("lines", |n| goo(&format!("{}1", "\n".repeat(n)))),
        kind("comments", |n| goo(&format!("{}1", "// a\n".repeat(n)))),
        kind("comment", |n| goo(&format!("// {}\n1", "a".repeat(n)))),
        kind("comments-in-calls", |n| goo(&nested("f( // a\n", "1", ")", n))),
        kind("conditions", |n| goo(&format!("\n{}1\n{}", (0..n).map(|i| format!("#ifnot A{i}\n")).collect::<String>(),
            (0..n).rev().map(|i| format!("#endif A{i}\n")).collect::<String>()))),
        kind("definitions", |n| (0..n).map(|i| format!("#def A{i}\n")).collect::<String>() + &goo("1")),
        kind("includes", |n| "#include nothing\n".repeat(n) + &goo("1")),
        kind("wrong-lines", |n| goo(&"?\n".repeat(n))),
        kind("wrong-functions", |n| "Int: Int\nf x = ;\n".repeat(n)),
        kind("same-functions", |n| "Int: Int\nf x = x;\n".repeat(n) + &goo("1")),
        kind("zeros", |n| "\0".repeat(n)),
        kind("carriage-returns", |n| goo(&format!("{}1", "\r".repeat(n)))),
    ]
}

fn sam(body: &str) -> String {
    format!(
        "import {{ Option }} from std.option;\n\nclass Main {{\n  function f(n: int): int = n\n\n  function main(): unit = \
         Process.println(Str.fromInt({body}))\n}}\n"
    )
}

/// A class with members.
fn class(members: &str) -> String {
    format!("class Main {{\n{members}\n  function main(): unit = Process.println(\"\")\n}}\n")
}

#[rustfmt::skip]
pub fn samlang() -> Vec<Kind> {
    let kind = |name, make| Kind::new("sam", name, make);
    vec![
        kind("parentheses", |n| sam(&nested("(", "1", ")", n))),
        kind("open-parentheses", |n| sam(&"(".repeat(n))),
        kind("blocks", |n| sam(&nested("{ ", "1", " }", n))),
        kind("open-blocks", |n| sam(&"{ ".repeat(n))),
        kind("sum", |n| sam(&listed(n + 1, " + ", |_| "1".into()))),
        kind("sum-to-the-right", |n| sam(&nested("1 + (", "1", ")", n))),
        kind("texts", |n| format!("class Main {{ function main(): unit = Process.println({}) }}\n", listed(n + 1, " :: ", |_| "\"a\"".into()))),
        kind("not", |n| sam(&format!("if {} {{ 1 }} else {{ 2 }}", nested("!", "true", "", n)))),
        kind("minus", |n| sam(&nested("-", "1", "", n))),
        kind("and-or", |n| sam(&format!("if {} {{ 1 }} else {{ 2 }}", listed(n + 1, " && ", |i| if i % 2 == 0 { "true || false".into() } else { "true".to_string() })))),
        kind("ifs", |n| sam(&nested("if true { ", "1", " } else { 2 }", n))),
        kind("else-ifs", |n| sam(&(nested("if false { 1 } else ", "{ 2 }", "", n.max(1))))),
        kind("if-conditions", |n| sam(&format!("if {} {{ 1 }} else {{ 2 }}", nested("if ", "true", " { true } else { false }", n)))),
        kind("matches", |n| sam(&nested("match Option.Some(1) { None -> 0, Some(_) -> ", "1", " }", n))),
        kind("matches-of-matches", |n| sam(&nested("match (match Option.Some(", "1", ") { None -> Option.None<int>(), Some(x) -> Option.Some(x) }) { None -> 0, Some(x) -> x }", n))),
        kind("lambdas", |n| sam(&format!("{{ let f = {}; 1 }}", nested("(a) -> ", "1", "", n)))),
        kind("lambdas-that-are-called", |n| sam(&nested("((a: int) -> a)(", "1", ")", n))),
        kind("calls", |n| sam(&nested("Main.f(", "1", ")", n))),
        kind("call-of-calls", |n| sam(&nested("Main.f", "", "(1)", n))),
        kind("methods", |n| sam(&format!("Option.Some(1){}.valueMap(0, (x) -> x)", ".map((x) -> x)".repeat(n)))),
        kind("lets", |n| sam(&format!("{{ {} 1 }}", (0..n).map(|i| format!("let a{i} = {i}; ")).collect::<String>()))),
        kind("lets-in-lets", |n| sam(&nested("{ let a = ", "1", "; 2 }", n))),
        kind("growing-tuples", |n| sam(&format!("{{ let a0 = 1; {} 1 }}", (0..n).map(|i| format!("let a{} = (a{i}, a{i}); ", i + 1)).collect::<String>()))),
        kind("growing-options", |n| sam(&format!("{{ let a0 = 1; {} 1 }}", (0..n).map(|i| format!("let a{} = Option.Some(a{i}); ", i + 1)).collect::<String>()))),
        kind("growing-lambdas", |n| sam(&format!("{{ let a0 = (x: int) -> x; {} 1 }}", (0..n).map(|i| format!("let a{} = (x: int) -> (a{i}, a{i}); ", i + 1)).collect::<String>()))),
        kind("type", |n| class(&format!("  function g(a: {}): unit = {{ }}", nested("Main<", "int", ">", n)))),
        kind("option-type", |n| format!("import {{ Option }} from std.option;\n{}", class(&format!("  function g(a: {}): int = 1", nested("Option<", "int", ">", n))))),
        kind("function-type", |n| class(&format!("  function g(a: {}): int = 1", nested("(int) -> ", "int", "", n)))),
        kind("function-type-to-the-left", |n| class(&format!("  function g(a: {}): int = 1", nested("(", "int", ") -> int", n)))),
        kind("tuple", |n| sam(&format!("{{ let a = ({}); 1 }}", listed(n + 2, ", ", |_| "1".into())))),
        kind("tuples", |n| sam(&format!("{{ let a = {}; 1 }}", nested("(1, ", "1", ")", n)))),
        kind("patterns", |n| sam(&format!("match Option.Some(1) {{ {} -> 1, _ -> 2 }}", nested("Some(", "_", ")", n)))),
        kind("tuple-patterns", |n| sam(&format!("{{ let {} = 1; 1 }}", nested("(a, ", "b", ")", n)))),
        kind("or-patterns", |n| sam(&format!("match Option.Some(1) {{ {} -> 1, None -> 2 }}", listed(n + 1, " | ", |_| "Some(_)".into())))),
        kind("cases", |n| sam(&format!("match Option.Some(1) {{ {} None -> 2 }}", "Some(_) -> 1, ".repeat(n)))),
        kind("tuple-cases", |n| sam(&format!("match ({}) {{ {} _ -> 2 }}", listed(8, ", ", |_| "Option.Some(1)".into()),
            (0..n.min(300)).map(|i| format!("({}) -> 1, ", listed(8, ", ", |at| if i >> at & 1 == 0 { "None".into() } else { "Some(_)".into() }))).collect::<String>()))),
        kind("constructors", |n| format!("class T({}) {{}}\n{}", listed(n.max(1), ", ", |i| format!("A{i}(int)")), class(""))),
        kind("constructors-in-match", |n| format!("class T({}) {{ method f(): int = match this {{ {} }} }}\n{}", listed(n.max(1), ", ", |i| format!("A{i}(int)")),
            listed(n.max(1), ", ", |i| format!("A{i}(x) -> x")), class(""))),
        kind("fields", |n| format!("class T({}) {{}}\nclass Main {{ function main(): unit = {{ let t = T.init({}); Process.println(Str.fromInt(t.a0)) }} }}\n",
            listed(n.max(1), ", ", |i| format!("val a{i}: int")), listed(n.max(1), ", ", |i| i.to_string()))),
        kind("text-fields", |n| format!("class T({}) {{}}\nclass Main {{ function main(): unit = {{ let t = T.init({}); Process.println(t.a0) }} }}\n",
            listed(n.max(1), ", ", |i| format!("val a{i}: Str")), listed(n.max(1), ", ", |_| "\"\"".into()))),
        kind("parameters", |n| class(&format!("  function g({}): int = 1\n  function h(): int = Main.g({})", listed(n, ", ", |i| format!("a{i}: int")), listed(n, ", ", |i| i.to_string())))),
        kind("type-parameters", |n| class(&format!("  function <{}> g(): int = 1", listed(n.max(1), ", ", |i| format!("T{i}"))))),
        kind("instances-without-end", |n| format!("import {{ Option }} from std.option;\nclass Main {{\n  function <T> g(n: int, t: T): int = if n == 0 {{ 0 }} else {{ Main.g(n - {n}, Option.Some(t)) }}\n  function main(): unit = Process.println(Str.fromInt(Main.g(3, 1)))\n}}\n")),
        kind("doubling-instances", |n| {
            let n = n.min(60);
            let members = (0..n).map(|i| format!("  function <T> g{i}(t: T): int = Main.g{0}((t, t)) + Main.g{0}((t, 1))\n", i + 1)).collect::<String>();
            format!("class Main {{\n{members}  function <T> g{n}(t: T): int = 1\n  function main(): unit = Process.println(Str.fromInt(if 1 > 2 {{ Main.g0(1) }} else {{ 0 }}))\n}}\n")
        }),
        kind("interfaces", |n| (0..n).map(|i| format!("interface I{i} {} {{ method m{i}(): int }}\n", if i == 0 { String::new() } else { format!(": I{}", i - 1) })).collect::<String>() + &class("")),
        kind("wide-interfaces", |n| (0..n.min(60)).map(|i| format!("interface I{i} {} {{ }}\n", if i < 2 { String::new() } else { format!(": I{}, I{}", i - 1, i - 2) })).collect::<String>() + &class("")),
        kind("classes", |n| (0..n).map(|i| format!("class C{i}(val a: C{}) {{ }}\n", (i + 1) % n)).collect::<String>() + &class("")),
        kind("members", |n| class(&(0..n).map(|i| format!("  function g{i}(): int = Main.g{}()\n", (i + 1) % n)).collect::<String>())),
        kind("same-members", |n| class(&"  function g(): int = 1\n".repeat(n))),
        kind("imports", |n| "import { Option } from std.option;\n".repeat(n) + &class("")),
        kind("unknown-imports", |n| (0..n).map(|i| format!("import {{ A }} from a{i};\n")).collect::<String>() + &class("")),
        kind("long-import", |n| format!("import {{ A }} from {};\n{}", listed(n + 1, ".", |_| "a".into()), class(""))),
        kind("imported-names", |n| format!("import {{ {} }} from std.option;\n{}", listed(n + 1, ", ", |i| format!("A{i}")), class(""))),
        kind("names", |n| { let name = "a".repeat(n.max(1)); class(&format!("  function {name}(): int = Main.{name}()")) }),
        kind("unknown-names", |n| sam(&listed(n + 1, " + ", |i| format!("a{i}")))),
        kind("unknown-members", |n| sam(&listed(n + 1, " + ", |i| format!("Main.g{i}()")))),
        kind("number", |n| sam(&format!("1{}", "0".repeat(n)))),
        kind("text", |n| format!("class Main {{ function main(): unit = Process.println(\"{}\") }}\n", "a\\n".repeat(n))),
        kind("open-text", |n| format!("class Main {{ function main(): unit = Process.println(\"{}", "a".repeat(n))),
        kind("comments", |n| sam(&format!("{}1", "/* a */ ".repeat(n)))),
        kind("open-comments", |n| sam(&format!("{}1", "/* a ".repeat(n)))),
        kind("line-comments", |n| sam(&format!("{}1", "// a\n".repeat(n)))),
        kind("comments-in-calls", |n| sam(&nested("Main.f( // a\n", "1", ")", n))),
        kind("lines", |n| sam(&format!("{}1", "\n".repeat(n)))),
        kind("wrong-lines", |n| sam(&"?\n".repeat(n))),
        kind("wrong-members", |n| class(&"  function g(: int = 1\n".repeat(n))),
        kind("zeros", |n| "\0".repeat(n)),
    ]
}
