//! Places the roots of the collector: strategy `each-call`.
//!
//! Every reference that is live across a safepoint is spilled to a slot of the frame right before it and restored
//! right after it, under a new name. Since evaluation and heap checks have their safepoint out of line, the fast path
//! carries no root at all. The frame of each safepoint is dense: slots `0..k` for `k` live references, so that the
//! collector sees exactly what is live. Static references get no slot. At a tail call the frame is gone.
//!
//! ```text
//! shadow pointer of this function ──▶ | slot 0 | slot 1 | … | slot k−1 | ◀── shadow pointer of the callee
//!                                       higher addresses          lower addresses
//! ```
//! Needs: high IR after `lower-eval`, with `may_gc` set by `gc-leaf`. Establishes: rooted IR (`verify/gc` checks it
//! without this code). Keeps all blocks, their order and the numbers of all values; adds `spill`, `restore`, block
//! parameters and edge arguments, and the frame depth of safepoints.
//!
//! Renaming follows the reverse postorder. A join whose ways bring different names of a value gets a parameter, a
//! loop header gets one for every value that crosses a safepoint anywhere (its back edges are not known yet).

use super::entity::{Crossing, RpoIndex};
use super::settings::Statistics;
use crate::analysis::safepoints::is_safepoint;
use crate::context::ModuleContext;
use cleave_ir::cfg::Cfg;
use cleave_ir::liveness::Liveness;
use cleave_ir::packed_option::PackedOption;
use cleave_ir::{Block, Func, FuncId, Inst, Opcode, Phase, PrimaryMap, SecondaryMap, Type, Value, ValueList};
use std::ops::Range;

/// Roots one function.
pub fn each_call(func: &mut Func, cx: &ModuleContext, statistics: &mut Statistics) {
    func.phase = Phase::Rooted;
    let may_gc = |id: FuncId| cx.may_gc(id);
    let any = func.layout.iter().any(|&b| func.blocks[b].insts.iter().any(|&i| is_safepoint(may_gc, func, i)));
    if !any {
        return;
    }
    let cfg = Cfg::compute(func);
    func.layout.retain(|&block| cfg.is_reachable(block));
    let mut is_static: SecondaryMap<Value, bool> = SecondaryMap::new();
    // Instructions that no block holds any more may have had the results that are parameters now.
    for &inst in func.layout.iter().flat_map(|&block| &func.blocks[block].insts) {
        if func.insts[inst].op.is_static_ref() {
            is_static[func.result(inst)] = true;
        }
    }
    let live = Liveness::compute(func, &cfg, |v| func.values[v] == Type::Ref && !is_static[v]);
    let crosses = SecondaryMap::new();
    let mut pass = EachCall { func, live, cfg, crosses, across: Vec::new(), starts: Vec::new() };
    pass.find_crossing(may_gc);
    if !pass.across.is_empty() {
        pass.rewrite();
    }
    statistics.safepoints += pass.starts.len() as u64;
    statistics.spills += pass.across.len() as u64;
    statistics.restores += pass.across.len() as u64;
    statistics.slots += pass.starts.iter().map(|(_, at)| at.frame.len() as u64).max().unwrap_or(0);
    statistics.frames += u64::from(!pass.across.is_empty());
}

/// A safepoint, and where the values of its frame are in `across`.
struct Safepoint {
    inst: Inst,
    frame: Range<usize>,
}

/// The numbers of values; those that cross no safepoint have none.
type Numbers = SecondaryMap<Value, PackedOption<Crossing>>;

/// Names of values at the ends of blocks, of those that are live there.
#[derive(Default)]
struct Names {
    /// In rising order for each block.
    names: Vec<(Crossing, Value)>,
    /// Where those of each block end.
    ends: PrimaryMap<RpoIndex, usize>,
}

impl Names {
    /// Adds the next block.
    fn add(&mut self, live: impl Iterator<Item = Crossing>, current: &PrimaryMap<Crossing, Value>) {
        self.names.extend(live.map(|crossing| (crossing, current[crossing])));
        self.ends.push(self.names.len());
    }
    fn at_end(&self, block: RpoIndex, crossing: Crossing) -> Value {
        let first = if block == RpoIndex::ENTRY { 0 } else { self.ends[block.before()] };
        let names = &self.names[first..self.ends[block]];
        names[names.binary_search_by_key(&crossing, |name| name.0).expect("live at the end of the block")].1
    }
}

struct EachCall<'f> {
    func: &'f mut Func,
    live: Liveness,
    cfg: Cfg,
    /// Values that are live across some safepoint.
    crosses: SecondaryMap<Value, bool>,
    /// Values live across safepoints, one stretch per safepoint.
    across: Vec<Value>,
    /// Safepoints by block in reverse postorder, last first in each block.
    starts: Vec<(Block, Safepoint)>,
}

impl EachCall<'_> {
    /// For every safepoint, the references that are needed after it and were there before.
    fn find_crossing(&mut self, may_gc: impl Fn(FuncId) -> bool + Copy) {
        let mut set = Vec::new();
        for &block in &self.cfg.order {
            set.clear();
            set.extend_from_slice(self.live.live_out(block));
            for &inst in self.func.blocks[block].insts.iter().rev() {
                for &result in self.func.results(inst) {
                    self.live.remove(&mut set, result);
                }
                if is_safepoint(may_gc, self.func, inst) {
                    let start = self.across.len();
                    self.across.extend(self.live.values(&set));
                    for &value in &self.across[start..] {
                        self.crosses[value] = true;
                    }
                    self.starts.push((block, Safepoint { inst, frame: start..self.across.len() }));
                }
                for &arg in self.func.args(inst) {
                    self.live.insert(&mut set, arg);
                }
            }
        }
    }

    /// Inserts spills and restores and renames uses.
    fn rewrite(&mut self) {
        let mut number = Numbers::new();
        let mut current: PrimaryMap<Crossing, Value> = PrimaryMap::new();
        for &value in self.live.tracked.iter().filter(|&&value| self.crosses[value]) {
            number[value] = current.push(value).into();
        }
        let mut names = Names::default();
        let mut next_safepoint = 0;
        // Edges that must pass a value to an added parameter; their names are known at the end.
        let mut edge_args: Vec<(Block, Block, Crossing)> = Vec::new();
        for at in 0..self.cfg.order.len() {
            let block = self.cfg.order[at];
            self.enter_block(block, &number, &names, &mut current, &mut edge_args);
            let first = next_safepoint;
            while next_safepoint < self.starts.len() && self.starts[next_safepoint].0 == block {
                next_safepoint += 1;
            }
            let safepoints = first..next_safepoint;
            self.rewrite_block(block, safepoints, &number, &mut current);
            names.add(crossings(&self.live, self.live.live_out(block), &number), &current);
        }
        // Arguments for the added parameters, in the order in which they were added to each block.
        for (from, to, crossing) in edge_args {
            let name = names.at_end(self.rpo(from), crossing);
            self.push_edge_args(from, to, name);
        }
    }

    fn rpo(&self, block: Block) -> RpoIndex {
        RpoIndex::from_u32(self.cfg.number[block])
    }

    /// Sets `current` to the names at the start of a block, adding parameters where they differ.
    fn enter_block(
        &mut self,
        block: Block,
        number: &Numbers,
        names: &Names,
        current: &mut PrimaryMap<Crossing, Value>,
        edge_args: &mut Vec<(Block, Block, Crossing)>,
    ) {
        let preds = self.cfg.preds[block].to_vec();
        let is_header = preds.iter().any(|&p| self.cfg.is_back_edge(p, block));
        let live: Vec<Crossing> = crossings(&self.live, self.live.live_in(block), number).collect();
        for crossing in live {
            let name_at = |pred: Block| names.at_end(self.rpo(pred), crossing);
            if !is_header && !preds.is_empty() {
                let first = name_at(preds[0]);
                if preds[1..].iter().all(|&pred| name_at(pred) == first) {
                    current[crossing] = first;
                    continue;
                }
            }
            current[crossing] = self.func.add_param(block, Type::Ref);
            // A predecessor with two edges to this block is listed twice; its edges are filled together.
            let mut seen: Vec<Block> = Vec::new();
            for &pred in &preds {
                if !seen.contains(&pred) {
                    seen.push(pred);
                    edge_args.push((pred, block, crossing));
                }
            }
        }
    }

    fn push_edge_args(&mut self, from: Block, to: Block, name: Value) {
        for edge in 0..self.func.blocks[from].edges.len() {
            if self.func.blocks[from].edges[edge].block == to {
                let mut args: ValueList = std::mem::take(&mut self.func.blocks[from].edges[edge].args);
                args.push(name, &mut self.func.pool);
                self.func.blocks[from].edges[edge].args = args;
            }
        }
    }

    fn rewrite_block(
        &mut self,
        block: Block,
        safepoints: Range<usize>,
        number: &Numbers,
        current: &mut PrimaryMap<Crossing, Value>,
    ) {
        let rename = |value: &mut Value, current: &PrimaryMap<Crossing, Value>| {
            if let Some(crossing) = number[*value].expand() {
                *value = current[crossing];
            }
        };
        let old = std::mem::take(&mut self.func.blocks[block].insts);
        let mut new = Vec::with_capacity(old.len() + 8);
        // Safepoints of the block are listed last first.
        let mut next = safepoints.end;
        for inst in old {
            let Func { insts, pool, .. } = &mut *self.func;
            for arg in insts[inst].args.as_mut_slice(pool) {
                rename(arg, current);
            }
            if next == safepoints.start || self.starts[next - 1].1.inst != inst {
                new.push(inst);
                continue;
            }
            next -= 1;
            let frame: Vec<Value> = self.across[self.starts[next].1.frame.clone()].to_vec();
            let crossing = |value: Value| number[value].expect("it is live across a safepoint");
            for (slot, &value) in frame.iter().enumerate() {
                let name = current[crossing(value)];
                new.push(self.func.make_inst(Opcode::Spill, slot as u64, 0, &[name], &[]));
            }
            self.func.insts[inst].aux = frame.len() as u32;
            new.push(inst);
            for (slot, &value) in frame.iter().enumerate() {
                let restore = self.func.make_inst(Opcode::Restore, slot as u64, 0, &[], &[Type::Ref]);
                new.push(restore);
                current[crossing(value)] = self.func.result(restore);
            }
        }
        self.func.blocks[block].insts = new;
        for edge in 0..self.func.blocks[block].edges.len() {
            let Func { blocks, pool, .. } = &mut *self.func;
            for arg in blocks[block].edges[edge].args.as_mut_slice(pool) {
                rename(arg, current);
            }
        }
    }
}

/// Those of a set of live values that cross a safepoint somewhere, in rising order.
fn crossings<'a>(live: &'a Liveness, set: &'a [u64], number: &'a Numbers) -> impl Iterator<Item = Crossing> + 'a {
    live.values(set).filter_map(|value| number[value].expand())
}
