//! Runs a test program until one of its tests fails.

use super::bugs::root;
use super::programs::Program;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The test that compares the compiled runtime with its sources, which have bugs.
const PREBUILT: &str = "the_checked_in_module_is_up_to_date";
/// Memory of a test program, in bytes: with a bug it may never have enough.
const MOST_MEMORY: u64 = 6 << 30;
const PAGE: u64 = 4096;
const LONGEST_STEP: Duration = Duration::from_secs(1);

/// Which tests of a program run.
#[derive(Clone, Copy)]
pub enum Tests<'n> {
    All,
    /// Those with this in their names.
    With(&'n str),
    Exactly(&'n str),
}

/// How a test program has ended.
pub enum End {
    /// After this time, with these tests.
    Passed(Duration, BTreeSet<String>),
    /// The first test that failed, or what else has happened.
    Failed(String),
}

/// Runs a test program until a test of it fails.
pub fn run_program(program: &Program, tests: Tests, bug: Option<&str>, limit: Duration) -> End {
    let errors = File::create(root().join("target/seeded/stderr")).expect("the file can be made");
    let mut command = Command::new("nice");
    command.args(["-n", "5"]).arg(&program.path).current_dir(&program.folder);
    if program.name == "rt" {
        command.args(["--skip", PREBUILT]);
    }
    match tests {
        Tests::All => {}
        Tests::With(name) => drop(command.arg(name)),
        Tests::Exactly(name) => drop(command.args(["--exact", name])),
    }
    command.env("CARGO_MANIFEST_DIR", &program.folder).env("RUST_BACKTRACE", "0");
    command.env_remove("CLEAVE_THOROUGH").env_remove("CLEAVE_SEED").envs(bug.map(|bug| ("CLEAVE_SEED", bug)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).process_group(0);
    let mut child = command.spawn().expect("a test program can be started");
    let end = watch(&mut child, limit);
    if matches!(end, End::Failed(_)) {
        // With what it has started.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.wait();
    end
}

fn watch(child: &mut Child, limit: Duration) -> End {
    let stdout = child.stdout.take().expect("it is a pipe");
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
        }
    });
    let (mut is_open, mut tests) = (true, BTreeSet::new());
    // Without the time in which somebody has stopped us.
    let (mut used, mut last) = (Duration::ZERO, Instant::now());
    loop {
        used += last.elapsed().min(LONGEST_STEP);
        last = Instant::now();
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                if let Some(test) = ended(&line, "FAILED") {
                    return End::Failed(test);
                }
                tests.extend(ended(&line, "ok"));
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => {
                is_open = false;
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if used > limit {
            return End::Failed("(does not end)".into());
        }
        if memory(child.id()) > MOST_MEMORY {
            return End::Failed("(takes all memory)".into());
        }
        let status = child.try_wait().expect("a child can be waited for");
        if let Some(status) = status.filter(|_| !is_open) {
            return match status.success() {
                true => End::Passed(used, tests),
                false => End::Failed(format!("({status})")),
            };
        }
    }
}

/// The name of the test of which a line says that it has ended so.
fn ended(line: &str, how: &str) -> Option<String> {
    let name = line.strip_prefix("test ")?.strip_suffix(how)?.trim_end().strip_suffix("...")?.trim();
    Some(name.trim_end_matches(" - should panic").to_string())
}

/// Memory that a process has, in bytes.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE
}
