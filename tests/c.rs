//! `--emit c`: programs of GOOPEA as C99, compiled without a warning by the C compiler of this machine, print what they
//! print elsewhere. So do random programs, whose results an evaluator of their own knows.
//!
//! `C_PROGRAMS=10000` makes a campaign of the random ones, `C_SEED` begins elsewhere.

use cleave_tests::process::{self, AS_COMPILER, compiler, run};
use cleave_tests::random_goopea::{Random, evaluate, generate};
use cleave_tests::selection;
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);
const FLAGS: [&str; 6] = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic"];
/// How programs become C.
const WAYS: [(&str, &[&str]); 3] = [("c", &[]), ("c-O0", &["-O0"]), ("c-everywhere", &["--reuse=all", "-O1"])];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let has_cc = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    let mut trials = vec![Trial::test("random", || random().map_err(Failed::from)).with_ignored_flag(!has_cc)];
    for path in programs("tests/goopea").into_iter().chain(programs("tests/goopea/intended")) {
        for (way, options) in WAYS {
            let path = path.clone();
            let name = format!("{way}/{}", path.file_stem().unwrap_or_default().display());
            let test = move || {
                let expected =
                    fs::read_to_string(path.with_extension("expected")).map_err(|error| error.to_string())?;
                check(&path, way, options, 0, &expected)?;
                Ok(())
            };
            trials.push(Trial::test(name, test).with_ignored_flag(!has_cc));
        }
    }
    for path in programs("examples/goopea") {
        let name = format!("example/{}", path.file_stem().unwrap_or_default().display());
        let test = move || {
            let source = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            let first = source.lines().next().and_then(|line| line.strip_prefix("// prints "));
            let expected = first.ok_or("the first line does not say what it prints")?;
            check(&path, "example", &[], 0, &format!("{expected}\n"))?;
            Ok(())
        };
        trials.push(Trial::test(name, test).with_ignored_flag(!has_cc));
    }
    trials.push(Trial::test("division", || division().map_err(Failed::from)).with_ignored_flag(!has_cc));
    trials.push(Trial::test("deep-data", || deep_data().map_err(Failed::from)).with_ignored_flag(!has_cc));
    trials.push(Trial::test("not-in-c", || not_in_c().map_err(Failed::from)));
    let arguments = process::arguments(1.5);
    let trials = selection::thinned(&arguments, trials, |kind| if kind.starts_with("c-") { 6 } else { 1 });
    libtest_mimic::run(&arguments, trials).exit();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests are in a folder of the project").to_path_buf()
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder exists").flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "goo"));
    files.sort();
    files
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-{}-{name}", std::process::id()))
}

/// Makes C of a program, compiles and runs it; what it says on stderr. The stack is as large as the system allows,
/// since calls of C use it.
fn check(path: &Path, label: &str, options: &[&str], status: i32, expected: &str) -> Result<String, String> {
    let name = format!("{label}-{}", path.file_stem().unwrap_or_default().display());
    let (source, program) = (temporary(&format!("{name}.c")), temporary(&name));
    let emit = format!("--emit=c={}", source.display());
    run(compiler().arg("build").args(options).arg(path).arg(&emit), Vec::new(), LIMIT)?.expect(0, b"")?;
    let compiled = run(Command::new("cc").args(FLAGS).arg(&source).arg("-o").arg(&program), Vec::new(), LIMIT)?;
    compiled.expect(0, b"")?;
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", "ulimit -s unlimited 2>/dev/null || ulimit -s $(ulimit -H -s); exec \"$0\""]);
    let output = run(shell.arg(&program), Vec::new(), LIMIT)?;
    output.expect(status, expected.as_bytes())?;
    let _ = fs::remove_file(&source);
    let _ = fs::remove_file(&program);
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The same with a program that is made here.
fn one(name: &str, text: &str, status: i32, expected: &str) -> Result<String, String> {
    let file = temporary(&format!("{name}.goo"));
    fs::write(&file, text).map_err(|error| error.to_string())?;
    let errors = check(&file, "one", &[], status, expected)?;
    let _ = fs::remove_file(&file);
    Ok(errors)
}

fn division() -> Result<(), String> {
    let errors = one("division", "Int: Int\nf x = 7 % x;\n(): Int\nmain = f(f 1);\n", 255, "")?;
    match &errors[..] {
        "Integer division by zero.\n" => Ok(()),
        _ => Err(format!("another message: {errors}")),
    }
}

/// A list of a million elements is made in a loop and freed without recursion.
fn deep_data() -> Result<(), String> {
    let text = "enum L = Nil, Cons(Int, L);\n\
                (Int, L): L\nmake(n, l) = match n { 0: l, m: make(m - 1, Cons(m, l)) };\n\
                L: Int\nhead l = match l { Nil: 0, Cons(x, rest): x };\n\
                (): Int\nmain = head(make(1000000, Nil));\n";
    one("deep-data", text, 0, "1\n").map(drop)
}

/// What cannot become C is refused by name, and nothing is written.
fn not_in_c() -> Result<(), String> {
    let sort = root().join("examples/goopea/sort.goo");
    let ir = temporary("extern.ir");
    fs::write(
        &ir,
        "heap rc\nstart @main\nfunc @main() {\nblock0:\n  v0 = fconst 1.0\n  call_rt print_real(v0)\n  ret\n}\n",
    )
    .map_err(|error| error.to_string())?;
    let cases: [(&Path, &[&str], &str); 3] = [
        (&sort, &["--memory=gc"], "only programs whose references are counted"),
        (&sort, &["--emit=ir=-"], "--emit c stands alone"),
        (&ir, &[], "in the function `main`"),
    ];
    for (path, options, message) in cases {
        let file = temporary("refused.c");
        let emit = format!("--emit=c={}", file.display());
        let output = run(compiler().arg("build").arg(&emit).args(options).arg(path), Vec::new(), LIMIT)?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        if !errors.contains(message) || !errors.contains("E0907") || file.exists() {
            return Err(format!("{}: {errors}", path.display()));
        }
    }
    let _ = fs::remove_file(&ir);
    Ok(())
}

/// A number that the environment gives.
fn wanted(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Programs in one file.
const BATCH: usize = 20;

fn random() -> Result<(), String> {
    let first = wanted("C_SEED", 1);
    let (mut text, mut calls, mut results, mut expected) = (String::new(), Vec::new(), Vec::new(), Vec::new());
    let last = first + wanted("C_PROGRAMS", selection::size(20, 60));
    for seed in first..last {
        let mut random = Random::new(seed);
        let program = generate(&mut random);
        if let Some(value) = evaluate(&program) {
            let suffix = format!("_{seed}");
            text += &program.text(&suffix, &mut random);
            calls.push(format!("f{}{suffix}()", program.functions.len() - 1));
            results.push(program.text_of_result(&suffix));
            expected.push(value);
        }
        if calls.len() == BATCH || seed + 1 == last && !calls.is_empty() {
            text += &format!("(): ({})\nmain = ({});\n", results.join(", "), calls.join(", "));
            let value =
                if expected.len() == 1 { expected[0].to_string() } else { format!("({})", expected.join(", ")) };
            one("random", &text, 0, &format!("{value}\n")).map_err(|error| format!("up to {seed}: {error}"))?;
            (text, calls, results, expected) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        }
    }
    Ok(())
}
