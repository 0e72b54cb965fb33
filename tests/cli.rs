//! Tests of the command line. A test is a file in `cli/` with lines that run the compiler, and beside it the golden
//! output: `NAME.stdout` and `NAME.stderr`, absent if nothing may be written. `terminal` holds conversations.
//!
//! ```text
//! | RUN: build %s -o %t/a.wasm        exit code 0 is expected
//! | SAME: run %s -O0                  0, and what it writes to stdout is what the line before it wrote;
//! |                                   it is not in the golden files again
//! | FAIL: build %s                    1
//! | FAIL(2): build                    2
//! | SH: cleave explain | head -1      a line for the shell, where `cleave` is the compiler; also SH(n)
//! ```
//! `%s` is the file itself, `%t` a fresh folder; the current folder is `cli/`. Several lines run in order, and what
//! they write is put together. `BLESS=1 cargo test --test cli` rewrites the golden files.
//!
//! This program is the compiler, too: it starts itself with `CLEAVE_AS_COMPILER` set, so a test never runs an old one.

use cleave_tests::process::{self, ENGINE_FUNCTIONS, ENGINE_MODULES};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod terminal;

/// Tests that take longest come first, so that no other thread waits for them at the end.
const LONG: [&str; 6] = ["checked", "gc-incremental", "ir-effects-deep", "native-trace", "trace-deep", "terminal"];

const AS_COMPILER: &str = "CLEAVE_AS_COMPILER";

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("tests/cli exists")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.is_file() && !is_golden(path))
        .collect();
    files.sort();
    let mut trials = Vec::new();
    for path in files {
        let steps = steps(&path);
        if !steps.is_empty() {
            let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
            // What starts with `native` needs a machine that the target is for, and its `cc`; `node` needs node.
            let ignored = name.starts_with("native") && !cfg!(all(target_arch = "x86_64", target_os = "linux"))
                || name.starts_with("node") && Command::new("node").arg("--version").output().is_err();
            let trial = Trial::test(name, move || run(&path, &steps).map_err(Failed::from));
            trials.push(trial.with_ignored_flag(ignored));
        }
    }
    let at_terminal = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join("terminal");
        let _ = fs::remove_dir_all(&folder);
        terminal::prompt(&folder, AS_COMPILER).map_err(Failed::from)
    };
    trials.push(Trial::test("terminal", at_terminal).with_ignored_flag(!terminal::is_there()));
    trials.sort_by_key(|trial| !LONG.contains(&trial.name()));
    libtest_mimic::run(&process::arguments(1.5), trials).exit();
}

fn is_golden(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "stdout" || extension == "stderr")
}

/// A command of a test.
struct Step {
    shell: bool,
    /// It writes to stdout what the last step wrote there that is not one of these.
    same: bool,
    command: String,
    code: i32,
}

fn steps(path: &Path) -> Vec<Step> {
    let bytes = fs::read(path).expect("tests can be read");
    String::from_utf8_lossy(&bytes).lines().filter_map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let line = line.trim_start_matches(['|', ';', '#', ' ']);
    let (head, command) = line.split_once(": ")?;
    let (word, code) = match head.strip_suffix(')').and_then(|head| head.split_once('(')) {
        Some((word, code)) => (word, Some(code.parse().ok()?)),
        None => (head, None),
    };
    let (shell, same, usual) = match word {
        "RUN" => (false, false, 0),
        "SAME" => (false, true, 0),
        "FAIL" => (false, false, 1),
        "SH" => (true, false, 0),
        _ => return None,
    };
    Some(Step { shell, same, command: command.trim_end().to_string(), code: code.unwrap_or(usual) })
}

fn run(path: &Path, steps: &[Step]) -> Result<(), String> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new("."));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(&name);
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut last = Vec::new();
    for step in steps {
        let text = step.command.replace("%s", &file).replace("%t", &scratch.to_string_lossy());
        let exe = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = if step.shell {
            let prelude = format!("cleave() {{ {AS_COMPILER}=1 \"$CLEAVE_EXE\" \"$@\"; }}\n");
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(prelude + &text).env("CLEAVE_EXE", &exe);
            shell
        } else {
            let mut command = Command::new(&exe);
            command.args(words(&text)).env(AS_COMPILER, "1");
            command
        };
        for variable in [
            "CLEAN_HOME",
            "CLEANPATH",
            "CLEANLIB",
            "CLEAVE_RTS",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "RUST_BACKTRACE",
            "COLUMNS",
        ] {
            command.env_remove(variable);
        }
        // Functions of earlier runs would hide what is compiled now; a test of the cache names a folder of its own.
        command.env("CLEAVE_CACHE", "").env("CLEAVE_FUNCTIONS", ENGINE_FUNCTIONS);
        command.env("CLEAVE_MODULES", ENGINE_MODULES);
        let output = command.current_dir(folder).stdin(std::process::Stdio::null()).output();
        let output = output.map_err(|error| format!("`{text}`: {error}"))?;
        if output.status.code() != Some(step.code) {
            let shown = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{text}` ended with {}, not {}\n{shown}", output.status, step.code));
        }
        if !step.same {
            stdout.extend(&output.stdout);
            stderr.extend(&output.stderr);
            last = output.stdout;
        } else if output.stdout != last {
            let [found, shown] =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            return Err(format!("`{text}` writes something else than the step before it\n{found}{shown}"));
        }
    }
    let _ = fs::remove_dir_all(&scratch);
    compare(&folder.join(format!("{name}.stdout")), &stdout, &scratch)?;
    compare(&folder.join(format!("{name}.stderr")), &stderr, &scratch)
}

/// Words of a command; quotes keep blanks together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}

/// Compares with a golden file, or rewrites it.
fn compare(golden: &Path, actual: &[u8], scratch: &Path) -> Result<(), String> {
    let actual = String::from_utf8_lossy(actual).replace(&*scratch.to_string_lossy(), "%t");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        let result = if actual.is_empty() { fs::remove_file(golden) } else { fs::write(golden, &actual) };
        return match result {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        };
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let name = golden.file_name().unwrap_or_default().to_string_lossy();
    let line = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count() + 1;
    Err(format!(
        "{name} differs from line {line} on\n--- expected\n{expected}\n--- actual\n{actual}\n(BLESS=1 rewrites it)"
    ))
}
