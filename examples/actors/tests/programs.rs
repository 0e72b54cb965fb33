//! Runs all programs of `programs` with the interpreter, in WebAssembly and as executables, on both heaps; wrong
//! programs, and the prompt.

use cleave_example_command::programs::Programs;
use std::fs;
use std::process::Output;

const PROGRAMS: Programs =
    Programs { command: env!("CARGO_BIN_EXE_actors"), package: env!("CARGO_MANIFEST_DIR"), ending: "act", least: 10 };

fn actors(args: &[&str], input: &str) -> Output {
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

/// A wrong program, the status with which it ends, and parts of its message.
const WRONG: &[(&str, i32, &str, &str)] = &[
    ("fun main() {\n  print(1 + \"a\")\n}", 255, ":2:11: ", "an integer is wanted here"),
    ("fun main() { 5 ! 6 }", 255, ":1:16: ", "only actors get messages"),
    ("fun main() { [] ! 6 }", 255, ":1:17: ", "only actors get messages"),
    ("fun main() { 7 % 0 }", 255, ":1:16: ", "division by zero"),
    ("fun main() { match [1] { [] => 2 } }", 255, ":1:14: ", "no pattern matches this value"),
    ("fun main() { match 5 { [x | y] => 2 } }", 255, ":1:14: ", "no pattern matches this value"),
    ("fun main() { receive }", 255, "", "the first actor waits for a message, and nobody is left"),
    ("fun main() { foo(1) }\nfun fob(x) { x }", 1, ":1:14", "did you mean `fob`?"),
    ("fun main() { let total = 1; totl }", 1, ":1:29", "did you mean `total`?"),
    ("fun main() { { let x = 1; x } ; x }", 1, ":1:33", "there is no value `x`"),
    ("fun main() { spawn main(1) }", 1, ":1:14", "`main` takes 0 arguments, not 1"),
    ("fun main() { spawn print(1) }", 1, ":1:14", "there is no function `print`"),
    ("fun main() { match 1 { 1 + 1 => 2 } }", 1, ":1:26", "`=>` is missing here"),
    ("fun main() { match 1 { (1 + 1) => 2 } }", 1, ":1:24", "this is no pattern"),
    ("fun main() { let x = 1 }", 1, ":1:22", "nothing can use this name"),
    ("fun main() { 1 2 }", 1, ":1:16", "`;` is missing here"),
    ("fun main() { \"abc }\n", 1, ":1:14", "this text has no end in its line"),
    ("fun main() { 9223372036854775808 }", 1, ":1:14", "neither a name nor an integer of 64 bits"),
    ("fun main() { [1, 2 }", 1, ":1:20", "is missing here"),
    ("fun main() { 1 } fun main() { 2 }", 1, ":1:22", "there are two functions `main`"),
    ("fun f() { 1 }", 1, ":1:14", "there is no function `main` without parameters"),
    ("fun main(x) { 1 }", 1, "", "there is no function `main` without parameters"),
    ("print(1)", 1, ":1:1", "a program is functions"),
    ("fun main() { 1 $ 2 }", 1, ":1:16", "`$` means nothing here"),
];

#[test]
fn wrong_programs() {
    let file = PROGRAMS.scratch("wrong.act");
    let run = |source: &str, target: &str| {
        fs::write(&file, source).expect("a file");
        let output = actors(&["run", &file.to_string_lossy(), "--target", target], "");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (source, status, place, message) in WRONG {
        for target in if *status == 1 { &["wasm"][..] } else { &["interp", "wasm"] } {
            let (found, stderr) = run(source, target);
            assert_eq!(found, Some(*status), "{source}: {stderr}");
            assert!(stderr.contains(place) && stderr.contains(message), "{source}, {target}: {stderr}");
        }
    }
    // Far more than are allowed; once as many as a large file has.
    let deep = ["(", "- ", "not ", "1 + ", "1 and ", "[1 | ", "{ ", "if 1 { } else ", "f(", "match 1 { 1 => "];
    for (part, many) in deep.iter().map(|part| (*part, 60_000)).chain([("(", 1_000_000)]) {
        let (status, stderr) = run(&format!("fun main() {{ {}1", part.repeat(many)), "wasm");
        let end = stderr.get(..2000).unwrap_or(&stderr);
        assert!(status == Some(1) && stderr.contains("nested too deeply") && stderr.contains(":1:"), "{part}: {end}");
    }
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn prompt() {
    let input = "fun echo() {\n  receive { x => { print(\"got\", x); echo() } }\n}\nlet e = spawn echo();\ne ! 5\n1 + 2\n\
                 print(\"once\")\ne ! [1, \"a\"]\n1 / 0\nnobody\nfun double(x) { 2 * x }\ndouble(21)\n";
    let output = actors(&[], input);
    let stdout = String::from_utf8_lossy(&output.stdout).replace("> ", "").replace("  ", "");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stdout, "got 5\n3\nonce\ngot [1, a]\n42\n\n", "{stderr}");
    assert!(stderr.contains("-:1:3: division by zero") && stderr.contains("there is no value `nobody`"), "{stderr}");
}
