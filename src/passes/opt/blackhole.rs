//! Removes blackholing that no other code can observe.
//!
//! A thunk's entry makes the thunk a blackhole, so that a value which needs itself is found and its arguments do not
//! stay alive. Both matter only once other code runs: until a call or an evaluation. A path that fills the cell before
//! that needs no blackhole; on the others it is written just before the first such instruction, or where paths meet.
//!
//! ```text
//! blackhole v0                          br_if v1, block1, block2
//! br_if v1, block1, block2      ─▶    block1: fill $_Nil/0 v0 …
//! block1: fill $_Nil/0 v0 …           block2: blackhole v0
//! block2: v2 = eval …                         v2 = eval …
//! ```
//! A collection at a heap check in between sees the thunk with its arguments; they stay alive until the cell is filled,
//! which is the next thing that happens. Functions in which no path gets rid of it stay as they are.
//! Needs: high IR.

use crate::analysis::values::Scratch;
use crate::opt::simplify_cfg::reach;
use cleave_ir::{Block, Flags, Func, Inst, Opcode, SecondaryMap, Value};
use smallvec::SmallVec;

/// Where a blackhole goes: the instruction of that number in the block, or before it.
type Position = (Block, usize);

/// Sinks the blackholes of a function; true if one is no longer written on some path.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    let mut found: SmallVec<[(Position, Inst); 1]> = SmallVec::new();
    for &block in &func.layout {
        for (index, &inst) in func.blocks[block].insts.iter().enumerate() {
            if func.insts[inst].op == Opcode::Blackhole {
                found.push(((block, index), inst));
            }
        }
    }
    if found.is_empty() {
        return false;
    }
    reach(func, scratch);
    let mut changed = false;
    // Last first: positions before it stay valid.
    for (place, inst) in found.into_iter().rev() {
        let thunk = func.args(inst)[0];
        if let Some(places) = sink(func, place, thunk, &scratch.marks) {
            func.blocks[place.0].insts.remove(place.1);
            for (block, index) in places {
                let copy = func.make_inst(Opcode::Blackhole, 0, 0, &[thunk], &[]);
                let removed_before = usize::from(block == place.0 && index > place.1);
                func.blocks[block].insts.insert(index - removed_before, copy);
            }
            changed = true;
        }
    }
    changed
}

/// Where the blackhole of `thunk` has to be written instead; none if no path gets rid of it.
fn sink(
    func: &Func,
    place: Position,
    thunk: Value,
    edges_into: &SecondaryMap<Block, u32>,
) -> Option<SmallVec<[Position; 2]>> {
    let mut places = SmallVec::new();
    let mut dropped = false;
    let mut work: SmallVec<[Position; 4]> = SmallVec::new();
    work.push((place.0, place.1 + 1));
    while let Some((block, from)) = work.pop() {
        let insts = &func.blocks[block].insts;
        let Some((index, filled)) = stop(func, insts, from, thunk) else { continue };
        if filled {
            dropped = true;
            continue;
        }
        let branches = func.insts[insts[index]].op.any(Flags::BRANCH);
        let sinks = |edge: &cleave_ir::Edge| edges_into[edge.block] == 1 && !func.edge_args(edge).contains(&thunk);
        if branches && func.blocks[block].edges.iter().all(sinks) {
            work.extend(func.successors(block).map(|to| (to, 0)));
        } else {
            places.push((block, index));
        }
    }
    dropped.then_some(places)
}

/// The first instruction from `from` on before which the blackhole must be there, or that makes it superfluous (true).
fn stop(func: &Func, insts: &[Inst], from: usize, thunk: Value) -> Option<(usize, bool)> {
    const VISIBLE: Flags = Flags::CALL.union(Flags::SAFEPOINT).union(Flags::TERMINATOR);
    insts.iter().enumerate().skip(from).find_map(|(index, &inst)| {
        let (op, args) = (func.insts[inst].op, func.args(inst));
        if op.any(Flags::FILLS) && args[0] == thunk && !args[1..].contains(&thunk) {
            return Some((index, true));
        }
        let meets_memory = !op.reads().is_empty() || !op.writes().is_empty();
        (op.any(VISIBLE) || meets_memory && args.contains(&thunk)).then_some((index, false))
    })
}
