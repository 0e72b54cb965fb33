//! `corpus/collections.txt`: how often each program collects under stress, one line per program.
//!
//! ```text
//! NAME  INTERVAL  COLLECTIONS  # why not at every reservation
//! ```
//! A program that is not in the table collects at every reservation. Rewriting keeps intervals and reasons.

use crate::samples;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

const HEADER: &str = "\
# Collections under --gc-stress=INTERVAL at the default optimisation level: asserted by the tests, rewritten by BLESS=1.
# An interval above 1 is chosen such that there are a few thousand collections; the reason names what 1 would mean.
# Intervals are primes, so that they do not beat with the loops of a program.
# NAME INTERVAL COLLECTIONS
";

/// How a program is stressed.
#[derive(Clone, Copy, Debug)]
pub struct Stress {
    pub interval: u32,
    pub collections: Option<u64>,
}

#[derive(Clone, Debug)]
struct Row {
    stress: Stress,
    reason: String,
}

/// All rows by name.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
}

impl Table {
    pub fn read() -> Table {
        let mut table = Table::default();
        for line in fs::read_to_string(path()).unwrap_or_default().lines().filter(|line| !line.starts_with('#')) {
            let (numbers, reason) = line.split_once('#').unwrap_or((line, ""));
            let mut words = numbers.split_whitespace();
            let (Some(name), Some(interval)) = (words.next(), words.next().and_then(|word| word.parse().ok())) else {
                panic!("{}: bad line `{line}`", path().display());
            };
            let collections = words.next().and_then(|word| word.parse().ok());
            let row = Row { stress: Stress { interval, collections }, reason: reason.trim().to_string() };
            table.rows.insert(name.to_string(), row);
        }
        table
    }

    pub fn get(&self, name: &str) -> Stress {
        self.rows.get(name).map_or(Stress { interval: 1, collections: None }, |row| row.stress)
    }

    /// Notes the number of collections of a run.
    pub fn found(&mut self, name: &str, collections: u64) {
        let stress = Stress { interval: 1, collections: None };
        let row = self.rows.entry(name.to_string()).or_insert(Row { stress, reason: String::new() });
        row.stress.collections = Some(collections);
    }

    pub fn write(&self) {
        let width = self.rows.keys().map(String::len).max().unwrap_or(0);
        let mut text = HEADER.to_string();
        for (name, Row { stress, reason }) in &self.rows {
            let count = stress.collections.map(|count| count.to_string()).unwrap_or_default();
            let reason = if reason.is_empty() { String::new() } else { format!("  # {reason}") };
            let line = format!("{name:width$} {:6} {count:>8}{reason}", stress.interval);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        fs::write(path(), text).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    }
}

fn path() -> PathBuf {
    samples::folder().join("collections.txt")
}
