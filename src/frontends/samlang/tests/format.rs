//! The form of small programs.

use cleave_diag::{Sink, SourceMap};
use cleave_samlang::format;

fn formatted(text: &str) -> Result<String, String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::default());
    let file = sources.add("test.sam", text.as_bytes().to_vec());
    format(file, &sources, &mut sink).ok_or_else(|| {
        let first = sink.diagnostics().first().map(|diagnostic| diagnostic.message.clone());
        first.unwrap_or_default()
    })
}

fn becomes(text: &str, expected: &str) {
    let once = formatted(text);
    assert_eq!(once.as_deref(), Ok(expected));
    assert_eq!(formatted(expected).as_deref(), Ok(expected), "formatted again");
}

/// The same for the body of a function.
fn body_becomes(text: &str, expected: &str) {
    let program = |text: &str| {
        let gap = if text.starts_with('\n') { "" } else { " " };
        format!("class A {{\n  function f(): int ={gap}{text}\n}}\n")
    };
    becomes(&program(text), &program(expected));
}

#[test]
fn classes() {
    becomes("import {A,B}from std.list;import{C} from x", "import { A, B } from std.list;\nimport { C } from x\n");
    becomes(
        "class A<T:B<T>,R>(private val x:int,val y : Map<string,[int*int]>):B<T>,C{}",
        "class A<T: B<T>, R>(private val x: int, val y: Map<string, [int * int]>) : B<T>, C {}\n",
    );
    becomes(
        "class A{function<T>f(x:T):(T)->int=(_)->1 private method g():bool=true;}interface I{method h():int}",
        "class A {\n  function <T> f(x: T): (T) -> int = (_) -> 1\n  private method g(): bool = true;\n}\n\n\
         interface I {\n  method h(): int\n}\n",
    );
    becomes("class A(\nB, C(int)) {}", "class A(\n  B,\n  C(int)\n) {}\n");
}

#[test]
fn expressions() {
    body_becomes("a<b&&(c)<(d)||!e", "a < b && (c) < (d) || !e");
    body_becomes("f<(-x - -1).then( [a,b] )", "f < (-x - -1).then([a, b])");
    body_becomes("A.f<int,A<B>>(x)", "A.f<int, A<B>>(x)");
    body_becomes("{val x=1 let {a as b,c}=y;;f(x) ;{x:1}}", "{ val x = 1 let { a as b, c } = y;; f(x); { x: 1 } }");
    body_becomes("match x{|A->1 B(y)|C y->{}}", "match x { | A -> 1 B(y) | C y -> {} }");
    body_becomes(
        "if a then b else if let Some(x)=c then x else d",
        "if a then b else if let Some(x) = c then x else d",
    );
    body_becomes("if a{b}else if c{d;e}else{}", "if a { b } else if c { d; e } else {  }");
}

#[test]
fn what_the_source_breaks() {
    body_becomes("{\nval x=1;x}", "{\n    val x = 1;\n    x\n  }");
    body_becomes("match x{\nA->1,B->match y{C->2}}", "match x {\n    A -> 1,\n    B -> match y { C -> 2 }\n  }");
    body_becomes("if a\n then b\n else c", "\n    if a then b\n    else c");
    body_becomes("if a{\nb}else{c}", "if a {\n    b\n  } else {\n    c\n  }");
    body_becomes("a.b()\n.c((x)->{\nx})\n.d()", "a.b()\n    .c((x) -> {\n      x\n    })\n    .d()");
    body_becomes("\na\n+b", "\n    a\n      + b");
    body_becomes("f(\na,(x)->x\n)", "f(\n    a,\n    (x) -> x\n  )");
}

#[test]
fn comments() {
    becomes("/* a */ // b\n\n\n// c\nclass A {} // d\n// e", "/* a */ // b\n\n// c\nclass A {} // d\n// e\n");
    body_becomes(
        "{ // a\nf(/* b */x); // c\n\n\n// d\nx\n// e\n}",
        "{ // a\n    f(/* b */ x); // c\n\n    // d\n    x\n    // e\n  }",
    );
}

#[test]
fn long_lines() {
    let name = |letter: &str| letter.repeat(50);
    let (a, b, c) = (name("a"), name("b"), name("c"));
    body_becomes(&format!("{a}+{b}"), &format!("\n    {a}\n      + {b}"));
    body_becomes(&format!("{a}+{b}+{c}"), &format!("\n    {a}\n      + {b}\n      + {c}"));
    body_becomes(&format!("f({a},{b},g({c},x))"), &format!("\n    f({a},\n      {b},\n      g({c}, x))"));
    body_becomes(&format!("if {a} then {b} else {c}"), &format!("\n    if {a} then {b}\n    else {c}"));
    body_becomes(
        &format!("{{val x={a};if {b}{{{c}}}else{{x}}}}"),
        &format!("{{\n    val x = {a};\n    if {b} {{\n      {c}\n    }} else {{\n      x\n    }}\n  }}"),
    );
    body_becomes(
        &format!("f({a},(x)->{{val y={b};{c}}})"),
        &format!("f({a}, (x) -> {{\n    val y = {b};\n    {c}\n  }})"),
    );
}

/// Where the `else` of a broken `if` begins a line, what stands before it need not leave room for it. And lines that
/// end because others do stay as they are.
#[test]
fn ends_of_lines_stay() {
    let pick = "if count < limit then Main.pick((if limit < count then count - limit else count / limit), (limit - 1))";
    let other = "else Main.pick(count - 100000, limit)";
    body_becomes(&format!("{pick} {other}"), &format!("\n    {pick}\n    {other}"));
    let bodies = [
        "count - (((c0) -> true * (limit))) :: (\"text\" / ((if 1 < ((if true < x then 100000 else 100000)) then (if \
         \"text\" < ((() -> 1)) then limit else Main.f) else x * (count))))",
        "{ a: Main.pick((if x { val y = this; other.value || (Main.f) } else { 1; 1 }), (if true < 3 then (if Main.f < x \
         then this else Main.f) else (if true < (Main.f :: (\"text\")) then \"text\" else limit))), b: f(List.of(this)) }",
        "[count.plus(List.of(f(true), true, (() -> true))), (if (if Main.f < x then \"text\" else 100000) < (this) then \
         count.map((() -> limit)).then(count) else Main.pick(Main.f, Main.f) * x)]",
    ];
    for body in bodies {
        let once = formatted(&format!("class A {{ function f(): int = {body} }}")).expect("it can be read");
        assert_eq!(formatted(&once).as_deref(), Ok(&once[..]), "formatted again");
    }
}

#[test]
fn what_cannot_be_read() {
    assert!(formatted("class A { $ }").is_err());
    assert!(formatted("class A { function f(): int = (1 }").is_err());
    assert_eq!(formatted("").as_deref(), Ok(""));
    assert_eq!(formatted("// only this").as_deref(), Ok("// only this\n"));
}
