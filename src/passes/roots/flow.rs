//! What the placement of roots knows about the control flow of a function: how often blocks are executed, loops,
//! dominators and safepoints, all by number in the reverse postorder.
//!
//! Frequencies are guesses, relative to the entry: the slow path of a heap check or an evaluation is taken once in 64
//! times, other branches evenly, a loop is run through eight times. That is wrong for loops that mostly end at once: a
//! value that is restored behind such a loop is restored more often than `each-call` does (`binarytrees`). Loops are
//! found as in "Nesting of reducible and irreducible loops" (Havlak 1997), reducible ones only: a block that is entered
//! by a back edge but does not dominate its source is marked as irreducible, and nothing is assumed about its loop.

use crate::analysis::safepoints::is_safepoint;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Func, FuncId, Opcode};
use smallvec::SmallVec;

/// No block.
pub const NONE: u32 = u32::MAX;
/// How rarely a slow path is taken.
const RARELY: f32 = 1.0 / 64.0;
/// How often a loop is run through.
const ROUNDS: f32 = 8.0;

/// A loop, by the number of its header.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loop {
    /// Some block of the loop has a safepoint.
    pub has_safepoint: bool,
    /// How often the most frequent safepoint of the loop is executed.
    pub safepoints: f32,
}

/// Facts about one function.
pub struct Flow {
    pub cfg: Cfg,
    dom: DomTree,
    /// Immediate dominators; that of the entry is `NONE`.
    pub idom: Vec<u32>,
    /// Predecessors, one per edge.
    pub preds: Vec<SmallVec<[u32; 2]>>,
    /// Successors, one per edge, with their shares of the executions.
    pub succs: Vec<SmallVec<[(u32, f32); 2]>>,
    pub frequency: Vec<f32>,
    /// Of loop headers.
    pub loops: Vec<Loop>,
    /// Entered by a back edge from a block that it does not dominate.
    pub irreducible: Vec<bool>,
    /// Indices of the safepoints in each block.
    pub safepoints: Vec<SmallVec<[u32; 2]>>,
}

impl Flow {
    /// `None` for a function without safepoints. `rare` tells whether slow paths are known to be rare.
    pub fn compute(func: &Func, collects: impl Fn(FuncId) -> bool + Copy, rare: bool) -> Option<Flow> {
        let any = func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(|&i| is_safepoint(collects, func, i)));
        if !any {
            return None;
        }
        let cfg = Cfg::compute(func);
        let dom = DomTree::compute(&cfg);
        let count = cfg.order.len();
        let number = |block| cfg.number[block];
        let idom = cfg.order.iter().map(|&block| dom.idom(block).map_or(NONE, number)).collect();
        let preds = cfg.order.iter().map(|&b| cfg.preds[b].iter().map(|&p| number(p)).collect()).collect();
        let safepoints = cfg.order.iter().map(|&block| {
            let insts = func.blocks[block].insts.iter().enumerate();
            insts.filter(|&(_, &inst)| is_safepoint(collects, func, inst)).map(|(at, _)| at as u32).collect()
        });
        let safepoints = safepoints.collect();
        let mut flow = Flow {
            dom,
            idom,
            preds,
            succs: Vec::with_capacity(count),
            frequency: vec![0.0; count],
            loops: vec![Loop::default(); count],
            irreducible: vec![false; count],
            safepoints,
            cfg,
        };
        let parent = flow.find_loops();
        flow.find_frequencies(func, rare, &parent);
        flow.sum_up_loops(&parent);
        Some(flow)
    }

    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.dom.dominates(self.cfg.order[a as usize], self.cfg.order[b as usize])
    }
    pub fn is_header(&self, block: u32) -> bool {
        self.preds[block as usize].iter().any(|&pred| pred >= block)
    }

    /// How often control goes from one block to another.
    pub fn edge_frequency(&self, from: u32, to: u32) -> f32 {
        let shares = self.succs[from as usize].iter().filter(|succ| succ.0 == to).map(|succ| succ.1);
        self.frequency[from as usize] * shares.sum::<f32>()
    }

    /// For each block the header of the innermost loop around it: for a header, around its own loop.
    fn find_loops(&mut self) -> Vec<u32> {
        let count = self.preds.len();
        let mut parent = vec![NONE; count];
        // The outermost header found so far, with path compression.
        let mut outer: Vec<u32> = (0..count as u32).collect();
        let find = |outer: &mut Vec<u32>, mut block: u32| {
            let mut root = block;
            while outer[root as usize] != root {
                root = outer[root as usize];
            }
            while outer[block as usize] != root {
                block = std::mem::replace(&mut outer[block as usize], root);
            }
            root
        };
        let mut work = Vec::new();
        for header in (0..count as u32).rev() {
            for &pred in &self.preds[header as usize] {
                if pred >= header {
                    if self.dominates(header, pred) {
                        work.push(pred);
                    } else {
                        self.irreducible[header as usize] = true;
                    }
                }
            }
            while let Some(block) = work.pop() {
                let block = find(&mut outer, block);
                // Ways into an irreducible part of the loop may lead around its header.
                if block == header || parent[block as usize] != NONE || !self.dominates(header, block) {
                    continue;
                }
                parent[block as usize] = header;
                outer[block as usize] = header;
                work.extend_from_slice(&self.preds[block as usize]);
            }
        }
        parent
    }

    /// The header of the innermost loop that a block belongs to.
    fn loop_around(&self, block: u32, parent: &[u32]) -> u32 {
        let is_loop = self.is_header(block) && !self.irreducible[block as usize];
        if is_loop { block } else { parent[block as usize] }
    }

    fn is_inside(&self, block: u32, header: u32, parent: &[u32]) -> bool {
        let mut around = self.loop_around(block, parent);
        // Headers come before the blocks of their loops.
        while around != NONE && around > header {
            around = parent[around as usize];
        }
        around == header
    }

    fn find_frequencies(&mut self, func: &Func, rare: bool, parent: &[u32]) {
        self.frequency[0] = 1.0;
        for n in 0..self.frequency.len() {
            if self.is_header(n as u32) && !self.irreducible[n] {
                self.frequency[n] *= ROUNDS;
            }
            let block = self.cfg.order[n];
            let is_slow = |to| {
                let insts = &func.blocks[self.cfg.order[to as usize]].insts;
                rare && insts
                    .iter()
                    .any(|&i| matches!(func.insts[i].op, Opcode::Enter | Opcode::Collect | Opcode::Unreachable))
            };
            let targets: SmallVec<[u32; 4]> = func.successors(block).map(|to| self.cfg.number[to]).collect();
            let slow: SmallVec<[bool; 4]> = targets.iter().map(|&to| is_slow(to)).collect();
            let own = self.loop_around(n as u32, parent);
            let leaves = |to: u32| own != NONE && !self.is_inside(to, own, parent);
            let stays = targets.iter().any(|&to| !leaves(to));
            let leaving: SmallVec<[bool; 4]> = targets.iter().map(|&to| stays && leaves(to)).collect();
            let mut succs: SmallVec<[(u32, f32); 2]> = SmallVec::new();
            let weights = slow.iter().zip(&leaving).map(|(&slow, &leaving)| match (slow, leaving) {
                (true, _) => RARELY,
                (_, true) => 1.0 / ROUNDS,
                _ => 1.0,
            });
            let weights: SmallVec<[f32; 4]> = weights.collect();
            // An unlikely successor gets its small share; the likely ones divide the rest evenly.
            let unlikely: f32 = weights.iter().filter(|&&weight| weight < 1.0).sum();
            let likely = weights.iter().filter(|&&weight| weight == 1.0).count() as f32;
            for (&to, &weight) in targets.iter().zip(&weights) {
                let share = match weight {
                    _ if likely == 0.0 => weight / unlikely,
                    1.0 => (1.0 - unlikely).max(RARELY) / likely,
                    _ => weight,
                };
                succs.push((to, share));
                // Back edges are left out: the rounds of a loop are counted at its header.
                if to > n as u32 {
                    self.frequency[to as usize] += self.frequency[n] * share;
                }
            }
            self.succs.push(succs);
        }
    }

    fn sum_up_loops(&mut self, parent: &[u32]) {
        for block in (0..parent.len()).rev() {
            let own = if self.safepoints[block].is_empty() { 0.0 } else { self.frequency[block] };
            let is_header = self.is_header(block as u32);
            let mut inner = if is_header { self.loops[block] } else { Loop::default() };
            inner.has_safepoint |= !self.safepoints[block].is_empty();
            inner.safepoints = inner.safepoints.max(own);
            if is_header {
                self.loops[block] = inner;
            }
            if parent[block] != NONE {
                let outer = &mut self.loops[parent[block] as usize];
                outer.has_safepoint |= inner.has_safepoint;
                outer.safepoints = outer.safepoints.max(inner.safepoints);
            }
        }
    }
}
