//! Loop rotation: a loop that tests at its top tests at its bottom.
//!
//! ```text
//!       │                              header(x) ── false ──┐
//!   header(x) ── false ──▶ exit            │ true           │
//!    │ true    ▲                 ─▶     body'(x) ◀── true ┐ │
//!   body       │                           ⋮              │ ▼
//!    ⋮ ────────┘                        header copy(x') ──┴▶ exit'(x)
//! ```
//! Each round then takes one jump instead of two. The header is copied to each edge that closes the loop. Its
//! parameters and results have two definitions now; so the loop and the exit are entered through new blocks, whose
//! parameters take their place below.
//!
//! Done for headers that are small and without effects, end in a branch with one way out of the loop, and whose values
//! are used nowhere but below that branch. (Muchnick, "Advanced Compiler Design and Implementation", section 18.5: loop
//! inversion.)

use crate::analysis::values::Scratch;
use crate::opt::flow;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, EntityRef, Flags, Func, InstData, Opcode, Value, ValueList};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions of a header, with the branch.
const MAX_HEADER: usize = 6;
/// Copies of a header.
const MAX_LATCHES: usize = 2;
/// Loops per function: dominators are computed for each.
const MAX_LOOPS: usize = 32;
/// Blocks of a function.
const MAX_BLOCKS: usize = 2000;

/// Rotates the loops of a function; true if something changed.
pub fn run(func: &mut Func, scratch: &mut Scratch) -> bool {
    if func.layout.len() > MAX_BLOCKS || !func.layout.iter().any(|&block| is_small(func, block)) {
        return false;
    }
    // Headers that stay as they are, and those that were rotated: their loops begin elsewhere now.
    let mut done = vec![false; func.blocks.len()];
    let mut changed = false;
    for _ in 0..MAX_LOOPS {
        let cfg = Cfg::compute(func);
        if !cfg.order.iter().any(|&block| is_candidate(func, &cfg, &done, block)) {
            break;
        }
        let dominators = DomTree::compute(&cfg);
        let mut plan = None;
        for &block in cfg.order.iter().rev() {
            if is_candidate(func, &cfg, &done, block) {
                done[block.index()] = true;
                plan = Plan::of(func, &cfg, &dominators, block);
                if plan.is_some() {
                    break;
                }
            }
        }
        let Some(plan) = plan else { break };
        plan.carry_out(func);
        done.resize(func.blocks.len(), true);
        changed = true;
    }
    if changed {
        flow::run(func, scratch);
    }
    changed
}

/// Could this block be copied?
fn is_small(func: &Func, block: Block) -> bool {
    let insts = &func.blocks[block].insts;
    let Some((&last, rest)) = insts.split_last() else { return false };
    insts.len() <= MAX_HEADER
        && func.insts[last].op == Opcode::BrIf
        && rest.iter().all(|&inst| {
            let op = func.insts[inst].op;
            op.writes().is_empty() && !op.any(Flags::EFFECTS)
        })
}

fn is_candidate(func: &Func, cfg: &Cfg, done: &[bool], block: Block) -> bool {
    !done[block.index()] && block != func.entry_block() && cfg.is_loop_header(block) && is_small(func, block)
}

/// What is to be done with one loop.
struct Plan {
    header: Block,
    /// Block and number of each edge that closes the loop.
    closing: SmallVec<[(Block, usize); MAX_LATCHES]>,
    /// For both edges out of the header: the values of the header that are used below it, and the blocks there.
    below: [(SmallVec<[Value; 4]>, Vec<Block>); 2],
}

impl Plan {
    fn of(func: &Func, cfg: &Cfg, dominators: &DomTree, header: Block) -> Option<Plan> {
        let data = &func.blocks[header];
        let targets = [data.edges[0].block, data.edges[1].block];
        if targets[0] == targets[1] || targets.contains(&header) {
            return None;
        }
        let mut closing = SmallVec::new();
        for &latch in &cfg.preds[header] {
            if cfg.is_back_edge(latch, header) {
                if !dominators.dominates(header, latch) {
                    return None;
                }
                for (at, edge) in func.blocks[latch].edges.iter().enumerate() {
                    if edge.block == header && !closing.contains(&(latch, at)) {
                        closing.push((latch, at));
                    }
                }
            }
        }
        if closing.len() > MAX_LATCHES {
            return None;
        }
        // Exactly one of the two ways leads back. The other may lead to the header of a loop around this one, which
        // dominates both.
        let leads_back = |target: Block| {
            !dominators.dominates(target, header)
                && closing.iter().any(|&(latch, _)| dominators.dominates(target, latch))
        };
        if leads_back(targets[0]) == leads_back(targets[1]) {
            return None;
        }
        // A way whose target is reached from elsewhere, too, has no blocks of its own.
        let owns = targets
            .map(|target| cfg.preds[target].iter().all(|&from| from == header || dominators.dominates(target, from)));
        let mut is_own = vec![false; func.values.len()];
        func.params(header).iter().for_each(|&value| is_own[value.index()] = true);
        data.insts.iter().flat_map(|&inst| func.results(inst)).for_each(|&value| is_own[value.index()] = true);
        let mut below: [(SmallVec<[Value; 4]>, Vec<Block>); 2] = Default::default();
        for &block in cfg.order.iter().filter(|&&block| block != header) {
            let way = (0..2).find(|&way| owns[way] && dominators.dominates(targets[way], block));
            if let Some(way) = way {
                below[way].1.push(block);
            }
            let args = func.blocks[block].insts.iter().flat_map(|&inst| func.args(inst));
            let passed = func.blocks[block].edges.iter().flat_map(|edge| func.edge_args(edge));
            for &value in args.chain(passed).filter(|value| is_own[value.index()]) {
                let used = &mut below[way?].0;
                if !used.contains(&value) {
                    used.push(value);
                }
            }
        }
        // What the edges pass on is used in the new blocks.
        for (edge, (used, _)) in data.edges.iter().zip(&mut below) {
            for &value in func.edge_args(edge).iter().filter(|value| is_own[value.index()]) {
                if !used.contains(&value) {
                    used.push(value);
                }
            }
        }
        Some(Plan { header, closing, below })
    }

    fn carry_out(self, func: &mut Func) {
        let header = self.header;
        // The two ways get a block each, which takes the values of the header as parameters.
        let mut ways: [Option<Block>; 2] = [None; 2];
        for (way, (used, blocks)) in self.below.iter().enumerate() {
            let between = func.new_block();
            let renamed: FxHashMap<Value, Value> = used
                .iter()
                .map(|&value| {
                    let ty = func.values[value];
                    (value, func.add_param(between, ty))
                })
                .collect();
            for &block in blocks {
                rename(func, block, &renamed);
            }
            let args = ValueList::from_slice(used, &mut func.pool);
            let mut edge = std::mem::replace(&mut func.blocks[header].edges[way], Edge { block: between, args });
            replace(&mut edge.args, func, &renamed);
            func.append(between, Opcode::Jump, 0, 0, &[], &[]);
            func.blocks[between].edges.push(edge);
            ways[way] = Some(between);
        }
        for &(latch, at) in &self.closing {
            let copy = func.new_block();
            let given: SmallVec<[Value; 8]> = func.edge_args(&func.blocks[latch].edges[at]).into();
            let mut renamed: FxHashMap<Value, Value> = func.params(header).iter().copied().zip(given).collect();
            func.blocks[latch].edges[at] = Edge { block: copy, args: ValueList::new() };
            for inst in func.blocks[header].insts.clone() {
                let InstData { op, aux, imm, .. } = func.insts[inst];
                let map = |value: &Value| *renamed.get(value).unwrap_or(value);
                let args: SmallVec<[Value; 4]> = func.args(inst).iter().map(map).collect();
                let results: SmallVec<[Value; 4]> = func.results(inst).into();
                let types: SmallVec<[_; 4]> = results.iter().map(|&value| func.values[value]).collect();
                let new = func.append(copy, op, imm, aux, &args, &types);
                func.relocate(new, func.location(inst));
                renamed.extend(results.iter().copied().zip(func.results(new).iter().copied()));
            }
            for (way, (used, _)) in self.below.iter().enumerate() {
                let args = used.iter().map(|value| *renamed.get(value).unwrap_or(value));
                let args = ValueList::from_iter(args, &mut func.pool);
                let block = ways[way].expect("made above");
                func.blocks[copy].edges.push(Edge { block, args });
            }
        }
    }
}

/// Renames what a block uses.
fn rename(func: &mut Func, block: Block, renamed: &FxHashMap<Value, Value>) {
    if renamed.is_empty() {
        return;
    }
    for at in 0..func.blocks[block].insts.len() {
        let inst = func.blocks[block].insts[at];
        let mut args = func.insts[inst].args;
        replace(&mut args, func, renamed);
    }
    for at in 0..func.blocks[block].edges.len() {
        let mut args = func.blocks[block].edges[at].args;
        replace(&mut args, func, renamed);
    }
}

fn replace(list: &mut ValueList, func: &mut Func, renamed: &FxHashMap<Value, Value>) {
    for value in list.as_mut_slice(&mut func.pool) {
        if let Some(&new) = renamed.get(value) {
            *value = new;
        }
    }
}
