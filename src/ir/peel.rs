//! Copies the rest of an iteration for functions that go on in the middle of a loop: a loop that is entered in two
//! places costs each of its iterations a test.
//!
//! ```text
//!        ┌──────────────┐              ┌──────────────┐
//! p ─▶ head ─▶ call ─▶ behind   ──▶  head ─▶ call ─▶ behind
//!                        ▲             ▲
//!                       back           └── copy of behind ◀─ back
//! ```
//! The copy is of what can be reached from there without passing the head of the outermost loop. Loops in it are
//! complete, and entered in the middle, too: for each of them the same is done once more. Calls in copies leave the
//! records that those in the original leave.

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Inst, Value};
use crate::func::Func;
use crate::liveness::Liveness;
use crate::ssa::Definition;
use cranelift_entity::SecondaryMap;

/// Where copies came from, and what they define.
#[derive(Default)]
pub struct Copies {
    /// For each copy of a block: the block.
    pub of: SecondaryMap<Block, Option<Block>>,
    /// All of them.
    pub blocks: Vec<Block>,
    /// Their values, by those that they are copies of.
    pub definitions: Vec<Definition>,
    values: SecondaryMap<Value, Option<Value>>,
}

/// A natural loop, with the blocks in it.
struct Loop {
    head: Block,
    blocks: Vec<Block>,
}

/// Copies the rest of an iteration for each of the blocks `behind` in loops, and puts the copy that may be entered from
/// outside in its place. Blocks use nothing of others that `is_made_again`.
pub fn run(
    func: &mut Func,
    cfg: &Cfg,
    dom: &mut DomTree,
    live: &Liveness,
    is_made_again: &SecondaryMap<Value, bool>,
    behind: &mut [Block],
) -> Copies {
    let mut copies = Copies::default();
    if !cfg.has_loops {
        return copies;
    }
    dom.recompute(cfg);
    let loops = find(cfg, dom);
    // Outer loops first; what stands for a block in the innermost one that has been done.
    let mut place: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    let originals = behind.to_vec();
    let mut depth: SecondaryMap<Block, u32> = SecondaryMap::new();
    loops.iter().for_each(|each| each.blocks.iter().for_each(|&block| depth[block] += 1));
    let mut order: Vec<&Loop> = loops.iter().collect();
    order.sort_by_key(|each| (depth[each.head], cfg.number[each.head]));
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    for each in order {
        let mut rest = each.rest(func, &originals, &mut inside);
        rest.sort_by_key(|&block| cfg.number[block]);
        // Edges lead to copies of this loop, and else to where those of the loops around it lead.
        let new: Vec<Block> = rest.iter().map(|_| func.new_block()).collect();
        rest.iter().zip(&new).for_each(|(&block, &copy)| place[block] = Some(copy));
        for (&block, &copy) in rest.iter().zip(&new) {
            copies.copy(func, block, copy, &place, |value| {
                !is_made_again[value] && live.contains(live.live_out(block), value)
            });
        }
        let mut is_rest: SecondaryMap<Block, bool> = SecondaryMap::new();
        rest.iter().for_each(|&block| is_rest[block] = true);
        for (entry, original) in behind.iter_mut().zip(&originals) {
            if is_rest[*original] {
                *entry = place[*original].expect("it was copied");
            }
        }
    }
    copies
}

/// How many instructions `run` would copy.
pub fn copied(func: &Func, cfg: &Cfg, dom: &mut DomTree, behind: &[Block]) -> usize {
    if !cfg.has_loops {
        return 0;
    }
    dom.recompute(cfg);
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    let insts = |block: Block| func.blocks[block].insts.len();
    find(cfg, dom).iter().flat_map(|each| each.rest(func, behind, &mut inside)).map(insts).sum()
}

impl Loop {
    /// What is reached from some blocks without passing the head. `inside` is false for all blocks.
    fn rest(&self, func: &Func, from: &[Block], inside: &mut SecondaryMap<Block, bool>) -> Vec<Block> {
        self.blocks.iter().for_each(|&block| inside[block] = block != self.head);
        let mut rest: Vec<Block> = Vec::new();
        let mut work: Vec<Block> = from.iter().copied().filter(|&block| inside[block]).collect();
        while let Some(block) = work.pop() {
            if std::mem::take(&mut inside[block]) {
                rest.push(block);
                work.extend(func.successors(block));
            }
        }
        self.blocks.iter().for_each(|&block| inside[block] = false);
        rest
    }
}

impl Copies {
    fn copy(
        &mut self,
        func: &mut Func,
        block: Block,
        copy: Block,
        place: &SecondaryMap<Block, Option<Block>>,
        is_live_out: impl Fn(Value) -> bool,
    ) {
        self.of[copy] = Some(block);
        self.blocks.push(copy);
        let mut own: Vec<Value> = Vec::new();
        for param in func.params(block).to_vec() {
            let new = func.add_param(copy, func.values[param]);
            self.values[param] = Some(new);
            own.push(param);
        }
        for inst in func.blocks[block].insts.clone() {
            let new = self.copy_inst(func, inst, &mut own);
            func.blocks[copy].insts.push(new);
        }
        for edge in func.blocks[block].edges.clone() {
            let args: Vec<Value> = func.edge_args(&edge).iter().map(|&arg| self.values[arg].unwrap_or(arg)).collect();
            func.add_edge(copy, place[edge.block].unwrap_or(edge.block), &args);
        }
        for value in own {
            let new = self.values[value].take().expect("it was set");
            if is_live_out(value) {
                self.definitions.push(Definition { block: copy, of: value, value: new });
            }
        }
    }

    fn copy_inst(&mut self, func: &mut Func, inst: Inst, own: &mut Vec<Value>) -> Inst {
        let args: Vec<Value> = func.args(inst).iter().map(|&arg| self.values[arg].unwrap_or(arg)).collect();
        let results = func.results(inst).to_vec();
        let types: Vec<_> = results.iter().map(|&result| func.values[result]).collect();
        func.set_location_of(inst);
        let (op, imm, aux) = (func.insts[inst].op, func.insts[inst].imm, func.insts[inst].aux);
        let new = func.make_inst(op, imm, aux, &args, &types);
        for (at, result) in results.into_iter().enumerate() {
            self.values[result] = Some(func.results(new)[at]);
            own.push(result);
        }
        new
    }
}

fn find(cfg: &Cfg, dom: &DomTree) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut seen: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    for &head in cfg.order.iter().filter(|&&block| cfg.is_loop_header(block)) {
        let latches = cfg.preds[head].iter().copied();
        let mut work: Vec<Block> =
            latches.filter(|&latch| cfg.is_back_edge(latch, head) && dom.dominates(head, latch)).collect();
        if work.is_empty() {
            continue;
        }
        seen[head] = head.as_u32();
        let mut blocks = vec![head];
        while let Some(block) = work.pop() {
            if seen[block] != head.as_u32() {
                seen[block] = head.as_u32();
                blocks.push(block);
                work.extend(&cfg.preds[block]);
            }
        }
        loops.push(Loop { head, blocks });
    }
    loops
}
