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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn inner_loops_are_deeper() {
        let text = "func @f(v0: i64) -> i64 {
block0(v0: i64):
  jump block1(v0)
block1(v1: i64):
  jump block2(v1)
block2(v2: i64):
  v3 = iconst.i64 1
  v4 = isub v2, v3
  br_if v4, block2(v4), block3
block3:
  br_if v1, block1(v4), block4
block4:
  ret v1
}
";
        let module = text::parse_module(text).expect("IR");
        let func = module.funcs.values().next().expect("a function");
        let loops = Loops::compute(&Cfg::compute(func));
        let depths: Vec<u32> = func.layout.iter().map(|&block| loops.depth(block)).collect();
        assert_eq!(depths, [0, 1, 2, 1, 0]);
    }
}
