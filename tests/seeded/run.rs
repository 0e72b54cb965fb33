//! Runs the test programs with one bug after the other.

use super::bugs::{Bug, bugs, root};
use super::found::{self, Passed, Row};
use super::programs::{Program, build};
use std::collections::BTreeMap;
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
/// A test program with a bug may take so much longer than without.
const SLOWER: u64 = 4;
const LEAST_LIMIT: Duration = Duration::from_secs(120);

/// How a test program has ended.
enum End {
    Passed(Duration),
    /// The first test that failed, or what else has happened.
    Failed(String),
}

/// Tries bugs; true if all were noticed.
pub fn run(words: &[String]) -> bool {
    let (flags, names): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.starts_with("--"));
    let again = flags.iter().any(|flag| *flag == "--again");
    let bugs = bugs();
    if let Some(name) = names.iter().find(|name| !bugs.iter().any(|bug| bug.name == ***name)) {
        println!("there is no bug `{name}`");
        return false;
    }
    let scratch = root().join("target/seeded");
    let mut programs = match build(&root(), &bugs) {
        Ok(programs) => programs,
        Err(why) => {
            println!("{why}");
            return false;
        }
    };
    let mut rows = found::read();
    let chosen: Vec<&Bug> = match names.is_empty() {
        true => bugs.iter().filter(|bug| again || !rows.iter().any(|row| row.bug == bug.name)).collect(),
        false => bugs.iter().filter(|bug| names.contains(&&bug.name)).collect(),
    };
    if again {
        fs::write(scratch.join("passed"), "").expect("the file can be written");
    }
    let is_same = |name: &str| programs.iter().any(|program| program.is_fresh && program.name == name);
    let asked = |bug: &str| names.iter().any(|name| *name == bug);
    let mut passed = Passed::read(scratch.join("passed"), |bug, program| is_same(program) && !asked(bug));
    let Some(times) = without_bugs(&programs) else { return false };
    // What is quick comes first.
    programs.sort_by_key(|program| times[&program.name]);
    let mut left: Vec<&Bug> = Vec::new();
    for round in [Round::Likely, Round::Others] {
        let bugs_of_round = if round == Round::Likely { chosen.clone() } else { std::mem::take(&mut left) };
        for bug in bugs_of_round {
            let begin = Instant::now();
            let old = rows.iter().find(|row| row.bug == bug.name).map(|row| row.program.clone());
            let likely = order(bug, old.as_deref(), &programs);
            let found = match round {
                Round::Likely => likely.into_iter().find_map(|program| try_one(bug, program, &times, &mut passed)),
                Round::Others => programs.iter().find_map(|program| try_one(bug, program, &times, &mut passed)),
            };
            let seconds = begin.elapsed().as_secs();
            let Some(row) = found else {
                left.push(bug);
                continue;
            };
            println!("{:<24} {seconds:>4} s  {} {}  ({})", bug.name, row.program, row.test, bug.what);
            rows.retain(|row| row.bug != bug.name);
            rows.push(row);
            found::write(&bugs, &rows);
        }
    }
    for bug in &left {
        println!("{:<24} NOT FOUND ({})", bug.name, bug.what);
        rows.retain(|row| row.bug != bug.name);
    }
    found::write(&bugs, &rows);
    let count = bugs.iter().filter(|bug| rows.iter().any(|row| row.bug == bug.name)).count();
    println!("{count} of {} bugs are found", bugs.len());
    left.is_empty()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Those that have found the bug before, or should.
    Likely,
    Others,
}

/// Programs that will hardly miss a bug.
fn order<'p>(bug: &Bug, old: Option<&str>, programs: &'p [Program]) -> Vec<&'p Program> {
    let names = old.into_iter().chain(bug.hints.iter().map(String::as_str));
    names.filter_map(|name| programs.iter().find(|program| program.name == name)).collect()
}

/// Runs a program with a bug, unless it is known to pass.
fn try_one(bug: &Bug, program: &Program, times: &BTreeMap<String, Duration>, passed: &mut Passed) -> Option<Row> {
    if passed.contains(&bug.name, &program.name) {
        return None;
    }
    let limit = LEAST_LIMIT.max(times[&program.name] * SLOWER as u32);
    match run_program(program, Some(&bug.name), limit) {
        End::Failed(test) => Some(Row { bug: bug.name.clone(), program: program.name.clone(), test }),
        End::Passed(_) => {
            passed.add(&bug.name, &program.name);
            None
        }
    }
}

/// Runs all programs without a bug: tests that fail then prove nothing. How long each takes, from this time or an
/// earlier one.
fn without_bugs(programs: &[Program]) -> Option<BTreeMap<String, Duration>> {
    let path = root().join("target/seeded/times");
    let text = fs::read_to_string(&path).unwrap_or_default();
    let rows = text.lines().filter_map(|line| line.split_once(' '));
    let mut times: BTreeMap<String, Duration> = rows
        .filter(|(name, _)| programs.iter().any(|program| program.name == **name && program.is_fresh))
        .filter_map(|(name, time)| Some((name.to_string(), Duration::from_millis(time.parse().ok()?))))
        .collect();
    let mut all = true;
    for program in programs {
        if times.contains_key(&program.name) {
            continue;
        }
        match run_program(program, None, Duration::from_secs(3600)) {
            End::Passed(time) => {
                println!("{:<24} {:>6.1} s without a bug", program.name, time.as_secs_f64());
                times.insert(program.name.clone(), time);
                let rows = times.iter().map(|(name, time)| format!("{name} {}\n", time.as_millis()));
                fs::write(&path, rows.collect::<String>()).expect("times can be written");
            }
            End::Failed(test) => {
                println!("{} fails without any bug: {test}", program.name);
                all = false;
            }
        }
    }
    all.then_some(times)
}

/// Runs a test program until a test of it fails.
fn run_program(program: &Program, bug: Option<&str>, limit: Duration) -> End {
    let errors = File::create(root().join("target/seeded/stderr")).expect("the file can be made");
    let mut command = Command::new("nice");
    command.args(["-n", "5"]).arg(&program.path).args(["--skip", PREBUILT]).current_dir(&program.folder);
    command.env("CARGO_MANIFEST_DIR", &program.folder).env("RUST_BACKTRACE", "0");
    command.env_remove("CLEAVE_THOROUGH").env_remove("CLEAVE_SEED").envs(bug.map(|bug| ("CLEAVE_SEED", bug)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).process_group(0);
    let mut child = command.spawn().expect("a test program can be started");
    let begin = Instant::now();
    let end = watch(&mut child, begin, limit);
    if matches!(end, End::Failed(_)) {
        // With what it has started.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.wait();
    end
}

fn watch(child: &mut Child, begin: Instant, limit: Duration) -> End {
    let stdout = child.stdout.take().expect("it is a pipe");
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
        }
    });
    let mut is_open = true;
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                if let Some(test) = failed(&line) {
                    return End::Failed(test);
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => {
                is_open = false;
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if begin.elapsed() > limit {
            return End::Failed("(does not end)".into());
        }
        if memory(child.id()) > MOST_MEMORY {
            return End::Failed("(takes all memory)".into());
        }
        let status = child.try_wait().expect("a child can be waited for");
        if let Some(status) = status.filter(|_| !is_open) {
            return match status.success() {
                true => End::Passed(begin.elapsed()),
                false => End::Failed(format!("({status})")),
            };
        }
    }
}

/// The name of the test that a line says has failed.
fn failed(line: &str) -> Option<String> {
    let name = line.strip_prefix("test ")?.strip_suffix("FAILED")?.trim_end().strip_suffix("...")?;
    Some(name.trim().to_string())
}

/// Memory that a process has, in bytes.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
