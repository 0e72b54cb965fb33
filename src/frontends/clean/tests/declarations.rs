//! Types that sources declare: what is read, and what is left out.

use cleave_clean::declarations::{self, Body, Declarations};
use cleave_diag::SourceMap;

fn read(text: &str) -> Declarations {
    declarations::read("M", SourceMap::default().add("M.dcl", Vec::new()), text)
}

/// The type of the only function, as `strict lazy -> result`.
fn function(text: &str) -> String {
    let declared = read(text);
    let [function] = &declared.functions[..] else { panic!("{text}: {:?}", declared.functions) };
    match &function.ty {
        Ok(ty) => {
            let show = |it: &declarations::Annotated| format!("{}{}", if it.is_strict { "!" } else { "" }, it.ty);
            let params: String = ty.params.iter().map(|param| show(param) + " ").collect();
            let classes = if ty.is_overloaded { " |" } else { "" };
            format!("{} {params}-> {}{classes}", function.name, show(&ty.result))
        }
        Err(wrong) => format!("{} {}", wrong.span.start, wrong.message),
    }
}

#[test]
fn types_of_functions() {
    for (text, wanted) in [
        ("f :: Int", "f -> Int"),
        ("f :: Maybe Int", "f -> Maybe Int"),
        ("f :: !Int [a] -> a", "f !Int [a] -> a"),
        (
            "f :: !*World u:(Maybe [.a]) -> *(Maybe (Tree Int), !*World)",
            "f !World Maybe [a] -> (Maybe (Tree Int), World)",
        ),
        ("f :: !{#Char} !{!Int} ![!Int!] -> {Real}", "f !{#Char} !{Int} ![Int] -> {Real}"),
        ("f :: (a b -> c) -> d", "f (a b -> c) -> d"),
        ("f :: !Int -> Int -> Int", "f !Int -> (Int -> Int)"),
        ("(+++) infixr 5 :: !a !a -> a | Show, Eq a & Ord b", "+++ !a !a -> a |"),
        ("f :: !.a -> .a, [u <= v]", "f !a -> a"),
        ("not :: !Bool -> Bool :== code { notB }", "not !Bool -> Bool"),
        (
            "f :: [#Int] {32#Int} (A.a: a -> a) -> (,) a b",
            "f a list of unboxed elements an array of small elements a type for all types -> an application of a type variable",
        ),
        ("f // :: Int\n  :: /* Real /* Bool */ -> */ Char", "f -> Char"),
        ("f :: [Int", "9 `]` is expected here"),
        ("f :: !Int ->", "12 a type is expected here"),
    ] {
        assert_eq!(function(text), wanted, "{text}");
    }
    assert_eq!(function(&format!("f :: {}Int{}", "[".repeat(1000), "]".repeat(1000))).split(' ').nth(1), Some("there"));
}

#[test]
fn what_begins_a_line() {
    let text = "definition module M\nimport X\nfrom Y import class C (..), f\nclass D a where\n\tg :: a\n\ninstance D Int\n\
                /* f0 :: Int */\nf1\n\t:: Int\n\n:: T = A\n\t| B !Int [T]\nf2 :: Char\n\
                :: R =\n\t{ x :: !Int\n\t, y :: (Int, Real)\n\t}\n\
                :: S a :== {#Char}\n:: *U\n:: E = E.a: E a\n:: N =: N Int\n:: O = (:+) Int\nf3 :: {#Char}\n";
    let declared = read(text);
    let names: Vec<&str> = declared.functions.iter().map(|function| &*function.name).collect();
    assert_eq!(names, ["f1", "f2", "f3"]);
    let types: Vec<(&str, usize)> = declared
        .types
        .iter()
        .map(|ty| {
            let parts = match &ty.body {
                Body::Algebraic(cases) => cases.iter().map(|case| 10 + case.1.len()).sum(),
                Body::Record(fields) => fields.len(),
                Body::Synonym(_) => 100,
                Body::Abstract => 200,
                Body::Other(_) => 300,
            };
            (&*ty.name, parts)
        })
        .collect();
    assert_eq!(types, [("T", 22), ("R", 2), ("S", 100), ("U", 200), ("E", 300), ("N", 300), ("O", 300)]);
}

/// Literals and brackets in an implementation module do not hide what comes after them.
#[test]
fn implementation_modules() {
    let text = "implementation module M\n\nf :: !Char -> Bool\nf '(' = \"[\\\"{\" == \"//\"\nf c' = [c' \\\\ _ <- ['\\'', '\"']] == ['abc']\n\
                \ng :: Int\ng = (1\n\nh :: Int\nh = 1\n";
    let names: Vec<String> = read(text).functions.into_iter().map(|function| function.name).collect();
    assert_eq!(names, ["f", "g", "h"]);
}

/// Anything at all is read to its end.
#[test]
fn any_bytes() {
    let pieces = [
        "::", " f ", "\n", "(", "[", "{", "->", "!", "E.a:", "=", "|", "A", "a", ":==", "\"", "'", "/*", "*/", "//",
        "é", ",", "infixl", "1",
    ];
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
        }
        read(&text);
        let _ = declarations::function(SourceMap::default().add("o", Vec::new()), &text);
    }
}
