//! THE table of passes, and the order in which they run. Everything else reads it: the levels, `--disable-pass`,
//! `--emit ir:PASS`, `--print-after`, `cleave opt`, timing, help texts and the tests.
//!
//! ```text
//! high ─ optimisations of the level ─▶ high ─ lower-apply … lower-eval ─▶ high ─ roots ─▶ rooted ─ data-section, lower ─▶ low
//! ```

use crate::analysis::values::Scratch;
use crate::context::{Context, FuncContext};
use crate::former_names;
use crate::ipo::{
    cheap_eagerness, deforest, global_dce, hoist_borrows, inline, outline, partial_inline, promote_constants,
    propagate, specialise, trmc, unbox_immediates,
};
use crate::lower::{self, lower_eval, osr_loops};
use crate::lower_apply;
use crate::opt::{
    blackhole, bounds_check_elim, dce, evalelim, gvn, instcombine, loop_rotate, peel_loops, promote_cells, renumber,
    simplify_cfg, sink_allocation, speculate_tag, tail_recursion_elim, thread_tests, unroll_recursion,
};
use crate::rc_insertion;
use crate::roots::{self, LateOption, RootStrategy, forward_returned_args, gc_leaf};
use crate::stackless;
use cleave_ir::{Func, Module, Phase, expand_arrays, expand_exceptions};

/// What a pass works on. Returns true if it changed something.
#[derive(Clone, Copy)]
pub enum Run {
    /// One function at a time; several functions side by side.
    Func(fn(&mut Func, FuncContext, &mut Scratch) -> bool),
    /// The whole program, all functions together.
    Module(fn(&mut Module, &mut Context) -> bool),
}

/// Where a pass belongs: what needs it, and under which line its time is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Makes code better; a level says whether it runs.
    Optimisation,
    /// On the way to low IR.
    Lowering,
}

impl Group {
    /// The line of `--time`.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Optimisation => "passes",
            Group::Lowering => "lowering",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy)]
pub struct Pass {
    /// As `--no-NAME`, `--emit ir:NAME` and `--time` have it.
    pub name: &'static str,
    /// A few words for help texts.
    pub description: &'static str,
    /// What needs it.
    pub group: Group,
    /// The phase of functions before it.
    pub from: Phase,
    /// The phase after it.
    pub to: Phase,
    /// True if programs are correct without it: there is a flag `--no-NAME`.
    pub optional: bool,
    /// What it does.
    pub run: Run,
}

/// The pass that drops what is unreachable: left out where everything is kept.
pub const GLOBAL_DCE: &str = "global-dce";
/// The first pass of the way to low IR that looks at one function at a time, as do those after it (garbage-collected
/// heap).
pub const LOWER_EVAL: &str = "lower-eval";
/// The pass that finds out which functions never collect.
pub const GC_LEAF: &str = "gc-leaf";
/// The pass that only engines want which never replace running code.
pub const OSR_LOOPS: &str = "osr-loops";

/// The pass that only targets want whose stack may be small.
pub const STACKLESS: &str = "stackless";

/// The pass that makes rooted IR of programs on the reference-counted heap.
pub const RC_INSERTION: &str = "rc-insertion";

const fn optimisation(name: &'static str, description: &'static str, run: Run) -> Pass {
    let (from, to) = (Phase::High, Phase::High);
    Pass { name, description, group: Group::Optimisation, from, to, optional: true, run }
}

const fn lowering(name: &'static str, description: &'static str, from: Phase, to: Phase, run: Run) -> Pass {
    Pass { name, description, group: Group::Lowering, from, to, optional: false, run }
}

/// The pass that everybody runs first: no other knows what it expands.
pub const EXPAND_ARRAYS: &str = "expand-arrays";
/// The pass that comes before all others: they do not know of exceptions.
pub const EXPAND_EXCEPTIONS: &str = "expand-exceptions";
/// The pass that arrays are expanded after: it knows them as they were.
const PROMOTE_CELLS: &str = "promote-cells";

/// All passes by name; those of the lowering in their order.
pub const PASSES: &[Pass] = &[
    optimisation(
        "instcombine",
        "constant folding, identities, booleans folded into comparisons and branches",
        Run::Func(|func, subject, scratch| instcombine::run(func, subject.cx, scratch)),
    ),
    optimisation(
        "simplify-cfg",
        "block parameters, jump threading, merging of blocks, unreachable blocks",
        Run::Func(|func, _, scratch| simplify_cfg::run(func, scratch)),
    ),
    optimisation(
        "dce",
        "dead instructions, parameters and cells",
        Run::Func(|func, _, scratch| dce::run(func, scratch)),
    ),
    optimisation(
        "gvn",
        "value numbering of pure instructions and loads, store-to-load forwarding",
        Run::Func(|func, context, scratch| gvn::run(func, context.cx.writes_words, scratch)),
    ),
    optimisation(
        "peel-loops",
        "the first round of loops comes before them, so that what they do not change is read once",
        Run::Func(|func, context, scratch| peel_loops::run(func, context.cx.writes_words, scratch)),
    ),
    optimisation(
        PROMOTE_CELLS,
        "cells that nobody else sees become values, through loops, too",
        Run::Func(|func, subject, scratch| promote_cells::run(func, subject.cx, scratch)),
    ),
    optimisation(
        "bounds-check-elim",
        "tests of indices that an earlier test proves",
        Run::Func(|func, _, _| bounds_check_elim::run(func)),
    ),
    optimisation(
        "sink-allocation",
        "nodes are built where their cells were filled",
        Run::Func(|func, _, _| sink_allocation::run(func)),
    ),
    optimisation(
        "evalelim",
        "evaluation of nodes that are known to be in head normal form",
        Run::Func(|func, _, scratch| evalelim::run(func, scratch)),
    ),
    optimisation(
        "partial-inline",
        "functions with a cheap case at their entry: test and cheap case apart from the rest",
        Run::Module(|module, context| partial_inline::run(module, &mut context.scratch)),
    ),
    optimisation(
        "unbox-immediates",
        "calls with an integer in a reference: a copy of the function that takes the integer",
        Run::Module(|module, context| unbox_immediates::run(module, &mut context.scratch)),
    ),
    optimisation(
        "blackhole",
        "thunks that are filled before other code runs need no blackhole",
        Run::Func(|func, _, scratch| blackhole::run(func, scratch)),
    ),
    optimisation(
        "trmc",
        "calls whose result is a field of a new cell come last, and fill it",
        Run::Module(|module, _| trmc::run(module)),
    ),
    optimisation(
        "tail-recursion-elim",
        "self tail calls become loops",
        Run::Func(|func, subject, _| tail_recursion_elim::run(func, subject.id)),
    ),
    optimisation(
        "unroll-recursion",
        "functions that call themselves are copied into themselves",
        Run::Func(|func, subject, scratch| unroll_recursion::run(func, subject.id, scratch)),
    ),
    optimisation(
        "thread-tests",
        "tests of constructors and of stored words, as those for exceptions, whose outcome is known on a way to them",
        Run::Func(|func, context, scratch| thread_tests::run(func, context.cx.writes_words, scratch)),
    ),
    optimisation(
        "promote-dictionaries",
        "closures and records of such constants become part of the program",
        Run::Module(|module, context| promote_constants::promote_dictionaries(module, &mut context.scratch)),
    ),
    optimisation(
        "specialise",
        "copies of functions and thunks for the closures that they are passed",
        Run::Module(|module, context| specialise::run(module, &mut context.scratch)),
    ),
    optimisation(
        "deforest",
        "lists that one function makes and another takes apart at once are not made",
        Run::Module(|module, context| deforest::run(module, &mut context.scratch)),
    ),
    optimisation(
        "propagate",
        "constants, closures and evaluatedness of arguments, from all callers",
        Run::Module(|module, context| propagate::run(module, &mut context.scratch)),
    ),
    optimisation(
        "inline",
        "functions with one call site, and small ones, into their callers",
        Run::Module(|module, context| inline::run(module, context.inline)),
    ),
    optimisation(
        "cheap-eagerness",
        "thunks that are cheaper to compute than to build",
        Run::Module(|module, context| cheap_eagerness::run(module, &mut context.scratch)),
    ),
    optimisation(
        "promote-constants",
        "nodes of constants become part of the program",
        Run::Module(|module, context| promote_constants::run(module, &mut context.scratch)),
    ),
    optimisation(
        "loop-rotate",
        "loops test at their end",
        Run::Func(|func, _, scratch| loop_rotate::run(func, scratch)),
    ),
    optimisation(
        "speculate-tag",
        "nodes are compared with the constructor that is looked for before they are evaluated",
        Run::Func(|func, _, scratch| speculate_tag::run(func, scratch)),
    ),
    optimisation(
        "renumber",
        "renumber what is left of a function",
        Run::Func(|func, _, scratch| renumber::run(func, scratch)),
    ),
    optimisation(
        GLOBAL_DCE,
        "what the program cannot reach",
        Run::Module(|module, context| global_dce::run(module, &mut context.scratch)),
    ),
    optimisation(
        "hoist-borrows",
        "calls that only look at data come before those that may take it apart (reference-counted heap)",
        Run::Module(|module, _| hoist_borrows::run(module)),
    ),
    lowering(
        EXPAND_EXCEPTIONS,
        "`raise` and calls with a handler become returns and tests",
        Phase::High,
        Phase::High,
        Run::Module(|module, _| expand_exceptions::run(module)),
    ),
    lowering(
        EXPAND_ARRAYS,
        "`array.new` and its like become tests, accesses and calls",
        Phase::High,
        Phase::High,
        Run::Module(|module, _| expand_arrays::run(module)),
    ),
    lowering(
        "lower-apply",
        "application, updates and class members become calls through tables",
        Phase::High,
        Phase::High,
        Run::Module(|module, _| lower_apply::run(module)),
    ),
    Pass {
        optional: true,
        ..lowering(
            OSR_LOOPS,
            "loops of functions that run once are entered anew now and then (WebAssembly behind a loader)",
            Phase::High,
            Phase::High,
            Run::Module(|module, context| context.osr_loops && osr_loops::run(module)),
        )
    },
    lowering(
        "outline",
        "giant functions become several that call each other last",
        Phase::High,
        Phase::High,
        Run::Module(|module, context| outline::run(module, context.outline)),
    ),
    lowering(GC_LEAF, "which functions never collect", Phase::High, Phase::High, Run::Module(run_gc_leaf)),
    lowering(
        "forward-returned-args",
        "results of calls that are arguments take their place",
        Phase::High,
        Phase::High,
        Run::Module(run_forward_returned_args),
    ),
    lowering(
        LOWER_EVAL,
        "evaluation becomes a test and a call; heap checks",
        Phase::High,
        Phase::High,
        Run::Module(|module, _| {
            lower_eval::run(module);
            true
        }),
    ),
    lowering(
        "roots",
        "references are spilled and restored around safepoints",
        Phase::High,
        Phase::Rooted,
        Run::Module(run_roots),
    ),
    lowering(
        RC_INSERTION,
        "references are counted, and memory is used again (reference-counted heap)",
        Phase::High,
        Phase::Rooted,
        Run::Module(|module, context| {
            let reused = rc_insertion::run(module, context.rc_insertion, context.reuse);
            context.counts.push(("nodes that take the memory of others", reused));
            true
        }),
    ),
    lowering(
        "data-section",
        "static data gets its addresses",
        Phase::Rooted,
        Phase::Rooted,
        Run::Module(run_data_section),
    ),
    lowering("lower", "nodes and frames become loads and stores", Phase::Rooted, Phase::Low, Run::Module(run_lower)),
    Pass {
        optional: true,
        ..lowering(
            STACKLESS,
            "recursive functions can leave the stack of the engine and go on later (WebAssembly)",
            Phase::Low,
            Phase::Low,
            Run::Module(|module, context| {
                context.deep_recursion && stackless::run(module, context.stackless_copies, context.traces)
            }),
        )
    },
];

/// `-O0`.
pub const NONE: &[&str] = &[];

/// `-O1`: quick compilation.
pub const BASIC: &[&str] = &[
    EXPAND_EXCEPTIONS,
    EXPAND_ARRAYS,
    "lower-apply",
    "simplify-cfg",
    "hoist-borrows",
    "instcombine",
    "dce",
    "trmc",
    "tail-recursion-elim",
    "simplify-cfg",
    "renumber",
];

/// `-O2`: good code. The first group makes functions small before inlining looks at their sizes, the second works on
/// its result; `instcombine` and `simplify-cfg` before `gvn` undo what inlining left, those after it use what `gvn`
/// found.
pub const FULL: &[&str] = &[
    EXPAND_EXCEPTIONS,
    // What the front end left.
    "simplify-cfg",
    "hoist-borrows",
    "instcombine",
    "simplify-cfg",
    "trmc",
    "unbox-immediates",
    "partial-inline",
    "dce",
    // Between functions.
    "promote-dictionaries",
    "specialise",
    "propagate",
    // Members of classes that are called directly now.
    "promote-dictionaries",
    "specialise",
    "propagate",
    "deforest",
    "tail-recursion-elim",
    // What they left of applications.
    "lower-apply",
    "inline",
    "cheap-eagerness",
    "global-dce",
    // What became visible.
    "simplify-cfg",
    "instcombine",
    "unbox-immediates",
    "tail-recursion-elim",
    "simplify-cfg",
    PROMOTE_CELLS,
    "bounds-check-elim",
    EXPAND_ARRAYS,
    "sink-allocation",
    "evalelim",
    "blackhole",
    "unroll-recursion",
    "thread-tests",
    "gvn",
    "peel-loops",
    "instcombine",
    "simplify-cfg",
    "dce",
    "promote-constants",
    "loop-rotate",
    "speculate-tag",
    "renumber",
];

/// From rooted to low IR, and what is done there.
pub const LOWERING: &[&str] = &["data-section", "lower", STACKLESS];

/// The pass of that name, which may be a former one.
pub fn find(name: &str) -> Option<&'static Pass> {
    let name = former_names::current(name);
    PASSES.iter().find(|pass| pass.name == name)
}

/// The passes that can be left out.
pub fn optional() -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(|pass| pass.optional)
}

/// The passes of a list of names, or the first name that is unknown.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Vec<&'static Pass>, &'a str> {
    names.into_iter().map(|name| find(name).ok_or(name)).collect()
}

fn run_gc_leaf(module: &mut Module, context: &mut Context) -> bool {
    let wanted = context.roots.steps.has(LateOption::GcLeaf);
    if wanted {
        gc_leaf::run(module);
    }
    wanted
}

fn run_forward_returned_args(module: &mut Module, context: &mut Context) -> bool {
    if context.roots.strategy != RootStrategy::Late || !context.roots.steps.has(LateOption::ForwardReturnedArgs) {
        return false;
    }
    let merged = forward_returned_args::run(module) as usize;
    context.counts.push(("arguments merged with results", merged));
    merged > 0
}

fn run_roots(module: &mut Module, context: &mut Context) -> bool {
    let placed = roots::run(module, context.roots);
    context.counts.extend([
        ("safepoints", placed.safepoints as usize),
        ("spills", placed.spills as usize),
        ("restores", placed.restores as usize),
        ("slots emptied", placed.clears as usize),
        ("functions with frames", placed.frames as usize),
        ("slots of frames", placed.slots as usize),
    ]);
    true
}

fn run_data_section(module: &mut Module, context: &mut Context) -> bool {
    let lay_out = context.lay_out;
    context.data_section.get_or_insert_with(|| lay_out(module));
    false
}

fn run_lower(module: &mut Module, context: &mut Context) -> bool {
    let lay_out = context.lay_out;
    lower::run(module, context.data_section.get_or_insert_with(|| lay_out(module)));
    true
}
