//! Walk over the dominator tree, parents before children, for passes that keep facts per path: what is learnt in a
//! block holds in its subtree and is undone when the walk leaves it.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Func, Inst, Opcode, SecondaryMap};

/// A stop of the walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A block; all that dominate it have been entered and not left.
    Enter(Block),
    /// All of the subtree of a block has been seen.
    Leave(Block),
}

/// The walk itself: an explicit stack over linked lists of children.
pub struct DomWalk {
    /// The graph of the blocks that are walked.
    pub cfg: Cfg,
    stack: Vec<Step>,
    child: SecondaryMap<Block, PackedOption<Block>>,
    sibling: SecondaryMap<Block, PackedOption<Block>>,
    parent: SecondaryMap<Block, PackedOption<Block>>,
}

impl DomWalk {
    /// Starts at the entry. Drops unreachable blocks from the layout: they are not walked, and would keep names that
    /// the walk replaces.
    pub fn new(func: &mut Func) -> DomWalk {
        let cfg = Cfg::compute(func);
        if cfg.order.len() != func.layout.len() {
            func.layout.retain(|&block| cfg.is_reachable(block));
        }
        let mut child: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        let mut sibling: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        let mut parents: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        if cfg.order.len() > 1 {
            let dom = DomTree::compute(&cfg);
            // In reverse, so that children come in reverse postorder.
            for &block in cfg.order.iter().rev() {
                if let Some(parent) = dom.idom(block) {
                    sibling[block] = child[parent];
                    child[parent] = block.into();
                    parents[block] = parent.into();
                }
            }
        }
        DomWalk { stack: vec![Step::Enter(func.entry_block())], cfg, child, sibling, parent: parents }
    }

    /// The block that dominates this one with none between.
    pub fn parent(&self, block: Block) -> Option<Block> {
        self.parent[block].expand()
    }

    /// The next stop.
    pub fn step(&mut self) -> Option<Step> {
        let step = self.stack.pop()?;
        if let Step::Enter(block) = step {
            // A sibling is entered after this block was left.
            if let Some(sibling) = self.sibling[block].expand() {
                self.stack.push(Step::Enter(sibling));
            }
            self.stack.push(Step::Leave(block));
            if let Some(child) = self.child[block].expand() {
                self.stack.push(Step::Enter(child));
            }
        }
        Some(step)
    }

    /// The branch instruction that decides whether control comes to `block`, and whether its condition is then true.
    /// Only for blocks with a single predecessor, which the walk has been in.
    pub fn condition(&self, func: &Func, block: Block) -> Option<(Inst, bool)> {
        let [pred] = self.cfg.preds[block][..] else { return None };
        let branch = func.terminator(pred).filter(|&t| func.insts[t].op == Opcode::BrIf)?;
        Some((branch, func.blocks[pred].edges[0].block == block))
    }
}
