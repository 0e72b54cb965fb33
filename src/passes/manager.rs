//! Runs passes of the table: with timing, and an observer that sees the module after each.
//!
//! Passes over single functions that follow each other are run on a few functions at a time, which stay in the cache;
//! for an observer that wants to see the module after each, they are run pass by pass.

use crate::analysis::values::Scratch;
use crate::context::{Context, FuncContext};
use crate::parallel;
use crate::table::{self, Group, Pass, Run};
use cleave_ir::{Module, Phase, expand_exceptions};
use std::time::{Duration, Instant};

/// Effect of one pass in a list, and its time, of all threads together.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The pass, as in the table.
    pub name: &'static str,
    /// Under which line its time is shown.
    pub group: Group,
    /// Processor time: that of all threads, added.
    pub time: Duration,
    /// Functions (or, for passes over the module, modules) that changed.
    pub changed: usize,
}

/// What is told of passes as they run, for verification, `--print-after` and messages of panics.
pub trait Observer {
    /// True if it wants to see the module after each pass.
    fn watches(&self) -> bool;
    /// These passes run next, together.
    fn before(&mut self, passes: &[&'static Pass]);
    /// A pass has run; called only if it watches.
    fn after(&mut self, pass: &'static Pass, module: &Module);
}

/// The observer that does nothing.
impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
    fn before(&mut self, _: &[&'static Pass]) {}
    fn after(&mut self, _: &'static Pass, _: &Module) {}
}

/// Runs optimisations by their names, unobserved: for tools that need no settings.
pub fn optimise(module: &mut Module, names: &[&str]) {
    let passes = table::list(names.iter().copied()).unwrap_or_else(|name| panic!("no pass `{name}`"));
    let lay_out = |_: &Module| panic!("optimisations need no addresses");
    run(module, &passes, &mut Context::new(&lay_out), &mut ());
}

/// Runs passes over a module in order. The module must be in the phase that each of them starts from.
pub fn run(
    module: &mut Module,
    passes: &[&'static Pass],
    context: &mut Context,
    observer: &mut dyn Observer,
) -> Vec<Report> {
    let report = |pass: &&'static Pass| Report { name: pass.name, group: pass.group, time: Duration::ZERO, changed: 0 };
    let mut reports: Vec<Report> = passes.iter().map(report).collect();
    if passes.first().is_some_and(|pass| pass.name != table::EXPAND_EXCEPTIONS) && module.phase() == Phase::High {
        // No pass knows of exceptions: who runs others by their names need not know that.
        expand_exceptions::run(module);
    }
    let mut at = 0;
    while at < passes.len() {
        let mut end = at + 1;
        debug_assert!(
            module.funcs.is_empty() || module.phase() == passes[at].from,
            "`{}` needs IR of another phase",
            passes[at].name
        );
        match passes[at].run {
            Run::Module(run) => {
                observer.before(&passes[at..end]);
                let begin = Instant::now();
                reports[at].changed += run(module, context) as usize;
                reports[at].time += begin.elapsed();
            }
            Run::Func(_) => {
                while !observer.watches() && end < passes.len() && matches!(passes[end].run, Run::Func(_)) {
                    end += 1;
                }
                observer.before(&passes[at..end]);
                run_in_batches(module, &passes[at..end], &mut reports[at..end]);
            }
        }
        if observer.watches() {
            observer.after(passes[at], module);
        }
        at = end;
    }
    reports
}

/// Runs function passes over all functions: all passes over a few functions, then over the next ones.
fn run_in_batches(module: &mut Module, passes: &[&'static Pass], reports: &mut [Report]) {
    let (mut funcs, cx) = parallel::apart(module);
    let measured = parallel::batch_wise(parallel::slice(&mut funcs), |scratch: &mut Scratch, mut batch| {
        let mut begin = Instant::now();
        let run_pass = |pass: &&'static Pass| {
            let Run::Func(run) = pass.run else { return (Duration::ZERO, 0) };
            let run = |(id, func)| run(func, FuncContext { id, cx: &cx }, scratch);
            let changed = batch.iter_mut().map(run).filter(|&changed| changed).count();
            let now = Instant::now();
            (now - std::mem::replace(&mut begin, now), changed)
        };
        passes.iter().map(run_pass).collect::<Vec<_>>()
    });
    module.funcs = funcs;
    for batch in measured {
        for (report, (time, changed)) in reports.iter_mut().zip(batch) {
            report.time += time;
            report.changed += changed;
        }
    }
}
