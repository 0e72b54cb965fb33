//! Repairs SSA form after values got further definitions: finds the blocks where several of them meet, which get a
//! parameter for the value, and makes each use name the definition that reaches it.
//!
//! Parameters are placed on iterated dominance frontiers (Cytron et al. 1991) of blocks where the value is live.

use crate::cfg::Cfg;
use crate::dom::DomTree;
use crate::entity::{Block, Value};
use crate::func::Func;
use crate::liveness::Liveness;
use crate::value_list::ValueList;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// One more definition: at the end of `block`, which uses `of` nowhere, `value` stands for `of`.
pub struct Definition {
    /// Where it is.
    pub block: Block,
    /// The value that has got a further definition.
    pub of: Value,
    /// What defines it there.
    pub value: Value,
}

/// Memory that functions use one after the other.
#[derive(Default)]
pub struct Scratch {
    frontiers: SecondaryMap<Block, Vec<Block>>,
    /// The block of each value.
    home: SecondaryMap<Value, Option<Block>>,
    is_variable: SecondaryMap<Value, bool>,
    /// What stands for a value at the end of a block, and at its start.
    at_end: FxHashMap<(Block, Value), Value>,
    at_start: FxHashMap<(Block, Value), Value>,
    way: Vec<Block>,
}

/// Repairs a function. `live` was computed before there were further definitions. Of blocks that have been made since,
/// only copies join the ways of several definitions. Blocks that control does not reach are gone: no definition reaches
/// them that they could give to a new parameter.
pub fn repair(
    func: &mut Func,
    definitions: &[Definition],
    live: &Liveness,
    copies: &SecondaryMap<Block, Option<Block>>,
    cfg: &mut Cfg,
    dom: &mut DomTree,
    scratch: &mut Scratch,
) {
    let blocks_before = cfg.preds.len();
    cfg.recompute(func);
    func.layout.retain(|&block| cfg.is_reachable(block));
    dom.recompute(cfg);
    scratch.find_frontiers(cfg, dom);
    scratch.find_homes(func, cfg);
    scratch.at_end.clear();
    scratch.at_start.clear();
    scratch.is_variable.clear();
    for definition in definitions {
        scratch.at_end.insert((definition.block, definition.of), definition.value);
        scratch.is_variable[definition.of] = true;
    }
    let mut by_variable: Vec<(Value, Block)> = definitions.iter().map(|d| (d.of, d.block)).collect();
    by_variable.sort_unstable();
    // Parameters of blocks, in the order in which they are added.
    let mut params: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
    for same in by_variable.chunk_by(|a, b| a.0 == b.0) {
        let variable = same[0].0;
        let mut work: Vec<Block> = same.iter().map(|pair| pair.1).collect();
        work.extend(scratch.home[variable]);
        while let Some(block) = work.pop() {
            for at in 0..scratch.frontiers[block].len() {
                let join = scratch.frontiers[block][at];
                let like = copies[join].or(((join.as_u32() as usize) < blocks_before).then_some(join));
                let is_live = like.is_some_and(|like| live.contains(live.live_in(like), variable));
                if is_live && !scratch.at_start.contains_key(&(join, variable)) {
                    let param = func.add_param(join, func.values[variable]);
                    scratch.at_start.insert((join, variable), param);
                    params[join].push(variable);
                    work.push(join);
                }
            }
        }
    }
    for &block in &cfg.order {
        for at in 0..func.blocks[block].insts.len() {
            let inst = func.blocks[block].insts[at];
            if func.args(inst).iter().any(|&arg| scratch.is_variable[arg]) {
                let args: Vec<Value> = func.args(inst).iter().map(|&arg| scratch.used(dom, block, arg)).collect();
                func.set_args(inst, &args);
            }
        }
        for at in 0..func.blocks[block].edges.len() {
            let edge = &func.blocks[block].edges[at];
            let more = &params[edge.block];
            let old = func.edge_args(edge);
            if more.is_empty() && !old.iter().any(|&arg| scratch.is_variable[arg]) {
                continue;
            }
            let mut args: Vec<Value> = old.iter().map(|&arg| scratch.used(dom, block, arg)).collect();
            args.extend(more.iter().map(|&variable| scratch.end(dom, block, variable)));
            func.blocks[block].edges[at].args = ValueList::from_slice(&args, &mut func.pool);
        }
    }
}

impl Scratch {
    fn find_frontiers(&mut self, cfg: &Cfg, dom: &DomTree) {
        for &block in &cfg.order {
            self.frontiers[block].clear();
        }
        for &block in &cfg.order {
            let preds = &cfg.preds[block];
            if preds.len() < 2 {
                continue;
            }
            let above = dom.idom(block);
            for &pred in preds {
                let mut at = Some(pred);
                while at != above {
                    let here = at.expect("the dominator is above");
                    if self.frontiers[here].last() != Some(&block) {
                        self.frontiers[here].push(block);
                    }
                    at = dom.idom(here);
                }
            }
        }
    }

    fn find_homes(&mut self, func: &Func, cfg: &Cfg) {
        self.home.clear();
        for &block in &cfg.order {
            let results = func.blocks[block].insts.iter().flat_map(|&inst| func.results(inst));
            func.params(block).iter().chain(results).for_each(|&value| self.home[value] = Some(block));
        }
    }

    /// What a use in a block names.
    fn used(&mut self, dom: &DomTree, block: Block, value: Value) -> Value {
        match self.is_variable[value] && self.home[value] != Some(block) {
            true => self.start(dom, block, value),
            false => value,
        }
    }

    /// What stands for a value at the end of a block.
    fn end(&mut self, dom: &DomTree, block: Block, value: Value) -> Value {
        if let Some(&known) = self.at_end.get(&(block, value)) {
            return known;
        }
        if self.home[value] == Some(block) { value } else { self.start(dom, block, value) }
    }

    /// The same for its start: that at the end of its dominator, unless it is a parameter.
    fn start(&mut self, dom: &DomTree, block: Block, value: Value) -> Value {
        let (mut at, mut way) = (block, std::mem::take(&mut self.way));
        let found = loop {
            if let Some(&known) = self.at_start.get(&(at, value)) {
                break known;
            }
            way.push(at);
            at = dom.idom(at).unwrap_or_else(|| panic!("{value} is used in {block}, where no definition reaches"));
            if let Some(&known) = self.at_end.get(&(at, value)) {
                break known;
            }
            if self.home[value] == Some(at) {
                break value;
            }
        };
        way.drain(..).for_each(|at| _ = self.at_start.insert((at, value), found));
        self.way = way;
        found
    }
}
