//! The programs in `examples/`, as they are: in WebAssembly and as machine code, with a collection at every
//! reservation.
//!
//! This program is the examples, too: it starts itself with `CLEAVE_AS_EXAMPLE` set to the name of one.

use cleave_tests::process::{AS_COMPILER, compiler};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::Command;

#[path = "../examples/calculator/main.rs"]
mod calculator;
#[path = "../examples/minimal.rs"]
mod minimal;
#[path = "../examples/stack_maps.rs"]
mod stack_maps;

const AS_EXAMPLE: &str = "CLEAVE_AS_EXAMPLE";

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let ended = match std::env::var(AS_EXAMPLE).as_deref() {
        Ok("minimal") => minimal::main(),
        Ok("calculator") => calculator::main(),
        Ok("stack_maps") => stack_maps::main(),
        _ => return tests(),
    };
    if let Err(error) = ended {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// What an example prints.
fn output(name: &str, arguments: &[&str], options: &str) -> Result<String, Failed> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).env(AS_EXAMPLE, name).env("CLEAVE_RTS", options);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok(text)
}

fn expect(found: &str, wanted: &str) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("expected {wanted:?}, found {found:?}").into()) }
}

fn tests() {
    const STRESS: &str = "--gc-stress=1 --poison";
    const PRIMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/calculator/primes.calc");
    let mut trials = Vec::new();
    for options in ["", STRESS] {
        let name = |name: &str| if options.is_empty() { name.to_string() } else { format!("{name}, stress") };
        trials.push(Trial::test(name("minimal"), move || {
            let wanted = "500500  in WebAssembly, status 0\n500500  as an executable, exit status: 0\n";
            expect(&output("minimal", &[], options)?, wanted)
        }));
        for target in ["wasm", "native"] {
            trials.push(Trial::test(name(&format!("calculator, {target}")), move || {
                expect(&output("calculator", &[PRIMES, target], options)?, "4227")
            }));
        }
    }
    trials.push(Trial::test("calculator, wrong programs", || {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong.calc");
        for (program, wanted) in [
            ("(fun main () int 1", "a `)` is missing\n"),
            ("(fun main () int 1)\n)", "a `)` is too many\n"),
            ("(fun main () 1)", "`(fun main () 1)` is no function\n"),
            ("(fun main () int 1) (fun main () int 2)", "two functions have the same name\n"),
            ("(fun main (n int) int n)", "there is no `main` without parameters that gives an int\n"),
            ("(fun main () int ())", "in main: expected a number, found a list\n"),
            ("(fun main () int (+ a 1))", "in main: there is no `a`\n"),
            ("(fun main () int (g 1))", "in main: there is no function `g`\n"),
            ("(fun main () int (main 1))", "in main: `main` takes 0 arguments\n"),
            ("(fun main () int (+ (if 1 2) 3))", "in main: `(if 1 2)` has a wrong number of parts\n"),
            ("(fun main () int (if 1 2 3))", "in main: expected a condition, found a number\n"),
            ("(fun main () int ((1)))", "in main: `((1))` is no expression\n"),
        ] {
            std::fs::write(&file, program)?;
            expect(&output("calculator", &[&file.to_string_lossy()], "")?, wanted)?;
        }
        Ok(())
    }));
    trials.push(Trial::test("stack maps", maps));
    let is_there = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    let trials = trials.into_iter().map(|trial| trial.with_ignored_flag(!is_there)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Functions that hold no, one and two references while they call one that may collect.
const HOLDING: &str = "module \"holding\"
start @main
func @new(v0: i64) -> ref {
block0(v0: i64):
  v1 = box.int v0
  ret v1
}
func @none(v0: ref) -> ref {
block0(v0: ref):
  v1 = iconst.i64 3000
  v2 = call @new(v1)
  ret v2
}
func @one(v0: ref) -> ref, ref {
block0(v0: ref):
  v1 = iconst.i64 3000
  v2 = call @new(v1)
  ret v0, v2
}
func @two(v0: ref, v1: ref) -> ref, ref, ref {
block0(v0: ref, v1: ref):
  v2 = iconst.i64 3000
  v3 = call @new(v2)
  ret v0, v1, v3
}
func @main() {
block0:
  v0 = iconst.i64 5000
  v1 = call @new(v0)
  v2 = call @none(v1)
  v3, v4 = call @one(v2)
  v5, v6, v7 = call @two(v3, v4)
  ret
}
";

/// The reader of stack maps, of an object and of an executable, which the linker has moved.
fn maps() -> Result<(), Failed> {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("stack-maps");
    std::fs::create_dir_all(&folder)?;
    let [source, object, program] = ["holding.ir", "holding.o", "holding"].map(|name| folder.join(name));
    std::fs::write(&source, HOLDING)?;
    let mut read = Vec::new();
    for (file, options) in [(&object, &["--emit=obj"][..]), (&program, &[])] {
        let mut build = compiler();
        build.args(["build", "--target=native", "--roots=stackmap", "-O0"]).args(options);
        build.arg("-o").args([file, &source]);
        let built = build.output()?;
        expect(&String::from_utf8_lossy(&built.stderr), "")?;
        read.push(output("stack_maps", &[&file.to_string_lossy()], "")?);
    }
    let of = |name: &str| -> Vec<usize> {
        let places = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with('+'));
        read[0].lines().filter(places).map(|line| line.matches("rbp-").count()).collect()
    };
    for (name, wanted) in [("none", vec![]), ("one", vec![1]), ("two", vec![2])] {
        if of(name) != wanted {
            return Err(format!("{name}: {:?}, not {wanted:?}, in\n{}", of(name), read[0]).into());
        }
    }
    expect(&read[1], &read[0])
}
