//! Programs in GOOPEA that the compiler writes: the first one of `cleave new`, and those that run a test.

use crate::languages::frontend::{Template, TestProgram};
use cleave_strict::ide::Symbol;

/// A first program.
pub const TEMPLATE: Template =
    Template { word: "goopea", about: "Strict, functional, in place", file: "main.goo", text: TEXT, expected: "55\n" };

const TEXT: &str = "// A list of numbers, and their sum.
enum List = Nil, Cons(Int, List);

(Int, Int): List
range(from, to) = match from > to {
    True: Nil,
    False: Cons(from, range(from + 1, to))
};

List: Int
sum list = match list {
    Nil: 0,
    Cons(first, rest): first + sum rest
};

(): Bool
testSum = sum(range(1, 3)) == 6;

(): Int
main = sum(range(1, 10));
";

/// A program that prints the value of a test, and what it prints then.
pub fn test_program(text: &str, symbols: &[Symbol], test: &Symbol, _: &str) -> TestProgram {
    if !test.text.replace(' ', "").contains("():Bool") {
        return Err(format!("a test has no parameters and gives a `Bool`, but this is `{}`", test.text));
    }
    // The main function of the file gets another name.
    let main = symbols.iter().find(|symbol| symbol.name == "main" && symbol.within.is_none());
    let mut program = text.to_string();
    if let Some(main) = main {
        program.replace_range(main.span.start as usize..main.span.end as usize, "mainOfFile");
    }
    Ok((format!("{program}\n(): Bool main = {};\n", test.name), "True"))
}
