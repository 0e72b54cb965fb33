//! Code for edges: at the end of the block before, at the start of the block after, or in a block of its own between
//! the two. Code comes before the parameters of the block after get their values: what is passed to them is retained
//! before they take it over.

use cleave_ir::cfg::Cfg;
use cleave_ir::{Block, Edge, Func, Inst, Opcode, SecondaryMap, ValueList};

/// Instructions to come on edges.
#[derive(Default)]
pub struct EdgeCode {
    code: Vec<(Block, usize, Vec<Inst>)>,
}

impl EdgeCode {
    /// Code for edge `index` of `block`, after what is there already.
    pub fn add(&mut self, block: Block, index: usize, code: Vec<Inst>) {
        if !code.is_empty() {
            self.code.push((block, index, code));
        }
    }

    /// Puts the code into the function, whose edges are still those of `cfg`.
    pub fn apply(self, func: &mut Func, cfg: &Cfg) {
        let mut starts: SecondaryMap<Block, usize> = SecondaryMap::new();
        let mut between: SecondaryMap<Block, Vec<(usize, Block)>> = SecondaryMap::new();
        for (block, index, code) in self.code {
            let target = func.blocks[block].edges[index].block;
            if func.blocks[block].edges.len() == 1 && between[block].is_empty() {
                let at = func.blocks[block].insts.len() - 1;
                func.blocks[block].insts.splice(at..at, code);
            } else if let Some(&(_, middle)) = between[block].iter().find(|known| known.0 == index) {
                let at = func.blocks[middle].insts.len() - 1;
                func.blocks[middle].insts.splice(at..at, code);
            } else if cfg.is_reachable(target) && edges_into(func, cfg, target) == 1 && func.params(target).is_empty() {
                let at = starts[target];
                starts[target] += code.len();
                func.blocks[target].insts.splice(at..at, code);
            } else {
                let middle = func.new_block();
                func.blocks[middle].insts = code;
                let args = std::mem::take(&mut func.blocks[block].edges[index].args);
                func.append(middle, Opcode::Jump, 0, 0, &[], &[]);
                func.blocks[middle].edges.push(Edge { block: target, args });
                func.blocks[block].edges[index] = Edge { block: middle, args: ValueList::new() };
                between[block].push((index, middle));
            }
        }
    }
}

/// Edges into a block that had one predecessor, or more.
fn edges_into(func: &Func, cfg: &Cfg, target: Block) -> usize {
    match cfg.preds[target][..] {
        [before] => func.blocks[before].edges.iter().filter(|edge| edge.block == target).count(),
        ref others => others.len(),
    }
}
