//! The passes by name, and running them: with timing, verification and a callback after each.
//!
//! Passes over single functions that follow each other are run on a few functions at a time, which stay in the cache;
//! with hooks they are run pass by pass. The order for each optimisation level is chosen by the driver; the
//! lists here (`BASIC`, `FULL`) are its defaults.

use crate::values::Scratch;
use crate::{
    blackhole, compact, dce, destination, eager, evalelim, flow, gvn, inline, parallel, propagate, prune, simplify,
    specialise, split, statics, tail,
};
use cleave_ir::{Func, FuncId, Module};
use std::time::{Duration, Instant};

/// What a pass works on. Returns true if it changed something.
#[derive(Clone, Copy)]
pub enum Run {
    Func(fn(&mut Func, FuncId, &mut Scratch) -> bool),
    Module(fn(&mut Module, &mut Scratch) -> bool),
}

/// The pass that drops what is unreachable: left out where everything is kept.
pub const PRUNE: &str = "prune";

/// One row of the table of passes.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    pub description: &'static str,
    pub run: Run,
}

/// All passes over high IR, by name.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "simplify",
        description: "constant folding, identities, booleans folded into comparisons and branches",
        run: Run::Func(|func, _, scratch| simplify::run(func, scratch)),
    },
    Pass {
        name: "flow",
        description: "block parameters, jump threading, merging of blocks, unreachable blocks",
        run: Run::Func(|func, _, scratch| flow::run(func, scratch)),
    },
    Pass {
        name: "dce",
        description: "dead instructions, parameters and cells",
        run: Run::Func(|func, _, scratch| dce::run(func, scratch)),
    },
    Pass {
        name: "gvn",
        description: "value numbering of pure instructions and loads, store-to-load forwarding",
        run: Run::Func(|func, _, scratch| gvn::run(func, scratch)),
    },
    Pass {
        name: "destination",
        description: "nodes are built where their cells were filled",
        run: Run::Func(destination::run),
    },
    Pass {
        name: "evalelim",
        description: "evaluation of nodes that are known to be in head normal form",
        run: Run::Func(|func, _, scratch| evalelim::run(func, scratch)),
    },
    Pass {
        name: "split",
        description: "functions with a cheap case at their entry: test and cheap case apart from the rest",
        run: Run::Module(split::run),
    },
    Pass {
        name: "blackhole",
        description: "thunks that are filled before other code runs need no blackhole",
        run: Run::Func(blackhole::run),
    },
    Pass { name: "tail", description: "self tail calls become loops", run: Run::Func(tail::run) },
    Pass {
        name: "specialise",
        description: "copies of functions and thunks for the closures that they are passed",
        run: Run::Module(specialise::run),
    },
    Pass {
        name: "propagate",
        description: "constants, closures and evaluatedness of arguments, from all callers",
        run: Run::Module(propagate::run),
    },
    Pass {
        name: "inline",
        description: "functions with one call site, and small ones, into their callers",
        run: Run::Module(inline::run),
    },
    Pass {
        name: "eager",
        description: "thunks that are cheaper to compute than to build",
        run: Run::Module(eager::run),
    },
    Pass {
        name: "statics",
        description: "nodes of constants become part of the program",
        run: Run::Module(statics::run),
    },
    Pass {
        name: "compact",
        description: "renumber what is left of a function",
        run: Run::Func(|func, _, scratch| compact::run(func, scratch)),
    },
    Pass { name: PRUNE, description: "what the program cannot reach", run: Run::Module(prune::run) },
];

/// Passes for quick compilation.
pub const BASIC: &[&str] = &["flow", "simplify", "dce", "tail", "flow", "compact"];

/// Passes for good code. The first group makes functions small before inlining looks at their sizes, the second works
/// on its result; `simplify` and `flow` before `gvn` undo what inlining left, those after it use what `gvn` found.
pub const FULL: &[&str] = &[
    // What the front end left.
    "flow",
    "simplify",
    "flow",
    "split",
    "dce",
    "tail",
    // Between functions.
    "specialise",
    "propagate",
    "inline",
    "eager",
    "prune",
    // What became visible.
    "flow",
    "simplify",
    "tail",
    "flow",
    "destination",
    "evalelim",
    "blackhole",
    "gvn",
    "simplify",
    "flow",
    "dce",
    "statics",
    "compact",
];

/// The pass of that name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// The passes of a list of names, or the first name that is unknown.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Vec<&'static Pass>, &'a str> {
    names.into_iter().map(|name| find(name).ok_or(name)).collect()
}

/// Effect of one pass in a list, and its time, of all threads together.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    pub name: &'static str,
    pub time: Duration,
    /// Functions (or, for passes over the module, modules) that changed.
    pub changed: usize,
}

/// What is called after each pass with its name and the module, for verification and `--print-after`.
pub type Hook<'a> = &'a mut dyn FnMut(&'static str, &Module);

/// Runs passes over a module in order.
pub fn run(module: &mut Module, passes: &[&'static Pass], mut after: Option<Hook>) -> Vec<Report> {
    let mut scratch = Scratch::default();
    let mut reports: Vec<Report> =
        passes.iter().map(|pass| Report { name: pass.name, time: Duration::ZERO, changed: 0 }).collect();
    let mut at = 0;
    while at < passes.len() {
        let mut end = at + 1;
        match passes[at].run {
            Run::Module(run) => {
                let begin = Instant::now();
                reports[at].changed += run(module, &mut scratch) as usize;
                reports[at].time += begin.elapsed();
            }
            Run::Func(_) => {
                while after.is_none() && end < passes.len() && matches!(passes[end].run, Run::Func(_)) {
                    end += 1;
                }
                run_in_batches(module, &passes[at..end], &mut reports[at..end]);
            }
        }
        if let Some(after) = &mut after {
            after(passes[at].name, module);
        }
        at = end;
    }
    reports
}

/// Runs function passes over all functions: all passes over a few functions, then over the next ones.
fn run_in_batches(module: &mut Module, passes: &[&'static Pass], reports: &mut [Report]) {
    let measured = parallel::batch_wise(parallel::slice(&mut module.funcs), |scratch: &mut Scratch, mut batch| {
        let mut begin = Instant::now();
        let run_pass = |pass: &&'static Pass| {
            let Run::Func(run) = pass.run else { return (Duration::ZERO, 0) };
            let changed = batch.iter_mut().filter_map(|(id, func)| run(func, id, scratch).then_some(())).count();
            let now = Instant::now();
            (now - std::mem::replace(&mut begin, now), changed)
        };
        passes.iter().map(run_pass).collect::<Vec<_>>()
    });
    for batch in measured {
        for (report, (time, changed)) in reports.iter_mut().zip(batch) {
            report.time += time;
            report.changed += changed;
        }
    }
}
