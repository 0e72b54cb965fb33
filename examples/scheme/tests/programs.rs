//! Runs all programs of `programs` with the interpreter, in WebAssembly and as executables, on both heaps; wrong
//! programs, and the prompt.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn scheme(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scheme"));
    command.args(args).current_dir(folder()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn programs() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).expect("a folder of programs").flatten().map(|entry| entry.path());
    let names = files.filter(|path| path.extension().is_some_and(|extension| extension == "scm"));
    let mut found: Vec<_> = names
        .map(|path| {
            let expected = fs::read_to_string(path.with_extension("expected")).expect("what the program prints");
            (path.file_name().expect("a name").to_string_lossy().into_owned(), expected)
        })
        .collect();
    found.sort();
    assert!(found.len() >= 6, "only {} programs", found.len());
    found
}

fn check(name: &str, how: &str, output: &Output, expected: &str) {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout == expected, "{name}, {how}: {}\n{stdout}{stderr}", output.status);
}

fn run_all(target: &str) {
    for (name, expected) in programs() {
        for memory in ["gc", "rc"] {
            let output = scheme(&["run", &name, "--target", target, "--memory", memory], "");
            check(&name, &format!("{target}, {memory}"), &output, &expected);
        }
    }
}

#[test]
fn interpreter() {
    run_all("interp");
}

#[test]
fn wasm() {
    run_all("wasm");
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn executables() {
    for (name, expected) in programs() {
        for memory in ["gc", "rc"] {
            let file = std::env::temp_dir().join(format!("cleave-scheme-{}-{name}-{memory}", std::process::id()));
            let path = file.to_string_lossy();
            let output = scheme(&["build", &name, "--target", "native", "--memory", memory, "-o", &path], "");
            check(&name, "build", &output, "");
            let output = Command::new(&file).output().expect("an executable");
            fs::remove_file(&file).expect("it was there");
            check(&name, &format!("executable, {memory}"), &output, &expected);
        }
    }
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
    let file = std::env::temp_dir().join(format!("cleave-scheme-wrong-{}.scm", std::process::id()));
    for (source, status, message) in WRONG {
        fs::write(&file, source).expect("a file");
        let output = scheme(&["run", &file.to_string_lossy()], "");
        let all = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(*status), "{source}: {all}");
        assert!(all.contains(message), "{source}: {all}");
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
