//! Do the tests notice bugs? `bugs.txt` lists deliberate ones.
//!
//! An ordinary run checks that each can still be put into the sources. The rest takes a build per bug:
//!
//! ```text
//! cargo test -p cleave-tests --test seeded -- --run              all of them, one after the other
//! cargo test -p cleave-tests --test seeded -- --run NAME…        some
//! ```
//! That works on a copy of the sources in `target/seeded`, with a target folder of its own, which begins as a copy of
//! what is built already. A bug whose build fails, or that no test notices, is an error.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Fewer would not tell much.
const LEAST: usize = 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--run") {
        std::process::exit(i32::from(!run(&args[at + 1..])));
    }
    let mut trials = vec![Trial::test("enough", || match bugs().len() {
        count if count < LEAST => Err(Failed::from(format!("there are only {count} bugs"))),
        _ => Ok(()),
    })];
    for bug in bugs() {
        trials.push(Trial::test(bug.name.clone(), move || bug.patched(&root()).map(drop).map_err(Failed::from)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the workspace").to_path_buf()
}

/// A deliberate mistake.
#[derive(Default)]
struct Bug {
    name: String,
    what: String,
    file: String,
    builds_runtime: bool,
    /// Arguments of `cargo test`, tried in this order.
    tests: Vec<String>,
    old: String,
    new: String,
}

fn bugs() -> Vec<Bug> {
    let mut bugs: Vec<Bug> = Vec::new();
    let mut lines = include_str!("bugs.txt").lines();
    while let Some(line) = lines.next() {
        let Some((word, rest)) = line.split_once(' ').or(Some((line, ""))) else { continue };
        if word == "bug" {
            let (name, what) = rest.split_once(": ").expect("`bug NAME: what is wrong`");
            bugs.push(Bug { name: name.into(), what: what.into(), ..Bug::default() });
            continue;
        }
        let Some(bug) = bugs.last_mut() else { continue };
        match word {
            "file" => bug.file = rest.into(),
            "build-runtime" => bug.builds_runtime = true,
            "tests" => bug.tests.push(rest.into()),
            "old" => {
                let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "new").collect();
                bug.old = text.join("\n");
                let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "end").collect();
                bug.new = text.join("\n");
            }
            "" => {}
            _ => panic!("bugs.txt: `{line}`"),
        }
    }
    bugs
}

impl Bug {
    /// The file with the bug.
    fn patched(&self, root: &Path) -> Result<String, String> {
        let path = root.join(&self.file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", self.file))?;
        match text.matches(&self.old).count() {
            1 => Ok(text.replacen(&self.old, &self.new, 1)),
            count => Err(format!("the old text is found {count} times in {}:\n{}", self.file, self.old)),
        }
    }
}

/// Tries bugs in a copy of the sources; true if all were noticed.
fn run(names: &[String]) -> bool {
    let scratch = root().join("target/seeded");
    let (source, target) = (scratch.join("source"), scratch.join("target"));
    copy_sources(&root(), &source);
    if !target.exists() {
        println!("copying what is built already …");
        fs::create_dir_all(&target).expect("the folder can be made");
        for folder in ["debug", "rt", "wasm32-unknown-unknown"] {
            let from = root().join("target").join(folder);
            let _ = Command::new("cp").arg("-a").arg(from).arg(&target).status();
        }
    }
    let chosen = || bugs().into_iter().filter(|bug| names.is_empty() || names.contains(&bug.name));
    let clean: BTreeSet<String> = chosen().flat_map(|bug| bug.tests).collect();
    for tests in clean {
        // Tests that fail without a bug prove nothing.
        let none = Bug { tests: vec![tests.clone()], ..Bug::default() };
        if let Ok(by) = noticed(&none, &source, &target) {
            println!("`{tests}` fails without any bug: {by}");
            return false;
        }
    }
    let mut all = true;
    for bug in chosen() {
        let begin = Instant::now();
        let result = bug.patched(&source).and_then(|text| {
            let path = source.join(&bug.file);
            let original = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            fs::write(&path, text).map_err(|error| error.to_string())?;
            let result = noticed(&bug, &source, &target);
            fs::write(&path, original).map_err(|error| error.to_string())?;
            // The runtime as it was built before, too.
            copy_sources(&root().join("rt"), &source.join("rt"));
            result
        });
        let seconds = begin.elapsed().as_secs();
        match result {
            Ok(by) => println!("{:<24} caught by `{by}`, {seconds} s ({})", bug.name, bug.what),
            Err(why) => {
                all = false;
                println!("{:<24} NOT CAUGHT, {seconds} s ({}): {why}", bug.name, bug.what);
            }
        }
    }
    all
}

/// Which test fails, and how.
fn noticed(bug: &Bug, source: &Path, target: &Path) -> Result<String, String> {
    let cargo = |words: &str, last: &[&str]| {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(words.split(' ')).args(last).current_dir(source).env("CARGO_TARGET_DIR", target);
        command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
        command.output().map_err(|error| error.to_string())
    };
    if bug.builds_runtime {
        let built = Command::new("sh").arg("rt/build.sh").current_dir(source).env("CARGO_TARGET_DIR", target).output();
        if !built.is_ok_and(|output| output.status.success()) {
            return Err("the runtime cannot be built".into());
        }
    }
    for tests in &bug.tests {
        // What follows `--` is for the tests themselves.
        let build = tests.split_once(" -- ").map_or(&**tests, |words| words.0);
        let built = cargo(&format!("test {build}"), &["--no-run"])?;
        if !built.status.success() {
            return Err(format!("it does not compile:\n{}", String::from_utf8_lossy(&built.stderr)));
        }
        let tested = cargo(&format!("test {tests}"), &[])?;
        if !tested.status.success() {
            let text = String::from_utf8_lossy(&tested.stdout).into_owned() + &String::from_utf8_lossy(&tested.stderr);
            let line = text.lines().find(|line| line.contains("disagree") || line.contains("panicked"));
            return Ok(format!("{tests}: {}", line.unwrap_or("a test fails").chars().take(160).collect::<String>()));
        }
    }
    Err("all tests pass".into())
}

/// Copies what belongs to the project; a file that is equal keeps its time, so that it is not built again.
fn copy_sources(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("sources can be read").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if name == "target" || name == ".git" {
            continue;
        }
        let copy = to.join(&name);
        if path.is_dir() {
            copy_sources(&path, &copy);
        } else {
            let text = fs::read(&path).expect("sources can be read");
            if fs::read(&copy).ok().as_deref() != Some(&text) {
                fs::write(&copy, text).expect("the copy can be written");
            }
        }
    }
}
