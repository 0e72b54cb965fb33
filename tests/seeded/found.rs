//! `found.txt`: which test finds which bug. And what has passed with which bug, to go on where a run was stopped.

use super::bugs::{Bug, root};
use std::fs;
use std::path::PathBuf;

/// A bug that is found.
#[derive(Clone, Debug)]
pub struct Row {
    pub bug: String,
    /// The test program.
    pub program: String,
    pub test: String,
}

const HEADER: &str = "\
# Which test notices which of the bugs in `bugs.txt`: the bug, the test program of `cargo test --workspace`, and the
# test in it that failed first. Written by `cargo test -p cleave-tests --test seeded -- --run`.
";

fn path() -> PathBuf {
    root().join("tests/seeded/found.txt")
}

/// What is known.
pub fn read() -> Vec<Row> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let row = |line: &str| {
        let mut words = line.splitn(3, ' ').map(|word| word.trim().to_string());
        Some(Row { bug: words.next()?, program: words.next()?, test: words.next()? })
    };
    text.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

/// Writes down what is known now, in the order of the bugs.
pub fn write(bugs: &[Bug], rows: &[Row]) {
    let rows = bugs.iter().filter_map(|bug| rows.iter().find(|row| row.bug == bug.name));
    let lines = rows.map(|Row { bug, program, test }| format!("{bug} {program} {test}\n"));
    fs::write(path(), HEADER.to_string() + &lines.collect::<String>()).expect("the table can be written");
}

/// Pairs of a bug and a test program that passes with it.
pub struct Passed {
    path: PathBuf,
    pairs: Vec<(String, String)>,
}

impl Passed {
    /// Without those for which a program was built anew, or a bug is to be tried again.
    pub fn read(path: PathBuf, counts: impl Fn(&str, &str) -> bool) -> Passed {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        let pairs = pairs.filter(|(bug, program)| counts(bug, program));
        Passed { path, pairs: pairs.map(|(bug, program)| (bug.into(), program.into())).collect() }
    }

    pub fn contains(&self, bug: &str, program: &str) -> bool {
        self.pairs.iter().any(|pair| pair.0 == bug && pair.1 == program)
    }

    pub fn add(&mut self, bug: &str, program: &str) {
        self.pairs.push((bug.into(), program.into()));
        let text: String = self.pairs.iter().map(|(bug, program)| format!("{bug} {program}\n")).collect();
        fs::write(&self.path, text).expect("what has passed can be written");
    }
}
