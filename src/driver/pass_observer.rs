//! The observer between passes: `--print-after`, the texts for `--emit ir:PASS`, and what `--time` and `--stats` show
//! of passes.

use crate::driver::output::write_stderr;
use crate::driver::panic_hook;
use crate::driver::pipeline::{BUILD, CALLS, CALLS_DOT};
use crate::driver::session::{Counts, Options, Session};
use crate::driver::timing::Timing;
use cleave_compile::{Observer, Step};
use cleave_ir::{Module, text};
use cleave_passes::analysis::call_graph;
use cleave_passes::manager::Report;
use cleave_passes::table::{GC_LEAF, Group, Pass};
use std::time::Duration;

/// Watches one compilation.
pub struct PassObserver {
    print_after: Vec<String>,
    dump_points: Vec<String>,
    /// The text at each point that was passed, in the order of `points`; a later visit replaces an earlier one.
    pub snapshots: Vec<(String, String)>,
    /// Not told to the session yet.
    timing: Timing,
    counts: Counts,
}

impl PassObserver {
    pub fn new(options: &Options, dump_points: &[String]) -> PassObserver {
        PassObserver {
            print_after: options.print_after.clone(),
            dump_points: dump_points.to_vec(),
            snapshots: Vec::new(),
            timing: Timing::default(),
            counts: Counts::default(),
        }
    }

    /// The module is there; no pass has run yet.
    pub fn built(&mut self, module: &Module) {
        self.look(BUILD, module);
    }

    /// The IR is at a point: before all passes, or after one.
    fn look(&mut self, pass: &str, module: &Module) {
        if self.print_after.iter().any(|name| name == pass) {
            write_stderr(&format!("; after {pass}\n{}", text::print_module(module)));
        }
        self.keep(pass, module);
        if pass == GC_LEAF {
            self.keep_calls(module);
        }
    }

    /// Keeps the call graph if it was asked for.
    pub fn keep_calls(&mut self, module: &Module) {
        self.snapshot(CALLS, || call_graph::text(module));
        self.snapshot(CALLS_DOT, || call_graph::dot(module));
    }

    /// Keeps the text of the IR if this point was asked for.
    pub fn keep(&mut self, point: &str, module: &Module) {
        self.snapshot(point, || text::print_file(module));
    }

    fn snapshot(&mut self, point: &str, text: impl FnOnce() -> String) {
        if !self.dump_points.iter().any(|name| name == point) {
            return;
        }
        let snapshot = text();
        match self.snapshots.iter_mut().find(|kept| kept.0 == point) {
            Some(kept) => kept.1 = snapshot,
            None => self.snapshots.push((point.to_string(), snapshot)),
        }
    }

    /// Tells the session what passes took and counted since the last time.
    pub fn tell(&mut self, session: &mut Session) {
        session.timing.append(std::mem::take(&mut self.timing));
        session.counts.append(std::mem::take(&mut self.counts));
    }
}

impl Observer for PassObserver {
    fn watches(&self) -> bool {
        !self.print_after.is_empty() || self.dump_points.iter().any(|point| !point.is_empty())
    }
    fn before(&mut self, step: Step) {
        panic_hook::set_stage(&match step {
            Step::Passes(passes) => {
                let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
                format!("pass {}", names.join(", "))
            }
            Step::Verification(pass) => format!("verification after {}", pass.unwrap_or(BUILD)),
        });
    }
    fn after(&mut self, pass: &'static Pass, module: &Module) {
        self.look(pass.name, module);
    }
    fn finished(&mut self, time: Duration, reports: &[Report], counts: &[(&'static str, usize)]) {
        let Some(first) = reports.first() else { return };
        self.timing.add(first.group.title(), time);
        for report in reports {
            self.timing.add_inner(report.name, report.time);
            if report.group == Group::Optimisation {
                self.counts.add_changed(report.name, report.changed);
            }
        }
        for &(name, count) in counts {
            self.counts.set(name, count);
        }
    }
}
