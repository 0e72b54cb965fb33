//! Programs that run in constant memory in Clean run in constant memory here: 10^8 elements through each shape that is
//! known to leak, in a heap of 2 MiB, and the collector never finds more than a few kilobytes alive.
//!
//! ```text
//! O2/pairs        10^8 elements with all optimisations
//! O0/pairs        10^7 without any
//! jit-O2/pairs    10^7 as machine code
//! leak/fields     the same program without the kinds of nodes that let the collector shorten selections: it must fail
//! ```
//! A program of `space/` reads the number of steps from its input, so that nothing can be computed beforehand; its head
//! says in Clean what it does, and the result as a formula. Clean's own native code of the same files runs all of them
//! with a heap of 2 MB.

use cleave_tests::process::{AS_COMPILER, announce_missing, compiler, difference, is_there, run};
use cleave_tests::selection;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// More than this is never alive when the collector has run, nor on average.
const ALIVE: u64 = 16 << 10;

/// A program.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    /// Number of steps, chosen so that about 10^8 elements pass.
    steps: u64,
    result: fn(u64) -> u64,
}

const fn shape(name: &'static str, steps: u64, result: fn(u64) -> u64) -> Shape {
    Shape { name, steps, result }
}

fn triangle(n: u64) -> u64 {
    n * (n + 1) / 2
}

const SHAPES: &[Shape] = &[
    shape("arrays", 99_999_999, |n| n + 5050),
    shape("cafs", 99_999_999, |n| 4 * n + triangle(n)),
    shape("chains", 24_999_999, |_| 500),
    shape("closures", 49_999_999, |n| 3 * triangle(n)),
    shape("cycles", 99_999_999, |n| 2 * n + triangle(n)),
    shape("dead", 24_999_999, |n| 5 * triangle(n)),
    shape("fields", 49_999_999, |n| 5 * n * n + 2 * n),
    shape("indirections", 99_999_999, triangle),
    shape("iterate", 99_999_999, |n| triangle(n - 1)),
    shape("nullary", 49_999_999, |n| 2 * triangle(n)),
    shape("pairs", 49_999_999, |n| 5 * n * n + 2 * n),
    shape("selected", 33_333_333, |n| 3 * triangle(n)),
    shape("stream", 99_999_999, triangle),
    shape("strings", 49_999_999, |_| 10),
    shape("tails", 99_999_999, |n| n),
    shape("words", 99_999_999, |n| triangle(n) + 700),
];

const NATIVE: &str = "--target=native";

/// The program that prints its elements: fewer of them.
const PRINTED: u64 = 1_999_999;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let mut trials = vec![
        Trial::test("every-program-is-tested", || complete().map_err(Failed::from)),
        Trial::test("leak/fields", || leaks().map_err(Failed::from)),
    ];
    // As whole programs are compiled, lists that are taken apart at once are not made: there they need not be found
    // dead.
    let with_lists = vec!["-O2", "--disable-pass=deforest"];
    for (name, options, divisor) in
        [("O2", with_lists, selection::size(10, 1)), ("O0", vec!["-O0"], 10), ("jit-O2", vec!["-O2", NATIVE], 10)]
    {
        let ignored = !is_there(&options);
        for &shape in SHAPES {
            let options = options.clone();
            let test = move || {
                // The steps of `cycles` are a multiple of three.
                let steps = shape.steps / divisor;
                flat(shape.name, &options, steps, &format!("{}\n", (shape.result)(steps))).map_err(Failed::from)
            };
            trials.push(Trial::test(format!("{name}/{}", shape.name), test).with_ignored_flag(ignored));
        }
        let test = move || {
            let numbers: Vec<String> = (1..=PRINTED).map(|number| number.to_string()).collect();
            flat("printed", &options, PRINTED, &format!("[{}]\n", numbers.join(","))).map_err(Failed::from)
        };
        trials.push(Trial::test(format!("{name}/printed"), test).with_ignored_flag(ignored));
    }
    announce_missing();
    let arguments = Arguments::from_args();
    if !arguments.list {
        println!("jit-O0: left out: memory depends on the level and on the runtime, not on how code is generated");
    }
    let trials =
        selection::thinned(&arguments, trials, |kind| if kind.ends_with("O0") || kind.ends_with("O2") { 3 } else { 1 });
    libtest_mimic::run(&arguments, trials).exit();
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("space").join(name).with_extension("abc")
}

/// Runs a program, and compares its result and what the collector has found alive.
fn flat(name: &str, options: &[&str], steps: u64, expected: &str) -> Result<(), String> {
    let mut command = compiler();
    command.arg("run").args(options).args(["--heap=2m", "--time=json"]).arg(program(name));
    let output = run(&mut command, steps.to_string().into_bytes(), LIMIT)?;
    output.expect(0, expected.as_bytes())?;
    let text = String::from_utf8_lossy(&output.stderr);
    let number = |key: &str| {
        let (_, rest) = text.split_once(&format!("\"{key}\":"))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let numbers = number("collections").zip(number("live_bytes")).zip(number("copied_bytes"));
    let ((collections, live), copied) = numbers.ok_or_else(|| format!("numbers are missing: {text}"))?;
    // Arrays in place allocate least: a list cell for every step.
    if collections < steps / 100_000 && !options.contains(&NATIVE) {
        return Err(format!("only {collections} collections"));
    }
    if live > ALIVE || copied > collections * ALIVE {
        return Err(format!("{live} bytes are alive at the end, {} on average", copied / collections.max(1)));
    }
    Ok(())
}

/// The tests can fail: without the kinds of its selections, `fields` keeps what it has consumed.
fn leaks() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("space");
    let text = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(&folder).map_err(text)?;
    let source = std::fs::read_to_string(program("fields")).map_err(text)?;
    let source = source.replace(".n -4 ", ".n 1 ").replace("_left -4 ", "_left 1 ").replace("_right -4 ", "_right 1 ");
    let path = folder.join("fields.abc");
    std::fs::write(&path, source).map_err(text)?;
    let mut command = compiler();
    command.arg("run").args(["--heap=2m", "-L"]).arg(program("Lists").with_file_name("")).arg(path);
    let output = run(&mut command, b"1000000".to_vec(), LIMIT)?;
    output.expect(255, b"")?;
    difference("stderr", b"Heap full.\n", &output.stderr).map_or(Ok(()), Err)
}

fn complete() -> Result<(), String> {
    let folder = program("Lists").with_file_name("");
    let entries = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    for entry in entries.flatten() {
        let name = entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !["Lists", "printed"].contains(&name.as_str()) && !SHAPES.iter().any(|shape| shape.name == name) {
            return Err(format!("{name} is not tested"));
        }
    }
    Ok(())
}
