//! Control-flow graph: predecessors and reverse postorder, computed when asked and thrown away.

use crate::entity::Block;
use crate::func::Func;
use cranelift_entity::{EntityRef, SecondaryMap};
use std::ops::Index;

/// Predecessors and orders of the reachable blocks of a function.
#[derive(Debug)]
pub struct Cfg {
    /// Reachable blocks in reverse postorder; the entry is first.
    pub order: Vec<Block>,
    /// Position in `order`, `u32::MAX` for unreachable blocks.
    pub number: SecondaryMap<Block, u32>,
    /// Reachable predecessors, one per edge.
    pub preds: Preds,
    /// Some edge closes a loop.
    pub has_loops: bool,
    /// Edges in the order in which the search met them.
    edges: Vec<(Block, Block)>,
    stack: Vec<(Block, u32)>,
}

/// The predecessors of all blocks, those of one block after those of the one before.
#[derive(Debug, Default)]
pub struct Preds {
    /// Where those of each block begin, and where the last ones end.
    starts: Vec<u32>,
    list: Vec<Block>,
}

impl Preds {
    /// How many blocks there are, reachable or not.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// True without blocks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those of so many blocks, in the order of the edges.
    fn sort(&mut self, blocks: usize, edges: &[(Block, Block)]) {
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(blocks + 1, 0);
        edges.iter().for_each(|(_, to)| starts[to.index()] += 1);
        // The end of each block's; filled from after, so that it becomes its beginning.
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        self.list.clear();
        self.list.resize(edges.len(), Block::new(0));
        for &(from, to) in edges.iter().rev() {
            let place = &mut starts[to.index()];
            *place -= 1;
            self.list[*place as usize] = from;
        }
    }
}

impl Index<Block> for Preds {
    type Output = [Block];

    #[inline]
    fn index(&self, block: Block) -> &[Block] {
        // Blocks that were made later have none.
        match self.starts.get(block.index()..block.index() + 2) {
            Some(ends) => &self.list[ends[0] as usize..ends[1] as usize],
            None => &[],
        }
    }
}

impl Default for Cfg {
    fn default() -> Cfg {
        let number = SecondaryMap::with_default(u32::MAX);
        Cfg {
            order: Vec::new(),
            number,
            preds: Preds::default(),
            has_loops: false,
            edges: Vec::new(),
            stack: Vec::new(),
        }
    }
}

impl Cfg {
    /// Work and memory grow with the number of edges. Panics if the function has no blocks.
    pub fn compute(func: &Func) -> Cfg {
        let mut cfg = Cfg::default();
        cfg.recompute(func);
        cfg
    }

    /// The graph of another function, in the same memory.
    pub fn recompute(&mut self, func: &Func) {
        let blocks = func.blocks.len();
        self.order.clear();
        self.order.reserve(func.layout.len());
        self.number.clear();
        self.number.resize(blocks);
        self.edges.clear();
        self.stack.clear();
        let entry = func.entry_block();
        // Depth-first search with an explicit stack of (block, next edge). `number` is 0 once a block was seen.
        self.stack.push((entry, 0));
        self.number[entry] = 0;
        while let Some(top) = self.stack.last_mut() {
            let (block, next) = *top;
            top.1 += 1;
            match func.blocks[block].edges.get(next as usize) {
                Some(edge) => {
                    self.edges.push((block, edge.block));
                    if self.number[edge.block] == u32::MAX {
                        self.number[edge.block] = 0;
                        self.stack.push((edge.block, 0));
                    }
                }
                None => {
                    self.order.push(block);
                    self.stack.pop();
                }
            }
        }
        self.order.reverse();
        for (number, &block) in self.order.iter().enumerate() {
            self.number[block] = number as u32;
        }
        self.has_loops = self.edges.iter().any(|&(from, to)| self.number[from] >= self.number[to]);
        self.preds.sort(blocks, &self.edges);
    }

    /// True if a path leads there from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.number[block] != u32::MAX
    }
    /// An edge that goes to itself or up in reverse postorder closes a loop.
    pub fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.number[from] >= self.number[to]
    }
    /// True if some back edge enters `block`.
    pub fn is_loop_header(&self, block: Block) -> bool {
        self.has_loops && self.preds[block].iter().any(|&p| self.is_back_edge(p, block))
    }
}
