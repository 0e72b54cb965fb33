//! `corpus/collections.txt`: how often each program collects under stress, one line per program.
//!
//! ```text
//! NAME  INTERVAL  WASM  MACHINE  # why not at every reservation
//! ```
//! Two numbers of collections, since larger functions are copied to where they are called in WebAssembly, which joins
//! reservations. A program that is not in the table collects at every reservation. Rewriting keeps intervals and
//! reasons.

use crate::samples;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

const HEADER: &str = "\
# Collections under --gc-stress=INTERVAL at the default optimisation level: asserted by the tests, rewritten by BLESS=1.
# An interval above 1 is chosen such that there are a few thousand collections; the reason names what 1 would mean.
# Intervals are primes, so that they do not beat with the loops of a program.
# NAME INTERVAL WASM MACHINE
";

/// What runs the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    Wasm,
    Machine,
}

/// How a program is stressed.
#[derive(Clone, Copy, Debug)]
pub struct Stress {
    pub interval: u32,
    /// How often it collects in WebAssembly, and in machine code.
    collections: [Option<u64>; 2],
}

impl Stress {
    /// Of a program that is not in the table.
    const DENSE: Stress = Stress { interval: 1, collections: [None; 2] };

    /// How often a program collects in such code, if that is known.
    pub fn collections(self, code: Code) -> Option<u64> {
        self.collections[code as usize]
    }
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
            let mut number = || words.next().and_then(|word| word.parse().ok());
            let collections = [number(), number()];
            let row = Row { stress: Stress { interval, collections }, reason: reason.trim().to_string() };
            table.rows.insert(name.to_string(), row);
        }
        table
    }

    pub fn get(&self, name: &str) -> Stress {
        self.rows.get(name).map_or(Stress::DENSE, |row| row.stress)
    }

    /// Notes the number of collections of a run.
    pub fn found(&mut self, name: &str, code: Code, collections: u64) {
        let row = self.rows.entry(name.to_string()).or_insert(Row { stress: Stress::DENSE, reason: String::new() });
        row.stress.collections[code as usize] = Some(collections);
    }

    pub fn write(&self) {
        let width = self.rows.keys().map(String::len).max().unwrap_or(0);
        let mut text = HEADER.to_string();
        for (name, Row { stress, reason }) in &self.rows {
            let [wasm, machine] = stress.collections.map(|count| count.map_or("?".into(), |count| count.to_string()));
            let reason = if reason.is_empty() { String::new() } else { format!("  # {reason}") };
            let line = format!("{name:width$} {:6} {wasm:>8} {machine:>8}{reason}", stress.interval);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        fs::write(path(), text).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    }
}

fn path() -> PathBuf {
    samples::folder().join("collections.txt")
}
