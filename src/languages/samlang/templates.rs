//! Programs in samlang that the compiler writes: the first one of `cleave new`, and those that run a test.

use crate::languages::frontend::{Template, TestProgram};
use cleave_strict::ide::Symbol;

/// A first program.
pub const TEMPLATE: Template =
    Template { word: "samlang", about: "Classes, functions, patterns", file: "Main.sam", text: TEXT, expected: "55\n" };

const TEXT: &str = "class Main {
  function sum(first: int, last: int): int = if first > last {
    0
  } else {
    first + Main.sum(first + 1, last)
  }

  function testSum(): bool = Main.sum(1, 3) == 6

  function main(): unit = Process.println(Str.fromInt(Main.sum(1, 10)))
}
";

/// A program that prints the value of a test, and what it prints then.
pub fn test_program(text: &str, symbols: &[Symbol], test: &Symbol, name: &str) -> TestProgram {
    let class = symbols.iter().position(|symbol| symbol.name == "Main" && symbol.within.is_none());
    let main = symbols.iter().find(|symbol| symbol.name == "main" && symbol.within.is_some() && symbol.within == class);
    let signature = test.text.replace(' ', "");
    let is_old = text.contains("Builtins.");
    let print = if is_old { "Builtins" } else { "Process" };
    let call = if signature.ends_with("():bool") {
        format!("if {name}() {{ {print}.println(\"true\") }} else {{ {print}.println(\"false\") }}")
    } else if signature.ends_with("():unit") {
        format!("{{ {name}(); {print}.println(\"true\") }}")
    } else {
        let wrong = "a test has no parameters and gives a `bool` or `unit`";
        return Err(format!("{wrong}, but this is `{}`", test.text));
    };
    let function = format!("function main(): unit = {call}");
    let program = match (main, class) {
        (Some(main), _) => replaced(text, Some(main), &function),
        (None, Some(class)) => {
            let extent = symbols[class].extent;
            let Some(open) = text[extent.start as usize..extent.end as usize].find('{') else {
                return Err("the class `Main` has no members".to_string());
            };
            let at = extent.start as usize + open + 1;
            format!("{} {function} {}", &text[..at], &text[at..])
        }
        (None, None) => replaced(text, None, &format!("class Main {{ {function} }}")),
    };
    Ok((program, "true"))
}

/// The text without something, whose lines stay, and with a text behind it.
fn replaced(text: &str, without: Option<&Symbol>, instead: &str) -> String {
    let Some(symbol) = without else { return format!("{text}\n{instead}\n") };
    let (start, end) = (symbol.extent.start as usize, symbol.extent.end as usize);
    let lines = "\n".repeat(text[start..end].matches('\n').count());
    format!("{}{instead}{lines}{}", &text[..start], &text[end..])
}
