//! Dominator tree by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").

use crate::cfg::Cfg;
use crate::entity::Block;
use cranelift_entity::{SecondaryMap, packed_option::PackedOption};

/// Immediate dominators of the reachable blocks.
#[derive(Debug, Default)]
pub struct DomTree {
    idom: SecondaryMap<Block, PackedOption<Block>>,
    /// Preorder number and largest number in the subtree, for constant-time dominance tests.
    interval: SecondaryMap<Block, (u32, u32)>,
}

impl DomTree {
    pub fn compute(cfg: &Cfg) -> DomTree {
        let mut idom: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        let Some(&entry) = cfg.order.first() else { return DomTree::default() };
        idom[entry] = entry.into();
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
                    changed = true;
                }
            }
        }
        idom[entry] = None.into();
        let mut tree = DomTree { idom, interval: SecondaryMap::new() };
        tree.number(cfg);
        tree
    }

    /// Numbers the tree: sizes bottom-up, then preorder numbers top-down, both along the reverse postorder (a
    /// dominator always comes before the blocks it dominates).
    fn number(&mut self, cfg: &Cfg) {
        let mut size: SecondaryMap<Block, u32> = SecondaryMap::with_default(1);
        for &block in cfg.order.iter().rev() {
            if let Some(parent) = self.idom[block].expand() {
                let own = size[block];
                size[parent] += own;
            }
        }
        let mut next: SecondaryMap<Block, u32> = SecondaryMap::new();
        for &block in &cfg.order {
            let first = match self.idom[block].expand() {
                None => 0,
                Some(parent) => {
                    let n = next[parent];
                    next[parent] += size[block];
                    n
                }
            };
            self.interval[block] = (first, first + size[block] - 1);
            next[block] = first + 1;
        }
    }

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
