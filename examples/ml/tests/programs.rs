//! Runs all programs of `programs` with the interpreter, in WebAssembly and as executables, on both heaps; wrong
//! programs, and the prompt.

use cleave_example_command::programs::Programs;
use std::fs;
use std::process::Output;

const PROGRAMS: Programs =
    Programs { command: env!("CARGO_BIN_EXE_ml"), package: env!("CARGO_MANIFEST_DIR"), ending: "ml", least: 14 };

fn ml(args: &[&str], input: &str) -> Output {
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

#[test]
fn last_operands_are_tail_calls() {
    let file = PROGRAMS.scratch("last.ml");
    let program = "let rec all n = n < 0 || n > 9 && all (n - 2)\nlet () = if all 20 then print_int 1";
    fs::write(&file, program).expect("a file");
    let output = ml(&["ir", &file.to_string_lossy()], "");
    let ir = String::from_utf8_lossy(&output.stdout);
    let calls: Vec<&str> = ir.lines().filter(|line| line.contains("call @all")).map(str::trim).collect();
    assert!(calls.iter().any(|call| call.starts_with("tail_call @all")), "{calls:?}");
    assert_eq!(calls.len(), 2, "{calls:?}");
    fs::remove_file(&file).expect("it was there");
}

/// A wrong program, the place of the message, and a part of it.
const WRONG: &[(&str, &str, &str)] = &[
    ("let x = 1 +", ":1:12", "expected an expression, found the end of the file"),
    ("let f x = x ^ 1", ":1:15", "this has type `int`, but `string` is wanted"),
    ("let f x =\n  prnt_int x", ":2:3", "did you mean `print_int`?"),
    ("let f x = x x", ":1:13", "is wanted"),
    ("print_int 1 2", ":1:1", "it is no function that takes one more argument"),
    ("type t = A of int * int\nlet x = A 1", ":2:9", "`A` takes 2 arguments, not 1"),
    ("let x = Sme 1", ":1:9", "did you mean `Some`?"),
    ("let f (x, x) = x", ":1:11", "`x` is bound twice"),
    ("let rec x = 1 :: x", ":1:13", "only functions can be recursive"),
    ("type t = int_list list", "", "expected"),
    ("type t = A of foo", ":1:15", "there is no type `foo`"),
    ("let a = 12345678901234567890", ":1:9", "no integer of 64 bits"),
    ("let a = \"abc", ":1:9", "has no end"),
    ("let a = (* b", ":1:9", "this comment has no end"),
    ("let a = #", ":1:9", "no word begins like this"),
    ("let a = _", ":1:9", "a pattern cannot be here"),
    ("match 1 with x + 1 -> 2", ":1:14", "this is no pattern"),
    ("let a = ref [] in a := [1]; a := [\"b\"]", ":1:35", "but `int list` is wanted"),
    ("1 <- 2", ":1:1", "only elements of arrays"),
    ("let f g = g = g in f print_int", "", "values of the type `->` cannot be compared"),
];

#[test]
fn wrong_programs() {
    let file = PROGRAMS.scratch("wrong.ml");
    for (source, place, message) in WRONG {
        fs::write(&file, source).expect("a file");
        let output = ml(&["run", &file.to_string_lossy()], "");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{source}: {stderr}");
        assert!(stderr.contains(place) && stderr.contains(message), "{source}: {stderr}");
    }
    // More than may be within one another, and in a list.
    const MANY: usize = 60_000;
    let chain = |before: &str, part: &str, last: &str| format!("let x = {before}{}{last}", part.repeat(MANY));
    for deep in [
        chain("", "(", "1"),
        chain("", "-", "y"),
        chain("", "- ", "1"),
        chain("", "!", "y"),
        chain("", "1 :: ", "[]"),
        chain("", "[] @ ", "[]"),
        chain("", "f 1; ", "2"),
        chain("", "1 + ", "1"),
        chain("", "[", "1"),
        chain("fun (_ : ", "int -> ", "int) -> 1"),
        chain("fun (_ : ", "(", "int) -> 1"),
        chain("fun (_ : int", " list", ") -> 1"),
        chain("y", ".(1)", ""),
        chain("", "1; ", "1").replace("let x = ", "let x = [") + "]",
    ] {
        fs::write(&file, &deep).expect("a file");
        let output = ml(&["run", &file.to_string_lossy()], "");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let (start, end) = (&deep[..30], stderr.get(..2000).unwrap_or(&stderr));
        assert_eq!(output.status.code(), Some(1), "{start}: {end}");
        let is_told = stderr.contains("nested too deeply") || stderr.contains("at most 50000 elements");
        assert!(is_told && stderr.contains(":1:"), "{start}: {end}");
    }
    fs::remove_file(&file).expect("it was there");
}

#[test]
fn a_match_that_leaves_something_out() {
    let file = PROGRAMS.scratch("match.ml");
    fs::write(&file, "let f x = match x with Some n -> n\nlet () = print_int (f (Some 3)); print_int (f None)\n")
        .expect("a file");
    let output = ml(&["run", &file.to_string_lossy()], "");
    fs::remove_file(&file).expect("it was there");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("warning") && stderr.contains(":1:11") && stderr.contains("no clause fits"), "{stderr}");
    assert!(stderr.contains("Uncaught exception: Match_failure") && output.stdout == b"3", "{stderr}");
}

#[test]
fn prompt() {
    let input = "let rec map f l = match l with\n  [] -> []\n| x :: r -> f x :: map f r\n\nmap (fun x -> (x, x > 1)) [1; 2]\n\
                 let r = ref 5\nprint_string \"once\"; r := 6\n!r + \"a\"\n!r\ntype t = A | B of int * t\nB (1, A)\n1 / 0\n(\"a\", 'b', 1.5)\n";
    let output = ml(&[], input);
    let stdout = String::from_utf8_lossy(&output.stdout).replace("# ", "").replace("  ", "");
    let wanted = "val map : ('a -> 'b) -> 'a list -> 'b list = <fun>\n- : (int * bool) list = [(1, false); (2, true)]\n\
                  val r : int ref = {contents = 5}\nonce- : unit = ()\n- : int = 6\n- : t = B (1, A)\n\
                  - : string * char * float = (\"a\", 'b', 1.5)\n\n";
    assert_eq!(stdout, wanted);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("this has type `string`, but `int` is wanted"), "{stderr}");
    assert!(stderr.contains("Uncaught exception: Division_by_zero"), "{stderr}");
}
