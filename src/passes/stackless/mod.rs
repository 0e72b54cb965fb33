//! Recursion as deep as memory: functions that may recurse without bound get a *stackless clone*, which needs no stack
//! of the engine. For WebAssembly, where nobody knows how large that stack is, and where running out of it is the end.
//!
//! A call that returns becomes a tail call: what lives on goes to a stack in memory, with the number of a *return
//! point*, and the callee ends with a tail call of the return point on top of that stack (`piece`). References that
//! live on are on the shadow stack already.
//!
//! ```text
//! f: v                             f.stackless: w, v                       f.stackless.2: w, x        (return point 7)
//!    x = call g(sp − 4, v)    ─▶      store w, 7                         tail_call return(w, x)
//!    ret x                            tail_call g.stackless(sp − 4, w + 4, v)
//! ```
//! `w` is the end of the stack of words; `return` takes the number off it. Functions keep their usual code, for usual
//! depths: at their entry they compare the shadow-stack pointer with a limit, and go on in the stackless clone below it
//! (`limit`). The shadow stack stands for the stack of the engine: no recursive call moves its pointer less than the
//! frame of the engine is worth.
//!
//! ```text
//! f: v                             f.stackless.start: v                    exit: w, x            (return point 0)
//!    br_if sp < limit, a, b           w, r = stackless_enter(sp)              store w, x
//! a: tail_call f.stackless.start(v)        store w, 0                         ret
//! b: …                                call f.stackless(r, w + 4, v)
//!                                     x = load w;  stackless_leave();  ret x
//! ```
//! Which functions: `graph`. How they are cut: `plan`. How their code is kept short: `shorten`. Runs on low IR, where
//! the pointer is a value and references are safe, whatever put them there. Needs nothing of an engine but tail calls.
//! Weakness: what recurses is there twice.

mod code;
mod continuation;
mod graph;
mod plan;
mod shorten;
mod stack_check;
mod walk;
mod wrappers;

use cleave_ir::layout::STACKLESS_RESERVE;
use cleave_ir::{EntityRef, Func, FuncId, Module, RootStrategy, Table, Type};
use continuation::Piece;
use graph::{Callee, Graph};
use plan::{Origin, Plan};
use rustc_hash::FxHashMap;
use wrappers::Maker;

/// The most parameters and results of a function with a stackless clone: it takes more.
const MAX_SIGNATURE: usize = 900;
/// The most return points with results of the same types.
const MAX_RETURNS: usize = 60_000;

/// Bytes of the stacks that stackless clones may take, all together, before one looks at what is left.
const UNSEEN: u32 = STACKLESS_RESERVE / 8;

/// Too many return points for one dispatcher: engines accept branch tables of 65,520 targets.
fn has_many_returns(module: &Module, graph: &Graph, deep: &[FuncId]) -> bool {
    let mut count: FxHashMap<Vec<Type>, usize> = FxHashMap::default();
    for func in deep.iter().map(|&id| &module.funcs[id]) {
        for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
            if graph::callee(&func.insts[inst]).is_some_and(|(callee, returns)| returns && graph.is_deep(callee)) {
                *count.entry(func.results(inst).iter().map(|&v| func.values[v]).collect()).or_default() += 1;
            }
        }
    }
    count.values().any(|&count| count > MAX_RETURNS)
}

/// Makes the stackless clones of a module; true if something recurses. `traced`: who reads the memory can find the
/// frames of stackless clones.
pub fn run(module: &mut Module, traced: bool) -> bool {
    walk::run(module);
    let graph = Graph::of(module);
    let deep: Vec<FuncId> = module.funcs.keys().filter(|&func| graph.is_deep(Callee::Func(func))).collect();
    let is_large = |types: &[Type]| types.len() > MAX_SIGNATURE;
    // Linked frames hold their own addresses, which would be references behind the heap.
    if deep.is_empty()
        || has_many_returns(module, &graph, &deep)
        || module.funcs.values().any(|func| func.roots == Some(RootStrategy::Chain))
        || module.funcs.values().any(|f| is_large(&f.signature.params) || is_large(&f.signature.results))
    {
        return false;
    }
    let never_collects = stack_check::give_pointers(module, &graph);
    // All numbers first: what plans call, pieces, then what the maker adds.
    let mut maker = Maker::new(module.funcs.len(), traced);
    let mut tables = plan::Tables::default();
    let mut make = |&func: &FuncId| Plan::of(&module.funcs[func], &graph, &mut maker, &mut tables);
    let mut plans: Vec<Plan> = deep.iter().map(&mut make).collect();
    // As with the usual code: each way around a circle leads through one that looks.
    let more = maker.stackless_clones.trace_bytes();
    let unlooked = deep.iter().zip(&plans).filter(|(func, _)| !graph.looks(**func));
    let unseen: u32 = unlooked.map(|(_, plan)| plan.bytes(more)).sum();
    for (&func, plan) in deep.iter().zip(&mut plans) {
        plan.looks = graph.looks(func) || unseen > UNSEEN;
    }

    let mut ids: Vec<Vec<FuncId>> = Vec::with_capacity(plans.len());
    for (&func, plan) in deep.iter().zip(&plans) {
        let pieces: Vec<FuncId> = plan.heads.iter().map(|_| maker.number()).collect();
        let entry = plan.heads.iter().position(|head| head.origin == Origin::Entry).expect("a function has an entry");
        maker.stackless_clones.funcs[func] = Some(pieces[entry]);
        ids.push(pieces);
    }
    let tables: Vec<Table> = module.tables.keys().collect();
    maker.return_points(module, &deep, &plans, &ids);
    maker.tables(module, &graph, tables);
    let first = module.funcs.len();
    let mut funcs: Vec<Option<Func>> = Vec::new();
    funcs.resize_with(ids.iter().map(Vec::len).sum(), || None);
    let mut place = |id: FuncId, func: Func| {
        let at = id.index() - first;
        if at >= funcs.len() {
            funcs.resize_with(at + 1, || None);
        }
        funcs[at] = Some(func);
    };
    let mut scratch = continuation::Scratch::default();
    // Each plan is dropped once its pieces are made.
    for ((&func, plan), pieces) in deep.iter().zip(plans).zip(&ids) {
        let mut count = 1;
        for (number, head) in plan.heads.iter().enumerate() {
            let of = &module.funcs[func].name;
            let name = match head.origin {
                Origin::Entry => format!("{of}.stackless"),
                _ => {
                    count += 1;
                    format!("{of}.stackless.{count}")
                }
            };
            place(pieces[number], Piece::make(&maker.stackless_clones, &plan, number, pieces, name, &mut scratch));
        }
    }
    let starts = stack_check::guard(module, &graph, &deep, &never_collects, &mut maker);
    maker.made.into_iter().chain(starts).for_each(|(id, func)| place(id, func));
    module.funcs.reserve(funcs.len());
    for func in funcs {
        module.funcs.push(func.expect("a number is a function"));
    }
    true
}
