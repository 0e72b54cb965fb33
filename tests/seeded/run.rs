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

/// The test programs, and what they do without a bug, as far as it is known.
struct Programs {
    all: Vec<Program>,
    /// `None`: tests fail without a bug, and prove nothing.
    usual: BTreeMap<String, Option<Usual>>,
    passed: Passed,
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
    let mut programs = Programs::new(programs, |bug| again || names.iter().any(|name| *name == bug));
    let mut left: Vec<&Bug> = Vec::new();
    for is_likely in [true, false] {
        let bugs_of_round = if is_likely { chosen.clone() } else { std::mem::take(&mut left) };
        for bug in bugs_of_round {
            let begin = Instant::now();
            let row = rows.iter().find(|row| row.bug == bug.name);
            let found = if is_likely { programs.likely(bug, row) } else { programs.any(bug) };
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
    left.is_empty() && programs.usual.values().all(Option::is_some)
}

impl Programs {
    /// With what earlier runs have found out about programs that are the same.
    fn new(all: Vec<Program>, is_asked: impl Fn(&str) -> bool) -> Programs {
        let is_same = |name: &str| all.iter().any(|program| program.is_fresh && program.name == name);
        let passed = Passed::read(scratch("passed"), |bug, program| is_same(program) && !is_asked(bug));
        let mut usual: BTreeMap<String, Option<Usual>> = BTreeMap::new();
        // Lines of a program, its milliseconds and a test.
        for line in fs::read_to_string(scratch("usual")).unwrap_or_default().lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(name), Some(time), Some(test)) = (words.next(), words.next(), words.next()) else { continue };
            if !is_same(name) {
                continue;
            }
            let time = Duration::from_millis(time.parse().unwrap_or(0));
            let known = usual.entry(name.into()).or_insert(Some(Usual { time, tests: BTreeSet::new() }));
            known.iter_mut().for_each(|known| known.tests.extend([test.to_string()]));
        }
        Programs { all, usual, passed }
    }

    /// A program and what it does without a bug, which is found out now if it is not known.
    fn usual(&mut self, name: &str) -> Option<(&Program, &Usual)> {
        let program = self.all.iter().find(|program| program.name == name);
        let program = program.unwrap_or_else(|| panic!("there is no test program `{name}`"));
        if !self.usual.contains_key(name) {
            let usual = match run_program(program, Tests::All, None, LONGEST) {
                End::Passed(time, tests) => {
                    println!("{name} takes {:.1} s without a bug", time.as_secs_f64());
                    Some(Usual { time, tests })
                }
                End::Failed(test) => {
                    println!("{name} FAILS without any bug: {test}");
                    None
                }
            };
            self.usual.insert(name.into(), usual);
            let known = self.usual.iter().filter_map(|(name, usual)| Some((name, usual.as_ref()?)));
            let mut text = String::new();
            for (name, Usual { time, tests }) in known {
                text.extend(tests.iter().map(|test| format!("{name} {} {test}\n", time.as_millis())));
            }
            fs::write(scratch("usual"), text).expect("what tests do without a bug can be written");
        }
        Some((program, self.usual[name].as_ref()?))
    }

    /// Runs what has found a bug before, or should.
    fn likely(&mut self, bug: &Bug, row: Option<&Row>) -> Option<Row> {
        if let Some(Row { program, test, .. }) = row
            && self.all.iter().any(|known| known.name == *program)
        {
            let found = match test.starts_with('(') {
                true => self.all_tests(bug, program),
                false => self.some_tests(bug, program, Tests::Exactly(test)),
            };
            if found.is_some() {
                return found;
            }
        }
        bug.hints.iter().find_map(|Hint { program, tests }| match tests {
            Some(tests) => self.some_tests(bug, program, Tests::With(tests)),
            None => self.all_tests(bug, program),
        })
    }

    /// Runs all programs; what is quick comes first.
    fn any(&mut self, bug: &Bug) -> Option<Row> {
        let mut names: Vec<String> = self.all.iter().map(|program| program.name.clone()).collect();
        names.sort_by_key(|name| self.usual(name).map(|(_, usual)| usual.time));
        names.iter().find_map(|name| self.all_tests(bug, name))
    }

    /// Runs a program with a bug as it is, unless it is known to pass.
    fn all_tests(&mut self, bug: &Bug, name: &str) -> Option<Row> {
        if self.passed.contains(&bug.name, name) {
            return None;
        }
        let (program, usual) = self.usual(name)?;
        match run_program(program, Tests::All, Some(&bug.name), limit(usual)) {
            End::Failed(test) => Some(Row { bug: bug.name.clone(), program: name.into(), test }),
            End::Passed(..) => {
                self.passed.add(&bug.name, name);
                None
            }
        }
    }

    /// Runs some of a program's tests. Only those count that run when nobody chooses.
    fn some_tests(&mut self, bug: &Bug, name: &str, tests: Tests) -> Option<Row> {
        let (program, usual) = self.usual(name)?;
        match run_program(program, tests, Some(&bug.name), limit(usual)) {
            End::Failed(test) if usual.tests.contains(&test) => {
                Some(Row { bug: bug.name.clone(), program: name.into(), test })
            }
            _ => None,
        }
    }
}

fn limit(usual: &Usual) -> Duration {
    LEAST_LIMIT.max(usual.time * SLOWER)
}

fn scratch(name: &str) -> PathBuf {
    root().join("target/seeded").join(name)
}
