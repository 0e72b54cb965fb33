//! Runs the test programs with one bug after the other.

use super::bugs::{Bug, Hint, bugs, root};
use super::found::{self, Passed, Row};
use super::programs::{Program, build};
use super::watch::{End, Tests, run_program};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A test program with a bug may take so much longer than without.
const SLOWER: u32 = 4;
const LEAST_LIMIT: Duration = Duration::from_secs(120);
/// Without a bug all may take long.
const LONGEST: Duration = Duration::from_secs(3600);

/// What a program does without a bug: how long it takes, and the tests that it runs when nobody chooses.
struct Usual {
    time: Duration,
    tests: BTreeSet<String>,
}

/// The programs, with what they do without a bug; what is quick comes first.
type Usuals = Vec<(Program, Usual)>;

/// Tries bugs; true if all were noticed.
pub fn run(words: &[String]) -> bool {
    let (flags, names): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.starts_with("--"));
    let again = flags.iter().any(|flag| *flag == "--again");
    let bugs = bugs();
    if let Some(name) = names.iter().find(|name| !bugs.iter().any(|bug| bug.name == ***name)) {
        println!("there is no bug `{name}`");
        return false;
    }
    let programs = match build(&root(), &bugs) {
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
    let is_same = |name: &str| programs.iter().any(|program| program.is_fresh && program.name == name);
    let is_asked = |bug: &str| again || names.iter().any(|name| *name == bug);
    let passed = scratch("passed");
    let mut passed = Passed::read(passed, |bug, program| is_same(program) && !is_asked(bug));
    let Some(usuals) = without_bugs(programs) else { return false };
    let mut left: Vec<&Bug> = Vec::new();
    for is_likely in [true, false] {
        let bugs_of_round = if is_likely { chosen.clone() } else { std::mem::take(&mut left) };
        for bug in bugs_of_round {
            let begin = Instant::now();
            let found = match is_likely {
                true => likely(bug, &rows, &usuals, &mut passed),
                false => usuals.iter().find_map(|usual| all_tests(bug, usual, &mut passed)),
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
        if is_likely && !left.is_empty() {
            println!("{} bugs are left to the other test programs", left.len());
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

/// Runs what has found a bug before, or should.
fn likely(bug: &Bug, rows: &[Row], usuals: &Usuals, passed: &mut Passed) -> Option<Row> {
    if let Some(row) = rows.iter().find(|row| row.bug == bug.name)
        && let Some(usual) = usuals.iter().find(|usual| usual.0.name == row.program)
    {
        let found = match usual.1.tests.contains(&row.test) {
            true => some_tests(bug, usual, Tests::Exactly(&row.test)),
            false => all_tests(bug, usual, passed),
        };
        if found.is_some() {
            return found;
        }
    }
    bug.hints.iter().find_map(|Hint { program, tests }| {
        let usual = usuals.iter().find(|usual| usual.0.name == *program);
        let usual = usual.unwrap_or_else(|| panic!("`{}`: there is no test program `{program}`", bug.name));
        match tests {
            Some(tests) => some_tests(bug, usual, Tests::With(tests)),
            None => all_tests(bug, usual, passed),
        }
    })
}

/// Runs a program with a bug as it is, unless it is known to pass.
fn all_tests(bug: &Bug, (program, usual): &(Program, Usual), passed: &mut Passed) -> Option<Row> {
    if passed.contains(&bug.name, &program.name) {
        return None;
    }
    match run_program(program, Tests::All, Some(&bug.name), limit(usual)) {
        End::Failed(test) => Some(Row { bug: bug.name.clone(), program: program.name.clone(), test }),
        End::Passed(..) => {
            passed.add(&bug.name, &program.name);
            None
        }
    }
}

/// Runs some of a program's tests. Only those count that run when nobody chooses.
fn some_tests(bug: &Bug, (program, usual): &(Program, Usual), tests: Tests) -> Option<Row> {
    match run_program(program, tests, Some(&bug.name), limit(usual)) {
        End::Failed(test) if usual.tests.contains(&test) => {
            Some(Row { bug: bug.name.clone(), program: program.name.clone(), test })
        }
        _ => None,
    }
}

fn limit(usual: &Usual) -> Duration {
    LEAST_LIMIT.max(usual.time * SLOWER)
}

fn scratch(name: &str) -> PathBuf {
    root().join("target/seeded").join(name)
}

/// Runs all programs without a bug, unless they are known to pass: tests that fail then prove nothing.
fn without_bugs(programs: Vec<Program>) -> Option<Usuals> {
    let path = scratch("usual");
    let text = fs::read_to_string(&path).unwrap_or_default();
    // Lines of a program, its milliseconds and a test.
    let mut known: BTreeMap<&str, Usual> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(name), Some(time), Some(test)) = (words.next(), words.next(), words.next()) else { continue };
        let time = Duration::from_millis(time.parse().unwrap_or(0));
        known.entry(name).or_insert(Usual { time, tests: BTreeSet::new() }).tests.insert(test.into());
    }
    let (mut usuals, mut all) = (Vec::new(), true);
    for program in programs {
        if let Some(usual) = known.remove(&*program.name).filter(|_| program.is_fresh) {
            usuals.push((program, usual));
            continue;
        }
        match run_program(&program, Tests::All, None, LONGEST) {
            End::Passed(time, tests) => {
                println!("{:<24} {:>6.1} s without a bug", program.name, time.as_secs_f64());
                usuals.push((program, Usual { time, tests }));
            }
            End::Failed(test) => {
                println!("{} fails without any bug: {test}", program.name);
                all = false;
            }
        }
        let mut text = String::new();
        for (Program { name, .. }, Usual { time, tests }) in &usuals {
            let lines = tests.iter().map(|test| format!("{name} {} {test}\n", time.as_millis()));
            text.extend(lines);
        }
        fs::write(&path, text).expect("what tests do without a bug can be written");
    }
    // Programs without tests are of no use here.
    usuals.retain(|(_, usual)| !usual.tests.is_empty());
    usuals.sort_by_key(|(_, usual)| usual.time);
    all.then_some(usuals)
}
