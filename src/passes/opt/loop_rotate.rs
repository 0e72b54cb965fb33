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
use crate::opt::simplify_cfg;
use crate::opt::ssa_repair::{self, Way};
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, EntityRef, Flags, Func, Opcode, Value, ValueList};
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
        simplify_cfg::run(func, scratch);
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
    ways: [Way; 2],
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
        let own: SmallVec<[Value; 8]> = func.params(header).iter().copied().chain(results(func, header)).collect();
        let ways = ssa_repair::of(func, cfg, dominators, header, &own, |_| false)?;
        Some(Plan { header, closing, ways })
    }

    fn carry_out(self, func: &mut Func) {
        let header = self.header;
        // The two ways get a block each, which takes the values of the header as parameters.
        let targets = [0, 1].map(|way| self.ways[way].lead_through(func, header, way));
        for &(latch, at) in &self.closing {
            let to = func.new_block();
            let given: SmallVec<[Value; 8]> = func.edge_args(&func.blocks[latch].edges[at]).into();
            let mut renamed: FxHashMap<Value, Value> = func.params(header).iter().copied().zip(given).collect();
            func.blocks[latch].edges[at] = Edge { block: to, args: ValueList::new() };
            let insts = func.blocks[header].insts.clone();
            ssa_repair::copy(func, &insts, to, &mut renamed);
            for (way, block) in self.ways.iter().zip(targets) {
                let args: SmallVec<[Value; 4]> =
                    way.used.iter().map(|value| *renamed.get(value).unwrap_or(value)).collect();
                func.add_edge(to, block, &args);
            }
        }
    }
}

/// What the instructions of a block define.
fn results(func: &Func, block: Block) -> impl Iterator<Item = Value> + '_ {
    func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst)).copied()
}
