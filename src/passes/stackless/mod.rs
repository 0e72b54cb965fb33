//! Recursion as deep as memory: functions that may recurse without bound can be *captured*. For WebAssembly, where
//! nobody knows how large the stack of the engine is, and where running out of it is the end.
//!
//! At its entry a function compares the shadow-stack pointer with a limit. Below it, it leaves a record of itself in
//! memory and returns; after each call functions look whether that has happened (`flags`), leave a record, too, and
//! return. When the stack of the engine is empty a trampoline goes on with them one by one, innermost first: with the
//! last one that was called, then, when it has returned, with the one that had called it, in the middle of its body
//! (`body`).
//!
//! The shadow stack stands for the stack of the engine, which nobody can ask how full it is: no recursive call moves
//! its pointer less than the frame of the engine is worth (`charge`).
//!
//! References that live across a call that may collect are on the shadow stack already, and stay there. Other values
//! that live across a call are in the record (`helpers`). The memory of records is that of `rt/base/stackless.rs`.
//!
//! Which functions: `graph`. Those that call them but cannot recurse go on with what was captured by calling the
//! trampoline. So do functions for whose records there would be far more code than for anything else: recursion through
//! them is as deep as the stack of the engine.
//!
//! Runs on low IR, where the pointer is a value and references are safe, whatever put them there.

mod body;
mod charge;
mod flags;
mod frames;
mod graph;
mod helpers;
mod trampoline;
mod walk;

use body::Role;
use cleave_ir::{Captures, EntityRef, Func, FuncId, Module, RootStrategy, SecondaryMap, Type};
use graph::{Callee, Graph};
use helpers::Helpers;

/// The most parameters and results of a function that can be captured.
const MAX_SIGNATURE: usize = 900;
/// A function is not captured if more than that would be made for it: words of records and empty slots at all its calls
/// together, and instructions in loops that would be there twice. Each of them is a few bytes of code.
const MOST_MADE: usize = 16_384;
/// The most functions that can be captured: engines accept branch tables of 65,520 targets.
const MAX_FUNCS: usize = 60_000;

/// Instructions that may be there twice (`separate`): so many, and one in so many of the module.
const COPIED_ALWAYS: usize = 600;
const COPIED_OF: usize = 40;
/// The same for what follows in an iteration of a loop, for functions that go on there: first where it is little. All
/// others enter their loops in the middle, by way of a table: each iteration of a loop of grids takes a tenth longer.
const LOOPS_ALWAYS: usize = 30_000;
const LOOPS_OF: usize = 50;

/// Makes it possible to capture the functions of a module that need it; true if some do. `copies`: what they go on with
/// may be there twice. `traced`: who reads the memory can find the records.
pub fn run(module: &mut Module, copies: bool, traced: bool) -> bool {
    walk::run(module);
    let mut graph = Graph::of(module);
    let mut scratch = body::Scratch::default();
    for func in module.funcs.keys() {
        if graph.is_deep(Callee::Func(func)) && body::makes_more(&module.funcs[func], MOST_MADE, &graph, &mut scratch) {
            graph.leave_out(module, func);
        }
    }
    let deep: Vec<FuncId> = module.funcs.keys().filter(|&func| graph.is_deep(Callee::Func(func))).collect();
    let is_large = |types: &[Type]| types.len() > MAX_SIGNATURE;
    // Functions without such calls are never in the middle of one.
    let sites = |&func: &FuncId| Some((func, body::sites(&module.funcs[func], &graph))).filter(|found| found.1 > 0);
    let (funcs, counts): (Vec<FuncId>, Vec<usize>) = deep.iter().filter_map(sites).unzip();
    let most = counts.into_iter().max().unwrap_or(0);
    let bits = usize::BITS - most.leading_zeros();
    // Linked frames hold their own addresses, which would be references behind the heap.
    if funcs.is_empty()
        || funcs.len() > MAX_FUNCS.min(1 << (31 - bits.min(31)))
        || module.funcs.values().any(|func| func.roots == Some(RootStrategy::Chain))
        || module.funcs.values().any(|f| is_large(&f.signature.params) || is_large(&f.signature.results))
    {
        return false;
    }
    graph.has_flag = flags::add(module, &graph);
    let never_collects = charge::give_pointers(module, &graph);
    charge::charge_all(module, &graph, &deep, &never_collects);
    // Traces would name the copies of functions.
    let rests = if copies && !traced { separate(module, &funcs, &graph) } else { funcs.clone() };
    let mut pairs: Vec<(FuncId, FuncId)> = funcs.into_iter().zip(rests).collect();
    let types = |types: &[Type]| types.iter().map(|&ty| ty as u8).collect::<Vec<u8>>();
    pairs.sort_by_cached_key(|&(func, rest)| {
        let signature = &module.funcs[func].signature;
        (types(&signature.params), types(&signature.results), func != rest)
    });
    let mut copies_loops: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    if copies {
        let mut copied = |func: FuncId| (body::copied(&module.funcs[func], &graph, &mut scratch), func);
        let mut sizes: Vec<(usize, FuncId)> = pairs.iter().map(|&(func, _)| copied(func)).collect();
        sizes.sort_unstable();
        let mut left = LOOPS_ALWAYS + size(module) / LOOPS_OF;
        for (size, func) in sizes {
            copies_loops[func] = size <= left;
            left = left.saturating_sub(size);
        }
    }
    let first_helper = FuncId::new(module.funcs.len());
    let mut helpers = Helpers::new(first_helper.index(), traced, bits);
    let (trampoline, returns) = helpers.trampoline(module, &pairs);
    for ((at, &(func, rest)), returns) in (0..).zip(&pairs).zip(returns) {
        let mut make = |func: FuncId, role| {
            let copies_loops = role != Role::Whole || copies_loops[func];
            let made = &mut module.funcs[func];
            body::make_resumable(made, role, at << bits, copies_loops, &graph, &mut helpers, &mut scratch);
        };
        if func == rest {
            make(func, Role::Whole);
        } else {
            make(func, Role::First);
            make(rest, Role::Rest(returns));
        }
    }
    let is_root =
        |func: &FuncId| graph.knows(*func) && graph.reaches(Callee::Func(*func)) && !graph.is_deep(Callee::Func(*func));
    for func in module.funcs.keys().filter(is_root).collect::<Vec<_>>() {
        body::make_root(&mut module.funcs[func], &graph, trampoline);
    }
    module.funcs.reserve(helpers.made.len());
    for func in helpers.made {
        module.funcs.push(func);
    }
    let funcs = pairs.into_iter().map(|pair| pair.0).collect();
    let flagged = deep.iter().copied().filter(|&func| graph.has_flag[func]).collect();
    module.captures = Some(Captures { trampoline, funcs, bits, flagged, first_helper });
    true
}

/// Instructions of a module.
fn size(module: &Module) -> usize {
    let of = |func: &Func| func.layout.iter().map(|&block| func.blocks[block].insts.len()).sum::<usize>();
    module.funcs.values().map(of).sum()
}

/// Copies functions for what they do after they were captured, as far as that does not make the module too large:
/// first those that call themselves, which are most of the time of many programs, and small ones before others. Gives
/// who goes on in the middle of each function: its copy, or itself.
fn separate(module: &mut Module, funcs: &[FuncId], graph: &Graph) -> Vec<FuncId> {
    let size = |func: FuncId| -> usize {
        let func = &module.funcs[func];
        func.layout.iter().map(|&block| func.blocks[block].insts.len()).sum()
    };
    let total = self::size(module);
    let calls_itself = |func: FuncId| graph::calls(&module.funcs[func]).any(|call| call == (Callee::Func(func), true));
    let rank = |func: FuncId| if calls_itself(func) { 0 } else { 2 - u32::from(graph.is_growing(func)) };
    let mut order: Vec<(u32, usize, usize)> =
        funcs.iter().enumerate().map(|(at, &func)| (rank(func), size(func), at)).collect();
    order.sort_unstable();
    let mut left = COPIED_ALWAYS + total / COPIED_OF;
    let mut rests = funcs.to_vec();
    for (_, size, at) in order {
        if size > left {
            continue;
        }
        left -= size;
        let mut copy = module.funcs[funcs[at]].clone();
        copy.name += ".continuation";
        rests[at] = module.funcs.push(copy);
    }
    rests
}
