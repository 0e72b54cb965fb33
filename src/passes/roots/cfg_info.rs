//! Control-flow information for root placement: how often blocks are executed, loops, dominators and safepoints, all by
//! number in the reverse postorder.
//!
//! Frequencies are guesses, relative to the entry: the slow path of a heap check or an evaluation is taken once in 64
//! times, other branches evenly, a loop is run through eight times. That is wrong for loops that mostly end at once: a
//! value that is restored after such a loop is restored more often than `each-call` does (`binarytrees`). Loops are
//! found as in "Nesting of reducible and irreducible loops" (Havlak 1997), reducible ones only: a block that is entered
//! by a back edge but does not dominate its source is marked as irreducible, and nothing is assumed about its loop.

use super::entity::RpoIndex;
use crate::analysis::safepoints::is_safepoint;
use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, EntityRef, Func, FuncId, Opcode, PrimaryMap};
use smallvec::SmallVec;

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
    /// Immediate dominators; the entry has none.
    pub idom: PrimaryMap<RpoIndex, PackedOption<RpoIndex>>,
    /// Predecessors, one per edge.
    pub preds: PrimaryMap<RpoIndex, SmallVec<[RpoIndex; 2]>>,
    /// Successors, one per edge, with their shares of the executions.
    pub succs: PrimaryMap<RpoIndex, SmallVec<[(RpoIndex, f32); 2]>>,
    pub frequency: PrimaryMap<RpoIndex, f32>,
    /// Of loop headers.
    pub loops: PrimaryMap<RpoIndex, Loop>,
    /// Entered by a back edge from a block that it does not dominate.
    pub irreducible: PrimaryMap<RpoIndex, bool>,
    /// Indices of the safepoints in each block.
    pub safepoints: PrimaryMap<RpoIndex, SmallVec<[u32; 2]>>,
}

impl Flow {
    /// `None` for a function without safepoints. `rare` tells whether slow paths are known to be rare.
    pub fn compute(func: &Func, may_gc: impl Fn(FuncId) -> bool + Copy, rare: bool) -> Option<Flow> {
        let any = func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(|&i| is_safepoint(may_gc, func, i)));
        if !any {
            return None;
        }
        let cfg = Cfg::compute(func);
        let dom = DomTree::compute(&cfg);
        let count = cfg.order.len();
        let rpo = |block| RpoIndex::from_u32(cfg.number[block]);
        let idom = cfg.order.iter().map(|&block| dom.idom(block).map(rpo).into()).collect();
        let preds = cfg.order.iter().map(|&b| cfg.preds[b].iter().map(|&p| rpo(p)).collect()).collect();
        let safepoints = cfg.order.iter().map(|&block| {
            let insts = func.blocks[block].insts.iter().enumerate();
            insts.filter(|&(_, &inst)| is_safepoint(may_gc, func, inst)).map(|(at, _)| at as u32).collect()
        });
        let safepoints = safepoints.collect();
        let mut flow = Flow {
            dom,
            idom,
            preds,
            succs: PrimaryMap::with_capacity(count),
            frequency: each(count, 0.0),
            loops: each(count, Loop::default()),
            irreducible: each(count, false),
            safepoints,
            cfg,
        };
        let parent = flow.find_loops();
        flow.find_frequencies(func, rare, &parent);
        flow.sum_up_loops(&parent);
        Some(flow)
    }

    /// The block with that number.
    pub fn block(&self, rpo: RpoIndex) -> Block {
        self.cfg.order[rpo.index()]
    }
    /// All blocks.
    pub fn ranks(&self) -> impl DoubleEndedIterator<Item = RpoIndex> + use<> {
        (0..self.cfg.order.len()).map(RpoIndex::new)
    }
    pub fn dominates(&self, a: RpoIndex, b: RpoIndex) -> bool {
        self.dom.dominates(self.block(a), self.block(b))
    }
    pub fn is_header(&self, block: RpoIndex) -> bool {
        self.preds[block].iter().any(|&pred| pred >= block)
    }

    /// How often control goes from one block to another.
    pub fn edge_frequency(&self, from: RpoIndex, to: RpoIndex) -> f32 {
        let shares = self.succs[from].iter().filter(|succ| succ.0 == to).map(|succ| succ.1);
        self.frequency[from] * shares.sum::<f32>()
    }

    /// For each block the header of the innermost loop around it: for a header, around its own loop.
    fn find_loops(&mut self) -> Parents {
        let mut parent: Parents = each(self.preds.len(), None.into());
        // The outermost header found so far, with path compression.
        let mut outer: PrimaryMap<RpoIndex, RpoIndex> = self.ranks().collect();
        let find = |outer: &mut PrimaryMap<RpoIndex, RpoIndex>, mut block: RpoIndex| {
            let mut root = block;
            while outer[root] != root {
                root = outer[root];
            }
            while outer[block] != root {
                block = std::mem::replace(&mut outer[block], root);
            }
            root
        };
        let mut work = Vec::new();
        for header in self.ranks().rev() {
            for &pred in &self.preds[header] {
                if pred >= header {
                    if self.dominates(header, pred) {
                        work.push(pred);
                    } else {
                        self.irreducible[header] = true;
                    }
                }
            }
            while let Some(block) = work.pop() {
                let block = find(&mut outer, block);
                // Ways into an irreducible part of the loop may lead around its header.
                if block == header || parent[block].is_some() || !self.dominates(header, block) {
                    continue;
                }
                parent[block] = header.into();
                outer[block] = header;
                work.extend_from_slice(&self.preds[block]);
            }
        }
        parent
    }

    /// The header of the innermost loop that a block belongs to.
    fn loop_around(&self, block: RpoIndex, parent: &Parents) -> Option<RpoIndex> {
        let is_loop = self.is_header(block) && !self.irreducible[block];
        if is_loop { Some(block) } else { parent[block].expand() }
    }

    fn is_inside(&self, block: RpoIndex, header: RpoIndex, parent: &Parents) -> bool {
        let mut enclosing = self.loop_around(block, parent);
        // Headers come before the blocks of their loops.
        while let Some(inner) = enclosing.filter(|&inner| inner > header) {
            enclosing = parent[inner].expand();
        }
        enclosing == Some(header)
    }

    fn find_frequencies(&mut self, func: &Func, rare: bool, parent: &Parents) {
        self.frequency[RpoIndex::ENTRY] = 1.0;
        for n in self.ranks() {
            if self.is_header(n) && !self.irreducible[n] {
                self.frequency[n] *= ROUNDS;
            }
            let is_slow = |to| {
                let insts = &func.blocks[self.block(to)].insts;
                rare && insts
                    .iter()
                    .any(|&i| matches!(func.insts[i].op, Opcode::Enter | Opcode::Collect | Opcode::Unreachable))
            };
            let successors = func.successors(self.block(n));
            let targets: SmallVec<[RpoIndex; 4]> =
                successors.map(|to| RpoIndex::from_u32(self.cfg.number[to])).collect();
            let slow: SmallVec<[bool; 4]> = targets.iter().map(|&to| is_slow(to)).collect();
            let own = self.loop_around(n, parent);
            let leaves = |to: RpoIndex| own.is_some_and(|own| !self.is_inside(to, own, parent));
            let stays = targets.iter().any(|&to| !leaves(to));
            let leaving: SmallVec<[bool; 4]> = targets.iter().map(|&to| stays && leaves(to)).collect();
            let mut succs: SmallVec<[(RpoIndex, f32); 2]> = SmallVec::new();
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
                if to > n {
                    self.frequency[to] += self.frequency[n] * share;
                }
            }
            self.succs.push(succs);
        }
    }

    fn sum_up_loops(&mut self, parent: &Parents) {
        for block in self.ranks().rev() {
            let own = if self.safepoints[block].is_empty() { 0.0 } else { self.frequency[block] };
            let is_header = self.is_header(block);
            let mut inner = if is_header { self.loops[block] } else { Loop::default() };
            inner.has_safepoint |= !self.safepoints[block].is_empty();
            inner.safepoints = inner.safepoints.max(own);
            if is_header {
                self.loops[block] = inner;
            }
            if let Some(parent) = parent[block].expand() {
                let outer = &mut self.loops[parent];
                outer.has_safepoint |= inner.has_safepoint;
                outer.safepoints = outer.safepoints.max(inner.safepoints);
            }
        }
    }
}

/// For each block the header of a loop.
type Parents = PrimaryMap<RpoIndex, PackedOption<RpoIndex>>;

/// The same for each block.
fn each<T: Clone>(count: usize, value: T) -> PrimaryMap<RpoIndex, T> {
    std::iter::repeat_n(value, count).collect()
}
