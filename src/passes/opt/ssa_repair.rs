//! SSA repair after the block of a branch was duplicated: values that are used below have two definitions then, which
//! block parameters join.
//!
//! ```text
//!    block: x = …; branch                block: x = …; branch       second: y = …; branch
//!     │              │                        └──────▶ between(x') ◀──────┘
//!   uses x         uses x        ─▶                       │
//!                                                      uses x'
//! ```
//! Loop rotation (`loop-rotate`), loop peeling (`peel-loops`) and tests before evaluation (`speculate-tag`) do that.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Edge, EntityRef, Func, Inst, InstData, Opcode, Value, ValueList, ValuePool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One way: the values of the block that are used below it or passed by its edge, and the blocks there.
#[derive(Default)]
pub struct Way {
    pub used: SmallVec<[Value; 4]>,
    blocks: Vec<Block>,
}

/// Both ways out of the branch at the end of a block; `None` if one of `own`, values that are defined there or above,
/// is used elsewhere than there, below the branch, or in blocks that are `apart`.
pub fn of(
    func: &Func,
    cfg: &Cfg,
    dominators: &DomTree,
    block: Block,
    own: &[Value],
    apart: impl Fn(Block) -> bool,
) -> Option<[Way; 2]> {
    let edges = &func.blocks[block].edges;
    let targets = [edges[0].block, edges[1].block];
    let owns = targets.map(|target| is_owned(cfg, dominators, block, target));
    let mut is_own = vec![false; func.values.len()];
    own.iter().for_each(|&value| is_own[value.index()] = true);
    let mut ways: [Way; 2] = Default::default();
    for &below in cfg.order.iter().filter(|&&other| other != block && !apart(other)) {
        let way = (0..2).find(|&way| owns[way] && dominators.dominates(targets[way], below));
        if let Some(way) = way {
            ways[way].blocks.push(below);
        }
        let args = func.blocks[below].insts.iter().flat_map(|&inst| func.args(inst));
        let passed = func.blocks[below].edges.iter().flat_map(|edge| func.edge_args(edge));
        for &value in args.chain(passed).filter(|value| is_own[value.index()]) {
            let used = &mut ways[way?].used;
            if !used.contains(&value) {
                used.push(value);
            }
        }
    }
    // What the edges pass on is used in the new blocks.
    for (edge, way) in edges.iter().zip(&mut ways) {
        for &value in func.edge_args(edge).iter().filter(|value| is_own[value.index()]) {
            if !way.used.contains(&value) {
                way.used.push(value);
            }
        }
    }
    Some(ways)
}

/// Is a block reached from this one only? A way whose target is reached from elsewhere, too, has no blocks of its own.
pub fn is_owned(cfg: &Cfg, dominators: &DomTree, block: Block, target: Block) -> bool {
    cfg.preds[target].iter().all(|&from| from == block || dominators.dominates(target, from))
}

impl Way {
    /// Leads edge `number` of a block through a new one, whose parameters stand for what is used below.
    pub fn lead_through(&self, func: &mut Func, block: Block, number: usize) -> Block {
        let between = func.new_block();
        let parameter = |&value: &Value| {
            let ty = func.values[value];
            (value, func.add_param(between, ty))
        };
        let renamed: FxHashMap<Value, Value> = self.used.iter().map(parameter).collect();
        for &below in &self.blocks {
            rename(func, below, &renamed);
        }
        let args = ValueList::from_slice(&self.used, &mut func.pool);
        let mut edge = std::mem::replace(&mut func.blocks[block].edges[number], Edge { block: between, args });
        replace(&mut edge.args, &mut func.pool, &renamed);
        func.append(between, Opcode::Jump, 0, 0, &[], &[]);
        func.blocks[between].edges.push(edge);
        between
    }
}

/// Appends copies of instructions to a block; `renamed` says what they read, and is told of the results.
pub fn copy(func: &mut Func, insts: &[Inst], to: Block, renamed: &mut FxHashMap<Value, Value>) {
    for &inst in insts {
        let InstData { op, aux, imm, .. } = func.insts[inst];
        let map = |value: &Value| *renamed.get(value).unwrap_or(value);
        let args: SmallVec<[Value; 4]> = func.args(inst).iter().map(map).collect();
        let results: SmallVec<[Value; 4]> = func.results(inst).into();
        let types: SmallVec<[_; 4]> = results.iter().map(|&value| func.values[value]).collect();
        let new = func.append(to, op, imm, aux, &args, &types);
        func.relocate(new, func.location(inst));
        renamed.extend(results.iter().copied().zip(func.results(new).iter().copied()));
    }
}

/// Renames what a block uses.
pub fn rename(func: &mut Func, block: Block, renamed: &FxHashMap<Value, Value>) {
    if renamed.is_empty() {
        return;
    }
    for at in 0..func.blocks[block].insts.len() {
        let inst = func.blocks[block].insts[at];
        replace(&mut func.insts[inst].args, &mut func.pool, renamed);
    }
    for at in 0..func.blocks[block].edges.len() {
        replace(&mut func.blocks[block].edges[at].args, &mut func.pool, renamed);
    }
}

fn replace(list: &mut ValueList, pool: &mut ValuePool, renamed: &FxHashMap<Value, Value>) {
    for value in list.as_mut_slice(pool) {
        if let Some(&new) = renamed.get(value) {
            *value = new;
        }
    }
}
