//! Partial inlining, its first half: splits functions at their guard: a function that begins with a cheap test and
//! often returns at once becomes a small *wrapper* (the tests and their cheap branches) that ends in a tail call of the
//! *rest*. The wrapper is then copied to its call sites by `inline`, in the rest itself too, so that a recursive
//! function answers its base case without a call.
//!
//! ```text
//! f: t = test                        f: t = test                    f.rest: (what f did when the test failed,
//!    br_if t, cheap, other      ─▶      br_if t, cheap, other                the pure part of the test done again
//! cheap: ret 1                       cheap: ret 1                             where its values are needed)
//! other: … f … f …                   other: tail_call f.rest            … f … f …
//! ```
//! The part in front consists of blocks that only compute and end in a `br_if` with one cheap branch; several such
//! tests in a row are taken together. So the rest may start again from the top: what it repeats has no effects.
//!
//! Not split: functions that are called once (they move as a whole, or are loops), that are small as a whole without
//! calling themselves, and those whose first test needs an evaluation. Must come before `tail-recursion-elim`: there an
//! entry block may begin a loop.
//!
//! Source of the idea: R. Muth and S. Debray, *Partial Inlining*, 1997; measured: without this
//! pass `tak` takes 2.6 times as long (`bench/results/passes.md`).

use crate::analysis::values::Scratch;
use crate::ipo::inline::{SMALL, weight};
use crate::opt::simplify_cfg::reach;
use cleave_ir::{Block, Edge, EntityRef, Flags, Func, FuncId, Inst, Module, Opcode, SecondaryMap, ValueList};
use smallvec::SmallVec;

/// Weight (instructions except constants and jumps) of a branch that is worth answering in the caller.
const CHEAP: usize = 4;
/// Weight of the wrapper, without its call of the rest. One less than `inline` copies.
const FRONT: usize = SMALL as usize - 1;

/// A test of the front: its block, the cheap successor, and which edge leads on.
struct Guard {
    block: Block,
    cheap: Block,
    onward: usize,
}

/// Splits what is worth it in the whole module; true if something changed.
pub fn run(module: &mut Module, scratch: &mut Scratch) -> bool {
    let mut calls: SecondaryMap<FuncId, u32> = SecondaryMap::new();
    let mut recursive: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    calls.resize(module.funcs.len());
    recursive.resize(module.funcs.len());
    for (id, func) in module.funcs.iter() {
        for (callee, is_tail_call) in crate::analysis::direct_calls::calls(func, &func.layout) {
            // A self tail call is a jump.
            calls[callee] += u32::from(callee != id || !is_tail_call);
            recursive[callee] |= callee == id;
        }
    }
    let count = module.funcs.len();
    for id in (0..count).map(FuncId::new) {
        let func = &module.funcs[id];
        if calls[id] < 2 || (!recursive[id] && weight(func) <= SMALL as usize) {
            continue;
        }
        let guards = find_guards(func, scratch);
        if guards.is_empty() {
            continue;
        }
        let mut rest = func.clone();
        rest.name.push_str(".rest");
        keep_onward(&mut rest, &guards);
        let rest = module.funcs.push(rest);
        make_wrapper(&mut module.funcs[id], &guards, rest);
    }
    module.funcs.len() > count
}

/// The tests at the entry of a function, as many as fit into the front.
fn find_guards(func: &Func, scratch: &mut Scratch) -> SmallVec<[Guard; 4]> {
    let mut guards = SmallVec::new();
    let mut block = func.entry_block();
    // Most functions end here, before anything is counted.
    if func.terminator(block).is_none_or(|inst| func.insts[inst].op != Opcode::BrIf) {
        return guards;
    }
    reach(func, scratch);
    let edges_into = &scratch.marks;
    let mut total = 0;
    loop {
        let Some(weight) = test_weight(func, block) else { return guards };
        let edges = &func.blocks[block].edges;
        let costs: SmallVec<[Option<usize>; 2]> = edges
            .iter()
            .map(|edge| if edges_into[edge.block] == 1 { cheap_weight(func, edge.block) } else { None })
            .collect();
        let (cost, onward) = match costs[..] {
            [Some(cost), None] => (cost, 1),
            [None, Some(cost)] => (cost, 0),
            _ => return guards,
        };
        total += weight + cost;
        if total > FRONT || edges_into[block] != 1 {
            return guards;
        }
        guards.push(Guard { block, cheap: edges[1 - onward].block, onward });
        block = edges[onward].block;
    }
}

/// Weight of a block that only computes and ends in a `br_if`.
fn test_weight(func: &Func, block: Block) -> Option<usize> {
    let (&last, insts) = func.blocks[block].insts.split_last()?;
    let op = |inst: Inst| func.insts[inst].op;
    let computes = |inst| op(inst).writes().is_empty() && !op(inst).any(Flags::EFFECTS);
    let is_test = op(last) == Opcode::BrIf && insts.iter().all(|&inst| computes(inst));
    is_test.then(|| 1 + insts.iter().filter(|&&inst| !op(inst).is_constant()).count())
}

/// Weight of a block that returns without calling anything, if it is small.
fn cheap_weight(func: &Func, block: Block) -> Option<usize> {
    let (&last, insts) = func.blocks[block].insts.split_last()?;
    if func.insts[last].op != Opcode::Return {
        return None;
    }
    let weight = 1 + insts.iter().filter(|&&inst| !func.insts[inst].op.is_constant()).count();
    let calls = insts.iter().any(|&inst| func.insts[inst].op.any(Flags::SAFEPOINT.union(Flags::CALL)));
    (weight <= CHEAP && !calls).then_some(weight)
}

/// The tests of the front are known to lead on.
fn keep_onward(func: &mut Func, guards: &[Guard]) {
    for guard in guards {
        let Some(inst) = func.terminator(guard.block) else { continue };
        func.insts[inst].op = Opcode::Jump;
        func.insts[inst].args = ValueList::new();
        let edge = func.blocks[guard.block].edges.swap_remove(guard.onward);
        func.blocks[guard.block].edges = SmallVec::from_iter([edge]);
    }
    func.layout.retain(|&block| guards.iter().all(|guard| guard.cheap != block));
}

/// Nothing is left but the front; what follows its last test is a tail call of the rest.
fn make_wrapper(func: &mut Func, guards: &[Guard], rest: FuncId) {
    let Some(last) = guards.last() else { return };
    let call = func.blocks.push(Default::default());
    func.layout.retain(|&block| guards.iter().any(|guard| guard.block == block || guard.cheap == block));
    func.layout.push(call);
    func.blocks[last.block].edges[last.onward] = Edge { block: call, args: ValueList::new() };
    let params: SmallVec<[_; 8]> = func.params(func.entry_block()).iter().copied().collect();
    func.append(call, Opcode::TailCall, u64::from(rest.as_u32()), 0, &params, &[]);
}
