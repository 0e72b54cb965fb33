//! What breaks a naive translation of ABC code: one small program of our own for each of the 17 traps in chapter (g) of
//! the ABC reference, with the output worked out by hand.
//!
//! ```text
//! | stdout: TEXT      \n is a line break; empty if absent
//! | status: 255       0 if absent
//! | error: E0901      it does not compile, with this message alone
//! ```
//! Each runs in the engine and as machine code, there also under stress, and in the interpreter in every phase,
//! optimised and not.

use cleave_tests::process::{AS_COMPILER, ENGINES, Output, announce_missing, compiler, is_there, run};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
const TRAPS: usize = 17;

/// A collection per reservation, each of which walks a stack of 10^6 frames, would never end.
const NOT_STRESSED: &[&str] = &["17-deep-recursion"];

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traps");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("tests/traps exists")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "abc"))
        .collect();
    files.sort();
    let names: Vec<String> = files.iter().map(|path| stem(path)).collect();
    let mut trials = vec![Trial::test("every-trap-has-a-test", move || complete(&names).map_err(Failed::from))];
    for path in files {
        let name = stem(&path);
        let case = Case::read(&path);
        let engines = if case.error.is_some() { &ENGINES[..1] } else { &ENGINES[..] };
        for &(engine, options) in engines {
            if options.contains(&"--gc-stress") && NOT_STRESSED.contains(&name.as_str()) {
                if !arguments.list {
                    println!("{engine}/{name}: left out: a collection per frame would never end");
                }
                continue;
            }
            let (path, case) = (path.clone(), case.clone());
            let test = move || case.check(&path, options).map_err(Failed::from);
            trials.push(Trial::test(format!("{engine}/{name}"), test).with_ignored_flag(!is_there(options)));
        }
    }
    announce_missing();
    libtest_mimic::run(&arguments, trials).exit();
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn complete(names: &[String]) -> Result<(), String> {
    for trap in 1..=TRAPS {
        if !names.iter().any(|name| name.starts_with(&format!("{trap:02}-"))) {
            return Err(format!("no test for trap {trap}"));
        }
    }
    Ok(())
}

/// What a program must do.
#[derive(Clone, Debug, Default)]
struct Case {
    stdout: String,
    status: i32,
    error: Option<String>,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut case = Case::default();
        for line in text.lines().map_while(|line| line.strip_prefix("| ")) {
            match line.split_once(": ") {
                Some(("stdout", text)) => case.stdout = text.replace("\\n", "\n"),
                Some(("status", text)) => case.status = text.parse().expect("a status is a number"),
                Some(("error", text)) => case.error = Some(text.to_string()),
                _ => {}
            }
        }
        case
    }

    fn check(&self, path: &Path, options: &[&str]) -> Result<(), String> {
        let output = run(compiler().arg("run").args(options).arg(path), Vec::new(), LIMIT)?;
        match &self.error {
            None => output.expect(self.status, self.stdout.as_bytes()),
            Some(code) => {
                output.expect(1, b"")?;
                let text = String::from_utf8_lossy(&output.stderr);
                let errors = text.matches("error[").count();
                if errors == 1 && text.contains(&format!("error[{code}]")) {
                    return Ok(());
                }
                Err(format!("not the one error {code}:\n{text}"))
            }
        }
        .and_then(|()| self.collects(&output, options))
    }

    /// Under stress every program but those that end at once collects.
    fn collects(&self, output: &Output, options: &[&str]) -> Result<(), String> {
        let text = String::from_utf8_lossy(&output.stderr);
        if options.contains(&"--gc-stress") && !text.contains(" collections\n") {
            return Err(format!("the number of collections is missing: {text:?}"));
        }
        Ok(())
    }
}
