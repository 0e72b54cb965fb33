//! Real programs, linked with Clean's own StdEnv, one named test per program and engine: exact bytes of stdout.
//!
//! ```text
//! stdenv/se_console         the 23 programs of corpus-stdenv in the embedded engine, …-stress/ at every collection point
//! jit/se_console            the same as machine code, jit-stress/ likewise; native/se_console as an executable of its own
//! node/se_console           the program with its loader under node, node-stress/… the same under stress
//! students/workflow/hello   59 programs that students wrote, also students-node/…, students-jit/…, students-native/…; and the one that never ends
//! size/hello                how large programs with StdEnv are
//! ```
//! StdEnv is not ours. `CLEAVE_STDENV` names a folder with its .abc files, or a checkout with `lib/StdEnv`;
//! `CLEAVE_STUDENTS` a checkout of the repository havenousername/clean, which has StdEnv, too. Without them the tests
//! are skipped with a message, and counted as ignored. Every program runs in a folder of its own, with copies of the
//! files that it reads. What the students' programs print is known by length and hash only (`students/expect.py`).

use cleave_tests::process::{AS_COMPILER, Output, clean, compiler, difference, has_node, run};
use cleave_tests::samples::{self, Sample};
use cleave_tests::students::{self, Student};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(240);

/// Programs for which a collection at every reservation takes too long: the interval, a prime, and the reason.
const INTERVALS: &[(&str, u32, &str)] = &[
    ("se_ordlist", 1009, "half a million reservations on a heap that grows to 2 MB"),
    ("se_strictlists", 1009, "100,000 reservations while long lists are live"),
];

/// The largest `Hello` that imports StdEnv, in bytes.
const LARGEST_HELLO: usize = 60_000;
/// The largest program of the console: it recurses, and is captured.
const LARGEST_CONSOLE: usize = 80_000;

/// A program that imports all of StdEnv and prints one word.
const HELLO: &str = "\
.comp 920 0101110100100
.start __hello_Start
.depend \"StdEnv\"
.depend \"StdList\"
.depend \"StdFile\"
.endinfo
.module m_hello \"hello\"
.export __hello_Start
.o 0 0
__hello_Start
	buildAC \"Hello\"
.d 1 0
	jmp _driver
";

/// Where a kind of program comes from.
#[derive(Clone)]
struct Place {
    /// The folder for `-L`.
    stdenv: PathBuf,
    /// The program that is linked, as the command line names it.
    main: PathBuf,
    /// Where it runs: a fresh folder of this name.
    scratch: PathBuf,
}

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let students = folder("CLEAVE_STUDENTS");
    let stdenv = folder("CLEAVE_STDENV").or_else(|| students.clone()).map(|folder| match folder.join("lib/StdEnv") {
        inner if inner.is_dir() => inner,
        _ => folder,
    });
    let node = has_node();
    let machine = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    if !arguments.list {
        if stdenv.is_none() {
            println!("skipped: CLEAVE_STDENV does not name a folder with StdEnv: programs of corpus-stdenv");
        }
        if students.is_none() {
            println!("skipped: CLEAVE_STUDENTS does not name a checkout of havenousername/clean: its programs");
        }
        if !node {
            println!("skipped: node is not installed, or older than version 20");
        }
        if !machine {
            println!("skipped: this is no x86-64 Linux: machine code");
        }
        for (name, interval, reason) in INTERVALS {
            println!("under stress {name} collects at every {interval}th reservation: {reason}");
        }
    }
    let mut trials = Vec::new();
    for sample in samples::stdenv() {
        for (engine, test) in [("stdenv", exact as Test), ("stdenv-stress", stressed)] {
            trials.push(of_corpus(engine, &sample, &stdenv, stdenv.is_none(), test));
        }
        for (engine, test) in [("node", under_node as Test), ("node-stress", stressed_under_node)] {
            trials.push(of_corpus(engine, &sample, &stdenv, stdenv.is_none() || !node, test));
        }
        for (engine, test) in [("jit", in_jit as Test), ("jit-stress", stressed_in_jit), ("native", linked)] {
            trials.push(of_corpus(engine, &sample, &stdenv, stdenv.is_none() || !machine, test));
        }
    }
    for student in students::all() {
        let none = students.is_none();
        trials.push(of_student("students", &student, &students, none, |at| run(&mut command(at), Vec::new(), LIMIT)));
        trials
            .push(of_student("students-node", &student, &students, none || !node, |at| in_node(at, Vec::new(), None)));
        trials.push(of_student("students-jit", &student, &students, none || !machine, |at| {
            run(&mut jit(at), Vec::new(), LIMIT)
        }));
        trials.push(of_student("students-native", &student, &students, none || !machine, |at| {
            executable(at, Vec::new())
        }));
    }
    let at = place("endless", students::ENDLESS, &students, |root| students::main(root, students::ENDLESS));
    trials.push(trial(format!("students/{}", students::ENDLESS), students.is_none(), move || endless(&at)));
    let mut at = place("size", "hello", &stdenv, |_| PathBuf::new());
    at.main = at.scratch.join("hello.abc");
    trials.push(trial("size/hello".to_string(), stdenv.is_none(), move || {
        prepare(&at)?;
        fs::write(&at.main, HELLO).map_err(|error| error.to_string())?;
        size(&at, LARGEST_HELLO)?;
        run(&mut command(&at), Vec::new(), LIMIT)?.expect(0, b"\"Hello\"\n")
    }));
    let console = samples::stdenv().into_iter().find(|sample| sample.name == "se_console").expect("it is there");
    let at = place("size", "se_console", &stdenv, |_| console.path.clone());
    trials.push(trial("size/se_console".to_string(), stdenv.is_none(), move || {
        prepare(&at)?;
        size(&at, LARGEST_CONSOLE)
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// The folder that a variable names.
fn folder(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    fs::canonicalize(value).ok().filter(|path| path.is_dir())
}

fn place(engine: &str, name: &str, library: &Option<PathBuf>, main: impl Fn(&Path) -> PathBuf) -> Place {
    let library = library.clone().unwrap_or_default();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stdenv").join(engine).join(name);
    let inner = library.join("lib/StdEnv");
    let main = main(&library);
    Place { stdenv: if inner.is_dir() { inner } else { library }, main, scratch }
}

fn trial(name: String, skipped: bool, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, move || test().map_err(Failed::from)).with_ignored_flag(skipped)
}

type Test = fn(&Sample, &Place) -> Result<(), String>;

fn of_corpus(engine: &str, sample: &Sample, stdenv: &Option<PathBuf>, skipped: bool, test: Test) -> Trial {
    let at = place(engine, &sample.name, stdenv, |_| sample.path.clone());
    let sample = sample.clone();
    trial(format!("{engine}/{}", sample.name), skipped, move || {
        prepare(&at)?;
        copy_files(&sample, &at)?;
        test(&sample, &at)
    })
}

type Start = fn(&Place) -> Result<Output, String>;

fn of_student(engine: &str, student: &Student, root: &Option<PathBuf>, skipped: bool, start: Start) -> Trial {
    let at = place(engine, &student.name, root, |root| students::main(root, &student.name));
    let student = student.clone();
    trial(format!("{engine}/{}", student.name), skipped, move || {
        prepare(&at)?;
        let output = start(&at)?;
        student.expect(&output)?;
        quiet(&output)
    })
}

/// An empty folder.
fn prepare(at: &Place) -> Result<(), String> {
    let _ = fs::remove_dir_all(&at.scratch);
    fs::create_dir_all(&at.scratch).map_err(|error| format!("{}: {error}", at.scratch.display()))
}

/// The files that the program reads: those of its name that are no part of the test.
fn copy_files(sample: &Sample, at: &Place) -> Result<(), String> {
    for ending in ["txt", "csv"] {
        let file = sample.path.with_extension(ending);
        if let Some(name) = file.file_name().filter(|_| file.is_file()) {
            fs::copy(&file, at.scratch.join(name)).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}

fn command(at: &Place) -> Command {
    let mut command = compiler();
    command.args(["run", "--no-cocl", "-P"]).arg(&at.stdenv).arg(&at.main).current_dir(&at.scratch);
    command
}

fn jit(at: &Place) -> Command {
    let mut command = command(at);
    command.args(["--target", "native"]);
    command
}

fn executable(at: &Place, stdin: Vec<u8>) -> Result<Output, String> {
    let file = at.scratch.join("program.exe");
    let mut build = compiler();
    build.args(["build", "--no-cocl", "-q", "-P"]).arg(&at.stdenv).arg(&at.main);
    build.args(["--target", "native", "-o"]).arg(&file).current_dir(&at.scratch);
    run(&mut build, Vec::new(), LIMIT)?.expect(0, b"")?;
    run(clean(Command::new(&file)).current_dir(&at.scratch), stdin, LIMIT)
}

fn in_jit(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = run(&mut jit(at), sample.stdin(), LIMIT)?;
    output.expect(0, &sample.expected())?;
    quiet(&output)
}

fn stressed_in_jit(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = run(jit(at).arg(format!("--gc-stress={}", interval(sample))), sample.stdin(), LIMIT)?;
    output.expect(0, &sample.expected())?;
    collected(&output)
}

fn linked(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = executable(at, sample.stdin())?;
    output.expect(0, &sample.expected())?;
    quiet(&output)
}

fn quiet(output: &Output) -> Result<(), String> {
    difference("stderr", b"", &output.stderr).map_or(Ok(()), Err)
}

fn exact(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = run(&mut command(at), sample.stdin(), LIMIT)?;
    output.expect(0, &sample.expected())?;
    quiet(&output)
}

fn interval(sample: &Sample) -> u32 {
    INTERVALS.iter().find(|row| row.0 == sample.name).map_or(1, |row| row.1)
}

/// At least one collection, or nothing was tested.
fn stressed(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = run(command(at).arg(format!("--gc-stress={}", interval(sample))), sample.stdin(), LIMIT)?;
    output.expect(0, &sample.expected())?;
    collected(&output)
}

fn collected(output: &Output) -> Result<(), String> {
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.strip_prefix("cleave: ").and_then(|rest| rest.split_once(" collections")?.0.parse::<u64>().ok());
    match count {
        Some(1..) => Ok(()),
        _ => Err(format!("not a single collection: {text:?}")),
    }
}

fn under_node(sample: &Sample, at: &Place) -> Result<(), String> {
    let output = in_node(at, sample.stdin(), None)?;
    output.expect(0, &sample.expected())?;
    quiet(&output)
}

fn stressed_under_node(sample: &Sample, at: &Place) -> Result<(), String> {
    let options = format!("--gc-stress={} --poison --stats", interval(sample));
    let output = in_node(at, sample.stdin(), Some(&options))?;
    output.expect(0, &sample.expected())?;
    collected(&output)
}

fn build(at: &Place) -> Result<PathBuf, String> {
    let module = at.scratch.join("program.mjs");
    let mut command = compiler();
    command.args(["build", "--no-cocl", "-P"]).arg(&at.stdenv).arg(&at.main).arg("-o").arg(&module);
    run(command.current_dir(&at.scratch), Vec::new(), LIMIT)?.expect(0, b"")?;
    Ok(module)
}

fn in_node(at: &Place, stdin: Vec<u8>, options: Option<&str>) -> Result<Output, String> {
    let module = build(at)?;
    let mut node = clean(Command::new("node"));
    node.arg(module).current_dir(&at.scratch);
    if let Some(options) = options {
        node.env("CLEAVE_RTS", options);
    }
    run(&mut node, stdin, LIMIT)
}

/// The program that prints all whole numbers from 1: its first bytes, in constant memory.
fn endless(at: &Place) -> Result<(), String> {
    const READ: usize = 1 << 20;
    prepare(at)?;
    let mut command = command(at);
    command.arg("--heap=1m").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut found = vec![0; READ];
    let read = child.stdout.take().map(|mut pipe| pipe.read_exact(&mut found));
    let _ = child.kill();
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !matches!(read, Some(Ok(()))) {
        return Err(format!("it ended: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut expected = String::from("[1");
    for number in 2.. {
        if expected.len() >= READ {
            break;
        }
        expected.push_str(&format!(",{number}"));
    }
    difference("stdout", &expected.as_bytes()[..READ], &found).map_or(Ok(()), Err)
}

/// What the libraries hold that a program does not use costs nothing.
fn size(at: &Place, largest: usize) -> Result<(), String> {
    let wasm = build(at)?.with_extension("wasm");
    let size = fs::metadata(&wasm).map_err(|error| error.to_string())?.len() as usize;
    if size < largest { Ok(()) } else { Err(format!("{size} bytes, not below {largest}")) }
}
