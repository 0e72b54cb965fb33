//! Live intervals: live ranges as intervals of block numbers in reverse postorder. They serve functions that are too
//! large for sets of live values, whose sizes can grow with the number of blocks times that of values.
//!
//! The interval of a value begins at its definition and reaches to its last use in that order. If the value is needed
//! in the next round of a loop, it reaches to the end of the loop. So: whenever a back edge leads from after the
//! interval to a block inside it (but not to the definition), the interval is extended to the source of that edge
//! (Poletto and Sarkar, "Linear Scan Register Allocation"). It covers all blocks in which the value is live, and also
//! blocks on branches that do not need it.

use crate::cfg::Cfg;

/// The end of the live range of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Number of the last block in which the value is live.
    pub last: u32,
    /// It may also be live at the end of that block.
    pub through: bool,
}

/// The back edges of a function.
pub struct Extents {
    /// Blocks that back edges enter, in rising order.
    headers: Vec<u32>,
    /// A tree of maxima over the last sources of these edges: leaves after inner nodes.
    tree: Vec<u32>,
}

impl Extents {
    /// Looks at all edges once.
    pub fn compute(cfg: &Cfg) -> Extents {
        let (mut headers, mut sources) = (Vec::new(), Vec::new());
        for (n, &block) in cfg.order.iter().enumerate() {
            let last = cfg.preds[block].iter().map(|&pred| cfg.number[pred]).max();
            if let Some(last) = last.filter(|&last| last >= n as u32) {
                headers.push(n as u32);
                sources.push(last);
            }
        }
        let mut tree = vec![0; headers.len()];
        tree.extend(sources);
        for node in (1..headers.len()).rev() {
            tree[node] = tree[2 * node].max(tree[2 * node + 1]);
        }
        Extents { headers, tree }
    }

    /// The last source of the back edges to the blocks behind `from` and up to `to`.
    fn last_source(&self, from: u32, to: u32) -> Option<u32> {
        let mut low = self.headers.partition_point(|&header| header <= from) + self.headers.len();
        let mut high = self.headers.partition_point(|&header| header <= to) + self.headers.len();
        let mut found = None;
        while low < high {
            if low % 2 == 1 {
                found = found.max(Some(self.tree[low]));
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                found = found.max(Some(self.tree[high]));
            }
            low /= 2;
            high /= 2;
        }
        found
    }

    /// How far a value reaches that is defined in block `def` and used in block `used` last, both by number.
    pub fn of(&self, def: u32, used: u32) -> Extent {
        let mut extent = Extent { last: used, through: false };
        while let Some(source) = self.last_source(def, extent.last) {
            if source < extent.last || source == extent.last && extent.through {
                break;
            }
            extent = Extent { last: source, through: true };
        }
        extent
    }
}
