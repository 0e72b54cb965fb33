//! How long each phase took: `--time` as a table, `--time=json` as one line.
//!
//! Phases are named in the order of their first use; a phase that runs several times (a pass) is summed up. A phase
//! may lie inside another: it is then indented in the table, and is no part of the total.

use std::fmt::Write;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
struct Phase {
    name: String,
    time: Duration,
    /// Part of the phase before it that has depth 0.
    inner: bool,
}

/// The phases so far.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    phases: Vec<Phase>,
}

/// Names of the phases that make up `compile_s`: from the first byte read to the last byte of WebAssembly.
const COMPILE: &[&str] = &["parse", "build", "passes", "lowering", "emit"];

impl Timing {
    /// Measures a phase.
    pub fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let result = work();
        self.add(name, begin.elapsed());
        result
    }

    pub fn add(&mut self, name: &str, time: Duration) {
        self.add_phase(name, time, false);
    }

    /// Adds a part of the phase that is added next or was added last.
    pub fn add_inner(&mut self, name: &str, time: Duration) {
        self.add_phase(name, time, true);
    }

    /// Adds the phases of another part.
    pub fn append(&mut self, other: Timing) {
        other.phases.iter().for_each(|phase| self.add_phase(&phase.name, phase.time, phase.inner));
    }

    fn add_phase(&mut self, name: &str, time: Duration, inner: bool) {
        match self.phases.iter_mut().find(|phase| phase.name == name && phase.inner == inner) {
            Some(phase) => phase.time += time,
            None => self.phases.push(Phase { name: name.to_string(), time, inner }),
        }
    }

    /// Seconds of a phase, 0 if it did not run.
    pub fn seconds(&self, name: &str) -> f64 {
        let phase = self.phases.iter().find(|phase| phase.name == name && !phase.inner);
        phase.map_or(0.0, |phase| phase.time.as_secs_f64())
    }

    /// Seconds of our own work, from text to bytes.
    pub fn compile_seconds(&self) -> f64 {
        COMPILE.iter().map(|name| self.seconds(name)).sum()
    }

    /// The table, one line per phase. `extra` are lines of further numbers.
    pub fn table(&self, extra: &[(&str, f64)]) -> String {
        let total: f64 = self.phases.iter().filter(|phase| !phase.inner).map(|phase| phase.time.as_secs_f64()).sum();
        let share = |seconds: f64| if total > 0.0 { 100.0 * seconds / total } else { 0.0 };
        let mut out = String::from("      time   share  phase\n");
        for phase in &self.phases {
            let seconds = phase.time.as_secs_f64();
            let indent = if phase.inner { "  " } else { "" };
            let _ = writeln!(out, "{:>8.2} ms  {:>4.1} %  {indent}{}", seconds * 1e3, share(seconds), phase.name);
        }
        for (name, seconds) in extra {
            let _ = writeln!(out, "{:>8.2} ms          of these in {name}", seconds * 1e3);
        }
        let _ = writeln!(out, "{:>8.2} ms          total", total * 1e3);
        out
    }

    /// The line of JSON, without a line break. The named fields are a stable interface; `phases` lists everything.
    pub fn json(&self, numbers: &[(&str, u64)], seconds: &[(&str, f64)]) -> String {
        let mut out = String::from("{\"version\":1");
        let _ = write!(out, ",\"compile_s\":{:.6}", self.compile_seconds());
        for (name, value) in seconds {
            let _ = write!(out, ",\"{name}\":{value:.6}");
        }
        for (name, value) in numbers {
            let _ = write!(out, ",\"{name}\":{value}");
        }
        out.push_str(",\"phases\":[");
        for (index, phase) in self.phases.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(out, "{comma}{{\"name\":\"{}\",\"s\":{:.6}", phase.name, phase.time.as_secs_f64());
            let _ = write!(out, ",\"inner\":{}}}", phase.inner);
        }
        out.push_str("]}");
        out
    }
}
