//! Dominator tree by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). Its
//! work can grow with the square of a function (a ladder of branches), so that large ones get that of Lengauer and
//! Tarjan ("A Fast Algorithm for Finding Dominators in a Flowgraph"), with path compression alone: edges × log blocks.

use crate::cfg::Cfg;
use crate::entity::Block;
use cranelift_entity::{EntityRef, SecondaryMap, packed_option::PackedOption};

/// Blocks of a large function.
const LARGE: usize = 1 << 10;

/// Immediate dominators of the reachable blocks.
#[derive(Debug, Default)]
pub struct DomTree {
    idom: SecondaryMap<Block, PackedOption<Block>>,
    /// Preorder number and largest number in the subtree, for constant-time dominance tests.
    interval: SecondaryMap<Block, (u32, u32)>,
    /// Blocks of the subtree, and the next number in it.
    size: Vec<u32>,
    next: Vec<u32>,
}

impl DomTree {
    /// The tree of a function.
    pub fn compute(cfg: &Cfg) -> DomTree {
        let mut tree = DomTree::default();
        tree.recompute(cfg);
        tree
    }

    /// The tree of another function, in the same memory.
    pub fn recompute(&mut self, cfg: &Cfg) {
        self.idom.clear();
        self.idom.resize(cfg.preds.len());
        if cfg.order.len() > LARGE {
            self.idom = by_semidominators(cfg);
            self.idom.resize(cfg.preds.len());
        } else if !cfg.order.is_empty() {
            by_iteration(cfg, &mut self.idom);
        }
        self.number(cfg);
    }

    /// Numbers the tree: sizes bottom-up, then preorder numbers top-down, both along the reverse postorder (a
    /// dominator always comes before the blocks it dominates).
    fn number(&mut self, cfg: &Cfg) {
        let blocks = cfg.preds.len();
        self.size.clear();
        self.size.resize(blocks, 1);
        self.next.clear();
        self.next.resize(blocks, 0);
        self.interval.clear();
        self.interval.resize(blocks);
        for &block in cfg.order.iter().rev() {
            if let Some(parent) = self.idom[block].expand() {
                self.size[parent.index()] += self.size[block.index()];
            }
        }
        for &block in &cfg.order {
            let size = self.size[block.index()];
            let first = match self.idom[block].expand() {
                None => 0,
                Some(parent) => {
                    let next = &mut self.next[parent.index()];
                    *next += size;
                    *next - size
                }
            };
            self.interval[block] = (first, first + size - 1);
            self.next[block.index()] = first + 1;
        }
    }

    /// The closest block that all paths from the entry to this one go through; none for the entry.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block].expand()
    }
    /// True if `a` dominates `b` (a block dominates itself).
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (first, last) = self.interval[a];
        let n = self.interval[b].0;
        first <= n && n <= last
    }
}

type Idoms = SecondaryMap<Block, PackedOption<Block>>;

fn by_iteration(cfg: &Cfg, idom: &mut Idoms) {
    let entry = cfg.order[0];
    idom[entry] = entry.into();
    // Without loops all predecessors come first.
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &cfg.order[1..] {
            let mut new: Option<Block> = None;
            for &pred in &cfg.preds[block] {
                if idom[pred].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => pred,
                    Some(mut other) => {
                        let mut pred = pred;
                        while pred != other {
                            if cfg.number[pred] > cfg.number[other] {
                                pred = idom[pred].unwrap();
                            } else {
                                other = idom[other].unwrap();
                            }
                        }
                        pred
                    }
                });
            }
            let new = new.into();
            if idom[block] != new {
                idom[block] = new;
                changed = cfg.has_loops;
            }
        }
    }
    idom[entry] = None.into();
}

/// No vertex.
const NONE: u32 = u32::MAX;

/// The forest of Lengauer and Tarjan; vertices are preorder numbers of a depth-first search.
struct Forest {
    semi: Vec<u32>,
    /// The vertex with the least semidominator on the compressed path to an ancestor.
    label: Vec<u32>,
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The vertex with the least semidominator on the way up to the root of its tree.
    fn eval(&mut self, vertex: u32) -> u32 {
        let mut at = vertex;
        while self.ancestor[at as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        // The topmost one has nothing to compress.
        self.path.pop();
        while let Some(at) = self.path.pop() {
            let above = self.ancestor[at as usize] as usize;
            let (own, other) = (self.label[at as usize], self.label[above]);
            if self.semi[other as usize] < self.semi[own as usize] {
                self.label[at as usize] = other;
            }
            self.ancestor[at as usize] = self.ancestor[above];
        }
        self.label[vertex as usize]
    }
}

fn by_semidominators(cfg: &Cfg) -> Idoms {
    let count = cfg.order.len();
    // Edges from each block, by number, as ranges of one list.
    let mut starts = vec![0u32; count + 1];
    let edges = || cfg.order.iter().flat_map(|&to| cfg.preds[to].iter().map(move |&from| (from, to)));
    edges().for_each(|(from, _)| starts[cfg.number[from] as usize + 1] += 1);
    (0..count).for_each(|n| starts[n + 1] += starts[n]);
    let (mut next, mut targets) = (starts.clone(), vec![0u32; starts[count] as usize]);
    for (from, to) in edges() {
        let place = &mut next[cfg.number[from] as usize];
        targets[*place as usize] = cfg.number[to];
        *place += 1;
    }
    // Preorder: blocks by vertex, vertices by block, parents.
    let (mut blocks, mut vertices, mut parents) = (Vec::with_capacity(count), vec![NONE; count], Vec::new());
    let mut stack = vec![(0u32, NONE)];
    while let Some((number, parent)) = stack.pop() {
        if vertices[number as usize] != NONE {
            continue;
        }
        let vertex = blocks.len() as u32;
        vertices[number as usize] = vertex;
        blocks.push(number);
        parents.push(parent);
        let range = starts[number as usize] as usize..starts[number as usize + 1] as usize;
        stack.extend(targets[range].iter().rev().map(|&target| (target, vertex)));
    }
    let all: Vec<u32> = (0..count as u32).collect();
    let mut forest = Forest { semi: all.clone(), label: all, ancestor: vec![NONE; count], path: Vec::new() };
    // Vertices by their semidominators: lists.
    let (mut first, mut following) = (vec![NONE; count], vec![NONE; count]);
    let mut idom = vec![0u32; count];
    for vertex in (1..count as u32).rev() {
        let at = vertex as usize;
        for &pred in &cfg.preds[cfg.order[blocks[at] as usize]] {
            let best = forest.eval(vertices[cfg.number[pred] as usize]);
            forest.semi[at] = forest.semi[at].min(forest.semi[best as usize]);
        }
        let semi = forest.semi[at] as usize;
        following[at] = std::mem::replace(&mut first[semi], vertex);
        let parent = parents[at];
        forest.ancestor[at] = parent;
        let mut member = std::mem::replace(&mut first[parent as usize], NONE);
        while member != NONE {
            let best = forest.eval(member);
            let is_lower = forest.semi[best as usize] < forest.semi[member as usize];
            idom[member as usize] = if is_lower { best } else { parent };
            member = following[member as usize];
        }
    }
    let mut found = Idoms::new();
    for vertex in 1..count {
        if idom[vertex] != forest.semi[vertex] {
            idom[vertex] = idom[idom[vertex] as usize];
        }
        let block = |vertex: usize| cfg.order[blocks[vertex] as usize];
        found[block(vertex)] = block(idom[vertex] as usize).into();
    }
    found
}
