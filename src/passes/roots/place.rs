//! Places spills and restores, one value at a time.
//!
//! A value is live in a part of the dominator tree. There it is in a *register* (under some name), in a *slot*, or in
//! both. A safepoint that it crosses ends the register; the slot stays valid, because the collector updates it.
//!
//! 1. *Spills*. A block with a crossed safepoint needs the slot. The spill is put there, or into a dominator, where
//!    it is executed less often than all those below it together: costs are summed up along the dominator tree. So what
//!    crosses slow paths alone is spilled there, and what crosses a call on every path is spilled once. Everything
//!    that a spill dominates then has a valid slot: a *web*.
//! 2. *Registers*. Outside of a web the value must be in a register wherever it is live: it is restored at the end of
//!    the slow path. Inside, it is where paths meet only if restoring on the paths that lack it, and having it in a
//!    register at all (`MERGE`), costs less than restoring where it is used later; a loop decides for all its rounds.
//! 3. *Names*. A restored value has a new name; blocks where different names meet get a parameter.

use super::cfg_info::Flow;
use super::edits::{Edits, LIVE_OUT, Order};
use super::entity::{RpoIndex, Web};
use super::late_options::{LateOption, LateOptions};
use super::ranges::{Ranges, Segment, UseSite, Values};
use cleave_ir::{Func, Opcode, Type, Value};

/// The price, counted in restores, of keeping a value in a register where paths meet on which it has different names.
/// The engine must move both names to one place, and in loops with calls on slow paths that place is often in memory.
const MERGE: f32 = 0.25;

/// Places the spills and restores of values, one after the other.
pub struct Placer<'a> {
    pub func: &'a mut Func,
    pub flow: &'a Flow,
    pub values: &'a Values,
    pub steps: LateOptions,
    pub ranges: Ranges,
    pub edits: Edits,
    /// For each block of the range the probability that the value is used before it crosses a safepoint.
    need: Vec<f32>,
    /// A spill belongs into this block of the range.
    spills_in: Vec<bool>,
    /// Web and name at the end of the blocks of the range.
    web: Vec<Option<Web>>,
    name: Vec<Option<Value>>,
    params: Vec<(usize, Value)>,
}

impl<'a> Placer<'a> {
    pub fn new(func: &'a mut Func, flow: &'a Flow, values: &'a Values, steps: LateOptions) -> Placer<'a> {
        Placer {
            func,
            flow,
            values,
            steps,
            ranges: Ranges::new(flow),
            edits: Edits::default(),
            need: Vec::new(),
            spills_in: Vec::new(),
            web: Vec::new(),
            name: Vec::new(),
            params: Vec::new(),
        }
    }

    /// Places one value, if it crosses a safepoint.
    pub fn place(&mut self, value: Value) {
        if !self.ranges.compute(self.flow, self.values, value) {
            return;
        }
        self.find_needs();
        self.choose_spills();
        self.params.clear();
        let crossings = |s: &Segment| self.frequency(s.block) * (s.crossed.1 - s.crossed.0) as f32;
        let weight = self.ranges.segments.iter().map(crossings).sum();
        for n in 0..self.ranges.segments.len() {
            self.walk(n, value, weight);
        }
        self.pass_names();
    }

    fn frequency(&self, block: RpoIndex) -> f32 {
        self.flow.frequency[block]
    }

    /// Goes backwards; what a loop needs of its next round is found the second time.
    fn find_needs(&mut self) {
        let segments = &self.ranges.segments;
        self.need.clear();
        self.need.resize(segments.len(), 0.0);
        let rounds = if segments.iter().any(|s| s.live_in && self.flow.is_header(s.block)) { 2 } else { 1 };
        for _ in 0..rounds {
            for n in (0..segments.len()).rev() {
                let segment = &segments[n];
                let used = self.values.at(segment.uses.0, segment.uses.1).first().map(|found| found.at);
                let safepoints = &self.flow.safepoints[segment.block];
                let crossed = segment.crosses().then(|| safepoints[segment.crossed.0 as usize]);
                self.need[n] = match (used, crossed) {
                    (Some(used), Some(crossed)) => f32::from(used <= crossed),
                    (Some(_), None) => 1.0,
                    (None, Some(_)) => 0.0,
                    (None, None) => {
                        let succs = self.flow.succs[segment.block].iter();
                        let needs = succs.filter_map(|&(to, share)| Some(share * self.need[self.live_in(to)?]));
                        needs.sum()
                    }
                };
            }
        }
    }

    /// Number of the stretch of a block, if the value is live at its start.
    fn live_in(&self, block: RpoIndex) -> Option<usize> {
        self.ranges.find(block).filter(|&n| self.ranges.segments[n].live_in)
    }

    /// Sums costs up along the dominator tree.
    fn choose_spills(&mut self) {
        let segments = &self.ranges.segments;
        let count = segments.len();
        self.spills_in.clear();
        self.spills_in.extend(segments.iter().map(|segment| segment.crosses()));
        if !self.steps.has(LateOption::Hoist) {
            return;
        }
        let mut below = vec![0.0f32; count];
        for n in (0..count).rev() {
            let own = self.flow.frequency[segments[n].block];
            let cost = if self.spills_in[n] {
                own
            } else if below[n] > 0.0 && own <= below[n] {
                self.spills_in[n] = true;
                own
            } else {
                below[n]
            };
            if cost > 0.0 && n > 0 {
                below[self.dominator(n)] += cost;
            }
        }
    }

    /// The stretch of the immediate dominator: the value is live there.
    fn dominator(&self, n: usize) -> usize {
        let idom = self.flow.idom[self.ranges.segments[n].block].expand();
        idom.and_then(|idom| self.ranges.find(idom)).expect("a definition dominates its uses")
    }

    // -- the walk -----------------------------------------------------------------------------------------------------

    /// Walks through one block of the range.
    fn walk(&mut self, n: usize, value: Value, weight: f32) {
        if n == 0 {
            self.web.clear();
            self.name.clear();
        }
        let segment = self.ranges.segments[n];
        let block = segment.block;
        let (mut web, mut name) = if n == 0 { (None, Some(value)) } else { self.enter(n) };
        let last_use = self.values.at(segment.uses.0, segment.uses.1).last().map_or(0, |found| found.at);
        let end = if segment.live_out { LIVE_OUT } else { last_use };
        if let Some(web) = web {
            self.edits.occupy(block, web, None, end);
        }
        let crossed = &self.flow.safepoints[block][segment.crossed.0 as usize..segment.crossed.1 as usize];
        let mut uses = self.values.at(segment.uses.0, segment.uses.1).iter().peekable();
        for safepoint in crossed.iter().copied().map(Some).chain([None]) {
            while let Some(found) = uses.next_if(|found| safepoint.is_none_or(|safepoint| found.at <= safepoint)) {
                let known = match name {
                    Some(known) => known,
                    None => self.restore(block, found.at, web),
                };
                name = Some(known);
                if known != value {
                    self.rename(found.place, known);
                }
            }
            let Some(safepoint) = safepoint else { break };
            if web.is_none() || !self.steps.has(LateOption::Once) {
                let known = match name {
                    Some(known) => known,
                    None => self.restore(block, safepoint, web),
                };
                let web = *web.get_or_insert_with(|| {
                    let web = self.edits.new_web(weight);
                    self.edits.occupy(block, web, Some(safepoint), end);
                    web
                });
                self.spill(block, safepoint, web, known);
            }
            name = None;
            if !self.steps.has(LateOption::Lazy) {
                name = Some(self.restore(block, safepoint + 1, web));
            }
        }
        if self.spills_in[n] && web.is_none() {
            // Hoisted: the value is live at the end of the block, and nothing has ended its register.
            let at = self.terminator(block);
            let new = self.edits.new_web(weight);
            self.edits.occupy(block, new, Some(at), end);
            self.spill(block, at, new, name.expect("outside of webs values are in registers"));
            web = Some(new);
        }
        self.web.push(web);
        self.name.push(name);
    }

    /// Web and name at the start of a block.
    fn enter(&mut self, n: usize) -> (Option<Web>, Option<Value>) {
        let flow = self.flow;
        let block = self.ranges.segments[n].block;
        let web = self.web[self.dominator(n)];
        let preds = &flow.preds[block];
        let is_header = preds.iter().any(|&pred| pred >= block);
        let irreducible = flow.irreducible[block];
        let enclosing = flow.loops[block];
        // In a loop without safepoints no name changes.
        let renamed = is_header && (irreducible || enclosing.has_safepoint);
        let mut known: Option<Value> = None;
        let (mut differ, mut missing) = (false, 0.0);
        for &pred in preds.iter().filter(|&&pred| pred < block) {
            match self.name[self.index(pred)] {
                None => missing += flow.edge_frequency(pred, block),
                Some(name) => differ |= *known.get_or_insert(name) != name,
            }
        }
        if web.is_some() && self.steps.has(LateOption::Lazy) {
            let is_free = missing == 0.0 && !differ && !renamed;
            let cost = if renamed { missing + enclosing.safepoints } else { missing };
            let frequency = self.frequency(block);
            if irreducible || !is_free && cost + MERGE * frequency >= frequency * self.need[n] {
                return (web, None);
            }
        }
        let mut forward: Option<Value> = None;
        differ = false;
        for &pred in preds.iter().filter(|&&pred| pred < block) {
            let name = self.name_at_end(self.index(pred));
            differ |= *forward.get_or_insert(name) != name;
        }
        if !differ && !renamed {
            return (web, forward);
        }
        let param = self.func.add_param(flow.block(block), Type::Ref);
        self.params.push((n, param));
        (web, Some(param))
    }

    fn index(&self, block: RpoIndex) -> usize {
        self.ranges.find(block).expect("live at the end of a predecessor")
    }

    /// Restores at the end of a block if need be.
    fn name_at_end(&mut self, n: usize) -> Value {
        if let Some(name) = self.name[n] {
            return name;
        }
        let block = self.ranges.segments[n].block;
        let name = self.restore(block, self.terminator(block), self.web[n]);
        self.name[n] = Some(name);
        name
    }

    /// Arguments for the added parameters.
    fn pass_names(&mut self) {
        for (n, _) in std::mem::take(&mut self.params) {
            let flow = self.flow;
            let block = self.ranges.segments[n].block;
            let preds = &flow.preds[block];
            for (i, &pred) in preds.iter().enumerate() {
                // A predecessor with two edges to this block is listed twice; its edges are filled together.
                if preds[..i].contains(&pred) {
                    continue;
                }
                let name = self.name_at_end(self.index(pred));
                let (from, to) = (flow.block(pred), flow.block(block));
                let Func { blocks, pool, .. } = &mut *self.func;
                for edge in blocks[from].edges.iter_mut().filter(|edge| edge.block == to) {
                    edge.args.push(name, pool);
                }
            }
        }
    }

    // -- changes ------------------------------------------------------------------------------------------------------

    fn terminator(&self, block: RpoIndex) -> u32 {
        self.func.blocks[self.flow.block(block)].insts.len() as u32 - 1
    }

    fn restore(&mut self, block: RpoIndex, at: u32, web: Option<Web>) -> Value {
        let web = web.expect("only what was spilled is restored");
        let inst = self.func.make_inst(Opcode::Restore, 0, 0, &[], &[Type::Ref]);
        self.edits.add(block, at, Order::Restore, inst, web);
        self.func.result(inst)
    }

    fn spill(&mut self, block: RpoIndex, at: u32, web: Web, name: Value) {
        let inst = self.func.make_inst(Opcode::Spill, 0, 0, &[name], &[]);
        self.edits.add(block, at, Order::Spill, inst, web);
    }

    fn rename(&mut self, place: UseSite, name: Value) {
        let Func { insts, blocks, pool, .. } = &mut *self.func;
        let (list, n) = match place {
            UseSite::Operand(inst, n) => (&mut insts[inst].args, n),
            UseSite::Edge(block, edge, n) => (&mut blocks[block].edges[edge as usize].args, n),
        };
        list.as_mut_slice(pool)[n as usize] = name;
    }
}
