//! The form of small programs.

use cleave_diag::{Sink, SourceMap};
use cleave_goopea::format;

fn formatted(text: &str) -> Result<String, String> {
    let (mut sources, mut sink) = (SourceMap::new(), Sink::default());
    let file = sources.add("test.goo", text.as_bytes().to_vec());
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

#[test]
fn definitions() {
    becomes("enum   A=B,C( Int,A ) ;", "enum A = B, C(Int, A);\n");
    becomes("enum A =\n B, // the first\n C Int;", "enum A =\n    B, // the first\n    C Int;\n");
    becomes("Int:Int f x=x+1 ;():Int\nmain=f -1;", "Int: Int\nf x = x + 1;\n\n(): Int\nmain = f - 1;\n");
    becomes("fip(Int,Int) : (Int,Int)f (a , b)=(b, - a) ;", "fip (Int, Int): (Int, Int)\nf(a, b) = (b, -a);\n");
}

#[test]
fn matches_and_lets() {
    becomes("Int: Int f x = match x{0:1,n:n*2};", "Int: Int\nf x = match x { 0: 1, n: n * 2 };\n");
    becomes("Int: Int f x = match x{\n0:1,n:n*2};", "Int: Int\nf x = match x {\n    0: 1,\n    n: n * 2\n};\n");
    becomes(
        "Int: Int f x = match x{ 0:let a=1 in\na, n: let b = 2 in b};",
        "Int: Int\nf x = match x {\n    0:\n        let a = 1 in\n        a,\n    n: let b = 2 in b\n};\n",
    );
    becomes(
        "(): Int main = let a = 1 in\n let b = 2 in a+b;",
        "(): Int\nmain =\n    let a = 1 in\n    let b = 2 in\n    a + b;\n",
    );
}

#[test]
fn one_in_the_other() {
    becomes(
        "Int: Int f x = match x{\n0:match x{0:1,n:f(n,x)},n:let a=f(x,1,n) in\nmatch a{\n0:f(a,2,3),m:m}};",
        "Int: Int\nf x = match x {\n    0: match x { 0: 1, n: f(n, x) },\n    n:\n        let a = f(x, 1, n) in\n        match a {\n            0: f(a, 2, 3),\n            m: m\n        }\n};\n",
    );
    becomes(
        "(): Int main = let a = match f(1,2) {\n0: (let b = 1 in b, 2),n:n} in\na;",
        "(): Int\nmain =\n    let a = match f(1, 2) {\n        0: (let b = 1 in b, 2),\n        n: n\n    } in\n    a;\n",
    );
}

#[test]
fn comments_and_lines_of_the_preprocessor() {
    becomes(
        "// one\n\n\n// two\n#ifnot A\n  #def A\nenum B = C ; // three",
        "// one\n\n// two\n#ifnot A\n#def A\nenum B = C; // three\n",
    );
    becomes(
        "Int: Int f x = match x{ // why\n0:1, // zero\n\n\n// others\nn:n*2 // twice\n // end\n};",
        "Int: Int\nf x = match x { // why\n    0: 1, // zero\n\n    // others\n    n: n * 2 // twice\n    // end\n};\n",
    );
}

#[test]
fn conditions_around_parts_of_brackets_keep_the_lines() {
    let text = "(): Int\nmain =\n#if A\n  (1 +\n#endif A\n#ifnot A\n  (2 +  // two\n#endif A\n     3);\n";
    becomes(&text.replace('+', "+  "), &text.replace('+', "+  ").replace("+  \n", "+\n"));
    becomes("(): Int main =\n#if A\n(1)\n#endif A\n;", "(): Int\nmain =\n#if A\n    (1)\n#endif A\n    ;\n");
    assert!(formatted("(): Int main = (\n#if A\n1\n#endif A\n;").is_err());
}

#[test]
fn long_lines() {
    let sum = (0..40).map(|n| format!("number{n}")).collect::<Vec<_>>().join("+");
    let text = formatted(&format!("(): Int main = {sum};")).unwrap_or_default();
    assert!(text.lines().all(|line| line.len() <= 120) && text.lines().count() > 3, "{text}");
    becomes(&text.clone(), &text);
}

#[test]
fn what_cannot_be_read() {
    assert!(formatted("enum A = B $").is_err());
    assert!(formatted("Int: Int f x = (x;").is_err());
    assert!(formatted("Int: Int f x = match x { 0: 1;").is_err());
    assert!(formatted("Int: Int f x = x });").is_err());
    assert_eq!(formatted("").as_deref(), Ok(""));
}
