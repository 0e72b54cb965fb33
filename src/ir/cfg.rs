//! Control-flow graph: predecessors and reverse postorder, computed when asked and thrown away.

use crate::entity::Block;
use crate::func::Func;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Predecessors and orders of the reachable blocks of a function.
#[derive(Debug, Default)]
pub struct Cfg {
    /// Reachable blocks in reverse postorder; the entry is first.
    pub order: Vec<Block>,
    /// Position in `order`, `u32::MAX` for unreachable blocks.
    pub number: SecondaryMap<Block, u32>,
    /// Reachable predecessors, one per edge.
    pub preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
}

impl Cfg {
    /// Work and memory grow with the number of edges. Panics if the function has no blocks.
    pub fn compute(func: &Func) -> Cfg {
        let mut cfg = Cfg {
            order: Vec::with_capacity(func.layout.len()),
            number: SecondaryMap::with_default(u32::MAX),
            preds: SecondaryMap::new(),
        };
        cfg.number.resize(func.blocks.len());
        cfg.preds.resize(func.blocks.len());
        // Depth-first search with an explicit stack of (block, next edge). `number` is 0 once a block was seen.
        let entry = func.entry_block();
        let mut stack = vec![(entry, 0usize)];
        cfg.number[entry] = 0;
        while let Some(top) = stack.last_mut() {
            let (block, next) = *top;
            top.1 += 1;
            match func.blocks[block].edges.get(next) {
                Some(edge) => {
                    cfg.preds[edge.block].push(block);
                    if cfg.number[edge.block] == u32::MAX {
                        cfg.number[edge.block] = 0;
                        stack.push((edge.block, 0));
                    }
                }
                None => {
                    cfg.order.push(block);
                    stack.pop();
                }
            }
        }
        cfg.order.reverse();
        for (number, &block) in cfg.order.iter().enumerate() {
            cfg.number[block] = number as u32;
        }
        cfg
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
        self.preds[block].iter().any(|&p| self.is_back_edge(p, block))
    }
}
