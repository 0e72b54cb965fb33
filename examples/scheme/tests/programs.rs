//! Runs all programs of `programs` with the interpreter, in WebAssembly and as executables, on both heaps; wrong
//! programs, and the prompt.

use cleave_example_command::programs::Programs;
use std::fs;
use std::process::Output;

const PROGRAMS: Programs =
    Programs { command: env!("CARGO_BIN_EXE_scheme"), package: env!("CARGO_MANIFEST_DIR"), ending: "scm", least: 6 };

fn scheme(args: &[&str], input: &str) -> Output {
    PROGRAMS.run(args, input)
}

#[test]
fn front_end_alone() {
    PROGRAMS.front_end_alone();
}

#[test]
fn interpreter() {
    PROGRAMS.run_all("interp");
}

#[test]
fn wasm() {
    PROGRAMS.run_all("wasm");
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn executables() {
    PROGRAMS.build_all();
}

/// A wrong program, the status with which it ends, and a part of its message.
const WRONG: &[(&str, i32, &str)] = &[
    ("(display (+ 1 \"a\"))", 255, "+: not an integer"),
    ("(car 5)", 255, "car: not a pair"),
    ("((lambda (x) x))", 255, "lambda: wrong number of arguments"),
    ("(define f 5) (f 1)", 255, "call of what is no procedure"),
    ("(define (g f) (f 1 2)) (g car)", 255, "wrong number of arguments"),
    ("(vector-ref (vector 1 2) 2)", 255, "index out of range"),
    ("(quotient 1 0)", 255, "quotient: division by zero"),
    ("(define k #f) (call/cc (lambda (c) (set! k c))) (k 1)", 255, "a continuation was called after"),
    ("(error \"no\" '(1 \"x\"))", 255, "error"),
    ("(exit 3)", 3, ""),
    ("(display (foo 1))", 1, ":1:11"),
    ("(dsplay 1)", 1, "did you mean `display`?"),
    ("(let ((x 1) (y)) x)", 1, "this is `(name value)`"),
    ("(if 1)", 1, "`if` is written otherwise"),
    ("(car 1 2)", 1, "`car` takes 1 operands, not 2"),
    ("(display 1))", 1, "this parenthesis closes nothing"),
    ("(display\n  (+ 1 2)", 1, "the text ends within a list"),
    ("(display \"abc)", 1, "this string has no end"),
    ("()", 1, "an empty call"),
    ("(lambda (1) 2)", 1, "a parameter is a name"),
];

#[test]
fn wrong_programs() {
    let file = PROGRAMS.scratch("wrong.scm");
    for (source, status, message) in WRONG {
        fs::write(&file, source).expect("a file");
        let output = scheme(&["run", &file.to_string_lossy()], "");
        let all = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{source}: {all}");
        assert!(all.contains(message), "{source}: {all}");
    }
    // Far more than may be within one another.
    const MANY: usize = 60_000;
    for deep in [
        "(".repeat(MANY),
        format!("(display {}1", "(car ".repeat(MANY)),
        format!("(display {}x)", "'".repeat(MANY)),
        format!("(display (and {}1))", "1 ".repeat(MANY)),
        format!("(display (or {}1))", "#f ".repeat(MANY)),
        format!("(display (+ {}1))", "1 ".repeat(MANY)),
        format!("(display (cond {}(else 1)))", "(#f 1) ".repeat(MANY)),
        format!("(display (case 1 {}(else 1)))", "((2) 1) ".repeat(MANY)),
        format!("(display (let* ({}) 1))", "(x 1)".repeat(MANY)),
    ] {
        fs::write(&file, &deep).expect("a file");
        let output = scheme(&["run", &file.to_string_lossy()], "");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (start, end) = (&deep[..25], stderr.get(..2000).unwrap_or(&stderr));
        assert_eq!(output.status.code(), Some(1), "{start}: {end}");
        assert!(stderr.contains("nested too deeply") && stderr.contains(":1:"), "{start}: {end}");
    }
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn prompt() {
    let input = "(define (square x)\n  (* x x))\n(map square '(1 2 3))\n(display \"once\")\n(car '())\n(define x 5)\n\
                 (set! x (+ x 1))\nx\n(list 'a \"b\" #\\c)\n";
    let output = scheme(&[], input);
    let stdout = String::from_utf8_lossy(&output.stdout).replace("> ", "").replace("  ", "");
    assert_eq!(stdout, "(1 4 9)\nonce6\n(a \"b\" #\\c)\n\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("car: not a pair"));
}
