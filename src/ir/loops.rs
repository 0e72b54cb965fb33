//! Natural loops: how deep each block lies in them.
//!
//! A back edge whose target dominates its source closes a loop; the body is what reaches the source without passing the
//! target (Muchnick, "Advanced Compiler Design and Implementation", section 7.4). Loops with one header are one loop.
//! Cycles that are entered in two places have no header and do not count.

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::Block;
use cranelift_entity::SecondaryMap;

/// The number of loops around each block.
#[derive(Debug, Default)]
pub struct Loops {
    depth: SecondaryMap<Block, u32>,
}

impl Loops {
    /// Work grows with the bodies of all loops, inner ones counted once for each loop around them.
    pub fn compute(cfg: &Cfg) -> Loops {
        let mut loops = Loops::default();
        let closes = |&header: &Block| cfg.is_loop_header(header);
        if !cfg.order.iter().any(closes) {
            return loops;
        }
        let dominators = DomTree::compute(cfg);
        // The header whose loop a block was last seen in.
        let mut seen: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
        let mut work: Vec<Block> = Vec::new();
        for header in cfg.order.iter().copied().filter(closes) {
            let latches = cfg.preds[header].iter().copied();
            work.extend(
                latches.filter(|&latch| cfg.is_back_edge(latch, header) && dominators.dominates(header, latch)),
            );
            if work.is_empty() {
                continue;
            }
            seen[header] = header.as_u32();
            loops.depth[header] += 1;
            while let Some(block) = work.pop() {
                if seen[block] != header.as_u32() {
                    seen[block] = header.as_u32();
                    loops.depth[block] += 1;
                    work.extend(&cfg.preds[block]);
                }
            }
        }
        loops
    }

    /// Zero outside of loops.
    pub fn depth(&self, block: Block) -> u32 {
        self.depth[block]
    }
}
